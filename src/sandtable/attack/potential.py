"""How much damage an attack would do to a target that never ends: what goes beyond the models hit is wasted."""

from __future__ import annotations

import numpy as np

from sandtable.attack.numbers import attack_chances, hit_chances, mean, number_chances, save_chance, wound_chances
from sandtable.attack.volley import NEVER, NO_SAVE, Attack, Body, Choices, Volley, WoundKind


def potential(attack: Attack) -> float | None:
    """The mean of the wounds that would be lost, by the save of the first body, if no model had too few.

    None where decisions are weighed.
    """
    if attack.choices.weighed:
        return None
    return sum(_of_volley(v, attack.target.bodies[0], attack.choices) for v in attack.volleys)


def _of_volley(volley: Volley, body: Body, choices: Choices) -> float:
    attacks = mean(attack_chances(volley.shots, choices.sums))
    table = hit_chances(volley.hit, choices.reroll, choices.sums)
    automatic = float(np.sum(table.sum(axis=1) * np.arange(table.shape[0])))
    hits = float(np.sum(table.sum(axis=0) * np.arange(table.shape[1])))
    lost = [_of_wound(kind, body, choices) for kind in volley.kinds]
    wound = wound_chances(volley.wound, choices.reroll, len(volley.kinds))
    of_a_hit = sum(float(p) * x for p, x in zip(wound, lost, strict=False))
    return attacks * (hits * of_a_hit + automatic * lost[volley.automatic])


def _of_wound(kind: WoundKind, body: Body, choices: Choices) -> float:
    lost = 0.0
    if kind.damage is not None:
        saved = 0.0 if kind.save == NO_SAVE else save_chance(min(body.saves[kind.save], NEVER), body.save_reroll)
        lost += (1 - saved) * mean(number_chances(kind.damage, choices.sums)) * (min(body.pain, NEVER) - 1) / 6
    if kind.mortal is not None:
        pain = min(body.pain_against_mortal, NEVER)
        lost += mean(number_chances(kind.mortal.points, choices.sums)) * (pain - 1) / 6
    return lost
