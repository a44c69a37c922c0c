/* The ghosts: where each model goes, as the hand, the formation and magnets have it, and the answer that this is. */

import type { Game, Ghost, Plan } from "../game.svelte";
import { heightAt } from "../board/floors";
import { featuresOf, within } from "../board/terrain";
import { wanted } from "../board/together";
import { STEP, type Move, type Place, type Path, type Point, type Reason, type Spot } from "../protocol";
import { magnets, via, type Aim } from "./aim.svelte";
import { bearing, facingOf, type Formed } from "./formed.svelte";
import type { Field, Stander } from "./field";
import { flow, type Bounds, type End, type Mover } from "./flow";
import { pull, type Pull } from "./magnets";
import type { Modes } from "./modes.svelte";
import { middleOf, type Movers } from "./movers.svelte";
import { plainlyWrong, stopper, type Zone } from "./refusals";

const SAME = STEP / 10; // ends this near are the same
const PULL = 7; // pixels that magnets reach
const PULLED = [0.35, 1]; // of what a base reaches from its middle, they reach at least and at most
const HAIR = 5; // steps beyond a distance that one keeps out of
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
    const { models, unset, middle } = this.movers,
      ghosts = (this.plan?.ghosts ?? []).filter(g => models.includes(g.model));
    if (unset || ghosts.length === models.length)
      return ghosts.length ? middleOf(ghosts) : this.field.somewhere(this.zone.area);
    return ghosts.length ? middleOf(models.map(m => this.stood(m))) : middle!;
  }
  /** Where a model is as planned, or where it stands. */
  private stood(model: number): { x: number; y: number } {
    return this.plan?.ghosts.find(g => g.model === model) ?? this.game.at(model);
  }
  /** How wide a base is, and from the first to the last the unit across the way that it looks. */
  get breadth(): [number, number] {
    const { models } = this.movers,
      angle = this.formed.angle ?? this.bearing,
      [c, s] = [Math.cos(angle), Math.sin(angle)],
      shown = this.plan?.ghosts.filter(g => models.includes(g.model)) ?? [],
      across = (shown.length ? shown : models.map(m => this.game.at(m))).map(p => p.x * s - p.y * c);
    return [2 * Math.max(...models.map(m => this.field.base(m, 0).reach)), Math.max(...across) - Math.min(...across)];
  }
  get bearing(): number {
    const { field, movers } = this;
    return bearing(movers.middle, this.aim.goal, movers.middle && field.foeNear(movers.middle), field.size);
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
      wanted = formed.wanted(goal, this.bearing, unset && !movers.proposal);
    this.ends = flow(this.going, bounds, wanted);
    aim.draw(aim.loose || magnets.off ? null : this.pull(goal));
    if (aim.pulled)
      this.ends = flow(this.going, bounds, { ...wanted, x: wanted.x + aim.pulled.x, y: wanted.y + aim.pulled.y });
    if (aim.way.length) this.ends = this.ends.map(e => ({ ...e, far: e.far + this.via(e.model).far }));
  }
  clear(): void {
    this.ends = [];
  }
  /** Gives a way back to where they are now. */
  save(): () => void {
    const { ends, going } = this;
    return () => {
      this.ends = ends;
      this.going = going;
    };
  }
  /** One who comes from nowhere, in files behind the goal. */
  private arriving(model: number, i: number, [x, y]: Point): Mover {
    const base = this.field.base(model, this.facing(model)),
      far = 2 * base.reach,
      at = { x: x + (i % FILE) * far, y: y - Math.floor(i / FILE) * far },
      stance = this.movers.proposal?.places.get(model) ?? at;
    return {
      model,
      ...at,
      stance: [stance.x, stance.y],
      base,
      allowance: this.modes.allowance,
      areas: [],
      stays: false,
    };
  }
  private leaving(model: number): Mover {
    const { modes } = this,
      base = this.field.base(model, this.facing(model)),
      { points, far } = this.via(model),
      at = this.game.at(model),
      [x, y] = points[points.length - 1] ?? [at.x, at.y],
      allowance = Math.max(modes.allowance - far, 0),
      stance = points.length ? { x, y } : this.movers.stance(model),
      areas = points.length ? [] : modes.areaOf(model);
    return { model, x, y, stance: [stance.x, stance.y], base, allowance, areas, stays: !allowance };
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
      near = game.comrades,
      many = this.going.length + staying.length,
      guard = this.keepsOut ? field.guard : null;
    return {
      size: field.size,
      things: [...others.filter(s => Math.abs(s.z - z) < STEP).map(s => s.thing), ...field.solid],
      zones: guard ? guard.around(...goal).map(({ thing, gap }) => ({ thing, gap: gap + HAIR })) : [],
      inside: this.zone.area,
      near: near?.far ?? 0,
      links: near ? wanted(near, many) : 1,
      spread: near?.spread ?? -1,
      staying,
      lead,
    };
  }
  /** Whether ghosts keep out of rings by themselves: where the question has rings of its own, or there are ways that lead into none. */
  private get keepsOut(): boolean {
    return this.movers.unset ? !!this.game.keepOut[0]?.kinds?.length : this.modes.all.length > 1;
  }
  /** Who stands still, and comrades where the plan has them that is changed. */
  private get others(): Stander[] {
    const { field, kept } = this,
      away = new Set([...this.movers.models, ...kept.map(g => g.model)]);
    return [...field.standers.filter(s => !away.has(s.model)), ...kept.map(g => field.stander(g.model, g))];
  }
  /** Whom the plan that is changed still has where it had them. */
  private get kept(): Ghost[] {
    return this.movers.proposal?.others(this.movers.models) ?? [];
  }
  /** How far magnets reach: so far on the screen, but neither past all notice nor further than a base. */
  private get pulled(): number {
    const base = Math.max(...this.going.map(m => m.base.reach)),
      [least, most] = PULLED.map(part => part * base);
    return Math.min(Math.max(PULL / this.game.scale, least), most);
  }
  private pull(goal: Point): Pull | null {
    const { game, field, modes, movers } = this;
    return pull(
      this.ends,
      this.going.map(m => m.base),
      this.pulled,
      {
        enemies: field.enemies.map(e => e.thing),
        // The first ring is the one that a move keeps out of; further ones matter where units are set up.
        rings: game.keepOut
          .slice(0, movers.unset ? undefined : 1)
          .map(ring => ({ name: ring.name, kept: field.guarded(ring, ...goal) })),
        markers: field.marks(goal, movers.models.length),
        grounds: field.grounds,
        shade: game.level ? null : game.shade,
        // Who has several ways of moving keeps away from enemies, unless told otherwise.
        mayTouch: (x, y) => modes.all.length === 1 || within(modes.near?.outlines ?? [], x, y),
      },
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
    const { field, aim } = this,
      z = heightAt(this.game, ...aim.goal!),
      // Nobody on another floor is in the way.
      others = this.others.filter(s => Math.abs(s.z - z) < STEP),
      around = { others, obstacles: field.obstacles, terrain: featuresOf(this.game), size: field.size };
    return stopper(this.going, this.ends, held, this.zone, field.guard, around);
  }

  /** As they are drawn. */
  get shown(): Ghost[] {
    const { game, movers } = this;
    const moved = this.spots.map((spot, i): Ghost => {
      const { x, y } = game.at(spot.model),
        way: Point[] = movers.unset ? [] : [[x, y], ...this.via(spot.model).points, [spot.x, spot.y]];
      return { ...spot, short: this.ends[i].short, way };
    });
    return [...this.kept, ...moved];
  }
  private facing(model: number): number {
    const { angle } = this.formed,
      { proposal, unset } = this.movers;
    if (angle !== null) return facingOf(angle);
    return proposal?.places.get(model)?.facing ?? (unset ? facingOf(this.bearing) : this.game.at(model).facing);
  }
  private get spots(): Required<Spot>[] {
    const { game, ends } = this;
    return ends.map(({ model, x, y }) => ({ model, x, y, z: heightAt(game, x, y), facing: this.facing(model) }));
  }
  /** What is answered by them: those who move with the place where each turns, too; before a roll, nothing but the way of moving. */
  get answer(): unknown {
    const { game, modes, movers } = this,
      mode = modes.name;
    if (movers.unset) return [...(movers.proposal?.rest<Spot>(movers.models) ?? []), ...this.spots];
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
    return { mode, paths: [...(movers.proposal?.rest<Path>(movers.models) ?? []), ...paths] };
  }
  /** The nearest to a goal that the server finds. */
  seek([x, y]: Point): Promise<unknown> {
    return this.game.towards(x, y, this.formed.shape, this.modes.name, [
      ...this.kept.map(({ model, x, y, z, facing }) => ({ model, x, y, z, facing })),
      ...this.spots,
    ]);
  }
  /** Whether an answer puts anybody somewhere else than the hand did. */
  strays(answer: unknown): boolean {
    const ghosts = this.game.ghostsOf(answer);
    return this.ends.some(e => {
      const g = ghosts.find(h => h.model === e.model);
      return g ? Math.hypot(g.x - e.x, g.y - e.y) > SAME : e.far > SAME;
    });
  }
  /** Whether an answer moves models that were not picked, or others elsewhere than the plan had them that is changed. */
  stirs(answer: unknown): boolean {
    const { only } = this.movers,
      { kept } = this;
    if (!only.size) return false;
    const there = this.game.ghostsOf(answer).filter(g => !only.has(g.model));
    return (
      there.length !== kept.length ||
      there.some(g => !kept.some(k => k.model === g.model && Math.hypot(k.x - g.x, k.y - g.y) <= SAME))
    );
  }
}
