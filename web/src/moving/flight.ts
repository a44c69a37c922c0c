/* A flight over the table: legs with turns between them. Turns snap to the widest that is allowed, legs to the shortest. */

import { TURN, type Point } from "../protocol";

export interface Limits {
  shortest: number;
  widest: number;
  size: Point;
}
/** What is answered by it. */
export interface Flight {
  x: number;
  y: number;
  facing: number;
  legs: { length: number; turn: number }[];
}

const BENT = Math.PI / 12; // a hand that turns by less goes straight on
const DISTINCT = 0.5; // of the shortest leg has a hand to go before its turns count

const between = (a: Point, b: Point): number => Math.hypot(b[0] - a[0], b[1] - a[1]);
export const bearing = (a: Point, b: Point): number =>
  Math.round((Math.atan2(b[1] - a[1], b[0] - a[0]) / (2 * Math.PI)) * TURN + TURN) % TURN;
/** By how much, and which way, one turns from one bearing to another. */
export const turned = (from: number, to: number): number => ((to - from + 1.5 * TURN) % TURN) - TURN / 2;
const beyond = ([x, y]: Point, angle: number, far: number): Point => {
  const r = (angle / TURN) * 2 * Math.PI;
  return [Math.round(x + far * Math.cos(r)), Math.round(y + far * Math.sin(r))];
};

/** The nearest place at the edge of the table. */
export function edge([x, y]: Point, [w, h]: Point): Point {
  const on: Point = [Math.round(Math.min(Math.max(x, 0), w)), Math.round(Math.min(Math.max(y, 0), h))],
    d = [on[0], w - on[0], on[1], h - on[1]],
    i = d.indexOf(Math.min(...d));
  return i === 0 ? [0, on[1]] : i === 1 ? [w, on[1]] : i === 2 ? [on[0], 0] : [on[0], h];
}
/** How far one comes from a place in a direction before the table ends. */
function room([x, y]: Point, angle: number, [w, h]: Point): number {
  const r = (angle / TURN) * 2 * Math.PI,
    to = (at: number, by: number, size: number) =>
      Math.abs(by) < 1e-6 ? Infinity : Math.max((by > 0 ? size - at : -at) / by, 0);
  return Math.min(to(x, Math.cos(r), w), to(y, Math.sin(r), h));
}
/** Where the next leg of a path ends that a hand wants to end at a place. */
export function snapped(path: Point[], to: Point, { shortest, widest, size }: Limits): Point {
  const a = path[path.length - 1],
    before = path[path.length - 2];
  let angle = bearing(a, to);
  if (before) {
    const f = bearing(before, a),
      by = turned(f, angle);
    if (Math.abs(by) > widest) angle = f + Math.sign(by) * widest;
  }
  // Who would leave the table stops at its edge, if the leg is long enough by then.
  return beyond(a, angle, Math.max(Math.min(between(a, to), Math.floor(room(a, angle, size)) - 1), shortest));
}
/** A path one of whose places is moved: what comes after it keeps to what is allowed. */
export function shifted(path: Point[], i: number, to: Point, limits: Limits): Point[] {
  const next = path.slice(0, i);
  for (const p of [to, ...path.slice(i + 1)]) next.push(next.length ? snapped(next, p, limits) : edge(p, limits.size));
  return next;
}
export function flight(path: Point[]): Flight {
  const facings = path.slice(1).map((p, i) => bearing(path[i], p));
  const legs = facings.map((f, i) => ({
    length: Math.round(between(path[i], path[i + 1])),
    turn: turned(f, facings[i + 1] ?? f),
  }));
  return { x: path[0][0], y: path[0][1], facing: facings[0] ?? 0, legs };
}
/** The places that a flight leads over. */
export function flown({ x, y, facing, legs }: Flight): Point[] {
  const path: Point[] = [[x, y]];
  let angle = facing;
  for (const { length, turn } of legs) {
    path.push(beyond(path[path.length - 1], angle, length));
    angle += turn;
  }
  return path;
}

/** A hand that draws legs in one pull: where it turns off, a leg ends and the next one begins; back there, it goes on with the last. */
export class Pull {
  private trails: Point[][];

  constructor(
    private path: Point[],
    private limits: Limits,
    /** How far off the straight way a hand may be. */
    private slack: number,
  ) {
    this.trails = [[path[path.length - 1]]];
  }
  /** The whole path, for where the hand is now. */
  to(at: Point): Point[] {
    const trail = this.trails[this.trails.length - 1];
    if (this.trails.length > 1 && between(trail[0], at) < this.slack / 2) {
      this.trails.pop();
      this.path = this.path.slice(0, -1);
      return this.to(at);
    }
    const corner = this.corner(trail, at);
    if (corner > 0) {
      this.path = [...this.path, snapped(this.path, trail[corner], this.limits)];
      this.trails.push(trail.slice(corner));
      trail.length = corner + 1;
    }
    this.trails[this.trails.length - 1].push(at);
    return [...this.path, snapped(this.path, at, this.limits)];
  }
  /** Where on its trail a hand has turned off; 0 for nowhere. */
  private corner(trail: Point[], at: Point): number {
    const [start] = trail,
      far = between(start, at) || 1;
    let most = this.slack,
      found = 0;
    trail.forEach((p, i) => {
      const off = Math.abs((at[0] - start[0]) * (p[1] - start[1]) - (at[1] - start[1]) * (p[0] - start[0])) / far,
        by = turned(bearing(start, p), bearing(p, at));
      if (off <= most || between(start, p) < DISTINCT * this.limits.shortest) return;
      if (Math.abs(by) < (BENT / (2 * Math.PI)) * TURN) return;
      most = off;
      found = i;
    });
    return found;
  }
}
