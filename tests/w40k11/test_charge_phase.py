"""The Charge phase: who may declare a charge, the roll, targets, and the move."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled, Told
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k11.charge_phase import chance_to_charge
from sandtable.systems.w40k11.fight_phase import fights_first
from sandtable.systems.w40k11.state import Battle11
from w40k11 import table
from w40k11.table import (
    cites,
    feature,
    fights,
    give,
    judge,
    kinds,
    named,
    offered,
    places,
    power,
    refused_by,
    rolls,
    situation,
    told,
    unit,
    until,
)

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**table.TROOPER, "weapons": []}
"""Without weapons nobody is asked about attacks."""
FLYER: dict[str, Any] = {**PLAIN, "name": "Flyer", "keywords": ["INFANTRY", "FLY"]}


def ready(gap: float, *others: UnitDoc, sheet: dict[str, Any] = PLAIN, step: str = "charge_units", **more: Any) -> Any:
    """Reds so far from the Blues, and Eager ones who can charge in any case."""
    units = [
        unit("Reds", "red", sheet, [(5, 10)], **more.pop("flags", {})),
        unit("Blues", "blue", PLAIN, [(6 + gap, 10)]),
        unit("Eager", "red", PLAIN, [(5 + gap, 16)]),
        *others,
    ]
    return situation(units, step=step, **more)


def rolled(
    roll: list[int], reds: table.Spots, blues: table.Spots, *others: UnitDoc, sheet: Any = PLAIN, **more: Any
) -> Battle11:
    """Reds who have declared a charge and rolled; nobody else of theirs charges."""
    units = [unit("Reds", "red", sheet, reds), unit("Blues", "blue", PLAIN, blues), *others]
    b = situation(units, step="charge_units", dice={"charge": roll}, **more)
    give(b, "charge_with", "Reds")
    return b


def to(*points: Any) -> dict[str, Any]:
    return {"mode": "charge", "to": list(points)}


# --- The phase --------------------------------------------------------------------------------------------------------


@rule("w40k11.charge.phase", check=1)
def test_a_unit_declares_one_charge_in_a_phase() -> None:
    b = ready(6, dice={"charge": [1, 2]})
    give(b, "charge_with", "Reds")
    assert (offered(b, "charge_with"), cites(judge(b, "charge_with", "Reds"))) == (["Eager"], {"w40k11.charge.phase"})


@rule("w40k11.charge.phase", check=2)
def test_a_charge_is_resolved_before_the_next_is_declared() -> None:
    b = ready(6, dice={"charge": [3, 3]})
    give(b, "charge_with", "Reds")
    during = kinds(b)
    give(b, "charge_move", to((10, 10)))
    next_ = offered(b, "charge_with")
    give(b, "charge_with", None)
    assert (during, next_, kinds(b)) == (["charge_move"], ["Eager"], ["pile_in_with"])


def test_nobody_charges_in_the_other_turn() -> None:
    b = ready(6)
    assert cites(b.why_not("charge", named(b, "Blues").id)) == {"w40k11.charge.phase"}


# --- Who may charge ---------------------------------------------------------------------------------------------------


@rule("w40k11.charge.eligible", check=1)
@pytest.mark.parametrize(("gap", "names"), [(12, ["Eager", "Reds"]), (12.1, ["Eager"])])
def test_an_enemy_within_twelve_inches_is_needed(gap: float, names: list[str]) -> None:
    assert offered(ready(gap), "charge_with") == names


@rule("w40k11.charge.eligible", check=2)
@pytest.mark.parametrize(("gap", "names"), [(2, ["Eager"]), (2.1, ["Eager", "Reds"])])
def test_an_engaged_unit_does_not_charge(gap: float, names: list[str]) -> None:
    assert offered(ready(gap), "charge_with") == names


@rule("w40k11.charge.eligible", check=3)
@pytest.mark.parametrize(
    ("gap", "answer", "names"),
    [
        (6, {"mode": "normal", "by": [-1, 0]}, ["Eager", "Reds"]),
        (6, {"mode": "advance"}, ["Eager"]),
        (2, {"mode": "fall_back", "by": [-1, 0]}, ["Eager"]),
    ],
)
def test_who_advanced_or_fell_back_does_not_charge(gap: float, answer: Any, names: list[str]) -> None:
    b = ready(gap, step="move_units", dice={"advance": [3]})
    give(b, "move_with", "Reds")
    give(b, "move", answer)
    until(b, "charge_with")
    assert offered(b, "charge_with") == names


@rule("w40k11.charge.eligible", check=3)
@pytest.mark.parametrize(("moved", "what"), [("advance", "advance_and_charge"), ("fall_back", "fall_back_and_charge")])
def test_an_ability_may_allow_a_charge_all_the_same(moved: str, what: str) -> None:
    b = ready(6, flags={"moved": moved}, abilities=[power("Reds", kind="allow", what=what)])
    assert offered(b, "charge_with") == ["Eager", "Reds"]


@rule("w40k11.charge.eligible", check=6)
def test_aircraft_do_not_charge() -> None:
    keywords = [["VEHICLE", "FLY", "AIRCRAFT"], ["VEHICLE", "FLY"]]
    found = [offered(ready(6, sheet={**PLAIN, "name": "Plane", "keywords": x}), "charge_with") for x in keywords]
    assert found == [["Eager"], ["Eager", "Reds"]]


# --- The sequence -----------------------------------------------------------------------------------------------------


@rule("w40k11.charge.sequence", check=1)
def test_the_roll_comes_before_the_targets() -> None:
    b = rolled([3, 4], [(5, 10)], [(12, 10)], unit("Greens", "blue", PLAIN, [(12, 13)]))
    seen = (rolls(b), kinds(b))
    give(b, "charge_targets", ["Blues"])
    give(b, "charge_move", to((10.1, 9.4)))
    assert (seen, named(b, "Reds").charged) == (([("charge", (3, 4))], ["charge_targets"]), True)


@rule("w40k11.charge.sequence", check=1)
@pytest.mark.parametrize(("value", "faces", "read"), [(2, (2, 2), (6, True)), (-1, (3, 3), (6, False))])
def test_what_is_added_counts_for_the_roll(value: int, faces: tuple[int, int], read: Any) -> None:
    more = power("Reds", kind="modify", roll="charge", value=value)
    b = ready(6, unit("Far", "blue", PLAIN, [(5, 17.5)]), dice={"charge": list(faces)}, abilities=[more])
    give(b, "charge_with", "Reds")
    roll = next(e for e in b.events if isinstance(e, Rolled))
    assert (roll.needed, kinds(b) == ["charge_move"]) == read


@rule("w40k11.charge.sequence", check=2)
def test_a_player_who_saw_the_roll_may_stay() -> None:
    b = rolled([3, 4], [(5, 10)], [(12, 10)])
    give(b, "charge_move", {"mode": "decline"})
    assert (places(b, "Reds")[0][:2], told(b)[:2], named(b, "Reds").charged) == (
        (5, 10),
        ["charge_declared", "charge_failed"],
        False,
    )


def test_who_stays_moves_nobody() -> None:
    b = rolled([3, 4], [(5, 10)], [(12, 10)])
    refused_by(b, "charge_move", {"mode": "decline", "to": [(6, 10)]}, "w40k11.charge.sequence")


@rule("w40k11.charge.sequence", check=3)
@pytest.mark.parametrize(("roll", "answers"), [([1, 1], []), ([3, 3], [{"mode": "decline"}])])
def test_who_failed_or_declined_does_not_declare_again(roll: list[int], answers: list[Any]) -> None:
    b = ready(6, dice={"charge": roll})
    give(b, "charge_with", "Reds")
    for answer in answers:
        give(b, "charge_move", answer)
    assert (told(b), offered(b, "charge_with")) == (["charge_declared", "charge_failed"], ["Eager"])


@rule("w40k11.charge.double_one", check=1)
def test_two_ones_are_never_enough() -> None:
    b = ready(2.5, dice={"charge": [1, 1]})
    give(b, "charge_with", "Reds")
    assert (told(b)[-1], kinds(b), places(b, "Reds")[0][:2]) == ("charge_failed", ["charge_with"], (5, 10))


@rule("w40k11.charge.double_one", check=2)
def test_three_are_enough_for_two_and_a_half_inches() -> None:
    b = ready(2.5, unit("More", "blue", PLAIN, [(5, 14.1)]), dice={"charge": [1, 2]})
    give(b, "charge_with", "Reds")
    give(b, "charge_move", to((6.5, 10)))
    assert named(b, "Reds").charged


# --- Targets ----------------------------------------------------------------------------------------------------------


def three(roll: list[int]) -> Battle11:
    """Enemies 4\", 6\" and 6.5\" away."""
    far = [unit("Six", "blue", PLAIN, [(5, 17)]), unit("More", "blue", PLAIN, [(5, 2.5)])]
    return rolled(roll, [(5, 10)], [(10, 10)], *far)


@rule("w40k11.charge.targets", check=1)
def test_a_target_further_away_than_the_roll_cannot_be_picked() -> None:
    b = three([3, 3])
    assert (offered(b, "charge_targets"), kinds(b)) == (["Blues", "Six"], ["charge_targets"])


@rule("w40k11.charge.targets", check=1)
@rule("w40k11.charge.targets", check=2)
@pytest.mark.parametrize(("gap", "ways"), [(5, 30), (7, 21), (7.01, 15), (9, 10), (11, 3)])
def test_players_are_told_the_chance_that_the_roll_covers_the_distance(gap: float, ways: int) -> None:
    b = ready(gap)
    assert chance_to_charge(b, named(b, "Reds"), [named(b, "Blues")]) == pytest.approx(ways / 36)


@rule("w40k11.charge.targets", check=2)
def test_a_target_as_far_away_as_the_roll_can_be_picked() -> None:
    b = three([3, 3])
    near = offered(b, "charge_targets")
    give(b, "charge_targets", ["Six"])
    give(b, "charge_move", to((5, 15)))
    assert (near, named(b, "Reds").charged) == (["Blues", "Six"], True)


@rule("w40k11.charge.targets", check=3)
def test_a_charge_without_a_target_near_enough_fails() -> None:
    b = ready(6.5, dice={"charge": [3, 3]})
    give(b, "charge_with", "Reds")
    assert (told(b)[-1], places(b, "Reds")[0][:2], kinds(b)) == ("charge_failed", (5, 10), ["charge_with"])


@rule("w40k11.charge.targets", check=4)
def test_a_target_need_not_be_seen() -> None:
    ruin = feature("ruins", (8, 0, 1, 20), 8)
    more = unit("More", "blue", PLAIN, [(14.5, 5)])
    b = rolled([4, 4], [(5, 10)], [(12, 10)], more, terrain=[ruin])
    assert (kinds(b), judge(b, "charge_move", to((10, 10))).ok) == (["charge_move"], True)


@rule("w40k11.charge.targets", check=5)
def test_two_targets_are_picked_after_the_roll() -> None:
    others = [unit("Greens", "blue", PLAIN, [(10, 12)]), unit("More", "blue", PLAIN, [(5, 2)])]
    b = rolled([3, 3], [(5, 10)], [(10, 10)], *others)
    near = offered(b, "charge_targets")
    give(b, "charge_targets", ["Blues", "Greens"])
    give(b, "charge_move", to((8.5, 11)))
    assert (near, told(b)[:2]) == (["Blues", "Greens"], ["charge_declared", "charged"])


# --- The move ---------------------------------------------------------------------------------------------------------


@rule("w40k11.charge.move", check=1)
def test_who_moves_ends_closer() -> None:
    b = rolled([1, 2], [(5, 10), (5, 11.2), (2, 10), (2, 11.2)], [(8.5, 10.6)])
    refused_by(b, "charge_move", to((7, 10), (7, 11.2), None, (1.5, 11.2)), "w40k11.charge.move")
    assert judge(b, "charge_move", to((7, 10), (7, 11.2), None, (2.5, 11.2)))


@rule("w40k11.charge.move", check=2)
def test_who_can_end_within_an_inch_does_not_stop_short() -> None:
    b = rolled([2, 3], [(5, 10)], [(10, 10)])
    refused_by(b, "charge_move", to((7.5, 10)), "w40k11.charge.move")
    refused_by(b, "charge_move", to((7.99, 10)), "w40k11.charge.move")
    assert judge(b, "charge_move", to((8, 10)))


@rule("w40k11.charge.move", check=3)
def test_who_cannot_end_within_an_inch_ends_engaged() -> None:
    b = rolled([1, 2], [(5, 10), (2.8, 10)], [(8.5, 10)])
    refused_by(b, "charge_move", to((6.5, 10), (5.4, 10)), "w40k11.charge.move")
    assert judge(b, "charge_move", to((6.8, 10), (5.6, 10)))


@rule("w40k11.charge.move", check=4)
def test_nobody_has_to_touch_a_target() -> None:
    b = rolled([6, 6], [(5, 10)], [(10, 10)])
    give(b, "charge_move", to((8, 10)))
    assert named(b, "Reds").charged


@rule("w40k11.charge.move", check=5)
def test_a_charge_may_pass_close_to_others() -> None:
    b = rolled([4, 4], [(5, 10)], [(14, 10)], unit("Greens", "blue", PLAIN, [(8, 12.2)]))
    give(b, "charge_targets", ["Blues"])
    refused_by(b, "charge_move", {"mode": "charge", "to": [(10.3, 10)]}, "w40k11.charge.after")
    assert judge(b, "charge_move", to((12, 10)))


@rule("w40k11.charge.after", check=1)
def test_every_target_has_to_be_engaged() -> None:
    b = rolled([3, 3], [(5, 10)], [(10, 10)], unit("Greens", "blue", PLAIN, [(10, 12)]))
    give(b, "charge_targets", ["Blues", "Greens"])
    refused_by(b, "charge_move", to((8.5, 8.8)), "w40k11.charge.after")
    assert judge(b, "charge_move", to((8.5, 11)))


@rule("w40k11.charge.after", check=2)
def test_nobody_else_may_be_engaged() -> None:
    b = rolled([4, 4], [(5, 10)], [(12, 10)], unit("Greens", "blue", PLAIN, [(12, 12.5)]))
    give(b, "charge_targets", ["Blues"])
    refused_by(b, "charge_move", to((10.5, 11)), "w40k11.charge.after")
    assert judge(b, "charge_move", to((10.05, 9.8)))


@rule("w40k11.charge.after", check=3)
def test_a_charging_unit_stays_together() -> None:
    b = rolled([1, 4], [(5, 10), (2.1, 10)], [(10, 10)])
    refused_by(b, "charge_move", to((8, 10)), "w40k11.coherency.definition")
    assert judge(b, "charge_move", to((8, 10), (7, 10)))


# --- Fights First -----------------------------------------------------------------------------------------------------


def charged() -> Battle11:
    """The Reds have charged, others of theirs are engaged with the same enemy, and the turn is over."""
    others, blues = unit("Others", "red", PLAIN, [(11, 12)]), unit("Blues", "blue", PLAIN, [(10, 10)])
    units = [others, unit("Reds", "red", PLAIN, [(5, 10)]), blues]
    b = situation(units, step="charge_units", dice={"charge": [2, 3]})
    give(b, "charge_with", "Reds")
    give(b, "charge_move", to((8, 10)))
    until(b, "move_with", 1)
    return b


@rule("w40k11.charge.fights_first", check=1)
@rule("w40k11.unit.fights_first", check=2)
def test_who_charged_fights_first() -> None:
    assert fights(charged()) == ["Reds", "Blues", "Others"]


@rule("w40k11.charge.fights_first", check=2)
def test_fights_first_lapses_at_the_end_of_the_turn() -> None:
    b = charged()
    until(b, "move_with", 0)
    assert fights(b) == ["Reds", "Blues", "Others", "Blues", "Others", "Reds"]


@rule("w40k11.unit.fights_first", check=1)
@pytest.mark.parametrize(("ability", "first"), [(["fights first"], True), ([], False)])
def test_all_models_of_a_unit_need_fights_first(ability: list[str], first: bool) -> None:
    quick = {**PLAIN, "abilities": ["fights first"]}
    hero = {**table.HERO, "weapons": [], "abilities": ["leader", *ability]}
    units = [unit("Reds", "red", quick, [(5, 10), (5, 11)]), unit("Hero", "red", hero, [(5, 12)], leads="Reds")]
    b = situation([*units, table.FOE])
    assert fights_first(b, named(b, "Reds")).ok is first


# --- To the skies -----------------------------------------------------------------------------------------------------


@rule("w40k11.fly.take_to_skies", check=7)
@pytest.mark.parametrize(("walkers", "kind"), [([], "skies"), ([2], "charge_move")])
def test_only_who_can_fly_charges_through_the_skies(walkers: list[int], kind: str) -> None:
    doc, on_foot = {**PLAIN, "keywords": ["INFANTRY", "FLY"]}, {**PLAIN, "name": "Walker"}
    arms = [{"models": walkers, "sheet": on_foot} for _ in walkers]
    reds = unit("Reds", "red", doc, [(5, 10), (5, 11.5)], loadout=arms)
    b = situation([reds, unit("Blues", "blue", PLAIN, [(10, 10)])], step="charge_units", dice={"charge": [6, 6]})
    give(b, "charge_with", "Reds")
    assert kinds(b) == [kind]
    assert kind != "skies" or b.decisions[0].prompt == "Do Reds take to the skies?"


@rule("w40k11.fly.take_to_skies", check=7)
@pytest.mark.parametrize("answer", [to((9, 10)), {"mode": "decline"}], ids=["charged", "declined"])
def test_nobody_stays_in_the_skies_after_a_charge(answer: Any) -> None:
    b = rolled([5, 5], [(5, 10)], [(11, 10)], sheet=FLYER)
    give(b, "skies", True)
    during = named(b, "Reds").skies
    give(b, "charge_move", answer)
    assert (during, named(b, "Reds").skies) == (True, False)


@rule("w40k11.fly.take_to_skies", check=7)
def test_nobody_stays_in_the_skies_after_a_charge_without_targets() -> None:
    b = rolled([3, 3], [(5, 10)], [(12, 10)], unit("Eager", "red", PLAIN, [(12, 16)]), sheet=FLYER)
    give(b, "skies", True)
    story = [event.text for event in b.events if isinstance(event, Told) and event.kind == "charge_failed"]
    assert (kinds(b), named(b, "Reds").skies) == (["charge_with"], False)
    assert ['4"' in text for text in story] == [True]


@rule("w40k11.fly.take_to_skies", check=7)
def test_a_charge_through_the_skies_is_two_inches_shorter() -> None:
    b = rolled([4, 4], [(5, 10)], [(12, 10)], unit("Far", "blue", PLAIN, [(5, 17.5)]), sheet=FLYER)
    give(b, "skies", True)
    assert (kinds(b), judge(b, "charge_move", to((10, 10))).ok, b.decisions[0].modes[0].allowance) == (
        ["charge_move"],
        True,
        6 * 1024,
    )


def test_on_foot_a_flyer_charges_as_far_as_it_rolled() -> None:
    b = rolled([4, 4], [(5, 10)], [(12, 10)], unit("Far", "blue", PLAIN, [(5, 17.5)]), sheet=FLYER)
    give(b, "skies", False)
    assert offered(b, "charge_targets") == ["Blues", "Far"]
