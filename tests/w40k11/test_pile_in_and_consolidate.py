"""Pile-in and consolidation moves, and the steps in which they are made."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.battle.events import Asked
from sandtable.systems.w40k11.consolidate import may_consolidate
from sandtable.systems.w40k11.engagement import is_engaged
from sandtable.systems.w40k11.objectives import MARKER
from sandtable.systems.w40k11.pile_in import may_pile_in
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.system import SYSTEM
from sandtable.table.grid import STEP
from w40k11 import table
from w40k11.table import (
    alive,
    blade,
    cites,
    default,
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
MOVE, MODE, ENGAGING = "w40k11.fight.pile_in_move", "w40k11.fight.consolidate_move", "w40k11.fight.consolidate_engaging"
OBJECTIVE = "w40k11.fight.consolidate_objective"
PILE_IN, CONSOLIDATE = "pile_in", "consolidate"


def to(mode: str, *points: Any) -> dict[str, Any]:
    return {"mode": mode, "to": list(points)}


def piling(reds: table.Spots, blues: table.Spots, *more: Any, **flags: Any) -> Battle11:
    """The Reds are about to pile in, after a charge unless it is said otherwise."""
    units = [unit("Reds", "red", PLAIN, reds, **{"charged": True, **flags}), unit("Blues", "blue", PLAIN, blues), *more]
    b = situation([*units, table.FOE, unit("Away", "blue", PLAIN, off=1)], step="pile_in_units")
    give(b, "pile_in_with", "Reds")
    return b


def two_sides(step: str, **flags: Any) -> Battle11:
    """Two red units and two blue ones, each engaged with one other."""
    places_ = {"Red A": (10, 5), "Red B": (10, 15), "Blue A": (12.5, 5), "Blue B": (12.5, 15)}
    units = [unit(name, name.split()[0].lower(), PLAIN, [at], **flags) for name, at in places_.items()]
    return situation(units, step=step)


# --- The Pile In step -------------------------------------------------------------------------------------------------


@rule("w40k11.fight.pile_in_step", check=1)
def test_the_active_player_piles_in_before_the_opponent() -> None:
    b = two_sides("pile_in_units")
    first = (b.decisions[0].player, offered(b, "pile_in_with"))
    give(b, "pile_in_with", "Red B")
    give(b, "pile_in", to(PILE_IN, (11, 15)))
    second = (b.decisions[0].player, offered(b, "pile_in_with"))
    give(b, "pile_in_with", None)
    third = (b.decisions[0].player, offered(b, "pile_in_with"))
    assert (first, second, third) == ((0, ["Red A", "Red B"]), (0, ["Red A"]), (1, ["Blue A", "Blue B"]))


@rule("w40k11.fight.pile_in_step", check=1)
def test_whom_the_opponent_engages_by_piling_in_does_not_pile_in_any_more() -> None:
    blues = unit("Blues", "blue", PLAIN, [(11.5, 10), (13.4, 10)])
    late = unit("Late", "red", PLAIN, [(13.4, 13.2)])
    b = situation([unit("Reds", "red", PLAIN, [(10, 10)]), blues, late], step="pile_in_units")
    give(b, "pile_in_with", None)
    give(b, "pile_in_with", "Blues")
    give(b, "pile_in", {"mode": PILE_IN, "to": [None, (12.2, 11.2)]})
    assert (may_pile_in(b, named(b, "Late")).ok, kinds(b)) == (True, ["fight_with"])


@rule("w40k11.fight.pile_in_step", check=2)
def test_a_unit_piles_in_once() -> None:
    b = two_sides("pile_in_units")
    give(b, "pile_in_with", "Red A")
    give(b, "pile_in", to(PILE_IN, (11, 5)))
    assert (offered(b, "pile_in_with"), cites(may_pile_in(b, named(b, "Red A")))) == (
        ["Red B"],
        {"w40k11.fight.pile_in_step"},
    )


@rule("w40k11.fight.pile_in_step", check=3)
def test_piling_in_is_optional() -> None:
    b = two_sides("pile_in_units")
    asked = kinds(b)
    give(b, "pile_in_with", None)
    give(b, "pile_in_with", None)
    assert (asked, kinds(b), "piled_in" in told(b)) == (["pile_in_with"], ["fight_with"], False)


# --- The pile-in move -------------------------------------------------------------------------------------------------


@rule("w40k11.fight.pile_in_move", check=1)
def test_a_pile_in_goes_three_inches() -> None:
    b = piling([(5, 10)], [(10.5, 10)])
    refused_by(b, "pile_in", to(PILE_IN, (8.01, 10)), MOVE)
    assert judge(b, "pile_in", to(PILE_IN, (8, 10)))


@rule("w40k11.fight.pile_in_move", check=2)
@pytest.mark.parametrize(
    ("gap", "flags", "ok"),
    [(2, {}, True), (2.1, {}, False), (4, {"charged": True}, True), (4, {"overruns": True}, True)],
)
def test_who_may_pile_in(gap: float, flags: dict[str, Any], ok: bool) -> None:
    reds = unit("Reds", "red", PLAIN, [(5, 10)], **flags)
    b = situation([reds, unit("Blues", "blue", PLAIN, [(6 + gap, 10)])], step="move_units")
    assert may_pile_in(b, named(b, "Reds")).ok is ok


@rule("w40k11.fight.pile_in_move", check=3)
def test_an_engaged_unit_piles_in_to_all_it_is_engaged_with() -> None:
    greens = unit("Greens", "blue", PLAIN, [(5, 12.5)])
    b = piling([(5, 10)], [(7.9, 10)], greens, unit("Near", "blue", PLAIN, [(5, 5.9)]))
    assert (kinds(b), b.decisions[0].about["targets"]) == (["pile_in"], [named(b, "Blues").id, named(b, "Greens").id])


@rule("w40k11.fight.pile_in_move", check=4)
def test_an_unengaged_unit_picks_from_those_within_five_inches() -> None:
    more = [unit("Five", "blue", PLAIN, [(5, 16)]), unit("Further", "blue", PLAIN, [(5, 3.9)])]
    assert offered(piling([(5, 10)], [(10, 10)], *more), "pile_in_targets") == ["Blues", "Five"]


@rule("w40k11.fight.pile_in_move", check=5)
def test_who_touches_an_enemy_stays() -> None:
    b = piling([(5, 10), (5, 11.5)], [(6, 10)])
    refused_by(b, "pile_in", to(PILE_IN, (5, 9.9), None), MOVE)
    assert judge(b, "pile_in", to(PILE_IN, None, (5.2, 11)))


@rule("w40k11.fight.pile_in_move", check=6)
def test_who_moves_ends_closer_to_the_closest_target() -> None:
    b = piling([(5, 10), (5, 11.5)], [(6, 10)], unit("Greens", "blue", PLAIN, [(5, 13.2)]))
    refused_by(b, "pile_in", to(PILE_IN, None, (5.1, 11.45)), MOVE)
    assert judge(b, "pile_in", to(PILE_IN, None, (5, 11.6)))


@rule("w40k11.fight.pile_in_move", check=7)
def test_who_can_end_engaged_must() -> None:
    b = piling([(5, 10), (3, 10)], [(7, 10)])
    refused_by(b, "pile_in", to(PILE_IN, None, (3.9, 10)), MOVE)
    assert judge(b, "pile_in", to(PILE_IN, (5.5, 10), (4, 10)))


@rule("w40k11.fight.pile_in_move", check=8)
def test_a_unit_ends_engaged() -> None:
    b = piling([(5, 10)], [(11, 10)], unit("Others", "red", PLAIN, [(8, 10)]))
    refused_by(b, "pile_in", to(PILE_IN, (6, 10)), MOVE)
    assert judge(b, "pile_in", {"mode": "pile_in"})


@rule("w40k11.fight.pile_in_move", check=8)
def test_a_unit_may_end_engaged_with_somebody_else_than_its_target() -> None:
    more = [unit("Others", "red", PLAIN, [(8, 10)]), unit("Greens", "blue", PLAIN, [(8.5, 12)])]
    b = piling([(5, 10)], [(11, 10)], *more)
    give(b, "pile_in_targets", ["Blues"])
    assert judge(b, "pile_in", to(PILE_IN, (6.5, 10.2)))


@rule("w40k11.fight.pile_in_move", check=9)
def test_nobody_loses_an_engagement() -> None:
    b = piling([(5, 10), (5, 8.3)], [(7, 10)], unit("Greens", "blue", PLAIN, [(5, 13)]))
    refused_by(b, "pile_in", to(PILE_IN, (5.5, 9.5), None), MOVE)
    assert judge(b, "pile_in", to(PILE_IN, (5.3, 10.1), None))


@rule("w40k11.fight.pile_in_move", check=10)
def test_an_engaged_unit_may_engage_others() -> None:
    b = piling([(5, 10)], [(7.5, 10)], unit("Greens", "blue", PLAIN, [(7.5, 12.5)]))
    targets = b.decisions[0].about["targets"]
    give(b, "pile_in", to(PILE_IN, (6.2, 10.5)))
    assert (targets, named(b, "Reds").piled_in, places(b, "Reds")[0][:2]) == ([1], True, (6.2, 10.5))


# --- The Consolidate step ---------------------------------------------------------------------------------------------


@rule("w40k11.fight.consolidate_step", check=1)
def test_the_active_player_consolidates_before_the_opponent() -> None:
    b = two_sides("consolidate_units", could_fight=True)
    first = (b.decisions[0].player, offered(b, "consolidate_with"))
    give(b, "consolidate_with", "Red B")
    give(b, "consolidate", to(CONSOLIDATE, (11, 15)))
    second = (b.decisions[0].player, offered(b, "consolidate_with"))
    give(b, "consolidate_with", None)
    third = (b.decisions[0].player, offered(b, "consolidate_with"))
    assert (first, second, third) == ((0, ["Red A", "Red B"]), (0, ["Red A"]), (1, ["Blue A", "Blue B"]))


@rule("w40k11.fight.consolidate_step", check=1)
@rule("w40k11.fight.consolidate_response", check=5)
def test_who_fights_back_against_the_opponent_does_not_consolidate_any_more() -> None:
    fought = {"could_fight": True, "fought": True}
    late = unit("Late", "red", PLAIN, [(14, 10), (15.5, 10)])
    blues = unit("Blues", "blue", PLAIN, [(10.2, 10)], **fought)
    pair = unit("Reds", "red", PLAIN, [(30, 20)], **fought), unit("Greens", "blue", PLAIN, [(31.5, 20)], **fought)
    b = situation([late, blues, *pair], step="consolidate_units")
    give(b, "consolidate_with", None)
    give(b, "consolidate_with", "Blues")
    give(b, "consolidate", to(CONSOLIDATE, (12.7, 10)))
    give(b, "overrun", False)
    may = may_consolidate(b, named(b, "Late")).ok
    assert (fights(b), may, offered(b, "consolidate_with")) == (["Late"], True, ["Greens"])


@rule("w40k11.fight.consolidate_step", check=2)
def test_a_unit_consolidates_once() -> None:
    b = two_sides("consolidate_units", could_fight=True)
    give(b, "consolidate_with", "Red A")
    give(b, "consolidate", to(CONSOLIDATE, (11, 5)))
    assert (offered(b, "consolidate_with"), cites(may_consolidate(b, named(b, "Red A")))) == (
        ["Red B"],
        {"w40k11.fight.consolidate_step"},
    )


@rule("w40k11.fight.consolidate_step", check=3)
def test_consolidating_is_optional() -> None:
    b = two_sides("consolidate_units", could_fight=True)
    asked = kinds(b)
    give(b, "consolidate_with", None)
    give(b, "consolidate_with", None)
    assert (asked, kinds(b), "consolidated" in told(b)) == (["consolidate_with"], ["move_with"], False)


# --- The consolidation move and its mode ------------------------------------------------------------------------------


def consolidating(
    reds: table.Spots, blues: table.Spots, *more: Any, objectives: table.Spots | None = None, **flags: Any
) -> Battle11:
    """The Reds are about to consolidate."""
    fought = {"could_fight": True, **flags}
    units = [unit("Reds", "red", PLAIN, reds, **fought), unit("Blues", "blue", PLAIN, blues, fought=True), *more]
    b = situation([*units, table.FOE], step="consolidate_units", objectives=objectives)
    give(b, "consolidate_with", "Reds")
    return b


FAR: table.Spots = [(40, 25)]


@rule("w40k11.fight.consolidate_move", check=1)
def test_a_consolidation_goes_three_inches() -> None:
    b = consolidating([(5, 10)], FAR, objectives=[(9.2, 10)])
    refused_by(b, "consolidate", to(CONSOLIDATE, (8.01, 10)), MODE)
    assert judge(b, "consolidate", to(CONSOLIDATE, (8, 10)))


@rule("w40k11.fight.consolidate_move", check=2)
def test_who_was_eligible_and_did_not_fight_may_consolidate() -> None:
    reds = unit("Reds", "red", PLAIN, [(5, 10)], charged=True)
    b = situation([reds, table.FOE], step="begin_fights", objectives=[(8, 10)])
    give(b, "fight_with", None)
    assert (fights(b), offered(b, "consolidate_with")) == ([], ["Reds"])


@rule("w40k11.fight.consolidate_move", check=3)
def test_who_was_never_eligible_does_not_consolidate() -> None:
    units = [unit(n, "red", PLAIN, [(5, y)], charged=n == "Reds") for n, y in (("Reds", 8.0), ("Others", 12.0))]
    b = situation([*units, table.FOE], step="begin_fights", objectives=[(8, 10)])
    give(b, "fight_with", None)
    assert (offered(b, "consolidate_with"), cites(may_consolidate(b, named(b, "Others")))) == (["Reds"], {MODE})


@rule("w40k11.fight.consolidate_move", check=4)
def test_an_engaged_unit_does_not_go_for_an_objective() -> None:
    b = consolidating([(5, 10)], [(7.5, 10)], unit("Near", "blue", PLAIN, [(5, 6.5)]), objectives=[(5, 13)])
    assert (b.decisions[0].about["objective"], b.decisions[0].about["targets"]) == (-1, [1])


@rule("w40k11.fight.consolidate_move", check=5)
def test_an_enemy_within_three_inches_comes_before_an_objective() -> None:
    b = consolidating([(5, 10)], [(8.5, 10)], objectives=[(5, 10)])
    assert (b.decisions[0].about["objective"], b.decisions[0].about["targets"]) == (-1, [1])


@rule("w40k11.fight.consolidate_move", check=6)
@pytest.mark.parametrize(("gap", "x", "ok"), [(3.1, 12, False), (3, 12, True), (3.1, 9.2, True)])
def test_without_an_enemy_or_an_objective_within_three_inches_nobody_moves(gap: float, x: float, ok: bool) -> None:
    units = [unit("Reds", "red", PLAIN, [(5, 10)], could_fight=True), unit("Blues", "blue", PLAIN, [(6 + gap, 10)])]
    b = situation(units, step="move_units", objectives=[(x, 10)])
    assert may_consolidate(b, named(b, "Reds")).ok is ok


@rule("w40k11.fight.consolidate_ongoing", check=1)
def test_who_touches_an_enemy_stays_when_it_consolidates() -> None:
    b = consolidating([(5, 10), (5, 11.5)], [(6, 10)])
    refused_by(b, "consolidate", to(CONSOLIDATE, (5, 9.9), None), MODE)
    assert judge(b, "consolidate", to(CONSOLIDATE, None, (5.2, 11)))


@rule("w40k11.fight.consolidate_ongoing", check=2)
def test_nobody_loses_an_engagement_by_consolidating() -> None:
    b = consolidating([(5, 10), (5, 8.3)], [(7, 10)], unit("Greens", "blue", PLAIN, [(5, 13)], fought=True))
    refused_by(b, "consolidate", to(CONSOLIDATE, (5.5, 9.5), None), MODE)
    assert judge(b, "consolidate", to(CONSOLIDATE, (5.3, 10.1), None))


@rule("w40k11.fight.consolidate_ongoing", check=3)
def test_who_consolidates_ends_closer_to_the_closest() -> None:
    b = consolidating([(5, 10), (5, 11.5)], [(6, 10)], unit("Greens", "blue", PLAIN, [(5, 13.2)], fought=True))
    refused_by(b, "consolidate", to(CONSOLIDATE, None, (5.1, 11.45)), MODE)
    assert judge(b, "consolidate", to(CONSOLIDATE, None, (5, 11.6)))


@rule("w40k11.fight.consolidate_engaging", check=1)
def test_only_enemies_within_three_inches_are_engaged() -> None:
    more = [unit("Three", "blue", PLAIN, [(5, 14)], fought=True), unit("Further", "blue", PLAIN, [(5, 5.9)])]
    assert offered(consolidating([(5, 10)], [(8.5, 10)], *more), "consolidate_targets") == ["Blues", "Three"]


@rule("w40k11.fight.consolidate_engaging", check=2)
def test_all_who_were_selected_have_to_be_engaged() -> None:
    b = consolidating([(5, 10)], [(8.5, 10)], unit("Greens", "blue", PLAIN, [(8, 12)], fought=True))
    give(b, "consolidate_targets", ["Blues", "Greens"])
    refused_by(b, "consolidate", to(CONSOLIDATE, (6.3, 8.6)), ENGAGING)
    assert judge(b, "consolidate", to(CONSOLIDATE, (7, 11)))


@rule("w40k11.fight.consolidate_engaging", check=3)
def test_fewer_may_be_selected_than_are_near() -> None:
    b = consolidating([(5, 10)], [(8.5, 10)], unit("Greens", "blue", PLAIN, [(8, 12)], fought=True))
    give(b, "consolidate_targets", ["Blues"])
    assert judge(b, "consolidate", to(CONSOLIDATE, (6.5, 9.5)))


# --- Fighting back ----------------------------------------------------------------------------------------------------

STRIKER = sheet(blade(attacks="1"), name="Striker")


def engaging(*blues: Any, dice: Any = None, doc: Any = STRIKER, **flags: Any) -> Battle11:
    """The Reds consolidate into the Blues, or into all that are given."""
    reds = unit("Reds", "red", doc, [(5, 10)], could_fight=True, fought=True)
    others = unit("Others", "red", PLAIN, [(20, 10)], could_fight=True)
    also = unit("Also", "blue", PLAIN, [(22, 10)], fought=True)
    b = situation([reds, others, *blues, also], step="consolidate_units", dice=dice or {"hit": [1, 1, 1]}, **flags)
    give(b, "consolidate_with", "Reds")
    return b


@rule("w40k11.fight.consolidate_response", check=1)
def test_who_is_engaged_and_has_not_fought_fights_at_once() -> None:
    b = engaging(unit("Blues", "blue", STRIKER, [(8.5, 10)]))
    give(b, "consolidate", to(CONSOLIDATE, (7, 10)))
    give(b, "overrun", False)
    default(b, "strike")
    assert (fights(b), rolls(b), kinds(b), offered(b, "consolidate_with")) == (
        ["Blues"],
        [("hit", (1,))],
        ["consolidate_with"],
        ["Others"],
    )


@rule("w40k11.fight.consolidate_response", check=1)
@pytest.mark.parametrize(("x", "answered"), [(9, ["Blues"]), (9.01, [])], ids=["engaging", "objective"])
def test_only_an_engaging_consolidation_is_answered(x: float, answered: list[str]) -> None:
    b = engaging(unit("Blues", "blue", STRIKER, [(x, 10)]), objectives=[(7, 12)])
    give(b, "consolidate", to(CONSOLIDATE, (7.5, 10)))
    until(b, "consolidate_with", 0)
    assert (fights(b), is_engaged(b, named(b, "Reds")), offered(b, "consolidate_with")) == (answered, True, ["Others"])


@rule("w40k11.fight.consolidate_response", check=2)
@pytest.mark.parametrize(("fought", "kind"), [(True, "consolidate_with"), (False, "overrun")])
def test_who_has_fought_does_not_fight_back(fought: bool, kind: str) -> None:
    b = engaging(unit("Blues", "blue", STRIKER, [(8.5, 10)], fought=fought))
    give(b, "consolidate", to(CONSOLIDATE, (7, 10)))
    assert kinds(b) == [kind]


def test_an_ongoing_consolidation_lets_nobody_fight_back() -> None:
    greens = unit("Greens", "blue", PLAIN, [(7.5, 12.7)])
    b = consolidating([(5, 10)], [(7.5, 10)], greens, unit("Others", "red", PLAIN, [(20, 20)]))
    give(b, "consolidate", to(CONSOLIDATE, (6.2, 10.5)))
    assert fights(b) == []


@rule("w40k11.fight.consolidate_response", check=3)
def test_several_fight_back_in_the_order_of_their_owner() -> None:
    b = engaging(unit("Blues", "blue", PLAIN, [(8.5, 10)]), unit("Greens", "blue", PLAIN, [(8, 12)]))
    give(b, "consolidate_targets", ["Blues"])
    give(b, "consolidate", to(CONSOLIDATE, (7, 10.8)))
    asked = (b.decisions[0].player, offered(b, "fight_back_with"))
    give(b, "fight_back_with", "Greens")
    until(b, "consolidate_with", 0)
    assert (asked, fights(b)) == ((1, ["Blues", "Greens"]), ["Greens", "Blues"])


@rule("w40k11.fight.consolidate_response", check=3)
def test_each_of_several_opponents_picks_among_its_own_units() -> None:
    greens = unit("Greens", "green", PLAIN, [(8, 12)])
    b = engaging(unit("Blues", "blue", PLAIN, [(8.5, 10)]), greens, players=("red", "blue", "green"))
    give(b, "consolidate_targets", ["Blues"])
    give(b, "consolidate", to(CONSOLIDATE, (7, 10.8)))
    until(b, "consolidate_with", 0)
    asked = {e.kind for e in b.events if isinstance(e, Asked)}
    assert (fights(b), "fight_back_with" in asked) == (["Blues", "Greens"], False)


@rule("w40k11.fight.consolidate_response", check=3)
def test_who_is_destroyed_meanwhile_does_not_fight_back() -> None:
    dice = {"hit": [6], "wound": [6], "deadly demise": [6]}
    bomb = {**STRIKER, "save": 7, "wounds": 1, "abilities": ["deadly demise 2"]}
    blues = unit("Blues", "blue", {**STRIKER, "wounds": 9}, [(8.5, 10)])
    b = engaging(blues, unit("Greens", "blue", PLAIN, [(8, 12)]), dice=dice, doc=bomb)
    give(b, "consolidate_targets", ["Blues"])
    give(b, "consolidate", to(CONSOLIDATE, (7, 10.8)))
    give(b, "fight_back_with", "Blues")
    give(b, "overrun", False)
    default(b, "strike")
    assert (alive(b, "Greens"), alive(b, "Blues"), fights(b), kinds(b)) == (0, 1, ["Blues"], ["consolidate_with"])


@rule("w40k11.fight.consolidate_response", check=4)
def test_who_consolidated_does_not_fight_again() -> None:
    b = engaging(unit("Blues", "blue", PLAIN, [(8.5, 10)]))
    give(b, "consolidate", to(CONSOLIDATE, (7, 10)))
    until(b, "move_with", 1)
    assert fights(b) == ["Blues"]


@rule("w40k11.fight.consolidate_response", check=5)
def test_who_fought_back_may_consolidate() -> None:
    b = engaging(unit("Blues", "blue", PLAIN, [(8.5, 10)]))
    give(b, "consolidate", to(CONSOLIDATE, (7, 10)))
    until(b, "consolidate_with", 1)
    assert offered(b, "consolidate_with") == ["Blues"]


# --- Towards an objective ---------------------------------------------------------------------------------------------

EDGE = MARKER.radius / STEP
"""From the middle of a marker to its edge"""


@rule("w40k11.fight.consolidate_objective", check=1)
def test_somebody_ends_within_range_of_the_objective() -> None:
    b = consolidating([(5, 10)], FAR, objectives=[(9.2, 10)])
    refused_by(b, "consolidate", to(CONSOLIDATE, (4.8, 10)), OBJECTIVE)
    assert judge(b, "consolidate", to(CONSOLIDATE, (4.93, 10)))


@rule("w40k11.fight.consolidate_objective", check=2)
def test_any_objective_within_three_inches_may_be_selected() -> None:
    b = consolidating([(5, 10)], FAR, objectives=[(8, 10), (5, 13.5 + EDGE), (5, 6.49 - EDGE)])
    first = offered(b, "consolidate_objective")
    give(b, "consolidate_objective", "objective 2")
    assert (first, judge(b, "consolidate", to(CONSOLIDATE, (5, 11))).ok) == (["objective 1", "objective 2"], True)


@rule("w40k11.fight.consolidate_objective", check=3)
def test_who_can_end_within_range_must() -> None:
    b = consolidating([(7, 10), (4.1, 10), (3, 11), (3, 12)], FAR, objectives=[(11, 10)])
    refused_by(b, "consolidate", to(CONSOLIDATE, (8.4, 10), (5.5, 10), None, None), OBJECTIVE)
    refused_by(b, "consolidate", to(CONSOLIDATE, (9, 10), (6.8, 10), (2.9, 11), None), OBJECTIVE)
    refused_by(b, "consolidate", to(CONSOLIDATE, (9, 10), (6.8, 10), (3, 9), None), OBJECTIVE)
    assert judge(b, "consolidate", to(CONSOLIDATE, (9, 10), (6.8, 10), (3.1, 11), None))


def test_the_default_goes_to_the_objective() -> None:
    b = consolidating([(5, 10), (5, 11.5)], FAR, objectives=[(9, 10)])
    b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))
    assert "consolidated" in told(b)


# --- Computer players -------------------------------------------------------------------------------------------------


def thought_of(b: Battle11) -> list[list[int]]:
    """Who moves in each idea of a computer player how to consolidate; none where the usual move will do."""
    return [[p.model for p in idea.answer.paths] for idea in SYSTEM.tactics.ideas(b, b.decisions[0], "tactician")]


def test_a_computer_player_steps_towards_an_objective() -> None:
    b = consolidating([(5, 10)], FAR, objectives=[(9.2, 10)])
    assert thought_of(b)[0] == [0]


@pytest.mark.parametrize(("attacks", "ideas"), [("1", [[]]), ("9", [])], ids=["weak", "strong"])
def test_a_computer_player_consolidates_into_whom_it_beats(attacks: str, ideas: list[list[int]]) -> None:
    doc = sheet(blade(attacks=attacks, strength=8, ap=-3, damage="2"))
    brawlers = unit("Blues", "blue", sheet(blade(attacks="4", strength=5, ap=-1, damage="2"), wounds=3), [(8.5, 10)])
    assert thought_of(engaging(brawlers, doc=doc)) == ideas
