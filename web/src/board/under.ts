/* What lies under a place of the screen: a badge, a ghost or a model, and for a finger whatever is near enough. */

import type { Game } from "../game.svelte";
import { ON_TABLE, PLACE, X, Y } from "../protocol";
import type { BadgeLayer } from "./badges";
import type { Camera } from "./camera";
import type { Hit } from "./hands";

const THUMB = 44; // pixels that a finger needs

export function under(game: Game, cam: Camera, { laid }: BadgeLayer, touch: boolean, sx: number, sy: number): Hit {
  for (const { unit, box } of laid)
    if (sx >= box[0] && sx <= box[2] && sy >= box[1] && sy <= box[3]) return { model: -1, unit };
  const [x, y] = cam.at(sx, sy);
  let best = -1,
    least = Infinity;
  for (const g of game.ghosts) {
    const d = Math.hypot(g.x - x, g.y - y),
      r = game.baseOf(g.model).long / 2;
    if (d < r + 4 / cam.k && d < least) {
      least = d;
      best = g.model;
    }
  }
  for (let m = 0; m < game.view.models.length; m++) {
    const row = game.view.models[m];
    if (row[PLACE] !== ON_TABLE) continue;
    const d = Math.hypot(row[X] - x, row[Y] - y),
      r = Math.max(game.baseOf(m).long / 2, (touch ? 20 : 6) / cam.k);
    if (d < r && d < least) {
      least = d;
      best = m;
    }
  }
  if (best >= 0 || !touch) return { model: best, unit: best >= 0 ? game.unitOf(best) : -1 };
  // A finger that meant a badge may be a little beside it.
  const near = laid
    .map(({ unit, box: [left, top, right, bottom] }) => {
      const more = Math.max(THUMB - (bottom - top), 0) / 2;
      return { unit, far: Math.max(left - more - sx, sx - right - more, top - more - sy, sy - bottom - more) };
    })
    .filter(b => b.far <= 0);
  return { model: -1, unit: near.length ? near.reduce((a, b) => (b.far < a.far ? b : a)).unit : -1 };
}
