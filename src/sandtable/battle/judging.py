"""Scenario files played: their answers are given, and the end is held against what they expect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from sandtable.battle import answers as wording
from sandtable.battle import rolls
from sandtable.battle.decisions import Decision
from sandtable.battle.dice import ScriptedDice
from sandtable.battle.events import AnyEvent, Rolled, Told
from sandtable.battle.machine import Battle
from sandtable.battle.questions import REACTION, check, default
from sandtable.battle.rolls import ExpectedRoll
from sandtable.battle.scenario import (
    AnswerDoc,
    Scenario,
    UnitExpect,
    UntilDoc,
    WhyDoc,
    find_step,
    open_scenario,
    player_number,
    set_up_scenario,
)
from sandtable.battle.state import TABLE
from sandtable.battle.system import WINDOWS, System
from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError
from sandtable.table.grid import STEP

MOST_PASSES: Final = 100


class Outcome(msgspec.Struct):
    """How a scenario went: what was asked and answered, and every expectation that did not come true."""

    battle: Any
    account: list[str]
    failures: list[str]


class Stopped(BaseException):
    """The moment of `until` has come. No rule may catch it, nor the machine that puts failed answers back."""


class Stop:
    """Ends the course of a battle at the moment that `until` names, once it is on the watch."""

    def __init__(self, until: UntilDoc | None) -> None:
        self._until = UntilDoc() if until is None else until
        self.watching = False

    def watch(self, battle: Battle[Any, Any, Any, Any]) -> None:
        """Hear of the events of a battle that has not begun, if it may end with one."""
        if self._until.told or self._until.rolled:
            battle.events = Watched(self)

    def on_step(self, battle: Battle[Any, Any, Any, Any]) -> None:
        entered = battle.system.segments[battle.state.segment][battle.state.step]
        if self.watching and entered.__name__ == self._until.step:
            raise Stopped

    def on_event(self, event: AnyEvent) -> None:
        match event:
            case Told(kind) if self.watching and kind == self._until.told:
                raise Stopped
            case Rolled(_, reason) if self.watching and reason == self._until.rolled:
                raise Stopped


class Watched(list[AnyEvent]):
    """Events, each of which is looked at when it has been told."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop

    def append(self, event: AnyEvent) -> None:
        super().append(event)
        self._stop.on_event(event)


def run_scenario(scenario: Scenario, system: System) -> Outcome:
    """Play the answers of a scenario and hold the end against what it expects."""
    stop = Stop(scenario.until)
    battle = set_up_scenario(scenario, system, stop.on_step)
    stop.watch(battle)
    if scenario.until is not None and scenario.until.step:
        find_step(system, scenario.until.step, "until.step")
    outcome = Outcome(battle, [], [])
    stopped = _play(battle, scenario, stop, outcome)
    if scenario.until is not None and not stopped and not outcome.failures:
        wanted = moment_of(scenario.until)
        outcome.failures.append(f"until: it did not come to '{wanted}' after the last answer; {_open_now(battle)}.")
    if not outcome.failures:
        outcome.failures += _judge(battle, scenario, system)
    return outcome


def moment_of(until: UntilDoc) -> str:
    """The moment at which to stop, as the file names it."""
    (wanted,) = [f"{name}: {word}" for name, word in msgspec.structs.asdict(until).items() if word]
    return wanted


def _play(battle: Battle[Any, Any, Any, Any], scenario: Scenario, stop: Stop, outcome: Outcome) -> bool:
    """Give the answers; says whether the moment of `until` came."""
    told = 0
    given = [i for i, answer in enumerate(scenario.answers) if answer.refused is None]
    try:
        stop.watching = not given
        battle.start()
        for i, answer in enumerate(scenario.answers):
            stop.watching = bool(given) and i == given[-1]
            where = f"answers[{i}] ({answer.player}: {answer.to})"
            if not _give(battle, scenario, i, where, outcome):
                break
            told = _tell(battle, outcome, told)
    except Stopped:
        return True
    finally:
        _tell(battle, outcome, told)
    return False


def _open_now(battle: Battle[Any, Any, Any, Any]) -> str:
    return f"open is {', '.join(open_questions(battle)) or 'nothing'}"


def open_questions(battle: Battle[Any, Any, Any, Any]) -> list[str]:
    """Who is asked what now."""
    return [f"{battle.player(d.player).name}: {d.kind}" for d in battle.decisions]


def question_to(battle: Battle[Any, Any, Any, Any], player: int, kind: str) -> Decision[Any] | None:
    """The open question of this kind to this player."""
    return next((d for d in battle.decisions if d.player == player and d.kind == kind), None)


def answer_of(battle: Battle[Any, Any, Any, Any], asked: Decision[Any], given: AnswerDoc) -> Any:
    """What an answer of the file says to a question; refuses what cannot be read as an answer to it."""
    return default(battle, asked) if given.default else wording.read(battle, asked, given.answer)


def cited_by(verdict: Verdict) -> tuple[str, ...]:
    """The rules behind a verdict, each once."""
    return tuple(dict.fromkeys(r for reason in verdict.reasons for r in reason.rules))


def _left_out(scenario: Scenario, system: System, count: int, player: int, kind: str) -> str:
    """What to say of a reaction that nobody is asked for because it would change nothing; empty where that is not so.

    The same is played with all windows open, and whoever is asked for a reaction that the file does not name passes.
    """
    if not kind.startswith(REACTION) or scenario.options.get(WINDOWS.name) == WINDOWS.values[1]:
        return ""
    options = {**scenario.options, WINDOWS.name: WINDOWS.values[1]}
    try:
        battle = open_scenario(msgspec.structs.replace(scenario, options=options), system)
        outcome = Outcome(battle, [], [])
        for i, answer in enumerate(scenario.answers[:count]):
            _pass_until(battle, player_number(scenario, answer.player), answer.to)
            _give(battle, scenario, i, "", outcome)
        _pass_until(battle, player, kind)
    except Exception:  # it was only to find out what to say
        return ""
    if question_to(battle, player, kind) is None:
        return ""
    every = "It would be with 'options: {windows: all}'"
    return f" {every}; without that, reactions that change next to nothing are not offered."


def _pass_until(battle: Battle[Any, Any, Any, Any], player: int, kind: str) -> None:
    for _ in range(MOST_PASSES):
        if not battle.decisions or question_to(battle, player, kind) is not None:
            return
        asked = battle.decisions[0]
        if not asked.kind.startswith(REACTION):
            return
        battle.answer(asked, None)


def _tell(battle: Battle[Any, Any, Any, Any], outcome: Outcome, since: int) -> int:
    for event in battle.events[since:]:
        if isinstance(event, Rolled):
            outcome.account.append(f"  rolls {rolls.sentence(event)}")
        elif isinstance(event, Told):
            cites = f" [{', '.join(event.rules)}]" if event.rules else ""
            outcome.account.append(f"  {event.text}{cites}")
    return len(battle.events)


def _give(battle: Battle[Any, Any, Any, Any], scenario: Scenario, number: int, where: str, outcome: Outcome) -> bool:
    given = scenario.answers[number]
    player = player_number(scenario, given.player)
    asked = question_to(battle, player, given.to)
    if asked is None:
        hint = _left_out(scenario, battle.system, number, player, given.to)
        outcome.failures.append(f"{where}: that is not asked now; {_open_now(battle)}.{hint}")
        return False
    offered = wording.labels(asked)
    missing = [o for o in given.offers or () if o not in offered]
    extra = [o for o in given.offers_not or () if o in offered]
    if missing or extra:
        hint = _hint(battle, given, missing)
        outcome.failures.append(f"{where}: offered are {sorted(offered)}; missing {missing}, unwanted {extra}.{hint}")
    try:
        answer = answer_of(battle, asked, given)
    except UserError as error:
        outcome.failures.append(f"{where}: {error}")
        return False
    verdict = check(battle, asked, answer)
    if given.refused is not None:
        outcome.account.append(f"{given.player} tries '{asked.prompt}': {verdict}")
        cited = set(cited_by(verdict))
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


def _hint(battle: Battle[Any, Any, Any, Any], given: AnswerDoc, missing: list[str]) -> str:
    if missing and given.to.startswith(REACTION) and battle.setup.options.get(WINDOWS.name) != WINDOWS.values[1]:
        return " With 'options: {windows: all}' reactions that change next to nothing are offered, too."
    return ""


def _judge(battle: Battle[Any, Any, Any, Any], scenario: Scenario, system: System) -> list[str]:
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
        players, count = range(len(scenario.players)), len(scenario.answers)
        hints = [_left_out(scenario, system, count, player, expect.asked) for player in players]
        hint = next(filter(None, hints), "")
        failures.append(f"expect.asked: open is {[d.kind for d in battle.decisions]}, not '{expect.asked}'.{hint}")
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
            known = ", ".join(holder.__struct_fields__)
            failures.append(f"expect.{where}: there is no '{field}'; there are {known}.")
            continue
        found = msgspec.to_builtins(getattr(holder, field))
        if found != wanted and (not isinstance(found, tuple) or list(found) != wanted):
            failures.append(f"expect.{where}.{field}: is {found!r}, not {wanted!r}.")
    return failures


def _judge_why(battle: Battle[Any, Any, Any, Any], why: WhyDoc) -> list[str]:
    verdict = battle.why_not(why.act, wording.unit_named(battle, why.unit).id)
    cited = set(cited_by(verdict))
    if verdict.ok != why.allowed:
        return [f"expect.why ({why.act}, {why.unit}): {verdict}"]
    missing = set(why.rules) - cited
    return [f"expect.why ({why.act}, {why.unit}): cites {sorted(cited)}, not {sorted(missing)}."] if missing else []
