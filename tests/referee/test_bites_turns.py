"""Judgements of turns, fights, Stratagems, points and losses: clean stories pass, planted faults are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from referee.editions import w40k10
from referee.judgements.command import BattleShock, CommandPoints, Shocked
from referee.judgements.fights import Fights
from referee.judgements.losses_told import Destroyed, NobodyReturns, Story, Stragglers
from referee.judgements.objectives import Control, VictoryPoints
from referee.judgements.stratagems import Stratagems
from referee.judgements.turns import Deeds, Turns
from referee.stage import GONE, OFF, Stage

# --- Fights -----------------------------------------------------------------------------------------------------------


def fighting(
    *story: str | int, charged: Sequence[int] = (), sheets: Any = None, heroes: Sequence[int] = ()
) -> list[str]:
    """Two pairs of enemies, 0 and 2 red, 1 and 3 blue: steps, and the units that fight in them one after the other."""
    stage = Stage()
    for i in range(4):
        stage.unit(i % 2, [(10 + 20 * (i // 2), 10 + 1.5 * (i % 2))], **(sheets or {}).get(i, {}))
    stage.step("charge")
    for u in heroes:
        stage.tell("stratagem", [u], name="Heroic Intervention")
        stage.tell("charged", [u])
    for u in charged:
        stage.tell("charged", [u])
    stage.step("fight begins")
    for word in story:
        if isinstance(word, str):
            stage.step(word)
        else:
            stage.tell("fights", [word])
    return stage.rules(Fights)


FIRST, REST, OVER = "fights first", "remaining combats", "fight ends"


def test_the_other_player_selects_first_and_players_alternate() -> None:
    assert fighting(FIRST, REST, 1, 0, 3, 2, OVER) == []
    assert fighting(FIRST, REST, 0, 1, 2, 3, OVER) == ["fight.alternate"]
    assert fighting(FIRST, REST, 1, 3, 0, 2, OVER) == ["fight.alternate"]


def test_who_charged_fights_first() -> None:
    assert fighting(FIRST, 0, REST, 1, 2, 3, OVER, charged=[0]) == []
    assert fighting(FIRST, 2, REST, 1, 0, 3, OVER, charged=[0]) == ["fight.first_step", "fight.no_pass"]
    assert fighting(FIRST, REST, 1, 0, 3, 2, OVER, charged=[0]) == ["fight.no_pass"]


def test_who_intervened_heroically_does_not_fight_first() -> None:
    assert fighting(FIRST, REST, 1, 0, 3, 2, OVER, heroes=[0]) == []
    assert fighting(FIRST, 0, REST, 1, 2, 3, OVER, heroes=[0]) == ["fight.first_step"]


def test_the_ability_to_fight_first_counts() -> None:
    quick = {1: {"abilities": ["fights first"]}}
    assert fighting(FIRST, 1, REST, 3, 0, 2, OVER, sheets=quick) == []
    assert fighting(FIRST, REST, 1, 0, 3, 2, OVER, sheets=quick) == ["fight.no_pass"]


def test_nobody_fights_twice_or_is_left_out() -> None:
    assert fighting(FIRST, REST, 1, 0, 3, 2, 3, OVER) == ["fight.once", "fight.eligible"]
    assert fighting(FIRST, REST, 1, 0, 3, OVER) == ["fight.remaining"]


def test_who_is_neither_engaged_nor_charged_does_not_fight() -> None:
    stage = Stage()
    stage.unit(0, [(10, 10)])
    stage.unit(1, [(20, 10)])
    stage.step(FIRST)
    stage.step(REST)
    stage.tell("fights", [0])
    assert stage.rules(Fights) == ["fight.eligible"]


# --- Stratagems -------------------------------------------------------------------------------------------------------


def using(
    name: str, step: str, *, cost: int = 1, player: int = 0, times: int = 1, cp: int = 5, **fields: Any
) -> list[str]:
    stage = Stage()
    stage.unit(0, [(10, 10)], fields=fields if player == 0 else {}, keywords=["INFANTRY", "GRENADES"])
    stage.unit(1, [(16, 10)], fields=fields if player == 1 else {})
    stage.players[player]["cp"] = cp
    stage.step(step)
    for i in range(times):
        stage.answer("react", f"{name}/0>1")
        stage.changed("player", player, cp=cp - cost * (i + 1), used=[name])
        who = stage.players[player]["name"]
        stage.tell("stratagem", [player], "w40k10.strat.x", text=f"{who} uses {name} ({cost}CP).", name=name)
    return stage.rules(Stratagems)


@pytest.mark.parametrize(
    ("name", "step", "player", "cost"),
    [
        ("Command Re-roll", "shooting", 0, 1),
        ("Grenade", "shooting", 0, 1),
        ("Fire Overwatch", "move units", 1, 1),
    ],
)
def test_stratagems_are_used_at_their_step_for_their_price(name: str, step: str, player: int, cost: int) -> None:
    assert using(name, step, player=player, cost=cost) == []
    assert using(name, step, player=player, cost=cost + 1) == ["strat.use"]
    assert using(name, step, player=player, cost=0) == ["strat.use"]
    assert using(name, "stragglers", player=player, cost=cost) == ["strat.x"]


def test_a_stratagem_belongs_to_one_players_turn() -> None:
    assert using("Grenade", "shooting", player=1)[:1] == ["strat.when_target"]
    assert using("Fire Overwatch", "move units", player=0) == ["strat.when_target"]


def test_insane_bravery_is_for_the_battle_shock_step() -> None:
    for step, found in (("battle-shock", []), ("command", ["strat.insane_bravery"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 10)], fields={"battle_shocked": True})
        stage.step(step)
        stage.tell("test", [unit], passed=False)
        stage.changed("player", 0, cp=4, used=["Insane Bravery"])
        rule = "w40k10.strat.insane_bravery"
        stage.tell("stratagem", [unit], rule, text="red uses Insane Bravery (1CP).", name="Insane Bravery")
        assert stage.rules(Stratagems) == found


def test_a_stratagem_is_used_once_in_a_phase() -> None:
    assert using("Command Re-roll", "shooting", times=2) == ["strat.once_per_phase"]


def test_no_stratagem_for_who_is_battle_shocked() -> None:
    assert using("Command Re-roll", "shooting", battle_shocked=True) == ["command.battleshock_stratagems"]


def test_points_do_not_drop_below_nothing() -> None:
    assert using("Command Re-roll", "shooting", cp=0) == ["strat.use"]


def test_a_grenade_needs_a_thrower_who_may() -> None:
    assert using("Grenade", "shooting", shot=True) == ["strat.x"]


# --- The Command phase ------------------------------------------------------------------------------------------------


def test_both_players_gain_a_point_and_nothing_else_comes_from_nowhere() -> None:
    for changes, found in (
        ({0: 6, 1: 6}, []),
        ({0: 6}, ["command.gain_cp"]),
        ({0: 7, 1: 6}, ["command.gain_cp"]),
    ):
        stage = Stage()
        stage.unit(0, [(10, 10)])
        stage.step("command")
        for player, cp in changes.items():
            stage.changed("player", player, cp=cp)
        stage.tell("command_points", (), "w40k10.command.gain_cp")
        stage.ask("x", "choose")
        assert stage.rules(CommandPoints) == found
    stage = Stage()
    stage.unit(0, [(10, 10)])
    stage.changed("player", 0, cp=6)
    stage.ask("x", "choose")
    assert stage.rules(CommandPoints) == ["command.gain_cp"]


def test_one_extra_point_in_a_round() -> None:
    stage = Stage()
    stage.unit(0, [(10, 10)])
    for cp in (6, 7):
        stage.changed("player", 0, cp=cp)
        stage.tell("command_points", (), "w40k10.command.cp_cap")
    assert stage.rules(CommandPoints) == ["command.cp_cap"]
    stage.changed("clock", round=2)
    stage.changed("player", 0, cp=8)
    stage.tell("command_points", (), "w40k10.command.cp_cap")
    assert stage.rules(CommandPoints) == ["command.cp_cap"]


def shock(faces: tuple[int, ...], passed: bool, *, alive: int = 2, tests: int = 1) -> list[str]:
    """A unit of five of which some are left."""
    stage = Stage()
    unit = stage.unit(0, [(10 + i, 10) for i in range(5)])
    stage.step("command")
    stage.gone(*range(alive, 5))
    stage.step("battle-shock")
    for _ in range(tests):
        stage.roll("battle-shock", *faces)
        stage.tell("test", [unit], text="It takes its battle-shock test.", passed=passed)
    stage.step("command ends")
    return stage.rules(BattleShock)


def test_who_is_below_half_strength_tests_once() -> None:
    assert shock((3, 4), True) == []
    assert shock((3, 4), True, alive=3) == ["command.battleshock_test"]
    assert shock((3, 4), True, tests=0) == ["command.battleshock_test"]
    assert shock((3, 4), True, tests=0, alive=3) == []
    assert shock((3, 4), True, tests=2) == ["command.battleshock_test"]


def test_a_battle_shock_test_is_read_by_its_dice() -> None:
    assert shock((3, 3), False) == []
    assert shock((3, 4), False) == ["command.battleshock_test"]
    assert shock((3, 3), True) == ["command.battleshock_test"]
    assert shock((2, 2, 2), False) == ["command.battleshock_test"]


def test_a_single_model_counts_its_wounds() -> None:
    for wounds, found in ((3, []), (2, ["command.battleshock_test"])):
        stage = Stage()
        stage.unit(0, [(10, 10)], wounds=wounds)
        stage.sheets[-1]["wounds"] = 5
        stage.step("battle-shock")
        stage.step("command ends")
        assert stage.rules(BattleShock) == found


def test_battle_shock_lasts_until_the_next_command_phase_of_its_player() -> None:
    stage = Stage()
    unit = stage.unit(0, [(10, 10)])
    stage.changed("unit", unit, battle_shocked=True)
    stage.tell("battle_shocked", [unit])
    stage.ask("x", "choose")
    assert stage.rules(Shocked) == []
    stage.changed("clock", active=1)
    stage.tell("phase", phase="command")
    stage.changed("unit", unit, battle_shocked=False)
    stage.ask("x", "choose")
    assert stage.rules(Shocked) == ["command.battleshock_duration"]


# --- Markers and points -----------------------------------------------------------------------------------------------


def controlled(told: int, *, red: Sequence[Any] = (), blue: Sequence[Any] = (), **fields: Any) -> list[str]:
    stage = Stage(markers=[(30, 20)])
    if red:
        stage.unit(0, red, fields=fields)
    if blue:
        stage.unit(1, blue)
    stage.step("command ends")
    stage.changed("game", control=[told])
    stage.step("command is scored")
    return stage.rules(Control)


def test_the_greater_level_of_control_decides() -> None:
    near, far = (34.2, 20.0), (34.4, 20.0)
    assert controlled(0, red=[near]) == []
    assert controlled(1, red=[near]) == ["objective.control"]
    assert controlled(0, red=[far]) == ["objective.control"]
    assert controlled(-1, red=[near], blue=[(26, 20)]) == []
    assert controlled(0, red=[near], blue=[(26, 20)]) == ["objective.control"]
    assert controlled(1, red=[near], blue=[(26, 20), (27, 20)]) == []
    assert controlled(0, red=[near], battle_shocked=True) == ["objective.control"]


HOLD = {"kind": "hold", "name": "Hold", "vp": 2, "when": "command", "where": "all", "count": 1, "grows": 0}
WAY = {**HOLD, "from_round": 2, "to_round": 99, "most": 3, "most_in_battle": 99, "carries_off": False}


def scored(
    *vp: int, way: dict[str, Any] | None = None, control: Sequence[int] = (0, 0), round_: int = 2, **more: Any
) -> list[str]:
    """Red scores at some moments, one after the other, what is told."""
    way = {**WAY, **(way or {})}
    stage = Stage(markers=[(30, 20), (40, 20)], mission={"scoring": [way]})
    stage.unit(0, [(30, 22)])
    stage.unit(1, more.get("blue", [(50, 40)]))
    stage.game["control"] = list(control)
    stage.clock["round"] = round_
    for points in vp:
        stage.step(f"{way['when']} is scored")
        if "gone" in more:
            stage.gone(*more["gone"])
        stage.changed("player", 0, vp=points)
        if more.get("removed"):
            stage.changed("game", removed=more["removed"], control=[-1, control[1]])
        stage.step("turn ends")
    return stage.rules(VictoryPoints)


def test_points_follow_from_control() -> None:
    assert scored(3) == []
    assert scored(2, control=(0, 1)) == []
    assert scored(3, control=(0, 1)) == ["mission.muster"]
    assert scored(0, round_=1) == []
    assert scored(2, round_=1) == ["mission.muster"]


def test_no_more_is_scored_than_the_mission_allows() -> None:
    assert scored(4) == ["mission.muster"]
    assert scored(3, 5, way={"most_in_battle": 5}) == []
    assert scored(3, 6, way={"most_in_battle": 5}) == ["mission.muster"]


def test_a_marker_that_was_carried_off_is_not_scored_twice() -> None:
    drop = {"when": "turn", "carries_off": True, "vp": 3}
    assert scored(3, way=drop, control=(0, -1), removed=[0]) == []
    assert scored(3, way=drop, control=(0, -1)) == ["mission.muster"]
    assert scored(3, 6, way=drop, control=(0, -1), removed=[0]) == ["mission.muster"]


def test_destroyed_units_are_scored_once() -> None:
    kill = {"kind": "destroy", "when": "turn", "from_round": 1}
    assert scored(2, way=kill, gone=[1]) == []
    assert scored(2, 4, way=kill, gone=[1]) == ["mission.muster"]
    assert scored(2, way=kill) == ["mission.muster"]


def test_points_come_only_when_they_are_scored() -> None:
    stage = Stage(mission={"scoring": [WAY]})
    stage.unit(0, [(30, 22)])
    stage.step("shooting")
    stage.changed("player", 0, vp=1)
    assert stage.rules(VictoryPoints) == ["onlywar.capture_and_control"]


def test_the_victor_has_more_points_or_the_only_army() -> None:
    for winners, gone, found in (
        ((0,), [], []),
        ((1,), [], ["onlywar.victor"]),
        ((1,), [0], []),
        ((0,), [0], ["onlywar.victor"]),
    ):
        stage = Stage()
        stage.unit(0, [(30, 22)])
        stage.unit(1, [(50, 40)])
        stage.players[0]["vp"] = 2
        if gone:
            stage.gone(*gone)
        stage.event("ended", result={"winners": list(winners), "reason": "", "scores": [2, 0]})
        assert stage.rules(VictoryPoints) == found


# --- Losses -----------------------------------------------------------------------------------------------------------


def test_the_end_of_a_unit_and_of_each_of_its_parts_is_told() -> None:
    for parts, found in ((["leader", "bodyguard"], []), (["bodyguard"], ["unit.attached_destroyed_triggers"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 10)], leader=[(11, 10)])
        stage.gone(1)
        if "leader" in parts:
            stage.tell("unit_destroyed", [unit], part="leader")
        stage.gone(0)
        stage.tell("unit_destroyed", [unit], part="bodyguard")
        stage.ask("x", "choose")
        assert stage.rules(Destroyed) == found


def test_a_unit_that_stands_is_not_told_to_be_destroyed() -> None:
    stage = Stage()
    unit = stage.unit(0, [(10, 10), (11, 10)])
    stage.gone(0)
    stage.tell("unit_destroyed", [unit], part="unit")
    assert stage.rules(Destroyed) == ["unit.destroyed"]


def test_every_turn_ends_in_coherency() -> None:
    for x, found in ((13.0, []), (13.1, ["concept.coherency_end_of_turn"])):
        stage = Stage()
        stage.unit(0, [(10, 10), (x, 10)])
        stage.step("stragglers")
        stage.step("turn is scored")
        assert stage.rules(Stragglers) == found


def test_no_more_stragglers_go_than_must() -> None:
    for gone, found in (([2], []), ([2, 1], ["concept.coherency_end_of_turn"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 10), (12, 10), (20, 10)])
        stage.step("stragglers")
        stage.answer("stragglers", gone, unit, shape="choose_some")
        stage.gone(*gone)
        stage.step("turn is scored")
        assert stage.rules(Stragglers) == found


def test_nobody_returns_in_a_bare_battle() -> None:
    stage = Stage()
    stage.unit(0, [(10, 10)])
    stage.wounded(0, 1)
    stage.wounded(0, 2)
    stage.gone(0)
    stage.event("placed", models=[0], place=1)
    assert stage.rules(NobodyReturns) == ["attack.damage", "unit.destroyed"]


def test_the_events_tell_all_that_players_see() -> None:
    stage = Stage()
    stage.unit(0, [(10, 10)])
    stage.wounded(0, 1)
    record = stage.record()
    seen = {
        "pos": [list(p) for p in stage.pos], "facing": [0], "wounds": [1], "place": [1], "unit": [0],
        "players": stage.players, "game": {},
    }  # fmt: skip
    from types import SimpleNamespace

    from referee.watch import Court

    edition = SimpleNamespace(book=w40k10.book, JUDGEMENTS=(Story,))
    assert Court({**record, "end": {"0": seen}}, edition).hear() == []
    found = Court({**record, "end": {"0": {**seen, "wounds": [2]}}}, edition).hear()
    assert [f.judgement for f in found] == ["Story"]


# --- Turns ------------------------------------------------------------------------------------------------------------


def turns(
    *story: tuple[int, int],
    first: int = 0,
    phases: Sequence[str] = ("command", "movement", "shooting", "charge", "fight"),
) -> list[str]:
    """Turns of a round and a player, one after the other, with their phases."""
    stage = Stage()
    stage.unit(0, [(10, 10)])
    for player in (0, 1):
        stage.roll("roll-off", 5 if player == first else 2, player=player)
    stage.tell("roll_off", text=f"{('red', 'blue')[first]} wins the roll-off.")
    stage.tell("first_turn", player=first)
    for round_, player in story:
        stage.changed("clock", round=round_, active=player, step=0)
        for phase in phases:
            stage.step("command" if phase == "command" else f"{phase} begins")
            stage.tell("phase", phase=phase)
    stage.event("ended", result={"winners": [], "reason": "", "scores": []})
    return stage.rules(Turns)


def test_players_take_turns_in_the_same_order_in_every_round() -> None:
    assert turns((1, 0), (1, 1), (2, 0), (2, 1)) == []
    assert turns((1, 1), (1, 0), (2, 1), first=1) == []
    assert turns((1, 0), (1, 1), (2, 1)) == ["round.first_player"]
    assert turns((1, 0), (1, 1), (1, 0)) == ["round.first_player"]


def test_phases_follow_each_other() -> None:
    assert turns((1, 0), phases=("command", "shooting")) == ["round.phases"]
    assert turns((1, 0), (1, 1), phases=("command", "movement")) == ["round.phases"]


def test_no_battle_goes_on_without_one_of_the_armies() -> None:
    stage = Stage()
    stage.unit(0, [(10, 10)])
    stage.unit(1, [(20, 10)])
    stage.tell("roll_off", text="red wins the roll-off.")
    stage.gone(1)
    stage.changed("clock", round=1, active=0, step=1)
    stage.tell("phase", phase="command")
    assert "onlywar.end" in stage.rules(Turns)


def test_who_never_arrived_is_destroyed() -> None:
    for place, found in ((OFF, True), (GONE, False)):
        stage = Stage()
        stage.unit(0, [(10, 10)], place=place, fields={"reserve": "strategic"})
        stage.event("ended", result={"winners": [], "reason": "", "scores": []})
        assert ("reserve.unarrived" in stage.rules(Turns)) == found


def test_a_roll_off_is_won_by_the_higher_die() -> None:
    for faces, winner, found in (
        ((3, 5), 1, []),
        ((3, 5), 0, ["dice.roll_off", "mission.attacker_defender"]),
        ((4, 4, 2, 6), 1, []),
        ((4, 4), 1, ["dice.roll_off", "mission.attacker_defender"]),
    ):
        stage = Stage()
        stage.unit(0, [(10, 10)])
        for i, face in enumerate(faces):
            stage.roll("roll-off", face, player=i % 2)
        stage.tell("roll_off", text=f"{('red', 'blue')[winner]} wins the roll-off.")
        stage.tell("attacker", player=winner)
        stage.event("ended", result={"winners": [], "reason": "", "scores": []})
        assert stage.rules(Turns) == found


def test_what_a_unit_did_is_remembered() -> None:
    for remembered, found in (("advance", []), ("normal", ["move.stationary"])):
        stage = Stage()
        unit = stage.unit(0, [(10, 10)])
        stage.step("move units")
        stage.changed("unit", unit, moved=remembered)
        stage.tell("moved", [unit], "w40k10.move.advance")
        stage.ask("shoot_with", "choose")
        assert stage.rules(Deeds) == found
