"""Places in a player's words: "to marker 2", "towards Boyz, as far as I may", "behind the ruin", "at 30 22 in a line".

A word for terrain means the nearest piece of that kind; "ruin 2" is the second nearest.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sandtable.battle.decisions import Decision, Move
from sandtable.battle.system import Goal
from sandtable.errors import UserError
from sandtable.players.base import AnyView
from sandtable.table.grid import steps, units
from sandtable.table.layout import Feature

_NUMBER: Final = r"(-?[0-9]{1,6}(?:\.[0-9]{1,9})?)"
_POINT: Final = re.compile(rf"^(?:at|to|towards|near|on)\s+{_NUMBER}[\s,]+{_NUMBER}$")
_BARE: Final = re.compile(rf"^\[?\s*{_NUMBER}\s*[\s,]\s*{_NUMBER}\s*\]?$")
_MARKER: Final = re.compile(
    r"^(?:(?:at|to|towards|near|on|onto|for)\s+)?(?:the\s+)?(?:marker|objective)\s+([0-9]{1,9})$"
)
_BEHIND: Final = re.compile(r"^behind\s+(?:the\s+)?(.+?)(?:\s+([0-9]{1,9}))?$")
_AWAY: Final = re.compile(r"^away\s+from\s+(?:the\s+)?(.+)$")
_TOWARDS: Final = re.compile(r"^(?:at|to|towards|near|into|in|on|onto)\s+(?:the\s+)?(.+?)(?:\s+([0-9]{1,9}))?$")
_FAR: Final = re.compile(r",?\s*as\s+(?:far|close|near)\s+as\s+(?:i|we|it|they)?\s*(?:may|can)?.*$")
_SHAPE: Final = re.compile(r",?\s+(?:in|as)\s+(?:a\s+|two\s+)?(line|ranks|block|wedge|ring|string|screen)$")

BEYOND: Final = steps(2)
"""How far behind a piece of terrain the middle of a unit goes."""


def goal_of(view: AnyView, decision: Decision[Any], line: str) -> Goal | None:
    """The place that a line means, with the way of moving and the formation; None if it names no place."""
    text = _FAR.sub("", line.strip().casefold())
    shape = "keep"
    if found := _SHAPE.search(text):
        shape, text = found[1], text[: found.start()]
    mode = ""
    if isinstance(decision, Move):
        mode, text = _mode(decision, text)
    point = _point(view, decision, text.strip())
    return None if point is None else Goal(*_on_table(view, point), shape, mode)


def is_point(line: str) -> bool:
    """Whether a line is nothing but a point, as in [14, 20]."""
    return _BARE.match(line.strip()) is not None


def _mode(decision: Move, text: str) -> tuple[str, str]:
    """The way of moving that a line begins with, and the rest of the line."""
    for mode in sorted(decision.modes, key=lambda m: -len(m.label)):
        for name in (mode.label.casefold(), mode.name.casefold(), mode.name.casefold().replace("_", " ")):
            if text.startswith(f"{name} "):
                return mode.name, text[len(name) + 1 :]
    return "", re.sub(r"^(?:move|go)\s+", "", text)


def _point(view: AnyView, decision: Decision[Any], text: str) -> tuple[int, int] | None:
    if found := _POINT.match(text) or _BARE.match(text):
        return steps(float(found[1])), steps(float(found[2]))
    if found := _MARKER.match(text):
        return _marker(view, int(found[1]))
    if found := _BEHIND.match(text):
        return _behind(view, decision, _feature(view, decision, found[1], found[2]))
    if found := _AWAY.match(text):
        x, y = _unit(view, found[1])
        here = _here(view, decision)
        return 2 * here[0] - x, 2 * here[1] - y
    if found := _TOWARDS.match(text):
        named = f"{found[1]} {found[2]}" if found[2] else found[1]
        if any(u.name.casefold().startswith(named) for u in view.state.units):
            return _unit(view, named)
        return _middle(_feature(view, decision, found[1], found[2]).outline)
    return None


def _marker(view: AnyView, number: int) -> tuple[int, int]:
    markers = list(view.system.objectives(view)) if view.system.objectives else []
    for marker in markers:
        if marker.label == str(number):
            return marker.x, marker.y
    known = ", ".join(m.label for m in markers) or "none"
    raise UserError(f"There is no marker {number}; the markers are {known}.")


def _unit(view: AnyView, name: str) -> tuple[int, int]:
    standing = [u for u in view.state.units if len(view.on_table(u))]
    found = [u for u in standing if u.name.casefold() == name] or [
        u for u in standing if u.name.casefold().startswith(name)
    ]
    if len(found) != 1:
        which = ", ".join(u.name for u in found or standing)
        raise UserError(f"'{name}' could be {which}." if found else f"'{name}' is not on the table; there are {which}.")
    pos = view.state.models.pos[view.on_table(found[0])]
    return int(pos[:, 0].mean()), int(pos[:, 1].mean())


def _feature(view: AnyView, decision: Decision[Any], word: str, number: str | None) -> Feature:
    """A piece of terrain by its kind or name: the nearest to the unit, or the one with that number from there."""
    here = _here(view, decision)
    fits = [f for f in view.table.features if word in (f.kind.casefold(), f.name.casefold(), f"{f.kind.casefold()}s")]
    fits += [f for f in view.table.features if f not in fits and f.kind.casefold().startswith(word.rstrip("s"))]
    if not fits:
        known = ", ".join(sorted({f.kind for f in view.table.features})) or "none"
        raise UserError(f"'{word}' is neither a unit on the table nor a kind of terrain here; kinds are {known}.")
    fits.sort(key=lambda f: _far(_middle(f.outline), here))
    place = int(number or 1)
    if not 1 <= place <= len(fits):
        raise UserError(f"There are {len(fits)} of '{word}', counted from the nearest; not {place}.")
    return fits[place - 1]


def _behind(view: AnyView, decision: Decision[Any], feature: Feature) -> tuple[int, int]:
    """The far side of a piece of terrain, as the enemies see it."""
    x, y = _middle(feature.outline)
    enemies = [view.on_table(e) for e in view.enemies_of(decision.player) if len(view.on_table(e))]
    if not enemies:
        return x, y
    pos = view.state.models.pos
    middles = [(int(pos[e, 0].mean()), int(pos[e, 1].mean())) for e in enemies]
    ex, ey = min(middles, key=lambda m: _far(m, (x, y)))
    length = max(1.0, _far((x, y), (ex, ey)) ** 0.5)
    size = max(_far((x, y), corner) for corner in feature.outline) ** 0.5
    return round(x + (x - ex) / length * (size + BEYOND)), round(y + (y - ey) / length * (size + BEYOND))


def _here(view: AnyView, decision: Decision[Any]) -> tuple[int, int]:
    """Where the unit is that a question is about; a unit that is not set up yet looks from where its army stands."""
    unit = view.unit(decision.unit)
    models = view.on_table(unit)
    if not len(models):
        mates = [m for u in view.units_of(decision.player) for m in view.on_table(u)]
        if not mates:
            area = getattr(decision, "area", ()) or ((0, 0), (view.table.width, view.table.depth))
            return _middle(area)
        pos = view.state.models.pos[mates]
        return int(pos[:, 0].mean()), int(pos[:, 1].mean())
    pos = view.state.models.pos[models]
    return int(pos[:, 0].mean()), int(pos[:, 1].mean())


def _middle(outline: Any) -> tuple[int, int]:
    return sum(p[0] for p in outline) // len(outline), sum(p[1] for p in outline) // len(outline)


def _far(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _on_table(view: AnyView, point: tuple[int, int]) -> tuple[int, int]:
    return min(max(point[0], 0), view.table.width), min(max(point[1], 0), view.table.depth)


def say(point: tuple[float, float]) -> str:
    """A place in words."""
    return f"{units(round(point[0])):.1f}, {units(round(point[1])):.1f}"
