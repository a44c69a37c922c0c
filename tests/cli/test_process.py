"""A command as a process: signals that ask it to end, and streams that are closed or full."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import sandtable
from support import playable

TESTS = Path(__file__).parents[1]
SKIRMISH = """
import os, signal, sys, pytest
from sandtable.battle.machine import Battle
from sandtable.cli import main
from support import playable
playable.register(pytest.MonkeyPatch())
# Tests may be started by something that ignores them, as nohup and a shell in the background do.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
given, answer = 0, Battle.answer

def count(self, *args):
    global given
    given += 1
    if given == 4:
        for number in NUMBERS:
            os.kill(os.getpid(), number)
    return answer(self, *args)

Battle.answer = count
main.run()
"""
RULES = [sys.executable, "-m", "sandtable.cli.main", "rules", "search", "advance", "--system", "w40k10"]


def skirmish(arguments: list[str], numbers: list[int]) -> subprocess.Popen[str]:
    """A battle between two players, in the midst of which the process gets signals."""
    return subprocess.Popen(
        [sys.executable, "-c", SKIRMISH.replace("NUMBERS", repr(numbers)), "battle", "--seed", "3", *arguments],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("numbers", [[signal.SIGTERM], [signal.SIGHUP, signal.SIGTERM], [signal.SIGINT]])
def test_a_battle_that_is_stopped_by_a_signal_is_saved(
    numbers: list[signal.Signals], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.battle"
    stopped = skirmish(["--players", "random,random", "--save", str(file)], [int(n) for n in numbers])
    _, said = stopped.communicate(timeout=60)
    assert said.startswith(f"Stopped. Wrote {file}; 'sandtable battle --resume {file}' goes on from there")
    assert stopped.returncode == 128 + numbers[0]
    playable.register(monkeypatch)
    assert len(sandtable.load(file).answers) == 3


def test_a_person_whose_terminal_goes_leaves_the_table_with_the_battle_saved(tmp_path: Path) -> None:
    file = tmp_path / "game.battle"
    asked = skirmish(["--players", "person,person", "--save", str(file)], [])
    assert asked.stdout is not None
    assert asked.stdin is not None
    shown = ""
    while "> " not in shown:
        shown += asked.stdout.read(1)
    asked.send_signal(signal.SIGHUP)
    said, trouble = asked.communicate(timeout=60)
    assert "You left the table; the battle is not over." in said
    assert f"Wrote {file}." in said
    assert trouble == ""
    assert asked.returncode == 128 + signal.SIGHUP
    assert file.exists()


def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    script = (
        "import signal, sys, sandtable.cli.main as m; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "m.main = lambda: signal.raise_signal(signal.SIGHUP) or 5\n"
        "m.run()"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 5


# --- Streams ----------------------------------------------------------------------------------------------------------


def shell(line: str) -> tuple[int, str, str]:
    command = " ".join(RULES)
    done = subprocess.run(["bash", "-c", line.replace("RULES", command)], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_full_device_is_told_in_a_sentence() -> None:
    assert shell("RULES >/dev/full") == (2, "", "Error: Not everything could be shown: No space left on device.\n")


def test_a_closed_output_is_told_in_a_sentence() -> None:
    told = "Error: Nothing can be shown, because the standard output is closed; >/dev/null makes a command quiet.\n"
    assert shell("RULES >&-") == (2, "", told)


def test_whoever_has_read_enough_hears_nothing_more() -> None:
    assert shell("RULES | true; exit ${PIPESTATUS[0]}") == (1, "", "")


def test_a_closed_input_is_an_empty_one() -> None:
    status, said, trouble = shell("RULES <&-")
    assert (status, trouble) == (0, "")
    assert "w40k10" in said


@pytest.mark.parametrize("columns", ["$'\\u00b2'", "9" * 5000, "-1", "''"])
def test_a_width_that_no_terminal_has_is_not_believed(columns: str) -> None:
    assert shell(f"COLUMNS={columns} LINES={columns} RULES") == shell("RULES")


def test_without_a_stream_for_errors_the_status_tells_them() -> None:
    nonsense = f"{sys.executable} -m sandtable.cli.main nonsense"
    assert shell(f"{nonsense} 2>&-") == (2, "", "")
    assert shell(f"{nonsense} 2>/dev/full") == (2, "", "")


# --- Processes beside -------------------------------------------------------------------------------------------------

POOL = """
import signal, sys, time
from sandtable.sim import pool

# Tests that run in the background of a shell inherit that nobody listens to it.
signal.signal(signal.SIGINT, signal.default_int_handler)

def slow(game):
    print("begun", flush=True)
    time.sleep(600)

if __name__ == "__main__":
    pool.play_game = slow
    pool.run(["one", "two"], processes=2)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_workers_of_many_battles_end_with_who_started_them(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "many.py"
    script.write_text(POOL)
    running: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert running.stdout is not None
    assert [running.stdout.readline() for _ in range(2)] == [b"begun\n", b"begun\n"]
    began = time.monotonic()
    running.send_signal(number)
    # The workers hold the other end: it closes when the last of them is gone.
    assert running.stdout.read() == b""
    running.stdout.close()
    running.wait(30)
    assert time.monotonic() - began < 60
