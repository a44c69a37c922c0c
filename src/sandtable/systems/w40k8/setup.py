"""Setting a battle up: what 8th edition brings to armies, tables and scenario files."""

from __future__ import annotations

from typing import Final

from sandtable.forty.setup import Frame
from sandtable.systems.w40k8.datasheet import Sheet, check_sheet
from sandtable.systems.w40k8.objectives import MARKER
from sandtable.systems.w40k8.readings import READINGS
from sandtable.systems.w40k8.state import Data, Game, Player, Unit

SYSTEM_ID: Final = "w40k8"
NAME: Final = "Warhammer 40,000, 8th edition"


FRAME: Final = Frame(
    system=SYSTEM_ID,
    name=NAME,
    readings=READINGS,
    unit=Unit,
    player=Player,
    game=Game,
    data=Data,
    sheet=Sheet,
    check_sheet=check_sheet,
    shapes=(MARKER,),
)
