"""Taking answers back: exactly, but never to learn the dice."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as replaced

from sandtable.battle import AGAIN, DONE, Choose, Number, Option, Step
from sandtable.battle.dice import KeyedDice, ScriptedDice
from sandtable.battle.events import Answered, Asked, Rolled
from sandtable.battle.journal import UndoEntry, read, write
from sandtable.battle.replaying import replay
from sandtable.battle.rulings import SetWounds
from sandtable.errors import UserError
from support import skirmish
from support.games import AnyBattle, asked, new, play, snapshot, tiny


def faces(battle: AnyBattle, since: int = 0) -> list[tuple[int, ...]]:
    return [e.faces for e in battle.events[since:] if isinstance(e, Rolled)]


async def roll_always(b: AnyBattle) -> Step:
    """Asks for a number and rolls twenty dice for it."""
    await b.ask(Number(player=0, kind="bet", prompt="Bet", least=0, most=9))
    b.roll(20, "bet", 0)
    return AGAIN


async def ask_only(b: AnyBattle) -> Step:
    await b.ask(Number(player=0, kind="think", prompt="Think", least=0, most=9))
    return AGAIN


async def ask_about(b: AnyBattle) -> Step:
    await b.ask(Number(player=0, kind="think", prompt="Think", least=0, most=9, about={"of": (1, 2)}))
    return AGAIN


def test_an_answer_without_dice_is_taken_back_exactly() -> None:
    battle = play(new(), Random(1), until="move-with")
    before = snapshot(battle)
    play(battle, Random(2), 2)
    assert snapshot(battle) != before
    battle.undo(2)
    assert snapshot(battle) == before
    assert battle.entries[-1] == UndoEntry(2, -1, battle.decisions[0].id)


def test_taking_back_works_at_every_moment_of_a_battle() -> None:
    """After an undo without dice the same answer leads to the same battle; with dice, to the same question."""
    battle = new(4)
    rng = Random(4)
    for _ in range(60):
        before = snapshot(battle)
        old_epochs = battle.dice.epochs
        here = len(battle.events)
        play(battle, rng, 1)
        if not battle.decisions or asked(battle) == ["plan"]:
            continue
        rolled = bool(faces(battle, here))
        answer = battle.answers[-1].answer
        after = snapshot(battle)
        battle.undo()
        if battle.answers and battle.answers[-1].kind != "plan":
            assert snapshot(battle) == before
        assert (battle.dice.epochs != old_epochs) == rolled
        if not rolled and asked(battle) != ["plan", "plan"]:
            battle.answer(battle.decisions[0], answer)
            assert snapshot(battle) == after


def test_dice_that_were_seen_are_burnt() -> None:
    battle = new(system=tiny(roll_always))
    seen = set()
    for _ in range(25):
        battle.answer(battle.decisions[0], 5)
        (rolled,) = faces(battle)
        assert rolled not in seen
        seen.add(rolled)
        battle.undo()


def test_another_answer_does_not_get_the_dice_that_were_seen_either() -> None:
    battle = new(system=tiny(roll_always))
    battle.answer(battle.decisions[0], 5)
    (first,) = faces(battle)
    battle.undo()
    battle.answer(battle.decisions[0], 6)
    assert faces(battle) != [first]


def test_undoing_far_back_burns_every_roll_on_the_way() -> None:
    battle = new(system=tiny(roll_always))
    for _ in range(6):
        battle.answer(battle.decisions[0], 1)
    seen = faces(battle)
    battle.undo(5)
    assert faces(battle) == seen[:1]
    for _ in range(5):
        battle.answer(battle.decisions[0], 1)
    again = faces(battle)
    assert again[:1] == seen[:1]
    assert not set(again[1:]) & set(seen)


def test_an_undo_without_dice_keeps_the_epoch() -> None:
    battle = new(system=tiny(ask_only))
    battle.answer(battle.decisions[0], 5)
    battle.undo()
    assert battle.dice.epochs == ((0, 0),)


def test_epochs_only_ever_grow() -> None:
    battle = new(system=tiny(roll_always))
    used = []
    for back in (1, 2, 3, 1, 4):
        for _ in range(4):
            battle.answer(battle.decisions[0], 1)
        battle.undo(back)
        used.append(battle.entries[-1].epoch)
    assert used == [1, 2, 3, 4, 5]


def test_undo_reaches_across_turns_and_segments() -> None:
    battle = new(9)
    rng = Random(9)
    places = []
    while battle.decisions and battle.state.round < 3:
        if asked(battle) != ["plan"]:
            places.append((len(battle.answers), snapshot(battle)[::2]))
        play(battle, rng, 1)
    for count, (state, question) in reversed(places[:: max(1, len(places) // 12)]):
        battle.undo(len(battle.answers) - count) if len(battle.answers) > count else None
        assert snapshot(battle)[::2] == (state, question)
    assert battle.state.segment == "setup"


def test_the_first_turn_is_kept_although_the_segment_before_it_had_a_single_step() -> None:
    battle = play(new(), Random(1), until="shoot-with")
    kept = [(c.state.segment, c.state.round, c.state.active) for c in battle._checkpoints if c.first]
    assert kept == [("setup", 0, 0), ("turn", 1, 0)]


def test_more_than_was_answered_cannot_be_taken_back() -> None:
    battle = play(new(), Random(1), 5)
    before = snapshot(battle)
    for count in (6, 100, 0, -1):
        with pytest.raises(UserError, match=f"5 answers can be taken back, not {count}"):
            battle.undo(count)
    assert snapshot(battle) == before
    assert not any(isinstance(e, UndoEntry) for e in battle.entries)


def test_a_battle_that_began_in_the_middle_goes_back_to_there_and_no_further() -> None:
    whole = play(new(), Random(3), 12)
    start = whole._checkpoints[-1].state.copy()
    setup, _ = skirmish.start()
    half: AnyBattle = type(whole)(skirmish.system(), setup, start, dice=KeyedDice(1)).start()
    play(half, Random(3), 2)
    half.undo(2)
    with pytest.raises(UserError, match="0 answers can be taken back"):
        half.undo()


def test_simultaneous_answers_are_taken_back_together() -> None:
    battle = new()
    before = snapshot(battle)
    for decision in battle.decisions:
        battle.answer(decision, 1)
    assert asked(battle) == ["move-with"]
    battle.undo(1)
    assert asked(battle) == ["plan", "plan"]
    assert snapshot(battle) == before
    assert battle.answers == ()


def test_a_journal_with_undos_replays() -> None:
    battle = new(6)
    rng = Random(6)
    while battle.decisions:
        play(battle, rng, rng.randrange(1, 9))
        if rng.random() < 0.5 and len(battle.answers) > 6:
            battle.undo(rng.randrange(1, 6))
        if len(battle.entries) > 900:
            battle.concede(0)
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole, agreement
    assert snapshot(again) == snapshot(battle)
    assert again.entries == battle.entries
    assert sum(isinstance(e, UndoEntry) for e in battle.entries) > 3


def test_an_undone_end_of_battle_goes_on() -> None:
    battle = play(new(2), Random(2))
    assert battle.result is not None
    battle.undo()
    assert battle.result is None
    assert battle.decisions


def test_scripted_dice_are_rolled_again_as_written() -> None:
    async def roll_two(b: AnyBattle) -> Step:
        if await b.ask(Number(player=0, kind="bet", prompt="Bet", least=0, most=9)):
            b.roll(2, "bet", 0)
        return AGAIN

    battle = new(system=tiny(roll_two), dice=ScriptedDice([1, 2, 3, 4]))
    battle.answer(battle.decisions[0], 5)
    battle.answer(battle.decisions[0], 5)
    assert faces(battle) == [(1, 2), (3, 4)]
    battle.undo(2)
    battle.answer(battle.decisions[0], 0)
    battle.answer(battle.decisions[0], 5)
    assert faces(battle) == [(1, 2)]


def test_a_fork_can_take_answers_back_too() -> None:
    async def three(b: AnyBattle) -> Step:
        for i in range(3):
            await b.ask(Number(player=0, kind=f"bet-{i}", prompt="Bet", least=0, most=9))
            b.roll(10 + i, "bet", 0)
        return AGAIN

    battle = new(system=tiny(three))
    battle.answer(battle.decisions[0], 1)
    battle.answer(battle.decisions[0], 1)
    past = faces(battle)
    twin = battle.fork()
    assert faces(twin) == past
    twin.answer(twin.decisions[0], 1)
    twin.undo()
    assert faces(twin) == past
    twin.undo()
    assert faces(twin) == past[:1]
    twin.answer(twin.decisions[0], 7)
    assert len(faces(twin)[1]) == 11
    assert faces(twin)[1] != past[1]
    assert faces(battle) == past


def test_what_a_step_did_before_it_asked_is_undone_with_it() -> None:
    async def spend_and_ask(b: AnyBattle) -> Step:
        b.set_player(b.player(0), ammo=b.player(0).ammo - 1)
        await b.ask(Choose(player=0, kind="go", prompt="Go on?", options=(Option(0, "yes"),)))
        return DONE if b.player(0).ammo < 0 else AGAIN

    battle = new(system=tiny(spend_and_ask))
    ammo: list[Any] = []
    while battle.decisions:
        ammo.append(battle.player(0).ammo)
        battle.answer(battle.decisions[0], 0)
    assert ammo == [1, 0, -1]
    battle.undo(2)
    assert battle.player(0).ammo == 0


# --- Questions from before --------------------------------------------------------------------------------------------


def test_a_question_from_before_an_undo_is_not_open_again() -> None:
    """Otherwise what was meant for the old question would answer the new one."""
    battle = new(system=tiny(ask_only))
    old = battle.decisions[0]
    battle.answer(old, 5)
    later = battle.decisions[0]
    battle.undo()
    (asked_again,) = battle.decisions
    assert asked_again.id not in (old.id, later.id)
    for stale in (old, old.id, later, later.id):
        with pytest.raises(UserError, match=f"is not open; open now: {asked_again.id} "):
            battle.answer(stale, 5)
    battle.answer(asked_again, 5)
    assert len(battle.answers) == 1


def test_no_number_of_a_question_is_used_twice_in_a_battle_with_undos() -> None:
    """Not after several undos in one place, nor after one that goes back behind another."""
    battle, rng = new(system=tiny(ask_only)), Random(4)
    numbers = [battle.decisions[0].id]
    for count in (1, 1, 3, 5, 2, 1, 8, 4, 1, 1):
        for _ in range(count + 2):
            play(battle, rng, 1)
            numbers.append(battle.decisions[0].id)
        battle.undo(count)
        numbers.append(battle.decisions[0].id)
    assert len(set(numbers)) == len(numbers)


def test_what_stays_keeps_its_numbers_and_events_tell_the_new_ones() -> None:
    battle = play(new(4), Random(4), 9)
    before = [e for e in battle.events if isinstance(e, Asked | Answered)]
    battle.undo(2)
    after = [e for e in battle.events if isinstance(e, Asked | Answered)]
    assert after[:-1] == before[: len(after) - 1]
    assert after[-1] == Asked(battle.decisions[0].id, before[len(after) - 1].player, before[len(after) - 1].kind)
    assert after[-1].decision > max(e.decision for e in before)


def test_simultaneous_questions_that_are_asked_again_have_numbers_of_their_own() -> None:
    battle = new()
    first = [d.id for d in battle.decisions]
    play(battle, Random(1), 3)
    used = max(e.decision for e in battle.events if isinstance(e, Asked))
    battle.undo(2)
    assert asked(battle) == ["plan", "plan"]
    assert [d.id for d in battle.decisions] == [used + 1, used + 2]
    with pytest.raises(UserError, match=f"Question {first[1]} is not open"):
        battle.answer(first[1], 1)


def test_a_fork_and_a_replayed_journal_ask_with_the_same_numbers_after_an_undo() -> None:
    battle = play(new(4), Random(4), 9)
    battle.undo(3)
    play(battle, Random(5), 4)
    loaded, agreement = replay(read(write(battle), "a battle"), skirmish.system())
    assert agreement.whole
    assert loaded.decisions == battle.decisions == battle.fork().decisions
    assert loaded.events == battle.events


def test_a_ruling_that_asks_anew_gives_the_question_another_number() -> None:
    battle = play(new(1), Random(1), until="move-with")
    old = battle.decisions[0]
    battle.rule(SetWounds(model=0, wounds=1))
    assert battle.decisions[0].kind == "move-with"
    with pytest.raises(UserError, match="is not open"):
        battle.answer(old, None)
    assert battle.check(battle.decisions[0], None)


def test_a_question_made_up_for_the_other_player_is_refused() -> None:
    battle = new(system=tiny(ask_only))
    (true,) = battle.decisions
    for forged in (replaced(true, player=1), replaced(true, most=99), replaced(true, kind="bet")):
        with pytest.raises(UserError, match=f"Question {true.id} is put to Red and reads 'Think'"):
            battle.answer(forged, 5)
        with pytest.raises(UserError, match=f"Question {true.id} is put to Red and reads 'Think'"):
            battle.check(forged, 5)
    battle.answer(replaced(true), 5)


def test_a_question_that_went_through_json_is_still_the_one_that_was_asked() -> None:
    battle = new(system=tiny(ask_about))
    came_back = msgspec.json.decode(msgspec.json.encode(battle.decisions[0]), type=Number)
    assert came_back != battle.decisions[0]
    battle.answer(came_back, 5)
    assert len(battle.answers) == 1
