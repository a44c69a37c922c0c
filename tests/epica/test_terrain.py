"""Terrain: where it may be entered, what it costs, what cover it gives."""

from __future__ import annotations

from typing import Any

import pytest

from epica.table import (
    BUGGY,
    TANK,
    TROOPS,
    a_sheet,
    account,
    act,
    alive,
    allowed,
    area,
    asked,
    fire,
    formation,
    give,
    judge,
    kinds,
    left,
    named,
    offered,
    refused,
    refused_by,
    rolls,
    row,
    sentences,
    shoot_at,
    situation,
    stand,
    stay,
    told,
)
from sandtable.battle import answers
from sandtable.battle.events import Told
from sandtable.battle.questions import check
from sandtable.systems.epica.cover import cover_save, is_in_cover
from sandtable.systems.epica.line_of_fire import elevation
from sandtable.systems.epica.state import EpicBattle
from sandtable.systems.epica.terrain import DANGEROUS, FREE, IMPASSABLE, KINDS, effects_of, terrain_class
from sandtable.table.grid import steps

rule = pytest.mark.rule
FOE = formation("Blues", "blue", at=row(4, 10, 85))


def before(kind: str, sheet: dict[str, Any] = TROOPS, dice: dict[str, list[int]] | None = None) -> EpicBattle:
    """One unit about to advance, with a piece of terrain 4 cm in front of it."""
    b = situation([formation("Reds", "red", sheet, [(30, 30)]), FOE], [area(kind, 20, 34, 20, 10)], dice=dice)
    act(b, "Reds", "advance")
    return b


def standing_in(kind: str, sheet: dict[str, Any] = TROOPS, **flags: object) -> EpicBattle:
    return situation([formation("Reds", "red", sheet, [(30, 30)], **flags), FOE], [area(kind, 20, 20, 20, 20)])


def needed_tests(b: EpicBattle) -> int:
    give(b, "move", {"by": [0, 8]})
    return len(rolls(b, "dangerous terrain"))


# --- The table -------------------------------------------------------------------------------------------------------

ROWS = [
    ("building", 4, FREE, IMPASSABLE, IMPASSABLE, rule("epica.terrain.building", check=(1, 2, 3))),
    ("jungle", 4, FREE, IMPASSABLE, DANGEROUS, rule("epica.terrain.jungle", check=(1, 2, 3))),
    ("marsh", 6, DANGEROUS, DANGEROUS, DANGEROUS, rule("epica.terrain.marsh", check=(1, 2, 3))),
    ("river", 6, DANGEROUS, IMPASSABLE, FREE, rule("epica.terrain.river", check=(1, 2, 3))),
    ("ruins", 4, FREE, DANGEROUS, DANGEROUS, rule("epica.terrain.ruins", check=(1, 2, 3))),
    ("scrub", 6, FREE, FREE, FREE, rule("epica.terrain.scrub", check=(1, 2))),
    ("wood", 5, FREE, DANGEROUS, DANGEROUS, rule("epica.terrain.wood", check=(1, 2, 3))),
    ("fortification", 3, FREE, IMPASSABLE, IMPASSABLE, rule("epica.terrain.fortification", check=(1, 4, 5))),
    ("cliff", 0, IMPASSABLE, IMPASSABLE, IMPASSABLE, rule("epica.terrain.cliff", check=1)),
]


@pytest.mark.parametrize(
    ("kind", "save", "infantry", "vehicles", "engines"),
    [pytest.param(kind, save, inf, veh, we, id=kind, marks=mark) for kind, save, inf, veh, we, mark in ROWS],
)
def test_the_terrain_table(kind: str, save: int, infantry: str, vehicles: str, engines: str) -> None:
    assert effects_of(kind).war_engines == engines
    b = standing_in(kind)
    assert cover_save(b, 0) == save
    for sheet, expected in ((TROOPS, infantry), (TANK, vehicles)):
        assert terrain_class(effects_of(kind), a_sheet(sheet)) == expected
        assert met(kind, sheet) == expected


def met(kind: str, sheet: dict[str, Any]) -> str:
    """What a unit meets that moves into terrain of a kind."""
    b = before(kind, sheet, {"dangerous terrain": [6]})
    if "move" in kinds(b) and not judge(b, "move", {"by": [0, 8]}).ok:
        refused(b, "move", {"by": [0, 8]}, "epica.terrain.classes", f"epica.terrain.{kind}")
        return IMPASSABLE
    return (FREE, DANGEROUS)[needed_tests(b)]


@rule("epica.terrain.classes", check=(1, 2, 3))
@rule("epica.special.light_vehicles", check=4)
def test_the_class_depends_on_the_unit_and_never_slows_it() -> None:
    assert terrain_class(effects_of("building"), a_sheet(BUGGY)) == IMPASSABLE
    refused(before("building", TANK), "move", {"by": [0, 8]}, "epica.terrain.classes")
    allowed(before("building"), "move", {"by": [0, 15]})
    allowed(before("wood", TANK), "move", {"by": [0, 30]})
    # Not even a corner of the base may touch what is impassable.
    refused(before("building", TANK), "move", {"paths": {1: [[18, 30], [19.5, 40]]}}, "epica.terrain.classes")


@rule("epica.terrain.open", check=1)
def test_open_ground_has_no_effect() -> None:
    b = standing_in("open")
    assert cover_save(b, 0) == 0
    assert not is_in_cover(b, 0)
    assert needed_tests(before("open", TANK)) == 0


@rule("epica.terrain.agreement", check=1)
def test_every_kind_of_terrain_has_its_row() -> None:
    assert {f for f in KINDS if effects_of(f).cover_save} == {
        "building", "fortification", "emplacement", "jungle", "marsh", "river", "ruins", "scrub", "wood",
    }  # fmt: skip


@rule("epica.terrain.fortification", check=(1, 4, 6))
def test_vehicles_enter_only_what_was_built_for_them() -> None:
    refused(before("fortification", TANK), "move", {"by": [0, 8]}, "epica.terrain.fortification")
    allowed(before("emplacement", TANK), "move", {"by": [0, 8]})
    b = standing_in("emplacement", TANK)
    assert is_in_cover(b, 0)
    assert cover_save(standing_in("emplacement"), 0) == 3


@rule("epica.terrain.hill", check=(1, 2, 3))
@rule("epica.cover.to_hit", check=1)
def test_a_hill_is_open_ground_with_a_view() -> None:
    b = situation([formation("Reds", "red", at=[(30, 30), (33, 30)]), FOE], [
        area("hill", 20, 20, 20, 20, 5), area("wood", 32, 25, 8, 10, 4),
    ])  # fmt: skip
    assert cover_save(b, stand(b, "Reds", 1)) == 0
    assert not is_in_cover(b, stand(b, "Reds", 1))
    assert cover_save(b, stand(b, "Reds", 2)) == 5
    assert elevation(b, stand(b, "Reds", 1)) == steps(5)


@rule("epica.terrain.hill", check=3)
@rule("epica.concept.line_of_sight_scale", check=1)
def test_only_hills_raise_a_unit_and_of_two_the_higher() -> None:
    b = situation([formation("Reds", "red", at=[(10, 10), (30, 30), (50, 30)]), FOE], [
        area("wood", 5, 5, 10, 10, 6), area("hill", 40, 20, 20, 20, 5), area("hill", 45, 25, 10, 10, 8),
    ])  # fmt: skip
    assert [elevation(b, m) for m in named(b, "Reds").models] == [0, 0, steps(8)]


# --- Dangerous terrain -----------------------------------------------------------------------------------------------


@rule("epica.terrain.dangerous_test", check=(1, 2, 3))
def test_a_1_destroys_without_save_or_marker() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(3, 30, 30)), FOE], [area("wood", 20, 34, 20, 10)],
        dice={"dangerous terrain": [1, 2, 6]},
    )  # fmt: skip
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 8]})
    assert left(b, "Reds") == [2, 3]
    assert rolls(b, "save") == []
    assert named(b, "Reds").markers == 0
    assert "lost to terrain" in told(b)
    assert sentences(b, "dangerous terrain")[0] == "dangerous terrain 2+: 1, lost"


@rule("epica.terrain.dangerous_test", check=1)
@pytest.mark.parametrize(("faces", "alive_after"), [([1], 0), ([2, 1], 0), ([2, 2], 1)])
def test_a_unit_tests_for_each_piece_until_it_is_lost(faces: list[int], alive_after: int) -> None:
    b = situation(
        [formation("Reds", "red", TANK, [(30, 30)]), FOE],
        [area("wood", 20, 34, 20, 4), area("ruins", 20, 42, 20, 4)],
        dice={"dangerous terrain": faces},
    )
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 20]})
    assert alive(b, "Reds") == alive_after
    assert rolls(b, "dangerous terrain") == [(face,) for face in faces]


@rule("epica.bm.casualty", check=2)
def test_units_lost_to_terrain_cost_no_marker_and_units_lost_to_fire_do() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(6, 30, 30)), formation("Blues", "blue", TANK, [(40, 70)])],
        [area("wood", 20, 34, 40, 4)],
        dice={"dangerous terrain": [1, 2, 6, 6, 6, 6], "hit": [6], "save": [1], "rally": [6]},
    )  # fmt: skip
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 12]})
    assert (alive(b, "Reds"), named(b, "Reds").markers) == (5, 0)
    give(b, "shoot-at", None)
    act(b, "Blues", "sustained")
    shoot_at(b, "Reds")
    fire(b, "AT")
    assert alive(b, "Reds") == 4
    assert [e.data["count"] for e in b.events if isinstance(e, Told) and e.kind == "markers"] == [1, 1]


@rule("epica.terrain.dangerous_test", check=(4, 5))
def test_leaving_dangerous_terrain_asks_for_a_test_and_staying_does_not() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(2, 30, 38)), FOE], [area("wood", 20, 34, 20, 10)],
        dice={"dangerous terrain": [6]},
    )  # fmt: skip
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 3], "models": [1]})
    assert rolls(b, "dangerous terrain") == [(6,)]


@rule("epica.terrain.dangerous_test", check=6)
def test_each_move_of_a_double_tests_anew() -> None:
    b = situation(
        [formation("Reds", "red", TANK, [(30, 30)]), FOE], [area("wood", 20, 34, 20, 10)],
        dice={"dangerous terrain": [6, 6]},
    )  # fmt: skip
    act(b, "Reds", "double")
    give(b, "move", {"by": [0, 8]})
    give(b, "move", {"by": [0, 9]})
    assert len(rolls(b, "dangerous terrain")) == 2


@rule("epica.terrain.dangerous_test", check=7)
@pytest.mark.parametrize(
    ("way", "tests"), [([[30, 30], [33, 37]], 2), ([[30, 30], [33, 37], [30, 31], [30, 36]], 3), ([[30, 35]], 1)]
)
def test_who_leaves_dangerous_terrain_and_enters_it_again_tests_again(way: list[Any], tests: int) -> None:
    b = situation(
        [formation("Reds", "red", TANK, [(30, 36)]), FOE], [area("wood", 20, 34, 20, 10)],
        dice={"dangerous terrain": [6] * tests},
    )  # fmt: skip
    act(b, "Reds", "advance")
    d, plan = asked(b, "move"), {"paths": {1: way}}
    (note,) = check(b, d, answers.read(b, d, plan)).notes
    give(b, "move", plan)
    assert (note.facts["tests"], len(rolls(b, "dangerous terrain"))) == (tests, tests)


@rule("epica.broken.threshold", check=2)
def test_losses_to_terrain_can_bring_a_formation_to_its_break_point() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(3, 30, 30), markers=2), FOE], [area("wood", 20, 34, 20, 10)],
        dice={"dangerous terrain": [1, 2, 6]},
    )  # fmt: skip
    assert not named(b, "Reds").broken
    act(b, "Reds", "advance")
    give(b, "move", {"by": [0, 8]})
    assert named(b, "Reds").broken


@rule("epica.terrain.cautious", check=(1, 2, 3))
@rule("epica.terrain.dangerous_test", check=1)
def test_a_unit_that_goes_5_cm_or_less_rolls_a_failed_test_again() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(4, 30, 31)), FOE], [area("wood", 20, 34, 25, 10)],
        dice={"dangerous terrain": [1, 1, 1, 2], "dangerous terrain again": [4, 1]},
    )  # fmt: skip
    act(b, "Reds", "advance")
    give(b, "move", {"to": [[30, 36], [33, 36], [36, 36 + 1 / 1024], [39, 36]]})
    assert left(b, "Reds") == [1, 4]
    assert rolls(b, "dangerous terrain again") == [(4,), (1,)]
    once = sentences(b, "dangerous terrain")
    assert (once[0], once[2]) == ("dangerous terrain 2+: 1, to be rolled again", "dangerous terrain 2+: 1, lost")


def test_who_plans_a_move_is_told_what_dangerous_terrain_asks_and_what_caution_saves() -> None:
    b = situation(
        [formation("Reds", "red", TANK, row(4, 30, 31)), FOE], [area("wood", 20, 34, 25, 10)],
    )  # fmt: skip
    act(b, "Reds", "advance")
    d = asked(b, "move")

    def noted(raw: Any) -> list[Any]:
        return [(n.text, n.facts, n.rules) for n in check(b, d, answers.read(b, d, raw)).notes]

    rules = ("epica.terrain.dangerous_test", "epica.terrain.cautious")
    assert noted({"to": [[30, 36], [33, 36], [36, 37], [39, 31]]}) == [
        (
            "3 tests for dangerous terrain: a 1 destroys the unit. "
            "2 of them may roll again, as the unit moves 5 cm at most. "
            "Moves of 5 cm at most would be cautious, and roll again.",
            {"tests": 3, "cautious": 2, "units_lost": 0.22, "units_lost_with_caution": 0.08},
            rules,
        )
    ]
    assert noted({"by": [0, 5]})[0][0].endswith("Each of them may roll again, as the unit moves 5 cm at most.")
    assert noted({"by": [0, -5]}) == []
    assert check(b, d, answers.read(b, d, {"by": [0, 90]})).notes == (), "a refusal says why, and no more"


# --- Roads -----------------------------------------------------------------------------------------------------------

ROAD = area("road", 28, 0, 4, 90)


@rule("epica.terrain.road", check=(2, 3))
def test_only_a_move_wholly_on_the_road_gains_5_cm() -> None:
    b = situation([formation("Reds", "red", at=[(30, 30), (34, 30)]), FOE], [ROAD])
    act(b, "Reds", "advance")
    allowed(b, "move", {"to": [[30, 50], None]})
    refused(b, "move", {"to": [[30, 50 + 1 / 1024], None]}, "epica.move.basic")
    refused(b, "move", {"paths": {1: [[33, 36], [30, 46]]}}, "epica.move.basic")
    refused(b, "move", {"paths": {2: [[31, 31], [31, 46]]}}, "epica.move.basic")
    allowed(b, "move", {"to": [None, [34, 45]]})
    refused(b, "move", {"to": [None, [34, 45 + 1 / 1024]]}, "epica.move.basic")


@rule("epica.action.steps", check=1)
@rule("epica.terrain.road", check=1)
@rule("epica.terrain.road_march", check=(1, 3, 4))
def test_a_road_march_needs_no_test_and_keeps_to_the_road_for_three_moves() -> None:
    b = situation([formation("Reds", "red", at=row(3, 30, 10, 0, 3), markers=2), FOE], [ROAD], dice={"action test": []})
    act(b, "Reds", "road-march")
    assert rolls(b) == []
    refused(b, "move", {"by": [3, 10]}, "epica.terrain.road_march")
    for _ in range(3):
        refused(b, "move", {"by": [0, 20.1]}, "epica.move.basic")
        give(b, "move", {"by": [0, 20]})
    assert asked(b, "action").player == 1


@rule("epica.terrain.road_march", check=(2, 5))
def test_one_unit_off_the_road_rules_a_road_march_out() -> None:
    terrain = [ROAD, area("wood", 60, 60, 10, 10), area("road", 60, 0, 4, 90)]
    b = situation([formation("Reds", "red", at=[(30, 10), (34, 10)]), FOE], terrain)
    assert "road-march" not in offered(b, "action")
    assert refused_by(b.why_not("road-march", 0), "epica.terrain.road_march")
    b = situation([formation("Reds", "red", at=[(30, 10), (30, 13)]), FOE], terrain)
    act(b, "Reds", "road-march")
    stay(b, "move", "move", "move")
    assert "shoot-at" not in kinds(b)
    assert named(b, "Reds").action == "road-march"


# --- Cover -----------------------------------------------------------------------------------------------------------


def under_fire(
    kind: str, sheet: dict[str, Any], dice: dict[str, list[int]], mode: str = "AP", **flags: object
) -> EpicBattle:
    """A tank formation fires once at two units that stand in some terrain."""
    b = situation(
        [
            formation("Tanks", "red", TANK, [(30, 10)]),
            formation("Blues", "blue", sheet, row(4, 26, 30), **flags),
        ],
        [area(kind, 20, 28, 20, 8)],
        dice=dice,
    )
    act(b, "Tanks", "advance")
    stay(b, "move")
    shoot_at(b, "Blues")
    fire(b, mode)
    return b


@rule("epica.cover.to_hit", check=1)
@rule("epica.shoot.to_hit_modifiers", check=1)
def test_units_in_cover_are_harder_to_hit_vehicles_too() -> None:
    assert alive(under_fire("wood", TROOPS, {"hit": [4]}), "Blues") == 4
    assert alive(under_fire("wood", TROOPS, {"hit": [5], "save": [1]}), "Blues") == 3
    assert alive(under_fire("wood", TANK, {"hit": [4]}, "AT"), "Blues") == 4
    assert alive(under_fire("open", TANK, {"hit": [4], "save": [1]}, "AT"), "Blues") == 3
    b = standing_in("scrub", TANK)
    assert not is_in_cover(b, 0)


@rule("epica.cover.to_hit", check=2)
@pytest.mark.parametrize(("x", "aims"), [(29.6, ("cover",)), (33.0, ("open",))])
def test_terrain_in_between_that_hides_part_of_the_target_is_cover(x: float, aims: tuple[str, ...]) -> None:
    b = situation(
        [formation("Tanks", "red", TANK, [(30, 10)]), formation("Blues", "blue", at=[(30, 40)])],
        [area("building", x, 20, 8, 4, 5), area("building", 80, 20, 8, 4, 5)],
    )
    act(b, "Tanks", "sustained")
    shoot_at(b, "Blues")
    assert [r.targets for r in asked(b, "aim").rows] == [aims]  # type: ignore[attr-defined]


@rule("epica.cover.to_hit", check=2)
@pytest.mark.parametrize(
    ("terrain", "aims"),
    [
        (area("wood", 20, 5, 20, 10), ("open",)),
        (area("hill", 20, 5, 20, 10, 1), ("open",)),
        (area("hill", 20, 35, 20, 10, 1), ("open",)),
        (area("wood", 20, 35, 20, 10), ("cover",)),
    ],
)
def test_what_the_shooter_stands_in_and_the_slope_of_the_target_are_not_in_between(
    terrain: Any, aims: tuple[str, ...]
) -> None:
    b = situation(
        [formation("Tanks", "red", TANK, [(30, 10)]), formation("Blues", "blue", TANK, [(30, 40)])], [terrain]
    )
    act(b, "Tanks", "sustained")
    shoot_at(b, "Blues")
    assert [r.targets for r in asked(b, "aim").rows] == [aims]  # type: ignore[attr-defined]


@rule("epica.cover.to_hit", check=2)
def test_the_edge_of_the_shooters_own_wood_hides_nobody_in_part() -> None:
    units = [formation("Tanks", "red", TANK, [(30, 41)]), formation("Blues", "blue", TANK, [(30, 10)])]
    b = situation(units, [area("wood", 10, 30, 40, 30, 5)])
    act(b, "Tanks", "sustained")
    shoot_at(b, "Blues")
    assert [r.targets for r in asked(b, "aim").rows] == [("open",)]  # type: ignore[attr-defined]


@rule("epica.cover.to_hit", check=3)
@rule("epica.shoot.to_hit_modifiers", check=6)
def test_several_reasons_for_cover_count_once() -> None:
    b = situation(
        [
            formation("Tanks", "red", TANK, row(2, 30, 10)),
            formation("Blues", "blue", at=row(4, 26, 30), overwatch=True),
        ],
        [area("wood", 20, 28, 20, 8)],
        dice={"hit": [3, 4], "save": [1]},
    )  # fmt: skip
    act(b, "Tanks", "sustained")
    shoot_at(b, "Blues")
    fire(b)
    assert alive(b, "Blues") == 3


SCRUB, WOOD, RUINS, TRACK = (area(k, 20, 20, 20, 20) for k in ("scrub", "wood", "ruins", "road"))


@rule("epica.cover.to_hit", check=1)
@rule("epica.cover.save", check=(1, 2))
@pytest.mark.parametrize(
    ("sheet", "terrain", "overwatch", "hidden", "save"),
    [
        (TROOPS, [], False, False, 0), (TROOPS, [TRACK], False, False, 0), (TROOPS, [SCRUB], False, True, 6),
        (TROOPS, [SCRUB, TRACK], False, True, 6), (TROOPS, [TRACK, WOOD], False, True, 5),
        (TROOPS, [SCRUB, RUINS], False, True, 4), (TROOPS, [], True, True, 5), (TROOPS, [SCRUB], True, True, 5),
        (TROOPS, [RUINS], True, True, 4), (TANK, [], False, False, 0), (TANK, [SCRUB], True, False, 0),
        (TANK, [WOOD, TRACK], False, True, 0),
    ],
)  # fmt: skip
def test_who_is_hard_to_hit_and_saves_by_cover(
    sheet: dict[str, Any], terrain: list[Any], overwatch: bool, hidden: bool, save: int
) -> None:
    b = situation([formation("Reds", "red", sheet, [(30, 30)], overwatch=overwatch), FOE], list(terrain))
    assert (is_in_cover(b, 0), cover_save(b, 0)) == (hidden, save)


@rule("epica.cover.save", check=(1, 2))
@rule("epica.shoot.saves", check=2)
def test_infantry_may_save_by_its_cover_and_vehicles_may_not() -> None:
    b = under_fire("ruins", TROOPS, {"hit": [6], "save": [4]})
    assert alive(b, "Blues") == 4
    assert rolls(b, "save") == [(4,)]
    b = standing_in("ruins", TANK)
    assert cover_save(b, 0) == 0


@rule("epica.cover.save", check=3)
@rule("epica.special.macro_shooting", check=(2, 3, 4))
@pytest.mark.parametrize(
    ("weapon", "kind", "face", "saves", "lost"),
    [
        ("Demolisher 30cm MW4+", "ruins", 5, [], 1), ("Demolisher 30cm MW4+", "ruins", 4, [], 0),
        ("Demolisher 30cm MW4+", "open", 4, [], 1), ("Cannon 30cm AP4+", "ruins", 5, [(4,)], 0),
    ],
)  # fmt: skip
def test_cover_does_not_save_from_a_macro_weapon(
    weapon: str, kind: str, face: int, saves: list[tuple[int, ...]], lost: int
) -> None:
    b = situation(
        [formation("Tanks", "red", {**TANK, "weapons": [weapon]}, [(30, 10)]),
         formation("Blues", "blue", at=row(4, 26, 30))],
        [area(kind, 20, 28, 20, 8)],
        dice={"hit": [face], "save": [4]},
    )  # fmt: skip
    act(b, "Tanks", "advance")
    stay(b, "move")
    shoot_at(b, "Blues")
    fire(b, weapon.split()[2][:2])
    assert 4 - alive(b, "Blues") == lost
    assert rolls(b, "save") == saves


@rule("epica.cover.overwatch_open", check=(1, 2, 4))
def test_infantry_on_overwatch_has_a_5_up_save_in_the_open() -> None:
    for kind, save in (("open", 5), ("scrub", 5), ("ruins", 4)):
        b = standing_in(kind, overwatch=True)
        assert cover_save(b, 0) == save
        assert is_in_cover(b, 0)
    b = standing_in("open", TANK, overwatch=True)
    assert cover_save(b, 0) == 0
    assert not is_in_cover(b, 0)


@rule("epica.cover.behind_vehicle", check=2)
@rule("epica.cover.to_hit", check=1)
def test_two_units_shelter_by_a_vehicle_of_their_own_formation() -> None:
    at = [(30.0, 30.0), (28.0, 30.0), (32.0, 30.0)]
    b = situation([formation("Reds", "red", at=at, loadout=[TANK, TROOPS, TROOPS]), FOE])
    assert [is_in_cover(b, s) for s in named(b, "Reds").models] == [False, True, True]


@rule("epica.cover.behind_vehicle", check=1)
@pytest.mark.parametrize(("gap", "sheltered"), [(2 / 1024, True), (3 / 1024, False)])
def test_shelter_takes_base_contact(gap: float, sheltered: bool) -> None:
    b = situation([formation("Reds", "red", at=[(28 - gap, 30)]), formation("Tank", "red", TANK, [(30, 30)]), FOE])
    assert is_in_cover(b, 0) is sheltered


@rule("epica.cover.behind_vehicle", check=(1, 2, 3, 4))
@rule("epica.special.light_vehicles", check=5)
def test_two_infantry_units_shelter_by_an_armoured_vehicle() -> None:
    at = [(28.0, 30.0), (32.0, 30.0), (30.0, 32.0), (30.0, 26.0)]
    b = situation([formation("Reds", "red", at=at), formation("Tank", "red", TANK, [(30, 30)]), FOE])
    assert [is_in_cover(b, s) for s in named(b, "Reds").models] == [True, True, False, False]
    assert cover_save(b, 0) == 0
    b = situation([formation("Reds", "red", at=at[:1]), formation("Buggy", "red", BUGGY, [(30, 30)]), FOE])
    assert not is_in_cover(b, 0)


def test_the_account_names_what_was_lost_where() -> None:
    b = before("marsh", TROOPS, {"dangerous terrain": [1]})
    give(b, "move", {"by": [0, 8]})
    assert "marsh" in account(b)
