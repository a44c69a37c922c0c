"""Coherency: when a unit stands together, and what it loses at the end of a turn where it does not."""

from __future__ import annotations

import pytest

from sandtable.systems.w40k11.coherency import in_coherency
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.strength import below_half
from w40k11.table import (
    TARGET,
    TROOPER,
    Spots,
    alive,
    asked,
    default,
    give,
    judge,
    kinds,
    named,
    places,
    refused_by,
    rolls,
    row,
    situation,
    unit,
)

rule = pytest.mark.rule


def holds(at: Spots) -> bool:
    """Whether a unit that stands like that is in coherency."""
    b = situation([unit("Reds", "red", TROOPER, at), unit("Blues", "blue", TROOPER, [(40, 25)])])
    return in_coherency(b, b.bodies, b.on_table(named(b, "Reds")))


@rule("w40k11.coherency.definition", check=1)
def test_two_inches_to_the_next_comrade_are_enough_and_more_are_not() -> None:
    assert [holds([*row(3, (10, 10)), (13 + gap + 1, 10)]) for gap in (2, 2.1)] == [True, False]


@rule("w40k11.coherency.definition", check=1)
def test_a_move_that_leaves_a_model_behind_is_refused_as_a_whole() -> None:
    b = situation([unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Blues", "blue", TROOPER, [(40, 25)])])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [[10, 14]]}, "w40k11.coherency.definition")
    assert judge(b, "move", {"mode": "normal", "to": [[10, 12]]})


@rule("w40k11.coherency.definition", check=2)
@pytest.mark.parametrize(("step", "together"), [(2.5, True), (2.525, False)])
def test_no_two_models_are_further_apart_than_nine_inches(step: float, together: bool) -> None:
    assert holds(row(5, (10, 10), (step, 0))) is together


@rule("w40k11.coherency.definition", check=3)
@pytest.mark.parametrize(("up", "together"), [(5, True), (5.1, False)])
def test_five_inches_up_or_down_to_every_comrade(up: float, together: bool) -> None:
    assert holds([(10, 10), (11.5, 10, up / 2), (13, 10, up)]) is together
    assert holds([(10, 10), (11.5, 10, up)]) is together


@rule("w40k11.coherency.definition", check=4)
@pytest.mark.parametrize("count", [2, 6, 7])
def test_one_neighbour_is_enough_for_any_number_of_models(count: int) -> None:
    assert holds(row(count, (10, 10), (1.6, 0)))


@rule("w40k11.coherency.definition", check=4)
def test_seven_in_pairs_need_one_neighbour_each() -> None:
    pairs: Spots = [(10, 10), (11, 10), (14.5, 10), (15.5, 10), (10, 14), (11, 14), (12, 14)]
    assert [holds(pairs), holds([*pairs[:-2], (12, 18), (13, 18)])] == [True, False]


@rule("w40k11.coherency.definition", check=5)
def test_a_lone_model_is_always_in_coherency() -> None:
    assert [holds([(10, 10)]), holds([(10, 10), (15, 10)])] == [True, False]


@rule("w40k11.coherency.definition", check=6)
@pytest.mark.parametrize(("x", "together"), [(18, True), (18.1, False)])
def test_two_clusters_within_nine_inches_need_no_chain(x: float, together: bool) -> None:
    assert holds([(9, 10), (10.5, 10), (x - 1.5, 10), (x + 1, 10)]) is together


# --- The end of a turn ------------------------------------------------------------------------------------------------

TORN: Spots = [*row(5, (5, 10)), (25, 10), (25, 14), (25, 18)]
"""Five together, and three on their own"""


def torn(at: Spots = TORN, doc: dict[str, object] | None = None) -> Battle11:
    """The turn ends while the Reds stand like that."""
    return situation(
        [unit("Reds", "red", doc or TROOPER, at), unit("Blues", "blue", TROOPER, [(27, 11)])], step="regain_coherency"
    )


@rule("w40k11.coherency.regain", check=1)
@pytest.mark.parametrize("active", ["red", "blue"])
def test_both_players_look_after_their_units_at_the_end_of_each_turn(active: str) -> None:
    others = unit("Blues", "blue", TROOPER, [(x, y + 10) for x, y in row(3, (5, 10), (6, 0))])
    b = situation([unit("Reds", "red", TROOPER, TORN), others], step="regain_coherency", active=active, dice=[6, 6])
    first = asked(b, "stragglers").player
    default(b, "stragglers")
    second = asked(b, "stragglers").player
    default(b, "stragglers")
    assert ({first, second}, alive(b, "Reds"), alive(b, "Blues"), "stragglers" in kinds(b)) == ({0, 1}, 5, 1, False)


@rule("w40k11.coherency.regain", check=2)
def test_the_owner_says_who_goes() -> None:
    b = torn([(5, 10), (9, 10)])
    give(b, "stragglers", [0])
    assert places(b, "Reds") == [(9, 10, 0)]


@rule("w40k11.coherency.regain", check=3)
def test_no_more_models_go_than_needed() -> None:
    b = torn()
    verdict = refused_by(b, "stragglers", [5, 6, 7, 0], "w40k11.coherency.regain")
    give(b, "stragglers", [5, 6, 7])
    assert (sorted(verdict.instead), alive(b, "Reds"), kinds(b)) == ([5, 6, 7], 5, ["move_with"])


@rule("w40k11.coherency.regain", check=3)
def test_nobody_goes_from_a_unit_in_coherency() -> None:
    assert kinds(torn(row(5, (5, 10)))) == ["move_with"]


@rule("w40k11.coherency.regain", check=4)
def test_who_goes_sets_nothing_off() -> None:
    b = torn(doc={**TARGET, "abilities": ["deadly demise 1"]})
    default(b, "stragglers")
    assert (alive(b, "Reds"), rolls(b)) == (5, [])


@rule("w40k11.coherency.regain", check=5)
def test_who_goes_counts_as_destroyed() -> None:
    b = torn([*row(3, (5, 10)), (25, 10), (25, 14), (25, 18), (5, 20)])
    default(b, "stragglers")
    assert below_half(b, named(b, "Reds"))
