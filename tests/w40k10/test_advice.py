"""The best split of a unit's weapons for an aim, for standing orders and the tactician."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Assign, Assignment, questions
from sandtable.battle.tactics import Idea
from sandtable.forty.declaring import default_shots
from sandtable.forty.mind.tactics import TACTICS
from sandtable.forty.odds import advice
from sandtable.players import DefaultPlayer, StandingOrders, read_orders
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import BLADE, RIFLE, TROOPER, asked, give, named, row, situation, unit

RAIL = {"name": "rail", "range": 48, "attacks": "1", "skill": 2, "strength": 12, "ap": -6, "damage": "2"}
BEAM = {**RAIL, "name": "beam"}
PISTOL = {**RIFLE, "name": "pistol", "range": 24, "attacks": "1", "abilities": ["pistol"]}
HIT = 25 / 36
"""A rail hits and wounds a Trooper on 2+, and nothing saves it."""


def shooters(
    weapons: list[dict[str, Any]], count: int, wounds: int, targets: int = 2, size: int = 1
) -> tuple[Battle10, Assign]:
    """Reds that may shoot at some small units of so many wounds a model, and the question what at whom."""
    foe = {**TROOPER, "name": "Foe", "wounds": wounds}
    b = situation(
        [
            unit("Reds", "red", {**TROOPER, "weapons": [*weapons, BLADE]}, row(count, (8, 15))),
            *(unit(f"Foes {i}", "blue", foe, row(size, (24, 4 + 5 * i))) for i in range(targets)),
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    decision = asked(b, "shoot")
    assert isinstance(decision, Assign)
    return b, decision


def dealt(b: Battle10, answer: tuple[Assignment, ...]) -> dict[str, int]:
    """How many weapons go at each unit."""
    found: dict[str, int] = {}
    for a in answer:
        name = b.unit(int(a.target)).name
        found[name] = found.get(name, 0) + a.count
    return found


def test_fire_is_divided_where_one_shot_is_enough_for_each() -> None:
    b, d = shooters([RAIL], count=2, wounds=2)
    found = advice.best_split(b, d, "destroy")
    assert found is not None
    assert dealt(b, found.answer) == {"Foes 0": 1, "Foes 1": 1}
    assert found.proven
    assert found.worth == pytest.approx(2 * HIT)
    assert found.worth > 1 - (1 - HIT) ** 2, "what all at one target would come to"
    assert questions.check(b, d, found.answer)


def test_fire_is_kept_together_where_one_shot_is_not_enough() -> None:
    b, d = shooters([RAIL], count=2, wounds=3)
    found = advice.best_split(b, d, "destroy")
    assert found is not None
    assert dealt(b, found.answer) == {"Foes 0": 2}
    assert found.worth == pytest.approx(HIT**2)


def test_the_aim_decides() -> None:
    b, d = shooters([RAIL], count=2, wounds=3)
    found = advice.best_split(b, d, "damage")
    assert found is not None
    assert dealt(b, found.answer) == {"Foes 0": 1, "Foes 1": 1}
    assert found.worth == pytest.approx(4 * HIT), "a second hit on the same model would waste a wound"


@pytest.mark.parametrize("aim", ["destroy", "kills", "damage", "points"])
def test_every_aim_has_a_legal_answer_that_uses_all_weapons(aim: Any) -> None:
    b, d = shooters([RAIL, RIFLE], count=3, wounds=2, targets=4, size=2)
    answer = questions.advise(b, d, aim)
    assert questions.check(b, d, answer)
    assert sum(dealt(b, answer).values()) == 6


def test_rows_are_not_divided_where_that_is_asked_for() -> None:
    b, d = shooters([RAIL], count=2, wounds=2)
    found = advice.best_split(b, d, "destroy", by_rows=True)
    assert found is not None
    assert dealt(b, found.answer) == {"Foes 0": 2}


def test_a_target_that_counts_for_more_is_taken_first() -> None:
    b, d = shooters([RAIL], count=1, wounds=2)
    second = named(b, "Foes 1").id
    found = advice.best_split(b, d, "damage", {named(b, "Foes 0").id: 1.0, second: 1.5})
    assert found is not None
    assert found.answer == (Assignment(d.rows[0].id, second, 1, ""),)
    assert found.worth == pytest.approx(1.5 * 2 * HIT)


def test_pistols_stay_in_their_holsters_where_rifles_do_more() -> None:
    b, d = shooters([PISTOL, RIFLE], count=3, wounds=2)
    assert len(d.rows) == 2
    answer = questions.advise(b, d, "kills")
    assert questions.check(b, d, answer)
    labels = {r.id: r.label for r in d.rows}
    assert {labels[a.row] for a in answer} == {"rifle"}


def test_what_is_too_much_to_work_out_gets_the_plain_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    b, d = shooters([RAIL], count=2, wounds=2)
    monkeypatch.setattr(advice, "MOST_ATTACKS", 1)
    assert advice.best_split(b, d, "destroy") is None
    assert questions.advise(b, d, "destroy") == default_shots(b, d)


def test_a_standing_order_divides_fire_and_says_so() -> None:
    b, d = shooters([RAIL], count=2, wounds=2)
    player = StandingOrders(read_orders("orders: [{for: shoot, do: best, aim: destroy}]", "x"), DefaultPlayer())
    assert dealt(b, player.choose(b.view(d.player), d)) == {"Foes 0": 1, "Foes 1": 1}
    (note,) = player.log
    assert note.answered
    assert "Foes 0" in note.text
    assert "Foes 1" in note.text
    assert note.text.endswith("(order for 'shoot')")


def idea(b: Battle10, d: Assign) -> Idea:
    """What the tactician thinks of first."""
    return next(TACTICS.ideas(b.view(d.player), d, "tactician"))


def test_the_tactician_divides_its_fire_where_a_target_would_run_out_of_wounds() -> None:
    b, d = shooters([RAIL, BEAM], count=1, wounds=2)
    found = idea(b, d)
    assert dealt(b, found.answer) == {"Foes 0": 1, "Foes 1": 1}
    assert "best split" in found.why


def test_the_tactician_does_without_the_solver_where_no_target_can_run_out() -> None:
    b, d = shooters([RAIL, BEAM], count=1, wounds=2, size=9)
    assert "split" not in idea(b, d).why


def test_the_tactician_wastes_no_weapon_on_what_others_kill_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    gunner = {**TROOPER, "name": "Gunner", "weapons": [{**RAIL, "name": "storm", "attacks": "20"}]}
    peasant = {**TROOPER, "name": "Peasant", "toughness": 3, "save": 6, "oc": 0, "weapons": [{**BLADE, "attacks": "1"}]}
    arms = [{"models": [1, 2], "weapons": ["rail"]}, {"models": [3], "weapons": ["beam"]}]
    reds = {**TROOPER, "wounds": 6, "weapons": [RAIL, BEAM, BLADE]}
    b = situation(
        [
            unit("Reds", "red", reds, row(3, (8, 15)), loadout=arms),
            unit("Gunner", "blue", gunner, [(24, 10)]),
            unit("Peasants", "blue", peasant, row(2, (24, 20))),
        ],
        step="shoot_units",
    )
    give(b, "shoot_with", "Reds")
    d = asked(b, "shoot")
    assert isinstance(d, Assign)
    assert dealt(b, idea(b, d).answer) == {"Gunner": 2, "Peasants": 1}
    monkeypatch.setattr(advice, "best_split", lambda *asked, **more: None)
    assert dealt(b, idea(b, d).answer) == {"Gunner": 3}, "averages alone would send everything at one"
