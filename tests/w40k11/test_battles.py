"""Whole battles of 11th edition, from deployment to the final score."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.battle.events import Told
from sandtable.forty.dataset_layouts import dataset_layouts
from sandtable.forty.dataset_missions import dataset_missions
from sandtable.kit.layouts import layouts
from sandtable.players.named import tactician
from sandtable.players.table import play
from sandtable.systems.w40k11.mission import missions
from sandtable.systems.w40k11.sample import sample
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.stratagems.using_stratagems import core_stratagems
from sandtable.systems.w40k11.system import SYSTEM
from support.discipline import prove
from support.tour import misplaced
from w40k11.battles import Eyes, fight, pairs


def begun(seed: int) -> Battle11:
    """The sample battle at its first question."""
    battle: Battle11 = Battle(SYSTEM, *sample(seed, SYSTEM.settle_options({})), dice=KeyedDice(seed), record=False)
    return battle.start()


@pytest.mark.parametrize("seed", range(4))
def test_a_battle_by_chance_goes_from_deployment_to_its_end(seed: int) -> None:
    b, rng = begun(seed), Random(seed)
    while b.decisions:
        decision = b.decisions[0]
        b.answer(decision, next(questions.suggest(b, decision, rng)))
        assert not list(misplaced(b))
    assert b.result is not None
    ends = [(5, "the last round has been played"), (b.state.round, "an army is destroyed")]
    assert (b.state.round, b.result.reason) in ends


def test_computer_players_fight_a_battle_to_its_end() -> None:
    b = begun(7)
    assert play(b, {0: tactician(), 1: tactician()})
    assert b.result is not None


@pytest.mark.parametrize("seed", [3, 7])
def test_the_tactician_uses_core_stratagems(seed: int) -> None:
    b = begun(seed)
    play(b, {0: tactician(), 1: tactician()})
    names = {card.name for card in core_stratagems()}
    used = {e.data["name"] for e in b.events if isinstance(e, Told) and e.kind == "stratagem"}
    assert len(names & used) >= 3


def test_all_pairs_of_factions_meet_on_all_missions_and_layouts() -> None:
    met = list(pairs())
    factions = {match.red for match in met}
    assert len(met) == len(factions) * (len(factions) + 1) // 2
    assert {match.mission.partition("@")[0] for match in met} == {*missions(), *dataset_missions()}
    assert {match.layout for match in met} == {*layouts(), *dataset_layouts()}


@pytest.mark.parametrize("number", [0, 86])
def test_factions_of_the_dataset_fight_to_the_end(number: int) -> None:
    assert not fight(next(islice(pairs(), number, None))).faults


def test_a_battle_by_chance_stands_every_proof_of_the_discipline() -> None:
    found = prove(SYSTEM, lambda: sample(3, SYSTEM.settle_options({})), 3, invariant=Eyes().look, every=23)
    assert not found.faults, found.examples
