"""Terrain: areas and categories, what is moved through and stood on, cover, hidden and obscured models."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.tables import FeatureDoc, FloorDoc
from sandtable.kit.seeing import visible
from sandtable.systems.w40k11.cover import in_cover
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.terrain import area_of, category_of
from sandtable.systems.w40k11.visibility import sees
from w40k11.arms import face_off, gun, shoot, target
from w40k11.table import (
    TANK,
    TROOPER,
    Doc,
    Spots,
    cites,
    feature,
    give,
    judge,
    kinds,
    named,
    places,
    situation,
    unit,
    until,
    wall,
)

rule = pytest.mark.rule

ELEVATED = {"w40k11.terrain.elevated"}

TOP = FloorDoc(z=4, rect=(14, 4, 8, 10))
RUIN = feature("ruins", (14, 4, 8, 10), 9, walls=(wall((14, 4), (14, 14), 4),), floors=(TOP,))
MOBILE: Doc = {**TANK, "keywords": ["VEHICLE", "MOBILE"], "base": "25.4mm", "height": 1.5, "move": 12}
CAR: Doc = {**MOBILE, "keywords": ["VEHICLE"]}
MONSTER: Doc = {**MOBILE, "keywords": ["MONSTER"]}


def moving(terrain: list[FeatureDoc], doc: Doc = TROOPER, at: tuple[float, ...] = (12, 9)) -> Battle11:
    """Reds are about to move."""
    b = situation([unit("Reds", "red", doc, [at]), unit("Blues", "blue", TROOPER, [(42, 28)])], terrain)
    give(b, "move_with", "Reds")
    return b


def arriving(doc: Doc, terrain: list[FeatureDoc]) -> Battle11:
    """A unit is about to arrive from strategic reserves."""
    late = unit("Late", "red", doc, off=1, reserve="strategic")
    units = [late, unit("Base", "red", TROOPER, [(1, 1)]), unit("Blues", "blue", TROOPER, [(42, 28)])]
    b = situation(units, terrain, round_=2)
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    return b


def said(b: Battle11, *legs: Any) -> set[str]:
    """The rules that refuse a Normal move along some points; none where it is allowed."""
    return cites(judge(b, "move", {"mode": "normal", "paths": {1: list(legs)}}))


def climb(*to: float) -> Doc:
    """A leg up or down."""
    return {"do": "climb", "to": list(to)}


# --- Areas and categories ---------------------------------------------------------------------------------------------

MAT = feature("area", (14, 4, 10, 10), id="yard")
IN_YARD = [MAT, feature("crater", (15, 5, 2, 2), id="yard/crater"), feature("ruins", (20, 10, 2, 2), 5, id="yard/ruin")]


def field(terrain: list[FeatureDoc]) -> Battle11:
    """A table with terrain, and somebody on both sides of it."""
    return situation([unit("Reds", "red", TROOPER, [(5, 9)]), unit("Blues", "blue", TROOPER, [(35, 9)])], terrain)


@rule("w40k11.terrain.area", check=1)
def test_every_feature_belongs_to_an_area() -> None:
    b = field([*IN_YARD, feature("crater", (30, 20, 3, 3))])
    assert [area_of(b, f) for f in range(4)] == [0, 0, 0, 3]


@rule("w40k11.terrain.area", check=2)
def test_a_lone_feature_is_an_area_by_itself() -> None:
    b = field([feature("crater", (10, 20, 3, 3)), feature("crater", (30, 20, 3, 3))])
    assert [area_of(b, f) for f in range(2)] == [0, 1]


@rule("w40k11.terrain.area", check=3)
def test_areas_are_the_same_when_the_battle_goes_on() -> None:
    b = field([*IN_YARD, feature("crater", (30, 20, 3, 3))])
    before = [area_of(b, f) for f in range(4)]
    until(b, "move_with", 1)
    assert (before, [area_of(b, f) for f in range(4)]) == ([0, 0, 0, 3], [0, 0, 0, 3])


@rule("w40k11.terrain.categories", check=1)
def test_a_category_belongs_to_a_feature() -> None:
    assert [category_of(f.kind) for f in IN_YARD] == ["exposed", "exposed", "dense"]


@rule("w40k11.terrain.categories", check=2)
def test_an_area_holds_features_of_several_categories() -> None:
    b = field(IN_YARD)
    found = {(area_of(b, f), category_of(b.table.features[f].kind)) for f in range(3)}
    assert found == {(0, "exposed"), (0, "dense")}


@rule("w40k11.terrain.categories", check=3)
@pytest.mark.parametrize(("kind", "seen"), [("crater", True), ("razorwire", True), ("debris", True), ("woods", False)])
def test_an_area_with_exposed_features_alone_hides_nobody(kind: str, seen: bool) -> None:
    b = field([feature(kind, (14, 4, 10, 10))])
    assert sees(b, named(b, "Reds"), named(b, "Blues")) is seen


# --- Moving -----------------------------------------------------------------------------------------------------------


@rule("w40k11.terrain.move_open", check=1)
@pytest.mark.parametrize(("kind", "far"), [("barricade", 24), ("crater", 24), ("ruins", 0)])
def test_a_tank_drives_through_a_barricade(kind: str, far: int) -> None:
    high = feature(kind, (16, 4, 0.5, 10), 3, solid=True)
    b = moving([high], CAR)
    assert (said(b, [24, 9]) == set()) is bool(far)


@rule("w40k11.terrain.move_open", check=2)
@pytest.mark.parametrize(("x", "refused"), [(15, False), (15.1, True)])
def test_height_counts_for_who_climbs_light_terrain(x: float, refused: bool) -> None:
    b = moving([feature("barricade", (14, 4, 6, 10), 3, solid=True)], {**TROOPER, "move": 6})
    assert ("w40k11.move.straight_line" in said(b, [13.5, 9], climb(13.5, 9, 3), [x, 9, 3])) is refused


@rule("w40k11.terrain.move_dense_foot", check=1)
@pytest.mark.parametrize(("doc", "through"), [(TROOPER, True), (CAR, False)])
def test_infantry_walks_through_a_wall(doc: Doc, through: bool) -> None:
    assert (said(moving([RUIN], doc), [16, 9]) == set()) is through


@rule("w40k11.terrain.move_dense_foot", check=2)
@pytest.mark.parametrize(("move", "allowed"), [(4, True), (3, False)])
def test_infantry_goes_up_through_a_ceiling_and_pays_for_it(move: int, allowed: bool) -> None:
    b = moving([RUIN], {**TROOPER, "move": move}, (18, 9))
    assert (said(b, climb(18, 9, 4)) == set()) is allowed


@rule("w40k11.terrain.move_dense_foot", check=3)
def test_a_mobile_model_goes_through_a_wall_but_not_through_a_ceiling() -> None:
    monster = {**MONSTER, "keywords": ["MONSTER", "MOBILE"]}
    through, up = said(moving([RUIN], monster), [16, 9]), said(moving([RUIN], monster, (18, 9)), climb(18, 9, 4))
    assert (through, bool(up)) == (set(), True)


@rule("w40k11.terrain.move_dense_foot", check=4)
def test_no_move_ends_inside_a_wall_or_a_floor() -> None:
    low = feature("ruins", (14, 4, 8, 10), 5, floors=(FloorDoc(z=1, rect=(14, 4, 8, 10)),))
    in_wall, past_it = said(moving([RUIN]), [14, 9]), said(moving([RUIN]), [15, 9])
    assert (bool(in_wall), past_it, "w40k11.terrain.move_dense_foot" in said(moving([low]), [17, 9])) == (
        True,
        set(),
        True,
    )


def walled(high: float) -> list[FeatureDoc]:
    """A ruin with one wall of a height."""
    return [feature("ruins", (14, 4, 8, 10), 9, walls=(wall((16, 4), (16, 14), high),))]


@rule("w40k11.terrain.move_dense_other", check=1)
@pytest.mark.parametrize(("high", "through"), [(2, True), (2.1, False)])
def test_a_vehicle_drives_through_low_parts(high: float, through: bool) -> None:
    assert (said(moving(walled(high), CAR), [20, 9]) == set()) is through


@rule("w40k11.terrain.move_dense_other", check=2)
@pytest.mark.parametrize(("x", "allowed"), [(17.5, True), (20.6, False)])
def test_a_vehicle_pays_for_the_way_up_and_down(x: float, allowed: bool) -> None:
    b = moving(walled(4), {**CAR, "move": 14}, (14, 9))
    way = ([15.4, 9], climb(15.4, 9, 4), [16.6, 9, 4], climb(16.6, 9, 0), [x, 9])
    assert (said(b, *way) == set()) is allowed


@rule("w40k11.terrain.move_dense_other", check=3)
@pytest.mark.parametrize(("doc", "through"), [(CAR, False), (TROOPER, True)])
def test_a_vehicle_does_not_go_through_a_ceiling(doc: Doc, through: bool) -> None:
    b = moving([RUIN], {**doc, "move": 12}, (18, 9))
    assert (said(b, climb(18, 9, 4)) == set()) is through


@rule("w40k11.terrain.move_dense_other", check=4)
@pytest.mark.parametrize(("kind", "refused"), [("ruins", True), ("barricade", False)])
def test_a_monster_ends_on_no_upper_level_of_a_dense_feature(kind: str, refused: bool) -> None:
    high = feature(kind, (14, 4, 6, 10), 3, solid=True)
    b = moving([high], MONSTER, (13, 9))
    found = said(b, [13.5, 9], climb(13.5, 9, 3), [17, 9, 3])
    assert ("w40k11.terrain.move_dense_other" in found) is refused


def up(doc: Doc, sky: str = "") -> set[str]:
    """The rules that refuse a way up on a dense feature."""
    b = moving([feature("ruins", (14, 4, 6, 10), 3, solid=True)], {**doc, "move": 14}, (13, 9))
    if sky:
        give(b, "skies", sky)
    return said(b, [13.5, 9], climb(13.5, 9, 3), [17, 9, 3])


@rule("w40k11.terrain.move_dense_other", check=4)
def test_who_moves_through_walls_ends_on_an_upper_level() -> None:
    assert [up({**MONSTER, "keywords": ["MONSTER", *more]}) for more in ([], ["MOBILE"])] == [
        {"w40k11.terrain.move_dense_other"},
        set(),
    ]


@rule("w40k11.terrain.move_dense_other", check=4)
def test_who_takes_to_the_skies_ends_on_an_upper_level() -> None:
    flyer = {**MONSTER, "keywords": ["MONSTER", "FLY"]}
    assert [up(flyer, sky) for sky in ("no", "yes")] == [{"w40k11.terrain.move_dense_other"}, set()]


@rule("w40k11.terrain.move_dense_other", check=4)
def test_a_monster_is_set_up_on_an_upper_level() -> None:
    b = arriving({**MONSTER, "abilities": ["deep strike"]}, [feature("ruins", (14, 4, 6, 10), 3, solid=True)])
    give(b, "arrive", [[17, 9, 3]])
    assert (places(b, "Late"), up(MONSTER)) == ([(17, 9, 3)], {"w40k11.terrain.move_dense_other"})


@rule("w40k11.terrain.vertical", check=1)
@pytest.mark.parametrize(("move", "allowed"), [(9, True), (8, False)])
def test_up_and_down_both_count(move: int, allowed: bool) -> None:
    hill = feature("barricade", (14, 4, 1, 10), 3, solid=True)
    b = moving([hill], {**TROOPER, "move": move}, (13.5, 9))
    way = (climb(13.5, 9, 3), [15.5, 9, 3], climb(15.5, 9, 0), [16.5, 9])
    assert (said(b, *way) == set()) is allowed


@rule("w40k11.terrain.vertical", check=2)
@pytest.mark.parametrize(("x", "allowed"), [(13, True), (12.9, False)])
def test_nobody_rises_more_than_half_an_inch_from_the_feature(x: float, allowed: bool) -> None:
    b = moving([feature("barricade", (14, 4, 6, 10), 1, solid=True)], {**TROOPER, "move": 12}, (12, 9))
    assert (said(b, [x, 9], climb(x, 9, 1), [16, 9, 1]) == set()) is allowed


@rule("w40k11.terrain.elevated", check=1)
@pytest.mark.parametrize(("doc", "cited"), [(CAR, ELEVATED), (TROOPER, set()), (MONSTER, set())])
def test_a_vehicle_does_not_end_high_up(doc: Doc, cited: set[str]) -> None:
    hill = feature("barricade", (14, 4, 6, 10), 2, solid=True)
    b = moving([hill], {**doc, "move": 12}, (13, 9))
    assert said(b, [13.5, 9], climb(13.5, 9, 2), [17, 9, 2]) == cited


@rule("w40k11.terrain.elevated", check=2)
@pytest.mark.parametrize(("x", "cited"), [(14.5, set()), (14.4, ELEVATED)])
def test_no_base_overhangs(x: float, cited: set[str]) -> None:
    hill = feature("barricade", (14, 4, 6, 10), 2, solid=True)
    b = moving([hill], {**TROOPER, "move": 12}, (13, 9))
    assert said(b, [13.5, 9], climb(13.5, 9, 2), [x, 9, 2]) == cited


# --- Hidden -----------------------------------------------------------------------------------------------------------

WOODS = feature("woods", (24, 4, 6, 10))
FOOT = target(wounds=9)


def seen(gap: float, terrain: list[FeatureDoc], doc: Doc = FOOT, more: Spots = (), **flags: Any) -> bool:  # type: ignore[assignment]
    """Whether Reds see Blues who stand so far off, with a part of their bases in woods from 24" to 30"."""
    blues = unit("Blues", "blue", doc, [(24.5, 9), *more], **flags)
    b = situation([unit("Reds", "red", TROOPER, [(23.5 - gap, 9)]), blues], terrain, game={"turns": 4})
    return sees(b, named(b, "Reds"), named(b, "Blues"))


@rule("w40k11.terrain.hidden", check=1)
def test_at_15_inches_a_hidden_model_is_seen() -> None:
    assert [seen(15, [WOODS]), seen(15.1, [WOODS])] == [True, False]


@rule("w40k11.terrain.hidden", check=2)
def test_at_16_inches_it_is_not_though_nothing_is_in_between() -> None:
    assert [seen(16, [WOODS]), seen(16, [])] == [False, True]


@rule("w40k11.terrain.hidden", check=2)
def test_who_is_in_one_of_two_woods_is_hidden() -> None:
    assert [seen(16, [WOODS, feature("woods", (24, 20, 6, 6))]), seen(16, [feature("woods", (24, 20, 6, 6))])] == [
        False,
        True,
    ]


@rule("w40k11.terrain.visibility_rules", check=1)
@pytest.mark.parametrize(("player", "visible_"), [("red", False), ("blue", True)])
def test_friends_see_who_is_hidden(player: str, visible_: bool) -> None:
    others = [unit("Others", player, TROOPER, [(7, 9)]), unit("Reds", "red", TROOPER, [(2, 28)])]
    b = situation([*others, unit("Blues", "blue", FOOT, [(24.5, 9)])], [WOODS], game={"turns": 4})
    assert sees(b, named(b, "Others"), named(b, "Blues")) is visible_


@rule("w40k11.terrain.hidden", check=3)
@pytest.mark.parametrize(("kind", "visible_"), [("crater", True), ("barricade", True), ("woods", False)])
def test_light_and_exposed_areas_hide_nobody(kind: str, visible_: bool) -> None:
    assert seen(16, [feature(kind, (24, 4, 6, 10))]) is visible_


@rule("w40k11.terrain.hidden", check=4)
@pytest.mark.parametrize(("turn", "visible_"), [(4, True), (3, True), (2, False)])
def test_who_shot_in_this_turn_or_the_one_before_is_not_hidden(turn: int, visible_: bool) -> None:
    assert seen(16, [WOODS], revealed=turn) is visible_


def in_woods(weapons: Doc, **more: Any) -> Battle11:
    """Reds in woods, about to shoot at Blues."""
    return face_off(weapons, target(wounds=9), gap=18, terrain=[feature("woods", (8, 4, 4, 8))], **more)


@rule("w40k11.terrain.hidden", check=4)
def test_who_shoots_is_seen_until_the_next_turn_of_the_enemy_is_over() -> None:
    b = in_woods(gun(), dice={"hit": [1], "battle-shock": [6, 6]})
    found = [sees(b, named(b, "Blues"), named(b, "Reds"))]
    shoot(b)
    for player in (1, 0):
        until(b, "move_with", player)
        found.append(sees(b, named(b, "Blues"), named(b, "Reds")))
    assert found == [False, True, False]


@rule("w40k11.terrain.hidden", check=5)
def test_overwatch_reveals_who_fires_it() -> None:
    b = in_woods(gun(), active="blue", step="move_units", cp=(1, 0), options={"windows": "all"}, dice={"hit": [1]})
    until(b, "react.phase_ended")
    give(b, "react.phase_ended", next(o.value for o in b.decisions[0].options if "Reds" in o.label))  # type: ignore[attr-defined]
    before = named(b, "Reds").revealed
    until(b, "shoot")
    b.answer(b.decisions[0], b.default(b.decisions[0]))
    assert (before < 0, sees(b, named(b, "Blues"), named(b, "Reds"))) == (True, True)


@rule("w40k11.terrain.hidden", check=6)
@pytest.mark.parametrize(("keywords", "visible_"), [(["VEHICLE"], True), (["MONSTER"], True), (["BEASTS"], False)])
def test_vehicles_and_monsters_are_never_hidden(keywords: list[str], visible_: bool) -> None:
    assert seen(16, [WOODS], target(keywords=keywords)) is visible_


@rule("w40k11.terrain.hidden", check=7)
def test_a_unit_is_seen_by_its_models_that_are_not_hidden() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, [(7, 15)]), unit("Blues", "blue", FOOT, [(24.5, 9), (24.5, 14.6)])], [WOODS]
    )
    assert visible(b, named(b, "Reds"), named(b, "Blues")).tolist() == [[False, True]]


@rule("w40k11.terrain.hidden", check=8)
def test_who_is_selected_and_fires_nothing_stays_hidden() -> None:
    b = in_woods(gun())
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [])
    assert (kinds(b), sees(b, named(b, "Blues"), named(b, "Reds"))) == (["shoot_with"], False)


@rule("w40k11.terrain.visibility_rules", check=1)
def test_a_clear_line_is_not_enough_out_of_detection_range() -> None:
    assert [seen(16, [WOODS]), seen(15, [WOODS])] == [False, True]


# --- Obscuring --------------------------------------------------------------------------------------------------------


def looks(terrain: list[FeatureDoc], red: Any = (5, 9), blue: Any = (35, 9), doc: Doc = TROOPER) -> bool:
    """Whether a Red sees a Blue at the other side of terrain, and the other way round."""
    car = {**doc, "keywords": [*[k for k in doc["keywords"] if k != "INFANTRY"], "VEHICLE"]}
    b = situation([unit("Reds", "red", car, [red]), unit("Blues", "blue", {**car}, [blue])], terrain)
    found = {sees(b, named(b, "Reds"), named(b, "Blues")), sees(b, named(b, "Blues"), named(b, "Reds"))}
    assert len(found) == 1
    return found.pop()


EMPTY = feature("ruins", (14, 4, 8, 10), 9)
"""An area without a wall"""


@rule("w40k11.terrain.obscuring", check=1)
def test_nobody_sees_across_the_area_of_a_ruin() -> None:
    corner = feature("ruins", (20, 12, 1, 1), 5, id="yard/ruin")
    assert [looks([EMPTY]), looks([MAT, corner]), looks([])] == [False, False, True]


@rule("w40k11.terrain.obscuring", check=2)
@pytest.mark.parametrize(("kind", "clear"), [("crater", True), ("debris", True), ("barricade", False)])
def test_an_area_with_exposed_features_alone_does_not_obscure(kind: str, clear: bool) -> None:
    assert looks([feature(kind, (14, 4, 8, 10))]) is clear


@rule("w40k11.terrain.obscuring", check=3)
def test_who_is_within_the_area_sees_out_and_is_seen() -> None:
    assert [looks([EMPTY], blue=(21, 9)), looks([EMPTY], blue=(22.4, 9)), looks([EMPTY], blue=(22.6, 9))] == [
        True,
        True,
        False,
    ]


@rule("w40k11.terrain.obscuring", check=4)
def test_one_line_past_the_area_is_enough_to_see_and_not_to_see_fully() -> None:
    b = face_off(gun(), target(wounds=9, keywords=["VEHICLE"]), terrain=[feature("ruins", (14, 8.2, 4, 10), 9)])
    reds, blues = named(b, "Reds"), named(b, "Blues")
    assert [sees(b, reds, blues), in_cover(b, reds, 0, blues)] == [True, True]


@rule("w40k11.terrain.obscuring", check=5)
def test_two_areas_obscure_together() -> None:
    low, high = feature("ruins", (14, 0, 4, 9.3), 9), feature("ruins", (24, 8.7, 4, 12), 9)
    assert [looks([low]), looks([high]), looks([low, high])] == [True, True, False]


@rule("w40k11.terrain.obscuring", check=6)
def test_obscuring_works_both_ways() -> None:
    assert [looks([EMPTY], (5, 9), (35, 9)), looks([EMPTY], (35, 9), (5, 9)), looks([EMPTY], (21, 9), (5, 9))] == [
        False,
        False,
        True,
    ]


@rule("w40k11.gap.area_height", check=1)
@pytest.mark.parametrize("keyword", ["INFANTRY", "TOWERING", "AIRCRAFT"])
def test_an_area_reaches_up_without_limit(keyword: str) -> None:
    tower = feature("crater", (3, 6, 6, 6), 12, solid=True)
    doc = {**TROOPER, "keywords": [keyword]}
    assert [looks([tower, EMPTY], (5, 9, 12), (35, 9), doc), looks([tower], (5, 9, 12), (35, 9), doc)] == [False, True]


@rule("w40k11.gap.area_height", check=1)
def test_who_stands_on_an_upper_floor_is_within_the_area() -> None:
    assert [looks([RUIN], (5, 9), (18, 9, 4)), looks([RUIN], (5, 9), (24, 9))] == [True, False]


# --- Windows ----------------------------------------------------------------------------------------------------------


TALL: Doc = {**CAR, "height": 3}


def window(low: float, high: float, **more: Any) -> bool:
    """Whether a Blue in a ruin is seen through a gap of its wall."""
    ends = ((14, 2), (14, 16))
    walls = (wall(*ends, low), wall(*ends, 12, bottom=high)) if low else (wall(*ends, 12, bottom=high),)
    ruin = feature("ruins", (14, 2, 8, 14), 12, walls=walls)
    stand = feature("crater", (2, 6, 6, 6), 3, solid=True)
    b = situation(
        [unit("Reds", "red", TALL, [(5, 9, 3)]), unit("Blues", "blue", {**TALL, "height": 7}, [(18, 9)])],
        [ruin, stand],
        **more,
    )
    return sees(b, named(b, "Reds"), named(b, "Blues"))


@rule("w40k11.terrain.solid", check=1)
def test_nobody_sees_through_a_low_window() -> None:
    assert [window(2, 3), window(2, 5), window(3, 4)] == [False, True, True]


@rule("w40k11.terrain.solid", check=2)
def test_a_window_at_four_inches_is_seen_through() -> None:
    assert window(4, 5)


@rule("w40k11.terrain.solid", check=4)
def test_the_open_space_above_a_wall_is_no_gap() -> None:
    low = feature("ruins", (14, 2, 8, 14), 12, walls=(wall((14, 2), (14, 16), 2),))
    beside = feature("ruins", (14, 2, 8, 14), 12, walls=(wall((14, 2), (14, 8), 9), wall((14, 10), (14, 16), 9)))
    assert [looks([low], blue=(18, 9), doc={**TROOPER, "height": 3}), looks([beside], blue=(18, 9))] == [True, True]


@rule("w40k11.terrain.visibility_rules", check=2)
def test_a_line_through_a_closed_gap_does_not_count() -> None:
    door = feature(
        "ruins", (14, 2, 8, 14), 12,
        walls=(wall((14, 2), (14, 8), 9), wall((14, 10), (14, 16), 9), wall((14, 8), (14, 10), 9, bottom=3)),
    )  # fmt: skip
    gap = feature("ruins", (14, 2, 8, 14), 12, walls=(wall((14, 2), (14, 8), 9), wall((14, 10), (14, 16), 9)))
    assert [looks([door], blue=(18, 9)), looks([gap], blue=(18, 9))] == [False, True]


MISSION: Doc = {
    "id": "siege", "name": "Siege", "sizes": ["incursion"], "smallest": {"incursion": [44, 30]}, "scoring": [],
    "attacker": [[0, 0], [5, 0], [5, 30], [0, 30]], "defender": [[39, 0], [44, 0], [44, 30], [39, 30]],
}  # fmt: skip


@rule("w40k11.terrain.solid", check=3)
def test_the_mission_says_up_to_which_height_gaps_are_closed() -> None:
    found = [window(4, 5, mission={**MISSION, **more}) for more in ({}, {"closed_windows": 5}, {"closed_windows": 4})]
    assert [*found, window(2, 3, mission={**MISSION, "closed_windows": 0})] == [True, False, True, True]


@rule("w40k11.terrain.elevated", check=3)
@pytest.mark.parametrize(("doc", "cited"), [(TROOPER, set()), (CAR, ELEVATED)])
def test_infantry_is_set_up_on_an_upper_floor(doc: Doc, cited: set[str]) -> None:
    b = arriving({**doc, "abilities": ["deep strike"]}, [RUIN])
    assert cites(judge(b, "arrive", [[18, 9, 4]])) == cited
