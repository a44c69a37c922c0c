"""The Lord of Contagion: his Gift, and the armour that slows him down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from sandtable.battle import DONE, TABLE, Step
from sandtable.battle.rolls import needing
from sandtable.forty.single_dice import roll
from sandtable.reasons import Part
from sandtable.rules import rule
from sandtable.systems.w40k8.attacks import inflict
from sandtable.systems.w40k8.book import BOOK
from sandtable.systems.w40k8.concepts import model_distances, model_has_keyword
from sandtable.systems.w40k8.state import Battle8, Unit, World8, sheet_of, unit_of
from sandtable.table.grid import Ints

GIFT: Final = "nurgle's gift"
CATAPHRACTII: Final = "cataphractii armour"
DEATH_GUARD: Final = "DEATH GUARD"


@rule("w40k8.lord.nurgles_gift")
async def nurgles_gift(b: Battle8) -> Step:
    """When a turn starts, enemies close to Death Guard around a Lord of its player may each take a mortal wound."""
    rules, player = ("w40k8.lord.nurgles_gift",), b.state.active
    for lords in givers(b, player):
        for unit in stricken(b, player, lords):
            read, giver = needing([BOOK.gift], "mortal wound(s)"), unit_of(b, int(lords[0]))
            if strikes(await roll(b, giver, 1, GIFT, *rules, read=read, value=strikes)):
                await inflict(b, unit, 1, *rules)
    return DONE


def givers(w: World8, player: int) -> list[Ints]:
    """The Lords of a player on the battlefield: all together, or each for himself."""
    lords = np.array([m for m in _here(w, player) if sheet_of(w, m).has(GIFT)], dtype=np.int64)
    together = w.option("nurgles-gift") == "one-die" and len(lords)
    return [lords] if together else [lords[i : i + 1] for i in range(len(lords))]


def _here(w: World8, player: int) -> list[int]:
    return [m for u in w.units_of(player) for m in u.models if w.state.models.place[m] == TABLE]


def strikes(faces: Sequence[int]) -> bool:
    """Whether a die is enough."""
    return faces[0] >= BOOK.gift


def stricken(w: World8, player: int, lords: Ints) -> list[Unit]:
    """The enemy units within 1" of a Death Guard model that spreads the Gift, within 7" of one of these Lords."""
    guard = np.array([m for m in _here(w, player) if model_has_keyword(w, m, DEATH_GUARD)], dtype=np.int64)
    spreading = guard[(model_distances(w, lords, guard) <= BOOK.gift_range).any(axis=0)]
    foes = [e for e in w.enemies_of(player) if w.is_on_table(e)]
    return [e for e in foes if (model_distances(w, spreading, w.on_table(e)) <= BOOK.gift_reach).any()]


@rule("w40k8.lord.cataphractii_advance", neutral=())
def slowed(w: World8, unit: Unit) -> tuple[Part, ...]:
    """Cataphractii Armour halves the die of an Advance."""
    armoured = any(sheet_of(w, int(m)).has(CATAPHRACTII) for m in w.on_table(unit))
    return (Part("half", CATAPHRACTII.title(), "w40k8.lord.cataphractii_advance"),) if armoured else ()
