"""Coherency (03.03): when a unit stands together, and what it loses where it does not."""

from __future__ import annotations

from typing import Final

from sandtable.battle import ALLOWED, Step, Verdict
from sandtable.forty.coherency import check_together, lose_stragglers
from sandtable.kit.stragglers import Stragglers, removing_stragglers
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.concepts import model_has_keyword
from sandtable.systems.w40k11.state import Battle11, Unit, World11
from sandtable.table.coherency import NO_COHERENCY, Coherency, coherency, coherent
from sandtable.table.grid import Ints, steps
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Zone


class COHERENCY(Facts):
    """What the book states about coherency."""

    together = fact(
        coherency(Zone(steps(2), steps(5)), spread=Zone(steps(9), steps(5)), one_group=False),
        "w40k11.coherency.definition",
        neutral=NO_COHERENCY,
    )
    """Each model next to another, and no two further apart than the spread; no chain is asked for."""


def coherency_of(count: int) -> Coherency:
    """What coherency asks of so many models."""
    return COHERENCY.together


@rule("w40k11.coherency.definition", neutral=True)
def in_coherency(w: World11, bodies: Bodies, models: Ints) -> bool:
    """Whether models, standing as `bodies` says, are in coherency."""
    return bool(coherent(bodies, w.shapes, models, COHERENCY.together))


@rule("w40k11.move.ending", neutral=ALLOWED)
def check_coherency(w: World11, unit: Unit, bodies: Bodies) -> Verdict:
    """A unit ends every move in coherency."""
    models, rules = w.on_table(unit), ("w40k11.move.ending", "w40k11.coherency.definition")
    return check_together(w, unit, "end", bodies, models, in_coherency, coherency_of, *rules)


@rule("w40k11.setup.conditions", neutral=ALLOWED)
def check_set_up_coherent(w: World11, unit: Unit, bodies: Bodies, models: Ints) -> Verdict:
    """A unit is set up in coherency."""
    rules = ("w40k11.setup.conditions", "w40k11.coherency.definition")
    return check_together(w, unit, "be set up", bodies, models, in_coherency, coherency_of, *rules)


# --- Regaining coherency ----------------------------------------------------------------------------------------------


@rule("w40k11.coherency.regain")
async def regain_coherency(b: Battle11) -> Step:
    """In the End of Turn step every unit that is out of coherency loses models until it is in coherency again."""
    return await lose_stragglers(b, STRAGGLERS, "w40k11.appendix.destroyed")


STRAGGLERS: Final = Stragglers(
    in_coherency, coherency_of, lambda w, model: model_has_keyword(w, model, "CHARACTER"), "w40k11.coherency.regain"
)


QUESTIONS: Final = {"stragglers": removing_stragglers(STRAGGLERS)}
