"""What players are told about a battle before and while it is played: how long it lasts, and how it is won."""

from __future__ import annotations

from sandtable import systems
from sandtable.api import new


def test_who_chooses_the_system_is_told_that_a_made_up_battle_lasts_one_turn() -> None:
    assert systems.get("epica").lacks.endswith("a made-up battle lasts one turn.")
    assert new("epica", seed=3).setup.data.turns == 1


def test_pictures_and_accounts_say_turn_too() -> None:
    assert new("epica", seed=3).picture().caption.startswith("Turn 1, ")
    assert new("w40k10", seed=3).system.round_name == "Round"
