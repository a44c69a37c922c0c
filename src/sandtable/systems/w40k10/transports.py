"""Transports: who has room in them, getting in and getting out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from sandtable.battle import (
    ABOARD,
    AGAIN,
    ALLOWED,
    DONE,
    GONE,
    Moment,
    Moves,
    Place,
    Question,
    Spot,
    Step,
    Verdict,
    refuse,
)
from sandtable.forty.effects.permissions import allows
from sandtable.forty.markers import beside_markers, with_markers
from sandtable.forty.moments import UNIT_SET_UP
from sandtable.forty.sheets import Transport
from sandtable.kit.grammar import agree, does
from sandtable.kit.ideas import mostly_go_on
from sandtable.kit.moving import after
from sandtable.kit.room import models_to_place, placed, put_down
from sandtable.kit.walking import walk_to
from sandtable.rules import rule
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.concepts import coherency_of, is_friendly, model_has_keyword
from sandtable.systems.w40k10.paths import Passage
from sandtable.systems.w40k10.placing import furthest_part, judge_spots
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, STATIONARY, Battle10, Unit, World10, sheet_of
from sandtable.systems.w40k10.turn import MOVEMENT
from sandtable.table.arrange import arrange, clear_of, spread
from sandtable.table.cores import place_core
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.measure import distances
from sandtable.table.scatter import offset

# How a unit got out of a transport this turn.
BEFORE: Final = "before"
AFTER: Final = "after"
RAMP: Final = "ramp"
"""After the transport had moved, but free to charge all the same."""
DESTROYED: Final = "destroyed"

SIDES: Final = 12
"""From so many sides of a transport the search for room begins."""
CORNERS: Final = 48
"""Corners of the outline around a transport that stands for a distance from it."""


# --- Room in a transport ----------------------------------------------------------------------------------------------


def hold_of(w: World10, transport: Unit) -> Transport | None:
    """Who has room in a unit; None for one that is no transport."""
    return next((s.transport for m in transport.models if (s := sheet_of(w, m)).transport is not None), None)


def passengers(w: World10, transport: Unit) -> list[Unit]:
    """The units that are embarked in a transport."""
    return [u for u in w.units() if u.embarked == transport.id and models_to_place(w, u)]


def living(w: World10, unit: Unit) -> list[int]:
    """The models of a unit that are not out of play."""
    return [m for m in unit.models if w.state.models.place[m] != GONE]


@rule("w40k10.transport.capacity", neutral=ALLOWED)
def check_hold(w: World10, transport: Unit, units: Sequence[Unit]) -> Verdict:
    """Friends of the right kind, all of them together no more than there is room for."""
    hold, id_ = hold_of(w, transport), "w40k10.transport.capacity"
    if hold is None:
        return refuse(f"{does(transport, 'is')} no transport.", id_)
    for unit in units:
        if not is_friendly(w, unit, transport):
            return refuse(f"{does(transport, 'is')} no friend of {unit.name}.", id_)
        if unit.id == transport.id or not all(_is_carried(w, hold, m) for m in living(w, unit)):
            return refuse(f"{does(transport, 'does')} not carry {unit.name}.", id_)
    models = [m for unit in units for m in living(w, unit)]
    room = sum(_room(w, hold, m) for m in models)
    if room > hold.capacity:
        return refuse(f"{does(transport, 'has')} room for {hold.capacity} models, not {room}.", id_, room=room)
    for special in hold.special:
        count = sum(_is_meant(w, special.keyword, special.from_wounds, m) for m in models)
        if special.most and count > special.most:
            return refuse(f"{does(transport, 'takes')} {special.most} {special.keyword} models, not {count}.", id_)
    return ALLOWED


def _is_carried(w: World10, hold: Transport, model: int) -> bool:
    kinds = [kind.split(" + ") for kind in hold.carries]
    return (
        any(all(model_has_keyword(w, model, k) for k in kind) for kind in kinds)
        and not any(model_has_keyword(w, model, k) for k in hold.never)
        and not (hold.max_wounds and sheet_of(w, model).wounds > hold.max_wounds)
    )


def _is_meant(w: World10, keyword: str, wounds: int, model: int) -> bool:
    return model_has_keyword(w, model, keyword) and sheet_of(w, model).wounds >= wounds


def _room(w: World10, hold: Transport, model: int) -> int:
    return max((s.room for s in hold.special if _is_meant(w, s.keyword, s.from_wounds, model)), default=1)


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
    far = float(distances(after(w, answer), w.shapes, w.on_table(unit), w.on_table(transport)).max(axis=0).min())
    if far <= BOOK.embark:
        return ALLOWED
    return refuse(
        f'Every model of {unit.name} must end within 3" of {transport.name}; one would be {far / STEP:.2f}" away.',
        "w40k10.transport.embark",
        distance=round(far / STEP, 3),
    )


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
    b.tell(
        "embarked",
        f"{does(unit, 'embarks')} in {transport.name}.",
        "w40k10.transport.embark",
        units=[unit.id, transport.id],
    )


@rule("w40k10.transport.embarked_state")
def go_aboard(b: Battle10, unit: Unit, transport: Unit) -> None:
    """Who is aboard is not on the battlefield: it does nothing, and nothing is done to it."""
    b.set_unit(unit, embarked=transport.id)
    b.place_models(living(b, unit), ABOARD)


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
    unit = await b.choose_unit(
        b.state.active,
        "disembark_with",
        "Which unit disembarks?",
        ready,
        optional=True,
        rules=("w40k10.transport.disembark_when",),
    )
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
    spots = await b.ask(
        Place(
            player=unit.player,
            kind="disembark",
            prompt=f"Where {agree(unit, 'does')} {unit.name} disembark?",
            models=models_to_place(b, unit),
            optional=True,
            rules=("w40k10.transport.disembark_setup",),
            unit=unit.id,
            about={"transports": [int(m) for m in b.on_table(transport)], "reach": BOOK.disembark},
        )
    )
    if spots is None:
        stay_aboard(b, [unit])
        return
    get_out(b, unit, spots)
    if transport.moved in (NORMAL, ADVANCE):
        leave_after(b, unit, ramp=transport.moved == NORMAL and allows(b, transport, "disembark_and_charge"))
    else:
        leave_before(b, unit)
    b.tell(
        "disembarked",
        f"{does(unit, 'disembarks')} from {transport.name}.",
        "w40k10.transport.disembark_setup",
        units=[unit.id, transport.id],
    )
    await b.act(unit, b.window(UNIT_SET_UP, Moment(unit.id)))


def get_out(b: Battle10, unit: Unit, spots: Sequence[Spot]) -> None:
    """A unit stands on the battlefield again."""
    put_down(b, spots)
    b.set_unit(unit, embarked=-1)


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
        return refuse(
            f"{does(unit, 'has')} disembarked and cannot Remain Stationary.",
            "w40k10.transport.disembark_before_move",
        )
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


def judge_disembark(w: World10, d: Place, answer: tuple[Spot, ...] | None) -> Verdict:
    """Whether a unit may be set up like this; to stay is open where it is offered."""
    if answer is None:
        return ALLOWED
    return check_set_up(w, w.unit(d.unit), answer, transports_of(d), int(d.about["reach"]))


def transports_of(d: Place) -> tuple[int, ...]:
    """The models that a unit gets out of; a transport unit may have several."""
    return tuple(int(m) for m in d.about["transports"])


@rule(
    "w40k10.transport.disembark_setup",
    "w40k10.transport.destroyed_disembark",
    "w40k10.transport.emergency",
    neutral=ALLOWED,
)
def check_set_up(w: World10, unit: Unit, spots: Sequence[Spot], transports: Sequence[int], reach: int) -> Verdict:
    """Wholly within reach of the transport, coherent, and outside Engagement Range."""
    bodies = placed(w, spots)
    for s in spots:
        far = furthest_part(w, bodies, s.model, transports)
        if far > reach:
            return refuse(
                f'Every model must be wholly within {reach // STEP}" of {sheet_of(w, transports[0]).name}; '
                f'one would reach {far / STEP:.2f}" away.',
                "w40k10.transport.disembark_setup",
                model=s.model,
                distance=round(far / STEP, 3),
            )
    verdict = judge_spots(w, unit, spots)
    if verdict:
        return ALLOWED
    reasons = tuple(type(r)(r.text, (*r.rules, "w40k10.transport.disembark_setup"), r.facts) for r in verdict.reasons)
    return Verdict(False, reasons)


def outline(w: World10, transport: int, reach: int) -> Ints:
    """An outline within which everything is wholly within reach of a transport."""
    core = np.empty((w.shapes.core.shape[1], 2), dtype=np.int64)
    shape = int(w.ground.shape[transport])
    x, y, _ = (int(v) for v in w.state.models.pos[transport])
    corners = place_core(w.shapes, shape, x, y, int(w.state.models.facing[transport]), core)
    # Two steps less, since corners are rounded to the grid.
    far = reach + int(w.shapes.radius[shape]) - 2
    out = []
    for k in range(CORNERS):
        direction = k * TURN // CORNERS
        dx, dy = offset(0, 0, direction, STEP)
        cx, cy = max(((int(px), int(py)) for px, py in core[:corners]), key=lambda p: (p[0] * dx + p[1] * dy, p))
        out.append(offset(cx, cy, direction, far))
    return np.array([(int(px), int(py)) for px, py in out], dtype=np.int64)


def find_spots(
    w: World10,
    unit: Unit,
    models: Sequence[int],
    transports: Sequence[int],
    reach: int,
    sides: Sequence[int] = range(SIDES),
) -> tuple[Spot, ...] | None:
    """Places for models of a unit around the models of a transport, if a bounded search finds some."""
    around = (_spots_around(w, unit, models, transport, reach, sides) for transport in transports)
    return next((spots for spots in around if spots is not None), None)


def _spots_around(
    w: World10, unit: Unit, models: Sequence[int], transport: int, reach: int, sides: Sequence[int]
) -> tuple[Spot, ...] | None:
    rows = np.array(models, dtype=np.int64)
    here = np.zeros(len(w.state.models.place), dtype=np.int64)
    here[w.all_on_table()] = 1
    zoned = np.zeros(len(here), dtype=np.int64)
    for enemy in w.enemies_of(unit.player):
        zoned[w.on_table(enemy)] = 1
    area = outline(w, transport, reach)
    here, zoned = beside_markers(w, here, 1), beside_markers(w, zoned, 0)
    closed = BOOK.engagement._replace(flat=BOOK.engagement.flat + 1)
    clear = clear_of(w.bodies, w.terrain, blocked=here, zone=closed, zoned=zoned, area=area)
    x, y, z = (int(v) for v in w.state.models.pos[transport])
    facing = int(w.state.models.facing[transport])
    away = int(w.shapes.reach[w.ground.shape[transport]]) + reach // 2
    for side in sides:
        anchor = offset(x, y, facing + side * TURN // SIDES, away)
        found = spread(
            with_markers(w, w.bodies),
            w.shapes,
            w.terrain,
            rows,
            (int(anchor[0]), int(anchor[1])),
            facing=facing,
            clear=clear,
            coherency=coherency_of(len(rows)),
            z=z,
            tries=1,
        )
        if not found.legal:
            continue
        spots = tuple(
            Spot(int(m), int(p[0]), int(p[1]), int(p[2]), int(f))
            for m, p, f in zip(rows, found.pos, found.facing, strict=True)
        )
        if check_set_up(w, unit, spots, (transport,), reach):
            return spots
    return None


def room_beside(
    w: World10, unit: Unit, models: tuple[int, ...], transports: tuple[int, ...], reach: int
) -> tuple[Spot, ...] | None:
    """The same, remembered while nothing changes."""
    key = ("room_beside", unit.id, models, transports, reach)
    return w.now(key, lambda: (find_spots(w, unit, models, transports, reach),))[0]


def suggest_disembark(w: World10, d: Place, rng: Random) -> Iterator[tuple[Spot, ...] | None]:
    """On any side of the transport, or not at all."""
    if d.optional and rng.random() < 0.3:
        yield None
    sides = list(range(SIDES))
    rng.shuffle(sides)
    found = find_spots(w, w.unit(d.unit), d.models, transports_of(d), int(d.about["reach"]), sides)
    if found is not None:
        yield found


# --- Ideas ------------------------------------------------------------------------------------------------------------


def suggest_boarding(
    w: World10, unit: Unit, models: Sequence[int], way: Passage, limit: Callable[[int], int]
) -> Iterator[Moves]:
    """Ways into transports that are near and have room."""
    if unit.disembarked:
        return
    rows = np.array(models, dtype=np.int64)
    limits = np.array([limit(m) for m in models], dtype=np.int64)
    for transport in w.friends_of(unit.player):
        near = hold_of(w, transport) is not None and w.distance(unit, transport) <= int(limits.max()) + BOOK.embark
        if not near or not check_hold(w, transport, [*passengers(w, transport), unit]):
            continue
        yield Moves(way.move, (), transport.id)
        for model in (int(m) for m in w.on_table(transport)):
            x, y, z = (int(v) for v in w.state.models.pos[model])
            found = arrange(
                way.things(w, w.bodies),
                w.shapes,
                w.terrain,
                rows,
                anchor=(x, y),
                shape="keep",
                turn=False,
                allowance=limits,
                clear=way.room(w)._replace(area=outline(w, model, BOOK.embark)),
                coherency=coherency_of(len(rows)),
                z=z,
            )
            if found.legal:
                walked = walk_to(w, way, rows, found.pos)
                yield Moves(walked.mode, walked.paths, transport.id)


QUESTIONS: Final[dict[str, Any]] = {
    "disembark_with": Question(
        why_unit=lambda w, d, u: may_disembark(w, w.unit(u)),
        default=lambda w, d: None,
        suggest=mostly_go_on(0.2),
    ),
    "disembark": Question(judge=judge_disembark, default=lambda w, d: None, suggest=suggest_disembark),
}
