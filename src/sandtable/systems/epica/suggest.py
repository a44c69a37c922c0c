"""Ideas for moves: places that a whole formation can go to, quickly found and varied.

Ideas are likely to be legal; the judge of the question has the last word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.system import Goal
from sandtable.kit.walking import arranged
from sandtable.systems.epica import zoc
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.charge import (
    contacts_of,
    counter_charge_distance,
    place_in_contact,
    straight,
    towards,
)
from sandtable.systems.epica.movement import check_way, rows_of, speed_of, stay_or_leave
from sandtable.systems.epica.passage import Passage
from sandtable.systems.epica.state import EpicWorld, Formation, enemy_stands, sheet, stands
from sandtable.table.arrange import FORMATIONS
from sandtable.table.grid import STEP, TOUCHING, TURN, Ints, steps
from sandtable.table.measure import gaps
from sandtable.table.scatter import offset

TRIES = 5


def go_to(
    world: EpicWorld, decision: Move, anchor: tuple[int, int], shape: str, allowance: Ints, *, zones: bool
) -> Moves | None:
    """The formation around a point, or as near to it as it gets."""
    size = world.terrain.size
    x = min(max(anchor[0], STEP), int(size[0]) - STEP)
    y = min(max(anchor[1], STEP), int(size[1]) - STEP)
    way = Passage(decision.unit, decision.modes[0].name, decision.models, zones)
    found = arranged(world, way, rows_of(decision.models), allowance, (x, y), shape, 0)
    return None if found is None else Moves(found.mode, tuple(sorted(found.paths, key=lambda p: p.model)))


def _speeds(world: EpicWorld, models: Sequence[int]) -> Ints:
    # A step less, because a straight way is rarely a whole number of steps long.
    return np.array([max(0, steps(sheet(world, m).speed) - 2) for m in models], dtype=np.int64)


def _middle(world: EpicWorld, models: Sequence[int]) -> tuple[int, int]:
    pos = world.state.models.pos[rows_of(models)]
    return int(pos[:, 0].sum()) // len(models), int(pos[:, 1].sum()) // len(models)


def ordinary_moves(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Moves of an action: towards an enemy, or anywhere."""
    if not decision.models:
        return
    formation = world.unit(decision.unit)
    speeds = _speeds(world, decision.models)
    if not speeds.any():
        return
    if rng.random() < 0.1:
        yield stay_or_leave(world, decision)
    if decision.about.get("action") == "road-march":
        yield from _along_road(world, decision, rng)
        return
    enemies = [e for e in world.enemies_of(formation.player) if world.is_on_table(e)]
    for _ in range(TRIES):
        x, y = _middle(world, decision.models)
        if enemies and rng.random() < 0.6:
            x, y = _middle(world, stands(world, rng.choice(enemies)))
        else:
            x, y = offset(x, y, rng.randrange(TURN), int(rng.random() * decision.modes[0].allowance))
        shape = rng.choice(FORMATIONS[:5]) if rng.random() < 0.3 else "keep"
        found = go_to(world, decision, (int(x), int(y)), shape, speeds, zones=True)
        if found is not None:
            yield found


def move_towards(world: EpicWorld, decision: Move, goal: Goal) -> Iterator[Moves]:
    """To a place that a player points at, or as far on the way as there is room."""
    x, y = _middle(world, decision.models)
    for part in (4, 3, 2, 1):
        anchor = (x + (goal.x - x) * part // 4, y + (goal.y - y) * part // 4)
        for shape in dict.fromkeys((goal.shape, "block")):
            found = go_to(world, decision, anchor, shape, _speeds(world, decision.models), zones=True)
            if found is not None:
                yield found


def _along_road(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """All units the same way along the x or y axis, as far as the road goes."""
    pos = world.state.models.pos
    for _ in range(4):
        far = rng.randint(1, max(1, int(_speeds(world, decision.models).min()) // STEP)) * STEP
        dx, dy = rng.choice(((far, 0), (-far, 0), (0, far), (0, -far)))
        yield Moves(
            decision.modes[0].name,
            tuple(straight(world, m, int(pos[m, 0]) + dx, int(pos[m, 1]) + dy) for m in decision.models),
        )


def withdrawals(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Away from the enemy, to the emptiest of a few places."""
    if not decision.models:
        return
    formation = world.unit(decision.unit)
    speeds = _speeds(world, decision.models)
    if not speeds.any() or rng.random() < 0.1:
        return
    for idea in range(3):
        anchor = _refuge(world, formation, decision, rng) if idea < 2 else _middle(world, decision.models)
        found = go_to(world, decision, anchor, "keep", speeds, zones=False)
        if found is not None:
            yield found


def _refuge(world: EpicWorld, formation: Formation, decision: Move, rng: Random) -> tuple[int, int]:
    x, y = _middle(world, decision.models)
    enemies = enemy_stands(world, formation.player)
    far, width, depth = decision.modes[0].allowance, int(world.terrain.size[0]), int(world.terrain.size[1])
    places = [offset(x, y, (rng.randrange(64) + 512 * k) % TURN, far) for k in range(8)]
    places = [(min(max(int(px), STEP), width - STEP), min(max(int(py), STEP), depth - STEP)) for px, py in places]
    if not enemies:
        return places[0]
    there = world.state.models.pos[rows_of(enemies)]
    return max(places, key=lambda p: int(((there[:, 0] - p[0]) ** 2 + (there[:, 1] - p[1]) ** 2).min()))


def consolidations(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """A short move together."""
    if not decision.models or rng.random() < 0.3:
        return
    x, y = _middle(world, decision.models)
    limit = np.array([BOOK.consolidation - 2 if sheet(world, m).speed else 0 for m in decision.models], dtype=np.int64)
    for _ in range(2):
        px, py = offset(x, y, rng.randrange(TURN), int(rng.random() * BOOK.consolidation))
        found = go_to(world, decision, (int(px), int(py)), "keep", limit, zones=True)
        if found is not None:
            yield found


def charges(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Into contact with whoever is in reach, or up to the edge of the enemy's zones."""
    if not decision.models:
        return
    targets = [m for t in decision.about["targets"] for m in stands(world, world.unit(t))]
    if not targets:
        return
    speeds = _speeds(world, decision.models)
    contact = into_contact(world, decision, targets)
    firefight = go_to(world, decision, _middle(world, targets), "keep", speeds, zones=True)
    ideas = [contact, firefight] if rng.random() < 0.7 else [firefight, contact]
    yield from (idea for idea in ideas if idea is not None and idea.paths)


def into_contact(world: EpicWorld, decision: Move, targets: Sequence[int]) -> Moves:
    """Each unit straight at the nearest enemy that is not taken, the nearest unit first; the rest close up."""
    formation = world.unit(decision.unit)
    members = list(decision.models)
    table = gaps(world.bodies, world.shapes, rows_of(members), rows_of(targets))
    contacts = contacts_of(world, formation, targets, set(members))
    moves = Moves(decision.modes[0].name)
    order = sorted(range(len(members)), key=lambda i: (float(table[i].min()), members[i]))
    behind = []
    for i in order:
        stand = members[i]
        if table[i].min() <= TOUCHING:
            continue
        path = None
        for t in sorted(range(len(targets)), key=lambda t: (float(table[i, t]), targets[t])):
            if table[i, t] > steps(sheet(world, stand).speed):
                break
            if contacts[targets[t]] < BOOK.attackers_for_each:
                path = _contact_path(world, formation, moves, stand, targets[t])
                if path is not None:
                    contacts[targets[t]] += 1
                if path is not None or not contacts[targets[t]]:
                    break
        if path is None:
            behind.append(stand)
        else:
            moves = Moves(moves.mode, (*moves.paths, path))
    return _close_up(world, formation, moves, behind, [t for t, n in contacts.items() if n])


def _contact_path(world: EpicWorld, formation: Formation, moves: Moves, stand: int, enemy: int):  # type: ignore[no-untyped-def]
    """A straight way into contact with an enemy, from the front or from beside those who are there already."""
    pos = world.state.models.pos
    sx, sy, ex, ey = int(pos[stand, 0]), int(pos[stand, 1]), int(pos[enemy, 0]), int(pos[enemy, 1])
    limit = speed_of(world)
    for turn in (0, 512, -512, 900, -900):
        fx, fy = _turned(sx - ex, sy - ey, turn)
        x, y = place_in_contact(world, stand, enemy, ex + fx, ey + fy)
        path = straight(world, stand, x, y)
        far = (x - sx) ** 2 + (y - sy) ** 2
        if far <= limit(path) ** 2 and check_way(world, formation, Moves(moves.mode, (*moves.paths, path))):
            return path
    return None


def _turned(dx: int, dy: int, turn: int) -> tuple[int, int]:
    from sandtable.table.scatter import bearing

    far = int(np.sqrt(float(dx * dx + dy * dy)))
    x, y = offset(0, 0, (int(bearing(dx, dy)) + turn) % TURN, far)
    return int(x), int(y)


def _close_up(
    world: EpicWorld, formation: Formation, moves: Moves, behind: Sequence[int], touched: Sequence[int]
) -> Moves:
    """Bring those who reach nobody as near to their comrades as the enemy's zones let them."""
    zones = zoc.zones_against(world, formation.player, touched)
    for stand in behind if moves.paths else ():
        pos = world.state.models.pos[stand]
        mate = min(
            moves.paths,
            key=lambda p: (p.legs[-1].x - int(pos[0])) ** 2 + (p.legs[-1].y - int(pos[1])) ** 2,
        )
        speed = steps(sheet(world, stand).speed)
        for share in (4, 3, 2, 1):
            path = towards(world, stand, mate.legs[-1].x, mate.legs[-1].y, speed * share / 4)
            tried = Moves(moves.mode, (*moves.paths, path))
            if check_way(world, formation, tried) and zoc.keeps_out(world, (path,), zones):
                moves = tried
                break
    return moves


def counter_charges(world: EpicWorld, decision: Move, rng: Random) -> Iterator[Moves]:
    """Each unit straight at the closest enemy; some may stay."""
    formation = world.unit(decision.unit)
    enemies = enemy_stands(world, formation.player)
    if not decision.models or not enemies:
        return
    table = gaps(world.bodies, world.shapes, rows_of(decision.models), rows_of(enemies))
    for keenness in (rng.choice((1.0, 0.6)), 0.3):
        contacts = contacts_of(world, formation, enemies, set())
        moves = Moves(decision.modes[0].name)
        for i in sorted(range(len(decision.models)), key=lambda i: (float(table[i].min()), i)):
            stand = decision.models[i]
            if rng.random() > keenness:
                continue
            free = [t for t in range(len(enemies)) if contacts[enemies[t]] < BOOK.attackers_for_each]
            if not free:
                break
            t = min(free, key=lambda t: (float(table[i, t]), enemies[t]))
            far = counter_charge_distance(sheet(world, stand).speed)
            pos = world.state.models.pos[stand]
            x, y = place_in_contact(world, stand, enemies[t], int(pos[0]), int(pos[1]))
            path = towards(world, stand, x, y, far) if table[i, t] > far - 2 else straight(world, stand, x, y)
            tried = Moves(moves.mode, (*moves.paths, path))
            if check_way(world, formation, tried):
                moves = tried
                contacts[enemies[t]] += table[i, t] <= far
        if moves.paths:
            yield moves
