"""Which psychic power is worth the risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.volley import DiceSum
from sandtable.battle import Value
from sandtable.battle.tactics import Idea
from sandtable.forty.effects.manifesting import finds_somebody
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.shots import target_worth
from sandtable.forty.psykers import Power
from sandtable.forty.state import World40

BLESSING: Final = 12.0
"""Points that a power is worth which helps friends or hinders enemies."""
PERILS: Final = 2 * 2 / 36
"""Wounds that a test costs a psyker on average"""


def what_to_cast(
    w: World40,
    tries: Iterable[tuple[Value, int, Power]],
    added: Callable[[Any, Any], int],
    targets: Callable[[Any, int, Power], Sequence[Any]],
    amount: Callable[[str], DiceSum],
) -> Iterator[Idea]:
    """The power that does most, if that is worth the risk.

    `tries` are (answer, psyker, power), `added` is (world, unit): what is added to its tests, `targets` (world, psyker,
    power): whom it can strike, and `amount` reads what it deals.
    """
    best = Idea(None, 0.0, "No power is worth the risk.")
    for answer, model, power in tries:
        unit = w.unit(int(w.state.models.unit[model]))
        worth = _worth_of(w, unit, model, power, added(w, unit), targets, amount)
        if worth > best.worth:
            best = Idea(answer, worth, f"{power.name.title()} reaches somebody.")
    yield best


def _worth_of(
    w: World40,
    unit: Any,
    model: int,
    power: Power,
    more: int,
    targets: Callable[[Any, int, Power], Sequence[Any]],
    amount: Callable[[str], DiceSum],
) -> float:
    """Points that a power takes off the enemy on average, less what the warp takes."""
    o, worth = outlook(w), target_worth(w, unit.player)
    price, chance = PERILS * float(o.field.worth[o.row[unit.id]]), float(at_least(TWO_DICE, power.charge - more))
    if power.ability:
        return (BLESSING * chance if finds_somebody(w, unit, model, power.name) else 0.0) - price
    strong = float(at_least(TWO_DICE, power.above + 1 - more)) if power.strong else 0.0
    wounds = (chance - strong) * amount(power.wounds).mean + strong * amount(power.strong or "0").mean
    found = [min(wounds, float(o.field.wounds[o.row[t.id]])) * worth[t.id] for t in targets(w, model, power)]
    return max(found, default=0.0) - price
