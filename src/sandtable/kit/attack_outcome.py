"""What an attack came to, and how it is told."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.kit.grammar import counted


class Due(msgspec.Struct, frozen=True):
    """Mortal wounds that a unit is about to suffer."""

    points: int
    spill: bool = True
    """What is left when a model is destroyed goes on to the next one."""
    first: int = -1
    """The model that takes them first, whoever else would have to."""


class Outcome(msgspec.Struct, frozen=True):
    """What an attack came to."""

    attacks: int = 0
    hits: int = 0
    criticals: int = 0
    wounds: int = 0
    unsaved: int = 0
    damage: int = 0
    """Wounds lost."""
    destroyed: tuple[int, ...] = ()
    mortal: tuple[Due, ...] = ()
    """Mortal wounds that wait for the end of the unit's attacks on this target."""


def story(outcome: Outcome) -> str:
    """From hits to losses, in words."""
    if not outcome.hits:
        return "none hit"
    critical = f" ({outcome.criticals} critical)" if outcome.criticals else ""
    parts = [f"{outcome.hits} hit{critical}"]
    if not outcome.wounds:
        return f"{parts[0]}, none wound"
    parts.append(f"{outcome.wounds} wound")
    waiting = sum(d.points for d in outcome.mortal)
    if waiting:
        parts.append(counted(waiting, "mortal wound") + " to come")
    parts.append(f"{outcome.unsaved} unsaved")
    parts.append(losses(outcome))
    return ", ".join(parts)


def losses(outcome: Outcome) -> str:
    """What a target lost, in words."""
    if not outcome.damage:
        return "no wounds lost"
    fallen = f", {len(outcome.destroyed)} destroyed" if outcome.destroyed else ""
    return f"{counted(outcome.damage, 'wound')} lost{fallen}"


def figures(outcome: Outcome) -> dict[str, Any]:
    """The numbers, for an event."""
    return {
        "attacks": outcome.attacks,
        "hits": outcome.hits,
        "criticals": outcome.criticals,
        "wounds": outcome.wounds,
        "unsaved": outcome.unsaved,
        "damage": outcome.damage,
        "destroyed": list(outcome.destroyed),
    }
