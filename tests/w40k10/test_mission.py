"""The mission sequence, Only War, scoring, the end of the battle and the victor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from sandtable.battle import GONE, Battle, Moment, Option, Reaction
from sandtable.battle.decisions import Plot, Plotted
from sandtable.battle.events import Asked, Told
from sandtable.battle.state import TABLE
from sandtable.errors import UserError
from sandtable.forty.counts import fallen
from sandtable.forty.markers import markers_of
from sandtable.forty.mission import mission_of
from sandtable.forty.moments import PRE_BATTLE
from sandtable.forty.scoring import score
from sandtable.kit.missions import Mission, on_map
from sandtable.systems.w40k10.mission import missions, place_markers, read_mission, time_is_up, victors
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import STEP, steps
from sandtable.table.layout import Feature, Table
from w40k10.armies import BOYZ, CAPTAIN, INTERCESSORS, OPEN_FIELD, WARBOSS, battle, go_on
from w40k10.table import TANK, TROOPER, asked, cites, kinds, named, situation, told, unit


def spot(x: float, y: float) -> tuple[Plotted, ...]:
    """A place for a marker, in inches."""
    return (Plotted(steps(x), steps(y), 1),)


def with_mission(b: Battle10, mission: Mission, rounds: int = 5) -> Battle10:
    """The same moment, in a battle of this mission."""
    zones = tuple(
        tuple(on_map(p, b.setup.table.width, b.setup.table.depth) for p in zone)
        for zone in (mission.attacker, mission.defender)
    )
    b.setup = msgspec.structs.replace(
        b.setup, data=msgspec.structs.replace(b.setup.data, mission=mission, zones=zones, rounds=rounds)
    )
    b.state.game.attacker = 0
    for p in b.state.players:
        p.scored = (0,) * len(mission.scoring)
    return b


def texts(b: Battle[Any, Any, Any, Any], kind: str) -> list[str]:
    """What was told of this kind."""
    return [e.text for e in b.events if isinstance(e, Told) and e.kind == kind]


# --- The sequence -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.mission.sequence", check=1)
@pytest.mark.rule("w40k10.mission.sequence", check=2)
def test_the_steps_of_a_mission_run_in_order() -> None:
    b = battle(mission="only-war", red=[CAPTAIN, INTERCESSORS, {"sheet": "scout-squad"}])
    go_on(b, "move_with")
    others = ("react.", "ability")
    order = dict.fromkeys(e.kind for e in b.events if isinstance(e, Asked) and not e.kind.startswith(others))
    assert list(order) == [
        "place_marker",
        "attach",
        "reserves",
        "deploy_with",
        "deploy",
        "scout_with",
        "scout_move",
        "move_with",
    ]
    steps_told = [t for t in told(b) if t in ("attacker", "attached", "deployed", "first_turn", "scouted", "round")]
    assert list(dict.fromkeys(steps_told)) == ["attacker", "deployed", "first_turn", "scouted", "round"]
    assert b.state.round == 1


@pytest.mark.rule("w40k10.mission.attacker_defender", check=1)
@pytest.mark.rule("w40k10.onlywar.formations", check=1)
def test_the_winner_of_the_roll_off_is_the_attacker() -> None:
    for faces, attacker in (([6, 1], 0), ([1, 6], 1), ([3, 3, 2, 5], 1)):
        b = battle(dice={"roll-off": faces})
        assert b.state.game.attacker == attacker
        assert "attach" in kinds(b)


@pytest.mark.rule("w40k10.mission.first_turn", check=1)
@pytest.mark.rule("w40k10.onlywar.first_turn", check=1)
@pytest.mark.rule("w40k10.onlywar.first_turn", check=2)
def test_the_first_turn_is_rolled_off_after_deployment() -> None:
    b = battle(dice={"roll-off": [6, 1, 2, 5]}, blue=[WARBOSS, BOYZ])
    go_on(b, "move_with")
    assert b.state.active == b.state.game.first == 1
    order = told(b)
    assert order.index("first_turn") > max(i for i, kind in enumerate(order) if kind == "deployed")
    assert asked(b, "move_with").player == 1


@pytest.mark.rule("w40k10.mission.muster", check=1)
@pytest.mark.rule("w40k10.onlywar.sizes", check=1)
@pytest.mark.rule("w40k10.muster.battle_size", check=2)
def test_a_mission_is_played_at_its_battle_sizes() -> None:
    only_war = read_mission("only-war")
    wide = Table(steps(90), steps(44), "in", ())
    for limit in (1000, 2000, 3000):
        assert battle(mission=only_war, table=wide, limit=limit).setup.data.limit == limit
    small = msgspec.structs.replace(only_war, sizes=("incursion",))
    with pytest.raises(UserError, match=r"w40k10\.mission\.muster"):
        battle(mission=small, limit=2000)


@pytest.mark.rule("w40k10.mission.muster", check=2)
def test_the_rules_of_a_mission_hold_for_the_whole_battle() -> None:
    b = battle(mission="only-war")
    go_on(b, "move_with")
    assert b.setup.data.mission == read_mission("only-war")
    with pytest.raises(UserError, match=r"w40k10\.mission\.muster"):
        battle(mission=msgspec.structs.replace(read_mission("only-war"), sizes=("onslaught",)))


@pytest.mark.rule("w40k10.onlywar.battlefield", check=1)
@pytest.mark.rule("w40k10.onlywar.battlefield", check=2)
@pytest.mark.rule("w40k10.concept.battlefield", check=1)
def test_the_battlefield_is_large_enough() -> None:
    for limit, long in ((1000, 60), (2000, 60), (3000, 90)):
        for size in ((long, 44), (44, long), (long, 48)):
            assert battle(mission="only-war", limit=limit, table=Table(steps(size[0]), steps(size[1]), "in", ()))
        for size in ((long - 1, 44), (long, 43)):
            with pytest.raises(UserError, match=r"w40k10\.onlywar\.battlefield"):
                battle(mission="only-war", limit=limit, table=Table(steps(size[0]), steps(size[1]), "in", ()))


@pytest.mark.rule("w40k10.mission.battlefield", check=1)
@pytest.mark.rule("w40k10.concept.terrain_placement", check=1)
@pytest.mark.rule("w40k10.concept.terrain_placement", check=2)
def test_markers_and_terrain_are_in_place_before_the_attacker_is_known() -> None:
    square = ((0, 0), (steps(4), 0), (steps(4), steps(4)), (0, steps(4)))
    hill = Feature("hill", "hill", square, 0, steps(2), True)
    b = battle(mission="only-war", table=msgspec.structs.replace(OPEN_FIELD, features=(hill,)))
    assert kinds(b) == ["place_marker"]
    assert b.state.game.attacker == -1
    assert len(b.table.features) == 1
    go_on(b, "attach")
    assert len(b.state.game.markers) == 4
    assert told(b).index("attacker") > max(i for i, kind in enumerate(told(b)) if kind == "marker")


def test_an_upright_table_turns_the_map() -> None:
    wide = on_map(("W/2", "H/2-12"), steps(60), steps(44))
    upright = on_map(("W/2", "H/2-12"), steps(44), steps(60))
    assert wide == (steps(30), steps(10))
    assert upright == (steps(10), steps(30))


@pytest.mark.parametrize("name", missions())
def test_every_mission_can_be_read_and_its_zones_are_alike(name: str) -> None:
    mission = read_mission(name)
    for width, depth in ((60, 44), (44, 60)):
        one = {on_map(p, steps(width), steps(depth)) for p in mission.attacker}
        other = {on_map(p, steps(width), steps(depth)) for p in mission.defender}
        assert {(steps(width) - x, steps(depth) - y) for x, y in one} == other


@pytest.mark.rule("w40k10.concept.mission_choice", check=1)
def test_every_battle_has_a_mission_and_players_who_agree_are_not_asked_about_it() -> None:
    with pytest.raises(UserError, match="missions are break-out"):
        read_mission("peace")
    with pytest.raises(UserError, match="There is no mission 'nowhere'"):
        battle(mission="supply-drop,nowhere")
    for wish in ("supply-drop", "supply-drop,supply-drop"):
        b = battle(mission=wish)
        assert kinds(b) == ["attach"] * 2
        assert mission_of(b) == read_mission("supply-drop")
        assert len(markers_of(b)) == 6


async def _resolve(b: Battle10, player: int, moment: Moment, value: Any) -> None:
    b.set_unit(b.unit(int(value)), scouted=True)
    b.tell("resolved", str(player))


def _unresolved(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return [Option(u.id, u.name) for u in b.units_of(player) if not u.scouted]


@pytest.mark.rule("w40k10.mission.pre_battle", check=1)
@pytest.mark.rule("w40k10.mission.pre_battle", check=2)
def test_pre_battle_rules_are_resolved_in_turn() -> None:
    omen = Reaction("Omen", PRE_BATTLE, _resolve, lambda b, p, m: True, _unresolved)
    b = battle(
        red=[CAPTAIN], blue=[WARBOSS, BOYZ, {"sheet": "nobz"}], dice={"roll-off": [6, 1, 1, 6]},
    )  # fmt: skip
    b.system = replace(SYSTEM, reactions=(*SYSTEM.reactions, omen))
    go_on(b, "pre_battle")
    assert [o.label for o in asked(b, "pre_battle").options] == ["Omen: Warboss", "Omen: Boyz", "Omen: Nobz"]  # type: ignore[attr-defined]
    go_on(b, "move_with")
    assert texts(b, "resolved") == ["1", "0", "1", "1"]
    first = battle(red=[CAPTAIN], blue=[WARBOSS, BOYZ], dice={"roll-off": [1, 6, 6, 1]})
    first.system = replace(SYSTEM, reactions=(*SYSTEM.reactions, omen))
    go_on(first, "move_with")
    assert texts(first, "resolved") == ["0", "1", "1"]


# --- Only War: markers ------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.onlywar.markers", check=1)
@pytest.mark.rule("w40k10.onlywar.markers", check=4)
def test_four_markers_are_placed_in_turn() -> None:
    b = battle(mission="only-war", dice={"roll-off": [1, 6] * 4})
    players = []
    for x, y in ((15, 22), (30, 22), (45, 22), (30, 10)):
        d = asked(b, "place_marker")
        players.append(d.player)
        b.answer(d, spot(x, y))
    assert players == [1, 0, 1, 0]
    spots = [(15, 22), (30, 22), (45, 22), (30, 10)]
    assert b.state.game.markers == tuple((steps(x), steps(y), 0) for x, y in spots)
    assert b.state.game.control == (-1, -1, -1, -1)
    assert "place_marker" not in kinds(b)


@pytest.mark.rule("w40k10.onlywar.markers", check=1)
def test_one_marker_is_placed_at_a_time() -> None:
    b = battle(mission="only-war")
    d = asked(b, "place_marker")
    assert isinstance(d, Plot)
    assert (d.most, d.last_turn) == (1, 1)
    assert cites(b.check(d, ())) == {"w40k10.onlywar.markers"}
    assert b.check(d, spot(15, 22))


@pytest.mark.rule("w40k10.mission.battlefield", check=1)
def test_without_a_mission_nobody_places_markers() -> None:
    b = situation([unit("Reds", "red", TROOPER, [(10, 10)]), unit("Blues", "blue", TANK, [(30, 20)])])
    assert mission_of(b) is None
    with pytest.raises(StopIteration):  # it ends without a question
        place_markers(b).send(None)
    assert b.state.game.markers == ()


@pytest.mark.rule("w40k10.onlywar.markers", check=2)
def test_a_marker_lies_more_than_6_inches_from_every_edge() -> None:
    b = battle(mission="only-war")
    radius = 20 / 25.4
    for x, y in ((6 + radius, 22), (30, 6 + radius), (54 - radius, 22), (30, 38 - radius)):
        assert not b.check(asked(b, "place_marker"), spot(x, y))
    assert b.check(asked(b, "place_marker"), spot(6.1 + radius, 6.1 + radius))


@pytest.mark.rule("w40k10.onlywar.markers", check=3)
def test_a_marker_lies_more_than_9_inches_from_the_others() -> None:
    b = battle(mission="only-war")
    b.answer(asked(b, "place_marker"), spot(20, 22))
    across = 2 * MARKER.radius / STEP
    assert not b.check(asked(b, "place_marker"), spot(29 + across, 22))
    assert b.check(asked(b, "place_marker"), spot(29.1 + across, 22))
    b.answer(asked(b, "place_marker"), spot(45, 22))
    verdict = b.check(asked(b, "place_marker"), spot(40, 22))
    assert 'more than 9" from objective 2' in verdict.reasons[0].text


# --- Scoring ----------------------------------------------------------------------------------------------------------

FOUR = [(10.0, 10.0), (20.0, 10.0), (30.0, 10.0), (40.0, 10.0)]


def at_command_end(reds: int, round_: int, **flags: Any) -> Battle10:
    """Red has a unit at each of the first markers, and its Command phase is about to end."""
    units = [unit(f"Reds {i}", "red", TROOPER, [(x, y + 2)], **flags) for i, (x, y) in enumerate(FOUR[:reds])]
    units.append(unit("Blues", "blue", TANK, [(30, 27)]))
    return situation(units, step="battle_shock", objectives=[(x, y) for x, y in FOUR], round_=round_)


def play_command_end(b: Battle10) -> Battle10:
    """Play the end of the Command phase again, as Only War."""
    from sandtable.forty.markers import settle

    with_mission(b, read_mission("only-war"))
    settle(b)
    score(b, "command")
    return b


@pytest.mark.rule("w40k10.onlywar.capture_and_control", check=1)
def test_nothing_is_scored_in_the_first_round() -> None:
    assert play_command_end(at_command_end(2, 1)).player(0).vp == 0
    assert play_command_end(at_command_end(2, 2)).player(0).vp == 2


@pytest.mark.rule("w40k10.onlywar.capture_and_control", check=2)
def test_only_the_active_player_scores_at_the_end_of_its_command_phase() -> None:
    b = battle(mission="only-war")
    go_on(b, "move_with")
    assert b.player(0).vp == b.player(1).vp == 0
    c = at_command_end(2, 2)
    c.state.active = 1
    assert play_command_end(c).player(0).vp == 0
    c.state.active = 0
    score(c, "turn")
    assert c.player(0).vp == 0
    score(c, "command")
    assert (c.player(0).vp, c.player(1).vp) == (2, 0)


@pytest.mark.rule("w40k10.onlywar.capture_and_control", check=3)
@pytest.mark.parametrize(("held", "vp"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_each_marker_is_worth_1_and_at_most_3_are_scored(held: int, vp: int) -> None:
    assert play_command_end(at_command_end(held, 2)).player(0).vp == vp


@pytest.mark.rule("w40k10.onlywar.capture_and_control", check=4)
def test_control_is_settled_after_the_battle_shock_tests_and_before_scoring() -> None:
    names = [flow.__name__ for flow in battle().system.segments["turn"][1:6]]
    assert names == ["command_phase", "command_begins", "battle_shock", "end_phase", "score_command"]
    shocked = play_command_end(at_command_end(2, 2, battle_shocked=True))
    assert shocked.player(0).vp == 0
    assert play_command_end(at_command_end(2, 2)).player(0).vp == 2


def hold(kind: str, **more: Any) -> Mission:
    """A mission with one way to score."""
    way = {"kind": kind, "name": "Test", "vp": 2, **more}
    raw = msgspec.to_builtins(read_mission("hold-the-line"))
    return msgspec.convert({**raw, "scoring": [way]}, Mission)


@pytest.mark.parametrize(
    ("mission", "round_", "vp"),
    [
        (hold("hold more"), 1, 2),
        (hold("hold some", count=2), 1, 2),
        (hold("hold some", count=3), 1, 0),
        (hold("hold", grows=1, from_round=2), 4, 8),
        (hold("hold", most_in_battle=3), 2, 3),
        (hold("hold", where="own zone"), 2, 0),
        (hold("hold", where="no man's land"), 2, 4),
        (hold("hold", to_round=2), 3, 0),
    ],
)
def test_ways_to_score_with_markers(mission: Mission, round_: int, vp: int) -> None:
    b = with_mission(at_command_end(2, round_), mission)
    b.state.game.control = (0, 0, -1, 1)
    score(b, "command")
    assert b.player(0).vp == vp


def test_supplies_are_carried_off_once() -> None:
    b = with_mission(at_command_end(2, 2), hold("hold", most=2, carries_off=True))
    b.state.game.control = (0, 0, -1, -1)
    score(b, "command")
    assert (b.player(0).vp, b.state.game.removed, b.state.game.control) == (2, (0,), (-1, 0, -1, -1))
    score(b, "command")
    score(b, "command")
    assert (b.player(0).vp, b.state.game.removed) == (4, (0, 1))


def test_destroyed_units_and_warlords_score() -> None:
    b = battle(mission="cut-off-the-head")
    go_on(b, "move_with")
    b.place_models([m for u in b.units_of(1) for m in u.models if m != max(u.models)], GONE)
    score(b, "turn")
    before = b.player(0).vp
    b.place_models([m for u in b.units_of(1) for m in u.models], GONE)
    assert len(fallen(b)) == 2
    score(b, "turn")
    assert b.player(0).vp - before >= 4
    now = b.player(0).vp
    score(b, "turn")
    assert b.player(0).vp == now
    assert b.player(0).scored[0] == 12


def test_a_unit_in_the_enemy_zone_has_broken_through() -> None:
    b = with_mission(
        situation(
            [unit("Reds", "red", TROOPER, [(35, 28), (36.5, 28)]), unit("Blues", "blue", TROOPER, [(5, 3)])],
            step="battle_shock",
            round_=2,
        ),
        hold("break through", vp=3),
    )
    score(b, "command")
    assert b.player(0).vp == 3


# --- The end ----------------------------------------------------------------------------------------------------------


def last_turn(round_: int, *, reds: Any = None, blues: Any = None, **more: Any) -> Battle10:
    """The end of the second player's turn."""
    return situation(
        [
            reds or unit("Reds", "red", TROOPER, [(10, 10)]),
            blues or unit("Blues", "blue", TROOPER, [(30, 20)]),
        ],
        step="remove_stragglers",
        active="blue",
        round_=round_,
        **more,
    )


@pytest.mark.rule("w40k10.mission.end", check=1)
@pytest.mark.rule("w40k10.onlywar.end", check=1)
def test_the_battle_ends_after_round_5() -> None:
    assert last_turn(4).result is None
    over = last_turn(5)
    assert over.result is not None
    assert not over.decisions
    # The first turn of the last round is not the end of it.
    assert last_turn(5, game={"first": 1}).result is None


@pytest.mark.rule("w40k10.mission.end", check=1)
@pytest.mark.rule("w40k10.onlywar.end", check=1)
def test_the_mission_that_was_picked_says_how_many_rounds_are_played() -> None:
    short = msgspec.structs.replace(read_mission("supply-drop"), rounds=3)
    b = battle(mission="hold-the-line,supply-drop")
    b.answer(asked(b, "mission"), 1)
    plans = b.setup.data.wishes
    data = msgspec.structs.replace(b.setup.data, wishes=(plans[0], msgspec.structs.replace(plans[1], mission=short)))
    b.setup = msgspec.structs.replace(b.setup, data=data)
    b.state.game.first = 0
    b.state.round = 3
    assert time_is_up(b, True)
    assert not time_is_up(b, False)
    b.state.round = 2
    assert not time_is_up(b, True)
    b.state.round, b.state.game.wish = 3, 0
    assert not time_is_up(b, True), "the other mission has five rounds"


@pytest.mark.rule("w40k10.mission.end", check=1)
def test_a_battle_of_a_few_turns_ends_after_them() -> None:
    b = last_turn(1)
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, turns=3))
    for turns, over in ((2, False), (3, True), (4, True)):
        b.state.game.turns = turns
        assert time_is_up(b, False) is over
    b.setup = msgspec.structs.replace(b.setup, data=msgspec.structs.replace(b.setup.data, turns=0))
    assert not time_is_up(b, False)


@pytest.mark.rule("w40k10.onlywar.end", check=2)
@pytest.mark.rule("w40k10.mission.end", check=1)
def test_the_battle_ends_at_once_when_an_army_is_destroyed() -> None:
    from sandtable.systems.w40k10.mission import REACTIONS

    b = battle()
    go_on(b, "move_with")
    blues = [m for u in b.units_of(1) for m in u.models]
    end = REACTIONS[0]
    moment: Any = type("M", (), {"unit": b.units_of(1)[0].id})
    assert not end.guard(b, 1, moment)
    b.place_models(blues, GONE)
    assert end.guard(b, 1, moment)
    assert not end.guard(b, 0, moment)


@pytest.mark.rule("w40k10.onlywar.end", check=3)
def test_an_army_that_is_only_in_reserves_fights_on() -> None:
    waits = unit("Blues", "blue", TROOPER, off=3, reserve="deep strike")
    assert last_turn(2, blues=waits).result is None
    gone = last_turn(2, blues=unit("Blues", "blue", TROOPER, [(30, 20)], wounds={1: 0}))
    assert gone.result is not None
    assert gone.result.winners == (0,)


@pytest.mark.rule("w40k10.reserve.unarrived", check=1)
@pytest.mark.rule("w40k10.reserve.unarrived", check=3)
@pytest.mark.rule("w40k10.onlywar.victor", check=2)
def test_reserves_that_never_arrive_are_destroyed() -> None:
    waits = unit("Blues", "blue", TROOPER, off=3, reserve="deep strike")
    b = last_turn(5, blues=waits, state={"blue": {"vp": 9}})
    assert b.result is not None
    assert b.result.winners == (0,)
    assert set(b.state.models.place.tolist()) == {TABLE, GONE}
    assert texts(b, "unarrived") == ["Blues never arrived."]


@pytest.mark.rule("w40k10.reserve.unarrived", check=1)
def test_who_is_in_reserves_is_lost_wherever_it_stands_in_the_list() -> None:
    b = situation(
        [
            unit("Reds", "red", TROOPER, [(10, 10)]),
            unit("Late", "blue", TROOPER, off=3, reserve="deep strike"),
            unit("Blues", "blue", TROOPER, [(40, 28)]),
        ],
        step="remove_stragglers",
        active="blue",
        round_=5,
    )
    assert texts(b, "unarrived") == ["Late never arrived."]
    assert all(b.state.models.place[m] == TABLE for m in named(b, "Blues").models)


@pytest.mark.rule("w40k10.reserve.unarrived", check=2)
def test_passengers_of_the_first_unit_on_the_list_ride_on_too() -> None:
    b = situation(
        [
            unit("Wagon", "blue", TANK, [(30, 20)]),
            unit("Riders", "blue", TROOPER, off=3, embarked="Wagon"),
            unit("Reds", "red", TROOPER, [(10, 10)]),
        ],
        step="remove_stragglers",
        active="blue",
        round_=5,
    )
    assert texts(b, "unarrived") == []


@pytest.mark.rule("w40k10.reserve.unarrived", check=2)
def test_passengers_of_a_transport_that_never_arrives_are_destroyed_with_it() -> None:
    for wagon, left in (
        (unit("Wagon", "blue", TANK, off=1, reserve="strategic"), 0),
        (unit("Wagon", "blue", TANK, [(30, 20)]), 3),
    ):
        b = situation(
            [
                unit("Reds", "red", TROOPER, [(10, 10)]),
                wagon,
                unit("Riders", "blue", TROOPER, off=3, embarked="Wagon"),
                unit("Blues", "blue", TROOPER, [(40, 28)]),
            ],
            step="remove_stragglers",
            active="blue",
            round_=5,
        )
        assert b.result is not None
        assert sum(b.state.models.place[m] != GONE for m in named(b, "Riders").models) == left


@pytest.mark.rule("w40k10.onlywar.victor", check=1)
def test_a_destroyed_army_loses_even_with_more_victory_points() -> None:
    lost = unit("Blues", "blue", TROOPER, [(30, 20)], wounds={1: 0})
    b = last_turn(3, blues=lost, state={"blue": {"vp": 9}})
    assert b.result is not None
    assert (b.result.winners, b.result.scores) == ((0,), (0, 9))


@pytest.mark.rule("w40k10.mission.victor", check=1)
def test_where_the_mission_says_so_points_count_even_for_a_destroyed_army() -> None:
    for loses, winners in ((True, (0,)), (False, (1,))):
        b = situation(
            [
                unit("Reds", "red", TROOPER, [(10, 10)]),
                unit("Blues", "blue", TROOPER, [(30, 20)], wounds={1: 0}),
            ],
            state={"blue": {"vp": 9}},
        )
        assert (
            victors(with_mission(b, msgspec.structs.replace(read_mission("only-war"), destroyed_loses=loses)))
            == winners
        )


@pytest.mark.rule("w40k10.onlywar.victor", check=3)
def test_more_victory_points_win() -> None:
    for vp, winners in (((3, 2), (0,)), ((2, 3), (1,))):
        b = last_turn(5, state={"red": {"vp": vp[0]}, "blue": {"vp": vp[1]}})
        assert b.result is not None
        assert b.result.winners == winners


@pytest.mark.rule("w40k10.mission.victor", check=1)
@pytest.mark.rule("w40k10.onlywar.victor", check=4)
def test_equal_victory_points_are_a_draw() -> None:
    draw = last_turn(5, state={"red": {"vp": 4}, "blue": {"vp": 4}}).result
    assert draw is not None
    assert draw.winners == ()
    won = last_turn(5, state={"red": {"vp": 5}, "blue": {"vp": 4}}).result
    assert won is not None
    assert won.winners == (0,)


# --- Which mission ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("w40k10.concept.mission_choice", check=2)
@pytest.mark.parametrize(("faces", "winner"), [([2, 5], 1), ([5, 2], 0)])
def test_players_who_disagree_about_the_mission_roll_off(faces: list[int], winner: int) -> None:
    b = battle(mission="hold-the-line,supply-drop", dice={"roll-off": [*faces, *[6, 1] * 20]})
    d = b.decisions[0]
    assert (d.kind, d.player) == ("mission", winner)
    assert [o.label for o in d.options] == ["Hold the Line", "Supply Drop"]  # type: ignore[attr-defined]
    b.answer(d, 1)
    assert mission_of(b) == read_mission("supply-drop")
    assert b.state.game.control == (-1,) * 6, "nobody holds a marker yet"
    assert [p.scored for p in b.state.players] == [(0, 0), (0, 0)]
    go_on(b, "move_with")
    assert b.state.round == 1


@pytest.mark.rule("w40k10.concept.mission_choice", check=2)
def test_the_first_of_the_missions_can_be_picked_too() -> None:
    b = battle(mission="hold-the-line,supply-drop")
    b.answer(asked(b, "mission"), 0)
    assert mission_of(b) == read_mission("hold-the-line")
    assert "mission" not in kinds(b)
