"""What an edition tells its computer players: the seam by which its rules enter their plans.

Each field answers one question of the game; none asks which edition it is. Distances are in inches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.armies.effects import Allowed
from sandtable.attack.chances import at_least
from sandtable.attack.volley import DiceSum
from sandtable.battle import Assign, Assignment, Choose, Move, Moves, Option
from sandtable.battle.tactics import Idea
from sandtable.forty.mind.style import Style
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40
from sandtable.kit.missions import Score
from sandtable.kit.room import Outline, Room, Spots
from sandtable.kit.way import Way
from sandtable.table.grid import Floats

Worth: TypeAlias = "tuple[float, str]"
"""What something is worth in points, and why in one short sentence"""

SHOOT: Final = "shoot"
PISTOL: Final = "pistol"
"""Fired instead of everything else that a model shoots with"""
STRIKE: Final = "strike"
BESIDES: Final = "besides"
"""Strikes in addition to the weapon that a model strikes with"""


class Arm(NamedTuple):
    """A weapon profile of a model, as plans see it."""

    item: str
    """The weapon that it is a profile of: a model uses the best one of each"""
    use: str
    """SHOOT, PISTOL, STRIKE or BESIDES"""
    wounds: Floats
    """[band of range, datasheet]: wounds that it takes off models of each; one row for what strikes"""
    more: Floats | None = None
    """The same for each five models of the target, in addition"""
    running: bool = False
    """Whether it can be fired after an Advance"""


class Mark(NamedTuple):
    """A target as those see it who attack it."""

    unit: int
    sheet: int
    """The datasheet of its first model"""
    size: int
    """How many models it has"""
    far: float = 0.0
    """Inches between the two units"""
    cover: float = 1.0
    """What is left of the harm where it stands, roughly"""


class Hands(NamedTuple):
    """Models of a unit that can strike alike: a row of what it declares."""

    many: int
    """So many of what is assigned"""
    model: int
    """One of them"""
    profiles: tuple[Any, ...]
    """The weapon profiles that they choose from; the modes of the row, if it has any"""
    targets: tuple[int, ...]
    """Whom they may strike"""
    made_of: Any
    """What the edition made the row of"""


@dataclass(frozen=True, eq=False)
class Mind:
    """How an edition is thought about."""

    # --- What models are

    arm: Callable[[World40, int, int, tuple[Any, ...]], Arm]
    """(world, datasheet, weapon, effects that always work): what one of the datasheet's weapons does on average."""
    mean: Callable[[World40, int, Any, Mark], float]
    """(world, model, weapon profile, target): the wounds that one of what is assigned takes off a target on average."""
    price: float
    """What that is worth in points by which army lists of the edition are counted."""
    pace: Callable[[Any], float]
    """(datasheet): how far its models move on average."""
    fires_on: Callable[[World40, Any], bool]
    """(world, unit): whether it shoots as before while it is in a melee."""
    may: Callable[[World40, Any, Allowed], bool]
    """(world, unit, what): whether something is allowed to a unit that most units may not do."""
    guarded: Callable[[World40, Any], bool]
    """(world, unit): whether enemies cannot pick it as a target as long as friends are nearer to them."""

    # --- The table

    hiding: frozenset[str]
    """Kinds of terrain that hide what is behind them, but not who stands in them."""
    shelter: frozenset[str]
    """Kinds of terrain that give cover to who stands in them."""
    cover_for: int
    """How many models find cover in it together."""
    sees: Callable[[World40, Any, Any], bool]
    """(world, unit, target): whether it sees any of another unit."""

    # --- What is fought over

    scoring: Callable[[World40], tuple[Score, ...] | None]
    """(world): the ways in which both players score; None where nobody does."""
    enemy_zone: Callable[[World40, int], Outline]
    """(world, player): the deployment zone of a player's enemies."""
    hold: Callable[[Any], float]
    """(datasheet): what each of its models counts for at a marker."""
    unnerved: Callable[[World40], tuple[int, ...]]
    """(world): units that count for nothing at markers at the moment."""
    near_marker: float
    """How near to the middle of a marker a base counts for it."""
    to_marker: Callable[[World40, Move], Iterator[Moves]]
    """(world, decision): moves after a fight that take a unit to a marker; none where it may not make them."""

    # --- Setting up

    rooms_to_deploy: Callable[[World40, Any], Sequence[Room]]
    """(world, unit): where it may be set up before the battle, at last in its own zone..."""
    room_to_arrive: Callable[[World40, Any], Room]
    """...and during it."""
    room_beside: Callable[[World40, Any, int, Sequence[int]], Spots | None]
    """(world, unit, model of a transport, sides): places to get out at, first on the sides that are named first, of
    twelve around the transport."""

    # --- Moves

    way: Callable[[World40, Any, str], Way]
    """(world, unit, move): how it gets about when it makes that move in its own turn."""
    allowance: Callable[[World40, Any, int, str], int]
    """(world, unit, model, move): how far a model of it may go, in grid steps."""
    halts: tuple[float, ...]
    """Parts of its way at which a unit stops where it cannot get to the end, because others are in its way."""
    way_out: Callable[[World40, Any], Moves | None]
    """(world, unit): how it may leave a melee, wherever that leads; None where it cannot."""
    flyer: Callable[[World40, Any], bool]
    """(world, unit): whether it has to keep flying: its moves are left to the usual answers."""
    apart: float
    """How near to an enemy no ordinary move ends."""
    scouts_apart: Callable[[], float]
    """How far from the enemy those end who move before the battle."""

    # --- Shooting

    once: Callable[[Any], bool]
    """(weapon profile): whether it can be fired once in a battle only."""
    beside_shooting: Callable[[World40, Choose, Option], Worth | None]
    """(world, decision, option): what it is worth that is offered beside the units that may shoot; None where it is
    not worth its price."""

    # --- Charges

    prey: Callable[[World40, Any], Sequence[Any]]
    """(world, unit): enemy units that it could declare a charge at, as far as distances tell."""
    charge: Floats
    """The chance of a charge over 0, 1, 2, ... inches, the last for all that is further."""
    charge_chance: Callable[[World40, Any, Sequence[Any]], float]
    """(world, unit, targets): how likely a charge really is, with all that is in the way."""
    greeting: float
    """How much of its shooting a unit does to those who charge it, before they arrive."""
    passes: Callable[[World40, Any], bool]
    """(world, unit): whether it charges past those that stand in the way."""
    berth: float
    """How far a charge keeps from the bases that it goes around."""

    # --- Fights

    engaged: Callable[[World40, Any], Sequence[Any]]
    """(world, unit): the enemy units that it is in combat with."""
    may_strike: Callable[[World40, Any], Sequence[Any]]
    """(world, unit): the enemy units that it may strike."""
    fighters: Callable[[World40, Any], Sized]
    """(world, unit): those of its models that may strike."""
    hands: Callable[[World40, Assign], Sequence[Hands]]
    """(world, decision): what stands behind the rows of the question whom a unit strikes."""
    legal_blows: Callable[[World40, Sequence[Hands], Sequence[Assignment]], tuple[Assignment, ...]]
    """(world, what stands behind the rows, wanted): as much of that as may be declared together."""
    blows: Callable[[World40, int, Any], Sequence[Shot]]
    """(world, model, target): what it could strike a target with, one after the other of its weapons."""

    # --- Reactions, and questions of its own

    cards: Mapping[str, Callable[[World40, Choose, str], Worth]]
    """For reactions by name: (world, decision, use): what one brings beyond its price."""
    thinkers: Mapping[str, Callable[[World40, Any, Style], Iterator[Idea]]]
    """For questions that only this edition asks, or thinks about in its own way: (world, decision, style): answers, the
    best first."""


def chances_with(dice: DiceSum, ends_within: int) -> Floats:
    """The chance of a charge with some dice over 0, 1, 2, ... inches, if it has arrived so near to its target."""
    return np.array([float(at_least(dice, max(0, gap - ends_within))) for gap in range(15)])


def mind_of(w: World40) -> Mind:
    """How the edition of a battle is thought about."""
    return w.system.seam(Mind)
