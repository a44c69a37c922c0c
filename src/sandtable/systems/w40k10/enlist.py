"""From army lists and a mission to a battle."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.forty import enlist as shared
from sandtable.forty.enlist import Lists
from sandtable.forty.mission import Missions, begin_mission
from sandtable.kit.missions import Mission, check_sizes
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.datasheet import Sheet, to_sheet
from sandtable.systems.w40k10.mission import check_battlefield, check_size, read_mission
from sandtable.systems.w40k10.muster import check_muster, commander, on_roster
from sandtable.systems.w40k10.setup import FRAME
from sandtable.systems.w40k10.terrain import with_terrain


def may_be_warlord(sheet: Sheet) -> bool:
    """Whether a model of the Warlord's unit is the one."""
    return "CHARACTER" in sheet.keywords


def check_mission(mission: Mission, where: str) -> None:
    """Refuse a mission for battle sizes that there are not."""
    check_sizes(mission, where, BOOK.battle_sizes)


LISTS: Final = Lists(to_sheet, check_muster, may_be_warlord, commander, on_roster)
MISSIONS: Final = Missions(read_mission, check_mission, check_size, check_battlefield, terrain=with_terrain)

assemble: Final = partial(shared.assemble, FRAME, LISTS)
"""The armies beside a table; nothing is checked here."""
build: Final = partial(begin_mission, FRAME, LISTS, MISSIONS)
"""Set-up and state of a battle that begins with the mission's first step."""
