"""Where a unit should go: places that it can reach, weighed by markers, fire, charges and danger."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.kept import LOSSES, PLACES, kept
from sandtable.forty.markers import markers_of
from sandtable.forty.mind import weighing
from sandtable.forty.mind.contest import enemies_have_turns, has_turns
from sandtable.forty.mind.force import arsenal
from sandtable.forty.mind.ground import view
from sandtable.forty.mind.lines import inside_area
from sandtable.forty.mind.markers import drawn
from sandtable.forty.mind.mind import mind_of
from sandtable.forty.mind.outlook import Outlook, outlook, outlook_with
from sandtable.forty.mind.plan import plan
from sandtable.forty.mind.screens import shelters
from sandtable.forty.mind.shots import warlord_of
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import TACTICIAN, Style
from sandtable.forty.mind.weighing import danger, prospects
from sandtable.forty.state import Unit, World40
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Bools, Floats, Ints

CAUTION, HOLD_ON = 3.0, 0.3
"""What danger and markers count for a side that must not be wiped out"""
LATE, FEW_LEFT = 3, 0.6
"""From which round on, and with how much less than the enemy, a side thinks of surviving"""
MOST_UPPER_HAND: Final = 2.0
AS_IT_STANDS: Final = 1.06
"""What fire counts from where a unit stands, compared with places that it would have to move to"""
HELD_NO_MORE: Final = 0.8
"""How surely a marker is lost with a unit that the enemy could destroy"""
HAVE_IT: Final = 0.15
"""What a marker counts for who arrives, if its side holds it"""
SLOWER: Final = 0.72
"""What a breakthrough is worth that takes a turn more"""
CROWDED: Final = 3.0
"""Inches that a unit's middle keeps from the edge"""


class Weighed(NamedTuple):
    """Places with what each is good for; all [place], in points."""

    at: Floats
    marker: Floats
    fire: Floats
    charge: Floats
    danger: Floats
    total: Floats
    target: Ints
    """The row of the enemy that would be shot at"""
    prey: Ints
    """The row of the enemy that would be charged"""
    now: Bools
    """Whether somebody can be shot at from there in this turn, not only in the next"""
    goal: int
    """The marker that the unit is sent to; -1 for none"""


@cache
def _directions(count: int) -> Floats:
    turn = np.arange(count) * (TURN // count)
    return np.stack((COS[turn], SIN[turn]), axis=1) / TRIG_SCALE


def ring(at: Floats, far: float, count: int) -> Floats:
    """Places all around, at one distance."""
    return np.asarray(at + far * _directions(count))


def within_reach(at: Floats, goals: Floats, far: float) -> Floats:
    """The places on the way to goals that a move takes a unit to."""
    gap = goals - at
    length = np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2)
    share = np.minimum(1.0, far / np.maximum(length, 0.01))
    return np.asarray(at + gap * share[:, None])


def on_the_table(w: World40, places: Floats, keep: float) -> Floats:
    """Places pulled in from the edges."""
    size = np.array([w.table.width / STEP, w.table.depth / STEP])
    edge = np.minimum(keep, size / 2)
    return np.asarray(np.minimum(np.maximum(places, edge), size - edge))


def places_for(w: World40, o: Outlook, i: int, far: float, goal: int, player: int) -> Floats:
    """Places that a unit may think of, the one where it stands first."""
    at, at_stake, foes = o.field.at[i], stakes(w, player), o.foes(i)
    goals = [at_stake.places]
    if goal >= 0:
        goals.append(ring(at_stake.places[goal], 2.2, 6))
    if at_stake.zone > 0:
        low, high = _inner(w, player)
        goals.append(np.minimum(np.maximum(at, low + o.field.wide[i]), high - o.field.wide[i])[None, :])
    goals.append(o.field.at[foes])
    ways = within_reach(at, np.concatenate(goals), far)
    found = np.concatenate((at[None, :], ring(at, far, 16), ring(at, far * 0.55, 8), ways))
    return on_the_table(w, found, min(CROWDED, 0.4 + 0.6 * float(o.field.wide[i])))


def _inner(w: World40, player: int) -> tuple[Floats, Floats]:
    """The corners of the enemy deployment zone, lowest and highest."""
    corners = np.array(mind_of(w).enemy_zone(w, player), dtype=np.float64) / STEP
    return corners.min(axis=0), corners.max(axis=0)


def weigh(w: World40, unit: Unit, style: Style, places: Floats, *, advanced: bool = False, goal: int = -1) -> Weighed:
    """What each place is good for; the first is where the unit stands now, if it is on the table."""
    stays = w.is_on_table(unit)
    o = outlook(w) if stays else outlook_with(w, unit)
    i = o.row[unit.id]
    foes = o.foes(i)
    count = len(places)
    nothing = np.zeros(count)
    marker, at_once = _marker(w, o, i, unit, places, goal)
    weight = style.marker * upper_hand(o, i)
    marker, at_once = weight * marker, weight * at_once
    if not len(foes):
        total = marker
        none = np.full(count, -1, dtype=np.int64)
        return Weighed(places, marker, nothing, nothing, nothing, total, none, none, np.zeros(count, np.bool_), goal)
    seen, covered = view(w, places, o.field.at[foes])
    mind = mind_of(w)
    may, covered = mind.may, covered & (o.models[i] <= mind.cover_for)
    charges = not advanced or may(w, unit, "advance_and_charge")
    again = has_turns(w, unit.player)
    guns = _running(w, o, unit) if advanced and not may(w, unit, "advance_and_shoot") else o.field.fire[i]
    steady = AS_IT_STANDS if stays and not advanced else 1.0
    fire, charge, target, prey, now = prospects(o.field, i, foes, places, seen, guns, steady, charges, again)
    risk = screen = nothing
    if enemies_have_turns(w, unit.player) and style.danger:
        threat = threats(w, -1 if stays else unit.id)
        risk = danger(o.field, i, foes, places, seen, covered, threat) * (1.0 + dread(w, o, i, unit))
        screen = shelters(o.field, i, foes, places, threat) if style.screen else nothing
    if style.danger:
        # Who is destroyed holds nothing any more when the next Command phase comes.
        lost = np.minimum(1.0, HELD_NO_MORE * risk / max(1.0, float(o.field.points[i])))
        marker = at_once + (marker - at_once) * (1.0 - lost)
    fear = style.danger * (caution(w, o, i, unit) if style.name == TACTICIAN else 1.0)
    total = marker + style.fire * fire + mind.keen * style.charge * charge - fear * risk + style.screen * screen
    if style.danger and must_survive(w, o, i, unit):
        total = HOLD_ON * marker + style.fire * fire - CAUTION * risk
    return Weighed(places, marker, fire, charge, risk, total, target, prey, now, goal)


def must_survive(w: World40, o: Outlook, i: int, unit: Unit) -> bool:
    """Whether a side is ahead in victory points and can only lose by being wiped out."""
    if w.state.round < LATE:
        return False
    # With equal points nobody is ahead as long as something is scored when the battle ends.
    open_end = any(way.when == "battle" for way in mind_of(w).scoring(w) or ())
    if any(p.vp > w.player(unit.player).vp - open_end for p in w.opponents(unit.player)):
        return False
    ours, theirs = _left(o, i)
    return ours < FEW_LEFT * theirs


def dread(w: World40, o: Outlook, i: int, unit: Unit) -> float:
    """What the fall of a unit pays the enemy beyond its points, in its points: that of a Warlord."""
    weight = mind_of(w).dread
    paid = stakes(w, unit.player).warlord if weight else 0.0
    return weight * paid / max(1.0, float(o.field.points[i])) if paid and warlord_of(w, unit) else 0.0


def caution(w: World40, o: Outlook, i: int, unit: Unit) -> float:
    """How much more danger counts in this battle round than in others, as far as the enemy comes for us."""
    by_round, calm, now = mind_of(w).caution, mind_of(w).calm, w.state.round
    more = by_round[now - 1] if 1 <= now <= len(by_round) else 1.0
    return calm + (more - calm) * _coming(w, o, i, unit) if by_round and now else 1.0


def _coming(w: World40, o: Outlook, i: int, unit: Unit) -> float:
    """The part of the enemy, by wounds, that has left its deployment zone; all of it as long as nobody had a turn."""
    if w.state.round == 1 and w.state.active == w.state.game.first:
        return 1.0
    corners = mind_of(w).enemy_zone(w, unit.player)
    if not len(corners):
        return 1.0
    foes, zone = o.foes(i), np.array(corners, dtype=np.float64) / STEP
    out = ~inside_area(o.field.at[foes], zone)
    return float(o.field.wounds[foes[out]].sum()) / max(1.0, float(o.field.wounds[foes].sum()))


def upper_hand(o: Outlook, i: int) -> float:
    """How much more markers count for a side that has more left to fight with, and can afford to spread out."""
    ours, theirs = _left(o, i)
    return min(MOST_UPPER_HAND, max(1.0, ours / max(1.0, theirs)))


def _left(o: Outlook, i: int) -> tuple[float, float]:
    """The points on the table of a unit's side and of all others."""
    foes = o.foes(i)
    theirs = float(o.field.points[foes].sum())
    return float(o.field.points.sum()) - theirs, theirs


def _running(w: World40, o: Outlook, unit: Unit) -> Floats:
    """What a unit's guns do after an Advance, [band, other unit]."""
    return np.ascontiguousarray(_fire_on_the_run(w, unit)[:, o.sheet])


@kept(LOSSES)
def _fire_on_the_run(w: World40, unit: Unit) -> Floats:
    """The same against each datasheet, [band, sheet]."""
    data = arsenal(w)
    return np.asarray(data.running[data.kind[w.on_table(unit)]].sum(axis=0))


def threats(w: World40, arriving: int = -1) -> Floats:
    """What the charge of each unit costs each other one, [unit, charger], as in an outlook with who is arriving."""
    return _threats(w, arriving, w.state.models.wounds.tobytes())


@kept(PLACES)
def _threats(w: World40, arriving: int, wounds_left: bytes) -> Floats:
    o = outlook(w) if arriving < 0 else outlook_with(w, w.unit(arriving))
    return weighing.threats(o.field)


def _marker(w: World40, o: Outlook, i: int, unit: Unit, places: Floats, goal: int) -> tuple[Floats, Floats]:
    """What each place does for holding markers, and what of that the end of this turn brings."""
    at_stake = stakes(w, unit.player)
    beyond = _breakthrough(w, o, i, unit, places) if at_stake.zone > 0 else np.zeros(len(places))
    if not len(at_stake.places):
        return beyond, beyond
    needed = plan(w, unit.player).needed.get(unit.id)
    if needed is None:
        needed = _not_ours(w, unit.player, HAVE_IT)
    elif goal < 0 and (second := mind_of(w).second_wave):
        needed = np.maximum(needed, second * _not_ours(w, unit.player, 0.0))
    found, at_once = drawn(
        places,
        at_stake.places,
        at_stake.arrivals,
        at_stake.at_once,
        needed,
        goal,
        float(o.field.move[i]),
        at_stake.near,
    )
    return np.maximum(beyond, found), np.maximum(beyond, at_once)


def _not_ours(w: World40, player: int, ours: float) -> Floats:
    """Where somebody whom no plan needs is of use: wholly at markers that are not ours, and so much at `ours`."""
    control = w.state.game.control or (-1,) * len(markers_of(w))
    return np.array([ours if who >= 0 and w.side(who) == w.side(player) else 1.0 for who in control])


def _breakthrough(w: World40, o: Outlook, i: int, unit: Unit, places: Floats) -> Floats:
    """What each place does for standing within the enemy deployment zone."""
    inset = float(o.field.wide[i]) + 0.2
    low, high = _inner(w, unit.player)
    low, high = low + inset, high - inset
    off = np.maximum(0.0, np.maximum(low - places, places - high))
    gap = np.sqrt(off[:, 0] ** 2 + off[:, 1] ** 2)
    pull = SLOWER ** (gap / max(1.0, float(o.field.move[i]))) * 0.8
    return np.asarray(stakes(w, unit.player).zone * np.where(gap <= 0, 1.0, pull))


def best_place(w: World40, unit: Unit, style: Style, far: float, *, advanced: bool = False) -> Weighed:
    """Everything that a unit may think of within a distance, weighed."""
    goal = plan(w, unit.player).goals.get(unit.id, -1) if style.marker else -1
    o = outlook(w)
    places = places_for(w, o, o.row[unit.id], far, goal, unit.player)
    return weigh(w, unit, style, places, advanced=advanced, goal=goal)
