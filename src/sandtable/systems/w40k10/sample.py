"""A ready battle with made-up armies: for trying the system out, and for tests."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import msgspec
import numpy as np

from sandtable.battle import TABLE
from sandtable.battle.tables import FeatureDoc, TableDoc, build_table
from sandtable.forty.setup import ModelList, UnitList, build
from sandtable.systems.w40k10.concepts import coherency_of
from sandtable.systems.w40k10.datasheet import Sheet, Weapon
from sandtable.systems.w40k10.setup import FRAME
from sandtable.systems.w40k10.state import Setup10, State10
from sandtable.table.arrange import clear_of, spread
from sandtable.table.grid import TURN, Ints, steps
from sandtable.table.layout import Table, compile_terrain
from sandtable.table.shapes import Bodies, pack

TURNS: Final = 2
WIDTH, DEPTH = 44, 30
ZONE: Final = 9
"""How deep the deployment zones are."""
OBJECTIVES: Final = ((9, 15), (22, 15), (35, 15))


def _gun(name: str, range_: int, a: str, bs: int, s: int, ap: int, d: str, *abilities: str, of: str = "") -> Weapon:
    return Weapon(name, a, d, range_, abilities, of, skill=bs, strength=s, ap=ap)


def _blade(name: str, a: str, ws: int, s: int, ap: int, d: str, *abilities: str) -> Weapon:
    return Weapon(name, a, d, abilities=abilities, skill=ws, strength=s, ap=ap)


def _sheet(
    name: str, m: int, t: int, sv: int, w: int, ld: int, oc: int, base: str, height: float, keywords: tuple[str, ...],
    weapons: tuple[Weapon, ...], **more: Any,
) -> Sheet:  # fmt: skip
    return Sheet(name, m, t, sv, w, ld, base, height, keywords, oc=oc, weapons=weapons, **more)


RIFLE: Final = _gun("arc rifle", 24, "2", 3, 4, 0, "1", "rapid fire 1")
SIDEARM: Final = _gun("sidearm", 12, "1", 3, 4, 0, "1", "pistol")
FLAMER: Final = _gun("flame projector", 12, "D6", 0, 4, 0, "1", "ignores cover", "torrent")
LANCE: Final = _gun("fusion lance", 12, "1", 3, 9, -4, "D6", "melta 2")
PLASMA: Final = _gun("plasma caster, steady", 24, "1", 3, 7, -2, "1", "rapid fire 1", of="plasma caster")
HOT_PLASMA: Final = _gun(
    "plasma caster, overcharged", 24, "1", 3, 8, -3, "2", "rapid fire 1", "hazardous", of="plasma caster"
)

WARDEN: Final = _sheet(
    "Warden", 6, 4, 3, 2, 6, 2, "32mm", 1.6, ("INFANTRY", "GRENADES", "WARDENS"),
    (RIFLE, PLASMA, HOT_PLASMA, SIDEARM, _blade("combat knife", "3", 3, 4, 0, "1")),
)  # fmt: skip
MARSHAL: Final = _sheet(
    "Marshal", 6, 4, 3, 5, 6, 1, "40mm", 1.8, ("INFANTRY", "CHARACTER", "WARDENS"),
    (SIDEARM, _blade("duelling blade", "6", 2, 5, -2, "2", "precision")),
    invulnerable=4, abilities=("leader",), leads=("Warden",),
)  # fmt: skip
BREACHER: Final = _sheet(
    "Breacher", 5, 5, 2, 3, 6, 1, "40mm", 1.9, ("INFANTRY", "WARDENS"),
    (FLAMER, _gun("storm repeater", 24, "4", 3, 5, -1, "1", "sustained hits 1"),
     _blade("power maul", "4", 3, 8, -2, "2")),
    invulnerable=5, abilities=("deep strike",),
)  # fmt: skip
KESTREL: Final = _sheet(
    "Kestrel", 12, 4, 3, 2, 6, 1, "32mm", 1.8, ("INFANTRY", "FLY", "JUMP PACK", "WARDENS"),
    (SIDEARM, _blade("talon blade", "4", 3, 4, -1, "1", "lance")),
)  # fmt: skip
BULWARK: Final = _sheet(
    "Bulwark", 10, 11, 2, 13, 6, 3, "hull 4.6x3", 2.6, ("VEHICLE", "SMOKE", "WARDENS"),
    (_gun("siege cannon", 48, "D6+1", 3, 9, -2, "D3", "blast", "heavy"),
     _gun("co-axial repeater", 36, "6", 3, 5, -1, "1", "twin-linked"),
     _blade("crushing tracks", "4", 4, 7, 0, "1")),
    abilities=("deadly demise d3",),
)  # fmt: skip
HERALD: Final = _sheet(
    "Herald", 6, 4, 3, 4, 6, 1, "40mm", 1.8, ("INFANTRY", "CHARACTER", "WARDENS"),
    (_gun("mind spike", 18, "D3", 3, 6, -1, "D3", "devastating wounds", "anti-psyker 4+"),
     _blade("staff", "4", 3, 6, -1, "D3")),
    invulnerable=4, abilities=("lone operative", "feel no pain 5+"),
)  # fmt: skip

CHITTERLING: Final = _sheet(
    "Chitterling", 6, 3, 5, 1, 8, 2, "28.5mm", 1.2, ("INFANTRY", "SWARM"),
    (_gun("spitter", 18, "1", 4, 4, 0, "1", "assault"), _blade("claws", "1", 4, 3, 0, "1")),
)  # fmt: skip
RAVAGER: Final = _sheet(
    "Ravager", 8, 4, 4, 2, 7, 1, "32mm", 1.6, ("INFANTRY", "SWARM"),
    (_blade("scything limbs", "4", 3, 4, -1, "1", "sustained hits 1"),), abilities=("stealth", "fights first"),
)  # fmt: skip
STALKER: Final = _sheet(
    "Stalker", 10, 5, 4, 3, 7, 1, "60x35mm", 1.8, ("BEAST", "SWARM"),
    (_blade("rending fangs", "5", 3, 5, -1, "1", "lethal hits"),),
)  # fmt: skip
BROODLORD: Final = _sheet(
    "Broodlord", 8, 5, 4, 6, 7, 1, "40mm", 2.0, ("INFANTRY", "CHARACTER", "SWARM"),
    (_blade("monstrous claws", "6", 2, 6, -2, "2", "twin-linked", "devastating wounds"),),
    invulnerable=4, abilities=("leader", "fights first"), leads=("Ravager",),
)  # fmt: skip
BEHEMOTH: Final = _sheet(
    "Behemoth", 8, 10, 2, 10, 7, 3, "90x52mm", 3.5, ("MONSTER", "SWARM"),
    (_gun("bile cannon", 24, "D3+3", 4, 8, -2, "2", "blast", "indirect fire"),
     _blade("wrecking claws", "5", 4, 12, -2, "3", "extra attacks"), _blade("crushing bulk", "4", 4, 7, 0, "2")),
    abilities=("deadly demise d3",),
)  # fmt: skip
LURKER: Final = _sheet(
    "Lurker", 8, 4, 4, 5, 7, 1, "40mm", 2.0, ("INFANTRY", "SWARM"),
    (_gun("barb launcher", 24, "D3", 3, 5, -1, "1", "heavy", "anti-infantry 2+"),
     _blade("feeder tendrils", "6", 3, 5, -2, "2", "precision")),
    invulnerable=6, abilities=("lone operative", "stealth", "feel no pain 6+"),
)  # fmt: skip

TERRAIN: Final[list[dict[str, Any]]] = [
    {
        "kind": "ruins", "id": "west ruins", "rect": [6, 9.5, 7, 5], "height": 6,
        "walls": [
            {"from": [6, 9.5], "to": [6, 14.5], "top": 6, "thickness": 0.25},
            {"from": [6, 14.5], "to": [9, 14.5], "top": 1.2, "thickness": 0.25},
            {"from": [6, 14.5], "to": [9, 14.5], "bottom": 2.2, "top": 6, "thickness": 0.25},
        ],
        "floors": [{"z": 3, "rect": [6, 10, 5, 4.5], "thickness": 0.1}],
    },
    {
        "kind": "ruins", "id": "east ruins", "rect": [31, 15.5, 7, 5], "height": 6,
        "walls": [
            {"from": [38, 15.5], "to": [38, 20.5], "top": 6, "thickness": 0.25},
            {"from": [35, 15.5], "to": [38, 15.5], "top": 1.2, "thickness": 0.25},
            {"from": [35, 15.5], "to": [38, 15.5], "bottom": 2.2, "top": 6, "thickness": 0.25},
        ],
        "floors": [{"z": 3, "rect": [33, 15.5, 5, 4.5], "thickness": 0.1}],
    },
    {"kind": "woods", "id": "west woods", "outline": [[14, 18], [20, 17], [21, 21], [15, 22]], "height": 4},
    {"kind": "woods", "id": "east woods", "outline": [[24, 9], [29, 8], [30, 12], [24, 13]], "height": 4},
    {"kind": "barricade", "id": "north barricade", "rect": [23, 18.5, 5, 0.5], "height": 1.2, "solid": True},
    {"kind": "barricade", "id": "south barricade", "rect": [16, 11, 5, 0.5], "height": 1.2, "solid": True},
    {"kind": "crater", "id": "crater", "rect": [1.5, 17, 5, 4]},
    {"kind": "debris", "id": "fallen statue", "rect": [40, 12, 2, 1], "height": 1.5, "solid": True},
    {"kind": "hill", "id": "container", "rect": [30.5, 4, 4, 2.2], "height": 2.5, "solid": True},
]  # fmt: skip


def battlefield() -> Table:
    """A table with ruins, woods, barricades and more."""
    features = msgspec.convert(TERRAIN, tuple[FeatureDoc, ...])
    return build_table(TableDoc((WIDTH, DEPTH), features), "in")


def armies() -> list[UnitList]:
    """Two made-up armies."""
    plasma = ("plasma caster", "sidearm", "combat knife")
    plain = ("arc rifle", "sidearm", "combat knife")
    wardens = tuple(ModelList(WARDEN, plasma if i == 1 else plain) for i in range(10))
    breachers = tuple(
        ModelList(BREACHER, ("flame projector" if i == 0 else "storm repeater", "power maul")) for i in range(5)
    )
    red = [
        UnitList("Wardens", 0, wardens),
        UnitList("Marshal", 0, (ModelList(MARSHAL),), leads="Wardens"),
        UnitList("Breachers", 0, breachers),
        UnitList("Kestrels", 0, (ModelList(KESTREL),) * 5),
        UnitList("Bulwark", 0, (ModelList(BULWARK),)),
        UnitList("Herald", 0, (ModelList(HERALD),)),
    ]
    blue = [
        UnitList("Chitterlings", 1, (ModelList(CHITTERLING),) * 20),
        UnitList("Ravagers", 1, (ModelList(RAVAGER),) * 7),
        UnitList("Broodlord", 1, (ModelList(BROODLORD),), leads="Ravagers"),
        UnitList("Stalkers", 1, (ModelList(STALKER),) * 3),
        UnitList("Behemoth", 1, (ModelList(BEHEMOTH),)),
        UnitList("Lurker", 1, (ModelList(LURKER),)),
    ]
    return red + blue


def sample(seed: int, options: dict[str, str], turns: int = TURNS) -> tuple[Setup10, State10]:
    """A battle about to begin; the seed shuffles the deployment."""
    setup: Setup10
    state: State10
    setup, state = build(
        FRAME,
        battlefield(),
        ("Red", "Blue"),
        armies(),
        FRAME.settle(options),
        objectives=tuple((steps(x), steps(y), 0) for x, y in OBJECTIVES),
        turns=turns,
    )
    _deploy(setup, state, Random(seed))
    return setup, state


def _deploy(setup: Setup10, state: State10, rng: Random) -> None:
    """Set every unit up in its zone, side by side in an order that the seed shuffles."""
    shapes, terrain = pack(setup.shapes), compile_terrain(setup.table)
    shape = np.array(setup.shape_of, dtype=np.int64)
    for player in (0, 1):
        units = [u for u in state.units if u.player == player]
        rng.shuffle(units)
        low, high = (0, ZONE) if player == 0 else (DEPTH - ZONE, DEPTH)
        area = np.array([[0, low], [WIDTH, low], [WIDTH, high], [0, high]], dtype=np.int64) * steps(1)
        facing = TURN // 4 if player == 0 else 3 * TURN // 4
        for place, unit in enumerate(units):
            x = WIDTH * (place + 0.5) / len(units) + rng.uniform(-1, 1)
            y = (low + high) / 2 + rng.uniform(-1, 2) * (1 if player == 0 else -1)
            models = np.array(unit.models, dtype=np.int64)
            bodies = Bodies(state.models.pos, state.models.facing, shape)
            found = spread(
                bodies,
                shapes,
                terrain,
                models,
                (steps(x), steps(y)),
                facing=facing,
                clear=clear_of(bodies, terrain, blocked=_standing(state), area=area),
                coherency=coherency_of(len(models)),
            )
            state.models.pos[models], state.models.facing[models] = found.pos, found.facing
            state.models.place[models] = TABLE


def _standing(state: State10) -> Ints:
    return np.asarray(state.models.place == TABLE, dtype=np.int64)
