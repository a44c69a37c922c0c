"""Coherency, distances, and who is whose enemy."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k8.concepts import are_enemies, distance, within
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps, units
from support.acting import judge, offered, refused_by
from w40k8.table import INCH, Spots, alive, bare, give, gun, kinds, named, rolls, sheet, situation, stay, told, unit

rule = pytest.mark.rule
COHERENCY = "w40k8.concept.coherency"


def charging(*others: tuple[float, ...], roll: tuple[int, int] = (6, 6), **more: Any) -> Battle8:
    """A red model at (13, 10), with others of its unit, is about to make its charge move at a blue one at (20, 10)."""
    reds = unit("Reds", "red", sheet(name="Red"), [(13, 10), *others])
    blues = unit("Blues", "blue", bare(), [(20, 10)])
    b = situation([reds, blues], step="charge_phase", dice={"charge": list(roll)}, **more)
    give(b, "charge_with", "Reds")
    return b


def to(*spots: tuple[float, ...] | None) -> dict[str, Any]:
    """A charge move that takes models straight to places; None for those that stay."""
    return {"mode": "charge", "to": [None if s is None else list(s) for s in spots]}


LEAD = (18.5, 10.0)
"""Where the first model ends its charge, half an inch from the enemy."""


def ends_coherent(*others: tuple[float, ...]) -> bool:
    """Whether the first model may charge while the others of its unit stay where they are."""
    return bool(judge(charging(*others), "charge_move", to(LEAD, *(None for _ in others))))


# --- Coherency --------------------------------------------------------------------------------------------------------


@rule("w40k8.concept.coherency", check=1)
def test_two_inches_apart_is_together_and_no_further() -> None:
    assert [ends_coherent((18.5, 13)), ends_coherent((18.5, 13.01))] == [True, False]
    refused_by(charging((18.5, 13.01)), "charge_move", to(LEAD, None), COHERENCY)


@rule("w40k8.concept.coherency", check=2)
def test_six_inches_up_is_together_and_no_further() -> None:
    assert [ends_coherent((18.5, 11.5, 6)), ends_coherent((18.5, 11.5, 6.01))] == [True, False]


@rule("w40k8.concept.coherency", check=3)
def test_both_limits_are_met_with_one_and_the_same_model() -> None:
    above: tuple[float, ...] = (18.5, 11.5, 7)
    assert [ends_coherent(above, (18.5, 16, 7)), ends_coherent(above, (18.5, 13, 3.5))] == [False, True]


@rule("w40k8.concept.coherency", check=4)
def test_one_neighbour_is_enough_in_a_unit_of_any_size() -> None:
    line = [(18.5, 13.0 + 3 * i) for i in range(6)]
    assert [ends_coherent(*line), ends_coherent(*line[1:])] == [True, False]


@rule("w40k8.concept.coherency", check=7)
def test_a_single_model_is_always_together() -> None:
    assert [ends_coherent(), ends_coherent((13, 11.5))] == [True, False]


@rule("w40k8.concept.coherency", check=8)
def test_two_groups_are_not_together() -> None:
    pair: list[tuple[float, ...]] = [(18.5, 11.5), (18.5, 16), (18.5, 17.5)]
    assert [ends_coherent(*pair), ends_coherent(*pair[:1], (18.5, 13), *pair[2:])] == [False, False]
    assert ends_coherent(pair[0], (18.5, 14.5), *pair[1:])


def split_by_overwatch() -> Battle8:
    """Three models in a line, of which the middle one falls to Overwatch; the rest may charge 12"."""
    veteran = [{"models": [2], "sheet": bare(name="Veteran")}]
    reds = unit("Reds", "red", bare(name="Red"), [(13, 10), (13, 12.5), (13, 15)], loadout=veteran)
    blues = unit("Blues", "blue", sheet(gun(), name="Gunner"), [(20, 10)])
    b = situation([reds, blues], step="charge_phase", dice={"hit": [6], "wound": [6], "charge": [6, 6]})
    give(b, "charge_with", "Reds")
    give(b, "overwatch", True)
    give(b, "shoot", [{"weapon": "gun", "target": "Reds"}])
    give(b, "allocate", "Veteran 2")
    return b


@rule("w40k8.concept.coherency_restore", check=1)
def test_a_unit_that_is_split_loses_no_further_models() -> None:
    b = split_by_overwatch()
    refused_by(b, "charge_move", to(LEAD, None), COHERENCY)
    give(b, "charge_move", to(LEAD, (18.5, 12)))
    assert alive(stay(b), "Reds") == 2


@rule("w40k8.concept.coherency_restore", check=2)
def test_the_next_move_of_a_split_unit_has_to_bring_it_together() -> None:
    b = split_by_overwatch()
    refused_by(b, "charge_move", to(LEAD, (13, 14)), COHERENCY)
    assert judge(b, "charge_move", to(LEAD, (18.5, 13)))


@rule("w40k8.concept.coherency_restore", check=3)
def test_a_split_unit_shoots_and_fights_where_it_stands() -> None:
    reds = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 10), (10, 20)])
    units_ = [reds, unit("Blues", "blue", bare(), [(11.5, 10)]), unit("Far", "blue", bare(), [(20, 25)])]
    shooting = situation([reds, units_[2]], step="shoot_units")
    b = situation(units_, step="fight_units", dice={"hit": [1]})
    refused_by(b, "pile_in", {"mode": "pile_in", "to": [[10.4, 10], None]}, COHERENCY)
    give(stay(b), "strike", [{"weapon": "Red", "target": "Blues"}])
    assert (offered(shooting, "shoot_with"), rolls(b)) == (["Reds"], [("hit", (1,))])


@rule("w40k8.concept.coherency_restore", check=4)
def test_a_split_unit_that_does_not_move_suffers_nothing() -> None:
    b = split_by_overwatch()
    refused_by(b, "charge_move", to(LEAD, None), COHERENCY)
    give(b, "charge_move", {"mode": "fail"})
    assert (kinds(b), alive(b, "Reds"), told(b)[-1]) == ([], 2, "morale_passed")


# --- Distances --------------------------------------------------------------------------------------------------------


def apart(red: Spots, blue: Spots, *, base: str = INCH) -> Battle8:
    """Two units somewhere."""
    doc = {**sheet(name="Red"), "base": base}
    return situation([unit("Reds", "red", doc, red), unit("Blues", "blue", bare(), blue)], step="charge_phase")


@rule("w40k8.concept.measuring", check=1)
def test_round_bases_are_measured_from_rim_to_rim() -> None:
    b = apart([(10, 10)], [(13, 14)])
    assert units(distance(b, named(b, "Reds"), named(b, "Blues"))) == 4


@rule("w40k8.concept.measuring", check=2)
def test_a_hull_is_measured_from_its_nearest_point() -> None:
    b = apart([(10, 10)], [(15, 10)], base="hull 4x2")
    assert units(distance(b, named(b, "Reds"), named(b, "Blues"))) == 2.5


@rule("w40k8.concept.measuring", check=5)
def test_height_counts() -> None:
    b = apart([(10, 10)], [(14, 10, 4)])
    assert units(distance(b, named(b, "Reds"), named(b, "Blues"))) == 5


@rule("w40k8.concept.within", check=3)
def test_a_unit_is_within_a_distance_if_any_of_its_models_is() -> None:
    b = apart([(5, 10), (10, 10)], [(21, 10), (30, 10)])
    found = [within(b, named(b, "Reds"), named(b, "Blues"), steps(n)) for n in (10, 9.99)]
    assert found == [True, False]


@rule("w40k8.concept.sides", check=(1, 2, 3))
def test_models_of_one_army_are_friends_and_all_others_enemies() -> None:
    other = unit("Others", "red", sheet(name="Red"), [(30, 10)])
    units_ = [unit("Reds", "red", sheet(name="Red"), [(10, 10)]), other, unit("Blues", "blue", bare(), [(15, 10)])]
    b = situation(units_, step="charge_phase")
    reds, others, blues = b.units()
    pairs = [(reds, others), (reds, reds), (reds, blues), (blues, others)]
    assert [are_enemies(b, one, two) for one, two in pairs] == [False, False, True, True]


# --- Heroes -----------------------------------------------------------------------------------------------------------


@rule("w40k8.charge.heroic", check=2)
def test_a_unit_that_is_no_character_does_not_intervene() -> None:
    hero = {**bare(name="Hero"), "keywords": ["CHARACTER"]}
    units_ = [
        unit("Reds", "red", sheet(name="Red"), [(10, 10)]),
        unit("Far", "red", sheet(name="Red"), [(40, 28)]),
        unit("Hero", "blue", hero, [(13, 10)]),
        unit("Squad", "blue", bare(), [(10, 13)], loadout=[{"models": [1], "sheet": bare()}]),
        unit("Mixed", "blue", bare(), [(10, 7), (10, 5.5)], loadout=[{"models": [2], "sheet": hero}]),
    ]
    b = situation(units_, step="heroic_interventions")
    refused_by(b, "intervene_with", "Squad", "w40k8.charge.heroic")
    assert offered(b, "intervene_with") == ["Hero"]
