"""Compact builders for situations of 11th edition, and ways to act in them as a player would.

>>> b = situation([unit("Reds", "red", TROOPER, at=[(10, 10)]), unit("Blues", "blue", TROOPER, at=[(20, 10)])])
>>> give(b, "move_with", "Reds")
>>> give(b, "move", {"mode": "normal", "by": [6, 0]})
"""

from __future__ import annotations

from typing import Any

from sandtable.battle import answers
from sandtable.battle.events import Told
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, open_scenario
from sandtable.battle.system import System
from sandtable.battle.tables import FeatureDoc, TableDoc, WallDoc
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

__all__ = [
    "AnyBattle",
    "alive",
    "asked",
    "cites",
    "default",
    "give",
    "judge",
    "kinds",
    "offered",
    "places",
    "refused_by",
    "rolls",
    "told",
    "until",
    "wounds",
]

Doc = dict[str, Any]
Spots = list[tuple[float, ...]]

INCH = "25.4mm"
"""A base of exactly 1" makes gaps easy to write down."""


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


def unit(
    name: str,
    player: str,
    doc: Doc,
    at: Spots | None = None,
    *,
    wounds: dict[int, int] | None = None,
    loadout: list[Any] | None = None,
    facing: float = 0,
    off: int = 0,
    **flags: Any,
) -> UnitDoc:
    """A unit; `off` models are not on the table; flags are fields of the unit, or `leads` for a Leader."""
    return UnitDoc(
        name=name,
        player=player,
        sheet=doc,
        models=off or len(at or ()),
        positions=tuple(at or ()),
        off=bool(off),
        facing=facing,
        wounds=wounds or {},
        flags=flags,
        loadout=loadout or [],
    )


def row(count: int, start: tuple[float, float], step: tuple[float, float] = (1.5, 0)) -> Spots:
    """Places in a row, by default with gaps of half an inch."""
    return [(start[0] + i * step[0], start[1] + i * step[1]) for i in range(count)]


def feature(kind: str, rect: tuple[float, float, float, float], height: float = 0, **more: Any) -> FeatureDoc:
    """A terrain feature: left, bottom, width, depth."""
    return FeatureDoc(kind=kind, rect=rect, height=height, **more)


def wall(start: tuple[float, float], end: tuple[float, float], top: float, **more: Any) -> WallDoc:
    """A wall of a feature."""
    return WallDoc(start=start, end=end, top=top, **more)


def situation(
    units: list[UnitDoc],
    terrain: list[FeatureDoc] | None = None,
    *,
    step: str = "move_units",
    dice: dict[str, list[int]] | list[int] | None = None,
    active: str = "red",
    size: tuple[float, float] = (44, 30),
    cp: tuple[int, int] = (0, 0),
    objectives: Spots | None = None,
    options: dict[str, str] | None = None,
    game: Doc | None = None,
    round_: int = 1,
    players: tuple[str, ...] = ("red", "blue"),
    state: dict[str, Doc] | None = None,
    system: System = SYSTEM,
    **extra: Any,
) -> Battle11:
    """A battle at the entry of a step; dice are a list, or a queue for each kind of roll.

    `extra` is what only 40,000 has in a scenario file: turns, mission, abilities, effects.
    """
    doc = Scenario(
        scenario="test",
        system="w40k11",
        question="",
        table=TableDoc(size=size, terrain=tuple(terrain or ())),
        units=tuple(units),
        at=AtDoc(step=step, round=round_, active=active),
        players=players,
        options=options or {},
        state={
            **{name: {"cp": n} for name, n in zip(players, cp, strict=False)},
            **(state or {}),
            **({"game": game} if game else {}),
        },
        dice=dice if dice is not None else [],
        objectives=tuple(objectives or ()),
        extra=extra,
    )
    return open_scenario(doc, system)


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
