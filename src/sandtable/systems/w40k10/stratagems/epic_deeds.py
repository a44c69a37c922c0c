"""The Epic Deeds among the core Stratagems: Insane Bravery and Epic Challenge."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.forty.moments import TEST_FAILED, UNIT_SELECTED_TO_FIGHT
from sandtable.forty.state import is_attached
from sandtable.forty.stratagems import offer_the_acting_unit, ones_own_acts, reaction, the_acting_unit
from sandtable.kit.grammar import does
from sandtable.rules import rule
from sandtable.systems.w40k10 import melee
from sandtable.systems.w40k10.concepts import engaged_enemies
from sandtable.systems.w40k10.state import Battle10, sheet_of
from sandtable.systems.w40k10.stratagems.cards import CARDS, EPIC_CHALLENGE, INSANE_BRAVERY

# --- Insane Bravery: a unit that failed a Battle-shock test stands firm after all -------------------------------------


@rule("w40k10.strat.insane_bravery", neutral=True)
def is_own_test(b: Battle10, player: int, moment: Moment) -> bool:
    """A Battle-shock test of the player's own unit, and one of the Battle-shock step."""
    return moment.data["step"] == "battle-shock" and ones_own_acts(b, player, moment)


@rule("w40k10.strat.insane_bravery")
async def be_brave(b: Battle10, player: int, moment: Moment, value: Value) -> None:
    """The unit counts as having passed."""
    unit = b.unit(int(value))
    b.set_unit(unit, battle_shocked=False)
    b.tell("brave", f"{does(unit, 'stands')} firm after all.", "w40k10.strat.insane_bravery", units=[unit.id])


STAND_FIRM: Final = reaction(
    CARDS, INSANE_BRAVERY, TEST_FAILED, when=is_own_test, targets=offer_the_acting_unit, effect=be_brave
)


# --- Epic Challenge: a CHARACTER picks its opponents out --------------------------------------------------------------


@rule("w40k10.strat.epic_challenge", neutral=[])
def challengers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The CHARACTER models of the unit, if it is engaged with an Attached unit."""
    unit = b.unit(moment.unit)
    if not any(is_attached(b, e) for e in engaged_enemies(b, unit)):
        return []
    return [Option(m, f"{sheet_of(b, m).name} {m}") for m in melee.characters(b, unit)]


async def epic_challenge(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    b.add_effect(Effect(melee.CHALLENGE, moment.unit, int(use), source=EPIC_CHALLENGE.rule, until="phase"))


CHALLENGE: Final = reaction(
    CARDS,
    EPIC_CHALLENGE,
    UNIT_SELECTED_TO_FIGHT,
    effect=epic_challenge,
    targets=challengers,
    when=ones_own_acts,
    for_unit=the_acting_unit,
)
