"""What the computer players know of 10th edition.

`force` knows what models do with all that they carry; `outlook` sees the battlefield as arrays over units; `stakes`
knows what the mission pays; `plan` sends units to markers; `screens` knows who stands in the way of a charge; `going`
weighs places by all of these. The arithmetic behind them stands in the kernels of `field`, `markers` and `weighing`.
The other modules answer questions, a phase each; `blunders` looks over their shoulders and shares nothing with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from sandtable.battle.tactics import Idea, Tactics
from sandtable.forty.mind import blunders, combat, moves, setting_up, shots
from sandtable.forty.mind.style import GUNLINE, RUSHER, STYLES, Style
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.tactics import abilities, reactions

THINKERS: Final[dict[str, Callable[[World10, Any, Style], Iterator[Idea]]]] = {
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
    "ability_target": abilities.on_whom,
    "ability_branch": abilities.which_branch,
}
"""Which questions are thought about; the default answers the others."""


UNTHINKING: Final = {
    RUSHER: ("shoot_with", "shoot", "strike", "fight_with", "deploy_with", "arrive_with"),
    GUNLINE: ("strike", "fight_with", "deploy_with", "arrive_with"),
}
"""What the simple styles leave to the usual answers, which are sensible ones."""


def ideas(w: World10, decision: Any, style: str) -> Iterator[Idea]:
    """Answers to a decision in a style, the best first."""
    if decision.kind in UNTHINKING.get(style, ()):
        return
    thinker = THINKERS.get(decision.kind)
    if thinker is None and decision.kind.startswith("react."):
        thinker = reactions.react
    if thinker is not None:
        yield from thinker(w, decision, STYLES[style])


TACTICS: Final = Tactics(tuple(STYLES), ideas, blunders.blunder, blunders.BLUNDERS)
