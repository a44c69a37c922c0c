"""Which effects of abilities work on a unit now: those that last, and those that were set off for a while.

What can work on which unit at all is known from the army lists, and looked up in an index. Only what the index holds
is judged against the state; a unit without such effects costs a look into a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from sandtable.armies.effects import AnyEffect, Mark
from sandtable.armies.effects import Effect as AbilityEffect
from sandtable.battle import TABLE, Effect
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.conditions import (
    AttackMade,
    about_attack,
    alive,
    are_steady,
    are_still,
    hold_for_attack,
    hold_for_model,
    hold_for_unit,
    is_led,
)
from sandtable.systems.w40k10.abilities.reach import models_that_reach
from sandtable.systems.w40k10.concepts import has_any_keyword
from sandtable.systems.w40k10.state import Data, Unit, World10

ABILITY: Final = "ability"
"""Kind of the state's effects that an ability or Stratagem set off; the value is the text of a `reference`."""
OWN: Final = ("model", "unit", "led")
AURAS: Final = ("friends", "enemies")
SHARED: Final = (*AURAS, "army")
"""What many bearers give to one unit; it has it once."""

E = TypeVar("E", bound=AbilityEffect)
T = TypeVar("T")


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


# --- References -------------------------------------------------------------------------------------------------------


def reference(ability: int, number: int) -> str:
    """How the state names one effect of an ability."""
    return f"{ability}/{number}"


def numbered(data: Data, ability: int) -> Ability | DetachmentStratagem:
    """The ability, or the Stratagem, with a number."""
    if ability < len(data.abilities):
        return data.abilities[ability]
    return data.stratagems[ability - len(data.abilities)]


def number_of_stratagem(data: Data, row: int) -> int:
    """The number that a row of Data.stratagems has."""
    return len(data.abilities) + row


def referred(data: Data, text: str) -> tuple[int, int, AnyEffect]:
    """The effect that a reference names: the ability's number, the effect's number, the effect."""
    ability, _, number = text.partition("/")
    return int(ability), int(number), numbered(data, int(ability)).effects[int(number)]


# --- The index --------------------------------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """An effect that could work on a unit, as far as the army lists tell."""

    ability: int
    number: int
    effect: AnyEffect
    carried: Ability

    def is_steady(self, *, marks: bool) -> bool:
        """Whether it changes only with the models on the table, and with marks if those do, too."""
        conditions = (*self.effect.when, *self.effect.bearer)
        return not self.carried.wounds and are_steady(conditions, marks=marks)

    def is_still(self, *, marks: bool) -> bool:
        """Whether it changes only when models are lost, and with marks if those do, too."""
        conditions = (*self.effect.when, *self.effect.bearer)
        return not self.carried.wounds and self.effect.who not in AURAS and are_still(conditions, marks=marks)


class Index:
    """The lasting effects of all abilities, by the units that they could work on."""

    __slots__ = (
        "_brief",
        "_found",
        "_kept",
        "_lasting",
        "_set_off",
        "_steady_marks",
        "_still_marks",
        "brief_marks",
        "data",
    )

    def __init__(self, data: Data) -> None:
        self.data = data
        self._lasting: dict[type[Any], list[Candidate]] = {}
        self._brief: dict[type[Any], list[AnyEffect]] = {}
        """What is set off for a while."""
        for ability, carried in enumerate(data.abilities):
            for number, effect in enumerate(carried.effects):
                if lasts(effect):
                    found = self._lasting.setdefault(type(effect), [])
                    found.append(Candidate(ability, number, effect, carried))
        used = [e for s in data.stratagems for e in s.effects]
        for effect in (*used, *(e for a in data.abilities for e in a.effects if not lasts(e))):
            self._brief.setdefault(type(effect), []).append(effect)
        self._steady_marks = all(c.is_steady(marks=True) for c in self._lasting.get(Mark, ())) and all(
            are_steady(e.when, marks=True) for e in self._brief.get(Mark, ())
        )
        self._still_marks = all(c.is_still(marks=True) for c in self._lasting.get(Mark, ())) and all(
            are_still(e.when, marks=True) for e in self._brief.get(Mark, ())
        )
        self.brief_marks = {e.name for e in self._brief.get(Mark, ()) if isinstance(e, Mark)}
        self._found: dict[tuple[int, type[Any]], Chances] = {}
        self._kept: dict[Hashable, tuple[Chances, frozenset[int], tuple[Effect, ...], Any]] = {}
        """What `until_losses` found last."""
        self._set_off: tuple[tuple[Effect, ...], dict[type[Any], list[SetOff]]] = ((), {})
        """What the state's effects of the last look set off, by kind."""

    def chances(self, w: World10, unit: Unit, kind: type[Any]) -> Chances:
        """What could work on a unit; its models change only when Leaders join."""
        key = (unit.id, kind)
        found = self._found.get(key)
        if found is None or (found.models is not unit.models and found.models != unit.models):
            candidates = tuple(c for c in self._lasting.get(kind, ()) if _could_work(w, c, unit))
            steady, still = self._are_steady(candidates, kind), self._are_still(candidates, kind)
            found = self._found[key] = Chances(unit.models, candidates, steady, still)
        return found

    def until_losses(self, w: World10, key: Hashable, chances: Chances, look: Callable[[], T]) -> T:
        """A value that hangs on chances that are still, kept until models are lost or the state's effects change."""
        lost, effects = w.out_of_play(), w.state.effects
        known = self._kept.get(key)
        if known is None or known[0] is not chances or known[2] is not effects:
            known = self._kept[key] = (chances, lost, effects, look())
        elif known[1] is not lost:
            # The same losses once more: next time a glance tells.
            known = self._kept[key] = (chances, lost, effects, known[3] if known[1] == lost else look())
        value: T = known[3]
        return value

    def set_off(self, effects: tuple[Effect, ...], kind: type[Any]) -> list[SetOff]:
        """What the state's effects set off of a kind."""
        if self._set_off[0] is not effects:
            found: dict[type[Any], list[SetOff]] = {}
            for e in effects:
                if e.kind == ABILITY:
                    ability, number, effect = referred(self.data, str(e.value))
                    found.setdefault(type(effect), []).append(SetOff(e.unit, ability, number, effect))
            self._set_off = (effects, found)
        return self._set_off[1].get(kind, [])

    def _are_still(self, candidates: tuple[Candidate, ...], kind: type[Any]) -> bool:
        marks = self._still_marks
        return all(c.is_still(marks=marks) for c in candidates) and all(
            are_still(e.when, marks=marks) for e in self._brief.get(kind, ())
        )

    def _are_steady(self, candidates: tuple[Candidate, ...], kind: type[Any]) -> bool:
        marks = self._steady_marks
        return all(c.is_steady(marks=marks) for c in candidates) and all(
            are_steady(e.when, marks=marks) for e in self._brief.get(kind, ())
        )


class Chances(NamedTuple):
    """What could work on a unit while these are its models."""

    models: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    steady: bool
    """Whether it changes only with the models on the table and the state's effects, not with flags and wounds."""
    still: bool
    """Whether it does not even change when models move."""


class SetOff(NamedTuple):
    """An effect that something set off for a while."""

    unit: int
    """On whom; -1 for a whole army."""
    ability: int
    number: int
    effect: AnyEffect


def lasts(effect: AnyEffect) -> bool:
    """Whether an effect works all the time, without being set off, chosen or used up."""
    return not (effect.at or effect.once or effect.optional or effect.branch)


def _could_work(w: World10, c: Candidate, unit: Unit) -> bool:
    who = c.effect.who
    if who in OWN:
        return any(m in c.carried.models for m in unit.models)
    if who == "army":
        return c.carried.player == unit.player
    same_side = w.side(c.carried.player) == w.side(unit.player)
    return (who == "friends" and same_side) or (who == "enemies" and not same_side)


def index_of(w: World10) -> Index:
    """The index of a battle, built once for its set-up."""
    known: Index | None = w.ground.kept.get(ABILITY)
    return known if known is not None else w.fixed(ABILITY, lambda: Index(w.setup.data))


# --- What works now ---------------------------------------------------------------------------------------------------


def standing(w: World10, unit: Unit, kind: type[E]) -> tuple[Active[E], ...]:
    """The effects of a kind that work on a unit now, as far as that does not hang on an attack (see `applies`)."""
    index = index_of(w)
    chances = index.chances(w, unit, kind)
    if not chances.candidates and not index.set_off(w.state.effects, kind):
        return ()
    key = (ABILITY, unit.id, kind)

    def look() -> tuple[Active[Any], ...]:
        return _all_that_work(w, unit, kind, chances.candidates)

    if chances.still:
        return index.until_losses(w, key, chances, look)
    return w.under_effects(key, look) if chances.steady else w.now(key, look)


def _all_that_work(
    w: World10, unit: Unit, kind: type[Any], candidates: tuple[Candidate, ...]
) -> tuple[Active[Any], ...]:
    found = [active for c in candidates if (active := _judge(w, c, unit)) is not None]
    found += _set_off(w, unit, kind)
    return tuple(once_each(found)) if len(found) > 1 else tuple(found)


def _judge(w: World10, c: Candidate, unit: Unit) -> Active[Any] | None:
    """One candidate, if it works."""
    effect = c.effect
    if effect.only and not has_any_keyword(w, unit, effect.only):
        return None
    deep = not isinstance(effect, Mark)
    if effect.when and not hold_for_unit(w, effect.when, unit, deep=deep):
        return None
    for bearer in bearers(w, c, unit):
        if not effect.bearer or hold_for_unit(w, effect.bearer, w.unit(bearer), deep=deep):
            return Active(c.ability, effect, bearer, c.carried.name, c.number)
    return None


def bearers(w: World10, c: Candidate, unit: Unit) -> Sequence[int]:
    """The units that an effect on a unit could come from now."""
    who = c.effect.who
    if who in AURAS:
        return aura_bearers(w, c, unit)
    able = bearing(w, c.carried)
    if who == "army":
        return [int(w.state.models.unit[able[0]])] if able else []
    if who == "led":
        here = is_led(w, unit) and any(m in unit.models and m in unit.leader for m in able)
    else:
        here = any(m in unit.models for m in able)
    return [unit.id] if here else []


@rule("w40k10.datasheet.wargear_abilities", "w40k10.datasheet.abilities", neutral=())
def bearing(w: World10, carried: Ability) -> list[int]:
    """The models that bear an ability and are not destroyed; nothing works without one."""
    able = w.cached(("alive", carried.models), lambda: alive(w, carried.models))
    return [m for m in able if is_damaged(w, carried, m)] if carried.wounds else able


@rule("w40k10.datasheet.abilities", neutral=False)
def is_damaged(w: World10, carried: Ability, model: int) -> bool:
    """A damaged profile works while the model has few enough wounds left; anything else always."""
    return not carried.wounds or int(w.state.models.wounds[model]) <= carried.wounds


def aura_bearers(w: World10, c: Candidate, unit: Unit) -> list[int]:
    """The units with a bearer on the table that a unit is within range of, remembered while both stand."""
    # Where wounds decide who bears it, positions alone do not tell.
    if c.carried.wounds:
        return in_aura(w, c, unit)
    key = ("aura", c.ability, c.effect.within, unit.id)
    if c.carried.unit < 0:
        return w.cached(key, lambda: in_aura(w, c, unit))
    bearer = int(w.state.models.unit[c.carried.models[0]])
    return w.standing(key, lambda: in_aura(w, c, unit), unit.id, bearer)


@rule("w40k10.ability.aura", neutral=())
def in_aura(w: World10, c: Candidate, unit: Unit) -> list[int]:
    """The units with a bearer on the table that a unit on it is within range of; the bearer's own unit always is."""
    if not w.is_on_table(unit):
        return []
    place, owner = w.state.models.place, w.state.models.unit
    able = [m for m in bearing(w, c.carried) if place[m] == TABLE]
    near = models_that_reach(w, able, unit, c.effect.within).tolist()
    return list(dict.fromkeys(int(owner[m]) for m, is_near in zip(able, near, strict=True) if is_near))


@rule("w40k10.ability.aura", neutral=())
def once_each(found: list[Active[Any]]) -> list[Active[Any]]:
    """The same Aura works on a unit only once, however many models have it."""
    seen: set[tuple[str, AnyEffect]] = set()
    kept = []
    for active in found:
        key = (active.name, active.effect)
        if active.effect.who in SHARED and key in seen:
            continue
        seen.add(key)
        kept.append(active)
    return kept


def _set_off(w: World10, unit: Unit, kind: type[Any]) -> Iterator[Active[Any]]:
    """What abilities and Stratagems set off for a while."""
    for on, ability, number, effect in index_of(w).set_off(w.state.effects, kind):
        if on not in (unit.id, -1):
            continue
        source = numbered(w.setup.data, ability)
        if on == -1 and source.player != unit.player:
            continue
        if not effect.when or hold_for_unit(w, effect.when, unit, deep=kind is not Mark):
            yield Active(ability, effect, bearer_of(w, source, unit), source.name, number)


def bearer_of(w: World10, source: Ability | DetachmentStratagem, unit: Unit) -> int:
    """The unit that the bearers of an ability are in now; the unit itself for a Stratagem."""
    if isinstance(source, Ability):
        for m in alive(w, source.models):
            return int(w.state.models.unit[m])
    return unit.id


def outside_attacks(found: Iterable[Active[E]]) -> tuple[Active[E], ...]:
    """Effects that work where nobody attacks: none with conditions about an attack, unless a moment set them off."""
    return tuple(a for a in found if a.effect.at or not about_attack(a.effect.when))


# --- Attacks and models -----------------------------------------------------------------------------------------------


def applies(w: World10, active: Active[Any], attack: AttackMade) -> bool:
    """Whether an effect that works on a unit works on an attack that it makes, or suffers."""
    effect = active.effect
    if not effect.when and effect.who != "model":
        return True
    if not hold_for_attack(w, effect.when, attack):
        return False
    return attack.suffered or attack.model < 0 or changes_model(w, active, attack.model)


def changes_model(w: World10, active: Active[Any], model: int) -> bool:
    """Whether an effect that works on a unit works on one model of it."""
    effect = active.effect
    if not effect.when and effect.who != "model":
        return True
    if effect.who == "model":
        source = numbered(w.setup.data, active.ability)
        if isinstance(source, Ability) and (model not in source.models or not is_damaged(w, source, model)):
            return False
        if "leading" in effect.when and model not in w.unit(int(w.state.models.unit[model])).leader:
            return False
    return hold_for_model(w, effect.when, model)


# --- Marks ------------------------------------------------------------------------------------------------------------


def is_marked(w: World10, unit: Unit, name: str, *, deep: bool = True) -> bool:
    """Whether a unit, or its whole army, bears a mark.

    Without `deep` only marks that were set at a moment count, so that marks cannot hang on each other in a circle.
    """
    index = index_of(w)
    chances = index.chances(w, unit, Mark)
    named = [c for c in chances.candidates if deep and cast(Mark, c.effect).name == name]
    if not named and name not in index.brief_marks:
        return False
    key = ("marked", unit.id, name, deep)

    def look() -> bool:
        if any(active.effect.name == name for active in _set_off(w, unit, Mark)):
            return True
        return any(_judge(w, c, unit) is not None for c in named)

    if chances.still:
        return index.until_losses(w, key, chances, look)
    return w.under_effects(key, look) if chances.steady else w.now(key, look)


def set_off(ability: int, number: int, unit: int, until: str, source: str = "") -> Effect:
    """The state's effect for something that an ability set off: on one unit, or with -1 on its player's whole army."""
    return Effect(ABILITY, unit, reference(ability, number), source=source, until=until)
