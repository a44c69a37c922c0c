"""What Overwatch, and attacks from where units stand, would do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sandtable.battle import Choose, Question, Value
from sandtable.battle.windows import ReactionUse
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.odds.chances import attack_of, chance_to_kill_one, count_of_weapons, what_it_does
from sandtable.forty.striking import best_strikes, strikes
from sandtable.systems.w40k10.melee_attacks import hands_of
from sandtable.systems.w40k10.state import Unit, World10
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


def forecast(w: World10, unit: Unit, target: Unit) -> Iterator[str]:
    """What a unit's attacks at another would do from where they stand now, in sentences."""
    if not w.is_on_table(unit) or not w.is_on_table(target):
        yield f"{unit.name if not w.is_on_table(unit) else target.name} is not on the table."
        return
    question = declaration(w, unit, target.id)
    shots = shots_of(w, unit, guns_of(w, unit, target.id), default_shots(w, question)) if question.rows else []
    if shots:
        yield f"Shooting from here with {count_of_weapons(shots)}: {what_it_does(attack_of(w, unit, target, shots))}"
    else:
        yield f"No gun of {unit.name} can be fired at {target.name} from here."
    hands = [h._replace(targets=(target.id,)) for h in hands_of(w, unit) if target.id in h.targets]
    if hands:
        blows = strikes(w, unit, hands, best_strikes(w, unit, hands))
        yield f"In melee: {what_it_does(attack_of(w, unit, target, blows))}"


QUESTIONS: Final = {
    f"react.{t}": Question(odds=odds_of_reaction) for t in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)
}
