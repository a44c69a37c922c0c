"""Compact builders for situations of 11th edition, and ways to act in them as a player would.

>>> b = situation([unit("Reds", "red", TROOPER, at=[(10, 10)]), unit("Blues", "blue", TROOPER, at=[(20, 10)])])
>>> give(b, "move_with", "Reds")
>>> give(b, "move", {"mode": "normal", "by": [6, 0]})
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import answers
from sandtable.battle.events import Told
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.system import System
from sandtable.battle.tables import FeatureDoc
from sandtable.systems.w40k11.state import Battle11, Unit
from sandtable.systems.w40k11.system import SYSTEM
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
from support.situations import INCH, Doc, Spots, feature, opened, row, unit, wall

__all__ = [
    "INCH",
    "AnyBattle",
    "Doc",
    "Spots",
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


def gun(*abilities: str, name: str = "rifle", **changes: Any) -> Doc:
    """A ranged weapon."""
    plain = {"range": 24, "attacks": "2", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
    return {"name": name, **plain, "abilities": list(abilities), **changes}


def blade(*abilities: str, name: str = "blade", **changes: Any) -> Doc:
    """A melee weapon."""
    plain = {"attacks": "3", "skill": 3, "strength": 4, "ap": 0, "damage": "1"}
    return {"name": name, **plain, "abilities": list(abilities), **changes}


def sheet(*weapons: Doc, name: str = "Trooper", **changes: Any) -> Doc:
    """A datasheet: a trooper with other weapons, characteristics or keywords."""
    plain = {
        "move": 6, "toughness": 4, "save": 3, "wounds": 2, "leadership": 6, "oc": 2, "base": INCH, "height": 1.5,
        "keywords": ["INFANTRY"],
    }  # fmt: skip
    return {"name": name, **plain, "weapons": list(weapons), **changes}


TROOPER = sheet(gun(), blade())
HERO = sheet(
    gun(), blade(), name="Hero", wounds=5, leadership=5, oc=1, keywords=["INFANTRY", "CHARACTER"],
    abilities=["leader"], leads=["Trooper"],
)  # fmt: skip
TANK = sheet(
    gun(name="cannon", range=48, attacks="D6", strength=10, ap=-2, damage="3"),
    blade(name="tracks", skill=4, strength=8),
    name="Tank", move=10, toughness=10, save=2, wounds=12, oc=3, base="hull 4x3", height=2.5, keywords=["VEHICLE"],
)  # fmt: skip
JUMPER = sheet(gun(), blade(), name="Jumper", move=12, keywords=["INFANTRY", "FLY"])
TARGET = sheet(name="Target", save=7, wounds=1)
"""Nobody saves, and nobody strikes back"""


def situation(
    units: list[UnitDoc], terrain: list[FeatureDoc] | None = None, *, system: System = SYSTEM, **settings: Any
) -> Battle11:
    """A battle at the entry of a step; dice are a list, or a queue for each kind of roll."""
    return opened(system, units, terrain, **settings)


def named(b: AnyBattle, name: str) -> Unit:
    """The unit of that name."""
    found: Unit = answers.unit_named(b, name)
    return found


FOE = unit("Foes", "blue", TARGET, [(42, 28)])
"""Somebody far off, so that a battle goes on"""


def fights(b: AnyBattle) -> list[str]:
    """The units that have fought, in their order."""
    return [b.unit(e.units[0]).name for e in b.events if isinstance(e, Told) and e.kind == "fights"]


def power(name: str, /, **effect: Any) -> Doc:
    """An ability of a unit with one effect, for `abilities` of a situation."""
    return {"unit": name, "name": "Test", "effects": [effect]}


def mission(*scoring: Doc, spots: Spots = [(10, 10)], rounds: int = 5) -> Doc:  # noqa: B006
    """A mission of our own for a small table, with markers there, and these ways to score."""
    zones = {"attacker": [(0, 0), (44, 0), (44, 5), (0, 5)], "defender": [(0, 25), (44, 25), (44, 30), (0, 30)]}
    plain = {"id": "test", "name": "Test", "sizes": ["incursion"], "smallest": {"incursion": (44, 30)}}
    return {**plain, **zones, "markers": spots, "rounds": rounds, "scoring": list(scoring)}


def cards(b: AnyBattle) -> list[str]:
    """The labels of what may be done in reaction, or beside the units that act."""
    return sorted(o.label for d in b.decisions for o in getattr(d, "options", ()) if "/" in str(o.value))


def play(b: AnyBattle, label: str) -> None:
    """Use the first of them whose label begins like that."""
    decision, option = next(
        (d, o) for d in b.decisions for o in d.options if "/" in str(o.value) and o.label.startswith(label)
    )
    b.answer(decision, option.value)
