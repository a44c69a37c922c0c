"""The order of attacks: target after target, and profile after profile."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.rules import rule
from sandtable.systems.w40k10.datasheet import Weapon


@rule("w40k10.shoot.target_order", "w40k10.fight.resolve_order", neutral=0)
def place_of_target(targets: Sequence[int], target: int) -> int:
    """All attacks at one target come before those at the next."""
    return targets.index(target)


@rule("w40k10.shoot.profile_order", "w40k10.fight.resolve_order", neutral=0)
def place_of_profile(profiles: Sequence[Weapon], weapon: Weapon) -> int:
    """All attacks with one profile come before those with another."""
    return profiles.index(weapon)
