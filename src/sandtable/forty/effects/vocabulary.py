"""Conditions of abilities that mean the same in every edition. An edition's `Words` adds those of its own book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from sandtable.forty.effects.at_work import is_marked
from sandtable.forty.effects.conditions import MARKED, MARKED_AT_A_MOMENT
from sandtable.forty.effects.words import AttackMade, AttackTest, Conditions, UnitTest, Words
from sandtable.forty.markers import markers_near
from sandtable.forty.state import ADVANCE, FALL_BACK, STATIONARY, Unit, World40, alive, is_led, sheet_of
from sandtable.kit.seeing import visible
from sandtable.table.grid import steps
from sandtable.table.measure import distances


@lru_cache(maxsize=512)
def alternatives(value: str) -> tuple[str, ...]:
    """Texts of which one is enough: "MONSTER/VEHICLE"."""
    return tuple(value.split("/"))


def has_any(w: World40, unit: Unit, value: str) -> bool:
    """Whether a unit has one of some keywords."""
    return w.system.seam(Words).has_keyword(w, unit, alternatives(value))


def leading(w: World40, unit: Unit, value: str = "") -> bool:
    """Whether the Leaders of a unit have what depends on leading it."""
    return w.system.seam(Words).led(w, unit)


def led_by(w: World40, unit: Unit, value: str) -> bool:
    """Whether a Leader with one of some keywords leads a unit; whom else that needs, the edition says, or `led`."""
    words = w.system.seam(Words)
    leaders: Iterable[int] = alive(w, unit.leader) if words.led(w, unit) else ()
    return any(words.model_has_keyword(w, m, word) for m in leaders for word in alternatives(value))


def enemy_within(w: World40, unit: Unit, value: str) -> bool:
    """Whether an enemy, with all of some keywords if any are told, is so many inches away, or less."""
    far, *keywords = value.split(",")
    reach, words = steps(int(far)), w.system.seam(Words)
    return any(
        w.is_on_table(e)
        and all(words.has_keyword(w, e, (word,)) for word in keywords)
        and words.within(w, unit, e, reach)
        for e in w.enemies_of(unit.player)
    )


def weaker_within(w: World40, unit: Unit, value: str, is_weak: Callable[[Any, Any], bool]) -> bool:
    """Whether an enemy that has lost so much is so many inches away, or less."""
    reach, within = steps(int(value)), w.system.seam(Words).within
    enemies = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and is_weak(w, e)]
    return any(within(w, unit, e, reach) for e in enemies)


def friend_within(w: World40, unit: Unit, value: str) -> bool:
    """Whether another friendly unit with all of some keywords is so many inches away, or less."""
    far, *keywords = value.split(",")
    reach, words, mine = steps(int(far)), w.system.seam(Words), w.side(unit.player)
    return any(
        other.id != unit.id
        and w.side(other.player) == mine
        and w.is_on_table(other)
        and all(words.has_keyword(w, other, (word,)) for word in keywords)
        and words.within(w, unit, other, reach)
        for other in w.state.units
    )


def has_model(w: World40, unit: Unit, value: str) -> bool:
    """Whether a model of one of some kinds is left in a unit."""
    return any(sheet_of(w, m).name in alternatives(value) for m in alive(w, unit.models))


def marked(w: World40, unit: Unit, value: str) -> bool:
    """Whether a unit bears one of some marks."""
    for word in alternatives(value):  # noqa: SIM110 -- asked so often that a generator shows
        if is_marked(w, unit, word):
            return True
    return False


def marked_at_a_moment(w: World40, unit: Unit, value: str) -> bool:
    """The same, without the marks that abilities give all the time."""
    return any(is_marked(w, unit, word, deep=False) for word in alternatives(value))


UNIT: Final[MappingProxyType[str, UnitTest]] = MappingProxyType(
    {
        "charged": lambda w, u, v: u.charged,
        "stationary": lambda w, u, v: u.moved == STATIONARY,
        "advanced": lambda w, u, v: u.moved == ADVANCE,
        "fell_back": lambda w, u, v: u.moved == FALL_BACK,
        "arrived": lambda w, u, v: u.arrived,
        "leading": leading,
        "led": lambda w, u, v: is_led(w, u),
        "led_by": led_by,
        "size": lambda w, u, v: len(alive(w, u.models)) >= int(v),
        "keyword": has_any,
        "enemy_within": enemy_within,
        "friend_within": friend_within,
        "in_phase": lambda w, u, v: w.state.game.phase == v,
        "own_turn": lambda w, u, v: w.state.active == u.player,
        "has_model": has_model,
        "round": lambda w, u, v: w.state.round >= int(v),
        MARKED: marked,
        MARKED_AT_A_MOMENT: marked_at_a_moment,
    }
)
BY_LOSSES: Final = frozenset(("leading", "led", "led_by", "size", "keyword", "has_model"))
"""Conditions about a unit that depend on which models are left, and on nothing else in the state."""
BY_PLACE: Final = BY_LOSSES | {"enemy_within", "friend_within"}
"""Those that depend on where models stand, too."""


# --- The attack -------------------------------------------------------------------------------------------------------


def target_within(w: World40, attack: AttackMade, value: str) -> bool:
    """Measured from the model that attacks, where that is known."""
    if attack.model < 0:
        return w.system.seam(Words).within(w, w.unit(attack.unit), w.unit(attack.target), steps(int(value)))
    models = w.on_table(w.unit(attack.target))
    here = np.array([attack.model], dtype=np.int64)
    return len(models) > 0 and float(distances(w.bodies, w.shapes, here, models).min()) <= steps(int(value))


def near_open_objective(w: World40, attack: AttackMade) -> bool:
    """Whether a target is near a marker that the attacker's player does not control."""
    player, control = w.unit(attack.unit).player, w.state.game.control
    return any(control[m : m + 1] != (player,) for m in markers_near(w, w.unit(attack.target)))


def target_closest(w: World40, attack: AttackMade) -> bool:
    """Whether no enemy, in shooting none that may be shot at, is closer to the attacking unit than its target."""
    unit, target = w.unit(attack.unit), w.unit(attack.other)
    if attack.suffered:
        unit = w.unit(attack.target)
    far = w.distance(unit, target)
    near = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and w.distance(unit, e) < far]
    return not near or not (attack.melee or any(w.system.seam(Words).may_target(w, unit, e) for e in near))


def target_closest_visible(w: World40, attack: AttackMade) -> bool:
    """The same, with none but enemies that a model of the attacking unit sees."""
    unit, far = w.unit(attack.unit), w.distance(w.unit(attack.unit), w.unit(attack.target))
    near = [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and w.distance(unit, e) < far]
    return not any(visible(w, unit, e).any() for e in near)


ATTACK: Final[MappingProxyType[str, AttackTest]] = MappingProxyType(
    {
        "ranged": lambda w, a, v: not a.melee,
        "melee": lambda w, a, v: a.melee,
        "half_range": lambda w, a, v: a.half_range,
        "target_within": target_within,
        "strength_above_toughness": lambda w, a, v: a.strength > a.toughness,
        "target_keyword": lambda w, a, v: has_any(w, w.unit(a.other), v),
        "target_marked": lambda w, a, v: marked(w, w.unit(a.other), v),
        "target_in_cover": lambda w, a, v: w.system.seam(Words).conditions.unit["in_cover"](w, w.unit(a.other), v),
        "target_closest": lambda w, a, v: target_closest(w, a),
        "target_closest_visible": lambda w, a, v: target_closest_visible(w, a),
    }
)


# --- All that an edition knows


def with_common(
    unit: Mapping[str, UnitTest], attack: Mapping[str, AttackTest] = MappingProxyType({}), by_place: Iterable[str] = ()
) -> Conditions:
    """An edition's own conditions beside those above; `by_place` names those of its own that depend on places alone."""
    units, attacks = MappingProxyType({**UNIT, **unit}), MappingProxyType({**ATTACK, **attack})
    return Conditions(units, attacks, BY_PLACE.union(by_place), BY_LOSSES)


def with_strength(
    below_half: Callable[[Any, Any], bool],
    below_starting: Callable[[Any, Any], bool],
    is_engaged: Callable[[Any, Any], bool],
    controls: Callable[[Any, Any], bool],
) -> Conditions:
    """Where units have a Starting Strength, can be battle-shocked, and hold markers: (world, unit)."""
    unit: dict[str, UnitTest] = {
        "below_half": lambda w, u, v: below_half(w, u),
        "below_starting": lambda w, u, v: below_starting(w, u),
        "weak_enemy_within": lambda w, u, v: weaker_within(w, u, v, below_starting),
        "halved_enemy_within": lambda w, u, v: weaker_within(w, u, v, below_half),
        "battle_shocked": lambda w, u, v: u.battle_shocked,
        "near_objective": lambda w, u, v: bool(markers_near(w, u)),
        "control_objective": lambda w, u, v: controls(w, u),
        "engaged": lambda w, u, v: is_engaged(w, u),
    }
    attack: dict[str, AttackTest] = {
        "target_below_half": lambda w, a, v: below_half(w, w.unit(a.other)),
        "target_below_starting": lambda w, a, v: below_starting(w, w.unit(a.other)),
        "target_near_objective": lambda w, a, v: bool(markers_near(w, w.unit(a.other))),
        "target_near_open_objective": lambda w, a, v: near_open_objective(w, a),
        "target_battle_shocked": lambda w, a, v: w.unit(a.other).battle_shocked,
    }
    return with_common(unit, attack, ("engaged",))
