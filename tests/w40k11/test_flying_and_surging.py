"""Surge moves, Super-Heavy Walkers, MONSTERS and VEHICLES among models, and models that never move."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Moves, questions
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.surge import may_surge
from w40k11.carriers import RHINO
from w40k11.table import (
    FOE,
    INCH,
    JUMPER,
    TANK,
    TROOPER,
    cites,
    feature,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    play,
    power,
    rolls,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule
PLANE: dict[str, Any] = {**TANK, "name": "Plane", "keywords": ["VEHICLE", "FLY", "AIRCRAFT"], "base": INCH}
BASE = unit("Base", "red", TROOPER, [(41, 2)])
SURGE = {"kind": "move", "type": "surge", "distance": 6, "at": "enemy_moved", "within": 60}


def said(b: Battle11, kind: str, answer: Any) -> set[str]:
    """What is cited against an answer; nothing where it is allowed."""
    verdict = judge(b, kind, answer)
    return set() if verdict else cites(verdict) | {"refused"}


def hunt(
    *units: Any, doc: Any = TROOPER, far: int = 6, blues: Any = None, terrain: Any = None, **flags: Any
) -> Battle11:
    """A red unit moves, and lets the Blues surge."""
    hunters = unit("Blues", "blue", doc, blues or [(10, 10)], **flags)
    movers = [unit("Reds", "red", TROOPER, [(30, 10)]), BASE, *units]
    b = situation([*movers, hunters], terrain, abilities=[power("Blues", **{**SURGE, "distance": far})])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [[30, 12]]})
    return b


def surge(*to: tuple[float, float]) -> dict[str, Any]:
    return {"mode": "surge", "to": [list(p) for p in to]}


NEAR = unit("Near", "red", TROOPER, [(18, 10)])
NO = {"refused", "w40k11.surge.move"}


@rule("w40k11.surge.eligible", check=1)
@pytest.mark.parametrize(("shocked", "open_"), [(True, ["move_with"]), (False, ["surge"])])
def test_who_is_battle_shocked_does_not_surge(shocked: bool, open_: list[str]) -> None:
    assert kinds(hunt(NEAR, battle_shocked=shocked)) == open_


@rule("w40k11.surge.eligible", check=2)
@pytest.mark.parametrize(("x", "open_"), [(13, ["move_with"]), (13.1, ["surge"])])
def test_who_is_engaged_does_not_surge(x: float, open_: list[str]) -> None:
    assert kinds(hunt(unit("Near", "red", TROOPER, [(x, 10)]))) == open_


OWN = {"kind": "move", "type": "surge", "distance": 6}
AT_ENDS = {**OWN, "at": "phase_end"}
"""An ability that lets a unit surge at the end of every phase"""


def chances(b: Battle11, name: str) -> list[str]:
    """Play on plainly to the end of the turn: in which phases the unit could surge."""
    turn, found = b.state.game.turns, []
    while b.state.game.turns == turn:
        d = b.decisions[0]
        if d.kind == "surge" and b.unit(d.unit).name == name:
            found.append(b.state.game.phase)
        b.answer(d, Moves("surge") if d.kind == "surge" else questions.plain(b, d))
    return found


EVERY = ["movement", "shooting", "charge", "fight"]


@rule("w40k11.surge.eligible", check=3)
@pytest.mark.parametrize(("mode", "phases"), [("normal", EVERY[1:]), ("stationary", EVERY)])
def test_who_has_moved_this_phase_does_not_surge(mode: str, phases: list[str]) -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), BASE, FOE], abilities=[power("Reds", **AT_ENDS)])
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": mode})
    assert chances(b, "Reds") == phases


@rule("w40k11.surge.eligible", check=4)
def test_the_distance_is_what_the_rule_says() -> None:
    b, short = hunt(NEAR), hunt(NEAR, far=3)
    assert (said(b, "surge", surge((16, 10))), said(short, "surge", surge((13, 10)))) == (set(), set())
    assert said(short, "surge", surge((13.01, 10))) == NO | {"w40k11.move.straight_line"}


@rule("w40k11.surge.move", check=1)
def test_the_target_is_the_closest_enemy_unit() -> None:
    b = hunt(NEAR, unit("Other", "red", TROOPER, [(10, 19)]), unit("Late", "red", TROOPER, off=1, reserve="strategic"))
    assert [b.unit(int(t)).name for t in b.decisions[0].about["targets"]] == ["Near"]
    assert "refused" in said(b, "surge", surge((10, 15)))
    assert said(b, "surge", surge((16, 10))) == set()


@rule("w40k11.surge.move", check=1)
def test_nobody_surges_where_no_enemy_is_on_the_battlefield() -> None:
    away = unit("Foes", "blue", TROOPER, off=1, reserve="strategic")
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), BASE, away], abilities=[power("Reds", **AT_ENDS)])
    assert chances(b, "Reds") == []


@rule("w40k11.surge.move", check=2)
def test_a_model_that_can_end_engaged_must() -> None:
    b = hunt(NEAR)
    assert (said(b, "surge", surge((14, 10))), said(b, "surge", surge((15, 10)))) == (NO, set())


@rule("w40k11.surge.move", check=2)
def test_who_cannot_end_engaged_ends_as_near_as_it_can() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(24, 10)]), blues=[(10, 10), (8, 10)])
    to = [[(16, 10), (14, 10)], [(16, 10), (13, 10)], [(10, 10), (7, 10)], []]
    assert [said(b, "surge", surge(*places_)) for places_ in to] == [set(), NO, NO, set()]


@rule("w40k11.surge.move", check=2)
@pytest.mark.parametrize("x", [24, 24.3, 24.7])
def test_nobody_stops_short_of_the_end_of_a_surge(x: float) -> None:
    b = hunt(unit("Near", "red", TROOPER, [(x, 10)]))
    assert (said(b, "surge", surge((15.9, 10))), said(b, "surge", surge((16, 10)))) == (NO, set())


@rule("w40k11.surge.move", check=2)
def test_the_first_of_a_long_unit_does_not_stop_short_either() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(24.3, 10)]), blues=[(10, 10), (8, 10)])
    assert [said(b, "surge", surge((x, 10), (14, 10))) for x in (15.9, 16)] == [NO, set()]


@rule("w40k11.surge.move", check=2)
def test_nobody_gets_further_away_where_nothing_nearer_is_in_sight() -> None:
    block = [feature("hill", (11, 0, 2, 30), 5, solid=True)]
    rider, near = {**TROOPER, "keywords": ["MOUNTED"]}, unit("Near", "red", TROOPER, [(16, 10)])
    b = hunt(near, doc=rider, blues=[(10.4, 10)], terrain=block)
    assert (said(b, "surge", surge((10.1, 10))), said(b, "surge", surge((10.5, 10)))) == (NO, set())


@rule("w40k11.surge.move", check=2)
def test_the_last_of_a_long_unit_comes_as_near_as_it_can_too() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(24, 10)]), blues=[(10, 10), (8, 10), (6, 10), (4, 10)], far=3)
    found = [said(b, "surge", surge((13, 10), (11, 10), (9, 10), (x, 10))) for x in (7, 6)]
    assert found == [set(), NO]


@rule("w40k11.surge.move", check=2)
def test_nobody_embarks_at_the_end_of_a_surge() -> None:
    b = hunt(NEAR, unit("Rhino", "blue", RHINO, [(16, 14)]))
    out, onto = surge((15, 10)), {**surge((15, 10)), "onto": "Rhino"}
    assert (said(b, "surge", onto), said(b, "surge", out)) == ({"refused", "w40k11.transport.embark"}, set())


@rule("w40k11.surge.move", check=3)
def test_a_surge_ends_engaged_with_nobody_else() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(16, 10)]), unit("Other", "red", TROOPER, [(16.5, 14)]))
    assert (said(b, "surge", surge((15, 12))), said(b, "surge", surge((14, 10)))) == (NO, set())


@rule("w40k11.surge.move", check=4)
def test_a_unit_that_surged_does_not_move_again_in_the_phase() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(24, 10)]))
    give(b, "surge", surge((16, 10)))
    assert told(b)[-1] == "surged"
    give(b, "move_with", "Base")
    give(b, "move", {"mode": "normal", "to": [[41, 3]]})
    assert (kinds(b), places(b, "Blues")) == (["move_with"], [(16, 10, 0)])


@rule("w40k11.surge.move", check=4)
def test_who_surged_before_it_was_selected_remains_stationary_and_charges_later() -> None:
    def moves(*to: tuple[float, float]) -> list[Any]:
        units = [unit("Reds", "red", TROOPER, [(10, 10)]), BASE, unit("Blues", "blue", TROOPER, [(24, 10)])]
        b = situation(units, step="movement_phase", abilities=[power("Reds", **OWN, at="movement")])
        give(b, "surge", surge(*to))
        give(b, "move_with", "Reds")
        labels = offered(b, "move")
        give(b, "move", {"mode": "stationary"})
        until(b, "charge_with")
        return [label for label in labels if label.islower()]

    assert [moves((16, 10)), moves()] == [["stationary"], ["advance", "normal", "stationary"]]


@rule("w40k11.surge.move", check=4)
def test_who_surged_in_the_fight_phase_does_not_pile_in() -> None:
    def asked_for(*to: tuple[float, float]) -> list[str]:
        blues = unit("Blues", "blue", {**TROOPER, "move": None}, [(14.5, 10)])
        b = situation(
            [unit("Reds", "red", TROOPER, [(10, 10)], charged=True), BASE, blues],
            step="fight_phase",
            abilities=[power("Reds", **OWN, at="fight")],
        )
        give(b, "surge", surge(*to))
        return kinds(b)

    assert [asked_for((12, 10)), asked_for()] == [["strike"], ["pile_in_with"]]


@rule("w40k11.surge.move", check=5)
@pytest.mark.parametrize(("doc", "target"), [(TROOPER, "Near"), (JUMPER, "Plane")], ids=["foot", "fly"])
def test_aircraft_are_no_targets_but_for_who_flies(doc: Any, target: str) -> None:
    b = hunt(NEAR, unit("Plane", "red", PLANE, [(10, 15)]), doc=doc)
    assert [b.unit(int(t)).name for t in b.decisions[0].about["targets"]] == [target]


def arriving(**more: Any) -> Battle11:
    """Late ones of the Reds or of the Blues, who could surge at the end of every phase."""
    return situation([BASE, FOE, *more.pop("units")], round_=2, abilities=[power("Late", **AT_ENDS)], **more)


@rule("w40k11.reserves.ingress_after", check=5)
def test_who_arrived_this_turn_does_not_surge_before_the_charge_phase() -> None:
    here = arriving(units=[unit("Late", "red", TROOPER, [(20, 3)])])
    b = arriving(units=[unit("Late", "red", TROOPER, off=1, reserve="strategic")])
    give(b, "move_with", "Late")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    assert (chances(b, "Late"), chances(here, "Late")) == (EVERY[2:], EVERY)


@rule("w40k11.reserves.ingress_after", check=4)
def test_after_rapid_ingress_nobody_surges_before_the_charge_phase_of_the_opponent() -> None:
    late = unit("Late", "blue", TROOPER, off=1, reserve="strategic")
    b = arriving(units=[late], cp=(0, 1), options={"windows": "all"})
    give(b, "move_with", "Base")
    give(b, "move", {"mode": "stationary"})
    play(b, "Rapid Ingress")
    give(b, "arrive", [[3, 15]])
    assert chances(b, "Late") == EVERY[2:]


@rule("w40k11.fly.take_to_skies", check=8)
def test_nobody_takes_to_the_skies_in_a_surge() -> None:
    b = hunt(unit("Near", "red", TROOPER, [(24, 10)]), doc=JUMPER)
    assert kinds(b) == ["surge"]
    by_move = situation([unit("Reds", "red", JUMPER, [(10, 10)]), FOE])
    give(by_move, "move_with", "Reds")
    assert kinds(by_move) == ["skies"]


# --- MONSTERS and VEHICLES --------------------------------------------------------------------------------------------


def tank(*others: Any, doc: Any = TANK, mode: str = "normal", **more: Any) -> Battle11:
    """A tank at (10, 10), 4" long, that has been selected to move."""
    b = situation([unit("Reds", "red", doc, [(10, 10)]), BASE, *others, FOE], **more)
    give(b, "move_with", "Reds")
    return b


def to(x: float, y: float, mode: str = "normal") -> dict[str, Any]:
    return {"mode": mode, "to": [[x, y]]}


@rule("w40k11.mv.move_through", check=1)
def test_a_tank_drives_through_enemy_infantry_and_ends_unengaged() -> None:
    b = tank(unit("Blues", "blue", TROOPER, [(14.6, 10)]))
    foot = tank(unit("Blues", "blue", TROOPER, [(14.6, 10)]), doc={**TANK, "keywords": ["MOUNTED"]})
    assert (said(b, "move", to(20, 10)), said(b, "move", to(19, 10))) == (set(), {"refused", "w40k11.movephase.normal"})
    assert said(foot, "move", to(20, 10)) == {"refused", "w40k11.move.models"}


@rule("w40k11.mv.move_through", check=2)
@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_tank_goes_around_other_tanks(side: str) -> None:
    fast = {**TANK, "move": 20}
    b = tank(unit("Other", side, TANK, [(17, 10)]), doc=fast)
    around = {"mode": "normal", "paths": {1: [[10, 14], [24.6, 14]]}}
    assert ("refused" in said(b, "move", to(24.6, 10)), said(b, "move", around)) == (True, set())


@rule("w40k11.mv.move_through", check=3)
def test_in_an_ordered_retreat_a_tank_does_not_go_through_enemies() -> None:
    b = tank(unit("Blues", "blue", TROOPER, [(13, 10)]))
    away = to(4, 10, "fall_back")
    assert (said(b, "move", to(19, 10, "fall_back")), said(b, "move", away)) == (
        {"refused", "w40k11.move.models"},
        set(),
    )


@rule("w40k11.mv.move_through", check=4)
def test_a_tank_does_not_end_on_a_model() -> None:
    b = tank(unit("Friends", "red", TROOPER, [(17, 10)]))
    assert (said(b, "move", to(17, 10)), said(b, "move", to(20, 10))) == ({"refused", "w40k11.move.ending"}, set())


# --- Super-Heavy Walkers ----------------------------------------------------------------------------------------------


WALKER: dict[str, Any] = {**TANK, "name": "Walker", "base": "60mm", "abilities": ["super-heavy walker"]}


def walker(*others: Any, mobile: str = "no", doc: Any = WALKER, **more: Any) -> Battle11:
    b = tank(*others, doc=doc, **more)
    give(b, "stride", mobile)
    return b


@rule("w40k11.unit.super_heavy_walker", check=1)
def test_a_walker_passes_a_tank_but_no_titan() -> None:
    small = {**TANK, "base": INCH}
    titan = {**small, "keywords": ["VEHICLE", "TITANIC"]}
    found = [said(walker(unit("Blues", "blue", d, [(14.6, 10)])), "move", to(20, 10)) for d in (small, titan)]
    assert [found[0], "refused" in found[1]] == [set(), True]


@rule("w40k11.unit.super_heavy_walker", check=1)
def test_a_walker_strides_in_its_moves_and_in_no_charge_and_others_never() -> None:
    tank_, doc = unit("Tank", "red", {**TANK, "base": INCH}, [(13, 10)]), {**WALKER, "base": INCH}

    def charges(red: Any) -> set[str]:
        units = [unit("Reds", "red", red, [(10, 10)]), tank_, unit("Blues", "blue", TROOPER, [(18, 10)])]
        b = situation(units, step="charge_units", dice={"charge": [6, 6]})
        give(b, "charge_with", "Reds")
        return said(b, "charge_move", {"mode": "charge", "to": [[16.5, 10]]})

    def walks(red: Any, *stride_: str) -> set[str]:
        b = situation([unit("Reds", "red", red, [(10, 10)]), tank_, FOE])
        give(b, "move_with", "Reds")
        for yes in stride_:
            give(b, "stride", yes)
        return said(b, "move", to(16, 10))

    plain, cited = {**doc, "abilities": []}, {"refused", "w40k11.mv.move_through"}
    assert [charges(doc), walks(doc, "no"), walks(plain)] == [cited, set(), cited]


@rule("w40k11.unit.super_heavy_walker", check=2)
def test_a_walker_passes_what_is_four_inches_high() -> None:
    def across(height: float, mobile: str) -> set[str]:
        return said(
            walker(mobile=mobile, terrain=[feature("hill", (13, 5, 2, 10), height, solid=True)]), "move", to(20, 10)
        )

    assert [across(4, "no"), "refused" in across(5, "no"), across(5, "yes")] == [set(), True, set()]


@rule("w40k11.unit.super_heavy_walker", check=3)
def test_with_mobile_a_walker_passes_dense_terrain_of_any_height() -> None:
    high = [feature("hill", (13, 5, 2, 10), 12, solid=True)]
    found = [said(walker(mobile=m, terrain=high), "move", to(20, 10)) for m in ("yes", "no")]
    assert [found[0], "refused" in found[1]] == [set(), True]


@rule("w40k11.unit.super_heavy_walker", check=4)
@pytest.mark.parametrize(("face", "shocked"), [(1, True), (2, False)])
def test_after_a_move_with_mobile_a_one_shocks_the_unit(face: int, shocked: bool) -> None:
    b = walker(mobile="yes", dice={"walker": [face]})
    give(b, "move", to(15, 10))
    assert (named(b, "Reds").battle_shocked, rolls(b), kinds(b)) == (shocked, [("walker", (face,))], ["move_with"])


@rule("w40k11.unit.super_heavy_walker", check=5)
def test_without_mobile_no_die_is_rolled() -> None:
    assert [kinds(tank(doc=doc)) for doc in (TANK, WALKER)] == [["move"], ["stride"]]
    b, mobile = walker(), walker(mobile="yes", dice={"walker": [6]})
    for one in (b, mobile):
        give(one, "move", to(15, 10))
    assert (rolls(b), rolls(mobile)) == ([], [("walker", (6,))])


# --- A Move of "-" ----------------------------------------------------------------------------------------------------


FIXED: dict[str, Any] = {**TROOPER, "name": "Fixed", "move": None}


@rule("w40k11.datasheet.move_dash", check=1)
def test_who_has_no_move_may_be_set_up_and_not_moved_after_it() -> None:
    b = situation([unit("Reds", "red", FIXED, off=1, reserve="strategic"), BASE, FOE], round_=2)
    give(b, "move_with", "Reds")
    give(b, "enter", "ingress")
    give(b, "arrive", [[20, 3]])
    assert (places(b, "Reds"), bool(may_surge(b, named(b, "Reds")))) == ([(20, 3, 0)], False)
    assert cites(may_surge(b, named(b, "Reds"))) == {"w40k11.datasheet.move_dash"}


@rule("w40k11.datasheet.move_dash", check=2)
def test_who_has_no_move_makes_no_move() -> None:
    units = [unit("Reds", "red", FIXED, [(10, 10)]), BASE, unit("Blues", "blue", TROOPER, [(10, 16)])]
    b, charging = situation(units), situation(units, step="charge_units")
    give(b, "move_with", "Reds")
    assert (offered(b, "move"), "charge_with" in kinds(charging)) == (["Remain stationary", "stationary"], False)
    assert cites(may_surge(charging, named(charging, "Reds"))) == {"w40k11.datasheet.move_dash"}
