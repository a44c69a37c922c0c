"""Random battles with army lists, under a referee; `make battles` plays 500 of them."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable.battle import Battle, questions
from sandtable.battle.dice import KeyedDice
from sandtable.kit.layouts import layouts
from sandtable.systems.w40k10.mission import missions
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from w40k10.battles import Referee, lists, matches, referee, start, watch

NUMBERS = [n for n in range(36) if n % 4 == 0 or n % 12 == 1]
"""Of the tour, those with small armies and some with large ones."""
EVERY = 29
"""Purity is looked at once in so many decisions."""
PROOFS = 12
"""One battle in so many stands the proofs of the discipline, too."""


@pytest.mark.parametrize("number", NUMBERS)
def test_a_battle_keeps_its_invariants(number: int) -> None:
    match = next(islice(matches(), number, None))
    found = referee(match, EVERY) if number % PROOFS == 0 else watch(match)
    assert not found.faults, (str(match), found.examples)


def test_the_tour_of_500_meets_every_list_mission_and_layout() -> None:
    tour = list(islice(matches(), 500))
    assert {m.red for m in tour} == {m.blue for m in tour} == {p.stem for paths in lists().values() for p in paths}
    assert {(m.mission, m.layout) for m in tour} == {(m, t) for m in missions() for t in layouts()}


# --- The referee finds what is wrong ----------------------------------------------------------------------------------


def in_the_second_round() -> tuple[Battle10, Referee]:
    """A battle some way on, with nothing to complain of so far."""
    setup, state = start(next(matches((1000,))))
    battle: Battle[Any, Any, Any, Any] = Battle(SYSTEM, setup, state, dice=KeyedDice(5)).start()
    watch, rng = Referee(), Random(5)
    while battle.state.round < 2:
        assert watch.look(battle) is None
        decision = battle.decisions[0]
        battle.answer(decision, next(questions.suggest(battle, decision, rng)))
    assert watch.look(battle) is None
    assert watch.turns == 2
    return battle, watch


def test_the_referee_sees_bases_that_overlap_or_hang_over_the_edge() -> None:
    b, watch = in_the_second_round()
    one, other = b.all_on_table()[:2]
    x, y, z = (int(v) for v in b.state.models.pos[one])
    b.move_models([int(other)], [(x, y, z)])
    assert "overlap" in str(watch.look(b))
    b.move_models([int(other)], [(0, 0, 0)])
    assert "hangs over the edge" in str(watch.look(b))


def test_the_referee_recounts_the_score() -> None:
    b, watch = in_the_second_round()
    b.set_player(b.player(0), vp=b.player(0).vp + 1)
    assert "VP instead of" in str(watch.look(b))


def test_the_referee_sees_points_and_wounds_below_zero() -> None:
    b, watch = in_the_second_round()
    b.set_player(b.player(1), cp=-1)
    b.set_wounds(0, -1)
    found = str(watch.look(b))
    assert "-1 CP" in found
    assert "less than no wounds" in found


def test_the_referee_looks_for_coherency_at_the_end_of_a_turn() -> None:
    b, watch = in_the_second_round()
    unit = next(u for u in b.units() if len(b.on_table(u)) > 1)
    watch.pos[b.on_table(unit)[0]] += 20_000
    watch.coherency(b)
    assert f"{unit.name} is out of coherency at the end of a turn" in watch.faults
