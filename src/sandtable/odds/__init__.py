"""Odds: the questions of list builders, answered exactly, with everything that the answers rest on.

>>> from sandtable import odds
>>> answer = odds.into("5 hellblasters", "5 terminators", odds.shooting("half-range"))
>>> print(answer.target)
5 Terminator Squad
"""

from sandtable.battle.matchups import Force, Situation
from sandtable.odds.answers import Answer, Assumptions
from sandtable.odds.fields import grid, lists, weapons
from sandtable.odds.links import open_link as open
from sandtable.odds.other_rolls import rolls
from sandtable.odds.outcome import Difference, Outcome
from sandtable.odds.plans import command_point, exchange, split, sweep
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
from sandtable.odds.units import find_force, panel_forces

__all__ = [
    "Answer",
    "Assumptions",
    "Difference",
    "Force",
    "Outcome",
    "Setting",
    "Situation",
    "both_ways",
    "combine",
    "command_point",
    "compare",
    "exchange",
    "find_force",
    "grid",
    "into",
    "leader",
    "lists",
    "melee",
    "need",
    "open",
    "panel_forces",
    "rolls",
    "shooting",
    "split",
    "survive",
    "survive_list",
    "sweep",
    "targets",
    "weapons",
]
