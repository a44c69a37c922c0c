"""What a battle of 10th edition keeps: units, players, and where the turn stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from sandtable.battle import Battle, Setup, State, World
from sandtable.battle.fields import UNIT_OR_NONE
from sandtable.forty import state as forty
from sandtable.forty.fields import INCHES
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.table.grid import steps

FAR: Final = steps(120)
"""Further than any table is long"""
UNLIMITED: Final = 10**9

STATIONARY: Final = forty.STATIONARY
NORMAL: Final = forty.NORMAL
ADVANCE: Final = forty.ADVANCE
FALL_BACK: Final = forty.FALL_BACK
MOVES: Final = (NORMAL, ADVANCE, FALL_BACK)

# Bits of a model's mark.
ALLOCATED: Final = 1
"""Attacks were allocated to it this phase."""


Player: TypeAlias = forty.Commander


class Unit(forty.Unit):
    """A unit on its way through the battle."""

    battle_shocked: bool = False
    tested: bool = False
    """Took its Battle-shock test this Command phase."""
    rolled_move: Annotated[int, INCHES] = 0
    """Inches of a random Move characteristic, rolled when the unit was selected to move."""
    near: bool = False
    """An enemy was within 12" when this Charge phase began."""
    intervened: bool = False
    """Its Charge move came from Heroic Intervention: no Charge bonus."""
    fight_eligible: bool = False
    """Was eligible to fight when this Fight phase began."""
    held_back: bool = False
    """Was to arrive this turn, and stays in Reserves."""
    stays_aboard: bool = False
    """Could have disembarked this turn, and stayed in its transport."""
    hover: bool = False
    """An AIRCRAFT in Hover mode, which is none for the whole battle."""
    due: bool = False
    """An AIRCRAFT that left the battlefield, and arrives again in its player's next turn."""
    scouted: bool = False
    """Made its Scouts move, or gave it up."""


class Game(forty.Game):
    """Where the turn stands."""

    forced: Annotated[int, UNIT_OR_NONE] = -1
    """The unit that must fight next."""


class Data(forty.Data, frozen=True, kw_only=True):
    """What the armies brought, and what is fought over."""

    sheets: tuple[Sheet, ...]
    rounds: int = 5


Battle10: TypeAlias = Battle[Unit, Player, Game, Data]
World10: TypeAlias = World[Unit, Player, Game, Data]
State10: TypeAlias = State[Unit, Player, Game]
Setup10: TypeAlias = Setup[Data]

sheet_of: Final[Callable[[World10, int], Sheet]] = forty.sheet_of
"""The datasheet of a model."""
weapons_of: Final[Callable[[World10, int], list[Weapon]]] = forty.weapons_of
"""The weapon profiles that a model carries."""
