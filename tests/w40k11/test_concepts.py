"""Core concepts: armies, units, bases, friends and enemies, measuring."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k11.attack_sequence import HIT_MODIFIER
from sandtable.systems.w40k11.concepts import distance, furthest_part, is_friendly, wholly_within, within
from sandtable.systems.w40k11.deadly_demise import units_near
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.visibility import sees
from sandtable.table.grid import STEP, steps
from w40k11.arms import changed, face_off, gun, outcomes, shoot, target
from w40k11.table import (
    FOE,
    TANK,
    TROOPER,
    Spots,
    feature,
    give,
    kinds,
    named,
    row,
    situation,
    unit,
)

rule = pytest.mark.rule


def pair(gap: float, doc: dict[str, Any] = TROOPER, **more: Any) -> Battle11:
    """Two enemies, the Blues on a base of 1" so far to the right of 10.5"."""
    return situation([unit("Reds", "red", doc, [(10, 10)]), unit("Blues", "blue", TROOPER, [(11 + gap, 10)])], **more)


def apart(b: Battle11, one: str = "Reds", other: str = "Blues") -> float:
    """The distance between two units in inches."""
    return round(distance(b, named(b, one), named(b, other)) / STEP, 3)


# --- Armies -----------------------------------------------------------------------------------------------------------

ARMIES = {"red": "necrons-1000-silver-tide", "blue": "orks-1000-dreads"}


@rule("w40k11.concept.army", check=1)
def test_every_model_is_in_one_unit_of_one_army() -> None:
    b = situation([], lists=ARMIES)
    owners = [[u.player for u in b.units() if m in u.models] for m in range(len(b.setup.shape_of))]
    assert (owners.count([0]), owners.count([1])) == (52, len(owners) - 52)


@rule("w40k11.concept.army", check=2)
@pytest.mark.parametrize("active", ["red", "blue"])
def test_who_owns_models_decides_about_them_in_every_turn(active: str) -> None:
    wraiths = UnitDoc(name="Canoptek Wraiths", player="red", positions=((10, 20), (13, 20), (16, 20)))
    kans = UnitDoc(name="Killa Kans", player="blue", positions=((10, 10), (13, 10), (30, 10)))
    b = situation([wraiths, kans], step="end_of_turn", active=active, lists=ARMIES)
    assert ([(d.kind, d.player, d.unit) for d in b.decisions]) == [("stragglers", 1, named(b, "Killa Kans").id)]


# --- Units ------------------------------------------------------------------------------------------------------------


@rule("w40k11.concept.unit", check=1)
def test_an_effect_on_a_unit_of_one_model_works_on_it() -> None:
    b = shoot(changed(face_off(gun(), dice={"hit": [2], "wound": [1]}), HIT_MODIFIER, 1))
    assert (len(named(b, "Reds").models), outcomes(b)[0]["hits"]) == (1, 1)


@rule("w40k11.concept.unit", check=2)
def test_an_effect_on_a_unit_works_on_each_of_its_models_and_on_nobody_else() -> None:
    b = changed(face_off(gun(), shooters=3, dice={"hit": [2, 2, 2, 2], "wound": [1] * 3}), HIT_MODIFIER, 1)
    shoot(shoot(b), "Spares", "Bystanders")
    assert [found["hits"] for found in outcomes(b)] == [3, 0]


# --- Bases and hulls --------------------------------------------------------------------------------------------------


def seen_past(base: float) -> bool:
    """Whether a model is seen past a block that hangs so high above the ground."""
    block = feature("razorwire", (14, 5, 1, 10), 6 - base, base=base, solid=True)
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(20, 10)])], [block])
    return sees(b, named(b, "Reds"), named(b, "Blues"))


@rule("w40k11.concept.base", check=1)
def test_a_model_is_seen_by_its_base_alone() -> None:
    assert [seen_past(0.2), seen_past(0)] == [True, False]


@rule("w40k11.concept.base", check=2)
def test_distances_to_a_model_without_a_base_go_to_its_hull() -> None:
    assert [apart(pair(4, TANK)), apart(pair(4))] == [2.5, 4]


@rule("w40k11.mv.frame", check=1)
def test_what_reaches_out_from_a_hull_counts_for_measuring() -> None:
    assert [apart(pair(6, {**TANK, "base": f"hull {length}x3"})) for length in (4, 8)] == [4.5, 2.5]


@rule("w40k11.mv.frame", check=2)
def test_a_hull_turns_around_its_middle_for_nothing() -> None:
    b = pair(20, {**TANK, "move": 0})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "paths": {1: [{"to": [10, 10], "facing": 90, "do": "turn"}]}})
    assert (b.state.models.pos[0].tolist(), b.unit(0).walked, kinds(b)) == (
        [steps(10), steps(10), 0],
        (0,),
        ["shoot_with"],
    )


# --- Friends and enemies ----------------------------------------------------------------------------------------------


@rule("w40k11.concept.friend_foe", check=1)
def test_a_rule_that_names_no_side_catches_units_of_both() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10)]),
            unit("Friends", "red", TROOPER, [(13, 10)]),
            unit("Blues", "blue", TROOPER, [(10, 13)]),
            FOE,
        ]
    )
    assert sorted(u.name for u in units_near(b, 0)) == ["Blues", "Friends"]


@rule("w40k11.concept.friend_foe", check=2)
def test_units_of_one_army_are_friends() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Friends", "red", TROOPER, [(13, 10)]), FOE])
    reds = named(b, "Reds")
    assert [is_friendly(b, reds, named(b, name)) for name in ("Reds", "Friends", "Foes")] == [True, True, False]


# --- Measuring --------------------------------------------------------------------------------------------------------


@rule("w40k11.concept.measuring", check=1)
def test_everybody_measures_what_they_like_at_any_time() -> None:
    b = face_off(gun(), gap=9)
    before = (kinds(b), len(b.events))
    found = [apart(b, "Blues", "Reds"), apart(b, "Reds", "Blues")]
    assert (found, kinds(b), len(b.events)) == ([9, 9], *before)


@rule("w40k11.concept.measuring", check=2)
def test_distances_run_between_the_nearest_points_of_bases() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(13, 14)])])
    assert apart(b) == 4


@rule("w40k11.concept.measuring", check=3)
def test_the_distance_between_units_is_that_of_their_nearest_models() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (10, 10))), unit("Blues", "blue", TROOPER, row(3, (20, 10), (0, 1.5)))]
    )
    assert apart(b) == 6


@rule("w40k11.gap.within", check=1)
def test_within_a_distance_includes_the_distance() -> None:
    b = pair(3)
    reds, blues = named(b, "Reds"), named(b, "Blues")
    assert [within(b, reds, blues, steps(3)), within(b, reds, blues, steps(3) - 1)] == [True, False]


SQUARE = [(steps(x), steps(y)) for x, y in ((10, 10), (20, 10), (20, 20), (10, 20))]


def wholly(at: tuple[float, float]) -> bool:
    """Whether a base of 1" is wholly within a square from 10 to 20 inches."""
    b = situation([unit("Reds", "red", TROOPER, [at]), FOE])
    return wholly_within(b, b.bodies, 0, SQUARE)


@rule("w40k11.gap.within", check=2)
def test_wholly_within_means_every_part_of_the_base() -> None:
    assert [wholly((10.5, 15)), wholly((10.4, 15)), wholly((15, 19.5)), wholly((25, 15))] == [True, False, True, False]


@rule("w40k11.gap.within", check=2)
def test_wholly_within_a_distance_goes_to_the_furthest_part() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TROOPER, [(13, 10), (16, 10)])])
    assert round(furthest_part(b, b.bodies, 0, [1, 2]) / STEP, 3) == 3


def hits(at: Spots, terrain: list[Any]) -> int:
    """How many 3s of four hit with BS 3+ at a target that stands there: none if it is in cover."""
    b = shoot(face_off(gun(attacks="4"), target(wounds=9), blue_at=at, terrain=terrain,
                       dice={"hit": [3] * 4, "wound": [1] * 4}))  # fmt: skip
    return int(outcomes(b)[0]["hits"])


@rule("w40k11.gap.within", check=3)
def test_within_an_area_means_any_part_of_the_base() -> None:
    crater = [feature("crater", (20, 5, 5, 8))]
    assert [hits([(19.6, 8)], crater), hits([(19.5, 8)], crater)] == [0, 4]


@rule("w40k11.gap.within", check=4)
def test_more_than_eight_inches_means_that_eight_is_too_close() -> None:
    b, far = pair(8), pair(8.01)
    found = [within(x, named(x, "Reds"), named(x, "Blues"), steps(8)) for x in (b, far)]
    assert found == [True, False]
