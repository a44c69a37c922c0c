"""What a way of moving says of itself before it is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.api import new
from sandtable.battle.decisions import Mode
from sandtable.players.person import _way


def modes(system: str, red: str, blue: str) -> dict[str, Mode]:
    """The ways in which the first unit may move, by their names."""
    battle: Any = new(system, armies={"red": red, "blue": blue}, mission="only-war", seed=3)
    while battle.decisions[0].kind != "move":
        asked = battle.decisions[0]
        option = {"move_with": lambda d: d.options[0].value}.get(asked.kind)
        battle.answer(asked, option(asked) if option else battle.default(asked))
    return {mode.name: mode for mode in battle.decisions[0].modes}


@pytest.mark.parametrize(
    ("system", "red", "blue"),
    [
        ("w40k8", "orks-60-speed", "space-marines-60-demi-company"),
        ("w40k10", "space-marines-1000-assault", "necrons-1000-legion"),
        ("w40k11", "death-guard-1000-plague-company", "death-guard-1000-plague-company"),
    ],
)
def test_an_advance_says_that_a_die_is_added_and_a_normal_move_does_not(system: str, red: str, blue: str) -> None:
    found = modes(system, red, blue)
    assert (found["advance"].more, found["normal"].more) == ("D6", "")
    assert _way(found["advance"], "inches").endswith(" + D6 inches")
    assert not _way(found["normal"], "inches").endswith("D6 inches")
