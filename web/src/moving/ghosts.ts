/* The ghosts: where each model goes, as the hand, the formation and magnets have it, and the answer that this is. */

import type { Game, Ghost, Plan } from "../game.svelte";
import { heightAt } from "../board/floors";
import { featuresOf, within } from "../board/terrain";
import { STEP, type Move, type Place, type Point, type Reason, type Spot } from "../protocol";
import { magnets, via, type Aim } from "./aim.svelte";
import { bearing, facingOf, type Formed } from "./formed.svelte";
import type { Field } from "./field";
import { flow, type Bounds, type End, type Mover } from "./flow";
import { pull, type Pull } from "./magnets";
import type { Modes } from "./modes.svelte";
import { middleOf, type Movers } from "./movers.svelte";
import { plainlyWrong, stopper, type Zone } from "./refusals";

const SAME = STEP / 10; // ends this near are the same
const PULL = 0.45 * STEP; // magnets reach this far
const HAIR = 5; // steps beyond a distance that one keeps out of
const MANY = 7; // so many models have two comrades near, whatever the edition asks for
const STIR = 4; // steps that are no move
const FILE = 5; // models beside each other, where they come from nowhere

export class Ghosts {
  ends: End[] = [];
  private going: Mover[] = [];

  constructor(
    private game: Game,
    private decision: Move | Place,
    private field: Field,
    private movers: Movers,
    private modes: Modes,
    private formed: Formed,
    private aim: Aim,
  ) {}
  /** The plan that shows them. */
  get plan(): Plan | null {
    const { plan } = this.game;
    return plan?.decision === this.decision.id ? plan : null;
  }
  /** Where the unit is, or is planned to be; where it is neither, where it may be wanted. */
  get middle(): Point {
    const ghosts = this.plan?.ghosts ?? [];
    return ghosts.length ? middleOf(ghosts) : (this.movers.middle ?? this.field.somewhere(this.zone.area));
  }
  get bearing(): number {
    return bearing(this.movers.middle, this.aim.goal, this.field.size);
  }
  private get zone(): Zone {
    const { decision } = this;
    return { area: decision.shape === "place" ? decision.area : [], rules: decision.rules };
  }

  /** Put them where the hand wants them; it holds one of the models, or none. */
  lay(held: number): void {
    const { game, aim, formed, movers } = this,
      { unset } = movers,
      goal = aim.goal!;
    this.going = movers.models.map((m, i) => (unset ? this.arriving(m, i, goal) : this.leaving(m)));
    const bounds = this.bounds(goal, formed.keeps ? held : -1),
      together = game.ground.rings.find(r => r.around === "comrades")?.far ?? 0,
      wanted = formed.wanted(goal, this.bearing, together, unset);
    this.ends = flow(this.going, bounds, wanted);
    aim.draw(aim.loose || magnets.off ? null : this.pull(goal));
    if (aim.pulled)
      this.ends = flow(this.going, bounds, { ...wanted, x: wanted.x + aim.pulled.x, y: wanted.y + aim.pulled.y });
    if (aim.way.length) this.ends = this.ends.map(e => ({ ...e, far: e.far + this.via(e.model).far }));
  }
  clear(): void {
    this.ends = [];
  }
  /** One who comes from nowhere, in files behind the goal. */
  private arriving(model: number, i: number, [x, y]: Point): Mover {
    const base = this.field.base(model, this.facing(model)),
      far = 2 * base.reach,
      at = { x: x + (i % FILE) * far, y: y - Math.floor(i / FILE) * far };
    return { model, ...at, base, allowance: this.modes.allowance, areas: [], stays: false };
  }
  private leaving(model: number): Mover {
    const { modes } = this,
      base = this.field.base(model, this.facing(model)),
      { points, far } = this.via(model),
      at = this.game.at(model),
      [x, y] = points[points.length - 1] ?? [at.x, at.y],
      allowance = Math.max(modes.allowance - far, 0);
    return { model, x, y, base, allowance, areas: points.length ? [] : modes.areaOf(model), stays: !allowance };
  }
  private via(model: number): { points: Point[]; far: number } {
    return via(this.aim.way, this.game.at(model), this.movers.middle);
  }
  /** What ends keep to besides. */
  private bounds(goal: Point, lead: number): Bounds {
    const { game, field } = this,
      z = heightAt(game, ...goal),
      others = this.others,
      staying = others.filter(s => s.unit === field.unit).map(s => s.thing),
      near = game.ground.rings.find(r => r.around === "comrades"),
      many = this.going.length + staying.length,
      guard = this.keepsOut ? field.guard : null;
    return {
      size: field.size,
      things: [...others.filter(s => Math.abs(s.z - z) < STEP).map(s => s.thing), ...field.solid],
      zones: guard ? guard.enemies.map(({ thing }) => ({ thing, gap: guard.ring.far + HAIR })) : [],
      inside: this.zone.area,
      near: near?.far ?? 0,
      links: many < MANY ? 1 : 2,
      spread: near?.spread ?? -1,
      staying,
      lead,
    };
  }
  /** Whether ghosts keep out of rings by themselves: where the question has rings of its own, or there are ways that lead into none. */
  private get keepsOut(): boolean {
    return this.movers.unset ? !!this.game.keepOut[0]?.kinds?.length : this.modes.all.length > 1;
  }
  /** Who stands still. */
  private get others() {
    const moving = new Set(this.movers.models);
    return this.field.standers.filter(s => !moving.has(s.model));
  }
  private pull(goal: Point): Pull | null {
    const { game, field, modes, movers } = this;
    return pull(
      this.ends,
      this.going.map(m => m.base),
      field.enemies.map(e => e.thing),
      // The first ring is the one that a move keeps out of; further ones matter where units are set up.
      game.keepOut.slice(0, movers.unset ? undefined : 1),
      field.marks(goal, movers.models.length),
      PULL,
      // Who has several ways of moving keeps away from enemies, unless told otherwise.
      (x, y) => modes.all.length === 1 || within(modes.near?.outlines ?? [], x, y),
      game.level ? null : game.shade,
    );
  }

  /** What is wrong with them for all to see. */
  get wrong(): Reason | null {
    const { game } = this,
      placed = this.ends.map((e, i) => ({
        ...e,
        base: this.going[i].base,
        z: heightAt(game, e.x, e.y),
        raised: !!game.at(e.model).z,
      }));
    return plainlyWrong(placed, this.zone, this.modes.open, this.field.guard, this.others);
  }
  /** What stopped them on their way to where the hand wanted them. */
  stopper(held: number): Reason | null {
    if (this.aim.way.length) return null;
    return stopper(this.going, this.ends, held, this.zone, this.field.guard, featuresOf(this.game));
  }

  /** As they are drawn. */
  get shown(): Ghost[] {
    const { game, movers } = this;
    return this.spots.map((spot, i) => {
      const { x, y } = game.at(spot.model),
        way: Point[] = movers.unset ? [] : [[x, y], ...this.via(spot.model).points, [spot.x, spot.y]];
      return { ...spot, short: this.ends[i].short, way };
    });
  }
  private facing(model: number): number {
    const angle = this.formed.angle ?? (this.movers.unset ? this.bearing : null);
    return angle === null ? this.game.at(model).facing : facingOf(angle);
  }
  private get spots(): Required<Spot>[] {
    const { game, ends } = this;
    return ends.map(({ model, x, y }) => ({ model, x, y, z: heightAt(game, x, y), facing: this.facing(model) }));
  }
  /** What is answered by them: those who move with the place where each turns, too; before a roll, nothing but the way of moving. */
  get answer(): unknown {
    const { game, modes } = this,
      mode = modes.name;
    if (this.movers.unset) return this.spots;
    if (modes.isRolled(mode)) return { mode, paths: [] };
    const paths = this.spots
      .filter((_, i) => this.ends[i].far > STIR)
      .map(({ model, x, y, z, facing }) => {
        const now = game.at(model),
          legs = this.via(model).points.map(([x, y]) => ({ do: "go", x, y, z: now.z, facing: now.facing }));
        legs.push({ do: "go", x, y, z, facing: now.facing });
        if (facing !== now.facing) legs.push({ do: "turn", x, y, z, facing });
        return { model, legs };
      });
    return { mode, paths };
  }
  /** The nearest to a goal that the server finds. */
  seek([x, y]: Point): Promise<unknown> {
    return this.game.towards(x, y, this.formed.shape, this.modes.name, this.spots);
  }
  /** Whether an answer puts anybody somewhere else than the hand did. */
  strays(answer: unknown): boolean {
    const ghosts = this.game.ghostsOf(answer);
    return this.ends.some(e => {
      const g = ghosts.find(h => h.model === e.model);
      return g ? Math.hypot(g.x - e.x, g.y - e.y) > SAME : e.far > SAME;
    });
  }
  /** Whether an answer moves models that were not picked. */
  stirs(answer: unknown): boolean {
    const { only } = this.movers;
    return only.size > 0 && this.game.ghostsOf(answer).some(g => !only.has(g.model));
  }
}
