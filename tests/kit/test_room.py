"""Setting a unit up by a record of conditions: what the search keeps to, and what has the last word."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from sandtable.battle import ALLOWED, Spot, Verdict, refuse
from sandtable.battle.system import Goal
from sandtable.kit.asking import place_of
from sandtable.kit.room import (
    ANYWHERE,
    Room,
    Spots,
    find_room,
    gap_to_area,
    gap_to_enemies,
    is_wholly_in,
    models_to_place,
    narrowest,
    placed,
    places_near,
    rows_of,
    setting_up,
    some_places,
    spots_at,
    strips,
    touches_edge,
)
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.arrange import FAR
from sandtable.table.coherency import Coherency, coherent
from sandtable.table.grid import steps
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, Zone
from w40k10.table import TANK, TROOPER, feature, named, situation, unit

TOGETHER = Coherency(steps(2), steps(5), 1)
CORNER = ((0, 0), (steps(10), 0), (steps(10), steps(10)), (0, steps(10)))
OTHER = ((steps(30), steps(20)), (steps(44), steps(20)), (steps(44), steps(30)), (steps(30), steps(30)))


def always(_spots: Spots) -> Verdict:
    return ALLOWED


def world(*blues: tuple[float, ...], models: int = 3, sheet: dict[str, Any] = TROOPER, **more: Any) -> Battle10:
    """Red has models that are not on the table, blue has some that are."""
    return situation(
        [
            unit("Reds", "red", sheet, off=models, reserve="strategic"),
            unit("Blues", "blue", TROOPER, list(blues or ((22, 15),))),
        ],
        **more,
    )


def room(b: Battle10, *areas: Any, apart: Zone | Ball = Zone(steps(1), steps(5)), **more: Any) -> Room:  # noqa: B008
    reds = named(b, "Reds")
    return Room(
        reds.id, models_to_place(b, reds), areas or (ANYWHERE,), apart, TOGETHER, more.pop("accept", always), **more
    )


def gap(b: Battle10, spots: Spots | None) -> float:
    assert spots is not None
    return gap_to_enemies(b, 0, placed(b, spots), rows_of(spots))


def test_only_models_that_are_neither_on_the_table_nor_out_of_play_are_set_up() -> None:
    b = world(models=2)
    assert models_to_place(b, named(b, "Reds")) == named(b, "Reds").models
    assert models_to_place(b, named(b, "Blues")) == ()


def test_a_search_finds_the_first_area_with_room_for_all_of_a_unit() -> None:
    b = world()
    found = find_room(b, room(b, CORNER, OTHER))
    assert found is not None
    assert all(is_wholly_in(b, placed(b, found), s.model, CORNER) for s in found)
    crowded = world(*((x + 0.5, y + 0.5) for x in range(10) for y in range(10)), models=1)
    found = find_room(crowded, room(crowded, CORNER, OTHER))
    assert found is not None
    assert all(is_wholly_in(crowded, placed(crowded, found), s.model, OTHER) for s in found)


def test_many_small_models_and_a_large_one_find_room_within_a_spread() -> None:
    small, large = ({**TROOPER, "name": name, "base": base} for name, base in (("Boy", "32mm"), ("Boss", "50mm")))
    mob = unit("Reds", "red", small, off=22, reserve="strategic", loadout=[{"models": [1], "sheet": large}])
    b = situation([mob, unit("Blues", "blue", TROOPER, [(42, 28)])])
    close = replace(room(b), together=Coherency(steps(2), steps(5), 1, steps(9), steps(5), 0))
    found = find_room(b, close)
    assert found is not None and [s.model for s in found] == list(close.models)
    bodies, rows = placed(b, found), rows_of(found)
    apart = distances(bodies, b.shapes, rows, rows) + np.diag([1.0] * 22)
    assert (coherent(bodies, b.shapes, rows, close.together), bool(apart.min() > 0)) == (True, True)


def test_the_conditions_have_the_last_word() -> None:
    b = world()

    def on_the_right(spots: Spots) -> Verdict:
        return ALLOWED if min(s.x for s in spots) > steps(30) else refuse("Too far to the left.")

    found = find_room(b, room(b, accept=on_the_right))
    assert found is not None and min(s.x for s in found) > steps(30)
    assert find_room(b, room(b, CORNER, accept=on_the_right)) is None


@pytest.mark.parametrize("apart", [Zone(steps(9), FAR), Ball(steps(9))])
def test_nobody_is_set_up_near_enemies(apart: Zone | Ball) -> None:
    b = world((5, 5))
    assert spots_at(b, room(b, apart=apart), (steps(5), steps(9))) is None
    assert gap(b, find_room(b, room(b, apart=apart))) > steps(9)


def test_a_ball_is_left_upwards_and_a_zone_without_end_is_not() -> None:
    tower = feature("hill", (20, 10, 8, 8), 10, solid=True)
    b = world((24, 14, 10), models=1, terrain=[tower])
    beside = (steps(18.5), steps(14))
    assert gap(b, spots_at(b, room(b, apart=Zone(steps(9), FAR)), beside)) > steps(9)
    spots = spots_at(b, room(b, apart=Ball(steps(9))), beside)
    assert spots is not None and gap(b, spots) < steps(9)
    there = placed(b, spots)
    assert float(distances(there, b.shapes, rows_of(spots), b.on_table(named(b, "Blues"))).min()) > steps(9)


def test_what_lies_on_the_table_beside_models_is_not_stood_on() -> None:
    b = world(models=1)
    anchor = (steps(5), steps(5))

    def lying(bodies: Bodies) -> Bodies:
        pos = np.concatenate((bodies.pos, [[*anchor, 0]]))
        return Bodies(pos, np.append(bodies.facing, 0), np.append(bodies.shape, bodies.shape[0]))

    plain, beside = spots_at(b, room(b), anchor), spots_at(b, room(b, things=lying), anchor)
    assert plain is not None and (plain[0].x, plain[0].y) == anchor
    assert beside is not None and (beside[0].x, beside[0].y) != anchor


def test_places_at_random_are_in_the_areas_and_as_many_as_wanted() -> None:
    b = world()
    wanted = room(b, CORNER, OTHER, ideas=20)
    found = list(some_places(b, wanted, Random(4)))
    assert 5 < len(found) <= 20
    inside = [[is_wholly_in(b, placed(b, f), s.model, area) for s in f] for f in found for area in (CORNER, OTHER)]
    assert sum(all(row) for row in inside) == len(found)
    assert list(some_places(b, replace(wanted, ideas=0), Random(4))) == []


def test_where_a_player_points_comes_first() -> None:
    b = world(models=1)
    first = next(places_near(b, room(b), Goal(steps(33), steps(7))))
    assert (first[0].x, first[0].y) == (steps(33), steps(7))


def test_the_question_asks_the_conditions_and_whether_a_unit_may_be_left_out() -> None:
    b = world(models=1)
    asked = place_of(b, named(b, "Reds"), "deploy", "Where?")

    def here_only(spots: Spots) -> Verdict:
        return ALLOWED if spots[0].x == steps(3) else refuse("Not there.")

    def stays(_w: Any, _unit: Any) -> Verdict:
        return refuse("There is room.")

    rooms = (room(b, accept=here_only),)
    question = setting_up(lambda w, unit: rooms, lambda w, unit: find_room(w, rooms[0]), stays)
    optional = setting_up(lambda w, unit: rooms, lambda w, unit: None)
    spot = Spot(named(b, "Reds").models[0], steps(3), steps(3), 0, 0)
    assert question.judge is not None and optional.judge is not None
    assert question.judge(b, asked, (spot,)) and not question.judge(b, asked, None)
    assert optional.judge(b, asked, None)


def test_strips_lie_along_all_edges() -> None:
    b = world(models=1)
    edges = strips(b, steps(6))
    model = named(b, "Reds").models[0]
    for (x, y), inside in (((1, 15), 1), ((43, 15), 1), ((22, 1), 1), ((22, 29), 1), ((1, 1), 2), ((22, 15), 0)):
        there = placed(b, [Spot(model, steps(x), steps(y), 0, 0)])
        assert sum(is_wholly_in(b, there, model, edge) for edge in edges) == inside, (x, y)


def test_a_base_touches_the_edge_where_it_ends() -> None:
    b = world(models=1)
    model = named(b, "Reds").models[0]
    near, off = (placed(b, [Spot(model, steps(x), steps(9), 0, 0)]) for x in (0.5, 0.6))
    assert touches_edge(b, near, model) and not touches_edge(b, off, model)
    assert gap_to_area(b, off, model, strips(b, steps(6))[3]) <= 0


def test_how_narrow_a_base_is() -> None:
    assert narrowest(world(models=1), 0) == steps(1)
    wide = world(models=1, sheet=TANK)
    shape = int(wide.ground.shape[0])
    assert narrowest(wide, 0) < 2 * int(wide.shapes.reach[shape])
