"""Random battles of the sample stand every proof of the discipline, and keep the rules' own invariants."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from sandtable.battle import TABLE, Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.forty.effects import deeds, extra_moves, returning
from sandtable.forty.moments import UNIT_ABOUT_TO_SHOOT
from sandtable.kit.disputes import QUESTIONS as DISPUTES
from sandtable.systems.w40k10 import (
    aircraft,
    deployment,
    destroyed_transports,
    formations,
    mission,
    reserves,
    transports,
)
from sandtable.systems.w40k10.abilities import firing_deck, scouts
from sandtable.systems.w40k10.coherency import in_coherency
from sandtable.systems.w40k10.sample import sample
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import OVERLAP
from sandtable.table.measure import gaps, on_table
from support.discipline import Findings, prove

BATTLES = 80
CHUNKS = 4
EVERY = 23
"""Purity is looked at once in so many decisions: over all battles still at every kind of question."""

ABILITIES = (
    "phase_began", "attacks_made", "turn_ended", "model_destroyed", "pre_battle", "unit_selected_to_shoot",
    "unit_to_move",
)  # fmt: skip
"""Triggers that only abilities of army lists wait for."""

ELSEWHERE = {
    *DISPUTES,  # only when the players ask for it, as for another mission
    "mission",
    "lethal_hits",  # only in battles with that option
    # test_deployment plays these; the sample has neither lists nor transports
    *mission.QUESTIONS,
    *formations.QUESTIONS,
    *deployment.QUESTIONS,
    *scouts.QUESTIONS,
    *reserves.QUESTIONS,
    *transports.QUESTIONS,
    *destroyed_transports.QUESTIONS,
    *firing_deck.QUESTIONS,
    f"react.{UNIT_ABOUT_TO_SHOOT}",
    *aircraft.QUESTIONS,
    "react.unit_destroyed",  # the end of a mission, which nobody is asked about
    "react.phase_ended",  # Rapid Ingress needs Reserves
    "react.unit_set_up",  # nobody is set up during a battle yet
    "react.unit_to_shoot",  # offered among the units to shoot with
    "react.formations",  # what abilities of other editions do then
    "react.charge_declared",  # only with windows=all: waiting for the roll is always better
    # test_moments_discipline plays these; the sample has no abilities beside the core ones
    *deeds.QUESTIONS,
    *returning.QUESTIONS,
    *extra_moves.QUESTIONS,
    *(f"react.{trigger}" for trigger in ABILITIES),
}

COMMON = {
    "move_with", "move", "complete_move", "charge_with", "charge_targets", "charge_move", "fight_with", "pile_in",
    "consolidate", "react.unit_move_began", "react.unit_move_ended",
}  # fmt: skip


def invariant(b: Battle[Any, Any, Any, Any]) -> str | None:
    """What must be true at every question."""
    models = np.flatnonzero(b.state.models.place == TABLE)
    for player in b.state.players:
        if player.cp < 0:
            return f"{player.name} has {player.cp} CP"
    key = b.state.version
    if key == _looked.get("version"):
        return None
    _looked["version"] = key
    for i in models:
        if not on_table(b.bodies, b.shapes, int(i), b.terrain.size):
            return f"model {i} is off the table"
    low = b.state.models.pos[models, 2]
    high = low + b.shapes.height[b.ground.shape[models]]
    level = (low[:, None] < high[None, :]) & (low[None, :] < high[:, None])
    clash = level & (gaps(b.bodies, b.shapes, models, models) < OVERLAP)
    np.fill_diagonal(clash, False)
    if clash.any():
        i, j = np.argwhere(clash)[0]
        return f"models {models[i]} and {models[j]} overlap"
    if b.state.step <= 5:
        for u in b.units():
            if u.moved == "" and not in_coherency(b, b.bodies, b.on_table(u)):
                return f"{u.name} is out of coherency at the start of a turn"
    return None


_looked: dict[str, int] = {}


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_battles_stand_every_proof(chunk: int) -> None:
    found = Findings()
    size = BATTLES // CHUNKS
    for seed in range(chunk * size, (chunk + 1) * size):
        found.add(prove(SYSTEM, lambda s=seed: sample(s, {}), seed, invariant=invariant, every=EVERY))  # type: ignore[misc]
    assert not found.faults, found.examples
    assert found.asked.keys() >= COMMON, COMMON - found.asked.keys()


def test_every_kind_of_question_is_asked() -> None:
    wanted = {*SYSTEM.questions, *(f"react.{trigger}" for trigger in SYSTEM.by_trigger)} - ELSEWHERE
    missing = set(wanted)
    for seed in range(30):
        setup, state = sample(seed, {}, turns=6)
        for player in state.players:
            player.cp = 4
        battle: Battle[Any, Any, Any, Any] = Battle(SYSTEM, setup, state, dice=KeyedDice(seed)).start()
        rng = Random(seed)
        while battle.decisions and missing:
            decision = battle.decisions[0]
            missing.discard(decision.kind)
            battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    assert not missing
