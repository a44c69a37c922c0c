/* The two points of two units that are closest to each other, from edge to edge of their bases, seen from above. */

import { TURN, type Point } from "../protocol";
import type { Base, Standing } from "./models";

export interface Body {
  base: Base;
  at: Standing;
}
export interface Gap {
  from: Point;
  to: Point;
  far: number;
}

export function closest(one: number[], other: number[], bodyOf: (model: number) => Body): Gap | null {
  let best: Gap | null = null;
  const bodies = [one, other].map(models =>
    models.map(m => {
      const body = bodyOf(m);
      return { ...body, corners: corners(body), around: Math.max(body.base.long, body.base.broad) / 2 };
    }),
  );
  for (const a of bodies[0])
    for (const b of bodies[1]) {
      const between = Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y);
      if (best && between - a.around - b.around > best.far) continue;
      const gap = a.corners || b.corners ? hulls(a, b) : rounds(a, b, between);
      if (!best || gap.far < best.far) best = gap;
    }
  return best;
}
type Full = Body & { corners: Point[] | null; around: number };

export function corners({ base, at }: Body): Point[] | null {
  if (!base.outline.length) return null;
  const a = (at.facing / TURN) * 2 * Math.PI,
    c = Math.cos(a),
    s = Math.sin(a);
  return base.outline.map(([x, y]): Point => [at.x + x * c - y * s, at.y + x * s + y * c]);
}
function rounds(a: Full, b: Full, between: number): Gap {
  const ux = (b.at.x - a.at.x) / (between || 1),
    uy = (b.at.y - a.at.y) / (between || 1);
  return {
    from: [a.at.x + ux * a.base.radius, a.at.y + uy * a.base.radius],
    to: [b.at.x - ux * b.base.radius, b.at.y - uy * b.base.radius],
    far: Math.max(between - a.base.radius - b.base.radius, 0),
  };
}
function hulls(a: Full, b: Full): Gap {
  const ring = (body: Full): Point[] =>
    body.corners ??
    Array.from({ length: 64 }, (_, i): Point => [
      body.at.x + body.base.radius * Math.cos((i * Math.PI) / 32),
      body.at.y + body.base.radius * Math.sin((i * Math.PI) / 32),
    ]);
  const [p, q] = [ring(a), ring(b)];
  let best: Gap = { from: p[0], to: q[0], far: Infinity };
  const look = (points: Point[], sides: Point[], swap: boolean) =>
    points.forEach(point =>
      sides.forEach((s, i) => {
        const e = sides[(i + 1) % sides.length],
          dx = e[0] - s[0],
          dy = e[1] - s[1],
          t = Math.min(Math.max(((point[0] - s[0]) * dx + (point[1] - s[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
        const foot: Point = [s[0] + t * dx, s[1] + t * dy],
          far = Math.hypot(point[0] - foot[0], point[1] - foot[1]);
        if (far < best.far) best = swap ? { from: foot, to: point, far } : { from: point, to: foot, far };
      }),
    );
  look(p, q, false);
  look(q, p, true);
  return best;
}

export interface Measured {
  from: Point;
  to: Point;
  far: number;
  /** Whether each end is the edge of a base. */ edges: [boolean, boolean];
}
/** How far it is from a place to another; from the edge of a base where one lies under an end. */
export function measured(a: Point, b: Point, under: [Body | null, Body | null]): Measured {
  const bodies = [a, b].map(
    (p, i): Body =>
      under[i] ?? { base: { outline: [], radius: 0, long: 0, broad: 0 }, at: { x: p[0], y: p[1], z: 0, facing: 0 } },
  );
  return { ...closest([0], [1], i => bodies[i])!, edges: [!!under[0], !!under[1]] };
}
