"""Fighting a battle: the mission and the battlefield."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from sandtable.armies import ArmyList
from sandtable.battle import DONE, Step
from sandtable.errors import UserError
from sandtable.forty.enlist import Army
from sandtable.forty.mission import Missions, begin_mission, pick_mission
from sandtable.kit.missions import Mission, check_sizes, find_mission, is_large_enough, missions_in, refuse_unknown
from sandtable.rules import rule
from sandtable.systems.w40k8.battlefield import table_of
from sandtable.systems.w40k8.dice import roll_off
from sandtable.systems.w40k8.enlist import LISTS
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.state import Battle8, Setup8, State8
from sandtable.table.layout import Table

FOLDER: Final = Path(__file__).parent / "missions"
ANY: Final = "any"
"""Armies of any size meet."""


@rule("w40k8.battle.mission", neutral=())
def missions() -> list[str]:
    """The missions that come with the system."""
    return missions_in(FOLDER)


def read_mission(name: str | Path) -> Mission:
    """A mission by its name, or from a file."""
    return find_mission(name, FOLDER, (ANY,), lambda known: refuse_unknown(known, missions()))


def check_mission(mission: Mission, where: str) -> None:
    """A mission is for armies of any size."""
    check_sizes(mission, where, (ANY,))


@rule("w40k8.gap.army_size", neutral=0)
def limit_of(mission: Mission, limits: Sequence[int]) -> int:
    """Armies need not be equal; what the larger is said to have at most is told."""
    return max(limits)


@rule("w40k8.battle.field")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission says, 6 by 4 feet as a rule, or larger."""
    long, short = mission.smallest[ANY]
    if not is_large_enough(table, (long, short)):
        text = f'{mission.name} needs a battlefield of at least {long}" x {short}" [w40k8.battle.field].'
        raise UserError(text)


@rule("w40k8.battle.mission")
async def agree_on_mission(b: Battle8) -> Step:
    """Players who do not agree on a mission roll off, and the winner decides."""
    if b.setup.data.wishes:
        await pick_mission(b, roll_off(b), "w40k8.battle.mission")
    return DONE


MISSIONS: Final = Missions(read_mission, check_mission, limit_of, check_battlefield)


def build(
    armies: Mapping[str, Army | ArmyList | str | Path],
    mission: str | Path | Mission,
    layout: str | Path | Table,
    options: Mapping[str, str] | None = None,
) -> tuple[Setup8, State8]:
    """Set-up and state of a battle that begins with the mission's first step."""
    return begin_mission(FRAME, LISTS, MISSIONS, armies, mission, table_of(layout), options or {})
