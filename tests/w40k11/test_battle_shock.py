"""Being battle-shocked: what a unit loses by it, and what it may still do."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.objectives import controller, level_of_control
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import FOE, TROOPER, default, fights, give, offered, power, situation, unit, until

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}


def holding(*, shocked: bool, **more: Any) -> Battle11:
    """Reds with two models on an objective, Blues with one."""
    reds = unit("Reds", "red", PLAIN, [(9, 10), (9, 11.5)], battle_shocked=shocked)
    return situation([reds, unit("Blues", "blue", PLAIN, [(12.6, 10)])], objectives=[(10, 10)], **more)


@rule("w40k11.concept.battleshocked", check=1)
@pytest.mark.parametrize(("shocked", "level", "player"), [(True, 0, 1), (False, 4, 0)])
def test_the_battle_shocked_control_nothing(shocked: bool, level: int, player: int) -> None:
    b = holding(shocked=shocked)
    assert (level_of_control(b, 0, 0), controller(b, 0)) == (level, player)


@rule("w40k11.concept.battleshocked", check=2)
@pytest.mark.parametrize(("shocked", "level"), [(True, 0), (False, 10)])
def test_what_is_added_to_a_dash_is_nothing(shocked: bool, level: int) -> None:
    more = power("Reds", kind="characteristic", name="OC", add=3)
    assert level_of_control(holding(shocked=shocked, abilities=[more]), 0, 0) == level


@rule("w40k11.concept.battleshocked", check=7)
def test_the_battle_shocked_move_shoot_charge_and_fight() -> None:
    reds = unit("Reds", "red", TROOPER, [(10, 10)], battle_shocked=True)
    units = [reds, unit("Blues", "blue", {**PLAIN, "wounds": 20}, [(18, 10)]), FOE]
    b = situation(units, objectives=[(14, 12)], dice={"hit": [1] * 9, "charge": [3, 4]})
    seen = [offered(b, "move_with")]
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    until(b, "shoot_with", 0)
    seen.append(offered(b, "shoot_with"))
    give(b, "shoot_with", "Reds")
    default(b, "shoot")
    seen.append(offered(b, "charge_with"))
    give(b, "charge_with", "Reds")
    give(b, "charge_move", {"mode": "charge", "to": [(16, 10)]})
    until(b, "move_with", 1)
    assert (seen, fights(b), level_of_control(b, 0, 0)) == ([["Reds"]] * 3, ["Reds", "Blues"], 0)
