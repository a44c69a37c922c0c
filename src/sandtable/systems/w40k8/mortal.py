"""Mortal wounds: damage that no save stops."""

from __future__ import annotations

from sandtable.attack.volley import Target
from sandtable.forty.facing import without_saves
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import FACING, HOOKS
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import Battle8, Unit, World8


@rule("w40k8.attack.mortal", "w40k8.cover.scope", "w40k8.psychic.perils")
async def inflict(b: Battle8, unit: Unit, points: int, *rules: str, by: int = -1, alone: int = -1) -> None:
    """Let a unit suffer mortal wounds, at once; those that are one model's `alone` go to nobody else."""
    due = Due(points, spill=BOOK.spills if alone < 0 else False, first=alone)
    await suffer(b, [due], lambda: bodies_of(b, unit), HOOKS, against=unit.id, unit=by, rules=rules)


def bodies_of(w: World8, unit: Unit, alone: int = -1) -> Target:
    """A unit as mortal wounds meet it, or one model of it."""
    return without_saves(w, FACING, unit, alone)
