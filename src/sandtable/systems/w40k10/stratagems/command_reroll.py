"""Command Re-roll: one of a unit's rolls is made again."""

from __future__ import annotations

from typing import Any, Final

from sandtable.battle import Moment, Option, Value
from sandtable.forty.effects.saves import may_reroll_saves
from sandtable.forty.moments import (
    AFTER_ROLL,
)
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
DEAR: Final = 3
"""So many wounds on one roll are worth a Command point..."""
FEW: Final = 3
"""...where no more attacks than this are made; of many, one is not missed."""
MANY: Final = 5
"""How much a roll for damage or attacks must be able to gain, as a D6 does."""


@rule("w40k10.strat.command_reroll", neutral=False)
def can_be_rerolled(b: Battle10, player: int, moment: Moment) -> bool:
    """One of the listed rolls, made by the player."""
    if moment.data["roll"] not in REROLLABLE or b.unit(moment.unit).player != player:
        return False
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        return True
    if b.option("windows") != "all" and not _much_at_stake(b, batch):
        return False
    return batch.kind != "save" or may_reroll_saves(b, b.unit(moment.unit), batch.model)


def _much_at_stake(b: Battle10, batch: Roll) -> bool:
    """What `worth_rerolling` asks of a whole batch, before any of its rolls is looked at."""
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY
    if batch.kind == "save":
        return batch.stake >= DEAR or len(b.on_table(b.unit(batch.unit))) == 1
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def rerolls(b: Battle10, player: int, moment: Moment) -> list[Option]:
    """The rolls that may be picked: one option for each different result, the worst first."""
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        return _of_batch(batch)
    data = moment.data
    if data["sum"]:
        return [Option(0, _text(data["roll"], data["faces"]))] if may_reroll(data, 0) else []
    faces: dict[int, int] = {}
    for die, face in enumerate(data["faces"]):
        if may_reroll(data, die):
            faces.setdefault(face, die)
    return [Option(die, _text(data["roll"], (face,))) for face, die in sorted(faces.items())]


def _of_batch(batch: Roll) -> list[Option]:
    different: dict[float, int] = {}
    for which in batch.open():
        different.setdefault(batch.score[which], which)
    return [
        Option(which, _text(batch.kind, tuple(batch.faces[i] for i in batch.dice_of(which))))
        for which in different.values()
    ]


def _text(kind: str, faces: tuple[int, ...]) -> str:
    return f"the {' and '.join(map(str, faces))} of the {kind} roll"


def worth_rerolling(b: Battle10, player: int, moment: Moment, use: Value) -> bool:
    """Whether much hangs on the roll: a failed test or charge, a big shot, a save that costs dear, a low number."""
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        data = moment.data
        result = sum(data["faces"]) if data["sum"] else data["faces"][int(use)]
        if data["roll"] == ESCAPE and not _dear_escape(b, b.unit(moment.unit), data):
            return False
        return bool(result < data.get("need", 0))
    score = batch.score[int(use)]
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY and 4 * score <= batch.best
    if score:
        return False
    if batch.kind == "save":
        return batch.stake >= DEAR or _would_be_gone(b, batch)
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def _dear_escape(b: Battle10, unit: Unit, data: dict[str, Any]) -> bool:
    """Whether a desperate escape costs more than a plain model, which its player picks: a dear one, or the last."""
    models = b.on_table(unit)
    failed = sum(face < data["need"] for face in data["faces"])
    return failed >= len(models) or int(b.state.models.wounds[models].min()) >= DEAR


def _would_be_gone(b: Battle10, batch: Roll) -> bool:
    """Whether failed saves are the end of a unit's last model."""
    models = b.on_table(b.unit(batch.unit))
    failed = sum(score == 0 for score in batch.score)
    return len(models) == 1 and int(b.state.models.wounds[models[0]]) <= failed * batch.stake


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
        targets=rerolls,
        when=can_be_rerolled,
        worth=worth_rerolling,
        for_unit=the_acting_unit,
    ),
)
