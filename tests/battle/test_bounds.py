"""How much one answer may do: whoever sends a file that asks for more stops nobody but themselves."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.api import open_moment
from sandtable.battle import BrokenRule
from sandtable.battle.scenario import read_scenario

FILE = """
scenario: A storm of dice
system: w40k11
question: How many dice does one answer roll?
table: {{size: [60, 44]}}
sheets:
  Gun: {{move: 6, toughness: 4, save: 3, wounds: 2, leadership: 6, oc: 2, base: 25mm, height: 1.6, keywords: [INFANTRY],
        weapons: [{{name: gun, range: 48, attacks: "{attacks}", skill: 2, strength: 4, ap: 0, damage: "1"}}]}}
units:
- {{name: Reds, player: red, sheet: Gun, models: 100, block: {{at: [2, 2], columns: 20, gap: 0.2}}}}
- {{name: Blues, player: blue, sheet: Gun, models: 100, block: {{at: [2, 25], columns: 20, gap: 0.2}}}}
at: {{step: shoot_units, round: 2, active: red}}
"""


def fire(attacks: str) -> Any:
    """A hundred guns are fired at once."""
    battle = open_moment(read_scenario(FILE.format(attacks=attacks), "the file"), "the file")
    while battle.state.active == 0 and not any(getattr(e, "kind", "") == "attack" for e in battle.events):
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    return battle


def test_an_answer_that_rolls_more_dice_than_any_table_is_refused_and_the_battle_stands() -> None:
    with pytest.raises(BrokenRule, match="stands as before it"):
        fire("99D6+99")


def test_an_answer_that_rolls_thousands_of_dice_is_played() -> None:
    assert sum(len(e.faces) for e in fire("20").events if hasattr(e, "faces")) > 2000
