"""The index of a battle's abilities: what can work on which unit at all, as far as the army lists tell.

Only what the index holds is judged against the state; a unit without such effects costs a look into a dictionary.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sandtable.armies.effects import AnyEffect, Mark
from sandtable.battle import Effect
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.conditions import depend_only_on
from sandtable.forty.effects.words import Words
from sandtable.forty.state import Data, Unit, World40

ABILITY: Final = "ability"
"""Kind of the state's effects that an ability or Stratagem set off; the value is the text of a `reference`."""
OWN: Final = ("model", "unit", "led")
AURAS: Final = ("friends", "enemies")


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
    source: Ability

    def depends_only_on(self, names: frozenset[str], *, marks: bool) -> bool:
        """Whether conditions among `names` decide alone whether it works, and marks if those do, too."""
        conditions = (*self.effect.when, *self.effect.bearer)
        return not self.source.wounds and depend_only_on(names, conditions, marks=marks)


class Index:
    """The constant effects of all abilities, by the units that they could work on."""

    __slots__ = (
        "_constant",
        "_marks_by_losses",
        "_marks_by_place",
        "_set_off",
        "_temporary",
        "data",
        "found",
        "temporary_marks",
        "words",
    )

    def __init__(self, data: Data, words: Words) -> None:
        self.data = data
        self.words = words
        self._constant: dict[type[Any], list[Candidate]] = {}
        self._temporary: dict[type[Any], list[AnyEffect]] = {}
        """What is set off for a while."""
        for ability, source in enumerate(data.abilities):
            for number, effect in enumerate(source.effects):
                if is_constant(effect):
                    found = self._constant.setdefault(type(effect), [])
                    found.append(Candidate(ability, number, effect, source))
        used = [e for s in data.stratagems for e in s.effects]
        for effect in (*used, *(e for a in data.abilities for e in a.effects if not is_constant(e))):
            self._temporary.setdefault(type(effect), []).append(effect)
        self._marks_by_place = self._marks_by_losses = True
        marks = tuple(self._constant.get(Mark, ()))
        self._marks_by_place, self._marks_by_losses = self._are_by_place(marks, Mark), self._are_by_losses(marks, Mark)
        self.temporary_marks = {e.name for e in self._temporary.get(Mark, ()) if isinstance(e, Mark)}
        self.found: dict[tuple[int, type[Any]], Chances] = {}
        self._set_off: tuple[tuple[Effect, ...], dict[type[Any], list[SetOff]]] = ((), {})
        """What the state's effects of the last look set off, by kind."""

    def chances(self, w: World40, unit: Unit, kind: type[Any]) -> Chances:
        """What could work on a unit; its models change only when Leaders join."""
        key = (unit.id, kind)
        found = self.found.get(key)
        if found is None or (found.models is not unit.models and found.models != unit.models):
            candidates = tuple(c for c in self._constant.get(kind, ()) if _could_work(w, c, unit))
            by_place, by_losses = self._are_by_place(candidates, kind), self._are_by_losses(candidates, kind)
            marks = tuple([c.effect.name for c in candidates if isinstance(c.effect, Mark)])
            found = self.found[key] = Chances(unit.models, candidates, by_place, by_losses, marks)
        return found

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

    def _are_by_losses(self, candidates: tuple[Candidate, ...], kind: type[Any]) -> bool:
        no_auras = all(c.effect.who not in AURAS for c in candidates)
        return no_auras and self._depend_only_on(
            self.words.conditions.by_losses, candidates, kind, marks=self._marks_by_losses
        )

    def _are_by_place(self, candidates: tuple[Candidate, ...], kind: type[Any]) -> bool:
        return self._depend_only_on(self.words.conditions.by_place, candidates, kind, marks=self._marks_by_place)

    def _depend_only_on(
        self, names: frozenset[str], candidates: tuple[Candidate, ...], kind: type[Any], *, marks: bool
    ) -> bool:
        return all(c.depends_only_on(names, marks=marks) for c in candidates) and all(
            depend_only_on(names, e.when, marks=marks) for e in self._temporary.get(kind, ())
        )


class Chances(NamedTuple):
    """What could work on a unit while these are its models."""

    models: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    by_place: bool
    """Whether it changes only with the models on the table and the state's effects, not with flags and wounds."""
    by_losses: bool
    """Whether it does not even change when models move."""
    marks: tuple[str, ...]
    """The marks among it."""


class SetOff(NamedTuple):
    """An effect that something set off for a while."""

    unit: int
    """On whom; -1 for a whole army."""
    ability: int
    number: int
    effect: AnyEffect


def is_constant(effect: AnyEffect) -> bool:
    """Whether an effect works all the time, without being set off, chosen or used up."""
    return not (effect.at or effect.once or effect.optional or effect.branch)


def _could_work(w: World40, c: Candidate, unit: Unit) -> bool:
    who = c.effect.who
    if who in OWN:
        return not frozenset(c.source.models).isdisjoint(unit.models)
    if who == "army":
        return c.source.player == unit.player
    same_side = w.side(c.source.player) == w.side(unit.player)
    return (who == "friends" and same_side) or (who == "enemies" and not same_side)


@kept(SETUP)
def index_of(w: World40) -> Index:
    """The index of a battle, built once for its set-up."""
    return Index(w.setup.data, w.system.seam(Words))
