"""Assaults: the charge, the counter charge, the attacks of both sides, and what becomes of winner and loser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle.decisions import ChooseSome, Mode, Move, Moves, Option
from sandtable.battle.rolls import needing
from sandtable.battle.state import GONE
from sandtable.battle.system import Moment
from sandtable.battle.verdict import Verdict
from sandtable.rules import rule
from sandtable.systems.epica import zoc
from sandtable.systems.epica.blast_markers import become_broken, breaks, give_markers
from sandtable.systems.epica.book import BOOK
from sandtable.systems.epica.broken import withdraw
from sandtable.systems.epica.charge import counter_charge_distance, may_counter_charge
from sandtable.systems.epica.hits import Hits, allocate, remove, roll_saves, who_is_lost
from sandtable.systems.epica.line_of_fire import lines
from sandtable.systems.epica.movement import (
    MOVE_COMPLETED,
    check_lengths,
    check_way,
    fastest,
    finish_move,
)
from sandtable.systems.epica.result import score
from sandtable.systems.epica.state import EpicBattle, EpicWorld, Formation, formation_of, names, sheet, stands
from sandtable.systems.epica.support import choose_support, in_position, roll_support, sources_of
from sandtable.table.grid import TOUCHING, Ints
from sandtable.table.measure import gaps

INTENTS: Final = ("All into contact", "Firefight line", "Mixed")
"""What may be meant by a charge, for players who rather say that than where each unit goes."""


class Fight:
    """An assault while it is fought. It lives within one step, so that a fork plays it again from its answers."""

    def __init__(self, attacker: Formation, defenders: Sequence[int]) -> None:
        self.attackers = [attacker.id]
        self.defenders = list(defenders)
        self.losses: dict[int, int] = {}
        """Units of each formation that the enemy killed"""
        self.broken_before: list[int] = []

    @property
    def everybody(self) -> list[int]:
        return [*self.attackers, *self.defenders]

    def killed(self, side: Sequence[int]) -> int:
        return sum(self.losses.get(f, 0) for f in side)


# --- The course of an assault ----------------------------------------------------------------------------------------


@rule("epica.action.engage", "epica.assault.procedure")
async def engage(b: EpicBattle, formation: Formation) -> None:
    """Charge at an enemy formation, and fight if somebody gets near enough."""
    targets = await choose_targets(b, formation)
    moves = await b.ask(question_of_charge(b, formation, targets))
    await finish_move(b, formation, moves, "epica.assault.charge_move")
    if formation.broken:
        return
    near = is_near_enough(b, formation, targets)
    await overwatch_before_assault(b, formation)
    if not b.is_on_table(formation) or formation.broken:
        return
    if not near:
        b.tell(
            "charge fell short",
            f"{formation.name} have not come within 15 cm of {names(b, targets)}: there is no assault.",
            "epica.assault.within_15",
            units=[formation.id],
        )
        return
    fight = Fight(formation, targets)
    fight.broken_before = [f for f in targets if b.unit(f).broken]
    await counter_charge(b, fight.defenders)
    draw_in(b, fight)
    await fight_out(b, fight)


def question_of_charge(world: EpicWorld, formation: Formation, targets: tuple[int, ...]) -> Move:
    """How a formation charges others."""
    return Move(
        player=formation.player,
        kind="charge",
        prompt=f"{formation.name}: charge {names(world, targets)}",
        rules=("epica.assault.charge_move",),
        unit=formation.id,
        models=tuple(stands(world, formation)),
        modes=(Mode("charge", "Charge", fastest(world, formation)),),
        about={"targets": list(targets), "intents": list(INTENTS)},
    )


@rule("epica.overwatch.before_assault")
async def overwatch_before_assault(b: EpicBattle, formation: Formation) -> None:
    """Whoever lies in wait may fire at a charge before anybody counter charges."""
    await b.window(MOVE_COMPLETED, Moment(formation.id))


@rule("epica.assault.target", neutral=())
async def choose_targets(b: EpicBattle, formation: Formation) -> tuple[int, ...]:
    """Name any enemy formation on the table, and with it those that are mixed up with it."""
    target = await b.choose_unit(
        formation.player,
        "engage",
        f"{formation.name}: engage",
        [e for e in b.enemies_of(formation.player) if b.is_on_table(e)],
        rules=("epica.assault.target",),
        unit=formation.id,
    )
    assert target is not None, "an engage action is open only while there is an enemy"
    return (target.id, *await choose_intermingled(b, formation, target))


@rule("epica.intermingle.declare", neutral=())
async def choose_intermingled(b: EpicBattle, formation: Formation, target: Formation) -> tuple[int, ...]:
    """Which formations within 5 cm of the target are attacked together with it."""
    mixed = [
        e
        for e in b.enemies_of(formation.player)
        if e.id != target.id and b.is_on_table(e) and b.gaps(target, e).min() <= BOOK.intermingled
    ]
    if not mixed:
        return ()
    chosen = await b.ask(
        ChooseSome(
            player=formation.player,
            kind="intermingle",
            deed="Attack too",
            prompt=f"{formation.name}: which formations mixed up with {target.name} are attacked too?",
            rules=("epica.intermingle.declare",),
            unit=formation.id,
            options=tuple(Option(e.id, e.name) for e in mixed),
        )
    )
    return tuple(e.id for e in mixed if e.id in chosen)


@rule("epica.assault.within_15", neutral=True)
def is_near_enough(world: EpicWorld, formation: Formation, targets: Sequence[int]) -> bool:
    """Whether a unit of the charging formation is within 15 cm of a unit of the target."""
    return any(bool((world.gaps(formation, world.unit(t)) <= BOOK.assault_reach).any()) for t in targets)


async def counter_charge(b: EpicBattle, side: Sequence[int]) -> None:
    """Let each formation of a side counter charge with the units that touch no enemy."""
    for number in side:
        formation = b.unit(number)
        asked = question_of_counter_charge(b, formation)
        if asked is None:
            continue
        moves = await b.ask(asked)
        if moves.paths:
            await finish_move(b, formation, moves, "epica.assault.counter_charge", close_up=False)
        if BOOK.counter_charge_draws_fire:
            await b.window(MOVE_COMPLETED, Moment(formation.id))


def question_of_counter_charge(world: EpicWorld, formation: Formation) -> Move | None:
    """How a formation counter charges; None where nobody of it is free to."""
    free = may_counter_charge(world, formation) if world.is_on_table(formation) else []
    if not free:
        return None
    far = max(counter_charge_distance(sheet(world, m).speed) for m in free)
    return Move(
        player=formation.player,
        kind="counter-charge",
        prompt=f"{formation.name}: counter charge",
        rules=("epica.assault.counter_charge",),
        unit=formation.id,
        models=tuple(free),
        modes=(Mode("counter-charge", "Counter charge", far),),
    )


@rule("epica.assault.counter_charge_draws_in")
def draw_in(b: EpicBattle, fight: Fight) -> None:
    """Formations of the attacking side that a counter charge has touched join the attackers."""
    for formation in b.friends_of(b.unit(fight.attackers[0]).player):
        if formation.id in fight.attackers:
            continue
        if any(bool((b.gaps(formation, b.unit(d)) <= TOUCHING).any()) for d in fight.defenders):
            fight.attackers.append(formation.id)
            if formation.broken:
                fight.broken_before.append(formation.id)
            b.tell(
                "drawn in",
                f"{formation.name} are drawn into the assault.",
                "epica.assault.counter_charge_draws_in",
                units=[formation.id],
            )


async def fight_out(b: EpicBattle, fight: Fight) -> None:
    """Fight rounds until one side has won."""
    while True:
        front = [m for m in members(b, fight.attackers) if m in engaged(b, fight.attackers, fight.defenders)]
        await resolve_attacks(b, fight)
        alive = b.state.models.place
        if is_wiped_out(b, fight.defenders):
            if not is_wiped_out(b, fight.attackers):
                await conclude(b, fight, fight.attackers, fight.defenders, 0)
            return None
        if has_stalled([m for m in front if alive[m] != GONE], front):
            b.tell("stalled", "The assault has stalled.", "epica.assault.stalled", units=fight.attackers)
            await conclude(b, fight, fight.defenders, fight.attackers, 0)
            return None
        await resolve_support(b, fight)
        if is_wiped_out(b, fight.defenders) or is_wiped_out(b, fight.attackers):
            attackers_win = is_wiped_out(b, fight.defenders)
            if not (attackers_win and is_wiped_out(b, fight.attackers)):
                sides = (fight.attackers, fight.defenders) if attackers_win else (fight.defenders, fight.attackers)
                await conclude(b, fight, *sides, 0)
            return None
        mine = score(b, fight.attackers, fight.defenders, fight.killed(fight.defenders)).total
        theirs = score(b, fight.defenders, fight.attackers, fight.killed(fight.attackers)).total
        if mine > theirs:
            return await conclude(b, fight, fight.attackers, fight.defenders, mine - theirs)
        if theirs > mine or not BOOK.tie_goes_on:
            return await conclude(b, fight, fight.defenders, fight.attackers, theirs - mine)
        b.tell("tied", "The assault is tied and goes on.", "epica.result.tie", units=fight.everybody)
        await counter_charge(b, fight.attackers)
        await counter_charge(b, fight.defenders)
        draw_in(b, fight)


@rule("epica.assault.wiped_out", neutral=False)
def is_wiped_out(world: EpicWorld, side: Sequence[int]) -> bool:
    """Whether nobody is left of all formations of a side, near or far."""
    return not any(world.is_on_table(world.unit(f)) for f in side)


@rule("epica.assault.stalled", neutral=False)
def has_stalled(survivors: Sequence[int], front: Sequence[int]) -> bool:
    """Whether all attackers that were near enough to fight are dead."""
    return bool(front) and not survivors


# --- Attacks ---------------------------------------------------------------------------------------------------------


def members(world: EpicWorld, side: Sequence[int]) -> list[int]:
    """All stands of a side on the table."""
    return [m for f in side for m in stands(world, world.unit(f))]


def engaged(world: EpicWorld, side: Sequence[int], other: Sequence[int]) -> list[int]:
    """The stands of a side within 15 cm of the other side: they can be hit."""
    mine, theirs = members(world, side), members(world, other)
    if not mine or not theirs:
        return []
    near = gaps(world.bodies, world.shapes, _rows(mine), _rows(theirs)).min(axis=1)
    return [m for m, gap in zip(mine, near, strict=True) if gap <= BOOK.assault_reach]


def _rows(stands_: Sequence[int]) -> Ints:
    return np.array(stands_, dtype=np.int64)


def in_contact(world: EpicWorld, side: Sequence[int], other: Sequence[int]) -> list[int]:
    """The stands of a side that touch an enemy of the other side and so fight hand to hand."""
    mine, theirs = members(world, side), members(world, other)
    if not mine or not theirs:
        return []
    near = gaps(world.bodies, world.shapes, _rows(mine), _rows(theirs)).min(axis=1)
    return [m for m, gap in zip(mine, near, strict=True) if gap <= TOUCHING]


@rule("epica.assault.attacks_who", neutral=())
def firefighters(world: EpicWorld, side: Sequence[int], other: Sequence[int]) -> list[int]:
    """The stands of a side that touch nobody, but have an enemy within 15 cm and line of fire, and a weapon for it."""
    close = in_contact(world, side, other)
    found = []
    for number in side:
        formation = world.unit(number)
        for row, stand in enumerate(stands(world, formation)):
            if stand in close or not sheet(world, stand).has_ranged_weapon:
                continue
            for o in other:
                enemy = world.unit(o)
                near = world.gaps(formation, enemy)[row] <= BOOK.assault_reach
                if bool((near & lines(world, formation, enemy).clear[row]).any()):
                    found.append(stand)
                    break
    return found


def roll_attacks(b: EpicBattle, side: Sequence[int], other: Sequence[int]) -> int:
    """Roll a side's attacks; returns the hits."""
    player = b.unit(side[0]).player
    close, ranged = in_contact(b, side, other), firefighters(b, side, other)
    hits = 0
    for kind, values in (
        ("close combat", [sheet(b, m).cc for m in close]),
        ("firefight", [sheet(b, m).ff for m in ranged]),
    ):
        if values:
            read = needing(values, "hit(s)")
            faces = b.roll(len(values), kind, player, rules=("epica.assault.attacks_roll",), read=read)
            hits += sum(attack_hits(face, value) for face, value in zip(faces, values, strict=True))
    b.tell(
        "attacks",
        f"{names(b, tuple(side))}: {len(close)} in close combat and {len(ranged)} in the firefight score {hits} hits.",
        "epica.assault.attacks_roll",
        units=list(side),
        attacks=len(close) + len(ranged),
        hits=hits,
    )
    return hits


@rule("epica.assault.attacks_roll", "epica.datasheet.assault_values", neutral=False)
def attack_hits(face: int, value: int) -> bool:
    """Whether an attack hits; nothing ever modifies it."""
    return face >= value


async def resolve_attacks(b: EpicBattle, fight: Fight) -> None:
    """Both sides attack at once; the dead still strike."""
    on_defenders = roll_attacks(b, fight.attackers, fight.defenders)
    on_attackers = roll_attacks(b, fight.defenders, fight.attackers)
    targets = (
        Hits("assault", on_defenders, can_be_hit(b, fight.defenders, fight.attackers)),
        Hits("assault", on_attackers, can_be_hit(b, fight.attackers, fight.defenders)),
    )
    await take_hits(b, fight, *targets)


@rule("epica.assault.allocation", neutral=())
def can_be_hit(world: EpicWorld, side: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The units of a side that hits can fall on, whatever their type: those within 15 cm of the enemy."""
    return tuple(engaged(world, side, other))


@rule("epica.assault.cover_saves", neutral=True)
def may_use_cover(*, charged: bool) -> bool:
    """Infantry that charged has left its cover."""
    return not charged


async def take_hits(
    b: EpicBattle,
    fight: Fight,
    on_defenders: Hits,
    on_attackers: Hits,
    sources: tuple[list[int], list[int]] | None = None,
) -> None:
    """Allocate and save hits on both sides, and only then remove the dead; no markers are placed yet."""
    lost: list[int] = []
    from_attackers, from_defenders = sources or (members(b, fight.attackers), members(b, fight.defenders))
    for side, hits, enemies, charged in (
        (fight.defenders, on_defenders, from_attackers, False),
        (fight.attackers, on_attackers, from_defenders, True),
    ):
        if hits.number and hits.candidates:
            load = await allocate(b, b.unit(side[0]).player, (hits,), enemies)
            cover = may_use_cover(charged=charged)
            lost += roll_saves(b, load, "assault", cover=cover, modifier=lambda _: BOOK.crossfire_in_assault)
    for stand in lost:
        formation = formation_of(b, stand)
        fight.losses[formation.id] = fight.losses.get(formation.id, 0) + 1
        await give_markers(b, formation, BOOK.markers_at_once, "in the assault", "epica.assault.markers_deferred")
    remove(b, lost, "in the assault", "epica.assault.allocation")
    if not lost:
        # Whoever draws the dice in one line learns that these saves are all there is to it.
        b.tell("unharmed", "Nobody is lost in the assault.", "epica.assault.allocation", units=fight.everybody, lost=0)


async def resolve_support(b: EpicBattle, fight: Fight) -> None:
    """Neighbours of both sides join in, at the same time."""
    attacking = [*in_contact(b, fight.attackers, fight.defenders), *firefighters(b, fight.attackers, fight.defenders)]
    defending = [*in_contact(b, fight.defenders, fight.attackers), *firefighters(b, fight.defenders, fight.attackers)]
    for_attack = in_position(b, fight.attackers, fight.everybody, fight.defenders, defending)
    for_defence = in_position(b, fight.defenders, fight.everybody, fight.attackers, attacking)
    chosen = await choose_support(b, [*for_attack, *for_defence], fight.everybody)
    helpers = [f for f in for_attack if f in chosen]
    others = [f for f in for_defence if f in chosen]
    if not chosen:
        return
    on_defenders = roll_support(b, helpers, fight.defenders, defending) or NO_HITS
    on_attackers = roll_support(b, others, fight.attackers, attacking) or NO_HITS
    await take_hits(b, fight, on_defenders, on_attackers, (sources_of(b, helpers), sources_of(b, others)))


NO_HITS: Final = Hits("assault", 0, ())


# --- Winner and loser ------------------------------------------------------------------------------------------------


async def conclude(b: EpicBattle, fight: Fight, winners: list[int], losers: list[int], margin: int) -> None:
    """The loser is broken and withdraws; then the winner counts its losses and consolidates."""
    b.tell(
        "assault won",
        f"{names(b, winners)} win the assault{f' by {margin}' if margin else ''}.",
        "epica.result.roll",
        units=winners,
        margin=margin,
    )
    neighbours = shaken_neighbours(b, fight, winners, losers)
    await take_extra_hits(b, winners, losers, margin)
    for number in losers:
        if number in fight.broken_before:
            destroy_broken(b, b.unit(number))
    for number in losers:
        lose_heart(b, b.unit(number))
    for number in losers:
        await flee(b, b.unit(number))
    for formation in neighbours:
        await give_markers(b, formation, 1, "for seeing their friends lose", "epica.loser.supporters")
        breaks(b, formation)
    for number in winners:
        formation = b.unit(number)
        if b.is_on_table(formation) and not is_spared(formation):
            await mark_winner(b, formation, fight.losses.get(number, 0))
    for number in winners:
        if b.is_on_table(b.unit(number)):
            await consolidate(b, b.unit(number))


@rule("epica.loser.supporters", neutral=())
def shaken_neighbours(b: EpicBattle, fight: Fight, winners: list[int], losers: list[int]) -> list[Formation]:
    """Formations of the losing side that could have lent support, whether or not they did."""
    return in_position(b, losers, fight.everybody, winners, members(b, winners))


@rule("epica.loser.extra_hits", "epica.loser.extra_hits_intermingled")
async def take_extra_hits(b: EpicBattle, winners: list[int], losers: list[int], margin: int) -> None:
    """The loser loses as many more units as it lost by, without saves: those in contact first, then the closest."""
    lost = await who_is_lost(b, members(b, losers), margin, members(b, winners), "epica.loser.extra_hits")
    remove(b, lost, "as they are thrown back", "epica.loser.extra_hits")


@rule("epica.loser.already_broken")
def destroy_broken(b: EpicBattle, formation: Formation) -> None:
    """A formation that went into the assault broken does not survive losing it."""
    remove(b, stands(b, formation), "for being broken already", "epica.loser.already_broken")


@rule("epica.loser.broken", "epica.intermingle.result")
def lose_heart(b: EpicBattle, formation: Formation) -> None:
    """Whoever loses an assault is broken, whatever its markers."""
    if b.is_on_table(formation):
        become_broken(b, formation, flees=False)


@rule("epica.loser.withdraws")
async def flee(b: EpicBattle, formation: Formation) -> None:
    """The survivors of the losing side withdraw at once."""
    if b.is_on_table(formation):
        await withdraw(b, formation)


@rule("epica.winner.already_broken", neutral=False)
def is_spared(formation: Formation) -> bool:
    """A winner that was broken already is past caring about markers."""
    return formation.broken


@rule("epica.winner.markers", "epica.intermingle.result")
async def mark_winner(b: EpicBattle, formation: Formation, losses: int) -> None:
    """The winner gets a marker for each unit that it lost, and may break by them."""
    await give_markers(b, formation, losses, "for their losses in the assault", "epica.winner.markers")
    break_winner(b, formation)


@rule("epica.winner.breaks")
def break_winner(b: EpicBattle, formation: Formation) -> None:
    """A winner that breaks does not have to withdraw."""
    breaks(b, formation, flees=False)


@rule("epica.winner.consolidates")
async def consolidate(b: EpicBattle, formation: Formation) -> None:
    """The winner may move up to 5 cm with each unit."""
    moves = await b.ask(
        Move(
            player=formation.player,
            kind="consolidate",
            prompt=f"{formation.name}: consolidate",
            rules=("epica.winner.consolidates",),
            unit=formation.id,
            models=tuple(stands(b, formation)),
            modes=(Mode("consolidate", "Consolidate", BOOK.consolidation),),
        )
    )
    if moves.paths:
        await finish_move(b, formation, moves, "epica.winner.consolidates")


def judge_consolidation(world: EpicWorld, decision: Move, moves: Moves) -> Verdict:
    """Whether a winner may move like this: 5 cm at most, and not into an enemy zone."""
    formation = world.unit(decision.unit)
    zones = zoc.zones_against(world, formation.player)
    return (
        check_lengths(world, formation, moves, lambda p: BOOK.consolidation if sheet(world, p.model).speed else 0)
        and check_way(world, formation, moves)
        and zoc.keeps_out(world, moves.paths, zones)
    )
