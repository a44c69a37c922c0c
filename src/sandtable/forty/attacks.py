"""From shots to tables by die face: batches of equal shots, and the seam by which an edition compiles them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, Protocol, TypeVar

from sandtable.attack.volley import Attack, Body, Choices, Procedure, Target, Volley, WoundRoll
from sandtable.forty.shot import Shot
from sandtable.forty.state import World40

S = TypeVar("S", bound=Shot)


def by_target(shots: Sequence[S], place: Callable[[Sequence[int], int], int]) -> Iterator[tuple[int, list[S]]]:
    """The shots at each target; `place` says where a target comes among those named, in the order of their naming."""
    targets = list(dict.fromkeys(s.target for s in shots))
    ordered = sorted(shots, key=lambda s: place(targets, s.target))
    for target, group in groupby(ordered, key=lambda s: s.target):
        yield target, list(group)


def in_batches(shots: Sequence[S], alike: Callable[[S], Hashable]) -> tuple[tuple[S, ...], ...]:
    """Shots for which `alike` is equal, together, in the order in which they come."""
    groups: dict[Hashable, list[S]] = {}
    for shot in shots:
        groups.setdefault(alike(shot), []).append(shot)
    return tuple(map(tuple, groups.values()))


class Compiled(NamedTuple):
    """Shots of one unit at one target, as tables."""

    batches: tuple[tuple[Any, ...], ...]
    """Which shots are rolled together."""
    volleys: tuple[Volley, ...]
    """For each batch; it has a class of saving throw of its own."""
    target: Target

    def attack(self, choices: Choices, procedure: Procedure = Procedure.EACH_IN_TURN) -> Attack:
        """What the solver and the Monte Carlo kernel take."""
        return Attack(self.volleys, self.target, procedure, choices)


class Tables(Protocol):
    """How an edition makes tables of batches, and of the target as they meet it.

    For estimates the first `most` bodies of the target are enough; 0 for all.
    """

    def __call__(
        self, w: Any, unit: Any, target: Any, batches: Sequence[Any], /, most: int = 0
    ) -> tuple[tuple[Volley, ...], Target]: ...


class Plain(NamedTuple):
    """What an edition says about a weapon when nothing else is at work."""

    volley: Callable[[Any, Any, bool, int, int], Volley]
    """(world, profile, within half range, models of the target, the face that hits or 0 for its skill): the tables of
    one weapon; those of the wound roll do not count."""
    wound: Callable[[Any, Any], WoundRoll]
    """(profile, datasheet): the wound roll against it."""
    body: Callable[[Any, Any, Any], Body]
    """(world, datasheet, AP): a model of it."""
    endangers: Callable[[Any], bool]
    """(profile): whether it may harm who uses it."""


class Compile(NamedTuple):
    """The seam: what an edition brings for whoever wants to know what attacks would do."""

    batches: Callable[[Any, Any, Any, Sequence[Any]], tuple[tuple[Any, ...], ...]]
    """(world, unit, target, shots): which of them are rolled together, with what abilities change about weapons."""
    tables: Tables
    plain: Plain | None = None
    """For those who make plans."""


def compiled(w: World40, unit: Any, target: Any, shots: Sequence[Shot], most: int = 0) -> Compiled:
    """The shots of a unit at one target, by the rules of the battle's edition."""
    compile_ = w.system.seam(Compile)
    batches = compile_.batches(w, unit, target, shots)
    return Compiled(batches, *compile_.tables(w, unit, target, batches, most))


def compiled_batches(w: World40, unit: Any, target: Any, batches: Sequence[tuple[Any, ...]]) -> Compiled:
    """The same for shots that are in batches already."""
    return Compiled(tuple(batches), *w.system.seam(Compile).tables(w, unit, target, batches))
