"""Scenario files of Epic: formations, their datasheets and where their stands are."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from sandtable.battle.scenario import Scenario, UnitDoc
from sandtable.battle.setup import Setup
from sandtable.battle.state import OFF, TABLE, Models, State
from sandtable.battle.tables import build_table
from sandtable.errors import UserError
from sandtable.systems.epica.datasheet import Sheet
from sandtable.systems.epica.library import SheetDoc, find_sheet, read_sheet
from sandtable.systems.epica.state import Data, Formation, Game, Player
from sandtable.systems.epica.terrain import TERRAIN
from sandtable.table.grid import facing, steps

FIXED = ("id", "player", "name", "models", "side")
"""Fields that follow from the rest of the file."""


def build(doc: Scenario) -> tuple[Setup[Data], State[Formation, Player, Game]]:
    """Set-up and state of a scenario file."""
    for i, feature in enumerate(doc.table.terrain):
        if feature.kind not in TERRAIN:
            raise UserError(f"table.terrain[{i}]: '{feature.kind}' is no terrain of Epic: {', '.join(TERRAIN)}.")
    sheets: list[Sheet] = []
    sheet_of: list[int] = []
    rows: list[tuple[int, int, int]] = []
    turned: list[int] = []
    place: list[int] = []
    units: list[Formation] = []
    for number, unit in enumerate(doc.units):
        kinds = _sheets(doc, unit)
        spots = _spots(unit, kinds)
        first = len(rows)
        for kind, spot in zip(kinds, spots, strict=True):
            if kind not in sheets:
                sheets.append(kind)
            sheet_of.append(sheets.index(kind))
            rows.append((steps(spot[0]), steps(spot[1]), 0))
            turned.append(facing(unit.facing))
            place.append(OFF if unit.off else TABLE)
        formation = Formation(number, doc.players.index(unit.player), unit.name, tuple(range(first, len(rows))))
        _set(formation, unit.flags, f"units.{unit.name}.flags")
        units.append(formation)
    players = [Player(i, name, i) for i, name in enumerate(doc.players)]
    game = Game(to_act=doc.players.index(doc.at.active) if doc.at.active else 0)
    for name, fields in doc.state.items():
        if name != "game" and name not in doc.players:
            raise UserError(f"state: '{name}' is neither a player nor 'game'.")
        _set(game if name == "game" else players[doc.players.index(name)], fields, f"state.{name}")
    models = Models(
        pos=np.array(rows, dtype=np.int64).reshape(len(rows), 3),
        facing=np.array(turned, dtype=np.int64),
        wounds=np.ones(len(rows), dtype=np.int64),
        place=np.array(place, dtype=np.int64),
        mark=np.zeros(len(rows), dtype=np.int64),
        unit=np.array([u.id for u in units for _ in u.models], dtype=np.int64),
    )
    data = Data(tuple(sheets), tuple(sheet_of), int(doc.extra.get("turns", 1)))
    setup = Setup(
        system="epica",
        table=build_table(doc.table, "cm"),
        shapes=tuple(s.shape for s in sheets),
        shape_of=tuple(sheet_of),
        data=data,
        options={"windows": "matter", **doc.options},
    )
    return setup, State(models, units, players, game, segment="turn", round=doc.at.round)


def _sheets(doc: Scenario, unit: UnitDoc) -> list[Sheet]:
    """The datasheet of each stand: the formation's own, or what `loadout` says, stand by stand."""
    count = unit.models or len(unit.positions) or len(unit.loadout)
    names: list[str | dict[str, Any]] = [*unit.loadout, *[unit.sheet] * (count - len(unit.loadout))]
    return [_sheet(doc, name, unit.name) for name in names]


def _sheet(doc: Scenario, name: str | dict[str, Any], where: str) -> Sheet:
    if isinstance(name, str) and name not in doc.sheets:
        return find_sheet(name)
    raw = doc.sheets[name] if isinstance(name, str) else name
    label = name if isinstance(name, str) else where
    try:
        return read_sheet(label, msgspec.convert(raw, SheetDoc, strict=False))
    except msgspec.ValidationError as error:
        raise UserError(f"sheets.{label}: {error}.") from None


def _spots(unit: UnitDoc, kinds: list[Sheet]) -> list[tuple[float, float]]:
    """Where the middles of the stands are, in centimetres."""
    count = len(kinds)
    if unit.positions:
        if len(unit.positions) != count:
            raise UserError(f"units.{unit.name}: {count} stands, but {len(unit.positions)} positions.")
        return [(float(p[0]), float(p[1])) for p in unit.positions]
    if unit.line is not None:
        (ax, ay), (bx, by) = unit.line.start[:2], unit.line.end[:2]
        last = max(count - 1, 1)
        return [(ax + (bx - ax) * i / last, ay + (by - ay) * i / last) for i in range(count)]
    if unit.block is not None:
        pitch = max(max(k.base) for k in kinds) + unit.block.gap
        x, y = unit.block.at[:2]
        return [(x + pitch * (i % unit.block.columns), y + pitch * (i // unit.block.columns)) for i in range(count)]
    if unit.off:
        return [(0.0, 0.0)] * count
    raise UserError(f"units.{unit.name}: say where it stands, with positions, a line or a block.")


def _set(holder: Any, fields: dict[str, Any], where: str) -> None:
    known = {f.name: f.type for f in msgspec.structs.fields(type(holder)) if f.name not in FIXED}
    for name, value in fields.items():
        if name not in known:
            raise UserError(f"{where}: there is no '{name}'; there are {', '.join(known)}.")
        try:
            setattr(holder, name, msgspec.convert(value, known[name], strict=True))
        except msgspec.ValidationError as error:
            raise UserError(f"{where}.{name}: {error}.") from None
