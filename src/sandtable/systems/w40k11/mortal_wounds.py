"""Mortal wounds (06.02)."""

from __future__ import annotations

from sandtable.attack.volley import Target
from sandtable.forty.facing import without_saves
from sandtable.forty.passengers import living
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.making_attacks import HOOKS
from sandtable.systems.w40k11.saves_and_damage import FACING
from sandtable.systems.w40k11.state import Battle11, Unit, World11


class MORTAL(Facts):
    """What the book states about mortal wounds."""

    spill = fact(True, "w40k11.mortal.selection", neutral=False)
    """Mortal wounds beyond what destroys a model go on to the next."""


@rule("w40k11.mortal.selection")
async def inflict(
    b: Battle11, unit: Unit, points: int, *rules: str, first: int = -1, by: int = -1, psychic: bool = False
) -> None:
    """Let a unit suffer mortal wounds; `first` is a model that takes them before all others."""
    if points > 0:
        due = Due(points, spill=MORTAL.spill, first=first)
        cites = ("w40k11.mortal.selection", *rules)
        await suffer(b, [due], lambda: bodies(b, unit, psychic), HOOKS, against=unit.id, unit=by, rules=cites)


def bodies(w: World11, unit: Unit, psychic: bool) -> Target:
    """A unit's models where no save helps."""
    facing = FACING._replace(cites=("w40k11.mortal.selection",))
    if not w.is_on_table(unit):
        facing = facing._replace(who=lambda w, u: tuple(living(w, u)))
    return without_saves(w, facing, unit, psychic=psychic)
