"""Scenario files: what can be said in them, and that a bad one is refused in a sentence with the place of the fault."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.battle import GONE, OFF, TABLE, Models, Setup, State
from sandtable.battle import answers as wording
from sandtable.battle.decisions import (
    Assign,
    Assignment,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Flight,
    FlightLeg,
    FlightPath,
    Laid,
    Leg,
    Mode,
    Move,
    Moves,
    Number,
    Option,
    Order,
    Place,
    Plot,
    Plotted,
    Row,
    Split,
    Spot,
    Template,
)
from sandtable.battle.decisions import Path as ModelPath
from sandtable.battle.judging import run_scenario
from sandtable.battle.questions import check
from sandtable.battle.scenario import Scenario, open_scenario, read_scenario, read_scenario_file
from sandtable.battle.system import System
from sandtable.battle.tables import build_table
from sandtable.errors import UserError
from sandtable.table.grid import STEP, steps
from sandtable.table.shapes import round_base
from support import skirmish
from support.games import new


def set_up(_: System, doc: Scenario) -> tuple[Setup[skirmish.Data], State[Any, Any, Any]]:
    """The skirmish's own reading of a scenario: every model has 2 wounds and a round base."""
    units, pos, place, wounds, owner = [], [], [], [], []
    for number, unit in enumerate(doc.units):
        first = len(pos)
        for i, where in enumerate(unit.positions):
            pos.append((steps(where[0]), steps(where[1]), 0))
            left = unit.wounds.get(i + 1, 2)
            wounds.append(left)
            place.append(OFF if unit.off else TABLE if left else GONE)
            owner.append(number)
        player = doc.players.index(unit.player)
        units.append(skirmish.Unit(number, player, unit.name, tuple(range(first, len(pos))), **unit.flags))
    zero = np.zeros(len(pos), dtype=np.int64)
    columns = [np.array(c, dtype=np.int64) for c in (wounds, place)]
    models = Models(np.array(pos), zero.copy(), *columns, zero.copy(), np.array(owner, dtype=np.int64))
    table = build_table(doc.table, "in")
    options = skirmish.system().settle_options(doc.options)
    setup = Setup("skirmish", table, (round_base(1.25, 2.0),), (0,) * len(pos), skirmish.Data(), options)
    players = [skirmish.Player(i, name, i, **doc.state.get(name, {})) for i, name in enumerate(doc.players)]
    return setup, State(models, units, players, skirmish.Game(**doc.state.get("game", {})))


def system() -> System:
    return dataclasses.replace(skirmish.system(), scenario=set_up)


GOOD: dict[str, Any] = {
    "scenario": "A volley with a re-roll",
    "system": "skirmish",
    "question": "Do misses stay misses after the re-roll?",
    "answer": "They do.",
    "table": {"size": [44, 30], "terrain": [{"kind": "wood", "rect": [20, 10, 4, 4], "height": 3}]},
    "units": [
        {"name": "Axe", "player": "red", "sheet": "any", "positions": [[10, 10], [12, 10]]},
        {"name": "Bow", "player": "blue", "sheet": "any", "positions": [[10, 18], [12, 18]], "wounds": {2: 1}},
        {"name": "Cat", "player": "blue", "sheet": "any", "positions": [[30, 25]], "flags": {"moved": True}},
        {"name": "Elk", "player": "red", "sheet": "any", "positions": [[40, 2]]},
    ],
    "at": {"step": "shoot", "round": 2, "active": "red"},
    "dice": {"hit": [6, 1, 2]},
    "answers": [
        {"player": "red", "to": "shoot-with", "answer": "Axe", "offers": ["Axe"], "offers_not": ["Bow"]},
        {"player": "red", "to": "shoot-at", "answer": "Bow", "offers": ["Bow", "Cat"]},
        {"player": "red", "to": "reroll", "answer": "yes"},
        {"player": "blue", "to": "allocate", "answer": "model 3"},
        {"player": "red", "to": "shoot-with", "answer": "Axe", "refused": ["skirmish.shoot.once"]},
        {"player": "red", "to": "shoot-with", "default": True},
    ],
    "expect": {
        "rolls": ["hit", "hit"],
        "units": {"Bow": {"models": 1, "wounds": [2], "positions": [[10, 18]]}, "Axe": {"flags": {"shot": True}}},
        "players": {"red": {"ammo": 1}},
        "game": {"fights": 0},
        "asked": "move-with",
        "ended": False,
        "why": [{"act": "shoot", "unit": "Axe", "allowed": False, "rules": ["skirmish.shoot.once"]}],
    },
}  # fmt: skip


class Plain(yaml.SafeDumper):
    """Writes everything out, without aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(doc: Any) -> str:
    return yaml.dump(doc, Dumper=Plain)


def scenario(**changes: Any) -> Scenario:
    return read_scenario(written({**GOOD, **changes}), "test.yaml")


def changed(path: str, value: Any) -> dict[str, Any]:
    """The good document with one place changed; `path` is like units.0.name."""
    doc: dict[str, Any] = yaml.safe_load(yaml.safe_dump(GOOD))
    at: Any = doc
    *way, last = path.split(".")
    for key in way:
        at = at[int(key)] if isinstance(at, list) else at.setdefault(key, {})
    at[int(last) if isinstance(at, list) else last] = value
    return doc


def failures(path: str, value: Any) -> str:
    return " ".join(run_scenario(read_scenario(written(changed(path, value)), "test.yaml"), system()).failures)


def test_a_scenario_whose_expectations_come_true_has_no_failures() -> None:
    outcome = run_scenario(scenario(), system())
    assert outcome.failures == []
    assert outcome.account[:3] == [
        "red answers 'Shoot with': Axe",
        "red answers 'Shoot at': Bow",
        "  rolls hit: 6 1",
    ]
    assert "red tries 'Shoot with': Axe has shot already. [skirmish.shoot.once]" in outcome.account


def test_a_scenario_opens_at_its_moment_before_its_answers() -> None:
    battle = open_scenario(scenario(), system())
    assert (battle.state.segment, battle.state.round, battle.state.active) == ("turn", 2, 0)
    assert [d.kind for d in battle.decisions] == ["shoot-with"]
    assert battle.state.models.wounds.tolist() == [2, 2, 2, 1, 2, 2]


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("expect.rolls", ["hit"], "rolled were ['hit', 'hit'], not ['hit']"),
        ("expect.rolls", ["hit", {"roll": "hit", "needed": 4}], "has needed 0, not 4"),
        ("expect.rolls", ["hit", {"roll": "wound"}], "rolled were ['hit', 'hit'], not ['hit', 'wound']"),
        ("expect.told", ["moved"], "'moved' was not told"),
        ("expect.cited", ["skirmish.no.rule"], "no event cites skirmish.no.rule"),
        ("expect.units.Bow.models", 2, "1 models are on the table, not 2"),
        ("expect.units.Bow.wounds", [1], "wounds left are [2], not [1]"),
        ("expect.units.Bow.positions", [[10, 18.5]], "models stand at [(10.0, 18.0, 0.0)]"),
        ("expect.units.Axe.flags", {"shot": False}, "units.Axe.shot: is True, not False"),
        ("expect.units.Axe.flags", {"flying": True}, "there is no 'flying'"),
        ("expect.players.red", {"ammo": 2}, "players.red.ammo: is 1, not 2"),
        ("expect.game", {"fights": 3}, "game.fights: is 0, not 3"),
        ("expect.asked", "allocate", "open is ['move-with'], not 'allocate'"),
        ("expect.ended", True, "the battle has not ended"),
        ("expect.why.0.allowed", True, "Axe has shot already"),
        ("expect.why.0.rules", ["a.b"], "not ['a.b']"),
        ("dice", {"hit": [6, 1, 2, 3]}, "dice left in the script: {'hit': 1}"),
        ("dice", {"hit": [6, 1]}, "no dice left for the roll 'hit'"),
        ("dice", {"hit": [6, 9, 1]}, "a D6 shows 1 to 6"),
        ("answers.0.to", "charge-with", "that is not asked now; open is red: shoot-with"),
        ("answers.0.answer", "Dog", "'Dog' is not one of the options"),
        ("answers.0.offers", ["Cat"], "missing ['Cat']"),
        ("answers.0.offers_not", ["Axe"], "unwanted ['Axe']"),
        ("answers.2.answer", "perhaps", "cannot read 'perhaps'"),
        ("answers.4.refused", ["skirmish.other"], "refused by skirmish.shoot.once, not by skirmish.other"),
        ("answers.0.refused", ["skirmish.other"], "should be refused by skirmish.other, but is allowed"),
    ],
)
def test_what_does_not_come_true_is_told(path: str, value: Any, words: str) -> None:
    assert words in failures(path, value)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("units.0.nme", "Axe", "unknown field `nme`"),
        ("weather", "rain", "unknown field `weather`"),
        ("units.0.player", "green", "no player 'green'; players are red, blue"),
        ("units.1.name", "Axe", "the name 'Axe' stands twice"),
        ("players", ["red", "blue", "red"], "a name stands twice"),
        ("units.0.positions", [[1, "x"]], "Expected `int | float`"),
        ("units.0.positions", [[1]], "length"),
        ("units.0.positions", [[1e9, 0]], "far off the table"),
        ("units.0.positions", [[float("nan"), 0]], "'.nan' is no number"),
        ("units.0.positions", [[float("-inf"), 0]], "'-.inf' is no number"),
        ("units.0.positions", [[1, 1]] * 1001, "at most 1000 models, not 1005"),
        ("units.0.models", 10**12, "0 to 1000 models"),
        ("units.0.models", -1, "0 to 1000 models"),
        ("units.0.line", {"from": [0, 0], "to": [1e9, 0]}, "line: .*far off"),
        ("units.0.block", {"at": [0, 0], "columns": 0}, "at least 1 column"),
        ("units.0.block", {"at": [0, 0], "columns": 3, "gap": -1}, "gap from 0"),
        ("units.0.facing", 1e6, "degrees from -360 to 360"),
        ("units.0.wounds", {0: 1}, "models count from 1"),
        ("units.0.wounds", {1: 10**9}, "0 to 1000 wounds"),
        ("units", [{"name": str(i), "player": "red", "sheet": "s"} for i in range(201)], "at most 200 units"),
        ("at.active", "green", "at.active: no player 'green'; players are red, blue"),
        ("players", [], "players: there are 1 to 16, not 0"),
        ("players", [f"p{i}" for i in range(17)], "players: there are 1 to 16, not 17"),
        ("units.0.name", "x" * 201, "the name of a unit or player has 1 to 200 letters, not 201"),
        ("players", ["red", "blue", ""], "the name of a unit or player has 1 to 200 letters, not 0"),
        ("at.round", 10**30, "the number 10{30} is too large"),
        ("at.round", -1, "0 to 1000"),
        ("seed", -1, "a seed is 0 to"),
        ("seed", 1 << 64, "the number 18446744073709551616 is too large"),
        ("objectives", [[5000, 0]], "objectives: .*far off"),
        ("dice", "666", "dice"),
        ("question", None, "Expected `str`"),
    ],
)
def test_a_bad_document_is_refused_with_the_place(path: str, value: Any, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        read_scenario(written(changed(path, value)), "test.yaml")
    assert re.match(r"test\.yaml(, line \d+)?(, column \d+)?: ", str(caught.value))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("at.step", "tea", "Skirmish has no step 'tea'; it has plan, begin, move"),
        ("options", {"windows": "some"}, "can be matter or all"),
        ("table.size", [0, 30], "up to 1000 by 1000 in, not 0 by 30"),
        ("table.size", [44, 1e9], "up to 1000 by 1000"),
        ("table.terrain", [{"kind": "w", "rect": [0, 0, 1, 1]}] * 201, "at most 200 features"),
        ("table.terrain", [{"kind": "w"}], r"terrain\[0\] \(w\): needs a rect, or an outline"),
        ("table.terrain", [{"kind": "w", "rect": [0, 0, 0, 5]}], "no area"),
        ("table.terrain", [{"kind": "w", "outline": [[0, 0], [4, 4], [4, 0], [0, 3]]}], "crosses itself"),
        ("table.terrain", [{"kind": "w", "outline": [[0, 0], [4, 0]]}], "3 to 32 corners"),
        ("table.terrain", [{"kind": "w", "outline": [[i, i * i] for i in range(33)]}], "3 to 32 corners"),
        ("table.terrain", [{"kind": "w", "rect": [1e7, 0, 1, 1]}], "far off the table"),
        ("table.terrain", [{"kind": "w", "rect": [0, 0, 1, 1], "height": -1}], "a height is 0 to 1000"),
        ("table.terrain", [{"kind": "w", "rect": [0, 0, 1, 1], "height": 1001}], "a height is 0 to 1000"),
        ("table.terrain", [{"kind": "w", "id": "a", "rect": [0, 0, 1, 1]}] * 2, "the id 'a' stands twice"),
        (
            "table.terrain",
            [{"kind": "w", "rect": [0, 0, 1, 1], "walls": [{"from": [0, 0], "to": [1, 0], "top": 1}] * 65}],
            "at most 64 walls",
        ),
    ],
)
def test_a_moment_that_cannot_be_set_up_is_refused(path: str, value: Any, words: str) -> None:
    doc = read_scenario(written(changed(path, value)), "test.yaml")
    with pytest.raises(UserError, match=words):
        open_scenario(doc, system())


def test_a_system_without_scenarios_says_so() -> None:
    with pytest.raises(UserError, match="Skirmish cannot be set up from scenario files"):
        open_scenario(scenario(), skirmish.system())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1, 2", "test.yaml, line 2: not valid YAML"),
        ("a: b: c", "not valid YAML"),
        ("\tx: 1", "not valid YAML"),
        ("a: &x [1]\nb: *x", "aliases"),
        ("a: !!python/object:os.system x", r"line 1, column 4: YAML tags \(!!os.system\) are not allowed"),
        ("- 1\n- 2", "Expected `object`, got `array`"),
        ("", "Expected `object`, got `null`"),
        ("[" * 50_000, "nested too deeply"),
        ("a: 2023-99-99", "unknown field `a`"),
        ("a: " + "9" * 6000, r"line 1, column 4: the number 9{40} \[...\] 9{20} is too large or too long"),
        ("a: \x00", "not valid YAML"),
        ("x" * (1 << 20) + "x", "at most 1 MB"),
    ],
    ids=range(12),
)  # fmt: skip
def test_bad_yaml_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        read_scenario(text, "test.yaml")
    assert str(caught.value).startswith("test.yaml")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Cannot read"):
        read_scenario_file(tmp_path / "missing.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe4")
    with pytest.raises(UserError, match="is not UTF-8 text"):
        read_scenario_file(tmp_path / "latin.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"#" * ((1 << 20) + 1))
    with pytest.raises(UserError, match="at most 1 MB"):
        read_scenario_file(tmp_path / "huge.yaml")
    (tmp_path / "good.yaml").write_text(yaml.safe_dump(GOOD))
    assert read_scenario_file(tmp_path / "good.yaml") == scenario()


def test_terrain_is_built_as_written() -> None:
    doc = scenario(
        table={
            "size": [44, 30],
            "terrain": [
                {
                    "kind": "ruin",
                    "name": "The mill",
                    "outline": [[0, 0], [0, 8], [8, 8], [8, 0]],
                    "base": 1,
                    "height": 6,
                    "walls": [{"from": [0, 0], "to": [8, 0], "top": 5, "bottom": 2, "thickness": 0.5}],
                    "floors": [{"z": 4}, {"z": 6, "rect": [0, 0, 4, 4], "thickness": 0.25}],
                }
            ],
        }
    )
    table = build_table(doc.table, "in")
    assert (table.width, table.depth, table.unit) == (44 * STEP, 30 * STEP, "in")
    (ruin,) = table.features
    assert (ruin.id, ruin.name, ruin.bottom, ruin.top, ruin.solid) == ("ruin-1", "The mill", STEP, 7 * STEP, False)
    assert (ruin.walls[0].bottom, ruin.walls[0].top, ruin.walls[0].thickness) == (2 * STEP, 5 * STEP, STEP // 2)
    assert ruin.floors[0].outline == ruin.outline
    assert ruin.floors[1].outline == ((0, 0), (4 * STEP, 0), (4 * STEP, 4 * STEP), (0, 4 * STEP))


WHO: Any = {"player": 0, "kind": "k", "prompt": "Say"}
OPTIONS = (Option(0, "Axe"), Option(7, "Seven"), Option("x", "Something else"))
AT = 1024
WORDS: list[tuple[Decision[Any], Any, Any]] = [
    (Choose(options=OPTIONS, **WHO), "Axe", 0),
    (Choose(options=OPTIONS, **WHO), "seven", 7),
    (Choose(options=OPTIONS, **WHO), 7, 7),
    (Choose(options=OPTIONS, **WHO), "x", "x"),
    (Choose(options=OPTIONS, **WHO), "pass", None),
    (Choose(options=OPTIONS, **WHO), "blue 1", 4),
    (ChooseSome(options=OPTIONS, **WHO), ["Some", 7], ("x", 7)),
    (Order(options=OPTIONS, **WHO), ["Seven", "Axe", "x"], (7, 0, "x")),
    (Split(options=OPTIONS, total=3, **WHO), {"Axe": 1, "Seven": 2}, ((0, 1), (7, 2))),
    (
        Assign(rows=(Row("b", "Bolter", 5, (0, 7), ("a", "b")),), targets=OPTIONS, **WHO),
        [{"weapon": "Bolter", "target": "Axe", "count": 2, "mode": "b"}, {"weapon": "b", "target": 7}],
        (Assignment("b", 0, 2, "b"), Assignment("b", 7, 5, "a")),
    ),
    (Number(least=0, most=9, **WHO), 4, 4),
    (Confirm(**WHO), "no", False),
    (Confirm(**WHO), True, True),
    (
        Place(models=(3, 4), **WHO),
        [[1, 2], {"at": [1, 2, 3], "facing": 90}],
        (Spot(3, AT, 2 * AT), Spot(4, AT, 2 * AT, 3 * AT, 1024)),
    ),
    (Place(models=(3, 4), optional=True, **WHO), "pass", None),
    (
        Move(models=(0, 1), modes=(Mode("walk", "Walk", 1),), **WHO),
        {"by": [1, 0]},
        Moves("walk", (ModelPath(0, (Leg("go", 7 * AT, 8 * AT),)), ModelPath(1, (Leg("go", 8 * AT + 512, 8 * AT),)))),
    ),
    (
        Move(models=(0, 1), modes=(Mode("walk", "Walk", 1),), **WHO),
        {"by": [1, 0], "models": [2], "mode": "run", "onto": "red 1"},
        Moves("run", (ModelPath(1, (Leg("go", 8 * AT + 512, 8 * AT),)),), 1),
    ),
    (
        Move(models=(0, 1), modes=(Mode("walk", "Walk", 1),), **WHO),
        {"to": [None, [3, 4]]},
        Moves("walk", (ModelPath(1, (Leg("go", 3 * AT, 4 * AT),)),)),
    ),
    (
        Move(models=(0, 1), modes=(Mode("walk", "Walk", 1),), **WHO),
        {"paths": {1: [[1, 1], {"do": "climb", "to": [1, 1, 3]}, {"do": "turn", "to": [1, 1, 3], "facing": 180}]}},
        Moves(
            "walk",
            (ModelPath(0, (Leg("go", AT, AT), Leg("climb", AT, AT, 3 * AT), Leg("turn", AT, AT, 3 * AT, 2048))),),
        ),
    ),
    (
        Template(templates=("blast",), **WHO),
        [{"template": "blast", "at": [1, 1], "facing": 90}],
        (Laid("blast", AT, AT, 1024),),
    ),
    (
        FlightPath(shortest_leg=1, widest_turn=1024, optional=True, **WHO),
        {"at": [0, 1], "facing": 0, "legs": [{"length": 30, "turn": -45}, {"length": 30}]},
        Flight(0, AT, 0, (FlightLeg(30 * AT, -512), FlightLeg(30 * AT, 0))),
    ),
    (FlightPath(shortest_leg=1, widest_turn=1024, optional=True, **WHO), "pass", None),
    (Plot(most=2, last_turn=3, **WHO), [{"at": [1, 2], "turn": 2}], (Plotted(AT, 2 * AT, 2),)),
]


def test_what_is_written_down_of_whole_units_is_told_without_numbers() -> None:
    rows, targets = (Row("3", "Overlord", 1, (7,)),), (Option(7, "First Phalanx"),)
    open_ = Assign(player=0, kind="attach", prompt="?", rows=rows, targets=targets)
    said = [
        wording.describe(new(), d, (Assignment("3", 7, 1),))
        for d in (open_, msgspec.structs.replace(open_, secret=True))
    ]
    assert said == ["1 x Overlord at First Phalanx", "Overlord: First Phalanx"]


@pytest.mark.parametrize(("decision", "words", "answer"), WORDS, ids=range(len(WORDS)))
def test_an_answer_in_words_is_read(decision: Decision[Any], words: Any, answer: Any) -> None:
    assert wording.read(new(), decision, words) == answer
    assert wording.describe(new(), decision, answer)


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (WORDS[0][0], 3.5j),
        (ChooseSome(options=OPTIONS, **WHO), 5),
        (Split(options=OPTIONS, total=3, **WHO), ["Axe"]),
        (Number(least=0, most=9, **WHO), "many"),
        (Confirm(**WHO), "perhaps"),
        (Confirm(**WHO), None),
        (Place(models=(3, 4), **WHO), [[1, 2]]),
        (Place(models=(3, 4), **WHO), [[1, 2], [float("nan"), 1]]),
        (Place(models=(3, 4), **WHO), [[1, 2], [float("inf"), 1]]),
        (WORDS[15][0], "onwards"),
        (WORDS[15][0], {"by": [1, 0], "models": [0]}),
        (WORDS[15][0], {"by": [1, 0], "models": [3]}),
        (WORDS[15][0], {"paths": {0: [[1, 1]]}}),
        (WORDS[15][0], {"to": [[1, 1]] * 3}),
        (WORDS[15][0], {"onto": "nobody"}),
        (WORDS[9][0], [{"weapon": "Spoon", "target": "Axe"}]),
        (WORDS[9][0], [{"weapon": "Bolter"}]),
        (Template(templates=("blast",), **WHO), [{"at": [1, 1]}]),
        (FlightPath(shortest_leg=1, widest_turn=1, **WHO), {"legs": 3}),
        (Plot(most=2, last_turn=3, **WHO), [{"at": [1, 2]}]),
    ],
    ids=range(20),
)
def test_words_that_are_no_answer_are_refused(decision: Decision[Any], words: Any) -> None:
    with pytest.raises(UserError) as caught:
        wording.read(new(), decision, words)
    assert len(str(caught.value)) < 400


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | st.floats() | st.text(max_size=6) | st.just(10**40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PATHS = [
    "units.0.positions", "units.0.wounds", "units.0.block", "units.0.line", "units.0.flags", "units.0.facing",
    "table", "table.size", "table.terrain", "table.terrain.0.rect", "at", "at.step", "dice", "answers.0.answer",
    "answers.0.to", "answers.2.answer", "expect", "expect.units", "expect.why", "state", "players", "seed",
]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PATHS), plain)
def test_a_document_from_anywhere_is_played_or_refused_in_a_sentence(path: str, value: Any) -> None:
    """What the skirmish's own small hook trips over (flags, state) is not the format's business."""
    try:
        doc = msgspec.convert(changed(path, value), Scenario, strict=True)
        text = written(changed(path, value))
    except (msgspec.ValidationError, yaml.YAMLError):
        return
    try:
        run_scenario(read_scenario(text, "test.yaml"), system())
    except UserError as error:
        assert str(error)
    except (TypeError, ValueError, AttributeError):
        assert path in ("units.0.flags", "state", "players") or not doc.units[0].positions


# --- Names and numbers ------------------------------------------------------------------------------------------------


def renamed(**names: str) -> dict[str, Any]:
    """The moment of the good scenario with other names for its units."""
    units = [{**unit, "name": names.get(unit["name"], unit["name"])} for unit in GOOD["units"]]
    return {k: v for k, v in GOOD.items() if k not in ("answers", "expect")} | {"units": units}


def test_the_exact_name_of_a_unit_beats_the_beginning_of_another() -> None:
    """R may not be chosen: that must be said, instead of taking Rest."""
    battle = open_scenario(read_scenario(written(renamed(Axe="Rest", Bow="R")), "test.yaml"), system())
    (asked_,) = battle.decisions
    assert [o.label for o in asked_.options] == ["Rest", "Elk"]
    assert wording.read(battle, asked_, "R") == wording.unit_named(battle, "R").id
    assert wording.read(battle, asked_, "Re") == wording.unit_named(battle, "Rest").id
    verdict = battle.check(asked_, wording.read(battle, asked_, "R"))
    assert str(verdict).startswith("R ")


def test_the_beginning_of_a_label_still_does_where_no_units_are_chosen_from() -> None:
    battle = open_scenario(scenario(), system())
    options = (Option("a", "Axe throwing"), Option("b", "Bowling"))
    asked_ = Choose(player=0, kind="game", prompt="Which game?", options=options)
    assert wording.read(battle, asked_, "Axe") == "a"
    assert wording.read(battle, asked_, "bowl") == "b"
    assert wording.read(battle, asked_, "Cat") == wording.unit_named(battle, "Cat").id


def test_models_keep_their_numbers_when_others_are_gone() -> None:
    doc = changed("units.0", {**GOOD["units"][0], "positions": [[10, 10], [12, 10], [14, 10]], "wounds": {2: 0}})
    battle = open_scenario(read_scenario(written(doc), "test.yaml"), system())
    axe = wording.unit_named(battle, "Axe")
    left = tuple(int(m) for m in battle.on_table(axe))
    asked_ = Move(player=0, kind="go", prompt="Go", models=left, modes=(Mode("walk", "Walk", steps(6)),), unit=axe.id)
    moves = wording.read(battle, asked_, {"by": [1, 0], "models": [3]})
    assert [p.model for p in moves.paths] == [axe.models[2]]
    moves = wording.read(battle, asked_, {"paths": {1: [[11, 10]]}})
    assert [p.model for p in moves.paths] == [axe.models[0]]
    with pytest.raises(UserError, match="'Go' is about the models 1, 3 of the unit, not 2"):
        wording.read(battle, asked_, {"by": [1, 0], "models": [2]})
    assert [wording.number_in_unit(battle, m) for m in left] == [1, 3]


def test_what_is_not_offered_is_refused_with_what_is() -> None:
    battle = open_scenario(scenario(), system())
    (asked_,) = battle.decisions
    assert "'Dog' is not one of the options of 'Shoot with': Axe, Elk, or pass." in str(battle.check(asked_, "Dog"))
    battle.answer(asked_, 0)
    (asked_,) = battle.decisions
    said = str(battle.check(asked_, 3))
    assert said.startswith("Elk is not one of the options of 'Shoot at': Bow, Cat.")


def test_a_refusal_names_twenty_options_and_counts_the_rest() -> None:
    battle = open_scenario(scenario(), system())
    options = tuple(Option(f"o{i}", f"option {i}") for i in range(25))
    asked_ = Choose(player=0, kind="game", prompt="Which?", options=options)
    assert "option 18, option 19 and 5 more." in str(check(battle, asked_, "x"))
    asked_ = Choose(player=0, kind="game", prompt="Which?", options=options[:20])
    assert str(check(battle, asked_, "x")).startswith("'x' is not one of the options of 'Which?': option 0, option 1,")
    assert "option 18, option 19." in str(check(battle, asked_, "x"))


def test_what_cannot_be_put_on_a_target_says_on_which_it_can() -> None:
    battle = open_scenario(scenario(), system())
    rows = (Row("0", "mortar", 1, (1,)), Row("1", "rifle", 2, (1, 2)))
    targets = (Option(1, "Bow"), Option(2, "Cat"))
    asked_ = Assign(player=0, kind="fire", prompt="Fire", rows=rows, targets=targets)
    said = str(check(battle, asked_, (Assignment("0", 2, 1),)))
    assert said.startswith("mortar cannot be put on that target, only on Bow.")
    said = str(check(battle, asked_, (Assignment("7", 2, 1),)))
    assert said.startswith("There is no row '7' to assign; there are 0 (mortar), 1 (rifle).")


# --- Where it stops ---------------------------------------------------------------------------------------------------


def stopped(
    until: dict[str, str] | None, expect: dict[str, Any], answers: list[dict[str, Any]] | None = None
) -> list[str]:
    """What does not come true when the good scenario stops somewhere."""
    doc = {**GOOD, "expect": {"dice_left": 0, **expect}, "answers": GOOD["answers"] if answers is None else answers}
    doc |= {} if until is None else {"until": until}
    return run_scenario(read_scenario(written(doc), "test.yaml"), system()).failures


MOVED = {"units": {"Cat": {"flags": {"moved": True}}}}
RESET = {"units": {"Cat": {"flags": {"moved": False}}}}


def test_without_until_all_that_follows_happens_up_to_the_next_question() -> None:
    """Blue's turn begins, and what it resets is lost to the judge."""
    assert stopped(None, {**RESET, "asked": "move-with"}) == []
    assert stopped(None, MOVED) == ["expect.units.Cat.moved: is False, not True."]


def test_a_scenario_stops_when_a_step_is_entered() -> None:
    assert stopped({"step": "begin"}, MOVED) == []
    assert stopped({"step": "move"}, RESET) == []
    assert stopped({"step": "begin"}, {"asked": "move-with"}) == ["expect.asked: open is [], not 'move-with'."]


def test_a_scenario_stops_once_dice_were_rolled() -> None:
    answers = GOOD["answers"][:3]
    expect = {"rolls": ["hit", "hit"], "dice_left": 0, "units": {"Bow": {"wounds": [2, 1]}}}
    assert stopped({"rolled": "hit"}, expect, answers) == []
    # The first volley was rolled before the last answer, and does not count.
    assert stopped({"rolled": "hit"}, {"rolls": ["hit"], "dice_left": 1}, answers[:2]) == []


def test_a_scenario_stops_once_something_was_told() -> None:
    doc = {
        **GOOD,
        "at": {"step": "move", "active": "red"},
        "dice": [],
        "answers": [
            {"player": "red", "to": "move-with", "answer": "Axe"},
            {"player": "red", "to": "how-far", "answer": 5, "refused": []},
            {"player": "red", "to": "how-far", "answer": 3},
            {"player": "blue", "to": "react.unit_moved", "answer": "pass"},
        ],
        "until": {"told": "moved"},
        "expect": {"told": ["moved"], "units": {"Axe": {"positions": [[10, 13], [12, 13]]}}},
    }
    assert run_scenario(read_scenario(written(doc), "test.yaml"), system()).failures == []


def test_a_scenario_without_answers_is_watched_from_the_start() -> None:
    doc = {**GOOD, "at": {"step": "finish", "active": "red"}, "answers": [], "until": {"step": "begin"}}
    doc |= {"expect": {**MOVED, "dice_left": 3}}
    assert run_scenario(read_scenario(written(doc), "test.yaml"), system()).failures == []


@pytest.mark.parametrize(
    ("until", "words"),
    [
        ({"told": "tea"}, "until: it did not come to 'told: tea' after the last answer; open is blue: move-with."),
        ({"rolled": "hit"}, "until: it did not come to 'rolled: hit' after the last answer"),
    ],
)
def test_where_it_never_stops_is_told(until: dict[str, str], words: str) -> None:
    assert stopped(until, {})[0].startswith(words)


@pytest.mark.parametrize("until", [{}, {"step": "begin", "told": "x"}])
def test_a_scenario_stops_in_one_place(until: dict[str, str]) -> None:
    with pytest.raises(UserError, match=r"test.yaml: until: name one of step, told, rolled\."):
        read_scenario(written({**GOOD, "until": until}), "test.yaml")


def test_a_step_to_stop_at_is_one_of_the_system() -> None:
    with pytest.raises(UserError, match=r"until.step: Skirmish has no step 'tea'; it has plan, begin, move"):
        run_scenario(read_scenario(written({**GOOD, "until": {"step": "tea"}}), "test.yaml"), system())


# --- Reactions that are not offered -----------------------------------------------------------------------------------


def worthless() -> System:
    """Nobody's Overwatch would change anything here."""
    overwatch, *others = system().reactions
    useless = dataclasses.replace(overwatch, worth=lambda b, player, moment, use: False)
    return dataclasses.replace(system(), reactions=(useless, *others))


def reacting(**more: Any) -> list[str]:
    moves = [
        {"player": "red", "to": "move-with", "answer": "Axe"},
        {"player": "red", "to": "how-far", "answer": 3},
        {"player": "blue", "to": "react.unit_moved", "answer": "pass"},
    ]
    doc = {**GOOD, "at": {"step": "move", "active": "red"}, "dice": [], "answers": moves, "expect": {}, **more}
    return run_scenario(read_scenario(written(doc), "test.yaml"), worthless()).failures


HINT = (
    "It would be with 'options: {windows: all}'; without that, reactions that change next to nothing are not offered."
)


def test_an_answer_to_a_reaction_that_is_not_offered_says_how_it_would_be() -> None:
    (said,) = reacting()
    assert said == f"answers[2] (blue: react.unit_moved): that is not asked now; open is red: move-with. {HINT}"
    assert reacting(options={"windows": "all"}) == []


def test_so_does_a_question_that_is_expected() -> None:
    answers = [{"player": "red", "to": "move-with", "answer": "Axe"}, {"player": "red", "to": "how-far", "answer": 3}]
    (said,) = reacting(answers=answers, expect={"asked": "react.unit_moved"})
    assert said == f"expect.asked: open is ['move-with'], not 'react.unit_moved'. {HINT}"


def test_what_would_not_be_asked_either_way_gets_no_such_advice() -> None:
    (said,) = reacting(expect={"asked": "react.unit_fought"}, answers=[])
    assert said == "expect.asked: open is ['move-with'], not 'react.unit_fought'."


def test_a_field_that_does_not_exist_is_told_with_those_that_do() -> None:
    assert failures("expect.game", {"weather": 1}).startswith(
        "expect.game: there is no 'weather'; there are selecting, forced, fights."
    )
