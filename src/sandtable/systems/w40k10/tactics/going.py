"""Where a unit should go: places that it can reach, weighed by markers, fire, charges and danger."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sandtable.systems.w40k10.abilities.permissions import allows
from sandtable.systems.w40k10.scoring import enemy_zone
from sandtable.systems.w40k10.state import Unit, World10, markers_of
from sandtable.systems.w40k10.tactics.force import arsenal
from sandtable.systems.w40k10.tactics.ground import open_lines, sheltered
from sandtable.systems.w40k10.tactics.outlook import (
    MIDDLE,
    Outlook,
    band_of,
    harm,
    outlook,
    outlook_with,
    reach_chance,
    silenced,
)
from sandtable.systems.w40k10.tactics.plan import ELSEWHERE, RANGE, plan, pull
from sandtable.systems.w40k10.tactics.screens import shelters, stopped
from sandtable.systems.w40k10.tactics.stakes import enemies_have_turns, has_turns, stakes
from sandtable.systems.w40k10.tactics.style import Style
from sandtable.table.grid import COS, SIN, STEP, TRIG_SCALE, TURN, Bools, Floats, Ints

COVERED: Final = 0.7
"""What shooting does to a unit in cover, compared with one in the open"""
ROUND_THE_CORNER: Final = 0.4
"""How much of an enemy's fire counts that does not see the place, but may move"""
SHARE: Final = 0.34
"""How much of what enemies could do to a unit they will do: they have other targets, too"""
BLADES: Final = 0.7
"""The same for their charges"""
CHOICE: Final = 0.5
"""How much every other unit that an enemy could charge instead takes from that"""
CAUTION, HOLD_ON = 3.0, 0.3
"""What danger and markers count for a side that must not be wiped out"""
LATE, FEW_LEFT = 3, 0.6
"""From which round on, and with how much less than the enemy, a side thinks of surviving"""
MOST_UPPER_HAND: Final = 2.0
SILENT: Final = 0.6
"""What a unit's own fire counts that it gives up by getting into a melee"""
CAUGHT: Final = 0.6
"""The same for one that an enemy charge takes from it"""
NEXT_TURN: Final = 0.6
"""What fire and charges of the next turn count"""
HELD_NO_MORE: Final = 0.8
"""How surely a marker is lost with a unit that the enemy could destroy"""
HAVE_IT: Final = 0.15
"""What a marker counts for who arrives, if its side holds it"""
SHORT_OF: Final = 0.85
"""What getting nearer to a marker counts, compared with being there"""
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
    goal: int
    """The marker that the unit is sent to; -1 for none"""


def ring(at: Floats, far: float, count: int) -> Floats:
    """Places all around, at one distance."""
    turn = np.arange(count) * (TURN // count)
    return np.stack((at[0] + far * COS[turn] / TRIG_SCALE, at[1] + far * SIN[turn] / TRIG_SCALE), axis=1)


def within_reach(at: Floats, goals: Floats, far: float) -> Floats:
    """The places on the way to goals that a move takes a unit to."""
    gap = goals - at
    length = np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2)
    share = np.minimum(1.0, far / np.maximum(length, 0.01))
    return np.asarray(at + gap * share[:, None])


def on_the_table(w: World10, places: Floats, keep: float) -> Floats:
    """Places pulled in from the edges."""
    size = np.array([w.table.width / STEP, w.table.depth / STEP])
    edge = np.minimum(keep, size / 2)
    return np.asarray(np.minimum(np.maximum(places, edge), size - edge))


def places_for(w: World10, o: Outlook, i: int, far: float, goal: int, player: int) -> Floats:
    """Places that a unit may think of, the one where it stands first."""
    at, found = o.at[i], [o.at[i][None, :]]
    found.append(ring(at, far, 16))
    found.append(ring(at, far * 0.55, 8))
    markers = stakes(w, player).places
    if len(markers):
        found.append(within_reach(at, markers, far))
    if goal >= 0:
        around = ring(markers[goal], 2.2, 6)
        found.append(within_reach(at, around, far))
    if stakes(w, player).zone > 0:
        corners = np.array(enemy_zone(w, player), dtype=np.float64) / STEP
        found.append(
            within_reach(
                at,
                np.minimum(np.maximum(at, corners.min(axis=0) + o.wide[i]), corners.max(axis=0) - o.wide[i])[None, :],
                far,
            )
        )
    foes = o.foes(i)
    if len(foes):
        found.append(within_reach(at, o.at[foes], far))
    return on_the_table(w, np.concatenate(found), min(CROWDED, 0.4 + 0.6 * float(o.wide[i])))


def weigh(w: World10, unit: Unit, style: Style, places: Floats, *, advanced: bool = False, goal: int = -1) -> Weighed:
    """What each place is good for; the first is where the unit stands now, if it is on the table."""
    stays = w.is_on_table(unit)
    o = outlook(w) if stays else outlook_with(w, unit)
    i = o.row[unit.id]
    foes = o.foes(i)
    count = len(places)
    nothing = np.zeros(count)
    marker, at_once = _marker(w, o, i, unit, places, goal)
    marker, at_once = (style.marker * upper_hand(o, i) * part for part in (marker, at_once))
    if not len(foes):
        total = marker
        none = np.full(count, -1, dtype=np.int64)
        return Weighed(places, marker, nothing, nothing, nothing, total, none, none, goal)
    off = places[:, None, :] - o.at[foes][None, :, :]
    gap = np.maximum(0.0, np.sqrt(off[:, :, 0] ** 2 + off[:, :, 1] ** 2) - 0.8 * (o.wide[i] + o.wide[foes])[None, :])
    seen = open_lines(w, places, o.at[foes])
    fire, target = _fire(w, o, i, unit, foes, gap, seen, advanced=advanced)
    if stays and not advanced:
        fire[0] *= 1.06
    gain = np.maximum(0.0, charge_worth(o, i, foes))
    charges = not advanced or allows(w, unit, "advance_and_charge")
    charge, prey = _charge(gain, foes, gap) if charges else (nothing, np.full(count, -1, dtype=np.int64))
    if has_turns(w, unit.player):
        # What a place is good for next turn draws those on who have nothing to do in this one.
        later = np.maximum(0.0, gap - o.move[i])
        shots = harm(o, o.fire[i][band_of(later), foes[None, :]], foes[None, :])
        fire = fire + NEXT_TURN * shots.max(axis=1)
        following, hunted = _charge(gain, foes, later)
        charge = charge + NEXT_TURN * following
        prey = np.where(prey < 0, hunted, prey)
    danger = screen = nothing
    if enemies_have_turns(w, unit.player) and style.danger:
        danger = _danger(w, o, i, foes, gap, seen, places)
        screen = shelters(o, i, foes, places, threats(w, o)[:, foes]) if style.screen else nothing
    if style.danger:
        # Who is destroyed holds nothing any more when the next Command phase comes.
        lost = HELD_NO_MORE * danger / max(1.0, float(o.points[i]))
        marker = at_once + (marker - at_once) * (1.0 - lost)
    total = marker + style.fire * fire + style.charge * charge - style.danger * danger + style.screen * screen
    if style.danger and must_survive(w, o, i, unit):
        total = HOLD_ON * marker + style.fire * fire - CAUTION * danger
    return Weighed(places, marker, fire, charge, danger, total, target, prey, goal)


def must_survive(w: World10, o: Outlook, i: int, unit: Unit) -> bool:
    """Whether a side is ahead in victory points and can only lose by being wiped out."""
    mine = o.side == o.side[i]
    ours, theirs = float(o.points[mine].sum()), float(o.points[~mine].sum())
    ahead = all(w.player(unit.player).vp >= p.vp for p in w.opponents(unit.player))
    return w.state.round >= LATE and ahead and ours < FEW_LEFT * theirs


def upper_hand(o: Outlook, i: int) -> float:
    """How much more markers count for a side that has more left to fight with, and can afford to spread out."""
    mine = o.side == o.side[i]
    ours, theirs = float(o.points[mine].sum()), float(o.points[~mine].sum())
    return min(MOST_UPPER_HAND, max(1.0, ours / max(1.0, theirs)))


def _fire(
    w: World10, o: Outlook, i: int, unit: Unit, foes: Ints, gap: Floats, seen: Bools, *, advanced: bool
) -> tuple[Floats, Ints]:
    """The worth of the best target from each place."""
    bands = band_of(gap)
    if advanced and not allows(w, unit, "advance_and_shoot"):
        data, alive = arsenal(w), w.on_table(unit)
        table = data.assault[data.kind[alive]].sum(axis=0)
        rows = np.array([data.sheet[int(w.on_table(w.unit(o.units[int(f)]))[0])] for f in foes], dtype=np.int64)
        wounds = table[bands, rows[None, :]]
    else:
        wounds = o.fire[i][bands, foes[None, :]]
    worth = harm(o, wounds, foes[None, :]) * np.where(seen, 1.0, 0.12)
    best = worth.argmax(axis=1)
    return worth[np.arange(len(best)), best], foes[best]


def _charge(gain: Floats, foes: Ints, gap: Floats) -> tuple[Floats, Ints]:
    """The worth of the best charge from each place."""
    worth = reach_chance(gap) * gain[None, :]
    best = worth.argmax(axis=1)
    return worth[np.arange(len(best)), best], foes[best]


def charge_worth(o: Outlook, i: int, foes: Ints) -> Floats:
    """What a charge at each of some enemies brings if it arrives: blows first, then those of who is left."""
    blows = o.strike[i, foes]
    share = np.minimum(1.0, blows / np.maximum(o.wounds[foes], 0.5))
    back = np.minimum(o.strike[foes, i] * (1.0 - share), o.wounds[i]) * o.worth[i]
    # Who is locked in combat does not shoot.
    hushed = 0.25 * np.minimum(o.points[foes], o.fire[foes, MIDDLE, i] * o.worth[i]) * ~o.big[foes]
    given_up = SILENT * silenced(o, i) * (1.0 - share)
    return np.asarray(harm(o, blows, foes) + hushed * (1.0 - share) - 0.8 * back - given_up)


def charged_by(o: Outlook, i: int, foes: Ints) -> Floats:
    """What the charge of each of some enemies costs a unit, less what it does to them in return."""
    blows = np.minimum(o.strike[foes, i], o.wounds[i])
    share = blows / max(0.5, float(o.wounds[i]))
    back = np.minimum(o.strike[i, foes] * (1.0 - share), o.wounds[foes]) * o.worth[foes]
    # Who is caught in a melee has to fight or run instead of shooting.
    caught = CAUGHT * silenced(o, i) * (1.0 - share)
    return np.asarray(blows * o.worth[i] + caught - 0.7 * back)


def threats(w: World10, o: Outlook) -> Floats:
    """What the charge of each unit costs each other one, [unit, charger]."""

    def look() -> Floats:
        rows = np.arange(len(o.units))
        return np.array([np.maximum(0.0, charged_by(o, i, rows)) for i in rows.tolist()])

    return w.cached(("threats", o.units, w.state.models.wounds.tobytes()), look)


def _danger(w: World10, o: Outlook, i: int, foes: Ints, gap: Floats, seen: Bools, places: Floats) -> Floats:
    """What the enemy could do to the unit at each place in its next turn."""
    closer = np.maximum(0.0, gap - o.move[foes][None, :])
    shots = o.fire[foes[None, :], band_of(closer), i]
    # Who is out of range now has to come nearer, and may not.
    shots = shots * np.where(seen, 1.0, ROUND_THE_CORNER)
    cover = np.where(sheltered(w, places), COVERED, 1.0)
    # A charge at a unit that strikes back hard costs the enemy, too.
    blows = reach_chance(closer) * np.maximum(0.0, charged_by(o, i, foes))[None, :]
    if blows.any():
        blows = blows * stopped(o, i, foes, places) * _chosen(o, i, foes)[None, :]
    return np.asarray(
        np.minimum(SHARE * shots.sum(axis=1) * cover * o.worth[i] + BLADES * blows.sum(axis=1), o.points[i])
    )


def _chosen(o: Outlook, i: int, foes: Ints) -> Floats:
    """How likely each enemy charges this unit of all that it could charge."""
    friends = o.friends(i)
    others = reach_chance(np.maximum(0.0, o.far[np.ix_(foes, friends)] - o.move[foes][:, None])).sum(axis=1)
    return np.asarray(1.0 / (1.0 + CHOICE * others))


def _marker(w: World10, o: Outlook, i: int, unit: Unit, places: Floats, goal: int) -> tuple[Floats, Floats]:
    """What each place does for holding markers, and what of that the end of this turn brings."""
    at_stake = stakes(w, unit.player)
    beyond = _breakthrough(w, o, i, unit, places) if at_stake.zone > 0 else np.zeros(len(places))
    if not len(at_stake.places):
        return beyond, beyond
    off = places[:, None, :] - at_stake.places[None, :, :]
    gap = np.maximum(0.0, np.sqrt(off[:, :, 0] ** 2 + off[:, :, 1] ** 2) - RANGE + 0.5)
    needed = plan(w, unit.player).needed.get(unit.id, _not_ours(w, unit.player))
    # A move ends with this turn: what is left then takes further ones.
    value = pull(at_stake, gap / max(1.0, float(o.move[i]))) * np.where(gap <= 0, 1.0, SHORT_OF) * needed
    factor = np.where(np.arange(len(needed)) == goal, 1.0, ELSEWHERE)
    at_once = np.where(gap <= 0, at_stake.at_once * needed * factor, 0.0).max(axis=1)
    return np.maximum(beyond, (value * factor).max(axis=1)), np.maximum(beyond, at_once)


def _not_ours(w: World10, player: int) -> Floats:
    """Where somebody who comes from elsewhere is of use."""
    control = w.state.game.control or (-1,) * len(markers_of(w))
    return np.array([HAVE_IT if who >= 0 and w.side(who) == w.side(player) else 1.0 for who in control])


def _breakthrough(w: World10, o: Outlook, i: int, unit: Unit, places: Floats) -> Floats:
    """What each place does for standing within the enemy deployment zone."""
    corners = np.array(enemy_zone(w, unit.player), dtype=np.float64) / STEP
    inset = float(o.wide[i]) + 0.2
    low, high = corners.min(axis=0) + inset, corners.max(axis=0) - inset
    off = np.maximum(0.0, np.maximum(low - places, places - high))
    gap = np.sqrt(off[:, 0] ** 2 + off[:, 1] ** 2)
    pull = SLOWER ** (gap / max(1.0, float(o.move[i]))) * 0.8
    return np.asarray(stakes(w, unit.player).zone * np.where(gap <= 0, 1.0, pull))


def best_place(w: World10, unit: Unit, style: Style, far: float, *, advanced: bool = False) -> Weighed:
    """Everything that a unit may think of within a distance, weighed."""
    goal = plan(w, unit.player).goals.get(unit.id, -1) if style.marker else -1
    o = outlook(w)
    places = places_for(w, o, o.row[unit.id], far, goal, unit.player)
    return weigh(w, unit, style, places, advanced=advanced, goal=goal)
