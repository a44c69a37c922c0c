"""Random battles of Epic stand every proof of the discipline, and ask every kind of question."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.systems.epica.questions import QUESTIONS
from sandtable.systems.epica.system import SYSTEM
from support.discipline import AnyBattle, Findings, prove

BATTLES = 100
CHUNK = 10
EVERY = 12
"""Forks and purity are looked at once in so many questions."""

RARE = {"suppress"}
"""Needs an exact tie of distances: the tests of suppression ask it."""


def play(first: int, count: int) -> Findings:
    found = Findings()
    for seed in range(first, first + count):
        found.add(prove(SYSTEM, lambda seed=seed: start(seed), seed, invariant=trouble, every=EVERY))
    return found


def start(seed: int):  # type: ignore[no-untyped-def]
    assert SYSTEM.sample is not None
    return SYSTEM.sample(seed, {})


def trouble(battle: AnyBattle) -> str | None:
    """What can never be true of a battle of Epic."""
    for f in battle.state.units:
        if f.markers < 0:
            return f"{f.name} has {f.markers} blast markers"
        if f.broken and (f.markers or f.overwatch):
            return f"{f.name} is broken, with {f.markers} markers and overwatch {f.overwatch}"
    return None


@pytest.mark.parametrize("first", range(0, BATTLES, CHUNK))
def test_random_battles_stand_every_proof(first: int) -> None:
    found = play(first, CHUNK)
    assert not found.faults, found.examples
    assert found.forks > CHUNK
    assert found.restarts > 5 * CHUNK


def test_random_battles_ask_every_kind_of_question() -> None:
    asked: set[str] = set()
    for seed in range(60):
        setup, state = start(seed)
        battle = Battle(SYSTEM, setup, state, dice=KeyedDice(seed))
        asked |= kinds_asked(battle.start(), seed)
    assert asked >= {*QUESTIONS, "react.move_completed"} - RARE, {*QUESTIONS} - asked


def kinds_asked(battle: AnyBattle, seed: int) -> set[str]:
    rng, asked = Random(seed), set()
    while battle.decisions:
        decision = battle.decisions[0]
        asked.add(decision.kind)
        battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    return asked
