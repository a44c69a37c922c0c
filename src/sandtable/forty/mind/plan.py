"""Who goes for which objective marker: the best pairs first, until each marker has enough units to hold it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import TABLE
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.markers import Control, markers_of
from sandtable.forty.mind.contest import enemies_have_turns, has_turns
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.markers import REACHING, THERE, in_reach, send
from sandtable.forty.mind.mind import mind_of
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


def models_there(w: World40) -> Floats:
    """What of each unit counts for each marker now, [unit, marker], by where its models stand."""
    o, markers = outlook(w), range(len(markers_of(w)))
    owner = w.state.models.unit
    models = np.flatnonzero(np.isin(owner, o.units) & (w.state.models.place == TABLE))
    found = np.zeros((len(o.units), len(markers)))
    if len(models) and markers:
        near = w.system.seam(Control).near(w, w.bodies, models, markers)
        rows = np.array([o.row[u] for u in owner[models].tolist()], dtype=np.int64)
        np.add.at(found, rows, near * arsenal(w).hold[models][:, None])
    return found


def plan(w: World40, player: int) -> Plan:
    """The best pairs of units and markers first, as long as another unit makes a difference."""
    moved = tuple(u.id for u in w.state.units if u.moved)
    running = tuple(u.id for u in w.state.units if u.advance)
    return _plan(w, player, moved, running, moment_of(w))


@kept(PLACES)
def _plan(w: World40, player: int, moved: tuple[int, ...], running: tuple[int, ...], moment: Moment) -> Plan:
    o, at_stake = outlook(w), stakes(w, player)
    side = w.side(player)
    if not (o.field.side == side).any() or not (at_stake.markers > 0).any():
        return Plan({}, {})
    ready = np.array([u not in moved for u in o.units], dtype=np.bool_)
    far = in_reach(o.field.at, at_stake.places, at_stake.near)
    # The middle of a unit says whether all of it is at a marker, unless its models are counted.
    arrived, present = far <= THERE, mind_of(w).present(w)
    there = np.where(arrived, o.hold[:, None], 0.0) if present is None else present
    fixed, coming = np.zeros(far.shape, dtype=np.bool_), REACHING
    if present is not None:
        # Who is in the middle of an Advance has yet to arrive.
        done = ~ready & ~np.isin(o.units, running)
        fixed = done[:, None] & (arrived | (not has_turns(w, player)))
        coming = REACHING if enemies_have_turns(w, player) else 0.0
    goals, needed = send(o.field, side, o.hold, ready, far, at_stake.arrivals, PATIENT, there, fixed, coming)
    mine = [(i, u) for i, u in enumerate(o.units) if o.field.side[i] == side]
    return Plan({u: int(goals[i]) for i, u in mine if goals[i] >= 0}, {u: needed[i] for i, u in mine})
