"""What it costs a unit to lose one of its models: what a player may want to think about who takes an attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sandtable.battle import Choose, Question, Value
from sandtable.forty.effects.words import Words
from sandtable.forty.markers import NOBODY, Control, markers_left
from sandtable.forty.state import Unit, World40
from sandtable.kit.attack.defenders import ALLOCATE
from sandtable.kit.otherwise import without

CHARACTER: Final = "a character"
COHERENCY: Final = "coherency"
MARKER: Final = "a marker"
MELEE: Final = "a melee"


class Together(NamedTuple):
    """What an edition says about a unit as a whole."""

    whole: Callable[[Any, Any, Any], bool]
    """(world, bodies, models): do these stand together?"""
    foes: Callable[[Any, Any], list[Any]]
    """(world, unit): the enemies that it is in a melee with."""


def questions(together: Together) -> Mapping[str, Question]:
    """What is known of the question who of a unit takes an attack."""

    def matters(w: World40, d: Choose, answer: Value | None) -> tuple[str, ...]:
        """That a CHARACTER could take it, and what the end of this model costs that the end of another would not."""
        if answer is None or d.unit < 0:
            return ()
        unit, models = w.unit(d.unit), [int(option.value) for option in d.options]
        has, others = w.system.seam(Words).model_has_keyword, [m for m in models if m != answer]
        dear = [CHARACTER] if any(has(w, m, "CHARACTER") for m in models) else []
        costs = set(cost_of(w, unit, int(answer), together))
        spared = costs and [costs.difference(cost_of(w, unit, m, together)) for m in others]
        return (*dear, *(cost for cost in (COHERENCY, MARKER, MELEE) if any(cost in s for s in spared)))

    return {ALLOCATE: Question(matters=matters)}


def cost_of(w: World40, unit: Unit, model: int, together: Together) -> Iterator[str]:
    """What a unit would not have any more without one of its models: its coherency, a marker, or an enemy to fight."""
    then = without(w, model)
    left = then.on_table(then.unit(unit.id))
    if together.whole(w, w.bodies, w.on_table(unit)) and not together.whole(then, then.bodies, left):
        yield COHERENCY
    if any(hold_on(then, unit.player, m) < hold_on(w, unit.player, m) for m in markers_left(w)):
        yield MARKER
    if len(left) and len(together.foes(then, then.unit(unit.id))) < len(together.foes(w, unit)):
        yield MELEE


def hold_on(w: World40, player: int, marker: int) -> int:
    """How well a player does at a marker: 2 who controls it, 0 from whom an enemy has it, else 1."""
    who = w.system.seam(Control).controller(w, marker)
    if who == player:
        return 2
    return int(who == NOBODY or w.side(who) == w.side(player))
