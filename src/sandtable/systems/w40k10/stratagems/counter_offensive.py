"""Counter-offensive: a unit fights next."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.moments import UNIT_FOUGHT
from sandtable.forty.stratagems import an_enemy_acts, reaction
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import is_engaged
from sandtable.systems.w40k10.fight import eligible_to_fight
from sandtable.systems.w40k10.state import Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.cards import COUNTER_OFFENSIVE
from sandtable.systems.w40k10.stratagems.using import CARDS


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


REACTIONS: Final = (
    reaction(
        CARDS,
        COUNTER_OFFENSIVE,
        UNIT_FOUGHT,
        when=an_enemy_acts,
        targets=_may_counter,
        effect=strike_back,
        worth=_others_come_first,
    ),
)
