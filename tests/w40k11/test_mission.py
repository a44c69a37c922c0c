"""What stands in for a mission: sizes, battlefield, objectives, first turn, scoring and the victor."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.battle import Plotted, questions
from sandtable.errors import UserError
from sandtable.systems.w40k11.mission import MISSION, check_battlefield, check_size, read_mission
from sandtable.systems.w40k11.objectives import MARKER
from sandtable.systems.w40k11.state import Battle11
from sandtable.systems.w40k11.strategic_reserves import RESERVES
from sandtable.table.grid import STEP, steps
from sandtable.table.layout import Table
from w40k11 import table
from w40k11.table import FOE, TROOPER, blade, cites, give, gun, kinds, mission, rolls, sheet, situation, told, unit

rule = pytest.mark.rule

PLAIN: dict[str, Any] = {**TROOPER, "weapons": []}
BIG = (60.0, 44.0)
Place = tuple[float, float]
SPOTS = [(10, 10), (30, 10), (10, 30), (30, 30)]
HOLD = {"kind": "hold", "name": "Hold", "vp": 1}


def play_on(b: Battle11, most: int = 2000) -> None:
    """Answer plainly until the battle is over."""
    for _ in range(most):
        if not b.decisions:
            return
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))


def only_war(step: str, *units: Any, **more: Any) -> Battle11:
    """A battle of Only War on a large table."""
    return situation(list(units), step=step, mission="only-war", size=BIG, **more)


# --- The mission ------------------------------------------------------------------------------------------------------


@rule("w40k11.gap.mission", check=1)
def test_a_battle_is_set_up_and_scored() -> None:
    units = [unit(n, n.lower(), PLAIN, off=2) for n in ("Red", "Blue")]
    b = only_war("agree_on_mission", *units, dice={"roll-off": [6, 1] * 3})
    play_on(b)
    seen = [
        kind for kind in dict.fromkeys(told(b)) if kind in ("attacker", "deployed", "first_turn", "round", "victor")
    ]
    assert (seen, len(b.state.game.markers)) == (["attacker", "deployed", "first_turn", "round", "victor"], 4)


@rule("w40k11.gap.mission", check=1)
@rule("w40k11.gap.mission", check=2)
@pytest.mark.parametrize(("round_", "held", "vp"), [(1, 4, 0), (2, 1, 1), (2, 3, 3), (2, 4, 3)])
def test_from_round_2_on_objectives_score_at_the_end_of_the_command_phase(round_: int, held: int, vp: int) -> None:
    units = [unit(f"Red {i}", "red", PLAIN, [spot]) for i, spot in enumerate(SPOTS[:held])]
    markers = [(steps(x), steps(y), 0) for x, y in SPOTS]
    foe = unit("Foes", "blue", PLAIN, [(55, 40)])
    b = only_war("command_phase", *units, foe, round_=round_, game={"markers": markers})
    assert ([p.vp for p in b.state.players], kinds(b), b.state.game.phase) == ([vp, 0], ["move_with"], "movement")


# --- Battle sizes -----------------------------------------------------------------------------------------------------


@rule("w40k11.gap.battle_size", check=1)
@pytest.mark.parametrize(("name", "points"), [("incursion", 1000), ("strike force", 2000), ("onslaught", 3000)])
def test_three_battle_sizes(name: str, points: int) -> None:
    assert (MISSION.sizes[name], check_size(read_mission("only-war"), [points, points])) == (points, points)


@rule("w40k11.gap.battle_size", check=1)
@pytest.mark.parametrize("points", [[1500, 1500], [1000, 2000]])
def test_other_sizes_are_refused(points: list[int]) -> None:
    with pytest.raises(UserError, match=r"w40k11\.gap\.battle_size"):
        check_size(read_mission("only-war"), points)


@rule("w40k11.gap.battle_size", check=2)
def test_half_of_the_points_may_wait_in_reserves() -> None:
    assert [points // RESERVES.share for points in MISSION.sizes.values()] == [500, 1000, 1500]


@rule("w40k11.gap.battlefield", check=1)
@pytest.mark.parametrize(("points", "long"), [(1000, 60), (2000, 60), (3000, 90)])
def test_how_large_the_battlefield_is(points: int, long: int) -> None:
    only_war_ = read_mission("only-war")
    check_battlefield(only_war_, points, Table(steps(long), steps(44), "in", ()))
    with pytest.raises(UserError, match=r"w40k11\.gap\.battlefield"):
        check_battlefield(only_war_, points, Table(steps(long - 1), steps(44), "in", ()))


# --- Objectives -------------------------------------------------------------------------------------------------------


def spot(x: float, y: float) -> tuple[Plotted, ...]:
    """A place for an objective, in inches."""
    return (Plotted(steps(x), steps(y), 1),)


def placing() -> Battle11:
    """The players are about to place objectives; blue won the roll-off."""
    units = [unit("Reds", "red", PLAIN, off=1), unit("Blues", "blue", PLAIN, off=1)]
    return only_war("place_objectives", *units, dice={"roll-off": [2, 5, 6, 1]})


EDGE = 6 + MARKER.radius / STEP


@rule("w40k11.gap.battlefield", check=2)
def test_players_place_four_objectives_in_turn() -> None:
    b, players = placing(), []
    while kinds(b) == ["place_marker"]:
        players.append(b.decisions[0].player)
        b.answer(b.decisions[0], spot(*SPOTS[len(players) - 1]))
    assert (players, len(b.state.game.markers), [f for _, f in rolls(b)][:2]) == ([1, 0, 1, 0], 4, [(2,), (5,)])


@rule("w40k11.gap.battlefield", check=2)
@pytest.mark.parametrize(
    ("at", "inward"),
    [
        ((EDGE, 20), (EDGE + 0.01, 20)),
        ((20, EDGE), (20, EDGE + 0.01)),
        ((60 - EDGE, 20), (59.99 - EDGE, 20)),
        ((20, 44 - EDGE), (20, 43.99 - EDGE)),
    ],
)
def test_an_objective_lies_more_than_6_inches_from_an_edge(at: Place, inward: Place) -> None:
    b = placing()
    refused, allowed = (questions.check(b, b.decisions[0], spot(*place)) for place in (at, inward))
    assert (cites(refused), allowed.ok) == ({"w40k11.gap.battlefield"}, True)


@rule("w40k11.gap.battlefield", check=2)
def test_an_objective_lies_more_than_9_inches_from_others() -> None:
    b = placing()
    b.answer(b.decisions[0], spot(20, 20))
    apart = 9 + 2 * MARKER.radius / STEP
    refused, allowed = (questions.check(b, b.decisions[0], spot(20 + d, 20)) for d in (apart, apart + 0.01))
    above, below = (questions.check(b, b.decisions[0], spot(20, y)) for y in (20 + apart, 19.99 - apart))
    assert (cites(refused), cites(above), allowed.ok, below.ok) == (*[{"w40k11.gap.battlefield"}] * 2, True, True)
    assert "from objective 1" in refused.reasons[0].text


# --- The first turn ---------------------------------------------------------------------------------------------------


@rule("w40k11.gap.first_turn", check=1)
@pytest.mark.parametrize(("faces", "first"), [([2, 5], 1), ([4, 4, 6, 3], 0)])
def test_the_winner_of_a_roll_off_has_the_first_turn_in_every_round(faces: list[int], first: int) -> None:
    units = [unit("Reds", "red", PLAIN, [(10, 5)]), unit("Blues", "blue", PLAIN, [(10, 40)])]
    markers = [(steps(x), steps(y), 0) for x, y in SPOTS]
    b = only_war("first_turn", *units, dice={"roll-off": faces}, round_=0, game={"markers": markers, "attacker": 0})
    turns = []
    while b.state.round < 3:
        turns.append((b.state.round, b.state.active))
        b.answer(b.decisions[0], questions.plain(b, b.decisions[0]))
    assert list(dict.fromkeys(turns)) == [(1, first), (1, 1 - first), (2, first), (2, 1 - first)]


@rule("w40k11.gap.cp_cap", check=1)
def test_players_begin_without_cp() -> None:
    units = [unit("Reds", "red", PLAIN, [(10, 5)]), unit("Blues", "blue", PLAIN, [(10, 40)])]
    b = only_war("begin_the_battle", *units, round_=0, cp=(4, 4))
    assert ([p.cp for p in b.state.players], told(b).count("command_points")) == ([1, 1], 1)


# --- The end ----------------------------------------------------------------------------------------------------------


KILLER = sheet(gun(attacks="1", strength=9, ap=-6, damage="9"), blade(), name="Killer")


def last_shot(*more: Any, vp: tuple[int, int] = (0, 0)) -> Battle11:
    """The Reds shoot at the Blues, and kill their only model."""
    units = [unit("Reds", "red", KILLER, [(5, 10)]), unit("Blues", "blue", PLAIN, [(10, 10)]), *more]
    state = {name: {"vp": n} for name, n in zip(("red", "blue"), vp, strict=True)}
    dice = {"hit": [6], "wound": [6]}
    b = situation(units, step="shoot_units", mission=mission(HOLD), dice=dice, state=state)
    give(b, "shoot_with", "Reds")
    table.default(b, "shoot")
    return b


@rule("w40k11.gap.end_and_victory", check=1)
def test_the_battle_ends_after_round_5() -> None:
    b = situation([unit("Reds", "red", PLAIN, [(5, 5)]), FOE], step="start_of_turn", mission=mission(HOLD))
    play_on(b)
    assert (b.state.round, b.state.game.turns, b.decisions) == (5, 10, ())


@rule("w40k11.gap.end_and_victory", check=1)
def test_the_battle_ends_at_once_when_an_army_is_destroyed() -> None:
    b = last_shot()
    assert (b.result is not None, b.state.round, b.state.game.phase) == (True, 1, "shooting")


@rule("w40k11.gap.end_and_victory", check=1)
def test_units_in_reserves_keep_an_army_alive() -> None:
    b = last_shot(unit("Late", "blue", PLAIN, off=1, reserve="strategic"))
    assert b.result is None


@rule("w40k11.gap.end_and_victory", check=2)
def test_whose_army_is_destroyed_loses() -> None:
    b = last_shot(vp=(0, 9))
    assert (b.result.winners, b.result.scores) == ((0,), (0, 9))


@rule("w40k11.gap.end_and_victory", check=2)
@pytest.mark.parametrize(("vp", "winners"), [((3, 2), (0,)), ((2, 3), (1,)), ((2, 2), ())])
def test_more_points_win_and_equal_points_are_a_draw(vp: tuple[int, int], winners: tuple[int, ...]) -> None:
    state = {name: {"vp": n} for name, n in zip(("red", "blue"), vp, strict=True)}
    units = [unit("Reds", "red", PLAIN, [(5, 5)]), FOE]
    b = situation(units, step="end_of_turn", active="blue", round_=5, mission=mission(HOLD), state=state)
    assert b.result.winners == winners
