"""Aura abilities, and what the words of abilities mean in this edition."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from types import MappingProxyType
from typing import Final

from sandtable.armies.effects import AnyEffect, Within
from sandtable.battle.kept import LOSSES, kept
from sandtable.forty.effects import vocabulary
from sandtable.forty.effects.ability import Ability
from sandtable.forty.effects.at_work import bearers_left, has_lost_enough, one_aura
from sandtable.forty.effects.reach import units_that_reach
from sandtable.forty.effects.words import UnitTest, Words
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import close_enemies, model_distances, model_has_keyword, within
from sandtable.systems.w40k8.cover import in_cover
from sandtable.systems.w40k8.datasheet import Weapon
from sandtable.systems.w40k8.state import Unit, World8
from sandtable.table.grid import Bools, Ints

LIMITED: Final = ("S", "T", "Ld")
UNLIMITED: Final = (-99, 99)


@rule("w40k8.concept.aura", "w40k8.transport.embarked", neutral=())
def in_aura(w: World8, bearers: Sequence[int], unit: Unit, far: Within) -> list[int]:
    """The units with a bearer that a unit is within range of; the bearer is always inside its own radius."""
    return units_that_reach(w, bearers, unit, far)


@rule("w40k8.concept.aura", neutral=None)
def same_aura(name: str, effect: AnyEffect) -> Hashable:
    """An aura of one name works on a unit once."""
    return one_aura(name, effect)


@rule("w40k8.sheet.abilities", neutral=())
def bearing(w: World8, ability: Ability) -> list[int]:
    """An ability applies to the models on whose datasheet it is written."""
    return bearers_left(w, ability)


def has_keyword(w: World8, unit: Unit, keywords: Iterable[str]) -> bool:
    """Whether a model of a unit has one of some keywords."""
    models, words = _kinds_left(w, unit), tuple(keywords)
    return any(model_has_keyword(w, m, word) for m in models for word in words)


@kept(LOSSES)
def _kinds_left(w: World8, unit: Unit) -> tuple[int, ...]:
    """One model of each kind that is left in a unit."""
    lost, kits = w.out_of_play(), w.setup.data.kits
    return tuple({kits[m].sheet: m for m in unit.models if m not in lost}.values())


def linked(w: World8, one: Unit, other: Unit) -> bool:
    """Whether two units are within 1" of each other."""
    return within(w, one, other, BOOK.close)


def links(w: World8, models: Ints, others: Ints) -> Bools:
    """Which pairs of models are within 1" of each other."""
    near: Bools = model_distances(w, models, others) <= BOOK.close
    return near


def limits(name: str) -> tuple[int, int]:
    """Some characteristics are kept from sinking too low; of the rest only AP is ever below 0."""
    return BOOK.least if name in LIMITED else UNLIMITED[0] if name == "AP" else 0, UNLIMITED[1]


def fixed_attacks(weapon: Weapon) -> bool:
    """Any weapon's attacks may change."""
    return False


UNIT: Final[MappingProxyType[str, UnitTest]] = MappingProxyType(
    {
        **vocabulary.UNIT,
        "engaged": lambda w, u, v: bool(close_enemies(w, u)),
        "in_cover": lambda w, u, v: in_cover(w, u),
    }
)
WORDS: Final = Words(
    source="w40k8.sheet.abilities",
    unit=UNIT,
    attack=vocabulary.ATTACK,
    by_place=vocabulary.BY_PLACE | {"engaged", "in_cover"},
    by_losses=vocabulary.BY_LOSSES,
    has_keyword=has_keyword,
    model_has_keyword=model_has_keyword,
    within=within,
    linked=linked,
    links=links,
    bearing=bearing,
    is_damaged=has_lost_enough,
    in_aura=in_aura,
    same=same_aura,
    limits=limits,
    fixed_attacks=fixed_attacks,
)
