"""Reserves: the Reinforcements step, Deep Strike, Strategic Reserves and Rapid Ingress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sandtable.battle import (
    AGAIN,
    ALLOWED,
    DONE,
    Assign,
    Assignment,
    Moment,
    Option,
    Spot,
    Step,
    Value,
    Verdict,
    refuse,
)
from sandtable.battle.kept import PLACES, kept
from sandtable.forty.arriving import come_on, in_enemy_zone
from sandtable.forty.effects.leaving import Leaving
from sandtable.forty.effects.permissions import allows, check_barriers
from sandtable.forty.formations import declare, joins, planning, points_with, rides, to_write_down, together
from sandtable.forty.moments import UNIT_SET_UP
from sandtable.forty.passengers import lose_the_absent
from sandtable.forty.placing import far_from_edges, too_near
from sandtable.forty.state import Entry
from sandtable.kit.grammar import does
from sandtable.kit.ideas import which_unit
from sandtable.kit.room import (
    ANYWHERE,
    Room,
    Spots,
    find_room,
    models_to_place,
    narrowest,
    placed,
    rows_of,
    setting_up,
    strips,
    touches_edge,
)
from sandtable.kit.room import gap_to_enemies as gap_to_enemies_of
from sandtable.rules import Facts, fact, rule
from sandtable.systems.w40k10.abilities.datasheet_abilities import every_model_has
from sandtable.systems.w40k10.abilities.deep_strike import DEEP_STRIKE, can_deep_strike
from sandtable.systems.w40k10.aircraft import may_wait, must_be_in_reserves
from sandtable.systems.w40k10.core_concepts import has_keyword, wholly_within
from sandtable.systems.w40k10.setting_up import room_for
from sandtable.systems.w40k10.state import FAR, NORMAL, UNLIMITED, Battle10, Unit, World10
from sandtable.table.grid import steps
from sandtable.table.shapes import Bodies

STRATEGIC: Final = "strategic"
CLOSER_GAP: Final = steps(6)
IN_RESERVES: Final = {DEEP_STRIKE: "Deep Strike", STRATEGIC: "Strategic Reserves"}
"""The rules under which units are in Reserves, and what they are called."""


class RESERVES(Facts):
    gap = fact(steps(9), "w40k10.ability.deep_strike", "w40k10.reserve.strategic_enemy_distance", neutral=0)
    """How far from all enemies Reserves are set up."""
    band = fact(steps(6), "w40k10.reserve.strategic_round2", "w40k10.reserve.strategic_round3", neutral=FAR)
    """How near to an edge Strategic Reserves are set up, wholly."""
    share = fact(4, "w40k10.reserve.strategic_limit", neutral=1)
    """One part in so many of the battle size can be in Strategic Reserves."""
    strategic_from = fact(2, "w40k10.reserve.strategic_timing", neutral=1)
    """In which battle round Strategic Reserves arrive at the earliest..."""
    zone_opens_in = fact(3, "w40k10.reserve.strategic_round2", "w40k10.reserve.strategic_round3", neutral=UNLIMITED)
    """...and from which on the enemy deployment zone is open to them."""


# --- Declared before the battle ---------------------------------------------------------------------------------------


async def declare_reserves(b: Battle10) -> Step:
    """Last it is written down which units start in Reserves, and under which rule."""
    asked = [_ask_reserves(b, p.id) for p in b.state.players]
    await declare(b, asked, lambda a: (str(a.target), int(a.row), -1))
    return DONE


def _ask_reserves(b: Battle10, player: int) -> Assign | None:
    plans = b.player(player).plans
    joined, riding = joins(plans), rides(plans)
    with_another = {**riding, **joined}

    def decides(unit: Unit) -> bool:
        """Whoever goes with another unit stays with it, but for passengers of who has to start in Reserves."""
        carrier = riding.get(unit.id)
        free = unit.id not in joined and (carrier is None or must_be_in_reserves(b, b.unit(carrier)))
        return free and not must_be_in_reserves(b, unit)

    rows = [
        (unit, [how for how in IN_RESERVES if may_reserve(b, together(b, unit, joined), how)])
        for unit in b.units_of(player)
        if decides(unit)
    ]
    options = [Option(how, name) for how, name in IN_RESERVES.items()]
    rules = ("w40k10.reserve.definition", "w40k10.reserve.strategic_placing")
    prompt = "Which units start the battle in Reserves?"
    return to_write_down(player, "reserves", prompt, rows, options, *rules, joined=with_another)


@rule("w40k10.reserve.definition", neutral=True)
def may_reserve(w: World10, units: list[Unit], how: str) -> bool:
    """Whether units, that act as one, can start in Reserves under a rule."""
    if how == DEEP_STRIKE:
        return can_deep_strike(w, units)
    return can_wait(w, units)


@rule("w40k10.reserve.strategic_placing", neutral=True)
def can_wait(w: World10, units: list[Unit]) -> bool:
    """Any unit but FORTIFICATIONS."""
    return not any(has_keyword(w, unit, "FORTIFICATION") for unit in units)


@rule("w40k10.concept.summary_precedence", neutral=0)
def points_that_count(w: World10) -> int:
    """The limit of the battle size, as the full rule says; the summary beside it speaks of the army's total."""
    return w.setup.data.limit


@rule("w40k10.reserve.strategic_limit", neutral=ALLOWED)
def judge_reserves(w: World10, d: Assign, answer: tuple[Assignment, ...]) -> Verdict:
    """Strategic Reserves hold at most a quarter of the points of the battle size."""
    points = sum(points_with(w, d, int(a.row)) for a in answer if a.target == STRATEGIC)
    most = points_that_count(w) // RESERVES.share
    if points <= most:
        return ALLOWED
    text = f"Strategic Reserves hold at most {most} points at this battle size, not {points}."
    return refuse(text, "w40k10.reserve.strategic_limit", points=points, most=most)


def set_aside(b: Battle10, unit: Unit, how: str) -> None:
    """A unit starts the battle in Reserves."""
    b.set_unit(unit, reserve=how)
    text = f"{does(unit, 'starts')} in Reserves: {IN_RESERVES[how]}."
    b.tell("reserves", text, "w40k10.reserve.definition", units=[unit.id])


def _wished_reserves(entry: Entry, ways: Sequence[Value]) -> Value | None:
    """By Deep Strike where possible."""
    return ways[0] if entry.reserves else None


@rule("w40k10.reserve.unarrived")
def lose_reserves(b: Battle10) -> None:
    """What is not on the battlefield when the battle ends counts as destroyed, passengers of such transports too."""
    lose_the_absent(b, "w40k10.reserve.unarrived")


# --- The Reinforcements step ------------------------------------------------------------------------------------------


@rule("w40k10.reserve.reinforcements")
async def reinforcements(b: Battle10) -> Step:
    """2. Reinforcements: one unit after the other may arrive."""
    player = b.state.active
    ready = [u for u in b.units_of(player) if may_arrive(b, u) and not u.held_back]
    prompt, rules = "Which unit arrives from Reserves?", ("w40k10.reserve.reinforcements",)
    optional = all(may_wait(u) for u in ready)
    unit = await b.choose_unit(player, "arrive_with", prompt, ready, optional=optional, rules=rules)
    if unit is None:
        return DONE
    await arrive(b, unit, optional=may_wait(unit) or find_arrival(b, unit) is None)
    return AGAIN


def may_arrive(w: World10, unit: Unit) -> Verdict:
    """Whether a unit could arrive in this battle round."""
    if not unit.reserve or not models_to_place(w, unit):
        return refuse(f"{does(unit, 'is')} not in Reserves.", "w40k10.reserve.definition")
    return in_time(w, unit)


@rule("w40k10.reserve.strategic_kind", neutral=True)
def is_strategic(unit: Unit) -> bool:
    """Whether a unit was placed into Strategic Reserves; others arrive by the rule that put them into Reserves."""
    return unit.reserve == STRATEGIC


@rule("w40k10.reserve.strategic_timing", neutral=ALLOWED)
def in_time(w: World10, unit: Unit) -> Verdict:
    """Strategic Reserves do not arrive in the first battle round."""
    if is_strategic(unit) and w.state.round < RESERVES.strategic_from and not allows(w, unit, "arrive_round_one"):
        text = f"{unit.name} cannot arrive from Strategic Reserves before battle round 2."
        return refuse(text, "w40k10.reserve.strategic_timing")
    if w.option("deep-strike") == "from-round-2" and w.state.round < RESERVES.strategic_from:
        return refuse(f"{unit.name} cannot arrive before battle round 2.", "w40k10.ability.deep_strike")
    return ALLOWED


async def arrive(b: Battle10, unit: Unit, *, optional: bool) -> None:
    """Set a unit up from Reserves."""
    source = "w40k10.reserve.strategic_round2" if is_strategic(unit) else "w40k10.ability.deep_strike"
    told, gap = "w40k10.reserve.reinforcements", least_gap(b, unit)
    if await come_on(b, unit, source, gap=gap, told=told, moved=counts_as_moved, optional=optional, due=False):
        await b.window(UNIT_SET_UP, Moment(unit.id))
    else:
        b.set_unit(unit, held_back=True)


@rule("w40k10.reserve.counts_as_moved")
def counts_as_moved(b: Battle10, unit: Unit) -> None:
    """Arriving counts as a Normal move."""
    b.set_unit(unit, moved=NORMAL)


# --- Where ------------------------------------------------------------------------------------------------------------


def room_to_arrive(w: World10, unit: Unit) -> Room:
    """Where a unit may arrive, under the rule that put it into Reserves."""

    def where(spots: Spots) -> Verdict:
        return check_arrival(w, unit, placed(w, spots), spots)

    return room_for(
        w, unit, strips(w, RESERVES.band) if is_strategic(unit) else (ANYWHERE,), where, gap=least_gap(w, unit)
    )


def check_arrival(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """Each unit follows the rule under which it went into Reserves."""
    kept_away = check_barriers(w, unit, bodies, rows_of(spots))
    if is_strategic(unit):
        verdict = (
            check_edges(w, unit, bodies, spots)
            and check_enemy_zone(w, unit, bodies, spots)
            and check_strategic_gap(w, unit, bodies, spots)
        )
        if verdict or w.option("strategic-deep-strike") == "no" or not every_model_has(w, unit, DEEP_STRIKE):
            return verdict and kept_away
    return check_deep_strike(w, unit, bodies, spots) and kept_away


def least_gap(w: World10, unit: Unit) -> int:
    """How far from the enemy a unit with Deep Strike keeps: 9", or 6" with an ability that says so."""
    return CLOSER_GAP if not is_strategic(unit) and allows(w, unit, "arrive_at_6") else RESERVES.gap


@rule("w40k10.reserve.horizontal_distance", neutral=float(1 << 20))
def gap_to_enemies(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> float:
    """The distance to the enemy is horizontal, however high somebody stands."""
    return gap_to_enemies_of(w, unit.player, bodies, rows_of(spots))


@rule("w40k10.ability.deep_strike", neutral=ALLOWED)
def check_deep_strike(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """Anywhere more than 9" from all enemies."""
    return _check_gap(w, unit, bodies, spots, least_gap(w, unit), "w40k10.ability.deep_strike")


@rule("w40k10.reserve.strategic_enemy_distance", neutral=ALLOWED)
def check_strategic_gap(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """More than 9" from all enemies."""
    return _check_gap(w, unit, bodies, spots, RESERVES.gap, "w40k10.reserve.strategic_enemy_distance")


def _check_gap(w: World10, unit: Unit, bodies: Bodies, spots: Spots, least: int, rule_: str) -> Verdict:
    if gap_to_enemies(w, unit, bodies, spots) > least:
        return ALLOWED
    text = f'{unit.name} must be more than {least // steps(1)}" horizontally from all enemy models'
    id_, enemies = "w40k10.reserve.horizontal_distance", w.enemies_of(unit.player)
    return too_near(w, text, bodies, rows_of(spots), enemies, least, rule_, id_)


@rule("w40k10.reserve.strategic_round2", "w40k10.reserve.strategic_round3", neutral=ALLOWED)
def check_edges(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """Every model is wholly within 6" of an edge."""
    along_edges = strips(w, RESERVES.band)
    inland = [s for s in spots if not any(wholly_within(w, bodies, s.model, strip) for strip in along_edges)]
    astray = [s.model for s in inland if not _hugs(w, bodies, s)]
    if not astray:
        return ALLOWED
    return far_from_edges(w, unit, bodies, astray, RESERVES.band, "w40k10.reserve.strategic_round2")


def _hugs(w: World10, bodies: Bodies, spot: Spot) -> bool:
    """Whether a model that is too large for the strip touches the edge, in battles with that option."""
    is_large = narrowest(w, spot.model) > RESERVES.band
    return w.option("large-reserves") == "touching-edge" and is_large and touches_edge(w, bodies, spot.model)


@rule("w40k10.reserve.strategic_round2", neutral=ALLOWED)
def check_enemy_zone(w: World10, unit: Unit, bodies: Bodies, spots: Spots) -> Verdict:
    """In the second battle round nobody arrives in the enemy deployment zone."""
    if not zone_closed(w.state.round) or not in_enemy_zone(w, unit, bodies, spots):
        return ALLOWED
    text = f"{unit.name} cannot arrive in the enemy deployment zone in battle round 2."
    return refuse(text, "w40k10.reserve.strategic_round2")


@rule("w40k10.reserve.strategic_round3", neutral=True)
def zone_closed(round_: int) -> bool:
    """From the third battle round on the enemy deployment zone is open."""
    return round_ < RESERVES.zone_opens_in


def find_arrival(w: World10, unit: Unit) -> Spots | None:
    """A legal place to arrive at, if a bounded search finds one."""
    closed, removed = zone_closed(w.state.round), w.state.game.removed
    return _find_arrival(w, unit, unit.reserve, closed, least_gap(w, unit), removed)


@kept(PLACES)
def _find_arrival(
    w: World10, unit: Unit, reserve: str, closed: bool, gap: int, removed: tuple[int, ...]
) -> Spots | None:
    return find_room(w, room_to_arrive(w, unit))


LEAVING: Final = Leaving(STRATEGIC, DEEP_STRIKE, "Strategic Reserves", find_arrival, arrive)
QUESTIONS: Final[dict[str, Any]] = {
    "reserves": planning(judge_reserves, _wished_reserves, as_listed=0.6, at_random=(0.3, 0.15)),
    "arrive_with": which_unit(0.3, may_arrive),
    "arrive": setting_up(lambda w, unit: (room_to_arrive(w, unit),), find_arrival),
}
