"""From army lists and a mission to a battle."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.forty import enlist as shared
from sandtable.forty.enlist import Lists
from sandtable.forty.mission import Missions, begin_mission
from sandtable.forty.setup import Frame, Leaders, Structs
from sandtable.kit.missions import Mission, check_sizes
from sandtable.systems.w40k10.abilities.leader import check_leader, one_unit
from sandtable.systems.w40k10.core_concepts import check_unit, commander
from sandtable.systems.w40k10.datasheet import Sheet, check_sheet, to_sheet
from sandtable.systems.w40k10.mission import check_battlefield, check_size, read_mission
from sandtable.systems.w40k10.muster import MUSTER, check_muster, may_be_warlord, on_roster
from sandtable.systems.w40k10.objectives import MARKER
from sandtable.systems.w40k10.readings import READINGS
from sandtable.systems.w40k10.state import Data, Game, Player, Unit
from sandtable.systems.w40k10.terrain.hills import check_stacking
from sandtable.systems.w40k10.terrain.terrain_features import with_terrain

FRAME: Final = Frame(
    "w40k10",
    "Warhammer 40,000, 10th edition",
    READINGS,
    Structs(Unit, Player, Game, Data, Sheet),
    check_sheet,
    check_unit=check_unit,
    check_table=check_stacking,
    leaders=Leaders(check=check_leader, join=one_unit),
    shapes=(MARKER,),
)


def check_mission(mission: Mission, where: str) -> None:
    """Refuse a mission for battle sizes that there are not."""
    check_sizes(mission, where, MUSTER.battle_sizes)


LISTS: Final = Lists(to_sheet, check_muster, may_be_warlord, commander, on_roster)
MISSIONS: Final = Missions(read_mission, check_mission, check_size, check_battlefield, terrain=with_terrain)

assemble: Final = partial(shared.assemble, FRAME, LISTS)
"""The armies beside a table; nothing is checked here."""
build: Final = partial(begin_mission, FRAME, LISTS, MISSIONS)
"""Set-up and state of a battle that begins with the mission's first step."""
