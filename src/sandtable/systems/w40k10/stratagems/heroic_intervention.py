"""Heroic Intervention: a unit charges an enemy that has just charged."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.moments import UNIT_MOVE_ENDED
from sandtable.forty.stratagems import an_enemy_acts, reaction
from sandtable.rules import rule
from sandtable.systems.w40k10.charge import able_to_charge, charge
from sandtable.systems.w40k10.concepts import has_keyword, within
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.cards import HEROIC_INTERVENTION
from sandtable.systems.w40k10.stratagems.using import CARDS
from sandtable.table.grid import steps

INTERVENTION_RANGE: Final = steps(6)


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


REACTIONS: Final = (
    reaction(
        CARDS, HEROIC_INTERVENTION, UNIT_MOVE_ENDED, when=_enemy_charged, targets=_may_intervene, effect=intervene
    ),
)
