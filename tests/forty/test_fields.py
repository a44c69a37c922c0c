"""Fields that scenario files set: what no battle could have put there is refused with the field and what is right."""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest

import sandtable
from sandtable import systems
from sandtable.battle.fields import Holds, check_fields
from sandtable.battle.questions import default
from sandtable.battle.scenario import FIXED, Scenario, open_scenario
from sandtable.errors import UserError
from sandtable.forty.scenario import Files

EDITIONS = ("w40k8", "w40k10", "w40k11")
BODY = {
    "name": "Body", "move": 6, "toughness": 4, "wounds": 2, "save": 3, "leadership": 7, "base": "25.4mm", "height": 1.5,
}  # fmt: skip
GUN = {"name": "gun", "range": 24, "attacks": "1", "ap": 0, "damage": "1"}
SHEETS: dict[str, dict[str, Any]] = {
    "w40k8": {
        **BODY, "weapon_skill": 3, "ballistic_skill": 3, "strength": 4, "attacks": 1, "keywords": ["INFANTRY"],
        "weapons": [{**GUN, "type": "assault", "strength": "4"}],
    },
    "w40k10": {**BODY, "oc": 1, "keywords": ["INFANTRY"], "weapons": [{**GUN, "skill": 3, "strength": 4}]},
    "w40k11": {**BODY, "oc": 1, "keywords": ["INFANTRY"], "weapons": [{**GUN, "skill": 3, "strength": 4}]},
}  # fmt: skip


def opened(system: str, flags: dict[str, Any] | None = None, state: dict[str, Any] | None = None) -> Any:
    """A battle in which red has models 0 to 2 and blue 3 and 4, with two objective markers on a table of 44 by 30."""
    at = [[10, 10], [11.5, 10], [13, 10]]
    raw = {
        "scenario": "Fields", "system": system, "question": "?", "table": {"size": [44, 30]},
        "units": [
            {"name": "Reds", "player": "red", "sheet": SHEETS[system], "positions": at, "flags": flags or {}},
            {"name": "Blues", "player": "blue", "sheet": SHEETS[system], "positions": [[10, 20], [11.5, 20]]},
        ],
        "at": {"step": "shoot_units", "round": 2, "active": "red"},
        "objectives": [[20, 20], [30, 20]], "state": state or {},
    }  # fmt: skip
    return open_scenario(msgspec.convert(raw, Scenario), systems.get(system))


def placed(where: str, value: Any) -> dict[str, Any]:
    """A field of the Reds, of a player or of the game, as `opened` takes it."""
    holder, _, field = where.partition(".")
    return {"flags": {field: value}} if holder == "flags" else {"state": {holder: {field: value}}}


ANY_EDITION = [
    ("flags.strength", 0, "it is a number from 1 to 1000, not 0."),
    ("flags.strength", 1 << 61, "it is a number from 1 to 1000"),
    ("flags.leader_strength", -1, "it is a number from 0 to 1000, not -1."),
    ("flags.former", "x" * 201, "it has at most 200 letters, not 201."),
    ("flags.moved", "flew", "there is no 'flew'; it is stationary, normal, advance, fall_back, or empty."),
    ("flags.moved", 3, "Expected `str`, got `int`"),
    ("flags.advance", 1 << 61, "it is a number from 0 to 100"),
    ("flags.advance", -1, "it is a number from 0 to 100, not -1."),
    ("flags.reserve", "bench", "there is no 'bench'; it is "),
    ("flags.disembarked", "jumped", "there is no 'jumped'; it is "),
    ("flags.embarked", 1, "there is no unit '1' to be embarked in."),
    ("flags.embarked", ["Blues"], "there is no unit '['Blues']' to be embarked in."),
    ("flags.lent", [[3, "gun"]], "it holds something only while it shoots, and a file begins before that."),
    ("flags.emptied", [[3, "gun"]], "emptied[0][0]: Reds has no model 3; it has 0 to 2."),
    ("flags.emptied", [[-1, "gun"]], "emptied[0][0]: Reds has no model -1; it has 0 to 2."),
    ("flags.emptied", [[2, "gun"], [0, "bow"]], "emptied[1]: model 0 has no weapon 'bow'; it has gun."),
    ("flags.last_stand", [0, 4], "last_stand[1]: Reds has no model 4; it has 0 to 2."),
    ("flags.leader_names", ["Reds"], "there is no 'leader_names'; there are strength, "),
    ("red.vp", -1, "it is a number from 0 to 1000, not -1."),
    ("red.scored", [1], "it has one value for each way of scoring of the mission, 0 in all, not 1."),
    ("red.plans", [["embark", 0, 1]], "it holds something only while formations are declared"),
    ("red.spent", ["x" * 501], "spent[0]: it has at most 500 letters, not 501."),
    ("red.spent", ["x"] * 1001, "it has at most 1000 values, not 1001."),
    ("game.phase", "lunch", "there is no 'lunch'; it is "),
    ("game.first", 2, "there is no player 2; there are 0 red, 1 blue."),
    ("game.first", -1, "there is no player -1; there are 0 red, 1 blue."),
    ("game.turns", -1, "it is a number from 0 to 10000, not -1."),
    ("game.control", [0], "it has one value for each objective marker, 2 in all, not 1."),
    ("game.control", [0, 2], "control[1]: there is no player 2; there are 0 red, 1 blue, and -1 for nobody."),
    ("game.secured", [0, 1, -1], "it has one value for each objective marker, 2 in all, not 3."),
    ("game.secured", [-2, 0], "secured[0]: there is no player -2"),
    ("game.attacker", 2, "there is no player 2"),
    ("game.chooser", -2, "there is no player -2"),
    ("game.selecting", 7, "there is no player 7; there are 0 red, 1 blue, and -1 for nobody."),
    ("game.markers", [[-1, 0, 0], [0, 0, 0]], "markers[0]: a place on the table is 0 to 45056 and 30720, in steps"),
    ("game.markers", [[0, 0, 0], [0, 0, 1]], "markers[1]: a place on the table is 0 to 45056 and 30720"),
    ("game.removed", [2], "removed[0]: there is no objective marker 2; there are 0 to 1."),
    ("game.wish", 0, "players wished for no mission 0; it is -1 here."),
    ("game.fallen", [2], "fallen[0]: there is no unit 2; there are 0 Reds, 1 Blues."),
    ("game.fallen", ["Reds"], "fallen, [0]: Expected `int`, got `str`"),
]  # fmt: skip
"""A field, a value that no battle could have put there, and what is told of it."""

OF_AN_EDITION = [
    ("w40k8", "flags.rolled_move", -1, "it is a number from 0 to 100, not -1."),
    ("w40k8", "flags.reserve", "strategic", "there is no 'strategic'; it is teleport strike, or empty."),
    ("w40k8", "flags.disembarked", "before", "there is no 'before'; it is out, wreck, or empty."),
    ("w40k8", "flags.targets", [2], "targets[0]: there is no unit 2"),
    ("w40k8", "flags.slain", -1, "it is a number from 0 to 1000, not -1."),
    ("w40k8", "flags.fled", [3], "fled[0]: Reds has no model 3; it has 0 to 2."),
    ("w40k8", "flags.tried", [[3, "smite"]], "tried[0][0]: Reds has no model 3"),
    ("w40k8", "flags.generated", [[0, "x" * 201]], "generated[0][1]: it has at most 200 letters"),
    ("w40k8", "flags.denied", [9], "denied[0]: Reds has no model 9"),
    ("w40k8", "red.rerolls", 1001, "it is a number from 0 to 1000, not 1001."),
    ("w40k8", "red.trait", "shy", "there is no 'shy'; it is legendary fighter, inspiring leader,"),
    ("w40k8", "game.primary", 4, "it is a number from 0 to 3, not 4."),
    ("w40k8", "game.roller", 2, "there is no player 2"),
    ("w40k8", "game.halves", [[[0, 0], [9, 9], [0, 9]]], "it has one value for each half of the table, 2 in"),
    ("w40k8", "game.halves", [[[0, 0], [9, 9]], [[0, 0], [9, 9]]], "halves[0]: an outline has 3 to 32 corners, not 2."),
    ("w40k8", "game.halves", [[[0, 0], [0, 1 << 40], [9, 9]]] * 2, "halves[0][1]: a place on the table is 0 to 45056"),
    ("w40k8", "game.zones", [0, 1], "zones[0]: there is no half 0; the game has no 'halves' yet."),
    ("w40k8", "game.underdog", 2, "there is no player 2"),
    ("w40k10", "flags.reserve", "reserve", "there is no 'reserve'; it is deep strike, strategic, or empty."),
    ("w40k10", "flags.disembarked", "rapid", "there is no 'rapid'; it is before, after, ramp, destroyed, or empty."),
    ("w40k10", "flags.rolled_move", 101, "it is a number from 0 to 100, not 101."),
    ("w40k10", "red.cp", -1, "it is a number from 0 to 1000, not -1."),
    ("w40k10", "game.forced", 2, "there is no unit 2; there are 0 Reds, 1 Blues, and -1 for none."),
    ("w40k11", "flags.reserve", "deep strike", "there is no 'deep strike'; it is strategic, or empty."),
    ("w40k11", "flags.disembarked", "before", "there is no 'before'; it is rapid, assault, tactical, combat,"),
    ("w40k11", "flags.walked", [0], "it has one value for each model of the unit, 3 in all, not 1."),
    ("w40k11", "flags.walked", [0, 0, -1], "walked[2]: it is a number from 0 to 1024000, not -1."),
    ("w40k11", "flags.shooting", "wild", "it is normal, assault, close-quarters, indirect, snap, or empty."),
    ("w40k11", "flags.revealed", -10, "it is a number from -9 to 10000, not -10."),
    ("w40k11", "flags.picked", [["bow", "lance"]], "picked[0][0]: nobody there has a weapon 'bow'; they have gun."),
    ("w40k11", "flags.numbers", [[0, "gun", 1]], "it holds something only while it selects targets"),
    ("w40k11", "flags.action", "nap", "there is no 'nap'; it is empty here."),
    ("w40k11", "flags.acted", "nap", "there is no 'nap'; it is empty here."),
    ("w40k11", "flags.stirred", "x" * 201, "it has at most 200 letters, not 201."),
    ("w40k11", "red.extra_cp", -1, "it is a number from 0 to 1000, not -1."),
    ("w40k11", "red.used", ["x" * 501], "used[0]: it has at most 500 letters, not 501."),
    ("w40k11", "red.used_this_turn", ["x" * 501], "used_this_turn[0]: it has at most 500 letters, not 501."),
    ("w40k11", "game.stage", "second", "there is no 'second'; it is first, remaining, or empty."),
    ("w40k11", "game.forced", -2, "there is no unit -2; there are 0 Reds, 1 Blues, and -1 for none."),
    ("w40k11", "game.passes", -1, "it is a number from 0 to 1000, not -1."),
    ("w40k11", "game.done", -1, "it is a number from 0 to 1000, not -1."),
    ("w40k11", "game.down", [0], "it holds something only while attacks are made"),
    ("w40k11", "game.active", [1], "it holds something only while somebody acts"),
    ("w40k11", "game.held_before", [0], "it has one value for each objective marker, 2 in all, not 1."),
    ("w40k11", "game.lost_before", [2], "lost_before[0]: there is no unit 2"),
    ("w40k11", "game.stood_on", [[0, 2]], "stood_on[0][1]: there is no objective marker 2; there are 0 to 1."),
    ("w40k11", "game.slain", [[0, 2, 0, True]], "slain[0][1]: there is no unit 2"),
    ("w40k11", "game.marks", [["hot", "objective", 2, 0, 0]], "marks[0]: there is no objective 2; there are objective"),
    ("w40k11", "game.marks", [["hot", "sea", 0, 0, 0]], "marks[0]: there is no sea 0; there are objective 0 to 1"),
    ("w40k11", "game.marks", [["", "unit", 0, 0, 0]], "marks[0]: it is marked with a word, by a player, in a turn"),
    ("w40k11", "game.marks", [["hot", "unit", 0, 2, 0]], "marks[0]: it is marked with a word, by a player, in a turn"),
    ("w40k11", "game.tasks", [[0, 0, 0]], "tasks[0]: there is no unit 0 with action 0; the mission has 0 of these."),
    ("w40k11", "game.tally", [1], "it has one value for each round and player, 3 in all, not 1."),
    ("w40k11", "game.tally", [1, 0, -1], "tally[2]: it is a number from 0 to 1000, not -1."),
]  # fmt: skip


@pytest.mark.parametrize("system", EDITIONS)
@pytest.mark.parametrize(("where", "value", "sentence"), ANY_EDITION)
def test_what_no_battle_could_put_into_a_field_is_refused(system: str, where: str, value: Any, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        opened(system, **placed(where, value))
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("system", "where", "value", "sentence"), OF_AN_EDITION)
def test_so_it_is_in_the_fields_of_an_edition(system: str, where: str, value: Any, sentence: str) -> None:
    with pytest.raises(UserError) as caught:
        opened(system, **placed(where, value))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("where", ["flags.strength", "red.vp", "game.first"])
def test_the_field_is_named_as_it_is_written(where: str) -> None:
    holder, _, field = where.partition(".")
    named = {"flags": "units (Reds).flags", "red": "state.red", "game": "state.game"}[holder]
    with pytest.raises(UserError) as caught:
        opened("w40k11", **placed(where, -5))
    assert str(caught.value).startswith(f"{named}.{field}: ")


@pytest.mark.parametrize("system", EDITIONS)
@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("flags.strength", 1),
        ("flags.strength", 1000),
        ("flags.former", "x" * 200),
        ("flags.moved", "advance"),
        ("flags.moved", ""),
        ("flags.advance", 0),
        ("flags.advance", 100),
        ("flags.emptied", [[0, "gun"], [2, "gun"]]),
        ("flags.last_stand", [2]),
        ("red.vp", 1000),
        ("red.scored", []),
        ("red.plans", None),
        ("game.first", 1),
        ("game.turns", 10_000),
        ("game.control", [-1, 1]),
        ("game.control", []),
        ("game.secured", [0, -1]),
        ("game.selecting", -1),
        ("game.selecting", 1),
        ("game.markers", [[45056, 30720, 0], [0, 0, 0]]),
        ("game.removed", [0, 1]),
        ("game.fallen", [0, 1]),
        ("game.wish", -1),
    ],
)
def test_what_a_battle_could_put_there_is_played(system: str, where: str, value: Any) -> None:
    assert opened(system, **placed(where, value)).decisions


@pytest.mark.parametrize(
    ("system", "where", "value"),
    [
        ("w40k8", "flags.reserve", "teleport strike"),
        ("w40k8", "red.trait", "inspiring leader"),
        ("w40k8", "game.primary", 3),
        ("w40k10", "flags.disembarked", "ramp"),
        ("w40k10", "game.forced", 1),
        ("w40k11", "flags.walked", [0, 0, 1024000]),
        ("w40k11", "flags.shooting", "snap"),
        ("w40k11", "flags.revealed", -9),
        ("w40k11", "flags.picked", [["gun", "lance"]]),
        ("w40k11", "game.stage", "remaining"),
        ("w40k11", "game.forced", -1),
        ("w40k11", "game.marks", [["decoyed", "objective", 1, 1, 3]]),
        ("w40k11", "game.slain", [[0, 1, 2, True]]),
    ],
)
def test_so_is_what_it_could_put_into_fields_of_an_edition(system: str, where: str, value: Any) -> None:
    assert opened(system, **placed(where, value)).decisions


def test_halves_of_the_table_can_be_given_to_players() -> None:
    halves = [[[0, 0], [45056, 0], [45056, 15360]], [[0, 0], [0, 30720], [45056, 30720]]]
    assert opened("w40k8", state={"game": {"halves": halves, "zones": [1, 0]}}).state.game.zones == (1, 0)


def test_a_half_that_is_not_there_can_not() -> None:
    halves = [[[0, 0], [45056, 0], [45056, 15360]], [[0, 0], [0, 30720], [45056, 30720]]]
    with pytest.raises(UserError, match=r"zones\[1\]: there is no half 2; there are 0 and 1\."):
        opened("w40k8", state={"game": {"halves": halves, "zones": [1, 2]}})


def has_note(kind: Any) -> bool:
    """Whether a type says, itself or within, what its values may be."""
    notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return any(isinstance(note, Holds) for note in notes) or any(has_note(inner) for inner in get_args(kind))


@pytest.mark.parametrize("system", EDITIONS)
def test_every_field_that_is_more_than_yes_or_no_says_what_it_may_hold(system: str) -> None:
    rules = systems.get(system)
    silent = [
        f"{kind.__name__}.{field.name}"
        for kind in (rules.unit_type, rules.player_type, rules.game_type)
        for field in msgspec.structs.fields(kind)
        if field.name not in FIXED and field.type is not bool and not has_note(field.type)
    ]
    assert silent == []


@pytest.mark.parametrize("system", EDITIONS)
def test_whatever_a_battle_comes_to_is_allowed(system: str) -> None:
    checked = []

    def on_step(b: Any) -> None:
        files = b.system.seam(Files)
        check_fields(b, {"phase": tuple(files.phases.values()), **files.words(b)})
        checked.append(b.state.round)

    battle = sandtable.new(system, seed=3, on_step=on_step)
    for _ in range(60):
        battle.answer(battle.decisions[0], default(battle, battle.decisions[0]))
    assert len(checked) > 30
