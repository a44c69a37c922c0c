/* Magnets: places that players mean when they point near them. Shift switches them off. */

import type { Body, End } from "./flow";

export interface Field { name: string; far: number }
export interface Pull { x: number; y: number; name: string }
export interface Marker { x: number; y: number; reach: number; name: string }

const HAIR = 6;      // steps beyond a distance that one means to keep

/** How a plan has to shift, so that its nearest model stands just so; null where nothing is near. */
export function pull(ends: End[], radius: (model: number) => number, enemies: Body[], rings: Field[], markers: Marker[], within: number, mayTouch: (x: number, y: number) => boolean): Pull | null {
  let best: Pull | null = null, least = within;
  const consider = (dx: number, dy: number, name: string) => {
    const far = Math.hypot(dx, dy);
    if (far < least) { least = far; best = { x: dx, y: dy, name }; }
  };
  const nearest = pair(ends, radius, enemies);
  if (nearest) {
    const { end, enemy, gap } = nearest, d = Math.max(Math.hypot(end.x - enemy.x, end.y - enemy.y), 1), ux = (end.x - enemy.x) / d, uy = (end.y - enemy.y) / d;
    for (const ring of rings) { const by = ring.far + HAIR - gap; consider(ux * by, uy * by, `just outside ${ring.name}`); }
    if (mayTouch(end.x - ux * (gap - 4), end.y - uy * (gap - 4))) consider(-ux * (gap - 4), -uy * (gap - 4), "base contact");
  }
  for (const m of markers) {
    const mean = ends.reduce(([x, y], e) => [x + e.x / ends.length, y + e.y / ends.length], [0, 0]);
    if (Math.hypot(mean[0] - m.x, mean[1] - m.y) < within) consider(m.x - mean[0], m.y - mean[1], `on marker ${m.name}`);
    // Who is nearly near enough to one means to be.
    const far = (e: End) => Math.hypot(e.x - m.x, e.y - m.y), first = ends.reduce((best, e) => (far(e) < far(best) ? e : best), ends[0]);
    if (m.reach && first && far(first) > m.reach) { const by = 1 - (m.reach - HAIR) / far(first); consider((m.x - first.x) * by, (m.y - first.y) * by, `within reach of marker ${m.name}`); }
  }
  return best;
}
function pair(ends: End[], radius: (model: number) => number, enemies: Body[]): { end: End; enemy: Body; gap: number } | null {
  let found: { end: End; enemy: Body; gap: number } | null = null;
  for (const end of ends) for (const enemy of enemies) {
    const gap = Math.hypot(end.x - enemy.x, end.y - enemy.y) - radius(end.model) - enemy.radius;
    if (!found || gap < found.gap) found = { end, enemy, gap };
  }
  return found;
}
