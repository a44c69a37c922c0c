"""Strategic reserves (20): who waits there, how units arrive, and what becomes of those that do not."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import ALLOWED, GONE, Assign, Assignment, Moment, Verdict, refuse
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.arriving import come_on, in_enemy_zone, is_far_enough
from sandtable.forty.effects.leaving import Leaving
from sandtable.forty.effects.permissions import allows, approached, check_barriers
from sandtable.forty.formations import points_with
from sandtable.forty.moments import UNIT_SET_UP
from sandtable.forty.passengers import living, lose_the_absent
from sandtable.forty.placing import far_from_edges
from sandtable.kit.grammar import does
from sandtable.kit.room import ANYWHERE, Room, Spots, find_room, models_to_place, placed, rows_of, setting_up, strips
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k11.aircraft import has_come, must_wait
from sandtable.systems.w40k11.concepts import has_keyword, wholly_within
from sandtable.systems.w40k11.setting_up import every_model_has, goes_back, room_for
from sandtable.systems.w40k11.state import ADVANCE, FALL_BACK, NORMAL, STRATEGIC, Battle11, Unit, World11
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

UNLIMITED: Final = 99
ELSEWHERE: Final = "elsewhere"
"""What `reserve` says of a unit that is set up again at once"""


class RESERVES(Facts):
    """What the book states about strategic reserves."""

    share = fact(2, "w40k11.reserves.limit", neutral=1)
    """One part in so many of the points of the battle size can be in strategic reserves."""
    first = fact(2, "w40k11.reserves.arriving", neutral=1)
    """In which battle round units arrive at the earliest..."""
    last = fact(3, "w40k11.reserves.destroyed_round3", neutral=UNLIMITED)
    """...and in which at the latest."""
    band = fact(steps(6), "w40k11.reserves.ingress", neutral=steps(200))
    """How near to an edge units arrive, wholly..."""
    gap = fact(steps(8), "w40k11.reserves.ingress", "w40k11.unit.deep_strike", neutral=-1)
    """...and how far from all enemies."""
    zone_opens = fact(3, "w40k11.reserves.ingress", neutral=UNLIMITED)
    """From which battle round on the opponent's deployment zone is open."""


# --- Declared before the battle ---------------------------------------------------------------------------------------


@rule("w40k11.reserves.placing", "w40k11.gap.fortifications", neutral=True)
def can_wait(w: World11, unit: Unit) -> bool:
    """Any unit but FORTIFICATIONS."""
    return not has_keyword(w, unit, "FORTIFICATION")


@rule("w40k11.reserves.limit", neutral=ALLOWED)
def judge_reserves(w: World11, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Half of the points of the battle size at most, AIRCRAFT and passengers included."""
    flying = [u.id for u in w.units_of(d.player) if must_wait(w, u)]
    points = sum(points_with(w, d, unit) for unit in {*flying, *(int(a.row) for a in answer)})
    most = w.setup.data.limit // RESERVES.share
    if points <= most:
        return ALLOWED
    text = f"Strategic reserves hold at most {most} points at this battle size, not {points}."
    return refuse(text, "w40k11.reserves.limit", points=points, most=most)


@rule("w40k11.reserves.placing")
def set_aside(b: Battle11, unit: Unit) -> None:
    """A unit starts the battle in strategic reserves."""
    b.set_unit(unit, reserve=STRATEGIC)
    b.tell("reserves", f"{does(unit, 'starts')} in strategic reserves.", "w40k11.reserves.placing", units=[unit.id])


# --- The ingress move -------------------------------------------------------------------------------------------------


def may_ingress(w: World11, unit: Unit) -> Verdict:
    """Whether a unit may make an ingress move now."""
    if not unit.reserve or unit.embarked >= 0 or not models_to_place(w, unit):
        return refuse(f"{does(unit, 'is')} not in strategic reserves.", "w40k11.reserves.ingress")
    return in_time(w, unit)


@rule("w40k11.reserves.arriving", "w40k11.aircraft.move", neutral=ALLOWED)
def in_time(w: World11, unit: Unit) -> Verdict:
    """Nobody arrives in the first battle round."""
    if w.state.round >= RESERVES.first or allows(w, unit, "arrive_round_one"):
        return ALLOWED
    return refuse(f"{unit.name} cannot arrive before battle round {RESERVES.first}.", "w40k11.reserves.arriving")


async def ingress(b: Battle11, unit: Unit, *, optional: bool | None = None) -> bool:
    """A unit arrives where its player puts it; whether it did."""
    may_pass = find_arrival(b, unit) is None if optional is None else optional
    rule_, gap = "w40k11.reserves.ingress", RESERVES.gap
    if not await come_on(b, unit, rule_, gap=gap, told=rule_, moved=has_arrived, optional=may_pass, ingressed=True):
        goes_back(b, unit)
        return False
    await b.window(UNIT_SET_UP, Moment(unit.id))
    return True


@rule("w40k11.reserves.ingress_after")
def has_arrived(b: Battle11, unit: Unit) -> None:
    """Arriving was its move."""
    b.set_unit(unit, moved=NORMAL)


@rule("w40k11.reserves.ingress_after", neutral=ALLOWED)
def rests(unit: Unit, phase: str) -> Verdict:
    """Who has arrived makes no other move before a Charge phase begins."""
    if unit.arrived and phase in ("movement", "shooting"):
        return refuse(f"{does(unit, 'has')} arrived this turn and cannot move yet.", "w40k11.reserves.ingress_after")
    return ALLOWED


# --- Where ------------------------------------------------------------------------------------------------------------


def room_to_arrive(w: World11, unit: Unit) -> Room:
    """Where a unit may arrive."""
    areas = (ANYWHERE,) if strikes_deep(w, unit) else strips(w, RESERVES.band)
    return room_for(w, unit, areas, lambda spots: check_ingress(w, unit, spots, unit), gap=max(0, RESERVES.gap))


@rule("w40k11.unit.deep_strike", neutral=False)
def strikes_deep(w: World11, unit: Unit) -> bool:
    """Whether all models of a unit have Deep Strike; one that an ability sets up elsewhere comes down anywhere, too."""
    return unit.reserve == ELSEWHERE or every_model_has(w, unit, "deep strike")


def check_ingress(w: World11, unit: Unit, spots: Spots, arriving: Unit) -> Verdict:
    """Where models of a unit may be, as what arrives has to keep to: the unit, or its transport."""
    bodies = placed(w, spots)
    verdict = ALLOWED
    if not strikes_deep(w, arriving):
        verdict = check_edges(w, unit, bodies, spots) and check_zone(w, unit, bodies, spots)
    return verdict and check_gap(w, unit, bodies, spots) and check_barriers(w, unit, bodies, rows_of(spots))


@rule("w40k11.reserves.ingress", "w40k11.unit.deep_strike", neutral=ALLOWED)
def check_gap(w: World11, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """More than 8" horizontally from all enemies, but for whom an ability lets Deep Strike come closer to."""
    near = approached(w, unit) if unit.embarked < 0 and strikes_deep(w, unit) else ()
    return is_far_enough(w, unit, bodies, rows_of(spots), RESERVES.gap, "w40k11.reserves.ingress", near=near)


@rule("w40k11.reserves.ingress", neutral=ALLOWED)
def check_edges(w: World11, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """Every base is wholly within 6" of an edge."""
    along = strips(w, RESERVES.band)
    astray = [s.model for s in spots if not any(wholly_within(w, bodies, s.model, strip) for strip in along)]
    if not astray:
        return ALLOWED
    return far_from_edges(w, unit, bodies, astray, RESERVES.band, "w40k11.reserves.ingress")


@rule("w40k11.reserves.ingress", neutral=ALLOWED)
def check_zone(w: World11, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """Before the third battle round nobody arrives within the opponent's deployment zone."""
    if w.state.round >= RESERVES.zone_opens or not in_enemy_zone(w, unit, bodies, spots):
        return ALLOWED
    text = f"{unit.name} cannot arrive in the opponent's deployment zone before battle round {RESERVES.zone_opens}."
    return refuse(text, "w40k11.reserves.ingress")


def find_arrival(w: World11, unit: Unit) -> Spots | None:
    """A legal place to arrive at, if a bounded search finds one."""
    return _find_arrival(w, unit, w.state.round >= RESERVES.zone_opens)


@kept(PLACES)
def _find_arrival(w: World11, unit: Unit, open_: bool) -> Spots | None:
    return find_room(w, room_to_arrive(w, unit))


# --- Who never arrives ------------------------------------------------------------------------------------------------


@rule("w40k11.reserves.destroyed_round3")
def lose_late(b: Battle11) -> None:
    """At the end of the third battle round units are destroyed that have never arrived, their passengers with them."""
    if b.state.round != RESERVES.last:
        return
    for unit in b.units():
        if is_late(b, unit):
            b.place_models(living(b, unit), GONE)
            b.tell("unarrived", f"{unit.name} never arrived.", "w40k11.reserves.destroyed_round3", units=[unit.id])


@rule("w40k11.reserves.destroyed_round3", neutral=False)
def is_late(w: World11, unit: Unit) -> bool:
    """Whether a unit, or the transport that it is in, waits in reserves and was never on the battlefield."""
    carrier = w.unit(unit.embarked) if unit.embarked >= 0 else unit
    return bool(carrier.reserve) and not carrier.ingressed and not carrier.repositioned


@rule("w40k11.gap.reserves_at_end")
def lose_absent(b: Battle11) -> None:
    """What is not on the battlefield when the battle ends counts as destroyed, but for AIRCRAFT that had come."""
    lose_the_absent(b, "w40k11.gap.reserves_at_end", spared=has_come)


# --- Repositioned units -----------------------------------------------------------------------------------------------


@rule("w40k11.reserves.repositioned")
def has_left(b: Battle11, unit: Unit) -> None:
    """A rule has taken a unit off the battlefield into strategic reserves."""
    b.set_unit(unit, repositioned=True)


@rule("w40k11.reserves.repositioned", neutral=False)
def still_counts(moved: str) -> bool:
    """Who advanced or fell back before still counts as having done so when it is set up again in the turn."""
    return moved in (ADVANCE, FALL_BACK)


async def _arrive_by(b: Battle11, unit: Unit, *, optional: bool) -> None:
    await ingress(b, unit, optional=optional)


LEAVING: Final = Leaving(STRATEGIC, ELSEWHERE, "strategic reserves", find_arrival, _arrive_by, has_left, still_counts)
QUESTIONS: Final[dict[str, Any]] = {"arrive": setting_up(lambda w, unit: (room_to_arrive(w, unit),), find_arrival)}
