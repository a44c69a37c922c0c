"""Transports: room in them, getting in, getting out, and what happens when they are destroyed."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import pytest

from sandtable.battle import Spot
from sandtable.battle.events import Rolled
from sandtable.battle.questions import check
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.verdict import Verdict
from sandtable.systems.w40k8 import transports
from sandtable.systems.w40k8.morale import leadership
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import cites, default, judge, offered, refused_by, until
from w40k8.table import Doc, alive, asked, bare, blade, give, gun, kinds, named, rolls, sheet, situation, told, unit

rule = pytest.mark.rule

CAR: Doc = bare(
    name="Car", wounds=3, save=4, keywords=["VEHICLE", "TRANSPORT"], transport={"capacity": 4, "carries": ["INFANTRY"]}
)
FOE = unit("Foe", "blue", bare(name="Foe", wounds=9), [(42, 28)])


def car(at: tuple[float, float] = (10, 10), name: str = "Car", doc: Doc = CAR, **flags: Any) -> UnitDoc:
    return unit(name, "red", doc, [at], **flags)


def squad(*at: tuple[float, float], name: str = "Squad", doc: Doc | None = None, **flags: Any) -> UnitDoc:
    return unit(name, "red", doc or bare(name="Trooper"), list(at), **flags)


def aboard(count: int = 2, name: str = "Squad", doc: Doc | None = None, where: str = "Car", **flags: Any) -> UnitDoc:
    return UnitDoc(name, "red", doc or bare(name="Trooper"), models=count, off=True, flags={"embarked": where, **flags})


def phase(*units: UnitDoc, **more: Any) -> Battle8:
    """The Movement phase of red."""
    return situation([*units, FOE], **{"step": "move_units", **more})


def embarking(b: Battle8, *, to: list[list[float]] | None = None, mode: str = "stationary", onto: str = "Car") -> Doc:
    return {"mode": mode, "onto": onto, **({"to": to} if to else {})}


def spots(b: Battle8, *at: tuple[float, float]) -> tuple[Spot, ...]:
    """Places for the models of the open question."""
    models = asked(b, "disembark").models  # type: ignore[attr-defined]
    return tuple(Spot(m, steps(x), steps(y), 0, 0) for m, (x, y) in zip(models, at, strict=True))


def out(b: Battle8, *at: tuple[float, float]) -> Verdict:
    """What the rules say of getting out there."""
    return check(b, asked(b, "disembark"), spots(b, *at))


# --- Transport capacity -----------------------------------------------------------------------------------------------


@rule("w40k8.transport.capacity", check=1)
def test_a_unit_that_would_exceed_the_capacity_cannot_embark() -> None:
    row = [(12.0, 8.0 + 1.1 * i) for i in range(5)]
    five, four = phase(car(), squad(*row)), phase(car(), squad(*row[:4]))
    give(five, "move_with", "Squad")
    give(four, "move_with", "Squad")
    refused = judge(five, "move", embarking(five))
    assert (cites(refused), judge(four, "move", embarking(four)).ok) == ({"w40k8.transport.capacity"}, True)


@rule("w40k8.transport.capacity", check=2)
def test_a_unit_with_a_model_of_another_kind_cannot_embark() -> None:
    bike = bare(name="Bike", keywords=["BIKER"])
    mixed = unit("Squad", "red", bare(name="Trooper"), [(12, 10), (12, 11.1)], loadout=[{"models": [2], "sheet": bike}])
    b = phase(car(), mixed)
    give(b, "move_with", "Squad")
    assert cites(judge(b, "move", embarking(b))) == {"w40k8.transport.capacity"}


@rule("w40k8.transport.capacity", check=3)
def test_several_units_share_a_transport_within_its_capacity() -> None:
    three, two = (
        phase(car(), aboard(3), squad((12, 10), (12, 11.1), name="More")),
        phase(car(), aboard(2), squad((12, 10), (12, 11.1), name="More")),
    )
    give(three, "move_with", "More")
    give(two, "move_with", "More")
    assert [judge(three, "move", embarking(three)).ok, judge(two, "move", embarking(two)).ok] == [False, True]


@rule("w40k8.transport.capacity", check=4)
def test_a_unit_embarks_as_a_whole() -> None:
    b = phase(car(), aboard(2), squad((12, 10), (12, 11.1), (12, 12.2), name="More"))
    give(b, "move_with", "More")
    refused = judge(b, "move", embarking(b))
    assert (cites(refused), alive(b, "More")) == ({"w40k8.transport.capacity"}, 3)


# --- Embarking --------------------------------------------------------------------------------------------------------


@rule("w40k8.transport.embark", check=1)
def test_every_model_must_be_within_three_inches() -> None:
    found = []
    for gap in (3.0, 3.01):
        b = phase(car(), squad((11.5, 10), (11 + gap, 10)))
        give(b, "move_with", "Squad")
        found.append(judge(b, "move", embarking(b)).ok)
    assert found == [True, False]


@rule("w40k8.transport.embark", check=2)
def test_one_model_outside_stops_the_whole_unit() -> None:
    b = phase(car(), squad((11.5, 10), (13, 10), (14.5, 10)))
    give(b, "move_with", "Squad")
    assert cites(judge(b, "move", embarking(b))) == {"w40k8.transport.embark"}


@rule("w40k8.transport.embark", check=3)
@pytest.mark.parametrize("mode", ["advance", "fall_back"])
def test_a_unit_that_advanced_or_fell_back_may_embark(mode: str) -> None:
    near = unit("Near", "blue", bare(name="Near"), [(16.5, 10)])
    b = phase(car(), squad((15, 10)), *([near] if mode == "fall_back" else []), step="movement_phase", dice=[1])
    give(b, "move_with", "Squad")
    going = {"advance": ["move", "complete_move"], "fall_back": ["move"]}[mode]
    for kind in going[:-1]:
        give(b, kind, {"mode": mode})
    give(b, going[-1], embarking(b, mode=mode, to=[[12.5, 10]]))
    assert (named(b, "Squad").embarked, alive(b, "Squad")) == (named(b, "Car").id, 0)


@rule("w40k8.transport.embark", check=4)
def test_a_unit_that_does_not_move_may_embark() -> None:
    b = phase(car(), squad((12, 10)))
    give(b, "move_with", "Squad")
    give(b, "move", embarking(b))
    assert (named(b, "Squad").embarked, alive(b, "Squad")) == (named(b, "Car").id, 0)


@rule("w40k8.transport.embark", check=5)
@pytest.mark.parametrize("first", ["Car", "Squad"])
def test_the_transport_moves_before_or_after_the_unit_embarks(first: str) -> None:
    b = phase(car(), squad((13, 10)))
    order = [first, *({"Car", "Squad"} - {first})]
    for who in order:
        give(b, "move_with", who)
        give(b, "move", {"Car": {"mode": "normal", "to": [[11, 10]]}, "Squad": embarking(b)}[who])
    assert (named(b, "Squad").embarked, told(b).count("moved")) == (named(b, "Car").id, 1)


@rule("w40k8.transport.embark", check=6)
def test_nobody_embarks_after_a_charge() -> None:
    foe = unit("Near", "blue", bare(name="Near"), [(16, 10)])
    b = phase(car((10, 12)), squad((10, 10), doc=sheet(blade(), name="Trooper")), foe, step="charge_phase", dice=[3, 4])
    give(b, "charge_with", "Squad")
    going = {"mode": "charge", "to": [[15, 10]]}
    assert (cites(judge(b, "charge_move", {**going, "onto": "Car"})), judge(b, "charge_move", going).ok) == (
        {"w40k8.transport.embark"},
        True,
    )


PAIR = unit("Car", "red", CAR, [(10, 10), (30, 10)])
"""A transport of two models."""


@rule("w40k8.transport.embark", check=1)
def test_any_one_model_of_a_transport_may_be_the_near_one() -> None:
    b = phase(PAIR, squad((12, 10)))
    give(b, "move_with", "Squad")
    assert judge(b, "move", embarking(b)).ok


@rule("w40k8.transport.embark", check=2)
def test_who_is_too_far_off_is_told_how_far() -> None:
    b = phase(car(), squad((11.5, 10), (14.3458, 10)))
    give(b, "move_with", "Squad")
    assert [r.facts["distance"] for r in judge(b, "move", embarking(b)).reasons] == [3.346]


@rule("w40k8.transport.embark", check=1)
def test_nobody_embarks_in_a_transport_that_is_not_there() -> None:
    away = UnitDoc("Van", "red", {**CAR, "name": "Van"}, models=1, off=True, flags={"reserve": "teleport strike"})
    b = phase(car(), away, squad((11.5, 10)))
    give(b, "move_with", "Squad")
    found = [cites(judge(b, "move", embarking(b, onto=who))) for who in ("Van", "Car")]
    assert found == [{"w40k8.transport.embark"}, set()]


# --- Not both in one turn ---------------------------------------------------------------------------------------------


@rule("w40k8.transport.same_turn", check=1)
def test_who_disembarked_does_not_embark_this_turn() -> None:
    b = phase(car(), car((14, 14), "Van"), aboard(1))
    give(b, "move_with", "Squad")
    b.answer(asked(b, "disembark"), spots(b, (12, 12)))
    give(b, "move_with", "Squad")
    assert [cites(judge(b, "move", embarking(b, onto=who))) for who in ("Car", "Van")] == [
        {"w40k8.transport.same_turn"}
    ] * 2


@rule("w40k8.transport.same_turn", check=2)
@rule("w40k8.transport.disembark", check=2)
def test_who_embarked_does_not_disembark_this_turn() -> None:
    b = phase(car(), squad((12, 10)))
    give(b, "move_with", "Squad")
    give(b, "move", embarking(b))
    refused_by(b, "move_with", "Squad", "w40k8.transport.same_turn")
    assert offered(b, "move_with") == ["Car"]


@rule("w40k8.transport.same_turn", check=3)
def test_who_embarked_this_turn_is_put_out_of_a_wreck() -> None:
    b = wreck(aboard(1, moved="normal"), dice={"hit": [6], "wound": [6], "save": [1], "destroyed transport": [6]})
    default(b, "disembark")
    assert alive(b, "Squad") == 1


# --- Embarked ---------------------------------------------------------------------------------------------------------


def firing(*units: UnitDoc, **more: Any) -> Battle8:
    return situation([*units, FOE], **{"step": "shoot_units", **more})


def boarded(*units: UnitDoc, doc: Doc | None = None, **more: Any) -> Battle8:
    """A squad has embarked in the car beside it."""
    b = phase(car(), squad((12, 10), (12, 11.1), doc=doc), *units, **more)
    give(b, "move_with", "Squad")
    give(b, "move", embarking(b))
    return b


@rule("w40k8.transport.embarked", check=1)
def test_embarked_units_do_not_act() -> None:
    shooter = sheet(gun(range_=48), name="Trooper")
    b = boarded(squad((20, 20), name="Others", doc=shooter), doc=shooter)
    until(b, "shoot_with")
    assert offered(b, "shoot_with") == ["Others"]


@rule("w40k8.transport.embarked", check=2)
def test_embarked_units_are_no_targets() -> None:
    foe = unit("Gunner", "blue", sheet(gun(range_=48), name="Gunner"), [(20, 10)])
    b = boarded(foe, turns=2)
    until(b, "shoot_with")
    give(b, "shoot_with", "Gunner")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    assert row.targets == (named(b, "Car").id,)


@rule("w40k8.transport.embarked", check=3)
def test_the_aura_of_an_embarked_character_reaches_nobody() -> None:
    aura = {"kind": "characteristic", "name": "Ld", "add": 1, "who": "friends", "within": 9}
    settings: Doc = {"abilities": [{"name": "Aura", "unit": "Hero", "effects": [aura]}]}
    near = squad((12, 12), name="Near")
    outside = phase(car(), squad((10, 12), name="Hero"), near, **settings)
    inside = phase(car(), aboard(1, "Hero"), near, **settings)
    assert [leadership(b, named(b, "Near")) for b in (outside, inside)] == [8, 7]


@rule("w40k8.transport.embarked", check=4)
def test_embarked_models_do_not_control_markers() -> None:
    foe = unit("Near", "blue", bare(name="Near"), [(14, 12), (14, 13)])
    b = boarded(foe, objectives=[(12, 11)], mission="only-war", turns=2)
    until(b, "move_with", 1)
    assert b.state.game.control == (1,)


@rule("w40k8.transport.embarked", check=5)
def test_nothing_is_measured_to_embarked_models() -> None:
    b = boarded()
    assert b.all_on_table().tolist() == [*named(b, "Car").models, *named(b, "Foe").models]


# --- Disembarking -----------------------------------------------------------------------------------------------------


@rule("w40k8.transport.disembark", check=1)
def test_nobody_leaves_a_transport_that_has_moved() -> None:
    b = phase(car(), aboard(), squad((20, 20), name="Others"))
    before = offered(b, "move_with")
    give(b, "move_with", "Car")
    give(b, "move", {"mode": "normal", "to": [[12, 10]]})
    refused_by(b, "move_with", "Squad", "w40k8.transport.disembark")
    assert (before, offered(b, "move_with")) == (["Car", "Others", "Squad"], ["Others"])


@rule("w40k8.transport.disembark", check=1)
def test_a_transport_that_was_picked_and_stayed_may_be_left() -> None:
    b = phase(car(), aboard(), squad((20, 20), name="Others"))
    give(b, "move_with", "Car")
    give(b, "move", {"mode": "stationary"})
    assert offered(b, "move_with") == ["Others", "Squad"]


@rule("w40k8.transport.disembark", check=3)
def test_the_transport_moves_after_its_passengers_have_left() -> None:
    b = phase(car(), aboard(1))
    give(b, "move_with", "Squad")
    b.answer(asked(b, "disembark"), spots(b, (10, 13)))
    give(b, "move_with", "Car")
    give(b, "move", {"mode": "normal", "to": [[16, 10]]})
    assert (alive(b, "Squad"), told(b).count("moved")) == (1, 1)


@rule("w40k8.transport.disembark", check=4)
def test_a_unit_leaves_a_transport_that_is_close_to_an_enemy() -> None:
    foe = unit("Near", "blue", bare(name="Near"), [(11.5, 10)])
    b = phase(car(), aboard(1), foe)
    give(b, "move_with", "Squad")
    default(b, "disembark")
    assert alive(b, "Squad") == 1


@rule("w40k8.transport.disembark", check=5)
def test_units_disembark_in_their_own_movement_phase_only() -> None:
    units = (car(), aboard(1), squad((20, 20), name="Others", doc=sheet(gun(range_=48), name="Trooper")))
    found = [transports.may_disembark(b, named(b, "Squad")).ok for b in (phase(*units), firing(*units))]
    theirs = phase(*units, active="blue")
    assert [*found, transports.may_disembark(theirs, named(theirs, "Squad")).ok] == [True, False, False]


@rule("w40k8.transport.disembark", check=5)
def test_nobody_leaves_a_transport_that_is_not_on_the_battlefield() -> None:
    away = UnitDoc("Van", "red", {**CAR, "name": "Van"}, models=1, off=True, flags={"reserve": "teleport strike"})
    b = phase(car(), aboard(), away, aboard(name="Others", where="Van"))
    refused_by(b, "move_with", "Others", "w40k8.transport.disembark")
    assert offered(b, "move_with") == ["Car", "Squad"]


# --- Where ------------------------------------------------------------------------------------------------------------


def leaving(*units: UnitDoc, count: int = 1, **more: Any) -> Battle8:
    """A unit is about to disembark; its transport is 1" wide and stands at 10, 10."""
    b = phase(car(), aboard(count), *units, **more)
    give(b, "move_with", "Squad")
    return b


@rule("w40k8.transport.disembark_setup", check=1)
def test_the_nearest_point_of_the_base_is_within_three_inches() -> None:
    b = leaving(count=2)
    far = out(b, (12, 10), (14.01, 10))
    assert (out(b, (12, 10), (14, 10)).ok, cites(far)) == (True, {"w40k8.transport.disembark_setup"})


@rule("w40k8.transport.disembark_setup", check=2)
def test_nobody_gets_out_within_one_inch_of_an_enemy() -> None:
    b = leaving(unit("Near", "blue", bare(name="Near"), [(15, 10)]))
    close = out(b, (13, 10))
    assert (cites(close), out(b, (12.99, 10)).ok) == ({"w40k8.transport.disembark_setup"}, True)


@rule("w40k8.transport.disembark_setup", check=3)
def test_models_get_out_in_coherency() -> None:
    b = leaving(count=2)
    apart = out(b, (12, 10), (8, 10))
    assert (cites(apart), out(b, (12, 10), (12, 12)).ok) == ({"w40k8.concept.coherency"}, True)


@rule("w40k8.transport.disembark_setup", check=1)
def test_models_get_out_beside_any_model_of_their_transport_and_are_told_how_far_they_are() -> None:
    b = phase(PAIR, aboard(1))
    give(b, "move_with", "Squad")
    far = out(b, (14.3458, 10))
    assert (out(b, (28, 10)).ok, [r.facts["distance"] for r in far.reasons]) == (True, [3.346])


@rule("w40k8.transport.disembark_setup", check=2)
def test_one_model_of_an_enemy_unit_is_enough() -> None:
    b = leaving(unit("Near", "blue", bare(name="Near"), [(15, 10), (17, 10)]))
    assert (cites(out(b, (13, 10))), out(b, (12.99, 10)).ok) == ({"w40k8.transport.disembark_setup"}, True)


def corner(count: int, *enemies: tuple[float, float]) -> Battle8:
    """A transport in a corner, hemmed in by enemies."""
    foes = unit("Ring", "blue", bare(name="Ring"), list(enemies))
    b = phase(car((0.5, 0.5)), aboard(count), foes)
    give(b, "move_with", "Squad")
    return b


RING = [(0.5, 4.4), (2.4, 2.3), (2.6, 0.5), (4.5, 0.5)]
"""They leave room for one model beside a transport in the corner."""


@rule("w40k8.transport.disembark_setup", check=4)
def test_a_model_is_lost_only_if_no_place_is_left_for_it() -> None:
    b = corner(3, *RING)
    default(b, "disembark")
    assert (alive(b, "Squad"), told(b).count("no_place")) == (1, 2)


@rule("w40k8.transport.disembark_setup", check=4)
def test_two_are_saved_who_fit_only_into_a_narrow_gap() -> None:
    around = [(10 + 2.3 * cos(k * pi / 3), 10 + 2.3 * sin(k * pi / 3)) for k in range(6)]
    b = phase(car(), aboard(2), unit("Ring", "blue", bare(name="Ring"), around))
    give(b, "move_with", "Squad")
    default(b, "disembark")
    assert (alive(b, "Squad"), told(b).count("no_place")) == (2, 0)


FULL = [(2.4, 2.3), (0.5, 2.6), (2.6, 0.5), (4.5, 0.5), (0.5, 4.4), (4, 4)]
"""They leave room for nobody."""


@rule("w40k8.transport.disembark_setup", check=4)
def test_one_of_two_is_saved_where_there_is_room_for_one_and_nobody_where_there_is_none() -> None:
    one, none = corner(2, *RING), corner(2, *FULL)
    default(one, "disembark")
    assert [(alive(b, "Squad"), told(b).count("no_place")) for b in (one, none)] == [(1, 1), (0, 2)]


@rule("w40k8.transport.disembark_setup", check=5)
def test_models_without_a_place_are_slain_and_count_for_morale() -> None:
    b = corner(3, *RING)
    default(b, "disembark")
    assert named(b, "Squad").slain == 2


# --- Acting -----------------------------------------------------------------------------------------------------------


def got_out(doc: Doc | None = None, at: tuple[float, float] = (12, 10), *more: UnitDoc, **settings: Any) -> Battle8:
    b = phase(car(), aboard(1, doc=doc), *more, **settings)
    give(b, "move_with", "Squad")
    b.answer(asked(b, "disembark"), spots(b, at))
    return b


@rule("w40k8.transport.disembark_acts", check=1)
@pytest.mark.parametrize("mode", ["normal", "advance"])
def test_who_disembarked_may_move_or_advance(mode: str) -> None:
    b = got_out()
    give(b, "move_with", "Squad")
    assert mode in [m.name for m in asked(b, "move").modes]  # type: ignore[attr-defined]


@rule("w40k8.transport.disembark_acts", check=2)
def test_who_disembarked_may_charge() -> None:
    foe = unit("Near", "blue", bare(name="Near"), [(18, 10)])
    b = got_out(sheet(blade(), name="Trooper"), (12, 10), foe)
    until(b, "charge_with")
    assert "Squad" in offered(b, "charge_with")


@rule("w40k8.transport.disembark_acts", check=3)
def test_heavy_weapons_of_those_who_disembarked_hit_worse() -> None:
    b = got_out(sheet(gun("heavy", range_=48), name="Trooper"), dice={"hit": [3]})
    until(b, "shoot_with")
    give(b, "shoot_with", "Squad")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": row.id, "target": "Foe"}])
    assert rolls(b) == [("hit", (3,))]


@rule("w40k8.transport.disembark_acts", check=4)
def test_getting_out_uses_up_nothing_of_the_move() -> None:
    b = got_out()
    give(b, "move_with", "Squad")
    assert [judge(b, "move", {"mode": "normal", "to": [[x, 10]]}).ok for x in (18, 18.01)] == [True, False]


# --- Destroyed transports ---------------------------------------------------------------------------------------------


def wreck(*units: UnitDoc, dice: Any, at: tuple[float, float] = (10, 10), **more: Any) -> Battle8:
    """Blue has just destroyed the car of red."""
    foe = unit("Gunner", "blue", sheet(gun(range_=48, d="3"), name="Gunner"), [(30, 10)])
    b = situation([car(at), *units, foe], **{"step": "shoot_units", "active": "blue", "dice": dice, **more})
    give(b, "shoot_with", "Gunner")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": row.id, "target": "Car"}])
    return b


def dice(*faces: int) -> Doc:
    return {"hit": [6], "wound": [6], "save": [1], "destroyed transport": list(faces)}


@rule("w40k8.transport.destroyed", check=1)
def test_passengers_get_out_with_the_wreck_still_in_place() -> None:
    b = wreck(aboard(1), dice=dice(6))
    on_it, far = out(b, (10, 10)), out(b, (14.01, 10))
    assert (alive(b, "Car"), on_it.ok, cites(far), out(b, (14, 10)).ok) == (
        1,
        False,
        {"w40k8.transport.disembark_setup"},
        True,
    )


@rule("w40k8.transport.destroyed", check=2)
def test_no_die_is_thrown_for_models_without_a_place() -> None:
    ring = unit("Ring", "blue", bare(name="Ring"), RING)
    b = wreck(aboard(3), ring, dice=dice(6), at=(0.5, 0.5))
    default(b, "disembark")
    assert (rolls(b)[-1], alive(b, "Squad")) == (("destroyed transport", (6,)), 1)


@rule("w40k8.transport.destroyed", check=2)
def test_no_dice_are_thrown_where_nobody_has_a_place() -> None:
    b = wreck(aboard(2), unit("Ring", "blue", bare(name="Ring"), FULL), dice=dice(), at=(0.5, 0.5))
    assert ([kind for kind, _ in rolls(b)], told(b).count("no_place")) == (["hit", "wound", "save"], 2)


@rule("w40k8.transport.destroyed", check=1)
def test_passengers_stay_aboard_while_a_model_of_their_transport_is_left() -> None:
    foe = unit("Gunner", "blue", sheet(gun(range_=48, d="3"), name="Gunner"), [(30, 10)], declared=True)
    cars = unit("Car", "red", CAR, [(10, 10), (10, 12)])
    b = situation([cars, aboard(2), foe, squad((40, 2), name="Rest")], step="shoot_units", active="blue", dice=dice())
    give(b, "shoot_with", "Gunner")
    (row,) = asked(b, "shoot").rows  # type: ignore[attr-defined]
    give(b, "shoot", [{"weapon": row.id, "target": "Car"}])
    assert (alive(b, "Car"), named(b, "Squad").embarked, kinds(b)) == (1, named(b, "Car").id, [])


@rule("w40k8.transport.destroyed", check=3)
def test_one_die_is_thrown_for_each_model() -> None:
    b = wreck(aboard(4), dice=dice(2, 3, 4, 6))
    default(b, "disembark")
    needed = [e.needed for e in b.events if isinstance(e, Rolled)][-1]
    assert (rolls(b)[-1], needed, alive(b, "Squad")) == (("destroyed transport", (2, 3, 4, 6)), 2, 4)


@rule("w40k8.transport.destroyed", check=4)
def test_each_one_slays_a_model_that_the_owner_picks() -> None:
    b = wreck(aboard(3, doc=bare(name="Trooper", wounds=5)), dice=dice(1, 2, 1))
    default(b, "disembark")
    first, player = named(b, "Squad").models[0], asked(b, "wreck_loss").player
    give(b, "wreck_loss", first)
    before = alive(b, "Squad")
    give(b, "wreck_loss", named(b, "Squad").models[2])
    assert (player, before, b.on_table(named(b, "Squad")).tolist()) == (0, 2, [named(b, "Squad").models[1]])


@rule("w40k8.transport.destroyed", check=5)
def test_no_save_and_no_ability_keeps_a_model_from_being_slain() -> None:
    tough = bare(name="Trooper", save=2, invulnerable=2, abilities=["disgustingly resilient"])
    b = wreck(aboard(1, doc=tough), dice=dice(1))
    default(b, "disembark")
    assert ([kind for kind, _ in rolls(b)], alive(b, "Squad")) == (["hit", "wound", "save", "destroyed transport"], 0)


@rule("w40k8.transport.destroyed", check=6)
def test_the_losses_count_for_morale() -> None:
    b = wreck(aboard(3), dice={**dice(1, 2, 3), "morale": [1]}, turns=2)
    default(b, "disembark")
    default(b, "wreck_loss")
    assert ("morale", (1,)) in rolls(b)


@rule("w40k8.transport.destroyed", check=7)
def test_it_happens_in_the_fight_phase_and_in_the_own_turn_too() -> None:
    foe = unit("Fighter", "blue", sheet(blade(d="3"), name="Fighter"), [(11, 10)])
    faces = {"hit": [6], "wound": [6], "save": [1], "destroyed transport": [6]}
    b = situation([car(fought=True), aboard(1), foe], step="fight_units", active="red", dice=faces)
    until(b, "disembark")
    default(b, "disembark")
    assert alive(b, "Squad") == 1


def test_nothing_is_asked_of_an_empty_transport() -> None:
    b = wreck(squad((20, 20)), dice=dice())
    assert ("disembark" in kinds(b), alive(b, "Car")) == (False, 0)
