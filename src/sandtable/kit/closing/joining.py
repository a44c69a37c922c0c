"""Joining battle: the search behind moves that must be made if they can be.

A verdict may rest on what it does not find: that a charge fails, that the objective may be consolidated to, that no
model could have touched. So it looks everywhere, within the bounds that stand at the top of `table.arrange_join` and
here, and is held against a brute force. What it does not look for: climbs along floors, and more than one turn of a
base that is not round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sandtable.battle.decisions import Leg, Moves, Path
from sandtable.kit.closing.climbing import Ways, climb_of, climb_to, climbing_ways, extra_climb
from sandtable.kit.closing.contact import Contact, closer_than, groups, mates_of, models_of, near
from sandtable.kit.moving import after, path_of
from sandtable.kit.walking import is_blocked, walk_to
from sandtable.table.arrange_join import AROUND, CLIMBING, PERHAPS_AROUND, TRIES, TURNED, Mover, Party, join
from sandtable.table.arrange_nearest import longest_in_field
from sandtable.table.footprints import lying_in
from sandtable.table.grid import TURN, Floats, Ints
from sandtable.table.measure import gaps
from sandtable.table.moves import Obstacles
from sandtable.table.path import shortest_path
from sandtable.table.reach import CELL
from sandtable.table.scatter import bearing
from sandtable.table.shapes import Bodies
from sandtable.table.zones import Ball, Zone

if TYPE_CHECKING:
    from sandtable.battle.system import AnyWorld


def join_battle(
    w: AnyWorld,
    c: Contact,
    movers: Ints,
    begun: Moves | None = None,
    tries: int = TRIES,
    still: tuple[int, ...] | None = None,
) -> Moves | None:
    """A move that meets the conditions, by a search that is bounded but looks everywhere; None where it finds none.

    Models that are not among the movers stay, or stand where the move that was `begun` takes them. `still` are the
    units that remain to be reached, where that move has reached others. Where nobody must be reached, somebody gets as
    near as the last goal of the contact says.
    """
    goal = c.ladder[-1] if c.reach is None else c.reach
    stand, prey = w.bodies if begun is None else after(w, begun), c.prey if still is None else still
    party = _party(w, c, movers, stand, prey, goal, tries)
    return _accepted(w, c, party, movers, () if begun is None else begun.paths)


def get_near(w: AnyWorld, c: Contact, model: int, begun: Moves, goal: Zone | Ball, tries: int) -> Moves | None:
    """The move that was `begun`, with a model that gets so near to the enemy itself, whoever else is there already."""
    mover = np.array([model], dtype=np.int64)
    party = _party(w, c, mover, after(w, begun), c.prey, goal, tries)
    alike = np.zeros(len(party.targets), dtype=np.int64)
    return _accepted(w, c, party._replace(group=alike, themselves=True), mover, begun.paths, goal)


def _accepted(
    w: AnyWorld, c: Contact, party: Party, movers: Ints, paths: tuple[Path, ...], goal: Zone | Ball | None = None
) -> Moves | None:
    """The first move that meets the conditions, of those that bring movers to the places that are found.

    With a goal, it has brought them so near to the enemy: a base that is not round may have been turned meanwhile.
    """
    for way, ends in join(party):
        for turned_first in (True, False) if way == TURNED else (True,):
            moves = Moves(c.way.move, (*paths, *_go_to(w, c, movers, ends, turned_first).paths))
            if way in (AROUND, PERHAPS_AROUND, CLIMBING):
                moves = _unblocked(w, c, moves)
            if moves.paths and c.accept(w, c, moves) and (goal is None or _are_near(w, c, moves, movers, goal)):
                return moves
    return None


def _are_near(w: AnyWorld, c: Contact, moves: Moves, movers: Ints, goal: Zone | Ball) -> bool:
    return bool(near(w, after(w, moves), movers, models_of(w, c.prey), goal).all())


def joined(w: AnyWorld, c: Contact) -> Iterator[Moves]:
    """An attempt at a move: the one that is found so."""
    found = join_battle(w, c, np.array(c.movers, dtype=np.int64))
    if found is not None:
        yield found


def _party(
    w: AnyWorld, c: Contact, movers: Ints, stand: Bodies, prey: tuple[int, ...], goal: Zone | Ball, tries: int
) -> Party:
    mates, targets = mates_of(w, c), models_of(w, prey)
    # Who only follows others need not turn.
    turn = stand is w.bodies
    return Party(
        c.way.things(w, stand),
        w.shapes,
        w.terrain,
        [_mover(w, c, int(m), turn) for m in movers],
        mates[~np.isin(mates, movers)],
        targets,
        groups(w, c, targets, prey),
        goal,
        c.way.together(w, len(mates)),
        sorted({int(z) for z in w.state.models.pos[targets, 2]} | {0}),
        tries=tries,
    )


def _mover(w: AnyWorld, c: Contact, model: int, turn: bool) -> Mover:
    near, before = closer_than(w, c, model)
    blocks, slant = c.way.ends(w, model), c.way.flies(w, model)
    turns = _turns(w, c, model) if turn else ()
    climbs = _climbs(w, c, model, blocks)
    return Mover(model, c.far, blocks, slant, near, before, slant and _may_soar(w, c, model), turns, climbs)


def _climbs(w: AnyWorld, c: Contact, model: int, blocks: Obstacles) -> Callable[[int], tuple[Floats, int]] | None:
    """For a height, the field of ways that climb, and what climbing takes of the straight way to the nearest enemy."""
    climb, enemies = climb_of(w, c, model, blocks), models_of(w, c.prey)
    if climb is None or not len(enemies):
        return None
    nearest = int(enemies[int(gaps(w.bodies, w.shapes, np.array([model], dtype=np.int64), enemies)[0].argmin())])
    known = dict[int, tuple[Floats, int]]()

    def look(level: int) -> tuple[Floats, int]:
        if level not in known:
            known[level] = ways_of(w, c, model).to_level(level), extra_climb(w, climb, nearest, level)
        return known[level]

    return look


def ways_of(w: AnyWorld, c: Contact, model: int) -> Ways:
    """The field of ways that climb."""
    # One field serves moves of all lengths.
    most = int(longest_in_field(max(c.far, c.furthest), CELL))
    return climbing_ways(w, c.way, model, most, c.lying)


def _may_soar(w: AnyWorld, c: Contact, model: int) -> bool:
    """Whether a flying model starts on a terrain feature, or could end on one beside an enemy."""
    spots = np.concatenate((w.state.models.pos[[model], :2], w.state.models.pos[models_of(w, c.prey), :2]))
    return bool(lying_in(spots, w.terrain.outline, w.terrain.corners).any())


def _turns(w: AnyWorld, c: Contact, model: int) -> tuple[tuple[int, int], ...]:
    """Facings that a base which is not round may turn to: at the enemy, its side to it, and by an eighth or a quarter.

    Each comes with what the turn takes of its way.
    """
    if w.shapes.corners[w.ground.shape[model]] == 1:
        return ()
    now, here = int(w.state.models.facing[model]), w.state.models.pos[model]
    enemies = models_of(w, c.prey)
    gap = gaps(w.bodies, w.shapes, np.array([model], dtype=np.int64), enemies)[0]
    there = w.state.models.pos[enemies[int(gap.argmin())]]
    ahead = int(bearing(int(there[0] - here[0]), int(there[1] - here[1])))
    found: list[tuple[int, int]] = []
    for facing in (ahead, ahead + TURN // 4, now + TURN // 4, now + TURN // 8, now - TURN // 8):
        # Bases are the same when they have turned by half.
        turn = (facing - now + TURN // 4) % (TURN // 2) - TURN // 4
        cost = math.ceil(c.way.swing(w, model, abs(turn)))
        if abs(turn) > TURN // 72 and cost < c.far and all(abs(turn - t) > TURN // 72 for t, _ in found):
            found.append((turn, cost))
    return tuple(((now + turn) % TURN, cost) for turn, cost in found)


def _go_to(w: AnyWorld, c: Contact, movers: Ints, ends: Ints, turned_first: bool) -> Moves:
    """The straight ways to places [n, x y z facing]."""
    moves = walk_to(w, c.way, movers, ends[:, :3])
    facing = dict(zip(movers.tolist(), ends[:, 3].tolist(), strict=True))
    paths = (_turned(w, p, facing[p.model], turned_first) for p in moves.paths)
    return Moves(moves.mode, tuple(paths))


def _turned(w: AnyWorld, path: Path, facing: int, first: bool) -> Path:
    """The same way with one turn, at its beginning or its end."""
    x, y, z = (int(v) for v in w.state.models.pos[path.model])
    if facing == int(w.state.models.facing[path.model]):
        return path
    if first:
        legs = tuple(Leg(leg.do, leg.x, leg.y, leg.z, facing) for leg in path.legs)
        return Path(path.model, (Leg("turn", x, y, z, facing), *legs))
    end = path.legs[-1]
    return Path(path.model, (*path.legs, Leg("turn", end.x, end.y, end.z, facing)))


def _unblocked(w: AnyWorld, c: Contact, moves: Moves) -> Moves:
    """The same ends, by ways around or over things for those whose straight way is blocked, or too long a flight."""
    bodies, paths = after(w, moves), list[Path]()
    for path in moves.paths:
        end = path.legs[-1]
        too_long = c.way.flies(w, path.model) and c.way.length(w, path) > c.far + 0.5
        found = path
        if too_long or is_blocked(w, c.way, bodies, path):
            found = other_way(w, c, bodies, path.model, (end.x, end.y, end.z)) or path
        paths.append(found)
    return Moves(moves.mode, tuple(paths))


def other_way(w: AnyWorld, c: Contact, bodies: Bodies, model: int, goal: tuple[int, int, int]) -> Path | None:
    """The shortest way of a model around things, or up and down them, while all others stand where they end."""
    around, climb = detour(w, c, bodies, model, goal), climb_of(w, c, model, c.way.ends(w, model))
    if climb is None:
        return around
    up = climb_to(w, climb, ways_of(w, c, model), c.way.things(w, bodies), goal)
    ways = [p for p in (around, up) if p is not None]
    return min(ways, key=lambda p: c.way.length(w, p), default=None)


def detour(w: AnyWorld, c: Contact, bodies: Bodies, model: int, goal: tuple[int, int, int]) -> Path | None:
    """The shortest way of a model around things, while all others stand where they end."""
    there = at_its_start(w, c.way.things(w, bodies), model)
    swing = partial(c.way.swing, w, model)
    way = shortest_path(there, w.shapes, w.terrain, model, goal, c.far, c.way.ends(w, model), swing)
    return None if way is None else Path(model, path_of(way.legs))


def at_its_start(w: AnyWorld, bodies: Bodies, model: int) -> Bodies:
    """The same with a model where it stands now."""
    there = Bodies(bodies.pos.copy(), bodies.facing.copy(), bodies.shape)
    there.pos[model], there.facing[model] = w.state.models.pos[model], w.state.models.facing[model]
    return there
