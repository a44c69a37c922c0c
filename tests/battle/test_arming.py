"""Arming: to be asked whenever a unit could react, from the next answer on."""

from __future__ import annotations

import pytest

from sandtable.battle import AGAIN, Moment, Number, Option, Reaction, Step
from sandtable.battle.journal import read, write
from sandtable.battle.replaying import replay
from sandtable.battle.system import System
from sandtable.errors import UserError
from support.games import BLUE, RED, AnyBattle, asked, new, tiny


async def stroll(b: AnyBattle) -> Step:
    await b.ask(Number(player=RED, kind="stroll", prompt="How far?", least=0, most=9))
    await b.window("strolled", Moment(0))
    return AGAIN


async def shout(b: AnyBattle, player: int, moment: Moment, use: object) -> None:
    b.tell("shout", "Halt!")


def watchful() -> System:
    """Blue may react to every stroll, which is worth it to nobody but an armed unit."""
    halt = Reaction(
        "Halt",
        "strolled",
        shout,
        lambda b, player, moment: player == BLUE,
        lambda b, player, moment: [Option(u.id, u.name) for u in b.units_of(player)][:1],
        lambda b, player, moment, use: use in b.armed,
    )
    return tiny(stroll, reactions=(halt,))


def guard_of(battle: AnyBattle) -> int:
    return int(battle.units_of(BLUE)[0].id)


def go(battle: AnyBattle, *answers: int | None) -> list[str]:
    for answer in answers:
        battle.answer(battle.decisions[0], answer)
    return asked(battle)


def test_a_window_opens_for_an_armed_unit_from_the_next_answer_on() -> None:
    battle = new(system=watchful())
    assert go(battle, 1) == ["stroll"]
    battle.arm(BLUE, [guard_of(battle)])
    assert asked(battle) == ["stroll"]
    assert go(battle, 2) == ["react.strolled"]
    battle.arm(BLUE, [])
    assert go(battle, None, 3) == ["stroll"]


def test_who_was_armed_stays_so_when_answers_are_taken_back() -> None:
    battle = new(system=watchful())
    go(battle, 1, 2)
    battle.arm(BLUE, [guard_of(battle)])
    go(battle, 3)
    battle.undo(2)
    assert asked(battle) == ["stroll"]
    assert battle.armed_by(BLUE) == {guard_of(battle)}
    assert go(battle, 4) == ["react.strolled"]


def test_a_journal_plays_the_same_windows_again() -> None:
    battle = new(system=watchful())
    go(battle, 1)
    battle.arm(BLUE, [guard_of(battle)])
    go(battle, 2, None)
    battle.undo(1)
    battle.arm(BLUE, [])
    go(battle, None, 3)
    again, agreement = replay(read(write(battle), "the battle"), battle.system)
    assert agreement.whole, agreement
    assert [e.kind for e in again.events_for(BLUE) if hasattr(e, "kind")] == [
        e.kind for e in battle.events_for(BLUE) if hasattr(e, "kind")
    ]
    assert again.armed_by(BLUE) == frozenset()


def test_a_fork_does_not_tell_for_whom_others_lie_in_wait() -> None:
    battle = new(system=watchful())
    go(battle, 1)
    battle.arm(BLUE, [guard_of(battle)])
    assert go(battle.fork(RED), 2) == ["stroll"]
    assert go(battle.fork(BLUE), 2) == ["react.strolled"]
    assert go(battle.fork(), 2) == ["react.strolled"]


def test_players_arm_their_own_units() -> None:
    battle = new(system=watchful())
    for units in ([guard_of(battle)], [-1], [99]):
        with pytest.raises(UserError, match="their own units"):
            battle.arm(RED, units)


def test_a_window_opens_for_whatever_a_player_awaits_from_the_next_answer_on() -> None:
    battle = new(system=watchful())
    battle.arm(BLUE, [], ["strolled"])
    assert go(battle, 1) == ["react.strolled"]
    battle.arm(BLUE, [], [])
    assert go(battle, None, 2) == ["stroll"]


def test_what_one_player_awaits_is_not_asked_of_another() -> None:
    battle = new(system=watchful())
    battle.arm(RED, [], ["strolled"])
    assert go(battle, 1) == ["stroll"]


def test_a_journal_knows_what_was_awaited() -> None:
    battle = new(system=watchful())
    battle.arm(BLUE, [guard_of(battle)], ["strolled"])
    go(battle, 1)
    again, agreement = replay(read(write(battle), "the battle"), battle.system)
    assert agreement.whole, agreement
    assert (again.armed_by(BLUE), again.awaited_by(BLUE)) == ({guard_of(battle)}, {"strolled"})


def test_a_fork_does_not_tell_what_others_await() -> None:
    battle = new(system=watchful())
    go(battle, 1)
    battle.arm(BLUE, [], ["strolled"])
    assert go(battle.fork(RED), 2) == ["stroll"]
    assert go(battle.fork(BLUE), 2) == ["react.strolled"]


def test_nobody_awaits_what_nobody_reacts_to() -> None:
    battle = new(system=watchful())
    with pytest.raises(UserError, match="reacts to 'stumbled'"):
        battle.arm(BLUE, [], ["strolled", "stumbled"])
    assert battle.awaited_by(BLUE) == frozenset()
