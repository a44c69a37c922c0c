/* Magnets: places that players mean when they point near them. Shift switches them off. */

import { within as inside } from "../board/terrain";
import type { Point } from "../protocol";
import type { End } from "./flow";
import type { Kept } from "./kept";
import { away, between, into, nearestOf, type Base, type Thing } from "./room";

export interface Pull {
  x: number;
  y: number;
  name: string;
  /** They stand where it would draw them already. */
  there?: boolean;
}
/** Where somebody does not see the unit. */
export interface Shade {
  name: string;
  outlines: Point[][];
}
/** An area that one may mean to be wholly within. */
export interface Ground {
  name: string;
  outline: Point[];
}
/** What magnets there are. */
export interface Attractions {
  enemies: Thing[];
  /** Rings around enemies that one stands just outside of. */
  rings: { name: string; kept: Kept[] }[];
  markers: Marker[];
  grounds: Ground[];
  shade: Shade | null;
  mayTouch(x: number, y: number): boolean;
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
export function pull(ends: End[], bases: Base[], within: number, all: Attractions): Pull | null {
  const { enemies, rings, markers, grounds, shade, mayTouch } = all;
  let best: Pull | null = null,
    least = within;
  const consider = (dx: number, dy: number, name: string) => {
    const far = Math.hypot(dx, dy);
    if (far < least) {
      least = far;
      best = { x: dx, y: dy, name };
    }
  };
  for (const { name, kept } of rings) {
    const beside = nearest(
      ends,
      bases,
      kept.map(k => k.thing),
    );
    if (!beside) continue;
    const { to, way, gap } = beside,
      far = kept.find(k => k.thing === to)!.gap + HAIR,
      nearer = gap > far ? part(way, 1 - far / gap) : ([0, 0] as Point),
      out = Math.hypot(...nearer) < within && clear(ends, bases, kept, nearer);
    if (out) consider(...out, `just outside ${name}`);
  }
  const found = nearest(ends, bases, enemies);
  if (found) {
    const { i, way, gap } = found,
      { x, y } = ends[i];
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
    const whole = m.reach ? gather(ends, within, (e, i, x, y) => reached(m, bases[i], e.x + x, e.y + y)) : null;
    if (whole && (whole[0] || whole[1])) consider(...whole, `wholly within reach of ${m.name}`);
  }
  for (const { name, outline } of grounds) {
    const whole = gather(ends, within, (e, i, x, y) => into(bases[i], e.x + x, e.y + y, outline, HAIR));
    if (whole && (whole[0] || whole[1])) consider(...whole, `wholly within ${name}`);
  }
  const by = shade && hidden(ends, shade.outlines, EAGER * within);
  if (by && !(by[0] || by[1])) return best ?? { x: 0, y: 0, name: `out of sight of ${shade.name}`, there: true };
  return by ? { x: by[0], y: by[1], name: `just out of sight of ${shade.name}` } : best;
}
/** How all shift together until none has any further to go, who has furthest first; null where that is too far. */
function gather(
  ends: End[],
  most: number,
  lacking: (end: End, i: number, x: number, y: number) => Point | null,
  [x, y]: Point = [0, 0],
): Point | null {
  for (let round = 0; round < ROUNDS && Math.hypot(x, y) < most; round++) {
    let far = 0,
      next: Point | null = null;
    for (let i = 0; i < ends.length; i++) {
      const by = lacking(ends[i], i, x, y),
        d = by ? Math.hypot(...by) : 0;
      // Nobody comes in who is so far out.
      if (d > 2 * most) return null;
      if (!by || (next && d <= far)) continue;
      far = d;
      next = by;
    }
    if (!next) return [x, y];
    x += next[0];
    y += next[1];
  }
  return null;
}
/** To where none is seen. */
function hidden(ends: End[], outlines: Point[][], most: number): Point | null {
  return gather(ends, most, (e, _, x, y) => {
    if (inside(outlines, e.x + x, e.y + y)) return null;
    const by = nearestOf(outlines, e.x + x, e.y + y);
    return part(by, 1 + HAIR / (Math.hypot(...by) || 1));
  });
}
/** Away from all enemies, so far as to be just outside of what is around the nearest. */
function clear(ends: End[], bases: Base[], kept: Kept[], start: Point): Point | null {
  return gather(
    ends,
    Infinity,
    (e, i, x, y) => {
      let worst: Point | null = null;
      for (const { thing, gap } of kept) {
        const by = away(bases[i], e.x + x, e.y + y, thing, gap + HAIR - 1);
        if (by && (!worst || Math.hypot(...by) > Math.hypot(...worst))) worst = part(by, 1 + 1 / Math.hypot(...by));
      }
      return worst;
    },
    start,
  );
}
/** How a base has to shift to be wholly within reach of something; null where it is. */
function reached(m: Marker, base: Base, x: number, y: number): Point | null {
  const far = Math.hypot(m.x - x, m.y - y),
    most = m.thing.radius + m.reach - base.reach - HAIR;
  return far > most && most > 0 ? part([m.x - x, m.y - y], 1 - most / far) : null;
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
