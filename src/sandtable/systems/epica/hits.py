"""Hits: whom they fall on, and who is saved. Shooting, assaults and supporting fire share this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from sandtable.battle.decisions import Option, Order
from sandtable.battle.rolls import Each
from sandtable.battle.state import GONE
from sandtable.reasons import Part, face
from sandtable.reasons import modifier as added
from sandtable.rules import rule
from sandtable.rules.mark import Argument
from sandtable.systems.epica.cover import cover_save
from sandtable.systems.epica.datasheet import ARMOURED_VEHICLE, INFANTRY, LIGHT_VEHICLE
from sandtable.systems.epica.state import EpicBattle, EpicWorld, formation_of, label, sheet
from sandtable.table.grid import TOUCHING, Floats
from sandtable.table.measure import gaps

NO_SAVE: Final = 7


class Hits(NamedTuple):
    """Hits of one kind, and the units that they can fall on."""

    kind: str
    number: int
    candidates: tuple[int, ...]


@rule(
    "epica.shoot.allocation_types",
    "epica.special.light_vehicles",
    "epica.unit.infantry",
    "epica.unit.armoured_vehicle",
    neutral=True,
)
def can_be_hit(unit_type: str, kind: str) -> bool:
    """Whether hits of a kind can fall on a type of unit; light vehicles take both AP and AT."""
    if kind == "AP":
        return unit_type in (INFANTRY, LIGHT_VEHICLE)
    if kind == "AT":
        return unit_type in (ARMOURED_VEHICLE, LIGHT_VEHICLE)
    return True


# --- Allocation ------------------------------------------------------------------------------------------------------


def distances(world: EpicWorld, candidates: Sequence[int], sources: Sequence[int]) -> Floats:
    """How far each candidate is from the nearest source, in grid steps."""
    far = gaps(world.bodies, world.shapes, np.array(candidates, dtype=np.int64), np.array(sources, dtype=np.int64)).min(
        axis=1
    )
    # Whoever is in base contact is as close as can be.
    return np.where(far <= TOUCHING, 0.0, far)


@rule("epica.shoot.allocation_order", neutral=Argument("candidates"))
def front_to_back(world: EpicWorld, candidates: tuple[int, ...], sources: Sequence[int]) -> tuple[int, ...]:
    """Candidates for hits, those closest to the enemy first."""
    if not len(sources):
        return candidates
    far = distances(world, candidates, sources)
    return tuple(candidates[i] for i in np.argsort(far, kind="stable"))


@rule("epica.shoot.allocation_rounds", neutral=())
def deal(order: Sequence[int], count: int, load: Sequence[tuple[int, int]] = ()) -> tuple[tuple[int, int], ...]:
    """Deal hits out along an order; nobody gets another before everybody has as many. Pairs of unit and hits."""
    hits = dict(load)
    for _ in range(count) if order else ():
        least = min(hits.get(s, 0) for s in order)
        taker = next(s for s in order if hits.get(s, 0) == least)
        hits[taker] = least + 1
    return tuple(hits.items())


@rule("epica.shoot.allocation_spread", "epica.special.light_vehicles", neutral=Argument("pools"))
def widest_spread(pools: tuple[Hits, ...], rank: Sequence[int]) -> tuple[Hits, ...]:
    """The kinds of hits in the order that strikes as many units as possible; as they came where it is all one."""
    turned = pools[::-1]
    return turned if len(deal_all(turned, rank)) > len(deal_all(pools, rank)) else pools


def deal_all(pools: Iterable[Hits], rank: Sequence[int]) -> dict[int, int]:
    """Deal hits of several kinds out, one kind after the other, along an order of all units."""
    load: tuple[tuple[int, int], ...] = ()
    for pool in pools:
        load = deal([s for s in rank if s in pool.candidates], pool.number, load)
    return {stand: n for stand, n in load if n}


async def allocate(
    b: EpicBattle, owner: int, pools: tuple[Hits, ...], sources: Sequence[int], *rules: str
) -> dict[int, int]:
    """Hits by unit, front to back; among units equally far away their owner chooses who comes first."""
    everybody = tuple(sorted({s for pool in pools for s in pool.candidates}))
    rank = front_to_back(b, everybody, sources)
    load = deal_all(widest_spread(pools, rank), rank)
    tied = _tie(b, rank, sources, load)
    if tied:
        chosen = await b.ask(
            Order(
                player=owner,
                kind="allocate",
                prompt="These units are equally close to the enemy: who is hit first?",
                options=tuple(Option(s, label(b, s)) for s in tied),
                rules=("epica.shoot.allocation_order", *rules),
                unit=formation_of(b, tied[0]).id,
            )
        )
        place = {int(s): i for i, s in enumerate(chosen)}
        start = rank.index(tied[0])
        ordered = sorted(tied, key=lambda s: place[s])
        rank = (*rank[:start], *ordered, *rank[start + len(tied) :])
        load = deal_all(widest_spread(pools, rank), rank)
    return load


async def who_is_lost(
    b: EpicBattle, candidates: Sequence[int], count: int, sources: Sequence[int], rule_: str
) -> list[int]:
    """Hits without saves, one to a unit, front to back: who is lost."""
    if not candidates:
        return []
    owner = formation_of(b, candidates[0]).player
    pool = Hits("no save", min(count, len(candidates)), tuple(candidates))
    return list(await allocate(b, owner, (pool,), sources, rule_))


def _tie(world: EpicWorld, rank: Sequence[int], sources: Sequence[int], load: dict[int, int]) -> tuple[int, ...]:
    """The first group of equally close units that would not all be hit alike."""
    if not rank or not len(sources):
        return ()
    far = distances(world, rank, sources)
    start = 0
    for end in range(1, len(rank) + 1):
        if end < len(rank) and far[end] == far[start]:
            continue
        group = tuple(rank[start:end])
        if len(group) > 1 and len({load.get(s, 0) for s in group}) > 1:
            return group
        start = end
    return ()


# --- Saves -----------------------------------------------------------------------------------------------------------


@rule("epica.shoot.saves", "epica.datasheet.armour", neutral=NO_SAVE)
def save_of(world: EpicWorld, stand: int, *, cover: bool = True) -> int:
    """The save that a unit makes: its armour or its cover, whichever its owner would rather roll."""
    armour = sheet(world, stand).armour or NO_SAVE
    shelter = (cover_save(world, stand) if cover else 0) or NO_SAVE
    return min(armour, shelter)


@rule("epica.shoot.save_modifiers", neutral=Argument("save"))
def modified_save(save: int, modifier: int) -> int:
    """What a save needs after all modifiers; 7 or more cannot be rolled."""
    return min(save - modifier, NO_SAVE)


@rule("epica.special.macro_shooting", neutral=True)
def may_save_against(kind: str) -> bool:
    """Whether armour and cover are any use: not against a macro-weapon."""
    return kind != "MW"


def roll_saves(
    b: EpicBattle, load: dict[int, int], kind: str, *, cover: bool, modifier: Callable[[int], int] = lambda _: 0
) -> list[int]:
    """Roll a save for each hit; returns the units that are lost, without removing them."""
    lost = []
    for stand, count in load.items():
        save = save_of(b, stand, cover=cover) if may_save_against(kind) else NO_SAVE
        needed = modified_save(save, modifier(stand))
        if needed >= NO_SAVE:
            lost.append(stand)
            continue
        owner = formation_of(b, stand).player
        why = why_saved(b, stand, save, modifier(stand))
        faces = b.roll(count, "save", owner, rules=("epica.shoot.saves",), read=Each("saved", why, needed))
        if any(f < needed for f in faces):
            lost.append(stand)
    return lost


def why_saved(world: EpicWorld, stand: int, save: int, changed: int) -> tuple[Part, ...]:
    """What a save is made of: armour or cover, and crossfire."""
    first = face(save, "epica.shoot.saves", "armour" if sheet(world, stand).armour == save else "cover")
    return (first, added(changed, "epica.shoot.save_modifiers", "crossfire")) if changed else (first,)


def remove(b: EpicBattle, lost: Sequence[int], how: str, *rules: str) -> None:
    """Take destroyed units off the table and tell of it."""
    b.place_models(list(lost), GONE)
    for formation in b.units():
        mine = [s for s in lost if s in formation.models]
        if mine:
            b.tell(
                "destroyed",
                f"{formation.name} lose {len(mine)} of their units {how}.",
                *rules,
                units=[formation.id],
                lost=len(mine),
                stands=mine,
            )
