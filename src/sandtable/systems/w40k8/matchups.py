"""What two units do to each other without a battle, and the rolls that a unit makes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from sandtable.attack.volley import DiceSum, dice
from sandtable.errors import UserError
from sandtable.forty.effects.other_rolls import added, reroll_of
from sandtable.forty.odds.matchups import Force, Matchups, Test
from sandtable.forty.odds.meeting import FAR, MAX_DISTANCE, meet, strikes_between
from sandtable.systems.w40k8 import psychic
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.circumstances import CIRCUMSTANCES
from sandtable.systems.w40k8.command_rerolls import RULE as COMMAND_REROLL
from sandtable.systems.w40k8.meeting import LEAN, MEETING, powers_of
from sandtable.systems.w40k8.odds import cast, charts_of, nerves
from sandtable.systems.w40k8.state import Battle8, Unit
from sandtable.table.grid import STEP, steps

TEST: Final = ("w40k8.psychic.test",)
CHARGE: Final = ("w40k8.charge.roll", "w40k8.charge.first_model")

# --- Rolls ------------------------------------------------------------------------------------------------------------


def tests_of(force: Force, distance: float, options: Mapping[str, str]) -> tuple[Test, ...]:
    """A charge over a distance, an Advance, and for psykers a test for each power."""
    if not 0 < distance <= MAX_DISTANCE:
        raise UserError(f'A distance is above 0" and at most {MAX_DISTANCE:.0f}", not {distance}".')
    b, (unit, _) = meet(MEETING, force, force, FAR, options)
    far, two, one = needed_to_charge(distance), dice(f"{BOOK.charge_dice}D6"), dice(f"{BOOK.advance_dice}D6")
    more, _ = added(b, unit, "charge")
    longer, _ = added(b, unit, "advance")
    test = psychic.added_to_test(b, unit)
    return (
        _test(b, unit, "charge", f'charge an enemy {distance:g}" away', two, far, more, CHARGE),
        _test(b, unit, "advance", 'Advance 4" or more', one, 4, longer, ("w40k8.move.advance",)),
        *(
            _test(
                b, unit, "psychic", f"manifest {p.name.title()}", dice("2D6"), p.charge, test, ("w40k8.psychic.test",)
            )
            for p in powers_of(b, unit)
        ),
    )


def _test(
    b: Battle8, unit: Unit, name: str, text: str, number: DiceSum, needed: int, more: int, rules: tuple[str, ...]
) -> Test:
    """A roll with what abilities of the unit add to it and let it roll again, or else a Command re-roll of one die."""
    own = reroll_of(b, unit, name)
    free = own.faces in ("failures", "all")
    told = f"{text}, {more:+d} to the roll" if more else text
    again = own.names if free else (COMMAND_REROLL, "w40k8.dice.reroll")
    return Test(name, told, number, needed - more, "any" if free else "one", (*rules, *again), free)


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
