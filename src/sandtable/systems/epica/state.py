"""What a battle of Epic keeps: formations, players, the course of the turn, and the datasheets behind it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from sandtable.battle.fields import PLAYER_OR_NOBODY, Numbers
from sandtable.battle.machine import Battle
from sandtable.battle.sound import MAX_MODELS
from sandtable.battle.state import AnyPlayer, AnyUnit, State
from sandtable.battle.world import World
from sandtable.systems.epica.datasheet import Sheet


class Formation(AnyUnit):
    """A formation; its models are the units of the rulebook, called stands here."""

    initiative: int = 2
    markers: Annotated[int, Numbers(0, MAX_MODELS)] = 0
    """Blast markers"""
    broken: bool = False
    acted: bool = False
    """Has used its action of this turn"""
    action: str = ""
    """The action that it took this turn, "hold" after a failed test"""
    overwatch: bool = False
    flees: bool = False
    """Broke during somebody else's action, and withdraws when that is over"""
    rallied: bool = False
    """Has had its rally test in this end phase"""


class Player(AnyPlayer):
    """A player and the army's strategy rating."""

    strategy: int = 2
    sits_out: bool = False
    """Has only formations on overwatch left and lets them lie in wait for the rest of the turn"""


class Game(msgspec.Struct):
    """The course of the turn."""

    to_act: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who takes the next action..."""
    retaining: bool = False
    """...having just acted with success: another action now is an attempt to retain the initiative."""
    strategy_winner: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who won the last strategy roll"""
    tie_priority: Annotated[int, PLAYER_OR_NOBODY] = -1
    """Who goes first where nothing else decides; drawn when it is first needed"""
    to_rally: Annotated[int, PLAYER_OR_NOBODY] = -1
    phase: str = ""
    """The phase of the turn"""


class Data(msgspec.Struct, frozen=True):
    """The datasheets, and which one each stand has."""

    sheets: tuple[Sheet, ...] = ()
    sheet_of: tuple[int, ...] = ()
    turns: int = 1


EpicWorld: TypeAlias = World[Formation, Player, Game, Data]
EpicBattle: TypeAlias = Battle[Formation, Player, Game, Data]
EpicState: TypeAlias = State[Formation, Player, Game]


def sheet(world: EpicWorld, stand: int) -> Sheet:
    """The datasheet of a stand."""
    data = world.setup.data
    return data.sheets[data.sheet_of[stand]]


def stands(world: EpicWorld, formation: Formation) -> list[int]:
    """The stands of a formation on the table."""
    return [int(m) for m in world.on_table(formation)]


def size(world: EpicWorld, formation: Formation) -> int:
    """How many units a formation has left."""
    return len(world.on_table(formation))


def formation_of(world: EpicWorld, stand: int) -> Formation:
    """The formation that a stand belongs to."""
    return world.unit(int(world.state.models.unit[stand]))


def enemy_stands(world: EpicWorld, player: int) -> list[int]:
    """All enemy stands on the table."""
    return [m for e in world.enemies_of(player) for m in stands(world, e)]


def names(world: EpicWorld, formations: list[int] | tuple[int, ...]) -> str:
    """Formations by name."""
    return " and ".join(world.unit(f).name for f in formations)


def label(world: EpicWorld, stand: int) -> str:
    """A stand by name and number."""
    formation = formation_of(world, stand)
    return f"{sheet(world, stand).name} {formation.models.index(stand) + 1} of {formation.name}"
