"""The command `sandtable battle`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sandtable
from sandtable import systems
from sandtable.cli.main import main
from support import playable

Capture = pytest.CaptureFixture[str]
LONG = "x" * 256


@pytest.fixture(autouse=True)
def skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    playable.register(monkeypatch)


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    typed = list(lines)

    def read(prompt: str = "") -> str:
        if not typed:
            raise EOFError
        return typed.pop(0)

    monkeypatch.setattr("builtins.input", read)


def test_the_account_has_headings_decisions_dice_and_the_result(capsys: Capture) -> None:
    assert main(["battle", "--seed", "3", "--players", "random,random", "--verbose"]) == 0
    said = capsys.readouterr().out
    lines = said.splitlines()
    assert lines[0] == "Skirmish, seed 3"
    assert "Round 1, turn of Red" in lines
    assert "  Shoot" in lines
    assert any(line.startswith("    Red: Move with: red") for line in lines)
    assert any(" rolls hit: " in line for line in lines)
    assert any(line.endswith((": time.", "nobody is left.")) for line in lines)
    assert "\x1b" not in said
    assert max(map(len, lines)) <= 100


def test_an_account_says_where_armies_are_made_up(capsys: Capture) -> None:
    assert main(["battle", "--seed", "3", "--players", "random,random"]) == 0
    made_up = "No pack has army lists for this system: made-up armies play."
    assert capsys.readouterr().out.splitlines()[1] == made_up


def test_an_account_says_what_a_system_cannot_do_yet(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    unfinished = dataclasses.replace(systems.get("skirmish"), lacks="Nobody may climb yet.")
    monkeypatch.setattr(systems, "get", lambda _: unfinished)
    assert main(["battle", "--seed", "3", "--players", "random,random"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "Nobody may climb yet."


def test_on_a_narrow_terminal_a_long_line_keeps_its_indent() -> None:
    from io import StringIO

    from rich.console import Console

    from sandtable.cli.out import show, text

    paper = StringIO()
    show(Console(file=paper, width=40, force_terminal=True, color_system=None), text("    " + "word " * 20))
    lines = paper.getvalue().splitlines()
    assert len(lines) > 2
    assert all(line.startswith("    word") and len(line) <= 40 for line in lines)


def test_the_same_seed_tells_the_same_battle(capsys: Capture) -> None:
    main(["battle", "--seed", "4"])
    first = capsys.readouterr().out
    main(["battle", "--seed", "4"])
    assert capsys.readouterr().out == first


def test_json_counts_what_was_asked(capsys: Capture) -> None:
    assert main(["battle", "--system", "skirmish", "--seed", "3", "-o", "windows=all", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["options"] == {"windows": "all"}
    assert told["result"]["reason"]
    assert told["events"] > 100
    assert [(t["round"], t["active"]) for t in told["turns"]][:3] == [(0, "Red"), (1, "Red"), (1, "Blue")]
    assert told["turns"][1]["asked"]["Red"]["move-with"] >= 1
    assert sum(n for t in told["turns"] for kinds in t["asked"].values() for n in kinds.values()) == told["answers"]


def test_json_has_every_roll_with_what_came_of_it(capsys: Capture) -> None:
    assert main(["battle", "--seed", "3", "--players", "random,random", "--json"]) == 0
    rolls = json.loads(capsys.readouterr().out)["rolls"]
    assert {r["player"] for r in rolls} == {"Red", "Blue"}
    assert rolls[0]["round"] == 1
    faces = " ".join(map(str, rolls[0]["faces"]))
    assert rolls[0]["text"] == f"hit: {faces}"


def test_it_saves_and_draws(tmp_path: Path, capsys: Capture) -> None:
    file, album = tmp_path / "g.battle", tmp_path / "pictures"
    assert main(["battle", "--seed", "3", "--save", str(file), "--pictures", str(album)]) == 0
    assert f"Wrote {file}." in capsys.readouterr().out
    assert sandtable.load(file).result is not None
    pages = sorted(p.name for p in album.iterdir())
    assert pages[:3] == ["00-setup.svg", "01-round-1-red.svg", "02-round-1-blue.svg"]
    for page in album.iterdir():
        ElementTree.parse(page)


def test_a_person_plays_and_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    type_in(monkeypatch, "1", "red 0", "4")
    file = tmp_path / "g.battle"
    arguments = ["battle", "--seed", "3", "--players", "person,random", "--orders", "default", "--save", str(file)]
    assert main([*arguments, "-v"]) == 0
    said = capsys.readouterr().out
    assert "Red: Secret plan: decided in secret" in said
    assert "Red: How far (red 0): 4" in said
    assert "You left the table; the battle is not over." in said
    assert len(sandtable.load(file).answers) >= 4


def test_standing_orders_are_told_as_such(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> None:
    orders = tmp_path / "orders.yaml"
    orders.write_text("orders: [{for: '*', do: default}]\n")
    type_in(monkeypatch)
    assert main(["battle", "--seed", "3", "--players", "person,random", "--orders", str(orders)]) == 0
    assert "Red: Move with: pass  (standing order)" in capsys.readouterr().out, "though the account is a short one"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--system", "chess"], "There is no rules system 'chess'"),
        (["--seed", "x"], "Invalid value for '--seed'"),
        (["--seed", "-1"], "Invalid value for '--seed'"),
        (["--seed", str(1 << 70)], "A seed is a whole number"),
        (["--players", "random"], "Name 2 players, one each for Red, Blue; not 1."),
        (["--players", "random,wizard"], "There is no player 'wizard'"),
        (["--players", "person,random", "--json"], "A person cannot play with --json."),
        (["--option", "windows"], "An option is written NAME=VALUE, not 'windows'."),
        (["--option", "windows=ajar"], "Option 'windows' can be matter or all, not 'ajar'."),
        (["--option", "magic=on"], "Skirmish has no option 'magic'; it has: windows."),
        (["-o", "windows=all", "-o", "windows=matter"], "The option 'windows' is given twice"),
        (["--save", "{tmp}"], "{tmp} is a folder; name a file to write."),
        (["--save", "{tmp}/no/g"], "Cannot write {tmp}/no/g: there is no folder {tmp}/no."),
        (["--pictures", "{tmp}/file"], "{tmp}/file is a file; name a folder."),
        (["--pictures", "{tmp}/no/album"], "Cannot make the folder {tmp}/no/album"),
        (["--orders", "{tmp}/file"], "{tmp}/file: this is no list of orders. Write 'orders:'"),
        (["--orders", "{tmp}/file", "--save", "{tmp}/file"], "{tmp}/file is read here and would be lost; name another"),
        (["--red", "{tmp}/file", "--save", "{tmp}/./file"], "{tmp}/file is read here and would be lost; name another"),
        (["--mission", "a,{tmp}/file", "--html", "{tmp}/file"], "{tmp}/file is read here and would be lost"),
        (["--layout", "{tmp}/file", "--html", "{tmp}/file"], "{tmp}/file is read here and would be lost"),
        (["--save", "{tmp}/a", "--html", "{tmp}/./a"], "{tmp}/a cannot be written twice; name two files."),
        (["--orders", "{tmp}/missing"], "Cannot read {tmp}/missing: No such file or directory."),
        (["--save", LONG], f"Cannot write {LONG}: the name is too long for a file."),
        (["--html", LONG], f"Cannot write {LONG}: the name is too long for a file."),
        (["--pictures", LONG], f"Cannot write {LONG}: the name is too long for a file."),
        (["--orders", LONG], f"Cannot read {LONG}: File name too long."),
        (
            ["--red", "{tmp}/list.txt"],
            "There is no file '{tmp}/list.txt'. Name a list of yours, exported text or YAML, or",
        ),
        (["--red", ""], "--red names nothing; write a name after it, or leave it out."),
        (["--blue", " "], "--blue names nothing"),
        (["--mission", ""], "--mission names nothing"),
        (["--layout", ""], "--layout names nothing"),
        (["--orders", ""], "--orders names nothing"),
        (["--system", ""], "--system names nothing"),
        (["--orders", "{tmp}/../empty.yaml"], "{tmp}/../empty.yaml holds no orders; they stand under 'orders'"),
        (["--pictures", "/proc/album"], "Cannot make the folder /proc/album: "),
        (["--save", "/proc/battle"], "Cannot write /proc/battle: "),
    ],
)
def test_what_was_wrong_is_said_in_one_line_and_nothing_is_written(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("nonsense")
    (tmp_path.parent / "empty.yaml").write_text("# nothing yet\n")
    assert main(["battle", *(a.format(tmp=tmp_path) for a in arguments)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith(f"Error: {sentence.format(tmp=tmp_path)}")
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_without_lists_two_of_different_factions_are_drawn_by_the_seed() -> None:
    from sandtable.armies.lists import draw_lists

    drawn = {seed: draw_lists("w40k10", seed) for seed in range(40)}
    assert draw_lists("w40k10", 7) == drawn[7]
    assert len(set(drawn.values())) > 20
    assert all(red.rsplit("-1000-")[0] != blue.rsplit("-1000-")[0] for red, blue in drawn.values())
    assert draw_lists("skirmish", 1) == ("", "")


def test_lists_of_the_middle_size_are_drawn() -> None:
    from sandtable.armies.lists import draw_lists

    drawn = [name for seed in range(10) for name in draw_lists("w40k8", seed)]
    assert all("-60-" in name for name in drawn)


def test_the_account_ends_with_the_score_by_round_and_a_map(capsys: Capture) -> None:
    from sandtable.battle.events import Changed, Ended, Told
    from sandtable.battle.state import Result
    from sandtable.cli.account import Account

    battle = sandtable.new("skirmish", seed=3)
    said: list[str] = []
    account = Account(battle, lambda line: said.append(line.plain))
    for number, player, vp in ((1, 0, 5), (2, 0, 3), (2, 1, 4), (2, 0, 1)):
        account.tell(Changed("clock", -1, {"round": number}))
        account.tell(Told("scored", "Scores.", data={"player": player, "vp": vp}))
    account.tell(Ended(Result((0,), "time")))
    assert said[said.index("Round    1    2  all") :][1:3] == ["Red      5    4    9", "Blue     0    4    4"]
    assert sum(line.startswith("  │") for line in said) > 10


def test_a_page_is_opened_only_where_there_is_one(capsys: Capture) -> None:
    assert main(["battle", "--seed", "3", "--open"]) == 2
    assert "--html" in capsys.readouterr().err


def test_where_nobody_could_see_it_the_page_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main(["battle", "--seed", "3", "--html", str(tmp_path / "b.html"), "--open"]) == 0
    assert (tmp_path / "b.html").resolve().as_uri() in capsys.readouterr().out


def test_a_saved_battle_is_played_on(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    half, whole = tmp_path / "half.battle", tmp_path / "whole.battle"
    type_in(monkeypatch, "", f"save {half}", "quit")
    assert main(["battle", "--seed", "3", "--players", "person,random"]) == 0
    assert "goes on from here" in " ".join(capsys.readouterr().out.split())
    assert main(["battle", "--resume", str(half), "--players", "random,random", "--save", str(whole)]) == 0
    battle, begun = sandtable.load(whole), sandtable.load(half)
    assert battle.result is not None
    assert battle.answers[: len(begun.answers)] == begun.answers
    assert len(begun.answers) > 0


def test_a_battle_that_is_resumed_brings_its_own_table(tmp_path: Path, capsys: Capture) -> None:
    assert main(["battle", "--resume", str(tmp_path / "half.battle"), "--seed", "3"]) == 2
    assert "brings its own system, armies, mission, table, seed and options" in " ".join(
        capsys.readouterr().err.split()
    )
