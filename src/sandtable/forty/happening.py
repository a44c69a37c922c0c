"""Moments in a few words, for the questions that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sandtable.battle import Moment
from sandtable.forty import moments
from sandtable.forty.state import World40
from sandtable.kit.grammar import agree, does

MOST_DICE: Final = 12
"""So many are shown one by one."""


def happening(w: World40, trigger: str, moment: Moment) -> str:
    """What has just happened."""
    told = TOLD.get(trigger)
    return told(w, moment) if told else trigger.replace("_", " ").capitalize()


def _names(w: World40, units: Sequence[int]) -> str:
    names = [w.unit(u).name for u in units]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _of(words: str) -> Callable[[World40, Moment], str]:
    """A sentence about the unit that acts; it begins with its verb."""
    return lambda w, moment: does(w.unit(moment.unit), words)


def _phase(word: str) -> Callable[[World40, Moment], str]:
    return lambda w, moment: f"The {str(moment.data['phase']).capitalize()} phase {word}"


def _targets(w: World40, moment: Moment) -> str:
    unit = w.unit(moment.unit)
    return f"{does(unit, 'has')} picked {_names(w, moment.data['targets'])} as targets"


def _charges(w: World40, moment: Moment) -> str:
    return f"{does(w.unit(moment.unit), 'charges')} {_names(w, moment.data['targets'])}"


def _failed(w: World40, moment: Moment) -> str:
    return f"{does(w.unit(moment.unit), 'has')} failed a {str(moment.data['test']).capitalize()} test"


def _rolled(w: World40, moment: Moment) -> str:
    faces: Sequence[int] = moment.data["faces"]
    kind, need = str(moment.data["roll"]).replace("_", " "), moment.data.get("need", 0)
    shown = " ".join(map(str, faces)) if len(faces) <= MOST_DICE else f"{len(faces)} dice"
    needed = f", {need}+ needed" if need else ""
    unit = w.unit(moment.unit)
    return f"{does(unit, 'rolls')} {shown} ({kind}{needed})"


def _gone(w: World40, moment: Moment) -> str:
    part = moment.data.get("part", "unit")
    unit = w.unit(moment.unit)
    whole = part == "unit"
    return f"{unit.name} {agree(unit, 'is')} destroyed" if whole else f"The {part} of {unit.name} is destroyed"


TOLD: Final[Mapping[str, Callable[[Any, Moment], str]]] = {
    moments.BATTLE_BEGINS: lambda w, moment: "The battle begins",
    moments.FORMATIONS: lambda w, moment: "The battle formations are declared",
    moments.ROUND_BEGAN: lambda w, moment: f"Battle round {w.state.round} begins",
    moments.ROUND_ENDED: lambda w, moment: f"Battle round {w.state.round} ends",
    moments.PHASE_BEGAN: _phase("begins"),
    moments.PHASE_ENDED: _phase("ends"),
    moments.COMMAND_ABILITIES: lambda w, moment: "Abilities of the Command phase are used",
    moments.TURN_BEGAN: lambda w, moment: "The turn begins",
    moments.TURN_ENDED: lambda w, moment: "The turn ends",
    moments.UNIT_TO_MOVE: lambda w, moment: "Before the next unit moves",
    moments.UNIT_TO_SHOOT: lambda w, moment: "Before the next unit shoots",
    moments.TEST_DUE: _of("is about to make a battle-shock roll"),
    moments.TEST_FAILED: _failed,
    moments.UNIT_MOVE_BEGAN: _of("begins to move"),
    moments.UNIT_MOVE_ENDED: _of("has moved"),
    moments.UNIT_SET_UP: _of("has been set up"),
    moments.UNIT_SELECTED_TO_SHOOT: _of("is about to shoot"),
    moments.UNIT_ABOUT_TO_SHOOT: _of("is about to declare its shots"),
    moments.TARGETS_SELECTED: _targets,
    moments.ATTACKS_MADE: _of("has attacked"),
    moments.CHARGE_DECLARED: _charges,
    moments.UNIT_SELECTED_TO_FIGHT: _of("is about to fight"),
    moments.UNIT_FOUGHT: _of("has fought"),
    moments.AFTER_ROLL: _rolled,
    moments.MODEL_DESTROYED: _of("loses a model"),
    moments.UNIT_DESTROYED: _gone,
}
