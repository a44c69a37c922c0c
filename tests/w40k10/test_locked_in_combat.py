"""Shooting in and into a combat: who is locked, Big Guns Never Tire, and what it costs."""

from __future__ import annotations

import pytest

from w40k10.arms import (
    BYSTANDERS,
    can_target,
    duel,
    gun,
    last,
    outcomes,
    sheet,
    shoot,
    target,
)
from w40k10.table import TANK, alive, give, offered, refused_by, situation, unit

BIG = {**TANK, "base": "25.4mm", "height": 1.5, "weapons": [gun(range_=48)], "wounds": 12}
OTHERS = unit("Others", "blue", target(name="Other"), [(21, 14)])


# --- Locked in combat -------------------------------------------------------------------------------------------------


def brawl(red, blue=None, *, friends=None, others=None, dice=None, **more):  # type: ignore[no-untyped-def]
    """Reds and Blues within half an inch of each other; Friends next to Blues, if there are any; Others in the open."""
    units = [unit("Reds", "red", red, [(10, 8)], **more), unit("Blues", "blue", blue or target(), [(11.5, 8)])]
    if friends:
        units.append(unit("Friends", "red", friends, [(13, 8)]))
    units.append(unit("Others", "blue", others or target(name="Other", wounds=5), [(21, 14)]))
    return situation([*units, *BYSTANDERS], step="shoot_units", dice=dice)


PLAIN = sheet(gun(range_=48), name="Plain")


@pytest.mark.rule("w40k10.shoot.locked_shooter", check=1)
def test_engaged_infantry_does_not_shoot() -> None:
    refused_by(brawl(PLAIN), "shoot_with", "Reds", "w40k10.shoot.locked_shooter")


@pytest.mark.rule("w40k10.shoot.locked_shooter", check=2)
@pytest.mark.rule("w40k10.shoot.bgnt_target", check=2)
def test_engaged_infantry_does_not_even_shoot_a_vehicle() -> None:
    refused_by(brawl(PLAIN, BIG), "shoot_with", "Reds", "w40k10.shoot.locked_shooter")
    for exception in (BIG, sheet(gun("pistol"), name="Gunslinger")):
        assert "Reds" in offered(brawl(exception, BIG), "shoot_with")


@pytest.mark.rule("w40k10.shoot.locked_target", check=1)
def test_nobody_shoots_into_a_combat_of_the_own_army() -> None:
    b = brawl(PLAIN)
    assert not can_target(b, "Spares", "Blues")
    refused_by(b, "shoot", [{"weapon": "spare gun", "target": "Blues"}], "w40k10.shoot.locked_target")


@pytest.mark.rule("w40k10.shoot.locked_target", check=2)
def test_indirect_fire_does_not_lift_the_ban() -> None:
    mortar = unit("Mortars", "red", sheet(gun("indirect fire", range_=48), name="Mortar"), [(4, 20)])
    units = [unit("Reds", "red", PLAIN, [(10, 8)]), unit("Blues", "blue", target(), [(11.5, 8)]), mortar]
    b = situation([*units, *BYSTANDERS], step="shoot_units")
    assert not can_target(b, "Mortars", "Blues")


@pytest.mark.rule("w40k10.shoot.locked_target", check=3)
def test_a_combat_with_an_aircraft_is_under_the_ban_as_well() -> None:
    flyer = sheet(name="Flyer", keywords=["VEHICLE", "AIRCRAFT", "FLY"])
    assert not can_target(brawl(flyer), "Spares", "Blues")


@pytest.mark.rule("w40k10.shoot.bgnt_shooter", check=1)
@pytest.mark.rule("w40k10.shoot.bgnt_shooter", check=3)
def test_an_engaged_vehicle_shoots_those_it_is_engaged_with_or_others() -> None:
    b = brawl(BIG)
    assert can_target(b, "Reds", "Blues") and can_target(b, "Reds", "Others")


@pytest.mark.rule("w40k10.shoot.bgnt_shooter", check=2)
def test_it_does_so_although_friends_are_engaged_too() -> None:
    assert can_target(brawl(BIG, friends=PLAIN), "Reds", "Blues")


@pytest.mark.rule("w40k10.shoot.bgnt_shooter", check=4)
def test_an_engaged_vehicle_does_not_shoot_into_the_combat_of_others() -> None:
    more = [unit("Friends", "red", PLAIN, [(20, 14)])]
    units = [
        unit("Reds", "red", BIG, [(10, 8)]),
        unit("Blues", "blue", target(), [(11.5, 8)]),
        unit("Others", "blue", target(name="Other"), [(21, 14)]),
    ]
    b = situation([*units, *more, *BYSTANDERS], step="shoot_units")
    assert not can_target(b, "Reds", "Others")


@pytest.mark.rule("w40k10.shoot.bgnt_shooter", check=5)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_a_hurried_vehicle_gains_nothing(moved: str) -> None:
    refused_by(brawl(BIG, moved=moved), "shoot_with", "Reds", "w40k10.shoot.eligible")
    assert "Reds" in offered(brawl(BIG, moved="stationary"), "shoot_with")


@pytest.mark.rule("w40k10.shoot.bgnt_target", check=1)
def test_an_engaged_enemy_vehicle_may_be_shot_at() -> None:
    assert can_target(brawl(PLAIN, BIG), "Spares", "Blues")


@pytest.mark.rule("w40k10.shoot.bgnt_target", check=2)
def test_where_aircraft_hold_nobody_the_unit_engaged_with_one_shoots_past_it() -> None:
    flyer = sheet(name="Flyer", keywords=["VEHICLE", "AIRCRAFT", "FLY"])
    units = [unit("Reds", "red", PLAIN, [(10, 8)]), unit("Blues", "blue", flyer, [(11.5, 8)]), OTHERS, *BYSTANDERS]
    b = situation(units, step="shoot_units", options={"aircraft-lock": "free"})
    assert can_target(b, "Reds", "Others") and not can_target(b, "Reds", "Blues")
    refused_by(b, "shoot", [{"weapon": "gun", "target": "Blues"}], "w40k10.shoot.locked_target")


# --- Big guns are unwieldy --------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=1)
@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=2)
@pytest.mark.parametrize("whom", ["Blues", "Others"])
def test_an_engaged_vehicle_has_minus_1_to_hit(whom: str) -> None:
    b = shoot(brawl(BIG, dice={"hit": [3]}), at=whom)
    assert last(b)["hits"] == 0


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=1)
def test_a_vehicle_that_is_not_engaged_has_no_penalty() -> None:
    b = duel(gun(a="2"), red={**BIG, "weapons": [gun(a="2")]}, dice={"hit": [2, 3], "wound": [1]})
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=1)
def test_a_heavy_weapon_held_still_makes_up_for_the_penalty() -> None:
    b = shoot(brawl({**BIG, "weapons": [gun("heavy")]}, moved="stationary", dice={"hit": [3], "wound": [1]}))
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=3)
def test_shots_at_an_engaged_monster_have_minus_1_to_hit() -> None:
    b = shoot(brawl(PLAIN, target(keywords=["MONSTER"]), dice={"hit": [3]}), "Spares")
    assert last(b)["hits"] == 0


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=4)
def test_pistols_do_not_get_the_penalty() -> None:
    pistol = {**BIG, "weapons": [gun("pistol", a="2")]}
    b = shoot(brawl(pistol, dice={"hit": [2, 3], "wound": [1]}))
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=5)
def test_an_engaged_vehicle_at_an_engaged_monster_has_minus_1_in_all() -> None:
    guns = {**BIG, "weapons": [gun(a="2")]}
    b = shoot(brawl(guns, target(keywords=["MONSTER"]), dice={"hit": [3, 4], "wound": [1]}))
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=5)
def test_both_penalties_count_against_a_heavy_weapon_held_still() -> None:
    guns = {**BIG, "weapons": [gun("heavy", a="2")]}
    dice = {"hit": [3, 4], "wound": [1]}
    b = shoot(brawl(guns, target(keywords=["MONSTER"]), moved="stationary", dice=dice))
    assert last(b)["hits"] == 1


@pytest.mark.rule("w40k10.shoot.bgnt_penalty", check=6)
def test_killing_the_engaged_enemy_midway_does_not_lift_the_penalty() -> None:
    arms = {**BIG, "weapons": [gun(name="one"), gun(name="two")]}
    b = brawl(arms, dice={"hit": [4, 3], "wound": [4]})
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "one", "target": "Blues"}, {"weapon": "two", "target": "Others"}])
    assert alive(b, "Blues") == 0
    assert [o["hits"] for o in outcomes(b)] == [1, 0]
