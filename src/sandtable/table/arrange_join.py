"""Joining battle: one model of a unit within reach of each enemy unit that it must reach, and the others after it.

This is the search behind moves that must be made if they can be. It looks for no good formation, only for one that
meets the conditions: a model leads, to one of several places within reach of the enemy, and the others follow, the
nearest first, each moving no more than it needs to stay with those who have their places. Of several enemy units the
one that fewest can reach is led against first; either each has a leader and the rest make a bridge, or a chain grows
from one to the next; and who is short of neighbours gets them before others come. `TRIES` bounds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.table.arrange_nearest import (
    ANYHOW,
    BARRED,
    FOUND,
    FOUND_PAST,
    NO_FIELD,
    Goer,
    Wishes,
    longest_in_field,
    nearest_place,
)
from sandtable.table.coherency import Coherency, groups, lacking, neighbour_counts
from sandtable.table.grid import COS, OVERLAP, SIN, STEP, TRIG_SCALE, TURN, Floats, Ints
from sandtable.table.layout import Terrain
from sandtable.table.measure import gaps
from sandtable.table.moves_scene import Obstacles
from sandtable.table.reach import CELL, reach
from sandtable.table.shapes import Bodies, Shapes
from sandtable.table.zones import Ball, Zone, linked, links

FEW: Final = 4
"""In units of up to so many movers, all that follows is doubled: they have fewer ways to get together."""

TRIES: Final = 200
"""Most places that are looked for in one search, for one way of going."""

SHOWN: Final = 4
"""So many formations are shown for each way of going."""

LEADS: Final = 4
"""So many models are tried as the one that leads against a unit, the nearest first."""

SIDES: Final = 4
"""Sides of the enemy on which a place for the leader is looked for."""

COMRADES: Final = 2
"""So many comrades are looked at whose starts a leader may stay near to, those furthest off first."""

STUCK: Final = 4
"""Where the same models stay behind at so many places of a leader, it is left at that."""

ASIDE: Final = STEP // 8
"""Two places no further apart than this are one and the same to those who follow."""

OWN_START, AFTER_THE_LAST = range(2)
"""How those who follow move: as little as they need, or towards the one who waits furthest off."""

STRAIGHT, OVER, AROUND, PERHAPS_AROUND, TURNED, CLIMBING = range(6)
"""Ways of going: straight on; for those who fly over things, whatever is in the way; around things where a field of
distances says that this is short enough for sure; where that field may be wrong; straight on, with bases that are
not round turned; and up and down high things, where another field says that this may be short enough."""

SOME: Final = 0.4
"""How much of a field's error is allowed for where allowing for all of it showed only ways that are too long"""

CLOSER: Final = 0.02
"""Closer means closer by more than rounding."""

_ANY_HEIGHT: Final = 1 << 40


class Mover(NamedTuple):
    """A model that goes: how far, what is in its way, and to whom it must come closer."""

    model: int
    far: int
    blocks: Obstacles
    slant: bool
    """Whether it goes through the air to another height"""
    closer: Ints
    """If it moves, it ends closer to one of these models"""
    before: Floats
    """than this distance, one for each of them"""
    over: bool = False
    """Whether it may fly over what bars its way"""
    turns: Sequence[tuple[int, int]] = ()
    """Other facings that it may end with, and how much of its way each turn takes"""
    climbs: Callable[[int], tuple[Floats, int]] | None = None
    """For a height to end at, a field of ways that climb, and what climbing takes of the straight way to the enemy
    besides the difference of heights; None where there is nothing high enough in its way"""


class Party(NamedTuple):
    """A unit that must reach some enemy units."""

    bodies: Bodies
    shapes: Shapes
    terrain: Terrain
    movers: Sequence[Mover]
    staying: Ints
    targets: Ints
    group: Ints
    """[target] its unit, counted from 0"""
    near: Zone | Ball
    """How near one of them must come to each of these units"""
    rule: Coherency
    levels: Sequence[int] = ()
    """Heights on which places are looked for, besides each one's own"""
    way: int = STRAIGHT
    """Whether they go straight on, or around things on their own level"""
    tries: int = TRIES
    leeway: float = 1.0
    """How much of what a field may be wrong by its ways may be longer than they should"""
    themselves: bool = False
    """Whether one of the movers has to get near, whoever of those who stay is so already"""


def join(party: Party) -> Iterator[tuple[int, Ints]]:
    """Ways of going, and where the movers could end, [mover, x y z facing], reaching each unit and staying together.

    Those who meet closed ways look for ways around things, in turn with going straight on; and those who do not fit,
    turn.
    """
    if not len(party.movers):
        return
    straight = _Search(party)
    going, others = [straight], list[_Search]()
    while going:
        for search in going:
            yield from search.go_on()
        # Where no way was closed and nothing refused, other ways lead nowhere else.
        if not others and (straight.met_closed_ways or straight.shown):
            ways = (OVER, AROUND) if any(m.over for m in party.movers) else (AROUND,)
            others = [_Search(party._replace(way=way), straight.fields) for way in ways]
            going += others
        going = [s for s in going if not s.is_over]
    last = list[tuple[int, tuple[float, ...]]]()
    if others and any(m.climbs is not None for m in party.movers):
        last.append((CLIMBING, (1.0, 0.0)))
    if others and len(party.movers) <= FEW:
        last.append((PERHAPS_AROUND, (1.0, SOME)))
    if any(m.turns for m in party.movers):
        last.append((TURNED, (0.0,)))
    for way, leeways in last:
        for leeway in leeways:
            search = _Search(party._replace(way=way, leeway=leeway), straight.fields)
            while not search.is_over:
                yield from search.go_on()
            # Where the widest leeway shows nothing, a narrower one does not, either.
            if not search.shown:
                break


class _Search:
    """One search: who stands where so far, and how many places may still be looked for."""

    def __init__(self, party: Party, fields: dict[int, Floats] | None = None) -> None:
        self.party = party
        self.start = party.bodies.pos[[m.model for m in party.movers]].copy()
        self.now = Bodies(party.bodies.pos.copy(), party.bodies.facing.copy(), party.bodies.shape)
        self.models = np.array([m.model for m in party.movers], dtype=np.int64)
        self.mates = np.concatenate((party.staying, self.models))
        self.groups = int(party.group.max(initial=-1)) + 1
        self.budget, self.met_closed_ways = self.doubled(party.tries), False
        self.shown, self.is_over, self._run = 0, False, self.run()
        self.able = np.ones((len(party.movers), self.groups), dtype=np.bool_)
        """[mover, group] who may get near enough, by the distances alone"""
        self.behind = set[int]()
        """Who found no place when others last tried to follow their leader"""
        self.fields = {} if fields is None else fields
        widest = int(party.shapes.reach[party.bodies.shape[self.mates]].max())
        self._start = [(int(x), int(y), int(z)) for x, y, z in self.start]
        self._ahead = party.bodies.facing[self.models].tolist()
        self._theirs = [party.targets[party.group == g] for g in range(self.groups)]
        self._furthest = [(m.far + max(0, party.rule.reach) + 2 * widest + 2) ** 2 for m in party.movers]
        """[mover] how far its start may be from those with whom it is to be linked, squared"""
        self._absent = np.zeros(len(self.now.shape), dtype=np.uint8)
        self._gaps_to_beat: dict[tuple[int, int], Floats] = {}
        self.waiting = list(range(len(party.movers)))
        size = len(party.targets) + 2 * len(self.mates) + max((len(m.closer) for m in party.movers), default=0)
        self._who, self._group = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        self._gap, self._rise = np.empty(size, dtype=np.float64), np.empty(size, dtype=np.int64)

    def doubled(self, number: int) -> int:
        """A bound, or twice that for a small unit."""
        return 2 * number if len(self.party.movers) <= FEW else number

    def go_on(self) -> Iterator[tuple[int, Ints]]:
        """What the next place of a leader leads to."""
        for places in self._run:
            if places is None:
                return
            yield self.party.way, places
            if self.shown >= self.doubled(SHOWN):
                break
        self.is_over = True

    def run(self) -> Iterator[Ints | None]:
        """All that is found, with None after each place of a leader."""
        p = self.party
        goals = [g for g in range(self.groups) if not self._is_reached(g)]
        if not goals:
            yield from self._followed()
            return
        gap = gaps(p.bodies, p.shapes, self.models, p.targets)
        beyond = np.stack([gap[:, p.group == g].min(axis=1) for g in range(self.groups)], axis=1)
        beyond -= np.array([m.far for m in p.movers])[:, None]
        self.able = beyond <= p.near.flat + 1
        # Whom few can reach is seen to first; where one is out of everybody's reach, nothing is to be found.
        goals.sort(key=lambda g: (int(self.able[:, g].sum()), g))
        for g in goals if self.able[:, goals].any(axis=0).all() else ():
            order = np.argsort(beyond[:, g], kind="stable")[: self.doubled(LEADS)]
            for lead in (int(m) for m in order if self.able[m, g]):
                yield from self._led_by(lead, g, goals)
                if self.budget <= 0:
                    return

    def _led_by(self, lead: int, g: int, goals: list[int]) -> Iterator[Ints | None]:
        """What comes of one model's leading against a group."""
        p = self.party
        seen: list[tuple[int, int, int]] = []
        stuck, times = set[int](), 0
        for toward in self._attractors(lead, g):
            self._back()
            if not self._place(lead, (g,), 0, toward):
                # There is no place for it at all, wherever it would like to have one.
                return
            x, y, z = (int(v) for v in self.now.pos[self.models[lead]])
            facing = int(self.now.facing[self.models[lead]])
            if any(z == c and (x - a) ** 2 + (y - b) ** 2 < ASIDE**2 for a, b, c in seen):
                continue
            seen.append((x, y, z))
            if len(seen) == 1 and len(self.models) > 1 and len(goals) == 1 and p.way == STRAIGHT:
                shifted = self._all_shifted(lead)
                if shifted is not None:
                    yield shifted
            for others_lead in (self._all_led, self._chained) if len(goals) > 1 else (self._all_led,):
                self._back()
                self.now.pos[self.models[lead]], self.now.facing[self.models[lead]] = (x, y, z), facing
                self.waiting.remove(lead)
                found = next(self._followed(), None) if others_lead(goals, (x, y)) else None
                if found is not None:
                    yield found
                    break
            yield None
            times = times + 1 if stuck & self.behind else 0
            stuck = stuck & self.behind or self.behind
            if self.budget <= 0 or times == STUCK:
                return

    def _all_led(self, goals: Sequence[int], beside: tuple[int, int]) -> bool:
        """Whether somebody leads against each of the groups."""
        return all(self._is_reached(g) or self._also_led(g, goals, beside) for g in goals)

    def _chained(self, goals: Sequence[int], _beside: tuple[int, int]) -> bool:
        """Whether each group is reached by a chain from the leader on: whoever is nearest goes on from there."""
        p = self.party
        for g in goals:
            theirs = self._theirs[g]
            while not self._is_reached(g):
                placed = self._in_place()
                flat = self.now.pos[theirs, :2][:, None] - self.now.pos[placed, :2][None]
                x, y, _ = self.now.pos[theirs[int((flat * flat).sum(axis=2).min(axis=1).argmin())]].tolist()
                wanted = min(len(placed), p.rule.neighbours) if p.rule.reach >= 0 else 0
                order = [self.waiting[k] for k in np.argsort(self._away(self.waiting, placed), kind="stable")]
                ways = ((m, to) for m in order for to in ([(g,), ()] if self.able[m, g] else [()]))
                if not any(self.budget > 0 and self._place(m, to, wanted, (x, y)) for m, to in ways):
                    return False
        return True

    def _followed(self) -> Iterator[Ints]:
        """What comes of bringing those who wait after their leaders, in one manner or the other."""
        places, facing, waiting = self.now.pos[self.models], self.now.facing[self.models], self.waiting
        self.behind = set()
        for manner in (OWN_START, AFTER_THE_LAST) if len(waiting) > 0 else (OWN_START,):
            self.now.pos[self.models], self.now.facing[self.models], self.waiting = places, facing, list(waiting)
            if self._follow(manner):
                self.shown += 1
                yield self._ends()

    def _all_shifted(self, lead: int) -> Ints | None:
        """Everybody moved just as the leader; None where that brings them on top of others, or apart."""
        p = self.party
        self.now.pos[self.models] = self.start + (self.now.pos[self.models[lead]] - self.start[lead])
        others = np.flatnonzero(p.movers[lead].blocks.end_block)
        others = others[~np.isin(others, self.models)]
        away = self.now.pos[self.models, :2].mean(axis=0) - self.now.pos[others, :2]
        others = others[(away * away).sum(axis=1) < (24 * STEP) ** 2]
        clash = len(others) and float(gaps(self.now, p.shapes, self.models, others).min()) < OVERLAP
        if clash or lacking(self.now, p.shapes, self.mates, p.rule):
            return None
        return self._ends()

    def _ends(self) -> Ints:
        return np.column_stack((self.now.pos[self.models], self.now.facing[self.models]))

    def _back(self) -> None:
        self.now.pos[self.models] = self.start
        self.now.facing[self.models] = self.party.bodies.facing[self.models]
        self.waiting = list(range(len(self.models)))

    def _in_place(self) -> Ints:
        gone = np.ones(len(self.mates), dtype=np.bool_)
        gone[[len(self.party.staying) + m for m in self.waiting]] = False
        return self.mates[gone]

    def _is_reached(self, g: int) -> bool:
        p, placed = self.party, self._in_place()
        if p.themselves:
            placed = placed[len(p.staying) :]
        return linked(self.now, p.shapes, placed, self._theirs[g], p.near)

    def _also_led(self, g: int, goals: Sequence[int], beside: tuple[int, int]) -> bool:
        """Whether somebody else leads against another group, as near to the first leader as may be."""
        p, placed = self.party, self._in_place()
        # Who can reach few of the groups is more easily spared for this one.
        able = sorted((int(self.able[m, goals].sum()), m) for m in self.waiting if self.able[m, g])
        widest = 2 * int(p.shapes.reach[p.bodies.shape[self.models]].max())
        gap = float(gaps(self.now, p.shapes, placed, self._theirs[g]).min())
        for wanted in (1, 0) if gap <= p.near.flat + p.rule.reach + widest else (0,):
            for _, m in able:
                if self.budget > 0 and self._place(m, (g,), wanted, beside):
                    return True
        return False

    def _attractors(self, lead: int, g: int) -> Iterator[tuple[int, int]]:
        """Points that a leader may want to be near to: its start, comrades, other groups, and sides of its own."""
        p, x, y = self.party, int(self.start[lead, 0]), int(self.start[lead, 1])
        yield x, y
        others = [m for m in range(len(self.models)) if m != lead]
        away = ((self.start[others, :2] - self.start[lead, :2]) ** 2).sum(axis=1)
        for k in np.argsort(-away, kind="stable")[: self.doubled(COMRADES)].tolist():
            yield int(self.start[others[k], 0]), int(self.start[others[k], 1])
        for t in p.targets[p.group != g].tolist():
            yield int(p.bodies.pos[t, 0]), int(p.bodies.pos[t, 1])
        theirs = self._theirs[g]
        mx, my = (int(v) for v in p.bodies.pos[theirs, :2].sum(axis=0) // len(theirs))
        for f in range(0, TURN, TURN // self.doubled(SIDES)):
            yield mx + 4 * STEP * int(COS[f]) // TRIG_SCALE, my + 4 * STEP * int(SIN[f]) // TRIG_SCALE

    def _follow(self, manner: int) -> bool:
        """Bring those who wait after those who have their places; False: the unit does not get together."""
        p, failed = self.party, list[int]()
        while self.waiting:
            placed = self._in_place()
            away = self._away(self.waiting, placed)
            wanted = min(len(placed), p.rule.neighbours) if p.rule.reach >= 0 else 0
            ready = [
                (int(away[k]), m)
                for k, m in enumerate(self.waiting)
                if m not in failed and (not wanted or away[k] <= self._furthest[m])
            ]
            if not ready or self.budget <= 0:
                self.behind = set(self.waiting)
                return False
            parts = self._parts(placed) if wanted else []
            if wanted > 1 and len(placed) > 2 and len(parts) == 1 and self._support(placed, wanted):
                failed.clear()
                continue
            m = min(ready)[1]
            self.now.facing[self.models[m]] = p.bodies.facing[self.models[m]]
            last = self.waiting[int(away.argmax())] if manner == AFTER_THE_LAST else m
            toward = int(self.start[last, 0]), int(self.start[last, 1])
            if manner == OWN_START and self._may_stay(m, placed, wanted, parts):
                self.waiting.remove(m)
                failed.clear()
            elif (len(parts) > 1 and self._bridge(m, wanted, toward, parts)) or (
                (len(parts) < 2 or len(self.waiting) > 1) and self._place(m, (), wanted, toward)
            ):
                failed.clear()
            else:
                failed.append(m)
        return bool(lacking(self.now, p.shapes, self.mates, p.rule) == 0)

    def _away(self, movers: Sequence[int], models: Ints) -> Ints:
        """How far movers start from the nearest of some models, squared."""
        flat = self.now.pos[models, :2][None] - self.start[list(movers), :2][:, None]
        return np.asarray((flat * flat).sum(axis=2).min(axis=1, initial=1 << 60))

    def _support(self, placed: Ints, wanted: int) -> bool:
        """Bring somebody beside those in place who have too few neighbours, as leaders with one between them have."""
        p, rule = self.party, self.party.rule
        links_ = neighbour_counts(self.now, p.shapes, placed, rule.reach, rule.vertical)
        short = placed[links_ < rule.neighbours]
        alone = [short[k : k + 1] for k in range(len(short))]
        for some in ([alone] if len(alone) > 1 else []) + [[one] for one in alone]:
            away = self._away(self.waiting, np.concatenate(some))
            for k in np.argsort(away, kind="stable").tolist():
                m = self.waiting[k]
                toward = int(self.start[m, 0]), int(self.start[m, 1])
                if self.budget > 0 and self._place(m, (), wanted, toward, some):
                    return True
        return False

    def _bridge(self, m: int, wanted: int, toward: tuple[int, int], parts: list[Ints]) -> bool:
        """Link a mover with all parts of the unit; or, if more are to come, with one, as near to the next as may be."""
        if self._place(m, (), wanted, toward, parts):
            return True
        pos = self.now.pos[:, :2]
        for part in parts if len(self.waiting) > 1 else ():
            others = np.concatenate([p for p in parts if p is not part])
            flat = pos[part][:, None] - pos[others][None]
            nearest = others[int((flat * flat).sum(axis=2).min(axis=0).argmin())]
            if self._place(m, (), min(wanted, len(part)), (int(pos[nearest, 0]), int(pos[nearest, 1])), (part,)):
                return True
        return False

    def _parts(self, placed: Ints) -> list[Ints]:
        """The groups that those in place stand in; who comes after them may have to join them."""
        if len(placed) < 2 or not self.party.rule.one_group:
            return [placed]
        number = groups(self.now, self.party.shapes, placed, self.party.rule.reach, self.party.rule.vertical)
        return [placed[number == k] for k in range(int(number.max()) + 1)]

    def _may_stay(self, m: int, placed: Ints, wanted: int, parts: list[Ints]) -> bool:
        """Whether a mover has its links where it started, and nobody has taken its place."""
        p, own = self.party, self.models[m : m + 1]
        near = placed[links(self.now, p.shapes, own, placed, p.rule.near)[0]]
        if len(near) < wanted or (len(parts) > 1 and not all(np.isin(part, near).any() for part in parts)):
            return False
        moved = placed[len(p.staying) :]
        return not len(moved) or float(gaps(self.now, p.shapes, own, moved).min()) >= OVERLAP

    def _place(
        self, m: int, engage: Sequence[int], wanted: int, toward: tuple[int, int], parts: Sequence[Ints] = ()
    ) -> bool:
        """Put a mover where it reaches some groups and has its links, as near to a point as may be; False: nowhere.

        Where those in place stand in several parts, it is linked with each of these.
        """
        self.budget -= 1
        p, mover = self.party, self.party.movers[m]
        absent = self._absent
        absent[self.models] = 0
        absent[self.models[self.waiting]] = 1
        absent[mover.model] = 1
        # One group for each enemy unit, one for comrades, one for whom to come closer to, and one for each part.
        number = np.zeros(self.groups + 2 + len(parts), dtype=np.int64)
        number[self.groups], number[self.groups + 1] = wanted, min(1, len(mover.closer))
        count = 0
        for g in engage:
            number[g] = 1
            count = self._wish(count, self._theirs[g], g, p.near.flat, p.near.up)
        if wanted:
            count = self._wish(count, self._in_place(), self.groups, p.rule.reach, p.rule.vertical)
        for k, part in enumerate(parts):
            number[self.groups + 2 + k] = 1
            count = self._wish(count, part, self.groups + 2 + k, p.rule.reach, p.rule.vertical)
        (x, y, z), ahead, longest, field = self._start[m], self._ahead[m], 0, NO_FIELD
        if p.way in (AROUND, PERHAPS_AROUND):
            longest = mover.far if p.way == AROUND else self._longest(mover.far)
            field = self._field(m)
        elif p.way == OVER and mover.over:
            longest = ANYHOW
        climbs = mover.climbs if p.way == CLIMBING else None
        for level in (z,) if longest > 0 else (z, *(v for v in p.levels if v != z)):
            facings = ((ahead, 0), *(mover.turns if p.way == TURNED and engage else ()))
            if climbs is not None:
                longest, (field, spent) = self._longest(mover.far), climbs(level)
                # A field is not exact; where a roll is just enough, the straight way is.
                facings = ((ahead, spent), (ahead, 0)) if spent else facings
            many = count
            if len(mover.closer):
                many = self._wish(count, mover.closer, self.groups + 1, self._closer_than(mover, level), _ANY_HEIGHT)
            wishes = Wishes(self._who[:many], self._group[:many], self._gap[:many], self._rise[:many], number)
            for facing, cost in facings:
                self.now.facing[mover.model] = facing
                goer = Goer(mover.model, x, y, z, mover.far - cost, longest, int(mover.slant), field, CELL)
                found, px, py = nearest_place(
                    self.now, p.shapes, p.terrain, mover.blocks, absent, goer, level, wishes, toward[0], toward[1]
                )
                self.met_closed_ways = self.met_closed_ways or found in (BARRED, FOUND_PAST)
                if found in (FOUND, FOUND_PAST):
                    self.now.pos[mover.model] = (px, py, level)
                    self.waiting.remove(m)
                    return True
        self.now.pos[mover.model], self.now.facing[mover.model] = self.start[m], ahead
        return False

    def _longest(self, far: int) -> int:
        """How long a way may be by a field that may be wrong."""
        return far + int((longest_in_field(far, CELL) - far) * self.party.leeway)

    def _field(self, m: int) -> Floats:
        """About how far a mover has to go to the cells around it."""
        if m not in self.fields:
            p, mover = self.party, self.party.movers[m]
            far = int(longest_in_field(mover.far, CELL))
            found = reach(p.bodies, p.shapes, p.terrain, mover.model, far, CELL, mover.blocks)
            self.fields[m] = found.cost
        return self.fields[m]

    def _closer_than(self, mover: Mover, level: int) -> Floats:
        """Within which gaps, seen from above, a mover on a level is closer to others than before."""
        found = self._gaps_to_beat.get((mover.model, level))
        if found is None:
            bodies, thick = self.party.bodies, self.party.shapes.thick
            low = bodies.pos[mover.closer, 2]
            high = low + thick[bodies.shape[mover.closer]]
            up = np.maximum(np.maximum(low - level - int(thick[bodies.shape[mover.model]]), level - high), 0)
            found = np.sqrt(np.maximum(mover.before**2 - up.astype(np.float64) ** 2, 0.0)) - CLOSER
            self._gaps_to_beat[mover.model, level] = found
        return found

    def _wish(self, count: int, models: Ints, group: int, gap: Floats | int, rise: int) -> int:
        after = count + len(models)
        self._who[count:after], self._group[count:after] = models, group
        self._gap[count:after], self._rise[count:after] = gap, rise
        return after
