"""Compact builders for situations of 10th edition, and ways to act in them as a player would.

>>> b = situation([unit("Reds", "red", TROOPER, at=[(10, 10)]), unit("Blues", "blue", TROOPER, at=[(20, 10)])])
>>> give(b, "move_with", "Reds")
>>> give(b, "move", {"mode": "normal", "by": [6, 0]})
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import answers
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k10.state import Battle10, Unit
from sandtable.systems.w40k10.system import SYSTEM
from support.acting import (
    AnyBattle,
    alive,
    asked,
    cites,
    default,
    give,
    judge,
    kinds,
    offered,
    places,
    refused_by,
    rolls,
    told,
    until,
    wounds,
)
from support.situations import INCH, feature, opened, row, unit, wall

__all__ = [
    "INCH",
    "AnyBattle",
    "alive",
    "asked",
    "cites",
    "default",
    "feature",
    "give",
    "judge",
    "kinds",
    "offered",
    "places",
    "refused_by",
    "rolls",
    "row",
    "told",
    "unit",
    "until",
    "wall",
    "wounds",
]

RIFLE = {"name": "rifle", "range": 24, "attacks": "2", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
BLADE = {"name": "blade", "attacks": "3", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
CANNON = {"name": "cannon", "range": 48, "attacks": "D6", "skill": 3, "strength": 10, "ap": -2, "damage": "3"}
TRACKS = {"name": "tracks", "attacks": "3", "skill": 4, "strength": 8, "ap": 0, "damage": "1"}

TROOPER: dict[str, Any] = {
    "name": "Trooper", "move": 6, "toughness": 4, "save": 3, "wounds": 2, "leadership": 6, "oc": 2, "base": INCH,
    "height": 1.5, "keywords": ["INFANTRY"], "weapons": [RIFLE, BLADE],
}  # fmt: skip
HERO: dict[str, Any] = {
    **TROOPER, "name": "Hero", "wounds": 5, "leadership": 5, "oc": 1, "keywords": ["INFANTRY", "CHARACTER"],
    "abilities": ["leader"], "leads": ["Trooper"],
}  # fmt: skip
TANK: dict[str, Any] = {
    "name": "Tank", "move": 10, "toughness": 10, "save": 2, "wounds": 12, "leadership": 6, "oc": 3, "base": "hull 4x3",
    "height": 2.5, "keywords": ["VEHICLE"], "weapons": [CANNON, TRACKS],
}  # fmt: skip
JUMPER: dict[str, Any] = {**TROOPER, "name": "Jumper", "move": 12, "keywords": ["INFANTRY", "FLY"]}
BEAST: dict[str, Any] = {**TROOPER, "name": "Beast", "keywords": ["BEAST"]}
RIDER: dict[str, Any] = {**TROOPER, "name": "Rider", "move": 10, "keywords": ["MOUNTED"]}


def situation(units: list[UnitDoc], terrain: list[FeatureDoc] | None = None, **settings: Any) -> Battle10:
    """A battle at the entry of a step; dice are a list, or a queue for each kind of roll."""
    return opened(SYSTEM, units, terrain, **settings)


def named(b: AnyBattle, name: str) -> Unit:
    """The unit of that name."""
    found: Unit = answers.unit_named(b, name)
    return found
