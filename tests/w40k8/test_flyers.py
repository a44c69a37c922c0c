"""Models of 8th edition that can Fly, and flyers with a least move."""

from __future__ import annotations

from math import hypot
from random import Random
from typing import Any

import pytest

from sandtable.battle import TABLE
from sandtable.battle.events import Told
from sandtable.battle.questions import suggest
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import default, judge, places, refused_by
from w40k8.table import Doc, Spots, alive, asked, bare, give, kinds, named, rolls, sheet, situation, told, unit

rule = pytest.mark.rule

FLYER = sheet(name="Red", move=12, keywords=["FLY"])
PLANE = sheet(name="Plane", move="20-30", keywords=["VEHICLE", "FLY"])


def red(at: Spots | None = None, doc: Doc | None = None, name: str = "Reds", **flags: Any) -> UnitDoc:
    """Those who fly."""
    return unit(name, "red", doc or FLYER, at or [(10, 10)], **flags)


def blue(at: Spots, name: str = "Blues") -> UnitDoc:
    """Their enemies."""
    return unit(name, "blue", bare(), at)


FAR = blue([(43, 29)])
OTHERS = unit("Others", "red", sheet(name="Other"), [(1, 29)])
"""Red has one unit more, so that there is a choice."""


def picked(*units: UnitDoc, **settings: Any) -> Battle8:
    """Reds are picked to move."""
    b = situation(list(units), **{"step": "movement_phase", **settings})
    give(b, "move_with", "Reds")
    return b


def to(*spots: tuple[float, ...] | None, mode: str = "normal") -> Doc:
    """A move straight to places."""
    return {"mode": mode, "to": [None if s is None else list(s) for s in spots]}


def along(*spots: tuple[float, float], mode: str = "normal") -> Doc:
    """The way of the only model."""
    return {"mode": mode, "paths": {1: [{"do": "go", "to": list(s)} for s in spots]}}


# --- Fly --------------------------------------------------------------------------------------------------------------


@rule("w40k8.move.fly", check=1)
@pytest.mark.parametrize("other", [OTHERS, FAR])
def test_flyers_cross_friends_and_enemies(other: UnitDoc) -> None:
    between = unit("Between", other.player, bare(), [(14, 10)])
    b = picked(red(), between, other)
    give(b, "move", to((18, 10)))
    assert places(b, "Reds") == [(18, 10, 0)]


@rule("w40k8.move.fly", check=2)
def test_flyers_cross_terrain_without_paying_for_its_height() -> None:
    wall = FeatureDoc(kind="hill", rect=(14, 5, 1, 10), height=8, solid=True)
    b = picked(red(), FAR, terrain=[wall])
    assert judge(b, "move", to((22, 10)))
    refused_by(b, "move", to((22.01, 10)), "w40k8.move.distance")


@rule("w40k8.move.fly", check=3)
@rule("w40k8.move.fly", check=4)
def test_flyers_pass_near_enemies_but_do_not_end_there() -> None:
    b = picked(red(), blue([(16, 11.5)]))
    refused_by(b, "move", to((16, 10)), "w40k8.move.one_inch")
    give(b, "move", to((20, 10)))
    assert places(b, "Reds") == [(20, 10, 0)]


@rule("w40k8.move.fly", check=4)
@pytest.mark.parametrize(("x", "fine"), [(18.0, False), (18.01, True)])
def test_flyers_end_more_than_an_inch_from_enemies_that_they_crossed(x: float, fine: bool) -> None:
    b = picked(red(), blue([(16, 10)]))
    assert judge(b, "move", to((x, 10))).ok == fine


@rule("w40k8.move.fly", check=5)
def test_flyers_do_not_end_on_models_or_in_solid_terrain() -> None:
    block = FeatureDoc(kind="hill", rect=(14, 14, 4, 4), height=8, solid=True)
    friend = unit("Others", "red", bare(), [(16, 10)])
    between = unit("Between", "red", bare(), [(14, 10)])
    b = picked(red(), friend, between, FAR, terrain=[block])
    refused_by(b, "move", to((16.9, 10)), "w40k8.move.through_models")
    refused_by(b, "move", to((16, 16)), "w40k8.move.terrain")
    assert judge(b, "move", to((17, 10)))


def flying_into_a_fight(step: str, dice: Any = None, **flags: Any) -> Battle8:
    """A flyer with a friend between it and the enemy."""
    friend = unit("Between", "red", bare(), [(11.1, 10)], declared=True)
    reds = red([(10, 10)], **flags)
    return situation([reds, friend, blue([(13.4, 10)])], step=step, dice=dice or {})


@rule("w40k8.move.fly", check=6)
def test_flyers_charge_over_friends() -> None:
    b = flying_into_a_fight("charge_phase", {"charge": [1, 2]})
    give(b, "charge_with", "Reds")
    assert judge(b, "charge_move", to((12.4, 10), mode="charge"))


@rule("w40k8.move.fly", check=6)
def test_flyers_pile_in_over_friends() -> None:
    b = flying_into_a_fight("fight_units", charged=True, targets=[2])
    give(b, "pile_in", {"to": [[12.4, 10]]})
    assert places(b, "Reds") == [(12.4, 10, 0)]


# --- The least move ---------------------------------------------------------------------------------------------------


@rule("w40k8.move.minimum", check=1)
def test_a_flyer_gets_at_least_as_far_as_the_lower_number() -> None:
    b = picked(red([(5, 10)], PLANE), OTHERS, FAR)
    refused_by(b, "move", to((24.99, 10)), "w40k8.move.minimum")
    give(b, "move", to((25, 10)))
    assert places(b, "Reds") == [(25, 10, 0)]


@rule("w40k8.move.minimum", check=2)
def test_the_least_move_is_measured_between_start_and_end() -> None:
    b = picked(red([(5, 10)], PLANE), OTHERS, FAR)
    refused_by(b, "move", along((24, 15.5), (24, 10)), "w40k8.move.minimum")
    assert judge(b, "move", along((24, 15.5), (25, 10)))


@rule("w40k8.move.minimum", check=3)
def test_the_most_is_measured_along_the_way() -> None:
    b = picked(red([(5, 10)], PLANE), OTHERS, FAR)
    assert judge(b, "move", along((30, 10), (30, 15)))
    refused_by(b, "move", along((30, 10), (30, 15.01)), "w40k8.move.distance")


@rule("w40k8.move.minimum", check=4)
def test_a_flyer_cannot_stay() -> None:
    b = situation([red([(5, 10)], PLANE), OTHERS, FAR], step="movement_phase")
    refused = judge(b, "move_with", None)
    give(b, "move_with", "Others")
    give(b, "move", {"mode": "stationary"})
    modes: Any = asked(b, "move")
    refused_by(b, "move", {"mode": "normal"}, "w40k8.move.minimum")
    assert (refused.ok, [m.name for m in modes.modes]) == (False, ["normal", "advance"])


@rule("w40k8.move.minimum", check=4)
def test_one_flyer_keeps_its_unit_from_staying() -> None:
    escort = sheet(name="Escort", move=30, keywords=["FLY"])
    mixed = unit("Reds", "red", PLANE, [(5, 10), (5, 12)], loadout=[{"models": [2], "sheet": escort}])
    question: Any = asked(picked(mixed, OTHERS, FAR), "move")
    assert [m.name for m in question.modes] == ["normal", "advance"]


@rule("w40k8.move.minimum", check=4)
@pytest.mark.parametrize("move", [6, "2D6", None])
def test_whoever_has_no_least_move_may_stay(move: int | str | None) -> None:
    b = picked(red(doc=sheet(name="Red", move=move)), OTHERS, FAR, dice={"move": [1, 1]})
    give(b, "move", {"mode": "stationary"})
    give(b, "move_with", None)
    assert (places(b, "Reds"), kinds(b)) == ([(10, 10, 0)], [])


@rule("w40k8.move.minimum", check=5)
def test_a_flyer_charges_and_piles_in_without_a_least_move() -> None:
    b = picked(red([(5, 10)], PLANE), OTHERS, blue([(29, 10)]), dice={"charge": [1, 2]})
    refused_by(b, "move", to((24.99, 10)), "w40k8.move.minimum")
    give(b, "move", to((25, 10)))
    give(b, "move_with", None)
    give(b, "charge_with", "Reds")
    give(b, "charge_move", to((27.5, 10), mode="charge"))
    give(b, "pile_in", {"to": [[28, 10]]})
    assert places(b, "Reds") == [(28, 10, 0)]


@rule("w40k8.move.minimum", check=6)
def test_an_advance_raises_the_most_and_not_the_least() -> None:
    b = picked(red([(5, 10)], PLANE), OTHERS, FAR, dice={"advance": [6]})
    give(b, "move", {"mode": "advance"})
    assert judge(b, "complete_move", to((41, 10), mode="advance"))
    assert judge(b, "complete_move", to((25, 10), mode="advance"))
    refused_by(b, "complete_move", to((41.01, 10), mode="advance"), "w40k8.move.advance")
    refused_by(b, "complete_move", to((24.99, 10), mode="advance"), "w40k8.move.minimum")
    assert rolls(b) == [("advance", (6,))]


def test_every_point_of_a_long_base_gets_as_far() -> None:
    b = picked(red([(5, 15)], sheet(name="Plane", move="20-40", keywords=["FLY"], base="170x105mm")), OTHERS, FAR)
    straight = {"do": "go", "to": [25.5, 15], "facing": 0}
    assert judge(b, "move", {"mode": "normal", "paths": {1: [straight]}})
    turned = {"do": "turn", "to": [25.5, 15], "facing": 90}
    refused_by(b, "move", {"mode": "normal", "paths": {1: [straight, turned]}}, "w40k8.move.minimum")


PAIR = sheet(name="Plane", move="20-30", keywords=["FLY"])


@rule("w40k8.move.minimum", check=1)
@pytest.mark.parametrize("spots", [[(2, 2), (2, 4), (2, 6), (4, 2)], [(22, 15), (22, 17), (22, 19), (22, 21)]])
def test_units_of_several_flyers_have_a_default_that_takes_all_of_them_far_enough(spots: Spots) -> None:
    b = picked(red(spots, PAIR), OTHERS, FAR)
    default(b, "move")
    ends = places(b, "Reds")
    assert all(hypot(x - a, y - o) >= 20 for (x, y, _), (a, o) in zip(ends, spots, strict=True))


@rule("w40k8.move.minimum", check=1)
@pytest.mark.parametrize("seed", range(5))
def test_units_of_several_flyers_are_offered_legal_ways(seed: int) -> None:
    b = picked(red([(22, 15), (22, 17), (20, 15)], PAIR), OTHERS, FAR)
    question = asked(b, "move")
    assert b.check(question, next(suggest(b, question, Random(seed))))


def test_flyers_that_do_not_fit_as_they_stand_line_up_anew() -> None:
    """They stand side by side, and fit into the only gap one behind the other."""
    rects = [(20.0, 0.0, 15.0, 30.0), (36.5, 0.0, 7.5, 30.0), (0.0, 18.0, 20.0, 12.0)]
    rocks = [FeatureDoc(kind="hill", rect=rect, height=8, solid=True) for rect in rects]
    others = unit("Others", "red", sheet(name="Other"), [(1, 1)])
    b = picked(red([(8, 10), (9.5, 10)], PAIR), others, blue([(36, 1)]), terrain=rocks)
    default(b, "move")
    assert ({35 < x < 36.5 for x, _, _ in places(b, "Reds")}, "crashed" in told(b)) == ({True}, False)


@rule("w40k8.move.minimum_crash", check=1)
@rule("w40k8.move.minimum_crash", check=2)
def test_of_flyers_that_cannot_get_anywhere_together_some_crash_and_the_others_move() -> None:
    """Each finds an end, in corners that are far apart: no two of them end in coherency."""
    b = picked(red([(21, 15), (23, 15)], sheet(name="Plane", move="26-60", keywords=["FLY"])), OTHERS, FAR)
    left = [m for m in named(b, "Reds").models if b.state.models.place[m] == TABLE]
    said = [e.text for e in b.events if isinstance(e, Told) and e.kind == "crashed"]
    default(b, "move")
    assert (left, said, alive(b, "Reds"), named(b, "Reds").moved) == (
        [0],
        ["Plane 2 has nowhere to go with its least move, and crashes."],
        1,
        "normal",
    )


@rule("w40k8.move.minimum_crash", check=1)
def test_who_cannot_fly_and_is_walled_in_crashes() -> None:
    walls = [FeatureDoc(kind="impassable", rect=(12, 0, 1, 30), height=8, solid=True)]
    b = picked(red([(5, 10)], sheet(name="Racer", move="20-30")), OTHERS, FAR, terrain=walls)
    assert (alive(b, "Reds"), told(b).count("crashed")) == (0, 1)


@rule("w40k8.move.minimum_crash", check=1)
def test_an_advance_that_makes_the_least_move_too_far_ends_in_a_crash() -> None:
    doc = sheet(name="Plane", move="22-60", keywords=["FLY"])
    options = {"flyers-advance": "both-numbers"}
    b = picked(red([(22, 15)], doc), OTHERS, FAR, dice={"advance": [6]}, options=options)
    give(b, "move", {"mode": "advance"})
    assert (alive(b, "Reds"), told(b).count("crashed"), kinds(b)) == (0, 1, ["move_with"])


# --- Crashes ----------------------------------------------------------------------------------------------------------


@rule("w40k8.move.minimum_crash", check=1)
def test_a_flyer_without_an_end_beyond_its_least_move_is_destroyed() -> None:
    b = picked(red([(22, 15)], sheet(name="Plane", move="27-60", keywords=["FLY"])), OTHERS, FAR)
    assert (alive(b, "Reds"), "crashed" in told(b), kinds(b)) == (0, True, ["move_with"])


@rule("w40k8.move.minimum_crash", check=2)
def test_a_flyer_that_has_one_end_left_must_take_it() -> None:
    posts = [unit(f"Post {i}", "red", bare(), [spot]) for i, spot in enumerate([(1, 1), (43, 1), (1, 29)])]
    b = picked(red([(22, 15)], sheet(name="Plane", move="25-60", keywords=["FLY"])), *posts, blue([(22, 29)]))
    before = alive(b, "Reds")
    default(b, "move")
    assert (before, alive(b, "Reds"), named(b, "Reds").moved) == (1, 1, "normal")


@rule("w40k8.move.minimum_crash", check=2)
def test_whoever_has_no_least_move_does_not_crash() -> None:
    b = picked(red(doc=sheet(name="Red", move=None)), blue([(11, 10)]))
    assert (alive(b, "Reds"), kinds(b)) == (1, ["move"])


@rule("w40k8.move.minimum_crash", check=3)
@pytest.mark.parametrize("player", ["red", "blue"])
def test_ends_on_models_or_near_enemies_save_nobody(player: str) -> None:
    corners = [(1, 1), (43, 1), (1, 29), (43, 29)]
    guards = [unit(f"Guard {i}", player, bare(base="50mm"), [spot]) for i, spot in enumerate(corners)]
    other = unit("Others", "red", sheet(name="Other"), [(15, 29)])
    doc = sheet(name="Plane", move="25-60", keywords=["FLY"])
    free = picked(red([(22, 15)], doc), other, blue([(22, 29)]))
    b = picked(red([(22, 15)], doc), *guards, other, blue([(22, 29)]))
    assert (alive(free, "Reds"), alive(b, "Reds")) == (1, 0)


@rule("w40k8.move.minimum_crash", check=4)
def test_a_crash_is_a_loss_like_any_other() -> None:
    hold = {"capacity": 2, "carries": ["INFANTRY"]}
    doc = sheet(name="Plane", move="27-60", keywords=["VEHICLE", "FLY"], transport=hold)
    riders = unit("Riders", "red", sheet(name="Rider"), off=2, embarked="Reds")
    b = picked(red([(22, 15)], doc), riders, OTHERS, FAR, dice={"destroyed transport": [1, 2]})
    give(b, "disembark", [[22, 13.9], [22, 16.1]])
    give(b, "wreck_loss", "Rider 1")
    assert (named(b, "Reds").slain, told(b).count("unit_slain"), alive(b, "Riders")) == (1, 1, 1)
