"""What the machine itself costs: forks, windows and decisions.

The battles are those of the registered systems; what a fork costs over a battle is mostly the rules' own geometry.
Time is processor time, so that other work on the machine does not count.
"""

from __future__ import annotations

import statistics
import time
from random import Random
from typing import Any

import msgspec
import numpy as np

from sandtable.api import new
from sandtable.battle import (
    DONE,
    TABLE,
    AnyPlayer,
    AnyUnit,
    Battle,
    Models,
    Number,
    Option,
    Reaction,
    Result,
    Setup,
    State,
    Step,
    System,
    questions,
)
from sandtable.battle.dice import KeyedDice
from sandtable.systems import known
from sandtable.table.grid import steps
from sandtable.table.layout import Table
from sandtable.table.shapes import round_base

UNITS, MODELS_EACH = 30, 7
QUESTIONS = 20_000
WINDOWS = 50_000


class Game(msgspec.Struct):
    asked: int = 0


class Data(msgspec.Struct, frozen=True):
    pass


async def ask_on(b: Any) -> Step:
    """One step that asks many questions."""
    for _ in range(QUESTIONS):
        await b.ask(Number(player=0, kind="number", prompt="A number", least=0, most=9))
    b.finish(Result((), "done"))
    return DONE


async def ask_once(b: Any) -> Step:
    await b.ask(Number(player=0, kind="number", prompt="A number", least=0, most=9))
    return DONE


async def open_windows(b: Any) -> Step:
    for _ in range(WINDOWS):
        await b.window("nothing_doing")
    b.finish(Result((), "done"))
    return DONE


def _system(step: Any) -> System:
    nobody = [
        Reaction(
            f"reaction {i}",
            "nothing_doing",
            flow=ask_on,
            guard=lambda b, player, moment: b.state.players[player].side > 1,
            uses=lambda b, player, moment: [Option(0, "use")],
        )
        for i in range(3)
    ]
    return System(
        id="bench",
        name="Bench",
        unit="in",
        unit_type=AnyUnit,
        player_type=AnyPlayer,
        game_type=Game,
        data_type=Data,
        segments={"setup": (step, step)},
        next_segment=lambda b: None,
        reactions=tuple(nobody),
    )


def _battle(step: Any) -> Battle[Any, Any, Any, Any]:
    n = UNITS * MODELS_EACH
    zero = np.zeros(n, dtype=np.int64)
    pos = np.array([(steps(2 * (i % 20)), steps(2 * (i // 20)), 0) for i in range(n)], dtype=np.int64)
    owner = np.arange(n) // MODELS_EACH
    models = Models(pos, zero.copy(), zero + 1, zero + TABLE, zero.copy(), owner)
    units = [AnyUnit(k, k % 2, f"unit {k}", tuple(range(k * MODELS_EACH, (k + 1) * MODELS_EACH))) for k in range(UNITS)]
    system = _system(step)
    setup = Setup(
        "bench",
        Table(steps(44), steps(60), "in"),
        (round_base(1.25, 2.0),),
        (0,) * n,
        Data(),
        system.settle_options({}),
    )
    state: State[Any, Any, Any] = State(models, units, [AnyPlayer(0, "red", 0), AnyPlayer(1, "blue", 1)], Game())
    return Battle(system, setup, state, dice=KeyedDice(1))


def _microseconds(start: float, times: int) -> float:
    return round((time.process_time() - start) / times * 1e6, 3)


def _fork_at_a_step() -> float:
    battle = _battle(ask_once).start()
    battle.fork()
    start = time.process_time()
    for _ in range(2000):
        battle.fork()
    return _microseconds(start, 2000) / 1000


def _decisions() -> float:
    battle = _battle(ask_on).start()
    start = time.process_time()
    for _ in range(QUESTIONS):
        battle.answer(battle.decisions[0], 3)
    return _microseconds(start, QUESTIONS)


def _windows() -> float:
    battle = _battle(open_windows)
    start = time.process_time()
    battle.start()
    return _microseconds(start, WINDOWS)


def _forks_over_battles(name: str, battles: int) -> list[float]:
    times = []
    for seed in range(battles):
        battle = new(name, seed=seed)
        rng = Random(seed)
        while battle.decisions:
            start = time.process_time()
            battle.fork()
            times.append((time.process_time() - start) * 1000)
            decision = battle.decisions[0]
            battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    return sorted(times)


def measure() -> dict[str, dict[str, Any]]:
    """The figures, with their limits."""
    figures: dict[str, dict[str, Any]] = {
        "fork_at_step_ms": {
            "value": _fork_at_a_step(),
            "limit": 0.05,
            "what": f"a fork at the entry of a step, {UNITS * MODELS_EACH} models in {UNITS} units",
        },
        "decision_us": {
            "value": _decisions(),
            "limit": 10,
            "what": f"asking a question and checking and taking its answer, mean of {QUESTIONS}",
        },
        "window_us": {
            "value": _windows(),
            "limit": 2,
            "what": f"a window with three reactions whose guards decline for both players, mean of {WINDOWS}",
        },
    }
    for name in known():
        times = _forks_over_battles(name, 3)
        share = f"over all {len(times)} decisions of 3 random battles of {name}"
        figures[f"fork_{name}_median_ms"] = {
            "value": round(statistics.median(times), 4),
            "limit": 0.5,
            "what": f"a fork, median {share}",
        }
        figures[f"fork_{name}_p95_ms"] = {
            "value": round(times[int(len(times) * 0.95)], 4),
            "limit": 3,
            "what": f"a fork, 95th percentile {share}",
        }
    return figures
