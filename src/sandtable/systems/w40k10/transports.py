"""Transports: who has room in them, getting in and getting out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.battle import AGAIN, ALLOWED, DONE, Moment, Moves, Question, Spot, Step, Verdict, refuse
from sandtable.forty import passengers as shared
from sandtable.forty.effects.permissions import allows
from sandtable.forty.markers import with_markers
from sandtable.forty.moments import UNIT_SET_UP
from sandtable.forty.passengers import aboard, get_out, passengers, put_aboard, tell_of
from sandtable.kit.beside import place_beside, setting_up_beside
from sandtable.kit.grammar import does
from sandtable.kit.ideas import mostly_go_on
from sandtable.kit.room import Room, Spots, models_to_place
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.battle_round import MOVEMENT
from sandtable.systems.w40k10.coherency import coherency_of
from sandtable.systems.w40k10.core_concepts import furthest_part, is_friendly, model_has_keyword
from sandtable.systems.w40k10.engagement_range import ENGAGEMENT
from sandtable.systems.w40k10.setting_up import judge_spots
from sandtable.systems.w40k10.state import (
    ADVANCE,
    FALL_BACK,
    FAR,
    NORMAL,
    STATIONARY,
    Battle10,
    Unit,
    World10,
)
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

# How a unit got out of a transport this turn.
BEFORE: Final = "before"
AFTER: Final = "after"
RAMP: Final = "ramp"
"""After the transport had moved, but free to charge all the same."""
DESTROYED: Final = "destroyed"


class TRANSPORTS(Facts):
    embark = fact(steps(3), "w40k10.transport.embark", neutral=FAR)
    """How near a transport every model must be to get in."""
    disembark = fact(steps(3), "w40k10.transport.disembark_setup", "w40k10.transport.destroyed_disembark", neutral=FAR)
    """How near it, wholly, every model is set up that gets out."""


@rule("w40k10.transport.capacity", neutral=ALLOWED)
def check_hold(w: World10, transport: Unit, units: Sequence[Unit]) -> Verdict:
    """Friends of the right kind, all of them together no more than there is room for."""
    cited = "w40k10.transport.capacity"
    return shared.check_hold(w, transport, units, cited, friendly=is_friendly, has_keyword=model_has_keyword)


# --- Embarking --------------------------------------------------------------------------------------------------------


def judge_embark(w: World10, unit: Unit, answer: Moves) -> Verdict:
    """Whether a unit may embark at the end of a Normal move, an Advance or a Fall Back."""
    transport = w.unit(answer.onto)
    return (
        may_embark(w, unit, transport, answer.mode)
        and check_hold(w, transport, [*passengers(w, transport), unit])
        and check_ends_near(w, unit, transport, answer)
    )


@rule("w40k10.transport.embark", neutral=ALLOWED)
def may_embark(w: World10, unit: Unit, transport: Unit, move: str) -> Verdict:
    """Who moves may embark in a transport on the battlefield, but not in the phase in which it got out of one."""
    id_ = "w40k10.transport.embark"
    if move not in (NORMAL, ADVANCE, FALL_BACK):
        return refuse(f"{does(unit, 'does')} not move and cannot embark.", id_)
    if unit.disembarked:
        return refuse(f"{does(unit, 'has')} disembarked in this phase already.", id_)
    if not w.is_on_table(transport):
        return refuse(f"{does(transport, 'is')} not on the battlefield.", id_)
    return ALLOWED


@rule("w40k10.transport.embark", neutral=ALLOWED)
def check_ends_near(w: World10, unit: Unit, transport: Unit, answer: Moves) -> Verdict:
    """Every model ends within 3" of the transport; of several models of a transport, all of them of the same."""
    return shared.check_ends_near(w, unit, transport, answer, TRANSPORTS.embark, "w40k10.transport.embark")


@rule("w40k10.transport.embark", neutral=ALLOWED)
def no_embarking(answer: Moves) -> Verdict:
    """Nobody embarks at the end of a Charge, Pile-in or Consolidation move."""
    if answer.onto < 0:
        return ALLOWED
    return refuse(
        "A unit embarks after a Normal move, an Advance or a Fall Back, not after this move.", "w40k10.transport.embark"
    )


@rule("w40k10.transport.embark")
def embark(b: Battle10, unit: Unit, transport: Unit) -> None:
    """A unit gets in, and leaves the battlefield."""
    go_aboard(b, unit, transport)
    tell_of(b, "embarked", "embarks in", unit, transport, "w40k10.transport.embark")


@rule("w40k10.transport.embarked_state")
def go_aboard(b: Battle10, unit: Unit, transport: Unit) -> None:
    """Who is aboard is not on the battlefield: it does nothing, and nothing is done to it."""
    put_aboard(b, unit, transport)


# --- Disembarking -----------------------------------------------------------------------------------------------------


def may_disembark(w: World10, unit: Unit) -> Verdict:
    """Whether a unit may disembark now."""
    if unit.embarked < 0 or not models_to_place(w, unit):
        return refuse(f"{does(unit, 'is')} in no transport.", "w40k10.transport.disembark_when")
    transport = w.unit(unit.embarked)
    if not w.is_on_table(transport):
        return refuse(f"{does(transport, 'is')} not on the battlefield.", "w40k10.transport.disembark_when")
    return may_get_out(w, unit) and lets_out(w, transport)


@rule("w40k10.transport.disembark_when", neutral=ALLOWED)
def may_get_out(w: World10, unit: Unit) -> Verdict:
    """Who was aboard when its player's Movement phase began may disembark in it, and need not."""
    id_ = "w40k10.transport.disembark_when"
    if unit.player != w.state.active or w.state.game.phase != MOVEMENT:
        return refuse(f"{unit.name} can disembark in its own Movement phase only.", id_)
    if unit.moved:
        return refuse(f"{does(unit, 'has')} embarked in this phase.", id_)
    if unit.stays_aboard:
        return refuse(f"{does(unit, 'stays')} aboard this turn.", id_)
    return ALLOWED


@rule("w40k10.transport.disembark_forbidden", neutral=ALLOWED)
def lets_out(w: World10, transport: Unit) -> Verdict:
    """Nobody leaves a transport that Advanced or Fell Back."""
    if transport.moved == ADVANCE and allows(w, transport, "disembark_after_advance"):
        return ALLOWED
    if transport.moved in (ADVANCE, FALL_BACK):
        how = "Advanced" if transport.moved == ADVANCE else "Fell Back"
        return refuse(f"{transport.name} {how} this turn.", "w40k10.transport.disembark_forbidden")
    return ALLOWED


async def disembark_late(b: Battle10) -> Step:
    """After the Reinforcements, passengers of transports that have arrived may disembark."""
    ready = [u for u in b.units_of(b.state.active) if may_disembark(b, u)]
    prompt, rules = "Which unit disembarks?", ("w40k10.transport.disembark_when",)
    about = aboard(ready)
    unit = await b.choose_unit(b.state.active, "disembark_with", prompt, ready, optional=True, rules=rules, about=about)
    if unit is None:
        stay_aboard(b, ready)
        return DONE
    await disembark(b, unit)
    return AGAIN


def stay_aboard(b: Battle10, units: Sequence[Unit]) -> None:
    """Units that could have disembarked do not."""
    for unit in units:
        b.set_unit(unit, stays_aboard=True)


async def disembark(b: Battle10, unit: Unit) -> None:
    """A unit is set up beside its transport, if there is room and its player wants to."""
    transport = b.unit(unit.embarked)
    hulls, source = b.on_table(transport).tolist(), "w40k10.transport.disembark_setup"
    where = "Where {does} {unit} disembark?"
    spots = await b.ask(place_beside(b, unit, "disembark", where, hulls, TRANSPORTS.disembark, source, optional=True))
    if spots is None:
        stay_aboard(b, [unit])
        return
    get_out(b, unit, spots)
    if transport.moved in (NORMAL, ADVANCE):
        leave_after(b, unit, ramp=transport.moved == NORMAL and allows(b, transport, "disembark_and_charge"))
    else:
        leave_before(b, unit)
    tell_of(b, "disembarked", "disembarks from", unit, transport, source)
    await b.act(unit, b.window(UNIT_SET_UP, Moment(unit.id)))


@rule("w40k10.transport.disembark_before_move")
def leave_before(b: Battle10, unit: Unit) -> None:
    """Out of a transport that has not moved, a unit acts as usual, but does not stand still."""
    b.set_unit(unit, disembarked=BEFORE)


@rule("w40k10.transport.disembark_after_move")
def leave_after(b: Battle10, unit: Unit, *, ramp: bool = False) -> None:
    """Out of a transport that made a Normal move, a unit counts as having made one itself."""
    b.set_unit(unit, disembarked=RAMP if ramp else AFTER, moved=NORMAL)


@rule("w40k10.transport.disembark_before_move", neutral=ALLOWED)
def may_stand(unit: Unit, move: str) -> Verdict:
    """Who has disembarked does not Remain Stationary."""
    if move == STATIONARY and unit.disembarked:
        text = f"{does(unit, 'has')} disembarked and cannot Remain Stationary."
        return refuse(text, "w40k10.transport.disembark_before_move")
    return ALLOWED


def may_charge(unit: Unit) -> Verdict:
    """Whether getting out of a transport leaves a unit free to charge."""
    return not_after_the_move(unit) and not_out_of_a_wreck(unit)


@rule("w40k10.transport.disembark_after_move", "w40k10.charge.eligible", neutral=ALLOWED)
def not_after_the_move(unit: Unit) -> Verdict:
    """Out of a transport that has moved, nobody charges."""
    if unit.disembarked != AFTER:
        return ALLOWED
    return refuse(f"{unit.name} disembarked after its transport had moved.", "w40k10.transport.disembark_after_move")


@rule("w40k10.transport.destroyed_effects", "w40k10.charge.eligible", neutral=ALLOWED)
def not_out_of_a_wreck(unit: Unit) -> Verdict:
    """Out of a destroyed transport, nobody charges."""
    if unit.disembarked != DESTROYED:
        return ALLOWED
    return refuse(f"{unit.name} got out of a destroyed transport this turn.", "w40k10.transport.destroyed_effects")


# --- Where a unit gets out --------------------------------------------------------------------------------------------


@rule(
    "w40k10.transport.disembark_setup",
    "w40k10.transport.destroyed_disembark",
    "w40k10.transport.emergency",
    neutral=ALLOWED,
)
def check_set_up(w: World10, unit: Unit, spots: Sequence[Spot], transports: Sequence[int], reach: int) -> Verdict:
    """Wholly within reach of the transport, coherent, and outside Engagement Range."""
    near = shared.check_wholly_near(
        w, unit, spots, transports, reach, furthest_part, "w40k10.transport.disembark_setup"
    )
    if not near:
        return near
    verdict = judge_spots(w, unit, spots)
    if verdict:
        return ALLOWED
    reasons = tuple(
        type(r)(r.text, (*r.rules, "w40k10.transport.disembark_setup"), r.facts, r.models) for r in verdict.reasons
    )
    return Verdict(False, reasons)


def room_around(w: World10, unit: Unit, models: tuple[int, ...], transports: Sequence[int], reach: int) -> Room:
    """Room for models of a unit around those of a transport."""

    def accept(spots: Spots) -> Verdict:
        return check_set_up(w, unit, spots, transports, reach)

    def things(bodies: Bodies) -> Bodies:
        return with_markers(w, bodies)

    return Room(unit.id, models, (), ENGAGEMENT.range, coherency_of(len(models)), accept, things)


QUESTIONS: Final[dict[str, Any]] = {
    "disembark_with": Question(
        why_unit=lambda w, d, u: may_disembark(w, w.unit(u)), default=lambda w, d: None, suggest=mostly_go_on(0.2)
    ),
    "disembark": setting_up_beside(room_around, may_stay=True),
}


@rule("w40k10.transport.start_embarked")
def start_aboard(b: Battle10, unit: Unit, transport: Unit) -> None:
    """A unit starts the battle in a transport, and is not set up itself."""
    go_aboard(b, unit, transport)
    text = f"{does(unit, 'starts')} the battle in {transport.name}."
    b.tell("embarked", text, "w40k10.transport.start_embarked", units=[unit.id, transport.id])
