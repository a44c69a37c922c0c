"""Which effects of abilities are at work on a unit now: constant ones, and those that were set off for a while."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from sandtable.armies.effects import AnyEffect, Mark, Within
from sandtable.armies.effects import Effect as AbilityEffect
from sandtable.battle import Effect
from sandtable.battle.kept import EFFECTS, EVERYTHING, LOSSES, PLACES, PLACES_OF_THESE, SETUP, kept
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.conditions import about_attack, hold_for_attack, hold_for_model, hold_for_unit, sort_out
from sandtable.forty.effects.index import ABILITY, AURAS, Candidate, index_of, numbered, reference
from sandtable.forty.effects.reach import is_wholly_reached
from sandtable.forty.effects.words import AttackMade, Words
from sandtable.forty.state import Unit, World40, alive

SHARED: Final = (*AURAS, "army")
"""What many bearers give to one unit."""

E = TypeVar("E", bound=AbilityEffect)


class Active(NamedTuple, Generic[E]):
    """An effect that works on a unit."""

    ability: int
    """Its number: the row of Data.abilities; Stratagems are counted on from there."""
    effect: E
    bearer: int
    """The unit that it comes from; the unit itself for Stratagems."""
    name: str
    number: int = 0
    """Which of the ability's effects it is."""


# --- What works now ---------------------------------------------------------------------------------------------------


def at_work(w: World40, unit: Unit, kind: type[E]) -> tuple[Active[E], ...]:
    """The effects of a kind that work on a unit now, as far as that does not depend on an attack (see `applies`)."""
    index = index_of(w)
    chances = index.found.get((unit.id, kind))  # Looked up here: most of a battle's looks at abilities end with it.
    if chances is None or chances.models is not unit.models:
        chances = index.chances(w, unit, kind)
    if not chances.candidates and not index.set_off(w.state.effects, kind):
        return ()
    if chances.by_losses:
        return _until_losses(w, unit, kind)
    return _until_moves(w, unit, kind) if chances.by_place else _until_changes(w, unit, kind)


@kept(LOSSES, EFFECTS)
def _until_losses(w: World40, unit: Unit, kind: type[Any]) -> tuple[Active[Any], ...]:
    return _all_that_work(w, unit, kind)


@kept(PLACES, EFFECTS)
def _until_moves(w: World40, unit: Unit, kind: type[Any]) -> tuple[Active[Any], ...]:
    return _all_that_work(w, unit, kind)


@kept(EVERYTHING)
def _until_changes(w: World40, unit: Unit, kind: type[Any]) -> tuple[Active[Any], ...]:
    return _all_that_work(w, unit, kind)


def _all_that_work(w: World40, unit: Unit, kind: type[Any]) -> tuple[Active[Any], ...]:
    index = index_of(w)
    candidates, words = index.chances(w, unit, kind).candidates, index.words
    found = [active for c in candidates if (active := _judge(w, words, c, unit)) is not None]
    found += _set_off(w, unit, kind)
    return tuple(once_each(w, found)) if len(found) > 1 else tuple(found)


def once_each(w: World40, found: Iterable[Active[Any]]) -> list[Active[Any]]:
    """Effects without those that count as one with an earlier one."""
    same, left, seen = w.system.seam(Words).same, [], set[Hashable]()
    for active in found:
        key = same(w, active.name, active.effect)
        if key is None or key not in seen:
            left.append(active)
        seen.add(key)
    return left


def one_aura(name: str, effect: AnyEffect) -> Hashable:
    """What tells auras apart where those of one name count once; None for what is no aura, nor of a whole army."""
    return (name, effect) if effect.who in SHARED else None


def _judge(w: World40, words: Words, c: Candidate, unit: Unit) -> Active[Any] | None:
    """One candidate, if it works."""
    effect = c.effect
    if effect.only and not words.has_keyword(w, unit, effect.only):
        return None
    deep = not isinstance(effect, Mark)
    if effect.when and not hold_for_unit(w, effect.when, unit, deep=deep):
        return None
    if effect.wholly and not is_wholly_reached(w, words.bearing(w, c.source), unit, float(effect.within)):
        return None
    for bearer in bearers(w, words, c, unit):
        if not effect.bearer or hold_for_unit(w, effect.bearer, w.unit(bearer), deep=deep):
            return Active(c.ability, effect, bearer, c.source.name, c.number)
    return None


def bearers(w: World40, words: Words, c: Candidate, unit: Unit) -> Sequence[int]:
    """The units that an effect on a unit could come from now."""
    who = c.effect.who
    if who in AURAS:
        return aura_bearers(w, c, unit)
    able = words.bearing(w, c.source)
    if who == "army":
        return [int(w.state.models.unit[able[0]])] if able else []
    if who == "led":
        here = words.led(w, unit) and any(m in unit.models and m in unit.leader for m in able)
    else:
        here = not frozenset(able).isdisjoint(unit.models)
    return [unit.id] if here else []


def bearers_left(w: World40, source: Ability) -> list[int]:
    """The models that bear an ability and are not destroyed; of a damaged profile those that are damaged enough."""
    able = _left_of(w, source.models)
    if not source.wounds:
        return able
    is_damaged = w.system.seam(Words).is_damaged
    return [m for m in able if is_damaged(w, source, m)]


@kept(LOSSES)
def _left_of(w: World40, models: tuple[int, ...]) -> list[int]:
    return alive(w, models)


def has_lost_enough(w: World40, source: Ability, model: int) -> bool:
    """Whether a model has as few wounds left as a damaged profile is for."""
    return int(w.state.models.wounds[model]) <= source.wounds


def aura_bearers(w: World40, c: Candidate, unit: Unit) -> list[int]:
    """The units with a bearer on the table that a unit is within range of."""
    far, who = c.effect.within, c.effect.bearer
    # Where wounds decide who bears it, positions alone do not tell.
    if c.source.wounds:
        return _near(w, c.ability, unit, far, who)
    if c.source.unit < 0:
        return _in_any_aura(w, unit, c.ability, far, who)
    bearer = w.unit(int(w.state.models.unit[c.source.models[0]]))
    return _in_aura_of(w, unit, bearer, c.ability, far, who)


@kept(PLACES_OF_THESE)
def _in_aura_of(w: World40, unit: Unit, bearer: Unit, ability: int, far: Within, who: tuple[str, ...]) -> list[int]:
    return _near(w, ability, unit, far, who)


@kept(PLACES)
def _in_any_aura(w: World40, unit: Unit, ability: int, far: Within, who: tuple[str, ...]) -> list[int]:
    return _near(w, ability, unit, far, who)


def _near(w: World40, ability: int, unit: Unit, far: Within, who: tuple[str, ...]) -> list[int]:
    """`who` has the conditions on bearers, of which those about a single model are judged here."""
    words, source = w.system.seam(Words), w.setup.data.abilities[ability]
    able = words.bearing(w, source)
    if sort_out(who).model:
        fit = _fit_models(w, ability, who)
        able = [m for m in able if m in fit]
    elif able and source.unit >= 0 and not source.item:
        able = [*able, *_joined(w, source)]
    return words.in_aura(w, able, unit, far)


def _joined(w: World40, source: Ability) -> list[int]:
    """Who leads a unit in which all others bear an ability: it is one of the unit, and Leaders belong to that."""
    unit = w.unit(int(w.state.models.unit[source.models[0]]))
    if not unit.leader or {*source.models, *unit.leader} != {*unit.models} or source.models[0] in unit.leader:
        return []
    return alive(w, unit.leader)


@kept(SETUP)
def _fit_models(w: World40, ability: int, who: tuple[str, ...]) -> frozenset[int]:
    """Those of an ability's bearers for whom conditions about a single model hold."""
    return frozenset(m for m in w.setup.data.abilities[ability].models if hold_for_model(w, who, m))


def _set_off(w: World40, unit: Unit, kind: type[Any]) -> Iterator[Active[Any]]:
    """What abilities and Stratagems set off for a while."""
    for on, ability, number, effect in index_of(w).set_off(w.state.effects, kind):
        if on not in (unit.id, -1):
            continue
        source = numbered(w.setup.data, ability)
        if on == -1 and source.player != unit.player:
            continue
        if not effect.when or hold_for_unit(w, effect.when, unit, deep=kind is not Mark):
            yield Active(ability, effect, bearer_of(w, source, unit), source.name, number)


def bearer_of(w: World40, source: Ability | DetachmentStratagem, unit: Unit) -> int:
    """The unit that the bearers of an ability are in now; the unit itself for a Stratagem."""
    if isinstance(source, Ability):
        for m in alive(w, source.models):
            return int(w.state.models.unit[m])
    return unit.id


def outside_attacks(found: Iterable[Active[E]]) -> tuple[Active[E], ...]:
    """Effects that work where nobody attacks: none with conditions about an attack, unless a moment set them off."""
    return tuple(a for a in found if a.effect.at or not about_attack(a.effect.when))


# --- Attacks and models -----------------------------------------------------------------------------------------------


def applies(w: World40, active: Active[Any], attack: AttackMade) -> bool:
    """Whether an effect that works on a unit works on an attack that it makes, or suffers."""
    effect = active.effect
    if not effect.when and effect.who != "model":
        return True
    if not hold_for_attack(w, effect.when, attack):
        return False
    return attack.suffered or attack.model < 0 or changes_model(w, active, attack.model)


def changes_model(w: World40, active: Active[Any], model: int) -> bool:
    """Whether an effect that works on a unit works on one model of it."""
    effect = active.effect
    if not effect.when and effect.who != "model":
        return True
    if effect.who == "model":
        source = numbered(w.setup.data, active.ability)
        if isinstance(source, Ability):
            if model not in source.models:
                return False
            if source.wounds and not w.system.seam(Words).is_damaged(w, source, model):
                return False
        if "leading" in effect.when and model not in w.unit(int(w.state.models.unit[model])).leader:
            return False
    return hold_for_model(w, effect.when, model)


# --- Marks ------------------------------------------------------------------------------------------------------------


def is_marked(w: World40, unit: Unit, name: str, *, deep: bool = True) -> bool:
    """Whether a unit, or its whole army, bears a mark.

    Without `deep` only marks that were set at a moment count, so that marks cannot depend on each other in a circle.
    """
    index = index_of(w)
    chances = index.chances(w, unit, Mark)
    if name not in index.temporary_marks and not (deep and name in chances.marks):
        return False
    if chances.by_losses:
        return _marked_until_losses(w, unit, name, deep)
    return (_marked_until_moves if chances.by_place else _marked_until_changes)(w, unit, name, deep)


@kept(LOSSES, EFFECTS)
def _marked_until_losses(w: World40, unit: Unit, name: str, deep: bool) -> bool:
    return _bears(w, unit, name, deep)


@kept(PLACES, EFFECTS)
def _marked_until_moves(w: World40, unit: Unit, name: str, deep: bool) -> bool:
    return _bears(w, unit, name, deep)


@kept(EVERYTHING)
def _marked_until_changes(w: World40, unit: Unit, name: str, deep: bool) -> bool:
    return _bears(w, unit, name, deep)


def _bears(w: World40, unit: Unit, name: str, deep: bool) -> bool:
    if name in [active.effect.name for active in _set_off(w, unit, Mark)]:
        return True
    index = index_of(w)
    candidates = index.chances(w, unit, Mark).candidates if deep else ()
    named = [c for c in candidates if cast(Mark, c.effect).name == name]
    return any(_judge(w, index.words, c, unit) is not None for c in named)


def set_off(ability: int, number: int, unit: int, until: str, source: str = "") -> Effect:
    """The state's effect for something that an ability set off: on one unit, or with -1 on its player's whole army."""
    return Effect(ABILITY, unit, reference(ability, number), source=source, until=until)
