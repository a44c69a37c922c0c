"""Missions that bring their own map: zones, markers and what is scored stand in a document."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.armies.packs import find_list
from sandtable.battle.scenario import UnitDoc
from sandtable.kit.missions import on_map
from sandtable.systems.w40k8.deployment import zone_of
from sandtable.systems.w40k8.mission import build, missions, read_mission, table_of
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from support.acting import cites, offered, until
from w40k8.table import asked, bare, give, kinds, rolls, situation, told, unit
from w40k8.test_before_the_battle import beside, prepare, set_up

rule = pytest.mark.rule
OWN = [name for name in missions() if read_mission(name).scoring]
"""Only War leaves to the players and their dice where the armies deploy and what is scored."""


def test_there_are_five_missions_beside_only_war() -> None:
    assert len(OWN) == 5


@pytest.mark.parametrize("name", OWN)
def test_the_zones_of_a_mission_are_alike_and_more_than_12_inches_apart(name: str) -> None:
    mission = read_mission(name)
    one, other = ([on_map(p, steps(72), steps(48)) for p in zone] for zone in (mission.attacker, mission.defender))
    assert {(steps(72) - x, steps(48) - y) for x, y in one} == set(other)
    assert min((x - u) ** 2 + (y - v) ** 2 for x, y in one for u, v in other) > steps(12) ** 2


def begun(name: str, units: list[UnitDoc] | None = None, **more: Any) -> Battle8:
    """A battle at its first question; red wins the roll-off."""
    return prepare(units, mission=name, dice={"roll-off": [6, 1], "primary objective": []}, **more)


@rule("w40k8.onlywar.primary")
@rule("w40k8.onlywar.zones")
def test_nobody_places_markers_divides_the_battlefield_or_rolls_for_the_objective() -> None:
    b = begun("hold-the-line")
    assert (kinds(b), asked(b, "zone").player, rolls(b)) == (["zone"], 0, [("roll-off", (6,)), ("roll-off", (1,))])
    assert (len(b.setup.data.objectives), b.state.game.primary, told(b)) == (5, 0, ["roll_off"])


@rule("w40k8.onlywar.zones")
@pytest.mark.parametrize("half", [0, 1])
def test_the_winner_of_the_roll_off_picks_a_zone_and_is_attacker_in_the_first(half: int) -> None:
    b = begun("hold-the-line")
    give(b, "zone", half)
    assert (b.state.game.zones, b.state.game.attacker) == ([(0, 1), (1, 0)][half], half)


def test_armies_deploy_in_the_zones_of_the_mission() -> None:
    b = begun("hold-the-line")
    give(b, "zone", 0)
    outside = set_up(b, "Blues", 30, 36.49)
    assert (cites(outside), set_up(b, "Blues", 30, 36.5).ok) == ({"w40k8.onlywar.deploy_distance"}, True)


@pytest.mark.parametrize("layout", ["quarry", "crossroads"])
def test_a_layout_that_is_known_by_name_is_as_large_as_the_battlefield(layout: str) -> None:
    table = table_of(layout)
    assert sorted((table.width, table.depth)) == [steps(48), steps(72)]


def test_a_battle_says_where_it_is_fought() -> None:
    lists = {name: find_list(f"{name}-40-{what}") for name, what in (("orks", "green-tide"), ("necrons", "phalanx"))}
    assert build(lists, "break-out", "quarry")[0].scene == "Break Out on quarry"


@pytest.mark.parametrize("name", OWN)
def test_whoever_deploys_finds_room(name: str) -> None:
    b = begun(name, [beside("Reds", "red", 5), beside("Blues", "blue", 5)])
    until(b, "first_turn")
    assert (told(b).count("deployed"), offered(b, "first_turn")) == (2, ["blue", "red"])


# --- Scoring ----------------------------------------------------------------------------------------------------------


def ends(name: str, units: list[UnitDoc], round_: int = 2, turns: int = 10, **game: Any) -> Battle8:
    """A turn of red is about to end, in a battle by a mission; red is the Attacker, below."""
    state = {"game": {"attacker": 0, "zones": [0, 1], "halves": [list(z) for z in HALVES[name]], "underdog": 0, **game}}
    return situation(units, step="score_turn", mission=name, size=(72, 48), round_=round_, turns=turns, state=state)


HALVES = {
    name: [[on_map(p, steps(72), steps(48)) for p in zone] for zone in (mission.attacker, mission.defender)]
    for name, mission in ((name, read_mission(name)) for name in OWN)
}


def at(name: str, player: str, *spots: tuple[float, float], **changes: Any) -> UnitDoc:
    return unit(name, player, bare(name=name, **changes), list(spots))


def vp(b: Battle8) -> list[int]:
    return [p.vp for p in b.state.players]


AWAY = at("Blues", "blue", (70, 46))


@pytest.mark.parametrize(("round_", "points"), [(1, 0), (2, 2)])
def test_hold_the_line_pays_the_active_player_for_each_marker_from_round_2_on(round_: int, points: int) -> None:
    reds = [at("A", "red", (36, 24)), at("B", "red", (14, 24)), at("C", "blue", (58, 24))]
    assert vp(ends("hold-the-line", reds, round_)) == [points, 0]


def test_hold_the_line_pays_for_the_upper_hand_when_the_battle_ends() -> None:
    reds = [at("A", "red", (36, 24)), at("B", "red", (14, 24)), at("C", "blue", (58, 24))]
    assert vp(ends("hold-the-line", reds, 5, turns=1)) == [4, 0]


def test_break_out_pays_for_units_wholly_within_the_enemy_zone() -> None:
    units = [at("In", "red", (60, 10)), at("Across", "red", (48, 20)), at("Apart", "red", (60, 30), (47, 30)), AWAY]
    assert vp(ends("break-out", units)) == [2, 0]


def test_rising_tide_pays_more_in_later_rounds() -> None:
    units = [at("A", "red", (36, 24)), at("B", "red", (8, 8)), AWAY]
    far = [at("A", "red", (64, 40)), at("Blues", "blue", (2, 46))]
    assert [vp(ends("rising-tide", units, r)) for r in (2, 4)] == [[1, 0], [3, 0]]
    assert [vp(ends("rising-tide", far, r)) for r in (2, 4)] == [[2, 0], [4, 0]]


def test_a_drop_that_was_scored_is_carried_off() -> None:
    b = ends("supply-drop", [at("A", "red", (12, 24)), at("B", "red", (24, 18)), AWAY])
    assert (vp(b), b.state.game.removed) == ([4, 0], (0,))


def test_a_unit_that_fell_and_more_markers_are_worth_points() -> None:
    lost = unit("Lost", "blue", bare(name="Lost"), [(60, 40), (60, 42)], wounds={1: 0, 2: 0})
    hurt = unit("Hurt", "blue", bare(name="Hurt"), [(66, 40), (66, 42)], wounds={1: 0})
    assert vp(ends("cut-off-the-head", [at("Reds", "red", (36, 24)), lost, hurt])) == [3, 0]


def test_a_scenario_may_begin_after_zones_were_taken() -> None:
    units = [unit("Reds", "red", bare(), [(5, 5)]), unit("Blues", "blue", bare(), [(40, 40)])]
    b = situation(units, step="begin_turn", size=(72, 48), turns=1, mission="break-out")
    given = [zone_of(b, player) for player in (0, 1)]
    assert (len(set(given)), [len(zone) for zone in given]) == (2, [4, 4])
