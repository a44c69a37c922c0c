"""A moment that is written down as a scenario file, and what is found in it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import numpy as np
import pytest
import yaml

from sandtable import systems
from sandtable.api import new
from sandtable.battle import Effect
from sandtable.battle.scenario import read_scenario, set_up_scenario
from sandtable.battle.state import ABOARD, GONE, TABLE, Models, to_bytes
from sandtable.errors import UserError
from sandtable.forty.attached import came_with
from sandtable.forty.fields import only_while_acting
from sandtable.forty.markers import markers_of, on_the_table
from sandtable.forty.moment import moment
from sandtable.forty.scenario import Files
from sandtable.players import ComputerPlayer
from sandtable.table.grid import TURN, steps
from w40k11.table import FOE, TROOPER, power, situation, unit

Doc = dict[str, Any]
BATTLES = [
    ("w40k8", "orks-60-speed", "space-marines-60-demi-company"),
    ("w40k10", "necrons-1000-legion", "space-marines-1000-assault"),
    ("w40k11", "orks-1000-dreads", "death-guard-1000-plague-company"),
]
AT: dict[str, int] = {"w40k8": 150, "w40k10": 200, "w40k11": 220}
"""A decision in the middle of each of these battles, at which nobody is halfway through something"""


def played(system: str, red: str, blue: str, decisions: int) -> Any:
    """A battle of two computer players after so many decisions, and on until a unit is to be picked."""
    battle = new(system, armies={"red": red, "blue": blue}, mission="only-war", seed=3)
    mind = ComputerPlayer("tactician")
    made = 0
    while made < decisions or not battle.decisions[0].kind.endswith("_with"):
        asked = battle.decisions[0]
        battle.answer(asked, mind.choose(battle.view(asked.player), asked))
        made += 1
    return battle


def opened(doc: Doc) -> Any:
    """The battle of a file, before it goes on."""
    return set_up_scenario(read_scenario(yaml.safe_dump(doc), "the moment"), systems.get(doc["system"]))


def fields(holders: list[Any], but: frozenset[str]) -> list[Doc]:
    """All fields of units, players or the game."""
    left_out = [but | only_while_acting(type(one)) for one in holders]
    told = [msgspec.structs.asdict(one) for one in holders]
    return [{name: v for name, v in one.items() if name not in out} for one, out in zip(told, left_out, strict=True)]


@pytest.fixture(scope="module", params=BATTLES, ids=lambda battle: battle[0])
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """A battle in its middle, and the same from the file of that moment."""
    battle = played(*request.param, AT[request.param[0]])
    return battle, opened(moment(battle))


def test_the_battles_have_come_to_something(pair: tuple[Any, Any]) -> None:
    battle, _ = pair
    gone = battle.state.models.place == GONE
    assert (battle.state.round > 1, bool(gone.any()), len(set(battle.state.game.control)) > 1) == (True, True, True)


@pytest.mark.parametrize("part", ["sheets", "kits", "roster", "limit", "abilities", "stratagems", "rounds", "zones"])
def test_armies_and_zones_are_found_again(pair: tuple[Any, Any], part: str) -> None:
    battle, again = pair
    assert getattr(again.setup.data, part) == getattr(battle.setup.data, part)


def test_the_mission_its_markers_and_the_table_are_found_again(pair: tuple[Any, Any]) -> None:
    battle, again = pair
    found = [(b.setup.data.mission, markers_of(b), b.setup.table, b.setup.options) for b in pair]
    assert found[0] == found[1]
    assert found[0][0] is not None
    assert battle is not again


def test_units_players_and_the_game_are_as_they_were(pair: tuple[Any, Any]) -> None:
    told = [
        (fields(b.state.units, frozenset()), fields(b.state.players, frozenset()),
         fields([b.state.game], frozenset({"markers"})))
        for b in pair
    ]  # fmt: skip
    assert told[1] == told[0]


@pytest.fixture(scope="module", params=BATTLES, ids=lambda battle: battle[0])
def stirred(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """A battle of which no two models of a unit are alike, as far as they can differ, and the same from a file."""
    battle = played(*request.param, AT[request.param[0]])
    models, bits = battle.state.models, sum(mark.bit for mark in battle.system.seam(Files).marks.values())
    count = len(models.unit)
    # A long base that is turned might jut out over the edge of the table.
    round_ones = [m for m in range(count) if len(battle.setup.shapes[battle.setup.shape_of[m]].core) == 1]
    models.facing[round_ones] = np.array(round_ones) % TURN
    models.mark[:] = np.arange(count) % 2 * bits
    return battle, opened(moment(battle))


@pytest.mark.parametrize("column", Models.__struct_fields__)
def test_models_are_as_they_were(stirred: tuple[Any, Any], column: str) -> None:
    on = stirred[0].state.models.place == TABLE
    # Where those stand, and how they look, who are not on the table is nobody's business.
    rows = slice(None) if column in ("place", "unit", "mark") else on
    told = [getattr(b.state.models, column)[rows].tolist() for b in stirred]
    assert told[1] == told[0]
    assert len(told[0]) > 20


def test_the_step_the_turn_and_what_works_for_a_while_are_as_they_were(pair: tuple[Any, Any]) -> None:
    told = [(b.state.segment, b.state.step, b.state.round, b.state.active, b.state.effects) for b in pair]
    assert told[1] == told[0]


def test_the_same_question_is_asked(pair: tuple[Any, Any]) -> None:
    battle, again = pair
    asked = again.start().decisions[0]
    was = battle.decisions[0]
    assert (asked.kind, asked.player, asked.options) == (was.kind, was.player, was.options)


# --- Without army lists -----------------------------------------------------------------------------------------------


def test_abilities_and_effects_of_a_file_are_found_again_where_no_list_was_brought() -> None:
    units = [unit("Reds", "red", TROOPER, [(10, 10)]), FOE]
    b = situation(units, step="move_units", abilities=[power("Reds", kind="allow", what="advance_and_charge")])
    b.add_effect(Effect("hit_modifier", 0, 1, until="turn"))
    again = opened(moment(b))
    assert (again.setup.data.abilities, again.state.effects) == (b.setup.data.abilities, b.state.effects)
    assert len(b.setup.data.abilities) == 1


# --- Leaders ----------------------------------------------------------------------------------------------------------


def led() -> Iterator[tuple[Any, Any]]:
    battle = new("w40k11", armies={"red": "necrons-1000-silver-tide", "blue": "orks-1000-dreads"}, seed=3)
    while not battle.state.round:
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    yield from ((battle, unit) for unit in battle.state.units if unit.leader)


def test_leaders_lead_whom_they_led() -> None:
    battle, unit = next(led())
    again = opened(moment(battle)).state.units[unit.id]
    assert (again.leader, again.leader_names, again.models) == (unit.leader, unit.leader_names, unit.models)


def test_a_leader_who_is_left_alone_keeps_the_name() -> None:
    battle, unit = next(led())
    fallen = [m for m in unit.models if m not in unit.leader]
    battle.state.models.place[fallen] = GONE
    battle.state.models.wounds[fallen] = 0
    name = unit.name
    unit.former, unit.name = unit.name, unit.leader_names[0]
    battle.state.units[came_with(battle, unit.leader[0])].name = name
    again = opened(moment(battle)).state.units[unit.id]
    assert (again.name, again.former) == (unit.name, name)


# --- Before the battle ------------------------------------------------------------------------------------------------


def in_secret(kind: str) -> Any:
    """A battle in which formations are written down, until a question of a kind."""
    battle = new("w40k10", armies={"red": "orks-2000-mechanised", "blue": "space-marines-2000-assault"}, seed=2)
    while battle.decisions[0].kind != kind:
        battle.answer(battle.decisions[0], battle.default(battle.decisions[0]))
    return battle


def test_formations_that_are_a_secret_still_are_declared_again() -> None:
    again = opened(moment(in_secret("reserves").view(0))).start()
    while not again.state.round:
        again.answer(again.decisions[0], again.default(again.decisions[0]))
    assert any(unit.leader for unit in again.state.units)


@pytest.mark.parametrize("player", [0, 1, -1])
def test_formations_that_were_revealed_are_not_declared_again(player: int) -> None:
    battle = in_secret("deploy_with")
    again = opened(moment(battle.view(player))).start()
    assert again.decisions[0].kind == "deploy_with"


@pytest.mark.parametrize(("player", "told"), [(0, True), (1, False)])
def test_what_a_list_plans_is_told_to_its_player_alone_before_the_battle(player: int, told: bool) -> None:
    roster = moment(in_secret("attach").view(player))["extra"]["mustered"]["roster"]
    reds = [entry for entry in roster if entry["datasheet"] in ("warboss-in-mega-armour", "boyz")]
    assert any("attach" in entry for entry in reds) is told


# --- Files of moments that nobody wrote -------------------------------------------------------------------------------


def spoilt(change: Callable[[Doc], None]) -> str:
    """How a file is refused of which what was mustered has been changed."""
    battle = new("w40k11", armies={"red": "orks-1000-dreads", "blue": "orks-1000-dreads"}, seed=3)
    doc = moment(battle)
    opened(doc)
    change(doc["extra"]["mustered"])
    with pytest.raises(UserError) as refused:
        opened(doc)
    return str(refused.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda m: m["roster"].pop(), "roster: it has one entry for each unit"),
        (lambda m: m["roster"][0].update(models=9), "roster[0]: "),
        (lambda m: m["roster"][0].update(models=-5), "models, not -5"),
        (lambda m: m["roster"][0].update(leads=[0]), "roster[0]: "),
        (lambda m: m["roster"][0].update(attach=999), "roster[0]: there is no unit 999"),
        (lambda m: m["roster"][0].update(warlord=999), "roster[0]: there is no model 999"),
        (lambda m: m["abilities"][0].update(unit=-2), "there is no unit -2"),
        (lambda m: m["abilities"][0].update(models=[-1]), "there is no model -1"),
        (lambda m: m["abilities"][0].update(player=2), "there is no player 2"),
        (lambda m: m["stratagems"][0].update(cp=-1), "it costs 0 to 20CP, not -1"),
        (lambda m: m.update(effects=[{"kind": "ability", "value": "999/0"}]), "effects[0]: '999/0' is no effect"),
        (lambda m: m.update(effects=[{"kind": "ability", "value": "-1/0"}]), "effects[0]: '-1/0' is no effect"),
        (lambda m: m.update(effects=[{"kind": "smoke", "unit": 999}]), "effects[0]: there is no unit 999"),
        (lambda m: m.update(effects=[{"kind": "smoke", "value": 10**6}]), "effects[0]: the value of smoke"),
    ],
)
def test_what_was_mustered_is_refused_where_it_names_what_is_not_there(change: Any, told: str) -> None:
    assert told in spoilt(change)


# --- What it is called ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "army"), [("w40k10", "orks-1000-horde"), ("w40k11", "orks-1000-dreads")])
def test_markers_that_players_placed_are_written_down(system: str, army: str) -> None:
    battle = new(system, armies={"red": army, "blue": army}, mission="only-war", seed=3)
    while not battle.state.round:
        asked = battle.decisions[0]
        battle.answer(asked, battle.default(asked))
    written = [tuple(steps(v) for v in place) for place in moment(battle)["objectives"]]
    assert written == on_the_table(battle)
    assert len(written) == 4


def test_a_moment_after_the_last_round_is_called_after_the_battle() -> None:
    battle = new("w40k10", seed=3)
    assert battle.result is None
    assert "after the battle" not in moment(battle)["scenario"]
    battle.concede(1)
    assert moment(battle)["scenario"] == f"Round {battle.state.round}, after the battle"


# --- What somebody has begun ------------------------------------------------------------------------------------------


def test_who_was_chosen_and_has_done_nothing_yet_is_chosen_anew() -> None:
    battle = in_secret("shoot")
    unit = battle.decisions[0].unit
    again = opened(moment(battle.view_to_play_on(battle.decisions[0].player))).start()
    assert (again.decisions[0].kind, battle.amid) == ("shoot_with", "")
    assert unit in [option.value for option in again.decisions[0].options]
    assert unit not in [option.value for option in opened(moment(battle.view(0))).start().decisions[0].options]


def test_what_was_begun_and_cannot_be_gone_on_with_is_named() -> None:
    battle = in_secret("strike")
    assert battle.amid == battle.decisions[0].prompt
    assert to_bytes(battle.view_to_play_on(0).state) == to_bytes(battle.view(0).state)


# --- Steps that do something before they ask --------------------------------------------------------------------------


def told_of(battle: Any) -> tuple[Any, ...]:
    """What is asked, and all that units, players and the game have come to."""
    asked, state = battle.decisions[0], battle.state
    found = [fields(h, frozenset({"markers"})) for h in (state.units, state.players, [state.game])]
    standing = state.models.place == TABLE
    return (asked.kind, asked.player, asked.prompt), found, state.models.wounds[standing].tolist(), state.effects


@pytest.mark.parametrize(("system", "red", "blue"), BATTLES)
def test_at_whatever_question_a_file_begins_nothing_happens_twice(system: str, red: str, blue: str) -> None:
    battle = new(system, armies={"red": red, "blue": blue}, mission="only-war", seed=4, options={"windows": "all"})
    mind, tried = ComputerPlayer("tactician"), dict[str, int]()
    for _ in range(120):
        asked = battle.decisions[0]
        if battle.state.round and not battle.amid and tried.setdefault(asked.kind, 0) < 2:
            again = told_of(opened(moment(battle.view_to_play_on(asked.player))).start())
            here = told_of(battle)
            # Otherwise a unit is chosen anew.
            if again[0] == here[0]:
                tried[asked.kind] += 1
                assert again == here
        battle.answer(asked, mind.choose(battle.view(asked.player), asked))
    assert len([kind for kind, times in tried.items() if times]) > 3


def test_the_command_phase_gives_its_points_once_however_often_it_is_saved() -> None:
    """Also where somebody has answered in it already, and somebody else is asked."""
    armies = {"red": BATTLES[1][1], "blue": BATTLES[1][2]}
    battle = new("w40k10", armies=armies, mission="only-war", seed=3, options={"windows": "all"})
    mind, tried = ComputerPlayer("tactician"), 0
    while tried < 4:
        asked = battle.decisions[0]
        if battle.state.game.phase == "command":
            tried, again = tried + 1, battle
            for _ in range(3):
                again = opened(moment(again.view_to_play_on(asked.player))).start()
                assert [p.cp for p in again.state.players] == [p.cp for p in battle.state.players]
        battle.answer(asked, mind.choose(battle.view(asked.player), asked))


def test_a_leader_left_alone_keeps_the_name_aboard_and_when_all_are_gone() -> None:
    for place in (GONE, ABOARD):
        battle, unit = next(led())
        fallen = [m for m in unit.models if m not in unit.leader]
        battle.state.models.place[fallen] = GONE
        battle.state.models.place[list(unit.leader)] = place
        name = unit.name
        unit.former, unit.name = unit.name, unit.leader_names[0]
        battle.state.units[came_with(battle, unit.leader[0])].name = name
        again = opened(moment(battle)).state.units[unit.id]
        assert (again.name, again.former) == (unit.name, name)
