"""Colours and sizes of pictures. Sides differ by colour, by the cut of their badges and by a sign on their bases."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

PAPER: Final = "#fbf9f4"
GROUND: Final = "#f1e9d8"
GRID: Final = "#e6dcc6"
FRAME: Final = "#a89a7d"
TEXT: Final = "#2d2a26"
QUIET: Final = "#7d7465"
WALL: Final = "#57504a"
WHITE: Final = "#ffffff"
AMBER: Final = "#e0a100"
CLEAR: Final = "#12795c"
BLOCKED: Final = "#b3261e"
BLAST: Final = "#d9772b"
NEUTRAL: Final = "#6f675b"

FONTS: Final = ("system-ui", "-apple-system", "Segoe UI", "Helvetica Neue", "Arial", "Noto Sans", "sans-serif")


class SideStyle(msgspec.Struct, frozen=True):
    """One side's look."""

    colour: str
    dark: str
    badge: Literal["round", "square", "cut", "dashed"]
    sign: Literal["plain", "ring", "dot", "bar"]


SIDES: Final = (
    SideStyle("#c8502b", "#8a3216", "square", "ring"),
    SideStyle("#2f6db3", "#1d4a80", "round", "plain"),
    SideStyle("#2e8b6f", "#1a5c48", "cut", "dot"),
    SideStyle("#7b5ba6", "#523a75", "dashed", "bar"),
)


def side_style(side: int) -> SideStyle:
    """The look of a side; from the fifth on they repeat."""
    return SIDES[side % len(SIDES)]


class Ground(msgspec.Struct, frozen=True):
    """How a kind of terrain is drawn."""

    fill: str
    line: str
    texture: Literal["none", "hatch", "trees", "contour", "waves", "rubble", "crater", "flat"] = "none"


KINDS: Final[dict[str, Ground]] = {
    "ruins": Ground("#dfdad1", "#a39a8c", "hatch"),
    "woods": Ground("#d5dfc0", "#98ab78", "trees"),
    "barricade": Ground("#c4a57c", "#8f734d"),
    "crater": Ground("#e2d3b4", "#b49c6d", "crater"),
    "hill": Ground("#e6d7a9", "#bfa860", "contour"),
    "debris": Ground("#ddd0bb", "#ab9a7d", "rubble"),
    "water": Ground("#c5dbe5", "#86abbd", "waves"),
    "road": Ground("#e3ded4", "#c3bbaa", "flat"),
    "building": Ground("#c9c3b9", "#847b6e"),
}
OTHER_GROUND: Final = Ground("#e2dac9", "#b3a78f")
_ALIKE: Final = {
    "ruin": "ruins",
    "wood": "woods",
    "forest": "woods",
    "trees": "woods",
    "barricades": "barricade",
    "fortification": "barricade",
    "wall": "barricade",
    "craters": "crater",
    "hills": "hill",
    "rubble": "debris",
    "river": "water",
    "lake": "water",
    "buildings": "building",
    "container": "building",
}


def ground_style(kind: str) -> Ground:
    """The look of a kind of terrain, by its usual names; neutral for others."""
    word = kind.strip().lower()
    return KINDS.get(_ALIKE.get(word, word), OTHER_GROUND)
