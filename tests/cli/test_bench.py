"""The command `sandtable bench`."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sandtable.cli.main import main

Capture = pytest.CaptureFixture[str]
FIGURES = """
def measure():
    return {
        "fork_us": {"value": %s, "limit": 10, "what": "a fork"},
        "rolls_per_s": {"value": 9, "limit": 5, "what": "rolls", "at_least": True},
        "size": {"value": 1.5, "limit": None, "what": "no limit"},
    }
"""


def run(folder: Path, *arguments: str) -> int:
    return main(["bench", "--project", str(folder), *arguments])


def write(folder: Path, text: str, name: str = "machine.py") -> None:
    (folder / "bench").mkdir(exist_ok=True)
    (folder / "bench" / name).write_text(text)


def test_figures_within_their_limits_pass(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path, FIGURES % 7)
    write(tmp_path, "raise RuntimeError", "_helper.py")
    assert run(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["fork_us"] == {"value": 7, "limit": 10, "what": "a fork", "ok": True}
    assert run(tmp_path) == 0
    assert "OVER" not in capsys.readouterr().out


def test_a_figure_over_its_limit_is_measured_again_and_the_best_counts(tmp_path: Path, capsys: Capture) -> None:
    count = tmp_path / "count"
    count.write_text("")
    again = f"""
from pathlib import Path
def measure():
    seen = Path({str(count)!r})
    seen.write_text(seen.read_text() + "x")
    return {{"fork_us": {{"value": 14 - 3 * len(seen.read_text()), "limit": 10, "what": "a fork"}}}}
"""
    write(tmp_path, again)
    assert run(tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["fork_us"]["value"] == 8
    assert count.read_text() == "xx", "no more often than it must"


def test_a_figure_over_its_limit_ends_with_status_1(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path, FIGURES % 11)
    assert run(tmp_path) == 1
    assert "OVER" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("raise RuntimeError('no')", "bench/machine.py cannot be measured: RuntimeError: no."),
        ("def measure(): return {'a': 3}", "bench/machine.py: 'a' needs a value, a limit and what it is."),
    ],
)
def test_what_cannot_be_measured_is_said_beside_the_other_figures(
    text: str, sentence: str, tmp_path: Path, capsys: Capture
) -> None:
    write(tmp_path, text)
    write(tmp_path, FIGURES % 1, "other.py")
    assert run(tmp_path, "--json") == 2
    said = capsys.readouterr()
    assert said.err == f"Error: {sentence}\n"
    assert "fork_us" in json.loads(said.out)


def test_without_a_checkout_it_refuses(tmp_path: Path, capsys: Capture) -> None:
    assert run(tmp_path) == 2
    assert "this command needs a source checkout" in capsys.readouterr().err


def test_each_module_is_measured_in_a_process_of_its_own(tmp_path: Path, capsys: Capture) -> None:
    mine = 'import os\ndef measure(): return {"%s": {"value": os.getpid(), "limit": None, "what": "its process"}}'
    write(tmp_path, mine % "first", "first.py")
    write(tmp_path, mine % "second", "second.py")
    assert run(tmp_path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len({os.getpid(), told["first"]["value"], told["second"]["value"]}) == 3


def test_a_module_whose_process_dies_leaves_the_figures_of_the_others(tmp_path: Path, capsys: Capture) -> None:
    write(tmp_path, "import os\ndef measure(): os._exit(3)")
    write(tmp_path, FIGURES % 1, "other.py")
    assert run(tmp_path, "--json") == 2
    said = capsys.readouterr()
    assert said.err == ("Error: bench/machine.py cannot be measured: its process died, perhaps for want of memory.\n")
    assert json.loads(said.out)["fork_us"]["ok"] is True
