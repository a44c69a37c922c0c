/* The table as a unit finds it that goes somewhere: who stands on it, what lies there, and what one may want to be near to. */

import type { Game } from "../game.svelte";
import { amid } from "../board/cross";
import { heightAt } from "../board/floors";
import type { Standing } from "../board/models";
import { featuresOf } from "../board/terrain";
import { ON_TABLE, PLACE, STEP, type Point, type Ring } from "../protocol";
import { reachOf, riseOf, type Kept, type Upright } from "./kept";
import type { Marker } from "./magnets";
import { middleOf } from "./movers.svelte";
import { standing, thing, turned, type Base, type Thing } from "./room";

/** A model that stands on the table. */
export interface Stander extends Upright {
  model: number;
  /** Its unit, and what that is called. */
  unit: number;
  name: string;
  isEnemy: boolean;
  x: number;
  y: number;
  thing: Thing;
}
/** An enemy, and how far one keeps away from it. */
export interface Guarded extends Kept {
  enemy: Stander;
}
/** The ring around each enemy that one keeps out of, and how far it reaches for who stands at a place; `unit` is that of lengths. */
export interface Guard {
  ring: Ring;
  unit: string;
  around(x: number, y: number): Guarded[];
}

export class Field {
  private stood: { turn: number; all: Stander[] } = { turn: -1, all: [] };

  constructor(
    private game: Game,
    /** The unit that goes somewhere. */
    readonly unit: number,
  ) {}
  get size(): Point {
    const { width, depth } = this.game.ground.table;
    return [width, depth];
  }
  base(model: number, facing: number): Base {
    const { shapes, shape_of } = this.game.ground;
    return turned(shapes[shape_of[model]], facing);
  }
  /** All that stand on the table: they are needed for every frame, and change with the view. */
  get standers(): Stander[] {
    const { game } = this;
    if (this.stood.turn !== game.turn)
      this.stood = {
        turn: game.turn,
        all: game.view.models.flatMap((row, m) => (row[PLACE] === ON_TABLE ? [this.stander(m, game.at(m))] : [])),
      };
    return this.stood.all;
  }
  /** A model as it stands, or would stand. */
  stander(model: number, at: Standing): Stander {
    const { game } = this,
      unit = game.unitOf(model),
      { x, y, z, facing } = at,
      isEnemy = game.isEnemy(unit, this.unit);
    return {
      model,
      unit,
      name: game.view.units[unit].name,
      isEnemy,
      x,
      y,
      z,
      thick: game.baseOf(model).thick,
      thing: standing(this.base(model, facing), x, y),
    };
  }
  get enemies(): Stander[] {
    return this.standers.filter(s => s.isEnemy);
  }
  /** Where the nearest enemy stands; null without any. */
  foeNear([x, y]: Point): Point | null {
    const far = (s: Stander) => Math.hypot(s.x - x, s.y - y),
      { enemies } = this;
    if (!enemies.length) return null;
    const foe = enemies.reduce((best, s) => (far(s) < far(best) ? s : best));
    return [foe.x, foe.y];
  }
  get guard(): Guard | null {
    const [ring] = this.game.keepOut;
    return ring ? { ring, unit: this.game.ground.unit, around: (x, y) => this.guarded(ring, x, y) } : null;
  }
  /** The enemies whose ring reaches who stands at a place, on the floor that is looked at. */
  guarded(ring: Ring, x: number, y: number): Guarded[] {
    const { game } = this,
      thick = Math.max(0, ...game.view.units[this.unit].models.map(m => game.baseOf(m).thick)),
      own = { z: heightAt(game, x, y), thick };
    return this.enemies
      .map(enemy => ({ enemy, thing: enemy.thing, gap: reachOf(ring, riseOf(own, enemy)) }))
      .filter(kept => kept.gap >= 0);
  }
  /** Whether markers are kept free: nobody ends on one. */
  private get keepsMarkers(): boolean {
    return this.game.ground.rings.some(r => r.around === "objectives");
  }
  /** What nobody stands in, beside others, and what it is called; upstairs terrain is no matter. */
  get obstacles(): { thing: Thing; name: string }[] {
    const { game } = this,
      found: { thing: Thing; name: string }[] = [];
    for (const f of game.level ? [] : featuresOf(game)) {
      const name = f.name || f.kind;
      if (f.solid && (f.top ?? 1) > 0) found.push({ thing: thing(f.outline, 0), name });
      for (const w of f.walls ?? [])
        if (w.top > 0 && (w.bottom ?? 0) < STEP)
          found.push({ thing: thing([w.a, w.b], w.thickness / 2), name: `a wall of ${name}` });
    }
    if (this.keepsMarkers)
      for (const [x, y, radius, , name] of game.board?.objectives ?? [])
        found.push({ thing: thing([[x, y]], radius), name: `marker ${name}` });
    return found;
  }
  get solid(): Thing[] {
    return this.obstacles.map(o => o.thing);
  }
  /** Areas that one may mean to be wholly within. */
  get grounds(): { name: string; outline: Point[] }[] {
    const { game } = this;
    return game.level
      ? []
      : featuresOf(game)
          .filter(f => !f.solid && f.outline.length > 2)
          .map(f => ({ name: f.name || f.kind, outline: f.outline }));
  }
  /** What one means to be near to: markers, and the nearest of those who help the unit by an aura, for each; whose own unit it is helps it wherever it is. */
  marks([gx, gy]: Point, movers: number): Marker[] {
    const { game } = this;
    const markers = (game.board?.objectives ?? []).map(([x, y, radius, reach, name]) => ({
      thing: thing([[x, y]], radius),
      x,
      y,
      reach,
      name: `marker ${name}`,
      spot: !this.keepsMarkers || movers > 1,
    }));
    const far = (s: Stander) => Math.hypot(s.x - gx, s.y - gy);
    const auras = game.ground.auras
      .filter(a => a.units.includes(this.unit) && !a.models.some(m => game.unitOf(m) === this.unit))
      .flatMap(a => {
        const [first] = a.models
          .flatMap(m => this.standers.find(s => s.model === m) ?? [])
          .sort((l, r) => far(l) - far(r));
        if (!first) return [];
        const { thing, x, y, name } = first;
        return [{ thing, x, y, reach: a.far, name: `${a.name} of ${name}`, spot: false }];
      });
    return [...markers, ...auras];
  }
  /** Where a unit that keys set up is looked for first: where it usually would be, else in the middle of its area. */
  somewhere(area: Point[]): Point {
    const { game, size } = this,
      usual = game.usual ? game.ghostsOf(game.usual.answer) : [];
    if (usual.length) return middleOf(usual);
    return area.length ? amid(area) : [size[0] / 2, size[1] / 2];
  }
}
