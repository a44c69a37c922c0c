"""Ways of moving for which dice come before anybody says where the models go."""

from __future__ import annotations

from typing import Any

import pytest

from browser.table import STEP
from browser.test_plans import choose

ENGAGED = """\
scenario: Surrounded
system: w40k11
question: How does somebody get through?
table: {size: [44, 30]}
sheets:
  Trooper:
    {move: 6, toughness: 4, save: 3, wounds: 2, leadership: 6, oc: 2, base: 25.4mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Reds, player: red, sheet: Trooper, models: 5, line: {from: [10, 10], to: [16, 10]}, flags: {FLAGS}}
  - {name: Blues, player: blue, sheet: Trooper, models: 5, line: {from: [10, 11.5], to: [16, 11.5]}}
  - {name: Others, player: red, sheet: Trooper, positions: [[30, 5]]}
at: {step: move_units, active: red}
"""


@pytest.mark.parametrize("picks", [True, False])
def test_a_desperate_escape_is_rolled_for_first_and_then_goes_where_the_hand_wanted(sit: Any, picks: bool) -> None:
    """Who is battle-shocked has no other way out, and need not pick it."""
    table = sit(scenario=ENGAGED.replace("FLAGS", "" if picks else "battle_shocked: true")).open()
    choose(table, 0)
    if picks:
        table.page.get_by_role("button", name="Desperate escape").click()
    table.drag(table.model(0), (0, -table.ask("return camera.k") * STEP * 5.4))
    table.page.get_by_text("5 hazard rolls: a roll of 2 or less costs the unit 1 mortal wound.").wait_for()
    assert table.planned()["answer"] == {"mode": "desperate", "paths": []}
    table.go_on("Enter")
    table.play_until("complete_move")
    plan = table.planned()
    assert plan["verdict"]["ok"]
    assert all(ghost["y"] > 15 * STEP for ghost in plan["ghosts"])


def test_a_hand_that_pulls_too_far_does_not_mean_a_desperate_escape(sit: Any) -> None:
    table = sit(scenario=ENGAGED.replace("FLAGS", "")).open()
    choose(table, 0)
    table.drag(table.model(0), (0, table.ask("return camera.k") * STEP * 8))
    assert table.planned()["answer"]["mode"] == "fall_back"
