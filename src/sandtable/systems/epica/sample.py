"""A ready battle with made-up armies: marines against orks on a table full of terrain."""

from __future__ import annotations

from random import Random
from typing import Final

from sandtable.battle.scenario import AtDoc, Block, Scenario, UnitDoc
from sandtable.battle.setup import Setup
from sandtable.battle.state import State
from sandtable.battle.system import settle
from sandtable.battle.tables import FeatureDoc, TableDoc
from sandtable.systems.epica.measuring import PREMEASURING
from sandtable.systems.epica.scenario import NAME, build
from sandtable.systems.epica.state import Data, Formation, Game, Player

WIDTH, DEPTH = 120, 84

MARINES: Final = (
    ("Tactical Detachment", ("Tactical",) * 6),
    ("Devastators", ("Devastator",) * 4 + ("Tactical",) * 2),
    ("Assault Detachment", ("Assault",) * 6),
    ("Predators", ("Predator",) * 4),
    ("Vindicators", ("Vindicator",) * 3),
    ("Land Speeders", ("Land Speeder",) * 5),
)
ORKS: Final = (
    ("Warband", ("Nobz",) * 2 + ("Boyz",) * 6 + ("Grotz",) * 2),
    ("Mob of Boyz", ("Nobz",) + ("Boyz",) * 7),
    ("Wild Mob", ("Wildboyz",) * 4 + ("Boyz",) * 3),
    ("Blitz Brigade", ("Battlewagon",) * 3 + ("Gunwagon",) * 2),
    ("Kult of Speed", ("Warbuggy",) * 6),
    ("Mixed Mob", ("Gunwagon",) * 2 + ("Boyz",) * 5),
)
FORMATIONS: Final = 4
KINDS: Final = ("wood", "ruins", "building", "hill", "marsh", "wood", "scrub", "ruins", "jungle", "fortification")


def sample(seed: int, options: dict[str, str]) -> tuple[Setup[Data], State[Formation, Player, Game]]:
    """A battle for a seed: four formations a side, 20 cm from their edges, terrain turned round in the middle."""
    rng = Random(seed)
    units = [
        *_army(rng, "marines", MARINES, initiative=1, near=True),
        *_army(rng, "orks", ORKS, initiative=3, near=False),
    ]
    doc = Scenario(
        scenario=f"sample battle {seed}",
        system="epica",
        question="Who holds the field?",
        table=TableDoc((WIDTH, DEPTH), tuple(_terrain(rng))),
        units=tuple(units),
        at=AtDoc("strategy_roll", 1, ""),
        players=("marines", "orks"),
        state={"marines": {"strategy": 5}, "orks": {"strategy": 3}},
        # More can be played, but without goals to take and players who go for them they would only repeat the first.
        extra={"turns": 1},
    )
    return build(doc, settle(NAME, (PREMEASURING,), options))


def _army(
    rng: Random, player: str, choice: tuple[tuple[str, tuple[str, ...]], ...], *, initiative: int, near: bool
) -> list[UnitDoc]:
    """Formations side by side, each in a block; some have had a rough time already."""
    units = []
    for i, (name, sheets) in enumerate(rng.sample(choice, FORMATIONS)):
        x = 8.0 + i * (WIDTH - 16) / FORMATIONS + rng.randint(0, 4)
        y = 22.0 + rng.randint(-8, 6)
        rows = (len(sheets) + 4) // 5
        at = (x, y) if near else (x, DEPTH - y - 4.0 * rows)
        markers = rng.choice((0, 0, 0, 1, 2))
        flags = {"initiative": initiative, "markers": markers}
        units.append(
            UnitDoc(name, player, sheets[0], len(sheets), block=Block(at, 5, 1.0), flags=flags, loadout=list(sheets))
        )
    return units


def _terrain(rng: Random) -> list[FeatureDoc]:
    """Pieces in the middle of the table and their twins on the other side, a road across and a stretch of river."""
    features = []
    for i in range(4):
        kind = rng.choice(KINDS)
        w, d = rng.randint(8, 16), rng.randint(6, 10)
        x, y = rng.randint(4 + 28 * i, 14 + 28 * i), rng.randint(30, 34)
        height = 3 if kind == "hill" else 4 if kind not in ("marsh", "scrub") else 0
        for j, (px, py) in enumerate(((x, y), (WIDTH - x - w, DEPTH - y - d))):
            features.append(FeatureDoc(kind, f"{kind}-{i}-{j}", kind.capitalize(), (px, py, w, d), height=height))
    x = rng.randint(40, 76)
    features.append(FeatureDoc("road", "road", "The road", (x, 0, 4, DEPTH)))
    features.append(FeatureDoc("road", "lane", "The lane", (0, 22, WIDTH, 12)))
    features.append(FeatureDoc("river", "river", "The river", (0 if rng.random() < 0.5 else WIDTH - 22, 40, 22, 4)))
    return features
