"""Small layouts for Charge, Pile-in and Consolidation moves, and a brute force that plays them without any search.

The brute force knows circles, boxes and straight lines, and nothing of the code that it is held against. Every model
gets a fine lattice of end places, with the ways there; models are then joined into a coherent unit in every way that
there is. What it finds is shown to the judge of the conditions before it counts, so that a difference of geometry is
never taken for a hole in the search.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sandtable.battle import Leg, Moves, Path, Verdict
from sandtable.battle.scenario import UnitDoc
from sandtable.battle.tables import FeatureDoc, WallDoc
from sandtable.kit.closing.plan import Plan, find, judge
from sandtable.systems.w40k10 import pile_in_and_consolidate
from sandtable.systems.w40k10.charge_move import find_charge
from sandtable.systems.w40k10.state import Battle10, Unit
from w40k10.charging import is_legal, meets_conditions
from w40k10.table import TROOPER, feature, named, situation, unit

Points = NDArray[np.float64]
Box = tuple[float, float, float, float]
Hill = tuple[Box, float]
"""A box and how high it is"""

SIZE: Final = (24.0, 20.0)
STEP: Final = 1024
ENGAGED, TOGETHER, ACROSS = 1.0, 2.0, 2.0
"""Engagement Range, Unit Coherency, and how far a charge reaches across a barricade"""
HAIR: Final = 1.5 / STEP
"""What the brute force keeps away from every limit, since its places are rounded to the grid"""
WAY: Final = 0.01
"""How far around a thing a detour leads"""
LATTICE: Final = 1100
"""Places of a model all over its reach"""
NEAR: Final = 900
"""Places of a model near the enemy"""
RING: Final = 180
"""Directions in which contact with an enemy model is tried"""
BASES: Final = ("25mm", "25.4mm", "32mm", "40mm")
FINE: Final = 1024
"""Pieces in which a straight way over hills is cut"""
CLIMBS: Final = -3
"""Instead of a corner: the way goes straight over hills"""
CHARGE, PILE_IN, CONSOLIDATE = "charge", "pile_in", "consolidate"


@dataclass(frozen=True)
class Layout:
    """A unit that moves, its targets, and who stands by."""

    number: int
    move: str
    units: tuple[UnitDoc, ...]
    terrain: tuple[FeatureDoc, ...]
    roll: int
    targets: tuple[str, ...]

    def open(self) -> Battle10:
        return situation(list(self.units), list(self.terrain), step="charge_phase", size=SIZE)


def findings(layout: Layout, answers: int = 4) -> list[str]:
    """What is wrong with the search for a move and with the judge of the duty to touch, in one layout."""
    scene, rng, found = Scene(layout.open(), layout), Random(layout.number), list[str]()
    best = scene.search()
    if best is None:
        possible = scene.possible(rng)
        if possible is None:
            return []
        found.append(f"no {layout.move} is found, but there is {told(possible)}")
    elif not scene.verdict(best):
        found.append(f"the {layout.move} that is found is refused: {scene.verdict(best)}")
    for answer in [*scene.short_stops(rng, answers), *([best] if best is not None else [])]:
        verdict = scene.verdict(answer)
        if not verdict:
            found += scene.faults_of(verdict, answer)
            continue
        better = scene.contact(answer, rng)
        if better is not None:
            found.append(f"{told(answer)} is allowed, but there is {told(better)}")
    return found


def told(moves: Moves) -> str:
    """Where a move takes whom."""
    ends = {p.model: p.legs[-1] for p in moves.paths}
    return ", ".join(f"{m} to {e.x / STEP:.3f}, {e.y / STEP:.3f}" for m, e in ends.items())


# --- Random layouts ---------------------------------------------------------------------------------------------------


def layouts(first: int = 0) -> Iterator[Layout]:
    """Layouts without end, each the same for its number; two of three are charges."""
    number = first
    while True:
        yield layout(number)
        number += 1


def layout(number: int) -> Layout:
    """The layout of a number."""
    rng = Random(7919 * number + 1)
    while True:
        move = (CHARGE, CHARGE, rng.choice((PILE_IN, CONSOLIDATE)))[number % 3]
        found = _draw(rng, number, move)
        if found is not None:
            return found


def _draw(rng: Random, number: int, move: str) -> Layout | None:
    """One try at a layout: everybody somewhere near, nobody on anybody."""
    crowd = _Crowd(rng)
    edge = rng.random() < 0.3
    x, y = (rng.uniform(1, 3), rng.uniform(1, 19)) if edge else (rng.uniform(8, 16), rng.uniform(7, 13))
    heading = rng.uniform(0, 2 * math.pi)
    gap = rng.uniform(1.3, 9) if move == CHARGE else rng.uniform(0.05, 3.8)
    base = rng.choice(BASES)
    sheet = {**TROOPER, "base": base, "weapons": [], "keywords": [rng.choice(("INFANTRY", "MOUNTED"))]}
    if rng.random() < 0.12:
        sheet["keywords"] = [*sheet["keywords"], "FLY"]
    foe = {**TROOPER, "base": rng.choice(BASES), "weapons": []}
    apart = gap + _radius(base) + _radius(foe["base"])
    tx, ty = x + apart * math.cos(heading), y + apart * math.sin(heading)
    several = rng.random() < 0.2 and move == CHARGE
    blues = crowd.group(tx, ty, foe["base"], rng.randint(1, 3))
    seconds = crowd.group(tx + rng.uniform(-4, 4), ty + rng.uniform(-4, 4), foe["base"], 1) if several else []
    terrain = []
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        box = crowd.box((x + tx) / 2, (y + ty) / 2)
        if box is not None:
            terrain.append(feature("hill", box, rng.choice((2, 6)), solid=True))
    reds = crowd.group(x, y, base, rng.randint(1, 4))
    if not blues or not reds or (several and not seconds):
        return None
    units = [unit("Reds", "red", sheet, reds), unit("Blues", "blue", foe, blues)]
    if seconds:
        units.append(unit("Seconds", "blue", foe, seconds))
    for name, player, chance in (("Friends", "red", 0.6), ("Others", "blue", 0.4 if move == CHARGE else 0.25)):
        if rng.random() < chance:
            bystander = {**TROOPER, "base": rng.choice(BASES), "weapons": []}
            centre = (tx, ty) if rng.random() < 0.7 else ((x + tx) / 2, (y + ty) / 2)
            spots = crowd.group(*centre, bystander["base"], rng.randint(1, 4), wide=3.5)
            if spots:
                units.append(unit(name, player, bystander, spots))
    if move == CHARGE and crowd.are_near(reds, base, [u for u in units if u.player == "blue"]):
        return None
    roll = min(12, max(2, math.ceil(gap - 1 + rng.choice((0, 0, 0.3, 1, 2, 3))))) if move == CHARGE else 3
    return Layout(number, move, tuple(units), tuple(terrain), roll, ("Blues", "Seconds")[: 1 + bool(seconds)])


# --- Rough ground -----------------------------------------------------------------------------------------------------


def rough_layout(number: int) -> Layout:
    """The charge of a number on rough ground: over a hill of 3", up or down one, across a barricade, or past a wall."""
    rng = Random(15485863 * number + 3)
    while True:
        found = (_over_hill, _up_or_down, _at_barricade, _past_wall)[number % 4](rng)
        if found is not None:
            units, terrain, roll = found
            if not _engaged_already(units):
                return Layout(number, CHARGE, units, terrain, roll, tuple(u.name for u in units if u.player == "blue"))


Drawn = tuple[tuple[UnitDoc, ...], tuple[FeatureDoc, ...], int] | None


def _sheets(rng: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Who charges, and who is charged."""
    words = [rng.choice(("INFANTRY", "MOUNTED"))]
    sheet = {**TROOPER, "base": rng.choice(BASES), "weapons": [], "keywords": words}
    return sheet, {**TROOPER, "base": rng.choice(BASES), "weapons": []}


def _over_hill(rng: Random) -> Drawn:
    crowd, (sheet, foe) = _Crowd(rng), _sheets(rng)
    x, y, wide, deep = rng.uniform(9, 12), rng.uniform(1, 6), rng.choice((0.4, 1.0, 1.5)), rng.choice((4.0, 8.0, 12.0))
    box = (round(x, 1), round(y, 1), wide, deep)
    crowd.boxes.append(box)
    reds = crowd.group(x - rng.uniform(1, 3), rng.uniform(6, 12), sheet["base"], rng.randint(1, 3), wide=1.8)
    blues = crowd.group(x + wide + rng.uniform(1, 3.5), rng.uniform(6, 12), foe["base"], rng.randint(1, 2), wide=1.8)
    if not reds or not blues:
        return None
    units = (unit("Reds", "red", sheet, reds), unit("Blues", "blue", foe, blues))
    return units, (feature("hill", box, 3, solid=True),), rng.randint(8, 12)


def _up_or_down(rng: Random) -> Drawn:
    crowd, (sheet, foe) = _Crowd(rng), _sheets(rng)
    box = (10.0, 6.0, rng.choice((4.0, 6.0)), rng.choice((5.0, 7.0)))
    up = rng.random() < 0.6
    top, low = (foe, sheet) if up else (sheet, foe)
    above = crowd.group(rng.uniform(10.8, 13), rng.uniform(7, 11), top["base"], rng.randint(1, 2), wide=1.2)
    r = _radius(top["base"]) + 0.02
    inner = (box[0] + r, box[1] + r, box[2] - 2 * r, box[3] - 2 * r)
    crowd.boxes.append(box)
    below = crowd.group(rng.uniform(5.5, 9), rng.uniform(6, 12), low["base"], rng.randint(1, 3), wide=1.8)
    if not above or not below or any(_box_gap(px, py, inner) > 0 for px, py in above):
        return None
    raised = [(px, py, 3.0) for px, py in above]
    reds, blues = (below, raised) if up else (raised, below)
    units = (unit("Reds", "red", sheet, reds), unit("Blues", "blue", foe, blues))
    return units, (feature("hill", box, 3, solid=True),), rng.randint(4, 11)


def _at_barricade(rng: Random) -> Drawn:
    crowd, (sheet, foe) = _Crowd(rng), _sheets(rng)
    box = (12.0, round(rng.uniform(5, 8), 1), 0.5, rng.choice((3.0, 6.0)))
    crowd.boxes.append(box)
    middle = box[1] + box[3] / 2
    behind = 12.5 + _radius(foe["base"]) + rng.uniform(0.05, 1.1)
    blues = crowd.group(behind, middle + rng.uniform(-1, 1), foe["base"], 1, wide=0.1)
    seconds = crowd.group(rng.uniform(9, 14), middle + rng.uniform(-4, 4), foe["base"], 1, wide=0.5)
    several = rng.random() < 0.6
    reds = crowd.group(rng.uniform(6, 10), middle + rng.uniform(-3, 3), sheet["base"], rng.randint(1, 3), wide=1.8)
    if not reds or not blues or not seconds:
        return None
    units = [unit("Reds", "red", sheet, reds), unit("Blues", "blue", foe, blues)]
    if several:
        units.append(unit("Seconds", "blue", foe, seconds))
    gap = max(0.0, 12 - _radius(sheet["base"]) - max(px for px, _ in reds))
    roll = min(12, max(2, math.ceil(gap + rng.choice((0, 0.3, 1, 2)))))
    return tuple(units), (feature("barricade", box, 1, solid=True),), roll


def _past_wall(rng: Random) -> Drawn:
    crowd, (sheet, foe) = _Crowd(rng), _sheets(rng)
    sheet["keywords"] = ["MOUNTED", "FLY"]
    low, deep = round(rng.uniform(5, 7), 1), rng.choice((4.0, 6.0))
    standing = WallDoc(start=(11.0, low), end=(11.0, low + deep), top=9, thickness=0.2)
    crowd.boxes.append(_wall_box(standing))
    reds = crowd.group(rng.uniform(8, 10), low + rng.uniform(-1, deep + 1), sheet["base"], rng.randint(1, 2), wide=1.5)
    blues = crowd.group(rng.uniform(12, 14), low + rng.uniform(0, deep), foe["base"], rng.randint(1, 2), wide=1.5)
    if not reds or not blues:
        return None
    units = (unit("Reds", "red", sheet, reds), unit("Blues", "blue", foe, blues))
    ruin = feature("ruins", (11.0, low, 6.0, deep), 9, walls=[standing])
    return units, (ruin,), rng.randint(3, 10)


def _wall_box(wall: WallDoc) -> Box:
    (ax, ay), (bx, by), half = wall.start, wall.end, wall.thickness / 2
    return min(ax, bx) - half, min(ay, by) - half, abs(ax - bx) + 2 * half, abs(ay - by) + 2 * half


def _engaged_already(units: Sequence[UnitDoc]) -> bool:
    """Whether some Reds are within Engagement Range of an enemy before they move, or nobody is within 12"."""
    reds, gaps = units[0], []
    for other in units[1:]:
        apart = _radius(reds.sheet["base"]) + _radius(other.sheet["base"])  # type: ignore[index,call-overload]
        gaps.append(min(math.dist(a[:2], b[:2]) - apart for a in reds.positions for b in other.positions))
    return min(gaps) <= ENGAGED + 0.02


def _radius(base: str) -> float:
    return float(base.removesuffix("mm")) / 50.8


class _Crowd:
    """What is on the table so far: circles and boxes."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.circles: list[tuple[float, float, float]] = []
        self.boxes: list[tuple[float, float, float, float]] = []

    def group(self, x: float, y: float, base: str, count: int, wide: float = 2.5) -> list[tuple[float, ...]]:
        """Places of a unit around a point, each within coherency of one before it; none where it finds no room."""
        radius, found = _radius(base), []
        for _ in range(120):
            if len(found) == count:
                break
            px, py = (round(c + self.rng.uniform(-wide, wide) * (1.0 if found else 0.15 * wide), 2) for c in (x, y))
            if self._is_free(px, py, radius) and (not found or _joined(px, py, radius, found)):
                found.append((px, py))
                self.circles.append((px, py, radius))
        return found if len(found) == count else []

    def are_near(self, spots: Sequence[tuple[float, ...]], base: str, others: Sequence[UnitDoc]) -> bool:
        """Whether one of some models is within Engagement Range of other units already."""
        for other in others:
            apart = _radius(base) + _radius(other.sheet["base"]) + ENGAGED  # type: ignore[index,call-overload]
            if any(math.dist(a, b[:2]) <= apart + 0.02 for a in spots for b in other.positions):
                return True
        return False

    def box(self, x: float, y: float) -> tuple[float, float, float, float] | None:
        """A box near a point, clear of everybody."""
        wide, deep = self.rng.choice(((0.4, 3.0), (3.0, 0.4), (1.5, 1.5), (0.4, 1.5)))
        for _ in range(20):
            left, low = (round(c + self.rng.uniform(-2.5, 2.5), 1) for c in (x - wide / 2, y - deep / 2))
            inside = left >= 0 and low >= 0 and left + wide <= SIZE[0] and low + deep <= SIZE[1]
            if inside and all(_box_gap(cx, cy, (left, low, wide, deep)) > r + 0.02 for cx, cy, r in self.circles):
                self.boxes.append((left, low, wide, deep))
                return left, low, wide, deep
        return None

    def _is_free(self, x: float, y: float, radius: float) -> bool:
        if min(x, y, SIZE[0] - x, SIZE[1] - y) < radius:
            return False
        if any(math.dist((x, y), (cx, cy)) < radius + r + 0.02 for cx, cy, r in self.circles):
            return False
        return all(_box_gap(x, y, box) > radius + 0.02 for box in self.boxes)


def _joined(x: float, y: float, radius: float, others: Sequence[tuple[float, ...]]) -> bool:
    return any(math.dist((x, y), o) <= 2 * radius + TOGETHER - 0.02 for o in others)


def _box_gap(x: float, y: float, box: tuple[float, float, float, float]) -> float:
    left, low, wide, deep = box
    dx, dy = max(left - x, 0, x - left - wide), max(low - y, 0, y - low - deep)
    return math.hypot(dx, dy)


# --- The brute force --------------------------------------------------------------------------------------------------


@dataclass
class Ends:
    """Where one model could end: its places, how far it goes to each, and over which corner (-1: straight)."""

    model: int
    places: Points
    over: NDArray[np.int64]
    corners: Points
    before: NDArray[np.int64]
    """For each corner the one before it on the way; -1: the start"""
    hills: Sequence[Hill] = ()
    """What is climbed on ways that go straight over it"""
    made: Path | None = None
    """The way that was gone already"""

    def path(self, b: Battle10, k: int) -> Path | None:
        """The way to a place, None for staying."""
        if self.made is not None:
            return self.made
        if int(self.over[k]) == CLIMBS:
            return self._climbing(b, self.places[k])
        facing = int(b.state.models.facing[self.model])
        start = tuple(int(v) for v in b.state.models.pos[self.model])
        points, corner = [self.places[k]], int(self.over[k])
        while corner >= 0:
            points.append(self.corners[corner])
            corner = int(self.before[corner])
        ends = [(round(x * STEP), round(y * STEP), start[2]) for x, y in reversed(points)]
        if ends == [start]:
            return None
        return Path(self.model, tuple(Leg("go", x, y, z, facing) for x, y, z in ends))

    def _climbing(self, b: Battle10, place: Points) -> Path:
        """Straight on, climbing up right before and down right after each hill."""
        x, y, z = (int(v) for v in b.state.models.pos[self.model])
        facing = int(b.state.models.facing[self.model])
        start, radius = np.array((x, y)) / STEP, int(b.shapes.radius[b.ground.shape[self.model]]) / STEP
        ticks = np.linspace(0, 1, FINE + 1)
        high = _height(start + (place - start) * ticks[:, None], radius, self.hills)
        legs = []
        for k in np.flatnonzero(np.diff(high)).tolist():
            spot = start + (place - start) * ticks[k if high[k] < high[k + 1] else k + 1]
            px, py = (round(v * STEP) for v in spot.tolist())
            if (px, py) != (x, y):
                legs.append(Leg("go", px, py, z, facing))
            x, y, z = px, py, round(float(high[k + 1]) * STEP)
            legs.append(Leg("climb", x, y, z, facing))
        px, py = (round(v * STEP) for v in place.tolist())
        if (px, py) != (x, y):
            legs.append(Leg("go", px, py, z, facing))
        return Path(self.model, tuple(legs))


def _height(places: Points, radius: float, hills: Sequence[Hill]) -> Points:
    """How high a base is at some places, so as to be in no hill."""
    out = np.zeros(len(places))
    for box, top in hills:
        out = np.where(_from_box(places, box) < radius, np.maximum(out, top), out)
    return out


def _from_box(places: Points, box: Box) -> Points:
    left, low, wide, deep = box
    dx = np.maximum(np.maximum(left - places[:, 0], places[:, 0] - left - wide), 0)
    dy = np.maximum(np.maximum(low - places[:, 1], places[:, 1] - low - deep), 0)
    return np.asarray(np.sqrt(dx * dx + dy * dy))


@dataclass
class Scene:
    """What a brute force looks at: circles and boxes, read off a battle."""

    b: Battle10
    layout: Layout
    unit: Unit = field(init=False)
    targets: list[Unit] = field(init=False)
    models: list[int] = field(init=False)
    far: float = field(init=False)
    flies: bool = field(init=False)

    def __post_init__(self) -> None:
        b = self.b
        self.unit, self.targets = named(b, "Reds"), [named(b, name) for name in self.layout.targets]
        self.models = [int(m) for m in b.on_table(self.unit)]
        self.far = float(self.layout.roll)
        words = self.layout.units[0].sheet["keywords"]  # type: ignore[index,call-overload]
        self.flies = "FLY" in words and self.layout.move == CHARGE
        self.at: Points = b.state.models.pos[:, :2] / STEP
        self.radius = b.shapes.radius[b.ground.shape] / STEP
        theirs = [u for u in b.units() if u.player != self.unit.player]
        named_targets = [t.id for t in self.targets]
        if self.layout.move != CHARGE:
            named_targets = [u.id for u in theirs]
        self.prey = {t: [int(m) for m in b.on_table(b.unit(t))] for t in named_targets}
        self.enemies = [int(m) for u in theirs for m in b.on_table(u)]
        self.closed = [int(m) for u in theirs if u.id not in named_targets for m in b.on_table(u)]
        self.others = [int(m) for u in b.units() if u.id != self.unit.id for m in b.on_table(u)]
        solids = [f for f in self.layout.terrain if f.rect is not None and f.solid]
        walls = [_wall_box(wall) for f in self.layout.terrain for wall in f.walls]
        self.boxes = [*(f.rect for f in solids if f.rect is not None), *walls]
        self.tall = [*(f.rect for f in solids if f.rect is not None and f.height > 2), *walls]
        self.hills = [(f.rect, f.height) for f in solids if f.rect is not None and 2 < f.height < 5]
        self.fences = [f.rect for f in solids if f.rect is not None and f.kind == "barricade"]
        self.z: Points = b.state.models.pos[:, 2] / STEP
        self._ends: dict[int, Ends] = {}

    # --- One model

    def free(self, model: int, places: Points) -> NDArray[np.bool_]:
        """Where a model may end, as far as others, boxes and the edge go."""
        r = self.radius[model]
        good = (places[:, 0] >= r) & (places[:, 1] >= r) & (places[:, 0] <= SIZE[0] - r) & (places[:, 1] <= SIZE[1] - r)
        for k in self.others:
            keep = r + self.radius[k] + (ENGAGED + HAIR if k in self.closed else 0.0)
            good &= _away(places, self.at[k]) >= keep - (0 if k in self.closed else HAIR / 2)
        for box in self.boxes:
            good &= (_from_box(places, box) >= r) | ((self.level(model, places) > 0) & (_from_box(places, box) == 0))
        return good

    def level(self, model: int, places: Points) -> Points:
        """How high a model stands at some places: on top of a hill where its base is wholly on it."""
        r, out = self.radius[model], np.zeros(len(places))
        for (left, low, wide, deep), top in self.hills:
            inner = (left + r + HAIR, low + r + HAIR, wide - 2 * r - 2 * HAIR, deep - 2 * r - 2 * HAIR)
            if min(inner[2:]) > 0:
                out = np.where(_from_box(places, inner) == 0, top, out)
        return out

    def open_way(self, model: int, start: Points, ends: Points) -> NDArray[np.bool_]:
        """From which of the starts [n, 2] a straight way to the end beside it is open."""
        r = self.radius[model]
        good = np.ones(len(ends), dtype=np.bool_)
        for k in self.enemies:
            if self.flies:
                break
            keep = r + self.radius[k] + (ENGAGED + HAIR if k in self.closed else -HAIR / 2)
            good &= _from_segment(self.at[k], start, ends) >= keep
        for box in self.tall:
            good &= _segment_to_box(start, ends, box) >= r - HAIR / 2
        return good

    def ends(self, model: int) -> Ends:
        """All places of a model that it can get to, and where it ends closer to the enemy; its own is the first."""
        if model not in self._ends:
            self._ends[model] = self._look(model, self._lattice(model))
        return self._ends[model]

    def _lattice(self, model: int) -> Points:
        x, y = self.at[model]
        far = self.far
        pitch = max(1 / 16, far * math.sqrt(math.pi / LATTICE))
        ticks = np.arange(-far, far + pitch, pitch)
        places = [np.stack(np.meshgrid(x + ticks, y + ticks), axis=-1).reshape(-1, 2)]
        prey = [m for theirs in self.prey.values() for m in theirs]
        for k in prey:
            reach = self.radius[model] + self.radius[k] + ENGAGED
            pitch = max(1 / 16, reach * math.sqrt(math.pi / (NEAR / len(prey))))
            ticks = np.arange(-reach, reach + pitch, pitch)
            square = np.stack(np.meshgrid(self.at[k, 0] + ticks, self.at[k, 1] + ticks), axis=-1).reshape(-1, 2)
            places += [square[_away(square, self.at[k]) <= reach], self.ring(model, k, 90)]
            # Straight on as far as it may: the only place where the roll is exactly enough.
            away = self.at[k] - self.at[model]
            places.append((self.at[model] + away * (far / max(far, float(np.hypot(*away)))))[None])
        return np.concatenate([*places, *(self._beside(model, fence) for fence in self.fences)])

    def _beside(self, model: int, fence: Box) -> Points:
        """Places along the sides of a barricade."""
        (left, low, wide, deep), apart = fence, self.radius[model] + 1 / STEP
        up, along = np.arange(low, low + deep, 1 / 16), np.arange(left, left + wide, 1 / 16)
        sides = [(np.full(len(up), left - apart), up), (np.full(len(up), left + wide + apart), up)]
        sides += [(along, np.full(len(along), low - apart)), (along, np.full(len(along), low + deep + apart))]
        return np.concatenate([np.stack(side, axis=-1) for side in sides])

    def ring(self, model: int, enemy: int, count: int = RING) -> Points:
        """Places around an enemy model where a model touches it."""
        apart = self.radius[model] + self.radius[enemy] + 1 / STEP
        angle = np.arange(count) * (2 * math.pi / count)
        places = np.asarray(self.at[enemy] + apart * np.stack((np.cos(angle), np.sin(angle)), axis=-1))
        return places[self.level(model, places) == self.z[enemy]] if self.hills else places

    def _look(self, model: int, places: Points) -> Ends:
        start = self.at[model]
        places = np.unique(np.round(places * STEP), axis=0) / STEP
        places = places[_away(places, start) <= self.far]
        places = places[self.free(model, places) & self.closer(model, places)]
        straight = self.open_way(model, np.broadcast_to(start, places.shape), places)
        over = np.where(straight, -1, -2)
        corners, before = np.empty((0, 2)), np.empty(0, dtype=np.int64)
        if not straight.all():
            corners, spent, before = self._corners(model)
            hidden = np.flatnonzero(~straight)
            best = np.full(len(hidden), self.far)
            for c in range(len(corners)):
                total = spent[c] + _away(places[hidden], corners[c])
                shorter = np.flatnonzero(total <= best)
                if len(shorter):
                    ends = places[hidden[shorter]]
                    seen = shorter[self.open_way(model, np.broadcast_to(corners[c], ends.shape), ends)]
                    best[seen], over[hidden[seen]] = total[seen], c
            closed = np.flatnonzero(over == -2) if self.hills else np.empty(0, dtype=np.int64)
            over[closed[self._climbable(model, places[closed])]] = CLIMBS
        keep = over != -2
        return Ends(
            model,
            np.concatenate((start[None], places[keep])),
            np.concatenate(([-1], over[keep])),
            corners,
            before,
            self.hills,
        )

    def _climbable(self, model: int, places: Points) -> NDArray[np.bool_]:
        """To which places a model gets straight on, up and down the hills on its way."""
        start, r = self.at[model], self.radius[model]
        length = _away(places, start)
        ticks = np.linspace(0, 1, 129)
        line = start + (places - start)[:, None] * ticks[None, :, None]
        high = _height(line.reshape(-1, 2), r, self.hills).reshape(len(places), len(ticks))
        good = length + np.abs(np.diff(high, axis=1)).sum(axis=1) <= self.far - HAIR
        good &= (high[:, 0] == self.z[model]) & (high[:, -1] == self.level(model, places))
        for k in self.enemies if not self.flies else ():
            keep = r + self.radius[k] + (ENGAGED + HAIR if k in self.closed else -HAIR / 2)
            good &= _from_segment(self.at[k], np.broadcast_to(start, places.shape), places) >= keep
        hills = [box for box, _ in self.hills]
        for box in self.tall:
            if box not in hills:
                good &= _segment_to_box(np.broadcast_to(start, places.shape), places, box) >= r - HAIR / 2
        return good

    def _corners(self, model: int) -> tuple[Points, Points, NDArray[np.int64]]:
        """Points around what is in the way, how far they are from the start, and the point before each."""
        r, rings = self.radius[model], []
        angle = np.arange(32) * (2 * math.pi / 32)
        circle = np.stack((np.cos(angle), np.sin(angle)), axis=-1) / math.cos(math.pi / 32)
        for k in self.enemies if not self.flies else ():
            rings.append(self.at[k] + circle * (r + self.radius[k] + WAY + (ENGAGED if k in self.closed else 0)))
        for left, low, wide, deep in self.tall:
            for corner in product((left, left + wide), (low, low + deep)):
                rings.append(np.array(corner) + circle * (r + WAY))
        points = np.round(np.concatenate(rings) * STEP) / STEP if rings else np.empty((0, 2))
        points = points[_away(points, self.at[model]) <= self.far]
        points = points[self.open_way(model, points, points)] if len(points) else points
        spent, before = np.full(len(points), np.inf), np.full(len(points), -1)
        if not len(points):
            return points, spent, before
        first = self.open_way(model, np.broadcast_to(self.at[model], points.shape), points)
        spent[first] = _away(points[first], self.at[model])
        done = np.zeros(len(points), dtype=np.bool_)
        while True:
            waiting = np.where(done, np.inf, spent)
            here = int(waiting.argmin())
            if not waiting[here] < self.far:
                return points, spent, before
            done[here] = True
            total = spent[here] + _away(points, points[here])
            shorter = np.flatnonzero(total < spent)
            if len(shorter):
                ends = points[shorter]
                seen = shorter[self.open_way(model, np.broadcast_to(points[here], ends.shape), ends)]
                spent[seen], before[seen] = total[seen], here

    def closer(self, model: int, places: Points) -> NDArray[np.bool_]:
        """Where a model has come closer: a charger to a unit, others to the enemy model that is closest."""
        good = np.zeros(len(places), dtype=np.bool_)
        if self.layout.move == CHARGE:
            groups = list(self.prey.values())
        else:
            nearest = {m: math.dist(self.at[m], self.at[model]) - self.radius[m] for m in self.enemies}
            least = min(nearest.values())
            groups = [[m] for m in self.enemies if nearest[m] == least]
        for theirs in groups:
            now = np.min([_away(places, self.at[m]) - self.radius[m] for m in theirs], axis=0)
            was = min(math.dist(self.at[m], self.at[model]) - self.radius[m] for m in theirs)
            good |= now < was - HAIR
        return good

    def engaged(self, model: int, places: Points, target: int) -> NDArray[np.bool_]:
        """Where a model is within Engagement Range of a target."""
        near = [_away(places, self.at[m]) - self.radius[m] for m in self.prey[target]]
        good = np.asarray(np.min(near, axis=0) - self.radius[model] <= ENGAGED)
        for fence in self.fences:
            for m, gap in zip(self.prey[target], near, strict=True):
                behind = float(_from_box(self.at[m][None], fence)[0]) - self.radius[m] <= ENGAGED
                beside = _from_box(places, fence) - self.radius[model] <= 1.5 / STEP
                there = np.broadcast_to(self.at[m], places.shape)
                good |= behind & beside & (gap - self.radius[model] <= ACROSS - HAIR) & _crosses(places, there, fence)
        return good

    def touching(self, model: int, at: Points) -> bool:
        """Whether a model touches an enemy at a place."""
        prey = [m for theirs in self.prey.values() for m in theirs]
        z = float(at[2]) if len(at) == 3 else float(self.level(model, at[None])[0])
        return any(
            math.dist(at[:2], self.at[m]) - self.radius[m] - self.radius[model] <= 2.001 / STEP and z == self.z[m]
            for m in prey
        )

    # --- All of them

    def joint(self, sets: Sequence[Ends], judge: Any, rng: Random) -> Moves | None:
        """A way to choose a place from each set so that the unit is coherent and has reached whom it must."""
        n = len(sets)
        joined = {(i, j): self._joined(sets[i], sets[j]) for i in range(n) for j in range(n) if i != j}
        for goal in self._goals(sets):
            for tree in _trees(n):
                for moves in self._chosen(sets, joined, goal, tree, rng):
                    if judge(moves):
                        return moves
        return None

    def _goals(self, sets: Sequence[Ends]) -> Iterator[list[NDArray[np.bool_]]]:
        """Which places are open to whom: for each target somebody is in Engagement Range of it."""
        near = {(i, t): self.engaged(e.model, e.places, t) for i, e in enumerate(sets) for t in self.prey}
        everyone = range(len(sets))
        if self.layout.move == CHARGE:
            claims: Iterator[tuple[tuple[int, int], ...]] = (
                tuple(zip(who, self.prey, strict=True)) for who in product(everyone, repeat=len(self.prey))
            )
        else:
            claims = (((i, t),) for i in everyone for t in self.prey)
        for claim in claims:
            goal = [np.ones(len(e.places), dtype=np.bool_) for e in sets]
            for i, t in claim:
                goal[i] = goal[i] & near[i, t]
            if all(g.any() for g in goal):
                yield goal

    def _joined(self, one: Ends, other: Ends) -> NDArray[np.float32]:
        apart = _away(one.places[:, None, :], other.places[None, :, :])
        gap = apart - self.radius[one.model] - self.radius[other.model]
        return np.asarray((gap <= TOGETHER) & (gap >= -HAIR / 2), dtype=np.float32)

    def _chosen(
        self,
        sets: Sequence[Ends],
        joined: dict[tuple[int, int], NDArray[np.float32]],
        goal: Sequence[NDArray[np.bool_]],
        tree: tuple[tuple[int, int], ...],
        rng: Random,
    ) -> Iterator[Moves]:
        """Some of the ways along a tree; children come after their parents in it."""
        fits = [g.astype(np.float32) for g in goal]
        for child, parent in reversed(tree):
            fits[parent] = fits[parent] * (joined[parent, child] @ fits[child] > 0)
        for _ in range(40):
            place = {}
            if not fits[0].any():
                return
            place[0] = rng.choice(np.flatnonzero(fits[0]).tolist())
            for child, parent in tree:
                open_ = fits[child] * joined[parent, child][place[parent]]
                for k, taken in place.items():
                    if k != parent:
                        open_ = open_ * (self._apart(sets[child], sets[k], taken) >= -HAIR / 2)
                options = np.flatnonzero(open_).tolist()
                if not options:
                    break
                place[child] = rng.choice(options)
            if len(place) == len(sets):
                paths = [p for i, e in enumerate(sets) if (p := e.path(self.b, place[i])) is not None]
                if paths:
                    yield Moves(self.layout.move, tuple(paths))

    def _apart(self, one: Ends, other: Ends, place: int) -> Points:
        return _away(one.places, other.places[place]) - self.radius[one.model] - self.radius[other.model]

    # --- What is asked

    def conditions(self, moves: Moves) -> Verdict:
        """The judge without the duty to touch."""
        if self.layout.move == CHARGE:
            return meets_conditions(self.b, self.unit, self.targets, self.layout.roll * STEP, moves)
        return pile_in_and_consolidate.judge_conditions(self.b, self._plan().contact, moves)

    def verdict(self, moves: Moves) -> Verdict:
        """The judge with it."""
        if self.layout.move == CHARGE:
            return is_legal(self.b, self.unit, self.targets, self.layout.roll * STEP, moves)
        return judge(self.b, self._plan(), moves)

    def search(self) -> Moves | None:
        """What the search finds."""
        if self.layout.move == CHARGE:
            return find_charge(self.b, self.unit, self.targets, self.layout.roll * STEP)
        return find(self.b, self._plan())

    def _plan(self) -> Plan:
        return pile_in_and_consolidate.towards_enemy(self.b, self.unit, self.layout.move)

    def movers(self) -> list[int]:
        """Who may move at all."""
        if self.layout.move == CHARGE:
            return self.models
        return [m for m in self.models if not self.touching(m, self._end({}, m))]

    def possible(self, rng: Random) -> Moves | None:
        """A move that meets all conditions, by brute force."""
        able = self.movers()
        return self.joint([self.ends(m) if m in able else self.stay(m) for m in self.models], self.conditions, rng)

    def stay(self, model: int) -> Ends:
        """A model that does not move."""
        nothing = np.empty((0, 2))
        return Ends(model, self.at[model][None], np.array([-1]), nothing, np.empty(0, dtype=np.int64))

    def only(self, path: Path) -> Ends:
        """A model that has made its move."""
        end = np.array([(path.legs[-1].x, path.legs[-1].y)]) / STEP
        return Ends(path.model, end, np.array([-1]), np.empty((0, 2)), np.empty(0, dtype=np.int64), made=path)

    def contact(self, answer: Moves, rng: Random) -> Moves | None:
        """A move in which one more model touches the enemy, although the answer stopped it short.

        Either everybody else stays where the answer takes them; or, whatever the order in which the models move, there
        is one that could touch if those after it go elsewhere.
        """
        paths = {p.model: p for p in answer.paths}
        bound = self.movers() if self.layout.move == CHARGE else list(paths)
        loose = [m for m in bound if not self.touching(m, self._end(paths, m))]
        prey = [m for theirs in self.prey.values() for m in theirs]
        spots = {}
        for m in loose:
            found = self._look(m, np.concatenate([self.ring(m, k) for k in prey]))
            spots[m] = Ends(m, found.places[1:], found.over[1:], found.corners, found.before, found.hills)
        free = [m for m in loose if len(spots[m].places)]
        for m in free:
            better = self.joint(
                [spots[m], *(self._fixed(paths, k) for k in self.models if k != m)], self.conditions, rng
            )
            if better is not None:
                return better
        while len(free) > 1:
            for m in free:
                rest = [self.ends(k) if k in free else self._fixed(paths, k) for k in self.models if k != m]
                better = self.joint([spots[m], *rest], self.conditions, rng)
                if better is None:
                    free.remove(m)
                    break
            else:
                return better
        return None

    def faults_of(self, refusal: Verdict, answer: Moves) -> list[str]:
        """What is wrong with a refusal of a move that meets the conditions: it shows one with one more in contact."""
        better = refusal.instead
        if not isinstance(better, Moves):
            return [f"{told(answer)} is refused without anything better: {refusal}"]
        verdict, before, after = self.conditions(better), self._in_contact(answer), self._in_contact(better)
        if not verdict:
            return [f"{told(answer)} is refused for {told(better)}, which is illegal: {verdict}"]
        return [] if after > before else [f"{told(answer)} is refused for {told(better)}, which touches no more"]

    def _in_contact(self, moves: Moves) -> int:
        paths = {p.model: p for p in moves.paths}
        return sum(self.touching(m, self._end(paths, m)) for m in self.models)

    def _end(self, paths: dict[int, Path], model: int) -> Points:
        if model not in paths:
            return np.array((*self.at[model], self.z[model]))
        end = paths[model].legs[-1]
        return np.array((end.x, end.y, end.z)) / STEP

    def _fixed(self, paths: dict[int, Path], model: int) -> Ends:
        return self.only(paths[model]) if model in paths else self.stay(model)

    def short_stops(self, rng: Random, count: int) -> Iterator[Moves]:
        """Moves that meet the conditions, with models that may or may not have stopped short."""
        able = self.movers()
        sets = [self.ends(m) if m in able else self.stay(m) for m in self.models]
        joined = {(i, j): self._joined(sets[i], sets[j]) for i in range(len(sets)) for j in range(len(sets)) if i != j}
        goals, found = list(self._goals(sets)), 0
        for _ in range(3 * count if goals else 0):
            tree = rng.choice(_trees(len(sets)))
            for moves in self._chosen(sets, joined, rng.choice(goals), tree, rng):
                paths = list(moves.paths)
                rng.shuffle(paths)
                shuffled = Moves(moves.mode, tuple(paths))
                if self.conditions(shuffled):
                    yield shuffled
                    found += 1
                break
            if found == count:
                return


def _trees(n: int) -> list[tuple[tuple[int, int], ...]]:
    """Every way in which n models can be joined, as pairs (child, parent) from model 0 outwards."""
    if n == 1:
        return [()]
    found = []
    for code in product(range(n), repeat=n - 2) if n > 2 else [()]:
        found.append(_outwards(n, _edges(n, list(code))))
    return found


def _edges(n: int, code: list[int]) -> list[tuple[int, int]]:
    """The tree behind a Pruefer code."""
    degree = [1 + code.count(i) for i in range(n)]
    edges = []
    for parent in code:
        leaf = degree.index(1)
        edges.append((leaf, parent))
        degree[leaf], degree[parent] = 0, degree[parent] - 1
    last = [i for i, d in enumerate(degree) if d == 1]
    return [*edges, (last[0], last[1])]


def _outwards(n: int, edges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    out: list[tuple[int, int]] = []
    reached = [0]
    while len(reached) < n:
        for a, b in edges:
            for child, parent in ((a, b), (b, a)):
                if parent in reached and child not in reached:
                    out.append((child, parent))
                    reached.append(child)
    return tuple(out)


def _away(places: Points, point: Points) -> Points:
    d = places - point
    return np.asarray(np.sqrt((d * d).sum(axis=-1)))


def _from_segment(point: Points, start: Points, end: Points) -> Points:
    """How far a point is from each of some segments."""
    way = end - start
    long = (way * way).sum(axis=-1)
    part = ((point - start) * way).sum(axis=-1) / np.where(long > 0, long, 1)
    return _away(start + way * np.clip(part, 0, 1)[:, None], point)


def _segment_to_box(start: Points, end: Points, box: tuple[float, float, float, float]) -> Points:
    """How far each of some segments is from a box."""
    left, low, wide, deep = box
    corners = np.array([(left, low), (left + wide, low), (left + wide, low + deep), (left, low + deep)])
    best = np.min([_from_segment(c, start, end) for c in corners], axis=0)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        one, other = np.broadcast_to(a, start.shape), np.broadcast_to(b, start.shape)
        for points in (start, end):
            best = np.minimum(best, _point_to_segments(points, one, other))
        best = np.where(_cross(start, end, one, other), 0.0, best)
    return np.asarray(best)


def _crosses(start: Points, end: Points, box: Box) -> NDArray[np.bool_]:
    """Which of some segments cross a side of a box."""
    left, low, wide, deep = box
    corners = np.array([(left, low), (left + wide, low), (left + wide, low + deep), (left, low + deep)])
    good = np.zeros(len(start), dtype=np.bool_)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        good |= _cross(start, end, np.broadcast_to(a, start.shape), np.broadcast_to(b, start.shape))
    return good


def _point_to_segments(points: Points, start: Points, end: Points) -> Points:
    way = end - start
    part = ((points - start) * way).sum(axis=-1) / (way * way).sum(axis=-1)
    return np.asarray(np.sqrt(((start + way * np.clip(part, 0, 1)[:, None] - points) ** 2).sum(axis=-1)))


def _cross(a: Points, b: Points, c: Points, d: Points) -> NDArray[np.bool_]:
    def side(p: Points, q: Points, r: Points) -> Points:
        return np.asarray((q[:, 0] - p[:, 0]) * (r[:, 1] - p[:, 1]) - (q[:, 1] - p[:, 1]) * (r[:, 0] - p[:, 0]))

    return np.asarray((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))
