"""The loop that seats players at a battle."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Decision, Refused
from sandtable.battle.events import AnyEvent, Ended
from sandtable.errors import UserError
from sandtable.players import Concede, DefaultPlayer, Leave, TakeBack, play, seat
from sandtable.players.base import AnyView
from support import games


class Scripted:
    """Does what it is told, in turn, then accepts defaults; exceptions are raised."""

    def __init__(self, *script: Any) -> None:
        self.script = list(script)
        self.heard: list[str] = []
        self.asked: list[str] = []

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        self.asked.append(decision.kind)
        step = self.script.pop(0) if self.script else None
        if isinstance(step, Exception):
            raise step
        return step if step is not None else DefaultPlayer().choose(view, decision)


class Patient(Scripted):
    def hear(self, message: str) -> None:
        self.heard.append(message)


def test_everything_that_happens_is_told_once_and_in_order() -> None:
    battle = games.new(1)
    told: list[AnyEvent] = []
    play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()}, on_event=told.append)
    assert told == battle.events
    assert isinstance(told[-1], Ended)


def test_a_question_is_heard_of_before_it_is_answered() -> None:
    battle = games.new(1)
    asked: list[int] = []
    play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()}, on_ask=lambda d: asked.append(d.id))
    assert asked == list(range(len(battle.answers)))


def test_nobody_may_be_missing() -> None:
    with pytest.raises(UserError, match="Nobody plays for Blue"):
        play(games.new(1), {0: DefaultPlayer()})


def test_who_leaves_leaves_the_battle_open() -> None:
    battle = games.new(1)
    assert not play(battle, {0: Scripted(1, Leave()), 1: DefaultPlayer()})
    assert battle.result is None
    assert battle.decisions[0].kind == "move-with"


def test_who_concedes_loses() -> None:
    battle = games.new(1)
    assert play(battle, {0: Scripted(1, Concede()), 1: DefaultPlayer()})
    assert battle.result is not None
    assert battle.result.winners == (1,)


def test_what_is_taken_back_is_asked_again_and_the_story_goes_on() -> None:
    battle = games.new(1)
    red = Patient(1, 0, TakeBack(), 1)
    told: list[AnyEvent] = []
    play(battle, {0: red, 1: DefaultPlayer()}, on_event=told.append)
    assert red.asked[:4] == ["plan", "move-with", "how-far", "move-with"]
    assert battle.answers[2].answer == 1
    assert battle.result is not None


def test_of_answers_given_together_all_are_asked_again() -> None:
    battle = games.new(1)
    red, blue = Patient(1, TakeBack(), 2), Scripted(0, 2)
    play(battle, {0: red, 1: blue})
    assert red.asked[:4] == ["plan", "move-with", "plan", "move-with"]
    assert blue.asked[:2] == ["plan", "plan"]
    assert [g.answer for g in battle.answers[:2]] == [2, 2]


def test_before_the_first_answer_there_is_nothing_to_take_back() -> None:
    battle = games.new(1)
    red = Patient(TakeBack(), 1)
    play(battle, {0: red, 1: DefaultPlayer()})
    assert "not answered anything" in red.heard[0]


def test_a_refusal_is_told_to_who_can_listen_and_asked_again() -> None:
    battle = games.new(1)
    red = Patient("nonsense", 1)
    play(battle, {0: red, 1: DefaultPlayer()})
    assert len(red.heard) == 1
    assert red.asked[:2] == ["plan", "plan"]


def test_a_refusal_of_who_cannot_listen_is_an_error() -> None:
    with pytest.raises(Refused):
        play(games.new(1), {0: Scripted("nonsense"), 1: DefaultPlayer()})


def test_seats_are_named() -> None:
    players = seat(["random", "person"], 1, Scripted)
    assert isinstance(players[1], Scripted)
    with pytest.raises(UserError, match="no player 'wizard'; there are person, random, default"):
        seat(["wizard"], 1, lambda number: Scripted())
