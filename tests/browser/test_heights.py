"""Rings around enemies on other floors: as high as the edition says, for the hand and for the eye."""

from __future__ import annotations

from typing import Any

import pytest

from browser.table import STEP, Table
from browser.test_plans import choose

BELOW = """\
scenario: Beneath somebody
system: w40k10
question: Who is kept away by whom is far above?
table:
  size: [44, 30]
  terrain: [{kind: ruins, rect: [10, 13, 8, 8], height: 8, floors: [{z: FLOOR}]}]
sheets:
  Brute:
    {move: 6, toughness: 5, save: 4, wounds: 2, leadership: 7, oc: 2, base: 32mm, height: 1.5, keywords: [INFANTRY]}
units:
  - {name: Walkers, player: red, sheet: Brute, positions: [[14, 11]]}
  - {name: Foes, player: blue, sheet: Brute, positions: [[14, 16, FLOOR]]}
at: {step: move_units, active: red}
"""


def dragged(table: Table, up: float) -> tuple[float, bool]:
    """How far up the table the ghost is, of a unit that is dragged so far, and whether that would be allowed."""
    choose(table, 0)
    table.drag(table.model(0), (0, -table.ask("return camera.k") * STEP * up))
    plan = table.planned()
    return plan["ghosts"][0]["y"] / STEP, plan["verdict"]["ok"]


@pytest.mark.parametrize(("floor", "free"), [(5.5, True), (4, False)])
def test_a_unit_is_dragged_beneath_an_enemy_whose_ring_ends_below(sit: Any, floor: float, free: bool) -> None:
    table = sit(scenario=BELOW.replace("FLOOR", str(floor))).open()
    y, ok = dragged(table, 3)
    assert (abs(y - 14) < 0.1, ok) == (free, True)
    assert bool(table.page.get_by_text("Engagement Range").count()) != free


def test_a_ring_in_space_reaches_less_far_over_the_ground_to_who_is_higher(sit: Any) -> None:
    table = sit(scenario=BELOW.replace("FLOOR", "4")).open()
    choose(table, 0)
    ring = {"far": 5 * STEP, "up": -1, "in_space": True, "around": "enemies", "name": "five", "spread": -1, "crowd": 0}
    table.ask("game.ground.rings = [argument]", {**ring, "one_group": True})
    y, _ = dragged(table, 1.5)
    # 4" above, a ring of 5" reaches 3" over the ground, from rim to rim.
    assert y == pytest.approx(16 - 3 - 32 / 25.4, abs=0.05)
