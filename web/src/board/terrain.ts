/* The table itself, as replays show it too: here it gets the colours, and whose zones are whose. */

import { drawGround as draw, type Plan } from "../../../src/sandtable/page/drawing.js";
import type { Game } from "../game.svelte";
import type { Feature, Point } from "../protocol";
import type { Camera } from "./camera";
import { INK, kindOf, sideStyle } from "./style";

export { drawMarkers, holds, tell, trace, unitSign } from "../../../src/sandtable/page/drawing.js";
export interface Zone {
  outline: Point[];
  side: number;
  name: string;
}
export interface GroundPlan extends Pick<Plan, "size" | "unit" | "early" | "pace" | "narrow"> {
  features: Feature[];
  zones: Zone[];
}

/** The terrain of the table, and what came up during the battle. */
export const featuresOf = (game: Game): Feature[] => [...game.ground.table.features, ...game.view.features];
/** Where armies are deployed, by the name that each has for the player. */
export function zonesOf(game: Game): Zone[] {
  return (game.board?.zones ?? []).map(z => {
    const [outline, player] = Array.isArray(z) ? z : [z.outline, z.player],
      owner = player >= 0 ? game.view.players[player] : null;
    return {
      outline,
      side: owner ? owner.side : -1,
      name:
        owner && player === game.you
          ? "Your deployment zone"
          : owner
            ? `Deployment zone of ${owner.name}`
            : "Deployment zone",
    };
  });
}

/** Whether a place lies in an area of several outlines; they may overlap, and holes run the other way around. */
export function within(outlines: Point[][], x: number, y: number): boolean {
  let turns = 0;
  for (const points of outlines)
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const [ax, ay] = points[j],
        [bx, by] = points[i];
      if (ay <= y === by <= y) continue;
      const left = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
      if (by > ay && left > 0) turns++;
      else if (by < ay && left < 0) turns--;
    }
  return turns !== 0;
}
export function drawGround(c: CanvasRenderingContext2D, cam: Camera, plan: GroundPlan): void {
  const zones = plan.zones.map(z => ({ ...z, colour: z.side >= 0 ? sideStyle(z.side).colour : INK.neutral }));
  draw(c, cam, { ...plan, zones, kindOf, ink: INK });
}
