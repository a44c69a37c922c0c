"""The Movement phase of 8th edition: staying, moving, Advancing and Falling Back."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.system import Goal
from sandtable.battle.tables import FeatureDoc
from sandtable.forty.mind.pointing import march_towards
from sandtable.systems.w40k8.movement import MARCHING
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import cites, judge, offered, places, refused_by
from w40k8.table import (
    Doc,
    Spots,
    alive,
    asked,
    bare,
    column,
    give,
    gun,
    kinds,
    named,
    rolls,
    sheet,
    situation,
    stand,
    strike,
    told,
    under,
    unit,
)

rule = pytest.mark.rule

RED = sheet(name="Red")
FLYER = sheet(name="Red", keywords=["INFANTRY", "FLY"])
FAR: Spots = [(40, 28)]


def red(at: Spots | None = None, doc: Doc | None = None, name: str = "Reds", **flags: Any) -> UnitDoc:
    """Red troopers with a Move of 6"."""
    return unit(name, "red", doc or RED, at or [(10, 10)], **flags)


def blue(at: Spots | None = None, doc: Doc | None = None, name: str = "Blues", **flags: Any) -> UnitDoc:
    """Their enemies, by default far away."""
    return unit(name, "blue", doc or bare(), at or FAR, **flags)


OTHERS = red([(2, 28)], name="Others")


def phase(*units: UnitDoc, **settings: Any) -> Battle8:
    """The Movement phase of red begins."""
    return situation(list(units), **{"step": "movement_phase", **settings})


def picked(*units: UnitDoc, **settings: Any) -> Battle8:
    """Reds are picked to move."""
    b = phase(*units, **settings)
    give(b, "move_with", "Reds")
    return b


def to(*spots: tuple[float, ...] | None, mode: str = "normal") -> Doc:
    """A move that takes the models straight to places, or leaves them."""
    return {"mode": mode, "to": [None if s is None else list(s) for s in spots]}


def along(*legs: tuple[float, ...], mode: str = "normal") -> Doc:
    """The way of the first model, which stands at (10, 10); a leg that only changes its height is a climb."""
    out: list[Any] = []
    at = (10.0, 10.0)
    for x, y, *z in legs:
        out.append({"do": "climb" if (x, y) == at else "go", "to": [x, y, *z]})
        at = (x, y)
    return {"mode": mode, "paths": {1: out}}


# --- The phase --------------------------------------------------------------------------------------------------------


@rule("w40k8.move.phase", check=1)
def test_only_units_of_the_active_player_move() -> None:
    b = phase(red(), OTHERS, blue())
    verdict = refused_by(b, "move_with", "Blues", "w40k8.move.phase")
    assert "It is not blue's Movement phase." in [reason.text for reason in verdict.reasons]
    assert offered(b, "move_with") == ["Others", "Reds"]


@rule("w40k8.move.phase", check=2)
def test_a_unit_may_be_left_unmoved() -> None:
    b = picked(red(), OTHERS, blue())
    give(b, "move", {"mode": "stationary"})
    give(b, "move_with", None)
    assert (places(b, "Reds"), places(b, "Others"), kinds(b)) == ([(10, 10, 0)], [(2, 28, 0)], [])


@rule("w40k8.move.phase", check=3)
def test_some_models_may_move_while_others_stand_still() -> None:
    b = picked(red(column(3, 10)), OTHERS, blue())
    give(b, "move", to(None, (11, 9.5), None))
    assert places(b, "Reds") == [(10, 8, 0), (11, 9.5, 0), (10, 11, 0)]


@rule("w40k8.move.phase", check=4)
def test_each_model_takes_its_own_direction_and_distance() -> None:
    b = picked(red([(10, 10), (12, 10), (14, 10)]), OTHERS, blue())
    give(b, "move", to((10, 13), (12, 11), (12, 13)))
    assert places(b, "Reds") == [(10, 13, 0), (12, 11, 0), (12, 13, 0)]


@rule("w40k8.move.phase", check=5)
@rule("w40k8.move.once", check=1)
def test_nobody_is_picked_again() -> None:
    b = picked(red(), OTHERS, blue())
    give(b, "move", to((12, 10)))
    assert cites(refused_by(b, "move_with", "Reds", "w40k8.move.once")) == {"w40k8.move.once", "w40k8.move.phase"}
    give(b, "move_with", "Others")
    give(b, "move", to((4, 28)))
    assert (kinds(b), places(b, "Reds")) == ([], [(12, 10, 0)])


@rule("w40k8.move.phase", check=6)
def test_who_is_not_on_the_table_is_not_picked() -> None:
    hold = {"transport": {"capacity": 5, "carries": ["INFANTRY"]}}
    waiting = unit("Waiting", "red", {**RED, **hold}, off=1, reserve="teleport strike")
    riding = unit("Riding", "red", RED, off=1, embarked="Waiting")
    b = phase(red(), waiting, riding, blue())
    refused_by(b, "move_with", "Riding", "w40k8.transport.disembark")
    refused_by(b, "move_with", "Waiting", "w40k8.move.phase")
    assert offered(b, "move_with") == ["Reds"]


@rule("w40k8.move.phase", check=6)
def test_an_embarked_unit_that_is_picked_gets_out_and_does_not_move() -> None:
    hold = {"transport": {"capacity": 5, "carries": ["INFANTRY"]}, "keywords": ["VEHICLE", "TRANSPORT"]}
    car = unit("Car", "red", {**RED, "name": "Car", **hold}, [(10, 10)])
    riding = unit("Riding", "red", RED, off=1, embarked="Car")
    b = phase(car, riding, blue())
    give(b, "move_with", "Riding")
    assert (named(b, "Riding").embarked, kinds(b)) == (0, ["disembark"])


@rule("w40k8.move.once", check=2)
def test_moves_of_later_phases_are_made_by_whoever_has_moved() -> None:
    b = picked(red(), blue([(20, 10)]), dice={"charge": [2, 2]})
    give(b, "move", to((16, 10)))
    give(b, "charge_with", "Reds")
    give(b, "charge_move", {"mode": "charge", "to": [[18.5, 10]]})
    give(b, "pile_in", {"to": [[19, 10]]})
    assert places(b, "Reds") == [(19, 10, 0)]


# --- How far ----------------------------------------------------------------------------------------------------------


@rule("w40k8.move.distance", check=1)
def test_nobody_moves_further_than_its_move_characteristic() -> None:
    b = picked(red(), blue())
    assert judge(b, "move", to((16, 10)))
    assert cites(refused_by(b, "move", to((16.01, 10)), "w40k8.move.distance")) == {"w40k8.move.distance"}


@rule("w40k8.move.distance", check=2)
def test_a_way_round_a_corner_is_as_long_as_its_legs() -> None:
    b = picked(red(), blue())
    assert judge(b, "move", along((13, 10), (13, 13)))
    refused_by(b, "move", along((13, 10), (13, 13.01)), "w40k8.move.distance")


@rule("w40k8.move.distance", check=5)
def test_plague_marines_advance_their_line_by_5_inches() -> None:
    marines = sheet(name="Plague Marine", move=5)
    b = picked(red(column(5, 10), marines), blue())
    refused_by(b, "move", {"mode": "normal", "by": [5.01, 0]}, "w40k8.move.distance")
    give(b, "move", {"mode": "normal", "by": [5, 0]})
    assert {x for x, _, _ in places(b, "Reds")} == {15}


@rule("w40k8.stat.random_move", check=1)
@rule("w40k8.stat.random_move", check=2)
def test_a_random_move_is_thrown_once_for_the_unit_when_it_is_picked() -> None:
    b = phase(red(column(2, 10), sheet(name="Red", move="2D6")), blue(), dice={"move": [2, 3]})
    before = rolls(b)
    give(b, "move_with", "Reds")
    refused_by(b, "move", to((15, 8), (15.01, 9.5)), "w40k8.move.distance")
    assert judge(b, "move", to((15, 8), (15, 9.5)))
    assert (before, rolls(b)) == ([], [("move", (2, 3))])


@rule("w40k8.stat.random_move", check=1)
@pytest.mark.parametrize("move", [6, None])
def test_nothing_is_thrown_for_a_move_that_is_not_random(move: int | None) -> None:
    b = picked(red(doc=sheet(name="Red", move=move)), OTHERS, blue())
    assert (rolls(b), named(b, "Reds").rolled_move, kinds(b)) == ([], 0, ["move"])


@rule("w40k8.stat.random_move", check=3)
def test_a_random_move_is_thrown_anew_in_each_phase() -> None:
    b = picked(red(doc=sheet(name="Red", move="D6")), blue(), dice={"move": [2, 4]}, turns=3)
    give(b, "move", to((12, 10)))
    give(b, "move_with", None)
    give(b, "move_with", "Reds")
    refused_by(b, "move", to((16.01, 10)), "w40k8.move.distance")
    give(b, "move", to((16, 10)))
    assert rolls(b) == [("move", (2,)), ("move", (4,))]


# --- Through what -----------------------------------------------------------------------------------------------------


@rule("w40k8.move.through_models", check=1)
def test_nobody_goes_through_enemies() -> None:
    b = picked(red([(10, 10)], near=True), blue([(12, 10)]), step="move_units")
    refused_by(b, "move", to((14.5, 10), mode="fall_back"), "w40k8.move.through_models")
    assert judge(b, "move", along((10, 11.1), (14.5, 11.1), mode="fall_back"))


@rule("w40k8.move.through_models", check=2)
def test_nobody_goes_through_friends_or_its_own_unit() -> None:
    b = picked(red([(10, 10), (11.5, 10)]), OTHERS, blue())
    refused_by(b, "move", to((13.2, 10), None), "w40k8.move.through_models")
    assert judge(b, "move", along((10, 11.1), (13, 11.1)))
    b = picked(red(), red([(12, 10)], name="Others"), blue())
    refused_by(b, "move", to((14, 10)), "w40k8.move.through_models")


@rule("w40k8.move.through_models", check=4)
def test_nobody_ends_on_another_model() -> None:
    b = picked(red(), red([(13, 10)], name="Others"), blue())
    refused_by(b, "move", to((12.01, 10)), "w40k8.move.through_models")
    assert judge(b, "move", to((12, 10)))


def wall(height: float) -> FeatureDoc:
    """A wall without thickness across the way, 2" from the first model."""
    return FeatureDoc(kind="ruins", rect=(12, 4, 6, 12), height=height, walls=(((12, 4), (12, 16)),))


def block(x: float, height: float, wide: float = 0.5) -> FeatureDoc:
    """A solid thing across the way."""
    return FeatureDoc(kind="hill", rect=(x, 5, wide, 10), height=height, solid=True)


@rule("w40k8.move.terrain", check=1)
def test_nobody_goes_through_a_wall() -> None:
    b = picked(red(), blue(), terrain=[block(12, 5)])
    refused_by(b, "move", to((14, 10)), "w40k8.move.terrain")
    assert judge(picked(red(), blue()), "move", to((14, 10)))


@rule("w40k8.move.terrain", check=2)
def test_climbing_3_inches_and_going_2_across_takes_5() -> None:
    b = picked(red(doc=sheet(name="Red", move=5)), blue(), terrain=[block(10.5, 3, wide=6)])
    assert judge(b, "move", along((10, 10, 3), (12, 10, 3)))
    refused_by(b, "move", along((10, 10, 3), (12.01, 10, 3)), "w40k8.move.distance")


@rule("w40k8.move.terrain", check=4)
def test_nobody_ends_a_move_half_way_up() -> None:
    b = picked(red(), blue(), terrain=[block(10.5, 3, wide=6)])
    refused_by(b, "move", along((10, 10, 2)), "w40k8.move.terrain")
    assert judge(b, "move", along((10, 10, 3), (11.5, 10, 3)))


# --- Enemies ----------------------------------------------------------------------------------------------------------


@rule("w40k8.move.one_inch", check=1)
def test_nobody_comes_within_an_inch_of_an_enemy() -> None:
    b = picked(red(), blue([(16, 10)]))
    assert judge(b, "move", to((13.99, 10)))
    assert cites(refused_by(b, "move", to((14, 10)), "w40k8.move.one_inch")) == {"w40k8.move.one_inch"}


@rule("w40k8.move.one_inch", check=2)
def test_the_inch_is_kept_on_the_whole_way() -> None:
    b = picked(red(), blue([(13, 12)]))
    refused_by(b, "move", to((16, 10)), "w40k8.move.one_inch")
    assert judge(picked(red(), blue([(13, 12.01)])), "move", to((16, 10)))


@rule("w40k8.move.one_inch", check=3)
def test_the_inch_is_kept_in_an_advance() -> None:
    b = picked(red(), blue([(20, 10)]), dice={"advance": [6]})
    give(b, "move", {"mode": "advance"})
    assert judge(b, "complete_move", to((17.99, 10), mode="advance"))
    refused_by(b, "complete_move", to((18, 10), mode="advance"), "w40k8.move.one_inch")


@rule("w40k8.move.one_inch", check=4)
def test_chargers_and_those_who_pile_in_come_nearer() -> None:
    b = picked(red(), blue([(18, 10)]), dice={"charge": [1, 2]})
    refused_by(b, "move", to((16, 10)), "w40k8.move.one_inch")
    give(b, "move", to((14, 10)))
    give(b, "charge_with", "Reds")
    give(b, "charge_move", {"mode": "charge", "to": [[16.5, 10]]})
    give(b, "pile_in", {"to": [[17, 10]]})
    assert places(b, "Reds") == [(17, 10, 0)]


@rule("w40k8.move.near_enemy", check=1)
@rule("w40k8.move.near_enemy", check=2)
def test_who_starts_within_an_inch_stays_or_falls_back() -> None:
    def modes(x: float) -> list[str]:
        return [m.name for m in asked(picked(red(), blue([(x, 10)])), "move").modes]  # type: ignore[attr-defined]

    assert modes(12) == ["stationary", "fall_back"]
    assert modes(12.01) == ["stationary", "normal", "advance"]


@rule("w40k8.move.near_enemy", check=3)
def test_one_model_near_the_enemy_holds_the_whole_unit() -> None:
    b = picked(red(column(4, 10)), blue([(12, 8)]), blue(name="Far"))
    assert [m.name for m in asked(b, "move").modes] == ["stationary", "fall_back"]  # type: ignore[attr-defined]


@rule("w40k8.move.near_enemy", check=4)
def test_who_was_near_the_enemy_is_looked_up_when_the_phase_begins() -> None:
    b = picked(red(near=True), blue([(20, 10)]), step="move_units")
    late = [m.name for m in asked(b, "move").modes]  # type: ignore[attr-defined]
    b = picked(red(near=True), blue([(20, 10)]))
    anew = [m.name for m in asked(b, "move").modes]  # type: ignore[attr-defined]
    assert (late, anew) == (["stationary", "fall_back"], ["stationary", "normal", "advance"])


# --- Falling Back -----------------------------------------------------------------------------------------------------


def back(*spots: tuple[float, ...] | None) -> Doc:
    """A Fall Back."""
    return to(*spots, mode="fall_back")


@rule("w40k8.move.fall_back", check=1)
def test_everybody_who_falls_back_ends_away_from_all_enemies() -> None:
    b = picked(red(column(2, 10)), blue([(11.5, 8.5)]), blue([(5, 12)], name="More"))
    refused_by(b, "move", back((9, 8), None), "w40k8.move.fall_back")
    refused_by(b, "move", back((6, 8), (5.5, 10.2)), "w40k8.move.fall_back")
    give(b, "move", back((6, 7), (6, 9)))
    assert places(b, "Reds") == [(6, 7, 0), (6, 9, 0)]


@rule("w40k8.move.fall_back", check=2)
def test_exactly_an_inch_is_too_near_to_fall_back_to() -> None:
    b = picked(red(), blue([(11.5, 10)]))
    assert cites(refused_by(b, "move", back((9.5, 10)), "w40k8.move.fall_back")) == {"w40k8.move.fall_back"}
    assert judge(b, "move", back((9.49, 10)))


@rule("w40k8.move.fall_back", check=3)
def test_who_falls_back_may_pass_near_enemies() -> None:
    b = picked(red(), blue([(11.5, 10), (11.5, 11.6)]))
    assert judge(b, "move", along((10, 12), (10, 15.5), mode="fall_back"))
    assert judge(b, "move", back((10, 14)))


@rule("w40k8.move.fall_back", check=4)
@rule("w40k8.move.fly", check=7)
def test_who_falls_back_goes_through_nobody_unless_it_flies() -> None:
    b = picked(red(), blue([(11.5, 10)]))
    refused_by(b, "move", back((14, 10)), "w40k8.move.through_models")
    b = picked(red(doc=FLYER), blue([(11.5, 10)]))
    give(b, "move", back((14, 10)))
    assert places(b, "Reds") == [(14, 10, 0)]


@rule("w40k8.move.fall_back", check=5)
def test_who_finds_no_way_out_stays() -> None:
    ring: Spots = [(11.2, 10), (8.8, 10), (10, 11.2), (10, 8.8), (11.1, 11.1), (8.9, 8.9), (8.9, 11.1), (11.1, 8.9)]
    b = picked(red(), blue(ring))
    refused_by(b, "move", back((14, 10)), "w40k8.move.through_models")
    refused_by(b, "move", {"mode": "fall_back"}, "w40k8.move.fall_back")
    give(b, "move", {"mode": "stationary"})
    assert (named(b, "Reds").moved, places(b, "Reds")) == ("stationary", [(10, 10, 0)])


@rule("w40k8.move.fall_back", check=6)
def test_falling_back_costs_no_dice_and_no_models() -> None:
    b = picked(red(column(3, 10)), OTHERS, blue([(11.5, 8)]))
    refused_by(b, "move", {"mode": "fall_back", "by": [-0.5, 0]}, "w40k8.move.fall_back")
    give(b, "move", {"mode": "fall_back", "by": [-6, 0]})
    assert (rolls(b), alive(b, "Reds"), "moved" in told(b)) == ([], 3, True)


GUNS = [gun("assault", name="rifle"), gun("pistol", name="pistol"), gun("heavy", name="cannon", range_=40)]


def fallen_back(doc: Doc, **settings: Any) -> Battle8:
    """Reds have Fallen Back from Blues, and another enemy is 10" away."""
    b = picked(red(doc=doc), blue([(11.5, 10)]), blue([(6, 20)], name="Prey"), **settings)
    give(b, "move", back((6, 10)))
    return b


@rule("w40k8.move.fall_back_limits", check=1)
def test_no_advance_is_thrown_for_who_falls_back() -> None:
    b = picked(red(), OTHERS, blue([(11.5, 10)]))
    modes = [m.name for m in asked(b, "move").modes]  # type: ignore[attr-defined]
    give(b, "move", back((4, 10)))
    assert (modes, rolls(b), kinds(b)) == (["stationary", "fall_back"], [], ["move_with"])


@rule("w40k8.move.fall_back_limits", check=2)
@pytest.mark.parametrize("doc", [RED, FLYER])
def test_who_fell_back_does_not_charge(doc: Doc) -> None:
    charger = red([(6, 24)], name="Others")
    b = picked(red(doc=doc), charger, blue([(11.5, 10)]), blue([(6, 20)], name="Prey"))
    give(b, "move", back((6, 10)))
    give(b, "move_with", None)
    refused_by(b, "charge_with", "Reds", "w40k8.move.fall_back_limits")
    assert offered(b, "charge_with") == ["Others"]


@rule("w40k8.move.fall_back_limits", check=3)
def test_who_fell_back_does_not_shoot() -> None:
    b = fallen_back(sheet(*GUNS, name="Red"))
    assert "shoot_with" not in kinds(b)


@rule("w40k8.move.fall_back_limits", check=4)
@rule("w40k8.weapon.heavy", check=1)
def test_who_flies_shoots_after_falling_back_with_a_penalty_for_heavy_weapons() -> None:
    doc = sheet(*GUNS[2:], name="Red", keywords=["FLY"])
    b = fallen_back(doc, dice={"hit": [3]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "0", "target": "Prey"}])
    assert (rolls(b), alive(b, "Prey")) == ([("hit", (3,))], 1)


WITCH = sheet(name="Witch", keywords=["INFANTRY", "PSYKER"], psyker={"casts": 1, "denies": 1})


@rule("w40k8.move.fall_back_limits", check=5)
def test_who_fell_back_manifests_powers() -> None:
    prey = blue([(6, 20)], bare(wounds=9), name="Prey")
    b = picked(red(doc=WITCH), blue([(11.5, 10)]), prey, dice={"psychic test": [3, 3], "smite": [1]})
    give(b, "move", back((6, 10)))
    give(b, "manifest", "Witch: Smite")
    assert ([kind for kind, _ in rolls(b)], kinds(b)) == (["psychic test", "smite"], [])


@rule("w40k8.move.fall_back_limits", check=6)
def test_who_fell_back_fights_whoever_comes() -> None:
    hero = blue([(6, 13)], bare(keywords=["CHARACTER"], weapon_skill=None), name="Hero")
    b = picked(red(), blue([(11.5, 10)]), hero, dice={"hit": [1]})
    give(b, "move", back((6, 10)))
    give(b, "intervene_with", "Hero")
    give(b, "heroic_move", {"to": [[6, 11.5]]})
    strike(b, ("Red", 1, "Hero"))
    assert rolls(b) == [("hit", (1,))]


@rule("w40k8.move.fall_back_limits", check=7)
def test_who_fell_back_fires_overwatch_in_the_enemys_turn() -> None:
    reds = red(doc=sheet(gun(), name="Red"))
    b = picked(reds, blue([(11.5, 10)]), dice={"hit": [1], "charge": [1, 1]}, turns=2)
    give(b, "move", back((5, 10)))
    give(stand(b), "charge_with", "Blues")
    give(b, "overwatch", True)
    give(b, "shoot", [{"weapon": "gun", "target": "Blues"}])
    assert rolls(b) == [("hit", (1,)), ("charge", (1, 1))]


# --- Advancing --------------------------------------------------------------------------------------------------------


@rule("w40k8.move.advance", check=1)
def test_an_advance_is_declared_before_anybody_moves() -> None:
    b = picked(red(), blue(), dice={"advance": [3]})
    refused_by(b, "move", to((12, 10), mode="advance"), "w40k8.move.advance")
    give(b, "move", {"mode": "advance"})
    assert (rolls(b), kinds(b), places(b, "Reds")) == ([("advance", (3,))], ["complete_move"], [(10, 10, 0)])


@rule("w40k8.move.advance", check=2)
def test_one_die_serves_the_whole_unit() -> None:
    b = picked(red(column(3, 10)), blue(), dice={"advance": [2]})
    give(b, "move", {"mode": "advance"})
    refused_by(b, "complete_move", to((18, 8), (18, 9.5), (18.01, 11), mode="advance"), "w40k8.move.advance")
    give(b, "complete_move", to((18, 8), (18, 9.5), (18, 11), mode="advance"))
    assert (rolls(b), places(b, "Reds")) == ([("advance", (2,))], [(18, 8, 0), (18, 9.5, 0), (18, 11, 0)])


@rule("w40k8.move.advance", check=3)
def test_the_extra_distance_lasts_for_one_phase() -> None:
    b = picked(red(), blue(), dice={"advance": [6]}, turns=3)
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", to((22, 10), mode="advance"))
    gone = named(b, "Reds").advance
    give(b, "move_with", None)
    give(b, "move_with", "Reds")
    assert judge(b, "move", to((28, 10)))
    refused_by(b, "move", to((28.01, 10)), "w40k8.move.distance")
    assert gone == 0


@rule("w40k8.move.advance", check=4)
def test_who_declared_an_advance_has_advanced_though_nobody_moves() -> None:
    b = picked(red(), OTHERS, blue(), dice={"advance": [4]})
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance"})
    assert (named(b, "Reds").moved, places(b, "Reds")) == ("advance", [(10, 10, 0)])


@rule("w40k8.move.advance", check=5)
def test_a_plaguecaster_with_a_move_of_5_and_a_4_goes_9() -> None:
    b = picked(red(doc=sheet(name="Malignant Plaguecaster", move=5)), blue(), dice={"advance": [4]})
    give(b, "move", {"mode": "advance"})
    refused_by(b, "complete_move", to((19.01, 10), mode="advance"), "w40k8.move.advance")
    give(b, "complete_move", to((19, 10), mode="advance"))
    assert places(b, "Reds") == [(19, 10, 0)]


def advanced(*units: UnitDoc, **dice: list[int]) -> Battle8:
    """Reds, and nobody else, have Advanced on the spot."""
    b = picked(*units, dice={"advance": [1], **dice})
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance"})
    return b


@rule("w40k8.move.advance_limits", check=1)
def test_who_advanced_fires_assault_weapons_alone() -> None:
    kinds_of_guns = [gun(t, name=t) for t in ("assault", "heavy", "rapid fire", "grenade", "pistol")]
    b = advanced(red(doc=sheet(*kinds_of_guns, name="Red")), blue([(14, 10)]))
    give(b, "shoot_with", "Reds")
    assert [row.label for row in asked(b, "shoot").rows] == ["assault"]  # type: ignore[attr-defined]


@rule("w40k8.move.advance_limits", check=2)
def test_who_advanced_does_not_charge() -> None:
    b = advanced(red(), red([(10, 16)], name="Others"), blue([(14, 10)]))
    give(b, "move_with", None)
    refused_by(b, "charge_with", "Reds", "w40k8.move.advance_limits")
    assert offered(b, "charge_with") == ["Others"]


@rule("w40k8.move.advance_limits", check=3)
def test_who_advanced_manifests_powers() -> None:
    powers = {"psychic test": [3, 3], "smite": [1]}
    b = advanced(red(doc=WITCH), blue([(18, 10)], bare(wounds=9)), **powers)
    give(b, "manifest", "Witch: Smite")
    assert ([kind for kind, _ in rolls(b)], kinds(b)) == (["advance", "psychic test", "smite"], [])


@rule("w40k8.move.advance_limits", check=4)
def test_a_character_that_advanced_intervenes_in_the_enemys_turn() -> None:
    hero = red(doc=sheet(name="Hero", keywords=["CHARACTER"]))
    b = picked(hero, blue([(13, 10)]), dice={"advance": [1]}, turns=2)
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance"})
    give(b, "move_with", None)
    give(b, "charge_with", None)
    assert offered(b, "intervene_with") == ["Reds"]


# --- Heavy weapons ----------------------------------------------------------------------------------------------------

CANNON = gun("heavy", name="cannon", range_=40)


def fired(*spots: tuple[float, ...] | None, hits: list[int], doc: Doc | None = None, **settings: Any) -> Battle8:
    """Reds move and fire all their cannons at Blues."""
    reds = red([(10, 10 + 2 * i) for i in range(len(spots))], doc or sheet(CANNON, name="Red"))
    b = picked(reds, blue([(25, 10)], bare(wounds=9)), dice={"hit": hits, "wound": [1] * 9}, **settings)
    give(b, "move", to(*spots))
    give(b, "shoot_with", "Reds")
    rows: Any = asked(b, "shoot")
    give(b, "shoot", [{"weapon": r.id, "target": "Blues"} for r in rows.rows])
    return b


def wounds_thrown(b: Battle8) -> int:
    """How many wound rolls were made."""
    return sum(len(faces) for kind, faces in rolls(b) if kind == "wound")


@rule("w40k8.weapon.heavy", check=2)
@rule("w40k8.weapon.heavy", check=3)
def test_each_gunner_is_judged_by_its_own_feet() -> None:
    b = fired((10.1, 10), None, hits=[3, 3])
    assert wounds_thrown(b) == 1
    b = fired((10.1, 10), None, hits=[2, 2])
    assert wounds_thrown(b) == 0


@rule("w40k8.weapon.heavy", check=1)
@pytest.mark.parametrize(("type_", "hits"), [("heavy", 0), ("assault", 1), ("rapid fire", 1)])
def test_only_heavy_weapons_suffer_from_moving(type_: str, hits: int) -> None:
    doc = sheet(gun(type_, name="gun", range_=20), name="Red")
    assert wounds_thrown(fired((10.1, 10), hits=[3], doc=doc)) == hits


@rule("w40k8.weapon.heavy", check=5)
def test_the_penalty_ends_with_the_turn() -> None:
    b = fired((10.1, 10), hits=[3, 3], turns=3)
    first = wounds_thrown(b)
    give(b, "move_with", None)
    give(b, "move_with", None)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "0", "target": "Blues"}])
    assert (first, wounds_thrown(b)) == (0, 1)


@rule("w40k8.weapon.heavy", check=6)
@pytest.mark.parametrize("keyword", ["VEHICLE", "MONSTER"])
def test_vehicles_and_monsters_are_not_exempt(keyword: str) -> None:
    doc = sheet(CANNON, name="Red", keywords=[keyword])
    assert wounds_thrown(fired((10.1, 10), hits=[3], doc=doc)) == 0


# --- Coherency --------------------------------------------------------------------------------------------------------

SPLIT: Spots = [(10, 10), (15, 10)]


@rule("w40k8.concept.coherency_restore", check=2)
def test_a_split_unit_that_moves_ends_together() -> None:
    b = picked(red(SPLIT), blue())
    refused_by(b, "move", to((11, 10), None), "w40k8.concept.coherency")
    give(b, "move", to((12, 10), None))
    assert places(b, "Reds") == [(12, 10, 0), (15, 10, 0)]


@rule("w40k8.concept.coherency_restore", check=4)
def test_a_split_unit_may_stay_as_it_is() -> None:
    b = picked(red(SPLIT), OTHERS, blue())
    give(b, "move", {"mode": "stationary"})
    give(b, "move_with", None)
    assert (alive(b, "Reds"), places(b, "Reds"), kinds(b)) == (2, [(10, 10, 0), (15, 10, 0)], [])


def test_what_changes_the_move_characteristic_changes_the_allowance() -> None:
    b = under(phase(red(), blue()), "move", "+2")
    give(b, "move_with", "Reds")
    assert judge(b, "move", to((18, 10)))
    refused_by(b, "move", to((18.01, 10)), "w40k8.move.distance")


def test_a_unit_goes_where_its_player_points() -> None:
    b = picked(red(column(3, 10)), OTHERS, blue())
    question: Any = asked(b, "move")
    b.answer(question, next(march_towards(b, question, Goal(steps(15), steps(9.5)), MARCHING)))
    assert places(b, "Reds") == [(15, 8, 0), (15, 9.5, 0), (15, 11, 0)]
