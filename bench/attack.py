"""How fast attacks are rolled: in the Monte Carlo kernel, and in the flow of a battle with all its events."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import numpy as np

from sandtable.attack import montecarlo
from sandtable.attack.tables import hit_table, save_needed, wound_table
from sandtable.attack.volley import Attack, Body, Mortal, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import AGAIN, DONE, TABLE, AnyPlayer, AnyUnit, Battle, Models, Setup, State, Step, System
from sandtable.battle.dice import KeyedDice
from sandtable.kit.attack import resolving
from sandtable.kit.attack.rolling import Hooks
from sandtable.table.layout import Table
from sandtable.table.shapes import round_base

ROLLS = 300_000
SEQUENCES, RUNS = 200, 15


def plain() -> Attack:
    """20 attacks, 3+ to hit, 4+ to wound, at ten models with two wounds and a 3+ save."""
    volley = Volley("bolter", (Shots(10, dice(2)),), hit_table(3), wound_table(4), (WoundKind(0, dice(1)),))
    bodies = tuple(Body(i, 2, 2, (save_needed(3),)) for i in range(10))
    return Attack((volley,), Target(bodies))


def rich() -> Attack:
    """The same with critical effects at both rolls, re-rolls, damage 2 and feel no pain."""
    hit = hit_table(3, lethal=True, sustained=1, reroll="ones")
    wound = wound_table(4, crit_kind=1, reroll="failures")
    kinds = (WoundKind(0, dice(2)), WoundKind(0, None, Mortal(dice(2))))
    volley = Volley("storm", (Shots(20, dice(1)),), hit, wound, kinds)
    bodies = tuple(Body(i, 2, 2, (save_needed(3, -1),), pain=5) for i in range(10))
    return Attack((volley,), Target(bodies))


# ---------------------------------------------------------------------- the flow of a battle


class Game(msgspec.Struct):
    left: int


class Data(msgspec.Struct, frozen=True):
    pass


def mark(b: Any, model: int) -> None:
    b.set_mark(model, 1)


def seconds_of_flow(attack: Attack, seed: int) -> float:
    """Processor seconds of one sequence in a battle; the target stands up again each time, which is not counted."""
    bodies = attack.target.bodies
    spent = 0.0

    async def step(b: Any) -> Step:
        nonlocal spent
        for body in bodies:
            b.set_wounds(body.model, body.wounds)
            b.set_mark(body.model, 0)
        b.place_models([body.model for body in bodies], TABLE)
        lots = [lambda v=v: (v, lambda: attack.target) for v in attack.volleys]
        start = time.process_time()
        await resolving.resolve_all(b, lots, Hooks(allocated=mark), unit=0, against=1)
        spent += time.process_time() - start
        b.set_game(left=b.state.game.left - 1)
        return AGAIN if b.state.game.left else DONE

    system = System(
        id="range",
        name="Range",
        unit="in",
        unit_type=AnyUnit,
        player_type=AnyPlayer,
        game_type=Game,
        data_type=Data,
        segments={"setup": (step,)},
        next_segment=lambda b: None,
        questions=resolving.QUESTIONS,
    )
    count = len(bodies)
    zero = np.zeros(count, dtype=np.int64)
    models = Models(np.zeros((count, 3), dtype=np.int64), *(zero.copy() for _ in range(4)), zero + 1)
    units = [AnyUnit(0, 0, "Reds", ()), AnyUnit(1, 1, "Blues", tuple(range(count)))]
    state: State[Any, Any, Any] = State(
        models, units, [AnyPlayer(0, "Red", 0), AnyPlayer(1, "Blue", 1)], Game(SEQUENCES)
    )
    options = system.settle_options({})
    setup = Setup("range", Table(1024, 1024, "in"), (round_base(1.0, 1.0),), (0,) * count, Data(), options)
    Battle(system, setup, state, dice=KeyedDice(seed)).start()
    return spent / SEQUENCES


# ---------------------------------------------------------------------- measuring


def measure() -> dict[str, dict[str, Any]]:
    """Sequences a second of processor time, the best of some runs."""
    out: dict[str, dict[str, Any]] = {}
    for name, make, most in (("plain", plain, 5_000), ("rich", rich, None)):
        attack = make()
        words = (make.__doc__ or "").removesuffix(".")
        montecarlo.roll(attack, 10)
        best = float("inf")
        for seed in range(3):
            start = time.process_time()
            montecarlo.roll(attack, ROLLS, seed)
            best = min(best, time.process_time() - start)
        out[f"monte_carlo_{name}_per_s"] = {
            "value": round(ROLLS / best),
            "limit": 1_000_000,
            "at_least": True,
            "what": f"sequences of 20 attacks a second in the Monte Carlo kernel: {words}",
        }
        key = "attack_flow_per_s" if name == "plain" else f"attack_flow_{name}_per_s"
        # The same seed again and again: only the machine differs from run to run.
        out[key] = {
            "value": round(1 / min(seconds_of_flow(attack, 1) for _ in range(RUNS))),
            "limit": most,
            "at_least": True,
            "what": f"sequences of 20 attacks a second in a battle, with all events: {words}",
        }
    return out


if __name__ == "__main__":
    for what, figures in measure().items():
        print(f"{what:30} {figures['value']}")
