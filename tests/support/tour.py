"""Random battles over all lists, missions and layouts of an edition, and what must be true at any question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sandtable.battle import TABLE, Battle, System, questions
from sandtable.battle.dice import KeyedDice
from sandtable.kit.layouts import layouts
from sandtable.players.base import Player
from sandtable.table.grid import OVERLAP
from sandtable.table.measure import gaps, on_table
from support.discipline import MAX_DECISIONS, AnyBattle, Findings


class Match(NamedTuple):
    """One battle of the tour."""

    number: int
    red: str
    blue: str
    mission: str
    layout: str

    def __str__(self) -> str:
        return f"{self.number}: {self.red} against {self.blue}, {self.mission}, {self.layout}"


def tour(lists: Mapping[int, list[Path]], sizes: Sequence[int], missions: Sequence[str]) -> Iterator[Match]:
    """Battles without end: lists, missions and layouts go round at different paces, so that all of them meet."""
    number = 0
    tables = layouts()
    while True:
        armies = lists[sizes[number % len(sizes)]]
        turn = number // len(sizes)
        red, blue = armies[turn % len(armies)], armies[(turn + 1 + turn // len(armies)) % len(armies)]
        # Six missions and eight layouts meet in 24 pairs; the shift brings the others.
        layout = tables[(turn + turn // 24) % len(tables)]
        yield Match(number, red.stem, blue.stem, missions[turn % len(missions)], layout)
        number += 1


def grounds_tour(
    lists: Mapping[int, list[Path]], sizes: Sequence[int], grounds: Sequence[tuple[str, str]]
) -> Iterator[Match]:
    """The same where missions bring their layouts along."""
    for number in count():
        turn, size = divmod(number, len(sizes))
        armies = lists[sizes[size]]
        red, blue = armies[turn % len(armies)], armies[(turn + 1 + turn // len(armies)) % len(armies)]
        yield Match(number, red.stem, blue.stem, *grounds[number % len(grounds)])


def play(
    system: System, start: tuple[Any, Any], seed: int, look: Callable[[AnyBattle], str | None], by: Player | None = None
) -> Findings:
    """Play a battle by chance, or by one player for all, and look at it at every question, without further proofs."""
    found, rng = Findings(), Random(seed)
    battle: AnyBattle = Battle(system, *start, dice=KeyedDice(seed), record=False)
    battle.start()
    while True:
        trouble = look(battle)
        if trouble:
            found.fault("invariant", trouble)
        if not battle.decisions:
            return found
        decision = battle.decisions[0]
        found.asked[decision.kind] += 1
        if sum(found.asked.values()) > MAX_DECISIONS:
            found.fault("end", "the battle does not end")
            return found
        if by is None:
            battle.answer(decision, next(questions.suggest(battle, decision, rng)))
        else:
            battle.answer(decision, by.choose(battle.view(decision.player), decision))


def misplaced(b: AnyBattle) -> Iterator[str]:
    """Nobody is off the table, and no two bases overlap on one level."""
    models = np.flatnonzero(b.state.models.place == TABLE)
    for i in models:
        if not on_table(b.bodies, b.shapes, int(i), b.terrain.size):
            yield f"{name_of(b, int(i))} hangs over the edge"
    low = b.state.models.pos[models, 2]
    high = low + b.shapes.height[b.ground.shape[models]]
    level = (low[:, None] < high[None, :]) & (low[None, :] < high[:, None])
    clash = level & (gaps(b.bodies, b.shapes, models, models) < OVERLAP)
    np.fill_diagonal(clash, False)
    for i, j in np.argwhere(clash)[:1]:
        yield f"{name_of(b, int(models[i]))} and {name_of(b, int(models[j]))} overlap"


def name_of(b: AnyBattle, model: int) -> str:
    unit = b.unit(int(b.state.models.unit[model]))
    return f"{unit.name} {unit.models.index(model) + 1}"


class Watch:
    """Whoever looks at one battle: what can never be true at any question of it."""

    def __init__(self) -> None:
        self.version = -1
        self.vp = (0, 0)

    def look(self, b: AnyBattle) -> str | None:
        """What can never be true of a battle."""
        return "; ".join([*self.numbers(b), *self.deeds(b), *self.places(b)]) or None

    def numbers(self, b: AnyBattle) -> Iterator[str]:
        """Wounds and what players have are never negative, and Victory points are kept."""
        if (b.state.models.wounds < 0).any():
            yield "a model has less than no wounds"
        for p, before in zip(b.state.players, self.vp, strict=False):
            if self.store(p) < 0 or p.vp < before:
                yield f"{p.name} has {self.store(p)} in store and {p.vp} VP, after {before}"
        self.vp = tuple(p.vp for p in b.state.players)

    def store(self, player: Any) -> int:
        """What a player spends: Command points, or re-rolls."""
        return int(player.cp)

    def deeds(self, b: AnyBattle) -> Iterator[str]:
        """What units never do."""
        yield from ()

    def places(self, b: AnyBattle) -> Iterator[str]:
        """Nobody is off the table, and no two bases overlap on one level."""
        if b.state.version != self.version:
            self.version = b.state.version
            yield from misplaced(b)
