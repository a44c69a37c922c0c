"""Broken formations: withdrawing, and being caught."""

from __future__ import annotations

import numpy as np

from sandtable.battle.decisions import Mode, Move, Moves
from sandtable.battle.state import GONE
from sandtable.battle.verdict import Verdict
from sandtable.rules import rule
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.movement import check_lengths, check_way, complete_move, fastest, speed_of
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, enemy_stands, sheet, stands
from sandtable.table.measure import gaps


@rule("epica.withdraw.when", "epica.withdraw.mid_action")
async def withdraw(b: EpicBattle, formation: Formation) -> None:
    """A broken formation falls back: two moves, and whoever is then still near the enemy is lost."""
    b.tell("withdraws", f"{formation.name} withdraw.", "epica.withdraw.when", units=[formation.id])
    lose(b, formation, caught_unable_to_move(b, formation), "unable to get away", "epica.withdraw.speed_zero")
    for number in range(1, BOOK.withdrawal_moves + 1):
        if not b.is_on_table(formation):
            break
        moves = await b.ask(
            Move(
                player=formation.player,
                kind="withdraw",
                prompt=f"{formation.name}: move {number} of its withdrawal",
                rules=("epica.withdraw.moves",),
                unit=formation.id,
                models=tuple(stands(b, formation)),
                modes=(Mode("withdraw", "Withdraw", fastest(b, formation)),),
                about={"number": number},
            )
        )
        await complete_move(b, formation, moves, "epica.withdraw.moves", draws_fire=BOOK.withdrawal_draws_fire)
    lose(b, formation, caught(b, formation), "for being near the enemy", "epica.withdraw.destroyed_near_enemy")


def judge_withdrawal(world: EpicWorld, decision: Move, moves: Moves) -> Verdict:
    """Whether a formation may withdraw like this: zones of control do not hold it, enemy units do."""
    formation = world.unit(decision.unit)
    return check_lengths(world, formation, moves, speed_of(world)) and check_way(world, formation, moves)


def near_enemy(world: EpicWorld, members: list[int], player: int) -> list[int]:
    """The stands that have an enemy within 15 cm."""
    enemies = enemy_stands(world, player)
    if not members or not enemies:
        return []
    gap = gaps(world.bodies, world.shapes, np.array(members, dtype=np.int64), np.array(enemies, dtype=np.int64))
    return [m for m, far in zip(members, gap.min(axis=1), strict=True) if far <= BOOK.caught_within]


@rule("epica.withdraw.destroyed_near_enemy", "epica.move.optional", neutral=())
def caught(world: EpicWorld, formation: Formation) -> list[int]:
    """The units of a withdrawing formation that the enemy cuts down."""
    return near_enemy(world, stands(world, formation), formation.player)


@rule("epica.withdraw.speed_zero", neutral=())
def caught_unable_to_move(world: EpicWorld, formation: Formation) -> list[int]:
    """Units without any speed that have an enemy near as they break."""
    still = [m for m in stands(world, formation) if sheet(world, m).speed == 0]
    return near_enemy(world, still, formation.player)


def lose(b: EpicBattle, formation: Formation, lost: list[int], how: str, rule_id: str) -> None:
    """Take units off the table without saves or markers."""
    if not lost:
        return
    b.place_models(lost, GONE)
    b.tell("caught", f"{formation.name} lose {len(lost)} units {how}.", rule_id, units=[formation.id], lost=len(lost))
