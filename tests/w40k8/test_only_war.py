"""Only War: who controls markers, what the primary objectives score, how long is fought, and who wins."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle.events import Told
from sandtable.battle.questions import check
from sandtable.battle.scenario import UnitDoc
from sandtable.forty.cards import score
from sandtable.forty.markers import pictured
from sandtable.systems.w40k8.only_war import ANCIENT_RELIC, DOMINATION, SLAY_AND_SECURE, controller
from sandtable.systems.w40k8.state import Battle8
from sandtable.table.grid import steps
from w40k8.table import Doc, bare, gun, range_, rolls, shoot, situation, told, unit

MARKER = (20.0, 15.0)
FAR = (2.0, 2.0)
"""Away from every marker."""
CAR: Doc = {"transport": {"capacity": 10, "carries": ["INFANTRY"]}, "keywords": ["VEHICLE", "TRANSPORT"]}


def turn_ends(units: list[UnitDoc], markers: Any = (MARKER,), goal: int = 0, **more: Any) -> Battle8:
    """A turn is about to end, and the battle with it unless said otherwise."""
    state = {"game": {"primary": goal, "underdog": 1, **more.pop("game", {})}, **more.pop("players", {})}
    settings = {"step": "score_turn", "mission": "only-war", **more}
    return situation(units, objectives=list(markers), state=state, **settings)


def at(name: str, player: str, *spots: tuple[float, float], doc: Doc | None = None, **flags: Any) -> UnitDoc:
    """A unit with its models at these places."""
    return unit(name, player, doc or bare(name=name), list(spots), **flags)


def near(count: int, side: int = -1) -> list[tuple[float, float]]:
    """Places within 3" of the marker, on one side of it."""
    return [(MARKER[0] + side * (1 + i % 2), MARKER[1] - 1.1 + 1.1 * (i // 2)) for i in range(count)]


def control(b: Battle8) -> tuple[int, ...]:
    return b.state.game.control


def vp(b: Battle8) -> list[int]:
    return [p.vp for p in b.state.players]


GUNNERS = unit("Blues", "blue", bare(name="Gunner", weapons=[gun(range_=72)]), [(42, 28)])
"""In their turn they are asked whether they shoot."""


def play_on(b: Battle8) -> Battle8:
    """To the end of the battle, with nobody doing anything."""
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    return b


# --- Control ----------------------------------------------------------------------------------------------------------


def shown(b: Battle8) -> tuple[str, int]:
    """The score line of the marker, and the side whose colour it has."""
    return list(score(b))[-1], pictured(b)[0].side


@pytest.mark.parametrize("mission", ["only-war", ""])
def test_what_is_shown_of_a_marker_is_who_controls_it_now(mission: str) -> None:
    units = [at("Reds", "red", *near(2)), at("Blues", "blue", *near(1, side=1))]
    b = situation(units, step="shoot_units", objectives=[MARKER], mission=mission)
    assert shown(b) == ("Marker 1: held by red", 0)
    b.move_models([0, 1], [(steps(2), steps(2), 0), (steps(4), steps(2), 0)])
    assert shown(b) == ("Marker 1: held by blue", 1)
    b.move_models([2], [(steps(6), steps(2), 0)])
    assert shown(b) == ("Marker 1: free", -1)


@pytest.mark.rule("w40k8.onlywar.control", check=1)
def test_models_are_counted_not_units_wounds_or_power() -> None:
    strong = bare(name="Strong", wounds=9, power=30)
    one, other = near(2, 1)
    b = turn_ends([at("Reds", "red", *near(3)), at("A", "blue", one, doc=strong), at("B", "blue", other, doc=strong)])
    assert control(b) == (0,)


@pytest.mark.rule("w40k8.onlywar.control", check=2)
@pytest.mark.parametrize(("gap", "who"), [(3.0, 0), (3.01, -1)])
def test_the_base_is_measured_to_the_centre_of_the_marker(gap: float, who: int) -> None:
    reds = at("Reds", "red", (MARKER[0] - 0.5 - gap, MARKER[1]))
    b = turn_ends([reds, at("Blues", "blue", (40, 28))], (MARKER, (40, 28)))
    assert control(b) == (who, 1)


@pytest.mark.rule("w40k8.onlywar.control", check=3)
def test_equal_numbers_mean_that_nobody_controls_a_marker() -> None:
    more = at("More", "blue", (32.0, 15.0), (32.0, 16.1))
    units = [at("Reds", "red", *near(2), (32.0, 13.9)), at("Blues", "blue", *near(2, 1)), more]
    assert control(turn_ends(units, (MARKER, (32, 15)))) == (-1, 1)


@pytest.mark.rule("w40k8.onlywar.control", check=4)
def test_control_is_not_kept_after_leaving() -> None:
    units = [at("Reds", "red", FAR), at("Blues", "blue", (40, 28))]
    b = turn_ends(units, (MARKER, (40, 28)), game={"control": [0, -1]})
    assert control(b) == (-1, 1)


@pytest.mark.rule("w40k8.onlywar.control", check=4)
def test_nobody_controls_a_marker_that_is_removed() -> None:
    b = turn_ends([at("Reds", "red", *near(1)), at("Blues", "blue", FAR)])
    before = controller(b, 0)
    b.set_game(removed=(0,))
    assert (before, controller(b, 0)) == (0, -1)


@pytest.mark.rule("w40k8.onlywar.control", check=5)
def test_one_model_against_none_is_control() -> None:
    b = turn_ends([at("Reds", "red", FAR), at("Blues", "blue", *near(1))])
    assert control(b) == (1,)


@pytest.mark.rule("w40k8.onlywar.control", check=6)
def test_a_transport_counts_as_one_model_and_its_passengers_as_none() -> None:
    car = at("Car", "red", *near(1), doc=bare(name="Car", **CAR))
    aboard = at("Reds", "red", *near(5), embarked="Car")
    b = turn_ends([car, aboard, at("Blues", "blue", *near(2, 1))])
    assert control(b) == (1,)


@pytest.mark.rule("w40k8.onlywar.control", check=7)
def test_vehicles_flyers_and_models_close_to_enemies_count() -> None:
    x, y = MARKER
    tank = at("Tank", "red", (x - 1, y), doc=bare(name="Tank", keywords=["VEHICLE"]))
    flyer = at("Flyer", "red", (x - 1, y + 1.1), doc=bare(name="Flyer", keywords=["VEHICLE", "FLY"]))
    b = turn_ends([tank, flyer, at("Reds", "red", (x - 1, y - 1.1)), at("Blues", "blue", (x, y), (x, y + 1.1))])
    assert control(b) == (0,)


@pytest.mark.rule("w40k8.onlywar.control", check=8)
def test_one_model_counts_for_two_markers() -> None:
    b = turn_ends([at("Reds", "red", (20, 15)), at("Blues", "blue", FAR)], markers=((17, 15), (23, 15)))
    assert control(b) == (0, 0)


# --- Slay and Secure --------------------------------------------------------------------------------------------------

ROW = ((8.0, 15.0), (18.0, 15.0), (28.0, 15.0), (38.0, 15.0))
"""Four markers, 10" apart."""
CHIEF = bare(name="Chief", keywords=["INFANTRY", "WARLORD"])


def slay_and_secure(*units: UnitDoc, **more: Any) -> Battle8:
    return turn_ends(list(units), ROW, SLAY_AND_SECURE, **more)


def fallen(name: str, player: str) -> UnitDoc:
    """A Warlord that was slain, and a comrade away from all markers."""
    return unit(name, player, CHIEF, [FAR, (2, 4)] if player == "red" else [(42, 28), (42, 26)], wounds={1: 0})


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=1)
def test_markers_of_slay_and_secure_score_when_the_battle_ends() -> None:
    b = slay_and_secure(at("Reds", "red", ROW[0]), GUNNERS, turns=2)
    before = vp(b)
    assert (before, vp(play_on(b))) == ([0, 0], [2, 0])


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=2)
def test_each_marker_is_worth_two() -> None:
    b = slay_and_secure(at("A", "red", ROW[0]), at("B", "red", ROW[1]), at("C", "red", ROW[2]), at("D", "blue", ROW[3]))
    assert vp(b) == [6, 2]


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=3)
def test_a_slain_warlord_is_worth_a_d3_thrown_once() -> None:
    b = slay_and_secure(at("Reds", "red", FAR), fallen("Chiefs", "blue"), dice={"warlord slain": [5, 1]})
    assert (vp(b), rolls(b)) == ([3, 0], [("warlord slain", (5,))])


@pytest.mark.rule("w40k8.move.reinforce_late", check=2)
def test_a_warlord_that_never_arrived_counts_as_slain() -> None:
    chief = unit("Chief", "blue", CHIEF, off=1, reserve="teleport strike")
    b = slay_and_secure(at("Reds", "red", FAR), chief, GUNNERS, dice={"warlord slain": [5]})
    assert vp(b) == [3, 0]


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=4)
def test_both_players_may_earn_the_d3() -> None:
    b = slay_and_secure(fallen("Red chiefs", "red"), fallen("Chiefs", "blue"), dice={"warlord slain": [1, 4]})
    assert vp(b) == [1, 2]


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=5)
def test_a_marker_that_nobody_controls_scores_for_nobody() -> None:
    x, y = ROW[1]
    b = slay_and_secure(at("A", "red", ROW[0]), at("B", "red", (x - 1, y)), at("C", "blue", (x + 1, y)))
    assert vp(b) == [2, 0]


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=3)
def test_no_goal_but_slay_and_secure_pays_for_warlords() -> None:
    b = turn_ends([at("Reds", "red", FAR), fallen("Chiefs", "blue")], ROW, DOMINATION)
    assert (vp(b), rolls(b)) == ([0, 0], [])


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=3)
def test_of_several_enemies_one_whose_warlord_was_slain_is_enough() -> None:
    other = at("Others", "green", (42, 4))
    b = slay_and_secure(at("Reds", "red", FAR), fallen("Chiefs", "blue"), other, dice={"warlord slain": [5, 3]})
    assert vp(b) == [3, 0, 2]


@pytest.mark.rule("w40k8.onlywar.slay_and_secure", check=2)
@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=4)
@pytest.mark.rule("w40k8.onlywar.domination", check=1)
def test_each_objective_scores_in_its_own_way_and_in_no_other() -> None:
    units = [at("Reds", "red", ROW[0]), at("Blues", "blue", (42, 28))]
    found = {goal: vp(turn_ends(units, ROW, goal)) for goal in (SLAY_AND_SECURE, ANCIENT_RELIC, DOMINATION)}
    assert found == {SLAY_AND_SECURE: [2, 0], ANCIENT_RELIC: [6, 0], DOMINATION: [1, 0]}


# --- Ancient Relic ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=4)
def test_the_relic_is_worth_six_at_the_end_and_nothing_before() -> None:
    units = [at("Reds", "red", ROW[2], ROW[1]), GUNNERS]
    b = turn_ends(units, ROW, ANCIENT_RELIC, game={"removed": [0, 1, 3]}, turns=2)
    before = vp(b)
    assert (before, vp(play_on(b))) == ([0, 0], [6, 0])


# --- Domination -------------------------------------------------------------------------------------------------------


def scored(b: Battle8) -> list[tuple[int, int]]:
    """Who scored what, in order."""
    return [(e.data["player"], e.data["vp"]) for e in b.events if isinstance(e, Told) and e.kind == "scored"]


@pytest.mark.rule("w40k8.onlywar.domination", check=1)
def test_domination_scores_ten_times_in_a_battle() -> None:
    b = turn_ends([at("Reds", "red", ROW[0]), at("Blues", "blue", (42, 28))], ROW, DOMINATION, turns=0)
    assert scored(play_on(b)) == [(0, 1)] * 10


@pytest.mark.rule("w40k8.onlywar.domination", check=2)
@pytest.mark.parametrize("active", ["red", "blue"])
def test_both_players_score_when_any_turn_ends(active: str) -> None:
    units = [at("Reds", "red", ROW[0]), at("Blues", "blue", ROW[3]), at("More", "blue", ROW[2])]
    b = turn_ends(units, ROW, DOMINATION, active=active)
    assert scored(b) == [(0, 1), (1, 2)]


@pytest.mark.rule("w40k8.onlywar.domination", check=4)
def test_four_markers_give_four_points_in_a_turn() -> None:
    reds = [at(f"Reds {i}", "red", spot) for i, spot in enumerate(ROW)]
    b = turn_ends([*reds, at("Blues", "blue", (42, 28))], ROW, DOMINATION)
    assert scored(b) == [(0, 4)]


@pytest.mark.rule("w40k8.onlywar.domination", check=5)
def test_points_once_scored_are_kept() -> None:
    units = [at("Reds", "red", FAR), at("Blues", "blue", ROW[3])]
    b = turn_ends(units, ROW, DOMINATION, players={"red": {"vp": 7}, "blue": {"vp": 2}})
    assert vp(b) == [7, 3]


# --- The end ----------------------------------------------------------------------------------------------------------


def ended(b: Battle8) -> tuple[tuple[int, ...], object] | None:
    """Who won, and how."""
    return b.result and (b.result.winners, b.result.victory)


@pytest.mark.rule("w40k8.onlywar.length", check=1)
def test_the_battle_ends_after_the_second_turn_of_round_five() -> None:
    units = [at("Reds", "red", FAR), GUNNERS]
    b = turn_ends(units, turns=0, round_=5, game={"turns": 8}, active="red")
    before = (ended(b), b.state.round)
    assert (before, ended(play_on(b)), b.state.game.turns) == ((None, 5), ((1,), "minor"), 10)


@pytest.mark.rule("w40k8.onlywar.length", check=2)
def test_there_is_no_sixth_round_and_no_dice_decide() -> None:
    units = [at("Reds", "red", FAR), at("Blues", "blue", (42, 28))]
    b = play_on(turn_ends(units, turns=0, round_=5, game={"turns": 9}, active="blue"))
    assert (b.state.round, rolls(b), b.decisions) == (5, [], ())


@pytest.mark.rule("w40k8.onlywar.length", check=1)
def test_a_battle_may_be_set_for_fewer_turns() -> None:
    b = play_on(turn_ends([at("Reds", "red", FAR), GUNNERS], turns=3))
    assert (b.state.game.turns, ended(b)) == (3, ((1,), "minor"))


@pytest.mark.rule("w40k8.onlywar.points_win", check=1)
@pytest.mark.parametrize(("points", "winner"), [((5, 4), 0), ((3, 40), 1)])
def test_more_points_are_a_major_victory_by_whatever_margin(points: tuple[int, int], winner: int) -> None:
    players = {"red": {"vp": points[0]}, "blue": {"vp": points[1]}}
    b = turn_ends(
        [at("Reds", "red", FAR), at("Blues", "blue", (42, 28))], players=players, game={"underdog": 1 - winner}
    )
    assert ended(b) == ((winner,), "major")


@pytest.mark.rule("w40k8.onlywar.points_win", check=2)
@pytest.mark.rule("w40k8.onlywar.points_win", check=3)
@pytest.mark.parametrize(("points", "underdog"), [(0, 0), (0, 1), (6, 0)])
def test_equal_points_are_a_minor_victory_of_the_underdog(points: int, underdog: int) -> None:
    players = {"red": {"vp": points}, "blue": {"vp": points}}
    b = turn_ends([at("Reds", "red", FAR), at("Blues", "blue", (42, 28))], players=players, game={"underdog": underdog})
    assert ended(b) == ((underdog,), "minor")


def test_equal_points_are_a_draw_where_a_scenario_names_no_underdog() -> None:
    b = turn_ends([at("Reds", "red", FAR), at("Blues", "blue", (42, 28))], players={}, game={"underdog": -1})
    assert ended(b) == ((), "")


def last_stand(*more: UnitDoc, **settings: Any) -> Battle8:
    """Two red units about to shoot, at the only model of blue that stands on the table."""
    spare = unit("Spares", "red", bare(name="Spare", weapons=[gun(range_=48)]), [(2, 28)])
    reds = unit("Reds", "red", bare(name="Red", weapons=[gun()]), [(10, 8)])
    units = [reds, spare, unit("Blues", "blue", bare(), [(20, 8)]), *more]
    return situation(units, step="shoot_units", mission="only-war", dice=[6, 6, 1], turns=2, **settings)


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=1)
def test_the_battle_ends_at_once_when_all_foes_are_slain() -> None:
    b = shoot(last_stand())
    assert (ended(b), b.state.game.phase, b.decisions) == (((0,), "major"), "shooting", ())


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=1)
def test_the_battle_goes_on_while_any_model_of_a_unit_is_left() -> None:
    hurt = unit("Hurt", "blue", bare(name="Hurt"), [(42, 28), (42, 26)], wounds={1: 0})
    b = shoot(last_stand(hurt))
    assert (ended(b), [d.kind for d in b.decisions]) == (None, ["shoot_with"])


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=1)
def test_by_either_reading_who_stands_on_the_battlefield_keeps_an_army_in_the_battle() -> None:
    more = unit("More", "blue", bare(name="More"), [(42, 28)])
    b = shoot(last_stand(more, options={"wiped-out": "on-the-battlefield"}))
    assert (ended(b), [d.kind for d in b.decisions]) == (None, ["shoot_with"])


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=2)
def test_points_do_not_matter_once_an_army_is_wiped_out() -> None:
    b = shoot(last_stand(state={"blue": {"vp": 50}, "game": {"underdog": 1}}))
    assert ended(b) == ((0,), "major")


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=3)
def test_reserves_keep_an_army_in_the_battle() -> None:
    waiting = UnitDoc("Reserves", "blue", bare(), models=1, off=True, flags={"reserve": "teleport strike"})
    b = play_on(shoot(last_stand(waiting)))
    assert b.state.game.turns == 2


def test_reserves_that_never_came_count_as_destroyed_at_the_end() -> None:
    waiting = UnitDoc("Reserves", "blue", bare(), models=1, off=True, flags={"reserve": "teleport strike"})
    b = turn_ends([at("Reds", "red", FAR), waiting], players={"blue": {"vp": 9}})
    assert ended(b) == ((0,), "major")


@pytest.mark.rule("w40k8.gap.unplaced_units", check=2)
def test_a_unit_without_room_does_not_keep_an_army_from_being_wiped_out() -> None:
    left_out = UnitDoc("Left out", "blue", bare(), models=1, off=True, flags={"no_room": True})
    b = shoot(last_stand(left_out))
    assert ended(b) == ((0,), "major")


def test_without_a_mission_a_battle_goes_on() -> None:
    b = shoot(range_(gun(), dice=[6, 6, 1], turns=1))
    assert "victor" not in told(b)


@pytest.mark.rule("w40k8.onlywar.wipe_out", check=4)
@pytest.mark.rule("w40k8.gap.fled_models", check=2)
def test_an_army_whose_last_models_fled_is_wiped_out() -> None:
    craven = unit("Blues", "blue", bare(leadership=4), [(20, 8)], slain=5)
    b = situation([at("Reds", "red", FAR), craven], step="morale_phase", mission="only-war", dice=[6], turns=2)
    assert (ended(b), b.state.game.turns) == (((0,), "major"), 0)


@pytest.mark.rule("w40k8.gap.fled_models", check=1)
def test_a_warlord_who_fled_earns_the_enemy_the_d3() -> None:
    chief = unit("Chief", "blue", {**CHIEF, "leadership": 4}, [(20, 8)], slain=5)
    units = [at("Reds", "red", FAR), at("Blues", "blue", (42, 28)), chief]
    dice = {"morale": [6], "warlord slain": [6]}
    b = turn_ends(units, ROW, SLAY_AND_SECURE, step="morale_phase", dice=dice)
    assert vp(b) == [3, 0]


@pytest.mark.rule("w40k8.gap.fled_models", check=1)
def test_nobody_earns_the_d3_for_others_than_the_warlord() -> None:
    guards = unit("Guards", "blue", bare(name="Guard"), [(40, 28), (40, 26)], wounds={1: 0})
    units = [at("Reds", "red", FAR), at("Chief", "blue", (42, 28), doc=CHIEF), guards]
    b = turn_ends(units, ROW, SLAY_AND_SECURE)
    assert (vp(b), rolls(b)) == ([0, 0], [])


@pytest.mark.rule("w40k8.onlywar.domination", check=3)
def test_models_that_fled_no_longer_count_when_the_turn_is_scored() -> None:
    craven = unit("Craven", "red", bare(leadership=4), [ROW[0]], slain=5)
    units = [craven, at("Reds", "red", ROW[1]), at("Blues", "blue", (42, 28))]
    b = turn_ends(units, ROW, DOMINATION, step="morale_phase", dice={"morale": [6]})
    assert scored(b) == [(0, 1)]
