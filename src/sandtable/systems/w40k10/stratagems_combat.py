"""Stratagems of the Command, Charge and Fight phases."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Choose, Effect, Moment, Option, Value
from sandtable.battle.rolls import Each
from sandtable.forty.moments import CHARGE_DECLARED, TEST_FAILED, UNIT_FOUGHT, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED
from sandtable.kit.grammar import agree, counted, does
from sandtable.rules import rule
from sandtable.systems.w40k10.charge import able_to_charge, charge
from sandtable.systems.w40k10.concepts import engaged_enemies, has_keyword, is_engaged, within
from sandtable.systems.w40k10.dice import meets
from sandtable.systems.w40k10.fight import eligible_to_fight
from sandtable.systems.w40k10.hit_and_wound import toughness
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of
from sandtable.systems.w40k10.stratagems import (
    COUNTER_OFFENSIVE,
    HEROIC_INTERVENTION,
    INSANE_BRAVERY,
    TANK_SHOCK,
    reaction,
)
from sandtable.table.grid import steps

INTERVENTION_RANGE: Final = steps(6)
SHOCK_NEED: Final = 5
MOST_SHOCK: Final = 6
EXTRA_SHOCK: Final = 2


# --- Insane Bravery ---------------------------------------------------------------------------------------------------


@rule("w40k10.strat.insane_bravery", neutral=True)
def is_own_test(b: Battle10, player: int, moment: Moment) -> bool:
    """A Battle-shock test of the player's own unit, and one of the Battle-shock step."""
    return moment.data["step"] == "battle-shock" and b.unit(moment.unit).player == player


def _that_unit(b: Battle10, player: int, moment: Moment) -> list[Option]:
    unit = b.unit(moment.unit)
    return [Option(unit.id, unit.name)]


@rule("w40k10.strat.insane_bravery")
async def be_brave(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit counts as having passed."""
    unit = b.unit(int(value))
    b.set_unit(unit, battle_shocked=False)
    b.tell("brave", f"{does(unit, 'stands')} firm after all.", "w40k10.strat.insane_bravery", units=[unit.id])


# --- Counter-offensive ------------------------------------------------------------------------------------------------


def _enemy_fought(b: Battle10, player: int, moment: Moment) -> bool:
    return b.side(b.unit(moment.unit).player) != b.side(player)


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


# --- Heroic Intervention ----------------------------------------------------------------------------------------------


def _enemy_charged(b: Battle10, player: int, moment: Moment) -> bool:
    return moment.data["move"] == "charge" and b.side(b.unit(moment.unit).player) != b.side(player)


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


# --- Tank Shock -------------------------------------------------------------------------------------------------------


def _own_vehicle(b: Battle10, player: int, moment: Moment) -> bool:
    unit = b.unit(moment.unit)
    charges = moment.data.get("move", "charge") == "charge"
    return charges and unit.player == player and has_keyword(b, unit, "VEHICLE") and bool(_rams(b, unit))


def _rams(w: World10, unit: Unit) -> list[tuple[str, int]]:
    """The melee weapons of a unit, with their Strength."""
    found = {x.name: x.strength for m in w.on_table(unit) for x in weapons_of(w, int(m)) if x.is_melee}
    return sorted(found.items())


def _later_is_better(b: Battle10, player: int, moment: Moment, value: Value) -> bool:
    """The Stratagem may still be used once the Charge roll is known: before it, nobody needs to be asked."""
    return False


@rule("w40k10.strat.tank_shock")
async def prepare_shock(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """Until the end of the phase the unit shocks an enemy after its Charge move."""
    b.add_effect(Effect("tank_shock", int(value), source="w40k10.strat.tank_shock", until="phase"))


async def tank_shock(b: Battle10, unit: Unit) -> None:
    """After the Charge move: pick an enemy and a weapon, roll, and inflict mortal wounds."""
    if not b.affected("tank_shock", unit.id):
        return
    b.end_effects(lambda e: e.kind == "tank_shock" and e.unit == unit.id)
    enemies, rams = engaged_enemies(b, unit), _rams(b, unit)
    if not enemies or not rams:
        return
    options = tuple(
        Option(f"{e.id}/{name}", f"{e.name} with {name}", f"{shock_dice(b, strength, e)} dice")
        for e in enemies
        for name, strength in rams
    )
    choice: Value = options[0].value
    if len(options) > 1:
        chosen = await b.ask(
            Choose(
                player=unit.player,
                kind="tank_shock",
                prompt=f"Whom {agree(unit, 'does')} {unit.name} shock?",
                options=options,
                rules=("w40k10.strat.tank_shock",),
                unit=unit.id,
            )
        )
        choice = options[0].value if chosen is None else chosen
    number, _, name = str(choice).partition("/")
    await shock(b, unit, b.unit(int(number)), dict(rams)[name])


async def shock(b: Battle10, unit: Unit, enemy: Unit, strength: int) -> None:
    """Roll the dice: each 5+ is a mortal wound, 6 at most."""
    from sandtable.systems.w40k10.mortal import inflict

    number, cites = shock_dice(b, strength, enemy), ("w40k10.strat.tank_shock",)
    read = Each("mortal wound(s)", needed=SHOCK_NEED, most=MOST_SHOCK)
    faces = b.roll(number, "tank shock", unit.player, rules=cites, read=read)
    wounds = min(MOST_SHOCK, sum(meets(f, SHOCK_NEED) for f in faces))
    b.tell(
        "tank_shock",
        f"{does(unit, 'rams')} {enemy.name}: {counted(wounds, 'mortal wound')}.",
        "w40k10.strat.tank_shock",
        units=[unit.id, enemy.id],
        wounds=wounds,
    )
    if wounds:
        await inflict(b, enemy, wounds, "w40k10.strat.tank_shock")


@rule("w40k10.strat.tank_shock", neutral=0)
def shock_dice(w: World10, strength: int, enemy: Unit) -> int:
    """As many dice as the Strength, two more if it exceeds the enemy's Toughness."""
    return strength + (EXTRA_SHOCK if strength > toughness(w, enemy) else 0)


REACTIONS: Final = (
    reaction(INSANE_BRAVERY, TEST_FAILED, when=is_own_test, targets=_that_unit, effect=be_brave),
    reaction(
        COUNTER_OFFENSIVE,
        UNIT_FOUGHT,
        when=_enemy_fought,
        targets=_may_counter,
        effect=strike_back,
        worth=_others_come_first,
    ),
    reaction(HEROIC_INTERVENTION, UNIT_MOVE_ENDED, when=_enemy_charged, targets=_may_intervene, effect=intervene),
    reaction(
        TANK_SHOCK,
        CHARGE_DECLARED,
        when=_own_vehicle,
        targets=_that_unit,
        effect=prepare_shock,
        worth=_later_is_better,
    ),
    reaction(TANK_SHOCK, UNIT_MOVE_BEGAN, when=_own_vehicle, targets=_that_unit, effect=prepare_shock),
)
