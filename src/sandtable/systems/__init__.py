"""The rules systems, by id. Each is a folder here, and is imported when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sandtable.errors import UserError

if TYPE_CHECKING:
    from sandtable.battle.system import System
    from sandtable.forty.odds.matchups import Matchups

#: Every system that Sandtable may import; a file from outside can name no other module.
IDS: Final = ("w40k4", "w40k8", "w40k10", "w40k11", "epica")

DEFAULT: Final = "w40k10"


def known() -> tuple[str, ...]:
    """The systems that can be played."""
    folder = Path(__file__).parent
    return tuple(name for name in IDS if (folder / name / "system.py").is_file())


def with_odds() -> tuple[str, ...]:
    """The systems that tell of units without a battle."""
    folder = Path(__file__).parent
    return tuple(name for name in IDS if (folder / name / "matchups.py").is_file())


def matchups(system_id: str) -> Matchups:
    """What a system tells of units without a battle: without loading all that a battle needs."""
    if system_id in IDS and not (Path(__file__).parent / system_id / "matchups.py").is_file():
        raise UserError(f"{get(system_id).name} tells no odds yet.")
    if system_id not in IDS:
        get(system_id)
    found: Matchups = import_module(f"sandtable.systems.{system_id}.matchups").MATCHUPS
    return found


def get(system_id: str) -> System:
    """A system by its id."""
    playable = ", ".join(known()) or "none yet"
    if system_id not in IDS:
        raise UserError(f"There is no rules system '{system_id}'; systems that can be played: {playable}.")
    name = f"sandtable.systems.{system_id}.system"
    try:
        system: System = import_module(name).SYSTEM
    except ModuleNotFoundError as error:
        if error.name not in (name, name.rpartition(".")[0]):
            raise
        raise UserError(f"'{system_id}' cannot be played yet; systems that can be played: {playable}.") from None
    return system
