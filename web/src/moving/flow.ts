/* How a unit flows: every model on its own way to a place of its own, as far as it may go, and clear of everybody else.
   It is quick enough for every frame; the server judges what comes of it. */

import { arrange, type Spot2, type Wanted } from "./formations";

export interface Mover { model: number; x: number; y: number; radius: number; allowance: number }
export interface Body { x: number; y: number; radius: number }
export interface End { model: number; x: number; y: number; far: number; short: boolean }

const CLEAR = 4;      // steps between two bases that do not touch
const MARGIN = 3;     // steps that a way stays below its limit: straight ways are seldom whole numbers

export function flow(movers: Mover[], others: Body[], wanted: Wanted, size: [number, number]): End[] {
  const places = arrange(movers.map((m): Spot2 => [m.x, m.y]), movers.map(m => m.radius), wanted);
  const ends = movers.map((m, i) => clamped(m, places[i], size));
  const near = close(movers, others);
  for (let round = 0; round < 8; round++) if (!settle(movers, ends, near, size)) break;
  return movers.map((m, i) => {
    const x = Math.round(ends[i][0]), y = Math.round(ends[i][1]), [px, py] = places[i];
    return { model: m.model, x, y, far: Math.hypot(x - m.x, y - m.y), short: Math.hypot(x - px, y - py) > 128 };
  });
}
/** Move ends apart that overlap; says whether any did. */
export function part(movers: Mover[], ends: End[], others: Body[], size: [number, number]): boolean {
  const spots = ends.map((e): Spot2 => [e.x, e.y]);
  if (!settle(movers, spots, close(movers, others), size)) return false;
  spots.forEach(([x, y], i) => { ends[i] = { ...ends[i], x: Math.round(x), y: Math.round(y), far: Math.hypot(x - movers[i].x, y - movers[i].y) }; });
  return true;
}
/** Others who could be in anybody's way. */
function close(movers: Mover[], others: Body[]): Body[] {
  const xs = movers.map(m => m.x), ys = movers.map(m => m.y), far = Math.max(...movers.map(m => Math.min(m.allowance, 1e6) + 2 * m.radius));
  const [x0, x1, y0, y1] = [Math.min(...xs) - far, Math.max(...xs) + far, Math.min(...ys) - far, Math.max(...ys) + far];
  return others.filter(o => o.x + o.radius > x0 && o.x - o.radius < x1 && o.y + o.radius > y0 && o.y - o.radius < y1);
}
function clamped(m: Mover, [x, y]: Spot2, [wide, deep]: [number, number]): Spot2 {
  x = Math.min(Math.max(x, m.radius), wide - m.radius); y = Math.min(Math.max(y, m.radius), deep - m.radius);
  const dx = x - m.x, dy = y - m.y, far = Math.hypot(dx, dy), most = Math.max(m.allowance - MARGIN, 0);
  return far <= most ? [x, y] : [m.x + dx * most / far, m.y + dy * most / far];
}
/** One round of making way; says whether anybody had to. */
function settle(movers: Mover[], ends: Spot2[], others: Body[], size: [number, number]): boolean {
  let moved = false;
  for (let i = 0; i < movers.length; i++) {
    for (let k = i + 1; k < movers.length; k++) {
      const gap = movers[i].radius + movers[k].radius + CLEAR, dx = ends[k][0] - ends[i][0], dy = ends[k][1] - ends[i][1], d = Math.hypot(dx, dy);
      if (d >= gap) continue;
      const [ux, uy] = d > .01 ? [dx / d, dy / d] : [1, 0], by = (gap - d) / 2 + .5;
      ends[i] = [ends[i][0] - ux * by, ends[i][1] - uy * by]; ends[k] = [ends[k][0] + ux * by, ends[k][1] + uy * by]; moved = true;
    }
    for (const o of others) {
      const gap = movers[i].radius + o.radius + CLEAR, dx = ends[i][0] - o.x, dy = ends[i][1] - o.y, d = Math.hypot(dx, dy);
      if (d >= gap) continue;
      const [ux, uy] = d > .01 ? [dx / d, dy / d] : [0, 1];
      ends[i] = [o.x + ux * (gap + .5), o.y + uy * (gap + .5)]; moved = true;
    }
    ends[i] = clamped(movers[i], ends[i], size);
  }
  return moved;
}
