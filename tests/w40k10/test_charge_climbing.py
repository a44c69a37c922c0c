"""Charges up, down and over what is too high to step over, and around walls: whoever can make them, must."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Moves
from sandtable.systems.w40k10.charge_move import find_charge
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.charging import is_legal, least_charge, meets_conditions
from w40k10.table import RIDER, TROOPER, asked, feature, give, judge, kinds, named, refused_by, situation, unit, wall

HILL = feature("hill", (20, 5, 8, 10), 3, solid=True)
FLYING_RIDER: dict[str, Any] = {**RIDER, "keywords": ["MOUNTED", "FLY"]}
RUIN = feature("ruins", (20, 5, 8, 10), 9, walls=[wall((20, 5), (20, 15), 9)])


def rolled(
    total: int, reds: list[tuple[float, ...]], blue: tuple[float, ...], terrain: Any, sheet: dict[str, Any] = TROOPER
) -> Battle10:
    """Reds that have declared a charge at a Blue and rolled."""
    dice = [total // 2, total - total // 2]
    units = [unit("Reds", "red", sheet, reds), unit("Blues", "blue", TROOPER, [blue])]
    b = situation(units, [terrain], step="charge_phase", dice={"charge": dice})
    give(b, "charge_with", "Reds")
    return b


def needed(b: Battle10) -> int:
    """The least roll for a charge of the Reds at the Blues."""
    return least_charge(b, named(b, "Reds"), [named(b, "Blues")]).roll


CLIMBS = {
    "up": ((17, 10), (24, 10, 3), HILL, 8),
    "down": ((22, 10, 3), (15, 10), HILL, 8),
    "over": ((10, 10), (17, 10), feature("hill", (12, 0, 1, 30), 3, solid=True), 11),
    "over debris": ((18.4, 10), (23.5, 10), feature("debris", (20, 0, 1, 30), 3, solid=True), 10),
    "up aslant": ((17, 3), (23, 9, 3), HILL, 10),
}
"""Where a charger and its target stand, and the roll that it takes by the ruler: ground and height to 1" from it"""


@pytest.mark.rule("w40k10.charge.terrain", check=2)
@pytest.mark.rule("w40k10.charge.move", check=3)
@pytest.mark.parametrize("name", CLIMBS)
def test_a_charge_that_climbs_is_made_with_just_enough_and_fails_with_one_less(name: str) -> None:
    red, blue, terrain, need = CLIMBS[name]
    enough = rolled(need, [red], blue, terrain)
    refusal = refused_by(enough, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert meets_conditions(enough, named(enough, "Reds"), [named(enough, "Blues")], steps(need), refusal.instead)
    assert needed(enough) == need
    short = rolled(need - 1, [red], blue, terrain)
    assert judge(short, "charge_move", {"mode": "fail"})


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_a_stop_on_the_hill_beside_the_enemy_is_refused_where_the_climb_leaves_enough_to_touch() -> None:
    b = rolled(9, [(17, 10)], (24, 10, 3), HILL)
    up = {"do": "climb", "to": [19.49, 10, 3]}
    short = {"mode": "charge", "paths": {1: [[19.49, 10], up, [22.2, 10, 3]]}}
    refusal = refused_by(b, "charge_move", short, "w40k10.charge.base_contact")
    assert isinstance(refusal.instead, Moves)
    assert refusal.instead.paths[0].legs[-1].z == steps(3)
    assert judge(b, "charge_move", {"mode": "charge", "paths": {1: [[19.49, 10], up, [23, 10, 3]]}})


@pytest.mark.rule("w40k10.charge.base_contact", check=2)
def test_who_engages_from_the_foot_of_a_hill_climbs_into_contact_with_a_roll_that_is_enough() -> None:
    b = rolled(10, [(14, 10)], (21, 10, 3), HILL)
    below = {"mode": "charge", "to": [[19.49, 10]]}
    refused_by(b, "charge_move", below, "w40k10.charge.base_contact")
    low = rolled(8, [(14, 10)], (21, 10, 3), HILL)
    assert judge(low, "charge_move", below)


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_unit_follows_its_leader_over_a_barrier() -> None:
    barrier = feature("hill", (12, 0, 1, 30), 3, solid=True)
    b = rolled(12, [(10, 8.5), (10, 10), (10, 11.5)], (17, 10), barrier)
    found = find_charge(b, named(b, "Reds"), [named(b, "Blues")], steps(12))
    assert found is not None
    assert refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move").instead == found
    assert b.default(asked(b, "charge_move")) == found
    assert is_legal(b, named(b, "Reds"), [named(b, "Blues")], steps(12), found)


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_rider_climbs_over_a_wall_of_ruins_that_infantry_walks_through() -> None:
    ruin = feature("ruins", (20, 0, 3, 30), 3, walls=[wall((20, 0), (20, 30), 3, thickness=0.1)])
    b = rolled(9, [(18.5, 10)], (22.3, 10), ruin, RIDER)
    refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert needed(b) == 9
    assert needed(rolled(9, [(18.5, 10)], (22.3, 10), ruin)) == 3


@pytest.mark.rule("w40k10.charge.terrain", check=3)
def test_a_reroll_is_offered_for_a_charge_that_falls_short_in_mid_climb() -> None:
    barrier = feature("hill", (12, 0, 1, 30), 3, solid=True)
    units = [unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(17, 10)])]
    b = situation(units, [barrier], step="charge_phase", dice={"charge": [5, 5]}, cp=(1, 0))
    give(b, "charge_with", "Reds")
    assert kinds(b) == ["react.after_roll"]


@pytest.mark.rule("w40k10.charge.move", check=3)
def test_a_flying_rider_goes_round_the_end_of_a_wall_that_is_too_high_to_fly_over() -> None:
    b = rolled(8, [(18, 4)], (22, 8), RUIN, FLYING_RIDER)
    refusal = refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    assert meets_conditions(b, named(b, "Reds"), [named(b, "Blues")], steps(8), refusal.instead)
    assert needed(b) == needed(rolled(8, [(18, 4)], (22, 8), RUIN, RIDER)) == 5
