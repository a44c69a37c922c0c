"""Directions from a model: whether something lies in an arc before it, and on which side of a hull it is.

Arcs and sides begin in the middle of the base. Their edges belong to them, so that what lies on an edge is in both.
"""

from __future__ import annotations

from enum import Flag

from sandtable.table.grid import COS, SIN, TURN
from sandtable.table.shapes import Bodies, Shapes


class Side(Flag):
    """The sides of a hull; what lies on the line through a corner is on two of them."""

    FRONT = 1
    LEFT = 2
    REAR = 4
    RIGHT = 8


def in_arc(bodies: Bodies, model: int, x: int, y: int, width: int, middle: int = 0) -> bool:
    """Whether a point lies in an arc of a model, so wide; its middle is so much of a turn to the left of ahead."""
    if width >= TURN:
        return True
    ahead = int(bodies.facing[model]) + middle
    dx, dy = x - int(bodies.pos[model, 0]), y - int(bodies.pos[model, 1])
    right, left = (ahead - width // 2) % TURN, (ahead + width // 2) % TURN
    past_right = int(COS[right]) * dy - int(SIN[right]) * dx >= 0
    past_left = int(COS[left]) * dy - int(SIN[left]) * dx > 0
    # The edges of more than half a turn leave an arc out between them.
    return past_right and not past_left if width <= TURN // 2 else past_right or not past_left


def side_of(bodies: Bodies, shapes: Shapes, model: int, x: int, y: int) -> Side:
    """On which side of a model a point lies, parted by the lines from its middle through the corners of its hull."""
    s, facing = bodies.shape[model], int(bodies.facing[model])
    dx, dy = x - int(bodies.pos[model, 0]), y - int(bodies.pos[model, 1])
    c, n = int(COS[facing]), int(SIN[facing])
    ahead, left = dx * c + dy * n, dy * c - dx * n
    core = shapes.core[s, : shapes.corners[s]]
    long = int(abs(core[:, 0]).max()) + int(shapes.radius[s])
    wide = int(abs(core[:, 1]).max()) + int(shapes.radius[s])
    # Both are scaled alike; sines are rounded, so that a point is on a line within what that may be wrong by.
    along, across = abs(ahead) * wide, abs(left) * long
    close = (abs(dx) + abs(dy)) * (long + wide)
    found = Side(0)
    if along >= across - close:
        found |= Side.FRONT if ahead >= 0 else Side.REAR
    if across >= along - close:
        found |= Side.LEFT if left >= 0 else Side.RIGHT
    return found
