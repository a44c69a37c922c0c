"""The tests of the discipline, for any system: what a sound rules system must stand.

One random battle is played; at every decision and every step it is put to the proof. Each finding is a sentence.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from sandtable.battle import Battle, questions
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import KeyedDice
from sandtable.battle.fold import fold
from sandtable.battle.state import State, from_bytes, to_bytes
from sandtable.battle.system import System

AnyBattle = Battle[Any, Any, Any, Any]
MAX_DECISIONS = 5000


@dataclass
class Moment:
    """A step that was entered."""

    state: bytes
    answers: int
    events: int


@dataclass
class Findings:
    """What a battle showed."""

    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    forks: int = 0
    restarts: int = 0

    def fault(self, test: str, example: str) -> None:
        self.faults[test] += 1
        self.examples.setdefault(test, example)

    def add(self, other: Findings) -> None:
        self.faults += other.faults
        self.asked += other.asked
        self.forks += other.forks
        self.restarts += other.restarts
        for test, example in other.examples.items():
            self.examples.setdefault(test, example)


def question_bytes(decisions: tuple[Decision[Any], ...]) -> bytes:
    return msgspec.json.encode(decisions)


def event_bytes(events: list[Any]) -> bytes:
    return msgspec.json.encode(events)


def prove(
    system: System,
    start: Callable[[], tuple[Any, State[Any, Any, Any]]],
    seed: int,
    *,
    new_process: Callable[[], None] = lambda: None,
    invariant: Callable[[AnyBattle], str | None] = lambda _: None,
    every: int = 1,
) -> Findings:
    """Play one random battle and put it to every proof; `every` thins out the checks of purity.

    `invariant` is asked at every decision, and once more when the battle is over.
    """
    found = Findings()
    moments: list[Moment] = []
    rng = Random(seed)
    setup, state = start()
    new_process()
    battle: AnyBattle = Battle(
        system,
        setup,
        state,
        dice=KeyedDice(seed),
        on_step=lambda b: moments.append(Moment(to_bytes(b.state), b.state.answers, len(b.events))),
    )
    battle.start()
    views = [battle.view(p.id).state for p in battle.state.players]
    seen = len(battle.events)
    asked = 0
    while battle.decisions:
        asked += 1
        if asked > MAX_DECISIONS:
            found.fault("end", "the battle does not end")
            break
        decision = battle.decisions[rng.randrange(len(battle.decisions))]
        found.asked[decision.kind] += 1
        answer = next(questions.suggest(battle, decision, rng))
        if asked % every == 0:
            _purity(battle, decision, answer, found)
        _fork(battle, found)
        trouble = invariant(battle)
        if trouble:
            found.fault("invariant", trouble)
        battle.answer(decision, answer)
        if battle.decisions != () and battle._given:
            continue  # a simultaneous question waits for its other answers
        _fold(battle, views, seen, found)
        seen = len(battle.events)
    trouble = invariant(battle)
    if trouble:
        found.fault("invariant", trouble)
    _cold_restarts(system, setup, battle, moments, seed, new_process, found)
    return found


def _purity(battle: AnyBattle, decision: Decision[Any], answer: Any, found: Findings) -> None:
    before = to_bytes(battle.state)
    events = len(battle.events)
    for _ in range(2):
        battle.view(decision.player)
        questions.default(battle, decision)
        questions.check(battle, decision, answer)
        for nonsense in (None, -1, "nonsense", 3.5, [], {"mode": "x"}, [[1, 2]], True):
            questions.check(battle, decision, nonsense)
        first = [next(questions.suggest(battle, decision, Random(5))) for _ in range(2)]
        if msgspec.json.encode(first[0]) != msgspec.json.encode(first[1]):
            found.fault("purity", f"'{decision.kind}' suggests something else the second time")
    if to_bytes(battle.state) != before or len(battle.events) != events:
        found.fault("purity", f"looking at '{decision.kind}' changed the state")


def _fold(battle: AnyBattle, views: list[State[Any, Any, Any]], seen: int, found: Findings) -> None:
    for player, view in zip(battle.state.players, views, strict=True):
        fold(view, battle.events_for(player.id, seen))
        truth = battle.view(player.id).state
        if to_bytes(view) != to_bytes(truth):
            found.fault("fold", f"player {player.id}: {_difference(view, truth)}")


def _fork(battle: AnyBattle, found: Findings) -> None:
    found.forks += 1
    try:
        twin = battle.fork()
    except Exception as error:
        found.fault("fork", f"{type(error).__name__} at '{battle.decisions[0].kind}': {error}")
        return
    if to_bytes(twin.state) != to_bytes(battle.state):
        found.fault("fork", f"state at '{battle.decisions[0].kind}': {_difference(twin.state, battle.state)}")
    elif question_bytes(twin._open) != question_bytes(battle._open):
        found.fault("fork", f"question at '{battle.decisions[0].kind}'")


def _cold_restarts(
    system: System,
    setup: Any,
    battle: AnyBattle,
    moments: list[Moment],
    seed: int,
    new_process: Callable[[], None],
    found: Findings,
) -> None:
    """At each step: state to bytes to a new battle; same questions, events and end state up to the next step."""
    answers = battle.answers
    for here, there in itertools.pairwise(moments):
        found.restarts += 1
        new_process()
        reached: list[tuple[bytes, int]] = []
        state = from_bytes(here.state, system.unit_type, system.player_type, system.game_type)
        fresh_setup = msgspec.json.decode(msgspec.json.encode(setup), type=type(setup)[system.data_type])
        cold: AnyBattle = Battle(
            system,
            fresh_setup,
            state,
            dice=KeyedDice(seed),
            record=False,
            on_step=lambda b, r=reached: r.append((to_bytes(b.state), len(b.events))),
        )
        try:
            cold.start()
            for given in answers[here.answers : there.answers]:
                open_ = cold._open[len(cold._given)]
                if (open_.player, open_.kind) != (given.player, given.kind):
                    raise AssertionError(f"asks '{open_.kind}' instead of '{given.kind}'")
                cold._given[open_.id] = given.answer
                if len(cold._given) == len(cold._open):
                    cold._go_on()
        except Exception as error:
            found.fault("cold restart", f"{type(error).__name__}: {error}")
            continue
        if len(reached) < 2 or reached[1][0] != there.state:
            found.fault("cold restart", "end state" if len(reached) > 1 else "the next step was not reached")
        elif event_bytes(cold.events[: reached[1][1]]) != event_bytes(battle.events[here.events : there.events]):
            found.fault("cold restart", "events")


def _difference(a: State[Any, Any, Any], b: State[Any, Any, Any]) -> str:
    """Where two states differ, for the report."""
    for name in a.__struct_fields__:
        x, y = getattr(a, name), getattr(b, name)
        if name in ("version", "models"):
            continue
        if x != y:
            if isinstance(x, list):
                return next(f"{name}[{i}]: {p} != {q}" for i, (p, q) in enumerate(zip(x, y, strict=False)) if p != q)
            return f"{name}: {x} != {y}"
    for name in a.models.__struct_fields__:
        if (getattr(a.models, name) != getattr(b.models, name)).any():
            return f"models.{name}"
    return "bytes"
