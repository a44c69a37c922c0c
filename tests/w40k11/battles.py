"""Random battles of 11th edition with army lists, and what must be true at every question of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from sandtable.armies import open_pack, read_list
from sandtable.forty.dataset_missions import dataset_grounds
from sandtable.kit.layouts import layouts
from sandtable.players import ComputerPlayer
from sandtable.systems.w40k11.mission import missions
from sandtable.systems.w40k11.muster import build
from sandtable.systems.w40k11.readings import READINGS
from sandtable.systems.w40k11.system import SYSTEM
from support.discipline import AnyBattle, Findings, prove
from support.tour import Match, grounds_tour, misplaced, play

SIZES = (1000, 2000)


@cache
def lists() -> dict[int, list[Path]]:
    """The ready lists by their points."""
    found: dict[int, list[Path]] = {}
    for path in sorted(open_pack("w40k11").lists):
        found.setdefault(read_list(path).limit, []).append(path)
    return found


@cache
def grounds() -> list[tuple[str, str]]:
    """Missions with their layouts: those of the dataset on theirs, and between them ours on ours."""
    ours = [(mission, layout) for mission in missions() for layout in layouts()]
    theirs = dataset_grounds()
    every = len(theirs) // len(ours)
    for place, own in enumerate(ours):
        theirs.insert(place * (every + 1), own)
    return theirs


def matches() -> Iterator[Match]:
    """Battles without end, over all lists, missions and layouts."""
    return grounds_tour(lists(), SIZES, grounds())


def pairs() -> Iterator[Match]:
    """One battle of 2,000 points for each faction against each, and against its own, over all missions and layouts."""
    first: dict[str, str] = {}
    for path in lists()[max(SIZES)]:
        first.setdefault(read_list(path).faction, path.stem)
    for number, (red, blue) in enumerate(combinations_with_replacement(first.values(), 2)):
        yield Match(number, red, blue, *grounds()[number % len(grounds())])


def start(match: Match) -> tuple[Any, Any]:
    """The set-up and state of a battle; one in five is played with all the other readings of the rules."""
    named = {path.stem: path for paths in lists().values() for path in paths}
    options = {r.name: r.values[1] for r in READINGS} if match.number % 5 == 4 else {}
    return build({"red": named[match.red], "blue": named[match.blue]}, match.mission, match.layout, options)


def referee(match: Match, every: int) -> Findings:
    """Play a battle and look at it at every question, with the proofs of the discipline; `every` thins out purity."""
    return prove(SYSTEM, lambda: start(match), match.number, invariant=Eyes().look, every=every)


def watch(match: Match) -> Findings:
    """Play a battle and look at it at every question, without these proofs."""
    return play(SYSTEM, start(match), match.number, Eyes().look)


def fight(match: Match) -> Findings:
    """Play a battle and look at it at every question; those with even numbers are fought by computer players."""
    by = ComputerPlayer("tactician") if match.number % 2 == 0 else None
    return play(SYSTEM, start(match), match.number, Eyes().look, by)


class Eyes:
    """Whoever looks at one battle."""

    def __init__(self) -> None:
        self.version = -1
        self.vp = (0, 0)

    def look(self, b: AnyBattle) -> str | None:
        """What can never be true of a battle of 11th edition."""
        return "; ".join([*self.numbers(b), *self.deeds(b), *self.places(b)]) or None

    def numbers(self, b: AnyBattle) -> Iterator[str]:
        """Wounds and Command points are never negative, and Victory points are kept."""
        if (b.state.models.wounds < 0).any():
            yield "a model has less than no wounds"
        for p, before in zip(b.state.players, self.vp, strict=False):
            if p.cp < 0 or p.vp < before:
                yield f"{p.name} has {p.cp} CP and {p.vp} VP, after {before}"
        self.vp = tuple(p.vp for p in b.state.players)

    def deeds(self, b: AnyBattle) -> Iterator[str]:
        """Nobody charges without a word, and nobody is in two places."""
        for unit in b.state.units:
            if unit.charged and not unit.declared:
                yield f"{unit.name} charged without a word"
            if (unit.embarked >= 0 or unit.reserve) and b.is_on_table(unit):
                yield f"{unit.name} is aboard or in reserves and on the table"

    def places(self, b: AnyBattle) -> Iterator[str]:
        """Nobody is off the table, and no two bases overlap on one level."""
        if b.state.version != self.version:
            self.version = b.state.version
            yield from misplaced(b)
