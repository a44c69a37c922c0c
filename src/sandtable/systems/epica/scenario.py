"""Scenario files of Epic: formations, their datasheets and where their stands are."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
import numpy as np

from sandtable.battle.fields import check_fields
from sandtable.battle.scenario import Scenario, UnitDoc, facings, marked, player_number, set_fields
from sandtable.battle.setup import Setup
from sandtable.battle.state import OFF, TABLE, Models, State
from sandtable.battle.system import System
from sandtable.battle.tables import build_table
from sandtable.battle.world import World
from sandtable.documents import convert
from sandtable.errors import UserError
from sandtable.systems.epica.datasheet import Sheet, check_sheet
from sandtable.systems.epica.library import SheetDoc, find_sheet, read_sheet
from sandtable.systems.epica.phases import PHASE_OF_STEP
from sandtable.systems.epica.state import Data, Formation, Game, Player
from sandtable.systems.epica.terrain import KINDS
from sandtable.table.grid import steps

NAME: Final = "Epic: Armageddon"
MOST_TURNS: Final = 20


class Extra(msgspec.Struct, forbid_unknown_fields=True):
    """What only Epic has in a scenario file."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=MOST_TURNS)] = 1


def from_scenario(system: System, doc: Scenario) -> tuple[Setup[Data], State[Formation, Player, Game]]:
    """Set-up and state of a scenario file."""
    setup, state = build(doc, system.settle_options(doc.options))
    check_fields(World(system, setup, state), {})
    return setup, state


def build(doc: Scenario, options: dict[str, str]) -> tuple[Setup[Data], State[Formation, Player, Game]]:
    """The same, where all options are settled."""
    for i, feature in enumerate(doc.table.terrain):
        if feature.kind not in KINDS:
            raise UserError(f"table.terrain[{i}]: '{feature.kind}' is no terrain of Epic: {', '.join(KINDS)}.")
    sheets: list[Sheet] = []
    sheet_of: list[int] = []
    rows: list[tuple[int, int, int]] = []
    turned: list[int] = []
    marks: list[int] = []
    place: list[int] = []
    units: list[Formation] = []
    for number, unit in enumerate(doc.units):
        kinds = _sheets(doc, unit)
        spots = _spots(unit, kinds)
        first = len(rows)
        marks += marked(unit, len(kinds), {}, f"units.{unit.name}")
        turned += facings(unit, len(kinds), f"units.{unit.name}")
        for kind, spot in zip(kinds, spots, strict=True):
            if kind not in sheets:
                sheets.append(kind)
            sheet_of.append(sheets.index(kind))
            rows.append((steps(spot[0]), steps(spot[1]), 0))
            place.append(OFF if unit.off else TABLE)
        formation = Formation(number, doc.players.index(unit.player), unit.name, tuple(range(first, len(rows))))
        set_fields(formation, unit.flags, f"units.{unit.name}.flags")
        units.append(formation)
    players = [Player(i, name, i) for i, name in enumerate(doc.players)]
    to_act = player_number(doc, doc.at.active) if doc.at.active else 0
    game = Game(to_act=to_act, phase=PHASE_OF_STEP.get(doc.at.step, ""))
    for name, fields in doc.state.items():
        if name != "game" and name not in doc.players:
            raise UserError(f"state: '{name}' is neither a player nor 'game'.")
        holder: Any = game if name == "game" else players[doc.players.index(name)]
        set_fields(holder, fields, f"state.{name}")
    models = Models(
        pos=np.array(rows, dtype=np.int64).reshape(len(rows), 3),
        facing=np.array(turned, dtype=np.int64),
        wounds=np.ones(len(rows), dtype=np.int64),
        place=np.array(place, dtype=np.int64),
        mark=np.array(marks, dtype=np.int64),
        unit=np.array([u.id for u in units for _ in u.models], dtype=np.int64),
    )
    data = Data(tuple(sheets), tuple(sheet_of), convert(doc.extra, Extra, "extra").turns)
    setup = Setup(
        system="epica",
        table=build_table(doc.table, "cm"),
        shapes=tuple(s.shape for s in sheets),
        shape_of=tuple(sheet_of),
        data=data,
        options=options,
    )
    return setup, State(models, units, players, game, segment="turn", round=doc.at.round)


def _sheets(doc: Scenario, unit: UnitDoc) -> list[Sheet]:
    """The datasheet of each stand: the formation's own, or what `loadout` says, stand by stand."""
    count = unit.models or len(unit.positions) or len(unit.loadout)
    if count < 1 or len(unit.loadout) > count:
        raise UserError(f"units.{unit.name}: a formation has stands, and its loadout names no more than there are.")
    names: list[str | dict[str, Any]] = [*unit.loadout, *[unit.sheet] * (count - len(unit.loadout))]
    return [_sheet(doc, name, unit.name) for name in names]


def _sheet(doc: Scenario, name: str | dict[str, Any], where: str) -> Sheet:
    if isinstance(name, str) and name not in doc.sheets:
        return find_sheet(name)
    raw = doc.sheets[name] if isinstance(name, str) else name
    label = name if isinstance(name, str) else where
    return read_sheet(label, convert(raw, SheetDoc, f"sheets.{label}"))


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


def check_sound(setup: Setup[Data], state: State[Formation, Player, Game]) -> None:
    """Refuse a start from a file that no battle can have."""
    data = setup.data
    for kind in data.sheets:
        check_sheet(kind)
    if len(data.sheet_of) != len(setup.shape_of) or any(not 0 <= row < len(data.sheets) for row in data.sheet_of):
        raise UserError("a stand has a datasheet that is not there.")
    if not 1 <= data.turns <= MOST_TURNS:
        raise UserError(f"a battle has 1 to {MOST_TURNS} turns.")
