"""A unit with one number changed, to see what breaks."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sandtable.armies.characteristics import Line, Value, printed, problem_of_stats
from sandtable.armies.format import Sheet
from sandtable.armies.pack import Pack
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force
from sandtable.odds.names import LONG

INVULNERABLE = "invulnerable"
BEARERS = ("WS", "BS", "A")
"""Characteristics that count for those who attack; some systems print them for models, others for weapons."""


def stat_named(name: str, system: str) -> str:
    """A characteristic as it is printed, whether it was spelt out, or in small letters."""
    table = printed(system)
    known = {n.lower(): n for line in (*table.models, *table.weapons) for n in line}
    plain = " ".join(name.lower().split())
    others = {"invulnerable save": INVULNERABLE, "invuln": INVULNERABLE, "models": "models", "distance": "distance"}
    return known.get(plain) or known.get(LONG.get(plain, "").lower()) or others.get(plain, name)


def side_of(name: str, system: str) -> str:
    """Whose number it is: "weapon" for characteristics of weapons, "bearer" for what those who attack with them have,
    "model" for what those have who are attacked."""
    table = printed(system)
    models = {n for line in table.models for n in line}
    weapons = {n for line in table.weapons for n in line}
    if name in weapons:
        return "weapon"
    if name in models and name in BEARERS:
        return "bearer"
    if name in models or name == INVULNERABLE:
        return "model"
    known = ", ".join([*dict.fromkeys(n for line in (*table.models, *table.weapons) for n in line), INVULNERABLE])
    raise UserError(f"There is no characteristic '{name}'; there are: {known}, and models and distance.")


def with_stat(force: Force, name: str, value: int, weapons: tuple[str, ...] = ()) -> Force:
    """The unit with a characteristic of its models, or of some of its weapons, set to a value."""
    weapon = side_of(name, force.army.system) == "weapon"
    wanted = {unit.sheet for unit in force.army.units[:1]} if not weapon else {u.sheet for u in force.army.units}
    files = tuple(
        msgspec.structs.replace(
            file,
            sheets=tuple(
                _changed(sheet, name, value, weapons, force.army.system, weapon=weapon) if sheet.id in wanted else sheet
                for sheet in file.sheets
            ),
        )
        for file in force.pack.files
    )
    pack = Pack(force.pack.header, files, force.pack.lists)
    return replace(force, pack=pack)


def stat_of(force: Force, name: str, weapons: tuple[str, ...] = ()) -> int | None:
    """What the unit has now, where it is one number."""
    sheet = force.pack.sheet(force.army.units[0].sheet)
    assert sheet is not None
    found: list[Value | None]
    if name == INVULNERABLE:
        found = [kind.invulnerable for kind in sheet.models]
    elif side_of(name, force.army.system) != "weapon":
        found = [kind.stats.get(name) for kind in sheet.models]
    else:
        found = [p.stats[name] for w in sheet.weapons if not weapons or w.name in weapons
                 for p in w.profiles if name in p.stats]  # fmt: skip
    numbers = {value for value in found if isinstance(value, int)}
    return numbers.pop() if len(numbers) == 1 else None


def _changed(sheet: Sheet, name: str, value: int, weapons: tuple[str, ...], system: str, *, weapon: bool) -> Sheet:
    table = printed(system)
    if weapon:
        arms = tuple(
            msgspec.structs.replace(
                w,
                profiles=tuple(
                    msgspec.structs.replace(p, stats=_set(p.stats, name, value, table.weapons)) for p in w.profiles
                ),
            )
            if not weapons or w.name in weapons
            else w
            for w in sheet.weapons
        )
        return msgspec.structs.replace(sheet, weapons=arms)
    if name == INVULNERABLE:
        if not 2 <= value <= 7:
            raise UserError(f"An invulnerable save is 2 to 6, or 7 for none, not {value}.")
        kinds = tuple(msgspec.structs.replace(k, invulnerable=None if value == 7 else value) for k in sheet.models)
    else:
        kinds = tuple(msgspec.structs.replace(k, stats=_set(k.stats, name, value, table.models)) for k in sheet.models)
    return msgspec.structs.replace(sheet, models=kinds)


def _set(stats: dict[str, Value], name: str, value: int, lines: tuple[Line, ...]) -> dict[str, Value]:
    if name not in stats:
        return stats
    changed = {**stats, name: value}
    if problem := problem_of_stats(changed, lines):
        raise UserError(f"That profile cannot be: {problem}.")
    return changed
