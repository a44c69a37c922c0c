"""What two units do to each other without a battle: circumstances of attacks, powers, rolls and nerve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from sandtable.attack.volley import DiceSum, HitRoll, dice
from sandtable.battle import Effect
from sandtable.forty.attacks import attack_made
from sandtable.forty.blows import best_blows
from sandtable.forty.effects.attack_rolls import working
from sandtable.forty.effects.other_rolls import added, reroll_of
from sandtable.forty.facing import without_saves
from sandtable.forty.odds import circumstances as named
from sandtable.forty.odds.backfires import overheating
from sandtable.forty.odds.casting import Casting, cast
from sandtable.forty.odds.circumstances import Circumstance
from sandtable.forty.odds.fleeing import Fleeing, charts_of, nerves
from sandtable.forty.odds.matchups import Force, Modifier, Test
from sandtable.forty.odds.meeting import Meeting, alone, matchups
from sandtable.forty.psykers import Power
from sandtable.forty.weapon_words import INDIRECT
from sandtable.systems.w40k8 import attacks, fight, morale, psychic, weapons
from sandtable.systems.w40k8.abilities import ENFORCED, WORDS
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.cover import SEEING
from sandtable.systems.w40k8.datasheet import GRENADE, attacks_of
from sandtable.systems.w40k8.dice import REROLL, amount
from sandtable.systems.w40k8.enlist import FRAME, assemble
from sandtable.systems.w40k8.only_war import CONTROL
from sandtable.systems.w40k8.shooting import AIMING
from sandtable.systems.w40k8.state import ADVANCE, MOVED, NORMAL, Battle8, Unit, World8
from sandtable.systems.w40k8.weapons import Shot
from sandtable.table.grid import STEP, steps

ADDED: Final = "w40k8.dice.modifiers"
STEPS: Final = (1, 2, -1, -2)
"""What may be added to a roll; nothing limits it, but no question needs more."""
AGAIN: Final = ("w40k8.dice.reroll", "w40k8.dice.reroll_timing")
COVER: Final = "w40k8.cover.bonus"
CHARGE: Final = ("w40k8.charge.roll", "w40k8.charge.first_model")
LEAN: Final = FRAME.lean(WORDS, ENFORCED, attacks.COMPILE, AIMING, fight.BLOWS, CONTROL, SEEING)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def in_cover(b: Battle8, unit: Unit, target: Unit) -> None:
    """The target has cover."""
    b.state.effects += (Effect(attacks.SAVE, target.id, BOOK.cover, source=COVER),)


def has_moved(b: Battle8, unit: Unit, target: Unit) -> None:
    """All models of the attacker moved."""
    unit.moved = NORMAL
    b.state.models.mark[list(unit.models)] |= MOVED


def has_charged(b: Battle8, unit: Unit, target: Unit) -> None:
    """The attacker charged its target."""
    unit.charged, unit.targets = True, (target.id,)


CIRCUMSTANCES: Final = (
    Circumstance(
        Modifier("cover", "the target is in cover", (COVER, "w40k8.cover.scope"), melee=False, also=("in cover",)),
        in_cover,
    ),
    named.half_range("w40k8.weapon.rapid_fire"),
    Circumstance(
        Modifier("moved", "the attacker moved before", ("w40k8.weapon.heavy",), melee=False,
                 also=("heavy", "on the move")),
        has_moved,
    ),
    named.advanced(ADVANCE, "w40k8.weapon.assault", "w40k8.move.advance_limits"),
    named.charged(has_charged, "w40k8.fight.charged_targets"),
    named.overwatch("w40k8.charge.overwatch", "w40k8.charge.overwatch_six"),
    named.declared(
        named.OVERCHARGE, "profiles that may harm their bearer are used too", "w40k8.sheet.abilities",
        also=("supercharge", "overcharged", "supercharged"),
    ),
    *named.added("hit", attacks.HIT, ADDED, STEPS),
    *named.added("wound", attacks.WOUND, ADDED, STEPS),
    *named.added("save", attacks.SAVE, ADDED, STEPS, to="the target's saves by armour", on_target=True),
    *named.rerolls_by("hit", attacks.REROLL_HITS, *AGAIN),
    *named.rerolls_by("wound", attacks.REROLL_WOUNDS, *AGAIN),
)  # fmt: skip


def rolled(w: World8, unit: Unit, shot: Shot) -> tuple[HitRoll, int, DiceSum]:
    """The hit roll of a shot, the highest face by which its weapon overheats, and how many rolls it makes."""
    found = working(w, attack_made(unit, shot))
    low = max(0, BOOK.failing_face - attacks.sum_of(attacks.to_hit(w, shot, found)[1]))
    return attacks.hit_roll(w, unit, shot, found), low, weapons.shots_of(shot.weapon, half_range=shot.half_range)


MEETING: Final = Meeting(
    rules=LEAN,
    assemble=assemble,
    circumstances=CIRCUMSTANCES,
    order_of_loss=attacks.who_can_take,
    fires_unseen=lambda weapon: INDIRECT in weapon.abilities,
    melee_weapons=lambda w, unit: ((int(m), x) for m in w.on_table(unit) for x in fight.melee_weapons(w, int(m))),
    blows=lambda w, unit, used: best_blows(w, unit, {m: attacks_of(w, m) for m in fight.fighters(w, unit)}, used),
    harm=lambda w, unit, shots, value: overheating(
        w, unit, shots, value, partial(rolled, w, unit), ("w40k8.sheet.abilities",), "Power"
    ),
    once=(GRENADE,),
)


def powers_of(w: World8, unit: Unit) -> list[Power]:
    """The powers that psykers of a unit know, or may know."""
    there = [m for m in unit.models if psychic.is_psyker(w, m)]
    open_ = {name for m in there for name in psychic.open_to(w, m)}
    return [p for p in psychic.powers_of(w) if p.name in open_ or any(psychic.knows(w, m, p) for m in there)]


CASTING: Final = Casting(
    powers=powers_of,
    caster=lambda w, unit, p: next(m for m in unit.models if psychic.is_psyker(w, m) and psychic.knows(w, m, p)),
    added=psychic.added_to_test,
    may_reroll=psychic.may_reroll,
    is_perilous=psychic.is_perilous,
    perils=lambda: amount(BOOK.perils_wounds),
    succeeds=psychic.succeeds,
    wounds=psychic.wounds_of,
    amount=amount,
    can_deny=lambda w, m: psychic.is_psyker(w, m) and psychic.has_denials_left(w, m),
    undoes=psychic.undoes,
    bodies=lambda w, unit, model: without_saves(w, attacks.FACING, unit, model),
    tested=("w40k8.psychic.test", "w40k8.psychic.perils", "w40k8.psychic.perils_death"),
    denied=("w40k8.psychic.deny", "w40k8.psychic.deny_once"),
    dealt=("w40k8.psychic.smite", "w40k8.psychic.smite_strong", "w40k8.attack.mortal"),
)
FLEEING: Final = Fleeing(
    morale.has_to_test, morale.leadership, morale.how_many_flee, ("w40k8.morale.test", "w40k8.morale.flee")
)


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, and for psykers a test for each power."""
    b, unit = alone(MEETING, force, distance, options)
    more, longer, test = added(b, unit, "charge")[0], added(b, unit, "advance")[0], psychic.added_to_test(b, unit)

    def tested(name: str, text: str, number: DiceSum, needed: int, plus: int, *rules: str) -> Test:
        """With what abilities add to it and let be rolled again, or else a Command re-roll of one die."""
        own = reroll_of(b, unit, name)
        free = own.faces in ("failures", "all")
        told = f"{text}, {plus:+d} to the roll" if plus else text
        again = own.names if free else (*REROLL.rules, "w40k8.dice.reroll")
        return Test(name, told, number, needed - plus, "any" if free else "one", (*rules, *again), free)

    two, one, far = dice(f"{BOOK.charge_dice}D6"), dice(f"{BOOK.advance_dice}D6"), needed_to_charge(distance)
    return (
        tested("charge", f'charge an enemy {distance:g}" away', two, far, more, *CHARGE),
        tested("advance", 'Advance 4" or more', one, 4, longer, "w40k8.move.advance"),
        *(
            tested("psychic", f"manifest {p.title}", dice("2D6"), p.charge, test, "w40k8.psychic.test")
            for p in powers_of(b, unit)
        ),
    )


def needed_to_charge(distance: float) -> int:
    """The charge roll that brings a model from this far away within 1" of an enemy; never from beyond 12"."""
    if steps(distance) > BOOK.charge_range:
        return 6 * BOOK.charge_dice + 1
    return max(0, math.ceil((steps(distance) - BOOK.first_model.radius) / STEP))


MATCHUPS: Final = matchups(
    MEETING,
    tests_of,
    Path(__file__).parent / "panel",
    reroll_price=REROLL.rules,
    rerolled=("attacks", "hit", "wound", "damage"),
    spent="Command re-roll",
    joins=False,
    pain=lambda face: "disgustingly resilient" if face == BOOK.resilient else f"feel no pain {face}+",
    charts=partial(charts_of, MEETING),
    cast=partial(cast, MEETING, CASTING),
    nerves=partial(nerves, MEETING, FLEEING),
)
