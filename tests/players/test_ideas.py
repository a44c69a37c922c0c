"""Ideas for an answer, and the default that a sensible player accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sandtable
from sandtable.battle import questions
from sandtable.battle.tactics import Idea
from sandtable.errors import UserError
from sandtable.players import ComputerPlayer, DefaultPlayer, RandomPlayer, named, play

ARMIES = {"red": "orks-1000-horde", "blue": "necrons-1000-legion"}


def at_kind(kind: str) -> Any:
    """A battle that the tacticians have played up to the first question of a kind."""
    battle = sandtable.new("w40k10", armies=ARMIES, layout="crossroads", seed=5)
    player = sandtable.players.tactician()
    while battle.decisions[0].kind != kind:
        decision = battle.decisions[0]
        battle.answer(decision, player.choose(battle.view(decision.player), decision))
    return battle


def test_ideas_are_legal_different_and_begin_with_what_the_tactician_does() -> None:
    battle = at_kind("move")
    decision = battle.decisions[0]
    ideas = list(battle.ideas(decision))
    answers = [idea.answer for idea in ideas]
    assert len(answers) > 3
    assert all(battle.check(decision, answer) for answer in answers)
    assert all(answer not in answers[:i] for i, answer in enumerate(answers))
    assert answers[0] == sandtable.players.tactician().choose(battle.view(decision.player), decision)
    assert list(battle.ideas(decision)) == ideas, "asking twice changes nothing"


def test_the_default_move_goes_somewhere_and_the_plain_one_stands_still() -> None:
    battle = at_kind("move")
    decision = battle.decisions[0]
    assert battle.default(decision).paths
    assert not questions.plain(battle, decision).paths


def test_a_reaction_keeps_its_plain_default() -> None:
    battle = at_kind("react.unit_move_ended")
    decision = battle.decisions[0]
    assert battle.default(decision) == questions.plain(battle, decision)


@pytest.mark.parametrize("kind", ["shoot_with", "move", "react.unit_move_ended"])
def test_what_is_called_the_usual_answer_is_what_one_key_gives(kind: str) -> None:
    battle = at_kind(kind)
    decision = battle.decisions[0]
    usual = [idea.answer for idea in battle.ideas(decision) if idea.why == "The usual answer."]
    assert [answer for answer in usual if answer != battle.default(decision)] == []


def test_without_advice_the_plain_answer_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = at_kind("shoot_with")
    decision = battle.decisions[0]
    monkeypatch.setattr(questions, "_advice", lambda *_: iter(()))
    assert next(battle.ideas(decision)) == Idea(questions.plain(battle, decision), 0.0, "The usual answer.")


def test_two_players_with_defaults_fight_for_the_markers() -> None:
    battle = sandtable.new("w40k10", armies=ARMIES, layout="crossroads", seed=5)
    play(battle, {0: DefaultPlayer(), 1: DefaultPlayer()})
    assert min(battle.result.scores) > 0


def test_a_question_without_a_default_has_no_ideas(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = at_kind("move")
    decision = battle.decisions[0]

    def nothing(*_: Any) -> Iterator[Any]:
        raise LookupError

    monkeypatch.setattr(questions, "plain", nothing)
    monkeypatch.setattr(questions, "_advice", lambda *_: iter(()))
    assert list(questions.ideas(battle, decision)) == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tactician", ComputerPlayer),
        ("rusher", ComputerPlayer),
        ("gunline", ComputerPlayer),
        ("random", RandomPlayer),
        ("default", DefaultPlayer),
    ],
)
def test_players_have_names(name: str, kind: type) -> None:
    assert isinstance(named(name), kind)
    assert isinstance(getattr(sandtable.players, name)(), kind)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match="There is no player 'napoleon'; there are person, random, default, rusher"):
        named("napoleon")
