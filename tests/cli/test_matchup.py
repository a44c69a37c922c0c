"""The command `sandtable matchup`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from sandtable.cli.main import main

Capture = pytest.CaptureFixture[str]
LISTS = ["space-marines-1000-gunline", "orks-1000-horde"]
QUICK = ["-n", "2", "--players", "default", "--no-controls", "--layout", "crossroads", "-j", "1"]


def test_a_matchup_is_told_drawn_and_written(tmp_path: Path, capsys: Capture) -> None:
    plot, csv = tmp_path / "m.png", tmp_path / "m.csv"
    assert main(["matchup", *LISTS, *QUICK, "--plot", str(plot), "--csv", str(csv)]) == 0
    said = capsys.readouterr().out
    assert "of 2 battles against orks-1000-horde" in said
    assert "Wilson intervals" in said
    assert "Predator Annihilator" in said
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert len(csv.read_text().splitlines()) == 3


def test_json_has_rates_units_and_assumptions(capsys: Capture) -> None:
    assert main(["matchup", *LISTS, *QUICK, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["share"]["games"] == 2
    assert set(found["units"]) == set(LISTS)
    assert found["assumptions"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--plot", "m.gif"], "A picture is .svg or .png"),
        (["--games", "1"], "2 to 20000 games"),
        (["--players", "person"], "computer players"),
        (["--plot", "/nowhere/m.png"], "/nowhere"),
        (["--games", "2", "--seed", str(2**63 - 1)], "seeds go from 0 to 9223372036854775807"),
        (["--mission", ""], "--mission names nothing"),
        (["--instead", ""], "--instead names nothing"),
        (["--layout", ""], "--layout names nothing"),
        (["--instead", "x" * 300, "--seed", str(2**63 - 2), "--games", "2"], "There is no army list 'xxx"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(more: list[str], message: str, capsys: Capture) -> None:
    assert main(["matchup", *LISTS, *more]) == 2
    assert message in capsys.readouterr().err


def test_a_refusal_before_the_first_battle_begins_with_its_sentence(capsys: Capture) -> None:
    assert main(["matchup", "nobody", LISTS[0]]) == 2
    assert capsys.readouterr().err.startswith("Error: There is no army list 'nobody'")


def test_bars_are_whole_on_a_narrow_screen() -> None:
    from rich.console import Console

    from sandtable.cli.matchup import _shares
    from sandtable.sim import Share

    screen = Console(width=80, record=True, file=io.StringIO())
    names = ("necrons-1000-legion against itself, first seat", "space-marines-1000-gunline against itself, first seat")
    _shares(screen, "Controls", dict.fromkeys(names, Share(4, 4)))
    bars = [line for line in screen.export_text().splitlines() if "█" in line]
    assert [line.count("█") + line.count("▒") for line in bars] == [10, 10]
