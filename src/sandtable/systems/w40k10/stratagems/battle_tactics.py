"""The Battle Tactics among the core Stratagems: Command Re-roll and Go to Ground."""

from __future__ import annotations

from typing import Final

from sandtable.battle import Effect, Moment, Option, Value
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.picking_rerolls import much_at_stake, rerolls, worth_another_try
from sandtable.forty.stratagems import reaction, shelter, targets_with, the_acting_unit
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k10.allocate_and_save import INVULNERABLE
from sandtable.systems.w40k10.cover import COVER
from sandtable.systems.w40k10.dice import may_reroll, reroll
from sandtable.systems.w40k10.state import Battle10
from sandtable.systems.w40k10.stratagems.cards import CARDS, COMMAND_REROLL, GO_TO_GROUND

REROLLABLE: Final = frozenset(
    {"hit", "wound", "damage", "save", "advance", "charge", "desperate escape", "hazardous", "attacks"}
)
GROUND_SAVE: Final = 6


# --- Command Re-roll: one of a unit's rolls is made again -------------------------------------------------------------


@rule("w40k10.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle10, player: int, moment: Moment) -> bool:
    """One of the listed rolls, made by the player."""
    if moment.data["roll"] not in REROLLABLE or b.unit(moment.unit).player != player:
        return False
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return True
    if b.option("windows") != "all" and not much_at_stake(b, batch):
        return False
    return batch.kind != "save" or may_reroll_saves(b, b.unit(moment.unit), batch.model)


async def use_command_reroll(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        moment.data["faces"] = reroll_one(b, batch, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)
        return
    reroll(b, b.unit(moment.unit), moment.data, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)


ROLL_AGAIN: Final = reaction(
    CARDS,
    COMMAND_REROLL,
    AFTER_ROLL,
    effect=use_command_reroll,
    targets=lambda b, player, moment: rerolls(moment, may_reroll),
    when=can_be_rerolled,
    worth=lambda b, player, moment, use: worth_another_try(b, moment, use),
    for_unit=the_acting_unit,
)


# --- Go to Ground: INFANTRY under fire takes cover --------------------------------------------------------------------


@rule("w40k10.strat.go_to_ground", neutral=[])
def infantry_under_fire(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return targets_with(b, player, moment, "INFANTRY")


def on_the_ground(unit: int) -> tuple[Effect, ...]:
    """What the cover is worth to a unit."""
    save = Effect(INVULNERABLE, unit, GROUND_SAVE, source=GO_TO_GROUND.rule, until="phase")
    return save, Effect(COVER, unit, 1, source=GO_TO_GROUND.rule, until="phase")


TAKE_COVER: Final = shelter(CARDS, GO_TO_GROUND, infantry_under_fire, on_the_ground)
