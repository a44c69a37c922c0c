"""Random battles of 8th edition with army lists, and what must be true at every question of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from sandtable.armies import open_pack, read_list
from sandtable.systems.w40k8.enlist import FRAME
from sandtable.systems.w40k8.mission import build, missions
from sandtable.systems.w40k8.system import SYSTEM
from support.discipline import AnyBattle, Findings, prove
from support.tour import Match, Watch, play, tour

SIZES = (40, 60, 100)


@cache
def lists() -> dict[int, list[Path]]:
    """The lists of the pack by their size."""
    found: dict[int, list[Path]] = {}
    for path in sorted(open_pack("w40k8").lists):
        found.setdefault(read_list(path).limit, []).append(path)
    return found


def matches() -> Iterator[Match]:
    """Battles without end, over all lists, missions and layouts."""
    return tour(lists(), SIZES, missions())


def start(match: Match) -> tuple[Any, Any]:
    """The set-up and state of a battle; one in five is played with all the other readings of the rules."""
    named = {path.stem: path for paths in lists().values() for path in paths}
    options = {r.name: r.values[1] for r in FRAME.readings} if match.number % 5 == 4 else {}
    return build({"red": named[match.red], "blue": named[match.blue]}, match.mission, match.layout, options)


def referee(match: Match, every: int) -> Findings:
    """Play a battle and look at it at every question, with the proofs of the discipline; `every` thins out purity."""
    return prove(SYSTEM, lambda: start(match), match.number, invariant=Eyes().look, every=every)


def watch(match: Match) -> Findings:
    """Play a battle and look at it at every question, without these proofs."""
    return play(SYSTEM, start(match), match.number, Eyes().look)


class Eyes(Watch):
    """Whoever looks at one battle of 8th edition."""

    def store(self, player: Any) -> int:
        """Command re-rolls."""
        return int(player.rerolls)

    def deeds(self, b: AnyBattle) -> Iterator[str]:
        """Nobody charges without a word, or whom it did not declare."""
        for unit in b.state.units:
            if unit.charged and not (unit.targets and unit.declared):
                yield f"{unit.name} charged without a target or a word"
            if unit.embarked >= 0 and b.is_on_table(unit):
                yield f"{unit.name} is aboard and on the table"
