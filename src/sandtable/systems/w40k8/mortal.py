"""Mortal wounds: damage that no save stops."""

from __future__ import annotations

from sandtable.attack.volley import Target
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import CITES, HOOKS, body, ignoring, who_can_take
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import Battle8, Unit, World8


@rule("w40k8.attack.mortal", "w40k8.cover.scope", "w40k8.psychic.perils")
async def inflict(b: Battle8, unit: Unit, points: int, *rules: str, by: int = -1, alone: int = -1) -> None:
    """Let a unit suffer mortal wounds, at once; those that are one model's `alone` go to nobody else."""
    due = Due(points, spill=BOOK.spills if alone < 0 else False, first=alone)
    await suffer(b, [due], lambda: _bodies(b, unit), HOOKS, against=unit.id, unit=by, rules=rules)


def _bodies(w: World8, unit: Unit) -> Target:
    bodies = tuple(body(w, m) for m in who_can_take(w, unit))
    return Target(bodies, keeps=False, cites=CITES, pain_cites=ignoring(bodies))
