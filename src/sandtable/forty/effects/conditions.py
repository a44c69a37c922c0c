"""Conditions of effects: on the unit that an effect works on, on the one it comes from, and on an attack."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from sandtable.forty.effects.words import AttackMade, Words
from sandtable.forty.state import Unit, World40, sheet_of

ABOUT_ATTACK: Final = frozenset(
    ("ranged", "melee", "half_range", "target_within", "strength_above_toughness", "target_keyword",
     "target_below_half", "target_below_starting", "target_near_objective", "target_near_open_objective",
     "target_marked", "target_closest",
     "target_closest_visible", "target_battle_shocked", "target_in_cover")
)  # fmt: skip
ABOUT_MODEL: Final = ("model", "model_keyword")
"""Conditions that are judged for each model apart."""
MARKED: Final = "marked"
MARKED_AT_A_MOMENT: Final = "marked_at_a_moment"
"""The same without marks that other abilities give all the time."""


class Condition(NamedTuple):
    """A condition, read."""

    name: str
    value: str
    wanted: bool
    """False where "not " stands before it."""

    @property
    def about_model(self) -> bool:
        """Whether it can differ between the models of a unit."""
        return self.name in (*ABOUT_MODEL, "target_within", "half_range")


@lru_cache(maxsize=2048)
def read(text: str) -> Condition:
    """A condition from its text."""
    name, _, value = text.removeprefix("not ").partition(":")
    return Condition(name, value, not text.startswith("not "))


class Sorted(NamedTuple):
    """The conditions of an effect, by what they are about."""

    unit: tuple[Condition, ...]
    attack: tuple[Condition, ...]
    model: tuple[Condition, ...]


@lru_cache(maxsize=2048)
def sort_out(conditions: tuple[str, ...]) -> Sorted:
    """Conditions, read and sorted once for all who judge them."""
    found = [read(text) for text in conditions]
    return Sorted(
        tuple(c for c in found if c.name not in ABOUT_ATTACK and c.name not in ABOUT_MODEL),
        tuple(c for c in found if c.name in ABOUT_ATTACK),
        tuple(c for c in found if c.name in ABOUT_MODEL),
    )


def hold_for_unit(w: World40, conditions: tuple[str, ...], unit: Unit, *, deep: bool = True) -> bool:
    """Whether all conditions about a unit hold; those about an attack or a single model are left to others.

    Without `deep` only marks that were set at a moment count, not those that other abilities give all the time.
    """
    found = sort_out(conditions).unit
    if not found:
        return True
    tests = w.system.seam(Words).conditions.unit
    for c in found:
        name = c.name if deep or c.name != MARKED else MARKED_AT_A_MOMENT
        if tests[name](w, unit, c.value) != c.wanted:
            return False
    return True


def hold_for_attack(w: World40, conditions: tuple[str, ...], attack: AttackMade) -> bool:
    """Whether all conditions about an attack hold."""
    found = sort_out(conditions).attack
    if not found:
        return True
    tests = w.system.seam(Words).conditions.attack
    return all(tests[c.name](w, attack, c.value) == c.wanted for c in found)


def hold_for_model(w: World40, conditions: tuple[str, ...], model: int) -> bool:
    """Whether all conditions about a single model hold."""
    found = sort_out(conditions).model
    return not found or all(_holds_for_model(w, c, model) == c.wanted for c in found)


def _holds_for_model(w: World40, c: Condition, model: int) -> bool:
    if c.name == "model":
        return bool(sheet_of(w, model).name == c.value)
    has = w.system.seam(Words).model_has_keyword
    return any(has(w, model, word) for word in c.value.split("/"))


def about_attack(conditions: tuple[str, ...]) -> bool:
    """Whether any of the conditions is about an attack."""
    return bool(sort_out(conditions).attack)


@lru_cache(maxsize=2048)
def of_keywords(conditions: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some conditions that ask for keywords of a unit: whoever lacks them now lacks them later, too."""
    return tuple(text for text in conditions if read(text).name == "keyword")


def about_model(conditions: Iterable[str]) -> bool:
    """Whether any of the conditions can differ between the models of a unit."""
    return any(read(text).about_model for text in conditions)


def depend_only_on(names: frozenset[str], conditions: tuple[str, ...], *, marks: bool) -> bool:
    """Whether all conditions about a unit are among `names`, or marks if those count."""
    return all(c.name in names or (marks and c.name == MARKED) for c in sort_out(conditions).unit)
