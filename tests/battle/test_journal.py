"""The save file: it plays again byte for byte, or says where it stops doing so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.battle.dice import ScriptedDice
from sandtable.battle.journal import FORMAT, MAX_BYTES, AnswerEntry, StepEntry, read, read_file, replay, write
from sandtable.battle.state import from_bytes, to_bytes
from sandtable.errors import UserError
from support import skirmish
from support.games import AnyBattle, asked, new, play, snapshot


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


def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.battle"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(UserError, match=r"huge.battle: at most 64 MB can be read"):
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
