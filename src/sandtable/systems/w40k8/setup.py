"""Setting a battle up: what 8th edition brings to armies, tables and scenario files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.errors import UserError
from sandtable.forty import setup as shared
from sandtable.forty.setup import Frame, UnitList
from sandtable.systems.w40k8.datasheet import Sheet, check_sheet
from sandtable.systems.w40k8.objectives import MARKER
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.state import Data, Game, Player, Setup8, State8, Unit
from sandtable.table.layout import Table

SYSTEM_ID: Final = "w40k8"
NAME: Final = "Warhammer 40,000, 8th edition"


def check_unit(brought: UnitList) -> None:
    """A unit has models, or one."""
    if not brought.models:
        raise UserError(f"{brought.name}: a unit has at least one model.")


def check_table(table: Table) -> None:
    """Any terrain will do."""


def begin(names: Sequence[str], data: Data) -> tuple[list[Player], Game]:
    """The players and the game when a battle begins."""
    return [Player(i, name, i) for i, name in enumerate(names)], Game(control=(-1,) * len(data.objectives))


FRAME: Final = Frame(
    system=SYSTEM_ID,
    name=NAME,
    readings=READINGS,
    unit=Unit,
    player=Player,
    game=Game,
    data=Data,
    sheet=Sheet,
    begin=begin,
    check_sheet=check_sheet,
    check_unit=check_unit,
    check_table=check_table,
    shapes=(MARKER,),
)


def check_sound(setup: Setup8, state: State8) -> None:
    """Refuse a start from a file that no battle can have."""
    shared.check_sound(FRAME, setup, state)
