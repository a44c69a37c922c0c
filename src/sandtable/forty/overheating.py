"""Weapons that may harm who fires them: low hit rolls are counted, model by model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from sandtable.battle import TABLE
from sandtable.forty.facing import Facing, without_saves
from sandtable.forty.state import Battle40, Unit, called
from sandtable.kit.attack.defenders import Due
from sandtable.kit.attack.resolving import suffer
from sandtable.kit.attack.rolling import Hooks, Roll

OVERHEATS: Final = "overheats"
"""How these abilities of weapons begin: alone, a low roll slays who fires..."""
EACH_A_WOUND: Final = "overheats by wounds"
"""...or each costs a mortal wound..."""
ONE_WOUND: Final = "overheats by a wound"
"""...or all of them cost one."""


def heat_of(abilities: tuple[str, ...]) -> str:
    """What low hit rolls with a weapon do, in its own word; empty for most."""
    return next((word for word in abilities if word.startswith(OVERHEATS)), "")


class Heat:
    """Counts the hit rolls by which weapons of a unit harm who fires them, while they are fired."""

    def __init__(self, after_roll: Callable[[Any, Roll], Awaitable[tuple[int, ...]]]) -> None:
        self._after_roll = after_roll
        self._now: tuple[int, str, int] = (-1, "", 0)
        self.low: dict[tuple[int, str], int] = {}
        """For each model and the word of its weapon how many rolls were low."""

    def expect(self, model: int, word: str, highest: int) -> None:
        """The next hit rolls are those of a model with a weapon; without a word nobody is harmed."""
        self._now = model, word, highest

    async def after_roll(self, b: Any, roll: Roll) -> tuple[int, ...]:
        """The dice as they stand in the end, once the low ones are counted."""
        faces = await self._after_roll(b, roll)
        model, word, highest = self._now
        if word and roll.kind == "hit":
            found = sum(face <= highest for face in faces)
            self.low[model, word] = self.low.get((model, word), 0) + found
        return faces


async def burn(b: Battle40, unit: Unit, heat: Heat, facing: Facing, hooks: Hooks, rule: str) -> None:
    """Weapons that overheated harm who fired them, when all shots are resolved."""
    for (model, word), count in heat.low.items():
        if not count or b.state.models.place[model] != TABLE:
            continue
        b.tell("overheated", f"The weapon of {called(b, model)} overheats.", rule, units=[unit.id])
        if word == OVERHEATS:
            b.set_wounds(model, 0)
            await hooks.destroy(b, model)
            continue
        due = Due(count if word == EACH_A_WOUND else 1, spill=False, first=model)
        await suffer(b, [due], partial(without_saves, b, facing, unit, model), hooks, against=unit.id, rules=(rule,))
