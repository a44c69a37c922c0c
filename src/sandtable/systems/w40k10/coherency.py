"""Unit coherency: when models are set up and move, and at the end of a turn."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict
from sandtable.forty.coherency import check_together, lose_stragglers
from sandtable.kit.stragglers import Stragglers, removing_stragglers
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.core_concepts import model_has_keyword
from sandtable.systems.w40k10.state import UNLIMITED, Battle10, Unit, World10
from sandtable.table.coherency import Coherency, coherent
from sandtable.table.grid import Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone


class COHERENCY(Facts):
    distance = fact(Zone(steps(2), steps(5)), "w40k10.concept.coherency_small", neutral=Zone(-1, 0))
    """How near a model has to be to others of its unit."""
    large_unit = fact(7, "w40k10.concept.coherency_large", neutral=UNLIMITED)
    """From so many models on, everybody needs two neighbours."""


def coherency_of(count: int) -> Coherency:
    """What Unit Coherency asks of so many models."""
    near = COHERENCY.distance
    return Coherency(near.flat, near.up, neighbours_needed(count))


@rule("w40k10.concept.coherency_large", neutral=1)
def neighbours_needed(count: int) -> int:
    """How many unit-mates each model needs close by."""
    return 2 if count >= COHERENCY.large_unit else 1


@rule("w40k10.concept.coherency_small", neutral=True)
def in_coherency(w: World10, bodies: Bodies, models: Ints) -> bool:
    """Whether models, standing as `bodies` says, are one group."""
    return bool(coherent(bodies, w.shapes, models, coherency_of(len(models))))


@rule("w40k10.concept.coherency_move", neutral=ALLOWED)
def check_coherency(w: World10, unit: Unit, bodies: Bodies) -> Verdict:
    """A unit ends every move in coherency."""
    models, rule_ = w.on_table(unit), "w40k10.concept.coherency_move"
    return check_together(w, unit, "end", bodies, models, in_coherency, coherency_of, rule_)


@rule("w40k10.concept.coherency_setup", neutral=ALLOWED)
def check_set_up_coherent(w: World10, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """A unit is set up in coherency."""
    rule_ = "w40k10.concept.coherency_setup"
    return check_together(w, unit, "be set up", bodies, models, in_coherency, coherency_of, rule_)


@rule("w40k10.concept.coherency_end_of_turn")
async def remove_stragglers(b: Battle10) -> Step:
    """At the end of a turn every unit that is out of coherency loses models until the rest is one group."""
    return await lose_stragglers(b, STRAGGLERS, "w40k10.unit.destroyed")


STRAGGLERS: Final = Stragglers(
    in_coherency,
    coherency_of,
    lambda w, model: model_has_keyword(w, model, "CHARACTER"),
    "w40k10.concept.coherency_end_of_turn",
)


QUESTIONS: Final = {"stragglers": removing_stragglers(STRAGGLERS)}
