"""Occasions: a moment at which abilities may be used and what it is about, and what waits for it."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.armies.effects import AnyEffect
from sandtable.battle.kept import SETUP, kept
from sandtable.forty.effects.ability import Ability, DetachmentStratagem
from sandtable.forty.effects.index import numbered
from sandtable.forty.state import Unit, World40


class Occasion(NamedTuple):
    """A moment of the vocabulary (`armies.effects`), and what it is about."""

    at: str
    unit: int = -1
    """The unit that acts; for `wounded` the one that was hurt, for `enemy_moved` the enemy."""
    by: int = -1
    """The unit that attacked, where somebody was hurt."""
    targets: tuple[int, ...] = ()
    """The enemy units that were hit, moved over or destroyed."""
    melee: bool = False
    fallen: tuple[int, ...] = ()
    """The models that were destroyed."""
    hitters: tuple[tuple[int, int], ...] = ()
    """Enemy units that were hit, each with a model that hit them, where the edition tells."""
    move: str = ""
    """The kind of move that has just ended."""


class Use(NamedTuple):
    """One way of using an ability at a moment."""

    ability: int
    bearer: int
    """The unit that uses it; -1 for a rule that the whole army uses together."""
    branch: str = ""

    @property
    def value(self) -> str:
        """How an option names it."""
        return f"{self.ability}:{self.bearer}:{self.branch}"


def read_use(value: str) -> Use:
    """A use from the value of its option."""
    ability, bearer, branch = value.split(":", 2)
    return Use(int(ability), int(bearer), branch)


class Cause(NamedTuple):
    """What something is done by: an ability or Stratagem, at an occasion."""

    number: int
    """Of the ability or Stratagem."""
    source: Ability | DetachmentStratagem
    bearer: int
    occasion: Occasion
    until: str = ""
    """How long effects last that do not say so themselves."""

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def player(self) -> int:
        return self.source.player


class Offer(NamedTuple):
    """A use that is offered to its player."""

    at: str
    unit: int
    """The unit that acts."""
    use: Use

    @property
    def value(self) -> str:
        """How an option names it."""
        return f"{self.at}|{self.unit}|{self.use.value}"


def read_offer(value: str) -> Offer:
    """An offer from the value of its option."""
    at, unit, text = value.split("|", 2)
    return Offer(at, int(unit), read_use(text))


def describe(w: World40, use: Use) -> str:
    """A use in words."""
    ability = numbered(w.setup.data, use.ability)
    what = f"{ability.name}, {use.branch}" if use.branch else ability.name
    return f"{what} ({w.unit(use.bearer).name})" if use.bearer >= 0 else what


# --- What waits for it ------------------------------------------------------------------------------------------------


def abilities_at(w: World40, player: int, at: str) -> tuple[int, ...]:
    """The numbers of the abilities of a player that wait for a moment; looked up once for the whole battle."""
    return _by_moment(w).get((player, at), ())


@kept(SETUP)
def _by_moment(w: World40) -> dict[tuple[int, str], tuple[int, ...]]:
    found: dict[tuple[int, str], list[int]] = {}
    for number, ability in enumerate(w.setup.data.abilities):
        for at in dict.fromkeys(e.at for e in ability.effects if e.at):
            found.setdefault((ability.player, at), []).append(number)
    return {key: tuple(numbers) for key, numbers in found.items()}


def falls_hard(w: World40, unit: Unit) -> bool:
    """Whether models of a unit do something when they are slain."""
    own = (w.setup.data.abilities[n] for n in abilities_at(w, unit.player, "slain"))
    return any(not frozenset(ability.models).isdisjoint(unit.models) for ability in own)


def at_moment(ability: Ability, at: str, branch: str = "") -> list[tuple[int, AnyEffect]]:
    """The effects of an ability at a moment with their numbers: those of a branch, and those that belong to all."""
    return [(j, e) for j, e in enumerate(ability.effects) if e.at == at and e.branch in ("", branch)]


def is_optional(ability: Ability, at: str) -> bool:
    """Whether its player may decline the ability at a moment; what offers branches is asked about in any case."""
    return any(e.at == at and e.optional for e in ability.effects)


def branches(ability: Ability, at: str) -> list[str]:
    """The branches that an ability offers at a moment; one without a name where it offers none."""
    return list(dict.fromkeys(e.branch for e in ability.effects if e.at == at and e.branch)) or [""]
