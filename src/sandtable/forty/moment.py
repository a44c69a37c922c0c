"""A moment of a battle written down as a scenario file, so that whoever opens it plays on as if nothing had happened.

All units are in it in their order, also the fallen, so that units, models and abilities keep their numbers. What a view
hides is not in it, nor a question that was open in the middle of something: it goes on where the step would go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from sandtable.battle.scenario import UNASKED, facing_doc
from sandtable.battle.state import GONE, TABLE
from sandtable.battle.tables import feature_doc, in_units
from sandtable.forty.fields import only_while_acting
from sandtable.forty.markers import markers_of
from sandtable.forty.mission import mission_of, zones_of
from sandtable.forty.mustered import mustered
from sandtable.forty.scenario import Files
from sandtable.forty.state import Unit, World40, sheet_of, weapons_of
from sandtable.kit.written import at, changed, own_names, plain, stage

#: What follows from the rest of the file.
FOLLOWS: Final = frozenset(
    {"id", "player", "name", "models", "single", "leader", "leader_strength", "leader_names", "embarked"}
    | {"side", "wish", "markers"}
)
DECLARING: Final = "declare_"
"""How the steps begin in which formations are written down"""


def moment(w: World40) -> dict[str, Any]:
    """The moment as a scenario file holds it."""
    state, system = w.state, w.system
    players = [str(p.name) for p in state.players]
    sheets = dict(enumerate(own_names(str(sheet.name) for sheet in w.setup.data.sheets)))
    data = w.setup.data
    doc: dict[str, Any] = {
        "scenario": f"Round {state.round}, {stage(state, state.game.phase or 'before the first turn')}",
        "system": system.id,
        "question": UNASKED,
        "table": {
            "size": [in_units(w.table.width), in_units(w.table.depth)],
            "terrain": [feature_doc(f) for f in (*w.table.features, *state.features)],
        },
        "players": players,
        "sheets": {sheets[i]: plain(sheet) | {"name": str(sheet.name)} for i, sheet in enumerate(data.sheets)},
        "units": list(_units(w, players, sheets)),
        "at": _at(w),
        "options": {name: value for name, value in w.setup.options.items() if value != _usual(w, name)},
        "objectives": [[in_units(v) for v in place] for place in markers_of(w)],
        "state": _state(w),
        "extra": _extra(w),
    }
    return {key: value for key, value in doc.items() if value not in ({}, [])}


def _at(w: World40) -> dict[str, Any]:
    """When the moment is; as long as formations are a secret, they are declared again."""
    here, names = at(w), [flow.__name__ for flow in w.system.segments[w.state.segment]]
    declaring = [name for name in names if name.startswith(DECLARING)]
    if not declaring:
        return here
    first, last = names.index(declaring[0]), names.index(declaring[-1])
    # What somebody has written down is not in a view of others: the step that reveals it follows the last of these.
    return here | {"step": declaring[0]} if first <= w.state.step <= last + 1 else here


def _usual(w: World40, name: str) -> str:
    return next((r.values[0] for r in w.system.readings if r.name == name), "matter")


def _state(w: World40) -> dict[str, Any]:
    """What players and the game have come to."""
    holders = {str(p.name): p for p in w.state.players} | {"game": w.state.game}
    found = {name: _changed(holder) for name, holder in holders.items()}
    if w.state.game.phase == w.system.seam(Files).phases.get(at(w)["step"]):
        found["game"].pop("phase", None)
    return {name: fields for name, fields in found.items() if fields}


def _changed(holder: msgspec.Struct) -> dict[str, Any]:
    """What has changed about a unit, a player or the game, but for what lasts only while somebody acts."""
    return changed(holder, FOLLOWS | only_while_acting(type(holder)))


def _extra(w: World40) -> dict[str, Any]:
    """The mission with its zones, and what the armies brought."""
    data = w.setup.data
    mission = mission_of(w)
    zones = zones_of(w)
    found: dict[str, Any] = {"rounds": data.rounds, "turns": data.turns, "mission": mission and plain(mission)}
    if zones:
        corners = [[[in_units(x), in_units(y)] for x, y in zone] for zone in zones]
        found["zones"] = dict(zip(("attacker", "defender"), corners, strict=True))
    found["mustered"] = mustered(w)
    return {name: value for name, value in found.items() if value}


# --- Units ------------------------------------------------------------------------------------------------------------


def _units(w: World40, players: list[str], sheets: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """All units as they were before Leaders joined, which are written as units that lead others."""
    parts = list(_parts(w))
    names = own_names(name for name, _, _ in parts)
    called = {unit.id: name for name, (_, unit, rows) in zip(names, parts, strict=True) if not _led(unit, rows)}
    for name, (_, unit, rows) in zip(names, parts, strict=True):
        flags = {"leads": called[unit.id]} if _led(unit, rows) else _changed(unit)
        if flags.get("strength") == len(rows):
            del flags["strength"]
        if unit.embarked >= 0:
            flags["embarked"] = called[unit.embarked]
        doc = {"name": name, "player": players[unit.player]} | _models(w, rows, sheets)
        marks = _marks(w, rows, flags)
        yield doc | ({"flags": flags} if flags else {}) | ({"marks": marks} if marks else {})


def _marks(w: World40, rows: list[int], flags: Mapping[str, Any]) -> dict[str, Any]:
    """What is remembered of single models, where the flags of their unit do not say it."""
    found: dict[str, Any] = {}
    for name, mark in w.system.seam(Files).marks.items():
        numbers = [i for i, m in enumerate(rows, 1) if w.state.models.mark[m] & mark.bit]
        if numbers != (list(range(1, len(rows) + 1)) if mark.implied(flags) else []):
            found[name] = "all" if len(numbers) == len(rows) else numbers
    return found


def _parts(w: World40) -> Iterator[tuple[str, Unit, list[int]]]:
    """Each unit of the file: what it was called, the unit that its models are in, and its models."""
    roster, units = w.setup.data.roster, w.state.units
    # Leaders of made-up armies are in their units from the start, and on no roster.
    each = sum(entry.models for entry in roster) == len(w.setup.data.kits)
    first = 0
    for unit in units:
        rows = list(unit.models)
        if each:
            rows = list(range(first, first + roster[unit.id].models))
            first += len(rows)
        own = [m for m in rows if m not in unit.leader]
        if own:
            now = units[int(w.state.models.unit[own[0]])]
            yield _name_before(unit, now, own), now, own
        if not each:
            for name in dict.fromkeys(unit.leader_names):
                yield name, unit, [m for m, of in zip(unit.leader, unit.leader_names, strict=True) if of == name]


def _name_before(unit: Unit, now: Unit, rows: list[int]) -> str:
    """What a unit was called before its Leaders joined it, or before it joined others as their Leader."""
    if rows[0] in now.leader:
        return now.leader_names[now.leader.index(rows[0])]
    return str(unit.former or unit.name)


def _led(unit: Unit, rows: list[int]) -> bool:
    return rows[0] in unit.leader


def _models(w: World40, rows: list[int], sheets: Mapping[int, str]) -> dict[str, Any]:
    """Who the models of a unit are, where they stand, and what is left of them."""
    models = w.state.models
    kits = [w.setup.data.kits[m] for m in rows]
    doc: dict[str, Any] = {"sheet": sheets[kits[0].sheet]}
    if any(models.place[m] == TABLE for m in rows):
        doc["positions"] = [_place(w, m) for m in rows]
        doc["facing"] = facing_doc([int(models.facing[m]) for m in rows])
    else:
        doc |= {"models": len(rows), "off": True}
    left = {i: 0 if models.place[m] == GONE else int(models.wounds[m]) for i, m in enumerate(rows, 1)}
    lost = {i: n for i, n in left.items() if n != sheet_of(w, rows[i - 1]).wounds}
    loadout = [
        {
            "models": [i for i, other in enumerate(kits, 1) if other == kit],
            "sheet": sheets[kit.sheet],
            "weapons": list(dict.fromkeys(weapon.name for weapon in weapons_of(w, rows[kits.index(kit)]))),
        }
        for kit in dict.fromkeys(kits)
    ]
    return doc | ({"wounds": lost} if lost else {}) | {"loadout": loadout}


def _place(w: World40, model: int) -> list[float]:
    x, y, z = (in_units(int(v)) for v in w.state.models.pos[model])
    return [x, y, z] if z else [x, y]
