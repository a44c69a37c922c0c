"""What an assault would come to before anybody is committed to it: who wins, by how much, and what it costs.

The charge and the counter charge are made as most would make them, in a world of their own. From there the rounds are
fought many times over, always with the same dice, by the same values and modifiers as in a battle. What is left out:
fire from overwatch, dangerous ground, units that the loser loses on its flight, and counter charges after a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.attack.many_dice import ManyDice
from sandtable.battle.decisions import Choose, Move, Moves, Value
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.battle.system import Outlook
from sandtable.kit.grammar import counted
from sandtable.kit.moving import world_after
from sandtable.systems.epica.assault import (
    attack_hits,
    is_near_enough,
    may_use_cover,
    question_of_charge,
    question_of_counter_charge,
)
from sandtable.systems.epica.blast_markers import counted_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.charging import charge_as_usual
from sandtable.systems.epica.hits import NO_SAVE, deal, modified_save, save_of
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.result import fewer_marker_modifier, kill_modifier, no_marker_modifier, number_modifier
from sandtable.systems.epica.state import EpicWorld, Formation, sheet, stands
from sandtable.systems.epica.support import may_support
from sandtable.systems.epica.usual_moves import counter_charge_into_the_fight
from sandtable.table.grid import TOUCHING, Bools, Floats, Ints
from sandtable.table.measure import gaps

RUNS: Final = 2_000
SEED: Final = 15
"""Always the same dice: chances do not change by asking twice."""
ROUNDS: Final = 6
"""An assault that is tied so often is given up; hardly any is."""
FAR: Final = 1e12


class Assault(NamedTuple):
    """What an assault comes to."""

    won: float
    """The chance that the attacker wins..."""
    lost: float
    """...and that the defender does; what is missing has no winner."""
    margin: float
    """By how much the attacker wins on average; below 0 for losing."""
    killed: float
    """Units of the defender that it costs..."""
    of: int
    own: float
    """...and of the attacker."""
    destroyed: float
    """The chance that nothing is left of the defender..."""
    broken: float
    """...and that what is left breaks."""


# --- Where everybody stands when the fighting begins -----------------------------------------------------------------


class Side(NamedTuple):
    """One side of an assault: its units, and whom of the enemy they reach."""

    cc: Ints
    ff: Ints
    saves: Floats
    """The chance of each unit to save a hit."""
    touch: Bools
    """[unit, enemy]: in contact"""
    fire: Bools
    """[unit, enemy]: near enough, in sight, and with something to shoot"""
    gap: Floats
    """[unit, enemy]"""
    helpers: Bools
    """[supporter, enemy]: who of the neighbours could support the side against whom"""
    helpers_ff: Ints
    helpers_gap: Floats
    formation: Ints
    """Which formation of the side each unit belongs to."""
    markers: Ints
    """The markers of each formation; below 0 for as many as it has units."""
    doomed: bool
    """Whether it is broken already, and does not survive losing."""


def sides(world: EpicWorld, attackers: Sequence[Formation], defenders: Sequence[Formation]) -> tuple[Side, Side]:
    """Both sides as they stand."""
    return (
        _side(world, attackers, defenders, charged=True),
        _side(world, defenders, attackers, charged=False),
    )


def _side(world: EpicWorld, mine: Sequence[Formation], theirs: Sequence[Formation], *, charged: bool) -> Side:
    members = [m for f in mine for m in stands(world, f)]
    sheets = [sheet(world, m) for m in members]
    armed = np.array([s.has_ranged_weapon for s in sheets], dtype=np.bool_)
    gap, clear = _gaps(world, mine, theirs), _clear(world, mine, theirs)
    cover = may_use_cover(charged=charged)
    needed = [modified_save(save_of(world, m, cover=cover), BOOK.crossfire_in_assault) for m in members]
    involved = [f.id for f in (*mine, *theirs)]
    friends = [f for f in world.friends_of(mine[0].player) if f.id not in involved and world.is_on_table(f)]
    friends = [f for f in friends if may_support(f)]
    helping = [sheet(world, m) for f in friends for m in stands(world, f)]
    able = np.array([s.has_ranged_weapon for s in helping], dtype=np.bool_)
    helpers_gap = _gaps(world, friends, theirs)
    markers = [-1 if f.broken else counted_markers(world, f) for f in mine]
    return Side(
        cc=np.array([s.cc for s in sheets], dtype=np.int64),
        ff=np.array([s.ff for s in sheets], dtype=np.int64),
        saves=np.array([0.0 if n >= NO_SAVE else min(6, 7 - n) / 6 for n in needed]),
        touch=gap <= TOUCHING,
        fire=(gap <= BOOK.assault_reach) & clear & armed[:, None],
        gap=np.where(gap <= TOUCHING, 0.0, gap),
        helpers=(helpers_gap <= BOOK.support_reach) & _clear(world, friends, theirs) & able[:, None],
        helpers_ff=np.array([s.ff for s in helping], dtype=np.int64),
        helpers_gap=helpers_gap,
        formation=np.array([i for i, f in enumerate(mine) for _ in stands(world, f)], dtype=np.int64),
        markers=np.array(markers, dtype=np.int64),
        doomed=any(f.broken for f in mine),
    )


def _gaps(world: EpicWorld, mine: Sequence[Formation], theirs: Sequence[Formation]) -> Floats:
    rows = [np.array([m for f in side for m in stands(world, f)], dtype=np.int64) for side in (mine, theirs)]
    out: Floats = gaps(world.bodies, world.shapes, *rows)
    return out


def _clear(world: EpicWorld, mine: Sequence[Formation], theirs: Sequence[Formation]) -> Bools:
    across = [np.concatenate([lines(world, f, e).clear for e in theirs], axis=1) for f in mine]
    none = np.zeros((0, sum(len(stands(world, e)) for e in theirs)), dtype=np.bool_)
    return np.concatenate([none, *across], axis=0)


# --- Fighting --------------------------------------------------------------------------------------------------------


def fight(world: EpicWorld, attackers: Sequence[Formation], defenders: Sequence[Formation]) -> Assault:
    """Fight an assault many times over from where everybody stands."""
    both, dice = sides(world, attackers, defenders), ManyDice(SEED)
    alive = [np.ones((RUNS, len(side.cc)), dtype=np.bool_) for side in both]
    winner, margin = np.full(RUNS, -1), np.zeros(RUNS, dtype=np.int64)
    open_ = np.arange(RUNS)
    for _ in range(ROUNDS):
        here = [a[open_] for a in alive]
        front = here[0] & reaches(both[0].gap <= BOOK.assault_reach, here[1])
        strike(both, here, dice)
        stalled = front.any(axis=1) & ~(front & here[0]).any(axis=1)
        standing: Bools = np.asarray(here[0].any(axis=1) & here[1].any(axis=1) & ~stalled)
        support(both, here, dice, standing)
        won = np.where(~here[1].any(axis=1), np.where(here[0].any(axis=1), 0, 2), np.where(stalled, 1, -1))
        won = np.where((won < 0) & ~here[0].any(axis=1), 1, won)
        ahead = result(both, here, dice)
        decided = won >= 0
        for a, now in zip(alive, here, strict=True):
            a[open_] = now
        winner[open_] = np.where(decided, won, np.where(ahead > 0, 0, np.where(ahead < 0, 1, -1)))
        margin[open_] = np.where(decided, 0, ahead)
        if not BOOK.tie_goes_on:
            winner[open_[winner[open_] < 0]] = 1
        open_ = open_[winner[open_] < 0]
        if not len(open_):
            break
    return account(both, alive, winner, margin)


def reaches(pairs: Bools, alive: Bools) -> Bools:
    """[run, unit]: whether somebody who is alive is among those that a unit has to do with."""
    out: Bools = np.asarray((pairs[None, :, :] & alive[:, None, :]).any(axis=2))
    return out


def strike(both: tuple[Side, Side], alive: list[Bools], dice: ManyDice) -> None:
    """Both sides attack at once; the dead still strike."""
    scored, candidates, gap = [], [], []
    for k, side in enumerate(both):
        close = alive[k] & reaches(side.touch, alive[1 - k])
        ranged = alive[k] & ~close & reaches(side.fire, alive[1 - k])
        faces = dice.faces(*alive[k].shape)
        hits = (attack_hits(faces, side.cc) & close) | (attack_hits(faces, side.ff) & ranged)  # type: ignore[arg-type]
        scored.append(hits.sum(axis=1))
        candidates.append(alive[k] & reaches(side.gap <= BOOK.assault_reach, alive[1 - k]))
        gap.append(nearest(side.gap, alive[1 - k]))
    for k, side in enumerate(both):
        alive[k] &= ~lost(side, scored[1 - k], candidates[k], gap[k], dice)


def support(both: tuple[Side, Side], alive: list[Bools], dice: ManyDice, still: Bools) -> None:
    """All neighbours who can shoot at somebody in the fight do, at the same time."""
    involved = [
        alive[k] & (reaches(side.touch, alive[1 - k]) | reaches(side.fire, alive[1 - k])) & still[:, None]
        for k, side in enumerate(both)
    ]
    fallen = []
    for k, side in enumerate(both):
        helping = both[1 - k]
        ready = reaches(helping.helpers, involved[k])
        hits = attack_hits(dice.faces(*ready.shape), helping.helpers_ff) & ready  # type: ignore[arg-type]
        reached = involved[k] & reaches(helping.helpers.T, ready)
        everybody = np.ones((len(ready), len(helping.helpers_ff)), dtype=np.bool_)
        fallen.append(lost(side, hits.sum(axis=1), reached, nearest(helping.helpers_gap.T, everybody), dice))
    for k in range(2):
        alive[k] &= ~fallen[k]


def nearest(gap: Floats, alive: Bools) -> Floats:
    """[run, unit]: how far the nearest living enemy is."""
    out: Floats = np.where(alive[:, None, :], gap[None, :, :], FAR).min(axis=2, initial=FAR)
    return out


def lost(side: Side, hits: Ints, candidates: Bools, gap: Floats, dice: ManyDice) -> Bools:
    """Who is lost to so many hits, which are dealt out from front to back."""
    order = np.argsort(np.where(candidates, gap, FAR), axis=1, kind="stable")
    rank = np.argsort(order, axis=1, kind="stable")
    number = candidates.sum(axis=1)
    dealt = deals(candidates.shape[1], int(hits.max(initial=0)))
    load = np.where(candidates, dealt[number[:, None], hits[:, None], rank], 0)
    spared = np.ones(load.shape)
    for k in range(int(load.max(initial=0))):
        spared *= np.where(load > k, side.saves[None, :], 1.0)
    out: Bools = candidates & (dice.shares(*load.shape) >= spared)
    return out


def deals(most: int, hits: int) -> Ints:
    """[candidates, hits, place in the order]: how many hits each place gets."""
    out = np.zeros((most + 1, hits + 1, most + 1), dtype=np.int64)
    for k in range(1, most + 1):
        load: tuple[tuple[int, int], ...] = ()
        for n in range(1, hits + 1):
            load = deal(range(k), 1, load)
            for place, count in load:
                out[k, n, place] = count
    return out


def result(both: tuple[Side, Side], alive: list[Bools], dice: ManyDice) -> Ints:
    """By how much the attackers are ahead, in each run."""
    units = [a.sum(axis=1) for a in alive]
    marked = [markers(side, a) for side, a in zip(both, alive, strict=True)]
    totals = []
    for k in range(2):
        other = 1 - k
        killed = alive[other].shape[1] - units[other]
        rolled = dice.faces(len(units[k]), 2).max(axis=1)
        totals.append(
            rolled
            + by_table(kill_modifier, killed)
            + by_table(number_modifier, units[k], units[other])
            + by_table(no_marker_modifier, marked[k])
            + by_table(fewer_marker_modifier, marked[k], marked[other])
        )
    ahead: Ints = totals[0] - totals[1]
    return ahead


def markers(side: Side, alive: Bools) -> Ints:
    """The markers of a side; broken formations count as having one for each unit."""
    out = np.zeros(len(alive), dtype=np.int64)
    for i, count in enumerate(side.markers.tolist()):
        out += alive[:, side.formation == i].sum(axis=1) if count < 0 else count
    return out


def by_table(modifier: Callable[..., int], *counts: Ints) -> Ints:
    """A modifier of the book for many numbers."""
    size = max((int(c.max(initial=0)) for c in counts), default=0) + 1
    table = np.array([int(modifier(*at)) for at in np.ndindex(*(size,) * len(counts))], dtype=np.int64)
    out: Ints = table.reshape((size,) * len(counts))[counts]
    return out


def account(both: tuple[Side, Side], alive: Sequence[Bools], winner: Ints, margin: Ints) -> Assault:
    """What all runs came to, with those whom the loser loses by losing."""
    left = [a.sum(axis=1) for a in alive]
    for k, side in enumerate(both):
        beaten = winner == 1 - k
        left[k] = np.where(beaten, np.maximum(0, left[k] - np.abs(margin)), left[k])
        if side.doomed:
            left[k] = np.where(beaten, 0, left[k])
    mine, of = len(both[0].cc), len(both[1].cc)
    gone = left[1] == 0
    return Assault(
        won=float((winner == 0).mean()),
        lost=float((winner == 1).mean()),
        margin=float(margin.mean()),
        killed=float(of - left[1].mean()),
        of=of,
        own=float(mine - left[0].mean()),
        destroyed=float(gone.mean()),
        broken=0.0 if both[1].doomed else float(((winner == 0) & ~gone).mean()),
    )


# --- Questions -------------------------------------------------------------------------------------------------------


def after_charge(world: EpicWorld, formation: Formation, targets: Sequence[int], moves: Moves) -> Assault | None:
    """What an assault comes to after a charge; None if nobody gets near enough."""
    there: EpicWorld = world_after(world, moves)
    if not is_near_enough(there, there.unit(formation.id), targets):
        return None
    for target in targets:
        asked = question_of_counter_charge(there, there.unit(target))
        if asked is not None:
            there = world_after(there, counter_charge_into_the_fight(there, asked))
    return fight(there, [there.unit(formation.id)], [there.unit(t) for t in targets])


@kept(EVERYTHING)
def assault_on(world: EpicWorld, formation: Formation, target: Formation) -> Assault | None:
    """What engaging a formation comes to, with a charge as most would make it."""
    asked = question_of_charge(world, formation, (target.id,))
    return after_charge(world, formation, (target.id,), charge_as_usual(world, asked))


def chance_to_win(world: EpicWorld, decision: Choose, answer: Value) -> float:
    """The chance to win the assault on a formation."""
    found = assault_on(world, world.unit(decision.unit), world.unit(int(answer)))
    return 0.0 if found is None else found.won


def outlook_of_assault(world: EpicWorld, decision: Choose, answer: Value) -> Iterator[Outlook]:
    """What engaging a formation does to it, and costs."""
    found = assault_on(world, world.unit(decision.unit), world.unit(int(answer)))
    yield from () if found is None else (outlook(int(answer), found),)


def outlook_of_charge(world: EpicWorld, decision: Move, moves: Moves) -> Iterator[Outlook]:
    """The same for a charge as it is planned."""
    targets = [int(t) for t in decision.about["targets"]]
    found = after_charge(world, world.unit(decision.unit), targets, moves)
    yield from () if found is None else (outlook(targets[0], found),)


def outlook(target: int, found: Assault) -> Outlook:
    return Outlook(
        target, found.killed, found.of, found.killed, found.destroyed, found.broken, found.won, found.margin, found.own
    )


def in_words(world: EpicWorld, formation: Formation, target: Formation) -> Iterator[str]:
    """What engaging a formation from here would come to; nothing if a charge does not come near enough."""
    found = assault_on(world, formation, target)
    if found is None:
        return
    chances = f"{100 * found.won:.0f} % to win, {100 * found.lost:.0f} % to lose, by {found.margin:+.1f} on average"
    price = f"{found.killed:.1f} of {counted(found.of, 'unit')} for {found.own:.1f} of the own"
    yield f"Engaging from here: {chances}; {price}."
