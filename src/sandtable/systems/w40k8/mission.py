"""Fighting a battle: the mission and the battlefield."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from sandtable.armies import ArmyList
from sandtable.battle import DONE, Option, Step
from sandtable.errors import UserError
from sandtable.forty.enlist import Army
from sandtable.forty.mission import Missions, begin_mission
from sandtable.kit.dice import roll_off
from sandtable.kit.missions import Mission, check_sizes, missions_in, open_mission
from sandtable.rules import rule
from sandtable.systems.w40k8.battlefield import table_of
from sandtable.systems.w40k8.enlist import LISTS
from sandtable.systems.w40k8.setup import FRAME
from sandtable.systems.w40k8.state import Battle8, Setup8, State8
from sandtable.table.grid import steps
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
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        if str(name) not in missions():
            raise UserError(f"There is no mission '{name}'; missions are {', '.join(missions())}.")
        path = FOLDER / f"{name}.yaml"
    return open_mission(path, (ANY,))


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
    sides = sorted((table.width, table.depth), reverse=True)
    if sides[0] < steps(long) or sides[1] < steps(short):
        text = f'{mission.name} needs a battlefield of at least {long}" x {short}" [w40k8.battle.field].'
        raise UserError(text)


@rule("w40k8.battle.mission")
async def agree_on_mission(b: Battle8) -> Step:
    """Players who do not agree on a mission roll off, and the winner decides."""
    wishes = b.setup.data.wishes
    if not wishes:
        return DONE
    winner = roll_off(b, "w40k8.dice.roll_off")
    options = [Option(i, plan.mission.name) for i, plan in enumerate(wishes)]
    rules = ("w40k8.battle.mission",)
    picked = await b.choose(winner, "mission", "Which mission is played?", options, rules=rules)
    b.set_game(wish=int(str(picked)))
    name = wishes[int(str(picked))].mission.name
    b.tell("mission", f"{b.player(winner).name} picks {name}.", "w40k8.battle.mission")
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
