"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect
from sandtable.forty.odds.circumstances import (
    HALF_RANGE,
    OVERCHARGE,
    OVERWATCH,
    Circumstance,
    effects,
    flag,
    nothing,
)
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k8.attacks import HIT, REROLL_HITS, REROLL_WOUNDS, SAVE, WOUND
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import ADVANCE, MOVED, NORMAL, Battle8, Unit

ADDED: Final = "w40k8.dice.modifiers"
AGAIN: Final = ("w40k8.dice.reroll", "w40k8.dice.reroll_timing")
COVER: Final = "w40k8.cover.bonus"


def _cover(b: Battle8, unit: Unit, target: Unit) -> None:
    b.state.effects += (Effect(SAVE, target.id, BOOK.cover, source=COVER),)


def _moved(b: Battle8, unit: Unit, target: Unit) -> None:
    unit.moved = NORMAL
    b.state.models.mark[list(unit.models)] |= MOVED


def _charged(b: Battle8, unit: Unit, target: Unit) -> None:
    unit.charged, unit.targets = True, (target.id,)


def _added(roll: str, kind: str) -> tuple[Circumstance, ...]:
    """What may be added to a roll: nothing limits it."""
    rolls = {"save": "the target's saves by armour"}
    return tuple(
        Circumstance(
            Modifier(f"{roll}{n:+d}", f"{n:+d} to {rolls.get(roll, roll)}", (ADDED,),
                     also=(f"{n:+d} to {roll}", f"{n:+d} {roll}")),
            effects((kind, n), rule=ADDED, on_target=roll == "save"),
        )
        for n in (1, 2, -1, -2)
    )  # fmt: skip


def _again(roll: str, kind: str) -> tuple[Circumstance, ...]:
    """Which rolls may be made again: they have failed or not by their bare face."""
    named = (
        ("ones", f"reroll-{roll}-ones", f"{roll} rolls of 1 may be made again", (f"reroll 1s to {roll}",)),
        ("failures", f"reroll-{roll}s", f"failed {roll} rolls may be made again", (f"reroll failed {roll}s",)),
        ("all", f"reroll-any-{roll}s", f"any {roll} rolls may be made again", (f"reroll all {roll}s",)),
    )
    return tuple(
        Circumstance(Modifier(name, text, AGAIN, also=also), effects((kind, faces), rule=AGAIN[0], on_target=False))
        for faces, name, text, also in named
    )


CIRCUMSTANCES: Final = (
    Circumstance(
        Modifier("cover", "the target is in cover", (COVER, "w40k8.cover.scope"), melee=False, also=("in cover",)),
        _cover,
    ),
    Circumstance(
        Modifier(HALF_RANGE, "all weapons are within half range", ("w40k8.weapon.rapid_fire",), melee=False,
                 also=("rapid fire", "half", "close range")),
        nothing,
    ),
    Circumstance(
        Modifier("moved", "the attacker moved before", ("w40k8.weapon.heavy",), melee=False,
                 also=("heavy", "on the move")),
        _moved,
    ),
    Circumstance(
        Modifier("advanced", "the attacker Advanced", ("w40k8.weapon.assault", "w40k8.move.advance_limits"),
                 melee=False, also=("advance", "assault")),
        flag("moved", ADVANCE),
    ),
    Circumstance(
        Modifier("charged", "the attacker charged this turn", ("w40k8.fight.charged_targets",), ranged=False,
                 also=("charge", "on the charge")),
        _charged,
    ),
    Circumstance(
        Modifier(OVERWATCH, "the attacker fires Overwatch", ("w40k8.charge.overwatch", "w40k8.charge.overwatch_six"),
                 melee=False, also=("fire overwatch",)),
        nothing,
    ),
    Circumstance(
        Modifier(OVERCHARGE, "profiles that may harm their bearer are used too", ("w40k8.sheet.abilities",),
                 melee=False, also=("supercharge", "overcharged", "supercharged")),
        nothing,
    ),
    *_added("hit", HIT),
    *_added("wound", WOUND),
    *_added("save", SAVE),
    *_again("hit", REROLL_HITS),
    *_again("wound", REROLL_WOUNDS),
)  # fmt: skip
