"""What the players weigh when they decide inside an attack."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.attack.volley import Attack


def reached(attack: Attack, left: Sequence[int]) -> float:
    """How much of the attack's goal is reached when the bodies have these wounds left."""
    bodies = attack.target.bodies
    match attack.choices.goal:
        case "damage":
            return float(sum(b.wounds - x for b, x in zip(bodies, left, strict=True)))
        case "models":
            return float(sum(not x for x in left))
        case "destroy":
            return float(not any(left))
        case "value":
            return sum(b.value for b, x in zip(bodies, left, strict=True) if not x)
