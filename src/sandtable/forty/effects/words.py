"""The seams by which an edition says what the words of abilities mean: conditions, moments and deeds.

An edition without abilities that are used, or that do something at a moment, needs no `Deeds`.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sandtable.armies.effects import Allow
from sandtable.forty.state import is_led
from sandtable.table.grid import Bools, Ints

if TYPE_CHECKING:
    from sandtable.armies.effects import AnyEffect, Within
    from sandtable.battle.rolls import AnyReading
    from sandtable.battle.system import AnyBattle, AnyWorld, Moment
    from sandtable.forty.effects.ability import Ability
    from sandtable.forty.effects.occasions import Cause, Occasion
    from sandtable.kit.dice import Amount

UnitTest: TypeAlias = "Callable[[AnyWorld, Any, str], bool]"
"""(world, unit, what stands behind the colon)"""
AttackTest: TypeAlias = "Callable[[AnyWorld, AttackMade, str], bool]"
"""(world, attack, what stands behind the colon)"""


class AttackMade(NamedTuple):
    """An attack, as conditions see it: from the side of the unit that an effect works on."""

    unit: int
    """The unit that makes it."""
    target: int
    melee: bool
    model: int = -1
    """Who makes it; -1 for anybody of the unit."""
    half_range: bool = False
    strength: int = 0
    toughness: int = 0
    suffered: bool = False
    """The effect works on the target, so that "target" in a condition means the attacker."""

    @property
    def other(self) -> int:
        """The unit on the other side of the attack."""
        return self.unit if self.suffered else self.target


class Moments(NamedTuple):
    """What a trigger stands for."""

    names: tuple[str, ...]
    """The moments of the vocabulary that it can bring..."""
    read: Callable[[AnyWorld, int, Moment], Iterator[Occasion]]
    """...and (world, player, moment): which of them it brings to a player's abilities now."""


class Deed(NamedTuple):
    """Something that an ability lets somebody do at once."""

    do: Callable[[AnyBattle, Cause, Any, Any], Coroutine[Any, Any, None]]
    """(battle, cause, effect, unit)"""
    is_useful: Callable[[AnyWorld, Any, Any], bool]
    """(world, effect, unit): would it change anything for the unit?"""


def deed_name(effect: AnyEffect) -> str:
    """The name of what an effect does: its kind, or what it allows."""
    return effect.what if isinstance(effect, Allow) else str(effect.__struct_config__.tag)


class Conditions(NamedTuple):
    """What conditions of abilities mean; `forty.effects.vocabulary` has those that mean the same everywhere."""

    unit: Mapping[str, UnitTest]
    """Conditions about a unit, by name."""
    attack: Mapping[str, AttackTest]
    """Conditions about an attack."""
    by_place: frozenset[str]
    """Conditions about a unit that depend on which models stand where, and on nothing else in the state."""
    by_losses: frozenset[str]
    """Those of them that depend on which models are left, wherever they stand."""


@dataclass(frozen=True)
class Words:
    """What an edition says about abilities that work. Each function answers one question of its book."""

    source: str
    """The rule that all abilities cite beside their names."""

    conditions: Conditions

    # --- Queries
    has_keyword: Callable[[AnyWorld, Any, Iterable[str]], bool]
    """(world, unit, keywords): does it have one of them?"""
    model_has_keyword: Callable[[AnyWorld, int, str], bool]
    within: Callable[[AnyWorld, Any, Any, int], bool]
    """(world, unit, unit, grid steps): are they so close to each other?"""
    linked: Callable[[AnyWorld, Any, Any], bool]
    """(world, unit, unit): are they as close as units in combat, whoever they belong to?"""
    links: Callable[[AnyWorld, Ints, Ints], Bools]
    """(world, models, models): which pairs are as close as that?"""

    # --- Who has an ability
    bearing: Callable[[AnyWorld, Ability], list[int]]
    """(world, ability): for which models does it work now? Nothing works without one."""
    is_damaged: Callable[[AnyWorld, Ability, int], bool]
    """(world, a damaged profile, model): has the model so few wounds left that it works?"""
    in_aura: Callable[[AnyWorld, list[int], Any, Within], list[int]]
    """(world, bearers, unit, inches): the units with a bearer whose aura reaches the unit."""
    same: Callable[[AnyWorld, str, AnyEffect], Hashable]
    """(world, name of the ability, effect): what makes two effects on a unit one; None where they add up."""

    # --- Characteristics
    limits: Callable[[str], tuple[int, int]]
    """(name of a characteristic): below and above which no change makes it."""
    fixed_attacks: Callable[[Any], bool] = lambda weapon: False
    """(weapon): does the number of its attacks never change?"""
    may_target: Callable[[AnyWorld, Any, Any], bool] = lambda w, unit, enemy: True
    """(world, unit, enemy): may it be shot at from where the unit stands, as far as that depends on no weapon?"""
    led: Callable[[AnyWorld, Any], bool] = is_led
    """(world, unit): do its Leaders have what depends on leading a unit?"""


async def as_rolled(b: AnyBattle, unit: int, kind: str, faces: tuple[int, ...], read: AnyReading) -> tuple[int, ...]:
    """For editions in which nobody changes the dice of abilities."""
    return faces


@dataclass(frozen=True)
class Deeds:
    """What an edition says about abilities that do something at a moment, or are used then."""

    source: str
    """The rule that all abilities cite beside their names."""

    # --- Moments
    moments: Mapping[str, Moments]
    """For each trigger the moments of the vocabulary that it can stand for; `forty.effects.moments` has common ones."""
    moves: tuple[str, ...]
    """The moves of a Movement phase, after which enemies may do something."""
    in_combat_with: Callable[[AnyWorld, Any], list[Any]]
    """(world, unit): the enemies that it is in combat with."""
    orders: Callable[[AnyWorld], int]
    """(world): who orders what happens at the same time?"""
    sequencing: str
    """The rule that says so."""

    # --- Deeds
    by_name: Mapping[str, Deed]
    """What is done at once, by name; `forty.effects.deeds` has those that are done in the same way everywhere."""
    inflict: Callable[..., Coroutine[Any, Any, None]]
    """(battle, unit, how many, rule, by=whose): mortal wounds for a unit."""
    may_go_off: Callable[[AnyWorld, Any], bool]
    """(world, unit): could its losses hurt others, so that the order in which units suffer matters?"""
    value_of: Callable[[Amount, Sequence[int]], int]
    """(amount, faces): what it comes to with these dice."""
    toughness: Callable[[AnyWorld, Any], int]
    """(world, unit): the Toughness that dice are held against."""
    is_destroyed: Callable[[AnyWorld, Any], bool] | None = None
    """(world, unit): is nobody of it left? None where a part of an Attached unit is destroyed as a unit of its own."""
    gain_points: Callable[[AnyBattle, Any, int, str], object] = lambda b, player, points, source: None
    """(battle, player, how many, rule): Command points for a player, where there are any."""
    in_range: Callable[[int, int, int], bool] = lambda face, least, most: least <= face <= most
    """(face, least, most): does a die show what is needed?"""
    after_roll: Callable[[AnyBattle, int, str, tuple[int, ...], AnyReading], Coroutine[Any, Any, tuple[int, ...]]] = (
        as_rolled
    )
    """(battle, unit that rolls or -1, kind of roll, faces, reading): the dice as they stand in the end."""
    last_stand: Mapping[str, Callable[[AnyBattle, Any], Coroutine[Any, Any, None]]] = field(default_factory=dict)
    """(battle, unit): what the destroyed models of a unit may do once more, by the name of the permission."""
