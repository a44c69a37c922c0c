"""Inflict damage: what an attack takes from a model."""

from __future__ import annotations

from typing import Final

from sandtable.attack.volley import DiceSum
from sandtable.forty.rerolls import offer_batch_reroll
from sandtable.kit.attack.rolling import Hooks
from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.destroyed import destroy
from sandtable.systems.w40k10.random_characteristics import rolled
from sandtable.systems.w40k10.state import ALLOCATED, Battle10


@rule("w40k10.attack.damage", "w40k10.attack.excess_damage", neutral=DiceSum(plus=1))
def damage_of(weapon: Weapon, half_range: bool) -> DiceSum:
    """What an unsaved attack inflicts on one model; what that model has no wounds for is lost."""
    return rolled(weapon.damage).more(weapons.melta(weapon, half_range))


def mark_allocated(b: Battle10, model: int) -> None:
    """Remember that a model was given an attack this phase."""
    if not b.state.models.mark[model] & ALLOCATED:
        b.set_mark(model, int(b.state.models.mark[model]) | ALLOCATED)


HOOKS: Final = Hooks(after_roll=offer_batch_reroll, allocated=mark_allocated, destroy=destroy)
