"""The circumstances of an attack that a question about odds can name, such as cover or a charge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect
from sandtable.forty.odds.circumstances import (
    OVERCHARGE,
    Circumstance,
    added,
    advanced,
    charged,
    declared,
    effects,
    half_range,
    overwatch,
)
from sandtable.forty.odds.matchups import Modifier
from sandtable.systems.w40k8.attacks import HIT, REROLL_HITS, REROLL_WOUNDS, SAVE, WOUND
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import ADVANCE, MOVED, NORMAL, Battle8, Unit

ADDED: Final = "w40k8.dice.modifiers"
STEPS: Final = (1, 2, -1, -2)
"""What may be added to a roll; nothing limits it, but no question needs more."""
AGAIN: Final = ("w40k8.dice.reroll", "w40k8.dice.reroll_timing")
COVER: Final = "w40k8.cover.bonus"


def _cover(b: Battle8, unit: Unit, target: Unit) -> None:
    b.state.effects += (Effect(SAVE, target.id, BOOK.cover, source=COVER),)


def _moved(b: Battle8, unit: Unit, target: Unit) -> None:
    unit.moved = NORMAL
    b.state.models.mark[list(unit.models)] |= MOVED


def _charged(b: Battle8, unit: Unit, target: Unit) -> None:
    unit.charged, unit.targets = True, (target.id,)


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
    half_range("w40k8.weapon.rapid_fire"),
    Circumstance(
        Modifier("moved", "the attacker moved before", ("w40k8.weapon.heavy",), melee=False,
                 also=("heavy", "on the move")),
        _moved,
    ),
    advanced(ADVANCE, "w40k8.weapon.assault", "w40k8.move.advance_limits"),
    charged(_charged, "w40k8.fight.charged_targets"),
    overwatch("w40k8.charge.overwatch", "w40k8.charge.overwatch_six"),
    declared(
        OVERCHARGE, "profiles that may harm their bearer are used too", "w40k8.sheet.abilities",
        also=("supercharge", "overcharged", "supercharged"),
    ),
    *added("hit", HIT, ADDED, STEPS),
    *added("wound", WOUND, ADDED, STEPS),
    *added("save", SAVE, ADDED, STEPS, to="the target's saves by armour", on_target=True),
    *_again("hit", REROLL_HITS),
    *_again("wound", REROLL_WOUNDS),
)  # fmt: skip
