"""A transport for tests, those who ride in it, and ways to look at them."""

from __future__ import annotations

from typing import Any

from sandtable.battle import ABOARD, GONE
from sandtable.systems.w40k10.state import Battle10
from w40k10.arms import blade, gun, sheet
from w40k10.table import TANK, named

HOLD: dict[str, Any] = {"capacity": 6, "carries": ["INFANTRY"], "not": ["JUMP PACK"]}
RHINO: dict[str, Any] = {**TANK, "name": "Rhino", "keywords": ["VEHICLE", "TRANSPORT"], "transport": HOLD}
AT = (10, 10)
"""The Rhino is 4" by 3": here it reaches from 8 to 12, and from 8.5 to 11.5."""
HEAVY = sheet(gun("heavy", name="long gun"), name="Gunner")
RIFLES = sheet(gun(name="rifle", bs=4), gun(name="launcher", bs=4, range_=30), blade(), name="Rifleman")


def is_aboard(b: Battle10, name: str = "Reds", transport: str = "Rhino") -> bool:
    """Whether a unit is in a transport, and not on the battlefield."""
    u = named(b, name)
    place = b.state.models.place
    return u.embarked == named(b, transport).id and all(place[m] in (ABOARD, GONE) for m in u.models)
