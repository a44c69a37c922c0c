"""A moment that is written down as a scenario file."""

from __future__ import annotations

import pytest

from sandtable.api import new
from sandtable.forty.markers import on_the_table
from sandtable.forty.moment import moment
from sandtable.table.grid import steps


@pytest.mark.parametrize(("system", "army"), [("w40k10", "orks-1000-horde"), ("w40k11", "orks-1000-dreads")])
def test_markers_that_players_placed_are_written_down(system: str, army: str) -> None:
    battle = new(system, armies={"red": army, "blue": army}, mission="only-war", seed=3)
    while not battle.state.round:
        asked = battle.decisions[0]
        battle.answer(asked, battle.default(asked))
    written = [tuple(steps(v) for v in place) for place in moment(battle)["objectives"]]
    assert written == on_the_table(battle)
    assert len(written) == 4


def test_a_moment_after_the_last_round_is_called_after_the_battle() -> None:
    battle = new("w40k10", seed=3)
    assert battle.result is None
    assert "after the battle" not in moment(battle)["scenario"]
    battle.concede(1)
    assert moment(battle)["scenario"] == f"Round {battle.state.round}, after the battle"
