"""What Overwatch would do."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Choose, Question, Value
from sandtable.battle.windows import ReactionUse
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.odds.chances import attack_of, chance_to_kill_one
from sandtable.systems.w40k10.state import World10
from sandtable.systems.w40k10.stratagems.using_stratagems import FIRE_OVERWATCH


def odds_of_reaction(w: World10, d: Choose, answer: Value | None) -> float | None:
    """For Fire Overwatch, the chance that it destroys at least one model of the unit that moves."""
    name, use = ReactionUse.of(answer)
    if name != FIRE_OVERWATCH.name:
        return None
    unit, enemy = w.unit(int(use)), w.unit(d.unit)
    question = declaration(w, unit, enemy.id, overwatch=True)
    shots = shots_of(w, unit, guns_of(w, unit, enemy.id), default_shots(w, question), overwatch=True)
    return chance_to_kill_one(attack_of(w, unit, enemy, shots)) if shots else 0.0


QUESTIONS: Final = {
    f"react.{t}": Question(odds=odds_of_reaction) for t in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)
}
