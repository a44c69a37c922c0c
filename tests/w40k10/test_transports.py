"""Transports: room in them, embarking, disembarking, and starting the battle embarked."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import ABOARD, Assignment, Verdict
from sandtable.battle.events import Asked
from sandtable.battle.scenario import AtDoc, Scenario
from sandtable.battle.tables import TableDoc
from sandtable.forty.aiming import why_not_at
from sandtable.forty.scenario import from_scenario
from sandtable.kit.beside import beside_whom, spots_beside
from sandtable.systems.w40k10 import destroyed_transports, transports
from sandtable.systems.w40k10.abilities import firing_deck
from sandtable.systems.w40k10.charge_phase import able_to_charge
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.shooting_phase import eligible_to_shoot
from sandtable.systems.w40k10.state import Battle10, weapons_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.systems.w40k10.transports import TRANSPORTS
from sandtable.systems.w40k10.weapon_abilities import heavy
from support.discipline import Findings, prove
from w40k10.armies import CAPTAIN, INTERCESSORS, battle, go_on
from w40k10.arms import blade, gun, sheet
from w40k10.carriers import AT, HEAVY, HOLD, RHINO, RIFLES, is_aboard
from w40k10.powers import at, called, clash
from w40k10.table import (
    HERO,
    INCH,
    JUMPER,
    RIDER,
    TANK,
    TROOPER,
    alive,
    asked,
    cites,
    feature,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    refused_by,
    row,
    situation,
    told,
    unit,
)

FOE = unit("Blues", "blue", TROOPER, [(40, 25)])


def near(*others: Any, reds: list[tuple[float, ...]] | None = None, **more: Any) -> Battle10:
    """Reds close to their Rhino, selected to move."""
    at = reds or row(3, (9, 16))
    b = situation([unit("Reds", "red", TROOPER, at), unit("Rhino", "red", RHINO, [AT]), FOE, *others], **more)
    give(b, "move_with", "Reds")
    return b


def inside(*others: Any, count: int = 2, reds: dict[str, Any] = TROOPER, rhino: Any = None, **more: Any) -> Battle10:
    """Reds in their Rhino, in the Movement phase."""
    flags = rhino or {}
    return situation(
        [
            unit("Reds", "red", reds, off=count, embarked="Rhino"),
            unit("Rhino", "red", RHINO, [AT], **flags),
            *(others or (FOE,)),
        ],
        **more,
    )


def test_a_unit_is_told_which_transports_it_may_get_into() -> None:
    """The second has no room, the third is too far away."""
    full = unit("Full", "red", RHINO, [(18, 16)])
    aboard = [unit(f"Crew {i}", "red", TROOPER, off=HOLD["capacity"] // 2, embarked="Full") for i in range(2)]
    b = near(full, *aboard, unit("Far", "red", RHINO, [(40, 28)]))
    assert asked(b, "move").about == {"hosts": [named(b, "Rhino").id]}
    alone = situation([unit("Reds", "red", TROOPER, row(3, (9, 16))), unit("Far", "red", RHINO, [(40, 28)]), FOE])
    give(alone, "move_with", "Reds")
    assert asked(alone, "move").about == {}


def get_out(b: Battle10, at: list[tuple[float, ...]]) -> Battle10:
    """Reds disembark."""
    give(b, "move_with", "Reds")
    give(b, "disembark", at)
    return b


def board(b: Battle10, who: str = "Reds", by: tuple[float, float] = (0, -1)) -> None:
    """A unit that is asked to move embarks in the Rhino."""
    give(b, "move", {"mode": "normal", "by": by, "onto": "Rhino"})


# --- Capacity ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.capacity", check=1)
def test_nobody_embarks_where_there_is_no_room() -> None:
    b = near(unit("Whites", "red", TROOPER, off=4, embarked="Rhino"))
    refused_by(b, "move", {"by": (0, -1), "mode": "normal", "onto": "Rhino"}, "w40k10.transport.capacity")
    b = near(unit("Whites", "red", TROOPER, off=3, embarked="Rhino"))
    assert judge(b, "move", {"by": (0, -1), "mode": "normal", "onto": "Rhino"})


@pytest.mark.rule("w40k10.transport.capacity", check=2)
@pytest.mark.parametrize("kind", [RIDER, {**JUMPER, "keywords": ["INFANTRY", "JUMP PACK"]}])
def test_only_the_kinds_of_the_datasheet_embark(kind: dict[str, Any]) -> None:
    b = situation([unit("Reds", "red", kind, [(9, 15)]), unit("Rhino", "red", RHINO, [AT]), FOE])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "onto": "Rhino"}, "w40k10.transport.capacity")


@pytest.mark.rule("w40k10.transport.capacity", check=3)
def test_nobody_embarks_in_an_enemy_transport() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(9, 15)]), unit("Rhino", "blue", RHINO, [AT])])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "onto": "Rhino"}, "w40k10.transport.capacity")


@pytest.mark.rule("w40k10.transport.capacity", check=1)
def test_of_some_passengers_a_datasheet_takes_fewer_and_of_others_as_many_as_fit() -> None:
    hold = {**HOLD, "special": [{"keyword": "GRAVIS", "most": 2}, {"keyword": "TACTICUS"}]}

    def embark(keyword: str, count: int) -> Verdict:
        who = {**TROOPER, "keywords": ["INFANTRY", keyword]}
        b = situation(
            [
                unit("Reds", "red", who, row(count, (9, 15))),
                unit("Rhino", "red", {**RHINO, "transport": hold}, [AT]),
                FOE,
            ]
        )
        give(b, "move_with", "Reds")
        return judge(b, "move", {"mode": "normal", "onto": "Rhino"})

    assert embark("GRAVIS", 2)
    assert cites(embark("GRAVIS", 3)) == {"w40k10.transport.capacity"}
    assert embark("TACTICUS", 3)


@pytest.mark.rule("w40k10.transport.capacity", check=2)
def test_one_model_of_a_kind_that_does_not_fit_keeps_the_whole_unit_out() -> None:
    def embark(hero: dict[str, Any]) -> Verdict:
        b = situation(
            [
                unit("Reds", "red", TROOPER, row(2, (9, 15))),
                unit("Hero", "red", hero, [(12, 15)], leads="Reds"),
                unit("Rhino", "red", RHINO, [AT]),
                FOE,
            ]
        )
        give(b, "move_with", "Reds")
        return judge(b, "move", {"mode": "normal", "onto": "Rhino"})

    assert embark(HERO)
    assert cites(embark({**HERO, "keywords": [*HERO["keywords"], "JUMP PACK"]})) == {"w40k10.transport.capacity"}


@pytest.mark.rule("w40k10.transport.capacity", check=2)
def test_nobody_embarks_in_what_is_no_transport_or_in_itself() -> None:
    cart = {**RHINO, "name": "Cart", "base": INCH, "keywords": ["INFANTRY", "TRANSPORT"]}
    b = situation(
        [
            unit("Carts", "red", cart, row(2, (9, 10))),
            unit("Tank", "red", TANK, [(16, 10)]),
            unit("Rhino", "red", RHINO, [(4, 10)]),
            FOE,
        ]
    )
    give(b, "move_with", "Carts")
    refused_by(b, "move", {"mode": "normal", "onto": "Tank"}, "w40k10.transport.capacity")
    refused_by(b, "move", {"mode": "normal", "onto": "Carts"}, "w40k10.transport.capacity")
    assert judge(b, "move", {"mode": "normal", "by": (-1, 0), "onto": "Rhino"})


@pytest.mark.rule("w40k10.transport.capacity", check=4)
def test_several_units_share_a_transport() -> None:
    b = near(
        unit("Whites", "red", TROOPER, row(3, (9, 4))),
        unit("Greens", "red", TROOPER, [(14.5, 10)]),
    )
    board(b)
    give(b, "move_with", "Whites")
    board(b, "Whites", (0, 1))
    assert is_aboard(b) and is_aboard(b, "Whites")
    give(b, "move_with", "Greens")
    refused_by(b, "move", {"mode": "normal", "onto": "Rhino"}, "w40k10.transport.capacity")


# --- Embarking --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.embark", check=1)
@pytest.mark.rule("w40k10.transport.embark", check=2)
def test_every_model_must_end_within_3_inches_and_need_not_be_wholly_within() -> None:
    b = near()
    far = {"mode": "normal", "to": [(9, 15), (10.5, 15), (12, 15.133)], "onto": "Rhino"}
    assert refused_by(b, "move", far, "w40k10.transport.embark").reasons[0].facts["distance"] == 3.133
    give(b, "move", {"mode": "normal", "to": [(9, 15), (10.5, 15), (12, 15)], "onto": "Rhino"})
    assert is_aboard(b) and "embarked" in told(b)


@pytest.mark.rule("w40k10.transport.embark", check=1)
def test_of_a_transport_unit_of_several_models_all_must_be_near_the_same() -> None:
    carts = unit("Carts", "red", {**RHINO, "name": "Cart", "base": INCH}, [(10, 10), (18, 10)])
    near_both = unit("Reds", "red", TROOPER, row(4, (11, 12), (2, 0)))
    near_one = unit("Reds", "red", TROOPER, row(4, (8, 12), (1.5, 0)))
    b = situation([near_both, carts, FOE])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "onto": "Carts"}, "w40k10.transport.embark")
    b = situation([near_one, carts, FOE])
    give(b, "move_with", "Reds")
    assert judge(b, "move", {"mode": "normal", "onto": "Carts"})


@pytest.mark.rule("w40k10.transport.embark", check=1)
def test_nobody_embarks_in_a_transport_that_is_not_on_the_battlefield() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(9, 15)]),
            unit("Late", "red", RHINO, off=1, reserve="strategic"),
            unit("Rhino", "red", RHINO, [AT]),
            FOE,
        ]
    )
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "onto": "Late"}, "w40k10.transport.embark")
    assert judge(b, "move", {"mode": "normal", "onto": "Rhino"})


@pytest.mark.rule("w40k10.transport.embark", check=3)
def test_a_unit_embarks_after_a_normal_move() -> None:
    b = near()
    board(b)
    assert is_aboard(b)


@pytest.mark.rule("w40k10.transport.embark", check=3)
def test_a_unit_embarks_after_an_advance() -> None:
    b = near(reds=row(3, (9, 22)), dice={"advance": [1]})
    give(b, "move", {"mode": "advance"})
    give(b, "complete_move", {"mode": "advance", "by": (0, -7), "onto": "Rhino"})
    assert is_aboard(b) and named(b, "Reds").moved == "advance"


@pytest.mark.rule("w40k10.transport.embark", check=3)
def test_a_unit_embarks_after_falling_back() -> None:
    b = near(unit("Foes", "blue", TROOPER, [(9, 17.5)]))
    give(b, "move", {"mode": "fall_back", "by": (0, -1), "onto": "Rhino"})
    assert is_aboard(b) and named(b, "Reds").moved == "fall_back"


@pytest.mark.rule("w40k10.transport.embark", check=3)
def test_a_unit_embarks_after_a_scouts_move_since_that_is_a_normal_move() -> None:
    scouts = {**TROOPER, "abilities": ["scouts 6"]}
    b = situation([unit("Reds", "red", scouts, [(9, 18)]), unit("Rhino", "red", RHINO, [AT]), FOE], step="scouts")
    give(b, "scout_with", "Reds")
    refused_by(b, "scout_move", {"to": [(9, 15.1)], "onto": "Rhino"}, "w40k10.transport.embark")
    give(b, "scout_move", {"to": [(9, 15)], "onto": "Rhino"})
    assert is_aboard(b)


@pytest.mark.rule("w40k10.transport.embark", check=4)
def test_a_unit_that_remains_stationary_does_not_embark() -> None:
    b = near(reds=row(3, (9, 15)))
    refused_by(b, "move", {"mode": "stationary", "onto": "Rhino"}, "w40k10.transport.embark")
    assert judge(b, "move", {"mode": "normal", "onto": "Rhino"})


@pytest.mark.rule("w40k10.transport.embark", check=5)
def test_nobody_embarks_after_a_charge() -> None:
    reds, foes = unit("Reds", "red", TROOPER, [(10, 15)]), unit("Foes", "blue", TROOPER, [(14, 15)])
    b = situation([unit("Rhino", "red", RHINO, [AT]), reds, foes], step="charge_phase", dice=[6, 6])
    give(b, "charge_with", "Reds")
    refused_by(b, "charge_move", {"mode": "charge", "to": [(13, 15)], "onto": "Rhino"}, "w40k10.transport.embark")
    assert judge(b, "charge_move", {"mode": "charge", "to": [(13, 15)]})


@pytest.mark.rule("w40k10.transport.embark", check=5)
def test_nobody_embarks_after_a_pile_in_or_a_consolidation() -> None:
    unarmed = {**TROOPER, "weapons": []}
    reds, foes = unit("Reds", "red", unarmed, [(10, 14)]), unit("Foes", "blue", unarmed, [(11.5, 14)], fought=True)
    b = situation([unit("Rhino", "red", RHINO, [AT]), reds, foes], step="remaining_combats")
    refused_by(b, "pile_in", {"mode": "pile_in", "to": [(10.5, 14)], "onto": "Rhino"}, "w40k10.transport.embark")
    assert judge(b, "pile_in", {"mode": "pile_in", "to": [(10.5, 14)]})
    give(b, "pile_in", {"mode": "pile_in"})
    onto = {"mode": "consolidate", "to": [(10.5, 14)], "onto": "Rhino"}
    refused_by(b, "consolidate", onto, "w40k10.transport.embark")
    assert judge(b, "consolidate", {"mode": "consolidate", "to": [(10.5, 14)]})


@pytest.mark.rule("w40k10.transport.embark", check=6)
def test_who_has_disembarked_does_not_embark_again_in_the_phase() -> None:
    b = get_out(inside(), [(9, 13), (10.5, 13)])
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "onto": "Rhino"}, "w40k10.transport.embark")


@pytest.mark.rule("w40k10.transport.embark", check=7)
def test_embarking_is_voluntary() -> None:
    b = near(unit("Whites", "red", TROOPER, [(14.5, 10)]))
    give(b, "move", {"mode": "normal", "by": (0, -1)})
    assert alive(b, "Reds") == 3 and named(b, "Reds").embarked == -1
    give(b, "move_with", "Whites")
    give(b, "move", {"mode": "normal", "onto": "Rhino"})
    assert is_aboard(b, "Whites")


# --- Aboard -----------------------------------------------------------------------------------------------------------


def boarded(**flags: Any) -> Battle10:
    """Reds have just embarked, with Blues in sight and an objective marker beside the Rhino."""
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(9, 16)], **flags),
            unit("Rhino", "red", {**RHINO, "oc": 0}, [AT]),
            unit("Foes", "blue", TROOPER, [(9, 22)]),
        ],
        objectives=[(11, 14)],
    )
    give(b, "move_with", "Reds")
    board(b)
    return b


@pytest.mark.rule("w40k10.transport.embarked_state", check=1)
def test_who_is_aboard_does_not_shoot_charge_or_fight() -> None:
    b = boarded(charged=True)
    reds = named(b, "Reds")
    assert not b.why_not("shoot", reds.id)
    assert not able_to_charge(b, reds)
    assert not b.why_not("fight", reds.id)


@pytest.mark.rule("w40k10.transport.embarked_state", check=2)
def test_who_is_aboard_is_no_target() -> None:
    b = boarded()
    assert not why_not_at(b, named(b, "Foes"), named(b, "Reds"))
    assert why_not_at(b, named(b, "Foes"), named(b, "Rhino"))


@pytest.mark.rule("w40k10.transport.embarked_state", check=3)
def test_nothing_is_within_range_of_who_is_aboard() -> None:
    b = boarded()
    assert b.distance(named(b, "Reds"), named(b, "Rhino")) == float("inf")
    assert b.distance(named(b, "Foes"), named(b, "Reds")) == float("inf")


@pytest.mark.rule("w40k10.transport.embarked_state", check=4)
def test_who_is_aboard_controls_nothing() -> None:
    assert level_of_control(boarded(), 0, 0) == 0


# --- Disembarking: who and when ---------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.disembark_when", check=1)
def test_who_embarked_in_this_phase_stays_in() -> None:
    b = boarded()
    verdict = b.why_not("disembark", named(b, "Reds").id)
    assert "w40k10.transport.disembark_when" in cites(verdict)
    assert offered(b, "move_with") == ["Rhino"]


@pytest.mark.rule("w40k10.transport.disembark_when", check=2)
def test_disembarking_is_for_the_own_movement_phase() -> None:
    for more in ({"step": "shoot_units"}, {"active": "blue"}):
        b = inside(**more)  # type: ignore[arg-type]
        verdict = b.why_not("disembark", named(b, "Reds").id)
        assert "w40k10.transport.disembark_when" in cites(verdict)
    b = inside()
    assert b.why_not("disembark", named(b, "Reds").id)


@pytest.mark.rule("w40k10.transport.disembark_when", check=3)
def test_disembarking_is_voluntary() -> None:
    b = inside()
    give(b, "move_with", "Reds")
    give(b, "disembark", "pass")
    assert is_aboard(b)
    assert offered(b, "move_with") == ["Rhino"]


# --- Disembarking: where ----------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.disembark_setup", check=1)
def test_every_model_is_set_up_wholly_within_3_inches() -> None:
    b = inside()
    give(b, "move_with", "Reds")
    far = refused_by(b, "disembark", [(9, 14), (10.5, 14.133)], "w40k10.transport.disembark_setup")
    assert far.reasons[0].facts["distance"] == 3.133
    give(b, "disembark", [(9, 14), (10.5, 14)])
    assert places(b, "Reds") == [(9, 14, 0), (10.5, 14, 0)]
    assert named(b, "Reds").embarked == -1


@pytest.mark.rule("w40k10.transport.disembark_setup", check=2)
def test_nobody_is_set_up_within_engagement_range() -> None:
    b = inside(unit("Foes", "blue", TROOPER, [(9, 16)]))
    give(b, "move_with", "Reds")
    rules = ("w40k10.transport.disembark_setup", "w40k10.concept.engagement_limit")
    refused_by(b, "disembark", [(9, 14), (10.5, 14)], *rules)
    assert judge(b, "disembark", [(9, 13), (10.5, 13)])
    two = inside(unit("Foes", "blue", TROOPER, [(9, 16)]), unit("Nearer", "blue", TROOPER, [(10.5, 15.2)]))
    give(two, "move_with", "Reds")
    assert '0.20" from Nearer' in str(refused_by(two, "disembark", [(9, 14), (10.5, 14)], *rules))


@pytest.mark.rule("w40k10.transport.disembark_setup", check=3)
def test_if_one_model_finds_no_place_nobody_gets_out_and_nobody_is_lost() -> None:
    b = inside(unit("Foes", "blue", TROOPER, [(9, 16)]))
    give(b, "move_with", "Reds")
    refused_by(b, "disembark", [(9, 14), (11.5, 13)], "w40k10.transport.disembark_setup")
    give(b, "disembark", "pass")
    assert is_aboard(b)
    assert all(b.state.models.place[m] == ABOARD for m in named(b, "Reds").models)


@pytest.mark.rule("w40k10.transport.disembark_setup", check=4)
def test_a_unit_disembarks_in_coherency() -> None:
    b = inside()
    give(b, "move_with", "Reds")
    refused_by(b, "disembark", [(7, 10), (13, 10)], "w40k10.transport.disembark_setup")


@pytest.mark.rule("w40k10.transport.disembark_setup", check=5)
def test_an_engaged_transport_lets_units_out_on_the_free_side() -> None:
    b = inside(unit("Foes", "blue", TROOPER, [(10, 7.5)]))
    give(b, "move_with", "Reds")
    refused_by(b, "disembark", [(8.5, 7.5), (7.2, 7.5)], "w40k10.transport.disembark_setup")
    give(b, "disembark", [(9, 13), (10.5, 13)])
    assert alive(b, "Reds") == 2


# --- Before and after the transport moves -----------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.disembark_before_move", check=1)
def test_out_of_a_transport_that_has_not_moved_a_unit_moves_or_advances() -> None:
    b = get_out(inside(), [(9, 13), (10.5, 13)])
    give(b, "move_with", "Reds")
    assert "Normal move" in offered(b, "move") and "Advance" in offered(b, "move")
    assert "Remain Stationary" not in offered(b, "move")
    give(b, "move", {"mode": "normal", "by": (0, 6)})
    assert places(b, "Reds") == [(9, 19, 0), (10.5, 19, 0)]


@pytest.mark.rule("w40k10.transport.disembark_before_move", check=2)
def test_out_of_a_transport_that_has_not_moved_a_unit_shoots_and_charges() -> None:
    b = get_out(inside(rhino={"moved": "stationary"}), [(9, 13), (10.5, 13)])
    give(b, "move_with", "pass")
    reds = named(b, "Reds")
    assert reds.moved == "normal"
    assert eligible_to_shoot(b, reds) and able_to_charge(b, reds)


@pytest.mark.rule("w40k10.transport.disembark_before_move", check=3)
def test_who_has_disembarked_does_not_remain_stationary() -> None:
    b = get_out(inside(reds=HEAVY), [(9, 13), (10.5, 13)])
    give(b, "move_with", "Reds")
    assert offered(b, "move") == sorted(["Normal move", "normal", "Advance", "advance"])
    give(b, "move", {"mode": "normal"})
    give(b, "move_with", "pass")
    reds = named(b, "Reds")
    assert heavy(reds, weapons_of(b, reds.models[0])[0]) == 0


@pytest.mark.rule("w40k10.transport.disembark_before_move", check=3)
def test_who_walked_all_the_way_may_remain_stationary() -> None:
    b = inside(unit("Whites", "red", HEAVY, [(30, 5)]), FOE)
    give(b, "move_with", "Whites")
    give(b, "move", {"mode": "stationary"})
    whites = named(b, "Whites")
    assert heavy(whites, weapons_of(b, whites.models[0])[0]) == 1


@pytest.mark.rule("w40k10.transport.disembark_before_move", check=4)
def test_the_transport_moves_after_its_passengers_got_out() -> None:
    b = get_out(inside(), [(9, 13), (10.5, 13)])
    give(b, "move_with", "Rhino")
    give(b, "move", {"mode": "normal", "by": (0, -5)})
    assert places(b, "Rhino") == [(10, 5, 0)]
    give(b, "move_with", "pass")
    assert named(b, "Reds").moved == "normal"


def moved_out() -> Battle10:
    """The Rhino has made a Normal move, then Reds got out of it."""
    b = inside(unit("Foes", "blue", TROOPER, [(10, 22)]))
    give(b, "move_with", "Rhino")
    give(b, "move", {"mode": "normal", "by": (2, 0)})
    return get_out(b, [(11, 13), (12.5, 13)])


@pytest.mark.rule("w40k10.transport.disembark_after_move", check=1)
def test_out_of_a_transport_that_has_moved_nobody_moves() -> None:
    b = moved_out()
    assert not b.why_not("move", named(b, "Reds").id)
    assert "move_with" not in kinds(b)


@pytest.mark.rule("w40k10.transport.disembark_after_move", check=2)
@pytest.mark.rule("w40k10.charge.eligible", check=6)
def test_out_of_a_transport_that_has_moved_nobody_charges() -> None:
    b = moved_out()
    assert cites(able_to_charge(b, named(b, "Reds"))) == {"w40k10.transport.disembark_after_move"}


@pytest.mark.rule("w40k10.transport.disembark_after_move", check=3)
def test_out_of_a_transport_that_has_moved_a_unit_shoots_and_fights_back() -> None:
    b = moved_out()
    reds = named(b, "Reds")
    assert reds.moved == "normal" and b.why_not("shoot", reds.id)
    b.move_models([int(b.on_table(named(b, "Foes"))[0])], [(11 * 1024, 14 * 1024, 0)])
    assert b.why_not("fight", reds.id)


@pytest.mark.rule("w40k10.transport.disembark_after_move", check=4)
def test_a_transport_that_arrived_from_reserves_counts_as_moved() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=2, embarked="Rhino"),
            unit("Rhino", "red", RHINO, off=1, reserve="strategic"),
            FOE,
        ],
        step="reinforcements",
        round_=2,
    )
    give(b, "arrive_with", "Rhino")
    give(b, "arrive", [(10, 3)])
    give(b, "disembark_with", "Reds")
    give(b, "disembark", [(9, 6), (10.5, 6)])
    assert cites(able_to_charge(b, named(b, "Reds"))) == {"w40k10.transport.disembark_after_move"}


@pytest.mark.rule("w40k10.transport.disembark_after_move", check=2)
@pytest.mark.parametrize(("transport", "free"), [("land-raider", True), ("impulsor", False)])
def test_only_an_assault_ramp_lets_a_unit_charge_out_of_a_transport_that_has_moved(transport: str, free: bool) -> None:
    b = marines(transport, "normal")
    squad = called(b, "Intercessor Squad")
    give(b, "move_with", "Intercessor Squad")
    d = asked(b, "disembark")
    reach = TRANSPORTS.disembark
    b.answer(d, spots_beside(b, transports.room_around, squad, squad.models, beside_whom(d), reach))  # type: ignore[arg-type]
    assert squad.moved == "normal"
    assert bool(able_to_charge(b, squad)) is free


def marines(transport: str, moved: str) -> Battle10:
    """Intercessors in a transport that has moved."""
    b = clash([at(transport, 20, 20), at("intercessor-squad", 10)], [at("boyz", 45, 20)], step="move_units", dice=[])
    carrier, squad = b.units()[0], called(b, "Intercessor Squad")
    transports.go_aboard(b, squad, carrier)
    b.set_unit(carrier, moved=moved)
    b.start()
    return b


@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=1)
@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=2)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_nobody_leaves_a_transport_that_advanced_or_fell_back(moved: str) -> None:
    b = inside(unit("Whites", "red", TROOPER, [(30, 5)]), FOE, rhino={"moved": moved})
    assert cites(b.why_not("disembark", named(b, "Reds").id)) == {"w40k10.transport.disembark_forbidden"}
    assert offered(b, "move_with") == ["Whites"]
    b = inside(unit("Whites", "red", TROOPER, [(30, 5)]), FOE, rhino={"moved": "normal"})
    assert b.why_not("disembark", named(b, "Reds").id)


@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=1)
@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=2)
def test_an_assault_vehicle_lets_out_after_an_advance_but_not_after_falling_back() -> None:
    for transport, moved, out in (
        ("impulsor", "advance", True),
        ("impulsor", "fall_back", False),
        ("land-raider", "advance", False),
    ):
        b = marines(transport, moved)
        assert bool(transports.may_disembark(b, called(b, "Intercessor Squad"))) is out


@pytest.mark.rule("w40k10.concept.wholly_within", check=1)
@pytest.mark.rule("w40k10.concept.wholly_within", check=2)
@pytest.mark.rule("w40k10.concept.wholly_within", check=3)
def test_wholly_within_3_inches_takes_in_the_far_edge_of_every_base() -> None:
    b = inside()
    give(b, "move_with", "Reds")
    assert judge(b, "disembark", [(9, 14), (10.5, 14)]), 'edges 2" and 3" away'
    refused_by(b, "disembark", [(9, 14.1), (10.5, 14.1)], "w40k10.transport.disembark_setup")
    refused_by(b, "disembark", [(9, 14), (10.5, 14.1)], "w40k10.transport.disembark_setup")


@pytest.mark.rule("w40k10.concept.wholly_within", check=1)
@pytest.mark.rule("w40k10.concept.wholly_within", check=2)
def test_a_transport_unit_of_several_models_lets_out_beside_any_of_them() -> None:
    small = {**RHINO, "name": "Cart", "base": INCH}
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=2, embarked="Carts"),
            unit("Carts", "red", small, [(10, 10), (12, 10), (14, 10)]),
            FOE,
        ]
    )
    give(b, "move_with", "Reds")
    assert judge(b, "disembark", [(16.5, 10), (16.5, 11.5)])
    refused_by(b, "disembark", [(17.1, 10), (17.1, 11.5)], "w40k10.transport.disembark_setup")
    blocked = [feature("debris", (6, 6, 5, 8), 4, solid=True)]
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=2, embarked="Carts"),
            unit("Carts", "red", small, [(11.6, 10), (13.4, 10), (15.2, 10)]),
            FOE,
        ],
        blocked,
    )
    give(b, "move_with", "Reds")
    reds, carts = named(b, "Reds"), named(b, "Carts")
    found = spots_beside(b, transports.room_around, reds, reds.models, carts.models, TRANSPORTS.disembark)
    assert found is not None, "the search looks beside each of them"
    b.answer(asked(b, "disembark"), found)
    assert alive(b, "Reds") == 2


# --- Starting embarked ------------------------------------------------------------------------------------------------

IMPULSOR: dict[str, Any] = {"sheet": "impulsor"}
RAIDER: dict[str, Any] = {"sheet": "land-raider"}


def ride(b: Battle10, *pairs: tuple[str, str]) -> None:
    """Declare who starts embarked in what; the rest of the players' questions of this kind get their defaults."""
    d = asked(b, "start_embarked")
    b.answer(d, tuple(Assignment(str(named(b, u).id), named(b, t).id, 1) for u, t in pairs))


def unit_like(b: Battle10, word: str) -> str:
    """The name of the first red unit with a word in it."""
    return next(u.name for u in b.units_of(0) if word in u.name.lower())


@pytest.mark.rule("w40k10.transport.start_embarked", check=1)
@pytest.mark.rule("w40k10.transport.start_embarked", check=2)
def test_a_unit_that_starts_embarked_is_declared_first_and_not_set_up() -> None:
    b = battle([CAPTAIN, INTERCESSORS, IMPULSOR])
    go_on(b, "start_embarked")
    squad, car = unit_like(b, "intercessor"), unit_like(b, "impulsor")
    ride(b, (squad, car))
    go_on(b, "move_with")
    assert is_aboard(b, squad, car) and alive(b, car) == 1
    order = list(dict.fromkeys(e.kind for e in b.events if isinstance(e, Asked)))
    assert order.index("start_embarked") < order.index("deploy")


@pytest.mark.rule("w40k10.transport.start_embarked", check=3)
def test_who_starts_embarked_keeps_to_the_capacity() -> None:
    b = battle([CAPTAIN, INTERCESSORS, {**INTERCESSORS, "name": "Second squad"}, IMPULSOR])
    go_on(b, "start_embarked")
    d, car = asked(b, "start_embarked"), named(b, unit_like(b, "impulsor")).id
    squads = [r.id for r in d.rows if "captain" not in r.label.lower()]  # type: ignore[attr-defined]
    assert len(squads) == 2
    assert not b.check(d, tuple(Assignment(r, car, 1) for r in squads))
    assert b.check(d, (Assignment(squads[0], car, 1),))


@pytest.mark.rule("w40k10.muster.dedicated_transport", check=1)
@pytest.mark.rule("w40k10.muster.dedicated_transport", check=2)
def test_an_empty_dedicated_transport_is_not_deployed_and_counts_as_destroyed() -> None:
    b = battle([CAPTAIN, INTERCESSORS, IMPULSOR])
    go_on(b, "move_with")
    car = named(b, unit_like(b, "impulsor"))
    assert b.state.round == 1 and b.gone(car)
    assert "left_behind" in told(b)
    manned = battle([CAPTAIN, {**INTERCESSORS, "embarked_in": "Impulsor"}, IMPULSOR])
    go_on(manned, "move_with")
    assert alive(manned, "Impulsor") == 1


@pytest.mark.rule("w40k10.muster.dedicated_transport", check=3)
def test_another_transport_may_start_empty() -> None:
    b = battle([CAPTAIN, INTERCESSORS, RAIDER, IMPULSOR])
    go_on(b, "move_with")
    assert alive(b, unit_like(b, "land raider")) == 1
    assert b.gone(named(b, unit_like(b, "impulsor")))


# --- Random battles ---------------------------------------------------------------------------------------------------


def motor_pool(turns: int = 6) -> tuple[Any, Any]:
    """Armies with passengers, aircraft, and reserves, in round 2."""
    lance = gun(name="lance", range_=48, a="4", s=14, ap=-4, d="D6+2")
    wagon = {
        **RHINO, "wounds": 4, "toughness": 5, "save": 5, "move": 12, "weapons": [gun(name="cannon", a="3")],
        "abilities": ["firing deck 2", "deadly demise d3"],
    }  # fmt: skip
    jet = {
        **TANK, "name": "Jet", "move": 20, "base": "120x92mm", "keywords": ["VEHICLE", "AIRCRAFT", "FLY"],
        "weapons": [lance, blade(name="wings")],
    }  # fmt: skip
    units = []
    for player, y in (("red", 8.0), ("blue", 36.0)):
        facing = 90 if player == "red" else 270
        units += [
            unit(f"{player} squad", player, RIFLES, off=5, embarked=f"{player} wagon"),
            unit(f"{player} wagon", player, wagon, [(12, y)], facing=facing),
            unit(f"{player} late squad", player, RIFLES, off=4, embarked=f"{player} late wagon"),
            unit(f"{player} late wagon", player, wagon, off=1, reserve="strategic"),
            unit(f"{player} walkers", player, RIFLES, row(5, (18, y))),
            unit(f"{player} wings", player, JUMPER, row(4, (30, y))),
            unit(f"{player} lancers", player, sheet(lance, blade(), name="Lancer"), row(3, (42, y))),
            unit(f"{player} jet", player, jet, [(52, y)], facing=facing),
        ]
    doc = Scenario(
        scenario="motor pool",
        system="w40k10",
        question="",
        table=TableDoc(size=(60, 44)),
        units=tuple(units),
        at=AtDoc(step="command_phase", round=2, active="red"),
        players=("red", "blue"),
        dice=[],
        objectives=((30, 22),),
        extra={"turns": turns},
    )
    setup, state = from_scenario(SYSTEM, doc)
    state.round = 2
    return setup, state


def test_random_battles_with_transports_and_aircraft_stand_every_proof() -> None:
    found = Findings()
    seen: set[str] = set()

    def look(b: Any) -> None:
        seen.update(told(b))

    for seed in range(5):
        found.add(prove(SYSTEM, motor_pool, seed, invariant=look, every=23))
    assert not found.faults, found.examples
    assert found.asked.keys() >= {*transports.QUESTIONS, *destroyed_transports.QUESTIONS, *firing_deck.QUESTIONS}, (
        found.asked
    )
    assert seen >= {"embarked", "disembarked", "escaped", "left"}, seen
