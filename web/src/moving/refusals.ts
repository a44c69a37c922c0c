/* Refusals that need no server: what is wrong with a place for all to see, and what stopped who could not get there. */

import { holds, tell, within } from "../board/terrain";
import { STEP, type Area, type Feature, type Point, type Reason } from "../protocol";
import type { Guard, Stander } from "./field";
import type { End, Mover } from "./flow";
import { away, type Base, type Thing } from "./room";

const SURE = STEP / 16; // who is nearer than this to where a distance ends may be judged otherwise
const ROUGH = STEP / 4; // so near to what they keep out of, areas are drawn by and by
const BACK = 24; // steps in which a way is looked at
const STIR = STEP / 4; // who has not gone so far stands where it may

/** A model where it would stand; `raised` if it comes from above the ground. */
export interface Placed extends End {
  base: Base;
  z: number;
  raised: boolean;
}
/** Where a unit has to be that is set up, and what says so; no corners: anywhere. */
export interface Zone {
  area: Point[];
  rules: string[];
}

/** What may be in the way, and how far the table goes. */
export interface Around {
  others: Stander[];
  obstacles: { thing: Thing; name: string }[];
  terrain: Feature[];
  size: Point;
}

/** What is wrong with a place: it is outside the zone, in what one keeps out of unless that is `open`, or on somebody else. */
export function plainlyWrong(
  placed: Placed[],
  zone: Zone,
  open: Area | undefined,
  guard: Guard | null,
  others: Stander[],
): Reason | null {
  const outside = zone.area.length ? placed.filter(p => !holds(zone.area, p.x, p.y)) : [];
  if (outside.length)
    return {
      text: "This is outside the area where the unit may be set up.",
      rules: zone.rules,
      models: outside.map(p => p.model),
    };
  for (const { model, x, y, z, far, base, raised } of placed) {
    const closed = open?.outlines.length && !raised && far > STIR && !within(open.outlines, x, y),
      near = closed ? nearEnemy(guard, base, x, y, -SURE) : null;
    if (near) return { text: `${near.text}.`, rules: near.rules, models: [model] };
    const on = others.find(s => Math.abs(s.z - z) < STEP && away(base, x, y, s.thing, -SURE));
    if (on) return { text: `There is no room beside ${on.name}.`, rules: [], models: [model] };
  }
  return null;
}
/** What stops one who could not go where the hand wanted it, the one in the hand first; the areas that the server sent say where that is. */
export function stopper(
  movers: Mover[],
  ends: End[],
  held: number,
  zone: Zone,
  guard: Guard | null,
  around: Around,
): Reason | null {
  if (zone.area.length && ends.some(e => e.short && !holds(zone.area, ...e.to)))
    return { text: "Stopped: beyond is outside the area where the unit may be set up.", rules: zone.rules };
  const short = movers.map((mover, i) => ({ mover, end: ends[i] })).filter(({ end }) => end.short && end.far > STIR);
  for (const { mover, end } of short.sort((a, b) => Number(b.mover.model === held) - Number(a.mover.model === held))) {
    const out = firstOut(mover, end.to),
      found = out && obstacle(mover, out, guard, around);
    if (found) return found;
  }
  return null;
}
/** Back from as far on its way as a model could get, the first place where it may not be; null where it could stay at the end, or nobody knows. */
function firstOut({ x, y, allowance, areas }: Mover, to: Point): Point | null {
  const part = Math.min(allowance / Math.max(Math.hypot(to[0] - x, to[1] - y), 1), 1),
    on = (k: number): Point => [x + ((to[0] - x) * part * k) / BACK, y + ((to[1] - y) * part * k) / BACK];
  let last = BACK;
  while (areas.length && last > 0 && !within(areas, ...on(last))) last--;
  return last < BACK ? on(last + 1) : null;
}
/** What keeps a model from a place, by its name: whoever stands there, what is built there, or that the table ends. */
function obstacle({ x, y, base, allowance }: Mover, at: Point, guard: Guard | null, around: Around): Reason | null {
  const near = nearEnemy(guard, base, ...at, ROUGH);
  if (near) return { text: `Stopped: ${near.text}.`, rules: near.rules };
  if (Math.hypot(x - at[0], y - at[1]) > allowance - SURE) return null;
  const meets = (o: { thing: Thing }) => away(base, ...at, o.thing, ROUGH),
    piece = around.terrain.find(f => holds(f.outline, ...at)),
    name = around.others.find(meets)?.name ?? around.obstacles.find(meets)?.name ?? piece?.name ?? piece?.kind;
  if (name) return { text: `Stopped: ${name} is in the way.`, rules: [] };
  const isOut = at.some((v, axis) => Math.min(v, around.size[axis] - v) < base.reach + ROUGH);
  return { text: isOut ? "Stopped: the table ends there." : "Stopped: no way leads on from here.", rules: [] };
}
/** The enemy in whose ring a model would stand at a place, or so much more outside it. */
function nearEnemy(guard: Guard | null, base: Base, x: number, y: number, more: number): Reason | null {
  const found = guard?.around(x, y).find(({ thing, gap }) => away(base, x, y, thing, gap + more));
  if (!guard || !found) return null;
  const { far, name, rule } = guard.ring,
    kept = /^\d/.test(name) ? "Too near, within" : `${name.charAt(0).toUpperCase()}${name.slice(1)},`;
  return { text: `${kept} ${tell(far, guard.unit)} of ${found.enemy.name}`, rules: rule ? [rule] : [] };
}
