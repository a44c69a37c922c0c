"""What places are good for, all of them at once: kernels over places and enemies. What they are for says `places`."""

from __future__ import annotations

from typing import Final

import numpy as np

from sandtable.forty.mind.field import MIDDLE, Field, band_at, chance_over, gap_between, harm_to, silence, two_units
from sandtable.forty.mind.markers import THERE
from sandtable.forty.mind.screens import stopped
from sandtable.kernels import kernel
from sandtable.table.grid import Bools, Floats, Ints

COVERED: Final = 0.7
"""What shooting does to a unit in cover, compared with one in the open"""
ROUND_THE_CORNER: Final = 0.4
"""How much of an enemy's fire counts that does not see the place, but may move"""
UNSEEN: Final = 0.12
"""The same for a unit's own fire, which is due in this turn"""
GUARDED: Final = 0.2
"""How much of it counts against who cannot be shot at as long as a friend is nearer"""
SHARE: Final = 0.34
"""How much of what enemies could do to a unit they will do: they have other targets, too"""
BLADES: Final = 0.7
"""The same for their charges"""
CHOICE: Final = 0.5
"""How much every other unit that an enemy could charge instead takes from that"""
SILENT: Final = 0.6
"""What a unit's own fire counts that it gives up by getting into a melee"""
CAUGHT: Final = 0.6
"""The same for one that an enemy charge takes from it"""
NEXT_TURN: Final = 0.6
"""What fire and charges of the next turn count"""
CLOSING_IN: Final = 0.85
"""The part of it that counts for those who have to come nearer before they shoot"""
THREAT: Final = 0.3
"""What counts of the harm that a target could do next turn"""
HOLDING: Final = 0.35
"""What counts of the marker that a target holds"""
BLOWS_WITHIN: Final = 8.0
"""Inches beyond its Move within which a unit's blows are expected"""


@kernel
def charge_worth(o: Field, i: int, foes: Ints) -> Floats:
    """What a charge at each of some enemies brings if it arrives: blows first, then those of who is left."""
    found = np.empty(foes.shape[0])
    for k in range(foes.shape[0]):
        f = foes[k]
        blows = o.strike[i, f]
        share = min(1.0, blows / max(o.wounds[f], 0.5))
        back = min(o.strike[f, i] * (1.0 - share), o.wounds[i]) * o.worth[i]
        # Who is locked in combat does not shoot.
        hushed = 0.0 if o.fires_on[f] else 0.25 * min(o.points[f], o.fire[f, MIDDLE, i] * o.worth[i])
        given_up = SILENT * silence(o, i) * (1.0 - share)
        found[k] = harm_to(blows, o.points[f], o.wounds[f]) + hushed * (1.0 - share) - 0.8 * back - given_up
    return found


@kernel
def threats(o: Field) -> Floats:
    """What the charge of each unit costs each other one, less what it does to them in return, [unit, charger]."""
    count = o.side.shape[0]
    found = np.empty((count, count))
    for i in range(count):
        lost_fire = CAUGHT * silence(o, i)
        for f in range(count):
            blows = min(o.strike[f, i], o.wounds[i])
            share = blows / max(0.5, o.wounds[i])
            back = min(o.strike[i, f] * (1.0 - share), o.wounds[f]) * o.worth[f]
            # Who is caught in a melee has to fight or run instead of shooting.
            caught = lost_fire * (1.0 - share)
            # A charge at a unit that strikes back hard costs the enemy, too.
            found[i, f] = max(0.0, blows * o.worth[i] + caught - 0.7 * back)
    return found


@kernel
def dearness(o: Field, side: int, hold: Floats, far: Floats, markers: Floats) -> Floats:
    """For each enemy of a side its points, more where it holds a marker or threatens; `far` is as of `in_reach`."""
    found = np.zeros(o.side.shape[0])
    for f in range(o.side.shape[0]):
        if o.side[f] == side:
            continue
        held, shots, blows = 0.0, 0.0, 0.0
        for m in range(markers.shape[0]):
            if far[f, m] <= THERE:
                held = max(held, markers[m])
        for i in range(o.side.shape[0]):
            # What it could do to us next turn, by shooting or after a charge.
            if o.side[i] == side:
                shots = max(shots, min(o.fire[f, MIDDLE + 1, i], o.wounds[i]) * o.worth[i])
                if o.far[f, i] <= o.move[f] + BLOWS_WITHIN:
                    blows = max(blows, min(o.strike[f, i], o.wounds[i]) * o.worth[i])
        found[f] = o.points[f] + HOLDING * held * min(1.0, hold[f] / 5) + THREAT * max(shots, blows)
    return found


@kernel
def prospects(
    o: Field,
    i: int,
    foes: Ints,
    places: Floats,
    seen: Bools,
    guns: Floats,
    steady: float,
    charges: bool,
    again: bool,
) -> tuple[Floats, Floats, Ints, Ints, Bools]:
    """For each place what the best target and the best charge are worth, who they are, and who can be shot at now.

    `guns` is [band, unit] for this turn, and `steady` what fire from the first place counts; `charges` is whether the
    unit may charge in this turn, `again` whether it has a next one.
    """
    count = places.shape[0]
    fire, charge = np.zeros(count), np.zeros(count)
    target, prey, now = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.bool_)
    gain = charge_worth(o, i, foes)
    for p in range(count):
        fire_then, charge_then = 0.0, 0.0
        hunted = target[p] = prey[p] = foes[0]
        for k in range(foes.shape[0]):
            f = foes[k]
            gap = gap_between(o, i, places[p, 0], places[p, 1], f)
            shots = harm_to(guns[band_at(gap), f], o.points[f], o.wounds[f]) * (1.0 if seen[p, k] else UNSEEN)
            if shots > fire[p]:
                fire[p], target[p] = shots, f
            worth = chance_over(o, gap) * gain[k]
            if worth > charge[p]:
                charge[p], prey[p] = worth, f
            later = max(0.0, gap - o.move[i])
            # Who has to come nearer first may find the target gone, or the way closed.
            nearer = CLOSING_IN * float(harm_to(o.fire[i, band_at(later), f], o.points[f], o.wounds[f]))
            fire_then = max(fire_then, nearer, float(harm_to(o.fire[i, band_at(gap), f], o.points[f], o.wounds[f])))
            worth = chance_over(o, later) * gain[k]
            if worth > charge_then:
                charge_then, hunted = worth, f
        if p == 0:
            fire[p] *= steady
        if not charges:
            charge[p], prey[p] = 0.0, hunted if again else -1
        now[p] = fire[p] > 0.0
        if again:
            # What a place is good for next turn draws those on who have nothing to do in this one.
            fire[p] += NEXT_TURN * fire_then
            charge[p] += NEXT_TURN * charge_then
    return fire, charge, target, prey, now


@kernel
def danger(o: Field, i: int, foes: Ints, places: Floats, seen: Bools, sheltered: Bools, threat: Floats) -> Floats:
    """What the enemy could do to the unit at each place in its next turn; `threat` is [unit, charger]."""
    found = np.zeros(places.shape[0])
    left = stopped(o, i, foes, places)
    chosen, nearest = np.empty(foes.shape[0]), np.full(foes.shape[0], 1e5)
    for k in range(foes.shape[0]):
        # Who could charge others, too, may well do that.
        others = 0.0
        for j in range(o.side.shape[0]):
            if o.side[j] == o.side[i] and j != i:
                nearest[k] = min(nearest[k], o.far[foes[k], j])
                others += chance_over(o, max(0.0, o.far[foes[k], j] - o.move[foes[k]]))
        chosen[k] = 1.0 / (1.0 + CHOICE * others)
    for p in range(places.shape[0]):
        shots, blows = 0.0, 0.0
        for k in range(foes.shape[0]):
            f = foes[k]
            gap = gap_between(o, i, places[p, 0], places[p, 1], f)
            closer = max(0.0, gap - o.move[f])
            # Who is out of range now has to come nearer, and may not.
            behind = GUARDED if o.guarded[i] and nearest[k] < gap else 1.0
            shots += o.fire[f, band_at(closer), i] * (1.0 if seen[p, k] else ROUND_THE_CORNER) * behind
            blows += chance_over(o, closer) * threat[i, f] * left[p, k] * chosen[k]
        cover = COVERED if sheltered[p] else 1.0
        found[p] = min(SHARE * shots * cover * o.worth[i] + BLADES * blows, o.points[i])
    return found


def warm_up() -> None:
    """Compile the kernels, or load them from disk."""
    o, foes, seen = two_units(), np.array([1]), np.ones((2, 1), np.bool_)
    charge_worth(o, 0, foes)
    dearness(o, 0, o.wide, o.strike, o.wide)
    prospects(o, 0, foes, o.at, seen, o.fire[0], 1.0, True, True)
    danger(o, 0, foes, o.at, seen, o.fires_on, threats(o))
