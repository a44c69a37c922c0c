"""The chance that Overwatch does harm is told, and players are asked about it only where it does enough."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Choose, Option, questions
from sandtable.players import DefaultPlayer, StandingOrders, default_orders
from sandtable.systems import get
from support.acting import AnyBattle, asked, give, kinds
from support.situations import INCH, Doc, opened, row, unit

LINE: Doc = {
    "name": "Grunt", "move": 6, "toughness": 4, "save": 7, "wounds": 1, "leadership": 6, "oc": 1, "base": INCH,
    "height": 1.5, "keywords": ["INFANTRY"],
}  # fmt: skip
WINDOWS = [("w40k10", "react.unit_move_ended"), ("w40k11", "react.phase_ended")]
SIXES = 1 / 6 * 5 / 6
"""A shot in Overwatch hits on 6 and wounds on 2+."""


def reds(
    system: str, window: str, shots: int, count: int = 3, weapon: Doc | None = None, **foe: Any
) -> tuple[AnyBattle, Choose]:
    """Red has moved, and one Blue with so many shots may fire Overwatch."""
    gun = {"name": "gun", "range": 24, "attacks": f"{shots}", "skill": 3, "strength": 8, "ap": -3, "damage": "1"}
    gun |= weapon or {}
    b = opened(
        get(system),
        [
            unit("Reds", "red", {**LINE, **foe}, row(count, (10, 15))),
            unit("Blues", "blue", {**LINE, "name": "Gunner", "weapons": [gun]}, [(22, 15)]),
        ],
        cp=(0, 3),
        options={"windows": "all"},
    )
    give(b, "move_with", "Reds")
    give(b, "move", {"mode": "normal", "by": [1, 0]})
    while window not in kinds(b):
        b.answer(b.decisions[0], None)
    found = asked(b, window)
    assert isinstance(found, Choose)
    return b, found


def chance(b: AnyBattle, d: Choose) -> float | None:
    (use,) = [o.value for o in d.options if str(o.value).startswith("Fire Overwatch")]
    return questions.odds(b, d, use)


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_the_chance_is_that_a_model_falls(system: str, window: str) -> None:
    assert chance(*reds(system, window, 2)) == pytest.approx(1 - (1 - SIXES) ** 2)


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_or_that_two_wounds_are_lost(system: str, window: str) -> None:
    assert chance(*reds(system, window, 2, wounds=5)) == pytest.approx(SIXES**2)


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_what_is_not_overwatch_has_no_such_chance(system: str, window: str) -> None:
    b, d = reds(system, window, 2)
    assert questions.odds(b, d, None) is None


class Curious(DefaultPlayer):
    """Notes what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def choose(self, view: Any, decision: Any) -> Any:
        self.heard.append(decision.kind)
        return super().choose(view, decision)


@pytest.mark.parametrize(("system", "window"), WINDOWS)
@pytest.mark.parametrize(("shots", "heard"), [(14, False), (15, True)], ids=["1.94 wounds", "2.08 wounds"])
def test_players_are_asked_from_two_wounds_on(system: str, window: str, shots: int, heard: bool) -> None:
    b, d = reds(system, window, shots, wounds=9)
    assert hears(b, d) == heard
    assert ("two wounds" in questions.matters(b, d, None)) == heard


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_they_are_asked_about_flames_and_about_the_end_of_a_unit(system: str, window: str) -> None:
    b, d = reds(system, window, 1, count=1)
    assert (questions.matters(b, d, None), hears(b, d)) == ((), False), "14 %"
    b, d = reds(system, window, 2, count=1)
    assert (questions.matters(b, d, None), hears(b, d)) == (("their end",), True), "26 %"
    b, d = reds(system, window, 1, weapon={"abilities": ["torrent"]}, wounds=9)
    assert (questions.matters(b, d, None), hears(b, d)) == (("sure hits",), True)


def hears(b: AnyBattle, d: Choose) -> bool:
    """Whether the usual orders leave a question to the player."""
    person = Curious()
    StandingOrders(default_orders(b.system), person).choose(b.view(1), d)
    return d.kind in person.heard


@pytest.mark.parametrize(("roll", "reasons"), [([6, 6], ()), ([4, 4], ("the charge",))])
def test_they_are_asked_where_a_charge_may_come_to_nothing(roll: list[int], reasons: tuple[str, ...]) -> None:
    """The near one is kept to the last, as long as it is no leader: then the rest are too far away for a short roll."""
    gun = {"name": "gun", "range": 24, "attacks": "4", "skill": 3, "strength": 8, "ap": -3, "damage": "1"}
    near, far = {**LINE, "wounds": 1}, {**LINE, "name": "Big", "wounds": 9}
    squad = unit("Reds", "red", far, [(9, 15), (9, 17), (12, 15)], loadout=[{"models": [3], "sheet": near}])
    b = opened(
        get("w40k10"),
        [squad, unit("Blues", "blue", {**LINE, "name": "Gunner", "weapons": [gun]}, [(20, 15)])],
        step="charge_phase",
        cp=(0, 3),
        options={"windows": "all"},
        dice={"charge": roll},
    )
    give(b, "charge_with", "Reds")
    while "react.unit_move_began" not in kinds(b):
        b.answer(b.decisions[0], b.default(b.decisions[0]))
    d = asked(b, "react.unit_move_began")
    assert isinstance(d, Choose)
    assert (d.about["move"], d.about["far"], questions.matters(b, d, None)) == ("charge", sum(roll) * 1024, reasons)
    assert hears(b, d) == bool(reasons)


def marching(phase: str) -> list[str]:
    """What Blue hears by the usual orders while three like enemies begin and end a move."""
    gun = {"name": "gun", "range": 24, "attacks": "20", "skill": 3, "strength": 8, "ap": -3, "damage": "1"}
    units = [unit(f"Reds {i}", "red", LINE, row(3, (10, 5 + 8 * i))) for i in range(3)]
    blues = unit("Blues", "blue", {**LINE, "name": "Gunner", "weapons": [gun]}, [(22, 13)])
    b = opened(get("w40k10"), [*units, blues], cp=(0, 3), options={"windows": "all"})
    b.state.game.phase = phase
    person = Curious()
    orders = StandingOrders(default_orders(b.system), person)
    for i in range(3):
        for window in ("react.unit_move_began", "react.unit_move_ended"):
            use = Option(f"Fire Overwatch/{b.units_of(1)[0].id}", "Fire Overwatch: Blues", "1CP")
            asked = Choose(player=1, kind=window, prompt="React?", options=(use,), optional=True, unit=i)
            orders.choose(b.view(1), asked)
    return person.heard


def test_of_like_enemies_that_move_one_is_asked_about_once() -> None:
    assert marching("movement") == ["react.unit_move_began"]


def test_each_that_charges_is_another_threat() -> None:
    assert marching("charge") == ["react.unit_move_began"] * 3


@pytest.mark.parametrize(("system", "window"), WINDOWS)
def test_it_is_told_what_the_chance_is_of(system: str, window: str) -> None:
    assert questions.meant(*reds(system, window, 2)) == "to kill a model or cost two wounds"
