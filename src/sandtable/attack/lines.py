"""States of a target as places on lines.

Where bodies fall in a fixed order, a state is a place on a line: the wounds lost along that order. States from which
the order is the same, or the rest of the same, share a line, and are then reckoned in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sandtable.attack.numbers import Floats

Left: TypeAlias = tuple[int, ...]
Order: TypeAlias = tuple[int, ...]


@dataclass
class Line:
    """An order of bodies with the wounds they have left, and the chance of each place."""

    start: Left
    order: Order
    chances: Floats

    def place(self, left: Left, order: Order) -> int | None:
        """Where a state lies on this line; None where it does not."""
        gone = len(self.order) - len(order)
        if gone < 0 or self.order[gone:] != order:
            return None
        if any(left[i] != self.start[i] for i in order[1:]):
            return None
        if order and left[order[0]] > self.start[order[0]]:
            return None
        return sum(self.start[i] - left[i] for i in self.order)

    def states(self, chances: Floats) -> dict[Left, float]:
        """The states of the line's places that have a chance."""
        left = list(self.start)
        found = {}
        place = 0
        for s, p in enumerate(chances):
            if s:
                while not left[self.order[place]]:
                    place += 1
                left[self.order[place]] -= 1
            if p > 0:
                found[tuple(left)] = float(p)
        return found


def lines_of(states: Mapping[Left, float], order_from: Callable[[Left], Order]) -> list[Line]:
    """Put states on as few lines as it takes, those with most wounds left first."""
    lines: list[Line] = []
    for left in sorted(states, key=lambda left: -sum(left)):
        order = order_from(left)
        for line in lines:
            place = line.place(left, order)
            if place is not None:
                line.chances[place] += states[left]
                break
        else:
            chances = np.zeros(sum(left) + 1)
            chances[0] = states[left]
            lines.append(Line(left, order, chances))
    return lines


def alive(left: Left) -> Sequence[int]:
    """The bodies that stand."""
    return [i for i, x in enumerate(left) if x]
