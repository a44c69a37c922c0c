"""Random battles of 11th edition with army lists, and what must be true at every question of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
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
from support.tour import Match, Watch, grounds_tour, play

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
    """One battle of 2,000 points for each faction against each, and against its own, over all missions and layouts.

    Each faction meets its own first, then its neighbour, and so on: a part of the tour has all factions, too.
    """
    first: dict[str, str] = {}
    for path in lists()[max(SIZES)]:
        first.setdefault(read_list(path).faction, path.stem)
    names = list(first.values())
    for number, (apart, one) in enumerate(_meetings(len(names))):
        yield Match(number, names[one], names[one + apart], *grounds()[number % len(grounds())])


def _meetings(count: int) -> Iterator[tuple[int, int]]:
    """How far two factions are from each other in the list of all, and the first of them."""
    return ((apart, one) for apart in range(count) for one in range(count - apart))


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


class Eyes(Watch):
    """Whoever looks at one battle of 11th edition."""

    def deeds(self, b: AnyBattle) -> Iterator[str]:
        """Nobody charges without a word, and nobody is in two places."""
        for unit in b.state.units:
            if unit.charged and not unit.declared:
                yield f"{unit.name} charged without a word"
            if (unit.embarked >= 0 or unit.reserve) and b.is_on_table(unit):
                yield f"{unit.name} is aboard or in reserves and on the table"
