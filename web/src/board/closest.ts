/* How far bases are apart, as the rules measure it: from edge to edge, in space; and the two points that are closest. */

import { STEP, TURN, type Point } from "../protocol";
import type { Base, Standing } from "./models";
import { unitSign } from "./terrain";

export interface Body {
  base: Base;
  at: Standing;
}
export interface Gap {
  from: Point;
  to: Point;
  /** In space. */
  far: number;
  /** As seen from above. */
  across: number;
  up: number;
}
/** A body as it stands, for who measures it more than once. */
export interface Full extends Body {
  core: Point[];
  around: number;
}
type Pair = [Point, Point, number];

export function closest(one: number[], other: number[], bodyOf: (model: number) => Body): Gap | null {
  let best: Gap | null = null;
  const [these, those] = [one, other].map(models => models.map(m => full(bodyOf(m))));
  for (const a of these)
    for (const b of those) {
      const between = Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y);
      if (best && between - a.around - b.around > best.far) continue;
      const gap = apart(a, b);
      if (!best || gap.far < best.far) best = gap;
    }
  return best;
}
export const full = (body: Body): Full => ({
  ...body,
  core: turned(body.base.core, body.at),
  around: Math.max(body.base.long, body.base.broad) / 2,
});
/** Corners where they stand, on the grid as the server has them. */
function turned(points: Point[], at: Standing): Point[] {
  if (points.length < 2) return points.map(([x, y]): Point => [at.x + x, at.y + y]);
  const a = (at.facing / TURN) * 2 * Math.PI,
    c = Math.cos(a),
    s = Math.sin(a);
  return points.map(([x, y]): Point => [at.x + Math.round(x * c - y * s), at.y + Math.round(x * s + y * c)]);
}
/** The outline of a base where it stands; null for a round one. */
export const outlineOf = ({ base, at }: Body): Point[] | null =>
  base.outline.length ? turned(base.outline, at) : null;

const ROUND = 32; // points of a round rim
/** Points all along the edge of a base where it stands. */
export const rimOf = (body: Body): Point[] =>
  outlineOf(body) ??
  Array.from({ length: ROUND }, (_, i): Point => {
    const a = (i / ROUND) * 2 * Math.PI;
    return [body.at.x + body.base.radius * Math.cos(a), body.at.y + body.base.radius * Math.sin(a)];
  });
/** From the edge of one body to that of another. */
export function apart(a: Full, b: Full): Gap {
  const [p, q, far] = between(a.core, b.core),
    [ux, uy] = far ? [(q[0] - p[0]) / far, (q[1] - p[1]) / far] : [0, 0],
    [r, s] = [a.base.radius, b.base.radius],
    across = Math.max(far - r - s, 0),
    up = Math.max(0, b.at.z - a.at.z - a.base.thick, a.at.z - b.at.z - b.base.thick);
  return {
    from: [p[0] + ux * r, p[1] + uy * r],
    to: [q[0] - ux * s, q[1] - uy * s],
    across,
    up,
    far: Math.hypot(across, up),
  };
}
/** The two points of two cores that are closest. */
function between(p: Point[], q: Point[]): Pair {
  let best: Pair = [p[0], q[0], Infinity];
  const look = (points: Point[], sides: Point[], swap: boolean) =>
    points.forEach(point =>
      sides.forEach((s, i) => {
        const foot = footOn(point, s, sides[(i + 1) % sides.length]),
          far = Math.hypot(point[0] - foot[0], point[1] - foot[1]);
        if (far < best[2]) best = swap ? [foot, point, far] : [point, foot, far];
      }),
    );
  look(p, q, false);
  look(q, p, true);
  const cross = meet(p, q);
  return cross ? [cross, cross, 0] : best;
}
function footOn(point: Point, a: Point, b: Point): Point {
  const dx = b[0] - a[0],
    dy = b[1] - a[1],
    t = Math.min(Math.max(((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return [a[0] + t * dx, a[1] + t * dy];
}
/** A corner of one convex core that lies in the other, or where two of their sides cross; null where they are apart. */
function meet(p: Point[], q: Point[]): Point | null {
  const within = (point: Point, ring: Point[]) =>
    ring.length > 2 && ring.every((a, i) => side(a, ring[(i + 1) % ring.length], point) >= 0);
  const corner = p.find(point => within(point, q)) ?? q.find(point => within(point, p));
  if (corner) return corner;
  for (let i = 0; p.length > 1 && i < p.length; i++)
    for (let j = 0; q.length > 1 && j < q.length; j++) {
      const [a, b, c, d] = [p[i], p[(i + 1) % p.length], q[j], q[(j + 1) % q.length]],
        [s, t] = [side(a, b, c), side(a, b, d)];
      if (s * t < 0 && side(c, d, a) * side(c, d, b) < 0)
        return [c[0] + ((d[0] - c[0]) * s) / (s - t), c[1] + ((d[1] - c[1]) * s) / (s - t)];
    }
  return null;
}
const side = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);

const HAIR = 0.01; // steps that are no difference
/** A length to the hundredth; what is a hair off a whole or half unit says so, since that is where limits are. */
export function exactly(steps: number, unit: string): string {
  const told = Math.round((steps / STEP) * 100) / 100,
    over = steps - told * STEP,
    near = told > 0 && Number.isInteger(told * 2) && Math.abs(over) > HAIR;
  return `${near ? (over > 0 ? "just over " : "just under ") : ""}${told}${unitSign(unit)}`;
}
/** How far apart something is, with how much of it is height. */
export const toldGap = (gap: Gap, unit: string): string =>
  exactly(gap.far, unit) + (gap.up ? ` (${exactly(gap.across, unit)} across, ${exactly(gap.up, unit)} up)` : "");

export interface Measured extends Gap {
  /** Whether each end is the edge of a base. */ edges: [boolean, boolean];
}
/** How far it is from a place to another; from the edge of a base where one lies under an end. A place is as high as what it is measured to. */
export function measured(a: Point, b: Point, under: [Body | null, Body | null]): Measured {
  const z = (under[0] ?? under[1])?.at.z ?? 0,
    bodies = [a, b].map(
      (p, i): Body =>
        under[i] ?? {
          base: { outline: [], core: [[0, 0]], radius: 0, long: 0, broad: 0, thick: 0 },
          at: { x: p[0], y: p[1], z, facing: 0 },
        },
    );
  return { ...closest([0], [1], i => bodies[i])!, edges: [!!under[0], !!under[1]] };
}
