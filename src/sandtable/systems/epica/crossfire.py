"""Crossfire: a target caught between two formations."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kernels import kernel
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.cover import is_fortified
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.state import EpicWorld, Formation
from sandtable.table.cores import point_segment, segments_cross
from sandtable.table.grid import Bools, Floats, Ints
from sandtable.table.measure import gaps


class Crossfire(NamedTuple):
    """A line that puts a target into a crossfire."""

    near: int
    """A stand of the shooting formation"""
    far: int
    """A stand of another formation of its side"""


@rule("epica.crossfire.line", "epica.crossfire.several", neutral=None)
def find_crossfire(world: EpicWorld, shooters: Formation, target: Formation) -> Crossfire | None:
    """A line from the shooting formation to a friend, over or through the target; None when there is none."""
    near, targets = world.on_table(shooters), world.on_table(target)
    for friend in world.friends_of(shooters.player):
        if friend.id == shooters.id or not can_be_far_end(friend):
            continue
        far = world.on_table(friend)
        sees = far_end_sees(world, friend, target)
        reach = gaps(world.bodies, world.shapes, near, far)
        here, there = _line(
            world.state.models.pos, near, far, targets, world.shapes.reach[world.ground.shape[targets]], reach, sees,
            BOOK.crossfire_reach,
        )  # fmt: skip
        if here >= 0:
            return Crossfire(int(near[here]), int(far[there]))
    return None


@rule("epica.crossfire.excluded", neutral=ALLOWED)
def can_be_far_end(friend: Formation) -> Verdict:
    """Whether a formation may help with a crossfire: not while it is broken or has marched."""
    if friend.broken:
        return refuse(f"{friend.name} is broken.", "epica.crossfire.excluded")
    if friend.action in ("march", "road-march"):
        return refuse(f"{friend.name} has marched this turn.", "epica.crossfire.excluded")
    return ALLOWED


def far_end_sees(world: EpicWorld, friend: Formation, target: Formation) -> Bools:
    """Which stands of a friend can be the far end of the line."""
    clear = lines(world, friend, target).clear
    return np.array([needs_line_of_fire(bool(row.any())) for row in clear], dtype=np.bool_)


@rule("epica.crossfire.friend_line_of_fire", neutral=True)
def needs_line_of_fire(sees: bool) -> bool:
    """The far end has to see the target, but needs neither weapon nor range."""
    return sees


@rule("epica.crossfire.save", neutral=0)
def crossfire_save_modifier(world: EpicWorld, stand: int) -> int:
    """What a crossfire does to a save; fortifications protect from it."""
    return 0 if is_fortified(world, stand) else BOOK.crossfire_save


@rule("epica.crossfire.marker", neutral=0)
def extra_markers(casualties: int) -> int:
    """The first unit lost to a crossfire gives one marker more."""
    return 1 if casualties else 0


@kernel
def _line(
    pos: Ints, near: Ints, far: Ints, targets: Ints, radius: Ints, reach: Floats, sees: Bools, limit: int
) -> tuple[int, int]:
    """The first pair of stands whose line passes over a target or between two of them; (-1, -1) when none does."""
    for i in range(near.shape[0]):
        for j in range(far.shape[0]):
            if not sees[j] or reach[i, j] > limit:
                continue
            ax, ay, bx, by = pos[near[i], 0], pos[near[i], 1], pos[far[j], 0], pos[far[j], 1]
            for t in range(targets.shape[0]):
                tx, ty = pos[targets[t], 0], pos[targets[t], 1]
                if point_segment(tx, ty, ax, ay, bx, by) <= radius[t]:
                    return i, j
                for u in range(t):
                    ux, uy = pos[targets[u], 0], pos[targets[u], 1]
                    if segments_cross(ax, ay, bx, by, tx, ty, ux, uy):
                        return i, j
    return -1, -1


def length(world: EpicWorld, line: Crossfire) -> float:
    """How long the line is from middle to middle, in grid steps; for pictures."""
    a, b = world.state.models.pos[line.near], world.state.models.pos[line.far]
    dx, dy = int(a[0] - b[0]), int(a[1] - b[1])
    return math.sqrt(dx * dx + dy * dy)


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    pos = np.array([[0, 0, 0], [9, 0, 0], [4, 1, 0]], dtype=np.int64)
    near, far, targets = np.arange(1), np.arange(1, 2), np.arange(2, 3)
    _line(pos, near, far, targets, np.zeros(1, dtype=np.int64), np.zeros((1, 1)), np.ones(1, dtype=np.bool_), 1)
