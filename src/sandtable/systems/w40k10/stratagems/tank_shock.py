"""Tank Shock: a VEHICLE that charged rams an enemy."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.battle.rolls import Each
from sandtable.forty.moments import CHARGE_DECLARED, UNIT_MOVE_BEGAN
from sandtable.forty.stratagems import for_the_phase, offer_the_acting_unit, reaction
from sandtable.kit.grammar import agree, counted, does
from sandtable.rules import rule
from sandtable.systems.w40k10.abilities.leader import toughness
from sandtable.systems.w40k10.core_concepts import has_keyword
from sandtable.systems.w40k10.dice import meets
from sandtable.systems.w40k10.engagement_range import engaged_enemies
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.state import Battle10, Unit, World10, weapons_of
from sandtable.systems.w40k10.stratagems.using_stratagems import CARDS, TANK_SHOCK

SHOCK_NEED: Final = 5
MOST_SHOCK: Final = 6
EXTRA_SHOCK: Final = 2


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
    for_the_phase(b, TANK_SHOCK, "tank_shock", int(value))


async def tank_shock(b: Battle10, unit: Unit) -> None:
    """After the Charge move: pick an enemy and a weapon, roll, and inflict mortal wounds."""
    if not b.affected("tank_shock", unit.id):
        return
    b.end_effects(lambda e: e.kind == "tank_shock" and e.unit == unit.id)
    enemies, rams = engaged_enemies(b, unit), _rams(b, unit)
    if not enemies or not rams:
        return
    options = [
        Option(f"{e.id}/{name}", f"{e.name} with {name}", f"{shock_dice(b, strength, e)} dice")
        for e in enemies
        for name, strength in rams
    ]
    prompt, rules = f"Whom {agree(unit, 'does')} {unit.name} shock?", (TANK_SHOCK.rule,)
    chosen = await b.choose(unit.player, "tank_shock", prompt, options, rules=rules, unit=unit.id)
    number, _, name = str(chosen).partition("/")
    await shock(b, unit, b.unit(int(number)), dict(rams)[name])


async def shock(b: Battle10, unit: Unit, enemy: Unit, strength: int) -> None:
    """Roll the dice: each 5+ is a mortal wound, 6 at most."""
    number, cites = shock_dice(b, strength, enemy), ("w40k10.strat.tank_shock",)
    read = Each("mortal wound(s)", needed=SHOCK_NEED, most=MOST_SHOCK)
    faces = b.roll(number, "tank shock", unit.player, rules=cites, read=read)
    wounds = min(MOST_SHOCK, sum(meets(f, SHOCK_NEED) for f in faces))
    text = f"{does(unit, 'rams')} {enemy.name}: {counted(wounds, 'mortal wound')}."
    b.tell("tank_shock", text, *cites, units=[unit.id, enemy.id], wounds=wounds)
    if wounds:
        await inflict(b, enemy, wounds, "w40k10.strat.tank_shock")


@rule("w40k10.strat.tank_shock", neutral=0)
def shock_dice(w: World10, strength: int, enemy: Unit) -> int:
    """As many dice as the Strength, two more if it exceeds the enemy's Toughness."""
    return strength + (EXTRA_SHOCK if strength > toughness(w, enemy) else 0)


REACTIONS: Final = (
    reaction(
        CARDS,
        TANK_SHOCK,
        CHARGE_DECLARED,
        prepare_shock,
        offer_the_acting_unit,
        when=_own_vehicle,
        worth=_later_is_better,
    ),
    reaction(CARDS, TANK_SHOCK, UNIT_MOVE_BEGAN, prepare_shock, offer_the_acting_unit, when=_own_vehicle),
)
