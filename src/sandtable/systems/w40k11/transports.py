"""Transports (18): who has room in them, getting in, and the three ways of getting out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.battle import ALLOWED, Moment, Moves, Question, Verdict, refuse
from sandtable.forty import passengers as shared
from sandtable.forty.effects.permissions import allows
from sandtable.forty.moments import UNIT_SET_UP
from sandtable.forty.passengers import get_out, passengers, put_aboard, tell_of
from sandtable.forty.state import called
from sandtable.kit.beside import place_beside, setting_up_beside, spots_beside
from sandtable.kit.crowding import crowd, nearer_spot
from sandtable.kit.grammar import does
from sandtable.kit.room import Room, Spots, models_to_place, placed, rows_of
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.active_player import act
from sandtable.systems.w40k11.battle_shock import become_shocked
from sandtable.systems.w40k11.coherency import coherency_of
from sandtable.systems.w40k11.concepts import furthest_part, is_friendly, model_has_keyword
from sandtable.systems.w40k11.destroyed import destroy
from sandtable.systems.w40k11.engagement import ENGAGEMENT, engaged_enemies
from sandtable.systems.w40k11.hazard_rolls import hazard_rolls
from sandtable.systems.w40k11.moving import now
from sandtable.systems.w40k11.setting_up import check_room, check_unengaged, goes_back, judge_spots
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, MOVES, NORMAL, STATIONARY, Battle11, Unit, World11
from sandtable.systems.w40k11.strategic_reserves import check_ingress
from sandtable.systems.w40k11.terrain import check_ground
from sandtable.table.grid import steps
from sandtable.table.zones import NO_ZONE

RAPID, RAMP, TACTICAL, COMBAT, EMERGENCY = "rapid", "assault", "tactical", "combat", "emergency"
"""How a unit got out of a transport this turn, as `disembarked` names it"""
KINDS: Final = {RAPID: "rapid_disembark", TACTICAL: "tactical_disembark", COMBAT: "combat_disembark"}
"""What is asked for each way of getting out."""
NAMES: Final = {RAPID: "Rapid disembark", TACTICAL: "Tactical disembark", COMBAT: "Combat disembark"}
RULES: Final = {
    RAPID: "w40k11.transport.rapid",
    TACTICAL: "w40k11.transport.tactical",
    COMBAT: "w40k11.transport.combat",
}
EVERYWHERE: Final = steps(200)


class TRANSPORTS(Facts):
    """What the book states about transports."""

    embark = fact(steps(3), "w40k11.transport.embark", neutral=EVERYWHERE)
    """How near to a transport every model is to get in."""
    rapid = fact(steps(3), "w40k11.transport.rapid", neutral=EVERYWHERE)
    """How near to it, wholly, models are set up by a rapid disembark move..."""
    tactical = fact(steps(3), "w40k11.transport.tactical", neutral=EVERYWHERE)
    """...by a tactical one..."""
    combat = fact(steps(6), "w40k11.transport.combat", neutral=EVERYWHERE)
    """...by a combat disembark move..."""
    emergency = fact(steps(6), "w40k11.transport.emergency", neutral=EVERYWHERE)
    """...and by an emergency disembark move."""


def reach_of(mode: str) -> int:
    """How near to a transport models are set up that get out of it."""
    return {RAPID: TRANSPORTS.rapid, TACTICAL: TRANSPORTS.tactical}.get(mode, TRANSPORTS.combat)


@rule("w40k11.transport.capacity", neutral=ALLOWED)
def check_hold(w: World11, transport: Unit, units: Sequence[Unit]) -> Verdict:
    """Friends of the right kind, all of them together no more than there is room for."""
    cited = "w40k11.transport.capacity"
    return shared.check_hold(w, transport, units, cited, friendly=is_friendly, has_keyword=model_has_keyword)


# --- Embarking --------------------------------------------------------------------------------------------------------


def judge_embark(w: World11, unit: Unit, answer: Moves) -> Verdict:
    """Whether a unit may embark at the end of a Normal, an Advance or a Fall-back move."""
    transport = w.unit(answer.onto)
    return (
        may_embark(w, unit, transport, answer.mode)
        and check_hold(w, transport, [*passengers(w, transport), unit])
        and check_ends_near(w, unit, transport, answer)
    )


@rule("w40k11.transport.embark", "w40k11.movephase.stationary", neutral=ALLOWED)
def may_embark(w: World11, unit: Unit, transport: Unit, move: str) -> Verdict:
    """Who moves may embark in a transport on the battlefield, unless it was set up this turn."""
    if move == STATIONARY:
        text = f"{does(unit, 'remains')} stationary and cannot embark."
        return refuse(text, "w40k11.transport.embark", "w40k11.movephase.stationary")
    if unit.disembarked:
        return refuse(f"{does(unit, 'has')} been set up this turn.", "w40k11.transport.embark")
    if not w.is_on_table(transport):
        return refuse(f"{does(transport, 'is')} not on the battlefield.", "w40k11.transport.embark")
    return ALLOWED


@rule("w40k11.transport.embark", neutral=ALLOWED)
def check_ends_near(w: World11, unit: Unit, transport: Unit, answer: Moves) -> Verdict:
    """Every model ends within 3" of the transport."""
    return shared.check_ends_near(w, unit, transport, answer, TRANSPORTS.embark, "w40k11.transport.embark")


@rule("w40k11.transport.embark", "w40k11.gap.embarked")
def embark(b: Battle11, unit: Unit, transport: Unit) -> None:
    """A unit gets in, and leaves the battlefield."""
    put_aboard(b, unit, transport)
    tell_of(b, "embarked", "embarks in", unit, transport, "w40k11.transport.embark")


@rule("w40k11.transport.start_embarked", "w40k11.gap.embarked")
def start_aboard(b: Battle11, unit: Unit, transport: Unit) -> None:
    """A unit starts the battle in a transport, and is not set up itself."""
    put_aboard(b, unit, transport)
    tell_of(b, "embarked", "starts the battle in", unit, transport, "w40k11.transport.start_embarked")


# --- Disembarking -----------------------------------------------------------------------------------------------------


def may_disembark(w: World11, unit: Unit) -> Verdict:
    """Whether a unit that was selected to move may make a disembark move."""
    if unit.embarked < 0 or not w.is_on_table(w.unit(unit.embarked)):
        return refuse(f"{does(unit, 'is')} in no transport on the battlefield.", "w40k11.transport.disembark")
    return lets_out(w.unit(unit.embarked))


@rule("w40k11.transport.disembark", neutral=ALLOWED)
def lets_out(transport: Unit) -> Verdict:
    """Nobody leaves a transport that advanced or fell back this phase."""
    if transport.moved not in (ADVANCE, FALL_BACK):
        return ALLOWED
    how = "Advanced" if transport.moved == ADVANCE else "fell back"
    return refuse(f"{transport.name} {how} this turn.", "w40k11.transport.disembark")


@rule("w40k11.transport.disembark", neutral=COMBAT)
def mode_of(w: World11, unit: Unit) -> str:
    """Rapid from a transport that has moved or arrived; else tactical if there is room for it, else combat."""
    transport = w.unit(unit.embarked)
    if transport.moved in MOVES:
        return RAPID
    return TACTICAL if find_exit(w, unit, TACTICAL) is not None else COMBAT


def find_exit(w: World11, unit: Unit, mode: str) -> Spots | None:
    """A legal place to get out, if a bounded search finds one."""
    transport = w.unit(unit.embarked)
    hulls, models = tuple(w.on_table(transport).tolist()), models_to_place(w, unit)
    return spots_beside(w, ROOMS[mode], unit, models, hulls, reach_of(mode))


async def disembark(b: Battle11, unit: Unit) -> str:
    """A unit gets out of its transport, in the one way that is open; the way, or nothing if it found no place."""
    mode, transport = mode_of(b, unit), b.unit(unit.embarked)
    if mode == COMBAT:
        await risk_exit(b, unit)
        if not models_to_place(b, unit):
            return mode
    hulls, optional = b.on_table(transport).tolist(), find_exit(b, unit, mode) is None
    where, rules = f"{NAMES[mode]}: where {{does}} {{unit}} get out?", ("w40k11.transport.disembark", RULES[mode])
    question = place_beside(b, unit, KINDS[mode], where, hulls, reach_of(mode), *rules, optional=optional)
    spots = await b.ask(question)
    if spots is None:
        goes_back(b, unit)
        return ""
    get_out(b, unit, spots)
    has_got_out(b, unit, RAMP if mode == RAPID and has_ramp(b, transport) else mode)
    tell_of(b, "disembarked", "disembarks from", unit, transport, RULES[mode])
    if mode == COMBAT:
        shaken(b, unit)
    await b.window(UNIT_SET_UP, Moment(unit.id))
    return mode


def has_ramp(w: World11, transport: Unit) -> bool:
    """Whether an ability lets who gets out of a transport after its Normal move charge; an ingress move is none."""
    return transport.moved == NORMAL and not transport.arrived and allows(w, transport, "disembark_and_charge")


@rule("w40k11.transport.disembark", "w40k11.transport.rapid")
def has_got_out(b: Battle11, unit: Unit, mode: str) -> None:
    """A unit that disembarks counts as set up this turn, and has moved."""
    b.set_unit(unit, disembarked=mode, moved=NORMAL, stirred=now(b))


@rule("w40k11.transport.combat")
async def risk_exit(b: Battle11, unit: Unit) -> None:
    """Before a combat disembark, one hazard roll for each model."""
    await hazard_rolls(b, unit, len(models_to_place(b, unit)), "w40k11.transport.combat")


@rule("w40k11.transport.combat")
def shaken(b: Battle11, unit: Unit) -> None:
    """After a combat disembark the unit is battle-shocked."""
    become_shocked(b, unit, "w40k11.transport.combat")


# --- Where a unit gets out --------------------------------------------------------------------------------------------


@rule("w40k11.transport.disembark", neutral=ALLOWED)
def check_near(w: World11, unit: Unit, spots: Spots, hulls: Sequence[int], reach: int) -> Verdict:
    """Every model is set up wholly within reach of the transport."""
    return shared.check_wholly_near(w, unit, spots, hulls, reach, furthest_part, "w40k11.transport.disembark")


def room_around(w: World11, unit: Unit, models: tuple[int, ...], hulls: tuple[int, ...], reach: int) -> Room:
    """Room around a transport for a tactical disembark, or for who gets out of a wreck."""

    def accept(spots: Spots) -> Verdict:
        return check_near(w, unit, spots, hulls, reach) and judge_spots(w, unit, spots)

    return Room(unit.id, models, (), ENGAGEMENT.range, coherency_of(len(models)), accept)


def room_for_rapid(w: World11, unit: Unit, models: tuple[int, ...], hulls: tuple[int, ...], reach: int) -> Room:
    """The same, where the transport has arrived this turn with what bound it."""
    room, transport = room_around(w, unit, models, hulls, reach), w.unit(int(w.state.models.unit[hulls[0]]))

    def accept(spots: Spots) -> Verdict:
        return room.accept(spots) and bound_as_its_transport(w, unit, transport, spots)

    return Room(unit.id, models, (), room.apart, room.together, accept)


@rule("w40k11.transport.rapid", neutral=ALLOWED)
def bound_as_its_transport(w: World11, unit: Unit, transport: Unit, spots: Spots) -> Verdict:
    """After an ingress move of the transport its passengers keep to what it had to keep to."""
    return check_ingress(w, unit, spots, transport) if transport.arrived else ALLOWED


def room_in_combat(w: World11, unit: Unit, models: tuple[int, ...], hulls: tuple[int, ...], reach: int) -> Room:
    """The same for a combat disembark: engaged, too, with enemies that the transport is engaged with."""
    transport = w.unit(int(w.state.models.unit[hulls[0]]))

    def accept(spots: Spots) -> Verdict:
        near = check_near(w, unit, spots, hulls, reach)
        return near and judge_spots(w, unit, spots, met=also_engaged(w, transport))

    return Room(unit.id, models, (), NO_ZONE, coherency_of(len(models)), accept)


@rule("w40k11.transport.combat", neutral=())
def also_engaged(w: World11, transport: Unit) -> tuple[int, ...]:
    """The enemy units that a transport is engaged with: its passengers may be set up engaged with them."""
    return tuple(e.id for e in engaged_enemies(w, transport))


# --- Destroyed transports ---------------------------------------------------------------------------------------------


@rule("w40k11.transport.emergency")
async def abandon(b: Battle11, transport: Unit, model: int) -> None:
    """Before a destroyed transport is removed, each unit aboard makes an emergency disembark move."""
    if any(int(m) != model for m in b.on_table(transport)):
        return
    for unit in passengers(b, transport):
        await act(b, unit, escape(b, unit, transport, model))


async def escape(b: Battle11, unit: Unit, transport: Unit, model: int) -> None:
    """One unit gets out of a destroyed transport, as many of it as find a place."""
    source = "w40k11.transport.emergency"
    await hazard_rolls(b, unit, len(models_to_place(b, unit)), source)
    models = models_to_place(b, unit)
    room = room_at_wreck(b, unit, models, (model,), TRANSPORTS.emergency)
    saved = tuple(s.model for s in crowd(b, room, model, TRANSPORTS.emergency))
    spots: Spots | None = ()
    if saved:
        where = f"{does(transport, 'is')} destroyed: where {{does}} {{unit}} get out?"
        question = place_beside(b, unit, "escape", where, (model,), TRANSPORTS.emergency, source, models=saved)
        spots = await b.ask(question)
    get_out(b, unit, spots or ())
    if saved:
        tell_of(b, "escaped", "gets out of the wreck of", unit, transport, source)
    for lost in [m for m in models if m not in saved]:
        await destroy(b, lost)
    if saved:
        b.set_unit(unit, disembarked=EMERGENCY)
        become_shocked(b, unit, source)
        await b.window(UNIT_SET_UP, Moment(unit.id))


def room_at_wreck(w: World11, unit: Unit, models: tuple[int, ...], hulls: tuple[int, ...], reach: int) -> Room:
    """Room around a wreck: wholly within reach, and as close to it as possible, one model after the other."""
    room = room_around(w, unit, models, hulls, reach)

    def accept(spots: Spots) -> Verdict:
        return room.accept(spots) and check_close(w, wreck, spots, hulls[0])

    def stands(spots: Spots) -> Verdict:
        bodies, last = placed(w, spots), rows_of(spots[-1:])
        return (
            check_near(w, unit, spots[-1:], hulls, reach)
            and check_room(w, bodies, rows_of(spots))
            and check_ground(w, bodies, last)
            and check_unengaged(w, unit, bodies, last)
        )

    wreck = Room(unit.id, models, (), room.apart, room.together, accept, stands=stands)
    return wreck


@rule("w40k11.transport.emergency", neutral=ALLOWED)
def check_close(w: World11, room: Room, spots: Spots, hull: int) -> Verdict:
    """Each model is as close to the transport as those before it leave room for."""
    for k, spot in enumerate(spots):
        closer = nearer_spot(w, room, spots[:k], spot, hull)
        if closer is not None:
            text = f"{called(w, spot.model)} must be set up as close to the transport as possible."
            return refuse(text, "w40k11.transport.emergency", instead=(*spots[:k], closer, *spots[k + 1 :]))
    return ALLOWED


ROOMS: Final = {RAPID: room_for_rapid, TACTICAL: room_around, COMBAT: room_in_combat}
QUESTIONS: Final[dict[str, Question]] = {
    **{KINDS[mode]: setting_up_beside(room, may_stay=False) for mode, room in ROOMS.items()},
    "escape": setting_up_beside(room_at_wreck, may_stay=False, find=crowd),
}
