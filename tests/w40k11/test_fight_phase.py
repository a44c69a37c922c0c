"""The Fight phase: its steps, who fights in which order, passing, and overrun fights."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.w40k11.fight_phase import eligible_to_fight
from sandtable.systems.w40k11.state import Battle11
from w40k11 import table
from w40k11.table import (
    alive,
    blade,
    cites,
    fights,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    refused_by,
    rolls,
    sheet,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**table.TROOPER, "weapons": []}
"""Without weapons nobody is asked about attacks."""
KILLER = sheet(blade(attacks="1", strength=8, ap=-6, damage="6"), name="Killer")
KILLS = {"hit": [6], "wound": [6]}
FIRST: dict[str, Any] = {**PLAIN, "name": "Quick", "abilities": ["fights first"]}


def pair(name: str, y: float, red: Any = PLAIN, blue: Any = PLAIN, **flags: Any) -> list[Any]:
    """A red unit and a blue one, engaged with each other and nobody else."""
    reds = unit(f"Red {name}", "red", red, [(10, y)], **flags)
    return [reds, unit(f"Blue {name}", "blue", blue, [(12, y)])]


def done(b: Battle11) -> list[str]:
    """Who has fought, once the turn is over."""
    until(b, "move_with", 1)
    return fights(b)


def melee(*units: Any, dice: Any = None, step: str = "begin_fights", **more: Any) -> Battle11:
    return situation(list(units), step=step, dice=dice or {}, **more)


# --- The phase --------------------------------------------------------------------------------------------------------


@rule("w40k11.fight.phase", check=1)
def test_all_pile_in_before_anybody_fights() -> None:
    b = melee(*pair("A", 5), *pair("B", 15), step="fight_phase")
    asked = []
    for _ in range(4):
        asked.append((kinds(b)[0], b.decisions[0].player, fights(b)))
        give(b, kinds(b)[0], offered(b, kinds(b)[0])[0])
        give(b, "pile_in", {"mode": "pile_in"})
    assert (asked, kinds(b)) == (
        [("pile_in_with", 0, [])] * 2 + [("pile_in_with", 1, [])] * 2,
        ["fight_with"],
    )


@rule("w40k11.fight.phase", check=2)
def test_all_fights_are_over_before_anybody_consolidates() -> None:
    b = melee(*pair("A", 5), *pair("B", 15))
    until(b, "consolidate_with")
    assert fights(b) == ["Red A", "Blue A", "Red B", "Blue B"]


# --- Who is eligible --------------------------------------------------------------------------------------------------


def wiped_out(*more: Any, sheet_: Any = PLAIN, dice: Any = KILLS, **flags: Any) -> Battle11:
    """The Reds strike down the Blues before the Others fight, who were engaged with them as well."""
    others = unit("Others", "red", sheet_, [(12, 10)], **flags)
    both = unit("Reds", "red", KILLER, [(8, 10)]), unit("Blues", "blue", PLAIN, [(10, 10)])
    b = melee(others, *both, *more, dice=dice)
    give(b, "fight_with", "Reds")
    table.default(b, "strike")
    return b


@rule("w40k11.fight.eligible", check=1)
def test_who_was_engaged_when_the_step_began_is_eligible() -> None:
    b = wiped_out(unit("Far", "blue", PLAIN, [(20, 10)]))
    assert (alive(b, "Blues"), offered(b, "fight_with")) == (0, ["Others"])


@rule("w40k11.fight.eligible", check=2)
@pytest.mark.parametrize(("charged", "ok"), [(True, True), (False, False)])
def test_who_charged_is_eligible_even_unengaged(charged: bool, ok: bool) -> None:
    quick = pair("A", 15, charged=True), pair("B", 20, charged=True)
    b = melee(unit("Reds", "red", PLAIN, [(5, 5)], charged=charged), *quick[0], *quick[1])
    assert judge(b, "fight_with", "Reds").ok is ok


@rule("w40k11.fight.eligible", check=3)
def test_who_becomes_engaged_in_the_step_is_eligible() -> None:
    b = wiped_out(unit("Greens", "blue", PLAIN, [(16, 10)]))
    before = eligible_to_fight(b, named(b, "Greens")).ok
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    give(b, "overrun", False)
    assert (before, fights(b)) == (False, ["Reds", "Others", "Greens"])


@rule("w40k11.fight.eligible", check=4)
def test_nobody_fights_twice() -> None:
    b = melee(*pair("A", 5), *pair("B", 15))
    give(b, "fight_with", "Red A")
    assert (cites(judge(b, "fight_with", "Red A")), cites(eligible_to_fight(b, named(b, "Red A")))) == (
        {"w40k11.fight.first_combats"},
        {"w40k11.fight.eligible"},
    )


# --- Fights First -----------------------------------------------------------------------------------------------------


@rule("w40k11.fight.first_combats", check=1)
@pytest.mark.parametrize(("active", "first"), [("red", "Red A"), ("blue", "Blue A")])
def test_the_player_whose_turn_it_is_selects_first(active: str, first: str) -> None:
    b = melee(*pair("A", 5, FIRST, FIRST), active=active)
    until(b, "consolidate_with")
    assert fights(b)[0] == first


@rule("w40k11.fight.first_combats", check=2)
def test_players_alternate_with_their_first_fighters() -> None:
    b = melee(*pair("A", 5, FIRST, FIRST), *pair("B", 15, FIRST, FIRST), *pair("C", 25))
    give(b, "fight_with", "Red B")
    give(b, "fight_with", "Blue A")
    assert fights(b) == ["Red B", "Blue A", "Red A", "Blue B", "Red C", "Blue C"]


@rule("w40k11.fight.first_combats", check=3)
def test_who_has_no_first_fighter_is_skipped() -> None:
    b = melee(*pair("A", 5, FIRST), *pair("B", 15, FIRST))
    give(b, "fight_with", "Red B")
    assert fights(b)[:2] == ["Red B", "Red A"]


@rule("w40k11.fight.first_combats", check=4)
def test_a_first_fighter_has_to_be_selected() -> None:
    b = melee(*pair("A", 5, FIRST), *pair("B", 15, FIRST), *pair("C", 25))
    assert (judge(b, "fight_with", None).ok, offered(b, "fight_with")) == (False, ["Red A", "Red B"])


# --- Remaining combats ------------------------------------------------------------------------------------------------


@rule("w40k11.fight.remaining_combats", check=1)
def test_without_first_fighters_the_player_whose_turn_it_is_begins() -> None:
    b = melee(*pair("A", 5), *pair("B", 15), active="blue")
    assert (b.decisions[0].player, offered(b, "fight_with")) == (1, ["Blue A", "Blue B"])


@rule("w40k11.fight.remaining_combats", check=2)
def test_after_the_last_first_fighter_the_other_player_begins() -> None:
    b = melee(*pair("A", 5, FIRST), *pair("B", 15))
    assert (fights(b), b.decisions[0].player, offered(b, "fight_with")) == (["Red A"], 1, ["Blue A", "Blue B"])


@rule("w40k11.fight.remaining_combats", check=3)
def test_players_alternate_and_who_has_nobody_is_skipped() -> None:
    two = unit("Red C", "red", PLAIN, [(14, 5)])
    b = melee(*pair("A", 5), *pair("B", 15), two)
    give(b, "fight_with", "Red C")
    give(b, "fight_with", "Blue B")
    give(b, "fight_with", "Red A")
    assert fights(b) == ["Red C", "Blue B", "Red A", "Blue A", "Red B"]


@rule("w40k11.fight.remaining_combats", check=3)
def test_in_the_turn_of_the_second_player_players_alternate_as_well() -> None:
    b = melee(*pair("A", 5), *pair("B", 15), active="blue")
    give(b, "fight_with", "Blue B")
    assert (b.decisions[0].player, offered(b, "fight_with"), fights(b)) == (0, ["Red A", "Red B"], ["Blue B"])


@rule("w40k11.fight.remaining_combats", check=4)
def test_the_step_ends_when_nobody_is_eligible() -> None:
    b = melee(*pair("A", 5))
    assert (fights(b), kinds(b)) == (["Red A", "Blue A"], ["consolidate_with"])


# --- Back to the first ------------------------------------------------------------------------------------------------


def waiting(quick: Any) -> Battle11:
    """The Reds have struck down the Blues; Others may overrun into Greens, and two more pairs wait."""
    greens = unit("Greens", "blue", quick, [(16, 10)])
    return wiped_out(greens, *pair("A", 20), *pair("B", 25))


@rule("w40k11.fight.return_to_first", check=1)
@pytest.mark.parametrize(("quick", "kind", "names"), [(FIRST, "overrun", ["Greens"]), (PLAIN, "fight_with", [])])
def test_a_first_fighter_who_is_newly_engaged_comes_first(quick: Any, kind: str, names: list[str]) -> None:
    b = waiting(quick)
    give(b, "fight_with", "Blue A")
    give(b, "fight_with", "Others")
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    assert (kinds(b), fights(b)) == ([kind], ["Reds", "Blue A", "Others", *names])


@rule("w40k11.fight.return_to_first", check=3)
def test_after_that_the_remaining_combats_go_on() -> None:
    b = waiting(FIRST)
    give(b, "fight_with", "Blue A")
    give(b, "fight_with", "Others")
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    give(b, "overrun", False)
    assert (fights(b)[3:], b.decisions[0].player, offered(b, "fight_with")) == (["Greens"], 0, ["Red A", "Red B"])


@rule("w40k11.fight.return_to_first", check=1)
def test_on_the_return_the_player_whose_turn_it_is_selects_first() -> None:
    quick = [unit("Greens", "blue", FIRST, [(16, 10)]), unit("More", "red", FIRST, [(18.5, 10)])]
    b = wiped_out(*quick, *pair("A", 20), *pair("B", 25))
    until(b, "consolidate_with")
    assert fights(b)[:2] == ["More", "Greens"]


THREE = ("red", "blue", "green")


@rule("w40k11.fight.return_to_first", check=1)
def test_on_the_return_the_order_of_selection_begins_anew() -> None:
    quick = [unit("Quick Reds", "red", FIRST, [(16, 10)]), unit("Quick Greens", "green", FIRST, [(14, 13)])]
    before = [("Reds", "red", (5, 5)), ("Blues", "blue", (12, 10)), ("Greens", "green", (5, 25))]
    rest = [unit(name, player, PLAIN, [at], engaged_before=True) for name, player, at in before]
    b = melee(*quick, *rest, step="fight_units", players=THREE)
    give(b, "fight_with", "Reds")
    give(b, "pile_in_targets", ["Quick Reds", "Quick Greens"])
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    give(b, "overrun", False)
    assert fights(b) == ["Reds", "Blues", "Quick Reds", "Quick Greens"]


# --- Passing ----------------------------------------------------------------------------------------------------------


def idle(gap: float, *more: Any, charged: bool = True) -> Battle11:
    """Reds who charged and are so far from the nearest enemy."""
    greens = unit("Greens", "blue", PLAIN, [(6 + gap, 10)])
    away = unit("Away", "blue", PLAIN, off=1)
    return melee(unit("Reds", "red", PLAIN, [(5, 10)], charged=charged), greens, away, *more)


@rule("w40k11.fight.pass", check=1)
@pytest.mark.parametrize(("gap", "kind"), [(5, "pile_in"), (5.1, "fight_with")])
def test_with_an_enemy_within_five_inches_nobody_passes(gap: float, kind: str) -> None:
    assert kinds(idle(gap)) == [kind]


@rule("w40k11.fight.pass", check=1)
def test_one_unit_near_an_enemy_is_enough() -> None:
    b = melee(unit("Reds", "red", PLAIN, [(5, 10)], charged=True), *pair("A", 25, charged=True))
    assert (judge(b, "fight_with", "Reds").ok, judge(b, "fight_with", None).ok) == (True, False)


@rule("w40k11.fight.pass", check=1)
def test_units_that_do_not_fight_keep_nobody_from_passing() -> None:
    assert judge(idle(10, unit("Others", "red", PLAIN, [(16, 14)])), "fight_with", None)


@rule("w40k11.fight.pass", check=2)
def test_after_a_pass_the_opponent_selects() -> None:
    blues = [
        unit("Blue A", "blue", PLAIN, [(30, 5)], charged=True),
        unit("Blue B", "blue", PLAIN, [(30, 15)], charged=True),
    ]
    b = idle(10, *blues)
    give(b, "fight_with", None)
    assert (b.decisions[0].player, offered(b, "fight_with")) == (1, ["Blue A", "Blue B"])


@rule("w40k11.fight.pass", check=3)
def test_two_passes_in_a_row_end_the_step() -> None:
    b = idle(10, unit("Blue A", "blue", PLAIN, [(30, 5)], charged=True))
    give(b, "fight_with", None)
    give(b, "fight_with", None)
    assert (fights(b), kinds(b), told(b).count("passed")) == ([], ["move_with"], 2)


@rule("w40k11.fight.pass", check=3)
def test_passes_are_counted_anew_after_a_fight() -> None:
    far = [("Red B", "red", (5, 25)), ("Blue A", "blue", (30, 5)), ("Blue B", "blue", (30, 25))]
    b = idle(10, *(unit(name, player, PLAIN, [at], charged=True) for name, player, at in far))
    give(b, "fight_with", None)
    give(b, "fight_with", "Blue A")
    give(b, "fight_with", None)
    give(b, "fight_with", None)
    assert (fights(b), kinds(b), told(b).count("passed")) == (["Blue A"], ["move_with"], 3)


@rule("w40k11.fight.pass", check=2)
@rule("w40k11.fight.return_to_first")
def test_of_three_players_each_is_asked_before_the_step_ends() -> None:
    reds = unit("Reds", "red", PLAIN, [(5, 5)], charged=True)
    others = [unit(n, n.lower(), PLAIN, [(x, 5)], engaged_before=True) for n, x in (("Blue", 20.0), ("Green", 35.0))]
    b = melee(reds, *others, step="fight_units", players=THREE)
    asked = []
    for _ in range(3):
        asked.append(offered(b, "fight_with"))
        give(b, "fight_with", None)
    assert (asked, fights(b), kinds(b)) == ([["Reds"], ["Blue"], ["Green"]], [], ["move_with"])


@rule("w40k11.fight.pass", check=4)
def test_a_pass_ends_the_step_when_the_opponent_has_nobody() -> None:
    b = idle(10)
    give(b, "fight_with", None)
    assert (fights(b), b.decisions[0].player, kinds(b)) == ([], 1, ["move_with"])


@rule("w40k11.fight.pass", check=5)
def test_who_passed_may_select_later() -> None:
    b = idle(10, unit("Blue A", "blue", PLAIN, [(30, 5)], charged=True))
    give(b, "fight_with", None)
    give(b, "fight_with", "Blue A")
    give(b, "fight_with", "Reds")
    assert fights(b) == ["Blue A", "Reds"]


# --- Normal and overrun fights ----------------------------------------------------------------------------------------


@rule("w40k11.fight.normal", check=1)
def test_a_normal_fight_has_no_pile_in() -> None:
    b = melee(*pair("A", 5, table.TROOPER), dice={"hit": [1, 1, 1]})
    asked = kinds(b)
    table.default(b, "strike")
    assert (asked, rolls(b)) == (["strike"], [("hit", (1, 1, 1))])


@rule("w40k11.fight.normal", check=2)
def test_only_engaged_models_attack() -> None:
    reds = unit("Reds", "red", table.TROOPER, [(10, 5), (8.9, 5), (7.8, 5)])
    b = melee(reds, unit("Blues", "blue", PLAIN, [(12, 5)]), dice={"hit": [1] * 9})
    table.default(b, "strike")
    assert [len(faces) for _, faces in rolls(b)] == [3]


@rule("w40k11.fight.overrun", check=1)
def test_who_lost_all_enemies_piles_in_and_fights() -> None:
    dice = {"hit": [6, 1, 1, 2], "wound": [6]}
    b = wiped_out(unit("Greens", "blue", PLAIN, [(17, 10)]), sheet_=table.TROOPER, dice=dice)
    give(b, "pile_in", {"mode": "pile_in", "to": [(15, 10)]})
    table.default(b, "strike")
    assert rolls(b)[-1] == ("hit", (1, 1, 2))


@rule("w40k11.fight.overrun", check=2)
def test_who_piled_in_may_pile_in_again() -> None:
    b = wiped_out(unit("Greens", "blue", PLAIN, [(16, 10)]), piled_in=True)
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    assert places(b, "Others")[0][:2] == (14, 10)


@rule("w40k11.fight.overrun", check=3)
@rule("w40k11.fight.normal", check=2)
def test_without_a_way_to_be_engaged_nobody_moves_or_attacks() -> None:
    b = wiped_out(
        unit("Greens", "blue", PLAIN, [(18, 10)]), unit("Wall", "red", PLAIN, [(15, 10)]), sheet_=table.TROOPER
    )
    until(b, "fight_with", 0)
    give(b, "fight_with", "Others")
    refused_by(b, "pile_in", {"mode": "pile_in", "to": [(13, 10)]}, "w40k11.fight.pile_in_move")
    table.default(b, "pile_in")
    assert (places(b, "Others")[0][:2], told(b)[-1]) == ((12, 10), "no_targets")


@rule("w40k11.fight.overrun", check=4)
def test_who_was_engaged_and_still_is_makes_a_normal_fight() -> None:
    b = melee(*pair("A", 5), *pair("B", 15))
    give(b, "fight_with", "Red A")
    assert (kinds(b), fights(b)) == (["fight_with"], ["Red A"])


@rule("w40k11.fight.overrun", check=5)
@pytest.mark.parametrize(("overrun", "next_"), [(True, ["pile_in"]), (False, ["strike"])])
def test_who_becomes_engaged_picks_a_normal_or_an_overrun_fight(overrun: bool, next_: list[str]) -> None:
    b = wiped_out(unit("Greens", "blue", table.TROOPER, [(16, 10)]))
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    give(b, "overrun", overrun)
    assert kinds(b) == next_


# --- Eligibility and overrun ------------------------------------------------------------------------------------------


QUICK_KILLER = {**KILLER, "abilities": ["fights first"]}


def freed(*, charged: bool) -> Battle11:
    """The Greens were engaged by the Others, who are struck down before the Greens are selected."""
    others, reds = unit("Others", "red", FIRST, [(12, 10)]), unit("Reds", "red", QUICK_KILLER, [(8, 10)])
    greens = unit("Greens", "blue", PLAIN, [(16, 10)], charged=charged)
    king = unit("King", "blue", QUICK_KILLER, [(14, 12.5)], charged=True)
    blues, dice = unit("Blues", "blue", PLAIN, [(10, 10)]), {"hit": [6, 6], "wound": [6, 6]}
    b = melee(others, reds, blues, king, greens, *pair("F", 25, PLAIN, FIRST), dice=dice)
    give(b, "fight_with", "Reds")
    table.default(b, "strike")
    give(b, "fight_with", "Blue F")
    give(b, "pile_in_targets", ["Greens"])
    give(b, "pile_in", {"mode": "pile_in", "to": [(14, 10)]})
    until(b, "strike")
    table.default(b, "strike")
    return b


@rule("w40k11.faq.overrun", check=1)
def test_who_became_engaged_and_is_so_no_longer_is_not_eligible() -> None:
    b = freed(charged=False)
    assert (alive(b, "Others"), eligible_to_fight(b, named(b, "Greens")).ok, "Greens" in done(b)) == (0, False, False)


@rule("w40k11.faq.overrun", check=2)
def test_the_same_unit_is_eligible_if_it_charged() -> None:
    b = freed(charged=True)
    assert (alive(b, "Others"), offered(b, "fight_with")) == (0, ["Greens"])
