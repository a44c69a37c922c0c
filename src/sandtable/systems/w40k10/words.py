"""What the words of abilities mean in this edition: their conditions, moments and deeds."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from sandtable.forty.effects import vocabulary
from sandtable.forty.effects.words import AttackTest, UnitTest, Words
from sandtable.forty.markers import controls, markers_near
from sandtable.systems.w40k10 import datasheet_abilities
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import (
    below_half,
    below_starting,
    has_any_keyword,
    is_engaged,
    model_has_keyword,
    within,
)
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, STATIONARY, Unit, World10
from sandtable.systems.w40k10.weapons import is_extra
from sandtable.table.grid import Bools, Ints


def linked(w: World10, one: Unit, other: Unit) -> bool:
    """Whether two units, friends or not, are within Engagement Range."""
    return w.linked(one, other, BOOK.engagement)


def links(w: World10, models: Ints, others: Ints) -> Bools:
    """Which pairs of models are within Engagement Range."""
    return w.links(models, others, BOOK.engagement)


UNIT: Final[MappingProxyType[str, UnitTest]] = MappingProxyType(
    {
        **vocabulary.UNIT,
        "stationary": lambda w, u, v: u.moved == STATIONARY,
        "advanced": lambda w, u, v: u.moved == ADVANCE,
        "fell_back": lambda w, u, v: u.moved == FALL_BACK,
        "below_half": lambda w, u, v: below_half(w, u),
        "below_starting": lambda w, u, v: below_starting(w, u),
        "battle_shocked": lambda w, u, v: u.battle_shocked,
        "near_objective": lambda w, u, v: bool(markers_near(w, u)),
        "control_objective": lambda w, u, v: controls(w, u),
        "engaged": lambda w, u, v: is_engaged(w, u),
    }
)
ATTACK: Final[MappingProxyType[str, AttackTest]] = MappingProxyType(
    {
        **vocabulary.ATTACK,
        "target_below_half": lambda w, a, v: below_half(w, w.unit(a.other)),
        "target_below_starting": lambda w, a, v: below_starting(w, w.unit(a.other)),
        "target_near_objective": lambda w, a, v: bool(markers_near(w, w.unit(a.other))),
        "target_battle_shocked": lambda w, a, v: w.unit(a.other).battle_shocked,
    }
)

WORDS: Final = Words(
    source="w40k10.datasheet.abilities",
    unit=UNIT,
    attack=ATTACK,
    by_place=vocabulary.BY_PLACE | {"engaged"},
    by_losses=vocabulary.BY_LOSSES,
    has_keyword=has_any_keyword,
    model_has_keyword=model_has_keyword,
    within=within,
    linked=linked,
    links=links,
    bearing=datasheet_abilities.bearing,
    is_damaged=datasheet_abilities.is_damaged,
    in_aura=datasheet_abilities.in_aura,
    same=datasheet_abilities.same_aura,
    fixed_attacks=is_extra,
)
