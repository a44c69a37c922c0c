"""Guns as plans see them, for editions that say by `Aiming` what may be fired at whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.battle import Assign, Assignment
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import rows_of, shots_of
from sandtable.forty.mind.mind import Guns
from sandtable.forty.shot import Shot
from sandtable.forty.state import Unit, World40


def guns(w: World40, unit: Unit, only: int) -> list[Guns]:
    """Guns of the same kind that may be fired at the same targets, together."""
    return [Guns(len(row), row[0].profiles, row[0].targets) for row in rows_of(guns_of(w, unit, only))]


def fired(w: World40, d: Assign, answer: Sequence[Assignment]) -> list[Shot]:
    """Which model fires what at whom."""
    unit = w.unit(d.unit)
    return shots_of(w, unit, guns_of(w, unit, int(d.about["only"])), answer)


def best_split(w: World40, d: Assign, worth: Mapping[int, float]) -> tuple[Assignment, ...]:
    """How guns are best dealt over targets that compete for them; nothing where that is too much to work out."""
    # The solver is loaded only where somebody asks.
    from sandtable.forty.odds import advice

    found = advice.best_split(w, d, "damage", worth, by_rows=True)
    return () if found is None else found.answer
