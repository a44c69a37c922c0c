"""What a battle of 11th edition keeps: units, players, and where the turn stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

from sandtable.battle import Battle, Setup, State, World
from sandtable.battle.fields import EACH_MODEL, TEXT, UNIT_OR_NONE, WORD, Numbers, Words
from sandtable.forty import state as forty
from sandtable.forty.fields import ARM_OF_THE_UNIT, COUNT, INCHES, STEPS, TURNS, Empty
from sandtable.systems.w40k11.datasheet import Sheet, Weapon

STATIONARY, NORMAL, ADVANCE, FALL_BACK = forty.STATIONARY, forty.NORMAL, forty.ADVANCE, forty.FALL_BACK
DESPERATE: Final = "desperate"
"""A Fall-back move by desperate escape; FALL_BACK is one by ordered retreat. `moved` is FALL_BACK after both."""
MOVES: Final = (NORMAL, ADVANCE, FALL_BACK)
STRATEGIC: Final = "strategic"
"""What `reserve` says of units in strategic reserves"""
LONG_AGO: Final = -9
"""A turn that no rule looks back to"""
FIRST, REMAINING = "first", "remaining"
"""The stages of the Fight step"""


Player: TypeAlias = forty.Commander


class Unit(forty.Unit):
    """A unit on its way through the battle."""

    battle_shocked: bool = False
    rolled: bool = False
    """Made its battle-shock roll this Command phase."""
    rolled_move: Annotated[int, INCHES] = 0
    """Inches of a random Move characteristic, rolled when the unit was selected to move."""
    skies: bool = False
    """Takes to the skies in the move that it makes."""
    walked: Annotated[tuple[Annotated[int, STEPS], ...], EACH_MODEL] = ()
    """For each of its models how far it has moved this turn, in grid steps; empty where nobody has."""
    shooting: Annotated[str, WORD] = ""
    """The shooting type that it uses, or used this phase."""
    revealed: Annotated[int, Numbers(LONG_AGO, TURNS.most)] = LONG_AGO
    """The number of the last turn in which it made ranged attacks."""
    picked: tuple[tuple[Annotated[str, ARM_OF_THE_UNIT], Annotated[str, TEXT]], ...] = ()
    """Of weapons that have an ability more than once, the instance that they use in these attacks."""
    numbers: Annotated[tuple[tuple[int, str, int], ...], Empty("it selects targets")] = ()
    """Models whose random number of melee attacks was rolled so that they can be split: with what, and how many."""
    engaged_before: bool = False
    """Was engaged when this Fight step began."""
    could_fight: bool = False
    """Was eligible to fight in this Fight phase, whether it did or not."""
    piled_in: bool = False
    consolidated: bool = False
    overruns: bool = False
    """Makes an overrun fight."""
    action: Annotated[str, WORD] = ""
    """The action that it performs."""
    acted: Annotated[str, WORD] = ""
    """The action that it started this turn, whether it was stopped or not."""
    ingressed: bool = False
    """Has made an ingress move in this battle."""
    repositioned: bool = False
    """Was put into strategic reserves during the battle."""
    stirred: Annotated[str, TEXT] = ""
    """The phase in which it moved last..."""
    surged: Annotated[str, TEXT] = ""
    """...and in which it surged."""
    mobile: bool = False
    """Is MOBILE for the move that it makes."""
    scouted: bool = False
    """Made its scout move, or gave it up."""


class Game(forty.Recall):
    """Where the turn stands."""

    stage: Annotated[str, Words((FIRST, REMAINING))] = ""
    """The stage of the Fight step in which a unit was selected last: "first" or "remaining"; empty for none yet."""
    forced: Annotated[int, UNIT_OR_NONE] = -1
    """The unit that must fight next."""
    passes: Annotated[int, COUNT] = 0
    """How many players in a row have passed in the Fight step."""
    done: Annotated[int, COUNT] = 0
    """How many players have made all moves that they want in the Pile In or the Consolidate step."""
    down: Annotated[tuple[int, ...], Empty("attacks are made")] = ()
    """Models that the attacks under way destroyed, while what that sets off waits for the last of these attacks."""
    active: Annotated[tuple[int, ...], Empty("somebody acts")] = ()
    """Players who are active for the length of a move, of shots or of a fight, the innermost last."""


class Data(forty.Data, frozen=True, kw_only=True):
    """What the armies brought, and what is fought over."""

    sheets: tuple[Sheet, ...]
    rounds: int = 5


Battle11: TypeAlias = Battle[Unit, Player, Game, Data]
World11: TypeAlias = World[Unit, Player, Game, Data]
State11: TypeAlias = State[Unit, Player, Game]
Setup11: TypeAlias = Setup[Data]

sheet_of: Final[Callable[[World11, int], Sheet]] = forty.sheet_of
"""The datasheet of a model."""
weapons_of: Final[Callable[[World11, int], list[Weapon]]] = forty.weapons_of
"""The weapon profiles that a model carries."""
