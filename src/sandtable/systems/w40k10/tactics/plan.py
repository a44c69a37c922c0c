"""Who goes for which objective marker: the best pairs first, until each marker has enough units to hold it."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.tactics.outlook import Outlook, fire_worth, outlook
from sandtable.systems.w40k10.tactics.stakes import stakes
from sandtable.table.grid import Floats

RANGE: Final = 3.8
"""Inches from the middle of a marker within which a base is in range of it."""
SLOWER: Final = 0.72
"""What a marker is worth that takes a turn more to get to."""
OPPORTUNITY: Final = 0.9
"""What a turn of shooting counts against going to a marker"""
ENOUGH: Final = 0.2
"""What is left of a marker's worth once enough units are on their way."""


def in_reach(o: Outlook, places: Floats) -> Floats:
    """How far each unit's middle must go until it has a good part of its models in range of a place, [unit, place]."""
    gap = o.at[:, None, :] - places[None, :, :]
    near = np.sqrt(gap[:, :, 0] ** 2 + gap[:, :, 1] ** 2) - RANGE + 0.3
    return np.asarray(np.maximum(0.0, near))


def targets(w: World10, player: int) -> dict[int, int]:
    """For units of a side the marker that each should take or hold; units that are free for other work are not in."""
    moved = tuple(u.id for u in w.state.units if u.moved)
    game = w.state.game
    key = ("targets", player, w.state.models.wounds.tobytes(), moved, w.state.round, game.phase, game.control)
    return w.cached(key, lambda: _targets(w, player))


def _targets(w: World10, player: int) -> dict[int, int]:
    o, at_stake = outlook(w), stakes(w, player)
    side = w.side(player)
    mine, foes = np.flatnonzero(o.side == side), np.flatnonzero(o.side != side)
    markers = np.flatnonzero(at_stake.markers > 0)
    if not len(mine) or not len(markers):
        return {}
    far = in_reach(o, at_stake.places)
    # Enemies that stand there, and a part of those who could be there next turn.
    against = np.where(far[foes] <= 0.3, o.oc[foes, None], 0.0).sum(axis=0)
    against += 0.4 * np.where(far[foes] <= o.move[foes, None], o.oc[foes, None], 0.0).max(axis=0, initial=0.0)
    ready = np.array([not w.unit(o.units[i]).moved for i in mine.tolist()], dtype=np.bool_)
    turns = np.ceil(far[mine] / np.maximum(o.move[mine, None], 1.0))
    turns = np.where(ready[:, None] | (far[mine] <= 0), turns, turns + 1)
    settled = np.where(far[mine] <= 0.3, 1.15, 1.0)
    worth = at_stake.markers[None, :] * SLOWER**turns * settled
    # Cheap units hold markers; what shoots well from afar is better left to it.
    dear = np.minimum(1.0, 60.0 / np.maximum(o.points[mine], 30.0))[:, None]
    worth = worth * np.where(o.oc[mine] > 0, 1.0, 0.05)[:, None] * (0.75 + 0.25 * dear)
    # Going there may cost a turn of shooting.
    shots = np.array([fire_worth(o, i) for i in mine.tolist()])
    worth = worth - OPPORTUNITY * shots[:, None] * (far[mine] > 0.3)
    found: dict[int, int] = {}
    sent = np.zeros(len(at_stake.markers))
    for _ in range(len(mine)):
        left = worth * np.where(sent > against, ENOUGH, 1.0)[None, :]
        for i in found:
            left[i] = -1.0
        best = int(left.argmax())
        i, m = divmod(best, left.shape[1])
        if left[i, m] <= 0:
            break
        found[i] = m
        sent[m] += o.oc[mine[i]] * SLOWER ** turns[i, m]
    return {o.units[int(mine[i])]: m for i, m in found.items()}
