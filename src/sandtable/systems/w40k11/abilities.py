"""Other rules and abilities (22): who has them, how far auras reach, and what works once only."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sandtable.armies import Sheet as PackSheet
from sandtable.armies.effects import AnyEffect, Within
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import bearers_left, has_lost_enough, one_aura
from sandtable.forty.effects.core_abilities import granted
from sandtable.forty.effects.reach import units_that_reach
from sandtable.rules import rule
from sandtable.systems.w40k11.state import Unit, World11, sheet_of


@rule("w40k11.datasheet.abilities", neutral=False)
def has_core(w: World11, unit: Unit, model: int, ability: str) -> bool:
    """Whether a model has a core ability, by its datasheet or by a grant, whatever number stands behind it."""
    return sheet_of(w, model).has(ability) or bool(granted(w, unit, model, ability))


@rule("w40k11.ability.faction", neutral=True)
def uses_rules_of(keyword: str, sheet: PackSheet) -> bool:
    """The rules of a faction are for units that have its keyword."""
    return keyword in sheet.faction_keywords


@rule("w40k11.ability.wargear", "w40k11.datasheet.abilities", "w40k11.attached.abilities", neutral=())
def bearing(w: World11, ability: Ability) -> list[int]:
    """The models that bear an ability and are not destroyed; nothing works without one."""
    return [*bearers_left(w, ability), *still_giving(w, ability)]


@rule("w40k11.attached.ability_until_attacks_end", neutral=())
def still_giving(w: World11, ability: Ability) -> list[int]:
    """Models of an attached unit that the attacks under way destroyed: what they give it lasts as long as these."""
    unit_of = w.state.models.unit
    return [m for m in w.state.game.down if m in ability.models and w.unit(int(unit_of[m])).leader]


@rule("w40k11.attached.leader_alone", "w40k11.attached.abilities", neutral=False)
def leads(w: World11, unit: Unit) -> bool:
    """Who began the battle with bodyguards has what depends on leading a unit, even when they are gone."""
    return bool(unit.leader)


@rule("w40k11.ability.psychic", neutral=False)
def is_psychic(name: str) -> bool:
    """Whether an ability is tagged Psychic, behind its name, so that its wounds come from psychic attacks."""
    return "(psychic" in name.lower()


@rule("w40k11.datasheet.abilities", neutral=False)
def is_damaged(w: World11, ability: Ability, model: int) -> bool:
    """A damaged profile works while the model has few enough wounds left."""
    return has_lost_enough(w, ability, model)


@rule("w40k11.ability.aura", "w40k11.reserves.repositioned", neutral=())
def in_aura(w: World11, bearers: Sequence[int], unit: Unit, far: Within) -> list[int]:
    """The units with a bearer on the table that a unit on it is within range of; the bearer's own unit always is."""
    return units_that_reach(w, bearers, unit, far)


@rule("w40k11.ability.aura", neutral=None)
def same_aura(w: World11, name: str, effect: AnyEffect) -> Hashable:
    """The same aura works on a unit only once, however many sources are near."""
    return one_aura(name, effect)
