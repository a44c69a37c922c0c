"""Psychic weapons and abilities."""

from __future__ import annotations

from sandtable.rules import rule
from sandtable.systems.w40k10 import weapon_abilities as weapons
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.state import World10


@rule("w40k10.ability.psychic", neutral=True)
def may_use(w: World10, model: int, weapon: Weapon) -> bool:
    """Psychic weapons are for PSYKERS."""
    return not weapons.is_psychic(weapon) or model_has_keyword(w, model, "PSYKER")


@rule("w40k10.ability.psychic", neutral=())
def psychic_attack(weapon: Weapon) -> tuple[str, ...]:
    """What marks an attack as a Psychic Attack."""
    return ("w40k10.ability.psychic",) if weapons.is_psychic(weapon) else ()
