"""Conditions of effects: on the unit that an effect works on, on the one it comes from, and on an attack."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10.concepts import (
    below_half,
    has_any_keyword,
    is_engaged,
    model_has_keyword,
    starting_strength,
    within,
)
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, STATIONARY, Unit, World10, markers_of, sheet_of
from sandtable.table.grid import steps
from sandtable.table.measure import distances


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


class Condition(NamedTuple):
    """A condition, read."""

    name: str
    value: str
    wanted: bool
    """False where "not " stands before it."""

    @property
    def about_model(self) -> bool:
        """Whether it can differ between the models of a unit."""
        return self.name in ("model", "target_within", "half_range")


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
        tuple(c for c in found if c.name in UNIT or c.name == "marked"),
        tuple(c for c in found if c.name in ATTACK),
        tuple(c for c in found if c.name == "model"),
    )


def hold_for_unit(w: World10, conditions: tuple[str, ...], unit: Unit, *, deep: bool = True) -> bool:
    """Whether all conditions about a unit hold; those about an attack or a single model are left to others.

    Without `deep` only marks that were set at a moment count, not those that other abilities give all the time.
    """
    for c in sort_out(conditions).unit:
        holds = _marked(w, unit, c.value, deep) if c.name == "marked" else UNIT[c.name](w, unit, c.value)
        if holds != c.wanted:
            return False
    return True


def hold_for_attack(w: World10, conditions: tuple[str, ...], attack: AttackMade) -> bool:
    """Whether all conditions about an attack hold."""
    found = sort_out(conditions).attack
    return not found or all(ATTACK[c.name](w, attack, c.value) == c.wanted for c in found)


def hold_for_model(w: World10, conditions: tuple[str, ...], model: int) -> bool:
    """Whether all conditions about a single model hold."""
    found = sort_out(conditions).model
    return not found or all((sheet_of(w, model).name == c.value) == c.wanted for c in found)


def about_attack(conditions: tuple[str, ...]) -> bool:
    """Whether any of the conditions is about an attack."""
    return bool(sort_out(conditions).attack)


def about_model(conditions: Iterable[str]) -> bool:
    """Whether any of the conditions can differ between the models of a unit."""
    return any(read(text).about_model for text in conditions)


def are_steady(conditions: tuple[str, ...], *, marks: bool) -> bool:
    """Whether what conditions say of a unit changes only with the models on the table, or with marks if those count."""
    return all(c.name in STEADY or (marks and c.name == "marked") for c in sort_out(conditions).unit)


def are_still(conditions: tuple[str, ...], *, marks: bool) -> bool:
    """Whether it changes only when models are lost, wherever they go."""
    return all(c.name in STILL or (marks and c.name == "marked") for c in sort_out(conditions).unit)


# --- The unit itself --------------------------------------------------------------------------------------------------


def alive(w: World10, models: Iterable[int]) -> list[int]:
    """Models that are not destroyed, wherever they are."""
    lost = w.out_of_play()
    return [m for m in models if m not in lost]


def is_led(w: World10, unit: Unit) -> bool:
    """Whether a Leader and somebody to lead are both in the unit."""
    if not unit.leader:
        return False
    here = alive(w, unit.models)
    return any(m in unit.leader for m in here) and any(m not in unit.leader for m in here)


def below_starting(w: World10, unit: Unit) -> bool:
    """Whether a unit is below its Starting Strength; a single model counts its wounds."""
    models = w.on_table(unit)
    if starting_strength(w, unit) == 1 and len(models) == 1:
        return int(w.state.models.wounds[models[0]]) < sheet_of(w, int(models[0])).wounds
    return len(models) < starting_strength(w, unit)


def markers_near(w: World10, unit: Unit) -> tuple[int, ...]:
    """The objective markers that a unit is within range of."""
    from sandtable.systems.w40k10.objectives import near_models

    def look() -> tuple[int, ...]:
        return tuple(
            marker for marker in range(len(markers_of(w))) if any(m in unit.models for m in near_models(w, marker))
        )

    near = w.cached(("markers_near", unit.id, markers_of(w)), look)
    return tuple(marker for marker in near if marker not in w.state.game.removed)


def controls(w: World10, unit: Unit) -> bool:
    """Whether a unit is within range of an objective marker that its player controls."""
    control = w.state.game.control
    return any(marker < len(control) and control[marker] == unit.player for marker in markers_near(w, unit))


@lru_cache(maxsize=512)
def _words(value: str) -> tuple[str, ...]:
    return tuple(value.split("/"))


def _has_any(w: World10, unit: Unit, value: str) -> bool:
    return has_any_keyword(w, unit, _words(value))


def _led_by(w: World10, unit: Unit, value: str) -> bool:
    leaders = alive(w, unit.leader) if is_led(w, unit) else []
    return any(model_has_keyword(w, m, word) for m in leaders for word in _words(value))


def _enemy_within(w: World10, unit: Unit, value: str) -> bool:
    reach = steps(int(value))
    return any(w.is_on_table(e) and within(w, unit, e, reach) for e in w.enemies_of(unit.player))


def _has_model(w: World10, unit: Unit, value: str) -> bool:
    return any(sheet_of(w, m).name in _words(value) for m in alive(w, unit.models))


@cache
def _judge_of_marks() -> Callable[..., bool]:
    """Marks are effects, which have conditions: each of the two modules needs the other."""
    from sandtable.systems.w40k10.abilities.standing import is_marked

    return is_marked


def _marked(w: World10, unit: Unit, value: str, deep: bool = True) -> bool:
    is_marked = _judge_of_marks()
    return any(is_marked(w, unit, word, deep=deep) for word in _words(value))


#: Conditions about a unit, by name; "marked" is judged beside them.
UNIT: Final[MappingProxyType[str, Callable[[World10, Unit, str], bool]]] = MappingProxyType(
    {
        "charged": lambda w, u, v: u.charged,
        "stationary": lambda w, u, v: u.moved == STATIONARY,
        "advanced": lambda w, u, v: u.moved == ADVANCE,
        "fell_back": lambda w, u, v: u.moved == FALL_BACK,
        "arrived": lambda w, u, v: u.arrived,
        "below_half": lambda w, u, v: below_half(w, u),
        "below_starting": lambda w, u, v: below_starting(w, u),
        "battle_shocked": lambda w, u, v: u.battle_shocked,
        "leading": lambda w, u, v: is_led(w, u),
        "led": lambda w, u, v: is_led(w, u),
        "led_by": _led_by,
        "near_objective": lambda w, u, v: bool(markers_near(w, u)),
        "control_objective": lambda w, u, v: controls(w, u),
        "size": lambda w, u, v: len(alive(w, u.models)) >= int(v),
        "keyword": _has_any,
        "engaged": lambda w, u, v: is_engaged(w, u),
        "enemy_within": _enemy_within,
        "has_model": _has_model,
    }
)
STEADY: Final = frozenset(
    ("leading", "led", "led_by", "size", "keyword", "engaged", "enemy_within", "has_model"),
)
"""Conditions about a unit that hang on which models stand where, and on nothing else in the state."""
STILL: Final = STEADY - {"engaged", "enemy_within"}
"""Those of them that hang on which models are left, wherever they stand."""


# --- The attack -------------------------------------------------------------------------------------------------------


def target_within(w: World10, attack: AttackMade, value: str) -> bool:
    """Measured from the model that attacks, where that is known."""
    if attack.model < 0:
        return within(w, w.unit(attack.unit), w.unit(attack.target), steps(int(value)))
    models = w.on_table(w.unit(attack.target))
    here = np.array([attack.model], dtype=np.int64)
    return len(models) > 0 and float(distances(w.bodies, w.shapes, here, models).min()) <= steps(int(value))


def target_closest(w: World10, attack: AttackMade) -> bool:
    """Whether no enemy of the attacking unit is closer than the one it attacks."""
    unit, target = w.unit(attack.unit), w.unit(attack.other)
    if attack.suffered:
        unit = w.unit(attack.target)
    far = w.distance(unit, target)
    return all(w.distance(unit, e) >= far for e in w.enemies_of(unit.player) if w.is_on_table(e))


#: Conditions about an attack, by name.
ATTACK: Final[MappingProxyType[str, Callable[[World10, AttackMade, str], bool]]] = MappingProxyType(
    {
        "ranged": lambda w, a, v: not a.melee,
        "melee": lambda w, a, v: a.melee,
        "half_range": lambda w, a, v: a.half_range,
        "target_within": target_within,
        "strength_above_toughness": lambda w, a, v: a.strength > a.toughness,
        "target_keyword": lambda w, a, v: _has_any(w, w.unit(a.other), v),
        "target_below_half": lambda w, a, v: below_half(w, w.unit(a.other)),
        "target_below_starting": lambda w, a, v: below_starting(w, w.unit(a.other)),
        "target_near_objective": lambda w, a, v: bool(markers_near(w, w.unit(a.other))),
        "target_marked": lambda w, a, v: _marked(w, w.unit(a.other), v),
        "target_closest": lambda w, a, v: target_closest(w, a),
        "target_battle_shocked": lambda w, a, v: w.unit(a.other).battle_shocked,
    }
)
