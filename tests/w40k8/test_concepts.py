"""Coherency, distances, and who is whose enemy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from sandtable.battle.questions import check
from sandtable.battle.rulings import PutModel
from sandtable.battle.tables import FeatureDoc
from sandtable.kit.seeing import visible
from sandtable.systems.w40k8.concepts import distance, enemies, within
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps, units
from support.acting import judge, offered, refused_by, until
from w40k8.table import (
    INCH,
    Spots,
    alive,
    asked,
    bare,
    give,
    gun,
    kinds,
    named,
    rolls,
    sheet,
    shootout,
    situation,
    stay,
    told,
    unit,
)
from w40k8.test_before_the_battle import SPOTS, marked, prepare, spot

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
    assert [enemies(b, u) for u in b.units()] == [[blues], [blues], [reds, others]]


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


# --- Set-ups, measuring and terrain -----------------------------------------------------------------------------------


@rule("w40k8.concept.coherency", check=5)
def test_units_are_set_up_together_wherever_they_come_from() -> None:
    waiting = unit("Reds", "red", bare(name="Red"), off=2, reserve="teleport strike")
    car = bare(name="Car", keywords=["TRANSPORT"], transport={"capacity": 9, "carries": ["INFANTRY"]})
    rider = unit("Reds", "red", bare(name="Red", keywords=["INFANTRY"]), off=2, embarked="Car")
    far = unit("Blues", "blue", bare(), [(43, 29)])
    arrives = situation([waiting, unit("Others", "red", bare(), [(2, 28)]), far], step="reinforcements")
    give(arrives, "arrive_with", "Reds")
    leaves = situation([unit("Car", "red", car, [(10, 10)]), rider, far], step="move_units")
    give(leaves, "move_with", "Reds")
    deploys = marked(prepare([unit("Reds", "red", bare(), off=1), unit("Blues", "blue", bare(), off=2)]), *SPOTS)
    until(deploys, "deploy", 1)
    for b, kind, x, y in ((arrives, "arrive", 10, 10), (leaves, "disembark", 8.5, 10), (deploys, "deploy", 30, 40)):
        refused_by(b, kind, [[x, y], [x, y + 3.01]], COHERENCY)
        assert judge(b, kind, [[x, y], [x, y + 3]])


def gap_of(first: Any, second: Any, at: Spots | None = None) -> float:
    """How far apart two models with these datasheets are, whose centres are 10" apart."""
    b = situation(
        [unit("Reds", "red", first, at or [(10, 10)]), unit("Blues", "blue", second, [(20, 10)])], step="end_turn"
    )
    return round(units(distance(b, named(b, "Reds"), named(b, "Blues"))), 3)


@rule("w40k8.concept.measuring", check=3)
def test_what_sticks_out_over_a_base_is_not_measured() -> None:
    banner = sheet(gun(name="long gun", range_=48), name="Banner", height=6)
    assert [gap_of(bare(), bare()), gap_of(banner, banner)] == [9, 9]


@rule("w40k8.concept.measuring", check=4)
def test_either_player_measures_at_any_time() -> None:
    b = situation(
        [unit("Reds", "red", bare(), [(10, 10)]), unit("Blues", "blue", bare(), [(20, 10)])], step="move_units"
    )
    before = (len(b.events), kinds(b))
    found = [units(distance(v, v.unit(0), v.unit(1))) for v in (b.view(0), b.view(1))]
    assert (found, (len(b.events), kinds(b)) == before) == ([9, 9], True)


@rule("w40k8.concept.within", check=4)
def test_at_least_ten_inches_is_ten_inches() -> None:
    b = marked(prepare(), (30, 20))
    found = [check(b, asked(b, "place_marker"), spot(x, 20)).ok for x in (40, 39.99)]
    assert found == [True, False]


@rule("w40k8.gap.base_sizes", check=2)
def test_25_4_millimetres_are_an_inch() -> None:
    wide = bare(base="50.8mm")
    assert [gap_of(bare(base=INCH), bare(base=INCH)), gap_of(wide, wide), gap_of(wide, bare(base="hull 4x2"))] == [
        9,
        8,
        7,
    ]


@rule("w40k8.concept.wobbly_model", check=1)
def test_the_recorded_position_alone_counts() -> None:
    wall = FeatureDoc("wall", "wall", "The wall", (14, 8, 0.2, 4), height=8, solid=True)
    reds, blues = unit("Reds", "red", sheet(gun()), [(10, 10)]), unit("Blues", "blue", bare(), [(20, 10)])
    b = situation([reds, blues], step="move_units", terrain=[wall])

    def found() -> tuple[float, bool]:
        pair = named(b, "Reds"), named(b, "Blues")
        return round(units(distance(b, *pair)), 1), bool(visible(b, *pair).any())

    before = found()
    b.rule(PutModel(named(b, "Reds").models[0], steps(10), steps(20)))
    assert (before, found()) == ((9, False), (13.1, True))


@rule("w40k8.gap.sight_model", check=1)
@rule("w40k8.gap.sight_model", check=2)
@rule("w40k8.gap.sight_model", check=3)
def test_walls_hide_what_is_wholly_behind_them() -> None:
    def sees(*terrain: tuple[float, float, float]) -> bool:
        walls = [
            FeatureDoc("wall", f"wall{i}", "", (14, y, 0.2, d), height=h, solid=True)
            for i, (y, d, h) in enumerate(terrain)
        ]
        armies = [unit("Reds", "red", bare(), [(10, 10)]), unit("Blues", "blue", bare(), [(20, 10)])]
        b = situation(armies, step="end_turn", terrain=walls)
        return bool(visible(b, named(b, "Reds"), named(b, "Blues")).any())

    high, with_a_gap, low = ((2, 16, 4),), ((2, 7.8, 4), (10.2, 7.8, 4)), ((2, 16, 1),)
    assert [sees(*high), sees(*with_a_gap), sees(*low)] == [False, True, True]


@rule("w40k8.gap.terrain_kinds", check=1)
@rule("w40k8.concept.datasheet", check=2)
def test_terrain_without_a_datasheet_gives_cover_to_who_is_wholly_inside() -> None:
    def saved(wide: float) -> int:
        crater = FeatureDoc("crater", "crater", "A crater", (20, 7, wide, 4))
        dice = {"hit": [6], "wound": [6], "save": [3]}
        return alive(shootout(gun(), bare(save=4), terrain=[crater], dice=dice), "Blues")

    assert [saved(4), saved(1.4)] == [1, 0]


@rule("w40k8.gap.terrain_kinds", check=2)
@pytest.mark.parametrize(("kind", "fine"), [("crater", True), ("impassable", False)])
def test_terrain_of_other_kinds_is_crossed_on_foot(kind: str, fine: bool) -> None:
    ground = FeatureDoc(kind, "ground", "The ground", (12, 8, 1, 6))
    units = [unit("Reds", "red", bare(), [(11, 10)]), unit("Blues", "blue", bare(), [(40, 28)])]
    b = situation(units, step="movement_phase", terrain=[ground])
    give(b, "move_with", "Reds")
    assert judge(b, "move", {"mode": "normal", "to": [[14, 10]]}).ok == fine


@rule("w40k8.gap.terrain_kinds", check=2)
def test_solid_terrain_that_is_not_impassable_is_climbed_and_not_walked_through() -> None:
    rock = FeatureDoc("hill", "rock", "A rock", (12, 8, 1, 6), height=1, solid=True)
    units = [unit("Reds", "red", bare(), [(11, 10)]), unit("Blues", "blue", bare(), [(40, 28)])]
    b = situation(units, step="movement_phase", terrain=[rock])
    give(b, "move_with", "Reds")
    spots = [("go", 11.5, 0), ("climb", 11.5, 1), ("go", 13.5, 1), ("climb", 13.5, 0)]
    over = [{"do": do, "to": [x, 10, z]} for do, x, z in spots]
    refused_by(b, "move", {"mode": "normal", "paths": {1: [{"do": "go", "to": [14, 10]}]}}, "w40k8.move.terrain")
    assert judge(b, "move", {"mode": "normal", "paths": {1: over}})


@rule("w40k8.gap.terrain_kinds", check=2)
def test_nobody_ends_a_move_in_impassable_terrain() -> None:
    lava, flyer = FeatureDoc("impassable", "lava", "Lava", (12, 8, 2, 6)), sheet(name="Red", keywords=["FLY"])
    crater = FeatureDoc("crater", "crater", "A crater", (6, 6, 4, 8))
    reds, others = unit("Reds", "red", flyer, [(10, 10), (10, 11.5)]), unit("Others", "red", bare(), [(2, 28)])
    units = [reds, others, unit("Blues", "blue", bare(), [(40, 28)])]
    b = situation(units, step="move_units", terrain=[crater, lava])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [[11.6, 10], None]}, "w40k8.gap.terrain_kinds")
    refused_by(b, "move", {"mode": "normal", "to": [None, [11.6, 11.5]]}, "w40k8.gap.terrain_kinds")
    ends = [[[11.5, 10], None], [[14.5, 10], [14.5, 11.5]], [[8, 10], None]]
    assert [bool(judge(b, "move", {"mode": "normal", "to": to})) for to in ends] == [True, True, True]


@rule("w40k8.gap.terrain_kinds")
def test_nobody_on_foot_moves_through_impassable_terrain() -> None:
    lava = FeatureDoc("impassable", "lava", "Lava", (12, 8, 1, 6))

    def passes(end: Sequence[float], *keywords: str) -> bool:
        reds = unit("Reds", "red", sheet(name="Red", keywords=list(keywords)), [(11, 10)])
        units = [reds, unit("Others", "red", bare(), [(2, 28)]), unit("Blues", "blue", bare(), [(40, 28)])]
        b = situation(units, step="move_units", terrain=[lava])
        give(b, "move_with", "Reds")
        return bool(judge(b, "move", {"mode": "normal", "to": [end]}))

    assert [passes((14, 10)), passes((14, 10), "FLY"), passes((11, 14))] == [False, True, True]


@rule("w40k8.gap.terrain_kinds", check=2)
def test_one_model_in_impassable_terrain_is_enough() -> None:
    lava, flyer = FeatureDoc("impassable", "lava", "Lava", (12, 8, 2, 6)), sheet(name="Red", keywords=["FLY"])
    reds, others = unit("Reds", "red", flyer, [(9, 10), (10.5, 10)]), unit("Others", "red", bare(), [(2, 28)])
    b = situation([reds, others, unit("Blues", "blue", bare(), [(40, 28)])], step="move_units", terrain=[lava])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [[10, 10], [12, 10]]}, "w40k8.gap.terrain_kinds")
    assert judge(b, "move", {"mode": "normal", "to": [[10, 10], [11.5, 10]]}).ok


@rule("w40k8.gap.terrain_kinds", check=2)
def test_nobody_is_set_up_in_impassable_terrain() -> None:
    lava = FeatureDoc("impassable", "lava", "Lava", (12, 8, 2, 6))
    waiting = unit("Reds", "red", bare(name="Red"), off=1, reserve="teleport strike")
    others, far = unit("Others", "red", bare(), [(2, 28)]), unit("Blues", "blue", bare(), [(43, 29)])
    b = situation([waiting, others, far], step="reinforcements", terrain=[lava])
    give(b, "arrive_with", "Reds")
    refused_by(b, "arrive", [[13, 10]], "w40k8.gap.terrain_kinds")
    assert judge(b, "arrive", [[11.5, 10]])
