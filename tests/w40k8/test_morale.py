"""The Morale phase: who tests, against what, and who flees."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Rolled
from sandtable.battle.scenario import UnitDoc
from sandtable.systems.w40k8.state import Battle8
from support.acting import default, judge, offered, until
from w40k8.table import (
    Doc,
    alive,
    asked,
    bare,
    column,
    give,
    gun,
    kinds,
    rolls,
    sheet,
    shoot,
    situation,
    squad,
    told,
    unit,
    wounds,
)

rule = pytest.mark.rule
SQUAD: Doc = bare(name="Trooper")


def reds(slain: int = 3, name: str = "Reds", *, count: int = 5, x: float = 4, **more: Any) -> UnitDoc:
    """A red unit that lost so many models this turn, of Leadership 7."""
    return unit(name, "red", more.pop("doc", SQUAD), column(count, x), **{"slain": slain, **more})


def blues(slain: int = 3, name: str = "Blues", **more: Any) -> UnitDoc:
    """The same in blue."""
    return unit(name, "blue", SQUAD, column(5, more.pop("x", 40)), slain=slain)


def morale(*units: UnitDoc, dice: list[int], **settings: Any) -> Battle8:
    """These units in the Morale phase of red."""
    return situation(list(units), **{"step": "test_units", "dice": {"morale": dice}, **settings})


def taken(b: Battle8) -> list[tuple[int, int | None]]:
    """The Morale tests so far: who took them, and what they came to."""
    return [(e.player, e.total) for e in b.events if isinstance(e, Rolled) and e.reason == "morale"]


# --- Who tests --------------------------------------------------------------------------------------------------------


@rule("w40k8.morale.phase", check=1)
def test_units_of_both_players_test() -> None:
    assert taken(morale(reds(1), blues(2), dice=[1, 1])) == [(0, 2), (1, 3)]
    assert taken(morale(reds(1), blues(2), dice=[1, 1], active="blue")) == [(1, 3), (0, 2)]


@rule("w40k8.morale.phase", check=2)
def test_the_active_player_takes_all_tests_before_the_other() -> None:
    b = morale(reds(1), reds(2, "Others", x=10), blues(3), blues(4, "Foes", x=30), dice=[1] * 4)
    first = (asked(b, "test_morale").player, offered(b, "test_morale"))
    give(b, "test_morale", "Others")
    assert (first, taken(b)) == ((0, ["Others", "Reds"]), [(0, 3), (0, 2)])
    assert (asked(b, "test_morale").player, offered(b, "test_morale")) == (1, ["Blues", "Foes"])


@rule("w40k8.morale.phase", check=3)
def test_a_unit_that_only_lost_wounds_does_not_test() -> None:
    hurt = reds(0, doc=bare(wounds=5), wounds={1: 1})
    assert taken(morale(hurt, blues(1), dice=[1, 1])) == [(1, 2)]


WITCH: Doc = sheet(name="Witch", keywords=["PSYKER"], psyker={"casts": 1, "denies": 0})


@rule("w40k8.morale.phase", check=4)
def test_models_slain_in_any_phase_and_by_any_cause_count() -> None:
    witch = unit("Witch", "red", WITCH, [(10, 10)], declared=True)
    gunners = unit("Reds", "red", sheet(gun(shots="2"), name="Red"), [(10, 14)], declared=True)
    foes = unit("Blues", "blue", SQUAD, column(5, 25))
    dice = {"psychic test": [3, 3], "smite": [3], "hit": [6, 6], "wound": [6, 6], "morale": [1]}
    b = situation([witch, gunners, foes], step="manifest_powers", dice=dice)
    give(b, "manifest", "Witch: Smite")
    assert taken(shoot(b)) == [(1, 5)]


@rule("w40k8.morale.phase", check=5)
def test_a_unit_without_models_does_not_test() -> None:
    gone = UnitDoc(name="Gone", player="blue", sheet=SQUAD, models=2, off=True, flags={"slain": 2})
    assert taken(morale(reds(0), gone, blues(1), dice=[1, 1])) == [(1, 2)]


@rule("w40k8.morale.phase", check=6)
def test_a_unit_tests_once_however_many_were_slain() -> None:
    b = morale(reds(4), blues(0), dice=[1, 1])
    assert (taken(b), kinds(b)) == ([(0, 5)], [])


@rule("w40k8.morale.phase", check=6)
def test_a_unit_tests_again_in_the_next_turn_in_which_it_loses_models() -> None:
    b = battle_of_two_turns()
    assert taken(b) == [(0, 5), (0, 3)]


@rule("w40k8.morale.phase", check=7)
def test_a_test_cannot_be_declined() -> None:
    b = morale(reds(1), reds(2, "Others", x=10), blues(0), dice=[1, 1])
    assert (judge(b, "test_morale", None).ok, judge(b, "test_morale", "Others").ok) == (False, True)


# --- The test ---------------------------------------------------------------------------------------------------------


def outcome(slain: int, face: int, unit_: UnitDoc | None = None) -> list[str]:
    """What is told of a Morale test."""
    b = morale(unit_ or reds(slain), blues(0), dice=[face])
    return [kind for kind in told(b) if kind.startswith("morale")]


@rule("w40k8.morale.test", check=1)
def test_a_total_equal_to_leadership_passes() -> None:
    assert (outcome(3, 4), outcome(3, 5)) == (["morale_passed"], ["morale_failed"])


@rule("w40k8.morale.test", check=2)
@rule("w40k8.sheet.profile", check=5)
def test_the_highest_leadership_of_those_that_are_left_counts() -> None:
    champion = [{"models": [2], "sheet": bare(name="Champion", leadership=8)}]
    led = reds(3, loadout=champion)
    assert (outcome(3, 5, led), outcome(3, 6, led)) == (["morale_passed"], ["morale_failed"])


@rule("w40k8.morale.test", check=2)
def test_the_leadership_of_a_slain_champion_does_not_count() -> None:
    champion = [{"models": [2], "sheet": bare(name="Champion", leadership=9, wounds=1)}]
    gunners = unit("Reds", "red", sheet(gun(), name="Red"), [(10, 10)], declared=True)
    foes = unit("Blues", "blue", SQUAD, column(3, 25), loadout=champion, slain=2)
    b = situation([gunners, foes], step="shoot_units", dice={"hit": [6], "wound": [6], "morale": [6]})
    give(shoot(b), "allocate", "Champion 2")
    assert (told(b)[-1], alive(b, "Blues")) == ("fled", 0)


def battle_of_two_turns() -> Battle8:
    """Reds lose four models in their own turn, and two more in that of the Blues."""
    foes = unit("Blues", "blue", sheet(gun(shots="2"), name="Blue"), [(25, 8)], declared=True)
    dice = {"morale": [1, 1], "hit": [6, 6], "wound": [6, 6]}
    b = situation([reds(4), foes], step="test_units", dice=dice, turns=2)
    until(b, "shoot_with")
    give(b, "shoot_with", "Blues")
    default(b, "shoot")
    return b


@rule("w40k8.morale.test", check=3)
def test_only_losses_of_this_turn_are_added() -> None:
    assert taken(battle_of_two_turns())[1] == (0, 3)


@rule("w40k8.morale.test", check=4)
def test_no_face_passes_or_fails_by_itself() -> None:
    assert (outcome(1, 6), outcome(7, 1)) == (["morale_passed"], ["morale_failed"])


def example(slain: int, face: int) -> Battle8:
    """A unit of Leadership 8 in the example of the book."""
    return morale(reds(slain, doc=bare(leadership=8)), blues(0), dice=[face])


@rule("w40k8.morale.test", check=5)
def test_a_six_and_three_slain_fail_by_one_against_leadership_8() -> None:
    b = example(3, 6)
    default(b, "flee")
    assert (taken(b), alive(b, "Reds")) == ([(0, 9)], 4)


@rule("w40k8.morale.test", check=6)
def test_a_three_and_four_slain_pass_against_leadership_8() -> None:
    b = example(4, 3)
    assert (taken(b), told(b)[-1], alive(b, "Reds")) == ([(0, 7)], "morale_passed", 5)


@rule("w40k8.morale.test", check=1)
def test_a_die_that_is_enough_is_not_thrown_again() -> None:
    state = {"red": {"rerolls": 1}}
    tests = [morale(reds(3), blues(0), dice=[face], state=state) for face in (4, 5)]
    assert [kinds(b) for b in tests] == [[], ["react.after_roll"]]


# --- Who flees --------------------------------------------------------------------------------------------------------


def fleeing(slain: int, face: int, **more: Any) -> Battle8:
    """Reds fail their test, and another unit has to test after them."""
    b = morale(reds(slain, **more), reds(1, "Others", x=10), blues(1), dice=[face, 1, 1])
    give(b, "test_morale", "Reds")
    return b


@rule("w40k8.morale.flee", check=1)
def test_a_test_failed_by_two_removes_two_models() -> None:
    b = fleeing(4, 5)
    give(b, "flee", ["Trooper 1", "Trooper 2"])
    assert (alive(b, "Reds"), kinds(b)) == (3, [])


@rule("w40k8.morale.flee", check=1)
def test_neither_more_nor_fewer_flee() -> None:
    b = fleeing(4, 5)
    some = ["Trooper 1", "Trooper 2", "Trooper 3"]
    assert [judge(b, "flee", some[:n]).ok for n in (1, 2, 3)] == [False, True, False]


MIXED = [{"models": [1], "sheet": bare(name="Champion", wounds=3)}]


@rule("w40k8.morale.flee", check=2)
@rule("w40k8.morale.flee", check=3)
def test_the_owner_picks_whole_models_wounded_or_not_champion_or_not() -> None:
    b = fleeing(3, 5, doc=bare(name="Trooper", wounds=3), loadout=MIXED, wounds={2: 1})
    picked = (asked(b, "flee").player, len(offered(b, "flee")))
    give(b, "flee", ["Champion 1"])
    assert (picked, wounds(b, "Reds")) == ((0, 5), [1, 3, 3, 3])


@rule("w40k8.morale.flee", check=4)
def test_no_more_models_flee_than_there_are() -> None:
    b = fleeing(9, 6, count=2)
    assert (alive(b, "Reds"), told(b).count("fled"), kinds(b)) == (0, 1, [])


@rule("w40k8.morale.flee", check=4)
def test_nobody_is_asked_who_flees_where_all_do() -> None:
    b = fleeing(4, 5, count=2)
    assert (alive(b, "Reds"), told(b).count("fled"), kinds(b)) == (0, 1, [])


@rule("w40k8.morale.flee", check=5)
def test_models_that_fled_are_not_slain() -> None:
    b = morale(reds(4), blues(4), blues(4, "Foes", x=30), dice=[5, 1, 1])
    give(b, "flee", ["Trooper 1", "Trooper 2"])
    assert (alive(b, "Reds"), squad(b, "Reds").slain, taken(b)) == (3, 4, [(0, 9)])
    give(b, "test_morale", "Foes")
    assert (len(rolls(b)), kinds(b)) == (3, [])


@rule("w40k8.morale.flee", check=6)
def test_a_removal_that_breaks_coherency_is_legal() -> None:
    b = fleeing(3, 5, count=3)
    spread = morale(unit("Reds", "red", SQUAD, column(3, 4, step=2.5), slain=3), blues(0), dice=[5])
    give(spread, "flee", ["Trooper 2"])
    assert (alive(spread, "Reds"), judge(b, "flee", ["Trooper 2"]).ok) == (2, True)


def test_who_is_aboard_a_transport_that_flees_gets_out() -> None:
    carrier = {"capacity": 4, "carries": ["INFANTRY"]}
    car = bare(name="Car", leadership=1, keywords=["VEHICLE", "TRANSPORT"], transport=carrier)
    units = [
        unit("Cars", "red", car, [(10, 10), (12, 10)], slain=5),
        UnitDoc("Squad", "red", SQUAD, models=2, off=True, flags={"embarked": "Cars"}),
        unit("Blues", "blue", SQUAD, [(42, 28)]),
    ]
    b = situation(units, step="test_units", dice={"morale": [6], "destroyed transport": [2, 2]})
    default(b, "disembark")
    assert (alive(b, "Cars"), alive(b, "Squad"), squad(b, "Squad").embarked) == (0, 2, -1)
