"""Judging the ways of a move: what each model runs into, and what its player is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from msgspec.structs import replace

from sandtable.battle.decisions import Moves, Path
from sandtable.battle.verdict import ALLOWED, Fact, Reason, Verdict
from sandtable.kit.cites import BACK_AGAIN, FRIEND, Cites, Length, Named
from sandtable.kit.moving import padded_paths
from sandtable.kit.way import Manner, Way
from sandtable.table.grid import units
from sandtable.table.measure import IN_SPACE, distances, far_area_gap, pair_gap, pair_rise
from sandtable.table.moves import Code, Obstacles, may_end, sweep_unit
from sandtable.table.shapes import Bodies
from sandtable.table.soar import Met

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld

TOO_FAR: Final = "too far"
"""What is wrong with a path that is longer than its model may go"""
STOPPED: Final = "stopped in the air"
"""What is wrong with a flight that something stops"""
ON_TERRAIN: Final = (Code.WALL, Code.SOLID, Code.FLOOR, Code.END_WALL, Code.END_SOLID, Code.END_CEILING)
AGAINST_MODELS: Final = (Code.MODEL, Code.ZONE, Code.END_MODEL, Code.END_ZONE)


class Offence(NamedTuple):
    """What a model runs into: a code of the sweep, and the model, wall, floor or feature that it is against."""

    model: int
    code: Code
    what: int


def check_lengths(w: AnyWorld, way: Way, moves: Moves, limit: Callable[[int], int], cites: Cites) -> Verdict:
    """Whether no model goes further than it may, along its whole path."""
    for path in moves.paths:
        far, most = way.length(w, path), limit(path.model)
        # A diagonal of whole grid steps is rarely a whole number of steps long: half a step is no distance.
        if far > most + 0.5:
            facts: dict[str, Fact] = {"far": round(units(far), 3), "limit": units(most)}
            lengths = {"far": Length(w, far, most), "limit": Length(w, most), "over": Length(w, far - most)}
            who = cites.who(w, (path.model,))
            reason = cites.by[TOO_FAR].reason((way.move,), facts, who=who, **lengths)
            return Verdict(False, (replace(reason, models=(path.model,)),))
    return ALLOWED


def check_ways(w: AnyWorld, way: Way, moves: Moves, ends: Bodies, cites: Cites) -> Verdict:
    """Whether every model can go along its path, and stop where it does; `ends` is where all would stand."""
    paths = {p.model: p for p in moves.paths}
    mates = w.on_table(w.unit(way.unit)).tolist()
    parties: dict[Manner, list[int]] = {}
    for model in mates:
        # Models that stay matter only where the end of the move is closed to them, too.
        if model in paths or way.concerns_all:
            parties.setdefault(way.manner(w, model, paths.get(model)), []).append(model)
    told: list[Reason] = []
    for manner, models in parties.items():
        blocks = way.past(w, manner)
        if manner.in_turn and len(mates) > 1:
            found = _one_by_one(w, mates, paths, models, blocks)
        else:
            start = w.bodies if len(parties) == 1 else _moved(w, [m for m in mates if m not in models], ends)
            found = sweep(w, start, models, paths, blocks)
        told += reasons(w, way.unit, way.move, blocks, found, ends, cites)
        if manner.soars:
            flights = [paths[m] for m in models if m in paths]
            told += [_stopped(w, p, met, cites) for p in flights if (met := way.stopped_by(w, p))]
    return Verdict(False, tuple(told)) if told else ALLOWED


def _moved(w: AnyWorld, models: Sequence[int], ends: Bodies) -> Bodies:
    """Everybody where they stand, but some models where they will end."""
    start = Bodies(w.bodies.pos.copy(), w.bodies.facing.copy(), w.bodies.shape)
    start.pos[models], start.facing[models] = ends.pos[models], ends.facing[models]
    return start


def _one_by_one(
    w: AnyWorld, mates: Sequence[int], paths: dict[int, Path], models: Sequence[int], blocks: Obstacles
) -> list[Offence]:
    """Sweep models that are in each other's way, all of their unit going in the order of the answer."""
    order = (*paths, *(m for m in mates if m not in paths))
    found = sweep(w, w.bodies, order, paths, blocks._replace(in_order=1))
    return [offence for offence in found if offence.model in models]


def sweep(
    w: AnyWorld, bodies: Bodies, models: Sequence[int], paths: dict[int, Path], blocks: Obstacles
) -> list[Offence]:
    """What models run into on their paths, or where they stand if they have none."""
    rows, legs, counts = padded_paths(models, paths)
    found = sweep_unit(bodies, w.shapes, w.terrain, rows, legs, counts, blocks)
    return [Offence(m, Code(code), what) for m, (code, what, _) in zip(models, found.tolist(), strict=True) if code]


def check_stop(w: AnyWorld, unit: int, move: str, model: int, ends: Bodies, blocks: Obstacles, cites: Cites) -> Verdict:
    """Whether a model may stop where it would stand, however it got there."""
    place = np.array([[*ends.pos[model], ends.facing[model]]], dtype=np.int64)
    code, what, *_ = may_end(ends, w.shapes, w.terrain, model, place, blocks)[0].tolist()
    if code == Code.OK:
        return ALLOWED
    return Verdict(False, tuple(reasons(w, unit, move, blocks, [Offence(model, Code(code), what)], ends, cites)))


def across_enemies(w: AnyWorld, way: Way, moves: Moves) -> list[int]:
    """The models of a unit whose paths lead across enemy models that are in their way."""
    unit = w.unit(way.unit)
    here = set(w.on_table(unit).tolist())
    paths = {p.model: p for p in moves.paths if p.model in here}
    out = []
    for model in sorted(paths):
        blocks = way.blocks(w, model, paths[model])
        blocks = blocks._replace(end_block=np.zeros_like(blocks.end_block))
        found = sweep(w, w.bodies, [model], paths, blocks)
        if any(o.code == Code.MODEL and w.are_enemies(unit, w.unit(_thing(w, o))) for o in found):
            out.append(model)
    return out


# --- What a player is told --------------------------------------------------------------------------------------------


def reasons(
    w: AnyWorld, unit: int, move: str, blocks: Obstacles, found: Sequence[Offence], ends: Bodies, cites: Cites
) -> list[Reason]:
    """What is wrong, a sentence for each thing that models of a unit run into."""
    groups: dict[tuple[Code, int], list[Offence]] = {}
    for offence in found:
        groups.setdefault((offence.code, _thing(w, offence)), []).append(offence)
    return [_reason(w, unit, move, blocks, thing, those, ends, cites) for (_, thing), those in groups.items()]


def concerned(w: AnyWorld, offence: Offence) -> dict[str, Fact]:
    """What is in the way, as facts tell it."""
    if offence.code in AGAINST_MODELS:
        return {"unit": _thing(w, offence)}
    if offence.code in ON_TERRAIN:
        return {"feature": _thing(w, offence)}
    return {"edge": True} if offence.code == Code.EDGE else {}


def _thing(w: AnyWorld, offence: Offence) -> int:
    """What a sentence names: the unit or the feature."""
    if offence.code in AGAINST_MODELS:
        return int(w.state.models.unit[offence.what])
    return _feature(w, offence.code, offence.what)


def _feature(w: AnyWorld, code: Code, what: int) -> int:
    """The terrain feature that a wall or floor belongs to."""
    if code in (Code.WALL, Code.END_WALL):
        return int(w.terrain.wall[what, 7])
    if code in (Code.FLOOR, Code.END_CEILING):
        return int(w.terrain.floor_level[what, 2])
    return what


def _reason(
    w: AnyWorld,
    unit: int,
    move: str,
    blocks: Obstacles,
    thing: int,
    found: Sequence[Offence],
    ends: Bodies,
    cites: Cites,
) -> Reason:
    code, models = found[0].code, list(dict.fromkeys(o.model for o in found))
    words: dict[str, object] = {"who": cites.who(w, models), "height": Length(w, int(ends.pos[models[0], 2]))}
    facts = concerned(w, found[0])
    cases = [move]
    if code in AGAINST_MODELS:
        other = w.unit(thing)
        words["other"] = Named(other)
        cases += cites.cases(w, thing)
        if not w.are_enemies(w.unit(unit), other):
            cases.append(FRIEND)
        _measure_models(w, blocks, found, ends, words, facts)
    elif code == Code.EDGE:
        off = _over_the_edge(w, models, ends)
        words["by"] = Length(w, off)
        cases += [] if off else [BACK_AGAIN]
    elif code in ON_TERRAIN:
        feature = w.table.features[thing]
        words["thing"] = feature.name or feature.id
        cases.append(feature.kind)
        if code in (Code.WALL, Code.SOLID, Code.FLOOR):
            top = max(_top(w, code, o.what) for o in found)
            words["top"], facts["height"] = Length(w, top), round(units(top), 3)
    return replace(cites.by[code].reason(cases, facts, **words), models=tuple(models))


def _measure_models(
    w: AnyWorld,
    blocks: Obstacles,
    found: Sequence[Offence],
    ends: Bodies,
    words: dict[str, object],
    facts: dict[str, Fact],
) -> None:
    """By how much models overlap, or how near they come."""
    code, what = found[0].code, found[0].what
    if code == Code.END_MODEL:
        overlap = -min(float(pair_gap(ends, w.shapes, o.model, o.what)) for o in found)
        words["overlap"], facts["overlap"] = Length(w, overlap), round(units(overlap), 3)
    elif code == Code.ZONE:
        words["zone"] = Length(w, int(blocks.zone[what]))
    elif code == Code.END_ZONE:
        zone = int(blocks.end_zone[what])
        gap = max(0.0, min(_gap(w, ends, o, blocks.end_up) for o in found))
        words["gap"], words["zone"] = Length(w, gap, zone), Length(w, zone)
        facts["gap"], facts["limit"] = round(units(gap), 3), units(zone)


def _gap(w: AnyWorld, ends: Bodies, offence: Offence, up: int) -> float:
    """How near a model would end to a unit: in space, or flat to those of it that stand on its level."""
    mates = w.on_table(w.unit(int(w.state.models.unit[offence.what])))
    if up == IN_SPACE:
        return float(distances(ends, w.shapes, np.array([offence.model], dtype=np.int64), mates).min())
    level = [m for m in mates if pair_rise(ends, w.shapes, offence.model, int(m)) <= up]
    return min(float(pair_gap(ends, w.shapes, offence.model, int(m))) for m in level or (offence.what,))


def _top(w: AnyWorld, code: Code, what: int) -> int:
    if code == Code.WALL:
        return int(w.terrain.wall[what, 5])
    return int(w.terrain.floor_level[what, 0] if code == Code.FLOOR else w.terrain.top[what])


def _over_the_edge(w: AnyWorld, models: Sequence[int], ends: Bodies) -> float:
    """How far the bases would stick out over the edge, at most; 0 where they come back."""
    width, depth = w.terrain.size.tolist()
    table = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], dtype=np.int64)
    return max(float(far_area_gap(ends, w.shapes, m, table, 4)) for m in models)


def _stopped(w: AnyWorld, path: Path, met: Met, cites: Cites) -> Reason:
    """What stops a flight."""
    thing = _feature(w, met.code, met.what)
    feature = w.table.features[thing]
    words = {"who": cites.who(w, (path.model,)), "thing": feature.name or feature.id, "top": Length(w, met.top)}
    facts: dict[str, Fact] = {"feature": thing, "height": round(units(met.top), 3)}
    return replace(cites.by[STOPPED].reason((), facts, **words), models=(path.model,))
