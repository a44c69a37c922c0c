"""A shot, or a blow: one weapon of one model at one target."""

from __future__ import annotations

from sandtable.forty import shot as forty
from sandtable.systems.w40k8.datasheet import Weapon


class Shot(forty.Shot, frozen=True, kw_only=True):
    """One weapon of one model at one target; `attacks` counts the blows of a melee weapon."""

    weapon: Weapon
