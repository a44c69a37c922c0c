/* Room to stand: how a base that is in something gets out of it, or into where it has to be, by the shortest way. */

import { holds } from "../board/terrain";
import { TURN, type Point, type Shape } from "../protocol";

const BEYOND = 1e6; // further than anything on a table is from anything else

/** A base as it is turned, around its middle: its core, and how far the rim is from that. */
export interface Base {
  core: Point[];
  radius: number;
  reach: number;
}
/** Something that stands on the table: an outline, a line or a point, and how far its rim is from that. */
export interface Thing {
  points: Point[];
  radius: number;
  box: [number, number, number, number];
}

/** Points as they lie around a middle that is turned. */
function rotated(points: Point[], facing: number): Point[] {
  const a = (facing / TURN) * 2 * Math.PI,
    c = Math.cos(a),
    s = Math.sin(a);
  return points.map(([x, y]) => [x * c - y * s, x * s + y * c]);
}
export function turned(shape: Shape, facing: number): Base {
  const core: Point[] = shape.core.length > 1 ? rotated(shape.core, facing) : [[0, 0]];
  return { core, radius: shape.radius, reach: Math.max(...core.map(([x, y]) => Math.hypot(x, y))) + shape.radius };
}
export function thing(points: Point[], radius: number): Thing {
  const xs = points.map(p => p[0]),
    ys = points.map(p => p[1]);
  return {
    points,
    radius,
    box: [Math.min(...xs) - radius, Math.min(...ys) - radius, Math.max(...xs) + radius, Math.max(...ys) + radius],
  };
}
export function standing(base: Base, x: number, y: number): Thing {
  return thing(
    base.core.map(([px, py]): Point => [px + x, py + y]),
    base.radius,
  );
}

/** From a place to the nearest point of a closed line, or of a line, or to a point. */
export function nearest(points: Point[], x: number, y: number): Point {
  let bx = 0,
    by = 0,
    least = Infinity;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[j],
      dx = points[i][0] - ax,
      dy = points[i][1] - ay;
    const t = dx || dy ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0), 1) : 0,
      px = ax + t * dx - x,
      py = ay + t * dy - y,
      far = px * px + py * py;
    if (far < least) {
      least = far;
      bx = px;
      by = py;
    }
  }
  return [bx, by];
}
/** The same for several closed lines. */
export function nearestOf(outlines: Point[][], x: number, y: number): Point {
  let best: Point = [Infinity, Infinity],
    least = Infinity;
  for (const outline of outlines) {
    const to = nearest(outline, x, y),
      far = Math.hypot(...to);
    if (far < least) {
      least = far;
      best = to;
    }
  }
  return best;
}
/** From the rim of a base to that of a thing; nothing where they touch. */
export function between(base: Base, x: number, y: number, to: Thing): Point {
  if (base.core.length === 1 && to.points.length === 1) {
    const dx = to.points[0][0] - x,
      dy = to.points[0][1] - y,
      d = Math.hypot(dx, dy),
      part = Math.max(d - base.radius - to.radius, 0) / (d || 1);
    return [dx * part, dy * part];
  }
  const by = away(base, x, y, to, BEYOND);
  if (!by) return [0, 0];
  const d = Math.hypot(...by),
    left = Math.max(BEYOND - d, 0);
  return [(-by[0] / d) * left, (-by[1] / d) * left];
}
/** How a base has to shift so that it is as far from a thing as wanted; null where it is. Who is in the middle of it goes home. */
export function away(base: Base, x: number, y: number, from: Thing, gap: number, home: Point = [0, 0]): Point | null {
  const far = base.reach + gap,
    need = base.radius + from.radius + gap;
  if (x + far < from.box[0] || x - far > from.box[2] || y + far < from.box[1] || y - far > from.box[3]) return null;
  if (base.core.length === 1) return point(x, y, from.points, need, home);
  const own = base.core.map(([px, py]): Point => [px + x, py + y]);
  if (from.points.length === 1) {
    const by = point(from.points[0][0], from.points[0][1], own, need);
    return by && [-by[0], -by[1]];
  }
  if (meet(own, from.points)) {
    const [ex, ey] = nearest(from.points, x, y),
      d = Math.hypot(ex, ey),
      inside = from.points.length > 2 && holds(from.points, x, y) ? 1 : -1;
    const [ux, uy]: Point = d > 0.01 ? [(inside * ex) / d, (inside * ey) / d] : [1, 0],
      deepest = Math.min(...base.core.map(([px, py]) => px * ux + py * uy));
    const by = need - deepest + inside * d;
    return [ux * by, uy * by];
  }
  let best: Point = [0, 0],
    least = Infinity;
  const consider = (dx: number, dy: number) => {
    const d = Math.hypot(dx, dy);
    if (d < least) {
      least = d;
      best = [dx, dy];
    }
  };
  for (const [px, py] of own) {
    const [dx, dy] = nearest(from.points, px, py);
    consider(-dx, -dy);
  }
  for (const [px, py] of from.points) {
    const [dx, dy] = nearest(own, px, py);
    consider(dx, dy);
  }
  if (least >= need) return null;
  const by = need - least;
  return least > 0.01 ? [(best[0] / least) * by, (best[1] / least) * by] : [by, 0];
}
function point(x: number, y: number, points: Point[], need: number, home: Point = [0, 0]): Point | null {
  const [dx, dy] = nearest(points, x, y),
    d = Math.hypot(dx, dy),
    inside = points.length > 2 && holds(points, x, y);
  if (!inside && d >= need) return null;
  const by = inside ? need + d : d - need,
    way = Math.hypot(...home);
  if (!inside && way > need && d < need / 4) return [(home[0] / way) * need, (home[1] / way) * need];
  return d > 0.01 ? [(dx / d) * by, (dy / d) * by] : [0, need];
}
/** How a base has to shift to be wholly in an outline; null where it is. */
export function into(base: Base, x: number, y: number, outline: Point[], gap: number): Point | null {
  let best: Point | null = null,
    most = 0;
  for (const [cx, cy] of base.core) {
    const px = x + cx,
      py = y + cy,
      [dx, dy] = nearest(outline, px, py),
      d = Math.hypot(dx, dy),
      inside = holds(outline, px, py),
      need = base.radius + gap;
    if (inside && d >= need) continue;
    const by = inside ? need - d : need + d,
      sign = inside ? -1 : 1;
    if (by > most) {
      most = by;
      best = d > 0.01 ? [((sign * dx) / d) * by, ((sign * dy) / d) * by] : [0, by];
    }
  }
  return best;
}
function meet(a: Point[], b: Point[]): boolean {
  for (let i = 0, j = a.length - 1; i < a.length; j = i++)
    for (let k = 0, l = b.length - 1; k < b.length; l = k++) if (cross(a[j], a[i], b[l], b[k])) return true;
  return (b.length > 2 && holds(b, a[0][0], a[0][1])) || (a.length > 2 && holds(a, b[0][0], b[0][1]));
}
function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
