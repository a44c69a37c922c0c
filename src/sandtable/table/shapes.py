"""Bases: a convex core plus a radius, with a height.

One shape serves round bases (a point and a radius), ovals (a core whose rounded outline follows the ellipse) and hulls
(a polygon with radius 0), so distance, sweep and sight each have one routine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np

from sandtable.table.grid import STEP, Ints, steps

MAX_CORE: Final = 48
"""Most corners that a core may have."""


class Shape(msgspec.Struct, frozen=True):
    """The base of a model at facing 0, around its own middle, in grid steps."""

    core: tuple[tuple[int, int], ...]
    radius: int
    height: int
    hull: bool = False
    """Without a base: distances are measured to any part of the body, so its whole height counts."""
    length: int = 0
    """Full extent along the facing, for pictures and contact."""
    width: int = 0

    @property
    def reach(self) -> int:
        """How far the furthest point of the base is from its middle."""
        far = max(x * x + y * y for x, y in self.core)
        # Rounded up, and a step more because a turned corner is rounded to the grid.
        return self.radius + (math.isqrt(far) + 2 if far else 0)


def round_base(diameter: float, height: float) -> Shape:
    """A round base; both numbers in the system's unit."""
    radius = steps(diameter / 2)
    return Shape(((0, 0),), radius, steps(height), length=2 * radius, width=2 * radius)


def hull(length: float, width: float, height: float) -> Shape:
    """A model without a base, as a box whose long side is its facing."""
    x, y = steps(length / 2), steps(width / 2)
    return Shape(((x, y), (-x, y), (-x, -y), (x, -y)), 0, steps(height), hull=True, length=2 * x, width=2 * y)


def oval_base(length: float, width: float, height: float) -> Shape:
    """An elliptical base, as its inner parallel curve plus a radius; the outline is within 0.002 of the ellipse."""
    if abs(length - width) * STEP < 4:
        return round_base(length, height)
    if width > length:
        raise ValueError("an oval base is given as length and width, the length being the longer one")
    a, b = length / 2, width / 2
    inset = b * b / a
    fine = 4096
    curve: list[tuple[float, float, float, float]] = []
    for i in range(fine):
        angle = 2.0 * math.pi * i / fine
        nx, ny = b * math.cos(angle), a * math.sin(angle)
        norm = math.sqrt(nx * nx + ny * ny)
        nx, ny = nx / norm, ny / norm
        curve.append((a * math.cos(angle) - inset * nx, b * math.sin(angle) - inset * ny, nx, ny))
    # A chord strays from its curve by the product of its length and its bend: corners are spaced to share that evenly.
    spent = [0.0]
    for p, q in zip(curve, (*curve[1:], curve[0]), strict=True):
        chord = math.sqrt((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2)
        bend = math.sqrt((q[2] - p[2]) ** 2 + (q[3] - p[3]) ** 2)
        spent.append(spent[-1] + math.sqrt(chord * bend))
    share = spent[-1] / MAX_CORE
    outward = share * share / 16
    corners: list[tuple[int, int]] = []
    for i in range(fine):
        if spent[i] >= share * len(corners):
            x, y, nx, ny = curve[i]
            corners.append((steps(x + outward * nx), steps(y + outward * ny)))
    return Shape(_convex(corners[:MAX_CORE]), steps(inset), steps(height), length=2 * steps(a), width=2 * steps(b))


def _convex(points: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The convex hull, anticlockwise, without corners that lie on a side."""
    ordered = sorted(set(points))

    def half(sequence: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        chain: list[tuple[int, int]] = []
        for p in sequence:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return tuple(half(ordered) + half(ordered[::-1]))


class Shapes(NamedTuple):
    """All shapes of a battle as arrays, for the kernels."""

    core: Ints
    """[shape, corner, x or y]"""
    corners: Ints
    radius: Ints
    height: Ints
    thick: Ints
    """Height over which distances are measured: 0 for a base, the whole body for a hull."""
    reach: Ints


def pack(shapes: Sequence[Shape]) -> Shapes:
    """Put shapes into arrays."""
    n = max(len(shapes), 1)
    core = np.zeros((n, MAX_CORE, 2), dtype=np.int64)
    for i, s in enumerate(shapes):
        if not 1 <= len(s.core) <= MAX_CORE or len(s.core) == 2:
            raise ValueError(f"a core has 1 or 3 to {MAX_CORE} corners, not {len(s.core)}")
        core[i, : len(s.core)] = s.core
    return Shapes(
        core,
        np.array([len(s.core) for s in shapes] or [1], dtype=np.int64),
        np.array([s.radius for s in shapes] or [0], dtype=np.int64),
        np.array([s.height for s in shapes] or [0], dtype=np.int64),
        np.array([s.height if s.hull else 0 for s in shapes] or [0], dtype=np.int64),
        np.array([s.reach for s in shapes] or [0], dtype=np.int64),
    )


class Bodies(NamedTuple):
    """Where every model stands; row i is model i of the battle."""

    pos: Ints
    """[model, x y z]: middle of the base, and the height of its underside"""
    facing: Ints
    shape: Ints
    """Row of `Shapes`"""
