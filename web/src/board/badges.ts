/* Badges of units: what each says, where they lie, and who stands out among them. */

import { drawBadge, drawLeader, layBadges, type Badge, type Laid } from "../../../src/sandtable/page/drawing.js";
import type { Game } from "../game.svelte";
import { GONE, ON_TABLE, PLACE } from "../protocol";
import type { Camera } from "./camera";
import { INK, sideStyle } from "./style";

export type Box = Laid["box"];
/** Where each unit's models are on the screen, and how large. */
export type OnScreen = Map<number, Badge["models"]>;

/** While a unit is picked, whoever is not concerned steps back. */
export function fades(game: Game, unit: number): boolean {
  const d = game.decision;
  return (
    !!d &&
    d.unit >= 0 &&
    !game.telling &&
    !game.automatic &&
    unit !== d.unit &&
    unit !== game.selected &&
    unit !== game.hovered &&
    !game.pointable.has(unit) &&
    !game.pointed.has(unit) &&
    !game.letters.has(unit) &&
    !game.concerned.has(unit)
  );
}
/** What is looked at but not offered must not stand out more than what is. */
export const passedOver = (game: Game, unit: number): boolean =>
  game.pointable.size > 0 && !game.pointable.has(unit) && unit !== game.decision?.unit;

/** How many models of a unit are on the table, of how many, and which part of its wounds is left. */
function countOf(game: Game, unit: number): { here: number; of: number; left: number } {
  const { models } = game.view.units[unit],
    placeOf = (m: number) => game.view.models[m][PLACE];
  let wounds = 0,
    full = 0;
  for (const m of models) {
    const [left, whole] = game.wounds(m);
    full += whole;
    if (placeOf(m) !== GONE) wounds += Math.max(left, 0);
  }
  return {
    here: models.filter(m => placeOf(m) === ON_TABLE).length,
    of: models.length,
    left: full ? wounds / full : 1,
  };
}
function badgeOf(game: Game, unit: number, models: Badge["models"], busy: boolean): Badge {
  const d = game.decision,
    u = game.view.units[unit],
    count = countOf(game, unit),
    held = unit === d?.unit && busy && !!game.plan,
    passed = !!d && passedOver(game, unit) && !game.pointed.has(unit);
  return {
    unit,
    name: u.name,
    label: game.ground.labels[unit] ?? u.name,
    count: count.of > 1 ? String(count.here) : "",
    lost: count.here < count.of,
    marks: (game.board?.marks[unit] ?? []).map(m => m.text),
    style: sideStyle(game.sideOf(unit)),
    left: count.left,
    models,
    halo: game.pointed.has(unit)
      ? "#ff6b5e"
      : unit === game.selected
        ? passedOver(game, unit)
          ? INK.neutral
          : INK.amber
        : undefined,
    letter: game.letters.get(unit),
    dim: fades(game, unit),
    faded: held || passed,
    // What a hand holds needs its room for what it is put beside.
    modest: passed && !held,
    chip: game.chips.get(unit),
  };
}
const DISC = 9; // pixels around the middle of a marker
/** The numbers of markers, which should be read. */
export const figuresOf = (cam: Camera, game: Game): Box[] =>
  (game.board?.objectives ?? []).map(([x, y]) => [
    cam.px(x) - DISC,
    cam.py(y) - DISC,
    cam.px(x) + DISC,
    cam.py(y) + DISC,
  ]);
export class BadgeLayer {
  /** Where badges lie. */
  laid: Laid[] = [];
  private spots = new Map<number, Laid>();
  private key = "";
  private down: Box[] = [];

  /** `solid`: what they must not hide; `tools`: where buttons lie; `busy`: while a hand holds something. */
  draw(
    c: CanvasRenderingContext2D,
    cam: Camera,
    game: Game,
    models: OnScreen,
    { solid, tools, busy, touch }: { solid: Box[]; tools: Box; busy: boolean; touch: boolean },
  ): void {
    const shown = [...models].map(([unit, where]) => badgeOf(game, unit, where, busy));
    // What was put down moves badges out of its way; what is still in the hand does not make them jump.
    const { ghosts } = game;
    if (!busy)
      this.down = ghosts.map(g => {
        const r = (game.baseOf(g.model).long / 2) * cam.k,
          x = cam.px(g.x),
          y = cam.py(g.y);
        return [x - r, y - r, x + r, y + r];
      });
    const key = [
      cam.k,
      cam.wide,
      game.turn,
      game.chips.size,
      game.letters.size,
      game.board?.marks.map(marks => marks.map(m => m.text)).join(),
      busy ? "" : ghosts.map(g => [g.x, g.y]).join(),
    ].join();
    if (key !== this.key && !game.moving.size) {
      this.key = key;
      this.spots = new Map();
    }
    this.laid = layBadges(c, cam, shown, {
      solid: [...this.down, ...solid],
      taken: [tools],
      figures: figuresOf(cam, game),
      touch,
      kept: this.spots,
    });
    for (const l of this.laid) this.spots.set(l.unit, l);
    for (const part of [drawLeader, drawBadge])
      for (const l of this.laid) part(c, l, (l.box[0] + l.box[2]) / 2, (l.box[1] + l.box[3]) / 2);
  }
}
