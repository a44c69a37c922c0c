"""Tables: terrain layouts as files, a generator of symmetric ones, and what makes a layout fit to play on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from sandtable.battle.dice import KeyedDice
from sandtable.battle.tables import FeatureDoc, FloorDoc, Number, TableDoc, WallDoc, build_table
from sandtable.documents import read_document
from sandtable.errors import UserError
from sandtable.kit.missions import Mission, on_map
from sandtable.table.cores import core_gap
from sandtable.table.grid import OVERLAP, STEP, TURN, Ints
from sandtable.table.layout import Feature, Table, compile_terrain, signed_area
from sandtable.table.measure import wholly_in_area
from sandtable.table.moves import Code, may_end, obstacles
from sandtable.table.shapes import Bodies, hull, pack

FOLDER: Final = Path(__file__).parent / "layouts"
GENERATED: Final = "random-"
"""A layout of this name and a seed, as in "random-7", is made by the generator."""
BOARD: Final = (60, 44)
GAP: Final = 3.0
"""Inches that the generator leaves between features."""
EDGE: Final = 2.0
TRIES: Final = 400
PITCH: Final = 2 * STEP
TANK: Final = (5, 3, 3)
NUDGES: Final = 10
ROOM: Final = 24
"""So many places for a large vehicle make a deployment zone passable."""

Rect = tuple[Number, Number, Number, Number]


class LayoutDoc(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """layouts/ID.yaml"""

    id: str
    name: str
    points: tuple[int, ...]
    """The battle sizes it is meant for."""
    table: TableDoc
    text: str = ""


def layouts() -> list[str]:
    """The layouts that come with the system."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read_layout(name: str | Path) -> LayoutDoc:
    """A layout by its name, or from a file."""
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        if str(name) not in layouts():
            known = ", ".join(layouts())
            raise UserError(f"There is no layout '{name}'; layouts are {known}, or '{GENERATED}' with a number.")
        path = FOLDER / f"{name}.yaml"
    return read_document(path, LayoutDoc)


def find_table(name: str | Path, by: Callable[[int], TableDoc] | None = None) -> Table:
    """The table of a layout; "random-SEED" is generated, in the way of an edition that has its own."""
    text = str(name)
    seed = text.removeprefix(GENERATED)
    if text.startswith(GENERATED) and seed.isascii() and seed.isdigit() and len(seed) < 19:
        return build_table((by or generate)(int(seed)), "in")
    doc = read_layout(name).table
    try:
        return build_table(doc, "in")
    except UserError as error:
        raise UserError(f"{name}: {error}") from None


def spread(table: Table, size: tuple[int, int]) -> Table:
    """The features of a table further apart, on one of these measures in inches; one as large stays as it is."""
    short, long = sorted(side * STEP for side in size)
    width, depth = (long, short) if table.width >= table.depth else (short, long)
    if table.width >= width and table.depth >= depth:
        return table

    def moved(feature: Feature) -> Feature:
        xs, ys = zip(*feature.outline, strict=True)
        dx = round((min(xs) + max(xs)) * (width - table.width) / (2 * table.width))
        dy = round((min(ys) + max(ys)) * (depth - table.depth) / (2 * table.depth))

        def at(spots: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
            return tuple((x + dx, y + dy) for x, y in spots)

        return msgspec.structs.replace(
            feature,
            outline=at(feature.outline),
            walls=tuple(msgspec.structs.replace(w, a=at([w.a])[0], b=at([w.b])[0]) for w in feature.walls),
            floors=tuple(msgspec.structs.replace(f, outline=at(f.outline)) for f in feature.floors),
        )

    return Table(width, depth, table.unit, tuple(moved(f) for f in table.features))


# --- Pieces -----------------------------------------------------------------------------------------------------------


def ruin(x: Number, y: Number, width: Number, depth: Number, corner: int, floors: int = 1) -> FeatureDoc:
    """A ruin with two walls that meet in a corner (0 to 3, from the lower left), windows, and upper floors."""
    right, top = corner in (1, 2), corner in (2, 3)
    wx, wy = (x + width if right else x), (y + depth if top else y)
    height = 3 * floors + 3
    side = (wx, y if top else y + depth)
    front = (x if right else x + width, wy)
    walls = [WallDoc((wx, wy), side, height, thickness=0.25)]
    for low in range(0, height, 3):
        walls.append(WallDoc((wx, wy), front, low + 1, low, 0.25))
        walls.append(WallDoc((wx, wy), front, low + 3, low + 2, 0.25))
    fw, fd = width * 2 / 3, depth * 2 / 3
    rect = (wx - fw if right else wx, wy - fd if top else wy, fw, fd)
    levels = tuple(FloorDoc(3 * (n + 1), 0.1, rect=_rounded(rect)) for n in range(floors))
    return FeatureDoc("ruins", rect=(x, y, width, depth), height=height, walls=tuple(walls), floors=levels)


def woods(x: Number, y: Number, width: Number, depth: Number) -> FeatureDoc:
    """Woods with cut corners."""
    cut = min(width, depth) / 4
    outline = (
        (x + cut, y), (x + width - cut, y), (x + width, y + cut), (x + width, y + depth - cut),
        (x + width - cut, y + depth), (x + cut, y + depth), (x, y + depth - cut), (x, y + cut),
    )  # fmt: skip
    return FeatureDoc("woods", outline=outline, height=4)


def block(kind: str, x: Number, y: Number, width: Number, depth: Number) -> FeatureDoc:
    """A barricade, crater, hill or piece of debris."""
    height = {"barricade": 1.2, "crater": 0, "hill": 2, "debris": 1.5}[kind]
    return FeatureDoc(kind, rect=(x, y, width, depth), height=height, solid=kind != "crater")


def _rounded(rect: tuple[float, float, float, float]) -> Rect:
    x, y, width, depth = (round(v, 3) for v in rect)
    return x, y, width, depth


def turned(feature: FeatureDoc, width: Number, depth: Number) -> FeatureDoc:
    """The same feature on the other side of the middle of the table."""

    def rect(r: Rect | None) -> Rect | None:
        return None if r is None else (width - r[0] - r[2], depth - r[1] - r[3], r[2], r[3])

    def spot(p: tuple[Number, Number]) -> tuple[Number, Number]:
        return width - p[0], depth - p[1]

    return msgspec.structs.replace(
        feature,
        rect=rect(feature.rect),
        outline=tuple(spot(p) for p in feature.outline),
        walls=tuple(msgspec.structs.replace(w, start=spot(w.start), end=spot(w.end)) for w in feature.walls),
        floors=tuple(
            msgspec.structs.replace(f, rect=rect(f.rect), outline=tuple(spot(p) for p in f.outline))
            for f in feature.floors
        ),
    )


def named(features: Iterable[FeatureDoc]) -> tuple[FeatureDoc, ...]:
    """Features with ids: their kind and a number."""
    count: dict[str, int] = {}
    out = []
    for feature in features:
        count[feature.kind] = count.get(feature.kind, 0) + 1
        out.append(msgspec.structs.replace(feature, id=f"{feature.kind} {count[feature.kind]}"))
    return tuple(out)


# --- The generator ----------------------------------------------------------------------------------------------------

INSET: Final = 2
"""Inches that scattered features keep from the edges of their part of the table."""
SINGLE: Final = (("ruins", 8, 6), ("woods", 7, 6), ("crater", 5, 5), ("barricade", 5, 0.5), ("hill", 6, 4))
"""Kinds of features that are scattered, with their measures."""
PIECES: Final = (
    ("ruins", 10, 6), ("ruins", 6, 10), ("ruins", 8, 5), ("woods", 7, 6), ("hill", 6, 4), ("crater", 5, 5),
    ("barricade", 5, 0.5), ("barricade", 0.5, 5), ("debris", 2, 2), ("ruins", 5, 5),
)  # fmt: skip
"""What half a table holds: kind, width, depth."""


class Chance:
    """Numbers that a seed gives, the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.dice = KeyedDice(seed)
        self.counter = 0

    def below(self, most: int) -> int:
        """A number from 0 to one less than `most`."""
        faces, self.counter = self.dice.roll(0, self.counter, 1, most, "terrain")
        return faces[0] - 1


def generate(seed: int, size: tuple[int, int] = BOARD) -> TableDoc:
    """A table on which both sides see the same terrain; the seed says where it lies."""
    chance = Chance(seed)
    width, depth = size
    rects: list[tuple[float, float, float, float]] = []
    half: list[FeatureDoc] = []
    for kind, w, d in PIECES:
        for _ in range(TRIES):
            x = EDGE + chance.below(int(2 * (width - 2 * EDGE - w)) + 1) / 2
            y = EDGE + chance.below(int(2 * (depth - 2 * EDGE - d)) + 1) / 2
            rect, other = (x, y, w, d), (width - x - w, depth - y - d, w, d)
            if all(_apart(rect, r) for r in (other, *rects)):
                rects += [rect, other]
                half.append(_piece(kind, x, y, w, d, chance))
                break
    return TableDoc(size, named([*half, *(turned(f, width, depth) for f in half)]))


def _piece(kind: str, x: float, y: float, w: float, d: float, chance: Chance) -> FeatureDoc:
    if kind == "ruins":
        return ruin(x, y, w, d, chance.below(4), 1 + chance.below(3) // 2)
    return woods(x, y, w, d) if kind == "woods" else block(kind, x, y, w, d)


def scattered(seed: int, size: tuple[int, int], part: int, fewest: int, most: int) -> TableDoc:
    """A table with so many features in each square of a side in inches; the seed says how many, which, and where."""
    chance, features = Chance(seed), []
    for x in range(0, size[0], part):
        for y in range(0, size[1], part):
            for k in range(fewest + chance.below(most - fewest + 1)):
                features.append(_somewhere(chance, x, y + k * part // most, part, part // most))
    return TableDoc(size, named(features))


def _somewhere(chance: Chance, x: int, y: int, width: int, depth: int) -> FeatureDoc:
    """A feature somewhere in a part of the table."""
    kind, w, d = SINGLE[chance.below(len(SINGLE))]
    px = x + INSET + chance.below(int(width - 2 * INSET - w) + 1)
    py = y + INSET + chance.below(int(depth - 2 * INSET - d) + 1)
    if kind == "ruins":
        return ruin(px, py, w, d, chance.below(4))
    return woods(px, py, w, d) if kind == "woods" else block(kind, px, py, w, d)


def _apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return (
        one[0] + one[2] + GAP <= other[0]
        or other[0] + other[2] + GAP <= one[0]
        or one[1] + one[3] + GAP <= other[1]
        or other[1] + other[3] + GAP <= one[1]
    )


# --- Checking ---------------------------------------------------------------------------------------------------------


def check_layout(table: Table, missions: Iterable[Mission] = ()) -> list[str]:
    """What is wrong with a layout: features that overlap or leave the table, and zones without room."""
    problems = list(_overlaps(table))
    for mission in missions:
        for name, outline in (("Attacker's", mission.attacker), ("Defender's", mission.defender)):
            zone = np.array([on_map(p, table.width, table.depth) for p in outline], dtype=np.int64)
            if _places_for_a_tank(table, zone) < ROOM:
                problems.append(f"{mission.name}: the {name} zone has no room for vehicles.")
    return problems


def _outline(feature: Feature) -> Ints:
    corners = feature.outline if signed_area(feature.outline) > 0 else feature.outline[::-1]
    return np.array(corners, dtype=np.int64)


def _overlaps(table: Table) -> Iterable[str]:
    for i, one in enumerate(table.features):
        if any(not (0 <= x <= table.width and 0 <= y <= table.depth) for x, y in one.outline):
            yield f"{one.id} hangs over the edge."
        for other in table.features[i + 1 :]:
            a, b = _outline(one), _outline(other)
            if one.bottom == other.bottom and core_gap(a, len(a), b, len(b)) < OVERLAP:
                yield f"{one.id} and {other.id} overlap."


def _places_for_a_tank(table: Table, zone: Ints) -> int:
    """In how many places of a grid a large hull can stand wholly within a zone, along one side or the other."""
    shapes, terrain = pack([hull(*TANK)]), compile_terrain(table)
    low, high = zone.min(axis=0), zone.max(axis=0)
    if signed_area([(int(x), int(y)) for x, y in zone]) < 0:
        zone = zone[::-1].copy()
    blocks = obstacles(1, terrain)
    found = 0
    for x in range(int(low[0]), int(high[0]), PITCH):
        for y in range(int(low[1]), int(high[1]), PITCH):
            for facing in (0, TURN // 4):
                spot = np.array([[x, y, 0, facing]], dtype=np.int64)
                body = Bodies(spot[:, :3].copy(), spot[:, 3].copy(), np.zeros(1, dtype=np.int64))
                fits = wholly_in_area(body, shapes, 0, zone, len(zone))
                found += bool(fits and int(may_end(body, shapes, terrain, 0, spot, blocks)[0, 0]) == Code.OK)
    return found


# --- Markers ----------------------------------------------------------------------------------------------------------


def beside_solids(table: Table, spot: tuple[int, int]) -> tuple[int, int]:
    """The spot itself, or the nearest one of a grid that is not inside a solid feature: markers lie on open ground."""
    x, y = spot
    far = range(-NUDGES, NUDGES + 1)
    around = sorted((dx * dx + dy * dy, dx, dy) for dx in far for dy in far)
    for _, dx, dy in around:
        px, py = x + dx * STEP, y + dy * STEP
        on_table = 0 <= px <= table.width and 0 <= py <= table.depth
        if on_table and not any(f.solid and _is_on(f, px, py) for f in table.features):
            return px, py
    return spot


def _is_on(feature: Feature, x: int, y: int) -> bool:
    xs, ys = [p[0] for p in feature.outline], [p[1] for p in feature.outline]
    return min(xs) - STEP < x < max(xs) + STEP and min(ys) - STEP < y < max(ys) + STEP
