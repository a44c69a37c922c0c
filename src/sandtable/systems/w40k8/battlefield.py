"""The battlefield: its measures, and terrain that is placed by chance."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.kit.layouts import GENERATED, Chance, block, find_table, layouts, named, ruin, spread, woods
from sandtable.rules import rule
from sandtable.systems.w40k8.book import BOOK
from sandtable.table.layout import Table

PIECES: Final = (("ruins", 8, 6), ("woods", 7, 6), ("crater", 5, 5), ("barricade", 5, 0.5), ("hill", 6, 4))
"""Kinds of features with their measures."""
INSET: Final = 2
"""Inches that features keep from the edges of their part of the battlefield."""


def table_of(layout: str | Path | Table) -> Table:
    """The table of a layout; "random-SEED" is generated, and what is known by name is spread over the battlefield."""
    if isinstance(layout, Table):
        return layout
    seed = str(layout).removeprefix(GENERATED)
    if str(layout).startswith(GENERATED) and seed.isascii() and seed.isdigit() and len(seed) < 19:
        return build_table(generate(int(seed)), "in")
    table = find_table(layout)
    return spread(table, BOOK.battlefield) if str(layout) in layouts() else table


@rule("w40k8.battle.field", "w40k8.battle.terrain", neutral=TableDoc((24, 24)))
def generate(seed: int) -> TableDoc:
    """A battlefield with one or two features in each area of 2 by 2 feet; the seed says which, and where."""
    chance, size = Chance(seed), BOOK.battlefield
    part, features = BOOK.terrain_part, []
    for x in range(0, size[0], part):
        for y in range(0, size[1], part):
            for half in range(1 + chance.below(2)):
                features.append(_piece(chance, x, y + half * part // 2, part, part // 2))
    return TableDoc(size, named(features))


def _piece(chance: Chance, x: int, y: int, width: int, depth: int) -> FeatureDoc:
    """A feature somewhere in a part of the battlefield."""
    kind, w, d = PIECES[chance.below(len(PIECES))]
    px = x + INSET + chance.below(int(width - 2 * INSET - w) + 1)
    py = y + INSET + chance.below(int(depth - 2 * INSET - d) + 1)
    if kind == "ruins":
        return ruin(px, py, w, d, chance.below(4))
    return woods(px, py, w, d) if kind == "woods" else block(kind, px, py, w, d)
