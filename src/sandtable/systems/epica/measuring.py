"""Measuring: at any time, or only what has been declared, as the players settle before the game."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from sandtable.battle.decisions import Decision
from sandtable.battle.system import Reading
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.rules import rule
from sandtable.systems.epica.state import EpicWorld

RULE: Final = "epica.concept.premeasuring"
ALWAYS, DECLARED_FIRST = "at-any-time", "after-declaring"
PREMEASURING: Final = Reading(
    "premeasuring",
    (ALWAYS, DECLARED_FIRST),
    "Distances may be measured at any time, or only once a charge or a shooting attack is declared.",
    RULE,
)

DECLARED: Final = frozenset(
    {
        *("charge", "intermingle", "counter-charge", "support", "withdraw", "consolidate"),
        *("suppress", "aim", "allocate"),
    }
)
"""Questions that come up once a charge or a shooting attack is declared."""
OTHERWISE: Final = MappingProxyType({"reach": frozenset({"move"}), "chance": frozenset({"action", "rally"})})
"""What tells no distance to an enemy: how far a formation moves by its action, and the chances of tests."""


def may_measure(world: EpicWorld, asked: Decision[Any] | None, what: str) -> Verdict:
    """Whether a player who is asked this, or nothing, may be told what takes a tape to find out."""
    if measures_always(world) or (asked is not None and asked.kind in DECLARED | OTHERWISE.get(what, frozenset())):
        return ALLOWED
    return refuse(
        "In this battle nothing is measured before a charge or a shooting attack is declared: declare it first.", RULE
    )


@rule("epica.concept.premeasuring", neutral=True)
def measures_always(world: EpicWorld) -> bool:
    """The same for both players of a battle; where they agreed on nothing, measuring first is allowed."""
    return world.option(PREMEASURING.name) == ALWAYS
