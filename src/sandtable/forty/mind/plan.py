"""Who goes for which objective marker: the best pairs first, until each marker has enough units to hold it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.kept import PLACES, kept
from sandtable.forty.mind.markers import in_reach, send
from sandtable.forty.mind.outlook import Moment, moment_of, outlook
from sandtable.forty.mind.stakes import PATIENCE, stakes
from sandtable.forty.state import World40
from sandtable.table.grid import Floats

PATIENT: Final = PATIENCE ** np.arange(100.0)
"""What is left of a plan that takes so many turns"""


class Plan(NamedTuple):
    """Who goes where."""

    goals: dict[int, int]
    """For units the marker that each should take or hold; units that are free for other work are not in"""
    needed: dict[int, Floats]
    """For units how much each of them does for every marker, given where the others go, from 0 to 1"""


def plan(w: World40, player: int) -> Plan:
    """The best pairs of units and markers first, as long as another unit makes a difference."""
    moved = tuple(u.id for u in w.state.units if u.moved)
    return _plan(w, player, moved, moment_of(w))


@kept(PLACES)
def _plan(w: World40, player: int, moved: tuple[int, ...], moment: Moment) -> Plan:
    o, at_stake = outlook(w), stakes(w, player)
    side = w.side(player)
    if not (o.field.side == side).any() or not (at_stake.markers > 0).any():
        return Plan({}, {})
    ready = np.array([u not in moved for u in o.units], dtype=np.bool_)
    far = in_reach(o.field.at, at_stake.places, at_stake.near)
    goals, needed = send(o.field, side, o.hold, ready, far, at_stake.arrivals, PATIENT)
    mine = [(i, u) for i, u in enumerate(o.units) if o.field.side[i] == side]
    return Plan({u: int(goals[i]) for i, u in mine if goals[i] >= 0}, {u: needed[i] for i, u in mine})
