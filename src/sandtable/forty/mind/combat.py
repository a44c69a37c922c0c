"""The Charge and Fight phases of the computer players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle import Assign, Assignment, Choose, ChooseSome, Move, Moves
from sandtable.battle.tactics import Idea
from sandtable.forty.blows import Blows, hands_in
from sandtable.forty.mind.field import harm_of, silence
from sandtable.forty.mind.force import mean
from sandtable.forty.mind.markers import THERE, in_reach
from sandtable.forty.mind.mind import Hands, Mark, mind_of
from sandtable.forty.mind.outlook import Outlook, band_of, outlook, reach_chance, units_among
from sandtable.forty.mind.places import dread, must_survive
from sandtable.forty.mind.shots import target_worth
from sandtable.forty.mind.stakes import stakes
from sandtable.forty.mind.style import RUSHER, TACTICIAN, Style
from sandtable.forty.mind.weighing import charge_worth
from sandtable.forty.state import Unit, World40
from sandtable.kit.grammar import agree, does
from sandtable.table.grid import STEP, Floats, Ints

ENOUGH, ENOUGH_CHARGED = 0.7, 0.5
"""The part of a unit that fights where the simple styles are content"""
MAIN_GUN: Final = 0.3
"""The part of an army's fire that makes a unit its big gun"""
LEAST_WORTH: Final = 4.0
"""Points that a charge must bring on average"""


class Charge(NamedTuple):
    """A charge that could be declared."""

    worth: float
    unit: int
    target: int
    chance: float


def charges(w: World40, unit: Unit, style: Style) -> list[tuple[float, int, float]]:
    """(worth, target, chance) for each enemy that a unit may charge, the best first, as far as distances tell."""
    o = outlook(w)
    row = o.row[unit.id]
    enemies = [e for e in mind_of(w).prey(w, unit) if e.id in o.row]
    if not enemies:
        return []
    rows = np.array([o.row[e.id] for e in enemies], dtype=np.int64)
    gaps = np.array([w.distance(unit, e) / STEP for e in enemies])
    chance = reach_chance(o, gaps)
    gain = charge_worth(o.field, row, rows)
    if style.name == RUSHER:
        gain = np.maximum(gain, 0.0) + 20.0 - gaps
    else:
        gain = gain + _markers_won(w, unit, rows)
        if must_survive(w, o, row, unit):
            gain = gain - o.field.points[row] / 2
        gain = gain - _guns_lost(o, row)
        if mind_of(w).greeting:
            gain = gain - _greeting(w, o, row, rows, gaps)
        if (feared := dread(w, o, row, unit)) > 0:
            gain = gain - feared * _struck_back(o, row, rows)
    found = [
        (float(p * g), e.id, float(p))
        for e, p, g in zip(enemies, chance, gain, strict=True)
        if p >= style.least_chance and g > 0
    ]
    return sorted(found, key=lambda f: (-f[0], f[1]))


def _greeting(w: World40, o: Outlook, row: int, rows: Ints, gaps: Floats) -> Floats:
    """What a charge at each of some enemies costs before it arrives."""
    wounds = mind_of(w).greeting * o.field.fire[rows, band_of(gaps), row]
    return np.asarray(np.minimum(wounds, o.field.wounds[row]) * o.field.worth[row])


def _struck_back(o: Outlook, row: int, rows: Ints) -> Floats:
    """What of a unit some enemies take in return for its charge, in points."""
    share = np.minimum(1.0, o.field.strike[row, rows] / np.maximum(o.field.wounds[rows], 0.5))
    wounds = np.minimum(o.field.strike[rows, row] * (1.0 - share), o.field.wounds[row])
    return np.asarray(wounds * o.field.worth[row])


def _guns_lost(o: Outlook, row: int) -> float:
    """What a charge costs a side by taking away its best gun, more than the charger's own fire: others cannot shoot
    what it shoots."""
    side = o.field.side == o.field.side[row]
    mine, all_guns = float(o.field.salvo[row]), float(o.field.salvo[side].sum())
    share = mine / max(0.1, all_guns)
    return float(o.field.points[row]) * share if mine == float(o.field.salvo[side].max()) and share >= MAIN_GUN else 0.0


def _markers_won(w: World40, unit: Unit, rows: Ints) -> Floats:
    """What a charge does for markers: those that targets hold are contested, one that is left behind may be lost."""
    o, at_stake = outlook(w), stakes(w, unit.player)
    if not len(at_stake.places):
        return np.zeros(len(rows))
    near, row = in_reach(o.field.at, at_stake.places, at_stake.near), o.row[unit.id]
    there = np.where(near[rows] <= 1.0, at_stake.markers, 0.0).max(axis=1)
    left = 0.0
    if near[row].min() <= THERE and not (near[o.friends(row)] <= THERE).any():
        left = 0.4 * float(np.where(near[row] <= THERE, at_stake.markers, 0.0).max())
    return np.asarray(0.3 * there * min(1.0, float(o.hold[row]) / 5) - np.where(there > 0, 0.0, left))


def best_charge(w: World40, units: Sequence[Unit], style: Style, least: float = 0.0) -> Charge | None:
    """The best charge of some units that is worth enough; None where none is.

    Distances say what a charge is worth at most. How likely it really is takes a search for places, which is made only
    for those that could be the best.
    """
    waiting = [Charge(worth, u.id, target, chance) for u in units for worth, target, chance in charges(w, u, style)]
    best: Charge | None = None
    for likely in sorted(waiting, key=lambda c: (-c.worth, c.unit, c.target)):
        if likely.worth < least or (best is not None and likely.worth <= best.worth):
            break
        chance = mind_of(w).charge_chance(w, w.unit(likely.unit), [w.unit(likely.target)])
        real = likely._replace(worth=likely.worth * chance / likely.chance, chance=chance)
        if chance >= style.least_chance and real.worth >= least and (best is None or real.worth > best.worth):
            best = real
    return best


def who_joins(w: World40, d: Choose, reach: float) -> Iterator[Idea]:
    """A unit that has more to win than to lose by stepping into a melee within some inches."""
    o = outlook(w)
    for unit in units_among(w, d):
        row = o.row[unit.id]
        near = np.array([o.row[e.id] for e in enemies_within(w, unit, reach)], dtype=np.int64)
        worth = float(charge_worth(o.field, row, near).max(initial=0.0))
        if worth > 0:
            yield Idea(unit.id, worth, f"{does(unit, 'joins')} the melee.")
            return
    yield Idea(None, 0.0, "Nobody has anything to win in the melee.")


def enemies_within(w: World40, unit: Unit, reach: float) -> list[Unit]:
    """The enemy units on the table within some inches."""
    return [e for e in w.enemies_of(unit.player) if w.is_on_table(e) and w.distance(unit, e) <= reach * STEP]


def who_charges(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The best charge, or none."""
    best = best_charge(w, units_among(w, d), style, LEAST_WORTH)
    if best is None:
        yield Idea(None, 0.0, "No charge is worth its risk.")
        return
    who, whom = w.unit(best.unit), w.unit(best.target)
    yield Idea(best.unit, best.worth, f"{does(who, 'reaches')} {whom.name} with a chance of {best.chance:.0%}.")


def whom_to_charge(w: World40, d: ChooseSome, style: Style) -> Iterator[Idea]:
    """One target: the best."""
    unit = w.unit(d.unit)
    offered = [o.value for o in d.options]
    best = best_charge(w, [unit], style)
    if best is not None and best.target in offered:
        whom = w.unit(best.target)
        yield Idea((best.target,), best.worth, f"{does(whom, 'is')} reached with a chance of {best.chance:.0%}.")
        return
    near = min(offered, key=lambda e: (w.distance(unit, w.unit(int(e))), e))
    yield Idea((near,), 0.0, f"{does(w.unit(int(near)), 'is')} nearest.")


# --- Fights -----------------------------------------------------------------------------------------------------------


def who_fights(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The unit first that strikes hardest, or that would lose most by waiting."""
    o, worth = outlook(w), target_worth(w, d.player)
    best: tuple[float, int] | None = None
    for unit in units_among(w, d):
        row = o.row.get(unit.id)
        if row is None:
            continue
        score = 0.0
        for enemy in mind_of(w).may_strike(w, unit):
            there = o.row.get(enemy.id)
            if there is None:
                continue
            useful = min(float(o.field.strike[row, there]), float(o.field.wounds[there]))
            back = (
                0.0
                if enemy.fought
                else min(float(o.field.strike[there, row]), float(o.field.wounds[row])) * float(o.field.worth[row])
            )
            share = useful / max(0.5, float(o.field.wounds[there]))
            score = max(score, useful * worth.get(enemy.id, 1.0) + share * back)
        if best is None or score > best[0]:
            best = (score, unit.id)
    if best is not None:
        yield Idea(best[1], best[0], f"{does(w.unit(best[1]), 'has')} the most to gain by striking first.")


def hands_dealt(w: World40, d: Assign) -> list[Hands]:
    """What stands behind the rows, where each attack of a model is dealt out on its own."""
    count = w.system.seam(Blows).count
    return [Hands(count(hand), hand.models[0], hand.weapons, hand.targets, hand) for hand in hands_in(w, d)]


def whom_to_strike(w: World40, d: Assign, style: Style) -> Iterator[Idea]:
    """Every model with its best weapon at the target that it does most to."""
    unit, mind, worth = w.unit(d.unit), mind_of(w), target_worth(w, d.player)
    hands = mind.hands(w, d)
    left = {t.value: float(w.state.models.wounds[w.on_table(w.unit(int(t.value)))].sum()) for t in d.targets}
    scored: list[tuple[float, int, int, int, float]] = []
    for g, row in enumerate(hands):
        for t in row.targets:
            models = w.on_table(w.unit(t))
            mark = Mark(t, w.setup.data.kits[int(models[0])].sheet, len(models))
            for k, profile in enumerate(row.profiles):
                wounds = mean(w, row.model, profile, mark)
                scored.append((wounds * worth.get(t, 1.0), g, t, k, wounds * row.many))
    wanted: list[Assignment] = []
    done: list[int] = []
    for _, g, t, k, wounds in sorted(scored, key=lambda s: (-s[0], *s[1:4])):
        others = [s for s in scored if s[1] == g and s[2] != t and left[s[2]] > 0]
        if g in done or (left[t] <= 0 and others):
            continue
        done.append(g)
        left[t] -= wounds
        wanted.append(Assignment(d.rows[g].id, t, d.rows[g].count, (d.rows[g].modes or ("",))[k]))
    for g, asked in enumerate(d.rows):
        if g not in done:
            wanted.append(Assignment(asked.id, asked.targets[0], asked.count, (asked.modes or ("",))[0]))
    answer = mind.legal_blows(w, hands, wanted)
    names = list(dict.fromkeys(w.unit(int(a.target)).name for a in answer))
    yield Idea(
        answer,
        1.0,
        f"{does(unit, 'strikes')} at {' and '.join(names[:3])}, to the most effect.",
    )


def how_to_pile_in(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """The simple styles stand still where enough of a unit fight; the tactician takes as many into it as possible."""
    unit = w.unit(d.unit)
    enough = ENOUGH_CHARGED if unit.charged else ENOUGH
    if style.name != TACTICIAN and len(mind_of(w).fighters(w, unit)) >= enough * len(w.on_table(unit)):
        yield Idea(Moves(d.modes[0].name), 1.0, f"Enough of {unit.name} fight from where they stand.")


def how_to_consolidate(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """Towards a marker where that is open; into a fresh enemy only to keep it from shooting."""
    unit, mind = w.unit(d.unit), mind_of(w)
    for moves in mind.to_marker(w, d):
        yield Idea(moves, 1.0, f"{does(unit, 'steps')} towards the objective.")
    if mind.engaged(w, unit) or style.name != RUSHER:
        yield Idea(Moves(d.modes[0].name), 0.0, f"{does(unit, 'keeps')} {agree(unit, 'its')} place.")


def how_to_close_in(w: World40, d: Move, style: Style) -> Iterator[Idea]:
    """The same where every unit consolidates in its turn: also deeper into a melee, or into one, that favours it."""
    unit = w.unit(d.unit)
    for moves in mind_of(w).to_marker(w, d):
        yield Idea(moves, 1.0, f"{does(unit, 'steps')} towards the objective.")
    if style.name != RUSHER and _melee_costs(w, unit, [w.unit(int(t)) for t in d.about["targets"]]):
        yield Idea(Moves(d.modes[0].name), 0.0, f"{does(unit, 'keeps')} {agree(unit, 'its')} place.")


def _melee_costs(w: World40, unit: Unit, enemies: Sequence[Unit]) -> bool:
    """Whether blows from some enemies, and shots not fired, cost a unit more than its own and theirs would bring."""
    o = outlook(w)
    row, fresh = o.row[unit.id], not mind_of(w).engaged(w, unit)
    gain = -silence(o.field, row) if fresh else 0.0
    for enemy in enemies:
        there = o.row[enemy.id]
        # Whom a fresh unit steps up to strikes at once, unless it has fought already.
        blows = min(float(o.field.strike[there, row]) * (2 if fresh and not enemy.fought else 1), o.field.wounds[row])
        gain += float(harm_of(o.field.strike[row, there], o.field.points[there], o.field.wounds[there]))
        gain += (silence(o.field, there) if fresh else 0.0) - blows * o.field.worth[row]
    return bool(gain <= 0)
