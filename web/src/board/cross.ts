/* Where keys point at. */

import type { Game } from "../game.svelte";
import { STEP, type Point } from "../protocol";
import type { Camera } from "./camera";

const PACE = { in: 0.5, cm: 1 }; // how far keys point at a time
const WIDE = 6; // times that

/** The next place in a direction: from where keys pointed, from the unit that is asked about, or from the middle of where one may be put. */
export function stepped(game: Game, cam: Camera, dx: number, dy: number, wide: boolean): Point {
  const d = game.decision,
    { table } = game.ground,
    by = (game.ground.unit === "in" ? PACE.in : PACE.cm) * STEP * (wide ? WIDE : 1),
    area = d?.shape === "place" && d.area.length ? d.area : null;
  const [x, y] =
    game.mark ??
    (d && d.unit >= 0 ? game.middle(d.unit) : null) ??
    (area ? amid(area) : cam.at(cam.wide / 2, cam.high / 2));
  return [
    Math.min(Math.max(Math.round(x + dx * by), 0), table.width),
    Math.min(Math.max(Math.round(y + dy * by), 0), table.depth),
  ];
}
/** The middle of an area, as wide and as deep as it is. */
export const amid = (area: Point[]): Point => [between(area.map(p => p[0])), between(area.map(p => p[1]))];
const between = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
