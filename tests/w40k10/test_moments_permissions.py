"""What abilities allow against the rules, and what they forbid."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.battle import Assignment, Refused, Spot
from sandtable.battle.questions import suggest
from sandtable.battle.state import new_version
from sandtable.forty.aiming import guns_of
from sandtable.forty.markers import settle
from sandtable.kit.room import placed
from sandtable.systems.w40k10 import formations, movement_phase, reserves, shooting_phase, transports
from sandtable.systems.w40k10.abilities import leader
from sandtable.systems.w40k10.battle_round import secure_markers
from sandtable.systems.w40k10.charge_phase import able_to_charge
from sandtable.systems.w40k10.moving_models import Passage
from sandtable.systems.w40k10.muster import check_muster
from sandtable.systems.w40k10.objectives import controller
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.systems.w40k10.stratagems.core_stratagems import may_overwatch
from sandtable.table.grid import steps
from w40k10.armies import army, pack
from w40k10.powers import Place, at, called, clash, needs, use, volleys
from w40k10.table import asked, give, kinds, places

FOES = at("intercessor-squad", 30)
ORKS = at("boyz", 30)


def after(move: str, unit: Place, **more: Any) -> Battle10:
    """A battle in which the first unit has made a move."""
    b = clash([unit], [FOES if "space-marines" not in unit[0]["sheet"] else ORKS], dice=[], **more)
    b.units()[0].moved = move
    return b


# --- After an Advance or a Fall Back ----------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.charge.eligible", check=2)
@pytest.mark.rule("w40k10.move.advance_limits", check=2)
def test_hormagaunts_charge_after_an_advance_and_termagants_do_not() -> None:
    leaping, plain = after("advance", at("hormagaunts", 10)), after("advance", at("termagants", 10))
    assert able_to_charge(leaping, leaping.units()[0])
    assert "Advanced" in str(able_to_charge(plain, plain.units()[0]))


def test_the_assault_doctrine_lets_the_army_charge_after_an_advance() -> None:
    b = clash([at("intercessor-squad", 10)], [ORKS], dice=[])
    b.units()[0].moved = "advance"
    assert not able_to_charge(b, b.units()[0])
    use(b, "Combat Doctrines", number=2, until="command of 0")
    assert able_to_charge(b, b.units()[0])


def test_under_the_devastator_doctrine_a_unit_that_advanced_fires_everything() -> None:
    b = clash([at("ballistus-dreadnought", 10)], [at("boyz", 24)], dice=[])
    unit = b.units()[0]
    unit.moved = "advance"
    assert not shooting_phase.may_shoot(b, unit) and not fired(b)
    use(b, "Combat Doctrines", number=0, until="command of 0")
    assert shooting_phase.may_shoot(b, unit) and "lascannon" in " ".join(fired(b))


def fired(b: Battle10) -> set[str]:
    """The weapons of the first unit that have a target."""
    return {g.item for g in guns_of(b, b.units()[0]) if g.anything}


@pytest.mark.rule("w40k10.charge.eligible", check=3)
@pytest.mark.rule("w40k10.move.fall_back_limits", check=1)
@pytest.mark.rule("w40k10.move.fall_back_limits", check=2)
@pytest.mark.parametrize("leaders", [[at("lieutenant", 11.5, leads="Intercessor Squad")], []])
def test_who_follows_a_lieutenant_shoots_and_charges_after_falling_back(leaders: list[Place]) -> None:
    b = clash([at("intercessor-squad", 10), *leaders], [at("boyz", 24)], dice=[])
    unit = called(b, "Intercessor Squad")
    unit.moved = "fall_back"
    assert bool(shooting_phase.may_shoot(b, unit)) is bool(leaders)
    assert bool(able_to_charge(b, unit)) is bool(leaders)


def test_a_led_unit_keeps_its_gift_only_while_it_is_led() -> None:
    led = [at("boyz", 10), at("warboss", 11.6, leads="Boyz", enhancement="Kunnin' But Brutal")]
    b = clash(led, [FOES], dice=[])
    called(b, "Boyz").moved = "fall_back"
    assert able_to_charge(b, called(b, "Boyz"))
    alone = clash([at("warboss", 10, enhancement="Kunnin' But Brutal"), at("boyz", 20)], [FOES], dice=[])
    for unit in alone.units()[:2]:
        unit.moved = "fall_back"
        assert not able_to_charge(alone, unit)


# --- Transports -------------------------------------------------------------------------------------------------------


def ride(transport: str, moved: str) -> Battle10:
    b = clash([at(transport, 20, 20), at("intercessor-squad", 10)], [at("boyz", 45, 20)], step="move_units", dice=[])
    carrier, squad = b.units()[0], called(b, "Intercessor Squad")
    transports.go_aboard(b, squad, carrier)
    b.start()
    carrier.moved = moved
    return b


def get_out(b: Battle10) -> None:
    """The squad leaves its transport."""
    give(b, "move_with", "Intercessor Squad")
    d = asked(b, "disembark")
    b.answer(d, next(a for a in suggest(b, d, Random(1)) if a))


def test_units_leave_an_impulsor_after_its_advance_and_cannot_charge() -> None:
    b = ride("impulsor", "advance")
    squad = called(b, "Intercessor Squad")
    assert transports.may_disembark(b, squad)
    get_out(b)
    assert (squad.disembarked, squad.moved) == ("after", "normal")
    assert not able_to_charge(b, squad)
    raider = ride("land-raider", "advance")
    assert not transports.may_disembark(raider, called(raider, "Intercessor Squad"))


@pytest.mark.parametrize(("transport", "free"), [("land-raider", True), ("impulsor", False)])
def test_units_charge_out_of_a_land_raider_that_has_moved(transport: str, free: bool) -> None:
    b = ride(transport, "normal")
    squad = called(b, "Intercessor Squad")
    get_out(b)
    assert squad.moved == "normal" and bool(able_to_charge(b, squad)) is free


# --- Ways of moving ---------------------------------------------------------------------------------------------------


def test_a_shokk_boosta_carries_a_unit_through_the_enemy() -> None:
    def through(*more: Place) -> Battle10:
        b = clash([at("nobz", 10), *more], [at("intercessor-squad", 12.6)], step="move_units", dice=[])
        b.start()
        give(b, "move_with", "Nobz")
        return b

    way = {"mode": "normal", "by": [6, 0]}
    with pytest.raises(Refused, match="across models"):
        give(through(), "move", way)
    b = through(at("big-mek", 10, 5, leads="Nobz"))
    give(b, "move", way)
    assert all(x == 16 for x, _, _ in places(b, "Nobz"))


def test_permission_to_move_through_models_and_terrain() -> None:
    plain = clash([at("boyz", 10)], [FOES], dice=[], bare=True)
    gifted = clash(
        [at("boyz", 10)],
        [FOES],
        dice=[],
        bare=True,
        gain=[
            ("Boyz", {"kind": "allow", "what": "move_through_models"}),
            ("Boyz", {"kind": "allow", "what": "move_through_terrain"}),
        ],
    )
    model = plain.units()[0].models[0]
    for move in ("normal", "advance", "fall_back"):
        manner = Passage(0, move).manner(gifted, model, None)
        assert manner.flies and manner.air
        assert not Passage(0, move).manner(plain, model, None).flies
    assert not Passage(0, "charge").manner(gifted, model, None).flies, "only in the Movement phase"


def falling_back(gain: list[tuple[str, dict[str, Any]]]) -> Battle10:
    b = clash(
        [at("boyz", 10)], [at("intercessor-squad", 11.4)], step="move_units", bare=True, gain=gain,
        dice={"desperate escape": [1] * 10},
    )  # fmt: skip
    called(b, "Boyz").battle_shocked = True
    b.start()
    give(b, "move_with", "Boyz")
    return b


@pytest.mark.rule("w40k10.move.desperate_escape_trigger", check=4)
def test_no_desperate_escape_tests_with_an_ability_against_them() -> None:
    plain, spared = falling_back([]), falling_back([("Boyz", {"kind": "allow", "what": "no_falling_back_losses"})])
    for b in (plain, spared):
        give(b, "move", {"mode": "fall_back", "by": [-5, 0]})
    assert len(plain.on_table(called(plain, "Boyz"))) == 0
    assert len(spared.on_table(called(spared, "Boyz"))) == 10


def test_squighog_boyz_ignore_what_slows_them() -> None:
    slow = [("Squighog Boyz", {"kind": "characteristic", "name": "M", "add": -2})]
    wild = clash([at("squighog-boyz", 10)], [FOES], dice=[], gain=slow)
    tame = clash([at("squighog-boyz", 10)], [FOES], dice=[], gain=slow, bare=True)
    first = called(wild, "Squighog Boyz").models[0]
    assert movement_phase.characteristics(wild, called(wild, "Squighog Boyz"))[first] == 10
    assert movement_phase.characteristics(tame, called(tame, "Squighog Boyz"))[first] == 8


@pytest.mark.parametrize(("bare", "far"), [(False, 5), (True, 3)])
def test_and_what_shortens_their_advance(bare: bool, far: int) -> None:
    slow = [("Squighog Boyz", {"kind": "modify", "roll": "advance", "value": -2})]
    b = clash([at("squighog-boyz", 10)], [FOES], step="move_units", dice={"advance": [5]}, gain=slow, bare=bare)
    b.start()
    give(b, "move_with", "Squighog Boyz")
    give(b, "move", {"mode": "advance"})
    assert called(b, "Squighog Boyz").advance == far


# --- Objectives -------------------------------------------------------------------------------------------------------


def test_intercessors_keep_a_marker_that_they_held_until_the_enemy_takes_it() -> None:
    b = clash([at("intercessor-squad", 10)], [at("boyz", 40)], objectives=[(11.5, 9)], dice=[])
    settle(b)
    secure_markers(b)
    assert b.state.game.secured == (0,)

    def shift(unit: str, x: float) -> None:
        b.state.models.pos[list(called(b, unit).models), 0] = steps(x)
        b.state.version = new_version()
        settle(b)

    shift("Intercessor Squad", 30)
    assert controller(b, 0) == 0, "nobody is there"
    shift("Boyz", 12)
    assert controller(b, 0) == 1 and b.state.game.secured == (-1,)
    shift("Boyz", 40)
    assert controller(b, 0) == -1, "what was lost is not kept"


def test_others_keep_nothing() -> None:
    b = clash([at("hellblaster-squad", 10)], [at("boyz", 40)], objectives=[(11.5, 9)], dice=[])
    settle(b)
    secure_markers(b)
    assert b.state.game.secured in ((), (-1,))


# --- Arriving ---------------------------------------------------------------------------------------------------------


def dropping(sheet: str, gap: float, *foes: Place, by: str = "deep strike") -> Battle10:
    """A unit in Reserves; the answers in the tests set it up in the middle, so far from the enemy."""
    b = clash(
        [at(sheet, 20 - gap, 20), at("boyz" if "boyz" in sheet else sheet, 5, 40, name="Far")], list(foes), dice=[]
    )
    unit = b.units()[0]
    b.place_models(unit.models, 0)
    b.set_unit(unit, reserve=by)
    b.state.round = 2
    return b


def spots(b: Battle10, x: float) -> Any:
    unit = b.units()[0]
    return tuple(Spot(m, steps(x), int(b.state.models.pos[m, 1]), 0, 0) for m in unit.models)


def arrival(b: Battle10, x: float) -> Any:
    found = spots(b, x)
    return reserves.check_arrival(b, b.units()[0], placed(b, found), found)


def test_inceptors_that_chose_to_may_arrive_closer_and_then_cannot_charge() -> None:
    b = dropping("inceptor-squad", 10, at("boyz", 30, 20))
    assert not arrival(b, 21) and arrival(b, 18)
    use(b, "Meteoric Descent", "Inceptor Squad", number=0, until="phase")
    use(b, "Meteoric Descent", "Inceptor Squad", number=1, until="turn")
    assert arrival(b, 21) and not arrival(b, 24.5)
    unit = b.units()[0]
    b.place_models(unit.models, 1)
    b.set_unit(unit, reserve="", arrived=True, moved="normal")
    assert "Meteoric Descent" in str(able_to_charge(b, unit))


def test_meteoric_descent_is_offered_while_the_unit_is_in_reserves() -> None:
    b = clash([at("inceptor-squad", 10), at("intercessor-squad", 20)], [ORKS], step="movement_phase", dice=[])
    unit = called(b, "Inceptor Squad")
    b.place_models(unit.models, 0)
    b.set_unit(unit, reserve="deep strike")
    b.start()
    assert kinds(b) == ["react.phase_began"]
    on_table = clash([at("inceptor-squad", 10)], [ORKS], step="movement_phase", dice=[])
    on_table.start()
    assert kinds(on_table) == ["move_with"]


def test_infiltrators_keep_reserves_away() -> None:
    b = dropping("stormboyz", 10, at("infiltrator-squad", 30, 20))
    verdict = arrival(b, 18.3)
    assert "keeps Reserves" in str(verdict) and arrival(b, 16)
    plain = dropping("stormboyz", 10, at("intercessor-squad", 30, 20))
    assert arrival(plain, 18.3)


def test_a_tyrannocyte_may_arrive_in_the_first_round() -> None:
    for sheet, early in (("tyrannocyte", True), ("termagants", False)):
        b = dropping(sheet, 10, at("boyz", 50, 20), by="strategic")
        b.state.round = 1
        assert bool(reserves.may_arrive(b, b.units()[0])) is early


# --- Overwatch --------------------------------------------------------------------------------------------------------


def test_a_doomstalker_hits_on_fives_in_overwatch() -> None:
    def lowest(sheet: str) -> int:
        b = clash([at("boyz", 10)], [at(sheet, 24)], dice=[])
        unit = b.units()[1]
        weapon = next(x.name for x in sheet_of(b, unit.models[0]).weapons if not x.is_melee)
        return needs(volleys(b, unit.name, "Boyz", weapon, overwatch=True)[0].hit)

    assert (lowest("canoptek-doomstalker"), lowest("immortals")) == (5, 6)


@pytest.mark.rule("w40k10.strat.fire_overwatch", check=2)
def test_nobody_fires_overwatch_at_a_unit_that_is_kept_from_it() -> None:
    gain = [("Boyz", {"kind": "forbid", "what": "overwatch_at_unit"})]
    free = clash([at("boyz", 10)], [at("intercessor-squad", 24)], dice=[])
    spared = clash([at("boyz", 10)], [at("intercessor-squad", 24)], dice=[], gain=gain)
    assert may_overwatch(free, free.units()[1], free.units()[0])
    assert not may_overwatch(spared, spared.units()[1], spared.units()[0])


def test_a_unit_that_is_pinned_cannot_fall_back() -> None:
    gain = [("Boyz", {"kind": "forbid", "what": "fall_back", "who": "enemies", "within": 3})]
    b = clash([at("intercessor-squad", 10)], [at("boyz", 11.4)], step="move_units", dice=[], gain=gain)
    verdict = movement_phase.may_make(b, b.units()[0], "fall_back")
    assert not verdict and "gained 0" in str(verdict)
    assert volleys(b, "Boyz", "Intercessor Squad", "choppa")


# --- Musters ----------------------------------------------------------------------------------------------------------


def warlords(*units: dict[str, Any], faction: str) -> list[str]:
    problems = check_muster(army(*units, faction=faction, limit=2000), pack())
    return [p.text for p in problems if p.rule == "w40k10.muster.warlord"]


def test_a_star_god_is_no_warlord() -> None:
    god, lord = {"sheet": "ctan-shard-of-the-void-dragon"}, {"sheet": "overlord"}
    assert warlords({**god, "warlord": True}, lord, faction="necrons")
    assert not warlords(god, {**lord, "warlord": True}, faction="necrons")


def test_beside_ghazghkull_nobody_else_is_the_warlord() -> None:
    boss, other = {"sheet": "ghazghkull-thraka"}, {"sheet": "warboss"}
    assert warlords(boss, {**other, "warlord": True}, faction="orks")
    assert not warlords({**boss, "warlord": True}, other, faction="orks")


def test_twenty_boyz_take_two_leaders_and_ten_take_one() -> None:
    for size, both in ((20, True), (10, False)):
        b = clash([at("boyz", 10, size=size), at("warboss", 14), at("painboy", 18)], [FOES], dice=[])
        d: Any = formations._ask_leaders(b, 0)
        answer = tuple(Assignment(str(i), 0, 1) for i in (1, 2))
        assert bool(leader.judge_leaders(b, d, answer)) is both
