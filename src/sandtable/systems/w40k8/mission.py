"""Fighting a battle: the mission and the battlefield."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from sandtable.battle import DONE, Step
from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.errors import UserError
from sandtable.forty.mission import Missions, begin_mission, pick_mission
from sandtable.kit.layouts import GENERATED, Chance, block, find_table, layouts, named, ruin, spread, woods
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
PIECES: Final = (("ruins", 8, 6), ("woods", 7, 6), ("crater", 5, 5), ("barricade", 5, 0.5), ("hill", 6, 4))
"""Kinds of features with their measures."""
INSET: Final = 2
"""Inches that features keep from the edges of their part of the battlefield."""


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


# --- The battlefield: its measures, and terrain that is placed by chance ---------------------------------------------


def table_of(layout: str | Path) -> Table:
    """The table of a layout; "random-SEED" is generated, and what is known by name is spread over the battlefield."""
    seed = str(layout).removeprefix(GENERATED)
    if str(layout).startswith(GENERATED) and seed.isascii() and seed.isdigit() and len(seed) < 19:
        return build_table(generate(int(seed)), "in")
    table = find_table(layout)
    return spread(table, BOOK.battlefield) if str(layout) in layouts() else table


@rule("w40k8.battle.field", "w40k8.battle.terrain", neutral=TableDoc((24, 24)))
def generate(seed: int) -> TableDoc:
    """A battlefield with one or two features in each area of 2 by 2 feet; the seed says which, and where."""
    chance, size = Chance(seed), BOOK.battlefield
    part, features = BOOK.terrain_part, []
    for x in range(0, size[0], part):
        for y in range(0, size[1], part):
            for half in range(1 + chance.below(2)):
                features.append(_piece(chance, x, y + half * part // 2, part, part // 2))
    return TableDoc(size, named(features))


def _piece(chance: Chance, x: int, y: int, width: int, depth: int) -> FeatureDoc:
    """A feature somewhere in a part of the battlefield."""
    kind, w, d = PIECES[chance.below(len(PIECES))]
    px = x + INSET + chance.below(int(width - 2 * INSET - w) + 1)
    py = y + INSET + chance.below(int(depth - 2 * INSET - d) + 1)
    if kind == "ruins":
        return ruin(px, py, w, d, chance.below(4))
    return woods(px, py, w, d) if kind == "woods" else block(kind, px, py, w, d)


MISSIONS: Final = Missions(read_mission, check_mission, limit_of, check_battlefield, table_of)
build: Final = partial(begin_mission, FRAME, LISTS, MISSIONS)
"""Set-up and state of a battle that begins with the mission's first step."""
