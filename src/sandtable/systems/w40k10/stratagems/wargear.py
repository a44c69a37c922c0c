"""The Wargear among the core Stratagems: Grenade and Smokescreen."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.battle.rolls import Each
from sandtable.forty.moments import UNIT_TO_SHOOT
from sandtable.forty.stratagems import reaction, shelter, targets_with
from sandtable.rules import rule
from sandtable.systems.w40k10.concepts import has_keyword, is_engaged
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.hit_and_wound import STEALTH
from sandtable.systems.w40k10.mortal_wounds import inflict
from sandtable.systems.w40k10.select_targets import caught
from sandtable.systems.w40k10.state import ADVANCE, FALL_BACK, Battle10, Unit, World10
from sandtable.systems.w40k10.stratagems.cards import CARDS, GRENADE, SMOKESCREEN
from sandtable.systems.w40k10.visibility import sees
from sandtable.table.grid import steps

GRENADE_RANGE: Final = steps(8)
GRENADE_DICE: Final = 6
GRENADE_WOUNDS: Final = 4


# --- Grenade: mortal wounds for an enemy close by ---------------------------------------------------------------------


def _has_grenades(b: Battle10, player: int, moment: Moment) -> bool:
    return any(not u.shot and has_keyword(b, u, "GRENADES") for u in b.units_of(player))


def throwers(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """One option for each thrower and each unit that it could throw at."""
    return [
        Option(f"{unit.id}>{enemy.id}", f"{unit.name} at {enemy.name}")
        for unit in b.units_of(player)
        if may_throw(b, unit)
        for enemy in b.enemies_of(player)
        if b.is_on_table(enemy) and may_be_thrown_at(b, unit, enemy)
    ]


@rule("w40k10.strat.grenade", neutral=True)
def may_throw(w: World10, unit: Unit) -> bool:
    """A GRENADES unit that is not engaged and has not been selected to shoot."""
    if w.option("grenade") == "unhurried" and unit.moved in (ADVANCE, FALL_BACK):
        return False
    return not unit.shot and has_keyword(w, unit, "GRENADES") and not is_engaged(w, unit)


@rule("w40k10.strat.grenade", neutral=True)
def may_be_thrown_at(w: World10, unit: Unit, enemy: Unit) -> bool:
    """An enemy within 8" that the unit sees and that none of its army is engaged with."""
    return w.distance(unit, enemy) <= GRENADE_RANGE and not caught(w, unit, enemy) and sees(w, unit, enemy)


async def grenade(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    thrower, enemy = (int(v) for v in str(use).split(">"))
    read = Each("mortal wound(s)", needed=GRENADE_WOUNDS)
    faces = b.roll(GRENADE_DICE, "grenade", player, rules=(GRENADE.rule,), read=read)
    points = sum(1 for f in faces if f >= GRENADE_WOUNDS)
    await inflict(b, b.unit(enemy), points, GRENADE.rule, by=thrower)


def _thrower(b: Battle10, player: int, moment: Moment, use: Value) -> int:
    return int(str(use).split(">")[0])


THROW: Final = reaction(
    CARDS, GRENADE, UNIT_TO_SHOOT, effect=grenade, targets=throwers, when=_has_grenades, for_unit=_thrower
)


# --- Smokescreen: a unit under fire hides in smoke --------------------------------------------------------------------


@rule("w40k10.strat.smokescreen", neutral=[])
def smoke_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "SMOKE")


def in_smoke(unit: int) -> tuple[Effect, ...]:
    """What the smoke is worth to a unit."""
    return tuple(Effect(kind, unit, 1, source=SMOKESCREEN.rule, until="phase") for kind in (STEALTH, COVER))


HIDE: Final = shelter(CARDS, SMOKESCREEN, smoke_under_fire, in_smoke)
