"""About which re-rolls of an attack its player is asked, and what default orders answer to that."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import questions
from sandtable.battle.decisions import Decision
from sandtable.players import StandingOrders, default_orders
from sandtable.players.base import AnyView
from sandtable.systems.w40k10.state import Battle10
from w40k10.powers import at, clash, use
from w40k10.table import asked, give, kinds, rolls

SQUAD = "Intercessor Squad"
ERADICATORS = "Eradicator Squad"
LETHAL = (SQUAD, {"kind": "weapon_ability", "ability": "lethal hits"})
DEVASTATING = (SQUAD, {"kind": "weapon_ability", "ability": "devastating wounds"})
HITS = (SQUAD, {"kind": "reroll", "roll": "hit"})
WOUNDS = (SQUAD, {"kind": "reroll", "roll": "wound"})
ALL_HIT = [3, 4, 3, 6, 5, 3, 4, 3]


def fire(b: Battle10, unit: str, weapon: str, at: str) -> Battle10:
    """Fire one kind of weapon of a unit, as far as the first question."""
    b.start()
    give(b, "shoot_with", unit)
    if "react.unit_selected_to_shoot" in kinds(b):
        give(b, "react.unit_selected_to_shoot", "pass")
    give(b, "shoot", [{"weapon": weapon, "target": at}])
    return b


def volley(dice: dict[str, list[int]], *gain: Any, target: str = "boyz", options: dict[str, str] | None = None) -> Any:
    """Eight shots of Intercessors at whom the Oath is sworn."""
    name = {"boyz": "Boyz", "trukk": "Trukk"}[target]
    size = {"size": 20} if target == "boyz" else {}
    b = clash([at("intercessor-squad", 10)], [at(target, 20, **size)], gain=gain, dice=dice, options=options)
    use(b, "Oath of Moment", name, until="command")
    return fire(b, SQUAD, "bolt rifle", name)


class Nobody:
    """A player who is to be asked about nothing."""

    trusted = False

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        raise AssertionError(f"asked about {decision.kind}, {decision.about}")


def by_default_orders(b: Battle10) -> Battle10:
    """Whatever is asked about re-rolls is answered by default orders, and by nobody else."""
    while "reroll" in kinds(b):
        decision = asked(b, "reroll")
        orders = StandingOrders(default_orders(b.system), Nobody())
        b.answer(decision, orders.choose(b.view(decision.player), decision))
    return b


def test_nothing_is_asked_where_every_die_hit() -> None:
    b = volley({"hit": ALL_HIT, "wound": [1] * 7}, LETHAL)
    assert (kinds(b), rolls(b)) == (["allocate"], [("hit", tuple(ALL_HIT)), ("wound", (1,) * 7)])


def test_whoever_opens_all_windows_is_asked_still() -> None:
    b = volley({"hit": ALL_HIT}, LETHAL, options={"windows": "all"})
    while "react.after_roll" in kinds(b) or "react.targets_selected" in kinds(b):
        give(b, kinds(b)[0], "pass")
    assert asked(b, "reroll").about["bad"] == []


def test_default_orders_roll_misses_again_and_ask_nobody() -> None:
    b = volley({"hit": [*ALL_HIT[:6], 1, 2, 6, 1], "wound": [1] * 7}, LETHAL)
    assert asked(b, "reroll").about["bad"] == [6, 7]
    assert rolls(by_default_orders(b))[1:] == [("hit", (6, 1)), ("wound", (1,) * 5)]


def test_one_volley_whose_hits_and_wounds_are_rolled_again_asks_nobody() -> None:
    """As the Oath was when the book was new."""
    dice = {"hit": [*ALL_HIT[:7], 1, 3], "wound": [5, 5, 6, 4, 4, 1, 1, 2, 6]}
    b = volley(dice, LETHAL, DEVASTATING, WOUNDS)
    assert kinds(by_default_orders(b)) == ["allocate"]
    assert rolls(b)[1:] == [("hit", (3,)), ("wound", (5, 5, 6, 4, 4, 1, 1)), ("wound", (2, 6))]


@pytest.mark.parametrize("faces", [ALL_HIT, [*ALL_HIT[:7], 1]])
def test_who_could_gain_by_rolling_hits_again_is_asked(faces: list[int]) -> None:
    """A bolt wounds a Trukk on sixes, but a critical hit by itself: any other hit is worth less than a new roll."""
    b = clash([at("intercessor-squad", 10)], [at("trukk", 20)], gain=[LETHAL, HITS], dice={"hit": faces})
    decision = asked(fire(b, SQUAD, "bolt rifle", "Trukk"), "reroll")
    assert decision.about["better"] == [i for i, face in enumerate(faces) if 3 <= face < 6]
    assert questions.matters(b, decision, b.default(decision)) == ("a critical",)
    assert questions.matters(b, decision, tuple(i for i, face in enumerate(faces) if face < 6)) == ()
    with pytest.raises(AssertionError, match="asked about reroll"):
        by_default_orders(b)


def melta(damage: int, left: int, then: int = 3) -> Battle10:
    """One melta rifle wounds a Deff Dread that has so many wounds left."""
    dice = {"hit": [6, 1, 1], "wound": [6], "save": [1], "damage": [damage, then], "any": [1] * 9}
    b = clash([at("eradicator-squad", 10)], [at("deff-dread", 26), at("boyz", 40, size=20)], dice=dice, cp=(2, 0))
    (dread,) = next(u.models for u in b.units() if u.name == "Deff Dread")
    b.set_wounds(dread, left)
    return fire(b, ERADICATORS, "melta rifle", "Deff Dread")


@pytest.mark.parametrize(
    ("damage", "left", "better"),
    [
        (6, 8, None),  # as high as it can be
        (3, 3, None),  # enough, though below the average
        (4, 8, None),  # nothing is enough: what is above the average stays
        (4, 5, [0]),  # a 5 would be enough
        (2, 5, []),
    ],
)
def test_damage_is_asked_about_where_another_roll_could_do_more(
    damage: int, left: int, better: list[int] | None
) -> None:
    b = melta(damage, left)
    open_ = [d for d in b.decisions if d.kind == "reroll"]
    assert [d.about["better"] for d in open_] == ([] if better is None else [better])
    if better:
        assert questions.matters(b, open_[0], ()) == ("a kill",)
    elif open_:
        assert [faces for kind, faces in rolls(by_default_orders(b)) if kind == "damage"] == [(damage,), (3,)]


def test_damage_that_is_enough_stands_without_a_question() -> None:
    b = melta(1, 1)
    assert [faces for kind, faces in rolls(b) if kind == "damage"] == [(1,)], "the lowest roll kills, too"
    assert "react.after_roll" not in kinds(b), "nor is a Command point worth spending on it"
