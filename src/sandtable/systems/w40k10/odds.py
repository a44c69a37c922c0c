"""The chance that an answer does what it is for, for standing orders such as "ask if the odds are at least x"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from sandtable.attack.volley import Aim as Purpose
from sandtable.battle import Assign, Assignment, Choose, Question, Value
from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import default_shots, shots_of
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.odds.chances import (
    attack_of,
    chance_that_one_falls,
    chance_to_kill_one,
    count_of_weapons,
    what_it_does,
)
from sandtable.systems.w40k10 import melee, shooting
from sandtable.systems.w40k10.melee import best_strikes, hands_of, strikes
from sandtable.systems.w40k10.shooting import declaration
from sandtable.systems.w40k10.state import Unit, World10
from sandtable.systems.w40k10.stratagems import FIRE_OVERWATCH


def odds_of_shots(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's shooting is destroyed."""
    unit = w.unit(d.unit)
    guns = guns_of(w, unit, int(d.about["only"]))
    return chance_that_one_falls(w, unit, shots_of(w, unit, guns, answer, overwatch=bool(d.about["overwatch"])))


def odds_of_strikes(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> float | None:
    """The chance that a target of the unit's melee attacks is destroyed."""
    unit = w.unit(d.unit)
    return chance_that_one_falls(w, unit, strikes(w, unit, hands_of(w, unit), answer))


def odds_of_reaction(w: World10, d: Choose, answer: Value | None) -> float | None:
    """For Fire Overwatch, the chance that it destroys at least one model of the unit that moves."""
    name, _, use = str(answer).partition("/")
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


def advise_shots(w: World10, d: Assign, aim: Purpose) -> tuple[Assignment, ...]:
    """The best split of a unit's weapons for an aim."""
    # The solver is loaded only where somebody asks.
    from sandtable.systems.w40k10 import advice

    return advice.advise_shots(w, d, aim)


QUESTIONS: Final = {
    "shoot": replace(shooting.QUESTIONS["shoot"], odds=odds_of_shots, advise=advise_shots),
    "strike": replace(melee.QUESTIONS["strike"], odds=odds_of_strikes),
    **{f"react.{t}": Question(odds=odds_of_reaction) for t in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)},
}
"""Questions with their odds and advice; over those of `shooting` and `melee`."""
