"""What a player is told when models may not go where they are sent: who, what is against it, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import Reason
from sandtable.battle.verdict import Fact
from sandtable.forty.state import called, called_all
from sandtable.kit.grammar import does
from sandtable.systems.w40k10.aircraft import is_aircraft
from sandtable.systems.w40k10.book import BOOK
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, MOVES, NORMAL, Unit, World10
from sandtable.systems.w40k10.terrain_moves import solid_offence
from sandtable.table.grid import units
from sandtable.table.measure import far_area_gap, pair_gap, pair_rise
from sandtable.table.moves import Code
from sandtable.table.shapes import Bodies
from sandtable.table.soar import Met

LIMITS: Final = {
    NORMAL: "w40k10.move.normal",
    ADVANCE: "w40k10.move.advance",
    FALL_BACK: "w40k10.move.fall_back",
    "charge": "w40k10.charge.roll",
    "pile_in": "w40k10.fight.pile_in",
    "consolidate": "w40k10.fight.consolidate",
}
"""The rule that says how far a kind of move goes."""
AGAINST_MODELS: Final = (Code.MODEL, Code.ZONE, Code.END_MODEL, Code.END_ZONE)


class Offence(NamedTuple):
    """What a model runs into: a code of the sweep, and the model, wall, floor or feature that it is against."""

    model: int
    code: Code
    what: int


def reasons(w: World10, unit: Unit, move: str, found: Sequence[Offence], ends: Bodies) -> list[Reason]:
    """What is wrong, a sentence for each thing that models of a unit run into; `ends` is where they would stand."""
    groups: dict[tuple[Code, int], list[Offence]] = {}
    for offence in found:
        groups.setdefault((offence.code, _thing(w, offence)), []).append(offence)
    return [_reason(w, unit, move, code, thing, those, ends) for (code, thing), those in groups.items()]


def in_the_air(w: World10, model: int, met: Met) -> Reason:
    """What stops a flight."""
    name, top = _name(w, feature_of(w, met.code, met.what)), units(met.top)
    text = f'{name} is in the way of {called(w, model)}, {top:.1f}" high: it has to be flown over or around.'
    return Reason(text, ("w40k10.move.fly_air", "w40k10.move.over_terrain"), {"height": round(top, 3)})


def feature_of(w: World10, code: Code, what: int) -> int:
    """The terrain feature that a wall or floor belongs to."""
    terrain = w.terrain
    if code in (Code.WALL, Code.END_WALL):
        return int(terrain.wall[what, 7])
    if code in (Code.FLOOR, Code.END_CEILING):
        return int(terrain.floor_level[what, 2])
    return what


def _thing(w: World10, offence: Offence) -> int:
    """What a sentence names: the unit or the feature."""
    if offence.code in AGAINST_MODELS:
        return int(w.state.models.unit[offence.what])
    return feature_of(w, offence.code, offence.what)


def _name(w: World10, feature: int) -> str:
    return w.table.features[feature].name or w.table.features[feature].id


def _reason(
    w: World10, unit: Unit, move: str, code: Code, thing: int, found: Sequence[Offence], ends: Bodies
) -> Reason:
    models = list(dict.fromkeys(o.model for o in found))
    who = called_all(w, models)
    if code in AGAINST_MODELS:
        return _against_models(w, unit, move, code, w.unit(thing), who, found, ends)
    if code == Code.EDGE:
        off = _over_the_edge(w, models, ends)
        by = f', by {units(off):.2f}"' if off else ""
        return Reason(f"{who} would cross the edge of the battlefield{by}.", ("w40k10.move.board_edge",))
    height = f'{units(int(ends.pos[models[0], 2])):.1f}"'
    if code == Code.AIR:
        text = f"{who} would find nothing to walk on or to climb along on the way to a height of {height}."
        return Reason(text, ("w40k10.move.climb",))
    if code == Code.END_FLOOR:
        text = f"{who} cannot end in the middle of a climb: there is no ground at a height of {height}."
        return Reason(text, ("w40k10.move.climb",))
    if code == Code.LEG:
        return Reason(f"{who}: a leg goes straight, turns on the spot or climbs straight up or down, one at a time.")
    name = _name(w, thing)
    if code in (Code.WALL, Code.SOLID, Code.FLOOR):
        top = max(units(_top(w, code, o.what)) for o in found)
        text = f'{name} is in the way of {who}, {top:.1f}" high: it has to be climbed or gone around.'
        return Reason(text, ("w40k10.move.over_terrain",), {"height": round(top, 3)})
    if code == Code.END_SOLID:
        return Reason(f"{who} cannot end on {name}.", (solid_offence(w.table.features[thing].kind),))
    return Reason(f"{who} cannot end inside a part of {name}.", ("w40k10.terrain.ruins_move_through",))


def _top(w: World10, code: Code, what: int) -> int:
    if code == Code.WALL:
        return int(w.terrain.wall[what, 5])
    return int(w.terrain.floor_level[what, 0] if code == Code.FLOOR else w.terrain.top[what])


def _over_the_edge(w: World10, models: Sequence[int], ends: Bodies) -> float:
    """How far the bases would stick out over the edge, at most; 0 where they come back."""
    width, depth = w.terrain.size.tolist()
    table = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], dtype=np.int64)
    return max(float(far_area_gap(ends, w.shapes, m, table, 4)) for m in models)


def _against_models(
    w: World10, unit: Unit, move: str, code: Code, other: Unit, who: str, found: Sequence[Offence], ends: Bodies
) -> Reason:
    if code == Code.END_MODEL:
        overlap = -min(float(pair_gap(ends, w.shapes, o.model, o.what)) for o in found)
        text = f'{who} cannot end on top of {other.name}: the bases would overlap by {units(overlap):.2f}".'
        return Reason(text, ("w40k10.move.no_stacking",), {"overlap": round(units(overlap), 3)})
    if code == Code.MODEL:
        if not w.are_enemies(unit, other):
            text = f"{who} would move across {other.name}: MONSTERS and VEHICLES go around each other."
            return Reason(text, ("w40k10.move.monster_vehicle_block",))
        rule_ = "w40k10.move.desperate_escape_trigger" if move == FALL_BACK else "w40k10.move.through_enemies"
        return Reason(f"{who} would move across models of {other.name}.", (rule_,))
    if code == Code.ZONE:
        passed = f"{who} would pass within {_closed()} of {other.name}"
        if move in MOVES:
            return Reason(f"{passed}, in Engagement Range.", (LIMITS[move],))
        text = f"{passed}: {does(other, 'is')} no target, and Engagement Range is closed."
        return Reason(text, ("w40k10.charge.conditions",))
    gap = max(0.0, units(min(_gap(w, ends, o, other) for o in found)))
    ended = f'{who} would end {gap:.2f}" from {other.name}, within Engagement Range ({_closed()})'
    facts: dict[str, Fact] = {"gap": round(gap, 3), "limit": units(BOOK.engagement.flat)}
    if w.are_enemies(unit, other) and is_aircraft(w, other):
        rules: tuple[str, ...] = ("w40k10.aircraft.others_pass", "w40k10.concept.engagement_limit")
        return Reason(f"{ended} of an AIRCRAFT.", rules, facts)
    if move not in MOVES:
        return Reason(f"{ended}: {does(other, 'is')} no target.", ("w40k10.charge.conditions",), facts)
    rules = ("w40k10.concept.engagement_limit", *((LIMITS[FALL_BACK],) if move == FALL_BACK else ()))
    return Reason(f"{ended}.", rules, facts)


def _closed() -> str:
    return f'{units(BOOK.engagement.flat):.2f}"'


def _gap(w: World10, ends: Bodies, offence: Offence, other: Unit) -> float:
    """How near a model would end to a unit, as Engagement Range is measured."""
    level = [m for m in w.on_table(other) if pair_rise(ends, w.shapes, offence.model, int(m)) <= BOOK.engagement.up]
    return min(float(pair_gap(ends, w.shapes, offence.model, int(m))) for m in level or (offence.what,))
