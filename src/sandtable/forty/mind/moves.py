"""The Movement phase of the computer players: who moves next, how, and where to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sandtable.battle import Choose, Move, Moves
from sandtable.battle.tactics import Idea
from sandtable.forty.mind.field import IN_MELEE
from sandtable.forty.mind.markers import in_reach
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.mind.outlook import HURRY, band_of, friendly_fire, harm, outlook, units_among
from sandtable.forty.mind.places import Weighed, best_place, within_reach
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import GUNLINE, RUSHER, Style
from sandtable.forty.state import ADVANCE, FALL_BACK, NORMAL, STATIONARY, Unit, World40
from sandtable.kit.detours import ways_to
from sandtable.kit.grammar import agree, does
from sandtable.kit.one_by_one import one_by_one
from sandtable.table.grid import STEP, Floats

WORTH_HURRYING: Final = 12.0
"""Points by which an Advance must be better than a Normal move"""
NEAR_SIDE: Final = 2.6
"""Inches from the middle of a marker to where a unit stops"""
TRIES: Final = 3
"""Places that are tried before a unit stays"""
OPEN_FIRE: Final = 0.5
"""What fire counts that friends can only open on an enemy whom a unit leaves"""
MELEE_TURNS: Final = 1.6
"""How often both sides strike in a melee until it can be left again, less what may come between"""
WORTH_LEAVING: Final = 15.0
"""Points by which Falling Back must be better than to fight on"""
APART: Final = 1.5
"""Inches between two places that are both worth trying"""
CHARGE_REACH: Final = 12.0
"""Inches beyond which hardly any charge is tried"""


def who_moves(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """Those nearest to the enemy first, so that they make room; passengers get out before their transport drives on."""
    o = outlook(w)
    nearest = (
        np.where(o.field.side[:, None] != o.field.side[None, :], o.field.far, 1e5).min(axis=1, initial=1e5).tolist()
    )

    def place(unit: Unit) -> tuple[float, int]:
        if unit.embarked >= 0:
            return (-1.0 if _gets_out(w, unit, style) else 1e6), unit.id
        row = o.row.get(unit.id, -1)  # none for who is still on the way to the battlefield
        return (nearest[row] if row >= 0 else 1e5), unit.id

    ordered = sorted(units_among(w, d), key=place)
    if not ordered:
        return
    first = ordered[0]
    if first.embarked >= 0 and d.optional and not _gets_out(w, first, style):
        yield Idea(None, 0.0, "Everybody else has moved, and the passengers are better off inside.")
    why = "is nearest to the enemy" if first.id in o.row or first.embarked >= 0 else "has yet to arrive"
    yield Idea(first.id, 1.0, f"{does(first, why)}.")


def _gets_out(w: World40, unit: Unit, style: Style) -> bool:
    """Whether passengers have something to do outside."""
    transport, o = w.unit(unit.embarked), outlook(w)
    if transport.id not in o.row:
        return False
    row = o.row[transport.id]
    near = float(o.field.far[row, o.foes(row)].min(initial=1e5))
    if style.name == RUSHER:
        return near <= 6 + CHARGE_REACH and not transport.moved
    return w.state.round >= 2 or near <= 6 + CHARGE_REACH


# --- A unit's move ----------------------------------------------------------------------------------------------------


def how_to_move(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """The best places, as far as the unit can get there."""
    unit = w.unit(d.unit)
    if mind_of(w).flyer(w, unit):
        return
    modes = {m.name: _pace(w, d, unit, m.name) for m in d.modes}
    if FALL_BACK in modes:
        yield from _engaged(w, d, unit, style)
        return
    if NORMAL not in modes:
        return
    if style.name == RUSHER:
        yield from _rush(w, d, unit, modes)
        return
    if style.name == GUNLINE:
        yield from _hold_the_line(w, d, unit, style, modes)
        return
    plain = best_place(w, unit, style, modes[NORMAL])
    top = float(plain.total.max())
    if ADVANCE in modes and _may_hurry(w, unit, plain, modes[NORMAL]):
        hurried = best_place(w, unit, style, modes[NORMAL] + HURRY, advanced=True)
        if float(hurried.total.max()) > top + WORTH_HURRYING:
            best = int(hurried.total.argmax())
            yield Idea(Moves(ADVANCE), float(hurried.total[best]), _why(w, unit, hurried, best, "Advances"))
    stay = float(plain.total[0])
    for place in _best(plain):
        if place == 0 or float(plain.total[place]) <= stay + 0.5:
            break
        why = _why(w, unit, plain, place, "moves")
        for moves in _there(w, d, NORMAL, plain, place):
            yield Idea(moves, float(plain.total[place]), why)
    if STATIONARY in modes:
        yield Idea(Moves(STATIONARY), stay, _why(w, unit, plain, 0, "stays"))


def _may_hurry(w: World40, unit: Unit, plain: Weighed, far: float) -> bool:
    """Whether an Advance can be better at all: for those who shoot well only on the way to a far marker."""
    o = outlook(w)
    row = o.row[unit.id]
    if float(o.field.salvo[row]) < WORTH_HURRYING or mind_of(w).may(w, unit, "advance_and_charge"):
        return True
    at_stake = stakes(w, unit.player)
    return plain.goal >= 0 and float(in_reach(o.field.at, at_stake.places, at_stake.near)[row, plain.goal]) > far


def _pace(w: World40, d: Move, unit: Unit, mode: str) -> float:
    """How far the slowest of a unit gets, in inches: the others wait for it."""
    allowance = mind_of(w).allowance
    return min((far for m in d.models if (far := allowance(w, unit, m, mode)) > 0), default=0) / STEP


def _to(w: World40, d: Move, mode: str, place: Floats, goal: Floats | None = None) -> Iterator[Moves]:
    """Moves of the unit that is asked about to a place, on its way to a goal, or as far on it as there is room."""
    unit, mind = w.unit(d.unit), mind_of(w)
    way, here = mind.way(w, unit, mode), _middle(w, unit)
    yield from ways_to(w, way, d.models, place, lambda m: mind.allowance(w, unit, m, mode), goal)
    for part in mind.halts:
        halt = here + part * (place - here)
        yield from ways_to(w, way, d.models, halt, lambda m: mind.allowance(w, unit, m, mode))


def _there(w: World40, d: Move, mode: str, weighed: Weighed, place: int) -> Iterator[Moves]:
    """The same for who does not give up: where the unit finds no room as it stands, one model goes after the other."""
    unit, mind = w.unit(d.unit), mind_of(w)
    way, goal, at = mind.way(w, unit, mode), _goal(w, unit, weighed), weighed.at[place]

    def limit(model: int) -> int:
        return mind.allowance(w, unit, model, mode)

    yield from ways_to(w, way, d.models, at, limit, goal)
    # The first place is tried harder than the others.
    first = place == int(weighed.total.argmax())
    parts = (1.0, *mind.halts)[: 2 if first else 1] if mind.halts else ()
    for part in parts:
        moves = one_by_one(w, way, d.models, goal if first and goal is not None else at, limit, part)
        if moves is not None:
            yield moves


def how_to_end_move(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """After the Advance roll, or where casualties have changed what was planned."""
    unit, mode = w.unit(d.unit), d.modes[0]
    if mode.name == FALL_BACK or mind_of(w).flyer(w, unit) or unit.id not in outlook(w).row:
        return
    far = _pace(w, d, unit, mode.name)
    if style.name == RUSHER:
        for goal in _nearest_foes(w, unit)[:TRIES]:
            place = within_reach(_middle(w, unit), goal[None, :], far)[0]
            for moves in _to(w, d, mode.name, place):
                yield Idea(moves, 1.0, f"{does(unit, 'runs')} at the enemy.")
        return
    weighed = best_place(w, unit, style, far, advanced=mode.name == ADVANCE)
    for place in _best(weighed):
        why = _why(w, unit, weighed, place, "goes on")
        if place == 0:
            yield Idea(Moves(mode.name), float(weighed.total[0]), why)
            return
        for moves in _there(w, d, mode.name, weighed, place):
            yield Idea(moves, float(weighed.total[place]), why)


def how_to_scout(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """Scouts go for markers, and stay far enough from the enemy."""
    unit = w.unit(d.unit)
    if style.name == GUNLINE:
        yield Idea(Moves(NORMAL), 0.0, f"{does(unit, 'stays')} with the line.")
        return
    mind, limit = mind_of(w), d.modes[0].allowance
    way = mind.way(w, unit, NORMAL)
    weighed = best_place(w, unit, style, limit / STEP, advanced=True)
    o = outlook(w)
    row = o.row[unit.id]
    foes = o.foes(row)
    for place in _best(weighed):
        off = weighed.at[place] - o.field.at[foes]
        near = np.sqrt(off[:, 0] ** 2 + off[:, 1] ** 2) - o.field.wide[row] - o.field.wide[foes]
        if place == 0 or near.min(initial=1e5) - 0.5 <= mind.scouts_apart():
            continue
        for moves in ways_to(w, way, d.models, weighed.at[place], lambda m: limit if way.able(w, m) else 0):
            yield Idea(moves, float(weighed.total[place]), _why(w, unit, weighed, place, "scouts"))


def _best(weighed: Weighed) -> list[int]:
    """The best places, a little apart from each other; where the unit stands ends the list."""
    found: list[int] = []
    order = np.argsort(-weighed.total, kind="stable")[:12]
    at: list[tuple[float, float]] = []
    for k, (x, y) in zip(order.tolist(), weighed.at[order].tolist(), strict=True):
        if any((x - a) * (x - a) + (y - b) * (y - b) < APART * APART for a, b in at):
            continue
        found.append(k)
        at.append((x, y))
        if k == 0 or len(found) == TRIES:
            break
    return found


def _goal(w: World40, unit: Unit, weighed: Weighed) -> Floats | None:
    """Where a unit is sent in the end: the near side of its marker."""
    if weighed.goal < 0:
        return None
    marker = stakes(w, unit.player).places[weighed.goal]
    here = _middle(w, unit)
    off = here - marker
    length = max(0.1, float(off[0] ** 2 + off[1] ** 2) ** 0.5)
    return np.asarray(marker + off * min(1.0, NEAR_SIDE / length))


def _middle(w: World40, unit: Unit) -> Floats:
    o = outlook(w)
    return np.asarray(o.field.at[o.row[unit.id]])


# --- Why --------------------------------------------------------------------------------------------------------------


def _why(w: World40, unit: Unit, weighed: Weighed, place: int, verb: str) -> str:
    """The reason for a place in a sentence."""
    o = outlook(w)
    gain = {
        "marker": float(weighed.marker[place]),
        "fire": float(weighed.fire[place]),
        "charge": float(weighed.charge[place]),
        "danger": float(weighed.danger.max(initial=0.0) - weighed.danger[place]),
    }
    reason = max(gain, key=lambda name: gain[name])
    if gain[reason] <= 1.0:
        return f"{does(unit, verb)}: nothing better is in reach."
    match reason:
        case "marker" if weighed.goal >= 0:
            return f"{does(unit, verb)} {'near' if verb == 'stays' else 'towards'} objective {weighed.goal + 1}."
        case "fire":
            target = w.unit(o.units[int(weighed.target[place])])
            if weighed.now[place]:
                return f"{does(unit, verb)} to shoot at {target.name}."
            return f"{does(unit, verb)} to have {target.name} in reach next turn."
        case "charge":
            return f"{does(unit, verb)} to charge {w.unit(o.units[int(weighed.prey[place])]).name}."
        case "danger":
            return f"{does(unit, verb)} out of harm's way."
    return f"{does(unit, verb)} to be of use near the markers."


# --- Engaged ----------------------------------------------------------------------------------------------------------


def _engaged(w: World40, d: Move, unit: Unit, style: Style) -> Iterator[Idea]:
    """Fight on, or Fall Back where that is better: to live, to take a marker, or to let friends shoot."""
    o = outlook(w)
    row = o.row[unit.id]
    foes = np.array([o.row[e.id] for e in mind_of(w).engaged(w, unit) if e.id in o.row], dtype=np.int64)
    fights_on = Idea(Moves(STATIONARY), 0.0, f"{does(unit, 'fights')} on.")
    if style.name == RUSHER or not len(foes) or mind_of(w).flyer(w, unit):
        yield fights_on
        return
    gain = float(harm(o, o.field.strike[row, foes], foes).max())
    every = o.foes(row)
    fire = float(harm(o, o.field.fire[row, band_of(o.field.far[row, every]), every], every).max())
    loss = float(min(o.field.points[row], o.field.strike[foes, row].sum() * o.field.worth[row]))
    places = best_place(w, unit, style, _pace(w, d, unit, FALL_BACK), advanced=True)
    escapes = f"{unit.name} would lose this melee and {agree(unit, 'Falls')} Back."
    # Friends may shoot at those whom nobody fights any more.
    freed = OPEN_FIRE * friendly_fire(o, row, foes)
    stays = float(places.marker[0]) + MELEE_TURNS * (gain - loss)
    leaves = places.marker - style.danger * places.danger + freed
    # Big guns fire on out of a melee; others only after leaving it, if they may.
    if o.field.fires_on[row]:
        stays += IN_MELEE * fire
    if mind_of(w).may(w, unit, "fall_back_and_shoot"):
        leaves += fire
    for place in np.argsort(-leaves, kind="stable")[:TRIES].tolist():
        worth = float(leaves[place]) - stays
        if worth < WORTH_LEAVING:
            break
        why = escapes
        if float(places.marker[place]) > float(places.marker[0]) + 1.0 and places.goal >= 0:
            why = f"{does(unit, 'Falls')} Back towards objective {places.goal + 1}."
        elif gain >= loss:
            why = f"{does(unit, 'Falls')} Back, so that others can shoot."
        for moves in _to(w, d, FALL_BACK, places.at[place]):
            yield Idea(moves, worth, why)
    way = mind_of(w).way_out(w, unit) if float(leaves[0]) - stays >= WORTH_LEAVING else None
    if way is not None:
        yield Idea(way, float(leaves[0]) - stays, escapes)
    yield fights_on


# --- Baselines --------------------------------------------------------------------------------------------------------


def _nearest_foes(w: World40, unit: Unit) -> list[Floats]:
    """Where the enemies stand, the nearest first."""
    o = outlook(w)
    row = o.row[unit.id]
    foes = o.foes(row)
    return [o.field.at[foes[k]] for k in np.argsort(o.field.far[row, foes], kind="stable")]


def _rush(w: World40, d: Move, unit: Unit, modes: dict[str, float]) -> Iterator[Idea]:
    """Straight at the nearest enemy; Advance where no charge is possible this turn anyway."""
    o = outlook(w)
    row, goals = o.row[unit.id], _nearest_foes(w, unit)
    if not goals:
        return
    near = float(o.field.far[row, o.foes(row)].min())
    if ADVANCE in modes and near > modes[NORMAL] + CHARGE_REACH - 2.0:
        yield Idea(Moves(ADVANCE), 2.0, f"{does(unit, 'runs')} at the enemy.")
    for goal in goals[:TRIES]:
        far = max(0.5, min(modes[NORMAL], near - (mind_of(w).apart + 0.1)))
        place = within_reach(o.field.at[row], goal[None, :], far)[0]
        for moves in _to(w, d, NORMAL, place):
            yield Idea(moves, 1.0, f"{does(unit, 'goes')} straight at the enemy.")


def _hold_the_line(w: World40, d: Move, unit: Unit, style: Style, modes: dict[str, float]) -> Iterator[Idea]:
    """Stay where there is something to shoot at or to hold; else find a place from where there is."""
    weighed = best_place(w, unit, style, modes[NORMAL])
    at_post = weighed.goal >= 0 and float(weighed.marker[0]) >= 0.95 * float(weighed.marker.max())
    if (STATIONARY in modes and float(weighed.fire[0]) >= max(4.0, 0.5 * float(weighed.fire.max()))) or at_post:
        yield Idea(Moves(STATIONARY), 2.0, f"{does(unit, 'holds')} {agree(unit, 'its')} place in the line.")
        return
    for place in _best(weighed):
        if place == 0:
            break
        for moves in _to(w, d, NORMAL, weighed.at[place]):
            yield Idea(moves, 1.0, _why(w, unit, weighed, place, "moves"))
