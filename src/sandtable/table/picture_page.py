"""From a `Picture` to marks on a page: what is drawn, in which order, and where labels go."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sandtable.table.grid import COS, SIN, TRIG_SCALE, TURN
from sandtable.table.layout import Feature, Point
from sandtable.table.picture import Area, Arrow, Badge, Blast, Model, Objective, Picture, Range, Sight
from sandtable.table.picture_marks import (
    Box,
    Circle,
    Drawing,
    Ink,
    Line,
    Mark,
    Place,
    Polygon,
    Text,
    box_around,
    box_at,
    edge_distance,
    grown,
    hatching,
    holds,
    middle,
    rounded_box,
    shortened,
    shrunk,
    teardrop,
    text_width,
)
from sandtable.table.picture_style import (
    AMBER,
    BLAST,
    BLOCKED,
    CLEAR,
    FRAME,
    GRID,
    GROUND,
    KINDS,
    NEUTRAL,
    PAPER,
    QUIET,
    TEXT,
    WALL,
    WHITE,
    Ground,
    ground_style,
    side_style,
)

MARGIN = 34.0
LEGEND_ROW = 22.0
TICK_LABEL = 9.5
SMALL = 9.5
BADGE = 11.0


LAYERS = {"flat": 0, "waves": 1, "contour": 2}
"""Roads lie under water, water under hills, and everything else on top."""


def draw(picture: Picture) -> Drawing:
    """Lay the picture out."""
    return _Page(picture).drawing()


class _Page:
    """One picture being drawn. Marks are kept in layers; labels are placed last, when all bases are known."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.width = float(max(picture.width, 240))
        self.top = MARGIN + (26.0 if picture.title else 0.0) + (18.0 if picture.caption else 0.0)
        if picture.title or picture.caption:
            self.top += 2.0
        self.scale = (self.width - 2 * MARGIN) / max(picture.table.width, 1)
        self.table = Box(MARGIN, self.top, self.width - MARGIN, self.top + max(picture.table.depth, 1) * self.scale)
        self.sign = '"' if picture.table.unit == "in" else f" {picture.table.unit}"
        self.under: list[Mark] = []
        self.bases: list[Mark] = []
        self.over: list[Mark] = []
        self.labels: list[Mark] = []
        self.solid: list[Box] = []
        """Bases and markers, which labels should not cover"""
        self.taken: list[Box] = []
        """Labels, which labels must not cover"""

    # --- places

    def at(self, x: float, y: float) -> Place:
        """A place of the table on the page."""
        return self.table.left + x * self.scale, self.table.bottom - y * self.scale

    def all_at(self, points: Iterable[Point]) -> tuple[Place, ...]:
        return tuple(self.at(x, y) for x, y in points)

    def length(self, steps: float) -> str:
        """A length in the system's unit, as short as it can be said."""
        return f"{steps / 1024:.1f}".removesuffix(".0") + self.sign

    # --- the page

    def drawing(self) -> Drawing:
        picture = self.picture
        self.ground()
        for area in picture.areas:
            self.area(area)
        for feature in sorted(picture.table.features, key=lambda f: LAYERS.get(ground_style(f.kind).texture, 3)):
            self.feature(feature)
        for objective in picture.objectives:
            self.objective(objective)
        for ring in picture.ranges:
            self.range(ring)
        for _, model in sorted(enumerate(picture.models), key=lambda pair: (pair[1].z, pair[0])):
            if not model.hidden:
                self.model(model)
        for blast in picture.blasts:
            self.blast(blast)
        for arrow in picture.arrows:
            self.arrow(arrow)
        for sight in picture.sights:
            self.sight(sight)
        for badge in picture.badges:
            self.badge(badge)
        for area in picture.areas:
            if area.label:
                self.area_label(area)
        for feature in picture.table.features:
            self.feature_label(feature)
        frame = Polygon(rounded_box(self.table, 0), Ink(line=FRAME, width=1.2), "frame")
        below = self.below()
        return Drawing(
            self.width,
            self.table.bottom + 24.0 + below[1],
            PAPER,
            picture.title,
            picture.caption,
            self.table,
            (*self.under, *self.bases, *self.over),
            (frame, *self.ticks(), *self.labels, *self.heading(), *below[0]),
        )

    def heading(self) -> list[Mark]:
        out: list[Mark] = []
        y = 28.0
        if self.picture.title:
            out.append(Text(MARGIN, y, shortened(self.picture.title, 90), 19, TEXT, "start", True, kind="title"))
            y += 22.0
        if self.picture.caption:
            out.append(Text(MARGIN, y, shortened(self.picture.caption, 150), 12, QUIET, "start", kind="caption"))
        return out

    def ground(self) -> None:
        self.under.append(Polygon(rounded_box(self.table, 0), Ink(fill=GROUND), "ground"))
        for x in self.every(self.picture.table.width):
            a, b = self.at(x, 0), self.at(x, self.picture.table.depth)
            self.under.append(Line((a, b), Ink(line=GRID, width=0.8)))
        for y in self.every(self.picture.table.depth):
            a, b = self.at(0, y), self.at(self.picture.table.width, y)
            self.under.append(Line((a, b), Ink(line=GRID, width=0.8)))

    def every(self, length: int) -> range:
        """Where the ticks of one edge are: every 6 inches or 10 centimetres."""
        return range(0, length + 1, (6 if self.picture.table.unit == "in" else 10) * 1024)

    def ticks(self) -> list[Mark]:
        out: list[Mark] = []
        ink = Ink(line=FRAME, width=1.0)
        for x in self.every(self.picture.table.width):
            px, py = self.at(x, 0)
            out.append(Line(((px, py), (px, py + 5)), ink, "tick"))
            out.append(Text(px, py + 12.5, str(x // 1024), TICK_LABEL, QUIET))
        for y in self.every(self.picture.table.depth):
            px, py = self.at(0, y)
            out.append(Line(((px - 5, py), (px, py)), ink, "tick"))
            out.append(Text(px - 8, py, str(y // 1024), TICK_LABEL, QUIET, "end"))
        return out

    # --- under the models

    def area(self, area: Area) -> None:
        colour = side_style(area.side).colour if area.side >= 0 else NEUTRAL
        points = self.all_at(area.outline)
        self.under.append(Polygon(points, Ink(fill=colour, opacity=0.07), "area"))
        self.under.append(Polygon(points, Ink(line=colour, width=1.2, dash=(7, 4), opacity=0.75), "area-edge"))

    def area_label(self, area: Area) -> None:
        """In a corner or along an edge of the zone, where the least lies under it."""
        points = self.all_at(area.outline)
        box, text = box_around(points), shortened(area.label, 40)
        wide = text_width(text, 10.5, True) + 4
        columns = (box.left + 8 + wide / 2, box.right - 8 - wide / 2, (box.left + box.right) / 2)
        spots = [box_at(x, y, wide, 12) for y in (box.bottom - 10, box.top + 10, middle(points)[1]) for x in columns]
        inside = [b for b in spots if holds(points, b.left, b.middle[1]) and holds(points, b.right, b.middle[1])]
        terrain = [box_around(self.all_at(f.outline)) for f in self.picture.table.features]
        best = min(inside or spots, key=lambda b: self.cost(b, sum(b.meets(t) for t in terrain)))
        self.taken.append(best)
        colour = side_style(area.side).colour if area.side >= 0 else NEUTRAL
        self.labels.append(Text(*best.middle, text, 10.5, colour, "middle", True, halo=GROUND, kind="area-label"))

    def feature(self, feature: Feature) -> None:
        look = ground_style(feature.kind)
        points = self.all_at(feature.outline)
        tip = self.feature_words(feature)
        dash = () if feature.solid or feature.walls or look.texture != "none" else (4, 3)
        edge = "" if look.texture == "flat" else look.line
        self.under.append(Polygon(points, Ink(fill=look.fill, line=edge, width=1.0, dash=dash), "terrain", tip))
        self.texture(points, look)
        if feature.solid:
            self.under.append(Polygon(shrunk(points, 0.93), Ink(line=look.line, width=0.6), "solid"))
        for floor in sorted(feature.floors, key=lambda f: f.z):
            plate = self.all_at(floor.outline)
            self.under.append(Polygon(plate, Ink(fill="#faf7f0", line=look.line, width=0.8, opacity=0.72), "floor"))
        for wall in feature.walls:
            wide = max(wall.thickness * self.scale, 3.0)
            self.under.append(Line(self.all_at((wall.a, wall.b)), Ink(line=WALL, width=wide, cap="round"), "wall"))

    def texture(self, points: Sequence[Place], look: Ground) -> None:
        """What tells kinds of terrain apart without colour."""
        thin = Ink(line=look.line, width=0.6, opacity=0.55)
        if look.texture == "hatch":
            self.under += [Line(ends, thin) for ends in hatching(points, 7.0, -1.0)]
        elif look.texture == "waves":
            self.under += [Line(ends, thin) for ends in hatching(points, 6.0, 0.0)]
        elif look.texture == "contour":
            for share in (0.78, 0.55):
                self.under.append(Polygon(shrunk(points, share), Ink(line=look.line, width=0.8, opacity=0.7)))
        elif look.texture == "crater":
            self.under.append(Polygon(shrunk(points, 0.7), Ink(fill="#d6c49d", line=look.line, width=0.8)))
        elif look.texture == "trees":
            self.dots(points, 17.0, (3.6, 6.2), Ink(fill="#a9c08a", line=look.line, width=0.7, opacity=0.85))
        elif look.texture == "rubble":
            self.dots(points, 10.0, (1.0, 2.2), Ink(fill=look.line, opacity=0.55))

    def dots(self, points: Sequence[Place], pace: float, size: tuple[float, float], ink: Ink) -> None:
        """Dots of different sizes, spread evenly and a little out of line; always the same for the same ground."""
        box, seed, row = box_around(points), 1, 0
        y = box.top + pace / 2
        while y < box.bottom and row < 200:
            x = box.left + (pace / 2 if row % 2 else pace)
            while x < box.right:
                seed = (seed * 1103515245 + 12345) % 2147483648
                shift, other = (seed >> 8) % 100 / 100 - 0.5, (seed >> 16) % 100 / 100
                radius = size[0] + (size[1] - size[0]) * other
                px, py = x + shift * pace * 0.5, y + (other - 0.5) * pace * 0.5
                if holds(points, px, py) and edge_distance(points, px, py) > radius * 0.8:
                    self.under.append(Circle(px, py, radius, ink))
                x += pace
            y += pace * 0.87
            row += 1

    def objective(self, objective: Objective) -> None:
        x, y = self.at(objective.x, objective.y)
        held = objective.side >= 0
        colour = side_style(objective.side).colour if held else NEUTRAL
        if objective.reach:
            ring = (objective.radius + objective.reach) * self.scale
            self.under.append(Circle(x, y, ring, Ink(fill=colour, opacity=0.08)))
            self.under.append(Circle(x, y, ring, Ink(line=colour, width=1.0, dash=(2, 3)), "objective-reach"))
        radius = max(objective.radius * self.scale, 8.0)
        self.under.append(Circle(x, y, radius, Ink(fill=WHITE, line=colour, width=1.8), "objective"))
        if radius > 11:
            self.under.append(Circle(x, y, radius - 3.0, Ink(line=colour, width=0.7)))
        label = shortened(objective.label, 12)
        inside = text_width(label, 10.5, True) <= 2 * radius - 6
        spot = (x, y) if inside else (x, y + radius + 8)
        self.under.append(Text(*spot, label, 10.5, colour if held else TEXT, bold=True, halo="" if inside else GROUND))
        self.solid.append(box_at(x, y, 2 * radius, 2 * radius))

    def range(self, ring: Range) -> None:
        colour = side_style(ring.side).dark if ring.side >= 0 else TEXT
        if 0 <= ring.model < len(self.picture.models):
            model = self.picture.models[ring.model]
            points = grown(self.core(model), (model.shape.radius + ring.radius) * self.scale)
        else:
            points = grown([self.at(ring.x, ring.y)], ring.radius * self.scale)
        self.over.append(Polygon(points, Ink(fill=colour, opacity=0.035)))
        self.over.append(Polygon(points, Ink(line=colour, width=1.1, dash=(6, 4), opacity=0.8), "range"))
        if ring.label:
            self.free_label(shortened(ring.label, 24), _around(points), colour, "range-label")

    # --- models

    def core(self, model: Model) -> tuple[Place, ...]:
        """The corners of a model's core on the page."""
        c, s = COS[model.facing % TURN] / TRIG_SCALE, SIN[model.facing % TURN] / TRIG_SCALE
        return tuple(self.at(model.x + x * c - y * s, model.y + x * s + y * c) for x, y in model.shape.core)

    def model(self, model: Model) -> None:
        look = side_style(model.side)
        x, y = self.at(model.x, model.y)
        shade = 0.42 if model.faded else 1.0
        ink = Ink(fill=look.colour, line=WHITE, width=1.1, opacity=shade)
        radius = model.shape.radius * self.scale
        single = len(model.shape.core) == 1
        outline = grown(self.core(model), radius)
        if model.highlight:
            halo = Ink(line=AMBER, width=3.0)
            self.bases.append(
                Circle(x, y, radius + 2.2, halo, "halo")
                if single
                else Polygon(grown(self.core(model), radius + 2.2), halo, "halo")
            )
        if single:
            self.bases.append(Circle(x, y, radius, ink, "base", model.tip))
        else:
            self.bases.append(Polygon(outline, ink, "base", model.tip))
            self.facing_tick(model, look.sign, shade)
        across = min(model.shape.width, model.shape.length) * self.scale / 2 or radius
        if single and not model.z:
            self.side_sign(x, y, across, look.sign, shade)
        if model.z:
            # A plate with its height; on bases too small to hold it, beside them.
            text = f"{model.z / 1024:.1f}".removesuffix(".0")
            fits = across >= 6.5
            if single and fits:
                self.bases.append(Circle(x, y, across - 2.0, Ink(line=WHITE, width=1.0, opacity=0.75 * shade)))
            spot = (x, y) if fits else (x + across + 3, y - across - 1)
            self.bases.append(
                Text(
                    *spot,
                    text,
                    9.0 if fits else 8.0,
                    WHITE if fits else look.dark,
                    bold=True,
                    halo="" if fits else PAPER,
                    kind="height",
                )
            )
        self.solid.append(box_around(outline) if not single else box_at(x, y, 2 * radius, 2 * radius))

    def facing_tick(self, model: Model, sign: str, shade: float) -> None:
        """A head at the front; full, open or an angle, so that it tells sides apart too."""
        c, s = COS[model.facing % TURN] / TRIG_SCALE, SIN[model.facing % TURN] / TRIG_SCALE
        front = model.shape.length / 2 * 0.86
        half = min(model.shape.width / 2, front) * 0.55
        corners = [(front - half, half), (front, 0.0), (front - half, -half)]
        points = tuple(self.at(model.x + x * c - y * s, model.y + x * s + y * c) for x, y in corners)
        line = Ink(line=WHITE, width=1.2, opacity=0.9 * shade)
        if sign == "ring":
            self.bases.append(Polygon(points, line, "facing"))
        elif sign == "bar":
            self.bases.append(Line(points, line, "facing"))
        else:
            self.bases.append(Polygon(points, Ink(fill=WHITE, opacity=0.9 * shade), "facing"))
        if sign == "dot":
            self.side_sign(*self.at(model.x, model.y), 8.0, sign, shade)

    def side_sign(self, x: float, y: float, across: float, sign: str, shade: float) -> None:
        """A sign on a round base that tells sides apart without colour."""
        white = Ink(line=WHITE, width=1.0, opacity=0.75 * shade)
        if across < 3:
            return
        if sign == "ring":
            self.bases.append(Circle(x, y, across * 0.55, white))
        elif sign == "dot":
            self.bases.append(Circle(x, y, across * 0.28, Ink(fill=WHITE, opacity=0.8 * shade)))
        elif sign == "bar":
            self.bases.append(Line(((x - across * 0.5, y), (x + across * 0.5, y)), white))

    # --- over the models

    def blast(self, blast: Blast) -> None:
        circles = [(*self.at(x, y), r * self.scale) for x, y, r in blast.circles]
        if not circles:
            return
        first, last = circles[0], circles[-1]
        points = grown([first[:2]], first[2]) if len(circles) == 1 else teardrop(*first, *last)
        self.over.append(Polygon(points, Ink(fill=BLAST, opacity=0.22)))
        self.over.append(Polygon(points, Ink(line=BLAST, width=1.5), "template"))
        if len(circles) == 1:
            x, y, _ = first
            self.over.append(Line(((x - 4, y), (x + 4, y)), Ink(line=BLAST, width=1.0)))
            self.over.append(Line(((x, y - 4), (x, y + 4)), Ink(line=BLAST, width=1.0)))
        if blast.label:
            self.free_label(shortened(blast.label, 28), _around(points), BLAST, "template-label")

    def arrow(self, arrow: Arrow) -> None:
        points = self.all_at(arrow.path)
        if len(points) < 2:
            return
        colour = side_style(arrow.side).dark
        (ax, ay), (bx, by) = points[-2], points[-1]
        d = math.hypot(bx - ax, by - ay)
        if d > 0:
            ux, uy = (bx - ax) / d, (by - ay) / d
            size = min(8.0, d)
            neck = (bx - ux * size, by - uy * size)
            dash = (5.0, 3.0) if arrow.planned else ()
            self.over.append(Line((*points[:-1], neck), Ink(line=WHITE, width=3.4, opacity=0.7)))
            self.over.append(Line((*points[:-1], neck), Ink(line=colour, width=1.6, dash=dash), "arrow"))
            wing = size * 0.45
            head = (points[-1], (neck[0] - uy * wing, neck[1] + ux * wing), (neck[0] + uy * wing, neck[1] - ux * wing))
            self.over.append(Polygon(head, Ink(fill=colour, line=WHITE, width=0.7), "arrow-head"))
        self.over.append(Circle(*points[0], 2.0, Ink(fill=colour, line=WHITE, width=0.7)))
        if arrow.label:
            way = [((px + qx) / 2, (py + qy) / 2) for (px, py), (qx, qy) in pairwise(points)]
            self.free_label(shortened(arrow.label, 20), [(x, y - 9) for x, y in way], colour, "arrow-label")

    def sight(self, sight: Sight) -> None:
        a, b = self.at(*sight.a), self.at(*sight.b)
        colour = CLEAR if sight.clear else BLOCKED
        stop = self.at(*sight.stop) if sight.stop else ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        self.over.append(Line((a, b) if sight.clear else (a, stop, b), Ink(line=WHITE, width=3.2, opacity=0.65)))
        if sight.clear:
            self.over.append(Line((a, b), Ink(line=colour, width=1.4), "sight"))
        else:
            self.over.append(Line((a, stop), Ink(line=colour, width=1.4), "sight-blocked"))
            self.over.append(Line((stop, b), Ink(line=colour, width=1.2, dash=(3, 4), opacity=0.7)))
            for dx in (-4, 4):
                cross = ((stop[0] - dx, stop[1] - 4), (stop[0] + dx, stop[1] + 4))
                self.over.append(Line(cross, Ink(line=WHITE, width=4.2, cap="round")))
                self.over.append(Line(cross, Ink(line=colour, width=2.0, cap="round")))
        for x, y in (a, b):
            self.over.append(Circle(x, y, 2.4, Ink(fill=colour, line=WHITE, width=0.8)))
        if sight.label:
            spots = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t - 9) for t in (0.5, 0.35, 0.65, 0.2, 0.8)]
            self.free_label(shortened(sight.label, 28), spots, colour, "sight-label")

    # --- labels

    def cost(self, box: Box, away: float) -> float:
        """How bad a place is for a label: over another label, off the table, over bases, far from what it names."""
        out = away
        out += sum(40.0 + box.meets(t) for t in self.taken if box.meets(t) > 0) * 20.0
        out += sum(box.meets(s) for s in self.solid) * 0.35
        inside = box.meets(self.table)
        return out + ((box.right - box.left) * (box.bottom - box.top) - inside) * 50.0

    def free_label(self, text: str, spots: Sequence[Place], colour: str, kind: str) -> None:
        """A label with a rim at the best of some places, the first of equals."""
        wide = text_width(text, SMALL + 0.5, True)
        boxes = [box_at(x, y, wide + 4, 13) for x, y in spots]
        best = min(boxes, key=lambda b: self.cost(b, 0.0))
        self.taken.append(best)
        self.labels.append(Text(*best.middle, text, SMALL + 0.5, colour, bold=True, halo=PAPER, kind=kind))

    def feature_words(self, feature: Feature) -> str:
        return f"{feature.name or feature.kind} {self.feature_height(feature)}".strip()

    def feature_height(self, feature: Feature) -> str:
        high = max([feature.top, *(w.top for w in feature.walls)], default=0)
        return self.length(high) if high > 0 else ""

    def feature_label(self, feature: Feature) -> None:
        points = self.all_at(feature.outline)
        box, text = box_around(points), shortened(self.feature_words(feature), 22)
        if text_width(text, SMALL) > 1.25 * (box.right - box.left) and not feature.name:
            # What the legend explains need not be written on a small feature.
            text = self.feature_height(feature)
        if not text:
            return
        wide = text_width(text, SMALL)
        cx, cy = middle(points)
        spots = [(cx, y) for y in (cy, box.bottom - 9, box.top + 9, (cy + box.bottom) / 2, (cy + box.top) / 2)]
        spots += [(box.left + wide / 2 + 6, y) for y in (box.bottom - 9, box.top + 9)]
        spots += [(box.right - wide / 2 - 6, y) for y in (box.bottom - 9, box.top + 9)]
        narrow = box.right - box.left < min(wide, box.bottom - box.top)
        if narrow or box.bottom - box.top < 13:
            spots = []
        inside = len(spots)
        if narrow:
            spots += [(box.right + wide / 2 + 5, cy), (box.left - wide / 2 - 5, cy)]
        spots += [(cx, box.bottom + 8), (cx, box.top - 8)]
        boxes = [box_at(x, y, wide + 4, 12) for x, y in spots]
        best = min(range(len(boxes)), key=lambda k: self.cost(boxes[k], k * 1.5))
        spot = boxes[best]
        if self.cost(spot, 0.0) < 400.0:
            # A label that finds no room is left out: the tip and the legend still name the feature.
            self.taken.append(spot)
            halo = ground_style(feature.kind).fill if best < inside else GROUND
            self.labels.append(Text(*spot.middle, text, SMALL, "#62594b", halo=halo, kind="terrain-label"))
        for floor in sorted({(f.z, f.outline) for f in feature.floors}):
            self.floor_label(*floor)

    def floor_label(self, z: int, outline: tuple[Point, ...]) -> None:
        points = self.all_at(outline)
        box, text = box_around(points), self.length(z)
        wide = text_width(text, 8.5) + 3
        spots = [
            box_at(x, y, wide, 10)
            for x in (box.right - wide / 2 - 2, box.left + wide / 2 + 2)
            for y in (box.top + 7, box.bottom - 7)
        ]
        best = min(spots, key=lambda b: self.cost(b, 0.0))
        if self.cost(best, 0.0) < 40.0:
            self.taken.append(best)
            self.labels.append(Text(*best.middle, text, 8.5, QUIET, kind="floor-label"))

    def badge(self, badge: Badge) -> None:
        models = [m for m in self.picture.models if m.unit == badge.unit and not m.hidden]
        if not models:
            return
        look = side_style(badge.side)
        label = shortened(badge.label, 22)
        marks = [shortened(m, 16) for m in badge.marks[:4]]
        first = text_width(label, BADGE, True) + 14
        chips = [text_width(m, SMALL - 0.5) + 9 for m in marks]
        wide, high = first + sum(chips) + 2 * len(chips), 17.0
        spots = [self.at(m.x, m.y) for m in models]
        reach = max(max(m.shape.length, m.shape.width) for m in models) * self.scale / 2
        best = self.badge_spot(spots, reach, wide, high)
        self.taken.append(best.grown(1.5))
        self.leader(best, spots, reach, look.dark)
        pill = Box(best.left, best.top, best.left + first, best.bottom)
        edge = AMBER if badge.highlight else WHITE
        dash: tuple[float, ...] = (4, 2) if look.badge == "dashed" else ()
        radius = {"round": 8.5, "square": 2.0, "cut": 5.0, "dashed": 8.5}[look.badge]
        self.labels.append(
            Polygon(
                rounded_box(pill, radius, look.badge == "cut"),
                Ink(fill=look.dark, line=edge, width=2.0 if badge.highlight else 1.2, dash=dash),
                "badge",
            )
        )
        self.labels.append(Text(*pill.middle, label, BADGE, WHITE, bold=True, kind="badge-label"))
        left = pill.right + 2
        for mark, size in zip(marks, chips, strict=True):
            chip = Box(left, best.top + 1.5, left + size, best.bottom - 1.5)
            self.labels.append(Polygon(rounded_box(chip, 3.0), Ink(fill=PAPER, line=look.dark, width=0.9), "mark"))
            self.labels.append(Text(*chip.middle, mark, SMALL - 0.5, look.dark, kind="mark-label"))
            left += size + 2

    def badge_spot(self, spots: Sequence[Place], reach: float, wide: float, high: float) -> Box:
        """Near the unit's middle, rather above it than on it, and never on another badge if that can be helped."""
        cx, cy = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        around = box_around(spots).grown(reach + high / 2 + 4)
        candidates = [(cx, around.top), (cx, around.bottom), (cx, cy)]
        candidates += [(around.left - wide / 2, cy), (around.right + wide / 2, cy)]
        for ring in range(1, 7):
            far = 14.0 * ring
            for k in range(12):
                angle = 2 * math.pi * k / 12
                candidates.append((cx + (far + wide / 2) * math.cos(angle), cy + (far + reach) * math.sin(angle)))
        boxes = [box_at(*self.held(x, y, wide, high), wide, high) for x, y in candidates]
        return min(boxes, key=lambda b: self.cost(b.grown(1.0), 0.9 * math.hypot(b.middle[0] - cx, b.middle[1] - cy)))

    def held(self, x: float, y: float, wide: float, high: float) -> Place:
        """A place near by where a label of this size is on the table."""
        x = min(max(x, self.table.left + wide / 2 + 2), max(self.table.right - wide / 2 - 2, self.table.left))
        return x, min(max(y, self.table.top + high / 2 + 2), self.table.bottom - high / 2 - 2)

    def leader(self, box: Box, spots: Sequence[Place], reach: float, colour: str) -> None:
        """A thin line to the nearest model of a badge that had to go elsewhere."""
        x, y = min(spots, key=lambda p: math.hypot(p[0] - box.middle[0], p[1] - box.middle[1]))
        ex, ey = min(max(x, box.left + 6), box.right - 6), min(max(y, box.top), box.bottom)
        if math.hypot(x - ex, y - ey) > reach + 9.0:
            self.labels.append(Line(((ex, ey), (x, y)), Ink(line=WHITE, width=2.6, opacity=0.7)))
            self.labels.append(Line(((ex, ey), (x, y)), Ink(line=colour, width=0.9), "leader"))
            self.labels.append(Circle(x, y, 1.8, Ink(fill=colour, line=WHITE, width=0.6)))

    # --- below the table

    def below(self) -> tuple[list[Mark], float]:
        """Scale bar and legend; with the height that they need."""
        out: list[Mark] = []
        y = self.table.bottom + 36.0
        bar = (6 if self.picture.table.unit == "in" else 10) * 1024
        right = self.table.right
        left = right - bar * self.scale
        ink = Ink(line=TEXT, width=1.4)
        bracket = ((left, y - 3), (left, y + 3), (left, y), (right, y), (right, y - 3), (right, y + 3))
        out.append(Line(bracket, ink, "scale"))
        out.append(Text(left - 7, y, self.length(bar), 10.5, TEXT, "end"))
        limit = left - 50.0
        x = MARGIN
        for marks, wide in self.entries():
            if x + wide > limit and x > MARGIN:
                x, y = MARGIN, y + LEGEND_ROW
            out += [_shifted(m, x, y) for m in marks]
            x += wide + 18.0
        return out, y - self.table.bottom

    def entries(self) -> list[tuple[list[Mark], float]]:
        """The legend's entries, each drawn around (0, 0), with their widths."""
        picture = self.picture
        out: list[tuple[list[Mark], float]] = []
        for k, name in enumerate(picture.sides[:8]):
            look = side_style(k)
            chip: list[Mark] = [Circle(6, 0, 6, Ink(fill=look.colour, line=WHITE, width=0.8))]
            page_bases, self.bases = self.bases, []
            self.side_sign(6, 0, 6, look.sign, 1.0)
            chip += self.bases
            self.bases = page_bases
            out.append(_entry(chip, shortened(name, 28), True))
        kinds: list[str] = []
        for feature in picture.table.features:
            if feature.kind not in kinds:
                kinds.append(feature.kind)
        for kind in kinds[:10]:
            look_of = ground_style(kind)
            if look_of in KINDS.values():
                box = rounded_box(Box(0, -6, 14, 6), 2)
                out.append(_entry([Polygon(box, Ink(fill=look_of.fill, line=look_of.line))], shortened(kind, 16)))
        if any(s.clear for s in picture.sights):
            out.append(_entry([Line(((0, 0), (14, 0)), Ink(line=CLEAR, width=1.6))], "sight"))
        if not all(s.clear for s in picture.sights):
            out.append(_entry([Line(((0, 0), (14, 0)), Ink(line=BLOCKED, width=1.6, dash=(3, 3)))], "blocked"))
        if any(m.z and not m.hidden for m in picture.models):
            plate: list[Mark] = [Circle(6, 0, 6.5, Ink(fill=NEUTRAL)), Text(6, 0, "3", 9, WHITE, bold=True)]
            out.append(_entry(plate, f"height ({picture.table.unit})"))
        return out


def _entry(marks: list[Mark], text: str, bold: bool = False) -> tuple[list[Mark], float]:
    label = Text(20, 0, text, 10.5, TEXT, "start", bold, kind="legend")
    return [*marks, label], 20 + text_width(text, 10.5, bold)


def _shifted(mark: Mark, x: float, y: float) -> Mark:
    if isinstance(mark, Circle):
        return Circle(mark.x + x, mark.y + y, mark.radius, mark.ink, mark.kind, mark.tip)
    if isinstance(mark, Polygon):
        return Polygon(tuple((px + x, py + y) for px, py in mark.points), mark.ink, mark.kind, mark.tip)
    if isinstance(mark, Line):
        return Line(tuple((px + x, py + y) for px, py in mark.points), mark.ink, mark.kind)
    return Text(mark.x + x, mark.y + y, mark.text, mark.size, mark.colour, mark.align, mark.bold, mark.halo, mark.kind)


def _around(points: Sequence[Place]) -> list[Place]:
    """Places for a label on an outline: its top first, then its bottom and its sides."""
    box = box_around(points)
    cx, cy = box.middle
    return [(cx, box.top - 1), (cx, box.bottom + 1), (box.right, cy), (box.left, cy)]
