"""The Fight phase: who fights when, who reaches whom, and with what."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled, Told
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import judge, offered, refused_by
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    blade,
    fight,
    give,
    gun,
    kinds,
    last,
    melee,
    named,
    range_,
    rolls,
    sheet,
    situation,
    stay,
    stories,
    strike,
    strikers,
    told,
    under,
    unit,
    wounds,
)

rule = pytest.mark.rule
RED: Doc = sheet(blade(), name="Red")
BLUE: Doc = sheet(blade(), name="Blue", wounds=5, save=7)


def pairs(count: int, red: Doc = RED, blue: Doc = BLUE, **flags: Any) -> list[UnitDoc]:
    """Red and blue units face to face, two by two, far from the next pair; flags are those of the reds."""
    units = []
    for i in range(count):
        units.append(unit(f"Red {i + 1}", "red", red, [(10, 4.0 + 6 * i)], **flags))
        units.append(unit(f"Blue {i + 1}", "blue", blue, [(11, 4.0 + 6 * i)]))
    return units


def charged(*targets: int) -> Doc:
    """The flags of a unit that charged these."""
    return {"charged": True, "targets": targets}


def fought(b: Battle8) -> list[str]:
    """Who has fought so far, in this order."""
    return [b.unit(e.units[0]).name for e in b.events if isinstance(e, Told) and e.kind == "fights"]


def play(b: Battle8, *names: str) -> list[str]:
    """Let units fight as they are named, where there is a choice, until nothing is asked; who fought, in order."""
    wanted = list(names)
    while stay(b).decisions:
        if kinds(b) == ["strike"]:
            b.answer(b.decisions[0], b.default(b.decisions[0]))
        else:
            give(b, "fight_with", wanted.pop(0))
    return fought(b)


MISSES = {"hit": [1] * 40}


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k8.fight.sequence", check=1)
def test_a_unit_goes_through_all_its_steps_before_another_is_chosen() -> None:
    b = situation(pairs(2), step="fight_phase", dice=MISSES)
    fight(b, "Red 1")
    assert (kinds(b), asked(b, "strike").unit) == (["strike"], named(b, "Red 1").id)


@rule("w40k8.fight.sequence", check=2)
def test_a_unit_without_anybody_to_strike_makes_no_attacks_and_may_consolidate() -> None:
    units = [unit("Reds", "red", RED, [(10, 8)], **charged(1)), unit("Blues", "blue", BLUE, [(14.5, 8)], fought=True)]
    b = situation(units, step="fight_units")
    give(b, "pile_in", {"mode": "pile_in"})
    struck_nobody = (told(b)[-1], rolls(b), kinds(b))
    give(b, "consolidate", {"mode": "consolidate", "to": [[13, 8]]})
    assert (struck_nobody, kinds(b)) == (("no_targets", [], ["consolidate"]), [])


# --- Who fights -------------------------------------------------------------------------------------------------------


@rule("w40k8.fight.eligible", check=1)
def test_units_of_both_players_fight() -> None:
    assert play(situation(pairs(1), step="fight_phase", dice=MISSES)) == ["Red 1", "Blue 1"]


@rule("w40k8.fight.eligible", check=2)
def test_a_unit_that_charged_fights_though_no_enemy_is_left_near_it() -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], **charged(1)),
        unit("Blues", "blue", BLUE, [(12.1, 8)]),
        unit("Others", "red", RED, [(10, 20)]),
        unit("Far", "blue", BLUE, [(12.1, 20)]),
    ]
    assert play(situation(units, step="fight_phase")) == ["Reds"]


@rule("w40k8.fight.eligible", check=3)
@pytest.mark.parametrize(("end", "order"), [((10.9, 8.6), ["Reds", "Near", "Blues"]), ((11, 8), ["Reds", "Blues"])])
def test_a_unit_that_somebody_piles_in_upon_fights_from_then_on(end: tuple[float, float], order: list[str]) -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], **charged(1)),
        unit("Blues", "blue", BLUE, [(12.4, 8)]),
        unit("Near", "blue", BLUE, [(11.8, 9.9)]),
    ]
    b = situation(units, step="fight_phase", dice=MISSES)
    give(b, "pile_in", {"mode": "pile_in", "to": [list(end)]})
    assert play(b, "Near") == order


@rule("w40k8.fight.eligible", check=4)
@pytest.mark.parametrize("moved", ["advance", "fall_back"])
def test_a_unit_that_advanced_or_fell_back_fights_with_an_enemy_near(moved: str) -> None:
    b = situation(pairs(1, moved=moved), step="fight_phase", dice=MISSES)
    assert play(b) == ["Red 1", "Blue 1"]


@rule("w40k8.fight.eligible", check=5)
def test_nobody_passes_over_a_unit_that_may_fight() -> None:
    b = situation(pairs(2), step="fight_phase", dice=MISSES)
    assert not judge(b, "fight_with", None)
    assert sorted(play(b, "Red 2", "Blue 1")) == ["Blue 1", "Blue 2", "Red 1", "Red 2"]


@rule("w40k8.fight.eligible", check=(1, 2, 4))
@pytest.mark.parametrize(("gap", "fights"), [(1.0, True), (1.01, False)])
def test_an_enemy_is_near_at_exactly_1_inch(gap: float, fights: bool) -> None:
    units = [unit("Reds", "red", RED, [(10, 8)]), unit("Blues", "blue", BLUE, [(11 + gap, 8)]), *pairs(2)]
    b = situation(units, step="fight_phase", dice=MISSES)
    assert bool(b.why_not("fight", named(b, "Reds").id)) is fights


# --- In which order ---------------------------------------------------------------------------------------------------


def two_chargers() -> Battle8:
    """Two red units that charged, one that did not, and three blues."""
    units = pairs(3)
    units[0] = unit("Red 1", "red", RED, [(10, 4)], **charged(1))
    units[2] = unit("Red 2", "red", RED, [(10, 10)], **charged(3))
    return situation(units, step="fight_phase", dice=MISSES)


@rule("w40k8.fight.chargers_first", check=1)
def test_nobody_fights_before_all_chargers_have() -> None:
    b = two_chargers()
    assert (offered(b, "fight_with"), asked(b, "fight_with").player) == (["Red 1", "Red 2"], 0)
    refused_by(b, "fight_with", "Red 3", "w40k8.fight.chargers_first")


@rule("w40k8.fight.chargers_first", check=2)
@pytest.mark.parametrize("order", [["Red 1", "Red 2"], ["Red 2", "Red 1"]])
def test_the_active_player_orders_the_chargers(order: list[str]) -> None:
    assert play(two_chargers(), order[0], "Blue 2", "Blue 3")[:2] == order


@rule("w40k8.fight.chargers_first", check=3)
def test_chargers_do_not_alternate_with_anybody() -> None:
    assert play(two_chargers(), "Red 1", "Blue 3", "Blue 1") == [
        "Red 1", "Red 2", "Red 3", "Blue 3", "Blue 1", "Blue 2",
    ]  # fmt: skip


@rule("w40k8.fight.chargers_first", check=4)
def test_a_character_that_intervened_is_no_charger() -> None:
    units = [*pairs(2), unit("Hero", "blue", {**BLUE, "keywords": ["CHARACTER"]}, [(9, 4)], intervened=True)]
    units[0] = unit("Red 1", "red", RED, [(10, 4)], **charged(1))
    assert play(situation(units, step="fight_phase", dice=MISSES), "Hero", "Blue 1")[:3] == ["Red 1", "Red 2", "Hero"]


@rule("w40k8.fight.chargers_first", check=5)
@rule("w40k8.fight.alternate", check=4)
def test_plague_marines_that_charged_fight_before_the_intercessors() -> None:
    units = [
        unit("Intercessors", "blue", BLUE, [(11, 8)]),
        unit("Plague Marines", "red", RED, [(10, 8)], **charged(0)),
    ]
    assert play(situation(units, step="fight_phase", dice=MISSES)) == ["Plague Marines", "Intercessors"]


@rule("w40k8.fight.alternate", check=1)
@pytest.mark.parametrize(("active", "first"), [("red", 0), ("blue", 1)])
def test_the_active_player_chooses_first(active: str, first: int) -> None:
    b = situation(pairs(2), step="fight_phase", active=active)
    assert asked(b, "fight_with").player == first


@rule("w40k8.fight.alternate", check=2)
def test_the_players_choose_in_turn() -> None:
    b = situation(pairs(2), step="fight_phase", dice=MISSES)
    assert play(b, "Red 2", "Blue 1") == ["Red 2", "Blue 1", "Red 1", "Blue 2"]


@rule("w40k8.fight.alternate", check=3)
def test_the_opponent_chooses_at_once_if_the_active_player_has_nobody() -> None:
    units = pairs(2, fought=True)
    assert play(situation(units, step="fight_phase", dice=MISSES), "Blue 2") == ["Blue 2", "Blue 1"]


@rule("w40k8.fight.once", check=1)
def test_a_unit_that_fought_does_not_fight_again() -> None:
    b = situation(pairs(3), step="fight_phase", dice=MISSES)
    fight(b, "Red 1")
    strike(b, ("Red", 1, "Blue 1"))
    fight(b, "Blue 1")
    strike(b, ("Blue", 1, "Red 1"))
    refused_by(b, "fight_with", "Red 1", "w40k8.fight.once")
    assert offered(b, "fight_with") == ["Red 2", "Red 3"]
    assert play(b, "Red 2", "Blue 3") == ["Red 1", "Blue 1", "Red 2", "Blue 3", "Red 3", "Blue 2"]


@rule("w40k8.fight.once", check=2)
def test_with_one_player_out_of_units_the_other_goes_on_alone() -> None:
    units = pairs(3)
    units[0] = unit("Red 1", "red", RED, [(10, 4)], fought=True)
    units[2] = unit("Red 2", "red", RED, [(10, 10)], fought=True)
    b = situation(units, step="fight_phase", dice=MISSES)
    assert play(b, "Blue 1", "Blue 2") == ["Red 3", "Blue 1", "Blue 2", "Blue 3"]


@rule("w40k8.fight.once", check=3)
@pytest.mark.parametrize(
    ("end", "order"), [((11.2, 8.6), ["Blue 1", "Idle", "Blue 2"]), ((11.2, 8), ["Blue 1", "Blue 2"])]
)
def test_who_gets_somebody_to_fight_with_again_takes_turns_again(end: tuple[float, float], order: list[str]) -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], fought=True),
        unit("Blue 1", "blue", BLUE, [(11.5, 8)]),
        unit("Idle", "red", RED, [(12, 10.3)]),
        unit("Others", "red", RED, [(10, 20)], fought=True),
        unit("Blue 2", "blue", BLUE, [(11, 20)]),
    ]
    b = situation(units, step="fight_phase", dice=MISSES)
    give(b, "fight_with", "Blue 1")
    give(b, "pile_in", {"mode": "pile_in"})
    give(b, "strike", [{"weapon": "Blue", "target": "Reds"}])
    give(b, "consolidate", {"mode": "consolidate", "to": [list(end)]})
    assert play(b) == order


# --- Who can be struck ------------------------------------------------------------------------------------------------


def reached(*reds: tuple[float, ...], blues: tuple[float, ...] = (20, 10), **more: Any) -> int:
    """How many attacks a red unit with models at these places has against a blue model; 0 where it has none."""
    units = [unit("Reds", "red", RED, list(reds), **charged(1)), unit("Blues", "blue", BLUE, [blues], fought=True)]
    b = situation(units, step="fight_units", dice=MISSES, **more)
    return strikers(b)["Red"] if kinds(stay(b)) == ["strike"] else 0


@rule("w40k8.fight.reach", check=1)
def test_a_model_within_1_inch_may_strike() -> None:
    assert reached((18.5, 10)) == 1


@rule("w40k8.fight.reach", check=2)
def test_the_second_rank_strikes_across_the_first() -> None:
    assert reached((18.5, 10), (17, 10)) == 2


@rule("w40k8.fight.reach", check=3)
def test_the_third_rank_does_not_strike() -> None:
    assert reached((18.5, 10), (17, 10), (15.5, 10)) == 2


@rule("w40k8.fight.reach", check=4)
def test_nobody_strikes_across_another_unit() -> None:
    units = [
        unit("Reds", "red", RED, [(17, 10)], **charged(2)),
        unit("Friends", "red", RED, [(18.5, 10)], fought=True),
        unit("Blues", "blue", BLUE, [(20, 10)], fought=True),
    ]
    b = stay(situation(units, step="fight_units"))
    assert (fought(b), rolls(b), kinds(b)) == (["Reds"], [], [])


@rule("w40k8.fight.reach", check=5)
def test_the_comrade_must_be_near_the_very_unit_that_is_struck() -> None:
    units = [
        unit("Reds", "red", RED, [(18.5, 10), (17, 10)]),
        unit("Blues", "blue", BLUE, [(20, 10)], fought=True),
        unit("Others", "blue", BLUE, [(18.5, 11.5)], fought=True),
        unit("Beyond", "blue", BLUE, [(14.8, 10)], fought=True),
    ]
    rows: Any = asked(stay(situation(units, step="fight_units")), "strike")
    reach = {tuple(row.targets): row.count for row in rows.rows}
    assert reach == {(1, 2): 2}


@rule("w40k8.fight.reach", check=6)
@pytest.mark.parametrize(
    ("reds", "struck"),
    [
        ([(18, 10)], 1),
        ([(17.99, 10)], 0),
        ([(18, 10), (16, 10)], 2),
        ([(18, 10), (15.99, 10)], 1),
        ([(18, 10, 0), (18, 11, 1)], 2),
        ([(18, 10, 0), (18, 11, 1.01)], 1),
    ],
)
def test_exactly_1_inch_is_near_enough_in_space(reds: list[tuple[float, ...]], struck: int) -> None:
    assert reached(*reds) == struck


@rule("w40k8.fight.reach", check=7)
@pytest.mark.parametrize(("end", "asked_for"), [((18, 10), ["strike"]), ((17.9, 10), ["consolidate"])])
def test_places_after_the_pile_in_say_who_strikes(end: tuple[float, float], asked_for: list[str]) -> None:
    units = [unit("Reds", "red", RED, [(17, 10)], **charged(1)), unit("Blues", "blue", BLUE, [(20, 10)], fought=True)]
    b = situation(units, step="fight_units")
    give(b, "pile_in", {"mode": "pile_in", "to": [list(end)]})
    assert kinds(b) == asked_for


@rule("w40k8.fight.reach", check=8)
def test_whom_one_strikes_need_not_be_visible() -> None:
    wall = FeatureDoc("wall", "wall", "A wall", (19.2, 5.0, 0.1, 10.0), height=6, solid=True)
    assert reached((18.6, 10), blues=(20, 10), terrain=[wall]) == 1


def struck(b: Battle8) -> list[str]:
    """Whom the unit that fights may strike."""
    question: Any = asked(stay(b), "strike")
    return [target.label for target in question.targets]


@rule("w40k8.fight.charged_targets", check=1)
def test_chargers_do_not_strike_whom_they_did_not_charge() -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], **charged(1)),
        unit("Blues", "blue", BLUE, [(11, 8)], fought=True),
        unit("Others", "blue", BLUE, [(9, 8)], fought=True),
    ]
    b = stay(situation(units, step="fight_units"))
    refused_by(b, "strike", [{"weapon": "Red", "target": "Others"}])
    assert struck(b) == ["Blues"]


@rule("w40k8.fight.charged_targets", check=2)
def test_a_target_that_the_charge_did_not_reach_is_struck_if_it_is_near_now() -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], **charged(1, 2)),
        unit("Blues", "blue", BLUE, [(11, 8)], fought=True),
        unit("Others", "blue", BLUE, [(8.2, 8)], fought=True),
    ]
    assert struck(situation(units, step="fight_units")) == ["Blues", "Others"]


@rule("w40k8.fight.charged_targets", check=3)
def test_who_did_not_charge_strikes_anybody() -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)]),
        unit("Blues", "blue", BLUE, [(11, 8)], fought=True),
        unit("Others", "blue", BLUE, [(9, 8)], fought=True),
    ]
    assert struck(situation(units, step="fight_units")) == ["Blues", "Others"]


@rule("w40k8.fight.charged_targets", check=4)
def test_who_was_not_charged_strikes_the_chargers() -> None:
    units = [
        unit("Reds", "red", RED, [(10, 8)], **charged(1), fought=True),
        unit("Blues", "blue", BLUE, [(11, 8)], fought=True),
        unit("Others", "blue", BLUE, [(9, 8)]),
    ]
    assert struck(situation(units, step="fight_units")) == ["Reds"]


# --- Splitting --------------------------------------------------------------------------------------------------------


def between_two(red: Doc, dice: Any, **more: Any) -> Battle8:
    """A red model between a blue one and another."""
    units = [
        unit("Reds", "red", red, [(10, 8)]),
        unit("Blues", "blue", bare(**more), [(11, 8)], fought=True),
        unit("Others", "blue", bare(name="Other"), [(9, 8)], fought=True),
    ]
    return stay(situation(units, step="fight_units", dice=dice))


@rule("w40k8.fight.split", check=1)
def test_a_model_divides_its_attacks_between_units() -> None:
    b = between_two(sheet(blade(), name="Red", attacks=3), {"hit": [2, 2, 2]})
    strike(b, ("Red", 2, "Blues"), ("Red", 1, "Others"))
    assert (rolls(b), kinds(b)) == ([("hit", (2, 2)), ("hit", (2,))], [])


@rule("w40k8.fight.split", check=2)
@rule("w40k8.fight.weapon", check=4)
def test_all_blows_are_announced_before_the_first_die() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=2)
    b = between_two(red, {"hit": [2, 2]})
    before = rolls(b)
    strike(b, ("Red", 1, "Blues", "sword"), ("Red", 1, "Others", "fist"))
    assert (before, rolls(b), kinds(b)) == ([], [("hit", (2,)), ("hit", (2,))], [])


@rule("w40k8.fight.split", check=3)
def test_all_attacks_on_one_unit_come_in_a_row() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=3)
    b = between_two(red, {"hit": [2, 2, 2]})
    strike(b, ("Red", 1, "Others", "sword"), ("Red", 1, "Blues", "sword"), ("Red", 1, "Others", "fist"))
    assert [text.partition(" at ")[2].partition(",")[0] for text in stories(b)] == ["Others", "Others", "Blues"]


@rule("w40k8.fight.split", check=4)
@rule("w40k8.gap.target_gone", check=1)
def test_attacks_at_a_unit_that_is_gone_are_lost() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=3)
    b = between_two(red, {"hit": [3, 2], "wound": [4]})
    strike(b, ("Red", 1, "Blues", "sword"), ("Red", 1, "Blues", "fist"), ("Red", 1, "Others", "fist"))
    assert (rolls(b), alive(b, "Blues"), alive(b, "Others")) == (
        [("hit", (3,)), ("wound", (4,)), ("hit", (2,))], 0, 1,
    )  # fmt: skip


@rule("w40k8.fight.split", check=5)
@rule("w40k8.gap.target_gone", check=2)
def test_losses_that_put_the_rest_out_of_reach_cancel_nothing() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=2)
    blues = unit("Blues", "blue", bare(), [(11, 8), (13, 8)], loadout=TWO, fought=True)
    b = situation(
        [unit("Reds", "red", red, [(10, 8)]), blues], step="fight_units", dice={"hit": [3, 3], "wound": [4, 4]}
    )
    strike(b, ("Red", 1, "Blues", "sword"), ("Red", 1, "Blues", "fist"))
    give(b, "allocate", "Target 1")
    assert (alive(b, "Blues"), kinds(stay(b))) == (0, [])


TWO = [{"models": [2], "sheet": bare(name="Veteran")}]


# --- How many, and with what ------------------------------------------------------------------------------------------


@rule("w40k8.fight.attack_count", check=1)
def test_two_attacks_are_two_hit_rolls_and_no_fewer() -> None:
    b = stay(melee([], red=sheet(blade(), name="Red", attacks=2), dice={"hit": [2, 2]}))
    verdict = refused_by(b, "strike", [{"weapon": "Red", "target": "Blues", "count": 1}], "w40k8.fight.attack_count")
    b.answer(b.decisions[0], verdict.instead)
    assert (rolls(b), kinds(stay(b))) == ([("hit", (2, 2))], [])


@rule("w40k8.fight.attack_count", check=2)
@rule("w40k8.fight.weapon", check=3)
def test_two_weapons_give_no_attack_more() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=2)
    assert strikers(melee([], red=red)) == {"Red": 2}


@rule("w40k8.fight.attack_count", check=3)
@rule("w40k8.stat.random_other", check=1)
def test_random_attacks_are_thrown_for_each_model() -> None:
    b = melee([], red=sheet(blade(), name="Red", attacks="D6"), fighters=2, targets=2, dice={"attacks": [2, 5]})
    assert (rolls(stay(b)), strikers(b)) == (
        [("attacks", (2,)), ("attacks", (5,))], {"Red (1)": 2, "Red (2)": 5},
    )  # fmt: skip


@rule("w40k8.stat.modifier_order")
@pytest.mark.parametrize(("change", "attacks"), [("-1", 3), ("/2", 2), ("x2", 8), ("+1", 5)])
def test_what_dice_for_attacks_come_to_is_changed_like_any_number(change: str, attacks: int) -> None:
    b = under(melee([], red=sheet(blade(), name="Red", attacks="D6"), dice={"attacks": [4]}), "attacks", change)
    assert strikers(b) == {"Red": attacks}


@rule("w40k8.stat.random_other", check=4)
@rule("w40k8.fight.attack_count", check=3)
def test_random_attacks_are_thrown_anew_each_time() -> None:
    units = [
        unit("Reds", "red", sheet(blade(), name="Red", attacks="D6"), [(10, 8)]),
        unit("Blues", "blue", bare(weapon_skill=None), [(11, 8)]),
    ]
    b = situation(units, step="fight_phase", turns=2, dice={"attacks": [2, 3], "hit": [1] * 5})
    strike(b, ("Red", 2, "Blues"))
    assert strikers(b) == {"Red": 3}


@rule("w40k8.fight.attack_count", check=4)
@rule("w40k8.fight.weapon", check=5)
@rule("w40k8.fight.resolve", check=5)
def test_plague_marines_throw_four_hit_rolls_of_which_that_of_the_fist_misses() -> None:
    knife, sword, fist = blade("plague knife"), blade("plague sword"), blade("power fist", s="x2", ap=-3, d="D3")
    champion = sheet(sword, fist, name="Plague Champion", attacks=2)
    marines = unit(
        "Plague Marines",
        "red",
        sheet(knife, name="Plague Marine"),
        [(10, 8), (10, 9.5), (10, 11)],
        loadout=[{"models": [3], "sheet": champion}],
        **charged(1),
    )
    blues = unit("Intercessors", "blue", sheet(name="Intercessor", wounds=2), [(11, 8), (11, 9.5)], fought=True)
    dice = {"hit": [3, 5, 3, 2], "wound": [1, 1, 1]}
    b = situation([marines, blues], step="fight_units", dice=dice)
    strike(
        b,
        ("Plague Marine (1)", 2, "Intercessors"),
        ("Plague Champion (2)", 1, "Intercessors", "plague sword"),
        ("Plague Champion (2)", 1, "Intercessors", "power fist"),
    )
    hit = [(e.reason, e.faces) for e in b.events if isinstance(e, Rolled) and e.reason == "hit"]
    assert hit == [("hit", (3, 5)), ("hit", (3,)), ("hit", (2,))]
    assert [e.data["hits"] for e in b.events if isinstance(e, Told) and e.kind == "attack"] == [2, 1, 0]


@rule("w40k8.fight.weapon", check=1)
def test_each_attack_has_the_profile_of_its_weapon() -> None:
    weapons = [blade("sword", s="+1", d="2"), blade("fist", s="x2", ap=-3, d="3")]
    red = sheet(*weapons, name="Red", attacks=2)
    b = melee(
        [], sheet(wounds=9, save=2, name="Target"), red=red, dice={"hit": [3, 3], "wound": [3, 2], "save": [1, 4]}
    )
    strike(b, ("Red", 1, "Blues", "sword"), ("Red", 1, "Blues", "fist"))
    assert wounds(b, "Blues") == [4]


@rule("w40k8.fight.weapon", check=2)
def test_a_model_strikes_with_each_of_its_two_weapons() -> None:
    red = sheet(blade("sword"), blade("fist"), name="Red", attacks=3)
    b = melee([], red=red, dice={"hit": [2, 2, 2]})
    strike(b, ("Red", 2, "Blues", "sword"), ("Red", 1, "Blues", "fist"))
    assert (rolls(b), kinds(b)) == ([("hit", (2, 2)), ("hit", (2,))], [])


@rule("w40k8.fight.attack_count", check=1)
def test_every_model_makes_its_attacks() -> None:
    champion = [{"models": [2], "sheet": sheet(blade(), name="Champion")}]
    units = [
        unit("Reds", "red", RED, [(10, 8), (10, 9.5)], loadout=champion),
        unit("Blues", "blue", sheet(blade("other"), name="Blue"), [(11, 8), (11, 9.5)], fought=True),
    ]
    b = stay(situation(units, step="fight_units"))
    rows_: Any = asked(b, "strike")
    refused_by(b, "strike", [{"weapon": rows_.rows[0].label, "target": "Blues"}], "w40k8.fight.attack_count")
    assert judge(b, "strike", [{"weapon": row.label, "target": "Blues"} for row in rows_.rows])


@rule("w40k8.fight.default_weapon", check=1)
def test_without_a_melee_weapon_a_model_strikes_with_its_strength_and_a_damage_of_1() -> None:
    red = sheet(gun(s="8", d="3"), name="Red", strength=5)
    b = melee([], sheet(name="Target", wounds=3, save=3), red=red, dice={"hit": [3], "wound": [3], "save": [2]})
    strike(b, ("Red", 1, "Blues"))
    assert (wounds(b, "Blues"), stories(b)[0].split(":")[1].strip()[:23]) == ([2], "1 x close combat weapon")


@rule("w40k8.fight.default_weapon", check=2)
def test_who_has_a_melee_weapon_gets_no_other_one() -> None:
    b = stay(melee([gun(), blade("sword"), blade("fist")]))
    rows: Any = asked(b, "strike")
    assert rows.rows[0].modes == ("sword", "fist")


@rule("w40k8.sheet.weapon_profile", check=1)
def test_a_melee_weapon_is_not_fired() -> None:
    b = range_([gun(), blade()])
    give(b, "shoot_with", "Reds")
    rows: Any = asked(b, "shoot")
    assert [row.label for row in rows.rows] == ["gun"]


@rule("w40k8.sheet.weapon_profile", check=2)
def test_a_ranged_weapon_does_not_strike() -> None:
    b = melee([gun(d="3"), blade()], bare(wounds=5), dice={"hit": [3], "wound": [4]})
    strike(b, ("Red", 1, "Blues"))
    assert wounds(b, "Blues") == [4]


@rule("w40k8.sheet.weapon_skill_dash", check=1)
def test_a_model_with_a_dash_for_its_weapon_skill_does_not_strike() -> None:
    reds = [{"models": [2], "sheet": sheet(blade(), name="Gunner", weapon_skill=None, attacks=4)}]
    units = [
        unit("Reds", "red", RED, [(10, 8), (10, 9.5)], loadout=reds),
        unit("Blues", "blue", BLUE, [(11, 8), (11, 9.5)], fought=True),
    ]
    assert strikers(situation(units, step="fight_units")) == {"Red": 1}


@rule("w40k8.sheet.weapon_skill_dash", check=2)
def test_a_unit_that_cannot_strike_is_chosen_to_fight_all_the_same() -> None:
    units = pairs(2, red=sheet(name="Gunner", weapon_skill=None))
    b = situation(units, step="fight_phase", dice=MISSES)
    order = play(b, "Red 2", "Blue 1")
    assert (order, rolls(b)) == (["Red 2", "Blue 1", "Red 1", "Blue 2"], [("hit", (1,))] * 2)
    assert "Red 2 has nothing to strike with." in [e.text for e in b.events if isinstance(e, Told)]


# --- Resolving --------------------------------------------------------------------------------------------------------


@rule("w40k8.fight.resolve", check=1)
@pytest.mark.parametrize(("skill", "added", "least"), [(3, 0, 3), (4, 0, 4), (3, 1, 2), (3, -1, 4)])
def test_a_blow_hits_by_the_weapon_skill(skill: int, added: int, least: int) -> None:
    red = sheet(blade(), name="Red", attacks=6, weapon_skill=skill, ballistic_skill=2)
    b = melee([], red=red, more=pairs(2), step="fight_phase", dice={"hit": [1, 2, 3, 4, 5, 6], "wound": [1] * 6})
    under(b, "hit", added)
    fight(b, "Reds")
    strike(b, ("Red", 6, "Blues"))
    assert last(b)["hits"] == 7 - least


@rule("w40k8.fight.resolve", check=2)
def test_a_1_fails_to_hit_to_wound_and_to_save() -> None:
    red = sheet(blade(s="8"), name="Red", attacks=3, weapon_skill=2)
    dice = {"hit": [1, 2, 2], "wound": [1, 2], "save": [1]}
    b = melee([], sheet(name="Target", save=2, wounds=3), red=red, dice=dice)
    strike(b, ("Red", 3, "Blues"))
    assert (last(b)["hits"], last(b)["wounds"], wounds(b, "Blues")) == (2, 1, [2])


@rule("w40k8.fight.resolve", check=3)
def test_blows_wound_are_given_saved_and_hurt_as_shots_are() -> None:
    red = sheet(blade(s="+1", ap=-1, d="2"), name="Red", attacks=3)
    dice = {"hit": [3, 3, 3], "wound": [3, 3, 2], "save": [3, 4]}
    b = melee([], sheet(name="Target", save=3, wounds=3), red=red, targets=2, wounds={2: 1}, dice=dice)
    strike(b, ("Red", 3, "Blues"))
    assert wounds(b, "Blues") == [3]


@rule("w40k8.fight.resolve", check=4)
@rule("w40k8.cover.scope", check=1)
def test_cover_does_not_help_against_blows() -> None:
    woods = FeatureDoc("woods", "woods", "Woods", (5.0, 5.0, 20.0, 20.0))
    b = melee(blade(), sheet(name="Target"), terrain=[woods], dice={"hit": [3], "wound": [4], "save": [2]})
    strike(b, ("Red", 1, "Blues"))
    assert (alive(b, "Blues"), kinds(b)) == (0, [])


def test_without_a_thought_each_model_strikes_whom_and_with_what_does_most() -> None:
    red = sheet(blade("knife"), blade("fist", s="x2", ap=-3, d="3"), name="Red", attacks=2)
    units = [
        unit("Reds", "red", red, [(10, 8)]),
        unit("Thin", "blue", bare(toughness=9), [(9, 8)], fought=True),
        unit("Thick", "blue", bare(wounds=9), [(11, 8)], fought=True),
    ]
    b = stay(situation(units, step="fight_units"))
    (answer,) = b.default(b.decisions[0])
    assert (b.unit(answer.target).name, answer.count, answer.mode) == ("Thick", 2, "fist")
