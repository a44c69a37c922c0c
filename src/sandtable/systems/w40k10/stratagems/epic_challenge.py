"""Epic Challenge: a CHARACTER picks its opponents out."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.forty.moments import UNIT_SELECTED_TO_FIGHT
from sandtable.forty.state import is_attached
from sandtable.forty.stratagems import reaction, the_acting_unit
from sandtable.rules import rule
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.concepts import engaged_enemies
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.systems.w40k10.stratagems.cards import EPIC_CHALLENGE
from sandtable.systems.w40k10.stratagems.using import CARDS


def _own_fight(b: Battle10, player: int, moment: Moment) -> bool:
    return b.unit(moment.unit).player == player


@rule("w40k10.strat.epic_challenge", neutral=[])
def challengers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The CHARACTER models of the unit, if it is engaged with an Attached unit."""
    unit = b.unit(moment.unit)
    if not any(is_attached(b, e) for e in engaged_enemies(b, unit)):
        return []
    return [Option(m, f"{sheet_of(b, m).name} {m}") for m in melee.characters(b, unit)]


async def epic_challenge(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    b.add_effect(Effect(melee.CHALLENGE, moment.unit, int(use), source=EPIC_CHALLENGE.rule, until="phase"))


REACTIONS: Final = (
    reaction(
        CARDS,
        EPIC_CHALLENGE,
        UNIT_SELECTED_TO_FIGHT,
        effect=epic_challenge,
        targets=challengers,
        when=_own_fight,
        for_unit=the_acting_unit,
    ),
)
