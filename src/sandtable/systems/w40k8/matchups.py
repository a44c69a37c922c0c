"""What two units do to each other without a battle, and the rolls that a unit makes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from sandtable.attack.volley import dice
from sandtable.errors import UserError
from sandtable.forty.odds.matchups import Force, Matchups, Test
from sandtable.forty.odds.meeting import FAR, MAX_DISTANCE, meet, strikes_between
from sandtable.systems.w40k8 import psychic
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.command_rerolls import RULE as COMMAND_REROLL
from sandtable.systems.w40k8.meeting import LEAN, MEETING, powers_of
from sandtable.systems.w40k8.odds import cast, charts_of, nerves
from sandtable.table.grid import STEP, steps

# --- Rolls ------------------------------------------------------------------------------------------------------------


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, and for psykers a test for each power."""
    if not 0 < distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {distance}".')
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    again = (COMMAND_REROLL, "w40k8.dice.reroll")
    found = [
        Test("charge", f'charge an enemy {distance:g}" away', dice(f"{BOOK.charge_dice}D6"),
             needed_to_charge(distance), "one", ("w40k8.charge.roll", "w40k8.charge.first_model", *again)),
        Test("advance", 'Advance 4" or more', dice(f"{BOOK.advance_dice}D6"), 4, "one", ("w40k8.move.advance", *again)),
    ]  # fmt: skip
    more = psychic.added(b, unit)
    for power in powers_of(b, unit):
        told = f"manifest {power.name.title()}" + (f", {more:+d} to the test" if more else "")
        rules = ("w40k8.psychic.test", *again)
        found.append(Test(power.name, told, dice("2D6"), power.charge - more, "one", rules))
    return tuple(found)


def needed_to_charge(distance: float) -> int:
    """The charge roll that brings a model from this far away within 1" of an enemy; never from beyond 12"."""
    if steps(distance) > BOOK.charge_range:
        return 6 * BOOK.charge_dice + 1
    return max(0, math.ceil((steps(distance) - BOOK.first_model.radius) / STEP))


MATCHUPS: Final = Matchups(
    rules=LEAN,
    modifiers=tuple(c.modifier for c in CIRCUMSTANCES),
    compile=partial(strikes_between, MEETING),
    tests=tests_of,
    panel=Path(__file__).parent / "panel",
    reroll_price=(COMMAND_REROLL,),
    rerolled=("attacks", "hit", "wound", "damage"),
    spent="Command re-roll",
    joins=False,
    pain=lambda face: "disgustingly resilient" if face == BOOK.resilient else f"feel no pain {face}+",
    charts=charts_of,
    cast=cast,
    nerves=nerves,
)
