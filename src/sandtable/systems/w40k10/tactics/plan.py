"""Who goes for which objective marker: the best pairs first, until each marker has enough units to hold it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.tactics.outlook import Outlook, outlook
from sandtable.systems.w40k10.tactics.stakes import PATIENCE, TURNS, Stakes, stakes
from sandtable.table.grid import Floats

RANGE: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it."""
SETTLED: Final = 1.15
"""What a marker counts for who is there already"""
OPPORTUNITY: Final = 0.9
"""What a turn of shooting counts against going to a marker"""
REACHING: Final = 0.4
"""How much of an enemy's Objective Control counts at markers that it may get to next turn"""
AT_LEAST: Final = 0.5
"""Objective Control that is expected against us everywhere: somebody may come"""
ELSEWHERE: Final = 0.5
"""What a marker counts for a unit that is sent to another one"""


class Plan(NamedTuple):
    """Who goes where."""

    goals: dict[int, int]
    """For units the marker that each should take or hold; units that are free for other work are not in"""
    needed: dict[int, Floats]
    """For units how much each of them does for every marker, given where the others go, from 0 to 1"""


def in_reach(o: Outlook, places: Floats) -> Floats:
    """How far each unit's middle must go until it has a good part of its models in range of a place, [unit, place]."""
    gap = o.at[:, None, :] - places[None, :, :]
    near = np.sqrt(gap[:, :, 0] ** 2 + gap[:, :, 1] ** 2) - RANGE + 0.3
    return np.asarray(np.maximum(0.0, near))


def pull(at_stake: Stakes, turns: Floats) -> Floats:
    """What markers are worth to who needs so many turns, and parts of turns, to each, [..., marker]."""
    turns = np.minimum(turns, TURNS - 1.0)
    low = np.floor(turns).astype(np.int64)
    high, part = np.minimum(low + 1, TURNS - 1), turns - low
    m = np.arange(len(at_stake.markers))
    return np.asarray(at_stake.arrivals[low, m] * (1.0 - part) + at_stake.arrivals[high, m] * part)


def control(ours: Floats, theirs: Floats) -> Floats:
    """The chance to hold a marker with so much Objective Control against theirs."""
    return np.asarray(ours**2 / (ours**2 + theirs**2))


def plan(w: World10, player: int) -> Plan:
    """The best pairs of units and markers first, as long as another unit makes a difference."""
    moved = tuple(u.id for u in w.state.units if u.moved)
    game = w.state.game
    key = ("plan", player, w.state.models.wounds.tobytes(), moved, w.state.round, game.phase, game.control)
    return w.cached(key, lambda: _plan(w, player))


def _plan(w: World10, player: int) -> Plan:
    o, at_stake = outlook(w), stakes(w, player)
    side = w.side(player)
    mine, foes = np.flatnonzero(o.side == side), np.flatnonzero(o.side != side)
    if not len(mine) or not (at_stake.markers > 0).any():
        return Plan({}, {})
    far = in_reach(o, at_stake.places)
    # Enemies that stand there, and a part of those who could be there next turn.
    against = AT_LEAST + np.where(far[foes] <= 0.3, o.oc[foes, None], 0.0).sum(axis=0)
    against += REACHING * np.where(far[foes] <= o.move[foes, None], o.oc[foes, None], 0.0).max(axis=0, initial=0.0)
    ready = np.array([not w.unit(o.units[i]).moved for i in mine.tolist()], dtype=np.bool_)
    turns = np.maximum(0.0, np.ceil(far[mine] / np.maximum(o.move[mine, None], 1.0)) - 1.0)
    turns = np.where(ready[:, None] | (far[mine] <= 0), turns, turns + 1)
    worth = pull(at_stake, turns) * np.where(far[mine] <= 0.3, SETTLED, 1.0)
    # Cheap units hold markers; what shoots well from afar is better left to it, since going there costs a turn of that.
    worth = worth * (0.75 + 0.25 * np.minimum(1.0, 60.0 / np.maximum(o.points[mine], 30.0)))[:, None]
    cost = OPPORTUNITY * o.salvo[mine, None] * (far[mine] > 0.3)
    brings = o.oc[mine, None] * PATIENCE**turns
    found: dict[int, int] = {}
    sent = np.zeros(len(at_stake.markers))
    for _ in range(len(mine)):
        gain = worth * (control(sent + brings, against) - control(sent, against)) - cost
        gain[list(found)] = -1.0
        i, m = divmod(int(gain.argmax()), gain.shape[1])
        if gain[i, m] <= 0:
            break
        found[i] = m
        sent[m] += brings[i, m]
    others = np.repeat(sent[None, :], len(mine), axis=0)
    for i, m in found.items():
        others[i, m] -= brings[i, m]
    needed = control(others + brings, against) - control(others, against)
    ids = [o.units[i] for i in mine.tolist()]
    return Plan({ids[i]: m for i, m in found.items()}, {u: needed[i] for i, u in enumerate(ids)})
