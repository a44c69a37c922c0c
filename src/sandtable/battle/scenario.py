"""Scenario files: any moment of any system, what is rolled and answered, and what must be true afterwards.

They are the rules tests' own format, a bug report that anybody can write, and a puzzle to play. The format is explained
in docs/scenarios.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from sandtable.battle.dice import Dice, KeyedDice, ScriptedDice
from sandtable.battle.machine import Battle
from sandtable.battle.rolls import ExpectedRoll
from sandtable.battle.sound import MAX_MODELS, MAX_NAME, MAX_PLAYERS, MAX_ROUND, MAX_WOUNDS
from sandtable.battle.system import System
from sandtable.battle.tables import MAX_SIZE, Number, TableDoc
from sandtable.documents import as_seen, convert, parse_yaml
from sandtable.errors import UserError, short
from sandtable.files import read_text
from sandtable.table.grid import TURN, facing

MAX_UNITS: Final = 200
UNASKED: Final = "What can be done from here?"
"""The question of a moment that was written down by somebody who asked none."""
FIXED: Final = ("id", "player", "name", "side", "models", "leader", "leader_names", "single")
"""Fields of units and players that follow from the rest of the file."""

Where: TypeAlias = Annotated[tuple[Number, ...], msgspec.Meta(min_length=2, max_length=3)]
"""A place: x, y and, above the ground, z."""


class Line(msgspec.Struct, forbid_unknown_fields=True, rename={"start": "from", "end": "to"}):
    """Models in a line, their middles evenly spread from one point to another."""

    start: Where
    end: Where


class Block(msgspec.Struct, forbid_unknown_fields=True):
    """Models in ranks, the first at `at`, `gap` between bases."""

    at: Where
    columns: int
    gap: Number = 0.5


class UnitDoc(msgspec.Struct, forbid_unknown_fields=True):
    """A unit: its datasheet, its models and where they stand."""

    name: str
    player: str
    sheet: str | dict[str, Any] = ""
    """By name or written out; left out for a unit that an army list of the file brings."""
    models: int = 0
    """How many; only needed with `line` and `block`."""
    positions: tuple[Where, ...] = ()
    line: Line | None = None
    block: Block | None = None
    off: bool = False
    """Not on the table."""
    facing: Number | tuple[Number, ...] = 0
    """Degrees, anticlockwise from the x axis; a list where models face different ways."""
    wounds: dict[int, int] = {}
    """Wounds left, by number of the model in the unit, counted from 1."""
    flags: dict[str, Any] = {}
    """Fields of the system's unit, such as `advanced: true`."""
    marks: dict[str, Literal["all"] | tuple[int, ...]] = {}
    """What the system remembers of single models, by name: their numbers, counted from 1, or `all`."""
    loadout: list[Any] = []
    """Given to the system as it is."""


class AtDoc(msgspec.Struct, forbid_unknown_fields=True):
    """The moment: a step, the round, and whose turn it is."""

    step: str
    round: int = 1
    active: str = ""
    nth: int = 1
    """Which step of that name, where a turn has several, such as the ends of its phases; counted from 1."""
    seat: str = ""
    """Who plays on from here; the active player if left out."""


class AnswerDoc(msgspec.Struct, forbid_unknown_fields=True):
    """One answer: who, to what kind of question, and what; or that it must be refused."""

    player: str
    to: str
    answer: Any = None
    refused: tuple[str, ...] | None = None
    """Rule ids that the refusal must cite; the question then stays open."""
    default: bool = False
    """Give the default answer."""
    offers: tuple[str, ...] | None = None
    """Labels or units that must be among the options..."""
    offers_not: tuple[str, ...] | None = None
    """...and those that must not."""


class UnitExpect(msgspec.Struct, forbid_unknown_fields=True):
    """What must be true of a unit at the end."""

    models: int | None = None
    """Models on the table."""
    wounds: tuple[int, ...] | None = None
    """Wounds left of the models on the table, in order."""
    positions: tuple[Where, ...] | None = None
    flags: dict[str, Any] = {}


class WhyDoc(msgspec.Struct, forbid_unknown_fields=True):
    """A question about what a unit may do, asked at the end."""

    act: str
    unit: str
    allowed: bool
    rules: tuple[str, ...] = ()


class UntilDoc(msgspec.Struct, forbid_unknown_fields=True):
    """Where to stop and judge, once the answers are given; one of these."""

    step: str = ""
    """When this step is entered."""
    told: str = ""
    """Once this kind of event was told."""
    rolled: str = ""
    """Once this kind of roll was made."""


class Expect(msgspec.Struct, forbid_unknown_fields=True):
    """What must be true when the answers are used up."""

    told: tuple[str, ...] = ()
    """Kinds of events that must have been told, in this order."""
    told_not: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    """Rules that events must have cited."""
    rolls: tuple[str | ExpectedRoll, ...] | None = None
    """The rolls made, in order: their kinds, and what they needed and came to where that is said."""
    units: dict[str, UnitExpect] = {}
    players: dict[str, dict[str, Any]] = {}
    game: dict[str, Any] = {}
    asked: str | None = None
    """The kind of the question that is open at the end."""
    why: tuple[WhyDoc, ...] = ()
    dice_left: int = 0
    ended: bool | None = None


class Proof(msgspec.Struct, forbid_unknown_fields=True):
    """A rule and the check of it that this scenario proves."""

    rule: str
    check: int


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """The whole file."""

    scenario: str
    """A title."""
    system: str
    question: str
    """What the author wants to know, in one sentence."""
    table: TableDoc
    units: tuple[UnitDoc, ...]
    at: AtDoc
    answer: str = ""
    """The ruling, in one sentence."""
    players: tuple[str, ...] = ("red", "blue")
    sheets: dict[str, dict[str, Any]] = {}
    options: dict[str, str] = {}
    state: dict[str, dict[str, Any]] = {}
    """Fields of players, by name, and of the game, under `game`."""
    dice: list[int] | dict[str, list[int]] | None = None
    seed: int = 1
    """For the dice where none are written down."""
    answers: tuple[AnswerDoc, ...] = ()
    until: UntilDoc | None = None
    """Without it, whatever follows the last answer happens up to the next question."""
    expect: Expect = msgspec.field(default_factory=Expect)
    proves: tuple[Proof, ...] = ()
    objectives: tuple[Where, ...] = ()
    extra: dict[str, Any] = {}
    """Given to the system as it is."""


def read_scenario(text: str, where: str) -> Scenario:
    """A scenario from YAML; refuses with the place of what is wrong."""
    scenario = convert(_trimmed(parse_yaml(text, where), where), Scenario, where, text)
    if len(scenario.units) > MAX_UNITS:
        raise UserError(f"{where}: at most {MAX_UNITS} units, not {len(scenario.units)}.")
    if not 1 <= len(scenario.players) <= MAX_PLAYERS:
        raise UserError(f"{where}: players: there are 1 to {MAX_PLAYERS}, not {len(scenario.players)}.")
    for key, name in (("active", scenario.at.active), ("seat", scenario.at.seat)):
        if name and name not in scenario.players:
            known = ", ".join(scenario.players)
            raise UserError(f"{where}: at.{key}: no player '{name}'; players are {known}.")
    names = [u.name for u in scenario.units]
    seen = Counter(map(as_seen, names))
    for name in (*names, *scenario.players):
        if not 1 <= len(name) <= MAX_NAME:
            raise UserError(f"{where}: the name of a unit or player has 1 to {MAX_NAME} letters, not {len(name)}.")
    for i, unit in enumerate(scenario.units):
        if seen[as_seen(unit.name)] > 1:
            raise UserError(f"{where}: units[{i}]: the name '{unit.name}' stands twice.")
        if unit.player not in scenario.players:
            known = ", ".join(scenario.players)
            raise UserError(f"{where}: units[{i}] ({unit.name}): no player '{unit.player}'; players are {known}.")
        _check_numbers(unit, f"{where}: units[{i}] ({unit.name})")
    count = sum(max(u.models, len(u.positions)) for u in scenario.units)
    if count > MAX_MODELS:
        raise UserError(f"{where}: at most {MAX_MODELS} models, not {count}.")
    if len(set(map(as_seen, scenario.players))) != len(scenario.players):
        raise UserError(f"{where}: players: a name stands twice.")
    if not 0 <= scenario.at.round <= MAX_ROUND:
        raise UserError(f"{where}: at.round: a round is 0 to {MAX_ROUND}, not {scenario.at.round}.")
    if not 0 <= scenario.seed < 1 << 63:
        raise UserError(f"{where}: seed: a seed is 0 to {(1 << 63) - 1}, not {scenario.seed}.")
    _check_places(scenario.objectives, f"{where}: objectives")
    if scenario.until is not None and sum(map(bool, msgspec.structs.astuple(scenario.until))) != 1:
        raise UserError(f"{where}: until: name one of {', '.join(UntilDoc.__struct_fields__)}.")
    return scenario


def _trimmed(data: Any, where: str) -> Any:
    """Plain data whose texts begin and end with something: who sees a name does not see what is around it."""
    match data:
        case str():
            return data.strip()
        case list():
            return [_trimmed(one, where) for one in data]
        case dict():
            found = {_trimmed(key, where): _trimmed(value, where) for key, value in data.items()}
            if len(found) < len(data):
                twice = next(key for key in data if _trimmed(key, where) != key)
                raise UserError(f"{where}: '{short(_trimmed(twice, where), MAX_NAME)}' stands twice in one place.")
            return found
    return data


def _check_numbers(unit: UnitDoc, where: str) -> None:
    if not 0 <= unit.models <= MAX_MODELS:
        raise UserError(f"{where}: models: a unit has 0 to {MAX_MODELS} models, not {unit.models}.")
    _check_places(unit.positions, f"{where}: positions")
    if unit.line is not None:
        _check_places((unit.line.start, unit.line.end), f"{where}: line")
    if unit.block is not None:
        _check_places((unit.block.at,), f"{where}: block")
        if unit.block.columns < 1 or not 0 <= unit.block.gap <= MAX_SIZE:
            raise UserError(f"{where}: block: at least 1 column, and a gap from 0 to {MAX_SIZE}.")
    turned = unit.facing if isinstance(unit.facing, tuple) else (unit.facing,)
    if not all(-360 <= one <= 360 for one in turned):
        raise UserError(f"{where}: facing: degrees from -360 to 360, not {', '.join(map(str, turned[:MAX_MODELS]))}.")
    for model, wounds in unit.wounds.items():
        if model < 1 or not 0 <= wounds <= MAX_WOUNDS:
            raise UserError(f"{where}: wounds: models count from 1, and have 0 to {MAX_WOUNDS} wounds.")


def _check_places(places: Iterable[Where], where: str) -> None:
    for place in places:
        if not all(-MAX_SIZE <= v <= 2 * MAX_SIZE for v in place):
            raise UserError(f"{where}: {', '.join(map(str, place))} is far off the table.")


def read_scenario_file(path: Path) -> Scenario:
    """A scenario from a file."""
    return read_scenario(read_text(path), str(path))


def open_scenario(scenario: Scenario, system: System) -> Battle[Any, Any, Any, Any]:
    """A battle at the scenario's moment, before its answers."""
    return set_up_scenario(scenario, system).start()


def set_up_scenario(
    scenario: Scenario,
    system: System,
    on_step: Callable[[Battle[Any, Any, Any, Any]], None] | None = None,
    dice: Dice | None = None,
) -> Battle[Any, Any, Any, Any]:
    """The same, before it runs to its first question; with other dice than the file's, if there are any."""
    if system.scenario is None:
        raise UserError(f"{system.name} cannot be set up from scenario files.")
    setup, state = system.scenario(system, scenario)
    setup = msgspec.structs.replace(setup, file=scenario.scenario, question=scenario.question)
    segment, step = find_step(system, scenario.at.step, "at.step", scenario.at.nth)
    state.segment, state.step, state.round = segment, step, scenario.at.round
    if scenario.at.active:
        state.active = player_number(scenario, scenario.at.active)
    if dice is None:
        dice = KeyedDice(scenario.seed) if scenario.dice is None else ScriptedDice(scenario.dice)
    return Battle(system, setup, state, dice=dice, on_step=on_step)


def find_step(system: System, name: str, where: str, nth: int = 1) -> tuple[str, int]:
    """A step of a system by its name, and by its number among those of that name: its segment, and its place there."""
    steps = system.segments.items()
    found = [(segment, i) for segment, flows in steps for i, flow in enumerate(flows) if flow.__name__ == name]
    if 1 <= nth <= len(found):
        return found[nth - 1]
    if found:
        raise UserError(f"{where}: {system.name} has {len(found)} of '{name}'; there is no number {nth}.")
    known = ", ".join(dict.fromkeys(f.__name__ for flows in system.segments.values() for f in flows))
    raise UserError(f"{where}: {system.name} has no step '{name}'; it has {known}.")


def facings(unit: UnitDoc, count: int, where: str) -> list[int]:
    """Which way each model of a unit faces, in steps of a turn."""
    if not isinstance(unit.facing, tuple):
        return [facing(unit.facing)] * count
    if len(unit.facing) != count:
        raise UserError(f"{where}: {count} models, but {len(unit.facing)} facings.")
    return [facing(one) for one in unit.facing]


def facing_doc(turned: Sequence[int]) -> float | list[float]:
    """The same for a file, from steps: one number where all face one way."""
    degrees = [round(one * 360 / TURN, 2) for one in turned]
    return degrees[0] if len(set(degrees)) == 1 else degrees


def marked(unit: UnitDoc, count: int, known: Mapping[str, int], where: str) -> list[int]:
    """The marks of each model of a unit; `known` is the bit of each name."""
    marks = [0] * count
    for name, models in unit.marks.items():
        if name not in known:
            raise UserError(f"{where}.marks: there is no '{name}'; there are {', '.join(known) or 'none'}.")
        for number in range(1, count + 1) if models == "all" else models:
            if not 1 <= number <= count:
                raise UserError(f"{where}.marks.{name}: models are numbered 1 to {count}, there is no {number}.")
            marks[number - 1] |= known[name]
    return marks


def player_number(scenario: Scenario, name: str) -> int:
    """A player of the scenario, by name."""
    if name not in scenario.players:
        raise UserError(f"No player '{name}'; players are {', '.join(scenario.players)}.")
    return scenario.players.index(name)


def set_fields(holder: Any, fields: Mapping[str, Any], where: str) -> None:
    """Give fields of a unit, a player or the game the values that a scenario says; what does not fit is refused."""
    kinds = {f.name: f.type for f in msgspec.structs.fields(type(holder)) if f.name not in FIXED}
    for name, value in fields.items():
        if name not in kinds:
            raise UserError(f"{where}: there is no '{name}'; there are {', '.join(kinds)}.")
        setattr(holder, name, convert(value, kinds[name], f"{where}.{name}"))
