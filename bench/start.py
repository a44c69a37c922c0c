"""How long one waits: for the first turn of a battle and for the answer to a question, with kernels on disk."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

RUNS: Final = 5
COMMAND: Final = (sys.executable, "-c", "from sandtable.cli.main import run; run()")
#: Modules are loaded from bytecode, as they are for users, even where this process must not write it.
ENVIRONMENT: Final = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
FIRST_TURN: Final = 1.5
ONE_ANSWER: Final = 0.6
HELP: Final = 0.25


def spent(run: Callable[[], None]) -> float:
    """Processor time of the processes that are started and ended here: what others do makes little difference."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def play_to_the_first_turn() -> None:
    """A battle until it tells that its first turn begins."""
    command = [*COMMAND, "battle", "--seed", "7", "--verbose"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as battle:
        assert battle.stdout is not None
        while not (line := battle.stdout.readline()).startswith("Round 1"):
            assert line, "the battle ended before its first turn"
        battle.kill()


def ask(*question: str) -> None:
    """A command to its end."""
    subprocess.run([*COMMAND, *question], stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)


def measure() -> dict[str, dict[str, Any]]:
    """The figures, with their limits."""
    odds = ("odds", "into", "10 intercessors", "10 boyz")
    figures = {
        "start_first_turn_s": (play_to_the_first_turn, FIRST_TURN, "`sandtable battle` until its first turn"),
        "start_odds_s": (lambda: ask(*odds), ONE_ANSWER, "`sandtable odds into` with two units, all of it"),
        "start_help_s": (lambda: ask("--help"), HELP, "`sandtable --help`"),
    }
    return {
        name: {
            "value": round(min(spent(run) for _ in range(RUNS)), 3),
            "limit": limit,
            "what": f"{what}, processor time, best of {RUNS}",
        }
        for name, (run, limit, what) in figures.items()
    }
