/* How a unit flows: every model on its own way to a place of its own, as far as it may go, clear of everybody else, out
   of what nobody may stand in, and together. It is quick enough for every frame; the server judges what comes of it. */

import type { Kept } from "./kept";
import { within } from "../board/terrain";
import type { Point } from "../protocol";
import { arrange, type Wanted } from "./formations";
import { away, between, into, nearestOf, standing, type Base, type Thing } from "./room";

/** `areas` are outlines of where the middle of a base may end; none for anywhere. */
export interface Mover {
  model: number;
  x: number;
  y: number;
  /** Where it is in the shape of the unit. */
  stance: Point;
  base: Base;
  allowance: number;
  areas: Point[][];
  stays: boolean;
}
/** Who ends further than this from where the hand wanted it had to shorten its way. */
export const SHORT = 128;
/** `to` is where it would be if nothing were in the way. */
export interface End {
  model: number;
  x: number;
  y: number;
  far: number;
  short: boolean;
  to: Point;
}
/** What ends keep to, beside the ways of each. */
export interface Bounds {
  size: Point;
  /** What nobody may stand in. */
  things: Thing[];
  /** The same, at a distance. */
  zones: Kept[];
  /** Every base lies wholly in this; no corners: anywhere. */
  inside: Point[];
  /** How near comrades are, how many of them, and how far all may be from each other; 0 where that is no matter. */
  near: number;
  links: number;
  spread: number;
  /** Comrades who stay where they are. */
  staying: Thing[];
  /** Whom the hand holds: others make way for it. */
  lead: number;
}

const CLEAR = 4; // steps between two bases that do not touch: ends are rounded to whole ones
const MARGIN = 3; // steps that a way stays below its limit: straight ways are seldom whole numbers
const ROUNDS = 60; // times that all make way
const PATIENT = 44; // so many of them the one that the hand holds gives way to things alone
const HASTY = 24; // so many where there is little hope: somebody still has to go further than this after them
const FAR_OFF = 170;
const ROUGH = 0.95; // areas are a little rough: so much of a way that is in them stands for the whole of it
const WORK = 40; // models that are put somewhere anew before no other part of the way is tried
const PARTS = [1, 0.85, 0.7, 0.5, 0.3]; // of the way there
const FREE = 1 << 24; // who may go so far is set up, and does not come from anywhere
const LINKED = 12; // steps nearer than they need be

export function flow(movers: Mover[], bounds: Bounds, wanted: Wanted): End[] {
  const from = movers.map(m => m.stance),
    near = around(movers, bounds),
    lead = movers.findIndex(m => m.model === bounds.lead);
  const arranged = (part: number) =>
    arrange(
      from,
      movers.map(m => m.base.reach),
      { ...wanted, x: middle(0) + (wanted.x - middle(0)) * part, y: middle(1) + (wanted.y - middle(1)) * part },
    );
  const middle = (axis: 0 | 1) => from.reduce((sum, p) => sum + p[axis], 0) / from.length,
    places = arranged(1),
    [sx, sy] = inwards(movers, places, bounds.inside);
  let first: Point[] | null = null,
    found: Point[] | null = null;
  // Where there is no room for all, there may be some on the way.
  for (const part of movers.every(m => m.allowance < FREE)
    ? PARTS.slice(0, 1 + Math.floor(WORK / movers.length))
    : PARTS.slice(0, 1)) {
    const wish = part < 1 ? arranged(part) : places,
      ends = movers.map((m, i): Point => (m.stays ? [m.x, m.y] : limited(m, [wish[i][0] + sx, wish[i][1] + sy])));
    const well: Point[] = [];
    let moved = Infinity,
      rounds = part < 1 ? HASTY : ROUNDS,
      patient = part < 1 ? 0 : PATIENT;
    for (let round = 0; round < rounds && moved; round++) {
      moved = settle(movers, ends, bounds, near, round < patient ? lead : -1, well);
      if (round === HASTY && moved > FAR_OFF) {
        patient = 0;
        rounds = HASTY + HASTY / 2;
      }
    }
    first ??= ends;
    if (moved < CLEAR - 1) found = ends;
    if (found) break;
  }
  return movers.map((m, i) => {
    const end = (found ?? first!)[i],
      x = Math.round(end[0]),
      y = Math.round(end[1]),
      [px, py] = places[i];
    return {
      model: m.model,
      x,
      y,
      far: Math.hypot(x - m.x, y - m.y),
      short: Math.hypot(x - px, y - py) > SHORT,
      to: [px, py],
    };
  });
}
/** How all shift together that nobody is outside, as far as that goes. */
function inwards(movers: Mover[], places: Point[], inside: Point[]): Point {
  let x = 0,
    y = 0;
  for (let round = 0; round < 6 && inside.length; round++) {
    let most = 0,
      next: Point = [0, 0];
    places.forEach((p, i) => {
      const by = into(movers[i].base, p[0] + x, p[1] + y, inside, CLEAR),
        far = by ? Math.hypot(...by) : 0;
      if (by && far > most) {
        most = far;
        next = by;
      }
    });
    x += next[0];
    y += next[1];
  }
  return [x, y];
}
/** Things that could be in somebody's way, for each. */
function around(movers: Mover[], { things, zones }: Bounds): Kept[][] {
  const all = [...things.map(thing => ({ thing, gap: CLEAR })), ...zones];
  return movers.map(({ x, y, base, allowance }) =>
    all.filter(({ thing: { box }, gap }) => {
      const far = allowance + base.reach + gap,
        dx = Math.max(box[0] - x, x - box[2], 0),
        dy = Math.max(box[1] - y, y - box[3], 0);
      return dx * dx + dy * dy < far * far;
    }),
  );
}
/** As far on the way to a place as a model may go. */
function limited(m: Mover, [x, y]: Point): Point {
  const dx = x - m.x,
    dy = y - m.y,
    far = Math.hypot(dx, dy),
    most = Math.max(m.allowance - MARGIN, 0);
  return far <= most ? [x, y] : [m.x + (dx * most) / far, m.y + (dy * most) / far];
}
/** One round of making way; gives how far anybody had to go for it at most. */
function settle(movers: Mover[], ends: Point[], bounds: Bounds, near: Kept[][], lead: number, well: Point[]): number {
  let moved = 0;
  const shift = (i: number, [dx, dy]: Point, part = 1) => {
    moved = Math.max(moved, Math.hypot(dx, dy) * Math.abs(part));
    if (!movers[i].stays) ends[i] = [ends[i][0] + dx * part, ends[i][1] + dy * part];
  };
  /** One of two goes, or both half of it. */
  const share = (i: number, k: number, by: Point) => {
    const [mine, theirs] = i === lead || movers[i].stays ? [0, 1] : k === lead || movers[k].stays ? [1, 0] : [0.5, 0.5];
    if (mine) shift(i, by, mine);
    if (theirs) shift(k, by, -theirs);
  };
  together(movers, ends, bounds, share, shift);
  for (let i = 0; i < movers.length; i++)
    for (let k = i + 1; k < movers.length; k++) {
      const a = movers[i].base,
        b = movers[k].base,
        dx = ends[i][0] - ends[k][0],
        dy = ends[i][1] - ends[k][1],
        most = a.reach + b.reach + CLEAR;
      if (dx * dx + dy * dy >= most * most || (movers[i].stays && movers[k].stays)) continue;
      const by = away(a, ends[i][0], ends[i][1], standing(b, ends[k][0], ends[k][1]), CLEAR);
      if (by) share(i, k, more(by));
    }
  for (let i = 0; i < movers.length; i++) {
    const m = movers[i];
    // Who has not moved since it was found to stand well still does.
    if (m.stays || ends[i] === well[i]) continue;
    const before = ends[i];
    for (const { thing, gap } of near[i]) {
      const by = away(m.base, ends[i][0], ends[i][1], thing, gap, [m.x - ends[i][0], m.y - ends[i][1]]);
      if (by) shift(i, more(by));
    }
    if (bounds.inside.length) {
      const by = into(m.base, ends[i][0], ends[i][1], bounds.inside, 1);
      if (by) shift(i, more(by));
    }
    const by = reached(m, ends[i]);
    if (by) shift(i, by);
    const last = kept(m, ends[i], bounds.size),
      there = last[0] === ends[i][0] && last[1] === ends[i][1];
    if (!there) ends[i] = last;
    if (ends[i] === before) well[i] = before;
  }
  return moved;
}
function more([dx, dy]: Point): Point {
  const d = Math.hypot(dx, dy) || 1;
  return [dx * (1 + 0.5 / d), dy * (1 + 0.5 / d)];
}
/** Back to where a model may end, by the shortest way. */
function reached(m: Mover, [x, y]: Point): Point | null {
  if (!m.areas.length || within(m.areas, x, y) || within(m.areas, m.x + (x - m.x) * ROUGH, m.y + (y - m.y) * ROUGH))
    return null;
  const [dx, dy] = nearestOf(m.areas, x, y),
    by = 1 + 8 / (Math.hypot(dx, dy) || 1);
  return [dx * by, dy * by];
}
/** On the table, and within the allowance. */
function kept(m: Mover, [x, y]: Point, [wide, deep]: Point): Point {
  let left = 0,
    right = 0,
    low = 0,
    high = 0;
  for (const [cx, cy] of m.base.core) {
    left = Math.max(left, -cx);
    right = Math.max(right, cx);
    low = Math.max(low, -cy);
    high = Math.max(high, cy);
  }
  const r = m.base.radius + 1;
  return limited(m, [
    Math.min(Math.max(x, left + r), wide - right - r),
    Math.min(Math.max(y, low + r), deep - high - r),
  ]);
}
/** Who has too few comrades near, or stands apart with some of them, goes to the rest. */
function together(
  movers: Mover[],
  ends: Point[],
  { near, links, spread, staying }: Bounds,
  share: (i: number, k: number, by: Point) => void,
  shift: (i: number, by: Point) => void,
): void {
  const n = movers.length,
    most = near - LINKED;
  if (!near || n + staying.length < 2) return;
  const draw = (i: number, k: number, by: Point, far: number, to: number) => {
    const part = (far - to) / (far || 1),
      step: Point = [by[0] * part, by[1] * part];
    if (k < n) share(i, k, step);
    else shift(i, step);
  };
  if (round(movers) && !staying.length && linked(movers, ends, most, spread - LINKED, Math.min(links, n - 1))) return;
  /** From one to another, as long as the gap is; comrades who stay come after those who move. */
  const here = [...movers.map((m, i) => standing(m.base, ...ends[i])), ...staying],
    gap = (i: number, k: number): Point => between(movers[i].base, ...ends[i], here[k]);
  const all = n + staying.length,
    group = Array.from({ length: all }, (_, i) => (i < n ? i : n)),
    root = (i: number): number => (group[i] === i ? i : root(group[i]));
  if (all > n) group[n] = n;
  const pairs: { i: number; k: number; by: Point; far: number }[] = [];
  for (let i = 0; i < n; i++)
    for (let k = i + 1; k < all; k++) {
      const by = gap(i, k);
      pairs.push({ i, k, by, far: Math.hypot(...by) });
    }
  pairs.sort((a, b) => a.far - b.far);
  const enough = Math.min(links, all - 1),
    found = new Array<number>(all).fill(0);
  for (const { i, k, by, far } of pairs) {
    const apart = root(i) !== root(k),
      lacking = found[i] < enough || (k < n && found[k] < enough);
    // The nearest that would join two parts, or give one of two a comrade, are drawn together.
    if (far > most && (apart || lacking)) draw(i, k, by, far, most - 1);
    if (far <= most || apart || lacking) {
      found[i]++;
      found[k]++;
      group[root(i)] = root(k);
    }
    if (spread > 0 && far > spread - LINKED) draw(i, k, by, far, spread - LINKED - 1);
  }
}
function round(movers: Mover[]): boolean {
  return movers.every(m => m.base.core.length === 1);
}
/** Whether all who are round stand together: mostly they do, and this is soon known. */
function linked(movers: Mover[], ends: Point[], most: number, spread: number, enough: number): boolean {
  const n = movers.length,
    found = new Int32Array(n),
    group = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = 0; i < n; i++)
    for (let k = i + 1; k < n; k++) {
      const dx = ends[i][0] - ends[k][0],
        dy = ends[i][1] - ends[k][1],
        bases = movers[i].base.radius + movers[k].base.radius,
        square = dx * dx + dy * dy;
      if (spread > 0 && square > (spread + bases) ** 2) return false;
      if (square > (most + bases) ** 2) continue;
      found[i]++;
      found[k]++;
      const a = group[i],
        b = group[k];
      if (a !== b) for (let j = 0; j < n; j++) if (group[j] === b) group[j] = a;
    }
  return found.every(f => f >= enough) && group.every(g => g === group[0]);
}
