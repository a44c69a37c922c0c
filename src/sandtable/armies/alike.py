"""Units that are led like others: whoever can lead one datasheet can lead another, too."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.armies.effects import LedLike
from sandtable.armies.format import Sheet


def led_alike(sheets: Iterable[Sheet]) -> list[Sheet]:
    """Datasheets where Leaders of a unit also lead those units whose abilities say so."""
    found = list(sheets)
    like = [(e, s.id) for s in found for a in s.abilities for e in a.effects if isinstance(e, LedLike)]
    return [_with(sheet, [id_ for effect, id_ in like if _means(effect, sheet)]) for sheet in found] if like else found


def _means(effect: LedLike, leader: Sheet) -> bool:
    return effect.unit in leader.leads or leader.id in effect.by


def _with(sheet: Sheet, more: Iterable[str]) -> Sheet:
    leads = tuple(dict.fromkeys((*sheet.leads, *more)))
    return sheet if leads == sheet.leads else msgspec.structs.replace(sheet, leads=leads)
