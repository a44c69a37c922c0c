"""The front door: new, load, save, scenario, and pictures."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable import systems
from sandtable.battle import journal
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.state import to_bytes
from sandtable.errors import UserError
from sandtable.players import RandomPlayer, play
from support import games, playable
from support.journals import BAD_JOURNALS, tampered


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)


def fought(seed: int = 3) -> Any:
    battle = sandtable.new("skirmish", seed=seed)
    play(battle, {0: RandomPlayer(1), 1: RandomPlayer(2)})
    return battle


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import sys, sandtable; print(*sys.modules)"
    modules = set(subprocess.check_output([sys.executable, "-c", script], text=True).split())
    assert modules.isdisjoint({"numpy", "numba", "msgspec", "yaml", "sandtable.battle", "sandtable.systems"})


def test_the_package_has_no_other_names() -> None:
    assert callable(sandtable.new)
    assert {"new", "load", "save", "scenario"} <= set(dir(sandtable))
    with pytest.raises(AttributeError, match="no attribute 'play_chess'"):
        sandtable.play_chess  # noqa: B018


def test_a_new_battle_is_at_its_first_question() -> None:
    battle = sandtable.new("skirmish", seed=7)
    assert battle.decisions
    assert battle.seed == 7


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: sandtable.new("chess"), "There is no rules system 'chess'"),
        (lambda: sandtable.new("../../etc"), "There is no rules system"),
        (lambda: sandtable.new("skirmish", seed=-1), "A seed is a whole number from 0"),
        (lambda: sandtable.new("skirmish", seed=1 << 64), "A seed is a whole number from 0"),
        (lambda: sandtable.new("skirmish", options={"magic": "on"}), "has no option 'magic'"),
        (lambda: sandtable.new("skirmish", options={"windows": "open"}), "can be matter or all, not 'open'"),
    ],
)
def test_what_cannot_begin_is_refused(make: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        make()


def test_a_system_that_is_not_written_yet_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "IDS", (*systems.IDS, "unwritten"))
    with pytest.raises(UserError, match="'unwritten' cannot be played yet"):
        systems.get("unwritten")


def test_the_systems_that_are_there_are_known() -> None:
    assert set(systems.known()) <= set(systems.IDS)
    for name in systems.known():
        assert (Path(systems.__file__).parent / name / "system.py").is_file()


def test_a_saved_battle_loads_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.battle"
    battle = sandtable.new("skirmish", seed=4)
    for _ in range(15):
        decision = battle.decisions[0]
        battle.answer(decision, battle.default(decision))
    battle.undo(2)
    battle.save(file)
    loaded = sandtable.load(file)
    assert to_bytes(loaded.state) == to_bytes(battle.state)
    assert loaded.decisions == battle.decisions
    assert loaded.entries == battle.entries
    sandtable.save(loaded, str(file))
    assert to_bytes(sandtable.load(file).state) == to_bytes(battle.state)
    assert list(tmp_path.iterdir()) == [file]


def test_answers_given_together_and_taken_back_load_again(tmp_path: Path) -> None:
    battle = sandtable.new("skirmish", seed=4)
    for answer in (1, 2):
        battle.answer(battle.decisions[0], answer)
    battle.undo()
    assert [d.player for d in battle.decisions] == [0, 1]
    for answer in (0, 0):
        battle.answer(battle.decisions[0], answer)
    battle.save(tmp_path / "g")
    assert to_bytes(sandtable.load(tmp_path / "g").state) == to_bytes(battle.state)


def test_a_fork_and_written_dice_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="as a fork does"):
        sandtable.new("skirmish", seed=1).fork().save(tmp_path / "a")
    with pytest.raises(UserError, match="written down beforehand"):
        games.new(dice=ScriptedDice([1] * 50)).save(tmp_path / "a")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("change", "sentence"), BAD_JOURNALS)
def test_a_journal_that_was_tampered_with_is_refused(
    change: Callable[[dict[str, Any]], None], sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.battle"
    file.write_bytes(tampered(fought(), change))
    with pytest.raises(UserError, match=sentence) as caught:
        sandtable.load(file)
    assert str(caught.value).startswith(str(file))


@pytest.mark.parametrize("keep", [0, 1, 500, -1])
def test_a_truncated_journal_is_refused(keep: int, tmp_path: Path) -> None:
    file = tmp_path / "cut.battle"
    file.write_bytes(journal.write(fought())[:keep])
    with pytest.raises(UserError, match="is not a battle file"):
        sandtable.load(file)


def test_a_journal_of_another_version_loads_if_it_plays_the_same(tmp_path: Path) -> None:
    file = tmp_path / "old.battle"
    file.write_bytes(tampered(fought(), lambda raw: raw.update(version="0.0.1")))
    assert sandtable.load(file).result is not None
    file.write_bytes(tampered(fought(), lambda raw: raw.update(version="0.0.1", seed=5)))
    with pytest.raises(UserError, match=r"was written by Sandtable 0\.0\.1, this is .*: it plays the same only"):
        sandtable.load(file)


@pytest.mark.parametrize(("name", "sentence"), [("missing.battle", "Cannot read {}: No such"), (".", "{} is a folder")])
def test_a_file_that_cannot_be_read_is_named(name: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        sandtable.load(tmp_path / name)
    assert str(caught.value).startswith(sentence.format(tmp_path / name))


def test_nothing_is_written_where_a_folder_stands(tmp_path: Path) -> None:
    battle = sandtable.new("skirmish", seed=1)
    for where, sentence in ((tmp_path, "is a folder"), (tmp_path / "no" / "x", "there is no folder")):
        with pytest.raises(UserError, match=sentence):
            battle.save(where)
    assert not list(tmp_path.iterdir())


def test_a_scenario_opens_at_its_moment(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(playable.SCENARIO)
    battle = sandtable.scenario(file)
    assert [d.kind for d in battle.decisions] == ["shoot-with"]
    assert battle.unit(0).name == "Guards"


def test_a_picture_shows_units_objectives_and_moves() -> None:
    battle = sandtable.new("skirmish", seed=1)
    before = battle.state.copy()
    picture = battle.picture()
    assert len(picture.models) == 24
    assert [b.label for b in picture.badges][:2] == ["red 0", "red 1"]
    assert [o.label for o in picture.objectives] == ["Middle"]
    assert not picture.arrows
    battle.state.models.pos[0:4, 1] += 2048
    battle.state.models.place[23] = 3
    battle.state.version += 1_000_000
    moved = battle.picture(before=before, highlight=[0])
    assert len(moved.arrows) == 1
    assert moved.badges[-1].marks == ("3/4",)
    assert moved.badges[0].highlight
    assert "red 0" in battle.svg()


def test_a_player_called_by_a_colour_has_it() -> None:
    picture = sandtable.new("skirmish", seed=1).picture()
    assert picture.sides == ("Red", "Blue")
    assert {b.label: b.side for b in picture.badges}["red 0"] == 0


def test_the_picture_of_a_view_shows_what_the_player_may_know() -> None:
    battle = sandtable.new("skirmish", seed=1)
    for answer in (1, 2):
        battle.answer(battle.decisions[0], answer)
    view = battle.view(0)
    assert view.player(1).plan is None
    assert "red 0" in view.svg()


def test_a_png_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    battle = sandtable.new("skirmish", seed=1)
    battle.png(tmp_path / "t.png")
    assert (tmp_path / "t.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UserError, match="there is no folder"):
        battle.png(tmp_path / "no" / "t.png")
    assert [p.name for p in tmp_path.iterdir()] == ["t.png"]
