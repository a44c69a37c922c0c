"""Whole battles of 11th edition, from deployment to the final score."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.players.named import tactician
from sandtable.players.table import play
from sandtable.systems.w40k11.sample import sample
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.system import SYSTEM
from support.tour import misplaced


def begun(seed: int) -> Battle11:
    """The sample battle at its first question."""
    battle: Battle11 = Battle(SYSTEM, *sample(seed, SYSTEM.settle_options({})), dice=KeyedDice(seed), record=False)
    return battle.start()


@pytest.mark.parametrize("seed", range(4))
def test_a_battle_by_chance_goes_from_deployment_to_its_end(seed: int) -> None:
    b, rng = begun(seed), Random(seed)
    while b.decisions:
        decision = b.decisions[0]
        b.answer(decision, next(questions.suggest(b, decision, rng)))
        assert not list(misplaced(b))
    assert b.result is not None
    assert (b.state.round, b.result.reason) in [(5, "the time is up"), (b.state.round, "an army is destroyed")]


def test_computer_players_fight_a_battle_to_its_end() -> None:
    b = begun(7)
    assert play(b, {0: tactician(), 1: tactician()})
    assert b.result is not None
