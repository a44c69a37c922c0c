"""What an edition tells its computer players: the seam by which its rules enter their plans.

Each field answers one question of the game; none asks which edition it is. Distances are in inches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from sandtable.armies.effects import Allowed
from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.volley import dice
from sandtable.battle import Assign, Assignment, Choose, Move, Moves, Option
from sandtable.battle.tactics import Idea
from sandtable.forty.effects.permissions import allows
from sandtable.forty.mind.style import Style
from sandtable.forty.mission import enemy_zone, ways_to_score
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40
from sandtable.forty.weapon_words import fires_once
from sandtable.kit.missions import Score
from sandtable.kit.room import Outline, Room, Spots
from sandtable.kit.seeing import visible
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
ENDS_WITHIN: Final = 1
"""Inches from its target within which a charge has arrived, and from an enemy within which no ordinary move ends"""


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


class Held(NamedTuple):
    """A weapon profile in the hands of models of a datasheet."""

    weapon: Any
    """With numbers for all that depends on its bearer"""
    use: str
    """SHOOT, PISTOL, STRIKE or BESIDES"""
    hit_on: int = 0
    """The face that hits; 0 for what its skill says"""
    nearer: bool = False
    """Whether half its range makes a difference"""
    crowds: bool = False
    """Whether it does more to larger units"""
    running: bool = False
    """Whether it is fired after an Advance"""


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


def sees_any(w: World40, unit: Any, target: Any) -> bool:
    """Whether a unit sees any of another."""
    return bool(visible(w, unit, target).any())


def two_dice() -> Floats:
    """The chance of a charge with two dice, if it has arrived an inch from its target."""
    return np.array([float(at_least(TWO_DICE, max(0, gap - ENDS_WITHIN))) for gap in range(15)])


def pace(sheet: Any) -> float:
    """How far models of a datasheet move; a random Move by its average."""
    return dice(sheet.move).mean if isinstance(sheet.move, str) else float(sheet.move or 0)


def objective_control(sheet: Any) -> float:
    """What each model of a datasheet counts for at a marker, where datasheets tell it."""
    return float(sheet.oc or 0)


def held(
    weapon: Any, *, extra: bool, close: bool, nearer: bool = False, crowds: bool = False, running: bool = False
) -> Held:
    """A weapon profile, by the abilities that it has: whether it strikes besides others, or is fired in a melee."""
    if weapon.is_melee:
        return Held(weapon, BESIDES if extra else STRIKE)
    return Held(weapon, PISTOL if close else SHOOT, nearer=nearer, crowds=crowds, running=running)


def shocked(w: World40) -> tuple[int, ...]:
    """The units that are battle-shocked."""
    return tuple([u.id for u in w.state.units if u.battle_shocked])


def as_wanted(w: World40, rows: Sequence[Hands], wanted: Sequence[Assignment]) -> tuple[Assignment, ...]:
    """Where everything may be declared together."""
    return tuple(wanted)


@dataclass(frozen=True, eq=False, kw_only=True)
class Mind:
    """How an edition is thought about; it names what differs from the usual."""

    # --- What models are

    by_sheet: Callable[[World40, Any, Any], Held]
    """(world, datasheet, weapon profile): the profile in the hands of models of the datasheet."""
    by_model: Callable[[World40, int, Any], tuple[Any, int]] = lambda w, model, weapon: (weapon, 0)
    """(world, model, weapon profile): one of what is assigned of it, in the hands of a model as it is now, and the face
    that hits; 0 for what its skill says."""
    price: float = 1.0
    """What one of that is worth in points by which army lists of the edition are counted."""
    pace: Callable[[Any], float]
    """(datasheet): how far its models move on average."""
    fires_on: Callable[[World40, Any], bool] = lambda w, unit: False
    """(world, unit): whether it shoots as before while it is in a melee."""
    may: Callable[[World40, Any, Allowed], bool] = allows
    """(world, unit, what): whether something is allowed to a unit that most units may not do."""
    guarded: Callable[[World40, Any], bool] = lambda w, unit: False
    """(world, unit): whether enemies cannot pick it as a target as long as friends are nearer to them."""

    # --- The table

    hiding: frozenset[str] = frozenset()
    """Kinds of terrain that hide what is behind them, but not who stands in them."""
    shelter: frozenset[str]
    """Kinds of terrain that give cover to who stands in them."""
    cover_for: int = 99
    """How many models find cover in it together."""
    sees: Callable[[World40, Any, Any], bool] = sees_any
    """(world, unit, target): whether it sees any of another unit."""

    # --- What is fought over

    scoring: Callable[[World40], tuple[Score, ...] | None] = ways_to_score
    """(world): the ways in which both players score; None where nobody does."""
    enemy_zone: Callable[[World40, int], Outline] = enemy_zone
    """(world, player): the deployment zone of a player's enemies."""
    hold: Callable[[Any], float] = lambda sheet: 1.0
    """(datasheet): what each of its models counts for at a marker."""
    unnerved: Callable[[World40], tuple[int, ...]] = lambda w: ()
    """(world): units that count for nothing at markers at the moment."""
    dread: float = 0.0
    """How much of what the fall of a Warlord pays the enemy counts for the danger that he is in."""
    present: Callable[[World40], Floats | None] = lambda w: None
    """(world): what of each unit in the outlook counts for each marker now; None where its middle tells enough."""
    near_marker: float
    """How near to the middle of a marker a base counts for it."""
    to_marker: Callable[[World40, Move], Iterator[Moves]] = lambda w, d: iter(())
    """(world, decision): moves after a fight that take a unit to a marker; none where it may not make them."""

    # --- Setting up

    rooms_to_deploy: Callable[[World40, Any], Sequence[Room]]
    """(world, unit): where it may be set up before the battle, at last in its own zone..."""
    room_to_arrive: Callable[[World40, Any], Room]
    """...and during it."""
    garrison: float = 0.0
    """How much further away a marker in their own zone seems to units that are set up when one of them is there."""
    room_beside: Callable[[World40, Any, int, Sequence[int]], Spots | None]
    """(world, unit, model of a transport, sides): places to get out at, first on the sides that are named first, of
    twelve around the transport."""

    # --- Moves

    way: Callable[[World40, Any, str], Way]
    """(world, unit, move): how it gets about when it makes that move in its own turn."""
    allowance: Callable[[World40, Any, int, str], int]
    """(world, unit, model, move): how far a model of it may go, in grid steps."""
    keen: float = 1.0
    """How much more the prospect of a charge counts for where units go than their style says."""
    caution: tuple[float, ...] = ()
    """How much more danger counts for where units go than their style says while an enemy comes for them, in the first
    battle round, the second, and so on; as much as it says in all that are not named."""
    calm: float = 1.0
    """How much of it counts while the enemy stays where it was set up."""
    second_wave: float = 0.0
    """How much of their worth markers that are not ours have for units that no plan needs there: who is not needed at
    once follows those who may fall."""
    halts: tuple[float, ...] = ()
    """Parts of its way at which a unit stops where it cannot get to the end, because others are in its way."""
    way_out: Callable[[World40, Any], Moves | None]
    """(world, unit): how it may leave a melee, wherever that leads; None where it cannot."""
    flyer: Callable[[World40, Any], bool]
    """(world, unit): whether it has to keep flying: its moves are left to the usual answers."""
    apart: float = ENDS_WITHIN
    """How near to an enemy no ordinary move ends."""
    scouts_apart: Callable[[], float] = lambda: 0.0
    """How far from the enemy those end who move before the battle."""

    # --- Shooting

    once: Callable[[Any], bool] = fires_once
    """(weapon profile): whether it can be fired once in a battle only."""
    beside_shooting: Callable[[World40, Choose, Option], Worth | None] = lambda w, d, option: None
    """(world, decision, option): what it is worth that is offered beside the units that may shoot; None where it is
    not worth its price."""

    # --- Charges

    prey: Callable[[World40, Any], Sequence[Any]]
    """(world, unit): enemy units that it could declare a charge at, as far as distances tell."""
    charge: Floats = field(default_factory=two_dice)
    """The chance of a charge over 0, 1, 2, ... inches, the last for all that is further."""
    charge_chance: Callable[[World40, Any, Sequence[Any]], float]
    """(world, unit, targets): how likely a charge really is, with all that is in the way."""
    greeting: float = 0.0
    """How much of its shooting a unit does to those who charge it, before they arrive."""
    passes: Callable[[World40, Any], bool]
    """(world, unit): whether it charges past those that stand in the way."""
    berth: float = 1.5
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
    legal_blows: Callable[[World40, Sequence[Hands], Sequence[Assignment]], tuple[Assignment, ...]] = as_wanted
    """(world, what stands behind the rows, wanted): as much of that as may be declared together."""
    blows: Callable[[World40, int, Any], Sequence[Shot]]
    """(world, model, target): what it could strike a target with, one after the other of its weapons."""

    # --- Reactions, and questions of its own

    cards: Mapping[str, Callable[[World40, Choose, str], Worth]] = field(default_factory=dict)
    """For reactions by name: (world, decision, use): what one brings beyond its price."""
    thinkers: Mapping[str, Callable[[World40, Any, Style], Iterator[Idea]]] = field(default_factory=dict)
    """For questions that only this edition asks, or thinks about in its own way: (world, decision, style): answers, the
    best first."""


def mind_of(w: World40) -> Mind:
    """How the edition of a battle is thought about."""
    return w.system.seam(Mind)
