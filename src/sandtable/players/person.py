"""A person at the terminal: shows the open decision, reads answers in words, explains rules and refusals."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from sandtable.battle import questions
from sandtable.battle.decisions import (
    Assign,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Mode,
    Move,
    Number,
    Order,
    Place,
    Split,
    Template,
)
from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError, plain
from sandtable.players import commands, places, words
from sandtable.players.base import AnyView, Leave
from sandtable.table.grid import units

WIDTH: Final = 80
MOST_SHOWN: Final = 30


class Person:
    """Asks on a terminal; any pair of functions that read and write a line will do."""

    trusted: Final = True

    def __init__(self, read: Callable[[str], str] = input, say: Callable[[str], None] = print) -> None:
        self._read = read
        self._say = say
        self._rules: tuple[str, ...] = ()
        self._possible: Any = None
        """What the last refusal named as possible instead."""
        self._meant_to = ""
        """Where a unit was to go that had to roll first, so that the player need not say it twice."""
        self._enter: tuple[Any] | None = None
        """The answer that Enter gives, if it gives one."""

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        offered = words.ideas(view, decision)
        self._rules, self._possible = decision.rules, None
        self._enter = self._as_meant(view, decision)
        if self._enter is None:
            with suppress(LookupError):
                self._enter = (questions.default(view, decision),)
        self._show(view, decision, offered)
        while True:
            try:
                line = self._read("> ").strip()
            except (EOFError, KeyboardInterrupt):
                self._say("")
                raise Leave from None
            try:
                told = commands.obey(view, decision, line, self._rules)
                if told is not None:
                    for said in told:
                        self._wrap(said, "    ")
                    continue
                answer = self._meant(view, decision, line, offered)
            except UserError as error:
                self._wrap(str(error))
                continue
            verdict = questions.check(view, decision, answer)
            if verdict:
                self._remember(decision, line, answer)
                if isinstance(decision, Move | Place) and places.goal_of(view, decision, line) is not None:
                    self._wrap(f"  As near as the rules let it: {words.say(view, decision, answer)}.")
                return answer
            self._refused(view, decision, answer, verdict)

    def _as_meant(self, view: AnyView, decision: Decision[Any]) -> tuple[Any] | None:
        """The answer that goes where the player already said, in a tuple of one; None without one."""
        line, self._meant_to = self._meant_to, ""
        if not line or not isinstance(decision, Move):
            return None
        goal = places.goal_of(view, decision, line)
        if goal is None:
            return None
        found = questions.towards(view, decision, replace(goal, mode=decision.modes[0].name))
        return None if found is None else (found,)

    def _remember(self, decision: Decision[Any], line: str, answer: Any) -> None:
        """A move whose distance is rolled first is answered without paths: keep where it was to go."""
        rolls = isinstance(decision, Move) and not answer.paths and line
        self._meant_to = line if rolls else ""

    def hear(self, message: str) -> None:
        self._wrap(message)

    def agrees(self, view: AnyView, request: str) -> bool:
        """Ask whether another player may take something back."""
        self._wrap(f"{view.player(view.player_id).name}: {request}")
        while True:
            try:
                return words.yes_or_no(self._read("yes or no> ").strip())
            except UserError as error:
                self._wrap(str(error))
            except EOFError:
                return False
            except KeyboardInterrupt:
                self._say("")
                raise Leave from None

    # ------------------------------------------------------------------------------------------------------ showing

    def _show(self, view: AnyView, decision: Decision[Any], offered: Sequence[Any]) -> None:
        self._say("")
        self._wrap(f"{view.player(decision.player).name}: {words.prompt(view, decision)}")
        for line in _lines(view, decision, offered):
            self._wrap(line, "       ")
        if self._enter is not None:
            self._wrap(f"  Enter: {words.say(view, decision, self._enter[0])}", "         ")

    def _refused(self, view: AnyView, decision: Decision[Any], answer: Any, verdict: Verdict) -> None:
        self._wrap(f"No: {verdict}")
        for reason in verdict.reasons:
            if reason.facts:
                self._wrap("  " + ", ".join(f"{name}: {fact}" for name, fact in reason.facts.items()))
        self._possible = verdict.instead if verdict.instead is not None else questions.nearest(view, decision, answer)
        if self._possible is not None:
            self._wrap(f"  Possible: {words.say(view, decision, self._possible)}; say 'ok' to take it.")
        cited = tuple(dict.fromkeys(rule for reason in verdict.reasons for rule in reason.rules))
        self._rules = cited or decision.rules

    def _wrap(self, text: str, indent: str = "  ") -> None:
        for line in textwrap.wrap(plain(text), WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]:
            self._say(line)

    def _meant(self, view: AnyView, decision: Decision[Any], line: str, offered: list[Any]) -> Any:
        if not line:
            if self._enter is None:
                raise UserError("There is no default here; 'help' shows how answers are written.")
            return self._enter[0]
        if line.casefold() == "ok" and self._possible is not None:
            return self._possible
        return words.with_units(view, decision, words.parse(view, decision, line, offered))


def _lines(view: AnyView, decision: Decision[Any], offered: Sequence[Any]) -> list[str]:
    """What there is to choose from, numbered."""
    match decision:
        case Choose() | ChooseSome() | Order() | Split():
            lines = [_numbered(i, o.label, o.note) for i, o in enumerate(decision.options, 1)]
            if isinstance(decision, ChooseSome):
                most = min(decision.most, len(decision.options))
                how_many = f"{most}" if decision.least == most else f"{decision.least} to {most}"
                lines.append(f"  Choose {how_many} of them.")
            if isinstance(decision, Split):
                lines.append(f"  Share out {decision.total}.")
            if isinstance(decision, Choose) and decision.optional:
                lines.append("    -  pass")
        case Assign():
            names = {t.value: t.label for t in decision.targets}
            lines = [
                _numbered(i, f"{r.count} x {r.label}", "at " + ", ".join(names.get(t, str(t)) for t in r.targets))
                for i, r in enumerate(decision.rows, 1)
            ]
        case Number():
            lines = [f"  A number from {decision.least} to {decision.most}."]
        case Confirm():
            lines = ["  Yes or no."]
        case _:
            lines = []
            if isinstance(decision, Move):
                ways = (_way(m, view.system.unit) for m in decision.modes)
                lines.append(f"  Ways of moving: {'; '.join(ways)}.")
            lines += [_numbered(i, words.say(view, decision, idea), "") for i, idea in enumerate(offered, 1)]
            if isinstance(decision, Place) and decision.area:
                corners = "; ".join(places.say(corner) for corner in decision.area)
                lines.append(f"  Within the area with the corners {corners}.")
            if isinstance(decision, Move | Place | Template):
                lines.append(f"  Or in words, such as: {_example(decision)}. 'help' shows more.")
    if len(lines) > MOST_SHOWN:
        return [*lines[:MOST_SHOWN], f"  ... and {len(lines) - MOST_SHOWN} more."]
    return lines


def _example(decision: Move | Place | Template) -> str:
    """A place that somebody might name here."""
    if isinstance(decision, Place) and decision.area:
        x, y = (sum(corner[axis] for corner in decision.area) / len(decision.area) for axis in (0, 1))
        return f"at {units(round(x)):.0f} {units(round(y)):.0f}"
    return "to marker 2"


def _way(mode: Mode, unit: str) -> str:
    """A way of moving, and how far it leads, if anywhere."""
    more = f" + {mode.more}" if mode.more else ""
    return f"{mode.label} up to {units(mode.allowance):g}{more} {unit}" if mode.allowance else mode.label


def _numbered(number: int, label: str, note: str) -> str:
    return f"  {number:>3}  {label}" + (f"  ({note})" if note else "")
