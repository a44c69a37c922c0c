"""What a person types, as an answer; and what the answers look like in words.

Beyond the words of scenario files (as YAML), a line may hold the number of an option, short forms such as
"advance by 3 4" or "all at Boyz", and the beginnings of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec

from sandtable.battle import answers as wording
from sandtable.battle import questions
from sandtable.battle.decisions import (
    Assign,
    Assignment,
    Choose,
    ChooseSome,
    Confirm,
    Decision,
    FlightPath,
    Laid,
    Mode,
    Move,
    Moves,
    Number,
    Option,
    Order,
    Place,
    Plot,
    Row,
    Split,
    Template,
    Value,
)
from sandtable.documents import parse_yaml
from sandtable.errors import UserError
from sandtable.players import places
from sandtable.players.base import AnyView
from sandtable.table.grid import facing, steps, units

MAX_LINE: Final = 10_000
MAX_DIGITS: Final = 9
IDEAS: Final = 3
NOTHING: Final = ("pass", "none", "nothing", "-")
_NUMBER = r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)"
_PLACE: Final = re.compile(rf"^(.*?)\b(by|to|at)\s+{_NUMBER}[\s,]+{_NUMBER}(?:\s+facing\s+{_NUMBER})?$")


def prompt(world: Any, decision: Decision[Any]) -> str:
    """A question with the unit that it is about, unless it names that itself."""
    name = world.unit(decision.unit).name if decision.unit >= 0 else ""
    return decision.prompt if name in decision.prompt else f"{decision.prompt} ({name})"


def ideas(view: AnyView, decision: Decision[Any]) -> list[Any]:
    """A few different answers to a question that lists no options; the default comes first."""
    if not isinstance(decision, Move | Place | Template | FlightPath | Plot):
        return []
    found: list[Any] = []
    with suppress(LookupError):
        found.append(questions.default(view, decision))
    for idea in islice(_suggested(view, decision), 2 * IDEAS):
        if idea not in found:
            found.append(idea)
    return found[: IDEAS + 1]


def _suggested(view: AnyView, decision: Decision[Any]) -> Iterator[Any]:
    # The last suggestion is the default, which a kind of question may lack.
    with suppress(LookupError):
        yield from questions.suggest(view, decision, Random(1))


def parse(view: AnyView, decision: Decision[Any], line: str, offered: list[Any]) -> Any:
    """The answer that a line means; refuses what cannot be read."""
    line = line.strip()
    if len(line) > MAX_LINE:
        raise UserError(f"An answer has at most {MAX_LINE} characters.")
    if line.startswith("{") or (line.startswith("[") and not places.is_point(line)):
        return wording.read(view, decision, parse_yaml(line, "Your answer"))
    match decision:
        case Choose():
            if line.casefold() in NOTHING and not _named(decision.options, line):
                return None
            return _option(decision.options, line)
        case ChooseSome() | Order():
            return () if line.casefold() in NOTHING else tuple(_option(decision.options, p) for p in _parts(line))
        case Split():
            return tuple(_share(decision, part) for part in _parts(line))
        case Assign():
            return () if line.casefold() in NOTHING else _assign(decision, line)
        case Confirm():
            return yes_or_no(line)
        case Number():
            return _whole(line)
    if 1 <= (number := _ordinal(line)) <= len(offered):
        return offered[number - 1]
    if line.casefold() in NOTHING and isinstance(decision, Place | FlightPath):
        return None
    return _placed(view, decision, line)


def _parts(line: str) -> list[str]:
    return [part.strip() for part in line.split(",") if part.strip()]


def _ordinal(word: str) -> int:
    """The number of an option; 0 for what is none."""
    return int(word) if len(word) <= MAX_DIGITS and word.isascii() and word.isdigit() else 0


def _named(options: tuple[Option, ...], word: str) -> Option | None:
    """The option of that name, or the only one whose name begins so."""
    exact = [o for o in options if o.label.casefold() == word.casefold()]
    starts = [o for o in options if o.label.casefold().startswith(word.casefold())]
    found = exact or starts
    return found[0] if len(found) == 1 else None


def _option(options: tuple[Option, ...], word: str) -> Value:
    found = _named(options, word)
    if found is not None:
        return found.value
    if 1 <= (number := _ordinal(word)) <= len(options):
        return options[number - 1].value
    # What is not offered goes on as it is: the verdict then says why it is not.
    return word


def with_units(view: AnyView, decision: Decision[Any], answer: Any) -> Any:
    """An answer where names that no option has are units that bear them: the verdict then says why not these."""
    match decision:
        case Choose() if any(questions.stands_for_unit(view, o) for o in decision.options):
            return _unit_or(view, answer)
        case Assign() if any(questions.stands_for_unit(view, o) for o in decision.targets):
            return tuple(msgspec.structs.replace(a, target=_unit_or(view, a.target)) for a in answer)
    return answer


def _unit_or(view: AnyView, value: Value) -> Value:
    if not isinstance(value, str):
        return value
    names = {u.id: u.name.casefold() for u in view.state.units}
    exact = [unit for unit, name in names.items() if name == value.casefold()]
    found = exact[:1] or [unit for unit, name in names.items() if name.startswith(value.casefold())]
    return found[0] if len(found) == 1 else value


def _share(decision: Split, part: str) -> tuple[Value, int]:
    found = re.match(rf"^([0-9]{{1,{MAX_DIGITS}}})\s*(?:x|on)?\s+(.+)$", part)
    if found is None:
        raise UserError("Say how many on which, for example: 2 on first name, 1 on second name.")
    return _option(decision.options, found[2]), int(found[1])


def _assign(decision: Assign, line: str) -> tuple[Assignment, ...]:
    out: list[Assignment] = []
    for part in (p.strip() for p in line.split(";")):
        found = re.match(rf"^(?:([0-9]{{1,{MAX_DIGITS}}})\s*x\s+)?(.+?)\s+at\s+(.+?)(?:\s+as\s+(.+))?$", part)
        if found is None:
            raise UserError(_how_to_assign(decision))
        target = _option(decision.targets, found[3])
        everything = found[2].casefold() in ("all", "everything")
        rows = [r for r in decision.rows if everything and target in r.targets]
        if everything and not rows:
            # Then nothing may be put on it, and the verdict on the first says why.
            rows = list(decision.rows[:1])
        if not everything:
            rows = _rows_named(decision, found[2])[:1]
        if not rows:
            raise UserError(f"There is no '{found[2]}' to aim at '{found[3]}'.")
        for row in rows:
            mode = found[4] or (row.modes[0] if row.modes else "")
            out.append(Assignment(row.id, target, int(found[1] or row.count), mode))
    return tuple(out)


def _rows_named(decision: Assign, word: str) -> list[Row]:
    """The row of that number, or those of that name; else those whose names begin so."""
    numbered, name = _ordinal(word) - 1, word.casefold()
    if 0 <= numbered < len(decision.rows):
        return [decision.rows[numbered]]
    exact = [r for r in decision.rows if r.label.casefold() == name]
    return exact or [r for r in decision.rows if r.label.casefold().startswith(name)]


def _how_to_assign(decision: Assign) -> str:
    """How this very question is answered; what is written down in secret is who goes with whom."""
    names = {t.value: t.label for t in decision.targets}
    rows = [(row, names.get(row.targets[0], "NAME")) for row in decision.rows if row.targets]
    if decision.secret:
        who = "; ".join(f"{row.label} at {name}" for row, name in rows[:2])
        return f"Say who goes where, for example: {who or 'NAME at NAME'}; or 'none' for nobody."
    most, name = max(rows, key=lambda found: found[0].count, default=(None, "NAME"))
    some = f"{most.count} x {most.label}" if most is not None else "3 x WEAPON"
    return f"Say what at whom, for example: all at {name}; or: {some} at {name}."


def yes_or_no(line: str) -> bool:
    word = line.casefold()
    if word in ("y", "yes", "true"):
        return True
    if word in ("n", "no", "false", *NOTHING):
        return False
    raise UserError("Say yes or no.")


def _whole(line: str) -> int:
    if not re.fullmatch(rf"-?[0-9]{{1,{MAX_DIGITS}}}", line):
        raise UserError(f"'{line}' is not a whole number.")
    return int(line)


def _placed(view: AnyView, decision: Decision[Any], line: str) -> Any:
    """Moves, places and templates: by intent, as in "towards Boyz", or by a point, as in "at 20 14 facing 90"."""
    found = _PLACE.match(line)
    if isinstance(decision, Move | Place) and not (found and found[2] == "by"):
        meant = _brought(view, decision, line)
        if meant is not None:
            return meant
    match decision:
        case Move():
            word = (found[1] if found else line).strip()
            mode = {"mode": _mode(decision, word).name} if word or found is None else {}
            if found is None:
                return Moves(mode["mode"])
            dx, dy = steps(float(found[3])), steps(float(found[4]))
            if found[2] != "by":
                x, y = middle(view, decision.models)
                dx, dy = dx - x, dy - y
            by = [units(dx), units(dy)]
            return wording.read(view, decision, {**mode, "by": by})
        case Place() if found is not None:
            return _around(view, decision, steps(float(found[3])), steps(float(found[4])))
        case Template() if found is not None:
            turned = facing(float(found[5] or 0))
            where = steps(float(found[3])), steps(float(found[4]))
            return tuple(Laid(name, *where, turned) for name in decision.templates)
    raise UserError("That cannot be read as an answer; 'help' shows how answers are written.")


def _brought(view: AnyView, decision: Move | Place, line: str) -> Any:
    """The unit brought to the place that a line names, or as near to it as it may; None if it names none."""
    known = view.system.questions.get(decision.kind)
    goal = places.goal_of(view, decision, line) if known is not None and known.towards is not None else None
    if goal is None:
        return None
    found = questions.towards(view, decision, goal)
    if found is None:
        name = view.unit(decision.unit).name
        raise UserError(f"No legal way was found that brings {name} nearer to {places.say((goal.x, goal.y))}.")
    return found


def _mode(decision: Move, word: str) -> Mode:
    for mode in decision.modes:
        if word.casefold() in (mode.name.casefold(), mode.label.casefold()):
            return mode
    starts = [m for m in decision.modes if m.label.casefold().startswith(word.casefold())]
    if len(starts) == 1 or not word:
        return (starts or decision.modes)[0]
    ways = ", ".join(m.label for m in decision.modes)
    raise UserError(f"'{word}' is no way of moving here, only {ways}.")


def _around(view: AnyView, decision: Place, x: int, y: int) -> Any:
    """The default formation, put somewhere else."""
    spots = questions.default(view, decision) or next((i for i in ideas(view, decision) if i), ())
    if not spots:
        raise UserError("No formation is known here; write a place for each model: [[x, y], [x, y], ...].")
    dx = x - sum(s.x for s in spots) // len(spots)
    dy = y - sum(s.y for s in spots) // len(spots)
    return tuple(msgspec.structs.replace(s, x=s.x + dx, y=s.y + dy) for s in spots)


def middle(view: AnyView, models: tuple[int, ...]) -> tuple[int, int]:
    """The middle of some models."""
    pos = view.state.models.pos[list(models)]
    return int(pos[:, 0].mean()), int(pos[:, 1].mean())


def say(view: AnyView, decision: Decision[Any], answer: Any) -> str:
    """An answer in words, with distances where something moves."""
    if isinstance(decision, Move) and answer.paths:
        ends = [path.legs[-1] for path in answer.paths]
        pos = view.state.models.pos
        far = [
            (((leg.x - pos[p.model][0]) ** 2 + (leg.y - pos[p.model][1]) ** 2) ** 0.5)
            for p, leg in zip(answer.paths, ends, strict=True)
        ]
        x, y = (sum(v) / len(ends) for v in zip(*((leg.x, leg.y) for leg in ends), strict=True))
        label, unit = decision.label_of(answer.mode), view.system.unit
        return (
            f"{label}: {len(ends)} of {len(decision.models)} models, up to {units(max(far)):.1f} {unit}, "
            f"to around {units(x):.1f}, {units(y):.1f}"
        )
    if isinstance(decision, Place) and answer:
        x, y = (sum(v) / len(answer) for v in zip(*((s.x, s.y) for s in answer), strict=True))
        return f"around {units(x):.1f}, {units(y):.1f}"
    if isinstance(decision, Template):
        return "; ".join(f"{t.template} at {units(t.x):.1f}, {units(t.y):.1f}" for t in answer)
    return wording.describe(view, decision, answer)
