"""Abilities on datasheets: who has them, how far Auras reach, and what works once only."""

from __future__ import annotations

from sandtable.battle import GONE
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import bearers_left, has_lost_enough
from sandtable.forty.effects.core_abilities import granted
from sandtable.rules import rule
from sandtable.systems.w40k10.state import Unit, World10, sheet_of


@rule("w40k10.datasheet.abilities", neutral=False)
def has_core(w: World10, unit: Unit, model: int, ability: str) -> bool:
    """Whether a model has a core ability, by its datasheet or by a grant, whatever number stands behind it."""
    return sheet_of(w, model).has(ability) or bool(granted(w, unit, model, ability))


@rule("w40k10.datasheet.wargear_abilities", "w40k10.datasheet.abilities", neutral=())
def bearing(w: World10, ability: Ability) -> list[int]:
    """The models that bear an ability and are not destroyed; nothing works without one."""
    return bearers_left(w, ability)


@rule("w40k10.datasheet.abilities", neutral=False)
def is_damaged(w: World10, ability: Ability, model: int) -> bool:
    """A damaged profile works while the model has few enough wounds left."""
    return has_lost_enough(w, ability, model)


def every_model_has(w: World10, unit: Unit, ability: str) -> bool:
    """Whether all models of a unit, an attached Leader's included, have an ability."""
    place = w.state.models.place
    models = [m for m in unit.models if place[m] != GONE]
    return bool(models) and all(has_core(w, unit, m, ability) for m in models)
