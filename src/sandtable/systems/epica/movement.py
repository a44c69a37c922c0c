"""Movement: how far a unit goes, what it may pass, and what happens when the whole formation has moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from sandtable.battle.decisions import Leg, Mode, Move, Moves, Path
from sandtable.battle.system import Moment
from sandtable.battle.verdict import ALLOWED, Reason, Verdict, refuse
from sandtable.kit import sweeps
from sandtable.kit.moving import after, carry_out
from sandtable.rules import rule
from sandtable.systems.epica import zoc
from sandtable.systems.epica.blast_markers import breaks_by_losses, give_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.formation import lose_stragglers, stragglers_note
from sandtable.systems.epica.passage import CITES, Passage
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, label, sheet, stands
from sandtable.systems.epica.terrain import (
    danger_notes,
    dangers,
    is_cautious,
    road_bonus,
    stays_on_road,
    test_dangers,
)
from sandtable.table.grid import TURN, Ints, steps
from sandtable.table.measure import gaps
from sandtable.table.scatter import offset
from sandtable.table.shapes import Bodies

MOVE_COMPLETED: Final = "move_completed"
"""The trigger of overwatch."""

WAYS_OUT: Final = 32
"""Directions in which a way out of a zone is looked for."""


# --- A move of an action ---------------------------------------------------------------------------------------------


async def move(b: EpicBattle, formation: Formation, action: str, number: int = 1) -> bool:
    """One move of an action; says whether the formation can go on with the action."""
    label = action.replace("-", " ")
    moves = await b.ask(
        Move(
            player=formation.player,
            kind="move",
            prompt=f"{formation.name}: move {number} of its {label}",
            rules=("epica.move.basic",),
            unit=formation.id,
            models=tuple(stands(b, formation)),
            modes=(Mode("move", label.capitalize(), fastest(b, formation)),),
            about={"action": action},
        )
    )
    return await complete_move(b, formation, moves, "epica.move.basic")


async def complete_move(
    b: EpicBattle, formation: Formation, moves: Moves, rule_id: str, *, draws_fire: bool = True
) -> bool:
    """Carry a move out, with all that follows from it; says whether the formation can go on."""
    was_broken = formation.broken
    await finish_move(b, formation, moves, rule_id)
    if not b.is_on_table(formation) or formation.broken != was_broken:
        return False
    if draws_fire:
        await b.window(MOVE_COMPLETED, Moment(formation.id))
    return b.is_on_table(formation) and formation.broken == was_broken


async def finish_move(
    b: EpicBattle, formation: Formation, moves: Moves, rule_id: str, *, close_up: bool = True
) -> None:
    """Put the stands in their places, test for dangerous terrain, and lose those who are out of formation now."""
    due = [(p.model, found, is_cautious(b, p)) for p in moves.paths if (found := dangers(b, p))]
    before = len(b.on_table(formation))
    carry_out(b, moves)
    moved = f"move {len(moves.paths)} of their {before} units" if moves.paths else "stay where they are"
    said = f"{formation.name} {moved}."
    b.tell("moved", said, rule_id, units=[formation.id])
    test_dangers(b, due)
    lost = await lose_stragglers(b, formation) if close_up else 0
    if lost:
        await give_markers(b, formation, lost, "for units lost out of formation", "epica.move.out_of_formation")
    if b.is_on_table(formation):
        breaks_by_losses(b, formation)


def fastest(world: EpicWorld, formation: Formation) -> int:
    """The longest move that any unit of a formation could make, in grid steps."""
    return max((steps(sheet(world, m).speed) for m in stands(world, formation)), default=0)


# --- What a move must keep to ----------------------------------------------------------------------------------------


def judge_move(world: EpicWorld, decision: Move, moves: Moves) -> Verdict:
    """Whether a formation may make this move of an advance, double, march, marshal or hold."""
    formation = world.unit(decision.unit)
    zones = zoc.zones_against(world, formation.player)
    verdict = (
        check_lengths(world, formation, moves, speed_of(world))
        and check_way(world, formation, moves)
        and zoc.keeps_out(world, moves.paths, zones)
        and leaves_zones(world, formation, moves, zones, decision.models)
    )
    if verdict and decision.about.get("action") == "road-march":
        return stays_on_road(world, moves.paths)
    return verdict


def speed_of(world: EpicWorld) -> Callable[[Path], int]:
    """How far a path may go by the unit's own speed and the road under it."""

    def allowed(path: Path) -> int:
        speed = sheet(world, path.model).speed
        return steps(speed) + road_bonus(world, path) if speed else 0

    return allowed


@rule("epica.move.basic", "epica.datasheet.speed", neutral=ALLOWED)
def check_lengths(world: EpicWorld, formation: Formation, moves: Moves, allowed: Callable[[Path], int]) -> Verdict:
    """Whether no path is longer than its unit may go."""
    limits = {p.model: allowed(p) for p in moves.paths}
    return sweeps.check_lengths(world, Passage(formation.id, moves.mode), moves, limits.__getitem__, CITES)


def check_way(world: EpicWorld, formation: Formation, moves: Moves) -> Verdict:
    """Whether every stand can go along its path and end where it does."""
    way = Passage(formation.id, moves.mode, tuple(p.model for p in moves.paths))
    return sweeps.check_ways(world, way, moves, after(world, moves), CITES)


# --- Leaving a zone --------------------------------------------------------------------------------------------------


@rule("epica.zoc.start_inside", neutral=ALLOWED)
def leaves_zones(world: EpicWorld, formation: Formation, moves: Moves, zones: Ints, members: Sequence[int]) -> Verdict:
    """Whether every one of some units, which enter no zone, gets out of that it began in, if there is a way out."""
    bodies = after(world, moves)
    for stand in members:
        if not _is_inside(world, bodies, stand, zones):
            continue
        way = way_out(world, formation, moves, stand, zones)
        if way is not None:
            rest = tuple(p for p in moves.paths if p.model != stand)
            return refuse(
                f"{label(world, stand)} is in an enemy zone of control and has to leave it.",
                "epica.zoc.start_inside",
                instead=Moves(moves.mode, (*rest, way)),
            )
    return ALLOWED


def _is_inside(world: EpicWorld, bodies: Bodies, stand: int, zones: Ints) -> bool:
    near = gaps(bodies, world.shapes, rows_of((stand,)), zones)[0]
    return bool((near <= BOOK.zone).any())


def way_out(world: EpicWorld, formation: Formation, moves: Moves, stand: int, zones: Ints) -> Path | None:
    """A straight way out of the enemy's zones for one stand, the others moving as given; None when there is none."""
    rest = tuple(p for p in moves.paths if p.model != stand)
    x, y, z = (int(v) for v in world.state.models.pos[stand])
    facing, speed = int(world.state.models.facing[stand]), steps(sheet(world, stand).speed)
    away = _away(world, stand, zones)
    for share in (4, 3, 2) if speed else ():
        for k in range(WAYS_OUT):
            turn = away + ((k + 1) // 2) * (TURN // WAYS_OUT) * (1 if k % 2 else -1)
            tx, ty = offset(x, y, turn % TURN, speed * share // 4 - 1)
            path = Path(stand, (Leg("go", int(tx), int(ty), z, facing),))
            tried = Moves(moves.mode, (*rest, path))
            if (
                not _is_inside(world, after(world, tried), stand, zones)
                and zoc.keeps_out(world, (path,), zones)
                and check_way(world, formation, tried)
            ):
                return path
    return None


def _away(world: EpicWorld, stand: int, zones: Ints) -> int:
    """The direction away from the nearest enemy."""
    from sandtable.table.scatter import bearing

    nearest = zones[int(zoc.gaps_to(world, stand, zones).argmin())]
    pos = world.state.models.pos
    return int(bearing(int(pos[stand, 0] - pos[nearest, 0]), int(pos[stand, 1] - pos[nearest, 1])))


def stay_or_leave(world: EpicWorld, decision: Move) -> Moves:
    """Everybody stays, except those who have to leave an enemy zone: the plain answer to any ordinary move."""
    formation = world.unit(decision.unit)
    zones = zoc.zones_against(world, formation.player)
    moves = Moves(decision.modes[0].name)
    inside = [s for s in decision.models if len(zoc.inside_zones(world, s, zones))]
    for _ in range(len(inside)):
        found = None
        for stand in inside:
            if all(p.model != stand for p in moves.paths):
                found = way_out(world, formation, moves, stand, zones)
                if found is not None:
                    break
        if found is None:
            return moves
        moves = Moves(moves.mode, (*moves.paths, found))
    return moves


def notes(world: EpicWorld, decision: Move, moves: Moves) -> Iterator[Reason]:
    """What a move may cost, for the player who thinks about it: losses to the ground, and of those left behind."""
    yield from danger_notes(world, moves.paths)
    yield from stragglers_note(world, world.unit(decision.unit), after(world, moves))


def notes_of_the_ground(world: EpicWorld, decision: Move, moves: Moves) -> Iterator[Reason]:
    """The same for a move after which nobody is lost out of formation."""
    return danger_notes(world, moves.paths)


def rows_of(stands_: Iterable[int]) -> Ints:
    return np.array(list(stands_), dtype=np.int64)
