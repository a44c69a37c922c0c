"""Fast dice rolling: which attacks and saves are rolled together."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.forty.attacks import in_batches
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.order_of_attacks import place_of_profile
from sandtable.systems.w40k10.shot import Batch, Shot


class ROLLING(Facts):
    saves_together = fact(True, "w40k10.attack.fast_saves", neutral=False)
    """Saves are rolled together where everybody needs the same and nothing depends on the order."""
    random_damage_in_turn = fact(True, "w40k10.attack.fast_random_damage", neutral=False)
    """Attacks with random Damage are resolved one at a time."""


def alike_together(shots: Sequence[Shot]) -> tuple[Batch, ...]:
    """Attacks of one profile back to back; only what is alike in everything is rolled together."""
    profiles = list(dict.fromkeys(s.weapon for s in shots))
    ordered = sorted(shots, key=lambda s: place_of_profile(profiles, s.weapon))
    return in_batches(ordered, lambda s: likeness(profiles, s))


@rule("w40k10.attack.fast_dice", neutral=())
def likeness(profiles: Sequence[Weapon], shot: Shot) -> tuple[object, ...]:
    """What has to be the same for attacks that are rolled together."""
    return profiles.index(shot.weapon), shot.half_range, shot.plunging, shot.aim, shot.own, shot.unseen
