"""What a battle of 8th edition keeps: units, players, and where the turn stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from sandtable.battle import Battle, Setup, State, World
from sandtable.battle.fields import EACH_PLAYER, PLAYER_OR_NOBODY, TEXT, UNIT, WORD, Numbers
from sandtable.forty import state as forty
from sandtable.forty.fields import COUNT, HALF, HALVES, INCHES, OUTLINE, POINTS, SPOT
from sandtable.forty.fighters import Sheet

STATIONARY: Final = forty.STATIONARY
NORMAL: Final = forty.NORMAL
ADVANCE: Final = forty.ADVANCE
FALL_BACK: Final = forty.FALL_BACK
ORDINARY: Final = (NORMAL, ADVANCE, FALL_BACK)
"""The moves of the Movement phase."""
MOVED: Final = 1
"""The mark of a model that has moved in this turn's Movement phase."""


class Unit(forty.Unit):
    """A unit on its way through the battle."""

    near: bool = False
    """An enemy was within 1" when this Movement or Charge phase began."""
    rolled_move: Annotated[int, INCHES] = 0
    """What was thrown for a random Move characteristic, in inches."""
    targets: tuple[Annotated[int, UNIT], ...] = ()
    """The units that it charged this turn."""
    slain: Annotated[int, COUNT] = 0
    """Models that it has lost this turn."""
    fled: tuple[forty.OwnModel, ...] = ()
    """Models that ran away."""
    tested: bool = False
    """Took its Morale test this turn."""
    intervened: bool = False
    """Made its Heroic Intervention this phase, or gave it up."""
    tried: tuple[tuple[forty.OwnModel, Annotated[str, TEXT]], ...] = ()
    """Which of its psykers tried to manifest which powers this turn."""
    generated: tuple[tuple[forty.OwnModel, Annotated[str, TEXT]], ...] = ()
    """Which of its psykers generated which powers before the battle."""
    denied: tuple[forty.OwnModel, ...] = ()
    """Which of its psykers tried to deny a power this turn, once for each time."""


class Player(forty.Player):
    """A player."""

    rerolls: Annotated[int, POINTS] = 0
    """Command re-rolls that are left."""
    trait: Annotated[str, WORD] = ""
    """The trait of the Warlord, in lower case; empty for none, or before it is known."""


class Game(forty.Game):
    """Where the turn stands."""

    primary: Annotated[int, Numbers(0, 3)] = 0
    """The primary objective by its number; 0 while none is determined."""
    roller: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who rolled for the primary objective, and assigns the deployment zones."""
    halves: Annotated[tuple[Annotated[tuple[Annotated[tuple[int, int], SPOT], ...], OUTLINE], ...], HALVES] = ()
    """The outlines of the two halves of the battlefield, once it is divided."""
    zones: Annotated[tuple[Annotated[int, HALF], ...], EACH_PLAYER] = ()
    """For each player which half is the own deployment zone."""
    unjudged: bool = False
    """Something goes on that may slay models of both armies; only its end shows whether one is wiped out."""
    underdog: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Whose army has the lower Power Level; -1 before that is known."""


class Data(forty.Data, frozen=True, kw_only=True):
    """What the armies brought, and how long is played."""

    sheets: tuple[Sheet, ...]


Battle8: TypeAlias = Battle[Unit, Player, Game, Data]
World8: TypeAlias = World[Unit, Player, Game, Data]
State8: TypeAlias = State[Unit, Player, Game]
Setup8: TypeAlias = Setup[Data]


sheet_of: Final[Callable[[World8, int], Sheet]] = forty.sheet_of
"""The datasheet of a model."""


def unit_of(w: World8, model: int) -> Unit:
    """The unit that a model belongs to."""
    return w.unit(int(w.state.models.unit[model]))
