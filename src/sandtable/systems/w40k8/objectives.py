"""Objective markers: who is near them, and who controls them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.forty.markers import NOBODY, Control, distances_between, markers_left, near_models, strongest
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.state import World8, unit_of
from sandtable.table.grid import Bools, Ints
from sandtable.table.shapes import Bodies, Shape, round_base

MARKER: Final[Shape] = round_base(0, 0)
"""Of a marker only its centre counts."""


def near(w: World8, bodies: Bodies, models: Ints, markers: Sequence[int]) -> Bools:
    """Which models are within 3" of the centre of which markers, [model, marker]."""
    return np.asarray(distances_between(w, bodies, models, markers) <= BOOK.marker_range)


@rule("w40k8.onlywar.control", neutral=1)
def counted(w: World8, player: int, marker: int) -> int:
    """How many models of a player are near a marker, whatever they are."""
    return sum(unit_of(w, m).player == player for m in near_models(w, marker))


@rule("w40k8.onlywar.control", neutral=NOBODY)
def controller(w: World8, marker: int) -> int:
    """Who has more models near a marker than the enemy; nobody keeps one without any."""
    if marker in w.state.game.removed:
        return NOBODY
    return strongest(w, marker, [counted(w, p.id, marker) for p in w.state.players])


def controlled(w: World8, player: int) -> int:
    """How many markers a player controls now."""
    return sum(controller(w, marker) == player for marker in markers_left(w))


CONTROL: Final = Control(near=near, controller=controller, rule="w40k8.onlywar.control")
