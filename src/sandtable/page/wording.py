"""The words of the page: short labels of units, what is worth showing of a unit or a player, and what rules say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sandtable.battle.cards import Card, Line
from sandtable.battle.decisions import Decision
from sandtable.battle.system import Mark
from sandtable.errors import UserError
from sandtable.rules.ledger import find
from sandtable.table.picture_marks import clean, shortened

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

MAX_NAME: Final = 60
MAX_LINE: Final = 500
MAX_WHOLE: Final = 20_000
"""Of what is folded where it is shown, so that nothing of it is lost."""
MAX_RULE: Final = 700
MAX_LINES: Final = 40
"""Weapons, abilities or figures of one datasheet."""
LABEL: Final = 4
"""Initials of a unit's short label, before a number that tells it from others."""
WORD: Final = 8
"""Letters of a word that is short enough as it is; of a longer one..."""
STEM: Final = 5
"""...so many stand, and a full stop."""


def name(text: str) -> str:
    """A name of bounded length, without what nothing can draw."""
    return shortened(clean(text), MAX_NAME)


def line(text: str) -> str:
    """A line of the log."""
    return shortened(clean(text), MAX_LINE)


def whole(text: str) -> str:
    """A line of the log that is folded if it is long."""
    return shortened(clean(text), MAX_WHOLE)


def labels(names: Sequence[str]) -> list[str]:
    """Short labels for small badges, no two alike: initials of several words, the beginning of one."""
    out: list[str] = []
    for full in names:
        words = [w for w in clean(full).split() if w[0].isalnum()] or [clean(full).strip() or "?"]
        if len(words) > 1:
            label = "".join(w[0].upper() if not w.isdigit() else w for w in words)[:LABEL]
        else:
            label = words[0] if len(words[0]) <= WORD else f"{words[0][:STEM]}."
        number, free = 2, label
        while free in out:
            free, number = f"{label}{number}", number + 1
        out.append(free)
    return out


def card(found: Card) -> Card:
    """A datasheet, bounded like everything that files of strangers can fill."""
    return Card(
        name(found.name),
        _lines(found.models),
        _lines(found.weapons),
        tuple(map(name, found.abilities[:MAX_LINES])),
        tuple(map(name, found.keywords[:MAX_LINES])),
    )


def _lines(found: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(
        Line(
            name(line.name),
            line.count,
            tuple((name(heading), name(figure)) for heading, figure in line.figures[:MAX_LINES]),
            tuple(map(name, line.notes[:MAX_LINES])),
        )
        for line in found[:MAX_LINES]
    )


def marks(world: AnyWorld, unit: Any) -> tuple[Mark, ...]:
    """What a badge says about a unit, beside how many are left; each in full, too."""
    found = world.system.marks(world, unit) if world.system.marks is not None else ()
    return tuple(Mark(name(m.text), line(m.whole), m.rule) for m in found)


def numbers(world: AnyWorld, player: Any) -> tuple[tuple[str, int], ...]:
    """What the score board says about a player."""
    return tuple(world.system.numbers(world, player)) if world.system.numbers is not None else ()


def question(decision: Decision[Any], units: Sequence[Any]) -> str:
    """What was asked, with the unit that it is about, ready for the answer."""
    asked = decision.prompt
    if decision.unit >= 0 and units[decision.unit].name not in asked:
        asked = f"{asked} ({units[decision.unit].name})"
    return asked + (" " if asked.endswith("?") else ": ")


def glossary(ids: Iterable[str]) -> list[tuple[str, str, str, str]]:
    """For each rule its id, name, place in the book and what it says; only the id where the ledger has no such rule."""
    return [_entry(rule_id) for rule_id in ids]


def _entry(rule_id: str) -> tuple[str, str, str, str]:
    try:
        row = find(rule_id)
    except UserError:
        return line(rule_id), "", "", ""
    return row.id, row.name, row.where, shortened(row.text, MAX_RULE)
