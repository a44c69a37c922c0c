"""A person at the terminal: shows the open decision, reads answers in words, explains rules and refusals."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from sandtable.battle import questions
from sandtable.battle.decisions import (
    Assign,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    Move,
    Number,
    Order,
    Place,
    Split,
    Template,
)
from sandtable.battle.verdict import Verdict
from sandtable.errors import UserError, plain
from sandtable.files import write_whole
from sandtable.players import words
from sandtable.players.base import AnyView, Concede, Leave, TakeBack
from sandtable.table.grid import units

WIDTH: Final = 80
MOST_SHOWN: Final = 30

HELP: Final = """\
Press Enter to accept the default. Otherwise answer with the number or the
beginning of the name of an option, or in words:
  several options  first, second          (none: nothing)
  shares           2 on first, 1 on second
  weapons          all at NAME; or 3 x WEAPON at NAME; WEAPON at NAME
  a move           MODE, MODE by 3 4, MODE to 20 14   (by: how far; to: where)
  setting up       at 20 14
  anything else    as in a scenario file: {mode: normal, paths: {1: [[20, 14]]}}
Commands:
  ?                explain the rules behind the question or the last refusal
  units            list the units on the table
  why UNIT         what a unit may do now, and why not
  why ACT UNIT     the same for one act
  svg FILE         write a picture of the table
  undo             take your last answer back; once dice were rolled, or another
                   player answered, the others must agree
  concede          give the battle up
  quit             leave the table"""


class Person:
    """Asks on a terminal; any pair of functions that read and write a line will do."""

    def __init__(self, read: Callable[[str], str] = input, say: Callable[[str], None] = print) -> None:
        self._read = read
        self._say = say
        self._rules: tuple[str, ...] = ()

    def choose(self, view: AnyView, decision: Decision[Any]) -> Any:
        offered = words.ideas(view, decision)
        self._rules = decision.rules
        self._show(view, decision, offered)
        while True:
            try:
                line = self._read("> ").strip()
            except (EOFError, KeyboardInterrupt):
                self._say("")
                raise Leave from None
            try:
                if self._command(view, decision, line):
                    continue
                answer = self._meant(view, decision, line, offered)
            except UserError as error:
                self._wrap(str(error))
                continue
            verdict = questions.check(view, decision, answer)
            if verdict:
                return answer
            self._refused(view, decision, verdict)

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
            except (EOFError, KeyboardInterrupt):
                return False

    # ------------------------------------------------------------------------------------------------------ showing

    def _show(self, view: AnyView, decision: Decision[Any], offered: Sequence[Any]) -> None:
        self._say("")
        self._wrap(f"{view.player(decision.player).name}: {words.prompt(view, decision)}")
        for line in _lines(view, decision, offered):
            self._wrap(line, "       ")
        with suppress(LookupError):
            self._wrap(f"  Enter: {words.say(view, decision, questions.default(view, decision))}", "         ")

    def _refused(self, view: AnyView, decision: Decision[Any], verdict: Verdict) -> None:
        self._wrap(f"No: {verdict}")
        for reason in verdict.reasons:
            if reason.facts:
                self._wrap("  " + ", ".join(f"{name}: {fact}" for name, fact in reason.facts.items()))
        if verdict.instead is not None:
            self._wrap(f"  Possible: {words.say(view, decision, verdict.instead)}")
        cited = tuple(dict.fromkeys(rule for reason in verdict.reasons for rule in reason.rules))
        self._rules = cited or decision.rules

    def _wrap(self, text: str, indent: str = "  ") -> None:
        for line in textwrap.wrap(plain(text), WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]:
            self._say(line)

    # ----------------------------------------------------------------------------------------------------- commands

    def _command(self, view: AnyView, decision: Decision[Any], line: str) -> bool:
        """Carry out a command; False if the line is an answer."""
        word, _, rest = line.partition(" ")
        match word.casefold():
            case "?":
                self._explain()
            case "help":
                self._say(HELP)
            case "why":
                self._why(view, rest.strip())
            case "units" if not rest:
                for unit in view.units():
                    self._wrap(describe_unit(view, unit))
            case "svg":
                self._picture(view, decision, rest.strip())
            case "undo" if not rest:
                raise TakeBack
            case "concede" if not rest:
                raise Concede
            case "quit" | "exit" if not rest:
                raise Leave
            case _:
                return False
        return True

    def _explain(self) -> None:
        from sandtable.rules.ledger import find

        if not self._rules:
            self._say("No rule is cited here.")
        for rule_id in self._rules:
            try:
                row = find(rule_id)
            except UserError:
                self._wrap(f"{rule_id}: not in the ledger.")
                continue
            self._wrap(f"{row.id}  {row.name} ({row.where})")
            self._wrap(f"  {' '.join(row.text.split())}")
            if row.note:
                self._wrap(f"  Note: {' '.join(row.note.split())}")

    def _why(self, view: AnyView, rest: str) -> None:
        acts = sorted(view.system.why)
        act, _, name = rest.partition(" ")
        if act in acts and name:
            asked, wanted = [act], name.strip()
        else:
            asked, wanted = acts, rest
        if not asked:
            raise UserError(f"{view.system.name} cannot say what units may do.")
        if not wanted:
            raise UserError(f"Say 'why UNIT' or 'why ACT UNIT'; acts are {', '.join(acts)}.")
        unit = unit_like(view, wanted)
        for act in asked:
            self._wrap(f"{unit.name}, {act}: {view.why_not(act, unit.id)}")

    def _picture(self, view: AnyView, decision: Decision[Any], name: str) -> None:
        if not name:
            raise UserError("Say which file to write, for example: svg table.svg")
        highlight = [decision.unit] if decision.unit >= 0 else []
        write_whole(Path(name).expanduser(), view.svg(title=decision.prompt, highlight=highlight))
        self._say(f"Wrote {name}.")

    def _meant(self, view: AnyView, decision: Decision[Any], line: str, offered: list[Any]) -> Any:
        if not line:
            try:
                return questions.default(view, decision)
            except LookupError:
                raise UserError("There is no default here; 'help' shows how answers are written.") from None
        answer = words.parse(view, decision, line, offered)
        if isinstance(decision, Choose):
            return words.unit_or(view, answer)
        return answer


def _lines(view: AnyView, decision: Decision[Any], offered: Sequence[Any]) -> list[str]:
    """What there is to choose from, numbered."""
    match decision:
        case Choose() | ChooseSome() | Order() | Split():
            lines = [_numbered(i, o.label, o.note) for i, o in enumerate(decision.options, 1)]
            if isinstance(decision, ChooseSome):
                most = min(decision.most, len(decision.options))
                lines.append(f"  Choose {decision.least} to {most} of them.")
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
                ways = (f"{m.label} up to {units(m.allowance):g} {view.system.unit}" for m in decision.modes)
                lines.append(f"  Ways of moving: {'; '.join(ways)}.")
            lines += [_numbered(i, words.say(view, decision, idea), "") for i, idea in enumerate(offered, 1)]
            if isinstance(decision, Place | Template):
                lines.append("  Or: at X Y.")
    if len(lines) > MOST_SHOWN:
        return [*lines[:MOST_SHOWN], f"  ... and {len(lines) - MOST_SHOWN} more."]
    return lines


def _numbered(number: int, label: str, note: str) -> str:
    return f"  {number:>3}  {label}" + (f"  ({note})" if note else "")


def describe_unit(view: Any, unit: Any) -> str:
    """A unit in one line."""
    alive = len(view.on_table(unit))
    count = f"{alive} of {len(unit.models)} models on the table"
    more = view.system.describe(view, unit) if view.system.describe else ""
    return f"{unit.name} ({view.player(unit.player).name}): {count}" + (f". {more}" if more else "")


def unit_like(view: Any, name: str) -> Any:
    """The unit of that name, or the only one whose name begins so."""
    wanted = name.casefold()
    exact = [u for u in view.state.units if u.name.casefold() == wanted]
    found = exact or [u for u in view.state.units if u.name.casefold().startswith(wanted)]
    if len(found) != 1:
        which = ", ".join(u.name for u in found or view.state.units)
        raise UserError(f"'{name}' could be {which}." if found else f"There is no unit '{name}'; units are {which}.")
    return found[0]
