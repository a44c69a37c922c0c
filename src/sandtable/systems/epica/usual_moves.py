"""The moves that a sensible player makes without thinking long: out of the enemy's reach, into a fight, into cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from sandtable.battle.decisions import Move, Moves
from sandtable.battle.kept import EVERYTHING, kept
from sandtable.kit.moving import after, world_after
from sandtable.kit.walking import around
from sandtable.systems.epica.assault import judge_consolidation
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.broken import judge_withdrawal
from sandtable.systems.epica.charge import counter_charge_distance, judge_counter_charge
from sandtable.systems.epica.closing import counter_charge
from sandtable.systems.epica.cover import is_in_cover
from sandtable.systems.epica.formation import is_coherent, parts_after
from sandtable.systems.epica.movement import rows_of
from sandtable.systems.epica.passage import Passage
from sandtable.systems.epica.state import EpicWorld, Formation, enemy_stands, sheet
from sandtable.systems.epica.suggest import go_to, middle, speeds_of
from sandtable.systems.epica.terrain import dangers
from sandtable.table.grid import STEP, TURN, Ints
from sandtable.table.measure import gaps
from sandtable.table.scatter import offset

COURSES: Final = 24
"""Directions in which safety is looked for..."""
STRETCHES: Final = 8
"""...each in so many distances."""
TRIES: Final = 12
"""So many of these are tried out."""
WAYS: Final = 8
"""Directions in which cover is looked for."""


# --- Withdrawing -----------------------------------------------------------------------------------------------------


@kept(EVERYTHING)
def withdrawal(world: EpicWorld, decision: Move) -> Moves:
    """Towards the nearest place where the enemy catches nobody, on the way that costs the fewest units."""
    formation = world.unit(decision.unit)
    speeds, x, y = speeds_of(world, decision.models), *middle(world, decision.models)
    left = max(0, BOOK.withdrawal_moves - int(decision.about.get("number", BOOK.withdrawal_moves)))
    best = Moves(decision.modes[0].name)
    fewest = (in_danger(world, formation, best, (0, 0)), 0)
    slowest = min((int(s) for s in speeds if s > 0), default=0)
    if not any(fewest) or not slowest:
        return best
    for dx, dy in refuges(world, formation, decision.models, slowest * (left + 1))[:TRIES]:
        share = min(1.0, slowest / max(1.0, float(np.sqrt(float(dx * dx + dy * dy)))))
        now = int(dx * share), int(dy * share)
        for moves in _ways_there(world, decision, (x + now[0], y + now[1]), speeds):
            caught = in_danger(world, formation, moves, (dx - now[0], dy - now[1]))
            found = (caught, sum(bool(dangers(world, path)) for path in moves.paths))
            if found < fewest and judge_withdrawal(world, decision, moves):
                best, fewest = moves, found
        if not any(fewest):
            break
    return best


def _ways_there(world: EpicWorld, decision: Move, anchor: tuple[int, int], speeds: Ints) -> Iterator[Moves]:
    """Straight to a place, and around what is in the way."""
    moves = go_to(world, decision, anchor, "keep", speeds, zones=False)
    if moves is not None and moves.paths:
        limits = dict(zip(decision.models, speeds.tolist(), strict=True))
        yield moves
        way = Passage(decision.unit, moves.mode, decision.models, keeps_out=False)
        yield around(world, way, moves, limits.__getitem__)


def in_danger(world: EpicWorld, formation: Formation, moves: Moves, then: tuple[int, int]) -> int:
    """How many units the enemy would catch after a move and what is left of the way; stragglers are lost as well."""
    bodies, members = after(world, moves), [int(m) for m in world.on_table(formation)]
    enemies = enemy_stands(world, formation.player)
    if not enemies:
        return 0
    stragglers = max(0, parts_after(world, formation, bodies) - 1) if moves.paths else 0
    bodies.pos[rows_of(members), :2] += np.array(then)
    near = gaps(bodies, world.shapes, rows_of(members), rows_of(enemies)).min(axis=1)
    return int((near <= BOOK.caught_within).sum()) + stragglers


def refuges(world: EpicWorld, formation: Formation, models: tuple[int, ...], far: int) -> list[tuple[int, int]]:
    """Ways for a whole formation to go, as it stands: to where the fewest are near an enemy, the shortest first."""
    enemies = enemy_stands(world, formation.player)
    if not enemies:
        return []
    pos, size = world.state.models.pos, world.terrain.size
    mine, theirs = pos[rows_of(models), :2], pos[rows_of(enemies), :2]
    reach = world.shapes.reach[world.ground.shape]
    limit = (reach[rows_of(models)][:, None] + reach[rows_of(enemies)][None, :] + BOOK.caught_within + STEP // 4) ** 2
    found = []
    for k in range(COURSES * STRETCHES):
        dx, dy = (int(v) for v in offset(0, 0, (k % COURSES) * TURN // COURSES, far * (k // COURSES + 1) // STRETCHES))
        ends = mine + np.array([dx, dy])
        if (ends < STEP).any() or (ends[:, 0] > size[0] - STEP).any() or (ends[:, 1] > size[1] - STEP).any():
            continue
        away = ((ends[:, None, :] - theirs[None, :, :]) ** 2).sum(axis=2)
        caught = int((away <= limit).any(axis=1).sum())
        # Where nobody is safe, the furthest from the enemy is best.
        found.append((caught, dx * dx + dy * dy if not caught else -int(away.min()), k, (dx, dy)))
    return [shift for *_, shift in sorted(found)]


# --- Assaults --------------------------------------------------------------------------------------------------------


def counter_charge_into_the_fight(world: EpicWorld, decision: Move) -> Moves:
    """Those who gain by it: who comes near enough to fight, or fights better hand to hand."""
    enemies = enemy_stands(world, world.unit(decision.unit).player)
    stay = Moves(decision.modes[0].name)
    if not decision.models or not enemies:
        return stay
    near = gaps(world.bodies, world.shapes, rows_of(decision.models), rows_of(enemies)).min(axis=1)
    gap = dict(zip(decision.models, near.tolist(), strict=True))

    def gains(stand: int) -> bool:
        unit = sheet(world, stand)
        far = counter_charge_distance(unit.speed)
        if gap[stand] <= BOOK.assault_reach and unit.has_ranged_weapon:
            return bool(gap[stand] <= far and unit.cc <= unit.ff)
        return bool(gap[stand] <= BOOK.assault_reach + far)

    moves = counter_charge(world, decision, gains)
    while moves.paths and not judge_counter_charge(world, decision, moves):
        moves = Moves(moves.mode, moves.paths[:-1])
    return moves


@kept(EVERYTHING)
def consolidation(world: EpicWorld, decision: Move) -> Moves:
    """Close up where the formation was torn apart; otherwise into cover that is near, or nowhere."""
    formation, best = world.unit(decision.unit), Moves(decision.modes[0].name)
    limits = consolidation_limits(world, decision)
    if not decision.models or not limits.any():
        return best
    x, y = middle(world, decision.models)
    if not is_coherent(world, formation):
        tries = (go_to(world, decision, (x, y), shape, limits, zones=True) for shape in ("keep", "block"))
        whole = (m for m in tries if m is not None and parts_after(world, formation, after(world, m)) < 2)
        return next((m for m in whole if judge_consolidation(world, decision, m)), best)
    most = _covered(world, decision)
    for k in range(WAYS):
        px, py = offset(x, y, k * TURN // WAYS, BOOK.consolidation)
        moves = go_to(world, decision, (int(px), int(py)), "keep", limits, zones=True)
        if moves is None or not moves.paths or any(dangers(world, path) for path in moves.paths):
            continue
        covered = _covered(world_after(world, moves), decision)
        if covered > most and judge_consolidation(world, decision, moves):
            best, most = moves, covered
    return best


def _covered(world: EpicWorld, decision: Move) -> int:
    return sum(is_in_cover(world, stand) for stand in decision.models)


def consolidation_limits(world: EpicWorld, decision: Move) -> Ints:
    """How far each unit consolidates."""
    far = max(0, BOOK.consolidation - 2)
    return np.array([far if sheet(world, m).speed else 0 for m in decision.models], dtype=np.int64)
