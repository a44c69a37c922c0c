"""The state of a battle: plain data, copied, serialised and compared by value.

Models live in arrays. Units, players and what the system itself keeps are small structs whose fields hold immutable
values only (numbers, strings, tuples, frozen structs), so that a copy is shallow and still independent. Nothing in them
can refer back to them: the garbage collector, which would look at each of many thousand copies, is told so (gc=False).
"""

from __future__ import annotations

import hashlib
import itertools
from typing import Any, Final, Generic, TypeVar

import msgspec
import numpy as np

from sandtable.table.grid import Ints
from sandtable.table.layout import Feature

OFF: Final = 0
"""Not on the table yet: in reserve, or waiting to be set up."""
TABLE: Final = 1
ABOARD: Final = 2
"""Embarked in a transport."""
GONE: Final = 3
"""Destroyed, or removed from play."""

_versions = itertools.count(1)


def new_version() -> int:
    """A number that no other state of this process has, for caches of geometry."""
    return next(_versions)


class Models(msgspec.Struct, gc=False):
    """All models of the battle; row i is model i for the whole battle."""

    pos: Ints
    """[model, x y z] in grid steps"""
    facing: Ints
    wounds: Ints
    place: Ints
    """OFF, TABLE, ABOARD or GONE"""
    mark: Ints
    """Bits whose meaning the system gives"""
    unit: Ints

    def copy(self) -> Models:
        return Models(
            self.pos.copy(),
            self.facing.copy(),
            self.wounds.copy(),
            self.place.copy(),
            self.mark.copy(),
            self.unit.copy(),
        )


class AnyUnit(msgspec.Struct, gc=False):
    """What every system's unit has."""

    id: int
    player: int
    name: str
    models: tuple[int, ...]
    single: bool = False
    """Goes by the name of one model, though it has had more."""


class AnyPlayer(msgspec.Struct, gc=False):
    """What every system's player has. Players of one side are friends; enemy means another side."""

    id: int
    name: str
    side: int


class Effect(msgspec.Struct, frozen=True, gc=False):
    """Something that a rule, ability or stratagem changes for a while."""

    kind: str
    """What is changed, e.g. "hit_modifier"."""
    unit: int = -1
    """On whom; -1 for everybody."""
    value: int | str = 0
    condition: str = ""
    """Named condition that the system judges; empty for always."""
    source: str = ""
    """Rule id."""
    until: str = ""
    """When it ends; the system ends it with `Battle.end_effects`."""


class Result(msgspec.Struct, frozen=True):
    """How a battle ended."""

    winners: tuple[int, ...]
    """Players of the winning side; empty for a draw."""
    reason: str
    scores: tuple[int, ...] = ()
    rulings: int = 0
    """How many rulings the players agreed on along the way."""
    takebacks: int = 0
    """How often answers were taken back although something had been learnt from them."""
    victory: str | msgspec.UnsetType = msgspec.UNSET
    """How great it is, "major" or "minor", in systems that tell these apart; left out in others."""


U = TypeVar("U", bound=AnyUnit)
P = TypeVar("P", bound=AnyPlayer)
G = TypeVar("G", bound=msgspec.Struct)


class State(msgspec.Struct, Generic[U, P, G]):
    """Everything that outlives a step."""

    models: Models
    units: list[U]
    players: list[P]
    game: G
    """What the system keeps beside units and players."""
    segment: str = "setup"
    """Which tuple of steps is running..."""
    step: int = 0
    """...and the place in it."""
    round: int = 0
    active: int = 0
    """Whose turn it is."""
    effects: tuple[Effect, ...] = ()
    features: tuple[Feature, ...] = ()
    """Terrain that came up during the battle, such as wrecks."""
    answers: int = 0
    """How many answers have been given; keys the dice."""
    rolled: int = 0
    """How far the dice after the last answer have been used."""
    rulings: int = 0
    result: Result | None = None
    version: int = 0
    """Changes with the geometry; never serialised, for caches only."""
    stamp: int = 0
    """Changes with everything that rules change; never serialised either."""

    def copy(self) -> State[U, P, G]:
        return State(
            self.models.copy(),
            [u.__copy__() for u in self.units],  # type: ignore[attr-defined]
            [p.__copy__() for p in self.players],  # type: ignore[attr-defined]
            self.game.__copy__(),  # type: ignore[attr-defined]
            self.segment,
            self.step,
            self.round,
            self.active,
            self.effects,
            self.features,
            self.answers,
            self.rolled,
            self.rulings,
            self.result,
            self.version,
            self.stamp,
        )


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [list(value.shape), value.tobytes()]
    raise TypeError(f"{type(value).__name__} has no place in a state")


def _array(_kind: Any, value: Any) -> Ints:
    shape, data = value
    return np.frombuffer(data, dtype=np.int64).reshape(shape).copy()


_encoder = msgspec.msgpack.Encoder(enc_hook=_plain, order="sorted")


def to_bytes(state: State[Any, Any, Any]) -> bytes:
    """The state as bytes; equal states give equal bytes."""
    version, stamp, state.version, state.stamp = state.version, state.stamp, 0, 0
    try:
        return _encoder.encode(state)
    finally:
        state.version, state.stamp = version, stamp


def from_bytes(data: bytes, unit: type[U], player: type[P], game: type[G]) -> State[U, P, G]:
    """The state that `to_bytes` wrote."""
    kind: Any = State[unit, player, game]  # type: ignore[valid-type]
    state: State[U, P, G] = msgspec.msgpack.decode(data, type=kind, dec_hook=_array)
    state.version = state.stamp = new_version()
    return state


def digest(state: State[Any, Any, Any]) -> str:
    """A short fingerprint of a state."""
    return hashlib.blake2b(to_bytes(state), digest_size=8).hexdigest()
