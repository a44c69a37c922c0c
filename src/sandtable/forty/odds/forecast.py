"""What the attacks of a unit at another would do from where both stand, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from sandtable.forty.aiming import guns_of
from sandtable.forty.declaring import declaration, default_shots, shots_of
from sandtable.forty.odds.chances import attack_of, count_of_weapons, what_it_does
from sandtable.forty.state import World40
from sandtable.kit.grammar import does

BlowsAt: TypeAlias = Callable[[Any, Any, Any], Sequence[Any]]
"""(world, unit, target): what the unit would strike the target with; nothing where it does not reach it."""


def no_blows(w: World40, unit: Any, target: Any) -> Sequence[Any]:
    """What units strike with where nobody strikes."""
    return ()


def forecast(blows: BlowsAt, w: World40, unit: Any, target: Any) -> Iterator[str]:
    """What a unit's shooting and its blows at another would do now."""
    if not w.is_on_table(unit) or not w.is_on_table(target):
        yield f"{does(target if w.is_on_table(unit) else unit, 'is')} not on the table."
        return
    question = declaration(w, unit, target.id)
    shots = shots_of(w, unit, guns_of(w, unit, target.id), default_shots(w, question)) if question.rows else []
    if shots:
        yield f"Shooting from here with {count_of_weapons(shots)}: {what_it_does(attack_of(w, unit, target, shots))}"
    else:
        yield f"No gun of {unit.name} can be fired at {target.name} from here."
    if struck := blows(w, unit, target):
        yield f"In melee: {what_it_does(attack_of(w, unit, target, struck))}"
