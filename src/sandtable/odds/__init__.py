"""Odds: the questions of list builders, answered exactly, with everything that the answers rest on.

>>> from sandtable import odds
>>> answer = odds.into("5 hellblasters", "5 terminators", odds.shooting("half-range"))
>>> print(answer.target)
5 Terminator Squad
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.forty.odds.matchups import Force, Situation
    from sandtable.odds.answers import Answer, Assumptions
    from sandtable.odds.exchanges import assault, exchange
    from sandtable.odds.fields import grid, lists, weapons
    from sandtable.odds.flights import morale
    from sandtable.odds.links import open_link as open
    from sandtable.odds.other_rolls import rolls
    from sandtable.odds.outcome import Difference, Outcome
    from sandtable.odds.plans import command_point, split, sweep
    from sandtable.odds.powers import power
    from sandtable.odds.questions import (
        both_ways,
        combine,
        compare,
        into,
        leader,
        melee,
        need,
        shooting,
        survive,
        survive_list,
        targets,
    )
    from sandtable.odds.setting import Setting
    from sandtable.odds.side_by_side import editions
    from sandtable.odds.units import find_force, panel_forces

__all__ = [
    "Answer",
    "Assumptions",
    "Difference",
    "Force",
    "Outcome",
    "Setting",
    "Situation",
    "assault",
    "both_ways",
    "combine",
    "command_point",
    "compare",
    "editions",
    "exchange",
    "find_force",
    "grid",
    "into",
    "leader",
    "lists",
    "melee",
    "morale",
    "need",
    "open",
    "panel_forces",
    "power",
    "rolls",
    "shooting",
    "split",
    "survive",
    "survive_list",
    "sweep",
    "targets",
    "weapons",
]

_WHERE = {
    "sandtable.forty.odds.matchups": ("Force", "Situation"),
    "sandtable.odds.answers": ("Answer", "Assumptions"),
    "sandtable.odds.side_by_side": ("editions",),
    "sandtable.odds.exchanges": ("assault", "exchange"),
    "sandtable.odds.fields": ("grid", "lists", "weapons"),
    "sandtable.odds.flights": ("morale",),
    "sandtable.odds.links": ("open",),
    "sandtable.odds.other_rolls": ("rolls",),
    "sandtable.odds.outcome": ("Difference", "Outcome"),
    "sandtable.odds.plans": ("command_point", "split", "sweep"),
    "sandtable.odds.powers": ("power",),
    "sandtable.odds.questions": (
        "both_ways", "combine", "compare", "into", "leader", "melee", "need", "shooting", "survive", "survive_list",
        "targets",
    ),
    "sandtable.odds.setting": ("Setting",),
    "sandtable.odds.units": ("find_force", "panel_forces"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    # A question loads what it needs, and not what all the others need.
    for module, names in _WHERE.items():
        if name in names:
            found = getattr(import_module(module), "open_link" if name == "open" else name)
            globals()[name] = found
            return found
    raise AttributeError(f"module 'sandtable.odds' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
