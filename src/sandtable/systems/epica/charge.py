"""Charges and counter charges: who may go where, and who ends in contact with whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from sandtable.battle.decisions import Move, Moves, Path
from sandtable.battle.verdict import ALLOWED, Verdict, refuse
from sandtable.kit.moving import after, travelled
from sandtable.rules import rule
from sandtable.systems.epica import zoc
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.formation import parts_after
from sandtable.systems.epica.movement import check_lengths, check_way, leaves_zones, rows_of, speed_of
from sandtable.systems.epica.state import EpicWorld, Formation, enemy_stands, formation_of, label, sheet, stands
from sandtable.systems.epica.terrain import OVER_GROUND
from sandtable.table.grid import STEP, TOUCHING, Floats, Ints
from sandtable.table.measure import gaps
from sandtable.table.shapes import Bodies

SLACK: Final = STEP / 10
"""How far a straight way may stray: a tenth of a centimetre."""


# --- The charge ------------------------------------------------------------------------------------------------------


def judge_charge(world: EpicWorld, decision: Move, moves: Moves) -> Verdict:
    """Whether a formation may charge like this."""
    return check_charge(world, world.unit(decision.unit), decision.about["targets"], moves)


def check_charge(world: EpicWorld, formation: Formation, targets: Sequence[int], moves: Moves) -> Verdict:
    """The same for some formations that are attacked; the order of the paths is the order in which units move."""
    verdict = check_charge_lengths(world, formation, moves) and check_way(world, formation, moves)
    if not verdict:
        return verdict
    bodies = after(world, moves)
    moving = [p.model for p in moves.paths]
    contacts = dict.fromkeys(attacked(world, targets), 0)
    for stand in stands(world, formation):
        if stand not in moving:
            _count_contacts(world, bodies, stand, contacts)
    verdict = one_by_one(
        world, moves, bodies, contacts, lambda path: enters_zones(world, formation, path, bodies, contacts)
    )
    if not verdict:
        return verdict
    resting = Moves(moves.mode, moves.paths)
    zones = zoc.zones_against(world, formation.player, [t for t, n in contacts.items() if n])
    idle = [s for s in stands(world, formation) if s not in moving]
    if any(len(zoc.inside_zones(world, s, zones)) for s in idle):
        return leaves_zones(world, formation, resting, zones, idle)
    return ALLOWED


@rule("epica.intermingle.single_formation", neutral=())
def attacked(world: EpicWorld, targets: Sequence[int]) -> list[int]:
    """The stands of all formations that are attacked, as if they were one."""
    return [m for t in targets for m in stands(world, world.unit(t))]


@rule("epica.assault.charge_move", neutral=ALLOWED)
def check_charge_lengths(world: EpicWorld, formation: Formation, moves: Moves) -> Verdict:
    """A charge is one ordinary move, in any direction."""
    return check_lengths(world, formation, moves, speed_of(world))


def one_by_one(
    world: EpicWorld, moves: Moves, bodies: Bodies, contacts: dict[int, int], may_go: Callable[[Path], Verdict]
) -> Verdict:
    """Whether each unit may go its way when those before it stand where theirs end; `contacts` counts them up."""
    for path in moves.paths:
        verdict = may_go(path)
        if not verdict:
            return verdict
        _count_contacts(world, bodies, path.model, contacts)
        verdict = two_at_most(world, contacts)
        if not verdict:
            return verdict
    return ALLOWED


def _count_contacts(world: EpicWorld, bodies: Bodies, stand: int, contacts: dict[int, int]) -> None:
    for other, gap in zip(contacts, _gaps(world, bodies, stand, list(contacts)), strict=True):
        contacts[other] += gap <= TOUCHING


def _gaps(world: EpicWorld, bodies: Bodies, stand: int, others: Sequence[int]) -> Floats:
    out: Floats = gaps(bodies, world.shapes, rows_of((stand,)), rows_of(others))[0]
    return out


@rule("epica.assault.two_per_defender", neutral=ALLOWED)
def two_at_most(world: EpicWorld, contacts: dict[int, int]) -> Verdict:
    """No more than two chargers may touch one defender."""
    for other, n in contacts.items():
        if n > BOOK.attackers_for_each:
            return refuse(
                f"Only two units may charge into contact with {label(world, other)}.",
                "epica.assault.two_per_defender",
            )
    return ALLOWED


@rule("epica.assault.two_per_defender", neutral=False)
def reaches_the_closest_open(world: EpicWorld, path: Path, bodies: Bodies, contacts: dict[int, int]) -> bool:
    """Whether a charger ends in contact with the closest defender that may still be touched, by one or by a second."""
    still = [t for t, n in contacts.items() if n < BOOK.attackers_for_each]
    before, end = zoc.gaps_to(world, path.model, rows_of(still)), _gaps(world, bodies, path.model, still)
    return bool((end[before - before.min() <= SLACK] <= TOUCHING).any())


def enters_zones(
    world: EpicWorld, formation: Formation, path: Path, bodies: Bodies, contacts: dict[int, int]
) -> Verdict:
    """Whether one charger may go its way through the enemy's zones; `contacts` counts who touches each defender."""
    targets = list(contacts)
    zones = zoc.zones_against(world, formation.player, [t for t, n in contacts.items() if n])
    if not len(zones):
        return ALLOWED
    far = zoc.entered(world, path, zones)
    rows = np.flatnonzero(far >= 0)
    if not len(rows):
        return ALLOWED
    before = zoc.gaps_to(world, path.model, zones)
    end = gaps(bodies, world.shapes, rows_of((path.model,)), zones)[0]
    started = before <= BOOK.zone
    if started[rows].all() and (end[rows] > BOOK.zone).all():
        return ALLOWED  # It leaves the zones that it began in.
    aimed = [int(r) for r in rows if zones[r] in targets]
    strangers = [int(r) for r in rows if zones[r] not in targets and not started[r]]
    verdict = shuns_other_zones(world, far, aimed, strangers, zones)
    if not verdict or not aimed:
        return verdict
    if reaches_the_closest_open(world, path, bodies, contacts):
        return ALLOWED
    nearest = min(aimed, key=lambda r: (before[r], zones[r]))
    alike = [r for r in aimed if before[r] - before[nearest] <= SLACK]
    if any(end[r] <= TOUCHING for r in alike):
        return ALLOWED
    elsewhere = next((r for r in aimed if end[r] <= TOUCHING), None)
    if elsewhere is not None:
        return goes_for_the_nearest(world, int(zones[nearest]), int(zones[elsewhere]))
    limit = speed_of(world)(path)
    return goes_all_the_way(world, path, int(zones[nearest]), float(before[nearest]), float(end[nearest]), limit)


@rule("epica.assault.other_formations_zoc", neutral=ALLOWED)
def shuns_other_zones(
    world: EpicWorld, far: Floats, aimed: Sequence[int], strangers: Sequence[int], zones: Ints
) -> Verdict:
    """Zones of formations that are not attacked may be crossed only on the last stretch to contact."""
    first = min((far[r] for r in aimed), default=float("inf"))
    for r in strangers:
        if far[r] < first:
            return refuse(
                f"That charge enters the zone of {formation_of(world, int(zones[r])).name}, which is not its target.",
                "epica.assault.other_formations_zoc",
            )
    return ALLOWED


@rule("epica.zoc.charge_exception", "epica.assault.charge_contact", neutral=ALLOWED)
def goes_for_the_nearest(world: EpicWorld, nearest: int, touched: int) -> Verdict:
    """A charger in several zones has to make for the nearest of their owners."""
    return refuse(
        f"That charge passes {label(world, nearest)}, who is nearer, to reach {label(world, touched)}.",
        "epica.zoc.charge_exception",
        "epica.assault.charge_contact",
    )


@rule("epica.assault.charge_contact", neutral=ALLOWED)
def goes_all_the_way(world: EpicWorld, path: Path, enemy: int, before: float, end: float, limit: int) -> Verdict:
    """Whoever enters a zone goes on into contact, or as near as the move allows."""
    if before > limit and end <= before - limit + SLACK:
        return ALLOWED
    return refuse(
        f"{label(world, path.model)} has entered a zone of control and has to go on into contact with "
        f"{label(world, enemy)}, or as near as it can get.",
        "epica.assault.charge_contact",
    )


# --- Counter charges -------------------------------------------------------------------------------------------------


@rule("epica.assault.counter_charge", neutral=0)
def counter_charge_distance(speed: int) -> int:
    """How far a unit counter charges, in grid steps."""
    if not speed:
        return 0
    return BOOK.fast_counter_charge if speed >= BOOK.fast else BOOK.counter_charge


def may_counter_charge(world: EpicWorld, formation: Formation) -> list[int]:
    """The stands of a formation that are free to counter charge: those that touch no enemy."""
    enemies = enemy_stands(world, formation.player)
    if not enemies:
        return []
    members = stands(world, formation)
    near = gaps(world.bodies, world.shapes, rows_of(members), rows_of(enemies)).min(axis=1)
    return [
        m
        for m, gap in zip(members, near, strict=True)
        if gap > TOUCHING and counter_charge_distance(sheet(world, m).speed) > 0
    ]


def judge_counter_charge(world: EpicWorld, decision: Move, moves: Moves) -> Verdict:
    """Whether a formation may counter charge like this."""
    formation = world.unit(decision.unit)
    verdict = check_lengths(
        world, formation, moves, lambda p: counter_charge_distance(sheet(world, p.model).speed)
    ) and check_way(world, formation, moves)
    if not verdict:
        return verdict
    bodies = after(world, moves)
    enemies = enemy_stands(world, formation.player)
    contacts = contacts_of(world, formation, enemies, {p.model for p in moves.paths})
    verdict = one_by_one(
        world, moves, bodies, contacts, lambda path: goes_for_the_closest(world, path, bodies, enemies, contacts)
    )
    return verdict and stays_together(world, formation, bodies)


def contacts_of(world: EpicWorld, formation: Formation, enemies: Sequence[int], moving: set[int]) -> dict[int, int]:
    """How many units of a side touch each enemy, apart from those that are about to move."""
    contacts = dict.fromkeys(enemies, 0)
    for friend in world.friends_of(formation.player):
        for stand in stands(world, friend):
            if stand not in moving:
                _count_contacts(world, world.bodies, stand, contacts)
    return contacts


@rule("epica.assault.counter_charge_direction", neutral=ALLOWED)
def goes_for_the_closest(
    world: EpicWorld, path: Path, bodies: Bodies, enemies: Sequence[int], contacts: dict[int, int]
) -> Verdict:
    """A counter charge goes straight at the closest enemy who is not taken up by two defenders already."""
    before = zoc.gaps_to(world, path.model, rows_of(enemies))
    end = _gaps(world, bodies, path.model, enemies)
    free = [i for i, e in enumerate(enemies) if contacts[e] < BOOK.attackers_for_each]
    far = travelled(world, path, OVER_GROUND)
    if free:
        closest = min(before[i] for i in free)
        for i in free:
            if before[i] - closest <= SLACK and end[i] <= before[i] - far + SLACK:
                return finishes_counter_charge(world, path, enemies[i], float(before[i]), float(end[i]))
    return refuse(
        f"{label(world, path.model)} has to counter charge straight towards the closest enemy.",
        "epica.assault.counter_charge_direction",
    )


def finishes_counter_charge(world: EpicWorld, path: Path, enemy: int, before: float, end: float) -> Verdict:
    """In the zone of the enemy that it makes for, a unit goes on into contact like any charger."""
    if end <= TOUCHING or end > BOOK.zone:
        return ALLOWED
    return goes_all_the_way(world, path, enemy, before, end, counter_charge_distance(sheet(world, path.model).speed))


@rule("epica.assault.counter_charge_coherency", neutral=ALLOWED)
def stays_together(world: EpicWorld, formation: Formation, bodies: Bodies) -> Verdict:
    """A formation may not fall apart through its counter charge."""
    if parts_after(world, formation, bodies) <= parts_after(world, formation, world.bodies):
        return ALLOWED
    return refuse(
        f"{formation.name} would fall apart: gaps of more than 5 cm are not allowed after a counter charge.",
        "epica.assault.counter_charge_coherency",
        unit=formation.id,
    )
