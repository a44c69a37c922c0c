/* Places on the table that an answer is made of: where a hand takes hold of one, and what draws one. */

import { magnets } from "../moving/aim.svelte";
import { away, thing, turned } from "../moving/room";
import { ON_TABLE, PLACE, type Point } from "../protocol";
import type { Game } from "../game.svelte";
import { COARSE } from "../ui/pointer";

/** Pixels around a place that can be dragged, and from the middle of a unit that is meant. */
const GRIP = COARSE ? 24 : 12;

/** The last of some places that a hand would take hold of; `reach`: how far around each that is, if more than a hand needs. */
export function grip(game: Game, places: { x: number; y: number }[], x: number, y: number, reach = 0): number {
  const far = Math.max(reach, GRIP / game.scale);
  return places.findLastIndex(p => Math.hypot(p.x - x, p.y - y) < far);
}
/** Where something lies, as it is told of; null for nothing. */
export const spot = (at?: { x: number; y: number }): Point | null => (at ? [at.x, at.y] : null);
/** The middle of the unit that a place is near to, unless magnets are off. */
export function drawn(game: Game, x: number, y: number, loose: boolean): { x: number; y: number; name: string } {
  let best = { x: Math.round(x), y: Math.round(y), name: "" },
    least = loose || magnets.off ? 0 : GRIP / game.scale;
  game.view.units.forEach((unit, u) => {
    const at = game.middle(u),
      far = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
    if (at && far < least) {
      least = far;
      best = { x: Math.round(at[0]), y: Math.round(at[1]), name: unit.name };
    }
  });
  return best;
}
/** Who stands under something round, at least partly: how many of each unit. */
export function covered(game: Game, places: { x: number; y: number }[], radius: number): Map<number, number> {
  const found = new Map<number, number>();
  game.view.models.forEach((row, m) => {
    const { x, y, facing } = game.at(m),
      base = turned(game.ground.shapes[game.ground.shape_of[m]], facing);
    if (row[PLACE] === ON_TABLE && places.some(p => away(base, x, y, thing([[p.x, p.y] as Point], 0), radius + 1)))
      found.set(game.unitOf(m), (found.get(game.unitOf(m)) ?? 0) + 1);
  });
  return found;
}
