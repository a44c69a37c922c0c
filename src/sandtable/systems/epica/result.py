"""The result of an assault: who has won it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.battle.rolls import Total
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.epica.blast_markers import counted_markers
from sandtable.systems.epica.state import EpicBattle, EpicWorld, names, size


class Score(NamedTuple):
    """One side's result: the higher of its two dice and what is added to it."""

    die: int
    kills: int
    numbers: int
    no_markers: int
    fewer_markers: int

    @property
    def total(self) -> int:
        return sum(self)


def score(b: EpicBattle, side: Sequence[int], other: Sequence[int], kills: int) -> Score:
    """Roll a side's result and add its modifiers."""
    mine, theirs = markers(b, side), markers(b, other)
    found = Score(
        roll_result(b, b.unit(side[0]).player),
        kill_modifier(kills),
        number_modifier(units(b, side), units(b, other)),
        no_marker_modifier(mine),
        fewer_marker_modifier(mine, theirs),
    )
    parts = ", ".join(
        f"{label} +{value}"
        for label, value in (
            ("kills", found.kills),
            ("numbers", found.numbers),
            ("no markers", found.no_markers),
            ("fewer markers", found.fewer_markers),
        )
        if value
    )
    b.tell(
        "result",
        f"{names(b, tuple(side))}: {found.die}{', ' + parts if parts else ''} makes {found.total}.",
        "epica.result.roll",
        units=list(side),
        total=found.total,
    )
    return found


@rule("epica.intermingle.single_formation", neutral=0)
def units(world: EpicWorld, side: Sequence[int]) -> int:
    """The units left in all formations of a side, near or far."""
    return sum(size(world, world.unit(f)) for f in side)


@rule("epica.intermingle.single_formation", neutral=0)
def markers(world: EpicWorld, side: Sequence[int]) -> int:
    """The blast markers of all formations of a side together."""
    return sum(counted_markers(world, world.unit(f)) for f in side)


@rule("epica.result.roll", "epica.assault.combined_roll", neutral=1)
def roll_result(b: EpicBattle, player: int) -> int:
    """Two dice, of which the higher counts; one pair for a side, however many formations it has."""
    read = Total("before anything is added", (Part("the higher", "counts"),), highest=True)
    return max(b.roll(2, "result", player, rules=("epica.result.roll",), read=read))


@rule("epica.result.kills", neutral=0)
def kill_modifier(kills: int) -> int:
    """One for each enemy unit killed in the assault, in all its rounds and by its supporters."""
    return kills


@rule("epica.result.outnumber", neutral=0)
def number_modifier(mine: int, theirs: int) -> int:
    """One for more units, another for more than twice as many."""
    return (mine > theirs) + (mine > 2 * theirs)


@rule("epica.result.no_markers", neutral=0)
def no_marker_modifier(mine: int) -> int:
    """One for having no markers at all."""
    return int(mine == 0)


@rule("epica.result.fewer_markers", neutral=0)
def fewer_marker_modifier(mine: int, theirs: int) -> int:
    """One if the enemy has more markers."""
    return int(theirs > mine)
