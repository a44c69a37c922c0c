"""Reserves: Deep Strike, Strategic Reserves, AIRCRAFT and Rapid Ingress."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.battle import Spot, World
from sandtable.forty.effects.ability import Ability
from sandtable.systems.w40k10.reserves import in_time
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import steps
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, WARBOSS, battle, go_on
from w40k10.powers import effect_of
from w40k10.table import (
    HERO,
    TROOPER,
    asked,
    cites,
    feature,
    give,
    kinds,
    named,
    offered,
    places,
    situation,
    told,
    unit,
)
from w40k10.test_deployment import pick

DIVER: dict[str, Any] = {**TROOPER, "name": "Diver", "abilities": ["deep strike"]}
JUMPERS = "Assault Intercessors with Jump Packs"
RED_ZONE = ((0, 0), (steps(44), 0), (steps(44), steps(6)), (0, steps(6)))
BLUE_ZONE = ((0, steps(24)), (steps(44), steps(24)), (steps(44), steps(30)), (0, steps(30)))


def at(*spots: tuple[float, float]) -> list[list[float]]:
    """Spots in inches."""
    return [list(s) for s in spots]


def reserves_of(
    how: str, *, round_: int = 2, blue: tuple[float, ...] = (22, 15), models: int = 1, **more: Any
) -> Battle10:
    """Red has a unit in Reserves, and blue one on the table."""
    return situation(
        [
            unit("Divers", "red", DIVER, off=models, reserve=how),
            unit("Base", "red", TROOPER, [(1, 1)]),
            unit("Blues", "blue", TROOPER, [blue]),
        ],
        step="reinforcements",
        round_=round_,
        **more,
    )


def zoned(b: Battle10) -> Battle10:
    """With deployment zones."""
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, zones=(RED_ZONE, BLUE_ZONE)))
    b.state.game.attacker = 0
    return b


def arriving(b: Battle10) -> Battle10:
    """The unit is about to be set up."""
    give(b, "arrive_with", "Divers")
    return b


def can_arrive(b: Battle10, *spots: tuple[float, float]) -> Any:
    """The verdict on these spots."""
    d = asked(b, "arrive")
    chosen = tuple(Spot(m, steps(x), steps(y)) for m, (x, y) in zip(d.models, spots, strict=True))  # type: ignore[attr-defined]
    return b.check(d, chosen)


# --- The Reinforcements step ------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.reserve.reinforcements", check=1)
def test_to_arrive_is_voluntary() -> None:
    b = reserves_of("deep strike")
    give(b, "arrive_with", None)
    assert named(b, "Divers").reserve == "deep strike"
    c = arriving(reserves_of("deep strike"))
    give(c, "arrive", None)
    assert not c.is_on_table(named(c, "Divers"))
    assert "arrive_with" not in kinds(c)


def overdue(*, size: tuple[float, float] = (44, 30), due: bool = True) -> Battle10:
    """Red has two units in Reserves, one of which, perhaps, must come back; blue stands in the middle of the table."""
    middle = (size[0] / 2, size[1] / 2)
    return situation(
        [
            unit("Divers", "red", DIVER, off=1, reserve="strategic", due=due),
            unit("Others", "red", DIVER, off=1, reserve="strategic"),
            unit("Blues", "blue", TROOPER, [middle]),
        ],
        step="reinforcements",
        round_=2,
        size=size,
    )


@pytest.mark.rule("w40k10.reserve.reinforcements", check=1)
def test_who_must_come_back_comes_back_where_there_is_room() -> None:
    assert asked(overdue(due=False), "arrive_with").optional  # type: ignore[attr-defined]
    b = overdue()
    assert not asked(b, "arrive_with").optional  # type: ignore[attr-defined]
    assert not asked(arriving(b), "arrive").optional  # type: ignore[attr-defined]
    crowded = arriving(overdue(size=(12, 12)))
    assert asked(crowded, "arrive").optional  # type: ignore[attr-defined]


@pytest.mark.rule("w40k10.reserve.reinforcements", check=2)
def test_units_arrive_one_at_a_time() -> None:
    b = situation(
        [
            unit("Divers", "red", DIVER, off=1, reserve="deep strike"),
            unit("Others", "red", DIVER, off=1, reserve="deep strike"),
            unit("Blues", "blue", TROOPER, [(22, 15)]),
        ],
        step="reinforcements",
    )
    assert offered(b, "arrive_with") == ["Divers", "Others"]
    give(b, "arrive_with", "Others")
    give(b, "arrive", at((4, 15)))
    assert offered(b, "arrive_with") == ["Divers"]


@pytest.mark.rule("w40k10.reserve.reinforcements", check=3)
@pytest.mark.rule("w40k10.reserve.strategic_kind", check=2)
def test_each_unit_follows_the_rule_under_which_it_entered_reserves() -> None:
    diving = arriving(reserves_of("deep strike"))
    assert can_arrive(diving, (10, 15))
    walking = arriving(reserves_of("strategic"))
    assert cites(can_arrive(walking, (10, 15))) == {"w40k10.reserve.strategic_round2"}
    assert can_arrive(walking, (2, 15))


@pytest.mark.rule("w40k10.reserve.strategic_kind", check=3)
def test_rules_for_reserves_reach_strategic_reserves_and_the_other_way_round_they_do_not() -> None:
    walking = arriving(reserves_of("strategic"))
    give(walking, "arrive", at((2, 15)))
    assert named(walking, "Divers").moved == "normal"
    diving = arriving(reserves_of("deep strike"))
    give(diving, "arrive", at((10, 15)))
    assert named(diving, "Divers").moved == "normal"


@pytest.mark.rule("w40k10.reserve.horizontal_distance", check=1)
def test_the_distance_to_the_enemy_is_horizontal() -> None:
    tower = feature("hill", (19, 12, 6, 6), 6, solid=True)
    b = arriving(reserves_of("deep strike", blue=(22, 15, 6), terrain=[tower]))
    near = can_arrive(b, (13, 15))  # 8" away, 6" below: 10" in a straight line
    assert "w40k10.reserve.horizontal_distance" in cites(near)
    assert can_arrive(b, (11.9, 15))


@pytest.mark.rule("w40k10.reserve.counts_as_moved", check=1)
@pytest.mark.rule("w40k10.reserve.counts_as_moved", check=2)
@pytest.mark.rule("w40k10.reserve.counts_as_moved", check=3)
def test_arriving_counts_as_a_normal_move() -> None:
    b = arriving(reserves_of("deep strike"))
    give(b, "arrive", at((11.9, 15)))
    divers = named(b, "Divers")
    assert divers.moved == "normal"
    assert not b.why_not("move", divers.id)
    go_on(b, "shoot_with")
    assert "Divers" in offered(b, "shoot_with")
    give(b, "shoot_with", None)
    assert "Divers" in offered(b, "charge_with")


# --- Deep Strike ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.ability.deep_strike", check=2)
@pytest.mark.rule("w40k10.ability.deep_strike", check=5)
def test_deep_strike_keeps_more_than_9_inches_from_the_enemy() -> None:
    b = arriving(zoned(reserves_of("deep strike")))
    assert cites(can_arrive(b, (12, 15))) >= {"w40k10.ability.deep_strike"}  # bases of 1": a gap of exactly 9"
    assert can_arrive(b, (11.9, 15))
    assert can_arrive(b, (8, 27))  # in the enemy zone


@pytest.mark.rule("w40k10.ability.deep_strike", check=1)
@pytest.mark.rule("w40k10.reserve.definition", check=1)
def test_every_model_must_be_able_to_deep_strike() -> None:
    b = battle(
        red=[{"sheet": "captain-with-jump-pack", "warlord": True}, {"sheet": "jump-pack-intercessors"}, INTERCESSORS]
    )
    for d in b.decisions:
        b.answer(d, b.default(d))
    rows = {r.label: r.targets for r in b.decisions[0].rows}  # type: ignore[attr-defined]
    assert rows[JUMPERS] == ("deep strike", "strategic")
    assert rows["Intercessor Squad"] == ("strategic",)
    from sandtable.systems.w40k10.abilities.deep_strike import can_deep_strike

    squad, plain = named(b, JUMPERS), named(b, "Intercessor Squad")
    assert can_deep_strike(b, [squad])
    assert not can_deep_strike(b, [squad, plain])


@pytest.mark.rule("w40k10.ability.deep_strike", check=3)
@pytest.mark.rule("w40k10.reserve.strategic_timing", check=1)
@pytest.mark.rule("w40k10.reserve.strategic_kind", check=1)
def test_deep_strike_arrives_in_round_1_and_strategic_reserves_do_not() -> None:
    assert "arrive_with" in kinds(reserves_of("deep strike", round_=1))
    b = reserves_of("strategic", round_=1)
    assert "arrive_with" not in kinds(b)
    assert cites(b.why_not("arrive", named(b, "Divers").id)) == {"w40k10.reserve.strategic_timing"}
    diving = arriving(reserves_of("deep strike", round_=1))
    assert can_arrive(diving, (10, 15))
    assert not can_arrive(diving, (13, 15))


@pytest.mark.rule("w40k10.reserve.strategic_timing", check=2)
def test_strategic_reserves_arrive_from_round_2_on() -> None:
    for round_ in range(2, 6):
        assert "arrive_with" in kinds(reserves_of("strategic", round_=round_))
    assert "arrive_with" not in kinds(reserves_of("strategic", round_=1))


@pytest.mark.rule("w40k10.reserve.strategic_timing", check=1)
def test_an_ability_brings_strategic_reserves_in_round_1() -> None:
    b = reserves_of("deep strike", round_=1)
    divers = named(b, "Divers")
    b.set_unit(divers, reserve="strategic")
    assert cites(in_time(b, divers)) == {"w40k10.reserve.strategic_timing"}
    early = Ability("Early", "test", 0, divers.models, 0, (effect_of({"kind": "allow", "what": "arrive_round_one"}),))
    setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, abilities=(early,)))
    assert in_time(World(SYSTEM, setup, b.state), divers)


@pytest.mark.rule("w40k10.reserve.strategic_timing", check=2)
def test_by_an_option_nobody_arrives_before_round_2() -> None:
    option = {"deep-strike": "from-round-2"}
    b = reserves_of("deep strike", round_=1, options=option)
    assert cites(in_time(b, named(b, "Divers"))) == {"w40k10.ability.deep_strike"}
    later = reserves_of("deep strike", round_=2, options=option)
    assert in_time(later, named(later, "Divers"))


# --- Strategic Reserves -----------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.reserve.strategic_round2", check=1)
def test_strategic_reserves_are_set_up_within_6_inches_of_an_edge() -> None:
    b = arriving(reserves_of("strategic"))
    assert can_arrive(b, (5.5, 15))
    assert cites(can_arrive(b, (5.6, 15))) == {"w40k10.reserve.strategic_round2"}
    two = arriving(reserves_of("strategic", models=2))
    assert can_arrive(two, (4, 15), (5.5, 15))
    assert cites(can_arrive(two, (4, 15), (5.6, 15))) == {"w40k10.reserve.strategic_round2"}
    giant = {**DIVER, "base": "hull 8x7"}
    for option, cited in (("touching-edge", set()), ("never", {"w40k10.reserve.strategic_round2"})):
        units = [unit("Divers", "red", giant, off=1, reserve="strategic"), unit("Blues", "blue", TROOPER, [(40, 28)])]
        large = situation(units, step="reinforcements", round_=2, options={"large-reserves": option})
        assert cites(can_arrive(arriving(large), (20, 3.5))) == cited


@pytest.mark.rule("w40k10.reserve.strategic_round2", check=2)
@pytest.mark.rule("w40k10.reserve.strategic_round2", check=3)
def test_in_round_2_the_enemy_deployment_zone_is_closed() -> None:
    b = arriving(zoned(reserves_of("strategic", blue=(22, 12))))
    for spot in ((2, 15), (42, 15), (4, 2), (43, 20)):
        assert can_arrive(b, spot)
    assert cites(can_arrive(b, (2, 23.6))) == {"w40k10.reserve.strategic_round2"}
    assert can_arrive(b, (2, 23.4))
    assert not can_arrive(b, (5, 28))
    d = asked(b, "arrive")
    edge = steps(24) - steps(0.5)
    assert b.check(d, (Spot(0, steps(2), edge),))
    assert cites(b.check(d, (Spot(0, steps(2), edge + 1),))) == {"w40k10.reserve.strategic_round2"}
    two = arriving(zoned(reserves_of("strategic", blue=(22, 12), models=2)))
    assert cites(can_arrive(two, (2, 22.2), (2, 23.6))) == {"w40k10.reserve.strategic_round2"}
    assert can_arrive(two, (2, 22.2), (2, 23.4))
    assert can_arrive(arriving(zoned(reserves_of("strategic", round_=3))), (5, 28))


@pytest.mark.rule("w40k10.reserve.strategic_round3", check=1)
def test_from_round_3_on_the_enemy_deployment_zone_is_open() -> None:
    b = arriving(zoned(reserves_of("strategic", round_=3)))
    assert can_arrive(b, (5, 28))
    assert not can_arrive(b, (20, 24.6))  # near the enemy, but still within 6" of an edge
    assert not can_arrive(b, (10, 20))


@pytest.mark.rule("w40k10.reserve.strategic_enemy_distance", check=1)
@pytest.mark.rule("w40k10.reserve.strategic_enemy_distance", check=2)
@pytest.mark.rule("w40k10.reserve.strategic_enemy_distance", check=3)
def test_strategic_reserves_keep_more_than_9_inches_from_the_enemy() -> None:
    b = arriving(reserves_of("strategic", blue=(15, 15)))
    assert cites(can_arrive(b, (5, 15))) >= {"w40k10.reserve.strategic_enemy_distance"}
    assert can_arrive(b, (4.9, 15))
    give(b, "arrive", at((4.9, 15)))
    assert named(b, "Divers").moved == "normal"


@pytest.mark.rule("w40k10.concept.engagement_limit", check=1)
def test_nobody_is_set_up_within_engagement_range() -> None:
    b = reserves_of("deep strike")
    from sandtable.systems.w40k10.setting_up import judge_spots

    def judged(x: float) -> set[str]:
        return cites(judge_spots(b, named(b, "Divers"), (Spot(0, steps(x), steps(15)),)))

    assert judged(20) == {"w40k10.concept.engagement_limit"}
    assert judged(19.9) == set()


@pytest.mark.rule("w40k10.reserve.strategic_limit", check=1)
@pytest.mark.rule("w40k10.reserve.strategic_limit", check=5)
@pytest.mark.rule("w40k10.reserve.strategic_placing", check=1)
@pytest.mark.parametrize("limit", [1000])
def test_a_quarter_of_the_battle_size_waits_in_strategic_reserves(limit: int) -> None:
    squads = [{"sheet": "intercessor-squad", "name": f"Squad {i}"} for i in range(4)]
    b = battle(red=[CAPTAIN, *squads], limit=limit)
    for d in b.decisions:
        b.answer(d, ())
    d = b.decisions[0]
    assert d.kind == "reserves"
    assert b.check(d, pick(b, d, Squad_0="strategic", Squad_1="strategic", Squad_2="strategic"))  # 240
    four = pick(b, d, Squad_0="strategic", Squad_1="strategic", Squad_2="strategic", Squad_3="strategic")
    assert cites(b.check(d, four)) == {"w40k10.reserve.strategic_limit"}


@pytest.mark.rule("w40k10.reserve.strategic_limit", check=1)
@pytest.mark.rule("w40k10.reserve.strategic_limit", check=2)
@pytest.mark.rule("w40k10.reserve.strategic_limit", check=3)
@pytest.mark.parametrize(("limit", "most"), [(1000, 250), (2000, 500), (3000, 750)])
def test_the_limit_of_strategic_reserves_is_met_exactly(limit: int, most: int) -> None:
    b = battle()
    for d in b.decisions:
        b.answer(d, ())
    d = b.decisions[0]
    chosen = pick(b, d, Intercessor_Squad="strategic")

    def with_points(points: int) -> bool:
        roster = tuple(msgspec.structs.replace(e, points=points) for e in b.setup.data.roster)
        data = msgspec.structs.replace(b.setup.data, roster=roster, limit=limit)
        b.setup = msgspec.structs.replace(b.setup, data=data)
        return bool(b.check(d, chosen))

    assert with_points(most)
    assert not with_points(most + 1)


@pytest.mark.rule("w40k10.reserve.strategic_limit", check=4)
def test_passengers_count_towards_the_limit() -> None:
    b = battle(red=[CAPTAIN, {**INTERCESSORS, "embarked_in": "Impulsor"}, {"sheet": "impulsor"}])
    go_on(b, "reserves")
    d = b.decisions[0]
    chosen = pick(b, d, Impulsor="strategic")

    def with_limit(limit: int) -> bool:
        b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, limit=limit))
        return bool(b.check(d, chosen))

    assert with_limit(4 * 160)  # both cost 80
    assert not with_limit(4 * 159)


@pytest.mark.rule("w40k10.ability.deep_strike", check=4)
@pytest.mark.rule("w40k10.reserve.strategic_limit", check=1)
@pytest.mark.rule("w40k10.reserve.strategic_kind", check=1)
def test_deep_strike_does_not_count_towards_the_limit() -> None:
    squads = [{"sheet": "terminator-squad", "name": f"Squad {i}"} for i in range(3)]
    b = battle(red=[{"sheet": "captain-in-terminator-armour", "warlord": True}, *squads])
    for d in b.decisions:
        b.answer(d, ())
    d = b.decisions[0]
    assert b.check(d, pick(b, d, Squad_0="deep strike", Squad_1="deep strike", Squad_2="deep strike"))
    assert not b.check(d, pick(b, d, Squad_0="strategic", Squad_1="strategic", Squad_2="deep strike"))
    from sandtable.systems.w40k10.abilities.deep_strike import can_deep_strike

    assert not can_deep_strike(b, [named(b, "Boyz")])


@pytest.mark.rule("w40k10.reserve.strategic_placing", check=2)
def test_fortifications_do_not_wait_in_strategic_reserves() -> None:
    from sandtable.systems.w40k10.reserves import can_wait

    b = situation(
        [
            unit("Wall", "red", {**TROOPER, "keywords": ["FORTIFICATION"]}, [(10, 10)]),
            unit("Blues", "blue", TROOPER, [(30, 20)]),
        ]
    )
    assert not can_wait(b, [named(b, "Wall")])
    assert can_wait(b, [named(b, "Blues")])


@pytest.mark.rule("w40k10.reserve.strategic_placing", check=3)
def test_an_attached_unit_waits_as_one_unit() -> None:
    b = battle(red=[{**CAPTAIN, "attached_to": "Intercessor Squad"}, INTERCESSORS])
    for d in b.decisions:
        b.answer(d, b.default(d))
    red, blue = b.decisions
    assert [r.label for r in red.rows] == ["Intercessor Squad"]  # type: ignore[attr-defined]
    b.answer(red, pick(b, red, Intercessor_Squad="strategic"))
    b.answer(blue, ())
    assert named(b, "Intercessor Squad").reserve == "strategic"
    assert len(named(b, "Intercessor Squad").models) == 6
    from sandtable.systems.w40k10.reserves import can_wait

    wall = situation(
        [
            unit("Wall", "red", {**HERO, "keywords": ["FORTIFICATION"]}, [(10, 10)]),
            unit("B", "blue", TROOPER, [(30, 20)]),
        ]
    )
    assert not can_wait(wall, [named(wall, "B"), named(wall, "Wall")])


@pytest.mark.rule("w40k10.aircraft.deploy", check=1)
@pytest.mark.rule("w40k10.aircraft.deploy", check=2)
@pytest.mark.rule("w40k10.reserve.strategic_limit", check=6)
def test_aircraft_start_in_reserves_and_do_not_count_towards_the_limit() -> None:
    b = battle(blue=[WARBOSS, BOYZ, {"sheet": "dakkajet"}])
    for d in b.decisions:
        b.answer(d, ())
    rows = [r.label for r in b.decisions[1].rows]  # type: ignore[attr-defined]
    assert rows == ["Warboss", "Boyz"]
    from sandtable.systems.w40k10.reserves import judge_reserves

    d = b.decisions[0]
    assert not judge_reserves(b, d, tuple(pick(b, d, Captain="strategic")) * 4)  # type: ignore[arg-type]
    go_on(b, "move_with")
    jet = named(b, "Dakkajet")
    assert jet.reserve == "strategic"
    assert not b.why_not("arrive", jet.id)


# --- Rapid Ingress ----------------------------------------------------------------------------------------------------


def ingress(how: str, round_: int, cp: int = 1, *, due: bool = False, size: tuple[float, float] = (44, 30)) -> Battle10:
    """Red's Movement phase is about to end, and blue has a unit in Reserves."""
    return situation(
        [
            unit("Divers", "blue", DIVER, off=1, reserve=how, due=due),
            unit("Blues", "blue", TROOPER, [(size[0] - 4, size[1] - 2)]),
            unit("Reds", "red", TROOPER, [(size[0] / 2, size[1] / 2)], moved="normal"),
        ],
        step="reinforcements",
        round_=round_,
        cp=(1, cp),
        size=size,
    )


@pytest.mark.rule("w40k10.strat.rapid_ingress", check=1)
@pytest.mark.rule("w40k10.strat.rapid_ingress", check=2)
def test_rapid_ingress_at_the_end_of_the_opponents_movement_phase() -> None:
    b = ingress("deep strike", 2)
    assert asked(b, "react.phase_ended").player == 1
    give(b, "react.phase_ended", "Rapid Ingress: Divers")
    give(b, "arrive", at((5, 15)))
    assert places(b, "Divers") == [(5.0, 15.0, 0.0)]
    assert b.player(1).cp == 0
    assert "arrived" in told(b)
    assert "react.phase_ended" not in kinds(ingress("deep strike", 2, cp=0))


@pytest.mark.rule("w40k10.strat.rapid_ingress", check=3)
@pytest.mark.rule("w40k10.strat.rapid_ingress", check=4)
def test_rapid_ingress_does_not_bring_strategic_reserves_in_round_1() -> None:
    assert "react.phase_ended" not in kinds(ingress("strategic", 1))
    assert "react.phase_ended" in kinds(ingress("strategic", 2))
    assert "react.phase_ended" in kinds(ingress("deep strike", 1))


@pytest.mark.rule("w40k10.strat.rapid_ingress", check=5)
def test_rapid_ingress_is_for_those_who_have_room_and_need_not_wait_for_their_own_turn() -> None:
    assert "react.phase_ended" in kinds(ingress("strategic", 2))
    assert "react.phase_ended" not in kinds(ingress("strategic", 2, due=True))
    assert "react.phase_ended" not in kinds(ingress("strategic", 2, size=(12, 12)))


@pytest.mark.rule("w40k10.strat.rapid_ingress", check=5)
def test_rapid_ingress_keeps_to_the_units_own_rule() -> None:
    b = ingress("strategic", 2)
    give(b, "react.phase_ended", "Rapid Ingress: Divers")
    assert not can_arrive(b, (10, 15))
    assert can_arrive(b, (2, 15))
    assert not b.check(asked(b, "arrive"), None)


# --- Refused, and by how much -----------------------------------------------------------------------------------------


def test_who_would_arrive_too_near_is_told_who_is_how_near_to_whom() -> None:
    b = arriving(reserves_of("deep strike", models=2))
    (told_,) = can_arrive(b, (10.5, 15), (12.001, 15)).reasons
    assert told_.text.endswith('horizontally from all enemy models: Diver 2 would be just under 9" from Blues.')
    assert told_.facts == {"unit": 2, "gap": 8.999, "limit": 9.0}
    assert told_.models == (1,)


def test_who_would_arrive_too_far_from_the_edge_is_told_how_far() -> None:
    b = arriving(reserves_of("strategic", models=2))
    (told_,) = can_arrive(b, (5.5, 10), (6.0, 11.5)).reasons
    assert told_.text == (
        'Divers must be wholly within 6" of an edge of the battlefield: Diver 2 would reach up to 6.50" from it.'
    )
    assert (told_.facts, told_.models) == ({"edge": True, "gap": 6.5, "limit": 6.0}, (1,))
