"""Fire Overwatch: a unit shoots at an enemy that moves, charges or is set up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from sandtable.battle import Moment, Option, Value
from sandtable.battle.kept import PLACES_OF_THESE, kept
from sandtable.forty.aiming import guns_carried, guns_of
from sandtable.forty.effects.permissions import not_forbidden
from sandtable.forty.moments import UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED, UNIT_SET_UP
from sandtable.forty.odds.plain import of_weapon
from sandtable.forty.stratagems import an_enemy_acts, reaction
from sandtable.rules import rule
from sandtable.systems.w40k10.datasheet import Weapon
from sandtable.systems.w40k10.hit_and_wound import overwatch_need
from sandtable.systems.w40k10.shooting import eligible_to_shoot, shoot
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, NORMAL, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.cards import FIRE_OVERWATCH
from sandtable.systems.w40k10.stratagems.using import CARDS
from sandtable.systems.w40k10.weapons import torrent
from sandtable.table.grid import STEP, steps

OVERWATCH_RANGE: Final = steps(24)
WATCHED: Final = (NORMAL, ADVANCE, FALL_BACK, "charge")
ONLY_SIXES: Final = 6


@rule("w40k10.strat.fire_overwatch", neutral=False)
def may_overwatch(w: World10, unit: Unit, enemy: Unit) -> bool:
    """A unit within 24" that could shoot the enemy in a Shooting phase of its own."""
    return (
        bool(not_forbidden(w, enemy, "overwatch_at_unit", "be shot at by Fire Overwatch"))
        and w.distance(unit, enemy) <= OVERWATCH_RANGE
        and bool(eligible_to_shoot(w, unit))
        and any(g.anything for g in guns_of(w, unit, enemy.id))
    )


def worth_overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Torrent weapons, or shots that cost a wound, or a quarter of what is left, on average."""
    unit, enemy = b.unit(int(use)), b.unit(moment.unit)
    guns = [g.profiles for g in guns_of(b, unit, enemy.id) if g.anything]
    return overwatch_damage(b, unit, enemy, overwatch_need(b, unit), Counter(guns)) >= _worth_a_thought(b, enemy)


def could_be_worth(w: World10, unit: Unit, enemy: Unit, least: float) -> bool:
    """Whether a unit would do that much if everything were in sight: sight is dear to look at."""
    if not w.is_on_table(unit) or w.distance(unit, enemy) > OVERWATCH_RANGE:
        return False
    return least <= _with_everything(w, unit, enemy, overwatch_need(w, unit))


@kept(PLACES_OF_THESE)
def _with_everything(w: World10, unit: Unit, enemy: Unit, need: int) -> float:
    return overwatch_damage(w, unit, enemy, need, _arms(w, unit))


def overwatch_damage(w: World10, unit: Unit, enemy: Unit, need: int, guns: Mapping[tuple[Weapon, ...], int]) -> float:
    """About how many wounds so many of these weapons take off in Overwatch, each with its best profile."""
    if any(torrent(p) for profiles in guns for p in profiles):
        return float("inf")
    models = w.on_table(enemy)
    sheet, far, size = w.setup.data.kits[int(models[0])].sheet, w.distance(unit, enemy) / STEP, len(models)
    hit_on = min(need, ONLY_SIXES)
    return sum(n * max([of_weapon(w, p, sheet, far, size, hit_on) for p in profiles]) for profiles, n in guns.items())


def _worth_a_thought(w: World10, enemy: Unit) -> float:
    return min(1.0, int(w.state.models.wounds[w.on_table(enemy)].sum()) / 4)


@kept(PLACES_OF_THESE)
def _arms(w: World10, unit: Unit) -> Counter[tuple[Weapon, ...]]:
    """How many of which ranged weapons a unit has."""
    return Counter(item.profiles for m in w.on_table(unit).tolist() for item in guns_carried(w, m))


def _enemy_acts(b: Battle10, player: int, moment: Moment) -> bool:
    """An enemy is set up, or begins or ends one of the moves that the card names."""
    return an_enemy_acts(b, player, moment) and moment.data.get("move", NORMAL) in WATCHED


def overwatchers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    enemy = b.unit(moment.unit)
    if not b.is_on_table(enemy):
        return []
    every, least = b.option("windows") == "all", _worth_a_thought(b, enemy)
    return [
        Option(u.id, u.name)
        for u in b.units_of(player)
        if (every or could_be_worth(b, u, enemy, least)) and may_overwatch(b, u, enemy)
    ]


async def overwatch(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    unit = b.unit(int(use))
    await b.act(unit, shoot(b, unit, moment.unit, overwatch=True))


REACTIONS: Final = tuple(
    reaction(
        CARDS, FIRE_OVERWATCH, trigger, effect=overwatch, targets=overwatchers, when=_enemy_acts, worth=worth_overwatch
    )
    for trigger in (UNIT_SET_UP, UNIT_MOVE_BEGAN, UNIT_MOVE_ENDED)
)
