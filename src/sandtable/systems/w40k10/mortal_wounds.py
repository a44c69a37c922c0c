"""Mortal wounds."""

from __future__ import annotations

from sandtable.attack.volley import Target
from sandtable.forty.facing import without_saves
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.allocate_and_save import FACING
from sandtable.systems.w40k10.inflict_damage import HOOKS
from sandtable.systems.w40k10.state import Battle10, Unit, World10


class MORTAL(Facts):
    spill = fact(True, "w40k10.attack.mortal_spill", neutral=False)
    """Mortal wounds beyond what destroys a model go on to the next."""
    wait = fact(True, "w40k10.attack.mortal_timing", neutral=False)
    """Mortal wounds of attacks wait for all normal damage of the unit on that target."""


@rule("w40k10.attack.mortal_wounds")
async def inflict(b: Battle10, unit: Unit, points: int, *rules: str, first: int = -1, by: int = -1) -> None:
    """Let a unit suffer mortal wounds; `first` is a model that takes them before all others."""
    if points > 0:
        due = Due(points, spill=MORTAL.spill, first=first)
        cites = ("w40k10.attack.mortal_wounds", *rules)
        await suffer(b, [due], lambda: bodies(b, unit), HOOKS, against=unit.id, unit=by, rules=cites)


def bodies(w: World10, unit: Unit) -> Target:
    """A unit's models where no save helps."""
    return without_saves(w, FACING._replace(cites=("w40k10.attack.mortal_wounds",)), unit)
