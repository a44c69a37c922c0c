"""Picking one roll to be made again: which there are, and whether much depends on one."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import lru_cache
from itertools import product
from typing import Any, Final

from sandtable.attack.volley import FACES
from sandtable.battle import Moment, Option, Value
from sandtable.forty.moments import AFTER_ROLL
from sandtable.forty.state import Battle40
from sandtable.kit.attack.rolling import Roll

DEAR: Final = 3
"""So many wounds on one roll are worth something..."""
FEW: Final = 3
"""...where no more attacks than this are made; of many, one is not missed."""
ESCAPE: Final = "desperate escape"
MANY: Final = 5
"""How much a roll for damage or attacks must be able to gain, as a D6 does."""


def rerolls(moment: Moment, may_reroll: Callable[[dict[str, Any], int], bool]) -> list[Option]:
    """The rolls that may be picked: one option for each different result, the worst first."""
    batch: Roll | None = moment.data.get("batch")
    if batch is not None:
        return _of_batch(batch)
    data = moment.data
    if data["sum"]:
        text, dice = _text(data["roll"], data["faces"]), len(data["faces"])
        return [Option(0, text, _likely(data.get("need", 0), dice))] if may_reroll(data, 0) else []
    faces: dict[int, int] = {}
    for die, face in enumerate(data["faces"]):
        if may_reroll(data, die):
            faces.setdefault(face, die)
    note = _likely(data.get("need", 0), 1)
    return [Option(die, _text(data["roll"], (face,)), note) for face, die in sorted(faces.items())]


def _of_batch(batch: Roll) -> list[Option]:
    different: dict[float, int] = {}
    for which in batch.open():
        different.setdefault(batch.score[which], which)
    return [
        Option(which, _text(batch.kind, tuple(batch.faces[i] for i in batch.dice_of(which))))
        for which in different.values()
    ]


@lru_cache(maxsize=64)
def _likely(need: int, dice: int) -> str:
    """What dice have to come to, and how likely they do; nothing where they cannot fail."""
    if need <= dice:
        return ""
    thrown = [sum(faces) for faces in product(FACES, repeat=dice)]
    return f"{need}+, {100 * sum(n >= need for n in thrown) / len(thrown):.0f} %"


def _text(kind: str, faces: tuple[int, ...]) -> str:
    return f"the {' and '.join(map(str, faces))} of the {kind} roll"


def is_open(b: Battle40, player: int, moment: Moment, kinds: Container[str]) -> bool:
    """Whether a roll of one of these kinds was made for a unit of a player, and much depends on it."""
    if moment.data["roll"] not in kinds or b.unit(moment.unit).player != player:
        return False
    batch: Roll | None = moment.data.get("batch")
    return batch is None or b.asks_every(player, AFTER_ROLL) or much_at_stake(b, batch)


def much_at_stake(b: Battle40, batch: Roll) -> bool:
    """What `worth_another_try` asks of a whole batch, before any of its rolls is looked at."""
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY
    if batch.kind == "save":
        return batch.stake >= DEAR or len(b.on_table(b.unit(batch.unit))) == 1
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def worth_another_try(b: Battle40, moment: Moment, use: Value) -> bool:
    """Whether much depends on the roll: a failed test or charge, a big shot, a save that costs dear, a low number."""
    batch: Roll | None = moment.data.get("batch")
    if batch is None:
        data = moment.data
        if data["roll"] == ESCAPE and not _dear_escape(b, moment):
            return False
        result = sum(data["faces"]) if data["sum"] else data["faces"][int(use)]
        return bool(result < data.get("need", 0))
    score = batch.score[int(use)]
    if batch.kind in ("damage", "attacks"):
        return batch.best >= MANY and 4 * score <= batch.best
    if score:
        return False
    if batch.kind == "save":
        return batch.stake >= DEAR or _would_be_gone(b, batch)
    return batch.stake >= DEAR and len(batch.spent) <= FEW


def _dear_escape(b: Battle40, moment: Moment) -> bool:
    """Whether an escape costs more than a plain model, which its player picks: a dear one, or the last."""
    models, data = b.on_table(b.unit(moment.unit)), moment.data
    failed = sum(face < data["need"] for face in data["faces"])
    return failed >= len(models) or int(b.state.models.wounds[models].min()) >= DEAR


def _would_be_gone(b: Battle40, batch: Roll) -> bool:
    """Whether failed saves are the end of a unit's last model."""
    models = b.on_table(b.unit(batch.unit))
    failed = sum(score == 0 for score in batch.score)
    return len(models) == 1 and int(b.state.models.wounds[models[0]]) <= failed * batch.stake
