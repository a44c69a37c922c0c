"""Stratagems: how they are used, and those of the Command, Movement and Shooting phases."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Effect, Moves, questions
from sandtable.battle.events import Asked, Told
from sandtable.battle.system import Brief
from sandtable.forty.briefly import brief
from sandtable.forty.odds import sparing
from sandtable.forty.odds.chances import toll_of
from sandtable.players import StandingOrders, default_orders
from sandtable.systems.w40k11 import cover
from sandtable.systems.w40k11.active_player import active_player
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.stratagems import using_stratagems
from sandtable.systems.w40k11.stratagems.using_stratagems import CARDS, core_stratagems
from sandtable.systems.w40k11.system import SYSTEM
from w40k11 import table
from w40k11.carriers import RHINO
from w40k11.table import (
    FOE,
    TROOPER,
    blade,
    cards,
    give,
    gun,
    kinds,
    named,
    offered,
    play,
    power,
    rolls,
    row,
    sheet,
    situation,
    told,
    unit,
    until,
    wounds,
)

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}
ALL = {"windows": "all"}
REROLL = "Command Re-Roll"


def with_keywords(*keywords: str, weapons: Any = (), **changes: Any) -> dict[str, Any]:
    """A trooper with further keywords."""
    return {**sheet(*weapons, name=f"Trooper {' '.join(keywords)}"), "keywords": ["INFANTRY", *keywords], **changes}


def shooting(
    weapon: Any, dice: Any, *more: Any, models: int = 1, cp: tuple[int, int] = (1, 0), **keys: Any
) -> Battle11:
    """Reds who have declared their shots at the Blues."""
    reds = unit("Reds", "red", {**sheet(weapon, name="Gunner"), **keys.pop("red", {})}, row(models, (5, 10)))
    blues = unit("Blues", "blue", {**PLAIN, "wounds": 9, **keys.pop("blue", {})}, [(10, 14)], **keys.pop("flags", {}))
    b = situation([reds, blues, *more], step="shoot_units", dice=dice, cp=cp, options=ALL, **keys)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    return b


# --- The list ---------------------------------------------------------------------------------------------------------


@rule("w40k11.strat.core_list", check=1)
def test_ten_stratagems_are_there_for_everybody() -> None:
    names = {s.name for s in core_stratagems()}
    assert (names, len(names - {r.name for r in SYSTEM.reactions})) == (
        {
            "Command Re-Roll", "Epic Challenge", "Insane Bravery", "Explosives", "Crushing Impact", "Rapid Ingress",
            "Fire Overwatch", "Smokescreen", "Heroic Intervention", "Counteroffensive",
        },
        0,
    )  # fmt: skip


@rule("w40k11.strat.core_list", check=2)
def test_those_of_the_edition_before_are_gone() -> None:
    names = [s.name for s in core_stratagems()]
    assert (len(names), {"Go to Ground", "Grenade", "Tank Shock"} & set(names)) == (10, set())


# --- Using one --------------------------------------------------------------------------------------------------------


@rule("w40k11.strat.use", check=1)
@pytest.mark.parametrize(("cp", "names"), [(0, []), (1, [f"{REROLL}: the 1 of the hit roll"])])
def test_who_has_no_cp_uses_none(cp: int, names: list[str]) -> None:
    b = shooting(gun(attacks="1"), {"hit": [1]}, cp=(cp, 0))
    assert cards(b) == names


@rule("w40k11.strat.use", check=2)
def test_cp_are_paid_even_for_nothing() -> None:
    b = shooting(gun(attacks="1"), {"hit": [1, 1]})
    play(b, REROLL)
    assert (rolls(b), b.player(0).cp) == ([("hit", (1,)), ("hit", (1,))], 0)


@rule("w40k11.strat.use", check=3)
@pytest.mark.parametrize(("active", "ok"), [("blue", True), ("red", False)])
def test_outside_its_moment_none_is_used(active: str, ok: bool) -> None:
    b = situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], cp=(5, 5), active=active)
    assert CARDS.usable(b, 0, using_stratagems.FIRE_OVERWATCH).ok is ok


@rule("w40k11.strat.use", check=4)
@rule("w40k11.concept.battleshocked", check=3)
@rule("w40k11.strat.command_reroll", check=6)
@pytest.mark.parametrize(("shocked", "number"), [(True, 0), (False, 1)])
def test_a_battle_shocked_unit_is_no_target(shocked: bool, number: int) -> None:
    b = shooting(
        gun(attacks="1"), {"hit": [6], "wound": [6], "save": [1]}, cp=(0, 1), flags={"battle_shocked": shocked}
    )
    assert len(cards(b)) == number


@rule("w40k11.concept.battleshocked", check=4)
def test_the_enemy_may_still_be_chosen() -> None:
    reds = unit("Reds", "red", with_keywords("GRENADES"), [(5, 10)])
    blues = unit("Blues", "blue", PLAIN, [(10, 10)], battle_shocked=True)
    b = situation([reds, blues], step="shoot_units", cp=(1, 0))
    assert cards(b) == ["Explosives: Reds at Blues"]


# --- How often --------------------------------------------------------------------------------------------------------


def two_gunners(
    dice: list[int], cp: tuple[int, int] = (3, 3), charge: list[int] | None = None, **more: Any
) -> Battle11:
    """Two red units who may shoot."""
    gunner = sheet(gun(attacks="1"), name="Gunner")
    reds = [unit(f"Red {n}", "red", gunner, [(5, y)]) for n, y in (("A", 5.0), ("B", 12.0))]
    blues = unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(10, 10)])
    dice_ = {"hit": dice, "wound": [6] * 9, "save": [1] * 9, "charge": charge or []}
    return situation([*reds, blues], step="shoot_units", dice=dice_, cp=cp, options=ALL, **more)


@rule("w40k11.strat.once_per_phase", check=1)
def test_a_second_reroll_in_a_phase_is_not_offered() -> None:
    b = two_gunners([1, 1, 1])
    give(b, "shoot_with", "Red A")
    table.default(b, "shoot")
    play(b, REROLL)
    give(b, "shoot_with", "Red B")
    table.default(b, "shoot")
    assert (cards(b), b.player(0).cp, [k for k, _ in rolls(b)]) == ([], 2, ["hit", "hit", "hit"])


@rule("w40k11.strat.once_per_phase", check=2)
def test_both_players_may_use_it_in_a_phase() -> None:
    b = two_gunners([1, 6])
    give(b, "shoot_with", "Red A")
    table.default(b, "shoot")
    play(b, REROLL)
    play(b, REROLL)
    assert [p.cp for p in b.state.players] == [2, 2]


@rule("w40k11.strat.once_per_phase", check=3)
def test_in_the_next_phase_it_may_be_used_again() -> None:
    b = two_gunners([1, 1, 1], cp=(3, 0), charge=[1, 1, 6, 6])
    give(b, "shoot_with", "Red A")
    table.default(b, "shoot")
    play(b, REROLL)
    before = CARDS.usable(b, 0, using_stratagems.COMMAND_REROLL).ok
    until(b, "charge_with")
    give(b, "charge_with", "Red A")
    play(b, REROLL)
    assert (before, b.player(0).cp, [faces for kind, faces in rolls(b) if kind == "charge"]) == (
        False,
        1,
        [(1, 1), (6, 6)],
    )


@rule("w40k11.strat.once_per_phase")
@pytest.mark.parametrize(("bearer", "number"), [("Red B", 1), ("Red A", 0)])
def test_an_ability_of_a_unit_allows_a_second_use_on_it(bearer: str, number: int) -> None:
    effects = [
        {"kind": "cost", "to": 0, "stratagem": REROLL, "at": "targeted"},
        {"kind": "allow", "what": "shared_stratagem", "at": "targeted"},
    ]
    b = two_gunners([1, 1, 1], abilities=[{"unit": bearer, "name": "Again", "effects": effects}])
    give(b, "shoot_with", "Red A")
    table.default(b, "shoot")
    play(b, REROLL)
    give(b, "shoot_with", "Red B")
    table.default(b, "shoot")
    assert len(cards(b)) == number


HERO = sheet(blade(attacks="1"), name="Hero", keywords=["INFANTRY", "CHARACTER"])


@rule("w40k11.strat.one_per_unit", check=1)
@pytest.mark.parametrize(("challenge", "number"), [(True, 0), (False, 1)])
def test_a_unit_is_the_target_of_one_stratagem_in_a_phase(challenge: bool, number: int) -> None:
    units = [unit("Reds", "red", HERO, [(10, 10)]), unit("Blues", "blue", PLAIN, [(12, 10)])]
    b = situation(units, step="begin_fights", dice={"hit": [1, 1]}, cp=(2, 0), options=ALL)
    for _ in range(challenge):
        play(b, "Epic Challenge")
    for _ in range(not challenge):
        give(b, "react.unit_selected_to_fight", None)
    table.default(b, "strike")
    assert len(cards(b)) == number


@rule("w40k11.strat.one_per_unit", check=2)
def test_two_units_may_each_be_a_target() -> None:
    grenadier = with_keywords("GRENADES", weapons=[gun(attacks="1")])
    reds = [unit("Red A", "red", grenadier, [(5, 5)]), unit("Red B", "red", grenadier, [(5, 12)])]
    blues = unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(10, 8)])
    dice = {"explosives": [1] * 6, "hit": [1, 1, 1]}
    b = situation([*reds, blues], step="shoot_units", dice=dice, cp=(2, 0), options=ALL)
    play(b, "Explosives: Red A")
    give(b, "shoot_with", "Red A")
    table.default(b, "shoot")
    none = cards(b)
    give(b, "shoot_with", "Red B")
    table.default(b, "shoot")
    play(b, REROLL)
    assert (none, b.player(0).cp) == ([], 0)


@rule("w40k11.strat.one_per_unit", check=3)
def test_an_enemy_picked_in_an_effect_is_no_target() -> None:
    grenadier = with_keywords("GRENADES", weapons=[gun(attacks="1")])
    blues = unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(10, 8)])
    dice = {"explosives": [4, 1, 1, 1, 1, 1], "hit": [6], "wound": [6], "save": [1, 1]}
    b = situation(
        [unit("Reds", "red", grenadier, [(5, 5)]), blues], step="shoot_units", dice=dice, cp=(1, 1), options=ALL
    )
    play(b, "Explosives")
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    play(b, REROLL)
    assert [p.cp for p in b.state.players] == [0, 0]


@rule("w40k11.strat.one_per_unit", check=4)
def test_an_attached_unit_is_one_unit() -> None:
    striker = sheet(blade(attacks="1"), name="Trooper")
    units = [
        unit("Reds", "red", striker, [(10, 10)]),
        unit("Hero", "red", {**HERO, "abilities": ["leader"], "leads": ["Trooper"]}, [(10, 11.2)], leads="Reds"),
        unit("Blues", "blue", PLAIN, [(12, 10)]),
    ]
    b = situation(units, step="begin_fights", dice={"hit": [1, 1, 1]}, cp=(2, 0), options=ALL)
    play(b, "Epic Challenge")
    table.default(b, "strike")
    assert (cards(b), b.player(0).cp) == ([], 1)


# --- Command Re-Roll --------------------------------------------------------------------------------------------------


@rule("w40k11.strat.command_reroll", check=1)
def test_one_of_ten_hit_dice_is_rolled_again() -> None:
    b = shooting(gun(attacks="10"), {"hit": [1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2]})
    play(b, f"{REROLL}: the 1")
    assert [faces for _, faces in rolls(b)] == [(1, 2, 2, 2, 2, 2, 2, 2, 2, 1), (2,)]


@rule("w40k11.strat.command_reroll", check=2)
@rule("w40k11.charge.sequence", check=4)
def test_both_dice_of_a_charge_are_rolled_again() -> None:
    units = [unit("Reds", "red", PLAIN, [(5, 10)]), unit("Blues", "blue", PLAIN, [(12, 10)])]
    b = situation(units, step="charge_units", dice={"charge": [1, 6, 3, 4]}, cp=(1, 0), options=ALL)
    give(b, "charge_with", "Reds")
    play(b, REROLL)
    assert [faces for _, faces in rolls(b)] == [(1, 6), (3, 4)]


@rule("w40k11.strat.command_reroll", check=3)
def test_a_battle_shock_roll_is_not_rolled_again() -> None:
    reds = unit("Reds", "red", PLAIN, row(5, (5, 10)), strength=10)
    dice = {"battle-shock": [1, 1], "advance": [1]}
    b = situation([reds, FOE], step="battle_shock", dice=dice, cp=(1, 0), options=ALL)
    give(b, "react.test_due", None)
    assert (cards(b), kinds(b), rolls(b)) == ([], ["move_with"], [("battle-shock", (1, 1))])


@rule("w40k11.strat.command_reroll", check=3)
def test_an_advance_roll_is_rolled_again() -> None:
    b = situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], dice={"advance": [1, 4]}, cp=(1, 0), options=ALL)
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "advance"})
    play(b, REROLL)
    assert rolls(b) == [("advance", (1,)), ("advance", (4,))]


@rule("w40k11.strat.command_reroll", check=4)
def test_feel_no_pain_is_not_rolled_again() -> None:
    dice = {"hit": [6], "wound": [6], "save": [1], "feel no pain": [1]}
    b = shooting(gun(attacks="1"), dice, cp=(0, 1), blue={"abilities": ["feel no pain 5+"]})
    save = cards(b)
    give(b, "react.after_roll", None)
    assert (save, cards(b), rolls(b)[-1]) == ([f"{REROLL}: the 1 of the save roll"], [], ("feel no pain", (1,)))


@rule("w40k11.strat.command_reroll", check=5)
def test_one_of_several_hazard_dice_is_rolled_again() -> None:
    dice = {"hit": [1, 1], "hazard": [1, 5, 6]}
    b = shooting(gun("hazardous", attacks="1"), dice, models=2)
    give(b, "react.after_roll", None)
    play(b, f"{REROLL}: the 1 of the hazard roll")
    assert (rolls(b)[-2:], wounds(b, "Reds")) == ([("hazard", (1, 5)), ("hazard", (6,))], [2, 2])


@rule("w40k11.strat.command_reroll", check=2)
def test_a_charge_that_fell_short_is_always_offered_again() -> None:
    units = [unit("Reds", "red", PLAIN, [(5, 10)]), unit("Blues", "blue", PLAIN, [(12, 10)])]
    b = situation(units, step="charge_units", dice={"charge": [1, 2]}, cp=(1, 0))
    give(b, "charge_with", "Reds")
    assert cards(b) == [f"{REROLL}: the 1 and 2 of the charge roll"]


@rule("w40k11.strat.command_reroll")
@pytest.mark.parametrize(("who", "kinds_"), [("Blues", ["hit", "wound"]), ("Reds", ["hit", "wound", "save"])])
def test_an_ability_keeps_saves_alone_from_being_rolled_again(who: str, kinds_: list[str]) -> None:
    stubborn = power(who, kind="forbid", what="reroll_saves")
    b = shooting(gun(attacks="1"), {"hit": [6], "wound": [6], "save": [1]}, cp=(1, 1), abilities=[stubborn])
    asked = []
    for _ in kinds_:
        asked += [label.split()[-2] for label in cards(b)]
        give(b, "react.after_roll", None)
    assert (asked, cards(b)) == (kinds_, [])


@rule("w40k11.strat.command_reroll", check=8)
def test_a_save_die_is_rolled_again_before_dice_are_sorted() -> None:
    dice = {"hit": [6, 6], "wound": [6, 6], "save": [1, 6, 5]}
    b = shooting(gun(attacks="2"), dice, cp=(0, 1))
    play(b, f"{REROLL}: the 1 of the save roll")
    assert (wounds(b, "Blues"), rolls(b)[-1]) == ([9], ("save", (5,)))


@rule("w40k11.strat.command_reroll", check=1)
@pytest.mark.parametrize(("damage", "attacks", "number"), [("1", "10", 0), ("6", "1", 1)])
def test_players_are_asked_where_much_depends_on_a_die(damage: str, attacks: str, number: int) -> None:
    units = [unit("Reds", "red", sheet(gun(attacks=attacks, damage=damage), name="Gunner"), [(5, 10)])]
    b = situation(
        [*units, unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(10, 14)])],
        step="shoot_units", dice={"hit": [1] * 10}, cp=(1, 0),
    )  # fmt: skip
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    assert len(cards(b)) == number


# --- Insane Bravery ---------------------------------------------------------------------------------------------------


def nervous(*names: str, dice: list[int] | None = None, **flags: Any) -> Battle11:
    """Units of the Reds at half-strength, before their battle-shock rolls."""
    units = [unit(n, "red", PLAIN, row(5, (5, 5 + 6 * i)), strength=10, **flags) for i, n in enumerate(names)]
    return situation([*units, FOE], step="battle_shock", dice={"battle-shock": dice or []}, cp=(3, 0), options=ALL)


@rule("w40k11.strat.insane_bravery", check=1)
def test_bravery_comes_before_the_roll() -> None:
    b = nervous("Reds", dice=[1, 1])
    before = (cards(b), rolls(b))
    give(b, "react.test_due", None)
    assert (before, kinds(b), named(b, "Reds").battle_shocked) == (
        (["Insane Bravery: Reds"], []),
        ["move_with"],
        True,
    )


@pytest.mark.parametrize(("oc", "asked"), [(1, True), (0, False), (None, False)])
def test_bravery_is_asked_about_for_who_holds_something(oc: int | None, asked: bool) -> None:
    reds = unit("Reds", "red", {**PLAIN, "oc": oc}, row(5, (5, 5)), strength=10)
    b = situation([reds, FOE], step="battle_shock", dice={"battle-shock": [1, 1]}, cp=(3, 0), objectives=[(5, 7)])
    assert ("react.test_due" in kinds(b)) is asked


@rule("w40k11.strat.insane_bravery", check=2)
def test_the_brave_roll_no_dice() -> None:
    b = nervous("Reds")
    play(b, "Insane Bravery")
    assert (rolls(b), named(b, "Reds").battle_shocked, b.player(0).cp) == ([], False, 2)


@rule("w40k11.strat.insane_bravery", check=3)
def test_bravery_is_for_once_in_a_battle() -> None:
    b = nervous("Reds", dice=[6, 6])
    play(b, "Insane Bravery")
    until(b, "move_with", 1)
    until(b, "move_with", 0)
    asked = [e for e in b.events if isinstance(e, Asked) and e.kind == "react.test_due"]
    assert (rolls(b), b.state.round, len(asked)) == ([("battle-shock", (6, 6))], 2, 1)


SQUADS = (("Shocked", 5.0), ("Fresh", 12.0))


@rule("w40k11.strat.insane_bravery", check=4)
def test_the_battle_shocked_are_not_brave() -> None:
    units = [unit(n, "red", PLAIN, row(5, (5, y)), strength=10, battle_shocked=n == "Shocked") for n, y in SQUADS]
    b = situation([*units, FOE], step="battle_shock", dice={"battle-shock": [6, 6]}, cp=(3, 0), options=ALL)
    give(b, "test_with", "Shocked")
    shocked = (rolls(b), cards(b))
    play(b, "Insane Bravery: Fresh")
    assert (shocked, rolls(b), kinds(b)) == (
        ([("battle-shock", (6, 6))], ["Insane Bravery: Fresh"]),
        [("battle-shock", (6, 6))],
        ["move_with"],
    )


@rule("w40k11.strat.insane_bravery", check=5)
def test_other_battle_shock_rolls_are_not_covered() -> None:
    nerve = power("Reds", kind="battle_shock", at="command")
    b = situation(
        [unit("Reds", "red", PLAIN, row(5, (5, 5)), strength=10), FOE],
        step="battle_shock", dice={"battle-shock": [1, 1]}, cp=(3, 0), options=ALL, abilities=[nerve],
    )  # fmt: skip
    play(b, "Insane Bravery")
    assert (cards(b), rolls(b), named(b, "Reds").battle_shocked) == ([], [("battle-shock", (1, 1))], True)


# --- Explosives -------------------------------------------------------------------------------------------------------

GRENADIER = with_keywords("GRENADES", weapons=[gun(attacks="1")])


def throwing(
    *more: Any, sheet_: Any = GRENADIER, at: table.Spots | None = None, gap: float = 4, **flags: Any
) -> Battle11:
    """Reds with explosives, so far from the Blues."""
    reds = unit("Reds", "red", sheet_, at or [(5, 10)], **flags)
    blues = unit("Blues", "blue", {**PLAIN, "wounds": 9}, [(6 + gap, 10)])
    spare = unit("Spare", "red", sheet(gun(), name="Spare"), [(5, 25)])
    dice = {"explosives": [1, 3, 4, 4, 5, 6], "hit": [1] * 9}
    return situation([reds, blues, spare, *more], step="shoot_units", dice=dice, cp=(1, 0))


@rule("w40k11.strat.explosives", check=1)
def test_each_four_up_is_a_mortal_wound() -> None:
    b = throwing()
    play(b, "Explosives")
    assert (rolls(b), wounds(b, "Blues")) == ([("explosives", (1, 3, 4, 4, 5, 6))], [5])


@rule("w40k11.strat.explosives", check=2)
def test_who_has_shot_throws_nothing() -> None:
    b = throwing()
    before = cards(b)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    assert (before, cards(b), offered(b, "shoot_with")) == (["Explosives: Reds at Blues"], [], ["Spare"])


@rule("w40k11.strat.explosives", check=3)
@pytest.mark.parametrize(("moved", "number"), [("advance", 0), ("normal", 1)])
def test_who_advanced_throws_nothing(moved: str, number: int) -> None:
    runner = with_keywords("EXPLOSIVES", weapons=[gun("assault", attacks="1")])
    assert len(cards(throwing(sheet_=runner, moved=moved))) == number


@rule("w40k11.strat.explosives", check=4)
def test_nothing_is_thrown_at_the_engaged() -> None:
    greens = [unit("Greens", "blue", PLAIN, [(5, 14)]), unit("Friends", "red", PLAIN, [(5, 16)])]
    assert cards(throwing(*greens)) == ["Explosives: Reds at Blues"]


@rule("w40k11.strat.explosives", check=4)
@pytest.mark.parametrize(("y", "number"), [(13, 0), (13.1, 2)])
def test_the_engaged_throw_nothing(y: float, number: int) -> None:
    pistols = with_keywords("GRENADES", weapons=[gun("close-quarters", attacks="1")])
    assert len(cards(throwing(unit("Greens", "blue", PLAIN, [(5, y)]), sheet_=pistols))) == number


@rule("w40k11.strat.explosives", check=5)
def test_one_model_of_the_enemy_near_and_in_sight_is_enough() -> None:
    ruin = table.feature("ruins", (9, 13, 6, 1), 9)
    reds = unit("Reds", "red", GRENADIER, [(5, 10), (5, 11.5)])
    blues = unit("Blues", "blue", PLAIN, [(12, 10), (12, 11.5), (13.5, 15)])
    assert cards(situation([reds, blues], [ruin], step="shoot_units", cp=(1, 0))) == ["Explosives: Reds at Blues"]


@rule("w40k11.strat.explosives", check=5)
@pytest.mark.parametrize(("gap", "number"), [(8, 1), (8.1, 0)])
def test_eight_inches_are_measured_from_one_model(gap: float, number: int) -> None:
    assert len(cards(throwing(gap=gap))) == number


@rule("w40k11.strat.explosives", check=5)
@pytest.mark.parametrize(("first", "number"), [(1, 0), (2, 1)])
def test_the_model_with_explosives_has_to_be_near(first: int, number: int) -> None:
    reds = unit(
        "Reds", "red", sheet(gun(attacks="1"), name="Plain"), [(2, 10), (5, 10)],
        loadout=[{"models": [first], "sheet": GRENADIER}],
    )  # fmt: skip
    blues = unit("Blues", "blue", PLAIN, [(13, 10)])
    b = situation([reds, blues], step="shoot_units", cp=(1, 0))
    assert len(cards(b)) == number


@rule("w40k11.strat.explosives", check=5)
def test_the_model_with_explosives_has_to_see_the_enemy() -> None:
    ruin = table.feature("ruins", (7, 5, 1, 10), 6)
    reds = unit("Reds", "red", GRENADIER, [(5, 10)])
    blues = [unit("Blues", "blue", PLAIN, [(10, 10)]), unit("Greens", "blue", PLAIN, [(5, 14)])]
    b = situation([reds, *blues], [ruin], step="shoot_units", cp=(1, 0))
    assert cards(b) == ["Explosives: Reds at Greens"]


@rule("w40k11.strat.explosives", check=6)
def test_who_threw_may_still_shoot() -> None:
    b = throwing()
    play(b, "Explosives")
    assert (offered(b, "shoot_with"), b.player(0).cp) == (["Reds", "Spare"], 0)


# --- Smokescreen ------------------------------------------------------------------------------------------------------

SMOKE = with_keywords("SMOKE", wounds=9)


def smoked(weapon: Any, dice: Any, **more: Any) -> Battle11:
    """The Blues have laid their smoke, and the Reds have shot at them."""
    reds = unit("Reds", "red", sheet(weapon, name="Gunner"), [(5, 10)])
    blues = unit("Blues", "blue", SMOKE, [(12, 10)])
    b = situation([reds, blues], step="shooting_phase", dice=dice, cp=(0, 1), options=ALL, **more)
    play(b, "Smokescreen")
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    return b


@rule("w40k11.strat.smokescreen", check=1)
def test_smoke_is_laid_before_anybody_shoots() -> None:
    units = [unit("Reds", "red", TROOPER, [(5, 10)]), unit("Blues", "blue", SMOKE, [(12, 10)])]
    others = [unit("Others", "blue", PLAIN, [(20, 10)]), unit("Away", "blue", SMOKE, off=1)]
    b = situation([*units, *others], step="shooting_phase", cp=(0, 1))
    before = (kinds(b), b.decisions[0].player, cards(b))
    give(b, "react.phase_began", None)
    assert (before, kinds(b), cards(b)) == ((["react.phase_began"], 1, ["Smokescreen: Blues"]), ["shoot_with"], [])


@rule("w40k11.strat.smokescreen", check=2)
@pytest.mark.parametrize(("face", "wound"), [(3, 0), (4, 1)])
def test_smoke_gives_cover(face: int, wound: int) -> None:
    b = smoked(gun(attacks="1"), {"hit": [face], "wound": [6] * wound, "save": [1] * wound})
    assert [kind for kind, _ in rolls(b)].count("wound") == wound


@rule("w40k11.strat.smokescreen", check=3)
@pytest.mark.parametrize(
    ("y", "use", "hits"), [(10.6, "Smokescreen: Blues", 0), (12.5, "Smokescreen: Blues", 1), (10.6, None, 1)]
)
def test_smoke_gives_cover_to_who_is_partly_behind_it(y: float, use: str | None, hits: int) -> None:
    reds = unit("Reds", "red", sheet(gun(attacks="1"), name="Gunner"), [(5, 10)])
    behind = unit("Behind", "blue", {**PLAIN, "wounds": 9}, [(20, y + 1.5), (20, y)])
    blues = [unit("Blues", "blue", SMOKE, [(12, 10)]), behind]
    other = [{"kind": "hit_modifier", "unit": "Blues", "value": -1}]
    dice = {"hit": [3], "wound": [1]}
    b = situation([reds, *blues], step="shooting_phase", dice=dice, cp=(0, 1), effects=other)
    give(b, "react.phase_began", use)
    give(b, "shoot_with", "Reds")
    give(b, "shoot", [{"weapon": "rifle", "target": "Behind"}])
    assert [k for k, _ in rolls(b)] == ["hit", "wound"][: 1 + hits]


@pytest.mark.parametrize(("attacks", "behind", "asked"), [(12, False, False), (60, False, True), (60, True, True)])
def test_players_are_asked_about_smoke_where_it_spares_much(attacks: int, behind: bool, asked: bool) -> None:
    """Also where it spares those who stand behind it."""
    reds = unit("Reds", "red", sheet(gun(attacks=f"{attacks}"), name="Gunner"), [(5, 10)])
    blues = [unit("Blues", "blue", {**SMOKE, "wounds": 90 if behind else 9}, [(12, 10)])]
    if behind:
        blues.append(unit("Behind", "blue", {**PLAIN, "wounds": 9}, [(20, 10.6)]))
    b = situation([reds, *blues], step="shooting_phase", cp=(0, 1))
    d = table.asked(b, "react.phase_began")
    heard: list[str] = []
    StandingOrders(default_orders(b.system), Hears(heard)).choose(b.view(1), d)
    assert (questions.matters(b, d, None), bool(heard)) == (("losses",) if asked else (), asked)


def test_what_shots_cost_as_things_are_is_worked_out_once_for_all_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    reds = unit("Reds", "red", sheet(gun(attacks="60"), name="Gunner"), [(5, 10)])
    b = situation([reds, unit("Blues", "blue", {**SMOKE, "wounds": 9}, [(12, 10)])], step="shooting_phase", cp=(0, 1))
    blue = b.units()[1]
    solved: list[Any] = []

    def solve(attack: Any) -> tuple[float, float]:
        solved.append(attack)
        return toll_of(attack)

    monkeypatch.setattr(sparing, "toll_of", solve)
    smoke = [Effect(cover.SMOKE, blue.id)]
    assert [sparing.spares_anybody(b, blue.player, smoke) for _ in range(2)] == [True, True]
    assert len(solved) == 3


@pytest.mark.parametrize(("left", "asked"), [(3, True), (4, False)])
def test_smoke_may_spare_a_tenth_of_the_chance_that_one_shot_is_the_end(left: int, asked: bool) -> None:
    lance = gun(attacks="1", skill=5, strength=5, ap=-4, damage="3")
    reds = unit("Reds", "red", sheet(lance, name="Gunner"), [(5, 10)])
    blues = unit("Blues", "blue", {**SMOKE, "wounds": 12}, [(12, 10)], wounds={1: left})
    b = situation([reds, blues], step="shooting_phase", cp=(0, 1))
    assert questions.matters(b, table.asked(b, "react.phase_began"), None) == (("losses",) if asked else ())


class Hears:
    """Notes what is asked."""

    def __init__(self, heard: list[str]) -> None:
        self.heard = heard

    def choose(self, view: Any, decision: Any) -> Any:
        self.heard.append(decision.kind)


@rule("w40k11.strat.smokescreen", check=4)
def test_smoke_gives_no_stealth() -> None:
    b = smoked(gun(attacks="2"), {"hit": [3, 4], "wound": [1]})
    assert rolls(b) == [("hit", (3, 4)), ("wound", (1,))]


@rule("w40k11.strat.smokescreen", check=5)
def test_smoke_does_nothing_against_weapons_that_ignore_cover() -> None:
    b = smoked(gun("ignores cover", attacks="1"), {"hit": [3], "wound": [1]})
    plain = smoked(gun(attacks="1"), {"hit": [3]})
    assert ([kind for kind, _ in rolls(b)], [kind for kind, _ in rolls(plain)]) == (["hit", "wound"], ["hit"])


# --- Fire Overwatch ---------------------------------------------------------------------------------------------------

WATCHER = sheet(gun(attacks="1"), name="Watcher")


def watching(
    *more: Any, gap: float = 10, sheet_: Any = WATCHER, step: str = "move_units", cp: int = 1, **keys: Any
) -> Battle11:
    """The Reds have moved, and the Blues watch."""
    reds = unit("Reds", "red", {**PLAIN, "wounds": 9}, [(5, 10)])
    blues = unit("Blues", "blue", sheet_, [(6 + gap, 10)])
    return situation([reds, blues, *more], step=step, cp=(0, cp), options=ALL, **keys)


def stand_still(b: Battle11) -> None:
    """All Reds remain stationary."""
    while kinds(b)[0] in ("move_with", "move"):
        answer = {"move_with": lambda d: d.options[0].value, "move": lambda d: Moves("stationary")}[kinds(b)[0]]
        b.answer(b.decisions[0], answer(b.decisions[0]))


@rule("w40k11.strat.fire_overwatch", check=1)
def test_overwatch_waits_for_the_end_of_the_movement_phase() -> None:
    b = watching(dice={"hit": [1]})
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    at_end = (kinds(b), cards(b), b.state.game.phase)
    give(b, "react.phase_ended", None)
    later = []
    while b.state.active == 0:
        later += cards(b)
        until(b, kinds(b)[0])
        b.answer(b.decisions[0], None)
    assert (at_end, later) == ((["react.phase_ended"], ["Fire Overwatch: Blues"], "movement"), [])


def test_a_short_account_names_overwatch() -> None:
    b = watching(dice={"hit": [1]})
    stand_still(b)
    play(b, "Fire Overwatch")
    table.default(b, "shoot")
    shots = next(e for e in b.events if isinstance(e, Told) and e.kind == "shoots")
    assert brief(b, shots) == Brief(verb="fires Overwatch at")


@rule("w40k11.strat.fire_overwatch", check=2)
@pytest.mark.parametrize(("gap", "number"), [(2, 0), (2.1, 1)])
def test_the_engaged_do_not_watch(gap: float, number: int) -> None:
    other = unit("Others", "red", PLAIN, [(5, 20)])
    b = watching(other, gap=gap)
    stand_still(b)
    assert len(cards(b)) == number


@rule("w40k11.strat.fire_overwatch", check=3)
@pytest.mark.parametrize(("keywords", "number"), [(["TITANIC", "VEHICLE"], 0), (["VEHICLE"], 1)])
def test_the_titanic_do_not_watch(keywords: list[str], number: int) -> None:
    b = watching(sheet_={**WATCHER, "keywords": keywords})
    stand_still(b)
    assert len(cards(b)) == number


@rule("w40k11.strat.fire_overwatch", check=4)
def test_any_visible_enemy_within_24_inches_is_shot_at() -> None:
    far = [unit("Near", "red", PLAIN, [(16, 13)]), unit("Far", "red", PLAIN, [(16, 28)])]
    ruin = table.feature("ruins", (38, 18, 4, 4), 9)
    hidden = unit("Hidden", "red", PLAIN, [(43, 23)])
    b = situation(
        [*far, hidden, unit("Reds", "red", PLAIN, [(5, 10)]), unit("Blues", "blue", {**WATCHER}, [(29.5, 10)])],
        [ruin], step="move_units", cp=(0, 1), options=ALL, dice={"hit": [1]},
    )  # fmt: skip
    stand_still(b)
    play(b, "Fire Overwatch")
    assert (offered(b, "snap_target"), b.decisions[0].player) == (["Far", "Near", "Reds"], 1)


@rule("w40k11.strat.fire_overwatch", check=4)
@pytest.mark.parametrize(("gap", "labels"), [(24, ["Fire Overwatch: Blues"]), (24.1, [])])
def test_without_an_enemy_within_24_inches_nobody_watches(gap: float, labels: list[str]) -> None:
    b = watching(gap=gap, sheet_=sheet(gun(attacks="1", range=48), name="Watcher"))
    stand_still(b)
    assert cards(b) == labels


@rule("w40k11.strat.fire_overwatch", check=5)
def test_overwatch_is_for_once_in_a_phase() -> None:
    b = watching(unit("Greens", "blue", WATCHER, [(16, 14)]), cp=3, dice={"hit": [1, 1]})
    stand_still(b)
    before = cards(b)
    play(b, "Fire Overwatch: Blues")
    table.default(b, "shoot")
    assert (before, b.player(1).cp, [c for c in cards(b) if c.startswith("Fire")]) == (
        ["Fire Overwatch: Blues", "Fire Overwatch: Greens"],
        2,
        [],
    )


@rule("w40k11.concept.active_player_switch", check=1)
def test_who_fires_overwatch_is_active_until_the_attacks_are_made() -> None:
    b = watching(dice={"hit": [6], "wound": [6], "save": [1]})
    stand_still(b)
    play(b, "Fire Overwatch")
    during = active_player(b)
    table.default(b, "shoot")
    saves = next(e.player for e in b.events if getattr(e, "reason", "") == "save")
    assert (during, saves, active_player(b)) == (1, 0, 0)


def test_a_use_is_told() -> None:
    b = throwing()
    play(b, "Explosives")
    assert "stratagem" in told(b)


# --- Hits that are not rolled again -----------------------------------------------------------------------------------


@rule("w40k11.strat.command_reroll", check=7)
@pytest.mark.parametrize(("way", "number"), [("indirect", 0), ("normal", 1)])
def test_hits_of_indirect_shooting_are_not_rolled_again(way: str, number: int) -> None:
    units = [unit("Reds", "red", sheet(gun("indirect fire", attacks="1"), name="Mortar"), [(5, 10)])]
    b = situation([*units, FOE, unit("Blues", "blue", PLAIN, [(12, 10)])], step="shoot_units", dice={"hit": [1]},
                  cp=(1, 0), options=ALL)  # fmt: skip
    give(b, "shoot_with", "Reds")
    give(b, "shooting_type", way)
    until(b, "shoot")
    table.default(b, "shoot")
    assert len(cards(b)) == number


@rule("w40k11.strat.command_reroll", check=7)
def test_hits_of_other_weapons_in_indirect_shooting_are_rolled_again() -> None:
    mixed = sheet(gun(name="rifle", attacks="1"), gun("indirect fire", name="mortar", attacks="1"), name="Mixed")
    units = [unit("Reds", "red", mixed, [(5, 10)]), FOE, unit("Blues", "blue", PLAIN, [(12, 10)])]
    b = situation(units, step="shoot_units", dice={"hit": [1, 1]}, cp=(1, 0), options=ALL)
    give(b, "shoot_with", "Reds")
    give(b, "shooting_type", "indirect")
    give(b, "shoot", [{"weapon": i, "target": "Blues"} for i in ("0", "1")])
    rifle = (cards(b), rolls(b))
    b.answer(b.decisions[0], None)
    again = [f"{REROLL}: the 1 of the hit roll"]
    assert (rifle, cards(b), rolls(b)) == ((again, [("hit", (1,))]), [], [("hit", (1,))] * 2)


@rule("w40k11.strat.command_reroll", check=7)
def test_wounds_of_indirect_shooting_and_later_hits_are_rolled_again() -> None:
    arms = [gun("indirect fire", attacks="1"), blade(attacks="1")]
    units = [unit("Reds", "red", sheet(*arms, name="Mortar"), [(5, 10)])]
    dice = {"hit": [6, 1], "wound": [1], "charge": [6, 6]}
    b = situation(
        [*units, unit("Blues", "blue", PLAIN, [(12, 10)]), FOE], step="shoot_units", dice=dice, cp=(2, 0), options=ALL
    )
    give(b, "shoot_with", "Reds")
    give(b, "shooting_type", "indirect")
    table.default(b, "shoot")
    wound = cards(b)
    give(b, "react.after_roll", None)
    give(b, "charge_with", "Reds")
    give(b, "react.after_roll", None)
    give(b, "charge_move", {"mode": "charge", "to": [(11, 10)]})
    until(b, "strike")
    table.default(b, "strike")
    assert (wound, cards(b)) == ([f"{REROLL}: the 1 of the wound roll"], [f"{REROLL}: the 1 of the hit roll"])


@rule("w40k11.strat.command_reroll", check=7)
def test_hits_of_snap_shooting_are_not_rolled_again() -> None:
    b = watching(unit("Greens", "blue", PLAIN, [(16, 14)]), cp=3, dice={"hit": [1]})
    stand_still(b)
    play(b, "Fire Overwatch: Blues")
    table.default(b, "shoot")
    assert ([c for c in cards(b) if c.startswith(REROLL)], rolls(b)) == ([], [("hit", (1,))])


# --- Rapid Ingress ----------------------------------------------------------------------------------------------------


def waiting(doc: Any = PLAIN, *more: Any, round_: int = 2, **keys: Any) -> Battle11:
    """The Reds have moved, and the Late ones of the Blues wait in strategic reserves."""
    units = [unit("Reds", "red", PLAIN, [(30, 15)]), FOE, unit("Late", "blue", doc, off=1, reserve="strategic"), *more]
    ground = {"mission": table.mission(), "game": {"attacker": 0}}
    b = situation(units, step="move_units", cp=(0, 1), round_=round_, options=ALL, **ground, **keys)
    stand_still(b)
    return b


INGRESS = "Rapid Ingress: Late"


@rule("w40k11.strat.rapid_ingress", check=1)
@pytest.mark.parametrize(("round_", "labels"), [(1, []), (2, [INGRESS])])
def test_nobody_arrives_rapidly_in_the_first_round(round_: int, labels: list[str]) -> None:
    early = power("Late", kind="allow", what="arrive_round_one")
    assert cards(waiting(round_=round_, abilities=[early])) == labels


@rule("w40k11.strat.rapid_ingress", check=2)
@pytest.mark.parametrize(
    ("keywords", "labels"), [(["VEHICLE", "AIRCRAFT", "FLY"], []), (["VEHICLE", "FLY"], [INGRESS])]
)
def test_aircraft_do_not_arrive_rapidly(keywords: list[str], labels: list[str]) -> None:
    assert cards(waiting({**PLAIN, "keywords": keywords})) == labels


@rule("w40k11.strat.rapid_ingress", check=3)
def test_who_arrives_rapidly_keeps_to_all_restrictions() -> None:
    b = waiting()
    play(b, "Rapid Ingress")
    refused = [table.cites(table.judge(b, "arrive", [spot])) for spot in ([10, 3], [15, 15], [30, 22])]
    give(b, "arrive", [[3, 15]])
    assert (refused, table.alive(b, "Late"), b.player(1).cp) == ([{"w40k11.reserves.ingress"}] * 3, 1, 0)


@rule("w40k11.strat.rapid_ingress", check=4)
def test_passengers_do_not_arrive_by_themselves() -> None:
    box = unit("Late", "blue", RHINO, off=1, reserve="strategic")
    riders = unit("Riders", "blue", TROOPER, off=2, embarked="Late", reserve="strategic")
    units = [unit("Reds", "red", PLAIN, [(30, 15)]), FOE, box, riders]
    b = situation(units, step="move_units", cp=(0, 1), round_=2, options=ALL)
    stand_still(b)
    assert cards(b) == [INGRESS]
