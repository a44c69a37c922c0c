"""A ready battle with made-up armies: two small forces a charge apart."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.documents import convert
from sandtable.forty.setup import ModelList, UnitList, build
from sandtable.systems.w40k8.datasheet import Sheet
from sandtable.systems.w40k8.enlist import FRAME
from sandtable.systems.w40k8.known_sheets import INTERCESSOR, PLAGUECASTER, SHEETS
from sandtable.systems.w40k8.state import Setup8, State8
from sandtable.table.grid import steps

WIDTH, DEPTH = 36, 30
TURNS: Final = 4

CAPTAIN: Final[dict[str, Any]] = {
    **INTERCESSOR, "name": "Captain", "wounds": 5, "attacks": 4, "invulnerable": 4,
    "keywords": ["INFANTRY", "CHARACTER"],
}  # fmt: skip
LIBRARIAN: Final[dict[str, Any]] = {
    **PLAGUECASTER, "name": "Librarian", "move": 6, "toughness": 4, "abilities": [],
    "keywords": ["INFANTRY", "CHARACTER", "PSYKER"],
}  # fmt: skip


def sample(seed: int, options: dict[str, str]) -> tuple[Setup8, State8]:
    """A battle for a seed: three squads, a Character and a psyker a side, and some woods."""
    rng = Random(seed)
    army = [*_army(rng, 0, SHEETS.marine, (SHEETS.lord, SHEETS.plaguecaster), 11.0, -1.4)]
    army += _army(rng, 1, SHEETS.intercessor, (CAPTAIN, LIBRARIAN), 18.0, 1.4)
    woods = FeatureDoc("woods", "woods", "The woods", (4.0, 12.5, 8.0, 4.0))
    table = build_table(TableDoc((WIDTH, DEPTH), (woods,)), "in")
    return build(FRAME, table, ("plague", "marines"), army, options, turns=TURNS)


def _army(
    rng: Random, player: int, trooper: dict[str, Any], heroes: tuple[dict[str, Any], ...], front: float, back: float
) -> list[UnitList]:
    """Squads side by side, in two ranks, and their Characters behind some of them."""
    units = []
    for i in range(3):
        x, y = 4.0 + 10 * i + rng.randint(0, 2), front + rng.choice((-1.0, 0.0, 1.0))
        at = [(x + 1.5 * (k % 4), y + back * (k // 4)) for k in range(rng.choice((5, 5, 8)))]
        units.append(_unit(f"{trooper['name']}s {i + 1}", player, trooper, at))
    for i, hero in enumerate(heroes):
        at = [(6.0 + 5 * i + 10 * rng.randint(0, 2), front + 3 * back)]
        units.append(_unit(hero["name"], player, hero, at))
    return units


def _unit(name: str, player: int, doc: dict[str, Any], at: list[tuple[float, float]]) -> UnitList:
    sheet = convert(doc, Sheet, name)
    return UnitList(name, player, tuple(ModelList(sheet, at=(steps(x), steps(y), 0)) for x, y in at))
