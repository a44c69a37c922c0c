"""What two units do to each other without a battle, and the rolls that a unit makes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from sandtable.attack.volley import dice
from sandtable.forty.formations import attach
from sandtable.forty.odds.backfires import Hazards, backfire
from sandtable.forty.odds.matchups import Backfire, Force, Situation, Test
from sandtable.forty.odds.meeting import Meeting, alone, blows, has_moved, matchups, melee_weapons
from sandtable.systems.w40k11 import melee
from sandtable.systems.w40k11 import weapon_abilities as weapons
from sandtable.systems.w40k11.battle_shock import best_leadership
from sandtable.systems.w40k11.circumstances import CIRCUMSTANCES, ENGAGED, PLUNGING
from sandtable.systems.w40k11.hazard_rolls import HAZARD, wounds_of_each
from sandtable.systems.w40k11.making_attacks import COMPILE
from sandtable.systems.w40k11.mortal_wounds import bodies
from sandtable.systems.w40k11.muster import FRAME, assemble
from sandtable.systems.w40k11.objectives import CONTROL
from sandtable.systems.w40k11.saves_and_damage import who_can_take
from sandtable.systems.w40k11.select_targets import half_range_counts
from sandtable.systems.w40k11.shooting_phase import AIMING, hazardous
from sandtable.systems.w40k11.shot import Shot
from sandtable.systems.w40k11.state import Battle11, Unit
from sandtable.systems.w40k11.strength import starting_strength
from sandtable.systems.w40k11.visibility import SEEING
from sandtable.systems.w40k11.words import ENFORCED, WORDS

LEAN: Final = FRAME.lean(WORDS, ENFORCED, COMPILE, AIMING, melee.STRIKING, CONTROL, SEEING)
"""The system as far as attacks are compiled by it. Nothing is played here, and all the rest would take long to load."""


def under(shot: Shot, how: Situation) -> Shot:
    """A shot as the question has it: from above, or in a melee."""
    hampered = shot.hampered or ("w40k11.mv.shoot_at_engaged" if ENGAGED in how.modifiers else "")
    return msgspec.structs.replace(shot, plunging=PLUNGING in how.modifiers, hampered=hampered)


def harm(b: Battle11, unit: Unit, shots: Sequence[Shot], worth: Mapping[int, float]) -> Backfire | None:
    """What hazard rolls for these shots cost the unit itself."""
    hazards = Hazards(
        "Hazardous",
        HAZARD.fails,
        wounds_of_each(b, unit),
        tests=hazardous,
        pays=lambda w, model: True,
        hurt_only=lambda w, model: True,
        bodies=lambda w, u: bodies(w, u, psychic=False),
        rules=("w40k11.weapon.hazardous", "w40k11.hazard.roll"),
    )
    return backfire(b, unit, hazards, shots, worth)


MEETING: Final = Meeting(
    LEAN,
    assemble,
    CIRCUMSTANCES,
    who_can_take,
    weapons.is_indirect,
    melee_weapons,
    blows,
    attach=lambda b, leader, unit: attach(b, leader, unit, "w40k11.attached.form"),
    begin=has_moved,
    under=under,
    strength=starting_strength,
    half_range_counts=half_range_counts,
    harm=harm,
)


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance and a battle-shock roll."""
    b, unit = alone(MEETING, force, distance, options)
    nerve, two, one = best_leadership(b, unit), dice("2D6"), dice("D6")
    far, cites = math.ceil(distance), ("w40k11.charge.targets",)
    return (
        Test("charge", f'charge an enemy {distance:g}" away', two, far, "none", cites, False),
        Test("advance", 'Advance 4" or more', one, 4, "none", ("w40k11.movephase.advance",), False),
        Test("battle-shock", f"pass a battle-shock roll on {nerve}+", two, nerve, "none",
             ("w40k11.concept.battleshock_roll", "w40k11.concept.leadership_roll"), False),
    )  # fmt: skip


MATCHUPS: Final = matchups(MEETING, tests_of, Path(__file__).parent / "panel")
