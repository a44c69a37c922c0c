"""Random battles of 8th edition stand every proof of the discipline, and ask every kind of question."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.systems.w40k8.system import SYSTEM
from support.discipline import AnyBattle, Findings, prove

BATTLES = 20
CHUNK = 5
EVERY = 12
"""Forks and purity are looked at once in so many questions."""

RARE = {
    "reroll",
    "reroll_dice",
    "warlord_trait",
    "reroll_psychic_test",
    "power_target",
    "perils_order",
    "arrive",
    "arrive_with",
    "allocate",
}
"""Nobody in these armies makes a roll again, arrives late or is unlike its comrades, and few psykers die among others:
other tests ask it."""

BEFORE = {
    "place_marker", "divide", "zone", "deploy_with", "deploy_where", "deploy", "start_aboard", "first_turn", "dispute",
    "generate_powers",
}  # fmt: skip
"""These battles begin with armies on the table."""
GIFTED = {
    "ability_target", "return_models", "react.turn_began", "react.phase_began", "react.phase_ended",
    "react.unit_move_ended", "react.model_destroyed", "react.attacks_made",
}  # fmt: skip
"""Nobody has abilities for a moment."""
RIDING = {"disembark", "wreck_loss"}
"""Nobody has a transport."""


def start(seed: int):  # type: ignore[no-untyped-def]
    assert SYSTEM.sample is not None
    return SYSTEM.sample(seed, SYSTEM.settle_options({}))


def trouble(battle: AnyBattle) -> str | None:
    """What can never be true of a battle of 8th edition."""
    for unit in battle.state.units:
        if unit.charged and not unit.targets:
            return f"{unit.name} charged nobody"
        if unit.charged and not unit.declared:
            return f"{unit.name} charged without a word"
    return None


@pytest.mark.parametrize("first", range(0, BATTLES, CHUNK))
def test_random_battles_stand_every_proof(first: int) -> None:
    found = Findings()
    for seed in range(first, first + CHUNK):
        found.add(prove(SYSTEM, lambda seed=seed: start(seed), seed, invariant=trouble, every=EVERY))
    assert not found.faults, found.examples
    assert found.forks > CHUNK
    assert found.restarts > 5 * CHUNK


def test_random_battles_ask_every_kind_of_question() -> None:
    asked: set[str] = set()
    for seed in range(BATTLES):
        setup, state = start(seed)
        battle = Battle(SYSTEM, setup, state, dice=KeyedDice(seed)).start()
        rng = Random(seed)
        while battle.decisions:
            decision = battle.decisions[0]
            asked.add(decision.kind)
            battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    assert asked >= {*SYSTEM.questions} - RARE - BEFORE - GIFTED - RIDING, {*SYSTEM.questions} - asked
