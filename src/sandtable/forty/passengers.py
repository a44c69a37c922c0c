"""Passengers: who has room in a transport, who is aboard, and ways into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from sandtable.battle import ABOARD, ALLOWED, GONE, TABLE, Mode, Moves, Spot, Verdict, refuse
from sandtable.forty.sheets import Passenger, Transport
from sandtable.forty.state import Battle40, Unit, World40, sheet_of
from sandtable.kit.beside import outline
from sandtable.kit.cites import Length
from sandtable.kit.grammar import does
from sandtable.kit.moving import after
from sandtable.kit.room import models_to_place, placed, put_down, rows_of
from sandtable.kit.walking import walk_to
from sandtable.kit.way import Way
from sandtable.table.arrange import arrange
from sandtable.table.grid import STEP
from sandtable.table.grid import units as units_of
from sandtable.table.measure import distances
from sandtable.table.shapes import Bodies

U = TypeVar("U", bound=Unit)

HasKeyword = Callable[[Any, int, str], bool]
"""(world, model, keyword)"""


def hold_of(w: World40, transport: Unit) -> Transport | None:
    """Who has room in a unit; None for one that is no transport."""
    found: Transport | None = next(
        (s.transport for m in transport.models if (s := sheet_of(w, m)).transport is not None), None
    )
    return found


def passengers(w: World40, transport: Unit) -> list[Any]:
    """The units that are embarked in a transport."""
    return [u for u in w.units() if u.embarked == transport.id and models_to_place(w, u)]


def aboard(units: Sequence[Unit]) -> dict[str, Any]:
    """For a question that offers units: which of them are in which transports, so that a hand can pull them out."""
    found = [[u.id, u.embarked] for u in units if u.embarked >= 0]
    return {"aboard": found} if found else {}


def living(w: World40, unit: Unit) -> list[int]:
    """The models of a unit that are not out of play."""
    return [m for m in unit.models if w.state.models.place[m] != GONE]


# --- Room -------------------------------------------------------------------------------------------------------------


def check_hold(
    w: World40,
    transport: U,
    units: Sequence[U],
    rule: str,
    *,
    friendly: Callable[[Any, U, U], bool],
    has_keyword: HasKeyword,
) -> Verdict:
    """Whether units, all together, have room in a transport; refusals cite the rule."""
    hold = hold_of(w, transport)
    if hold is None:
        return refuse(f"{does(transport, 'is')} no transport.", rule)
    for unit in units:
        if not friendly(w, unit, transport):
            return refuse(f"{does(transport, 'is')} no friend of {unit.name}.", rule)
        if unit.id == transport.id or not all(_is_carried(w, hold, m, has_keyword) for m in living(w, unit)):
            return refuse(f"{does(transport, 'does')} not carry {unit.name}.", rule)
        if hold_of(w, unit) is not None and (inside := passengers(w, unit)):
            return refuse(f"{does(unit, 'carries')} {inside[0].name}, and cannot be carried.", rule)
    models = [m for unit in units for m in living(w, unit)]
    room = sum(_room(w, hold, m, has_keyword) for m in models)
    if room > hold.capacity:
        return refuse(f"{does(transport, 'has')} room for {hold.capacity} models, not {room}.", rule, room=room)
    for special in hold.special:
        count = sum(_is_meant(w, special, m, has_keyword) for m in models)
        if special.most and count > special.most:
            return refuse(f"{does(transport, 'takes')} {special.most} {special.keyword} models, not {count}.", rule)
    return ALLOWED


def _is_carried(w: World40, hold: Transport, model: int, has_keyword: HasKeyword) -> bool:
    kinds = [kind.split(" + ") for kind in hold.carries]
    return (
        any(all(has_keyword(w, model, k) for k in kind) for kind in kinds)
        and not any(has_keyword(w, model, k) for k in hold.never)
        and not (hold.max_wounds and sheet_of(w, model).wounds > hold.max_wounds)
    )


def _is_meant(w: World40, special: Passenger, model: int, has_keyword: HasKeyword) -> bool:
    return has_keyword(w, model, special.keyword) and bool(sheet_of(w, model).wounds >= special.from_wounds)


def _room(w: World40, hold: Transport, model: int, has_keyword: HasKeyword) -> int:
    return max((s.room for s in hold.special if _is_meant(w, s, model, has_keyword)), default=1)


# --- In and out -------------------------------------------------------------------------------------------------------


def put_aboard(b: Battle40, unit: Unit, transport: Unit) -> None:
    """A unit is in a transport, and not on the battlefield."""
    b.set_unit(unit, embarked=transport.id)
    b.place_models(living(b, unit), ABOARD)


def tell_of(b: Battle40, kind: str, verb: str, unit: Unit, transport: Unit, rule: str) -> None:
    """A unit has got into a transport or out of it; the verb comes as it is said of one, such as "embarks in"."""
    b.tell(kind, f"{does(unit, verb)} {transport.name}.", rule, units=[unit.id, transport.id])


def get_out(b: Battle40, unit: Unit, spots: Sequence[Spot]) -> None:
    """A unit stands on the battlefield again."""
    put_down(b, spots)
    b.set_unit(unit, embarked=-1)


def check_ends_near(w: World40, unit: Unit, transport: Unit, moves: Moves, reach: int, rule: str) -> Verdict:
    """Whether every model ends its move within reach of a transport; of several hulls, all of them of the same."""
    far = float(distances(after(w, moves), w.shapes, w.on_table(unit), w.on_table(transport)).max(axis=0).min())
    if far <= reach:
        return ALLOWED
    within = f'within {units_of(reach):g}" of {transport.name}'
    text = f"Every model of {unit.name} must end {within}; one would be {Length(w, far, reach)} away."
    return refuse(text, rule, distance=round(units_of(far), 3))


def check_set_up_near(
    w: World40, unit: Unit, spots: Sequence[Spot], transports: Sequence[int], reach: int, rule: str
) -> Verdict:
    """Whether the nearest point of every base that is set up is within reach of a model of a transport."""
    hulls = np.array(transports, dtype=np.int64)
    far = float(distances(placed(w, spots), w.shapes, rows_of(spots), hulls).min(axis=1).max())
    if far <= reach:
        return ALLOWED
    within = f'within {units_of(reach):g}" of its transport'
    text = f"Every model of {unit.name} must be {within}; one would be {Length(w, far, reach)} away."
    return refuse(text, rule, distance=round(units_of(far), 3))


def hosts(w: World40, unit: Unit, far: int, hold: Callable[[Any, Any, Sequence[Any]], Verdict]) -> Iterator[Unit]:
    """The transports no further than this from a unit that have room for it."""
    for transport in w.friends_of(unit.player):
        near = hold_of(w, transport) is not None and w.distance(unit, transport) <= far
        if near and hold(w, transport, [*passengers(w, transport), unit]):
            yield transport


def boarding(
    w: World40, unit: Unit, modes: Sequence[Mode], reach: int, hold: Callable[[Any, Any, Sequence[Any]], Verdict]
) -> dict[str, Any]:
    """What a question about a move says of transports that the unit may get into, if there are any."""
    far = max((m.allowance for m in modes), default=0) + reach
    found = [transport.id for transport in hosts(w, unit, far, hold)]
    return {"hosts": found} if found else {}


def ways_aboard(
    w: World40,
    models: Sequence[int],
    way: Way,
    limit: Callable[[int], int],
    reach: int,
    hold: Callable[[Any, Any, Sequence[Any]], Verdict],
) -> Iterator[Moves]:
    """Moves that end within reach of a transport that is near and has room, and take the unit aboard."""
    unit: Unit = w.unit(way.unit)
    rows = np.array(models, dtype=np.int64)
    limits = np.array([limit(m) for m in models], dtype=np.int64)
    for transport in hosts(w, unit, int(limits.max()) + reach, hold):
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
                clear=way.room(w)._replace(area=outline(w, model, reach)),
                coherency=way.together(w, len(rows)),
                z=z,
            )
            if found.legal:
                walked = walk_to(w, way, rows, found.pos)
                yield Moves(walked.mode, walked.paths, transport.id)


def leave_empty_behind(b: Battle40, player: int, has_keyword: Callable[[Any, Any, str], bool], rule: str) -> None:
    """A DEDICATED TRANSPORT that nobody starts in is not deployed, and counts as destroyed."""
    for unit in b.units_of(player):
        if has_keyword(b, unit, "DEDICATED TRANSPORT") and not passengers(b, unit):
            b.place_models(unit.models, GONE)
            text = f"{does(unit, 'carries')} nobody: not deployed, and counted as destroyed."
            b.tell("left_behind", text, rule, units=[unit.id])


def lose_the_absent(b: Battle40, rule: str, spared: Callable[[Any, Any], bool] = lambda b, unit: False) -> None:
    """Models that are not on the table are out of the battle, unless they ride in something that is or are spared."""
    for unit in b.units():
        if spared(b, unit):
            continue
        lost = [m for m in unit.models if b.state.models.place[m] not in (TABLE, GONE)]
        if lost and not unit.no_room and not (unit.embarked >= 0 and b.is_on_table(b.unit(unit.embarked))):
            b.place_models(lost, GONE)
            b.tell("unarrived", f"{unit.name} never arrived.", rule, units=[unit.id])


def check_wholly_near(
    w: World40,
    unit: Unit,
    spots: Sequence[Spot],
    hulls: Sequence[int],
    reach: int,
    furthest: Callable[[Any, Bodies, int, Sequence[int]], float],
    rule: str,
) -> Verdict:
    """Whether all models of a unit are set up wholly within reach of a transport, whose models are `hulls`.

    `furthest` is how far the furthest part of a model is from these, as the edition measures it.
    """
    bodies = placed(w, spots)
    for s in spots:
        far = furthest(w, bodies, s.model, hulls)
        if far > reach:
            wholly = f'wholly within {reach // STEP}" of {sheet_of(w, hulls[0]).name}'
            text = f"Every model of {unit.name} must be {wholly}; one would reach {Length(w, far, reach)} away."
            return refuse(text, rule, model=s.model, distance=round(far / STEP, 3))
    return ALLOWED
