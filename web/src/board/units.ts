/* Models on the table, where they stand or on the way there, and who stands out among them. */

import type { Game } from "../game.svelte";
import { ON_TABLE, PLACE, TURN } from "../protocol";
import { fades, passedOver, type Box, type OnScreen } from "./badges";
import type { Camera } from "./camera";
import { awayFrom } from "./floors";
import { drawModel, type Standing } from "./models";
import { FONT, INK, sideStyle } from "./style";

const LEAP = 350; // milliseconds that a move takes on the screen
const READABLE = 4.5; // pixels from the middle to the rim of a base that a number fits on
const NOBODY = new Set<number>();

export class UnitLayer {
  /** Where each unit's models are on the screen, and what they cover. */
  bases: OnScreen = new Map();
  solid: Box[] = [];
  private calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** `planned`: those whose ghosts stand elsewhere. */
  draw(c: CanvasRenderingContext2D, cam: Camera, game: Game, planned: Map<number, unknown>): void {
    const { view } = game,
      shooter = game.pointers.some(p => p.kind === "fire") ? (game.decision?.unit ?? -1) : -1,
      time = performance.now(),
      picked = game.actor?.picked ?? NOBODY,
      idle = game.actor?.idle ?? NOBODY,
      away = awayFrom(game);
    this.bases.clear();
    this.solid = [];
    this.settle(game, time);
    for (let m = 0; m < view.models.length; m++) {
      if (view.models[m][PLACE] !== ON_TABLE) continue;
      const unit = game.unitOf(m),
        base = game.baseOf(m),
        at = leaping(game, m, time),
        chosen = unit === game.selected || picked.has(m),
        aimed = game.pointed.has(unit);
      const r = (Math.max(base.long, base.broad) / 2) * cam.k,
        px = cam.px(at.x),
        py = cam.py(at.y),
        beside = this.bases.get(unit);
      this.solid.push([px - r, py - r, px + r, py + r]);
      if (beside) beside.push([px, py, r]);
      else this.bases.set(unit, [[px, py, r]]);
      const halo = idle.has(m)
        ? undefined
        : shooter >= 0 && (aimed || unit === shooter)
          ? sideStyle(game.sideOf(unit)).dark
          : aimed
            ? "#c4261d"
            : picked.has(m)
              ? INK.clear
              : chosen
                ? passedOver(game, unit)
                  ? INK.neutral
                  : INK.amber
                : game.pointable.has(unit)
                  ? "rgba(224,161,0,.6)"
                  : undefined;
      drawModel(c, cam, base, at, {
        style: sideStyle(game.sideOf(unit)),
        alpha: planned.has(m) || idle.has(m) ? 0.35 : away(at) || fades(game, unit) ? 0.45 : 1,
        halo,
        dash: !chosen && !aimed && unit !== shooter,
        wounds: game.wounds(m),
      });
      if (game.numbers.has(m)) drawNumber(c, game.numbers.get(m)!, px, py, r);
    }
  }
  /** Who has arrived moves no more, nor does anybody who is not there to be seen: else the table would be drawn for ever. */
  private settle({ moving, view }: Game, time: number): void {
    for (const [m, { since }] of moving)
      if (this.calm || time - since >= LEAP || view.models[m][PLACE] !== ON_TABLE) moving.delete(m);
  }
}
/** The number of a model, on its base; those that are too small for it are told apart when they are pointed at. */
function drawNumber(c: CanvasRenderingContext2D, text: string, x: number, y: number, r: number): void {
  if (r < READABLE) return;
  c.font = `700 ${Math.min(Math.max(1.1 * r, 8.5), 14)}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.lineJoin = "round";
  c.lineWidth = 2.5;
  c.strokeStyle = INK.text;
  c.strokeText(text, x, y + 0.5);
  c.fillStyle = "#fff";
  c.fillText(text, x, y + 0.5);
}
/** Where a model is while it moves to where it stands. */
function leaping(game: Game, model: number, time: number): Standing {
  const at = game.at(model),
    leap = game.moving.get(model);
  if (!leap) return at;
  const t = (time - leap.since) / LEAP,
    e = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2,
    turn = ((at.facing - leap.from[2] + 1.5 * TURN) % TURN) - TURN / 2;
  return {
    x: leap.from[0] + (at.x - leap.from[0]) * e,
    y: leap.from[1] + (at.y - leap.from[1]) * e,
    z: at.z,
    facing: leap.from[2] + turn * e,
  };
}
