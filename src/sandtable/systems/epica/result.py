"""The result of an assault: who has won it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

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


MODIFIERS: Final = MappingProxyType(
    {
        "kills": "epica.result.kills",
        "numbers": "epica.result.outnumber",
        "no_markers": "epica.result.no_markers",
        "fewer_markers": "epica.result.fewer_markers",
    }
)
"""What is added to the dice, each with its rule."""


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
    tell_score(b, side, found)
    return found


def tell_score(b: EpicBattle, side: Sequence[int], found: Score) -> None:
    """What a side's result is made of: in a sentence what counts, and as facts each modifier, also where it is 0."""
    counts = [name for name in MODIFIERS if getattr(found, name)]
    parts = "".join(f", {name.replace('_', ' ')} +{getattr(found, name)}" for name in counts)
    b.tell(
        "result",
        f"{names(b, tuple(side))}: {found.die}{parts} makes {found.total}.",
        "epica.result.roll",
        *(MODIFIERS[name] for name in counts),
        units=list(side),
        **found._asdict(),
        total=found.total,
    )


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
