"""What two units do to each other without a battle, and the rolls that a unit makes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from sandtable.armies.effects import Reroll
from sandtable.attack.volley import DiceSum, dice
from sandtable.forty.effects.at_work import at_work
from sandtable.forty.effects.attack_rolls import best_of
from sandtable.forty.effects.other_rolls import added
from sandtable.forty.effects.permissions import allows
from sandtable.forty.odds.backfires import backfire
from sandtable.forty.odds.matchups import Force, Situation, Test
from sandtable.forty.odds.meeting import Meeting, alone, blows, has_moved, matchups, melee_weapons
from sandtable.systems.w40k10 import melee_attacks
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.allocate_and_save import who_can_take
from sandtable.systems.w40k10.circumstances import BIG_GUNS, CIRCUMSTANCES, PLUNGING
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.enlist import FRAME, assemble
from sandtable.systems.w40k10.formations import attach
from sandtable.systems.w40k10.hazardous import HAZARDS
from sandtable.systems.w40k10.leadership_tests import best_leadership
from sandtable.systems.w40k10.making_attacks import COMPILE
from sandtable.systems.w40k10.objectives import CONTROL
from sandtable.systems.w40k10.shooting_phase import AIMING
from sandtable.systems.w40k10.shooting_targets import half_range_counts
from sandtable.systems.w40k10.shot import Shot
from sandtable.systems.w40k10.starting_strength import starting_strength
from sandtable.systems.w40k10.state import Battle10, Unit
from sandtable.systems.w40k10.stratagems.using_stratagems import COMMAND_REROLL, REROLLABLE
from sandtable.systems.w40k10.terrain.benefit_of_cover import COVERING
from sandtable.systems.w40k10.visibility import SEEING
from sandtable.systems.w40k10.words import ENFORCED, WORDS
from sandtable.table.grid import STEP, steps

LEAN: Final = FRAME.lean(WORDS, ENFORCED, COMPILE, AIMING, melee_attacks.STRIKING, COVERING, CONTROL, SEEING)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def under(shot: Shot, how: Situation) -> Shot:
    """A shot as the question has it: from high up in ruins, or in a melee."""
    hampered = max(shot.hampered, int(BIG_GUNS in how.modifiers))
    return msgspec.structs.replace(shot, plunging=PLUNGING in how.modifiers, hampered=hampered)


def used_weapons(shots: Sequence[Shot]) -> Sequence[Weapon]:
    """The weapons that tests are due for."""
    return melee_attacks.used_weapons(shots) if shots[0].melee else [s.weapon for s in shots]


MEETING: Final = Meeting(
    LEAN,
    assemble,
    CIRCUMSTANCES,
    who_can_take,
    weapons.indirect,
    melee_weapons,
    blows,
    attach=attach,
    begin=has_moved,
    under=under,
    strength=starting_strength,
    half_range_counts=half_range_counts,
    harm=lambda b, unit, shots, worth: backfire(b, unit, HAZARDS, used_weapons(shots), worth),
)


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, a Leadership test and a Battle-shock test."""
    b, unit = alone(MEETING, force, distance, options)
    nerve = best_leadership(b, unit)
    two, one = dice("2D6"), dice("D6")
    three = dice("3D6") if allows(b, unit, "extra_battle_shock_die") else two
    return (
        _test(b, unit, "charge", f'charge an enemy {distance:g}" away', two, needed_to_charge(distance),
              ("w40k10.charge.roll", "w40k10.charge.conditions"), ("charge",)),
        _test(b, unit, "advance", 'Advance 4" or more', one, 4, ("w40k10.move.advance",), ("advance",)),
        _test(b, unit, "leadership", f"pass a Leadership test on {nerve}+", two, nerve,
              ("w40k10.datasheet.leadership_test",), ("leadership",)),
        _test(b, unit, "battle-shock", f"pass a Battle-shock test on {nerve}+", three, nerve,
              ("w40k10.command.battleshock_test",), ("battle_shock", "leadership")),
    )  # fmt: skip


def _test(
    b: Battle10,
    unit: Unit,
    name: str,
    text: str,
    number: DiceSum,
    needed: int,
    rules: tuple[str, ...],
    rolls: tuple[str, ...],
) -> Test:
    """A roll with what the unit's own abilities add to it and let it roll again, or else a Command Re-roll."""
    more, by = added(b, unit, *rolls)
    again = best_of([a for a in at_work(b, unit, Reroll) if a.effect.roll in rolls])
    free = again.faces in ("failures", "all")
    bought = not free and bool(REROLLABLE.intersection(rolls))
    told = f"{text}, {more:+d} to the roll" if more else text
    cites = (*rules, *by, *(again.names if free else ()), *((COMMAND_REROLL.rule,) if bought else ()))
    if free or bought:
        cites = (*cites, "w40k10.dice.reroll_sum")
    return Test(name, told, number, needed - more, "all" if free or bought else "none", cites, free)


def needed_to_charge(distance: float) -> int:
    """The Charge roll that brings a unit from this far away into Engagement Range."""
    return max(0, math.ceil((steps(distance) - ENGAGEMENT.range.flat) / STEP))


MATCHUPS: Final = matchups(
    MEETING,
    tests_of,
    Path(__file__).parent / "panel",
    reroll_price=(COMMAND_REROLL.rule,),
    rerolled=("attacks", "hit", "wound", "damage"),
)
