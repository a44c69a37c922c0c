"""Screens: who stands between an enemy and a friend, so that a charge meets the cheaper of the two."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.systems.w40k10.tactics.outlook import Outlook, reach_chance
from sandtable.table.grid import Bools, Floats, Ints

SCREENED: Final = 0.4
"""What is left of a charge's chance where a friend stands in the way"""
BESIDE: Final = 1.5
"""Inches that a charge keeps from the bases that it goes around"""
BEHIND: Final = 2.0
"""Inches that a unit must be behind its screen"""
ARMS: Final = 0.8
"""How much of a unit's reach from its middle blocks the way"""


def in_the_way(start: Floats, end: Floats, between: Floats, wide: Floats) -> Bools:
    """Whether units stand in the way from starts to ends, [start, end, between]; all places are [n, x y]."""
    along = end[None, :, :] - start[:, None, :]
    length = np.maximum(0.01, np.sqrt((along**2).sum(axis=2)))
    off = between[None, :, :] - start[:, None, :]
    # How far along the way each unit stands, and how far beside it.
    on_way = along[:, :, None, 0] * off[:, None, :, 0] + along[:, :, None, 1] * off[:, None, :, 1]
    on_way /= length[:, :, None]
    beside = np.abs(along[:, :, None, 0] * off[:, None, :, 1] - along[:, :, None, 1] * off[:, None, :, 0])
    beside /= length[:, :, None]
    within = (on_way > 0.0) & (on_way < length[:, :, None] - BEHIND)
    return np.asarray(within & (beside <= ARMS * wide[None, None, :] + BESIDE))


def stopped(o: Outlook, i: int, foes: Ints, places: Floats) -> Floats:
    """What is left of the charges of enemies at a unit at some places, [place, foe], given where its friends stand."""
    friends = o.friends(i)
    if not len(friends):
        return np.ones((len(places), len(foes)))
    shut = in_the_way(o.at[foes], places, o.at[friends], o.wide[friends]).any(axis=2).T
    return np.where(shut & ~o.flies[foes][None, :], SCREENED, 1.0)


def shelters(o: Outlook, i: int, foes: Ints, places: Floats, threat: Floats) -> Floats:
    """What a unit at some places keeps from friends who are dearer to lose; `threat` is [unit, foe]."""
    friends = o.friends(i)
    if not len(friends):
        return np.zeros(len(places))
    chance = reach_chance(np.maximum(0.0, o.far[np.ix_(friends, foes)] - o.move[foes][None, :]))
    spared = (1.0 - SCREENED) * chance * np.maximum(0.0, threat[friends] - threat[i][None, :])
    spared = np.where(o.flies[foes][None, :], 0.0, spared)
    if not spared.any():
        return np.zeros(len(places))
    others = o.at[friends]
    # Who has a screen already needs no other.
    have = in_the_way(o.at[foes], others, others, o.wide[friends])
    have[:, np.arange(len(friends)), np.arange(len(friends))] = False
    spared = np.where(have.any(axis=2).T, 0.0, spared)
    blocks = in_the_way(o.at[foes], others, places, np.full(len(places), o.wide[i]))
    # Each enemy charges once: what counts is the friend that it would hurt most.
    return np.asarray((blocks * spared.T[:, :, None]).max(axis=1).sum(axis=0))
