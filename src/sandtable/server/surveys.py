"""What a person at the table looks up: who sees whom, and the rules of the phase."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from sandtable.battle.decisions import MAX_COORDINATE, Spot
from sandtable.battle.state import OFF, TABLE, new_version
from sandtable.battle.system import System
from sandtable.battle.world import View
from sandtable.errors import UserError
from sandtable.rules.ledger import Row, load
from sandtable.server.protocol import Seen, SightShown
from sandtable.table.grid import TURN

MOST_RULES: Final = 24
"""Rules of a question, and of a phase, in a quick reference."""


def put_back(view: View[Any, Any, Any, Any], stood: Sequence[Spot]) -> None:
    """Put models where they stood, and all others off the table. The view is spoilt by it."""
    models = view.state.models
    rows = [spot.model for spot in stood]
    places = [(spot.x, spot.y, spot.z) for spot in stood]
    if not all(0 <= row < len(models.place) for row in rows) or np.abs(places).max() > MAX_COORDINATE:
        raise UserError("No model of this battle ever stood there.")
    models.place[models.place == TABLE] = OFF
    models.pos[rows] = places
    models.facing[rows] = [spot.facing % TURN for spot in stood]
    models.place[rows] = TABLE
    view.state.version = new_version()


def sight(view: View[Any, Any, Any, Any], unit: Any, target: Any) -> SightShown:
    """For each model of a unit its best look at another unit, and what is in the way of the rest."""
    if not view.is_on_table(unit) or not view.is_on_table(target):
        away = target if view.is_on_table(unit) else unit
        raise UserError(f"{away.name} is not on the table.")
    if view.system.sight is None:
        raise UserError(f"{view.system.name} cannot tell lines of sight here.")
    found = view.system.sight(view, unit, target)
    observers, targets = view.on_table(unit).tolist(), view.on_table(target).tolist()
    seen: list[Seen] = []
    for i, model in enumerate(observers):
        clear = [j for j in range(len(targets)) if found.visible[i, j]]
        best = min(clear, key=lambda j: (not found.full[i, j], j), default=-1)
        if best < 0:
            seen.append(Seen(model, targets[0], None, False))
        else:
            x, y, _, ex, ey, _ = (round(float(v)) for v in found.line[i, best])
            seen.append(Seen(model, targets[best], (x, y, ex, ey), bool(found.full[i, best])))
    looking = sum(s.line is not None for s in seen)
    shown = int(found.visible.any(axis=0).sum())
    text = f"{_who(looking, len(observers), unit)} {_whom(shown, len(targets), target)}."
    unnoticed = int((found.line.any(axis=2) & ~found.visible.any(axis=0)).any(axis=0).sum())
    if unnoticed:
        whom = _whom(unnoticed, len(targets), target)
        text += f" {whom[0].upper()}{whom[1:]} would be in sight, but cannot be noticed from so far."
    blocked = np.flatnonzero(found.broken.any(axis=(0, 1))).tolist()
    return SightShown(unit=unit.id, target=target.id, seen=seen, blocked=blocked, text=text)


def _who(looking: int, of: int, unit: Any) -> str:
    """How many of a unit see."""
    if of == 1:
        return f"{unit.name} {'sees' if looking else 'does not see'}"
    if not looking:
        return f"No model of {unit.name} sees"
    count = f"All {of}" if looking == of else f"{looking} of {of}"
    return f"{count} models of {unit.name} {'sees' if looking == 1 else 'see'}"


def _whom(seen: int, of: int, unit: Any) -> str:
    """How many of a unit are seen; nobody is told as the unit."""
    if of == 1 or not seen:
        return str(unit.name)
    return f"{f'all {of}' if seen == of else f'{seen} of {of}'} models of {unit.name}"


def of_phase(system: System, phase: str, kind: str = "") -> list[Row]:
    """The rules of a kind of question, where the system says where they stand, and then those of a phase."""
    word = " ".join(phase.casefold().split())
    asked = _under(system, system.asked_under.get(kind, ()))
    if phase in system.headings:
        found = _under(system, system.headings[phase])
    else:
        found = [row for row in load(system.id).values() if word and row.where.casefold().startswith(word)]
    return [*asked[:MOST_RULES], *[row for row in found if row not in asked][:MOST_RULES]]


def _under(system: System, headings: Iterable[str]) -> list[Row]:
    """The rules under headings and their parts: 1.6.2 is a part of 1.6, and 1.12 none of 1.1."""
    rows = load(system.id).values()
    found = [[r for r in rows if r.where.startswith(h) and not r.where[len(h) :][:1].isalnum()] for h in headings]
    return list(dict.fromkeys(itertools.chain.from_iterable(found)))
