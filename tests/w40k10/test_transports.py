"""Transports: embarking, disembarking, destroyed transports, Firing Deck, and starting the battle embarked."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import ABOARD, GONE, Assignment
from sandtable.battle.events import Asked, Told
from sandtable.battle.scenario import AtDoc, Scenario
from sandtable.battle.tables import FeatureDoc, TableDoc
from sandtable.systems.w40k10 import destroyed_transports, firing_deck, transports
from sandtable.systems.w40k10.charge import able_to_charge
from sandtable.systems.w40k10.objectives import level_of_control
from sandtable.systems.w40k10.setup import from_scenario
from sandtable.systems.w40k10.shooting import eligible_to_shoot
from sandtable.systems.w40k10.state import Battle10, weapons_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.systems.w40k10.targets import why_not_at
from sandtable.systems.w40k10.weapons import heavy
from support.discipline import Findings, prove
from w40k10.armies import CAPTAIN, INTERCESSORS, battle, go_on
from w40k10.arms import blade, gun, last, sheet, shoot
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
    default,
    feature,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    refused_by,
    rolls,
    row,
    situation,
    told,
    unit,
    wounds,
)

HOLD: dict[str, Any] = {"capacity": 6, "carries": ["INFANTRY"], "not": ["JUMP PACK"]}
RHINO: dict[str, Any] = {**TANK, "name": "Rhino", "keywords": ["VEHICLE", "TRANSPORT"], "transport": HOLD}
AT = (10, 10)
"""The Rhino is 4" by 3": it reaches from 8 to 12, and from 8.5 to 11.5."""
FOE = unit("Blues", "blue", TROOPER, [(40, 25)])
HEAVY = sheet(gun("heavy", name="long gun"), name="Gunner")


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


def get_out(b: Battle10, at: list[tuple[float, ...]]) -> Battle10:
    """Reds disembark."""
    give(b, "move_with", "Reds")
    give(b, "disembark", at)
    return b


def board(b: Battle10, who: str = "Reds", by: tuple[float, float] = (0, -1)) -> None:
    """A unit that is asked to move embarks in the Rhino."""
    give(b, "move", {"mode": "normal", "by": by, "onto": "Rhino"})


def is_aboard(b: Battle10, name: str = "Reds", transport: str = "Rhino") -> bool:
    """Whether a unit is in a transport, and not on the battlefield."""
    u = named(b, name)
    place = b.state.models.place
    return u.embarked == named(b, transport).id and all(place[m] in (ABOARD, GONE) for m in u.models)


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
    far = {"mode": "normal", "to": [(9, 15), (10.5, 15), (12, 15.1)], "onto": "Rhino"}
    refused_by(b, "move", far, "w40k10.transport.embark")
    give(b, "move", {"mode": "normal", "to": [(9, 15), (10.5, 15), (12, 15)], "onto": "Rhino"})
    assert is_aboard(b) and "embarked" in told(b)


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
def test_nobody_embarks_after_a_charge_or_a_pile_in() -> None:
    reds, rhino = unit("Reds", "red", TROOPER, [(10, 15)], near=True), unit("Rhino", "red", RHINO, [AT])
    b = situation([reds, rhino, unit("Foes", "blue", TROOPER, [(14, 15)])], step="charge_units", dice=[6, 6])
    give(b, "charge_with", "Reds")
    refused_by(b, "charge_move", {"mode": "charge", "to": [(13, 15)], "onto": "Rhino"}, "w40k10.transport.embark")
    assert judge(b, "charge_move", {"mode": "charge", "to": [(13, 15)]})
    fighter = unit("Reds", "red", TROOPER, [(10, 13)])
    b = situation([fighter, rhino, unit("Foes", "blue", TROOPER, [(11.5, 13)], fought=True)], step="remaining_combats")
    while kinds(b) != ["pile_in"] or asked(b, "pile_in").player != 0:
        default(b, kinds(b)[0])
    refused_by(b, "pile_in", {"to": [(10.4, 13)], "onto": "Rhino"}, "w40k10.transport.embark")


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
    refused_by(b, "disembark", [(9, 14), (10.5, 14.1)], "w40k10.transport.disembark_setup")
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
    assert heavy(b, reds, weapons_of(b, reds.models[0])[0]) == 0


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


@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=1)
@pytest.mark.rule("w40k10.transport.disembark_forbidden", check=2)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_nobody_leaves_a_transport_that_advanced_or_fell_back(moved: str) -> None:
    b = inside(unit("Whites", "red", TROOPER, [(30, 5)]), FOE, rhino={"moved": moved})
    assert cites(b.why_not("disembark", named(b, "Reds").id)) == {"w40k10.transport.disembark_forbidden"}
    assert offered(b, "move_with") == ["Whites"]


# --- Destroyed transports ---------------------------------------------------------------------------------------------

LANCE = gun("indirect fire", name="lance", range_=48, s=16, ap=-6, d="12")
KILL = {"hit": [6], "wound": [6], "save": [1]}
PEN = [
    feature("debris", rect, 4, solid=True)
    for rect in ((14.9, 10.4, 2.9, 9.2), (22.2, 10.4, 2.9, 9.2), (17.8, 10.4, 4.4, 2.9), (17.8, 16.7, 4.4, 2.9))
]
"""Blocks all around a Rhino at (20, 15): nobody has room wholly within 3" of it."""
NICHE = [
    feature("debris", rect, 4, solid=True)
    for rect in (
        (10, 5, 7.8, 20), (22.2, 5, 7.8, 20), (17.8, 5, 4.4, 8.3), (17.8, 16.7, 4.4, 2), (19.2, 18.7, 3, 1.3),
        (17.8, 20, 4.4, 5),
    )
]  # fmt: skip
"""The same, with room for one model within 6"."""
SIX = [(17, 17.5), (18.5, 17.5), (20, 17.5), (21.5, 17.5), (23, 17.5), (23.5, 15.5)]
FAR_SIX = [(17, 20.5), (18.5, 20.5), (20, 20.5), (21.5, 20.5), (23, 20.5), (20, 22)]


def shot_down(
    count: int = 6,
    dice: dict[str, list[int]] | None = None,
    terrain: list[FeatureDoc] | None = None,
    *others: Any,
    reds: dict[str, Any] = TROOPER,
    rhino: dict[str, Any] = RHINO,
    **more: Any,
) -> Battle10:
    """A Rhino with Reds in it is shot down in blue's Shooting phase."""
    b = situation(
        [
            unit("Reds", "red", reds, off=count, embarked="Rhino"),
            unit("Rhino", "red", rhino, [(20, 15)], wounds={1: 1}),
            unit("Whites", "red", TROOPER, [(2, 2)]),
            unit("Lancers", "blue", sheet(LANCE, name="Lancer"), [(40, 15)]),
            unit("Archers", "blue", sheet(LANCE, name="Archer"), [(42, 28)]),
            *others,
        ],
        terrain,
        **{
            "step": "shoot_units",
            "active": "blue",
            "dice": {**KILL, "destroyed transport": [4] * count, "any": [4] * 90, **(dice or {})},
            **more,
        },
    )
    return shoot(b, "Lancers", "Rhino")


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=1)
def test_passengers_get_out_before_the_wreck_is_removed() -> None:
    b = shot_down()
    assert asked(b, "escape").player == 0
    assert alive(b, "Rhino") == 1
    give(b, "escape", SIX)
    assert alive(b, "Rhino") == 0 and alive(b, "Reds") == 6


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=2)
@pytest.mark.rule("w40k10.attack.deadly_demise", check=4)
def test_a_deadly_demise_comes_first_and_spares_the_passengers() -> None:
    b = shot_down(rhino={**RHINO, "abilities": ["deadly demise 3"]}, dice={"deadly demise": [6]})
    give(b, "escape", SIX)
    assert [kind for kind, _ in rolls(b)][-2:] == ["deadly demise", "destroyed transport"]
    assert wounds(b, "Reds") == [2] * 6


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=3)
def test_it_happens_in_any_phase_of_either_player() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, off=1, embarked="Rhino"),
            unit("Rhino", "red", RHINO, [AT], wounds={1: 1}, fought=True),
            unit("Foes", "blue", sheet(blade(s=16, ap=-6, d="12"), name="Foe"), [(12.5, 10)]),
            unit("Whites", "red", TROOPER, [(30, 5)]),
        ],
        step="remaining_combats",
        dice={**KILL, "destroyed transport": [4]},
    )
    while "strike" not in kinds(b):
        default(b, kinds(b)[0])
    default(b, "strike")
    give(b, "escape", [(7, 10)])
    assert alive(b, "Reds") == 1 and alive(b, "Rhino") == 0


@pytest.mark.rule("w40k10.transport.destroyed_disembark", check=4)
def test_passengers_of_a_wreck_keep_within_3_inches_and_out_of_engagement_range() -> None:
    b = shot_down(2, None, None, unit("Foes", "blue", TROOPER, [(20, 12)]))
    refused_by(b, "escape", [(20, 19.1), (21.5, 19)], "w40k10.transport.disembark_setup")
    refused_by(b, "escape", [(18.5, 12.5), (17, 12.5)], "w40k10.concept.engagement_limit")
    assert judge(b, "escape", [(20, 19), (21.5, 19)])


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=1)
def test_each_one_costs_a_mortal_wound() -> None:
    b = shot_down(dice={"destroyed transport": [1, 4, 1, 6, 3, 2]})
    give(b, "escape", SIX)
    assert sum(wounds(b, "Reds")) == 10


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=2)
def test_the_mortal_wounds_are_allocated_as_usual() -> None:
    b = shot_down(dice={"destroyed transport": [1, 4, 1, 6, 3, 2]})
    give(b, "escape", SIX)
    # Two ones for two models, but one model takes both wounds.
    assert wounds(b, "Reds") == [2] * 5


@pytest.mark.rule("w40k10.transport.destroyed_wounds", check=3)
def test_feel_no_pain_helps_against_them() -> None:
    tough = {**TROOPER, "abilities": ["feel no pain 5+"]}
    b = shot_down(reds=tough, dice={"destroyed transport": [1, 4, 1, 6, 3, 2], "feel no pain": [5, 1]})
    give(b, "escape", SIX)
    assert sum(wounds(b, "Reds")) == 11


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=1)
def test_who_gets_out_of_a_wreck_is_battle_shocked_without_a_test() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    assert "battle-shock" not in [kind for kind, _ in rolls(b)]


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=2)
def test_the_shock_lasts_until_the_own_next_command_phase() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    give(b, "shoot_with", "pass")
    while b.state.active == 1:
        assert named(b, "Reds").battle_shocked
        default(b, kinds(b)[0])
    assert b.state.game.phase != "fight" and not named(b, "Reds").battle_shocked


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=3)
@pytest.mark.rule("w40k10.charge.eligible", check=6)
def test_who_gets_out_of_a_wreck_does_not_charge() -> None:
    b = shot_down()
    give(b, "escape", SIX)
    assert cites(able_to_charge(b, named(b, "Reds"))) == {"w40k10.transport.destroyed_effects"}


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=4)
def test_who_gets_out_of_a_wreck_counts_as_having_moved() -> None:
    b = shot_down(reds=HEAVY)
    give(b, "escape", SIX)
    reds = named(b, "Reds")
    assert reds.moved == "normal"
    assert heavy(b, reds, weapons_of(b, reds.models[0])[0]) == 0


@pytest.mark.rule("w40k10.transport.destroyed_effects", check=5)
def test_insane_bravery_does_not_help_out_of_a_wreck() -> None:
    b = shot_down(cp=(3, 3))
    while "escape" not in kinds(b):
        give(b, kinds(b)[0], "pass")
    give(b, "escape", SIX)
    assert named(b, "Reds").battle_shocked
    assert "react.test_failed" not in [e.kind for e in b.events if isinstance(e, Asked)]


# --- Emergency Disembarkation -----------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.transport.emergency", check=1)
def test_an_emergency_is_when_a_unit_has_no_room_within_3_inches() -> None:
    b = shot_down(6, None, PEN)
    assert judge(b, "escape", FAR_SIX)
    b = shot_down()
    assert not judge(b, "escape", FAR_SIX)


@pytest.mark.rule("w40k10.transport.emergency", check=2)
def test_in_an_emergency_models_are_set_up_wholly_within_6_inches() -> None:
    b = shot_down(2, None, PEN)
    refused_by(b, "escape", [(20, 22.1), (21.5, 22)], "w40k10.transport.disembark_setup")
    give(b, "escape", [(20, 22), (21.5, 22)])
    assert places(b, "Reds") == [(20, 22, 0), (21.5, 22, 0)]


@pytest.mark.rule("w40k10.transport.emergency", check=3)
def test_in_an_emergency_ones_to_threes_cost_mortal_wounds() -> None:
    b = shot_down(6, {"destroyed transport": [1, 4, 1, 6, 3, 2]}, PEN)
    give(b, "escape", FAR_SIX)
    assert sum(wounds(b, "Reds")) == 8


@pytest.mark.rule("w40k10.transport.emergency", check=4)
def test_a_model_without_a_place_is_destroyed_and_the_rest_is_set_up() -> None:
    b = shot_down(2, {"destroyed transport": [4]}, NICHE)
    default(b, "escape")
    assert alive(b, "Reds") == 1 and "no_place" in told(b)


@pytest.mark.rule("w40k10.transport.emergency", check=5)
def test_an_emergency_shakes_a_unit_as_well() -> None:
    b = shot_down(6, {"destroyed transport": [3, 4, 4, 4, 4, 4]}, PEN)
    give(b, "escape", FAR_SIX)
    reds = named(b, "Reds")
    assert reds.battle_shocked and sum(wounds(b, "Reds")) == 11
    assert cites(able_to_charge(b, reds)) == {"w40k10.transport.destroyed_effects"}


# --- Firing Deck ------------------------------------------------------------------------------------------------------

RIFLES = sheet(gun(name="rifle", bs=4), gun(name="launcher", bs=4, range_=30), blade(), name="Rifleman")


def deck(
    *,
    own: list[dict[str, Any]] | None = None,
    reds: dict[str, Any] = RIFLES,
    moved: str = "",
    gap: float = 20,
    dice: dict[str, list[int]] | None = None,
) -> Battle10:
    """A Rhino with a Firing Deck, about to shoot at Foes."""
    wagon = {**RHINO, "weapons": own if own is not None else [gun(name="cannon")], "abilities": ["firing deck 2"]}
    victim = sheet(name="Foe", save=7, wounds=1)
    return situation(
        [
            unit("Reds", "red", reds, off=3, embarked="Rhino"),
            unit("Rhino", "red", wagon, [AT], moved=moved),
            unit("Foes", "blue", victim, row(5, (12.5 + gap, 6), (0, 1.5))),
            unit("Spares", "red", sheet(gun(name="spare gun", range_=48), name="Spare"), [(2, 28)]),
        ],
        step="shoot_units",
        dice=dice,
    )


def lend(b: Battle10, *values: str) -> Battle10:
    """The Rhino is picked to shoot, and passengers lend it weapons: "1/rifle" is the first model's."""
    give(b, "shoot_with", "Rhino")
    give(b, "firing_deck", [_name(b, v) for v in values])
    return b


def _name(b: Battle10, value: str) -> str:
    number, weapon = value.split("/")
    return f"{named(b, 'Reds').models[int(number) - 1]}/{weapon}"


@pytest.mark.rule("w40k10.transport.firing_deck", check=1)
def test_no_more_passengers_fire_than_the_deck_has_places() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    assert not judge(b, "firing_deck", [_name(b, f"{n}/rifle") for n in (1, 2, 3)])
    assert judge(b, "firing_deck", [_name(b, f"{n}/rifle") for n in (1, 2)])


@pytest.mark.rule("w40k10.transport.firing_deck", check=2)
def test_each_passenger_lends_one_weapon() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    refused_by(b, "firing_deck", [_name(b, "1/rifle"), _name(b, "1/launcher")], "w40k10.transport.firing_deck")


@pytest.mark.rule("w40k10.transport.firing_deck", check=3)
def test_the_transport_makes_the_attacks_and_range_is_measured_from_it() -> None:
    b = lend(deck(gap=20, dice={"hit": [6, 6, 6], "wound": [6, 6, 6]}), "1/rifle", "2/launcher")
    assert offered(b, "shoot") == ["Foes", "cannon", "launcher", "rifle"]
    give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}, {"weapon": "launcher", "target": "Foes"}])
    assert alive(b, "Foes") == 3
    assert named(b, "Rhino").lent == ()
    b = deck(gap=26)
    give(b, "shoot_with", "Rhino")
    assert offered(b, "firing_deck") == [f"Reds {n}: launcher" for n in (1, 2, 3)]


@pytest.mark.rule("w40k10.transport.firing_deck", check=4)
def test_after_an_advance_only_assault_weapons_are_lent() -> None:
    rifles = sheet(gun(name="rifle"), gun("assault", name="carbine"), name="Rifleman")
    b = deck(own=[gun("assault", name="cannon")], reds=rifles, moved="advance")
    give(b, "shoot_with", "Rhino")
    assert offered(b, "firing_deck") == [f"Reds {n}: carbine" for n in (1, 2, 3)]


@pytest.mark.rule("w40k10.transport.firing_deck", check=5)
def test_lent_weapons_do_not_make_a_transport_that_advanced_eligible() -> None:
    rifles = sheet(gun("assault", name="carbine"), name="Rifleman")
    assert not deck(reds=rifles, moved="advance").why_not("shoot", 1)
    b = deck(own=[], reds=rifles)
    assert b.why_not("shoot", 1)


@pytest.mark.rule("w40k10.transport.firing_deck", check=6)
def test_heavy_looks_at_the_transport() -> None:
    for moved, hits in (("stationary", 1), ("normal", 0)):
        rifles = sheet(gun("heavy", name="rifle", bs=4), name="Rifleman")
        b = lend(deck(reds=rifles, moved=moved, dice={"hit": [3], "wound": [1]}), "1/rifle")
        give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}])
        assert last(b)["hits"] == hits


@pytest.mark.rule("w40k10.transport.firing_deck", check=7)
def test_a_lent_hazardous_weapon_endangers_the_transport() -> None:
    rifles = sheet(gun("hazardous", name="rifle"), name="Rifleman")
    b = lend(deck(reds=rifles, dice={"hit": [1], "hazardous": [1]}), "1/rifle")
    give(b, "shoot", [{"weapon": "rifle", "target": "Foes"}])
    assert wounds(b, "Rhino") == [9]


@pytest.mark.rule("w40k10.transport.firing_deck", check=8)
def test_melee_weapons_are_not_lent() -> None:
    b = deck()
    give(b, "shoot_with", "Rhino")
    assert {o.split(": ")[1] for o in offered(b, "firing_deck")} == {"rifle", "launcher"}


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
    setup, state = from_scenario(doc)
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


# --- Compulsory set-ups, and distances from transports ----------------------------------------------------------------

TWO_NICHES = [
    feature("debris", rect, 4, solid=True)
    for rect in (
        (10, 5, 7.8, 20), (22.2, 5, 7.8, 20), (17.8, 5, 4.4, 4), (17.8, 10.3, 4.4, 3), (19.2, 9, 3, 1.3),
        (17.8, 16.7, 4.4, 2), (19.2, 18.7, 3, 1.3), (17.8, 20, 4.4, 5),
    )
]  # fmt: skip
"""Room for one model within 6" on each of two sides of the Rhino, far apart."""


@pytest.mark.rule("w40k10.concept.coherency_setup", check=2)
def test_a_model_without_a_coherent_place_is_destroyed_and_the_rest_is_set_up() -> None:
    b = shot_down(2, {"destroyed transport": [4]}, TWO_NICHES)
    default(b, "escape")
    assert alive(b, "Reds") == 1 and "no_place" in told(b)
    b = shot_down(1, {"destroyed transport": [4]}, TWO_NICHES)
    for place in ((18.5, 19.36), (18.5, 9.66)):
        assert judge(b, "escape", [place]), "each of the places is a good one"


@pytest.mark.rule("w40k10.concept.engagement_limit", check=4)
def test_a_model_whose_only_place_is_next_to_the_enemy_is_destroyed() -> None:
    foe = unit("Foes", "blue", TROOPER, [(17.15, 19.35)])
    outside = [feature("debris", (0, 25, 44, 5), 4, solid=True), *NICHE[1:]]
    outside += [
        feature("debris", rect, 4, solid=True) for rect in ((10, 5, 7.8, 13.7), (10, 20, 7.8, 5), (10, 18.7, 6.6, 1.3))
    ]
    b = shot_down(1, {"destroyed transport": [4]}, outside)
    assert judge(b, "escape", [(18.5, 19.36)])
    b = shot_down(1, None, outside, foe)
    assert "escape" not in kinds(b)
    assert alive(b, "Reds") == 0 and "no_place" in told(b)


def test_of_an_attached_unit_that_finds_no_place_both_parts_are_told_as_destroyed() -> None:
    filled = [*NICHE, feature("debris", (17.8, 18.7, 1.4, 1.3), 4, solid=True)]
    hero = unit("Hero", "red", HERO, off=1, leads="Reds", embarked="Rhino")
    b = shot_down(2, None, filled, hero)
    assert alive(b, "Reds") == 0
    ends = [e for e in b.events if isinstance(e, Told) and e.kind == "unit_destroyed"]
    assert [(b.unit(e.units[0]).name, e.data["part"]) for e in ends] == [
        ("Reds", "bodyguard"),
        ("Reds", "leader"),
        ("Rhino", "unit"),
    ]


@pytest.mark.rule("w40k10.concept.wholly_within", check=1)
@pytest.mark.rule("w40k10.concept.wholly_within", check=2)
@pytest.mark.rule("w40k10.concept.wholly_within", check=3)
def test_wholly_within_3_inches_takes_in_the_far_edge_of_every_base() -> None:
    b = inside()
    give(b, "move_with", "Reds")
    assert judge(b, "disembark", [(9, 14), (10.5, 14)]), 'edges 2" and 3" away'
    refused_by(b, "disembark", [(9, 14.1), (10.5, 14.1)], "w40k10.transport.disembark_setup")
    refused_by(b, "disembark", [(9, 14), (10.5, 14.1)], "w40k10.transport.disembark_setup")


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
    default(b, "disembark")
    assert alive(b, "Reds") in (0, 2)
