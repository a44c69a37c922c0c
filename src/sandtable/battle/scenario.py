"""Scenario files: any moment of any system, what is rolled and answered, and what must be true afterwards.

They are the rules tests' own format, a bug report that anybody can write, and a puzzle to play. The format is explained
in docs/scenarios.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from sandtable.battle import answers as wording
from sandtable.battle import rolls
from sandtable.battle.dice import KeyedDice, ScriptedDice
from sandtable.battle.events import Rolled, Told
from sandtable.battle.machine import Battle
from sandtable.battle.questions import check, default
from sandtable.battle.rolls import ExpectedRoll
from sandtable.battle.sound import MAX_MODELS, MAX_NAME, MAX_PLAYERS, MAX_ROUND, MAX_WOUNDS
from sandtable.battle.state import TABLE
from sandtable.battle.system import System
from sandtable.battle.tables import MAX_SIZE, Number, TableDoc
from sandtable.documents import convert, parse_document
from sandtable.errors import UserError
from sandtable.files import read_text
from sandtable.table.grid import STEP

MAX_UNITS: Final = 200
FIXED: Final = ("id", "player", "name", "side", "models", "leader")
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
    sheet: str | dict[str, Any]
    models: int = 0
    """How many; only needed with `line` and `block`."""
    positions: tuple[Where, ...] = ()
    line: Line | None = None
    block: Block | None = None
    off: bool = False
    """Not on the table."""
    facing: Number = 0
    """Degrees, anticlockwise from the x axis."""
    wounds: dict[int, int] = {}
    """Wounds left, by number of the model in the unit, counted from 1."""
    flags: dict[str, Any] = {}
    """Fields of the system's unit, such as `advanced: true`."""
    loadout: list[Any] = []
    """Given to the system as it is."""


class AtDoc(msgspec.Struct, forbid_unknown_fields=True):
    """The moment: a step, the round, and whose turn it is."""

    step: str
    round: int = 1
    active: str = ""


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
    expect: Expect = msgspec.field(default_factory=Expect)
    proves: tuple[Proof, ...] = ()
    objectives: tuple[Where, ...] = ()
    extra: dict[str, Any] = {}
    """Given to the system as it is."""


def read_scenario(text: str, where: str) -> Scenario:
    """A scenario from YAML; refuses with the place of what is wrong."""
    scenario = parse_document(text, Scenario, where)
    if len(scenario.units) > MAX_UNITS:
        raise UserError(f"{where}: at most {MAX_UNITS} units, not {len(scenario.units)}.")
    if not 1 <= len(scenario.players) <= MAX_PLAYERS:
        raise UserError(f"{where}: players: there are 1 to {MAX_PLAYERS}, not {len(scenario.players)}.")
    if scenario.at.active and scenario.at.active not in scenario.players:
        known = ", ".join(scenario.players)
        raise UserError(f"{where}: at.active: no player '{scenario.at.active}'; players are {known}.")
    names = [u.name for u in scenario.units]
    for name in (*names, *scenario.players):
        if not 1 <= len(name) <= MAX_NAME:
            raise UserError(f"{where}: the name of a unit or player has 1 to {MAX_NAME} letters, not {len(name)}.")
    for i, unit in enumerate(scenario.units):
        if names.count(unit.name) > 1:
            raise UserError(f"{where}: units[{i}]: the name '{unit.name}' stands twice.")
        if unit.player not in scenario.players:
            known = ", ".join(scenario.players)
            raise UserError(f"{where}: units[{i}] ({unit.name}): no player '{unit.player}'; players are {known}.")
        _check_numbers(unit, f"{where}: units[{i}] ({unit.name})")
    count = sum(max(u.models, len(u.positions)) for u in scenario.units)
    if count > MAX_MODELS:
        raise UserError(f"{where}: at most {MAX_MODELS} models, not {count}.")
    if len(set(scenario.players)) != len(scenario.players):
        raise UserError(f"{where}: players: a name stands twice.")
    if not 0 <= scenario.at.round <= MAX_ROUND:
        raise UserError(f"{where}: at.round: a round is 0 to {MAX_ROUND}, not {scenario.at.round}.")
    if not 0 <= scenario.seed < 1 << 63:
        raise UserError(f"{where}: seed: a seed is 0 to {(1 << 63) - 1}, not {scenario.seed}.")
    _check_places(scenario.objectives, f"{where}: objectives")
    return scenario


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
    if not -360 <= unit.facing <= 360:
        raise UserError(f"{where}: facing: degrees from -360 to 360, not {unit.facing}.")
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
    if system.scenario is None:
        raise UserError(f"{system.name} cannot be set up from scenario files.")
    setup, state = system.scenario(scenario)
    segment, step = _find_step(system, scenario.at.step)
    state.segment, state.step, state.round = segment, step, scenario.at.round
    if scenario.at.active:
        state.active = player_number(scenario, scenario.at.active)
    dice = KeyedDice(scenario.seed) if scenario.dice is None else ScriptedDice(scenario.dice)
    battle: Battle[Any, Any, Any, Any] = Battle(system, setup, state, dice=dice)
    return battle.start()


def _find_step(system: System, name: str) -> tuple[str, int]:
    for segment, flows in system.segments.items():
        for i, flow in enumerate(flows):
            if flow.__name__ == name:
                return segment, i
    known = ", ".join(dict.fromkeys(f.__name__ for flows in system.segments.values() for f in flows))
    raise UserError(f"at.step: {system.name} has no step '{name}'; it has {known}.")


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


class Outcome(msgspec.Struct):
    """How a scenario went: what was asked and answered, and every expectation that did not come true."""

    battle: Any
    account: list[str]
    failures: list[str]


def run_scenario(scenario: Scenario, system: System) -> Outcome:
    """Play the answers of a scenario and hold the end against what it expects."""
    battle = open_scenario(scenario, system)
    outcome = Outcome(battle, [], [])
    told = 0
    for i, given in enumerate(scenario.answers):
        where = f"answers[{i}] ({given.player}: {given.to})"
        if not _give(battle, scenario, given, where, outcome):
            break
        told = _tell(battle, outcome, told)
    _tell(battle, outcome, told)
    if not outcome.failures:
        outcome.failures += _judge(battle, scenario)
    return outcome


def _tell(battle: Battle[Any, Any, Any, Any], outcome: Outcome, since: int) -> int:
    for event in battle.events[since:]:
        if isinstance(event, Rolled):
            outcome.account.append(f"  rolls {rolls.sentence(event)}")
        elif isinstance(event, Told):
            cites = f" [{', '.join(event.rules)}]" if event.rules else ""
            outcome.account.append(f"  {event.text}{cites}")
    return len(battle.events)


def _give(
    battle: Battle[Any, Any, Any, Any], scenario: Scenario, given: AnswerDoc, where: str, outcome: Outcome
) -> bool:
    player = player_number(scenario, given.player)
    asked = next((d for d in battle.decisions if d.player == player and d.kind == given.to), None)
    if asked is None:
        open_now = ", ".join(f"{scenario.players[d.player]}: {d.kind}" for d in battle.decisions) or "nothing"
        outcome.failures.append(f"{where}: that is not asked now; open is {open_now}.")
        return False
    offered = wording.labels(asked)
    missing = [o for o in given.offers or () if o not in offered]
    extra = [o for o in given.offers_not or () if o in offered]
    if missing or extra:
        outcome.failures.append(f"{where}: offered are {sorted(offered)}; missing {missing}, unwanted {extra}.")
    try:
        answer = default(battle, asked) if given.default else wording.read(battle, asked, given.answer)
    except UserError as error:
        outcome.failures.append(f"{where}: {error}")
        return False
    verdict = check(battle, asked, answer)
    if given.refused is not None:
        outcome.account.append(f"{given.player} tries '{asked.prompt}': {verdict}")
        cited = {r for reason in verdict.reasons for r in reason.rules}
        if verdict:
            outcome.failures.append(f"{where}: should be refused by {', '.join(given.refused)}, but is allowed.")
        elif not set(given.refused) <= cited:
            outcome.failures.append(
                f"{where}: refused by {', '.join(sorted(cited))}, not by {', '.join(given.refused)}."
            )
        return True
    if not verdict:
        outcome.failures.append(f"{where}: refused: {verdict}")
        return False
    outcome.account.append(f"{given.player} answers '{asked.prompt}': {wording.describe(battle, asked, answer)}")
    try:
        battle.answer(asked, answer)
    except UserError as error:  # the dice that were written down do not fit
        outcome.failures.append(f"{where}: {error}")
        return False
    return True


def _judge(battle: Battle[Any, Any, Any, Any], scenario: Scenario) -> list[str]:
    expect = scenario.expect
    failures: list[str] = []
    told = [e.kind for e in battle.events if isinstance(e, Told)]
    place = 0
    for kind in expect.told:
        if kind not in told[place:]:
            failures.append(f"expect.told: '{kind}' was not told (in this order); told were {told}.")
            break
        place = told.index(kind, place) + 1
    failures += [f"expect.told_not: '{kind}' was told." for kind in expect.told_not if kind in told]
    cited = {r for e in battle.events if isinstance(e, Told | Rolled) for r in e.rules}
    failures += [f"expect.cited: no event cites {rule}." for rule in expect.cited if rule not in cited]
    if expect.rolls is not None:
        failures += _judge_rolls([e for e in battle.events if isinstance(e, Rolled)], expect.rolls)
    for name, wanted in expect.units.items():
        failures += _judge_unit(battle, name, wanted)
    for name, fields in expect.players.items():
        failures += _judge_fields(battle.player(player_number(scenario, name)), fields, f"players.{name}")
    failures += _judge_fields(battle.state.game, expect.game, "game")
    if expect.asked is not None and expect.asked not in {d.kind for d in battle.decisions}:
        failures.append(f"expect.asked: open is {[d.kind for d in battle.decisions]}, not '{expect.asked}'.")
    for why in expect.why:
        failures += _judge_why(battle, why)
    if expect.ended is not None and expect.ended != (battle.result is not None):
        failures.append(f"expect.ended: the battle has {'ended' if battle.result else 'not ended'}.")
    if isinstance(battle.dice, ScriptedDice) and sum(battle.dice.left().values()) != expect.dice_left:
        failures.append(f"expect.dice_left: dice left in the script: {battle.dice.left()}.")
    return failures


def _judge_rolls(made: Sequence[Rolled], wanted: Sequence[str | ExpectedRoll]) -> list[str]:
    kinds = [w if isinstance(w, str) else w.roll for w in wanted]
    found = [e.reason for e in made]
    if found != kinds:
        return [f"expect.rolls: rolled were {found}, not {kinds}."]
    pairs = [(e, w) for e, w in zip(made, wanted, strict=True) if not isinstance(w, str)]
    return [f"expect.rolls: {trouble}." for e, w in pairs if (trouble := rolls.differs(e, w))]


def _judge_unit(battle: Battle[Any, Any, Any, Any], name: str, wanted: UnitExpect) -> list[str]:
    unit = wording.unit_named(battle, name)
    failures = _judge_fields(unit, wanted.flags, f"units.{name}")
    models = battle.state.models
    alive = [m for m in unit.models if models.place[m] == TABLE]
    if wanted.models is not None and len(alive) != wanted.models:
        failures.append(f"expect.units.{name}: {len(alive)} models are on the table, not {wanted.models}.")
    wounds = tuple(int(models.wounds[m]) for m in alive)
    if wanted.wounds is not None and wounds != wanted.wounds:
        failures.append(f"expect.units.{name}: wounds left are {list(wounds)}, not {list(wanted.wounds)}.")
    if wanted.positions is not None:
        found = [tuple(round(float(v) / STEP, 2) for v in models.pos[m]) for m in alive]
        asked = [tuple(float(v) for v in (*p, 0.0)[:3]) for p in wanted.positions]
        near = len(found) == len(asked) and all(
            abs(a - b) <= 0.02 for p, q in zip(found, asked, strict=True) for a, b in zip(p, q, strict=True)
        )
        if not near:
            failures.append(f"expect.units.{name}: models stand at {found}, not {asked}.")
    return failures


def _judge_fields(holder: Any, fields: dict[str, Any], where: str) -> list[str]:
    failures = []
    for field, wanted in fields.items():
        if not hasattr(holder, field):
            failures.append(f"expect.{where}: there is no '{field}'.")
            continue
        found = msgspec.to_builtins(getattr(holder, field))
        if found != wanted and (not isinstance(found, tuple) or list(found) != wanted):
            failures.append(f"expect.{where}.{field}: is {found!r}, not {wanted!r}.")
    return failures


def _judge_why(battle: Battle[Any, Any, Any, Any], why: WhyDoc) -> list[str]:
    verdict = battle.why_not(why.act, wording.unit_named(battle, why.unit).id)
    cited = {r for reason in verdict.reasons for r in reason.rules}
    if verdict.ok != why.allowed:
        return [f"expect.why ({why.act}, {why.unit}): {verdict}"]
    missing = set(why.rules) - cited
    return [f"expect.why ({why.act}, {why.unit}): cites {sorted(cited)}, not {sorted(missing)}."] if missing else []
