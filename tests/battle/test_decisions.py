"""The twelve shapes of questions: how they look from outside, and that no answer, however bad, does harm.

The examples in `golden/` are the format that browsers and agents rely on; they change only on purpose.
"""

from __future__ import annotations

import json
from pathlib import Path as FilePath
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.battle import (
    AGAIN,
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
    Path,
    Place,
    Plot,
    Plotted,
    Refused,
    Row,
    Split,
    Spot,
    Step,
    Template,
    questions,
)
from sandtable.battle.decisions import (
    ANSWERS,
    MAX_COORDINATE,
    MAX_ITEMS,
    MAX_LEGS,
    AnyDecision,
    default_answer,
    read_answer,
    schemas,
)
from sandtable.errors import UserError
from support.games import AnyBattle, new, snapshot, tiny

GOLDEN = FilePath(__file__).parent / "golden"
UNITS = (Option(1, "Scouts"), Option(2, "Guard"), Option("all", "Everybody", "costs 1 point"))
WHO: Any = {"player": 0, "prompt": "What now?", "rules": ("skirmish.some.rule",)}

EXAMPLES: dict[str, tuple[Decision[Any], Any]] = {
    "choose": (Choose(kind="charge-with", options=UNITS, optional=True, unit=3, **WHO), 2),
    "choose_some": (ChooseSome(kind="hold-back", options=UNITS, least=1, most=2, **WHO), (2, "all")),
    "assign": (
        Assign(
            kind="aim",
            rows=(Row("bolt", "Boltgun", 5, (1, 2)), Row("plasma", "Plasma gun", 1, (1,), ("standard", "hot"))),
            targets=UNITS[:2],
            **WHO,
        ),
        (Assignment("bolt", 1, 3), Assignment("bolt", 2, 2), Assignment("plasma", 1, 1, "hot")),
    ),
    "split": (Split(kind="share", options=UNITS, total=5, most_each=3, **WHO), ((1, 3), ("all", 2))),
    "order": (Order(kind="order", options=UNITS, **WHO), (2, "all", 1)),
    "place": (
        Place(kind="deploy", models=(0, 1), area=((0, 0), (9000, 0), (9000, 9000)), **WHO),
        (Spot(0, 1024, 2048), Spot(1, 4096, 2048, 3072, 1024)),
    ),
    "move": (
        Move(
            kind="move", models=(0, 1, 2), modes=(Mode("move", "Move", 6144), Mode("advance", "Advance", 8192)), **WHO
        ),
        Moves("move", (Path(0, (Leg("go", 1024, 0), Leg("climb", 1024, 0, 3072), Leg("turn", 1024, 0, 3072, 90))),), 4),
    ),
    "template": (
        Template(kind="barrage", templates=("blast", "blast"), **WHO),
        (Laid("blast", 1024, 1024), Laid("blast", 5120, 1024, 2048)),
    ),
    "flight_path": (
        FlightPath(kind="fly", shortest_leg=1024, widest_turn=512, **WHO),
        Flight(0, 5000, 0, (FlightLeg(10240, 512), FlightLeg(10240, -256))),
    ),
    "number": (Number(kind="how-far", least=1, most=6, **WHO), 4),
    "confirm": (Confirm(kind="re-roll", default=True, **WHO), False),
    "plot": (Plot(kind="orbit", most=2, last_turn=4, **WHO), (Plotted(1024, 2048, 3),)),
}

BAD: dict[str, list[tuple[Any, str]]] = {
    "choose": [
        (9, "not one of the options"),
        ("1", "not one of the options"),
        (True, "Expected `int | str | null`"),
        (2.0, "Expected an answer"),
        ([1], "Expected `int | str | null`"),
        (10**5000, "Expected `int` <="),
        ("x" * 201, "Expected `str` of length"),
    ],
    "choose_some": [
        ((), "from 1 to 2, not 0"),
        ((1, 2, "all"), "from 1 to 2, not 3"),
        ((1, 1), "only once"),
        ((7,), "not one of the options"),
        (1, "Expected `array`"),
        ((1,) * (MAX_ITEMS + 1), "of length <= 2000"),
    ],
    "assign": [
        ((Assignment("knife", 1, 1),), "no row 'knife'"),
        ((Assignment("plasma", 2, 1, "hot"),), "cannot be put on that target"),
        ((Assignment("plasma", 1, 1),), "needs one of these profiles: standard, hot"),
        ((Assignment("bolt", 1, 0),), "at least 1"),
        ((Assignment("bolt", 1, 3), Assignment("bolt", 2, 3)), "there are only 5"),
        ([{"row": "bolt", "target": 1}], "missing required field `count`"),
    ],
    "split": [
        (((1, 3),), "add up to 5, each from 0 to 3"),
        (((1, 5),), "add up to 5, each from 0 to 3"),
        (((1, 6), (2, -1)), "add up to 5"),
        (((1, 3), (1, 2)), "only once"),
        (((1, 3), (8, 2)), "not one of the options"),
        (((1,),), "length 2"),
    ],
    "order": [((1, 2), "name all 3"), ((1, 2, 2), "only once"), ((1, 2, 3), "not one of the options")],
    "place": [
        (None, "must be set up"),
        ((Spot(0, 1, 1),), "All 2 models"),
        ((Spot(0, 1, 1), Spot(0, 2, 2)), "only once"),
        ((Spot(0, 1, 1), Spot(5, 2, 2)), "The model with id 5 is not among"),
        ((Spot(0, 1, 1), Spot(1, MAX_COORDINATE + 1, 2)), "far off any table"),
        ((Spot(0, 1, 1), Spot(1, 1, 1, -MAX_COORDINATE - 1)), "far off any table"),
        ((Spot(0, 1, 1), Spot(1, 1, 1, 0, 4096)), "from 0 to 4095"),
        ([{"model": 0, "x": 1.5, "y": 1}], "Expected `int`, got `float`"),
    ],
    "move": [
        (Moves("fly"), "'fly' is not open to this unit: move, advance"),
        (Moves("move", (Path(0, ()),)), "1 to 64 legs"),
        (Moves("move", (Path(0, (Leg("go", 0, 0),) * (MAX_LEGS + 1)),)), "of length <= 64"),
        (Moves("move", (Path(0, (Leg("swim", 0, 0),)),)), "'go', 'turn' or 'climb'"),
        (Moves("move", (Path(0, (Leg("go", MAX_COORDINATE + 1, 0),)),)), "far off any table"),
        (Moves("move", (Path(0, (Leg("go", 0, 0, 0, -1),)),)), "from 0 to 4095"),
        (Moves("move", (Path(9, (Leg("go", 0, 0),)),)), "The model with id 9 is not among"),
        (Moves("move", (Path(0, (Leg("go", 0, 0),)),) * 2), "only once"),
        (Moves("move", (), 6), "no unit 6 to embark in"),
        (Moves("move", (), -2), "no unit -2 to embark in"),
        ("move", "Expected `object`"),
    ],
    "template": [
        ((Laid("blast", 0, 0),), "exactly these templates: blast, blast"),
        ((Laid("blast", 0, 0), Laid("flame", 0, 0)), "exactly these templates"),
        ((Laid("blast", 0, 0), Laid("blast", 0, -MAX_COORDINATE - 1)), "far off any table"),
    ],
    "flight_path": [
        (None, "A flight path is needed"),
        (Flight(0, 0, 0, ()), "1 to 64 legs"),
        (Flight(0, 0, 0, (FlightLeg(1023, 0),)), "too short"),
        (Flight(0, 0, 0, (FlightLeg(1024, -513),)), "too sharp"),
        (Flight(0, 0, 5000, (FlightLeg(1024, 0),)), "from 0 to 4095"),
    ],
    "number": [(0, "from 1 to 6"), (7, "from 1 to 6"), ("3", "Expected an answer"), (True, "Expected `int`")],
    "confirm": [(1, "Expected `bool`"), ("yes", "Expected an answer"), (None, "Expected `bool`")],
    "plot": [
        ((Plotted(0, 0, 1),) * 3, "At most 2 places"),
        ((Plotted(0, 0, 5),), "from 1 to 4"),
        ((Plotted(0, 0, 0),), "from 1 to 4"),
        ((Plotted(MAX_COORDINATE + 1, 0, 1),), "far off any table"),
    ],
}  # fmt: skip

shapes = pytest.mark.parametrize("shape", EXAMPLES)


def asking(shape: str) -> AnyBattle:
    """A battle in which a question of this shape is open."""

    async def ask(b: AnyBattle) -> Step:
        await b.ask(msgspec.structs.replace(EXAMPLES[shape][0]))
        return AGAIN

    return new(system=tiny(ask))


def as_json(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def test_there_are_twelve_shapes_and_an_example_of_each() -> None:
    assert [type(decision) for decision, _ in EXAMPLES.values()] == list(ANSWERS)
    assert list(schemas()) == list(EXAMPLES)
    assert sorted(p.stem for p in GOLDEN.glob("*.json")) == sorted(EXAMPLES)


@shapes
def test_a_decision_and_its_answer_look_like_the_golden_example(shape: str) -> None:
    decision, answer = EXAMPLES[shape]
    golden = json.loads((GOLDEN / f"{shape}.json").read_text())
    assert as_json(decision) == golden["decision"]
    assert as_json(answer) == golden["answer"]


@shapes
def test_the_golden_example_is_read_back_as_it_was(shape: str) -> None:
    decision, answer = EXAMPLES[shape]
    golden = json.loads((GOLDEN / f"{shape}.json").read_text())
    assert msgspec.convert(golden["decision"], AnyDecision) == decision
    assert read_answer(decision, golden["answer"]) == answer


@shapes
@pytest.mark.parametrize("part", ["decision", "answer"])
def test_the_golden_example_fits_the_schema(shape: str, part: str) -> None:
    golden = json.loads((GOLDEN / f"{shape}.json").read_text())
    schema = schemas()[shape][part]
    assert misfit(golden[part], schema, schema) == ""


def test_the_check_against_the_schema_can_fail() -> None:
    schema = schemas()["move"]["answer"]
    assert "mode" in misfit({}, schema, schema)
    assert "integer" in misfit({"mode": "move", "onto": "x"}, schema, schema)
    assert "more than 64" in misfit({"mode": "m", "paths": [{"model": 0, "legs": [{}] * 65}]}, schema, schema)


def misfit(value: Any, schema: dict[str, Any], root: dict[str, Any], where: str = "$") -> str:
    """What is wrong with a value, by the part of JSON Schema that the schemas use; empty when nothing is."""
    if "$ref" in schema:
        return misfit(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    if "anyOf" in schema:
        tried = [misfit(value, option, root, where) for option in schema["anyOf"]]
        return "" if "" in tried else tried[0]
    if "enum" in schema:
        return "" if value in schema["enum"] else f"{where}: not one of {schema['enum']}"
    kinds = {"integer": int, "string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
    kind = schema["type"]
    if not isinstance(value, kinds[kind]) or (kind == "integer" and isinstance(value, bool)):
        return f"{where}: not {kind}"
    if kind == "integer" and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return f"{where}: out of bounds"
    if kind == "string" and len(value) > schema.get("maxLength", len(value)):
        return f"{where}: too long"
    if kind == "array":
        if len(value) > schema.get("maxItems", len(value)):
            return f"{where}: more than {schema['maxItems']}"
        parts = schema.get("prefixItems") or [schema["items"]] * len(value)
        found = [misfit(v, s, root, f"{where}[{i}]") for i, (v, s) in enumerate(zip(value, parts, strict=True))]
        return next((f for f in found if f), "")
    if kind == "object" and "properties" in schema:
        missing = set(schema.get("required", ())) - set(value)
        unknown = set(value) - set(schema["properties"])
        if missing or unknown:
            return f"{where}: missing {sorted(missing)}, unknown {sorted(unknown)}"
        found = [misfit(v, schema["properties"][k], root, f"{where}.{k}") for k, v in value.items()]
        return next((f for f in found if f), "")
    return ""


@shapes
def test_the_example_is_allowed_as_a_value_and_as_json(shape: str) -> None:
    battle = asking(shape)
    answer = EXAMPLES[shape][1]
    assert battle.check(battle.decisions[0], answer)
    assert battle.check(battle.decisions[0], as_json(answer))
    battle.answer(battle.decisions[0], as_json(answer))
    assert battle.answers[-1].answer == answer


@pytest.mark.parametrize(
    ("shape", "answer", "words"),
    [
        pytest.param(shape, answer, words, id=f"{shape}-{i}")
        for shape, bad in BAD.items()
        for i, (answer, words) in enumerate(bad)
    ],
)
def test_a_bad_answer_is_refused_with_a_reason_and_changes_nothing(shape: str, answer: Any, words: str) -> None:
    battle = asking(shape)
    before = snapshot(battle)
    verdict = battle.check(battle.decisions[0], answer)
    assert not verdict.ok
    assert words in str(verdict)
    assert words in verdict.reasons[0].text
    with pytest.raises(Refused) as refused:
        battle.answer(battle.decisions[0], answer)
    assert refused.value.verdict == verdict
    assert snapshot(battle) == before


def test_a_refusal_cites_the_rules_of_the_question() -> None:
    battle = asking("number")
    assert str(battle.check(battle.decisions[0], 9)) == "The number must be from 1 to 6. [skirmish.some.rule]"


@shapes
def test_every_shape_has_a_default_that_is_legal_or_says_that_the_system_must_give_one(shape: str) -> None:
    decision = EXAMPLES[shape][0]
    battle = asking(shape)
    if shape in ("place", "template", "flight_path"):
        with pytest.raises(LookupError, match=decision.kind):
            default_answer(decision)
    else:
        assert battle.check(battle.decisions[0], battle.default(0))


@shapes
def test_what_is_suggested_is_legal(shape: str) -> None:
    battle = asking(shape)
    if shape in ("place", "template", "flight_path"):
        return
    for seed in range(20):
        for idea in questions.suggest(battle, battle.decisions[0], Random(seed)):
            assert battle.check(0, idea), idea


def test_a_default_leaves_out_what_may_not_be_used() -> None:
    decision = Assign(kind="aim", rows=(Row("bolt", "Boltgun", 5, ()),), targets=(), **WHO)
    assert default_answer(decision) == ()
    optional = Place(kind="deploy", models=(0,), optional=True, **WHO)
    assert default_answer(optional) is None


def test_only_an_open_question_can_be_answered() -> None:
    battle = asking("number")
    with pytest.raises(UserError, match=r"Question 5 is not open; open now: 0 \('What now\?'\)"):
        battle.answer(5, 3)
    battle.concede(0)
    with pytest.raises(UserError, match="the battle is over"):
        battle.answer(0, 3)


hostile_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(10**30), 10**30)
    | st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**4000, MAX_COORDINATE])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", "x" * 3000, "bolt", "move", "go", "blast", "all"])
    | st.binary(max_size=3),
    lambda children: (
        st.lists(children, max_size=4)
        | st.tuples(children, children)
        | st.dictionaries(
            st.sampled_from(
                [
                    "mode",
                    "paths",
                    "onto",
                    "model",
                    "legs",
                    "do",
                    "x",
                    "y",
                    "z",
                    "facing",
                    "row",
                    "target",
                    "count",
                    "template",
                    "length",
                    "turn",
                ]
            )
            | st.integers(0, 3),
            children,
            max_size=6,
        )
    ),
    max_leaves=12,
)


def bent(answer: Any) -> st.SearchStrategy[Any]:
    """The example with one of its parts replaced, so that the fuzzing gets past the first check."""
    places: list[tuple[Any, ...]] = []

    def walk(value: Any, path: tuple[Any, ...]) -> None:
        places.append(path)
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for k, v in items:
            walk(v, (*path, k))

    walk(answer, ())

    def replace(value: Any, path: tuple[Any, ...], new_value: Any) -> Any:
        if not path:
            return new_value
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[path[0]] = replace(copy[path[0]], path[1:], new_value)
        return copy

    return st.builds(lambda path, v: replace(answer, path, v), st.sampled_from(places), hostile_values)


BATTLES = {shape: asking(shape) for shape in EXAMPLES}


@shapes
@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_no_answer_from_outside_makes_check_fail_or_changes_anything(shape: str, data: st.DataObject) -> None:
    battle = BATTLES[shape]
    answer = data.draw(hostile_values | bent(as_json(EXAMPLES[shape][1])))
    before = snapshot(battle)
    verdict = battle.check(0, answer)
    assert verdict.ok or verdict.reasons
    if not verdict.ok:
        text = str(verdict)
        assert text and len(text) < 1000
        text.encode()
    assert snapshot(battle) == before


@pytest.mark.parametrize("value", [object(), {1, 2}, {"a": object()}, [[[]]] * 5000, lambda: 0, Random], ids=range(6))
def test_python_objects_that_are_no_answers_are_refused(value: Any) -> None:
    for battle in BATTLES.values():
        assert not battle.check(0, value).ok


def test_an_answer_nested_beyond_reason_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for battle in BATTLES.values():
        assert not battle.check(0, deep).ok


def test_what_is_stored_is_a_copy_of_what_was_given() -> None:
    battle = asking("choose_some")
    answer = [1, 2]
    battle.answer(0, answer)
    answer.append(3)
    assert battle.answers[0].answer == (1, 2)
