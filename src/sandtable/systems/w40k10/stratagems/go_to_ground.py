"""Go to Ground: INFANTRY under fire takes cover."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.forty.moments import TARGETS_SELECTED
from sandtable.forty.odds import estimate
from sandtable.forty.stratagems import reaction, targets_with, under_fire, worth_sparing
from sandtable.rules import rule
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.state import Battle10, Unit
from sandtable.systems.w40k10.stratagems.cards import GO_TO_GROUND
from sandtable.systems.w40k10.stratagems.using import CARDS

GROUND_SAVE: Final = 6


@rule("w40k10.strat.go_to_ground", neutral=[])
def infantry_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "INFANTRY")


def on_the_ground(unit: int) -> tuple[Effect, ...]:
    """What the cover is worth to a unit."""
    source = GO_TO_GROUND.rule
    return (
        Effect(INVULNERABLE, unit, GROUND_SAVE, source=source, until="phase"),
        Effect(COVER, unit, 1, source=source, until="phase"),
    )


async def go_to_ground(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    for effect in on_the_ground(int(use)):
        b.add_effect(effect)


def helps_on_the_ground(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether it spares the unit enough against the attacks that have just been declared."""
    return spares(b, moment, b.unit(int(use)), on_the_ground(int(use)))


def spares(b: Battle10, moment: Moment, target: Unit, effects: tuple[Effect, ...]) -> bool:
    """Whether effects spare a unit enough against the attacks that have just been declared."""
    unit, shots = b.unit(moment.unit), [s for s in moment.data["shots"] if s.target == target.id]
    return estimate.spares(b, unit, target, shots, effects, worth_sparing(b, target))


REACTIONS: Final = (
    reaction(
        CARDS,
        GO_TO_GROUND,
        TARGETS_SELECTED,
        effect=go_to_ground,
        targets=infantry_under_fire,
        when=under_fire,
        worth=helps_on_the_ground,
    ),
)
