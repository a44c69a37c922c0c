"""Which questions are thought about, and by whom: what players of all editions of 40,000 know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from sandtable.battle.tactics import Idea, Tactics
from sandtable.forty.mind import abilities, blunders, casting, combat, moves, reactions, setting_up, shots
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.mind.style import GUNLINE, RUSHER, STYLES, Style
from sandtable.forty.state import World40

THINKERS: Final[dict[str, Callable[[World40, Any, Style], Iterator[Idea]]]] = {
    "deploy_with": setting_up.who_deploys,
    "deploy": setting_up.where_to_deploy,
    "arrive_with": setting_up.who_arrives,
    "arrive": setting_up.where_to_arrive,
    "disembark": setting_up.where_to_get_out,
    "scout_move": moves.how_to_scout,
    "move_with": moves.who_moves,
    "move": moves.how_to_move,
    "complete_move": moves.how_to_end_move,
    "shoot_with": shots.who_shoots,
    "shoot": shots.what_to_shoot,
    "charge_with": combat.who_charges,
    "charge_targets": combat.whom_to_charge,
    "fight_with": combat.who_fights,
    "strike": combat.whom_to_strike,
    "pile_in": combat.how_to_pile_in,
    "consolidate": combat.how_to_consolidate,
    "ability_target": casting.on_whom_to_cast,
    "ability_branch": abilities.which_branch,
}
"""Which questions are thought about in all editions; the default answers those that nobody thinks about."""


UNTHINKING: Final = {
    RUSHER: ("shoot_with", "shoot", "strike", "fight_with", "deploy_with", "arrive_with"),
    GUNLINE: ("strike", "fight_with", "deploy_with", "arrive_with"),
}
"""What the simple styles leave to the usual answers, which are sensible ones."""


def ideas(w: World40, decision: Any, style: str) -> Iterator[Idea]:
    """Answers to a decision in a style, the best first."""
    if decision.kind in UNTHINKING.get(style, ()):
        return
    thinker = mind_of(w).thinkers.get(decision.kind) or THINKERS.get(decision.kind)
    if thinker is None and decision.kind.startswith("react."):
        thinker = reactions.react
    if thinker is not None:
        yield from thinker(w, decision, STYLES[style])


TACTICS: Final = Tactics(tuple(STYLES), ideas, blunders.blunder, blunders.BLUNDERS)
"""What a system of 40,000 with a `Mind` hands to its computer players."""
