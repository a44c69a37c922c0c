"""How the computer players differ: what they count, and for how much."""

from __future__ import annotations

from typing import Final, NamedTuple

RUSHER: Final = "rusher"
GUNLINE: Final = "gunline"
TACTICIAN: Final = "tactician"


class Style(NamedTuple):
    """Weights of what a place, a charge or a command point is good for."""

    name: str
    marker: float
    """The worth of objective markers"""
    fire: float
    """Damage that shooting will do"""
    charge: float
    """What charges will bring"""
    danger: float
    """What the enemy can do in return"""
    screen: float
    """What a unit keeps from dearer friends by standing in the way"""
    least_chance: float
    """Charges that are less likely are not declared"""
    reacts: bool
    """Whether command points are spent"""


STYLES: Final = {
    style.name: style
    for style in (
        Style(RUSHER, marker=0.0, fire=0.2, charge=1.0, danger=0.0, screen=0.0, least_chance=0.25, reacts=False),
        Style(GUNLINE, marker=0.4, fire=1.0, charge=0.0, danger=0.3, screen=0.0, least_chance=0.6, reacts=False),
        Style(TACTICIAN, marker=1.2, fire=1.6, charge=1.6, danger=0.5, screen=0.3, least_chance=0.2, reacts=True),
    )
}
