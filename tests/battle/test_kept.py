"""A function that keeps its values works each of them out once, for as long as what it reads stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from sandtable.battle import GONE, Effect, World
from sandtable.battle.kept import (
    EFFECTS,
    EVERYTHING,
    KEEPERS,
    LOSSES,
    PLACES,
    PLACES_OF_THESE,
    SETUP,
    Reads,
    kept,
    remember,
)
from sandtable.battle.stale import StaleValue, watching
from sandtable.battle.state import AnyUnit, new_version
from sandtable.table.grid import Ints
from support.games import AnyBattle, new

Change = Callable[[AnyBattle], None]
worked: list[Any] = []


def looker(*reads: Reads) -> Callable[[Any], bool]:
    """Says whether a value about the first unit has to be worked out anew."""

    @kept(*reads)
    def look(w: AnyBattle, unit: AnyUnit) -> int:
        worked.append(unit.id)
        return 1

    def anew(battle: AnyBattle) -> bool:
        worked.clear()
        assert look(battle, battle.units()[0]) == 1
        return bool(worked)

    return anew


def moves(unit: int) -> Change:
    return lambda b: b.move_models(b.unit(unit).models[:1], [(2048 + 100 * unit, 1024, 0)])


def loses(unit: int) -> Change:
    return lambda b: b.place_models(b.unit(unit).models[-1:], GONE)


def is_affected(b: AnyBattle) -> None:
    b.add_effect(Effect("slow"))


def is_set(b: AnyBattle) -> None:
    b.set_clock(round=b.state.round + 1)


def is_hurt(b: AnyBattle) -> None:
    b.set_wounds(b.units()[0].models[0], 1)


def test_what_is_is_not_worked_out_anew_after_what_would_be() -> None:
    battle = new()
    anew = looker(EVERYTHING)
    assert anew(battle)
    state = battle.state.copy()
    state.stamp = new_version()
    assert anew(World(battle.system, battle.setup, state, battle.ground))
    assert not anew(battle)


CHANGES: dict[str, Change] = {
    "it moves": moves(0),
    "another moves": moves(1),
    "it loses a model": loses(0),
    "another loses a model": loses(1),
    "an effect": is_affected,
    "the round": is_set,
    "a wound": is_hurt,
}
ENDS: dict[tuple[Reads, ...], set[str]] = {
    (SETUP,): set(),
    (LOSSES,): {"it loses a model", "another loses a model"},
    (PLACES_OF_THESE,): {"it moves", "it loses a model"},
    (PLACES,): {"it moves", "another moves", "it loses a model", "another loses a model"},
    (PLACES, EFFECTS): {"it moves", "another moves", "it loses a model", "another loses a model", "an effect"},
    (EFFECTS,): {"an effect"},
    (LOSSES, EFFECTS): {"it loses a model", "another loses a model", "an effect"},
    (PLACES, LOSSES): {"it moves", "another moves", "it loses a model", "another loses a model"},
    (EVERYTHING, PLACES): set(CHANGES),
}


@pytest.mark.parametrize("reads", ENDS, ids=lambda reads: " and ".join(r.name.lower() for r in reads))
def test_a_value_lasts_until_something_changes_that_its_function_reads(reads: tuple[Reads, ...]) -> None:
    anew = looker(*reads)
    battle = new()
    assert anew(battle)
    ended = set()
    for name, change in CHANGES.items():
        change(battle)
        if anew(battle):
            ended.add(name)
        assert not anew(battle)
    assert ended == ENDS[reads]


def test_two_units_are_followed_and_neither_order_nor_third_ones_are_mixed_up() -> None:
    @kept(PLACES_OF_THESE)
    def pair(w: AnyBattle, one: AnyUnit, other: AnyUnit) -> tuple[int, int]:
        worked.append((one.id, other.id))
        return one.id, other.id

    battle = new()
    one, other, third = battle.units()[:3]
    worked.clear()
    assert pair(battle, one, other) == (0, 1) and pair(battle, other, one) == (1, 0)
    moves(2)(battle)
    assert pair(battle, one, other) == (0, 1)
    assert worked == [(0, 1), (1, 0)]
    moves(1)(battle)
    assert pair(battle, one, other) == (0, 1) and pair(battle, one, third) == (0, 2)
    assert worked[2:] == [(0, 1), (0, 2)]


def test_units_count_by_their_numbers_and_arrays_by_what_stands_in_them() -> None:
    @kept(SETUP)
    def sums(w: AnyBattle, units: Sequence[AnyUnit], rows: Ints, *, twice: bool = False) -> int:
        worked.append(len(units))
        return (len(units) + int(rows.sum())) * (1 + twice)

    battle = new()
    units = battle.units()[:2]
    worked.clear()
    assert sums(battle, units, np.array([1, 2])) == 5
    assert sums(battle, list(units), np.array([1, 2])) == 5
    assert len(worked) == 1
    assert sums(battle, units[:1], np.array([1, 2])) == 4
    assert sums(battle, units, np.array([1, 3])) == 6
    assert sums(battle, units, np.array([1, 2]), twice=True) == 10
    assert len(worked) == 4


def test_nothing_is_a_value_too() -> None:
    @kept(PLACES)
    def none(w: AnyBattle) -> None:
        worked.append(0)

    battle = new()
    worked.clear()
    for _ in range(3):
        none(battle)
    assert worked == [0]


def test_a_value_that_came_with_others_can_be_remembered() -> None:
    @kept(PLACES)
    def seen(w: AnyBattle, one: AnyUnit, other: AnyUnit) -> bool:
        worked.append(0)
        return False

    battle = new()
    one, other = battle.units()[:2]
    worked.clear()
    remember(seen, True, battle, one, other)
    assert seen(battle, one, other) is True
    remember(seen, False, battle, one, other)
    assert seen(battle, one, other) is True
    moves(0)(battle)
    assert seen(battle, one, other) is False


def test_a_function_that_reads_more_than_it_says_is_found() -> None:
    @kept(PLACES)
    def this_round(w: AnyBattle) -> int:
        return int(w.state.round)

    battle = new()
    this_round(battle)
    is_set(battle)
    before = this_round(battle)
    with watching(), pytest.raises(StaleValue, match=f"this_round.*kept {before}, but now it is {before + 1}"):
        this_round(battle)
    assert this_round(battle) == before
    with watching(collect=True) as watch:

        @kept(PLACES)
        def late(w: AnyBattle) -> int:
            return int(w.state.round)

        late(battle)
        is_set(battle)
        late(battle)
    assert [name.rpartition(".")[2] for name in watch.found] == ["late"]


def test_what_cannot_be_followed_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match="takes 0 units"):

        @kept(PLACES_OF_THESE)
        def nobody(w: AnyBattle) -> int:
            return 1

    with pytest.raises(TypeError, match=r"'\*models' cannot be part"):

        @kept(PLACES)
        def many(w: AnyBattle, *models: int) -> int:
            return 1

    with pytest.raises(TypeError, match="reads PLACES"):

        @kept(PLACES_OF_THESE, EFFECTS)
        def mixed(w: AnyBattle, unit: AnyUnit) -> int:
            return 1


def test_a_keeping_function_shows_itself_as_the_one_that_was_written() -> None:
    @kept(SETUP)
    def named(w: AnyBattle, size: int = 3) -> int:
        """The size."""
        return size

    assert (named.__name__, named.__doc__, named(new())) == ("named", "The size.", 3)
    assert KEEPERS[-1].function is named
