"""Charges by what is meant with them: all into contact, a firefight line, or each unit as it fights best."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.kit.moving import after
from sandtable.systems.epica import zoc
from sandtable.systems.epica.assault import INTENTS
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.charge import attacked, judge_charge
from sandtable.systems.epica.closing import into_contact, straight_in, towards
from sandtable.systems.epica.formation import parts_after
from sandtable.systems.epica.movement import check_way, rows_of, stay_or_leave
from sandtable.systems.epica.state import EpicWorld, sheet
from sandtable.systems.epica.suggest import go_to, middle, speeds_of
from sandtable.table.arrange import FORMATIONS
from sandtable.table.grid import STEP, TOUCHING, Floats, steps
from sandtable.table.measure import gaps
from sandtable.table.shapes import Bodies

LINES: Final = (14, 11, 8)
"""How far from the enemy a firefight line is tried, in centimetres."""
SHARES: Final = (4, 3, 2, 1)


def intents(world: EpicWorld, decision: Move) -> Iterator[tuple[str, Moves]]:
    """A charge for each thing that may be meant by it, where one is found."""
    for name, find in zip(INTENTS, (into_contact, firefight_line, mixed), strict=True):
        moves = find(world, decision)
        if moves is not None and moves.paths:
            yield name, moves


@kept(EVERYTHING)
def usual_charge(world: EpicWorld, decision: Move) -> Moves:
    """Each unit as it fights best, if anybody gets into the fight; otherwise nobody goes who does not have to."""
    return charge_as_usual(world, decision)


def charge_as_usual(world: EpicWorld, decision: Move) -> Moves:
    """The same, not kept: also for those who think of charges that nobody has been asked for."""
    stay = stay_or_leave(world, decision)
    best, most = stay, -1
    for find in (straight_mixed, straight_in, firefight_line):
        moves = find(world, decision)
        if moves is None or not judge_charge(world, decision, moves):
            continue
        bodies = after(world, moves)
        torn = parts_after(world, world.unit(decision.unit), bodies) > 1
        fighting = 0 if torn else len(in_the_fight(world, decision, bodies))
        if fighting > most:
            best, most = moves, fighting
        if find is straight_mixed and fighting == len(decision.models):
            break
    return best if most > 0 else stay


def nearest_gaps(world: EpicWorld, decision: Move, bodies: Bodies) -> Floats:
    """How far each unit would be from the nearest one that is attacked."""
    targets = attacked(world, decision.about["targets"])
    out: Floats = gaps(bodies, world.shapes, rows_of(decision.models), rows_of(targets)).min(axis=1)
    return out


def in_the_fight(world: EpicWorld, decision: Move, bodies: Bodies) -> list[int]:
    """The units that would fight: in contact, or near enough with something to shoot."""
    near = nearest_gaps(world, decision, bodies)
    return [
        m
        for m, gap in zip(decision.models, near, strict=True)
        if gap <= TOUCHING or (gap <= BOOK.assault_reach and sheet(world, m).has_ranged_weapon)
    ]


# --- Firefights ------------------------------------------------------------------------------------------------------


def firefight_line(world: EpicWorld, decision: Move) -> Moves | None:
    """As many units as possible near enough to shoot, and nobody in the enemy's zones; None where nobody gets there."""
    targets = attacked(world, decision.about["targets"])
    if not decision.models or not targets:
        return None
    speeds, (x, y) = speeds_of(world, decision.models), middle(world, decision.models)
    pos = world.state.models.pos
    near = min(targets, key=lambda t: ((int(pos[t, 0]) - x) ** 2 + (int(pos[t, 1]) - y) ** 2, t))
    dx, dy = x - int(pos[near, 0]), y - int(pos[near, 1])
    whole = max(1.0, float(np.sqrt(float(dx * dx + dy * dy))))
    best, most = None, 0
    for far in LINES:
        ahead = min(1.0, (steps(far) + 2 * STEP) / whole)
        anchor = int(pos[near, 0]) + int(dx * ahead), int(pos[near, 1]) + int(dy * ahead)
        for shape in FORMATIONS[:4]:
            moves = go_to(world, decision, anchor, shape, speeds, zones=True)
            if moves is None or not moves.paths:
                continue
            fighting = len(in_the_fight(world, decision, after(world, moves)))
            if fighting > most and judge_charge(world, decision, moves):
                best, most = moves, fighting
            if most == len(decision.models):
                return best
    return best


# --- Both ------------------------------------------------------------------------------------------------------------


def mixed(world: EpicWorld, decision: Move) -> Moves | None:
    """Those who fight better hand to hand go into contact, the others near enough to shoot."""
    return _mixed(world, decision, into_contact)


def straight_mixed(world: EpicWorld, decision: Move) -> Moves | None:
    """The same without looking for ways around things."""
    return _mixed(world, decision, straight_in)


def _mixed(
    world: EpicWorld, decision: Move, find: Callable[[EpicWorld, Move, Sequence[int]], Moves | None]
) -> Moves | None:
    close = hand_to_hand(world, decision)
    contact = find(world, decision, close) if close else None
    if contact is None:
        return firefight_line(world, decision)
    moves = bring_up(world, decision, contact, [m for m in decision.models if m not in close])
    return moves if judge_charge(world, decision, moves) else contact


def hand_to_hand(world: EpicWorld, decision: Move) -> list[int]:
    """The units that are no better at shooting."""
    found = [(m, sheet(world, m)) for m in decision.models]
    return [m for m, unit in found if unit.cc <= unit.ff or not unit.has_ranged_weapon]


def bring_up(world: EpicWorld, decision: Move, moves: Moves, rest: Sequence[int]) -> Moves:
    """Bring others near enough to shoot, each straight at the nearest enemy, and not into a zone."""
    formation, targets = world.unit(decision.unit), attacked(world, decision.about["targets"])
    table = gaps(after(world, moves), world.shapes, rows_of(decision.models), rows_of(targets))
    touched = [t for t, gap in zip(targets, table.T, strict=True) if gap.min() <= TOUCHING]
    zones = zoc.zones_against(world, formation.player, touched)
    for stand in rest:
        row = table[decision.models.index(stand)]
        gap, enemy = float(row.min()), targets[int(row.argmin())]
        far = min(gap - BOOK.assault_reach + STEP, steps(sheet(world, stand).speed))
        place = world.state.models.pos[enemy]
        for share in SHARES if far > 0 else ():
            path = towards(world, stand, (int(place[0]), int(place[1])), far * share / 4)
            tried = Moves(moves.mode, (*moves.paths, *(() if path is None else (path,))))
            if path is not None and check_way(world, formation, tried) and zoc.keeps_out(world, (path,), zones):
                moves = tried
                break
    return moves
