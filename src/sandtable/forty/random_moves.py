"""Units whose Move is a matter of dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.forty.state import Battle40, Unit, sheet_of
from sandtable.kit.dice import Amount, read_amount, read_as


def roll_move(b: Battle40, unit: Unit, value_of: Callable[[Amount, Sequence[int]], int], rule: str) -> None:
    """A random Move is rolled for a unit that has one; `value_of` says what its dice come to."""
    random = next((move for m in b.on_table(unit) if isinstance(move := sheet_of(b, int(m)).move, str)), None)
    if random is not None:
        amount = read_amount(random)
        faces = b.roll(amount.dice, "move", unit.player, rules=(rule,), read=read_as(amount, "inch(es)"))
        b.set_unit(unit, rolled_move=value_of(amount, faces))
