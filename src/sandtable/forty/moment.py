"""A moment of a battle written down as a scenario file: what stands where, with which datasheets and how many wounds.

Leaders are written as models of the units that they lead, and abilities that army lists bring are left out; what a view
hides is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from sandtable.battle.state import GONE, TABLE
from sandtable.battle.tables import feature_doc, in_units
from sandtable.forty.markers import on_the_table
from sandtable.forty.state import World40, sheet_of, weapons_of
from sandtable.kit.written import changed, own_names, stage
from sandtable.table.grid import TURN

#: What follows from the rest of the file, or belongs to units as the armies brought them.
FOLLOWS: Final = frozenset(
    {"id", "player", "name", "models", "single", "strength", "leader", "leader_strength", "leader_names", "former"}
    | {"embarked", "lent", "emptied", "last_stand", "side", "plans", "scored", "spent", "phase", "wish"}
)


def moment(w: World40) -> dict[str, Any]:
    """The moment as a scenario file holds it."""
    state, system = w.state, w.system
    players = [str(p.name) for p in state.players]
    sheets: dict[int, str] = {}
    units = list(_units(w, players, sheets))
    data = w.setup.data
    doc: dict[str, Any] = {
        "scenario": f"Round {state.round}, {stage(state, state.game.phase or 'before the first turn')}",
        "system": system.id,
        "question": "What can be done from here?",
        "table": {
            "size": [in_units(w.table.width), in_units(w.table.depth)],
            "terrain": [feature_doc(f) for f in (*w.table.features, *state.features)],
        },
        "players": players,
        "sheets": {name: _plain(data.sheets[i]) for i, name in sheets.items()},
        "units": units,
        "at": {
            "step": system.segments[state.segment][state.step].__name__,
            "round": state.round,
            "active": players[state.active],
        },
        "options": {name: value for name, value in w.setup.options.items() if value != _usual(w, name)},
        "objectives": [[in_units(v) for v in place] for place in on_the_table(w)],
        "state": {str(p.name): flags for p in state.players if (flags := changed(p, FOLLOWS))},
        "extra": {"rounds": data.rounds},
    }
    return {key: value for key, value in doc.items() if value not in ({}, [])}


def _usual(w: World40, name: str) -> str:
    return next((r.values[0] for r in w.system.readings if r.name == name), "matter")


def _units(w: World40, players: list[str], sheets: dict[int, str]) -> Iterator[dict[str, Any]]:
    place, wounds = w.state.models.place, w.state.models.wounds
    names = own_names(str(unit.name) for unit in w.state.units)
    for unit in w.state.units:
        models = [m for m in unit.models if place[m] != GONE]
        if not models:
            continue
        kits = [w.setup.data.kits[m] for m in models]
        for kit in kits:
            sheets.setdefault(kit.sheet, _sheet_name(w, kit.sheet, sheets))
        doc: dict[str, Any] = {"name": names[unit.id], "player": players[unit.player], "sheet": sheets[kits[0].sheet]}
        if all(place[m] == TABLE for m in models):
            doc["positions"] = [_place(w, m) for m in models]
            doc["facing"] = round(int(w.state.models.facing[models[0]]) * 360 / TURN, 2)
        else:
            doc |= {"models": len(models), "off": True}
        lost = {i: int(wounds[m]) for i, m in enumerate(models, 1) if wounds[m] != sheet_of(w, m).wounds}
        loadout = [
            {
                "models": [i for i, other in enumerate(kits, 1) if other == kit],
                "sheet": sheets[kit.sheet],
                "weapons": list(dict.fromkeys(weapon.name for weapon in weapons_of(w, models[kits.index(kit)]))),
            }
            for kit in dict.fromkeys(kits)
        ]
        flags = changed(unit, FOLLOWS)
        if unit.embarked >= 0:
            flags["embarked"] = names[unit.embarked]
        yield doc | {k: v for k, v in (("wounds", lost), ("loadout", loadout), ("flags", flags)) if v}


def _sheet_name(w: World40, sheet: int, known: dict[int, str]) -> str:
    name, number = str(w.setup.data.sheets[sheet].name), 2
    free = name
    while free in known.values():
        free, number = f"{name} {number}", number + 1
    return free


def _plain(sheet: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(sheet)
    return found


def _place(w: World40, model: int) -> list[float]:
    x, y, z = (in_units(int(v)) for v in w.state.models.pos[model])
    return [x, y, z] if z else [x, y]
