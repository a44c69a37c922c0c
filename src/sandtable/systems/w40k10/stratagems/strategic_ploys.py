"""The Strategic Ploys among the core Stratagems, but for Tank Shock, which is a part of a charge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.aiming import guns_of
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.forty.moments import PHASE_ENDED, UNIT_FOUGHT, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.overwatch import Overwatch, is_worth_it, watchers
from sandtable.forty.stratagems import an_enemy_acts, reaction
from sandtable.rules import rule
from sandtable.systems.w40k10.aircraft import may_come_early
from sandtable.systems.w40k10.charge import able_to_charge, charge
from sandtable.systems.w40k10.concepts import has_keyword, is_engaged, within
from sandtable.systems.w40k10.fight import eligible_to_fight
from sandtable.systems.w40k10.hit_and_wound import overwatch_need
from sandtable.systems.w40k10.reserves import arrive, find_arrival, may_arrive
from sandtable.systems.w40k10.shooting import eligible_to_shoot, shoot
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.cards import (
    CARDS,
    COUNTER_OFFENSIVE,
    FIRE_OVERWATCH,
    HEROIC_INTERVENTION,
    RAPID_INGRESS,
)
from sandtable.systems.w40k10.weapons import torrent
from sandtable.table.grid import steps

INTERVENTION_RANGE: Final = steps(6)
OVERWATCH_RANGE: Final = steps(24)
WATCHED: Final = (NORMAL, ADVANCE, FALL_BACK, "charge")
ONLY_SIXES: Final = 6


# --- Counter-offensive: a unit fights next ----------------------------------------------------------------------------


def _may_counter(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return [Option(u.id, u.name) for u in b.units_of(player) if may_counter(b, u)]


@rule("w40k10.strat.counter_offensive", neutral=True)
def may_counter(w: World10, unit: Unit) -> bool:
    """An engaged unit that has not fought yet may fight next."""
    return not unit.fought and is_engaged(w, unit)


def _others_come_first(b: Battle10, player: int, moment: Moment, value: Value) -> bool:
    """Without it, another unit would fight first: the opponent's, or one that Fights First."""
    return any(u.id != int(value) and eligible_to_fight(b, u) for u in b.units())


@rule("w40k10.strat.counter_offensive")
async def strike_back(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit fights next."""
    b.set_game(forced=int(value))


COUNTER: Final = reaction(
    CARDS,
    COUNTER_OFFENSIVE,
    UNIT_FOUGHT,
    when=an_enemy_acts,
    targets=_may_counter,
    effect=strike_back,
    worth=_others_come_first,
)


# --- Heroic Intervention: a unit charges an enemy that has just charged -----------------------------------------------


def _enemy_charged(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["move"] == "charge" and an_enemy_acts(b, player, moment)


def _may_intervene(b: Battle10, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    if not b.is_on_table(enemy):
        return []
    return [Option(u.id, u.name) for u in b.units_of(player) if may_intervene(b, u, enemy)]


@rule("w40k10.strat.heroic_intervention", neutral=True)
def may_intervene(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 6" that could charge; of VEHICLES only WALKERS."""
    if not able_to_charge(w, unit) or not within(w, unit, enemy, INTERVENTION_RANGE):
        return False
    return not has_keyword(w, unit, "VEHICLE") or has_keyword(w, unit, "WALKER")


@rule("w40k10.strat.heroic_intervention")
async def intervene(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """Charge the enemy that has just charged."""
    unit = b.unit(int(value))
    await b.act(unit, charge(b, unit, [b.unit(moment.unit)], heroic=True))


INTERVENE: Final = reaction(
    CARDS, HEROIC_INTERVENTION, UNIT_MOVE_ENDED, when=_enemy_charged, targets=_may_intervene, effect=intervene
)


# --- Rapid Ingress: a unit arrives from Reserves when the opponent has moved ------------------------------------------


def _movement_ends(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["phase"] == "movement" and any(u.reserve for u in b.units_of(player))


@rule("w40k10.strat.rapid_ingress", neutral=())
def may_ingress(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """Units in Reserves that could arrive in this battle round, and have room to."""
    ready = [u for u in b.units_of(player) if may_arrive(b, u) and may_come_early(u)]
    return [Option(u.id, u.name) for u in ready if find_arrival(b, u) is not None]


@rule("w40k10.strat.rapid_ingress")
async def ingress(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit arrives as if in its own Reinforcements step."""
    await arrive(b, b.unit(int(value)), optional=False)


INGRESS: Final = reaction(CARDS, RAPID_INGRESS, PHASE_ENDED, effect=ingress, targets=may_ingress, when=_movement_ends)


# --- Fire Overwatch: a unit shoots at an enemy that moves, charges or is set up ---------------------------------------


@rule("w40k10.strat.fire_overwatch", neutral=False)
def may_overwatch(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 24" that could shoot the enemy in a Shooting phase of its own."""
    return (
        bool(not_forbidden(w, enemy, "overwatch_at_unit", "be shot at by Fire Overwatch"))
        and w.distance(unit, enemy) <= OVERWATCH_RANGE
        and bool(eligible_to_shoot(w, unit))
        and any(g.anything for g in guns_of(w, unit, enemy.id))
    )


OVERWATCH: Final = Overwatch(
    may_overwatch, OVERWATCH_RANGE, lambda w, unit: min(overwatch_need(w, unit), ONLY_SIXES), torrent
)


def _enemy_acts(b: Battle10, player: int, moment: Moment) -> bool:
    """An enemy is set up, or begins or ends one of the moves that the card names."""
    return an_enemy_acts(b, player, moment) and moment.data.get("move", NORMAL) in WATCHED


async def overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    unit = b.unit(int(use))
    await b.act(unit, shoot(b, unit, moment.unit, overwatch=True))


WATCH: Final = tuple(
    reaction(
        CARDS,
        FIRE_OVERWATCH,
        trigger,
        effect=overwatch,
        targets=lambda b, player, moment: watchers(b, player, b.unit(moment.unit), OVERWATCH),
        when=_enemy_acts,
        worth=lambda b, player, moment, use: is_worth_it(b, b.unit(int(use)), b.unit(moment.unit), OVERWATCH),
    )
    for trigger in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)
)
