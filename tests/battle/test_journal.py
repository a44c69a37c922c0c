"""The save file: it plays again byte for byte, or says where it stops doing so."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.battle import AGAIN, Number, Step
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.journal import (
    FORMAT,
    MAX_BYTES,
    AnswerEntry,
    StepEntry,
    UndoEntry,
    read,
    read_file,
    write,
)
from sandtable.battle.machine import MOST_TAKEN_BACK, TAKEN_BACK
from sandtable.battle.replaying import replay
from sandtable.battle.state import Effect, from_bytes, to_bytes
from sandtable.errors import UserError
from support import skirmish
from support.games import AnyBattle, asked, new, play, snapshot, tiny


def played(seed: int = 3, count: int = 10_000) -> AnyBattle:
    return play(new(seed), Random(seed), count)


def document(battle: AnyBattle) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(write(battle))
    return written


def replayed(doc: dict[str, Any]) -> Any:
    return replay(read(json.dumps(doc).encode(), "test"), skirmish.system())


@pytest.mark.parametrize("seed", range(4))
def test_a_battle_replays_byte_for_byte(seed: int) -> None:
    battle = played(seed)
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole
    assert agreement.same_version
    assert agreement.steps == sum(isinstance(e, StepEntry) for e in battle.entries)
    assert snapshot(again) == snapshot(battle)
    assert again.result == battle.result
    assert write(again) == write(battle)


@pytest.mark.parametrize("count", [0, 1, 2, 17, 40])
def test_an_unfinished_battle_goes_on_where_it_was_left(count: int) -> None:
    battle = played(count=count)
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole
    if count == 1:  # one of two simultaneous answers is nobody's business yet
        assert asked(again) == ["plan", "plan"]
    else:
        assert snapshot(again) == snapshot(battle)
        assert snapshot(play(again, Random(8))) == snapshot(play(battle, Random(8)))


def test_a_battle_is_saved_to_a_file_and_read_back(tmp_path: Path) -> None:
    battle = played(count=30)
    battle.save(tmp_path / "game.battle")
    again, agreement = replay(read_file(tmp_path / "game.battle"), skirmish.system())
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)
    assert [p.name for p in tmp_path.iterdir()] == ["game.battle"]


def test_a_replay_can_stop_after_some_answers() -> None:
    battle = played()
    again, agreement = replay(read(write(battle), "test"), skirmish.system(), until=20)
    assert agreement.whole
    assert len(again.answers) == 20
    assert again.answers == battle.answers[:20]


def test_a_replay_can_be_watched() -> None:
    battle = played(count=25)
    seen: list[Any] = []
    replay(read(write(battle), "test"), skirmish.system(), watch=lambda b, entry: seen.append((len(b.answers), entry)))
    assert [entry for _, entry in seen] == read(write(battle), "test").entries
    answers = [n for n, entry in seen if isinstance(entry, AnswerEntry)]
    assert answers == [0, 0, *range(2, 25)]


def test_another_version_says_so_and_may_still_agree() -> None:
    doc = document(played())
    doc["version"] = "0.0.7"
    _, agreement = replayed(doc)
    assert (agreement.version, agreement.same_version, agreement.whole) == ("0.0.7", False, True)


def test_a_tampered_digest_is_found_at_its_step() -> None:
    doc = document(played())
    steps = [i for i, e in enumerate(doc["entries"]) if e["type"] == "s"]
    doc["entries"][steps[10]]["digest"] = "0" * 16
    _, agreement = replayed(doc)
    assert not agreement.whole
    assert (agreement.steps, agreement.of) == (10, len(steps))


def test_a_tampered_answer_is_found_where_it_makes_a_difference() -> None:
    doc = document(played())
    answers = [e for e in doc["entries"] if e["type"] == "a" and e["kind"] == "how-far"]
    answers[2]["answer"] = (answers[2]["answer"] + 1) % 4
    _, agreement = replayed(doc)
    assert not agreement.whole
    assert 0 < agreement.steps < agreement.of


def test_an_illegal_answer_stops_the_replay_with_the_reason() -> None:
    doc = document(played())
    next(e for e in doc["entries"] if e["type"] == "a" and e["kind"] == "how-far")["answer"] = 5
    _, agreement = replayed(doc)
    assert "Nobody moves exactly 5" in agreement.trouble


def test_a_tampered_seed_is_found() -> None:
    doc = document(played())
    doc["seed"] += 1
    _, agreement = replayed(doc)
    assert not agreement.whole
    assert agreement.steps < agreement.of


def test_a_question_that_is_no_longer_asked_is_named() -> None:
    doc = document(played())
    next(e for e in doc["entries"] if e["type"] == "a" and e["kind"] == "how-far")["kind"] = "how-near"
    _, agreement = replayed(doc)
    assert agreement.trouble == "it now asks 'how-far' where it asked 'how-near'"


def test_an_answer_after_the_end_is_named() -> None:
    doc = document(played())
    doc["entries"].append({"type": "a", "player": 0, "kind": "more", "answer": 1})
    _, agreement = replayed(doc)
    assert agreement.trouble == "the battle is over where it asked 'more'"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a battle file"),
        (b"\x00\xff\xfe", "not a battle file"),
        (b"null", "not a battle file"),
        (b"{}", "not a battle file"),
        (b"[" * 100_000, "not a battle file"),
        (b'{"format": "chess/1"}', "not a battle file"),
    ],
    ids=range(6),
)
def test_what_is_no_journal_is_refused_in_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        read(data, "game.battle")
    assert str(caught.value).startswith("game.battle")
    assert "\n" not in str(caught.value)


def test_a_truncated_journal_is_refused_wherever_it_was_cut() -> None:
    data = write(played(count=20))
    for cut in range(0, len(data) - 1, len(data) // 40):
        with pytest.raises(UserError, match="not a battle file"):
            read(data[:cut], "game.battle")


def test_a_journal_of_another_format_is_refused() -> None:
    doc = document(played(count=5))
    doc["format"] = "sandtable-battle/9"
    with pytest.raises(UserError, match=f"the format 'sandtable-battle/9'; this version reads '{FORMAT}'"):
        read(json.dumps(doc).encode(), "game.battle")


def test_a_journal_of_another_system_is_refused() -> None:
    doc = document(played(count=5))
    doc["system"] = "chess"
    with pytest.raises(UserError, match="a battle of 'chess', not of Skirmish"):
        replayed(doc)


# --- Answers that were taken back -------------------------------------------------------------------------------------


def fidgety(pairs: int) -> AnyBattle:
    """A battle in which somebody took answers back again and again, some of them after dice were rolled."""
    battle = play(new(3), Random(3), until="how-far")
    for i in range(pairs):
        battle.answer(battle.decisions[0], i % 4)
        battle.undo()
    play(battle, Random(4), until="shoot-at")
    for _ in range(pairs):
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
        battle.undo()
    return battle


def test_more_take_backs_than_are_played_again_lead_to_the_same_battle_with_the_same_dice() -> None:
    battle = fidgety(TAKEN_BACK)
    assert max(e.epoch for e in battle.entries if isinstance(e, UndoEntry)) > 3
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)
    assert write(again) == write(battle)
    assert [d.id for d in again.decisions] == [d.id for d in battle.decisions]
    assert snapshot(play(again, Random(8))) == snapshot(play(battle, Random(8)))


async def think_twice(b: AnyBattle) -> Step:
    for _ in range(2):
        await b.ask(Number(player=0, kind="think", prompt="Think", least=0, most=9))
        b.roll(1, "think", 0)
    return AGAIN


async def think_in_turn(b: AnyBattle) -> Step:
    for player in (0, 1):
        await b.ask(Number(player=player, kind="think", prompt="Think", least=0, most=9))
    return AGAIN


@pytest.mark.parametrize("rolls", [False, True])
def test_answers_that_are_taken_back_one_by_one_never_make_a_journal_unreadable(rolls: bool) -> None:
    step = think_twice if rolls else think
    battle = play(new(system=tiny(step)), Random(3), 2)
    for i in range(MOST_TAKEN_BACK):
        play(battle, Random(i), 2 + i % 2)
        for _ in range(2 + i % 2):
            battle.undo()
    play(battle, Random(5), 3)
    again, agreement = replay(read(write(battle), "test"), tiny(step))
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)
    assert write(again) == write(battle)
    assert [d.id for d in again.decisions] == [d.id for d in battle.decisions]
    assert snapshot(play(again, Random(8), 20)) == snapshot(play(battle, Random(8), 20))


def test_no_more_is_taken_back_than_a_journal_may_hold() -> None:
    battle = new(system=tiny(think_in_turn))
    with pytest.raises(UserError, match="More than 3000 answers of a battle cannot be taken back"):
        for _ in range(MOST_TAKEN_BACK):
            play(battle, Random(1), 2)
            battle.undo()
            battle.undo()
    play(battle, Random(2), 3)
    again, agreement = replay(read(write(battle), "test"), tiny(think_in_turn))
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)
    assert again.retraced == battle.retraced


def test_simultaneous_answers_that_were_taken_back_are_always_played_again() -> None:
    battle = new(3)
    for _ in range(TAKEN_BACK):
        play(battle, Random(1), 2)
        battle.undo(1)
    play(battle, Random(2), 5)
    again, agreement = replay(read(write(battle), "test"), skirmish.system())
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)


def test_twenty_thousand_take_backs_are_read_without_waiting_for_ever() -> None:
    battle = play(new(3), Random(3), until="how-far")
    battle.answer(battle.decisions[0], 3)
    battle.undo()
    doc = document(battle)
    doc["entries"] += [e for _ in range(20_000) for e in doc["entries"][-2:]]
    began = time.process_time()
    again, agreement = replayed(doc)
    assert agreement.whole
    assert snapshot(again) == snapshot(battle)
    assert time.process_time() - began < 8, "it hangs"


def test_so_many_answers_as_are_asked_for_are_played_again_and_no_more() -> None:
    battle = fidgety(TAKEN_BACK)
    journal = read(write(battle), "test")
    for until in (TAKEN_BACK + 10, 2 * TAKEN_BACK + 11):
        cut, _ = replay(journal, skirmish.system(), until)
        assert sum(isinstance(e, AnswerEntry) for e in cut.entries) == until


def test_take_backs_that_cross_each_other_are_refused_when_there_are_too_many() -> None:
    battle = play(new(system=tiny(think_in_turn)), Random(3), 2)
    doc = document(battle)
    red, blue = (e for e in doc["entries"] if e["type"] == "a")
    one, two = ({"type": "u", "count": n, "epoch": -1} for n in (1, 2))
    doc["entries"] += [red, blue, one, blue, two] * 1_500
    _, agreement = replay(read(json.dumps(doc).encode(), "test"), tiny(think_in_turn))
    assert agreement.trouble == "More than 3000 answers of a battle cannot be taken back."


async def think(b: AnyBattle) -> Step:
    await b.ask(Number(player=0, kind="think", prompt="Think", least=0, most=9))
    return AGAIN


# --- Files that no battle wrote ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s, b: s["shape_of"].__setitem__(0, 9), "a model has a base that is not there"),
        (lambda s, b: s.update(shape_of=s["shape_of"] * 200), "more than 1000 models"),
        (lambda s, b: s["shapes"][0].update(radius=1 << 40), "a base is too large"),
        (lambda s, b: s["shapes"][0].update(radius=-1), "a base is not one that a model can have"),
        (lambda s, b: s["shapes"][0].update(core=[[0, 0]] * 49), "a base is too large"),
        (lambda s, b: s["table"].update(width=1 << 40), "the table is not up to 1000 by 1000 in"),
        (lambda s, b: s["table"].update(features=[FEATURE] * 201), "more than 200 terrain features"),
        (lambda s, b: s["table"].update(features=[{**FEATURE, "outline": [[0, 0]]}]), "3 to 32 corners, not 1"),
        (lambda s, b: s["table"].update(features=[{**FEATURE, "top": 1 << 40}]), "'crate' reaches far off the table"),
        (lambda s, b: b.state.models.facing.fill(4096), "in a state that no model can be in"),
        (lambda s, b: b.state.models.wounds.fill(-1), "in a state that no model can be in"),
        (lambda s, b: b.state.models.place.fill(4), "in a state that no model can be in"),
        (lambda s, b: b.state.models.pos.fill(1 << 30), "far off any table"),
        (lambda s, b: b.state.models.unit.fill(99), "a model belongs to no unit"),
        (lambda s, b: setattr(b.state, "step", 99), "begins at a step that is not there"),
        (lambda s, b: setattr(b.state, "segment", "tea"), "begins at a step that is not there"),
        (lambda s, b: setattr(b.state, "round", 1001), "its clock is out of order"),
        (lambda s, b: setattr(b.state, "active", 2), "nobody's turn it is"),
        (lambda s, b: setattr(b.state.units[0], "models", (99,)), "unit 0 has a model that is not there"),
        (lambda s, b: setattr(b.state.units[0], "player", 7), "unit 0 is out of order"),
        (lambda s, b: setattr(b.state.units[0], "name", "x" * 201), "a name of more than 200 letters"),
        (lambda s, b: setattr(b.state, "players", []), "not 1 to 16 players"),
        (lambda s, b: setattr(b.state, "effects", (Effect("x"),) * 5001), "more than 5000 effects"),
    ],
    ids=range(23),
)
def test_a_start_that_no_battle_can_have_is_refused(change: Any, words: str) -> None:
    battle = new(3)
    doc = document(battle)
    change(doc["setup"], battle)
    doc["start"] = base64.b64encode(to_bytes(battle.state)).decode()
    with pytest.raises(UserError, match=f"does not fit Skirmish: .*{words}"):
        replayed(doc)


FEATURE = {"id": "crate", "kind": "crate", "outline": [[0, 0], [2048, 0], [2048, 2048]], "top": 1024}


def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.battle"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(UserError, match=r"huge.battle: at most 16 MB can be read"):
        read_file(path)
    with pytest.raises(UserError, match="Cannot read"):
        read_file(tmp_path / "missing.battle")
    with pytest.raises(UserError, match="is a folder"):
        read_file(tmp_path)


def spoil_models(state: Any) -> None:
    state.models.wounds = state.models.wounds[:5].copy()


def spoil_positions(state: Any) -> None:
    state.models.pos = state.models.pos[:, :2].copy()


def spoil_far_away(state: Any) -> None:
    state.models.pos[0, 0] = 1 << 50


def spoil_unit(state: Any) -> None:
    state.units[0].models = (0, 1, 10**9)


def spoil_unit_number(state: Any) -> None:
    state.units[0].id = 3


def spoil_player(state: Any) -> None:
    state.units[0].player = 5


def spoil_players(state: Any) -> None:
    state.players.reverse()


def spoil_belonging(state: Any) -> None:
    state.models.unit[3] = 77


def spoil_turn(state: Any) -> None:
    state.active = 4


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_models, spoil_positions, spoil_far_away, spoil_unit, spoil_unit_number,
        spoil_player, spoil_players, spoil_belonging, spoil_turn,
    ],
)  # fmt: skip
def test_a_start_whose_parts_do_not_fit_each_other_is_refused(spoil: Any) -> None:
    """The kernels trust row numbers, so a file must not bring in wrong ones."""
    journal = read(write(played(count=5)), "test")
    state = from_bytes(journal.start, skirmish.Unit, skirmish.Player, skirmish.Game)
    spoil(state)
    journal.start = to_bytes(state)
    with pytest.raises(UserError, match="does not fit Skirmish"):
        replay(journal, skirmish.system())


def test_a_base_that_is_not_there_is_refused() -> None:
    doc = document(played(count=5))
    doc["setup"]["shape_of"][3] = 9
    with pytest.raises(UserError, match="a base that is not there"):
        replayed(doc)


GOOD = write(played(count=40))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=1, max_size=3))
def test_a_damaged_journal_is_refused_or_said_to_differ(place: int, noise: bytes) -> None:
    damaged = GOOD[:place] + noise + GOOD[place + len(noise) :]
    try:
        battle, agreement = replay(read(damaged, "test"), skirmish.system())
    except UserError as error:
        assert str(error)
        return
    assert agreement.steps <= agreement.of
    if agreement.whole:
        msgspec.json.encode(battle.decisions)


def test_scripted_dice_have_no_journal() -> None:
    battle = new(dice=ScriptedDice([1]))
    with pytest.raises(UserError, match="written down beforehand cannot be saved"):
        battle.save("never.battle")
