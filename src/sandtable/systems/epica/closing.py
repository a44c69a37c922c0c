"""Getting into contact: charges and counter charges that are worth making, each unit against its own enemy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from sandtable.battle.decisions import Move, Moves, Path
from sandtable.battle.verdict import Verdict
from sandtable.kit.closing.contact import Contact, sought
from sandtable.kit.closing.instead import contact_instead
from sandtable.kit.closing.plan import Plan, find
from sandtable.kit.moving import after
from sandtable.kit.walking import walk
from sandtable.systems.epica import zoc
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.charge import check_charge, contacts_of, counter_charge_distance
from sandtable.systems.epica.movement import check_way, fastest, rows_of, speed_of
from sandtable.systems.epica.passage import Passage
from sandtable.systems.epica.state import EpicWorld, Formation, enemy_stands, sheet
from sandtable.table.contact import ANY, contact_spots
from sandtable.table.grid import TOUCHING, steps
from sandtable.table.measure import gaps
from sandtable.table.zones import CONTACT

SPOTS: Final = 40
"""So many places beside an enemy are looked at."""


def into_contact(world: EpicWorld, decision: Move, movers: Sequence[int] | None = None) -> Moves | None:
    """A charge that brings as many units into contact as the search finds a way for; None where it finds none.

    With `movers` only these go, the others stay.
    """
    return find(world, Plan(contact_sought(world, decision, movers), accepts, (two_for_each,)))


def straight_in(world: EpicWorld, decision: Move, movers: Sequence[int] | None = None) -> Moves | None:
    """The same without looking for ways around things, which is quick."""
    contact = contact_sought(world, decision, movers)
    targets = sought(world, contact).tolist()
    moves = _with_the_rest(world, contact, _paired_off(world, world.unit(decision.unit), contact, targets), targets)
    return moves if moves.paths and accepts(world, contact, moves) else None


def contact_sought(world: EpicWorld, decision: Move, movers: Sequence[int] | None = None) -> Contact:
    """What a charge seeks; with `movers` only these go."""
    going = decision.models if movers is None else tuple(movers)
    way = Passage(decision.unit, decision.modes[0].name, going, keeps_out=False)
    far = fastest(world, world.unit(decision.unit))
    prey = tuple(int(t) for t in decision.about["targets"])
    return Contact(way, far, going, prey, accepts, reach=CONTACT, ladder=(CONTACT,))


def accepts(world: EpicWorld, c: Contact, moves: Moves) -> Verdict:
    """Whether a charge is legal."""
    return check_charge(world, world.unit(c.way.unit), c.prey, moves)


def two_for_each(world: EpicWorld, c: Contact) -> Iterator[Moves]:
    """Each unit straight at the nearest enemy that is not taken, then around things, and the rest close up."""
    formation, targets = world.unit(c.way.unit), sought(world, c).tolist()
    if not targets:
        return
    moves = _paired_off(world, formation, c, targets)
    while (more := contact_instead(world, c, moves, c.movers)) is not None:
        moves = more
    yield _with_the_rest(world, c, moves, targets)


def _with_the_rest(world: EpicWorld, c: Contact, moves: Moves, targets: Sequence[int]) -> Moves:
    """Those who touch nobody close up."""
    there = after(world, moves)
    table = gaps(there, world.shapes, rows_of(c.movers), rows_of(targets))
    behind = [m for m, gap in zip(c.movers, table, strict=True) if gap.min() > TOUCHING]
    touched = [t for t, gap in zip(targets, table.T, strict=True) if gap.min() <= TOUCHING]
    return _close_up(world, world.unit(c.way.unit), moves, behind, touched)


def _paired_off(world: EpicWorld, formation: Formation, c: Contact, targets: Sequence[int]) -> Moves:
    """Each unit straight at the nearest enemy that is not taken, the nearest unit first."""
    table = gaps(world.bodies, world.shapes, rows_of(c.movers), rows_of(targets))
    contacts = contacts_of(world, formation, targets, set(c.movers))
    moves = Moves(c.way.move)
    for i in sorted(range(len(c.movers)), key=lambda i: (float(table[i].min()), c.movers[i])):
        stand = c.movers[i]
        if table[i].min() <= TOUCHING:
            continue
        for t in sorted(range(len(targets)), key=lambda t: (float(table[i, t]), targets[t])):
            if table[i, t] > steps(sheet(world, stand).speed):
                break
            if contacts[targets[t]] < BOOK.attackers_for_each:
                path = _straight_at(world, formation, moves, stand, targets[t])
                if path is not None:
                    contacts[targets[t]] += 1
                    moves = Moves(moves.mode, (*moves.paths, path))
                if path is not None or not contacts[targets[t]]:
                    break
    return moves


def _straight_at(world: EpicWorld, formation: Formation, moves: Moves, stand: int, enemy: int) -> Path | None:
    """A straight way into contact with an enemy, to the nearest place beside it that is free."""
    limit = speed_of(world)
    for x, y in _beside(world, formation, moves, stand, enemy, steps(sheet(world, stand).speed)):
        path = walk(world, stand, (x, y, 0))
        if path is not None:
            far = (x - int(world.state.models.pos[stand, 0])) ** 2 + (y - int(world.state.models.pos[stand, 1])) ** 2
            if far <= limit(path) ** 2 and check_way(world, formation, Moves(moves.mode, (*moves.paths, path))):
                return path
    return None


def _beside(
    world: EpicWorld, formation: Formation, moves: Moves, stand: int, enemy: int, far: int
) -> list[tuple[int, int]]:
    """Places where a stand touches an enemy, the nearest first, the others having moved as they did."""
    way = Passage(formation.id, moves.mode, (*(p.model for p in moves.paths), stand))
    x, y, _ = world.state.models.pos[stand].tolist()
    facing = int(world.state.models.facing[stand])
    bodies, blocks = after(world, moves), way.blocks(world, stand)
    found = contact_spots(bodies, world.shapes, world.terrain, stand, facing, enemy, x, y, blocks, far, SPOTS)
    return [(px, py) for px, py in found.tolist()]


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
            path = towards(world, stand, (mate.legs[-1].x, mate.legs[-1].y), speed * share / 4)
            tried = Moves(moves.mode, (*moves.paths, *(() if path is None else (path,))))
            if path is not None and check_way(world, formation, tried) and zoc.keeps_out(world, (path,), zones):
                moves = tried
                break
    return moves


def counter_charge(world: EpicWorld, decision: Move, wants: Callable[[int], bool]) -> Moves:
    """Each unit that wants to goes straight at the closest enemy whom not two have taken, the nearest unit first."""
    formation, enemies = world.unit(decision.unit), enemy_stands(world, world.unit(decision.unit).player)
    moves = Moves(decision.modes[0].name)
    if not decision.models or not enemies:
        return moves
    table = gaps(world.bodies, world.shapes, rows_of(decision.models), rows_of(enemies))
    contacts = contacts_of(world, formation, enemies, set())
    for i in sorted(range(len(decision.models)), key=lambda i: (float(table[i].min()), i)):
        stand = decision.models[i]
        if not wants(stand):
            continue
        free = [t for t in range(len(enemies)) if contacts[enemies[t]] < BOOK.attackers_for_each]
        if not free:
            break
        t = min(free, key=lambda t: (float(table[i, t]), enemies[t]))
        path = counter_charge_at(world, formation, moves, stand, enemies[t])
        if path is None:
            continue
        tried = Moves(moves.mode, (*moves.paths, path))
        if check_way(world, formation, tried):
            moves = tried
            contacts[enemies[t]] += table[i, t] <= counter_charge_distance(sheet(world, stand).speed)
    return moves


def counter_charge_at(world: EpicWorld, formation: Formation, moves: Moves, stand: int, enemy: int) -> Path | None:
    """Straight at an enemy, into contact or as far as a counter charge goes; None where there is no room beside it."""
    far = counter_charge_distance(sheet(world, stand).speed)
    spots = _beside(world, formation, moves, stand, enemy, ANY)
    return towards(world, stand, spots[0], far) if spots else None


def towards(world: EpicWorld, stand: int, place: tuple[int, int], far: float) -> Path | None:
    """A straight path towards a place, no longer than so many steps."""
    sx, sy, z = world.state.models.pos[stand].tolist()
    dx, dy = place[0] - sx, place[1] - sy
    whole = float(np.sqrt(float(dx * dx + dy * dy))) or 1.0
    share = min(1.0, max(0.0, far - 1.0) / whole)
    return walk(world, stand, (sx + int(dx * share), sy + int(dy * share), z))
