"""Weapons and situations for tests of the Shooting phase."""

from __future__ import annotations

from typing import Any

from sandtable.systems.w40k11.state import Battle11
from w40k11.arms import face_off, gun, target
from w40k11.table import Doc, asked, give, sheet, unit

RIFLE, PISTOL = gun(name="rifle"), gun("pistol", name="pistol", range=12)
CANNON = gun(name="cannon", range=48)
MORTAR = gun("indirect fire", name="mortar", range=48)
BIG: Doc = {"keywords": ["VEHICLE"]}
THREES = {"hit": [3] * 9, "wound": [1] * 9}
SECOND = unit("Others", "blue", target(name="Other", wounds=9), [(21, 14)])


def begin(b: Battle11, way: str = "", who: str = "Reds") -> Battle11:
    """A unit is selected to shoot, in a way of its choice where it has one."""
    give(b, "shoot_with", who)
    if way:
        give(b, "shooting_type", way)
    return b


def rows(b: Battle11) -> dict[str, list[str]]:
    """Which weapon may be fired at whom."""
    return {r.label: sorted(b.unit(int(t)).name for t in r.targets) for r in asked(b, "shoot").rows}


def engage(weapons: list[Doc], *, red: Doc | None = None, victim: Doc | None = None, **more: Any) -> Battle11:
    """Reds with Blues 1" beside them, and Others 10" away."""
    others = unit("Others", "blue", target(name="Other", wounds=9), [(20, 13)])
    doc = sheet(*weapons, name="Red", **(red or {}))
    return face_off([], victim or target(wounds=9), red=doc, gap=1, **{"more": [others], **more})


def melee_with(doc: Doc, *weapons: Doc, **more: Any) -> Battle11:
    """Blues are engaged with Friends of the Reds, who stand 20" off."""
    friends = unit("Friends", "red", sheet(PISTOL, name="Friend"), [(33, 8)])
    return face_off(list(weapons), {**target(wounds=9), **doc}, gap=20, **{"more": [friends], "dice": THREES, **more})
