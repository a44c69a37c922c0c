"""Mustering: what stands in for it."""

from __future__ import annotations

from functools import partial
from typing import Final

from sandtable.armies import ArmyList, Pack, check_list
from sandtable.forty import enlist as shared
from sandtable.forty import mustering
from sandtable.forty import setup as forty
from sandtable.forty.dataset_layouts import any_table
from sandtable.forty.enlist import Lists, Problem
from sandtable.forty.mission import Missions, begin_mission
from sandtable.forty.setup import Frame, Leaders, Structs
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.abilities import uses_rules_of
from sandtable.systems.w40k11.attached_units import check_attached, one_unit
from sandtable.systems.w40k11.concepts import commander
from sandtable.systems.w40k11.datasheet import Sheet, check_composition, check_sheet, to_sheet
from sandtable.systems.w40k11.mission import MISSION, check_battlefield, check_mission, check_size, read_mission
from sandtable.systems.w40k11.objectives import MARKER
from sandtable.systems.w40k11.readings import READINGS
from sandtable.systems.w40k11.state import Data, Game, Player, Unit

RULE: Final = "w40k11.gap.mustering"
UNLIMITED: Final = 10**9


class MUSTER(Facts):
    """What stands in for the limits of an army."""

    copies = fact(3, "w40k11.gap.mustering", neutral=UNLIMITED)
    """So many units of a datasheet an army has at most..."""
    more_copies = fact(6, "w40k11.gap.mustering", neutral=UNLIMITED)
    """...and so many of BATTLELINE and DEDICATED TRANSPORT."""
    enhancements = fact(3, "w40k11.gap.mustering", neutral=UNLIMITED)
    """So many Enhancements an army has at most."""


def problems(army: ArmyList, pack: Pack) -> list[Problem]:
    """Everything that is wrong with an army list."""
    if army.system != pack.header.system or pack.faction(army.faction) is None:
        return [Problem(text, RULE) for text in check_list(pack, army)]
    return [*check_limits(army, pack), *check_composition(army, pack)]


@rule("w40k11.gap.mustering", neutral=())
def check_limits(army: ArmyList, pack: Pack) -> list[Problem]:
    """Points, faction, a CHARACTER, copies, heroes, enhancements and the WARLORD."""
    return [
        *mustering.check_size(army, MISSION.sizes, "w40k11.gap.battle_size"),
        *mustering.check_faction(army, pack, RULE),
        *mustering.check_detachment(army, pack, RULE),
        *mustering.check_character(army, pack, RULE),
        *mustering.check_points(army, pack, RULE),
        *mustering.check_copies(army, pack, MUSTER.copies, MUSTER.more_copies, RULE),
        *mustering.check_epic_heroes(army, pack, RULE),
        *mustering.check_enhancements(army, pack, MUSTER.enhancements, RULE),
        *mustering.check_warlord(army, pack, RULE),
    ]


def may_be_warlord(sheet: Sheet) -> bool:
    """Whether a model of the Warlord's unit is the one."""
    return "CHARACTER" in sheet.keywords


FRAME: Final = Frame(
    "w40k11",
    "Warhammer 40,000, 11th edition",
    READINGS,
    Structs(Unit, Player, Game, Data, Sheet),
    check_sheet,
    check_unit=forty.check_unit,
    leaders=Leaders(check=check_attached, join=one_unit),
    shapes=(MARKER,),
)
LISTS: Final = Lists(to_sheet, problems, may_be_warlord, commander, of_faction=uses_rules_of)
MISSIONS: Final = Missions(read_mission, check_mission, check_size, check_battlefield, any_table)

assemble: Final = partial(shared.assemble, FRAME, LISTS)
"""The armies beside a table; nothing is checked here."""
build: Final = partial(begin_mission, FRAME, LISTS, MISSIONS)
"""Set-up and state of a battle that begins with the mission's first step."""
