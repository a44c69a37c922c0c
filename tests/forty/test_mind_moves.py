"""Where the tactician sends its units, in small situations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandtable.api import new
from sandtable.battle.questions import judge
from sandtable.forty.mind import screens
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.places import threats
from sandtable.forty.mind.plan import plan
from sandtable.forty.mind.stakes import stakes
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k10.state import Battle10
from w40k10.table import BEAST, BLADE, RIFLE, TANK, TROOPER, asked, feature, give, named, places, row, situation, unit

CLAWS = {**BLADE, "name": "claws", "attacks": "5", "strength": 6, "ap": -2, "damage": "2"}
HARMLESS: dict[str, Any] = {**TROOPER, "name": "Porter", "weapons": [{**BLADE, "attacks": "1", "strength": 1}]}
BRUTE: dict[str, Any] = {**BEAST, "name": "Brute", "weapons": [CLAWS], "wounds": 4}
SNIPERS: dict[str, Any] = {**TROOPER, "name": "Sniper", "weapons": [{**RIFLE, "range": 36, "strength": 5, "ap": -2}]}


def moved(b: Battle10, name: str, style: str = "tactician") -> tuple[str, list[tuple[float, ...]]]:
    """Let a computer player move one unit: the kind of move, and where its models stand afterwards."""
    give(b, "move_with", name)
    player, kind = ComputerPlayer(style), ""
    while b.decisions and b.decisions[0].kind in ("move", "complete_move"):
        decision = b.decisions[0]
        answer = player.choose(b.view(decision.player), decision)
        kind = answer.mode
        b.answer(decision, answer)
    return kind, places(b, name)


def gap(places_: list[tuple[float, ...]], x: float, y: float) -> float:
    return float(min(((px - x) ** 2 + (py - y) ** 2) ** 0.5 for px, py, *_ in places_))


def test_a_unit_takes_the_marker_that_nobody_holds() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (20, 4))), unit("Blues", "blue", TROOPER, row(3, (40, 28)))],
        objectives=[(20, 12)],
    )
    _, stand = moved(b, "Reds")
    assert gap(stand, 20, 12) <= 3 + 0.79 + 0.5


def test_a_unit_that_holds_a_marker_stays_with_it() -> None:
    b = situation(
        [unit("Reds", "red", HARMLESS, row(3, (10, 12.5))), unit("Blues", "blue", TROOPER, row(3, (40, 4)))],
        objectives=[(11, 11)],
    )
    _, stand = moved(b, "Reds")
    assert gap(stand, 11, 11) <= 3 + 0.79 + 0.5


def test_two_units_do_not_both_go_for_one_marker_while_another_is_free() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(3, (18, 4))),
            unit("Crimsons", "red", TROOPER, row(3, (24, 4))),
            unit("Blues", "blue", TROOPER, row(3, (4, 29))),
        ],
        objectives=[(16, 11), (28, 11)],
    )
    first, second = moved(b, "Reds")[1], moved(b, "Crimsons")[1]
    near = [[gap(stand, x, 11) < 4.3 for x in (16, 28)] for stand in (first, second)]
    assert any(row_[0] for row_ in near)
    assert any(row_[1] for row_ in near)


def test_who_is_not_needed_at_a_marker_is_left_to_other_work() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, row(5, (9, 4))),
            unit("Crimsons", "red", TROOPER, row(5, (14, 8))),
            unit("Blues", "blue", HARMLESS, row(3, (40, 26))),
        ],
        objectives=[(11, 5)],
    )
    found = plan(b, 0)
    assert found.goals[named(b, "Reds").id] == 0
    assert named(b, "Crimsons").id not in found.goals
    assert found.needed[named(b, "Reds").id][0] > 0.9
    assert found.needed[named(b, "Crimsons").id][0] < 0.1


def test_a_marker_that_takes_longer_to_reach_is_worth_the_scorings_that_are_left() -> None:
    armies = {"red": "necrons-1000-legion", "blue": "orks-1000-speed"}
    b = new("w40k10", armies=armies, mission="only-war", layout="quarry", seed=1)
    player = ComputerPlayer("rusher")
    while b.state.round < 4:
        b.answer(b.decisions[0], player.choose(b.view(b.decisions[0].player), b.decisions[0]))
    arrivals = stakes(b, b.state.active).arrivals
    assert (arrivals[:-1] >= arrivals[1:]).all()
    assert arrivals[0].max() > 0
    assert arrivals[3].max() == 0, "nobody scores in a seventh round"


def test_nobody_goes_to_a_marker_only_to_be_cut_down_there() -> None:
    def reds(brutes: tuple[float, float]) -> Battle10:
        return situation(
            [unit("Reds", "red", HARMLESS, row(3, (20, 4))), unit("Brutes", "blue", BRUTE, row(5, brutes, (0, 1.5)))],
            objectives=[(20, 12)],
        )

    _, stand = moved(reds((42, 22)), "Reds")
    assert gap(stand, 20, 12) < 4.3, "from there they do not reach anybody"
    _, stand = moved(reds((24, 18)), "Reds")
    assert gap(stand, 20, 12) > 4.3


def test_snipers_keep_away_from_brutes_that_could_charge_them() -> None:
    b = situation(
        [unit("Reds", "red", SNIPERS, row(3, (10, 15))), unit("Brutes", "blue", BRUTE, row(5, (22, 12), (0, 1.5)))],
    )
    before = gap(places(b, "Reds"), 22, 15)
    _, stand = moved(b, "Reds")
    assert gap(stand, 22, 15) >= before - 0.1


def test_brutes_go_where_they_can_charge() -> None:
    b = situation(
        [
            unit("Brutes", "red", BRUTE, row(5, (6, 12), (0, 1.5))),
            unit("Blues", "blue", HARMLESS, row(5, (24, 12), (0, 1.5))),
        ],
    )
    _, stand = moved(b, "Brutes")
    assert gap(stand, 24, 15) < 14


def test_a_unit_in_cover_with_targets_stays_in_cover() -> None:
    b = situation(
        [unit("Reds", "red", SNIPERS, row(3, (7, 14))), unit("Blues", "blue", SNIPERS, row(5, (34, 12), (0, 1.5)))],
        [feature("woods", (5, 12, 8, 5), 4)],
    )
    _, stand = moved(b, "Reds")
    assert all(5 <= x <= 13 and 12 <= y <= 17 for x, y, *_ in stand)


def test_a_tank_that_would_lose_a_melee_falls_back() -> None:
    b = situation(
        [unit("Tank", "red", TANK, [(20, 15)]), unit("Brutes", "blue", BRUTE, row(5, (23, 12), (0, 1.2)))],
    )
    kind, _ = moved(b, "Tank")
    assert kind == "fall_back"


def test_brutes_in_a_melee_that_they_win_fight_on() -> None:
    b = situation(
        [
            unit("Brutes", "red", BRUTE, row(5, (20, 12), (0, 1.2))),
            unit("Blues", "blue", HARMLESS, row(5, (21.5, 12), (0, 1.2))),
        ],
    )
    kind, _ = moved(b, "Brutes")
    assert kind == "stationary"


def test_who_stands_in_the_way_of_a_charge_is_a_screen() -> None:
    b = situation(
        [
            unit("Guns", "red", SNIPERS, row(6, (6, 11), (0, 1.5))),
            unit("Screen", "red", HARMLESS, row(5, (14, 12), (0, 1.5))),
            unit("Brutes", "blue", BRUTE, row(5, (24, 12), (0, 1.5))),
        ],
    )
    o = outlook(b)
    guns, screen, brutes = (o.row[named(b, name).id] for name in ("Guns", "Screen", "Brutes"))
    foes = np.array([brutes])
    left = screens.stopped(o.field, guns, foes, np.array([[8.0, 15.0], [24.0, 28.0]]))
    assert left[0, 0] == screens.SCREENED, "behind the screen"
    assert left[1, 0] == 1.0, "beside it"
    danger = threats(b)
    kept = screens.shelters(o.field, screen, foes, np.array([[14.0, 15.0], [14.0, 28.0]]), danger)
    assert kept[0] > 0 and kept[1] == 0
    assert screens.shelters(o.field, guns, foes, np.array([[20.0, 15.0]]), danger)[0] == 0, "the dearer is no screen"


def test_the_rusher_goes_straight_at_the_nearest_enemy() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(3, (10, 15))), unit("Blues", "blue", TROOPER, row(3, (30, 15)))],
        objectives=[(10, 25)],
        dice=[4],
    )
    before = gap(places(b, "Reds"), 30, 15)
    kind, stand = moved(b, "Reds", "rusher")
    assert gap(stand, 30, 15) <= before - 5.5
    assert kind in ("normal", "advance")


def test_the_gunline_stays_where_it_has_a_target() -> None:
    b = situation(
        [unit("Reds", "red", SNIPERS, row(3, (10, 15))), unit("Blues", "blue", TROOPER, row(3, (34, 15)))],
    )
    assert moved(b, "Reds", "gunline")[0] == "stationary"


@pytest.mark.parametrize("style", ["tactician", "rusher", "gunline"])
def test_every_idea_for_a_move_has_a_reason_and_the_best_is_legal(style: str) -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(5, (10, 10))), unit("Blues", "blue", TROOPER, row(5, (28, 12)))],
        [feature("ruins", (16, 8, 6, 6), 5)],
        objectives=[(19, 18)],
    )
    give(b, "move_with", "Reds")
    decision = asked(b, "move")
    tactics = b.system.tactics
    assert tactics is not None
    found = list(tactics.ideas(b.view(0), decision, style))
    assert found
    assert all(idea.why.endswith(".") and "Reds" in idea.why for idea in found)
    assert any(judge(b, decision, idea.answer) for idea in found)


def test_thinking_changes_nothing_and_gives_the_same_twice() -> None:
    b = situation(
        [unit("Reds", "red", TROOPER, row(5, (10, 10))), unit("Blues", "blue", TROOPER, row(5, (28, 12)))],
        objectives=[(19, 18)],
    )
    give(b, "move_with", "Reds")
    decision, view = asked(b, "move"), b.view(0)
    tactics = b.system.tactics
    assert tactics is not None
    before = view.state.copy()
    assert list(tactics.ideas(view, decision, "tactician")) == list(tactics.ideas(view, decision, "tactician"))
    assert (view.state.models.pos == before.models.pos).all()
    assert view.state.units == before.units
