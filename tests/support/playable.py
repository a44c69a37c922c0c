"""The made-up game of `support.skirmish`, registered as a system that can be played and set up from files."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest

from sandtable import systems
from sandtable.battle import TABLE, Models, Setup, State, System
from sandtable.battle.scenario import Scenario
from sandtable.battle.tables import build_table
from sandtable.errors import UserError
from sandtable.table.grid import steps
from sandtable.table.picture import Objective
from sandtable.table.shapes import round_base
from support import skirmish

SCENARIO = """\
scenario: Two units shoot at each other
system: skirmish
question: Can a unit that has shot shoot again?
answer: No, once a turn.
table: {size: [44, 30]}
units:
  - {name: Guards, player: red, sheet: any, positions: [[10, 10], [12, 10]]}
  - {name: Raiders, player: blue, sheet: any, positions: [[10, 18], [12, 18]]}
at: {step: shoot, round: 1, active: red}
state: {red: {ammo: 0}}
dice: {hit: [6, 2]}
answers:
  - {player: red, to: shoot-with, answer: Guards}
  - {player: blue, to: allocate, answer: 2}
expect:
  units: {Raiders: {wounds: [1, 2]}}
  rolls: [hit]
  why: [{act: shoot, unit: Guards, allowed: false, rules: [skirmish.shoot.once]}]
"""


def scenario(system: System, document: Scenario) -> tuple[Setup[skirmish.Data], State[Any, Any, Any]]:
    """Set-up and state of a scenario file of the made-up game."""
    units, pos = [], []
    for doc in document.units:
        if not doc.positions:
            raise UserError(f"units ({doc.name}): positions are needed.")
        first = len(pos)
        pos += [(steps(p[0]), steps(p[1]), 0) for p in doc.positions]
        owner = document.players.index(doc.player)
        units.append(skirmish.Unit(len(units), owner, doc.name, tuple(range(first, len(pos))), **doc.flags))
    n = len(pos)
    zero = np.zeros(n, dtype=np.int64)
    of = np.array([u.id for u in units for _ in u.models], dtype=np.int64)
    models = Models(np.array(pos, dtype=np.int64), zero.copy(), zero + 2, zero + TABLE, zero.copy(), of)
    players = [skirmish.Player(i, name, i, **document.state.get(name, {})) for i, name in enumerate(document.players)]
    setup = Setup(
        "skirmish",
        build_table(document.table, "in"),
        (round_base(1.25, 2.0),),
        (0,) * n,
        skirmish.Data(),
        skirmish.system().settle_options(document.options),
    )
    return setup, State(models, units, players, skirmish.Game())


def sample(seed: int, options: dict[str, str]) -> tuple[Setup[skirmish.Data], State[Any, Any, Any]]:
    """The battle of the made-up game, with these options."""
    setup, state = skirmish.start()
    return msgspec.structs.replace(setup, options=options), state


def system() -> System:
    """The made-up game with all that the front door needs."""
    return replace(
        skirmish.system(),
        sample=sample,
        scenario=scenario,
        objectives=lambda world: [Objective(steps(22), steps(15), steps(0.8), "Middle", reach=steps(3))],
        keywords=lambda world, unit: {"LEADER"} if unit.name.endswith("0") else set(),
    )


def register(monkeypatch: pytest.MonkeyPatch) -> System:
    """Make the made-up game known as `skirmish`, and the default, for one test."""
    made = system()
    package, module = ModuleType("sandtable.systems.skirmish"), ModuleType("sandtable.systems.skirmish.system")
    module.SYSTEM = made  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, package.__name__, package)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(systems, "IDS", (*systems.IDS, "skirmish"))
    monkeypatch.setattr(systems, "DEFAULT", "skirmish")
    return made
