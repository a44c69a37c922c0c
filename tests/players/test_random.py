"""The random player: legal, varied, and the same again with the same seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sandtable.players import DefaultPlayer, RandomPlayer, play
from support import games


def fought(seed: int) -> Any:
    battle = games.new(seed)
    assert play(battle, {0: RandomPlayer(seed), 1: RandomPlayer(seed + 100)})
    return battle


def test_a_battle_comes_to_its_end() -> None:
    assert fought(1).result is not None


def test_the_same_seeds_play_the_same_battle() -> None:
    assert fought(2).answers == fought(2).answers
    assert fought(2).answers != fought(3).answers


def test_it_does_different_things_at_the_same_question() -> None:
    battle = games.new(1)
    player = RandomPlayer(5)
    decision = battle.decisions[0]
    chosen = Counter(player.choose(battle.view(0), decision) for _ in range(200))
    assert set(chosen) == {0, 1, 2}


@pytest.mark.parametrize("plain", [0.0, 1.0])
def test_how_often_it_takes_the_default_can_be_set(plain: float) -> None:
    battle = games.new(1)
    player = RandomPlayer(5, plain=plain)
    decision = battle.decisions[0]
    chosen = {player.choose(battle.view(0), decision) for _ in range(100)}
    assert (chosen == {battle.default(decision)}) == (plain == 1.0)


def test_a_player_who_takes_every_default_passes_the_battle_by() -> None:
    battle = games.new(1)
    assert play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()})
    assert battle.result is not None
    assert battle.result.reason == "time"
