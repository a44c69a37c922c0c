"""Smokescreen: a unit under fire hides in smoke."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.stratagems import reaction, targets_with, under_fire
from sandtable.rules import rule
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.hit_and_wound import STEALTH
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.cards import SMOKESCREEN
from sandtable.systems.w40k10.stratagems.go_to_ground import spares
from sandtable.systems.w40k10.stratagems.using import CARDS


@rule("w40k10.strat.smokescreen", neutral=[])
def smoke_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "SMOKE")


def in_smoke(unit: int) -> tuple[Effect, ...]:
    """What the smoke is worth to a unit."""
    return tuple(Effect(kind, unit, 1, source=SMOKESCREEN.rule, until="phase") for kind in (STEALTH, COVER))


async def smokescreen(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    for effect in in_smoke(int(use)):
        b.add_effect(effect)


def helps_in_smoke(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether it spares the unit enough against the attacks that have just been declared."""
    return spares(b, moment, b.unit(int(use)), in_smoke(int(use)))


REACTIONS: Final = (
    reaction(
        CARDS,
        SMOKESCREEN,
        TARGETS_SELECTED,
        effect=smokescreen,
        targets=smoke_under_fire,
        when=under_fire,
        worth=helps_in_smoke,
    ),
)
