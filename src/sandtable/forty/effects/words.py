"""The seam by which an edition says what the words of abilities mean: conditions, moments and deeds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sandtable.table.grid import Bools, Ints

if TYPE_CHECKING:
    from sandtable.armies.effects import AnyEffect, Within
    from sandtable.battle.system import AnyWorld
    from sandtable.forty.effects.ability import Ability

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


@dataclass(frozen=True)
class Words:
    """What an edition says about abilities. Each function answers one question of its book."""

    source: str
    """The rule that all abilities cite beside their names."""

    # --- Conditions
    unit: Mapping[str, UnitTest]
    """Conditions about a unit, by name; `forty.effects.vocabulary` has those that mean the same everywhere."""
    attack: Mapping[str, AttackTest]
    """Conditions about an attack."""
    by_place: frozenset[str]
    """Conditions about a unit that hang on which models stand where, and on nothing else in the state."""
    by_losses: frozenset[str]
    """Those of them that hang on which models are left, wherever they stand."""

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
    same: Callable[[str, AnyEffect], Hashable]
    """(name of the ability, effect): what makes two effects on a unit one; None where they add up."""

    # --- Weapons
    fixed_attacks: Callable[[Any], bool]
    """(weapon): does the number of its attacks never change?"""
