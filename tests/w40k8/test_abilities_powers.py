"""Psychic powers that work as abilities, and abilities that bar units from each other."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import default, offered, until
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    blade,
    column,
    give,
    gun,
    kinds,
    last,
    melee,
    named,
    rolls,
    sheet,
    situation,
    stay,
    strike,
    unit,
    wounds,
)

rule = pytest.mark.rule
BLESS: Doc = {"name": "bless", "charge": 5, "range": 0, "wounds": "0", "ability": True}
WITCH: Doc = sheet(
    name="Witch",
    wounds=5,
    keywords=["INFANTRY", "PSYKER"],
    psyker={"casts": 1, "denies": 0, "powers": ["bless"], "described": [BLESS]},
)
LASTING: Doc = {"at": "manifested", "until": "next_psychic"}


def blessing(*effects: Doc, tests: list[int] | None = None, more: list[UnitDoc] | None = None, **dice: Any) -> Battle8:
    """The Witch tries a power that is an ability."""
    units = [
        unit("Witch", "red", WITCH, [(10, 10)]),
        unit("Reds", "red", sheet(gun(shots="6"), name="Red"), [(10, 12)]),
        unit("Blues", "blue", bare(wounds=20), column(1, 25, 10)),
        *(more or []),
    ]
    queues = {"psychic test": tests or [3, 3], **dice}
    abilities = [{"name": "Bless", "unit": "Witch", "effects": list(effects)}]
    b = situation(units, step="manifest_powers", dice=queues, abilities=abilities, turns=4)
    b.answer(asked(b, "manifest"), asked(b, "manifest").options[0].value)  # type: ignore[attr-defined]
    return b


@rule("w40k8.psychic.resolve")
def test_a_power_that_is_manifested_works_on_a_friend_until_the_next_psychic_phase() -> None:
    grace = {"kind": "modify", "roll": "hit", "value": 1, "who": "friend", "within": 18, **LASTING}
    b = blessing(grace, hit=[1, 2, 3, 4, 5, 6], wound=[1] * 5)
    give(b, "ability_target", "Reds")
    default(b, "shoot_with")
    default(b, "shoot")
    assert (last(b)["hits"], len(b.state.effects)) == (5, 1)
    until(b, "manifest", 0)
    assert b.state.effects == ()


@rule("w40k8.psychic.resolve")
def test_a_power_that_is_not_manifested_does_nothing() -> None:
    grace = {"kind": "modify", "roll": "hit", "value": 1, "who": "friend", "within": 18, **LASTING}
    b = blessing(grace, tests=[1, 3])
    assert ("ability_target" in kinds(b), b.state.effects) == (False, ())


@pytest.mark.parametrize(("y", "chosen"), [(28, ["Reds", "Witch"]), (20, ["Others", "Reds", "Witch"])])
def test_a_power_reaches_so_far(y: float, chosen: list[str]) -> None:
    grace = {"kind": "modify", "roll": "hit", "value": 1, "who": "friend", "within": 12, **LASTING}
    others = unit("Others", "red", bare(), [(10, y)])
    assert offered(blessing(grace, more=[others]), "ability_target") == chosen


def test_a_power_for_those_whom_the_psyker_sees_is_for_nobody_else() -> None:
    curse = {"kind": "modify", "roll": "hit", "value": -1, "who": "enemy", "within": 24, "visible": True, **LASTING}
    units = [
        unit("Witch", "red", WITCH, [(10, 10)]),
        unit("Blues", "blue", bare(), [(20, 10)]),
        unit("Others", "blue", bare(), [(10, 20)]),
    ]
    wall = FeatureDoc("wall", "wall", "The wall", (15.0, 4.0, 0.2, 10.0), height=9, solid=True)
    abilities = [{"name": "Bless", "unit": "Witch", "effects": [curse]}]
    dice = {"psychic test": [3, 3]}
    b = situation(units, step="manifest_powers", dice=dice, abilities=abilities, terrain=[wall])
    b.answer(asked(b, "manifest"), asked(b, "manifest").options[0].value)  # type: ignore[attr-defined]
    assert [e.unit for e in b.state.effects] == [named(b, "Others").id]


def test_a_plague_wind_throws_a_die_for_each_model_of_the_enemy() -> None:
    wind = {"kind": "mortal_wounds", "amount": 1, "dice": "victim", "die": 6, "who": "enemy", "at": "manifested",
            "within": 24}  # fmt: skip
    crowd = unit("Crowd", "blue", bare(), column(5, 18))
    b = blessing(wind, more=[crowd], Bless=[6, 5, 6, 1, 2])
    give(b, "ability_target", "Crowd")
    assert (alive(b, "Crowd"), rolls(b)[1]) == (3, ("Bless", (6, 5, 6, 1, 2)))


@pytest.mark.parametrize(("phase", "left"), [("psychic", [5]), ("shooting", [4])])
def test_a_fortress_stands_in_one_phase_only(phase: str, left: list[int]) -> None:
    walls = {"kind": "feel_no_pain", "value": 4, "against": "mortal", "when": [f"in_phase:{phase}"]}
    smite = {"casts": 1, "denies": 0}
    units = [
        unit("Witch", "red", {**WITCH, "psyker": smite}, [(10, 10)]),
        unit("Blues", "blue", bare(wounds=5), [(15, 10)]),
    ]
    dice = {"psychic test": [3, 3], "smite": [1], "feel no pain": [4]}
    abilities = [{"name": "Walls", "unit": "Blues", "effects": [walls]}]
    b = situation(units, step="manifest_powers", dice=dice, abilities=abilities)
    b.answer(asked(b, "manifest"), asked(b, "manifest").options[0].value)  # type: ignore[attr-defined]
    assert wounds(b, "Blues") == left


def test_plague_weapons_alone_are_blessed() -> None:
    blades = [
        {"kind": "modify", "roll": "wound", "value": 1, "when": ["melee"]},
        {"kind": "weapon_ability", "ability": "mortal wound on 7+", "weapons": "plague weapon", "when": ["melee"]},
    ]
    arms = [{**blade("knife"), "abilities": ["plague weapon"]}, blade("fist")]
    abilities = [{"name": "Blades", "unit": "Reds", "effects": blades}]
    dice = {"hit": [6, 6], "wound": [6, 6]}
    b = melee(arms, bare(wounds=9), red=sheet(*arms, name="Red", attacks=2), dice=dice, abilities=abilities)
    strike(b, ("Red", 1, "Blues", "knife"), ("Red", 1, "Blues", "fist"))
    assert wounds(b, "Blues") == [6]


# --- Those who meet only some -----------------------------------------------------------------------------------------

AIRBORNE: list[Doc] = [
    {"kind": "forbid", "what": "strike", "when": ["not target_keyword:FLY"]},
    {"kind": "forbid", "what": "be_charged", "when": ["not target_keyword:FLY"]},
    {"kind": "forbid", "what": "be_struck", "when": ["not target_keyword:FLY"]},
]


@pytest.mark.parametrize(("keywords", "ready"), [(["FLY"], True), (["INFANTRY"], False)])
def test_what_is_in_the_air_is_charged_by_what_can_fly(keywords: list[str], ready: bool) -> None:
    units = [
        unit("Reds", "red", sheet(name="Red", keywords=keywords), [(10, 10)]),
        unit("Jet", "blue", bare(name="Jet"), [(16, 10)]),
    ]
    abilities = [{"name": "Airborne", "unit": "Jet", "effects": AIRBORNE}]
    b = situation(units, step="charge_phase", abilities=abilities)
    assert ("charge_with" in kinds(b)) == ready


@pytest.mark.parametrize(("bearer", "struck"), [("Blues", False), ("Reds", False), ("Spares", True)])
def test_nobody_strikes_across_the_air(bearer: str, struck: bool) -> None:
    spares = unit("Spares", "blue", bare(name="Spare"), [(30, 28)])
    abilities = [{"name": "Airborne", "unit": bearer, "effects": AIRBORNE}]
    assert ("strike" in kinds(stay(melee(blade(), bare(wounds=9), more=[spares], abilities=abilities)))) == struck


@rule("w40k8.charge.eligible")
def test_a_unit_that_may_not_charge_does_not() -> None:
    still = {"name": "Still", "unit": "Reds", "effects": [{"kind": "forbid", "what": "charge"}]}
    units = [
        *(unit(name, "red", sheet(name=name), [(x, 10)]) for name, x in (("Reds", 10), ("Others", 14))),
        unit("Blues", "blue", bare(), [(12, 16)]),
    ]
    assert offered(situation(units, step="charge_phase", abilities=[still]), "charge_with") == ["Others"]


@rule("w40k8.fight.pile_in")
@pytest.mark.parametrize(("what", "far"), [("advance_and_charge", 3), ("pile_in_6", 6)])
def test_some_leap_further_into_a_fight(what: str, far: int) -> None:
    abilities = [{"name": "Leap", "unit": "Reds", "effects": [{"kind": "allow", "what": what}]}]
    units = [
        unit("Reds", "red", sheet(blade(), name="Red"), [(10, 8), (10, 10.5)], charged=True),
        unit("Blues", "blue", bare(wounds=9), [(12, 8)], fought=True),
    ]
    b = situation(units, step="fight_units", abilities=abilities)
    assert asked(b, "pile_in").modes[0].allowance == far * 1024  # type: ignore[attr-defined]


# --- After an Advance -------------------------------------------------------------------------------------------------


@rule("w40k8.weapon.assault")
@pytest.mark.parametrize(("what", "ready"), [("advance_and_shoot", True), ("advance_and_charge", False)])
def test_some_fire_all_weapons_after_an_advance(what: str, ready: bool) -> None:
    able = {"name": "Rush", "unit": "Reds", "effects": [{"kind": "allow", "what": what}]}
    units = [
        unit("Reds", "red", sheet(gun("heavy"), name="Red"), [(10, 8)], moved="advance"),
        unit("Blues", "blue", bare(), [(20, 8)]),
    ]
    assert ("shoot_with" in kinds(situation(units, step="shoot_units", abilities=[able]))) == ready
