"""Moves that seek the enemy, for conditions that no edition has all of: what they come to, and what is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandtable.battle import ALLOWED, Leg, Moves, Path, Verdict, refuse
from sandtable.kit.closing import plan
from sandtable.kit.closing.contact import (
    Contact,
    able_models,
    astray,
    closer_to_a_unit,
    closer_to_the_nearest,
    least_way,
    models_of,
    near,
)
from sandtable.kit.closing.in_force import all_close_in
from sandtable.kit.closing.instead import contact_instead, who_could
from sandtable.kit.closing.least import least_roll, possible
from sandtable.kit.closing.plan import Plan
from sandtable.kit.moving import after
from sandtable.kit.passage import Passage as Passage8
from sandtable.kit.sweeps import check_lengths, check_ways
from sandtable.kit.way import Way
from sandtable.systems.w40k10.moving_models import OFFENCES
from sandtable.systems.w40k10.moving_models import Passage as Passage10
from sandtable.systems.w40k10.state import Battle10
from sandtable.table.coherency import coherent
from sandtable.table.grid import steps
from sandtable.table.zones import CONTACT, Ball, Zone
from w40k8 import table as table8
from w40k10.table import TROOPER, feature, situation, unit

INCH, TWO = Zone(steps(1), steps(5)), Zone(steps(2), steps(5))


def on_the_table(
    reds: list[tuple[float, ...]], blues: list[tuple[float, ...]], *more: tuple[float, ...], hill: Any = None
) -> Battle10:
    """Reds (unit 0), Blues (unit 1), and one more enemy unit for each further place; bases are an inch wide."""
    units = [unit("Reds", "red", TROOPER, reds), unit("Blues", "blue", TROOPER, blues)]
    units += [unit(f"More {k}", "blue", TROOPER, [at]) for k, at in enumerate(more)]
    return situation(units, [feature("hill", *hill, solid=True)] if hill else [])


def legal(w: Any, c: Contact, moves: Moves) -> Verdict:
    """Ways, lengths and coherency, and who must be reached."""
    bodies, mates = after(w, moves), w.on_table(w.unit(c.way.unit))
    verdict = check_lengths(w, c.way, moves, lambda _: c.far, OFFENCES) and check_ways(
        w, c.way, moves, bodies, OFFENCES
    )
    if not verdict:
        return verdict
    if not coherent(bodies, w.shapes, mates, c.way.together(w, len(mates))):
        return refuse("They are apart.")
    reached = [bool(c.reach and near(w, bodies, mates, models_of(w, (u,)), c.reach).any()) for u in c.prey]
    if c.reach is None or (all(reached) if c.each else any(reached)):
        return ALLOWED
    return refuse("They are not there.")


def seek(b: Any, prey: tuple[int, ...] = (1,), far: float = 6, *, way: Way | None = None, **more: Any) -> Contact:
    """Unit 0 seeks some units."""
    way = way or Passage10(0, "charge")
    return Contact(way, steps(far), able_models(b, way), prey, legal, **more)


def go(*ends: tuple[int, float, float]) -> Moves:
    """Models go straight to places."""
    return Moves("charge", tuple(Path(m, (Leg("go", steps(x), steps(y), 0, 0),)) for m, x, y in ends))


# --- Closer to what ---------------------------------------------------------------------------------------------------


def test_closer_to_a_unit_is_closer_than_the_nearest_of_its_models_was() -> None:
    b = on_the_table([(10, 10)], [(14, 10), (10, 15)], (10, 4))
    c = seek(b, (1, 2), closer=closer_to_a_unit)

    def strays(*end: float) -> bool:
        return bool(astray(b, c, go((0, *end)), after(b, go((0, *end)))))  # type: ignore[arg-type]

    assert not strays(10.1, 10)
    assert strays(10, 10.5), "nearer to a model of the unit, but not as near as another was"
    assert not strays(10, 11.1)
    assert not strays(10, 9.9), "nearer to the other unit"
    assert strays(9.9, 10)


def test_closer_to_the_nearest_is_closer_to_that_very_model_or_one_as_near() -> None:
    b = on_the_table([(10, 10)], [(14, 10), (10, 14), (10, 5)])
    c = seek(b, closer=closer_to_the_nearest)
    for end, lost in (((10.1, 10), []), ((10, 10.1), []), ((10, 9.0), [0]), ((9.9, 9.9), [0])):
        assert astray(b, c, go((0, *end)), after(b, go((0, *end)))) == lost


def test_who_does_not_count_is_looked_past() -> None:
    b = on_the_table([(10, 10)], [(14, 10)], (10, 13))
    far = seek(b, (1, 2), closer=closer_to_the_nearest, counts=not_the_last)
    assert astray(b, far, go((0, 10, 10.5)), after(b, go((0, 10, 10.5)))) == [0]
    assert astray(b, far, go((0, 10.5, 10)), after(b, go((0, 10.5, 10)))) == []


def not_the_last(w: Any, c: Contact) -> Any:
    return np.array([[True, False]])


# --- Who must be reached ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("each", "need"), [(False, 4), (True, 5)])
def test_the_least_way_is_to_one_unit_or_to_each(each: bool, need: int) -> None:
    b = on_the_table([(10, 10)], [(16, 10)], (16, 13))
    c = seek(b, (1, 2), reach=INCH, each=each)
    assert steps(need - 1) < least_way(b, c) <= steps(need)
    assert least_roll(b, c._replace(furthest=steps(12)), 12).roll == need


def test_who_has_left_the_table_can_be_reached_no_more() -> None:
    b = on_the_table([(10, 10)], [(16, 10)])
    gone = seek(b, (), reach=INCH)
    assert least_way(b, gone) == np.inf
    assert least_roll(b, gone, 12).moves is None


def test_a_ball_is_left_sooner_than_a_zone_that_is_as_wide() -> None:
    hill = ((14.0, 5.0, 10.0, 10.0), 0.8)
    b = on_the_table([(10, 10)], [(15, 10, 0.8)], hill=hill)
    zone, ball = seek(b, reach=INCH), seek(b, reach=Ball(steps(1)))
    assert least_way(b, zone) == least_way(b, ball)
    assert possible(b, zone._replace(far=steps(3))) is not None
    assert possible(b, ball._replace(far=steps(3))) is None
    found = possible(b, ball._replace(far=steps(4)))
    assert found is not None and legal(b, ball._replace(far=steps(4)), found)


def test_models_that_are_in_each_others_way_get_there_one_by_one() -> None:
    reds = table8.unit("Reds", "red", table8.sheet(name="Red"), [(10, 10), (11.2, 10), (12.4, 10)])
    blues = table8.unit("Blues", "blue", table8.bare(), [(17, 10)])
    b = table8.situation([reds, blues], step="charge_phase")
    c = seek(b, way=Passage8(0, "charge"), far=6, reach=Ball(steps(1)))
    found = possible(b, c)
    assert found is not None and legal(b, c, found)


# --- Ladders ----------------------------------------------------------------------------------------------------------


def test_without_a_ladder_nobody_has_to_come_nearer() -> None:
    b = on_the_table([(10, 10)], [(16, 10)])
    assert contact_instead(b, seek(b, reach=INCH), go((0, 14.2, 10)), [0]) is None


def test_who_stops_short_of_contact_could_have_touched() -> None:
    b = on_the_table([(10, 10)], [(16, 10)])
    c = seek(b, reach=INCH, ladder=(CONTACT,))
    short = go((0, 14.2, 10))
    better = contact_instead(b, c, short, [0])
    assert better is not None
    assert who_could(b, c, short, better)[:2] == (0, 1)
    assert contact_instead(b, c, better, [0]) is None


def test_a_ladder_below_contact_asks_for_its_first_rung_and_never_for_contact() -> None:
    b = on_the_table([(10, 10)], [(16, 10)])
    c = seek(b, far=6, reach=TWO, ladder=(INCH, TWO))
    better = contact_instead(b, c, go((0, 13.2, 10)), [0])
    assert better is not None
    assert near(b, after(b, better), np.array([0]), models_of(b, c.prey), INCH).all()
    assert contact_instead(b, c, go((0, 14.1, 10)), [0]) is None


@pytest.mark.parametrize(("far", "rung"), [(4, INCH), (3.9, TWO), (2.9, None)])
def test_who_cannot_get_to_the_first_rung_is_held_to_the_second(far: float, rung: Zone | None) -> None:
    b = on_the_table([(10, 10), (12, 11.5)], [(16, 10)])
    c = seek(b, far=far, ladder=(INCH, TWO))
    better = contact_instead(b, c, go((1, 12, 11.6)), [0])
    there, reds = after(b, better or go()), b.on_table(b.unit(0))
    got = [z for z in (INCH, TWO) if near(b, there, reds, models_of(b, c.prey), z).any()]
    assert got[:1] == [z for z in (rung,) if z is not None]


def test_where_nobody_must_be_reached_comrades_follow_who_can_touch() -> None:
    b = on_the_table([(10, 10), (10, 11.5)], [(16, 10)])
    c = seek(b, far=6, ladder=(CONTACT,))
    better = contact_instead(b, c, go((0, 11.2, 10), (1, 11.2, 11.5)), [0, 1])
    assert better is not None
    assert near(b, after(b, better), np.array([0, 1]), models_of(b, c.prey)).any()
    assert {p.model for p in better.paths} == {0, 1}


def test_a_comrade_who_is_there_already_does_not_count_for_another() -> None:
    b = on_the_table([(10, 10), (10, 11.5)], [(16, 10), (16, 11.5)])
    c = seek(b, far=6, reach=TWO, ladder=(INCH,))
    better = contact_instead(b, c, go((0, 14.5, 10), (1, 13.2, 11.5)), [0, 1])
    assert better is not None
    assert near(b, after(b, better), np.array([0, 1]), models_of(b, c.prey), INCH).all()


# --- Plans ------------------------------------------------------------------------------------------------------------


def test_a_plan_that_finds_nothing_leaves_everybody_where_they_are() -> None:
    b = on_the_table([(10, 10)], [(25, 10)])
    made = Plan(seek(b, reach=INCH), legal, (all_close_in,), some=possible, idle="stay")
    assert plan.find(b, made) is None
    assert plan.default(b, made) == Moves("stay")


def test_a_plan_goes_on_from_what_a_refusal_shows() -> None:
    b = on_the_table([(10, 10)], [(16, 10)])
    c = seek(b, reach=INCH, ladder=(CONTACT,))
    made = Plan(c, dutiful, (stop_short,))
    found = plan.find(b, made)
    assert found is not None
    assert near(b, after(b, found), np.array([0]), models_of(b, c.prey)).all()


def stop_short(w: Any, c: Contact) -> Any:
    yield go((0, 14.2, 10))


def dutiful(w: Any, c: Contact, moves: Moves) -> Verdict:
    better = contact_instead(w, c, moves, c.movers)
    return legal(w, c, moves) and (ALLOWED if better is None else refuse("It could touch.", instead=better))
