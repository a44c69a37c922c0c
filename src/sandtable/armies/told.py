"""What an army list says, told to who brought it: the army, and a row for each of its units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.armies.characteristics import printed
from sandtable.armies.lists import ArmyList, ListUnit, composition, list_cost, name_of, unit_cost
from sandtable.armies.pack import Pack


class Row(NamedTuple):
    """A unit of an army list."""

    name: str
    models: int
    cost: int
    marks: tuple[str, ...]
    """Warlord, an enhancement, whom it leads, what it is embarked in."""


def rows(pack: Pack, army: ArmyList) -> list[Row]:
    """The units of an army; one whose datasheet is unknown has no models, and costs nothing."""
    return [_row(pack, army, unit) for unit in army.units]


def _row(pack: Pack, army: ArmyList, unit: ListUnit) -> Row:
    sheet = pack.sheet(unit.sheet)
    models = sum(composition(sheet, unit).values()) if sheet is not None else 0
    marks: tuple[str, ...] = ("Warlord",) if unit.warlord else ()
    marks += (unit.enhancement,) if unit.enhancement else ()
    marks += (f"leads {unit.attached_to}",) if unit.attached_to else ()
    marks += (f"in {unit.embarked_in}",) if unit.embarked_in else ()
    return Row(name_of(pack, unit), models, unit_cost(pack, army, unit), marks)


def faction_name(pack: Pack, army: ArmyList) -> str:
    """What the faction of an army is called."""
    faction = pack.faction(army.faction)
    return faction.name if faction else army.faction


def detachment_names(pack: Pack, army: ArmyList) -> list[str]:
    """What the detachments of an army are called."""
    ids = [id_ for id_ in (army.detachment, *army.more_detachments) if id_]
    found = [(id_, pack.detachment(army.faction, id_)) for id_ in ids]
    return [one.name if one else id_ for id_, one in found]


def measure(pack: Pack) -> str:
    """What armies are counted in."""
    return "Power" if printed(pack.header.system).power else "points"


def understood(pack: Pack, army: ArmyList, source: str, reported: int | None = None) -> Iterator[str]:
    """What was read, a line each: the army, its units, and what it costs."""
    names = " and ".join(detachment_names(pack, army))
    yield f"{army.name}: {faction_name(pack, army)}{f', {names}' if names else ''}; read as {source}."
    for row in rows(pack, army):
        number = f"{row.models} " if row.models > 1 else ""
        yield f"  {number}{row.name}" + (f" ({', '.join(row.marks)})" if row.marks else "")
    cost = list_cost(pack, army)
    other = f"; the list says {reported}" if reported is not None and reported != cost else ""
    units = "1 unit" if len(army.units) == 1 else f"{len(army.units)} units"
    yield f"{units}, {cost} {measure(pack)} of {army.limit}{other}."
