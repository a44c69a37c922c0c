"""Secret and simultaneous decisions, and what a view shows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
import pytest

from sandtable.battle import Choose, Option, Refused, Step
from sandtable.battle.events import Answered, Changed
from sandtable.battle.fold import fold
from sandtable.battle.journal import AnswerEntry
from sandtable.battle.state import to_bytes
from sandtable.battle.system import AGAIN
from sandtable.errors import UserError
from support.games import BLUE, RED, AnyBattle, asked, new, play, snapshot, tiny

SPECTATOR = -1


def give(battle: AnyBattle, order: Sequence[int], answers: dict[int, int]) -> AnyBattle:
    for player in order:
        (decision,) = (d for d in battle.decisions if d.player == player)
        battle.answer(decision, answers[player])
    return battle


def test_simultaneous_questions_can_be_answered_in_any_order() -> None:
    one = give(new(), (RED, BLUE), {RED: 2, BLUE: 1})
    other = give(new(), (BLUE, RED), {RED: 2, BLUE: 1})
    assert snapshot(one) == snapshot(other)
    assert one.entries == other.entries


def test_the_journal_has_simultaneous_answers_in_the_order_of_players() -> None:
    battle = give(new(), (BLUE, RED), {RED: 2, BLUE: 1})
    assert [e for e in battle.entries if isinstance(e, AnswerEntry)][:2] == [
        AnswerEntry(RED, "plan", 2),
        AnswerEntry(BLUE, "plan", 1),
    ]


def test_nothing_is_told_until_all_answers_are_in() -> None:
    battle = new()
    before = msgspec.json.encode(battle.events), to_bytes(battle.state)
    give(battle, (BLUE,), {BLUE: 1})
    assert (msgspec.json.encode(battle.events), to_bytes(battle.state)) == before
    assert battle.answers == ()
    assert [d.player for d in battle.decisions] == [RED]


def test_an_answer_that_is_in_cannot_be_given_again() -> None:
    battle = new()
    decision = battle.decisions[1]
    battle.answer(decision, 1)
    with pytest.raises(UserError, match="is not open"):
        battle.answer(decision, 2)


def test_a_refused_answer_leaves_the_others_in() -> None:
    battle = give(new(), (BLUE,), {BLUE: 1})
    with pytest.raises(Refused):
        battle.answer(battle.decisions[0], 17)
    assert [d.player for d in battle.decisions] == [RED]


def test_the_others_see_that_a_secret_was_decided_but_not_what() -> None:
    battle = give(new(), (RED, BLUE), {RED: 2, BLUE: 1})
    for player, other in ((RED, BLUE), (BLUE, RED)):
        seen = {e.player: e.answer for e in battle.events_for(player) if isinstance(e, Answered)}
        assert seen[player] == {RED: 2, BLUE: 1}[player]
        assert seen[other] is None
    assert all(e.answer is None for e in battle.events_for(SPECTATOR) if isinstance(e, Answered))


def test_a_change_of_a_secret_field_is_masked() -> None:
    battle = give(new(), (RED, BLUE), {RED: 2, BLUE: 1})
    changes = [e for e in battle.events_for(BLUE) if isinstance(e, Changed) and "plan" in e.fields]
    assert [(e.id, e.fields["plan"]) for e in changes] == [(RED, None), (BLUE, 1)]


def test_an_open_answer_is_seen_by_all() -> None:
    battle = play(new(), Random(1), 3)
    for player in (RED, BLUE, SPECTATOR):
        last = [e for e in battle.events_for(player) if isinstance(e, Answered)][-1]
        assert last.answer == battle.answers[-1].answer


def test_a_view_hides_secrets_seed_and_place_in_the_dice() -> None:
    battle = give(new(seed=987654321), (RED, BLUE), {RED: 2, BLUE: 1})
    play(battle, Random(1), 10)
    view = battle.view(BLUE)
    assert [p.plan for p in view.state.players] == [None, 1]
    assert (view.state.answers, view.state.rolled) == (0, 0)
    assert not hasattr(view, "dice")
    assert b"987654321" not in to_bytes(view.state) + msgspec.json.encode(view.setup)
    assert [p.plan for p in battle.view(SPECTATOR).state.players] == [None, None]
    assert [p.plan for p in battle.state.players] == [2, 1]


def test_a_view_is_a_copy() -> None:
    battle = new()
    before = snapshot(battle)
    view = battle.view(RED)
    view.state.players[RED].ammo = 99
    view.state.models.pos[0] = 0
    assert snapshot(battle) == before


@pytest.mark.parametrize("player", [RED, BLUE, SPECTATOR])
def test_a_first_view_and_the_events_after_it_are_the_present_view(player: int) -> None:
    battle = new(8)
    folded, seen = battle.view(player).state, len(battle.events)
    play(battle, Random(8), 120)
    fold(folded, battle.events_for(player, seen))
    assert to_bytes(folded) == to_bytes(battle.view(player).state)


def test_an_exception_after_the_last_answer_leaves_the_earlier_answers_in() -> None:
    async def broken(b: AnyBattle) -> Step:
        await b.ask_all([Choose(player=p, kind="plan", prompt="Plan", options=(Option(0, "a"),)) for p in (BLUE, RED)])
        raise ZeroDivisionError
        return AGAIN

    battle = new(system=tiny(broken))
    assert [d.player for d in battle.decisions] == [RED, BLUE]
    battle.answer(battle.decisions[1], 0)
    with pytest.raises(RuntimeError, match="'plan, plan'"):
        battle.answer(battle.decisions[0], 0)
    assert asked(battle) == ["plan"]
    assert battle.decisions[0].player == RED
