"""Army lists for tests, and battles that begin with the first step of a mission."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from sandtable.armies import ArmyList, Pack, open_pack
from sandtable.battle import Battle
from sandtable.battle.dice import ScriptedDice
from sandtable.forty.enlist import Army
from sandtable.kit.missions import Mission
from sandtable.systems.w40k10.enlist import build
from sandtable.systems.w40k10.muster import check_muster
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.system import SYSTEM
from sandtable.table.grid import steps
from sandtable.table.layout import Table

DETACHMENTS = {
    "space-marines": "gladius-task-force", "orks": "war-horde", "necrons": "awakened-dynasty",
    "tyranids": "invasion-fleet",
}  # fmt: skip
CAPTAIN: dict[str, Any] = {"sheet": "captain", "warlord": True}
WARBOSS: dict[str, Any] = {"sheet": "warboss", "warlord": True}
INTERCESSORS: dict[str, Any] = {"sheet": "intercessor-squad"}
BOYZ: dict[str, Any] = {"sheet": "boyz"}
OPEN_FIELD = Table(steps(60), steps(44), "in", ())


@cache
def pack() -> Pack:
    """The pack, read once."""
    return open_pack("w40k10")


def army(
    *units: dict[str, Any], faction: str = "space-marines", limit: int = 1000, detachment: str | None = None
) -> ArmyList:
    """An army list."""
    document = {
        "name": "Test", "system": "w40k10", "pack": "w40k10", "faction": faction, "limit": limit,
        "detachment": detachment or DETACHMENTS[faction], "units": list(units),
    }  # fmt: skip
    return msgspec.convert(document, ArmyList)


def broken(listed: ArmyList) -> set[str]:
    """The rules that a list breaks."""
    return {p.rule for p in check_muster(listed, pack())}


def battle(
    red: Sequence[dict[str, Any]] = (CAPTAIN, INTERCESSORS),
    blue: Sequence[dict[str, Any]] = (WARBOSS, BOYZ),
    *,
    mission: str | Mission = "hold-the-line",
    table: Table = OPEN_FIELD,
    dice: dict[str, list[int]] | None = None,
    limit: int = 1000,
) -> Battle10:
    """Marines against Orks, at the first question; red wins every roll-off unless the dice say otherwise."""
    armies = {
        "red": Army(army(*red, limit=limit), pack()),
        "blue": Army(army(*blue, faction="orks", limit=limit), pack()),
    }
    setup, state = build(armies, mission, table)
    script = {"roll-off": [6, 1] * 20, "any": [4] * 400, **(dice or {})}
    found: Battle10 = Battle(SYSTEM, setup, state, dice=ScriptedDice(script))
    found.start()
    return found


def go_on(b: Battle10, *until: str, most: int = 400) -> None:
    """Give default answers until a question of one of these kinds is open."""
    for _ in range(most):
        if not b.decisions or any(d.kind in until for d in b.decisions):
            return
        for d in b.decisions:
            b.answer(d, b.default(d))
    raise AssertionError(f"none of {until} was asked")
