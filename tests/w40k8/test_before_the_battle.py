"""Only War before the battle: markers, the primary objective, zones, deployment, the Underdog and the first turn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sandtable.battle import Spot
from sandtable.battle.decisions import Plotted
from sandtable.battle.events import Asked, Rolled, Told
from sandtable.battle.questions import check
from sandtable.battle.scenario import UnitDoc, open_scenario
from sandtable.battle.verdict import Verdict
from sandtable.systems.w40k8.before_the_battle import place_markers
from sandtable.systems.w40k8.only_war import ANCIENT_RELIC, DOMINATION
from sandtable.systems.w40k8.state import Battle8
from sandtable.systems.w40k8.system import SYSTEM, before_the_first_turn
from sandtable.table.grid import STEP, steps
from support.acting import cites, default, offered, until
from w40k8.table import Doc, asked, bare, document, give, named, rolls, situation, told, unit

SPOTS = ((10.0, 10.0), (30.0, 10.0), (50.0, 10.0), (36.0, 40.0))
CAR: Doc = {"transport": {"capacity": 5, "carries": ["INFANTRY"]}, "keywords": ["VEHICLE", "TRANSPORT"]}


def beside(name: str, player: str, count: int = 1, **changes: Any) -> UnitDoc:
    """A unit that is not on the table yet."""
    return UnitDoc(name, player, bare(name=name, **changes), models=count, off=True)


def prepare(units: list[UnitDoc] | None = None, step: str = "place_markers", **more: Any) -> Battle8:
    """A battle before it begins; red wins roll-offs and throws Slay and Secure unless dice say otherwise."""
    dice = {"roll-off": [6, 1] * 2, "primary objective": [1], **more.pop("dice", {})}
    units = units or [beside("Reds", "red"), beside("Blues", "blue")]
    settings = {"size": (72, 48), "round_": 0, "turns": 0, "mission": "only-war", **more}
    return situation(units, step=step, dice=dice, **settings)


def spot(x: float, y: float) -> tuple[Plotted, ...]:
    return (Plotted(steps(x), steps(y), 1),)


def marked(b: Battle8, *spots: tuple[float, float]) -> Battle8:
    """The next markers are placed."""
    for x, y in spots:
        b.answer(asked(b, "place_marker"), spot(x, y))
    return b


def marker_at(b: Battle8, x: float, y: float) -> Verdict:
    return check(b, asked(b, "place_marker"), spot(x, y))


def players_asked(b: Battle8, kind: str) -> list[int]:
    """To whom questions of a kind were put, in order."""
    return [e.player for e in b.events if isinstance(e, Asked) and e.kind == kind]


def order(b: Battle8, *of: str) -> list[str]:
    """Which of some kinds of events were told first, in their order."""
    return list(dict.fromkeys(kind for kind in told(b) if kind in of))


# --- Objective markers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.onlywar.markers", check=1)
def test_each_player_places_two_markers() -> None:
    b = marked(prepare(), *SPOTS)
    assert (len(b.state.game.markers), sorted(players_asked(b, "place_marker"))) == (4, [0, 0, 1, 1])


@pytest.mark.rule("w40k8.onlywar.markers", check=2)
def test_markers_lie_ten_inches_apart_or_more() -> None:
    b = marked(prepare(), (30, 20))
    near = marker_at(b, 30 + 9.9, 20)
    assert (near.ok, cites(near), marker_at(b, 40, 20).ok) == (False, {"w40k8.onlywar.markers"}, True)


@pytest.mark.rule("w40k8.onlywar.markers", check=2)
def test_the_marker_that_is_too_near_is_named() -> None:
    b = marked(prepare(), (30, 20), (50, 20))
    assert marker_at(b, 55, 20).reasons[0].text == 'A marker lies 10" or more from objective 2.'


@pytest.mark.rule("w40k8.onlywar.markers", check=1)
def test_without_a_mission_nobody_places_markers() -> None:
    b = situation([beside("Reds", "red"), beside("Blues", "blue")], step="move_units")
    with pytest.raises(StopIteration):  # it ends without a question
        place_markers(b).send(None)
    assert b.state.game.markers == ()


@pytest.mark.rule("w40k8.onlywar.markers", check=3)
@pytest.mark.parametrize("place", [(0, 0), (72, 48), (36, 0), (0, 40), (36, 8), (36, 40)])
def test_markers_may_lie_at_the_edge_and_in_either_half(place: tuple[float, float]) -> None:
    b = marked(prepare(), place)
    assert b.state.game.markers == ((steps(place[0]), steps(place[1]), 0),)


@pytest.mark.rule("w40k8.onlywar.markers", check=3)
def test_a_marker_lies_on_the_table() -> None:
    b, step = prepare(), 1 / STEP
    outside = [
        marker_at(b, 72 + step, 20),
        marker_at(b, 20, 48 + step),
        marker_at(b, -step, 20),
        marker_at(b, 20, -step),
    ]
    assert [cites(v) for v in outside] == [{"w40k8.onlywar.markers"}] * 4


@pytest.mark.rule("w40k8.onlywar.markers", check=1)
def test_markers_are_placed_one_at_a_time() -> None:
    b = prepare()
    d: Any = asked(b, "place_marker")
    none = check(b, d, ())
    assert (d.most, d.last_turn, cites(none)) == (1, 1, {"w40k8.onlywar.markers"})


@pytest.mark.rule("w40k8.onlywar.markers", check=1)
def test_without_a_mission_no_markers_are_placed() -> None:
    b = prepare(mission="")
    assert (b.state.game.markers, rolls(b)[2:]) == ((), [("primary objective", (1,))])


@pytest.mark.rule("w40k8.onlywar.markers", check=2)
def test_a_marker_that_is_too_near_is_told_from_which_other() -> None:
    b = marked(prepare(), (10, 10), (30, 20))
    assert [r.text for r in marker_at(b, 31, 20).reasons] == ['A marker lies 10" or more from objective 2.']


@pytest.mark.rule("w40k8.onlywar.markers", check=4)
def test_the_winner_of_a_roll_off_places_the_first_marker_and_players_take_turns() -> None:
    b = marked(prepare(dice={"roll-off": [2, 5, 6, 1]}), *SPOTS)
    assert players_asked(b, "place_marker") == [1, 0, 1, 0]


@pytest.mark.rule("w40k8.onlywar.markers", check=5)
def test_models_may_stand_on_markers() -> None:
    b = marked(prepare(), (36, 40), (10, 10), (30, 10), (50, 10))
    until(b, "deploy")
    (x, y, _), *_ = b.state.game.markers
    verdict = check(b, asked(b, "deploy"), (Spot(asked(b, "deploy").models[0], x, y, 0, 0),))  # type: ignore[attr-defined]
    assert verdict.ok


# --- The primary objective --------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.onlywar.primary", check=1)
@pytest.mark.parametrize(("faces", "winner"), [([6, 1], 0), ([2, 2, 1, 4], 1)])
def test_the_winner_of_the_roll_off_throws_for_the_objective(faces: list[int], winner: int) -> None:
    b = prepare(step="primary_objective", dice={"roll-off": faces})
    assert [e.player for e in b.events if isinstance(e, Rolled) and e.reason == "primary objective"] == [winner]


@pytest.mark.rule("w40k8.onlywar.primary", check=2)
def test_a_d3_gives_the_primary_objective() -> None:
    found = [prepare(step="primary_objective", dice={"primary objective": [f]}).state.game.primary for f in range(1, 7)]
    assert found == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("w40k8.onlywar.primary", check=3)
def test_both_players_score_by_the_same_objective() -> None:
    units = [unit("Reds", "red", bare(), [(10, 10)]), unit("Blues", "blue", bare(), [(50, 40)])]
    dice = {"roll-off": [6, 1], "primary objective": [5]}
    b = prepare(units, "primary_objective", dice=dice, objectives=[(10, 10), (50, 40)])
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    assert [p.vp for p in b.state.players] == [10, 10]


# --- Deployment zones -------------------------------------------------------------------------------------------------


def divided(line: str = "along", half: int = 0, units: list[UnitDoc] | None = None, **more: Any) -> Battle8:
    """Blue has divided the battlefield, and red has chosen a half."""
    b = prepare(units, "primary_objective", **more)
    give(b, "divide", line)
    give(b, "zone", half)
    return b


def area(outline: Any) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


HALVES = {
    "along": ({(0, 0), (72, 0), (72, 24), (0, 24)}, {(72, 48), (0, 48), (0, 24), (72, 24)}),
    "across": ({(0, 0), (36, 0), (36, 48), (0, 48)}, {(72, 48), (36, 48), (36, 0), (72, 0)}),
    "rising": ({(0, 0), (72, 0), (72, 48)}, {(72, 48), (0, 48), (0, 0)}),
    "falling": ({(0, 0), (72, 0), (0, 48)}, {(72, 48), (0, 48), (72, 0)}),
}


@pytest.mark.rule("w40k8.onlywar.zones", check=4)
@pytest.mark.parametrize("line", HALVES)
def test_the_halves_lie_on_either_side_of_the_line(line: str) -> None:
    halves = divided(line).state.game.halves
    assert tuple({(x / STEP, y / STEP) for x, y in half} for half in halves) == HALVES[line]


@pytest.mark.rule("w40k8.onlywar.zones", check=1)
@pytest.mark.parametrize(("faces", "loser"), [([6, 1], 1), ([1, 6], 0)])
def test_the_loser_of_the_roll_off_divides_the_battlefield(faces: list[int], loser: int) -> None:
    b = prepare(step="primary_objective", dice={"roll-off": faces})
    assert asked(b, "divide").player == loser


@pytest.mark.rule("w40k8.onlywar.zones", check=2)
@pytest.mark.parametrize(("half", "zones"), [(0, (0, 1)), (1, (1, 0))])
def test_the_winner_assigns_the_halves(half: int, zones: tuple[int, int]) -> None:
    b = divided(half=half)
    assert (players_asked(b, "zone"), b.state.game.zones) == ([0], zones)


@pytest.mark.rule("w40k8.onlywar.zones", check=3)
@pytest.mark.parametrize("line", ["along", "across", "rising", "falling"])
def test_both_halves_have_the_same_area(line: str) -> None:
    one, other = divided(line).state.game.halves
    assert area(one) == area(other) == 72 * 48 * STEP * STEP / 2


@pytest.mark.rule("w40k8.onlywar.zones", check=4)
def test_the_line_runs_along_either_axis_or_a_diagonal() -> None:
    b = prepare(step="primary_objective")
    assert [o.value for o in asked(b, "divide").options] == ["along", "across", "rising", "falling"]  # type: ignore[attr-defined]


# --- Deployment -------------------------------------------------------------------------------------------------------

FOUR = [beside("R1", "red"), beside("R2", "red"), beside("B1", "blue"), beside("B2", "blue")]


def set_up(b: Battle8, name: str, x: float, y: float) -> Verdict:
    """What the rules say of a single model that is deployed there."""
    (model,) = named(b, name).models
    return check(b, asked(b, "deploy"), (Spot(model, steps(x), steps(y), 0, 0),))


def deploying(b: Battle8) -> list[int]:
    """Whose units were set up, in order."""
    set_down = [e.units[0] for e in b.events if isinstance(e, Told) and e.kind in ("deployed", "in_reserve")]
    return [b.unit(u).player for u in set_down]


@pytest.mark.rule("w40k8.onlywar.deploy", check=1)
@pytest.mark.parametrize(("faces", "first"), [([6, 1], 1), ([1, 6], 0)])
def test_who_divided_the_battlefield_deploys_first(faces: list[int], first: int) -> None:
    b = divided(units=FOUR, dice={"roll-off": faces})
    assert asked(b, "deploy_with").player == first


@pytest.mark.rule("w40k8.onlywar.deploy", check=2)
def test_players_deploy_one_unit_at_a_time_in_turns() -> None:
    b = divided(units=FOUR)
    until(b, "first_turn")
    assert deploying(b) == [1, 0, 1, 0]


@pytest.mark.rule("w40k8.onlywar.deploy", check=3)
def test_who_has_finished_leaves_the_rest_to_the_other() -> None:
    b = divided(units=[*FOUR[1:], beside("B3", "blue")])
    until(b, "first_turn")
    assert deploying(b) == [1, 0, 1, 1]


@pytest.mark.rule("w40k8.onlywar.deploy", check=4)
def test_a_unit_set_up_in_reserve_uses_its_turn() -> None:
    b = divided(units=[*FOUR[:3], beside("B2", "blue", abilities=["teleport strike"])])
    give(b, "deploy_with", "B2")
    give(b, "deploy_where", "reserve")
    before = (named(b, "B2").reserve, asked(b, "deploy_with").player)
    until(b, "first_turn")
    assert (before, deploying(b)) == (("teleport strike", 0), [1, 0, 1, 0])


@pytest.mark.rule("w40k8.onlywar.deploy", check=4)
def test_a_unit_waits_in_reserve_only_if_all_of_its_models_may() -> None:
    plain = [{"models": [2], "sheet": bare(name="Plain")}]
    mixed = UnitDoc("Mixed", "blue", bare(abilities=["teleport strike"]), models=2, off=True, loadout=plain)
    b = divided(units=[beside("Reds", "red"), mixed])
    assert asked(b, "deploy").unit == named(b, "Mixed").id


@pytest.mark.rule("w40k8.onlywar.deploy", check=2)
def test_a_unit_for_which_there_is_room_is_deployed_and_no_other() -> None:
    huge = divided(units=[beside("Reds", "red"), beside("Fortress", "blue", base="hull 20x20")])
    assert [check(b, asked(b, "deploy"), None).ok for b in (divided(), huge)] == [False, True]


@pytest.mark.rule("w40k8.onlywar.deploy_distance", check=1)
def test_models_are_set_up_more_than_twelve_inches_from_the_enemy_zone() -> None:
    b = divided(half=0)
    near = set_up(b, "Blues", 30, 24 + 12.5)
    assert (near.ok, cites(near), set_up(b, "Blues", 30, 24 + 12.51).ok) == (
        False,
        {"w40k8.onlywar.deploy_distance"},
        True,
    )


@pytest.mark.rule("w40k8.onlywar.deploy_distance", check=2)
def test_the_whole_base_is_in_the_own_zone() -> None:
    b = divided(half=0)
    outside = set_up(b, "Blues", 30, 47.6)
    assert (cites(outside), set_up(b, "Blues", 30, 47.5).ok) == ({"w40k8.onlywar.deploy_distance"}, True)


def two(b: Battle8, *spots: tuple[float, float]) -> Verdict:
    """What the rules say of two models that are deployed there."""
    pairs = zip(named(b, "Blues").models, spots, strict=True)
    return check(b, asked(b, "deploy"), tuple(Spot(m, steps(x), steps(y), 0, 0) for m, (x, y) in pairs))


@pytest.mark.rule("w40k8.onlywar.deploy_distance", check=1)
@pytest.mark.rule("w40k8.onlywar.deploy_distance", check=2)
def test_one_model_too_near_or_outside_is_enough() -> None:
    b = divided(units=[beside("Reds", "red"), beside("Blues", "blue", 2)])
    found = [two(b, (30, 38), at) for at in ((30, 36.5), (30, 36.6))], [two(b, (30, 46), at) for at in EDGE]
    assert [[cites(v) for v in pair] for pair in found] == [[{"w40k8.onlywar.deploy_distance"}, set()]] * 2


EDGE = ((31.5, 47.6), (31.5, 47.5))


@pytest.mark.rule("w40k8.onlywar.deploy_distance", check=3)
@pytest.mark.parametrize("line", ["along", "across", "rising", "falling"])
def test_the_armies_start_more_than_24_inches_apart(line: str) -> None:
    b = divided(line)
    until(b, "first_turn")
    assert b.distance(named(b, "Reds"), named(b, "Blues")) > steps(24)


# --- Power Level ------------------------------------------------------------------------------------------------------


def weighed(red: int, blue: int, more: list[UnitDoc] | None = None, roller: int = 0, **settings: Any) -> Battle8:
    """Armies of these Power Ratings, once they are added up."""
    units = [
        unit("Reds", "red", bare(power=red), [(10, 10)]),
        unit("Blues", "blue", bare(power=blue), [(50, 40)]),
        *(more or []),
    ]
    return prepare(units, "power_levels", state={"game": {"roller": roller}}, **settings)


@pytest.mark.rule("w40k8.onlywar.underdog", check=1)
@pytest.mark.parametrize(("red", "blue", "who"), [(5, 6, 0), (6, 5, 1)])
def test_the_lower_power_level_is_the_underdog(red: int, blue: int, who: int) -> None:
    assert weighed(red, blue, roller=1 - who).state.game.underdog == who


@pytest.mark.rule("w40k8.onlywar.underdog", check=2)
@pytest.mark.parametrize("roller", [0, 1])
def test_of_equals_who_chose_the_zones_is_the_underdog(roller: int) -> None:
    assert weighed(5, 5, roller=roller).state.game.underdog == roller


@pytest.mark.rule("w40k8.onlywar.underdog", check=3)
def test_embarked_units_and_reserves_are_included() -> None:
    car = unit("Car", "red", bare(power=0, transport={"capacity": 4, "carries": ["INFANTRY"]}), [(40, 1)])
    aboard = unit("Aboard", "red", bare(power=4), [(1, 1)], embarked="Car")
    waiting = UnitDoc("Waiting", "red", bare(power=4), models=1, off=True, flags={"reserve": "teleport strike"})
    units = (weighed(5, 12, [car, aboard, waiting]), weighed(5, 12, [car, aboard]), weighed(5, 12, [waiting]))
    assert [b.state.game.underdog for b in units] == [1, 0, 0]


@pytest.mark.rule("w40k8.onlywar.underdog", check=4)
@pytest.mark.rule("w40k8.gap.unplaced_units", check=1)
def test_units_without_room_are_not_included() -> None:
    left = UnitDoc("Left", "red", bare(power=9), models=1, off=True, flags={"no_room": True})
    assert weighed(5, 6, [left], roller=1).state.game.underdog == 0


@pytest.mark.rule("w40k8.onlywar.underdog", check=5)
def test_the_underdog_stays_the_same() -> None:
    b = weighed(5, 6, roller=1)
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    assert (b.state.game.underdog, b.state.round, told(b).count("underdog")) == (0, 5, 1)


@pytest.mark.rule("w40k8.gap.points", check=1)
def test_the_value_of_an_army_is_the_sum_of_its_power_ratings() -> None:
    horde = unit("Horde", "red", bare(power=3), [(10.0 + 1.5 * i, 20.0) for i in range(10)])
    b = weighed(5, 18, [horde], roller=1)
    assert next(e.text for e in b.events if isinstance(e, Told) and e.kind == "underdog").startswith(
        "Power Levels: red 8, blue 18."
    )


def rerolls(difference: int) -> list[int]:
    return [p.rerolls for p in weighed(1, 1 + difference, roller=1).state.players]


@pytest.mark.rule("w40k8.onlywar.command_rerolls", check=1)
def test_a_difference_below_ten_gives_no_command_reroll() -> None:
    assert [rerolls(0), rerolls(9), rerolls(10)] == [[0, 0], [0, 0], [1, 0]]


@pytest.mark.rule("w40k8.onlywar.command_rerolls", check=2)
def test_a_difference_of_10_to_19_gives_one() -> None:
    assert [rerolls(10), rerolls(19)] == [[1, 0], [1, 0]]


@pytest.mark.rule("w40k8.onlywar.command_rerolls", check=3)
def test_a_difference_of_20_to_29_gives_two() -> None:
    assert [rerolls(20), rerolls(29)] == [[2, 0], [2, 0]]


@pytest.mark.rule("w40k8.onlywar.command_rerolls", check=4)
def test_each_further_ten_give_one_more_without_limit() -> None:
    assert [rerolls(30), rerolls(39), rerolls(40), rerolls(99)] == [[3, 0], [3, 0], [4, 0], [9, 0]]


@pytest.mark.rule("w40k8.onlywar.command_rerolls", check=5)
def test_the_other_player_gets_none() -> None:
    assert [p.rerolls for p in weighed(30, 5).state.players] == [0, 2]


# --- The first turn ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k8.onlywar.first_turn", check=1)
def test_no_dice_are_thrown_for_the_first_turn() -> None:
    b = weighed(5, 6)
    give(b, "first_turn", "blue")
    assert (b.state.game.first, rolls(b)) == (1, [])


@pytest.mark.rule("w40k8.onlywar.first_turn", check=2)
@pytest.mark.parametrize(("red", "who"), [(5, 0), (7, 1)])
def test_the_underdog_may_choose_either_player(red: int, who: int) -> None:
    b = weighed(red, 6)
    assert (asked(b, "first_turn").player, offered(b, "first_turn")) == (who, ["blue", "red"])


@pytest.mark.rule("w40k8.onlywar.first_turn", check=3)
@pytest.mark.rule("w40k8.round.battle_round", check=2)
def test_the_choice_holds_for_all_rounds() -> None:
    b = weighed(5, 6)
    give(b, "first_turn", "blue")
    while b.decisions:
        d = b.decisions[0]
        b.answer(d, None if check(b, d, None) else b.default(d))
    turns = [e.text.split(":")[0] for e in b.events if isinstance(e, Told) and e.text.endswith("Movement phase.")]
    assert turns == ["blue", "red"] * 5


# --- The Ancient Relic ------------------------------------------------------------------------------------------------


def relic(*faces: int, **more: Any) -> Battle8:
    """The battle has begun, with the Ancient Relic in play."""
    state = {"game": {"primary": ANCIENT_RELIC, "roller": 0, "underdog": 0}}
    units = [unit("Reds", "red", bare(), [(2, 2)]), unit("Blues", "blue", bare(), [(70, 46)])]
    settings = {"state": state, "dice": {"relic": list(faces)}, "objectives": list(SPOTS), **more}
    return prepare(units, "first_turn", **settings)


@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=1)
def test_the_relic_is_picked_as_the_first_round_starts_and_once() -> None:
    b = relic(2)
    before = rolls(b)
    give(b, "first_turn", "red")
    story = told(b)
    assert (before, story[:4]) == ([], ["first_turn", "round", "relic", "phase"])


@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=1)
def test_no_relic_is_picked_in_later_turns_or_with_another_objective() -> None:
    b, other = relic(2), relic(2, state={"game": {"primary": DOMINATION, "roller": 0, "underdog": 0}})
    for battle in (b, other):
        give(battle, "first_turn", "red")
        until(battle, "move_with", 1)
    assert ([told(b).count("relic"), told(other).count("relic")], other.state.game.removed) == ([1, 0], ())


@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=2)
@pytest.mark.rule("w40k8.gap.random_marker", check=1)
def test_each_face_picks_the_marker_of_its_number() -> None:
    battles = [relic(face) for face in (1, 2, 3, 4)]
    for b in battles:
        give(b, "first_turn", "red")
    assert [set(range(4)) - set(b.state.game.removed) for b in battles] == [{0}, {1}, {2}, {3}]


@pytest.mark.rule("w40k8.onlywar.ancient_relic", check=3)
def test_the_other_three_markers_leave_the_table() -> None:
    b = relic(3)
    give(b, "first_turn", "red")
    assert b.state.game.removed == (0, 1, 3)


@pytest.mark.rule("w40k8.gap.random_marker", check=2)
def test_faces_without_a_marker_are_thrown_anew() -> None:
    b = relic(6, 5, 5, 4)
    give(b, "first_turn", "red")
    assert ([f for kind, f in rolls(b) if kind == "relic"], b.state.game.removed) == (
        [(6,), (5,), (5,), (4,)],
        (0, 1, 2),
    )


# --- The order --------------------------------------------------------------------------------------------------------


def whole(*units: UnitDoc, dice: Doc | None = None) -> Battle8:
    """A battle from its first step to its first turn."""
    two = [*units, beside("Blues", "blue")] if units else [beside("Reds", "red"), beside("Blues", "blue")]
    faces = {"roll-off": [6, 1] * 2, "primary objective": [1], **(dice or {})}
    doc = document(two, step="place_markers", dice=faces, size=(72, 48), round_=0, turns=0, mission="only-war")
    b: Battle8 = open_scenario(doc, replace(SYSTEM, segments={**SYSTEM.segments, "setup": before_the_first_turn()}))
    until(b, "move_with")
    return b


@pytest.mark.rule("w40k8.onlywar.setup_order", check=1)
def test_markers_are_placed_before_the_objective_is_rolled() -> None:
    assert order(whole(), "marker", "primary") == ["marker", "primary"]


@pytest.mark.rule("w40k8.onlywar.setup_order", check=2)
def test_the_objective_is_known_before_the_battlefield_is_divided() -> None:
    assert order(whole(), "primary", "divided", "zones") == ["primary", "divided", "zones"]


@pytest.mark.rule("w40k8.onlywar.setup_order", check=3)
def test_traits_are_fixed_between_the_zones_and_the_first_unit() -> None:
    chief = beside("Reds", "red", keywords=["INFANTRY", "CHARACTER", "WARLORD"])
    b = whole(chief, dice={"warlord trait": [1]})
    assert order(b, "zones", "warlord_trait", "deployed") == ["zones", "warlord_trait", "deployed"]


@pytest.mark.rule("w40k8.transport.start", check=1)
def test_passengers_are_named_as_their_transport_is_deployed() -> None:
    b = divided(units=[beside("Reds", "red"), beside("Car", "blue", **CAR), beside("Blues", "blue")])
    give(b, "deploy_with", "Car")
    default(b, "deploy")
    assert (asked(b, "start_aboard").player, offered(b, "start_aboard")) == (1, ["Blues"])


@pytest.mark.rule("w40k8.transport.start", check=1)
def test_only_units_that_wait_and_have_room_start_aboard() -> None:
    units = [beside("Reds", "red"), beside("Blues", "blue"), beside("Car", "blue", **CAR), beside("Big", "blue", 6)]
    b = divided(units=[*units, beside("First", "blue")])
    give(b, "deploy_with", "First")
    default(b, "deploy")
    default(b, "deploy")
    give(b, "deploy_with", "Car")
    default(b, "deploy")
    assert offered(b, "start_aboard") == ["Blues"]


@pytest.mark.rule("w40k8.transport.start", check=2)
def test_a_transport_and_its_passengers_use_one_turn_of_deployment() -> None:
    b = divided(units=[beside("Reds", "red"), beside("More", "red"), beside("Car", "blue", **CAR), beside("B", "blue")])
    give(b, "deploy_with", "Car")
    default(b, "deploy")
    give(b, "start_aboard", "B")
    until(b, "first_turn")
    assert (deploying(b), named(b, "B").embarked) == ([1, 0, 0], named(b, "Car").id)


@pytest.mark.rule("w40k8.transport.start", check=3)
def test_passengers_at_the_start_count_as_set_up() -> None:
    units = [beside("Reds", "red", power=7), beside("Car", "blue", power=4, **CAR), beside("B", "blue", power=4)]
    b = divided(units=units)
    give(b, "deploy_with", "Car")
    default(b, "deploy")
    give(b, "start_aboard", "B")
    until(b, "first_turn")
    assert (b.state.game.underdog, named(b, "B").no_room) == (0, False)


@pytest.mark.rule("w40k8.onlywar.setup_order", check=4)
def test_the_underdog_is_found_between_deployment_and_the_first_turn() -> None:
    assert order(whole(), "deployed", "underdog", "first_turn") == ["deployed", "underdog", "first_turn"]
