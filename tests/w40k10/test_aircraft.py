"""Aircraft: flying, leaving, Hover, and what others do about them."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import OFF, Battle, Leg, Moves, Path
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import Asked
from sandtable.battle.tables import FloorDoc
from sandtable.forty.enlist import Army
from sandtable.systems.w40k10.aircraft import check_pivot, check_straight, leaves, may_fight, may_start_aboard
from sandtable.systems.w40k10.charge_phase import able_to_charge, possible_targets
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.fight_phase import eligible_to_fight
from sandtable.systems.w40k10.melee_attacks import fighters
from sandtable.systems.w40k10.movement_phase import allowance
from sandtable.systems.w40k10.shooting_phase import eligible_to_shoot
from sandtable.systems.w40k10.state import Battle10, weapons_of
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.systems.w40k10.weapon_abilities import heavy
from sandtable.table.grid import steps
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, OPEN_FIELD, WARBOSS, army, battle, go_on, pack
from w40k10.arms import blade, gun
from w40k10.table import (
    JUMPER,
    TANK,
    TROOPER,
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
    situation,
    told,
    unit,
)

JET: dict[str, Any] = {
    **TANK, "name": "Jet", "move": 20, "base": "hull 3x2", "keywords": ["VEHICLE", "AIRCRAFT", "FLY"],
    "weapons": [gun("heavy", name="bolts", range_=48), blade(name="wings")], "abilities": ["hover"],
}  # fmt: skip
FOE = unit("Blues", "blue", TROOPER, [(75, 40)])
NORMAL_ONLY = ["Normal move", "normal"]


def sky(*others: Any, at: tuple[float, float] = (5, 15), facing: float = 0, foe: Any = FOE, **more: Any) -> Battle10:
    """A red Jet on a big table, selected to move."""
    settings = {"size": (90, 44), **more}
    b = situation([unit("Jet", "red", JET, [at], facing=facing), foe, *others], **settings)
    if "move" not in kinds(b):
        give(b, "move_with", "Jet")
    return b


def flight(*legs: Any) -> dict[str, Any]:
    """A Normal move of the Jet along these legs."""
    return {"mode": "normal", "paths": {1: list(legs)}}


def turn(at: tuple[float, float], facing: float) -> dict[str, Any]:
    """A turn on the spot."""
    return {"do": "turn", "to": at, "facing": facing}


# --- Which moves ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.aircraft.move_options", check=1)
def test_an_aircraft_must_move_in_each_of_its_movement_phases() -> None:
    whites = unit("Whites", "red", TROOPER, [(5, 40)])
    b = situation([unit("Jet", "red", JET, [(5, 15)]), whites, FOE], size=(90, 44))
    assert not judge(b, "move_with", "pass")
    give(b, "move_with", "Jet")
    assert not judge(b, "move", {"mode": "normal"})
    give(b, "move", flight((25, 15)))
    assert judge(b, "move_with", "pass")


@pytest.mark.rule("w40k10.aircraft.move_options", check=2)
def test_an_aircraft_makes_a_normal_move_out_of_engagement_range() -> None:
    b = sky(unit("Foes", "blue", JUMPER, [(7.5, 15)]))
    give(b, "move", flight((30, 15)))
    assert places(b, "Jet") == [(30, 15, 0)]


@pytest.mark.rule("w40k10.aircraft.move_options", check=3)
def test_an_aircraft_neither_advances_nor_falls_back_nor_stands() -> None:
    b = sky(unit("Foes", "blue", JUMPER, [(7.5, 15)]))
    assert offered(b, "move") == NORMAL_ONLY
    for move in ("advance", "fall_back"):
        assert "w40k10.aircraft.move_options" in cites(b.why_not(move, named(b, "Jet").id))
    c = situation([unit("Reds", "red", TROOPER, [(5, 15)]), FOE], size=(90, 44))
    assert c.why_not("advance", named(c, "Reds").id), "others may"


@pytest.mark.rule("w40k10.aircraft.move_options", check=1)
def test_an_aircraft_in_reserves_need_not_move() -> None:
    jet = unit("Jet", "red", JET, off=1, reserve="strategic")
    b = situation([jet, unit("Reds", "red", TROOPER, [(5, 15)]), FOE], size=(90, 44))
    assert judge(b, "move_with", "pass")


@pytest.mark.rule("w40k10.aircraft.move_options", check=4)
def test_heavy_weapons_of_aircraft_get_no_bonus() -> None:
    b = sky(unit("Whites", "red", TROOPER, [(5, 40)]))
    assert offered(b, "move") == NORMAL_ONLY
    default(b, "move")
    jet = named(b, "Jet")
    assert jet.moved == "normal" and heavy(jet, weapons_of(b, jet.models[0])[0]) == 0


# --- The flight -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=1)
def test_an_aircraft_moves_at_least_20_inches_and_as_far_as_it_likes() -> None:
    b = sky()
    refused_by(b, "move", flight((24, 15)), "w40k10.aircraft.minimum_move")
    assert judge(b, "move", flight((25, 15)))
    give(b, "move", flight((50, 15)))
    assert places(b, "Jet") == [(50, 15, 0)]


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=1)
def test_a_step_short_of_20_inches_is_too_short_and_the_refusal_says_by_how_much() -> None:
    b = sky()
    refused_by(b, "move", flight((25 - 1 / 1024, 15)), "w40k10.aircraft.minimum_move")
    (reason,) = judge(b, "move", flight((24 + 131 / 1024, 15))).reasons
    assert reason.facts == {"far": 19.128}


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=1)
def test_an_aircraft_that_can_fly_must_and_is_shown_where() -> None:
    verdict = judge(sky(), "move", {"mode": "normal"})
    assert not verdict
    assert verdict.instead.paths, "straight on"
    assert judge(sky(at=(85, 15)), "move", {"mode": "normal"}), "there is no room ahead"


def path(b: Battle10, *legs: tuple[str, float, float, float, float]) -> Path:
    """A path of the Jet: what each leg does, where it ends, and the facing there in degrees."""
    made = [Leg(do, steps(x), steps(y), steps(z), round(turned * 4096 / 360)) for do, x, y, z, turned in legs]
    return Path(named(b, "Jet").models[0], tuple(made))


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=2)
@pytest.mark.parametrize("facing", [0, 90])
def test_a_flight_is_straight_to_the_step(facing: float) -> None:
    b = sky(facing=facing)
    for off, allowed in ((0, True), (1, True), (-1, True), (2, False), (-2, False), (100, False)):
        aside = off / 1024
        end = (25, 15 + aside) if facing == 0 else (5 + aside, 35)
        assert bool(check_straight(b, path(b, ("go", *end, 0, facing)))) is allowed, off


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=3)
def test_the_one_leg_of_a_flight_goes_neither_up_nor_round() -> None:
    b = sky()
    ahead = ("go", 25.0, 15.0, 0.0, 0.0)
    assert check_straight(b, path(b, ahead))
    assert check_straight(b, path(b, ahead, ("turn", 25, 15, 0, 90)))
    assert not check_straight(b, path(b, ("go", 25, 15, 3, 0)))
    assert not check_straight(b, path(b, ("climb", 25, 15, 0, 0)))
    assert not check_straight(b, path(b, ("go", 25, 15, 0, 45)))
    assert not check_straight(b, path(b, ahead, ("go", 30, 15, 0, 0)))


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=4)
def test_where_an_aircraft_ends_counts_after_its_pivot() -> None:
    b = sky(unit("Whites", "red", TROOPER, [(25, 16.9)]))
    assert judge(b, "move", flight((25, 15)))
    refused_by(b, "move", flight((25, 15), turn((25, 15), 90)), "w40k10.move.no_stacking")


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=4)
def test_an_aircraft_ends_neither_on_a_marker_nor_in_a_low_floor() -> None:
    for floor, allowed in ((1, False), (6, True)):
        ruins = feature("ruins", (36, 10, 8, 10), 9, floors=(FloorDoc(floor, 0.1),))
        b = sky(terrain=[ruins], objectives=[(55, 15)])
        assert judge(b, "move", flight((30, 15)))
        assert bool(judge(b, "move", flight((40, 15)))) is allowed
        assert not judge(b, "move", flight((55, 15)))


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=2)
def test_an_aircraft_flies_along_its_facing() -> None:
    b = sky(at=(5, 5), facing=45)
    refused_by(b, "move", flight((30, 5)), "w40k10.aircraft.minimum_move")
    assert judge(b, "move", flight((25, 25)))


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=3)
def test_an_aircraft_does_not_turn_before_or_during_its_move() -> None:
    b = sky()
    before = flight(turn((5, 15), 45), {"to": (25, 35), "facing": 45})
    refused_by(b, "move", before, "w40k10.aircraft.minimum_move")
    during = flight((25, 15), turn((25, 15), 45), {"to": (30, 20), "facing": 45})
    refused_by(b, "move", during, "w40k10.aircraft.minimum_move")


@pytest.mark.rule("w40k10.aircraft.minimum_move", check=4)
def test_an_aircraft_ends_neither_on_a_model_nor_within_engagement_range() -> None:
    b = sky(unit("Whites", "red", TROOPER, [(25, 15)]), unit("Foes", "blue", TROOPER, [(40, 17)]))
    refused_by(b, "move", flight((25, 15)), "w40k10.move.no_stacking", "w40k10.aircraft.minimum_move")
    refused_by(b, "move", flight((40, 15)), "w40k10.concept.engagement_limit", "w40k10.aircraft.minimum_move")
    assert judge(b, "move", flight((30, 15)))


@pytest.mark.rule("w40k10.aircraft.pivot", check=1)
def test_an_aircraft_pivots_by_90_degrees_at_most() -> None:
    b = sky()
    refused_by(b, "move", flight((25, 15), turn((25, 15), 91)), "w40k10.aircraft.pivot")
    refused_by(b, "move", flight((25, 15), turn((25, 15), 269)), "w40k10.aircraft.pivot")
    assert judge(b, "move", flight((25, 15), turn((25, 15), 270)))
    give(b, "move", flight((25, 15), turn((25, 15), 90)))
    assert b.state.models.facing[named(b, "Jet").models[0]] == 1024


@pytest.mark.rule("w40k10.aircraft.pivot", check=2)
def test_the_one_pivot_comes_after_the_move_and_is_no_distance() -> None:
    b = sky()
    refused_by(b, "move", flight((25, 15), turn((25, 15), 40), turn((25, 15), 80)), "w40k10.aircraft.pivot")
    refused_by(b, "move", flight((24, 15), turn((24, 15), 90)), "w40k10.aircraft.minimum_move")
    assert judge(b, "move", flight((25, 15), turn((25, 15), 80)))
    assert check_pivot(b, path(b, ("go", 25, 15, 0, 45), ("turn", 25, 15, 0, 100)))
    assert check_pivot(b, path(b, ("go", 25, 15, 0, 0)))
    assert not check_pivot(b, path(b, ("go", 25, 15, 0, 0), ("turn", 25, 16, 0, 80)))


# --- Leaving ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.aircraft.leave", check=1)
@pytest.mark.rule("w40k10.aircraft.leave", check=4)
def test_an_aircraft_that_crosses_the_edge_goes_into_strategic_reserves() -> None:
    b = sky(at=(68, 15))
    give(b, "move", flight((89, 15)))
    jet = named(b, "Jet")
    assert jet.reserve == "strategic" and "left" in told(b)
    assert [b.state.models.place[m] for m in jet.models] == [OFF]
    inside = sky(at=(68, 15), facing=180)
    give(inside, "move", flight((30, 15)))
    assert named(inside, "Jet").reserve == ""


@pytest.mark.rule("w40k10.aircraft.leave", check=1)
def test_a_pivot_over_the_edge_or_one_of_two_aircraft_is_enough() -> None:
    b = sky(at=(5, 1.2))
    jet = named(b, "Jet").models[0]
    along = Path(jet, (leg_to(25, 1.2, 0),))
    assert not leaves(b, Moves("normal", (along,)))
    assert leaves(b, Moves("normal", (Path(jet, (*along.legs, leg_to(25, 1.2, 90, "turn"))),)))
    pair = situation([unit("Jets", "red", JET, [(5, 15), (5, 30)]), FOE], size=(90, 44))
    one, other = named(pair, "Jets").models
    gone = (Path(one, (leg_to(25, 15, 0),)), Path(other, (leg_to(95, 30, 0),)))
    assert leaves(pair, Moves("normal", gone))
    assert not leaves(pair, Moves("normal", gone[:1]))
    nose = sky(at=(60, 15))
    over = Path(named(nose, "Jet").models[0], (leg_to(88.6, 15, 0), leg_to(88.6, 15, 90, "turn")))
    assert leaves(nose, Moves("normal", (over,))), "its nose is over the edge before it turns"


def leg_to(x: float, y: float, turned: float, do: str = "go") -> Leg:
    return Leg(do, steps(x), steps(y), 0, round(turned * 4096 / 360))


@pytest.mark.rule("w40k10.aircraft.leave", check=2)
def test_an_aircraft_that_cannot_fly_20_inches_leaves() -> None:
    crowd = unit("Foes", "blue", TROOPER, [(x, 15) for x in range(24, 44, 2)])
    corner = unit("Blues", "blue", TROOPER, [(43, 29)])
    b = sky(crowd, unit("Whites", "red", TROOPER, [(5, 25)]), foe=corner, size=(44, 30), at=(5, 15))
    give(b, "move", {"mode": "normal"})
    assert named(b, "Jet").reserve == "strategic"
    b = sky(unit("Foes", "blue", TROOPER, [(24, 15)]), foe=corner, size=(44, 30), at=(5, 15))
    assert not judge(b, "move", {"mode": "normal"})


@pytest.mark.rule("w40k10.aircraft.leave", check=3)
def test_an_aircraft_that_left_arrives_in_its_next_turn() -> None:
    jet = unit("Jet", "red", JET, off=1, reserve="strategic", due=True)
    b = situation([jet, FOE, unit("Whites", "red", TROOPER, [(5, 40)])], step="reinforcements", round_=3, size=(90, 44))
    assert not judge(b, "arrive", "pass")
    give(b, "arrive", [(5, 4)])
    assert places(b, "Jet") == [(5, 4, 0)] and not named(b, "Jet").due


@pytest.mark.rule("w40k10.aircraft.leave", check=3)
def test_an_aircraft_that_left_does_not_come_back_in_the_same_turn() -> None:
    b = sky(unit("Whites", "red", TROOPER, [(5, 40)]), at=(68, 15), round_=3)
    give(b, "move", flight((89, 15)))
    give(b, "move_with", "pass")
    assert "arrive" not in kinds(b) and named(b, "Jet").due


# --- Others who move --------------------------------------------------------------------------------------------------


def under(*others: Any, at: tuple[float, float] = (10, 10), sheet: dict[str, Any] = TROOPER, **more: Any) -> Battle10:
    """Reds beside a blue Jet, whose hull reaches from 11.3 to 14.3, and from 9 to 11."""
    reds, jet = unit("Reds", "red", sheet, [at], **more), unit("Jet", "blue", JET, [(12.8, 10)])
    return situation([reds, jet, unit("Whites", "red", TROOPER, [(2, 28)]), *others])


@pytest.mark.rule("w40k10.aircraft.others_options", check=1)
def test_aircraft_alone_keep_nobody_from_moving() -> None:
    b = under()
    give(b, "move_with", "Reds")
    assert {"Normal move", "Advance"} <= set(offered(b, "move"))
    give(b, "move", {"mode": "normal", "to": [(4, 10)]})
    assert places(b, "Reds") == [(4, 10, 0)]


@pytest.mark.rule("w40k10.aircraft.others_options", check=2)
def test_another_enemy_holds_a_unit_fast() -> None:
    b = under()
    assert b.why_not("move", named(b, "Reds").id)
    b = under(unit("Foes", "blue", TROOPER, [(10, 8.5)]))
    give(b, "move_with", "Reds")
    assert not {"Normal move", "Advance"} & set(offered(b, "move"))
    assert {"Remain Stationary", "Fall Back"} <= set(offered(b, "move"))


@pytest.mark.rule("w40k10.aircraft.others_options", check=3)
def test_a_unit_engaged_with_aircraft_is_still_locked_for_shooting() -> None:
    b = under()
    assert b.why_not("move", named(b, "Reds").id)
    assert "w40k10.shoot.locked_shooter" in cites(eligible_to_shoot(b, named(b, "Reds")))


@pytest.mark.rule("w40k10.aircraft.others_pass", check=1)
def test_infantry_walks_past_under_an_aircraft() -> None:
    b = under(at=(9, 10), sheet={**TROOPER, "move": 12})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "to": [(16, 10)]})
    assert places(b, "Reds") == [(16, 10, 0)]


@pytest.mark.rule("w40k10.aircraft.others_pass", check=2)
def test_no_move_ends_within_engagement_range_of_an_aircraft_but_a_charge_of_flyers() -> None:
    b = under(at=(8, 10))
    give(b, "move_with", "Reds")
    refused_by(b, "move", {"mode": "normal", "to": [(10, 10)]}, "w40k10.aircraft.others_pass")
    reds = unit("Reds", "red", TROOPER, [(10, 10)])
    jet, foes = unit("Jet", "blue", JET, [(13.2, 12.3)]), unit("Foes", "blue", TROOPER, [(12, 10)], fought=True)
    b = situation([reds, jet, foes], step="remaining_combats")
    while "pile_in" not in kinds(b):
        default(b, kinds(b)[0])
    refused_by(b, "pile_in", {"to": [(11, 10)]}, "w40k10.aircraft.others_pass")
    jumper = unit("Reds", "red", JUMPER, [(8, 10)], near=True)
    b = situation([jumper, unit("Jet", "blue", JET, [(12.8, 10)])], step="charge_units", dice=[6, 6])
    give(b, "charge_with", "Reds")
    assert judge(b, "charge_move", {"mode": "charge", "to": [(10.8, 10)]})
    winged = under(at=(8, 10), sheet=JUMPER)
    give(winged, "move_with", "Reds")
    refused_by(winged, "move", {"mode": "normal", "to": [(10, 10)]}, "w40k10.aircraft.others_pass")


# --- Charging and fighting --------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.aircraft.charge", check=1)
@pytest.mark.rule("w40k10.charge.eligible", check=5)
def test_an_aircraft_does_not_charge() -> None:
    b = situation([unit("Jet", "red", JET, [(5, 15)], near=True), unit("Foes", "blue", JUMPER, [(12, 15)])])
    assert cites(able_to_charge(b, named(b, "Jet"))) == {"w40k10.aircraft.charge"}


@pytest.mark.rule("w40k10.aircraft.charge", check=2)
@pytest.mark.rule("w40k10.aircraft.charge", check=3)
@pytest.mark.rule("w40k10.charge.targets", check=5)
def test_only_flyers_charge_an_aircraft() -> None:
    walkers, flyers = unit("Reds", "red", TROOPER, [(8, 10)]), unit("Wings", "red", JUMPER, [(8, 14)])
    b = situation([walkers, flyers, unit("Jet", "blue", JET, [(13, 12)])])
    assert possible_targets(b, named(b, "Reds")) == []
    assert possible_targets(b, named(b, "Wings")) == [named(b, "Jet")]


def brawl(sheet: dict[str, Any]) -> Battle10:
    """A red Jet with blue Foes within its Engagement Range."""
    foes = unit("Foes", "blue", sheet, [(7.5, 15)], fought=True)
    return situation([unit("Jet", "red", JET, [(5, 15)]), foes], step="remaining_combats")


@pytest.mark.rule("w40k10.aircraft.fight", check=1)
def test_an_aircraft_does_not_fight_units_on_the_ground() -> None:
    b = brawl(TROOPER)
    assert cites(eligible_to_fight(b, named(b, "Jet"))) == {"w40k10.aircraft.fight"}
    jet = unit("Jet", "red", JET, [(5, 15)])
    foes = [unit("Foes", "blue", TROOPER, [(7.5, 15)]), unit("Wings", "blue", JUMPER, [(5, 17)])]
    mixed = situation([jet, *foes])
    assert may_fight(mixed, named(mixed, "Jet")), "one flyer is enough"
    ground = situation([unit("Reds", "red", TROOPER, [(6, 15)]), unit("Foes", "blue", TROOPER, [(7.5, 15)])])
    assert may_fight(ground, named(ground, "Reds"))


@pytest.mark.rule("w40k10.aircraft.fight", check=2)
def test_a_model_on_the_ground_does_not_strike_an_aircraft() -> None:
    b = brawl(TROOPER)
    assert fighters(b, named(b, "Foes")) == {}
    b = brawl(JUMPER)
    assert fighters(b, named(b, "Foes")) == {1: (0,)}
    ground = situation([unit("Reds", "red", TROOPER, [(6, 15)]), unit("Foes", "blue", TROOPER, [(7.5, 15)])])
    assert fighters(ground, named(ground, "Reds")) == {0: (1,)}
    assert fighters(ground, named(ground, "Foes")) == {1: (0,)}


@pytest.mark.rule("w40k10.aircraft.fight", check=3)
def test_an_aircraft_strikes_flyers() -> None:
    assert fighters(brawl(TROOPER), named(brawl(TROOPER), "Jet")) == {}
    b = brawl(JUMPER)
    assert "strike" in kinds(b) and fighters(b, named(b, "Jet")) == {0: (1,)}


@pytest.mark.rule("w40k10.aircraft.pile_in", check=1)
def test_an_aircraft_does_not_pile_in() -> None:
    b = brawl(JUMPER)
    assert kinds(b) == ["strike"]
    assert "pile_in" not in [e.kind for e in b.events if isinstance(e, Asked)]


def between(sheet: dict[str, Any]) -> Battle10:
    """Reds that charged, with an AIRCRAFT 1.5" to the left and INFANTRY 2.5" to the right, about to Pile In."""
    b = situation(
        [
            unit("Reds", "red", sheet, [(10, 10)], charged=True, fight_eligible=True),
            unit("Jet", "blue", JET, [(6.5, 10)], fought=True),
            unit("Foes", "blue", TROOPER, [(13.5, 10)], fought=True),
        ],
        step="fights_first",
    )
    while "pile_in" not in kinds(b):
        default(b, kinds(b)[0])
    return b


@pytest.mark.rule("w40k10.aircraft.pile_in", check=2)
def test_a_model_on_the_ground_looks_past_aircraft_when_it_piles_in() -> None:
    b = between(TROOPER)
    assert judge(b, "pile_in", {"to": [(12.5, 10)]})
    assert not judge(b, "pile_in", {"to": [(9.8, 10)]})
    default(b, "pile_in")


@pytest.mark.rule("w40k10.aircraft.pile_in", check=3)
def test_a_flyer_counts_aircraft_when_it_piles_in() -> None:
    b = between(JUMPER)
    refused_by(b, "pile_in", {"to": [(12.5, 10)]}, "w40k10.fight.pile_in_direction")
    assert judge(b, "pile_in", {"to": [(8.5, 10)]})
    assert judge(between(TROOPER), "pile_in", {"to": [(12.5, 10)]})


# --- Before the battle ------------------------------------------------------------------------------------------------

STORMHAWK: dict[str, Any] = {"sheet": "stormhawk-interceptor"}


def hawk(b: Battle10) -> Any:
    """The red AIRCRAFT."""
    return next(u for u in b.units_of(0) if "hawk" in u.name.lower())


@pytest.mark.rule("w40k10.aircraft.deploy", check=1)
@pytest.mark.rule("w40k10.aircraft.deploy", check=2)
def test_an_aircraft_starts_in_reserves_and_not_before_round_2() -> None:
    b = battle([CAPTAIN, INTERCESSORS, STORMHAWK])
    go_on(b, "move_with")
    assert not b.is_on_table(hawk(b)) and hawk(b).reserve == "strategic"
    assert cites(b.why_not("arrive", hawk(b).id)) == {"w40k10.reserve.strategic_timing"}


@pytest.mark.rule("w40k10.aircraft.deploy", check=3)
def test_an_aircraft_arrives_like_strategic_reserves() -> None:
    b = battle([CAPTAIN, INTERCESSORS, STORMHAWK])
    go_on(b, "arrive_with")
    give(b, "arrive_with", hawk(b).name)
    assert b.state.round == 2
    refused_by(b, "arrive", [(30, 22)], "w40k10.reserve.strategic_round2")


@pytest.mark.rule("w40k10.aircraft.deploy", check=4)
def test_only_units_in_reserves_start_in_an_aircraft() -> None:
    hold = {"capacity": 6, "carries": ["INFANTRY"]}
    jet_, car_ = {**JET, "transport": hold}, {**TANK, "transport": hold}
    units = [unit("Reds", "red", TROOPER, off=2), unit("Jet", "red", jet_, off=1), unit("Car", "red", car_, off=1)]
    b = situation([*units, FOE], size=(90, 44))
    reds, jet = named(b, "Reds"), named(b, "Jet")
    assert may_start_aboard(b, reds, named(b, "Car"), ())
    assert not may_start_aboard(b, reds, jet, ())
    assert may_start_aboard(b, reds, jet, (reds.id,))


def swarm(*hovering: str) -> Battle10:
    """Tyranids with a Harpy that may hover, at the first question after Hover."""
    character = next(s.id for s in pack().sheets() if "CHARACTER" in s.keywords and s.id == "hive-tyrant")
    red = army({"sheet": character, "warlord": True}, {"sheet": "harpy"}, faction="tyranids")
    armies = {"red": Army(red, pack()), "blue": Army(army(WARBOSS, BOYZ, faction="orks"), pack())}
    setup, state = build(armies, "hold-the-line", OPEN_FIELD)
    b: Battle10 = Battle(SYSTEM, setup, state, dice=ScriptedDice({"roll-off": [6, 1] * 20, "any": [4] * 400}))
    b.start()
    go_on(b, "hover")
    give(b, "hover", [next(u.name for u in b.units_of(0) if "harpy" in u.name.lower())] if hovering else [])
    return b


def harpy(b: Battle10) -> Any:
    """The Tyranid AIRCRAFT."""
    return next(u for u in b.units_of(0) if "harpy" in u.name.lower())


@pytest.mark.rule("w40k10.aircraft.hover", check=1)
def test_hover_comes_before_all_other_formations() -> None:
    b = swarm("harpy")
    go_on(b, "move_with")
    asked_for = list(dict.fromkeys(e.kind for e in b.events if isinstance(e, Asked)))
    others = [k for k in asked_for if k in ("attach", "start_embarked", "reserves", "deploy")]
    assert others and all(asked_for.index("hover") < asked_for.index(k) for k in others)


@pytest.mark.rule("w40k10.aircraft.hover", check=2)
def test_a_hovering_aircraft_moves_and_charges_like_others() -> None:
    foes = unit("Foes", "blue", TROOPER, [(40, 29)])
    b = situation([unit("Jet", "red", JET, [(5, 15)], hover=True), foes, unit("Whites", "red", TROOPER, [(2, 2)])])
    jet = named(b, "Jet")
    assert able_to_charge(b, jet)
    assert allowance(b, jet, jet.models[0], "normal") == steps(20)
    give(b, "move_with", "Jet")
    assert {"Remain Stationary", "Normal move", "Advance"} <= set(offered(b, "move"))
    give(b, "move", {"mode": "normal", "by": (0, 8)})
    assert places(b, "Jet") == [(5, 23, 0)]
    for sheet, hovers, inches in (({**JET, "move": 35}, True, 20), (TROOPER, False, 6)):
        c = situation([unit("Reds", "red", sheet, [(5, 15)], hover=hovers), foes])
        assert allowance(c, named(c, "Reds"), named(c, "Reds").models[0], "normal") == steps(inches)


@pytest.mark.rule("w40k10.aircraft.hover", check=3)
def test_a_hovering_aircraft_is_deployed_or_counts_as_strategic_reserves() -> None:
    b = swarm("harpy")
    go_on(b, "reserves", "deploy_with", "deploy")
    assert any(r.id == str(harpy(b).id) for r in asked(b, "reserves").rows)  # type: ignore[attr-defined]
    go_on(b, "move_with")
    assert b.is_on_table(harpy(b)) and not harpy(b).reserve
    b = swarm()
    go_on(b, "move_with")
    assert not b.is_on_table(harpy(b))


@pytest.mark.rule("w40k10.aircraft.hover", check=4)
def test_the_mode_is_chosen_once_for_the_whole_battle() -> None:
    b = swarm("harpy")
    while b.decisions:
        assert harpy(b).hover and "hover" not in kinds(b)
        default(b, kinds(b)[0])
    assert harpy(b).hover and b.result is not None


@pytest.mark.rule("w40k10.aircraft.leave", check=3)
def test_rapid_ingress_does_not_bring_back_an_aircraft_that_left() -> None:
    units = [
        unit("Jet", "red", JET, off=1, reserve="strategic", due=True),
        unit("Second jet", "red", JET, off=1, reserve="strategic"),
        unit("Whites", "red", TROOPER, [(5, 40)]),
        FOE,
    ]
    b = situation(units, step="move_units", active="blue", round_=3, size=(90, 44), cp=(1, 0))
    give(b, "move_with", "pass")
    assert offered(b, "react.phase_ended") == ["Rapid Ingress: Second jet"]
