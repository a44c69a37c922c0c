/* Magnets: places that players mean when they point near them. Shift switches them off. */

import { within as inside } from "../board/terrain";
import type { Point } from "../protocol";
import type { Body, End } from "./flow";

export interface Field {
  name: string;
  far: number;
}
export interface Pull {
  x: number;
  y: number;
  name: string;
}
/** Where somebody does not see the unit. */
export interface Shade {
  name: string;
  outlines: Point[][];
}
/** Something to be near to; a `spot` can be stood on. */
export interface Marker {
  x: number;
  y: number;
  reach: number;
  name: string;
  spot: boolean;
}

const HAIR = 6; // steps beyond a distance that one means to keep
const EAGER = 2; // times as far, where one has said what to hide from
const ROUNDS = 6; // times that the one who stands out most is brought in

/** How a plan has to shift, so that its nearest model stands just so; null where nothing is near. */
export function pull(
  ends: End[],
  radius: (model: number) => number,
  enemies: Body[],
  rings: Field[],
  markers: Marker[],
  within: number,
  mayTouch: (x: number, y: number) => boolean,
  shade: Shade | null,
): Pull | null {
  let best: Pull | null = null,
    least = within;
  const consider = (dx: number, dy: number, name: string) => {
    const far = Math.hypot(dx, dy);
    if (far < least) {
      least = far;
      best = { x: dx, y: dy, name };
    }
  };
  const nearest = pair(ends, radius, enemies);
  if (nearest) {
    const { end, enemy, gap } = nearest,
      d = Math.max(Math.hypot(end.x - enemy.x, end.y - enemy.y), 1),
      ux = (end.x - enemy.x) / d,
      uy = (end.y - enemy.y) / d;
    for (const ring of rings) {
      const by = ring.far + HAIR - gap;
      consider(ux * by, uy * by, `just outside ${ring.name}`);
    }
    if (mayTouch(end.x - ux * (gap - 4), end.y - uy * (gap - 4)))
      consider(-ux * (gap - 4), -uy * (gap - 4), "base contact");
  }
  for (const m of markers) {
    const mean = ends.reduce(([x, y], e) => [x + e.x / ends.length, y + e.y / ends.length], [0, 0]);
    if (m.spot && Math.hypot(mean[0] - m.x, mean[1] - m.y) < within)
      consider(m.x - mean[0], m.y - mean[1], `on ${m.name}`);
    // Who is nearly near enough to one means to be.
    const far = (e: End) => Math.hypot(e.x - m.x, e.y - m.y),
      first = ends.reduce((best, e) => (far(e) < far(best) ? e : best), ends[0]);
    if (m.reach && first && far(first) > m.reach) {
      const by = 1 - (m.reach - HAIR) / far(first);
      consider((m.x - first.x) * by, (m.y - first.y) * by, `within reach of ${m.name}`);
    }
  }
  const by = shade && into(ends, shade.outlines, EAGER * within);
  if (by && !(by.x || by.y)) return best ?? { ...by, name: `out of sight of ${shade.name}` };
  return by ? { ...by, name: `just out of sight of ${shade.name}` } : best;
}
/** How all shift that nobody stands out of an area; null where that is too far. */
function into(ends: End[], outlines: Point[][], most: number): { x: number; y: number } | null {
  let x = 0,
    y = 0;
  for (let round = 0; round < ROUNDS && Math.hypot(x, y) < most; round++) {
    let far = 0,
      next: Point | null = null;
    for (const e of ends) {
      if (inside(outlines, e.x + x, e.y + y)) continue;
      const [dx, dy] = toEdge(outlines, e.x + x, e.y + y),
        d = Math.hypot(dx, dy);
      if (!next || d > far) {
        far = d;
        next = [dx * (1 + HAIR / (d || 1)), dy * (1 + HAIR / (d || 1))];
      }
    }
    if (!next) return { x, y };
    x += next[0];
    y += next[1];
  }
  return null;
}
/** From a place to the nearest point of outlines. */
function toEdge(outlines: Point[][], x: number, y: number): Point {
  let best: Point = [Infinity, Infinity],
    least = Infinity;
  for (const points of outlines)
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[j],
        dx = points[i][0] - ax,
        dy = points[i][1] - ay,
        t = Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1), 0), 1);
      const to: Point = [ax + t * dx - x, ay + t * dy - y],
        far = Math.hypot(...to);
      if (far < least) {
        least = far;
        best = to;
      }
    }
  return best;
}
function pair(
  ends: End[],
  radius: (model: number) => number,
  enemies: Body[],
): { end: End; enemy: Body; gap: number } | null {
  let found: { end: End; enemy: Body; gap: number } | null = null;
  for (const end of ends)
    for (const enemy of enemies) {
      const gap = Math.hypot(end.x - enemy.x, end.y - enemy.y) - radius(end.model) - enemy.radius;
      if (!found || gap < found.gap) found = { end, enemy, gap };
    }
  return found;
}
