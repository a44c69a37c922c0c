"""Which psychic power is worth the risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from sandtable.armies.effects import AnyEffect, MortalWounds
from sandtable.attack.chances import TWO_DICE, at_least
from sandtable.attack.volley import DiceSum
from sandtable.battle import Choose, ChooseSome, Option, Value
from sandtable.battle.tactics import Idea
from sandtable.forty.effects.manifesting import MANIFESTED, power_of
from sandtable.forty.effects.occasions import Occasion, at_moment
from sandtable.forty.effects.targets import candidates, is_lasting
from sandtable.forty.effects.words import Deeds
from sandtable.forty.mind.abilities import on_whom
from sandtable.forty.mind.outlook import outlook
from sandtable.forty.mind.shots import target_worth
from sandtable.forty.mind.style import Style
from sandtable.forty.psykers import Power
from sandtable.forty.state import World40
from sandtable.kit.dice import read_amount

BLESSING: Final = 12.0
"""Points that a power is worth which helps friends or hinders enemies."""
MELEE_REACH: Final = 12.0
FIRE_REACH: Final = 30.0
"""Inches to the nearest enemy within which what helps in melee, or in all, is of use."""
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
            best = Idea(answer, worth, f"{power.title} reaches somebody.")
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
        return chance * _worth_of_ability(w, unit, model, power.name) - price
    strong = float(at_least(TWO_DICE, power.above + 1 - more)) if power.strong else 0.0
    wounds = (chance - strong) * amount(power.wounds).mean + strong * amount(power.strong or "0").mean
    found = [min(wounds, float(o.field.wounds[o.row[t.id]])) * worth[t.id] for t in targets(w, model, power)]
    return max(found, default=0.0) - price


# --- Powers that work as abilities ------------------------------------------------------------------------------------


def _worth_of_ability(w: World40, unit: Any, model: int, name: str) -> float:
    """Points that a power is worth once it is manifested: wounds, or something that lasts on whom it is of use to."""
    use, occasion = power_of(w, unit, model, name), Occasion(MANIFESTED, unit.id)
    if use is None:
        return 0.0
    ability, worth, found = w.setup.data.abilities[use.ability], target_worth(w, unit.player), 0.0
    for _, effect in at_moment(ability, MANIFESTED):
        units = candidates(w, ability, effect, unit.id, occasion)
        if isinstance(effect, MortalWounds):
            found += max((_wounds(w, effect, u) * worth.get(u.id, 0.0) for u in units), default=0.0)
        elif any(is_of_use(w, effect, u, name) for u in units):
            found = max(found, BLESSING)
    return found


def _wounds(w: World40, effect: MortalWounds, unit: Any) -> float:
    """Mortal wounds that a unit suffers on average."""
    least = w.system.seam(Deeds).toughness(w, unit) + 1 if effect.above else max(1, effect.die)
    dice = effect.dice if isinstance(effect.dice, int) else len(w.on_table(unit))
    each = read_amount(effect.amount)
    mean = each.plus + each.dice * (each.sides + 1) / 2
    o = outlook(w)
    return min(dice * max(0, 7 - least) / 6 * mean, float(o.field.wounds[o.row[unit.id]]))


def is_of_use(w: World40, effect: AnyEffect, unit: Any, name: str) -> bool:
    """Whether what lasts on a unit could change something: it does not last yet, and there is somebody to fight."""
    o = outlook(w)
    if unit.id not in o.row or is_lasting(w, unit, name):
        return False
    row = o.row[unit.id]
    near = float(o.field.far[row, o.foes(row)].min(initial=1e5))
    return near <= (MELEE_REACH if "melee" in effect.when else FIRE_REACH)


def on_whom_to_cast(w: World40, d: Choose, style: Style) -> Iterator[Idea]:
    """The dearest unit that a power is of use to."""
    name, roster = str(d.about.get("ability", "")), w.setup.data.roster
    ability = next((a for a in w.setup.data.abilities if a.name == name and a.player == d.player), None)
    effects = [e for _, e in at_moment(ability, MANIFESTED)] if ability and roster else []
    units = [w.unit(int(o.value)) for o in d.options]
    found = [u for u in units if any(is_of_use(w, e, u, name) for e in effects)]
    if found:
        best = max(found, key=lambda u: (roster[u.id].points, -u.id))
        yield Idea(best.id, 1.0, f"{name} is of most use to {best.name}.")
    else:
        yield from on_whom(w, d, style)


def what_to_know(w: World40, d: ChooseSome, known: Sequence[str]) -> Iterator[Idea]:
    """Powers that hurt before those that help, and those of comrades last."""

    def order(option: Option) -> tuple[int, bool, int]:
        name = str(option.value)
        effects = [e for a in w.setup.data.abilities if a.name.lower() == name for e in a.effects]
        melee = any("melee" in e.when for e in effects)
        return known.count(name), melee, d.options.index(option)

    yield Idea(tuple(o.value for o in sorted(d.options, key=order)[: d.most]), 1.0, "The army needs different powers.")
