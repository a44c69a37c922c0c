"""The computer players over whole battles: legal, the same for the same seed, and with a reason for every answer."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.api import new
from sandtable.battle import Decision, System
from sandtable.battle.machine import Battle
from sandtable.players import ComputerPlayer, RandomPlayer, play, seat
from sandtable.players.base import AnyView, Player
from sandtable.players.computer import PLAIN
from sandtable.players.named import COMPUTERS
from support import games

AnyBattle = Battle[Any, Any, Any, Any]


def nobody(_: int) -> Player:
    raise AssertionError("nobody sits at this terminal")


def a_battle(seed: int, mission: str = "hold-the-line") -> AnyBattle:
    armies = {"red": "orks-1000-speed", "blue": "space-marines-1000-gunline"}
    return new("w40k10", armies=armies, mission=mission, layout="quarry", seed=seed)


@pytest.mark.parametrize(("one", "other"), [("tactician", "tactician"), ("rusher", "gunline")])
def test_a_battle_is_played_to_its_end_without_a_refusal(one: str, other: str) -> None:
    battle = a_battle(5)
    assert play(battle, seat([one, other], 5, nobody))
    assert battle.result is not None


def test_the_same_seed_gives_the_same_battle() -> None:
    both = []
    for _ in range(2):
        battle = a_battle(7, "only-war")
        play(battle, seat(["tactician", "tactician"], 7, nobody))
        both.append(battle)
    assert both[0].answers == both[1].answers
    assert both[0].result == both[1].result


def test_made_up_armies_and_tables_without_a_mission_are_no_trouble() -> None:
    battle = new("w40k10", seed=3)
    assert play(battle, seat(["tactician", "rusher"], 3, nobody))


def test_every_answer_has_a_reason_in_one_sentence() -> None:
    battle = a_battle(2)
    heard: list[str] = []
    players = seat(["tactician", "rusher"], 2, nobody, lambda note: heard.append(note.text))
    play(battle, players)
    assert len(heard) == len(battle.answers)
    assert all(why and why[-1] == "." and "\n" not in why for why in heard)
    thought = [why for why in heard if why != PLAIN]
    assert len(thought) > 0.6 * len(heard)


def test_a_reason_is_kept_for_each_decision() -> None:
    battle = a_battle(2)
    player = ComputerPlayer("tactician")
    decision = battle.decisions[0]
    player.choose(battle.view(decision.player), decision)
    assert [(n.decision, n.kind, n.answered) for n in player.log] == [(decision.id, decision.kind, True)]


def test_a_game_without_tactics_is_played_by_its_defaults() -> None:
    battle = games.new(1)
    assert battle.system.tactics is None
    assert play(battle, {0: ComputerPlayer("tactician"), 1: ComputerPlayer("rusher")})


def test_the_styles_that_can_be_seated_are_those_that_the_system_knows() -> None:
    system: System = a_battle(1).system
    assert system.tactics is not None
    assert set(COMPUTERS) == set(system.tactics.styles)


class Suspicious:
    """Looks whether thinking changed the view, then answers at random."""

    def __init__(self, seed: int) -> None:
        self.thinker = ComputerPlayer("tactician")
        self.inner = RandomPlayer(seed)
        self.kinds: set[str] = set()

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        from sandtable.battle.state import to_bytes

        before = to_bytes(view.state)
        first = self.thinker.choose(view, decision)
        assert self.thinker.choose(view, decision) == first
        assert to_bytes(view.state) == before
        self.kinds.add(decision.kind)
        return self.inner.choose(view, decision)


def test_whatever_happened_before_the_tactician_has_an_answer_and_changes_nothing() -> None:
    battle = a_battle(11)
    players = {0: Suspicious(1), 1: Suspicious(2)}
    play(battle, players)
    assert len(players[0].kinds | players[1].kinds) > 12
