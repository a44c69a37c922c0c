"""What is wrong with a scenario file: models off the table, passengers without room, powers that nobody describes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sandtable.battle import TABLE, Verdict
from sandtable.errors import UserError
from sandtable.forty.passengers import passengers
from sandtable.forty.psykers import Psyker
from sandtable.forty.setup import UnitList
from sandtable.forty.state import World40
from sandtable.table.grid import units
from sandtable.table.measure import on_table


def check_places(w: World40) -> None:
    """Refuse models whose bases are not wholly on the table, or that stand below it."""
    for unit in w.units():
        for number, m in enumerate(unit.models, 1):
            if w.state.models.place[m] != TABLE:
                continue
            x, y, z = (units(int(v)) for v in w.state.models.pos[m])
            where = f"units ({unit.name}): model {number}, at {x:.4g}, {y:.4g},"
            if not on_table(w.bodies, w.shapes, m, w.terrain.size):
                size = f'{units(w.table.width):g}" x {units(w.table.depth):g}"'
                raise UserError(f"{where} is not wholly on the table of {size}.")
            if z < 0:
                raise UserError(f'{where} stands {-z:g}" below the table.')


def check_passengers(w: World40, hold: Callable[[Any, Any, Sequence[Any]], Verdict] | None) -> None:
    """Refuse units that are embarked where they have no room."""
    if hold is None:
        return
    for unit in w.units():
        if unit.embarked >= 0:
            transport = w.unit(unit.embarked)
            if not (verdict := hold(w, transport, passengers(w, transport))):
                raise UserError(f"units ({unit.name}).flags.embarked: {verdict}")


def check_powers(own: Iterable[UnitList], listed: Iterable[UnitList], book: Sequence[str]) -> None:
    """Refuse psykers of the file's own units who know a power that neither the book nor a datasheet describes."""
    psykers = [(unit.name, found) for unit in own for found in _psykers(unit)]
    minds = [found for _, found in psykers] + [found for unit in listed for found in _psykers(unit)]
    known = {*book, *(power.name for mind in minds for power in mind.described)}
    for name, mind in psykers:
        if strange := [power for power in mind.powers if power not in known]:
            there = ", ".join(sorted(known))
            raise UserError(f"units ({name}).sheet.psyker.powers: nobody describes '{strange[0]}'; there are {there}.")


def _psykers(unit: UnitList) -> list[Psyker]:
    return [found for m in unit.models if (found := getattr(m.sheet, "psyker", None)) is not None]
