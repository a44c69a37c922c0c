/* Buildings floor by floor: what is drawn of the one that is looked at, and who does not stand there. */

import type { Game } from "../game.svelte";
import { STEP, type Floor } from "../protocol";
import type { Camera } from "./camera";
import type { Standing } from "./models";
import { INK } from "./style";
import { featuresOf, holds, trace } from "./terrain";

/** How many floors the highest building has. */
export const levelsOf = (game: Game): number => Math.max(0, ...featuresOf(game).map(f => f.floors?.length ?? 0));
/** The floors of a level, counted in each building from below. */
const floorsOf = (game: Game, level: number): Floor[] =>
  featuresOf(game).flatMap(f => [...(f.floors ?? [])].sort((a, b) => a.z - b.z).slice(level - 1, level));
/** How high one stands at a place: on the floor that is looked at, where there is one, else on the ground. */
export const heightAt = (game: Game, x: number, y: number): number =>
  (game.level ? floorsOf(game, game.level).find(floor => holds(floor.outline, x, y)) : undefined)?.z ?? 0;
/** The floors that are looked at. */
export function drawFloors(c: CanvasRenderingContext2D, cam: Camera, game: Game): void {
  for (const floor of floorsOf(game, game.level)) {
    trace(c, cam, floor.outline);
    c.globalAlpha = 0.8;
    c.fillStyle = "#fffdf4";
    c.fill();
    c.globalAlpha = 1;
    c.lineWidth = 2;
    c.strokeStyle = INK.amber;
    c.stroke();
  }
}
/** Who does not stand on the floor that is looked at. */
export function awayFrom(game: Game): (at: Standing) => boolean {
  const looked = game.level ? floorsOf(game, game.level) : null;
  const isOn = (floor: Floor, at: Standing) => Math.abs(floor.z - at.z) < STEP / 4 && holds(floor.outline, at.x, at.y);
  return at => !!looked && !looked.some(floor => isOn(floor, at));
}
