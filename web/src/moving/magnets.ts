/* Magnets: places that players mean when they point near them. Shift switches them off. */

import { within as inside } from "../board/terrain";
import type { Point, Ring } from "../protocol";
import type { End } from "./flow";
import { away, between, nearestOf, type Base, type Thing } from "./room";

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
/** Something to be near to, from rim to rim; a `spot` can be stood on. */
export interface Marker {
  thing: Thing;
  x: number;
  y: number;
  reach: number;
  name: string;
  spot: boolean;
}

const HAIR = 6; // steps beyond a distance that one means to keep
const TOUCH = 4; // steps between bases that touch: ends are rounded to whole ones
const EAGER = 2; // times as far, where one has said what to hide from
const ROUNDS = 6; // times that the one who stands out most is brought in

/** How a plan has to shift, so that its nearest model stands just so; null where nothing is near. `bases` are those of the ends. */
export function pull(
  ends: End[],
  bases: Base[],
  enemies: Thing[],
  rings: Ring[],
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
  const found = nearest(ends, bases, enemies);
  if (found) {
    const { i, to, way, gap } = found,
      { x, y } = ends[i];
    for (const ring of rings) {
      const far = ring.far + HAIR,
        out = gap < far ? away(bases[i], x, y, to, far) : part(way, 1 - far / gap);
      if (out) consider(...out, `just outside ${ring.name}`);
    }
    const [dx, dy] = gap > TOUCH ? part(way, 1 - TOUCH / gap) : [0, 0];
    if (mayTouch(x + dx, y + dy)) consider(dx, dy, "base contact");
  }
  const mean = ends.reduce(([x, y], e) => [x + e.x / ends.length, y + e.y / ends.length], [0, 0]);
  for (const m of markers) {
    if (m.spot) consider(m.x - mean[0], m.y - mean[1], `on ${m.name}`);
    // Who is nearly near enough to one means to be.
    const near = m.reach ? nearest(ends, bases, [m.thing]) : null;
    if (near && near.gap > m.reach)
      consider(...part(near.way, 1 - (m.reach - HAIR) / near.gap), `within reach of ${m.name}`);
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
      const [dx, dy] = nearestOf(outlines, e.x + x, e.y + y),
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
const part = ([x, y]: Point, by: number): Point => [x * by, y * by];
/** Who of all is nearest to any of some things, and the way there from rim to rim. */
function nearest(
  ends: End[],
  bases: Base[],
  things: Thing[],
): { i: number; to: Thing; way: Point; gap: number } | null {
  let found: { i: number; to: Thing; way: Point; gap: number } | null = null;
  for (let i = 0; i < ends.length; i++)
    for (const to of things) {
      const { x, y } = ends[i],
        [left, low, right, high] = to.box,
        least = Math.hypot(Math.max(left - x, x - right, 0), Math.max(low - y, y - high, 0)) - bases[i].reach;
      if (found && least >= found.gap) continue;
      const way = between(bases[i], x, y, to),
        gap = Math.hypot(...way);
      if (!found || gap < found.gap) found = { i, to, way, gap };
    }
  return found;
}
