/* Formations: where the models of a unit stand around a place, or along a front, before anything is in their way. */

import type { Point } from "../protocol";

export type Formation = "keep" | "line" | "ranks" | "block" | "wedge" | "ring" | "string" | "screen";
/** In the order of their keys, 1 to 8. */
export const FORMATIONS: { name: Formation; label: string }[] = [
  { name: "line", label: "line" },
  { name: "ranks", label: "two ranks" },
  { name: "block", label: "block" },
  { name: "wedge", label: "wedge" },
  { name: "ring", label: "ring" },
  { name: "string", label: "string" },
  { name: "screen", label: "screen" },
  { name: "keep", label: "as it stands" },
];

export interface Wanted {
  /** Where the middle of the unit should be. */
  x: number;
  y: number;
  shape: Formation;
  /** The way that the formation looks, in radians. */
  angle: number;
  /** Space between bases. */
  gap: number;
  /** The most of it that a unit may have. */
  apart: number;
  /** How much wider a unit stands that goes as it stands: 1 for just so. */
  spread: number;
  /** Wider than this no front runs; 0 for as wide as the formation is. */
  width: number;
}

/** Slots across and along the front: `across` to the right of who looks along the angle, `along` forwards. */
function slots(count: number, pitch: number, wanted: Wanted): Point[] {
  const row = (n: number, along: number): Point[] =>
    Array.from({ length: n }, (_, i) => [(i - (n - 1) / 2) * pitch, along]);
  const rows = (wide: number): Point[] => {
    const deep = Math.ceil(count / wide),
      out: Point[] = [];
    for (let r = 0; r < deep; r++) out.push(...row(Math.min(wide, count - r * wide), ((deep - 1) / 2 - r) * pitch));
    return out;
  };
  if (wanted.width > 0) return rows(Math.max(1, Math.min(count, Math.floor(wanted.width / pitch) + 1)));
  switch (wanted.shape) {
    case "line":
    case "screen":
      return row(count, 0);
    case "ranks":
      return rows(Math.ceil(count / 2));
    case "wedge": {
      const out: Point[] = [];
      for (let r = 0; out.length < count; r++) out.push(...row(Math.min(r + 1, count - out.length), -r * pitch));
      const middle = out.reduce((sum, s) => sum + s[1], 0) / count;
      return out.map(([a, b]) => [a, b - middle]);
    }
    case "ring": {
      const radius = Math.max(pitch / 2, (count * pitch) / (2 * Math.PI));
      return Array.from({ length: count }, (_, i) => [
        radius * Math.sin((i / count) * 2 * Math.PI),
        radius * Math.cos((i / count) * 2 * Math.PI),
      ]);
    }
    case "string":
      return Array.from({ length: count }, (_, i) => [0, -i * pitch]);
    default:
      return rows(Math.max(1, Math.round(Math.sqrt(count * 1.6))));
  }
}

/** Where each of the models goes: slots for formations, the same shape moved for a unit that goes as it stands. */
export function arrange(from: Point[], radii: number[], wanted: Wanted): Point[] {
  const n = from.length,
    cx = from.reduce((s, p) => s + p[0], 0) / n,
    cy = from.reduce((s, p) => s + p[1], 0) / n;
  if (wanted.shape === "keep" && !wanted.width)
    return from.map(([x, y]) => [(x - cx) * wanted.spread + wanted.x, (y - cy) * wanted.spread + wanted.y]);
  const wide = 2 * Math.max(...radii),
    // A string reaches from where the unit is to where it is wanted.
    long = wanted.shape === "string" ? Math.hypot(wanted.x - cx, wanted.y - cy) / Math.max(n - 1, 1) : 0,
    pitch = Math.max(wide + wanted.gap, Math.min(long, wide + wanted.apart)),
    c = Math.cos(wanted.angle),
    s = Math.sin(wanted.angle);
  const places = slots(n, pitch, wanted).map(([a, b]): Point => [wanted.x + b * c + a * s, wanted.y + b * s - a * c]);
  return assign(from, places);
}

/** Who takes which place: near ones first, then swaps while the longer of two ways gets shorter. */
function assign(from: Point[], places: Point[]): Point[] {
  const n = from.length,
    far = (i: number, j: number) => (from[i][0] - places[j][0]) ** 2 + (from[i][1] - places[j][1]) ** 2;
  const pairs: [number, number, number][] = [];
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) pairs.push([far(i, j), i, j]);
  pairs.sort((a, b) => a[0] - b[0]);
  const taken = new Array<number>(n).fill(-1),
    used = new Set<number>();
  for (const [, i, j] of pairs)
    if (taken[i] < 0 && !used.has(j)) {
      taken[i] = j;
      used.add(j);
    }
  for (let round = 0, better = true; better && round < 6; round++) {
    better = false;
    for (let i = 0; i < n; i++)
      for (let k = i + 1; k < n; k++) {
        const now = Math.max(far(i, taken[i]), far(k, taken[k])),
          then = Math.max(far(i, taken[k]), far(k, taken[i]));
        if (then < now - 1) {
          [taken[i], taken[k]] = [taken[k], taken[i]];
          better = true;
        }
      }
  }
  return taken.map(j => places[j]);
}
