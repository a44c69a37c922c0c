"""Command Re-roll: one of a unit's rolls is made again."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.picking_rerolls import DEAR, much_at_stake, rerolls, worth_another_try
from sandtable.forty.stratagems import reaction, the_acting_unit
from sandtable.kit.attack.rolling import Roll, reroll_one
from sandtable.rules import rule
from sandtable.systems.w40k10.dice import may_reroll, reroll
from sandtable.systems.w40k10.state import Battle10, Unit
from sandtable.systems.w40k10.stratagems.cards import COMMAND_REROLL
from sandtable.systems.w40k10.stratagems.using import CARDS

REROLLABLE: Final = frozenset(
    {"hit", "wound", "damage", "save", "advance", "charge", "desperate escape", "hazardous", "attacks"}
)
ESCAPE: Final = "desperate escape"


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


def _pickable(b: Battle10, player: int, moment: Moment) -> list[Option]:
    return rerolls(moment, may_reroll)


def worth_rerolling(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether much hangs on the roll."""
    if moment.data["roll"] == ESCAPE and not _dear_escape(b, b.unit(moment.unit), moment.data):
        return False
    return worth_another_try(b, moment, use)


def _dear_escape(b: Battle10, unit: Unit, data: dict[str, Any]) -> bool:
    """Whether a desperate escape costs more than a plain model, which its player picks: a dear one, or the last."""
    models = b.on_table(unit)
    failed = sum(face < data["need"] for face in data["faces"])
    return failed >= len(models) or int(b.state.models.wounds[models].min()) >= DEAR


async def use_command_reroll(b: Battle10, player: int, moment: Moment, use: Value) -> None:
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        moment.data["faces"] = reroll_one(b, batch, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)
        return
    reroll(b, b.unit(moment.unit), moment.data, int(use), COMMAND_REROLL.rule, by=COMMAND_REROLL.name)


REACTIONS: Final = (
    reaction(
        CARDS,
        COMMAND_REROLL,
        AFTER_ROLL,
        effect=use_command_reroll,
        targets=_pickable,
        when=can_be_rerolled,
        worth=worth_rerolling,
        for_unit=the_acting_unit,
    ),
)
