"""Where the computer players lay objective markers, in missions whose players place them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sandtable.battle import Plot, Plotted, questions
from sandtable.battle.tactics import Idea
from sandtable.forty.markers import markers_of
from sandtable.forty.mind.lines import inside_area
from sandtable.forty.mind.style import TACTICIAN, Style
from sandtable.forty.mission import zones_of
from sandtable.forty.placing_markers import solid_at
from sandtable.forty.state import World40
from sandtable.table.grid import STEP, Floats

PITCH: Final = 1.0
"""Inches between the spots that are looked at"""


def where_to_lay(w: World40, d: Plot, style: Style) -> Iterator[Idea]:
    """One at the back of each deployment zone: whoever gets that zone holds it with little, away from the fighting.

    Who gets which is settled later, so both have one. Further markers go where they usually do.
    """
    if style.name != TACTICIAN:
        return
    zones = [np.array(zone, dtype=np.float64) / STEP for zone in zones_of(w)]
    laid = np.array([(x / STEP, y / STEP) for x, y, _ in markers_of(w)], dtype=np.float64).reshape(-1, 2)
    for zone, other in zip(zones, reversed(zones), strict=True):
        if inside_area(laid, zone).any():
            continue
        for spot in _from_the_back(zone, (other.min(axis=0) + other.max(axis=0)) / 2):
            x, y = round(float(spot[0]) * STEP), round(float(spot[1]) * STEP)
            answer = (Plotted(x, y, 1),)
            if solid_at(w, x, y) is None and questions.judge(w, d, answer):
                yield Idea(answer, 1.0, "A marker at the back is held with little.")
                return


def _from_the_back(zone: Floats, enemy: Floats) -> Floats:
    """Spots all over a zone, those first that are furthest from the middle of the enemy's."""
    low, high = zone.min(axis=0), zone.max(axis=0)
    rows = [np.arange(low[k] + PITCH, high[k], PITCH) for k in (0, 1)]
    spots = np.array([(x, y) for x in rows[0] for y in rows[1]]).reshape(-1, 2)
    spots = spots[inside_area(spots, zone)]
    off = spots - enemy
    return np.asarray(spots[np.argsort(-(off[:, 0] ** 2 + off[:, 1] ** 2), kind="stable")])
