"""A battle that is nothing but one attack after another, for tests of the flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from sandtable.attack.tables import hit_table, wound_table
from sandtable.attack.volley import Attack, Shots, Target, Volley, WoundKind, dice
from sandtable.battle import (
    AGAIN,
    DONE,
    TABLE,
    AnyPlayer,
    AnyUnit,
    Battle,
    Models,
    Setup,
    State,
    Step,
    System,
)
from sandtable.battle.decisions import Decision, Option
from sandtable.battle.dice import Dice, KeyedDice, ScriptedDice
from sandtable.battle.events import Rolled, Told
from sandtable.kit.attack import resolving
from sandtable.kit.attack.defenders import Outcome
from sandtable.kit.attack.resolving import resolve_all
from sandtable.kit.attack.rolling import Hooks, Roll, reroll_one
from sandtable.table.layout import Table
from sandtable.table.shapes import round_base

SHOOTER, VICTIM = 0, 1
MARK = 1


class Game(msgspec.Struct):
    left: int = 1
    """Attacks still to be made."""


class Data(msgspec.Struct, frozen=True):
    attack: Attack


Range = Battle[AnyUnit, AnyPlayer, Game, Data]
Flow = Callable[[Range], Any]


def target_of(b: Range) -> Target:
    """The target as the state has it now."""
    models = b.state.models
    found = [
        msgspec.structs.replace(x, wounds=int(models.wounds[x.model]), marked=bool(models.mark[x.model] & MARK))
        for x in b.setup.data.attack.target.bodies
        if models.place[x.model] == TABLE
    ]
    return msgspec.structs.replace(b.setup.data.attack.target, bodies=tuple(found))


def mark(b: Range, model: int) -> None:
    b.set_mark(model, MARK)


MARKING = Hooks(allocated=mark)


async def shoot(b: Range, hooks: Hooks = MARKING) -> tuple[Outcome, ...]:
    attack = b.setup.data.attack
    lots = [lambda v=v: (v, lambda: target_of(b)) for v in attack.volleys]
    return await resolve_all(b, lots, hooks, unit=SHOOTER, against=VICTIM, procedure=attack.procedure)


Start = tuple[Setup[Data], State[AnyUnit, AnyPlayer, Game]]


def battle(attack: Attack, dice: Dice, flow: Flow, times: int = 1, windows: str = "matter") -> Range:
    system, start = shooting_range(attack, flow, times, windows)
    return Battle(system, *start(), dice=dice)


def shooting_range(attack: Attack, flow: Flow, times: int, windows: str) -> tuple[System, Callable[[], Start]]:
    """A shooter without a body and a unit that stands to be shot at, `times` over."""
    found = attack.target.bodies
    n = max(x.model for x in found) + 1

    async def step(b: Range) -> Step:
        for x in found:
            b.set_wounds(x.model, x.wounds)
            b.set_mark(x.model, MARK * x.marked)
        b.place_models([x.model for x in found], TABLE)
        await flow(b)
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

    def start() -> Start:
        zero = np.zeros(n, dtype=np.int64)
        arrays = (zero.copy() for _ in range(4))
        models = Models(np.zeros((n, 3), dtype=np.int64), *arrays, np.ones(n, dtype=np.int64))
        units = [AnyUnit(SHOOTER, 0, "Reds", ()), AnyUnit(VICTIM, 1, "Blues", tuple(range(n)))]
        players = [AnyPlayer(0, "Red", 0), AnyPlayer(1, "Blue", 1)]
        table = Table(1024, 1024, "in")
        setup = Setup("range", table, (round_base(1.0, 1.0),), (0,) * n, Data(attack), {"windows": windows})
        return setup, State(models, units, players, Game(times))

    return system, start


Answers = Callable[[Range, Decision[Any]], Any]


def by_default(b: Range, d: Decision[Any]) -> Any:
    return b.default(d)


def fire(
    attack: Attack,
    script: dict[str, Sequence[int]],
    answers: Answers = by_default,
    hooks: Hooks = MARKING,
    windows: str = "matter",
) -> Range:
    """Play an attack with scripted dice, all of which must be used."""
    scripted = ScriptedDice(script)
    b = battle(attack, scripted, lambda b: shoot(b, hooks), windows=windows)
    b.start()
    while b.decisions:
        b.answer(b.decisions[0], answers(b, b.decisions[0]))
    assert scripted.left() == {}
    return b


def left(b: Range) -> list[int]:
    """Wounds left of each model."""
    return [int(w) for w in b.state.models.wounds]


def rolls(b: Range, reason: str) -> list[tuple[int, ...]]:
    return [e.faces for e in b.events if isinstance(e, Rolled) and e.reason == reason]


def reasons(b: Range) -> list[str]:
    """What was rolled for, in order."""
    return [e.reason for e in b.events if isinstance(e, Rolled)]


def asked(b: Range) -> list[str]:
    return [g.kind for g in b.answers]


def told(b: Range) -> list[str]:
    return [e.text for e in b.events if isinstance(e, Told)]


def volley(shots: int = 1, damage: str | int = 1, **more: Any) -> Volley:
    fields: dict[str, Any] = {"hit": hit_table(3), "wound": wound_table(4), "kinds": (WoundKind(0, dice(damage)),)}
    return Volley("gun", (Shots(shots, dice(1)),), **{**fields, **more})


SURE = {"hit": hit_table(2, auto=True), "wound": wound_table(2)}


async def spend(b: Range, roll: Roll) -> tuple[int, ...]:
    """One re-roll for a batch, if the player wishes."""
    options = [Option(r, str(r)) for r in roll.open()]
    which = await b.choose(roll.player, "spend", "Re-roll", options, optional=True)
    return roll.faces if which is None else reroll_one(b, roll, int(which))


def play(attack: Attack, times: int, seed: int) -> Counter[tuple[int, int]]:
    """Wounds lost and models killed in many attacks, the players following the attack's policies."""
    seen: Counter[tuple[int, int]] = Counter()
    start = sum(x.wounds for x in attack.target.bodies)

    async def once(b: Range) -> None:
        await shoot(b)
        wounds = [int(b.state.models.wounds[x.model]) for x in attack.target.bodies]
        seen[start - sum(wounds), wounds.count(0)] += 1
        b.events.clear()

    b = battle(attack, KeyedDice(seed), once, times).start()
    while b.decisions:
        (d,) = b.decisions
        b.answer(d, policy(b, attack, d))
    return seen


def policy(b: Range, attack: Attack, d: Any) -> Any:
    if d.kind == "aim":
        return d.options[0].value if attack.choices.aim == "always" else None
    if d.kind == "reroll" and attack.choices.reroll == "criticals":
        return tuple(o.value for o in d.options if o.label != "6")
    return b.default(d)


def every_way(attack: Attack) -> dict[tuple[int, int], float]:
    """The chance of each (wounds lost, models killed), from every way the dice can fall; nobody may be asked."""
    every = EveryDie()
    found: dict[tuple[int, int], float] = {}

    async def once(b: Range) -> None:
        await shoot(b)
        wounds = left(b)
        what = (sum(x.wounds for x in attack.target.bodies) - sum(wounds), wounds.count(0))
        found[what] = found.get(what, 0.0) + 6.0 ** -len(every.path)
        b.events.clear()
        b.set_game(left=1 + every.advance())

    b = battle(attack, every, once).start()
    assert not b.decisions
    return found


class EveryDie:
    """Dice that go through all that can be rolled, one path after the other."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.place = 0

    def roll(self, answers: int, counter: int, count: int, sides: int, reason: str) -> tuple[tuple[int, ...], int]:
        faces = []
        for _ in range(count):
            if self.place == len(self.path):
                self.path.append(1)
            faces.append(self.path[self.place])
            self.place += 1
        return tuple(faces), counter + count

    def advance(self) -> bool:
        """Go to the next path, if there is one."""
        self.place = 0
        while self.path and self.path[-1] == 6:
            self.path.pop()
        if self.path:
            self.path[-1] += 1
        return bool(self.path)
