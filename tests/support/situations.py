"""Compact builders for situations of 40,000: units, places, terrain, and a battle at the entry of a step."""

from __future__ import annotations

from typing import Any

from sandtable.battle import Battle, System
from sandtable.battle.scenario import AtDoc, Scenario, UnitDoc, open_scenario
from sandtable.battle.tables import FeatureDoc, TableDoc, WallDoc

Doc = dict[str, Any]
Spots = list[tuple[float, ...]]

INCH = "25.4mm"
"""A base of exactly 1" makes gaps easy to write down."""


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


def opened(
    system: System,
    units: list[UnitDoc],
    terrain: list[FeatureDoc] | None = None,
    *,
    step: str = "move_units",
    dice: dict[str, list[int]] | list[int] | None = None,
    active: str = "red",
    size: tuple[float, float] = (44, 30),
    cp: tuple[int, ...] = (0, 0),
    objectives: Spots | None = None,
    options: dict[str, str] | None = None,
    game: Doc | None = None,
    round_: int = 1,
    players: tuple[str, ...] = ("red", "blue"),
    state: dict[str, Doc] | None = None,
    **extra: Any,
) -> Battle[Any, Any, Any, Any]:
    """A battle at the entry of a step; dice are a list, or a queue for each kind of roll.

    `extra` is what only 40,000 has in a scenario file: turns, mission, abilities, effects.
    """
    doc = Scenario(
        scenario="test",
        system=system.id,
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
