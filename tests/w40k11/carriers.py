"""A transport for tests, those who ride in it, and ways to look at them."""

from __future__ import annotations

from typing import Any

from sandtable.battle import ABOARD, GONE
from sandtable.systems.w40k11.state import Battle11
from w40k11.table import TANK, TROOPER, give, named, situation, unit

HOLD: dict[str, Any] = {"capacity": 6, "carries": ["INFANTRY"], "not": ["JUMP PACK"]}
RHINO: dict[str, Any] = {**TANK, "name": "Rhino", "keywords": ["VEHICLE", "TRANSPORT"], "transport": HOLD}
AT = (10, 10)
"""The Rhino is 4" by 3": here it reaches from 8 to 12, and from 8.5 to 11.5."""
FAR_OFF = unit("Foes", "blue", TROOPER, [(42, 28)])


def is_aboard(b: Battle11, name: str = "Reds", transport: str = "Rhino") -> bool:
    """Whether a unit is in a transport, and not on the battlefield."""
    u = named(b, name)
    place = b.state.models.place
    return u.embarked == named(b, transport).id and all(place[m] in (ABOARD, GONE) for m in u.models)


def inside(*others: Any, count: int = 2, reds: Any = TROOPER, rhino: Any = None, **more: Any) -> Battle11:
    """Reds in their Rhino, in the Movement phase."""
    return situation(
        [
            unit("Reds", "red", reds, off=count, embarked="Rhino"),
            unit("Rhino", "red", RHINO, [AT], **(rhino or {})),
            *(others or (FAR_OFF,)),
        ],
        **more,
    )


STAY: dict[str, Any] = {"mode": "stationary"}
BASE = unit("Base", "red", TROOPER, [(41, 2)])
"""Somebody who still has to move, so that the phase goes on"""
DRIVEN: dict[str, list[tuple[str, Any]]] = {
    "": [],
    "stationary": [("move_with", "Rhino"), ("move", STAY)],
    "normal": [("move_with", "Rhino"), ("move", {"mode": "normal"})],
    "advance": [("move_with", "Rhino"), ("move", {"mode": "advance"}), ("complete_move", {"mode": "advance"})],
    "fall_back": [("move_with", "Rhino"), ("move", {"mode": "fall_back", "to": [[10, 6]]})],
}
"""What a Rhino may have done before its passengers are selected"""


def driven(how: str, *others: Any, count: int = 2, dice: Any = None, **more: Any) -> Battle11:
    """Reds in a Rhino that has done that."""
    b = inside(BASE, *(others or (FAR_OFF,)), count=count, dice={"advance": [1], **(dice or {})}, **more)
    for kind, answer in DRIVEN[how]:
        give(b, kind, answer)
    return b


def get_out(b: Battle11, how: str, at: list[list[float]]) -> Battle11:
    """Reds disembark."""
    give(b, "move_with", "Reds")
    give(b, "enter", "disembark")
    give(b, f"{how}_disembark", at)
    return b
