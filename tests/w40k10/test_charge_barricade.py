"""Charges across barricades: a target is reached from the other side, whether it is the only one or one of several."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k10.state import Battle10
from sandtable.table.grid import steps
from w40k10.charging import least_charge, meets_conditions
from w40k10.table import TROOPER, feature, give, judge, named, refused_by, situation, unit

PIPE = feature("barricade", (12, 5, 0.5, 10), 1, solid=True)

LAYOUTS: dict[str, Any] = {
    "both behind it": ([(8, 9), (8, 11)], (14, 9), (14, 11), 4, 4, [[11.5, 9], [11.5, 11]]),
    "one before it": ([(7, 11), (7, 10)], (10, 12), (14, 10), 5, 5, [[10, 11], [11.5, 10]]),
    "one aside": ([(8.6, 10), (8.6, 8.5)], (14, 10), (10, 5.5), 4, 3, [[11.5, 9], [10, 6.5]]),
}
"""Chargers, their two targets, the roll, the least that is enough, and how it is done with the roll"""


def rolled(total: int, name: str) -> Battle10:
    """Reds that have declared a charge at both targets and rolled."""
    reds, one, other, *_ = LAYOUTS[name]
    units = [unit("Reds", "red", TROOPER, reds), unit("A", "blue", TROOPER, [one]), unit("B", "blue", TROOPER, [other])]
    dice = [total // 2, total - total // 2]
    b = situation(units, [PIPE], step="charge_phase", dice={"charge": dice})
    give(b, "charge_with", "Reds")
    give(b, "charge_targets", ["A", "B"])
    return b


@pytest.mark.rule("w40k10.terrain.barricade_charge", check=1)
@pytest.mark.rule("w40k10.charge.move", check=3)
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_charge_at_two_targets_is_found_where_a_barricade_is_in_between(name: str) -> None:
    *_, roll, need, places = LAYOUTS[name]
    b = rolled(roll, name)
    refusal = refused_by(b, "charge_move", {"mode": "fail"}, "w40k10.charge.move")
    targets = [named(b, "A"), named(b, "B")]
    assert meets_conditions(b, named(b, "Reds"), targets, steps(roll), refusal.instead)
    assert judge(b, "charge_move", {"mode": "charge", "to": places})
    assert least_charge(b, named(b, "Reds"), targets).roll == need


def test_a_charge_across_a_barricade_fails_with_one_less() -> None:
    b = rolled(3, "both behind it")
    assert judge(b, "charge_move", {"mode": "fail"})


@pytest.mark.parametrize(("x", "need"), [(8.0, 4), (7.5, 4), (7.4, 5)])
def test_the_roll_for_a_barricade_is_measured_to_the_spot_against_it(x: float, need: int) -> None:
    """Right ahead it is the barricade that stops the charger, half an inch of base before it."""
    units = [unit("Reds", "red", TROOPER, [(x, 10)]), unit("A", "blue", TROOPER, [(14, 10)])]
    b = situation(units, [PIPE], step="charge_phase")
    assert least_charge(b, named(b, "Reds"), [named(b, "A")]).roll == need


@pytest.mark.rule("w40k10.terrain.barricade_charge", check=4)
def test_a_stop_short_of_the_barricade_is_told_of_the_two_inches_across_it() -> None:
    b = rolled(5, "one before it")
    short = {"mode": "charge", "to": [[10, 11], [11.2, 10]]}
    assert 'no more than 2" from B across it' in str(refused_by(b, "charge_move", short, "w40k10.charge.conditions"))
    assert judge(b, "charge_move", {"mode": "charge", "to": [[10, 11], [11.5, 10]]})
