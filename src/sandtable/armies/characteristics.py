"""What each system prints on a datasheet, read from characteristics.json.

A model has exactly the names of one of its system's `models` lines, a weapon profile those of one of its `weapons`
lines. Values: a..b a number between, "a..b or -" also a dash; dice a number or dice; distance a number, dice, "-" or
"20+"; move the same, but "20-50" for the least and the most; roll what a die must show, 2 to 7, or "-"; strength a
number, or what becomes of the bearer's: "User", "+1", "x2"; text anything short.

`core` are the abilities that datasheets only name, `weapon_abilities` likewise: {n} is a number, {dice} a number or
dice, {word} a keyword. Without a list, any are taken. `detachments` tells whether armies are of a detachment, `power`
whether they are measured by Power Ratings instead of points, `psykers` whether datasheets say what psykers can do.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias

import msgspec

from sandtable.errors import UserError, short

Value: TypeAlias = int | str
Line: TypeAlias = dict[str, str]

TABLE: Final = "characteristics.json"
DICE: Final = r"\d{0,2}D[36](\+\d{1,2})?"
OR_DASH: Final = " or -"
SHOWN: Final = 40
_TEXTS: Final = {
    "dice": (DICE, 'a number, or dice such as "D6+1"'),
    "distance": (rf"{DICE}|-|\d+\+", 'a number, dice, "-" or "20+"'),
    "move": (rf"{DICE}|-|[0-9]{{1,3}}-[0-9]{{1,3}}", 'a number, dice, "-" or "20-50"'),
    "strength": (r"(?i:user|x[2-9])|[+-][0-9]{1,2}", 'a number, "User", "+1" or "x2"'),
    "roll": ("-", '2 to 7, or "-"'),
    "text": (r".{1,60}", "a short text"),
}
_NUMBERS: Final = {
    "dice": (0, 60),
    "distance": (0, 240),
    "move": (0, 240),
    "strength": (1, 40),
    "roll": (2, 7),
    "text": (-20, 400),
}
_HOLES: Final = {"{n}": r"\d{1,2}", "{dice}": rf"(\d{{1,2}}|{DICE.lower()})", "{word}": r"[a-z'/ -]{1,40}"}


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one system prints on its datasheets."""

    models: tuple[Line, ...]
    weapons: tuple[Line, ...]
    core: tuple[str, ...] | None = None
    weapon_abilities: tuple[str, ...] | None = None
    detachments: bool = True
    power: bool = False
    psykers: bool = False

    @property
    def names(self) -> frozenset[str]:
        """All characteristics of models and weapons."""
        return frozenset(name for line in self.models + self.weapons for name in line)


@cache
def printed_by_system() -> dict[str, Printed]:
    # JSON, because every question and every battle needs it, and a reader for YAML takes longer to load than they may.
    return msgspec.json.decode(files("sandtable.armies").joinpath(TABLE).read_bytes(), type=dict[str, Printed])


def printed(system: str) -> Printed:
    """What a system prints on its datasheets."""
    systems = printed_by_system()
    if system not in systems:
        raise UserError(f"no system '{system}'; systems are {', '.join(systems)}.")
    return systems[system]


def problem_of_stats(stats: dict[str, Value], lines: tuple[Line, ...]) -> str:
    """What is wrong with the characteristics of a model or weapon; empty if nothing is."""
    line = next((one for one in lines if one.keys() == stats.keys()), None)
    if line is None:
        # The line that shares most names is the one that was meant.
        line = max(lines, key=lambda one: len(one.keys() & stats.keys()) - len(one.keys() ^ stats.keys()))
        if missing := [name for name in line if name not in stats]:
            return f"{missing[0]} is missing; wanted are {', '.join(line)}"
        return f"there is no {next(n for n in stats if n not in line)}; wanted are {', '.join(line)}"
    return next((p for name, value in stats.items() if (p := problem_of_value(name, value, line[name]))), "")


def problem_of_row(row: dict[str, Value], stats: dict[str, Value], lines: tuple[Line, ...]) -> str:
    """What is wrong with characteristics that take the place of some of a model's; empty if nothing is."""
    if unknown := [name for name in row if name not in stats]:
        return f"there is no {unknown[0]}; the model has {', '.join(stats)}"
    return problem_of_stats({**stats, **row}, lines)


def problem_of_value(name: str, value: Value, kind: str) -> str:
    """What is wrong with one characteristic, of a kind as the table names them; empty if nothing is."""
    plain = kind.removesuffix(OR_DASH)
    if ".." in plain:
        low, high = (int(end) for end in plain.split(".."))
        wanted, pattern = f"{low} to {high}", r"(?!)"
        if plain != kind:
            wanted, pattern = f'{wanted}, or "-"', "-"
    else:
        (low, high), (pattern, wanted) = _NUMBERS[kind], _TEXTS[kind]
    fits = low <= value <= high if isinstance(value, int) else re.fullmatch(pattern, value)
    return "" if fits else f"{name} is {wanted}, not {short(repr(value), SHOWN)}"


def is_one_of(ability: str, patterns: tuple[str, ...] | None) -> bool:
    """Whether an ability is one that the system knows by name."""
    return patterns is None or any(_pattern(p).fullmatch(ability) for p in patterns)


def unknown(what: str, ability: str, patterns: tuple[str, ...] | None) -> str:
    """A sentence about an ability that the system does not know, with names that look like it."""
    close = get_close_matches(ability, patterns or (), n=2, cutoff=0.6)
    meant = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    return f"there is no {what} '{ability}'{meant}"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    escaped = re.escape(text)
    for hole, pattern in _HOLES.items():
        escaped = escaped.replace(re.escape(hole), pattern)
    return re.compile(escaped)
