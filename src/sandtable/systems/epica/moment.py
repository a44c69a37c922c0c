"""A moment of a battle of Epic written down as a scenario file: which stands are where, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from sandtable.battle.scenario import UNASKED, facing_doc
from sandtable.battle.state import GONE, TABLE
from sandtable.battle.tables import feature_doc, in_units
from sandtable.kit.written import at, own_names, stage
from sandtable.kit.written import changed as all_changed
from sandtable.systems.epica.datasheet import Firepower, Sheet, Weapon
from sandtable.systems.epica.library import LIBRARY
from sandtable.systems.epica.state import EpicWorld

#: What follows from the rest of the file.
FOLLOWS: Final = frozenset({"id", "player", "name", "models", "side"})


def moment(w: EpicWorld) -> dict[str, Any]:
    """The moment as a scenario file holds it."""
    state, data = w.state, w.setup.data
    players = [str(p.name) for p in state.players]
    sheets = dict(zip(data.sheets, own_names(s.name for s in data.sheets), strict=True))
    doc: dict[str, Any] = {
        "scenario": f"Turn {state.round}, {stage(state, at(w)['step'].replace('_', ' '))}",
        "system": w.system.id,
        "question": UNASKED,
        "table": {
            "size": [in_units(w.table.width), in_units(w.table.depth)],
            "terrain": [feature_doc(f) for f in (*w.table.features, *state.features)],
        },
        "players": players,
        "sheets": {name: sheet_doc(s) for s, name in sheets.items() if LIBRARY.get(name) != s},
        "units": list(_formations(w, players, sheets)),
        "at": at(w),
        "options": dict(w.setup.options),
        "state": {str(p.name): fields for p in state.players if (fields := changed(p, FOLLOWS))}
        | {"game": changed(state.game, ()) | {"to_act": state.game.to_act}},
        "extra": {"turns": data.turns},
    }
    return {key: value for key, value in doc.items() if value not in ({}, [])}


def _formations(w: EpicWorld, players: list[str], sheets: dict[Sheet, str]) -> Iterator[dict[str, Any]]:
    models, data = w.state.models, w.setup.data
    names = own_names(str(f.name) for f in w.state.units)
    for formation in w.state.units:
        stands = [m for m in formation.models if models.place[m] != GONE]
        if not stands:
            continue
        kinds = [sheets[data.sheets[data.sheet_of[m]]] for m in stands]
        doc: dict[str, Any] = {"name": names[formation.id], "player": players[formation.player], "sheet": kinds[0]}
        if all(models.place[m] == TABLE for m in stands):
            doc["positions"] = [[in_units(int(v)) for v in models.pos[m, :2]] for m in stands]
            doc["facing"] = facing_doc([int(models.facing[m]) for m in stands])
        else:
            doc |= {"models": len(stands), "off": True}
        yield doc | {"loadout": kinds, "flags": changed(formation, FOLLOWS)}


def changed(holder: Any, but: Collection[str]) -> dict[str, Any]:
    """Plain fields that are not as they are at first; others name stands by numbers that the file does not keep."""
    return {name: value for name, value in all_changed(holder, but).items() if isinstance(value, bool | int | str)}


def sheet_doc(sheet: Sheet) -> dict[str, Any]:
    """A datasheet as a scenario file holds it."""
    return {
        "type": sheet.type,
        "speed": sheet.speed,
        "armour": sheet.armour,
        "cc": sheet.cc,
        "ff": sheet.ff,
        "weapons": [weapon_line(w) for w in sheet.weapons],
        "notes": list(sheet.notes),
        "base": list(sheet.base),
        "height": sheet.height,
    }


def weapon_line(weapon: Weapon) -> str:
    """A weapon as it is written in a datasheet."""
    count = f"{weapon.count} x " if weapon.count > 1 else ""
    reach = f"{weapon.range}cm" if weapon.range else "(b/c)"
    parts = [_printed(weapon.firepower)] if weapon.firepower else []
    parts += ["Small Arms"] if weapon.small_arms else []
    return f"{count}{weapon.name} {reach} {' and '.join(parts) or 'Assault'}"


def _printed(fire: Firepower) -> str:
    dice = f"D{fire.die}x " if fire.die else f"{fire.dice}x " if fire.dice > 1 else ""
    return dice + "/".join(f"{kind}{fire.value(kind)}+" for kind in fire.kinds)
