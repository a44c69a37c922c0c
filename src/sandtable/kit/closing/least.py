"""Whether a move that seeks the enemy can be made at all, and how far it takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sandtable.battle.decisions import Moves
from sandtable.battle.kept import PLACES, kept
from sandtable.kit.closing.contact import Contact, least_way
from sandtable.kit.closing.joining import join_battle
from sandtable.kit.closing.up_against import reach_across
from sandtable.table.grid import STEP

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


class Least(NamedTuple):
    """The lowest roll, in whole units of length, with which a move can be made, and how; one too many where none is."""

    roll: int
    moves: Moves | None


@kept(PLACES)
def possible(w: AnyWorld, c: Contact) -> Moves | None:
    """A move that meets all conditions, if the search finds one; models may still have to go on by a duty."""
    found = join_battle(w, c, np.array(c.movers, dtype=np.int64))
    return reach_across(w, c) if found is None else found


def enough(w: AnyWorld, c: Contact) -> Moves | None:
    """The same by the search for the least roll: the chance that is told is the one judged."""
    least = least_roll(w, c, max(c.furthest, c.far) // STEP)
    return least.moves if c.far >= least.roll * STEP else None


def least_roll(w: AnyWorld, c: Contact, most: int) -> Least:
    """What a move takes, whatever was rolled. Rolls above `most` do not count."""
    return _least_roll(w, c._replace(far=0), most)


@kept(PLACES)
def _least_roll(w: AnyWorld, c: Contact, most: int) -> Least:
    never, way = Least(most + 1, None), least_way(w, c)
    if way > most * STEP:
        return never
    low, high = max(0, math.ceil(way / STEP)), most
    # Mostly the distance alone decides. Where it does not: what one roll allows, any higher one does.
    found = possible(w, _by(c, low))
    if found is not None or low == high:
        return never if found is None else Least(low, found)
    found = possible(w, _by(c, high))
    if found is None:
        return never
    best = _enough_for(w, c, low, high, found)
    while best.roll - low > 1:
        middle = (low + best.roll) // 2
        found = possible(w, _by(c, middle))
        if found is None:
            low = middle
        else:
            best = _enough_for(w, c, low, middle, found)
    return best


def _by(c: Contact, roll: int) -> Contact:
    return c._replace(far=roll * STEP)


def _enough_for(w: AnyWorld, c: Contact, low: int, high: int, moves: Moves) -> Least:
    """The lowest roll with which the same move can be made, above one that is too low, up to one that is enough."""
    while high - low > 1:
        middle = (low + high) // 2
        rolled = _by(c, middle)
        if rolled.accept(w, rolled, moves):
            high = middle
        else:
            low = middle
    return Least(high, moves)
