"""Screens: who stands between an enemy and a friend, so that a charge meets the cheaper of the two."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from sandtable.forty.mind.field import Field, chance_over, two_units
from sandtable.kernels import kernel, leaf
from sandtable.table.grid import Floats, Ints

SCREENED: Final = 0.4
"""What is left of a charge's chance where a friend stands in the way"""
BEHIND: Final = 2.0
"""Inches that a unit must be behind its screen"""
ARMS: Final = 0.8
"""How much of a unit's reach from its middle blocks the way"""


@leaf
def in_the_way(ax: float, ay: float, bx: float, by: float, x: float, y: float, wide: float, berth: float) -> bool:
    """Whether a unit at (x, y) stands in the way from a to b, for who keeps so far from it."""
    along_x, along_y, off_x, off_y = bx - ax, by - ay, x - ax, y - ay
    length = max(0.01, math.sqrt(along_x * along_x + along_y * along_y))
    on_way = (along_x * off_x + along_y * off_y) / length
    beside = abs(along_x * off_y - along_y * off_x) / length
    return on_way > 0.0 and on_way < length - BEHIND and beside <= ARMS * wide + berth


@leaf
def is_screened(o: Field, i: int, x: float, y: float, foe: int, without: int) -> bool:
    """Whether a friend of a unit, other than one, stands between an enemy and the unit, if that stood at a place."""
    if o.passes[foe]:
        return False
    for j in range(o.side.shape[0]):
        if (
            o.side[j] == o.side[i]
            and j not in (i, without)
            and in_the_way(o.at[foe, 0], o.at[foe, 1], x, y, o.at[j, 0], o.at[j, 1], o.wide[j], o.berth)
        ):
            return True
    return False


@kernel
def stopped(o: Field, i: int, foes: Ints, places: Floats) -> Floats:
    """What is left of the charges of enemies at a unit at some places, [place, foe], given where its friends stand."""
    found = np.empty((places.shape[0], foes.shape[0]))
    for p in range(places.shape[0]):
        for k in range(foes.shape[0]):
            found[p, k] = SCREENED if is_screened(o, i, places[p, 0], places[p, 1], foes[k], i) else 1.0
    return found


@kernel
def shelters(o: Field, i: int, foes: Ints, places: Floats, threat: Floats) -> Floats:
    """What a unit at some places keeps from friends who are dearer to lose; `threat` is [unit, charger]."""
    count = o.side.shape[0]
    found = np.zeros(places.shape[0])
    spared = np.zeros(count)
    for f in foes:
        some = False
        for j in range(count):
            spared[j] = 0.0
            dearer = threat[j, f] - threat[i, f]
            if j == i or o.side[j] != o.side[i] or dearer <= 0.0 or o.passes[f]:
                continue
            # Who has a screen already needs no other.
            if not is_screened(o, j, o.at[j, 0], o.at[j, 1], f, i):
                spared[j] = (1.0 - SCREENED) * chance_over(o, max(0.0, o.far[j, f] - o.move[f])) * dearer
                some = some or spared[j] > 0.0
        if not some:
            continue
        for p in range(places.shape[0]):
            # Each enemy charges once: what counts is the friend that it would hurt most.
            most = 0.0
            for j in range(count):
                if spared[j] > most and in_the_way(
                    o.at[f, 0], o.at[f, 1], o.at[j, 0], o.at[j, 1], places[p, 0], places[p, 1], o.wide[i], o.berth
                ):
                    most = spared[j]
            found[p] += most
    return found


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    o = two_units()
    stopped(o, 0, np.array([1]), o.at)
    shelters(o, 0, np.array([1]), o.at, o.strike)
