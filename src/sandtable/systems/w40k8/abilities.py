"""Abilities: whom they work for, how far auras reach, what their words mean, and what they add to rolls of attacks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final

from sandtable.armies.effects import AnyEffect, Within
from sandtable.attack.tables import Rerolls
from sandtable.forty import weapon_words
from sandtable.forty.effects import vocabulary
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import bearers_left, has_lost_enough, one_aura
from sandtable.forty.effects.conditions import ABOUT_MODEL
from sandtable.forty.effects.enforced import IN_ATTACKS, Enforced
from sandtable.forty.effects.reach import units_that_reach
from sandtable.forty.effects.words import Words
from sandtable.forty.fighters import Weapon
from sandtable.forty.keywords import kinds_left
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, model_distances, model_has_keyword, reaches, within
from sandtable.systems.w40k8.cover import in_cover
from sandtable.systems.w40k8.state import Unit, World8

PLAGUE: Final = "plague weapon"
LIMITED: Final = ("S", "T", "Ld")
CORE: Final = ("disgustingly resilient", "cataphractii armour", "nurgle's gift", "teleport strike")
"""Abilities that sheets name and that are played."""


@rule("w40k8.sheet.abilities", neutral=())
def bearing(w: World8, ability: Ability) -> list[int]:
    """An ability applies to the models on whose datasheet it is written."""
    return bearers_left(w, ability)


@rule("w40k8.concept.aura", "w40k8.transport.embarked", neutral=())
def in_aura(w: World8, bearers: Sequence[int], unit: Unit, far: Within) -> list[int]:
    """The units with a bearer that a unit is within range of; the bearer is always inside its own radius."""
    return units_that_reach(w, bearers, unit, far)


@rule("w40k8.concept.aura", neutral=None)
def same_aura(w: World8, name: str, effect: AnyEffect) -> Hashable:
    """An aura of one name works on a unit once."""
    return one_aura(name, effect) if w.option("auras") == "once" else None


def has_keyword(w: World8, unit: Unit, keywords: Iterable[str]) -> bool:
    """Whether a model of a unit has one of some keywords."""
    words = tuple(keywords)
    return any(model_has_keyword(w, m, word) for m in kinds_left(w, unit) for word in words)


def limits(name: str) -> tuple[int, int]:
    """Some characteristics are kept from sinking too low; of the rest only AP is ever below 0."""
    return BOOK.least if name in LIMITED else -99 if name == "AP" else 0, 99


WORDS: Final = Words(
    source="w40k8.sheet.abilities",
    conditions=vocabulary.with_common(
        {"engaged": lambda w, u, v: bool(close_enemies(w, u)), "in_cover": lambda w, u, v: in_cover(w, u)},
        by_place=("engaged", "in_cover"),
    ),
    has_keyword=has_keyword,
    model_has_keyword=model_has_keyword,
    within=within,
    linked=lambda w, one, other: within(w, one, other, BOOK.close),
    links=lambda w, models, others: reaches(model_distances(w, models, others), BOOK.close),
    bearing=bearing,
    is_damaged=has_lost_enough,
    in_aura=in_aura,
    same=same_aura,
    limits=limits,
)
ENFORCED: Final = Enforced(
    weapon_abilities=(PLAGUE, *weapon_words.WORDS),
    before_targets=weapon_words.BEFORE_TARGETS,
    core=CORE,
    without_kinds=frozenset(("critical", "damage", "grant", "gain_cp", "cost", "reanimate", "move", "battle_shock")),
    moments=("turn_start", "movement", "movement_end", "shooting", "shot", "charged", "fight", "fight_end", "phase_end",
             "slain", "manifested", "killed"),
    conditions=frozenset((*WORDS.conditions.unit, *WORDS.conditions.attack, *ABOUT_MODEL)),
    rolls=("hit", "wound", "save", "charge", "advance", "morale", "psychic", "deny", "reanimation"),
    by_target=(*IN_ATTACKS, "charge", "deny"),
    model_stats=("M", "WS", "BS", "S", "T", "A", "Ld", "Sv"),
    weapon_stats=("AP", "D"),
    allowed=("advance_and_shoot", "advance_and_charge", "fall_back_and_charge", "fall_back_and_shoot", "pass_morale",
             "pass_for_wounds", "stay_on_6", "move_and_fire_heavy", "advance_and_fire_assault", "advance_6",
             "pile_in_6", "shoot_twice", "redeploy",
             "move_through_models", "move_through_terrain"),
    forbidden=("shoot", "charge", "strike", "be_charged", "be_struck", "fight_early"),
    without=frozenset(("own",)),
)  # fmt: skip


@rule("w40k8.gap.plague_weapon", neutral=())
def plagued(weapon: Weapon) -> list[tuple[Rerolls, str]]:
    """Wound rolls of 1 with a Plague Weapon are made again."""
    return [("ones", PLAGUE)] if PLAGUE in weapon.abilities else []
