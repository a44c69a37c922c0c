"""A ready battle with made-up armies: two small forces a charge apart."""

from __future__ import annotations

from random import Random

from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.documents import convert
from sandtable.forty.fighters import Sheet
from sandtable.forty.sample import squads
from sandtable.forty.setup import build
from sandtable.systems.w40k8.enlist import FRAME
from sandtable.systems.w40k8.known_sheets import KNOWN, SHEETS
from sandtable.systems.w40k8.state import Setup8, State8


def sample(seed: int, options: dict[str, str]) -> tuple[Setup8, State8]:
    """A battle for a seed: three squads, a Character and a psyker a side, and some woods."""
    docs = SHEETS.marine, SHEETS.lord, SHEETS.plaguecaster, SHEETS.intercessor, KNOWN["captain"], KNOWN["librarian"]
    marine, lord, caster, intercessor, captain, librarian = (convert(doc, Sheet, doc["name"]) for doc in docs)
    rng = Random(seed)
    army = squads(rng, 0, marine, (lord, caster), 11.0, -1.4)
    army += squads(rng, 1, intercessor, (captain, librarian), 18.0, 1.4)
    woods = FeatureDoc("woods", "woods", "The woods", (4.0, 12.5, 8.0, 4.0))
    table = build_table(TableDoc((36, 30), (woods,)), "in")
    return build(FRAME, table, ("plague", "marines"), army, options, turns=4)
