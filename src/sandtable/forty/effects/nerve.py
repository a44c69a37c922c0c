"""What abilities do for the nerve of units: Leadership that they borrow, and models that do not flee."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from sandtable.armies.effects import LendLeadership
from sandtable.battle.rolls import needing
from sandtable.forty.effects.at_work import bearers
from sandtable.forty.effects.attack_rolls import none_at_all
from sandtable.forty.effects.conditions import hold_for_unit
from sandtable.forty.effects.index import index_of
from sandtable.forty.effects.permissions import allows
from sandtable.forty.single_dice import roll
from sandtable.forty.state import Battle40, Unit, World40
from sandtable.kit.asking import agreed
from sandtable.kit.grammar import counted

STAYS: Final = 6
WORTH_A_BEATING: Final = 2
"""So many models flee rather than that their unit suffers D3 mortal wounds."""


def lent_leadership(w: World40, unit: Unit, own: Callable[[Any], int]) -> list[int]:
    """The values that a unit may use as its Leadership, beside its own; `own` says what that of a unit is."""
    if none_at_all(w):
        return []
    index, found = index_of(w), []
    for c in index.chances(w, unit, LendLeadership).candidates:
        effect = c.effect
        assert isinstance(effect, LendLeadership)
        if effect.only and not index.words.has_keyword(w, unit, effect.only):
            continue
        if not hold_for_unit(w, effect.when, unit):
            continue
        lenders = [w.unit(b) for b in bearers(w, index.words, c, unit)]
        able = [u for u in lenders if hold_for_unit(w, effect.bearer, u)]
        found += [len(w.on_table(u)) if effect.by == "size" else own(u) for u in able]
    return found


async def beaten_into_line(
    b: Battle40,
    unit: Unit,
    count: int,
    source: str,
    throw: Callable[..., Awaitable[int]],
    inflict: Callable[..., Awaitable[None]],
) -> bool:
    """Whether models need not flee because their unit suffers mortal wounds instead, where an ability allows it.

    `throw` and `inflict` are the edition's: (battle, amount, kind, noun, unit, rule) and (battle, unit, number, rule).
    """
    if not allows(b, unit, "pass_for_wounds"):
        return False
    prompt = f"{unit.name}: suffer D3 mortal wounds, so that {counted(count, 'model')} need not flee?"
    if not await agreed(b, unit, "pass_for_wounds", prompt, source, default=count > WORTH_A_BEATING):
        return False
    await inflict(b, unit, await throw(b, "D3", "beating", "mortal wound(s)", unit, source, low=True), source)
    return True


async def who_stays(b: Battle40, unit: Unit, count: int, source: str) -> int:
    """How many of those who would flee stay, where an ability lets them on a 6."""
    if not allows(b, unit, "stay_on_6"):
        return 0
    read = needing([STAYS], "model(s) stay")
    return (await roll(b, unit, count, "stay", source, read=read, value=lambda f: f.count(STAYS))).count(STAYS)
