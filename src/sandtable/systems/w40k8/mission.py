"""Fighting a battle: the mission and the battlefield."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from sandtable.battle import DONE, Step
from sandtable.battle.tables import TableDoc
from sandtable.errors import UserError
from sandtable.forty.mission import Missions, begin_mission, pick_mission
from sandtable.kit.layouts import find_table, layouts, scattered, spread
from sandtable.kit.missions import Mission, check_sizes, find_mission, is_large_enough, missions_in, refuse_unknown
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.dice import roll_off
from sandtable.systems.w40k8.enlist import FRAME, LISTS
from sandtable.systems.w40k8.state import Battle8
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


@rule("w40k8.gap.army_size", neutral=0)
def limit_of(mission: Mission, limits: Sequence[int]) -> int:
    """Armies need not be equal; what the larger is said to have at most is told."""
    return max(limits)


@rule("w40k8.battle.field")
def check_battlefield(mission: Mission, limit: int, table: Table) -> None:
    """The battlefield is as large as the mission says, 6 by 4 feet as a rule, or larger."""
    long, short = mission.smallest[ANY]
    if not is_large_enough(table, (long, short)):
        raise UserError(f'{mission.name} needs a battlefield of at least {long}" x {short}" [w40k8.battle.field].')


@rule("w40k8.battle.mission")
async def agree_on_mission(b: Battle8) -> Step:
    """Players who do not agree on a mission roll off, and the winner decides."""
    if b.setup.data.wishes:
        await pick_mission(b, roll_off(b), "w40k8.battle.mission")
    return DONE


def table_of(layout: str | Path) -> Table:
    """The table of a layout; "random-SEED" is generated, and what is known by name is spread over the battlefield."""
    table = find_table(layout, generate)
    return spread(table, BOOK.battlefield) if str(layout) in layouts() else table


@rule("w40k8.battle.field", "w40k8.battle.terrain", neutral=TableDoc((24, 24)))
def generate(seed: int) -> TableDoc:
    """A battlefield with one or two features in each area of 2 by 2 feet; the seed says which, and where."""
    return scattered(seed, BOOK.battlefield, BOOK.terrain_part, fewest=1, most=2)


MISSIONS: Final = Missions(read_mission, partial(check_sizes, sizes=(ANY,)), limit_of, check_battlefield, table_of)
build: Final = partial(begin_mission, FRAME, LISTS, MISSIONS)
"""Set-up and state of a battle that begins with the mission's first step."""
