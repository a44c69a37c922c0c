/* Planning a move or a set-up: the hand moves ghosts at once, the server judges them behind, and the tick commits them. */

import type { Game, Ghost, Plan } from "../game.svelte";
import {
  ON_TABLE,
  PLACE,
  STEP,
  TURN,
  X,
  Y,
  type Area,
  type Move,
  type Place,
  type Point,
  type Reason,
  type Spot,
  type Verdict,
} from "../protocol";
import { holds, tell, within } from "../board/terrain";
import { SHORT, flow, type Bounds, type End, type Mover } from "./flow";
import type { Formation } from "./formations";
import { pull, type Marker, type Pull } from "./magnets";
import { away, standing, thing, turned, type Base, type Thing } from "./room";
import type { Deed } from "../shapes/actor";

const PAUSE = 70; // milliseconds between two questions to the server
const SAME = STEP / 10; // ends this near are the same
const PULL = 0.45 * STEP; // magnets reach this far
const FAR = 1 << 30;
const LEISURE = 500; // milliseconds that a hand may rest before more is asked for it
const NEAR = 4 * STEP; // so near to the usual place, that is meant
const HAIR = 5; // steps beyond a distance that one keeps out of
const MANY = 7; // so many models have two comrades near, whatever the edition asks for
const REST = 160; // milliseconds after the last of several small steps
const SURE = STEP / 16; // who is nearer than this to where a distance ends may be judged otherwise
const ALONG = 0.7; // a magnet draws on who goes to it at less than an eighth of a turn
const ROUGH = STEP / 4; // so near to what they keep out of, areas are drawn by and by
const BACK = 24; // steps in which a way is looked at

/** Where the server could not be asked: nobody waits for ever for what it says. */
const UNJUDGED: Verdict = { ok: false, reasons: [{ text: "The server could not judge this. Move it, or try again." }] };

/** Whether units are drawn nowhere, for whoever has no Shift to hold. */
export const magnets = $state({ off: false });

export class Planner {
  mode = $state("");
  shape = $state<Formation>("keep");
  gap = $state(STEP / 4);
  /** Whether single models are picked by pointing at them. */
  singles = $state(false);
  /** How much wider a unit stands that goes as it stands. */
  private spread = 1;
  magnet = $state<string>("");
  /** What a roll would have to bring to get there, as a sentence; empty where nothing is rolled. */
  rolled = $state("");
  /** Why no roll brings the unit to where it is wanted. */
  private tooFar: (Reason & { wanted: number }) | null = null;
  /** The rules that say how far a way of moving leads that is rolled for, once the server was asked. */
  private rollRules = new Map<string, string[]>();
  only = $state.raw<Set<number>>(new Set());
  /** An enemy that the unit should not be seen by; -1 for none. */
  foe = $state(-1);
  /** Places that the way leads over. */
  private way: [number, number][] = [];
  /** The way ends at the last of them. */
  private trails = false;
  /** A comrade that the hand is over: who lets go there means to get in. */
  private over = -1;
  private angle: number | null = null;
  private width = 0;
  private goal: [number, number] | null = null;
  private grabbed: { x: number; y: number; mid: [number, number] } | null = null;
  /** The model that the hand holds; -1 for none. */
  private lead = -1;
  private ends: End[] = [];
  private version = 0;
  private judged = -1;
  /** What was asked about, and for which ghosts the server has told what letting go gives. */
  private sought: { version: number; done: Promise<void> } | null = null;
  private settled = -1;
  /** Whether the ghosts are elsewhere than the hand wants them, and whether the last were refused. */
  private bent = false;
  private refused = false;
  private running = false;
  /** Nothing is drawn by magnets, and what they have drawn stays in the goal. */
  private loose = false;
  private pulled: Pull | null = null;
  /** How far magnets have drawn what was let go. */
  private drawn: [number, number] = [0, 0];
  /** What a finger does on the table that has neither Ctrl nor a right button. */
  tool = $state<"" | "way" | "front">("");
  /** Where a front begins that is drawn without a right button. */
  private left: [number, number] | null = null;
  private picked = false;
  private hurried: () => void = () => {};
  private areas = new Map<string, Area[]>();
  private surveyed: Promise<void> = Promise.resolve();
  /** Somebody waits for what the survey finds. */
  private eager = false;
  /** The last plan on the way here that was legal. */
  private legal: Plan | null = null;
  /** Why somebody could not go as far as the hand wanted. */
  private stopped: Reason | null = null;
  private resting = 0;
  private stood = { turn: -1, things: new Map<number, Thing>() };
  /** How far the small steps have led that follow each other. */
  private run: [number, number] = [0, 0];

  constructor(
    private game: Game,
    readonly decision: Move | Place,
  ) {
    const hand = game.hand;
    if (hand?.unit === decision.unit && decision.shape === "move") {
      this.grab(...hand.from);
      this.goal = [this.grabbed!.mid[0] + hand.at[0] - hand.from[0], this.grabbed!.mid[1] + hand.at[1] - hand.from[1]];
    }
    game.hand = null;
    if (decision.shape !== "move") return;
    this.mode = this.plainMode;
    this.surveyed = this.survey();
    if (this.goal) {
      this.update();
      if (!hand!.down) {
        this.grabbed = null;
        void this.settle();
      }
    }
  }
  /** Fetch where the unit may go: the plain way first, then those that a die decides. */
  private async survey(): Promise<void> {
    if (this.decision.shape !== "move") return;
    for (const mode of this.decision.modes.filter(m => m.allowance > 0).slice(0, 4)) {
      // Rings of dice cost the server most, and nobody who takes the usual answer looks at them.
      if (this.areas.size && !this.goal && !this.picked && !this.eager)
        await new Promise(done => {
          this.hurried = () => done(null);
          setTimeout(done, LEISURE);
        });
      if (this.game.decision?.id !== this.decision.id) return;
      const areas = await this.game.reach(mode.name);
      if (this.game.decision?.id !== this.decision.id) return;
      this.areas.set(mode.name, areas);
      if (mode.name === this.mode) this.game.areas = areas;
      // Who picked it before it was known that a die decides has picked it now.
      if (mode.name === this.mode && this.picked && !this.game.plan && this.isRolled(mode.name)) this.choose(mode.name);
    }
    const wish = this.game.wish;
    if (wish?.unit === this.decision.unit && wish.ends) {
      this.game.wish = null;
      this.wantEnds(wish.ends);
    }
  }
  private get plainMode(): string {
    return (this.modes.find(m => m.allowance > 0) ?? this.modes[0])?.name ?? "";
  }
  get modes() {
    return this.decision.shape === "move" ? this.decision.modes : [];
  }
  /** How far the ghosts may go: with a roll still to come, as far as the best one brings them. */
  get allowance(): number {
    if (this.decision.shape === "place") return FAR;
    return Math.max(
      this.modes.find(m => m.name === this.mode)?.allowance ?? 0,
      ...(this.areas.get(this.mode) ?? []).map(a => a.far),
    );
  }
  /** How far the tape says that the unit may go: nothing where each model has its own limit. */
  private get limit(): number {
    return this.decision.shape === "place" || this.modes.find(m => m.name === this.mode)?.slowest ? 0 : this.allowance;
  }
  isRolled(mode: string): boolean {
    return (this.areas.get(mode) ?? []).some(a => a.chance < 1);
  }
  get movers(): number[] {
    return this.only.size ? this.decision.models.filter(m => this.only.has(m)) : this.decision.models;
  }

  /** Pick the way of moving that a die decides; which one that is, the server says. */
  async roll(): Promise<void> {
    this.eager = true;
    this.hurried();
    await this.surveyed;
    const { game } = this,
      rolled = this.modes.find(m => this.isRolled(m.name));
    if (game.decision?.id !== this.decision.id) return;
    if (rolled) {
      this.choose(rolled.name);
      return;
    }
    game.clear();
    game.calm = true;
    game.note = "No way of moving is rolled for here.";
  }
  choose(mode: string): void {
    this.mode = mode;
    this.picked = true;
    this.hurried();
    this.game.areas = this.areas.get(mode) ?? [];
    this.rolled = "";
    this.tooFar = null;
    const plain = this.modes.find(m => m.name === mode)!;
    if (!plain.allowance || this.isRolled(mode)) {
      this.game.stage({ mode, paths: [] }, null, plain.allowance, plain.label);
      void this.game.check({ mode, paths: [] }).then(v => {
        if (this.mode === mode && this.game.plan?.decision === this.decision.id)
          this.game.stage({ mode, paths: [] }, v ?? UNJUDGED, plain.allowance, plain.label);
      });
    } else {
      this.game.plan = null;
      if (this.goal) this.update();
    }
  }
  form(shape: Formation): void {
    this.shape = shape;
    this.width = 0;
    this.spread = 1;
    this.reshape();
  }
  space(by: number): void {
    if (this.shape === "keep" && !this.width)
      this.spread = Math.min(Math.max(this.spread + 0.15 * Math.sign(by), 0.4), 3);
    else this.gap = Math.min(Math.max(this.gap + by, 0), 2 * STEP);
    this.reshape();
  }
  /** The space between bases: a screen is as wide as the unit may stand together. */
  private get apart(): number {
    const together = this.game.ground.rings.find(r => r.around === "comrades");
    return this.shape === "screen" && !this.width && together ? Math.max(together.far - STEP / 8, 0) : this.gap;
  }
  single(on: boolean): void {
    this.singles = on;
    if (!on) {
      this.only = new Set();
      this.game.turn++;
    }
  }
  turn(by: number): void {
    this.angle = (this.angle ?? this.bearing()) + by;
    this.reshape();
  }
  toggle(model: number): void {
    const next = new Set(this.only);
    if (!next.delete(model)) next.add(model);
    this.only = next;
  }
  pick(models: number[]): void {
    this.only = new Set(models.filter(m => this.decision.models.includes(m)));
  }
  private reshape(): void {
    if (!this.goal) {
      // Who turns where it stands does not go anywhere.
      this.loose = true;
      this.goal = this.game.plan?.ghosts.length
        ? this.middleOf(this.game.plan.ghosts)
        : (this.middleNow() ?? this.somewhere());
    }
    if (!this.goal) return;
    this.update();
    this.keepPull();
    void this.settle();
  }
  /** What was drawn by a magnet stays there, whatever is changed about it next. */
  private keepPull(): void {
    if (!this.goal || !this.pulled) return;
    const { x, y } = this.pulled;
    this.goal = [this.goal[0] + x, this.goal[1] + y];
    this.drawn = [this.drawn[0] + x, this.drawn[1] + y];
    this.pulled = null;
  }

  /** Keep out of an enemy's sight, or no more. */
  async hide(unit: number): Promise<void> {
    const game = this.game;
    this.foe = unit === this.foe || unit < 0 || !game.isEnemy(unit, this.decision.unit) ? -1 : unit;
    game.shade = null;
    if (this.foe < 0) return;
    const outlines = await game.unseen(unit);
    if (this.foe !== unit || game.decision?.id !== this.decision.id) return;
    if (outlines) game.shade = { name: game.view.units[unit].name, outlines };
    else this.foe = -1;
  }
  /** What can be said about hiding. */
  get shaded(): string {
    const { shade, view } = this.game;
    return !shade
      ? `Looking where ${view.units[this.foe].name} sees nobody.`
      : shade.outlines.length
        ? `Hides from ${shade.name}: nobody is seen where it is dark.`
        : `${shade.name} sees all of it.`;
  }
  hiding(unit: number): Deed[] {
    return this.game.isEnemy(unit, this.decision.unit)
      ? [{ label: "Hide from it", on: this.foe === unit, do: () => void this.hide(unit) }]
      : [];
  }

  // --- the hand

  /** A model, or a ghost of one, is taken up at a place. */
  grab(x: number, y: number): void {
    if (this.tool === "front") {
      this.left = [x, y];
      return;
    }
    const ghosts =
      this.game.plan?.decision === this.decision.id
        ? this.game.plan.ghosts.filter(g => this.movers.includes(g.model))
        : [];
    const on: { model: number; x: number; y: number }[] = ghosts.length
      ? ghosts
      : this.decision.shape === "place"
        ? []
        : this.movers.map(model => ({ model, ...this.game.at(model) }));
    this.lead = on.reduce(
      (best, g) => {
        const far = Math.hypot(g.x - x, g.y - y);
        return far < best.far ? { far, model: g.model } : best;
      },
      { far: Infinity, model: -1 },
    ).model;
    // Who is held stays under the hand, wherever the others had to go.
    const ghost = ghosts.find(g => g.model === this.lead),
      now = this.middleNow(),
      keeps = ghost && now && this.shape === "keep" && !this.width,
      at = this.game.at(Math.max(this.lead, 0));
    const mid: [number, number] = keeps
      ? [ghost.x - (at.x - now[0]) * this.spread, ghost.y - (at.y - now[1]) * this.spread]
      : ((ghosts.length === this.movers.length ? this.middleOf(ghosts) : null) ?? now ?? [x, y]);
    this.grabbed = { x, y, mid };
    this.hurried();
  }
  /** What a finger does that has neither Ctrl nor a right button; the same once more for nothing of it. */
  take(tool: "way" | "front"): void {
    this.tool = this.tool === tool ? "" : tool;
  }
  /** Switch magnets off, or on again; what they drew goes where the hand had put it. */
  free(off: boolean): void {
    magnets.off = off;
    if (off && this.magnet && this.goal) {
      this.loose = true;
      this.goal = [this.goal[0] - this.drawn[0], this.goal[1] - this.drawn[1]];
      this.drawn = [0, 0];
      this.update();
      void this.settle();
    }
  }
  drag(x: number, y: number, shift: boolean): void {
    if (this.left) {
      this.front(...this.left, x, y);
      return;
    }
    const loose = shift || magnets.off;
    if (!this.grabbed) this.grab(x, y);
    const g = this.grabbed!,
      goal: [number, number] = [g.mid[0] + x - g.x, g.mid[1] + y - g.y];
    this.over = this.comrade(x, y);
    // A hand that trembles leaves what was found for it.
    const moved =
      this.goal && !this.width && this.loose === loose && this.game.plan
        ? Math.hypot(goal[0] - this.goal[0], goal[1] - this.goal[1])
        : Infinity;
    if (moved <= (this.bent && this.settled === this.version ? SAME / 2 : 0)) return;
    this.loose = loose;
    this.width = 0;
    this.aim(goal);
    this.update();
  }
  private aim(goal: [number, number]): void {
    this.goal = goal;
    this.drawn = [0, 0];
    this.trails = false;
  }
  private comrade(x: number, y: number): number {
    const { game } = this;
    const over = game.view.models.findIndex((row, m) => {
      const unit = game.unitOf(m);
      return (
        row[PLACE] === ON_TABLE &&
        unit !== this.decision.unit &&
        game.isMine(unit) &&
        Math.hypot(row[X] - x, row[Y] - y) < game.baseOf(m).long / 2
      );
    });
    return over < 0 ? -1 : game.unitOf(over);
  }
  /** The way leads over a place, and over those that were named before. */
  waypoint(x: number, y: number): void {
    if (this.decision.shape !== "move" || !this.middleNow()) return;
    const next: [number, number] = [Math.round(x), Math.round(y)];
    // Until a place is pointed at besides, the way ends at the last one that it leads over.
    if (!this.goal || this.trails) {
      this.aim(next);
      this.trails = true;
    }
    this.way = [...this.way, next];
    this.loose = true;
    this.update();
    void this.settle();
  }
  /** The places that a model's way leads over: the same for all, each as it stands in the unit; and how long that is. */
  private via(model: number): { points: [number, number][]; far: number } {
    const at = this.game.at(model),
      mid = this.middleNow();
    if (!this.way.length || !mid) return { points: [], far: 0 };
    const points = this.way.map(([x, y]): [number, number] => [
      Math.round(x + at.x - mid[0]),
      Math.round(y + at.y - mid[1]),
    ]);
    let far = 0,
      from: [number, number] = [at.x, at.y];
    for (const p of points) {
      far += Math.hypot(p[0] - from[0], p[1] - from[1]);
      from = p;
    }
    return { points, far };
  }
  /** A place is pointed at: the middle of the unit goes there. */
  point(x: number, y: number, shift = false): void {
    if (this.tool === "way") {
      this.waypoint(x, y);
      return;
    }
    this.hurried();
    this.aim([x, y]);
    this.width = 0;
    this.loose = shift;
    this.update();
    this.keepPull();
    void this.settle();
  }
  /** A front is drawn from its left to its right end; the unit fills it in ranks. */
  front(ax: number, ay: number, bx: number, by: number): void {
    const dx = bx - ax,
      dy = by - ay;
    if (Math.hypot(dx, dy) < STEP / 2) return;
    this.width = Math.hypot(dx, dy);
    this.angle = Math.atan2(dx, -dy);
    this.aim([(ax + bx) / 2, (ay + by) / 2]);
    this.loose = true;
    this.shape = "ranks";
    this.update();
  }
  nudge(dx: number, dy: number): void {
    const ghosts = this.game.plan?.decision === this.decision.id ? this.game.plan.ghosts : [],
      unset = this.decision.shape === "place";
    // Steps that follow each other are steps of the goal: where somebody was pushed to does not lead astray.
    const from =
      this.resting && this.goal
        ? this.goal
        : ghosts.length
          ? this.middleOf(ghosts)
          : (this.middleNow() ?? this.somewhere());
    if (!from) return;
    if (!this.resting) this.run = [0, 0];
    this.run = [this.run[0] + dx, this.run[1] + dy];
    this.aim(unset && !ghosts.length ? from : [from[0] + dx, from[1] + dy]);
    this.loose = true;
    this.update();
    this.game.settling = true;
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      this.resting = 0;
      this.draw();
      void this.settle();
    }, REST);
  }
  /** After the last of several small steps magnets draw on, but never back. */
  private draw(): void {
    if (!this.goal) return;
    this.loose = false;
    this.update();
    const [x, y] = this.run,
      on = this.pulled && this.pulled.x * x + this.pulled.y * y;
    if (on !== null && on >= ALONG * Math.hypot(x, y) * Math.hypot(this.pulled!.x, this.pulled!.y)) {
      this.keepPull();
      return;
    }
    this.loose = true;
    if (this.pulled) this.update();
  }
  /** Where a unit that keys set up is looked for first: where it usually would be, else in the middle of its area. */
  private somewhere(): [number, number] | null {
    const usual = this.game.usual ? this.game.ghostsOf(this.game.usual.answer) : [],
      area = this.decision.shape === "place" ? this.decision.area : [];
    if (usual.length) return this.middleOf(usual);
    if (!area.length) return [this.size[0] / 2, this.size[1] / 2];
    return [0, 1].map(i => (Math.min(...area.map(p => p[i])) + Math.max(...area.map(p => p[i]))) / 2) as [
      number,
      number,
    ];
  }
  async drop(): Promise<void> {
    this.grabbed = null;
    if (this.left) {
      this.left = null;
      this.tool = "";
      this.game.pointers = [];
    }
    this.keepPull();
    const onto = this.over;
    this.over = -1;
    if (onto < 0 || (await this.board(onto))) await this.settle();
  }
  /** Transports that the unit may get into. */
  get hosts(): number[] {
    return (this.decision.about?.hosts as number[] | undefined) ?? [];
  }
  /** Get into a transport, and say why not where that cannot be done. */
  async embark(onto: number): Promise<void> {
    const { game, decision } = this;
    this.hurried();
    if (!this.allowance) this.mode = this.plainMode;
    const refused = await this.board(onto);
    if (!refused || game.decision?.id !== decision.id) return;
    if (refused.ok) {
      game.clear();
      game.calm = true;
      game.note = `The roll comes first: then get into ${game.view.units[onto].name}.`;
    } else game.refuse(refused);
  }
  /** Get into what the hand let go over; gives null where that could be done, else the last that was said about it. */
  private async board(onto: number): Promise<Verdict | null> {
    const game = this.game,
      mid = game.middle(onto),
      version = this.version;
    let last: Verdict = { ok: true };
    if (this.decision.shape !== "move" || !mid || this.isRolled(this.mode)) return last;
    game.settling = true;
    try {
      for (const find of [
        () => Promise.resolve(this.answer()),
        () => game.towards(mid[0], mid[1], "ring", this.mode),
        () => game.towards(mid[0], mid[1], "block", this.mode),
      ]) {
        const answer = await find();
        if (version !== this.version || game.decision?.id !== this.decision.id) return null;
        if (!answer) continue;
        const aboard = { ...(answer as object), onto },
          verdict = await game.check(aboard);
        if (version !== this.version || game.decision?.id !== this.decision.id) return null;
        last = verdict ?? last;
        if (!verdict?.ok) continue;
        this.version++;
        this.judged = this.settled = this.version;
        game.clear();
        game.stage(aboard, verdict, this.limit, `Embark: ${game.view.units[onto].name}`);
        return null;
      }
    } finally {
      game.settling = false;
    }
    return last;
  }
  /** What may be meant by this move, by name; where each model goes then, the server says. */
  get intents(): string[] {
    return (this.decision.about?.intents as string[] | undefined) ?? [];
  }
  async mean(name: string): Promise<void> {
    const { game } = this,
      version = ++this.version;
    this.hurried();
    game.settling = true;
    try {
      const ideas = await game.ideas(this.intents.length),
        answer = ideas.find(i => i.why === name)?.answer;
      if (version !== this.version || game.decision?.id !== this.decision.id) return;
      game.clear();
      if (!answer) {
        game.calm = true;
        game.note = `"${name}" cannot be done here, or comes to the same as another of these.`;
        return;
      }
      this.goal = null;
      this.ends = [];
      this.judged = this.settled = this.version;
      game.stage(answer, { ok: true }, this.limit, name);
    } finally {
      game.settling = false;
    }
  }
  cancel(): void {
    // What followed from where the hand was goes with it; what was picked stays.
    this.shape = "keep";
    this.angle = null;
    this.spread = 1;
    this.legal = null;
    this.lead = -1;
    this.refused = this.bent = false;
    if (!this.picked) this.mode = this.plainMode;
    clearTimeout(this.resting);
    this.resting = 0;
    this.game.settling = false;
    this.stopped = null;
    this.goal = null;
    this.way = [];
    this.trails = false;
    this.tool = "";
    this.left = null;
    this.drawn = [0, 0];
    this.pulled = null;
    this.over = -1;
    this.grabbed = null;
    this.ends = [];
    this.magnet = "";
    this.rolled = "";
    this.tooFar = null;
    this.width = 0;
    this.version++;
    this.game.plan = null;
    this.game.clear();
    this.game.areas = this.areas.get(this.mode) ?? [];
  }

  // --- what comes of it

  private middleNow(): [number, number] | null {
    const on = this.movers.map(m => this.game.at(m));
    return this.decision.shape === "place" || !on.length
      ? null
      : [on.reduce((s, p) => s + p.x, 0) / on.length, on.reduce((s, p) => s + p.y, 0) / on.length];
  }
  private middleOf(ghosts: Ghost[]): [number, number] {
    return [ghosts.reduce((s, g) => s + g.x, 0) / ghosts.length, ghosts.reduce((s, g) => s + g.y, 0) / ghosts.length];
  }
  private bearing(): number {
    const from = this.middleNow(),
      [w, h] = this.size;
    if (this.decision.shape === "place" || !from || !this.goal) {
      const y = this.goal?.[1] ?? 0,
        x = this.goal?.[0] ?? 0;
      return w >= h ? (y * 2 < h ? Math.PI / 2 : -Math.PI / 2) : x * 2 < w ? 0 : Math.PI;
    }
    return Math.atan2(this.goal[1] - from[1], this.goal[0] - from[0]);
  }
  private get size(): [number, number] {
    return [this.game.ground.table.width, this.game.ground.table.depth];
  }
  /** A model's base as it stands on the table; all that stand still are needed for every frame. */
  private standing(model: number): Thing {
    const { game } = this;
    if (this.stood.turn !== game.turn) this.stood = { turn: game.turn, things: new Map() };
    let found = this.stood.things.get(model);
    if (!found) {
      const { x, y, facing } = game.at(model);
      found = standing(this.base(model, facing), x, y);
      this.stood.things.set(model, found);
    }
    return found;
  }
  private enemies(): Thing[] {
    const { game, decision } = this;
    return game.view.models.flatMap((row, m) =>
      row[PLACE] === ON_TABLE && game.isEnemy(game.unitOf(m), decision.unit) ? [this.standing(m)] : [],
    );
  }
  /** What one means to be near to: markers, and the nearest of those who help the unit by an aura, for each; whose own unit it is helps it wherever it is. */
  private marks(): Marker[] {
    const { game, goal } = this,
      kept = game.ground.rings.some(r => r.around === "objectives");
    const markers = (game.board?.objectives ?? []).map(([x, y, radius, reach, name]) => ({
      thing: thing([[x, y]], radius),
      x,
      y,
      reach,
      name: `marker ${name}`,
      spot: !kept || this.movers.length > 1,
    }));
    const auras = game.ground.auras
      .filter(a => a.units.includes(this.decision.unit) && !a.models.some(m => game.unitOf(m) === this.decision.unit))
      .flatMap(a => {
        const far = (m: number) => Math.hypot(game.at(m).x - goal![0], game.at(m).y - goal![1]),
          [first] = a.models.filter(m => game.view.models[m][PLACE] === ON_TABLE).sort((l, r) => far(l) - far(r));
        if (first === undefined) return [];
        const { x, y } = game.at(first),
          name = `${a.name} of ${game.view.units[game.unitOf(first)].name}`;
        return [{ thing: this.standing(first), x, y, reach: a.far, name, spot: false }];
      });
    return [...markers, ...auras];
  }
  /** Put the ghosts where the hand wants them; costs well under a frame. */
  private update(): void {
    if (!this.goal) return;
    const game = this.game,
      unset = this.decision.shape === "place";
    if (!unset) this.followMode();
    const facing = this.facing(),
      movers = this.movers.map((model, i): Mover => {
        const at = game.at(model),
          base = this.base(model, facing(model)),
          r = base.reach;
        if (unset)
          return {
            model,
            x: this.goal![0] + (i % 5) * 2 * r,
            y: this.goal![1] - Math.floor(i / 5) * 2 * r,
            base,
            allowance: FAR,
            areas: [],
            stays: false,
          };
        const { points, far } = this.via(model),
          [x, y] = points[points.length - 1] ?? [at.x, at.y],
          allowance = Math.max(this.allowance - far, 0);
        return { model, x, y, base, allowance, areas: points.length ? [] : this.areaOf(model), stays: !allowance };
      });
    const bounds = this.bounds(unset);
    const wanted = {
      x: this.goal[0],
      y: this.goal[1],
      shape: unset && this.shape === "keep" ? ("block" as Formation) : this.shape,
      angle: this.angle ?? this.bearing(),
      gap: this.apart,
      width: this.width,
      spread: this.spread,
    };
    this.ends = flow(movers, bounds, wanted);
    // The first ring is the one that a move keeps out of; further ones matter where units are set up.
    const pulled = (this.pulled =
      this.loose || magnets.off
        ? null
        : pull(
            this.ends,
            movers.map(m => m.base),
            this.enemies(),
            game.keepOut.slice(0, unset ? undefined : 1),
            this.marks(),
            PULL,
            (x, y) => this.mayTouch(x, y),
            game.level ? null : game.shade,
          ));
    if (pulled) this.ends = flow(movers, bounds, { ...wanted, x: wanted.x + pulled.x, y: wanted.y + pulled.y });
    if (this.way.length) this.ends = this.ends.map(e => ({ ...e, far: e.far + this.via(e.model).far }));
    this.magnet = pulled?.name ?? "";
    const at = (e: End) => ({
      model: e.model,
      x: e.x,
      y: e.y,
      z: this.levelZ(e.x, e.y),
      facing: facing(e.model),
      short: e.short,
    });
    const before = game.plan?.decision === this.decision.id ? game.plan : null,
      answer = this.answer();
    // Who has not stirred is judged already; of everybody else nobody knows yet, but for what can be seen from here.
    const same =
        !this.tooFar &&
        !!before?.verdict &&
        (before.verdict.ok || !this.isRolled(this.mode)) &&
        JSON.stringify(before.answer) === JSON.stringify(answer),
      wrong = this.tooFar ?? (same ? null : this.plainlyWrong());
    const stopped = (this.stopped = this.way.length ? null : this.stopper());
    if (!same) {
      this.version++;
      this.bent = false;
    }
    if (wrong) game.refuse({ ok: false, reasons: [wrong] });
    game.plan = {
      decision: this.decision.id,
      answer,
      verdict: same ? before!.verdict : wrong ? { ok: false, reasons: [wrong] } : null,
      limit: this.limit,
      wanted: this.tooFar?.wanted,
      note: [this.rolled, stopped?.text, !stopped && this.magnet ? `Magnet: ${this.magnet}` : ""]
        .filter(Boolean)
        .join(" "),
      rules: stopped?.rules ?? [],
      longest: unset ? 0 : Math.max(0, ...this.ends.map(e => e.far)),
      ghosts: this.ends.map(e => ({
        ...at(e),
        way: unset ? [] : [[game.at(e.model).x, game.at(e.model).y], ...this.via(e.model).points, [e.x, e.y]],
      })),
    };
    void this.judge();
  }
  private base(model: number, facing: number): Base {
    const { shapes, shape_of } = this.game.ground;
    return turned(shapes[shape_of[model]], facing);
  }
  /** Where a model may end, as far as the server said; comrades of whom it said nothing go where others may. */
  private areaOf(model: number): Point[][] {
    const area =
        this.game.level || this.game.at(model).z || this.isRolled(this.mode)
          ? undefined
          : this.areas.get(this.mode)?.[0],
      whose = area?.models ?? [];
    return area ? (whose.includes(model) ? area.outlines.filter((_, i) => whose[i] === model) : area.outlines) : [];
  }
  /** What ends keep to besides. */
  private bounds(unset: boolean): Bounds {
    const { game, decision } = this,
      { rings, table } = game.ground,
      z = this.levelZ(...this.goal!),
      moving = new Set(this.movers);
    const lying: Thing[] = [],
      zones: Bounds["zones"] = [],
      staying: Thing[] = [],
      keepOut = game.keepOut[0],
      far = unset ? !!keepOut?.kinds?.length : this.modes.length > 1,
      near = rings.find(r => r.around === "comrades");
    game.view.models.forEach((row, m) => {
      if (row[PLACE] !== ON_TABLE || moving.has(m)) return;
      const at = game.at(m),
        here = this.standing(m),
        unit = game.unitOf(m);
      if (Math.abs(at.z - z) < STEP) lying.push(here);
      if (unit === decision.unit) staying.push(here);
      if (keepOut && far && game.isEnemy(unit, decision.unit)) zones.push({ thing: here, gap: keepOut.far + HAIR });
    });
    if (!game.level)
      for (const f of [...table.features, ...game.view.features]) {
        if (f.solid && (f.top ?? 1) > 0) lying.push(thing(f.outline, 0));
        for (const w of f.walls ?? [])
          if (w.top > 0 && (w.bottom ?? 0) < STEP) lying.push(thing([w.a, w.b], w.thickness / 2));
      }
    if (rings.some(r => r.around === "objectives"))
      for (const [x, y, radius] of game.board?.objectives ?? []) lying.push(thing([[x, y]], radius));
    const many = moving.size + staying.length;
    return {
      size: this.size,
      things: lying,
      zones,
      inside: decision.shape === "place" ? decision.area : [],
      near: near?.far ?? 0,
      links: many < MANY ? 1 : 2,
      spread: near?.spread ?? -1,
      staying,
      lead: this.shape === "keep" && !this.width ? this.lead : -1,
    };
  }
  /** Whether an enemy may be touched from a place: who has several ways of moving keeps away from them, unless told otherwise. */
  private mayTouch(x: number, y: number): boolean {
    return this.modes.length === 1 || within(this.areas.get(this.mode)?.[0]?.outlines ?? [], x, y);
  }
  /** What is wrong for all to see, before the server says so: outside the area, in what one keeps out of, or on somebody else. */
  private plainlyWrong(): Reason | null {
    const { game, decision } = this,
      area = decision.shape === "place" ? (decision.area as Point[]) : [];
    const facing = this.facing(),
      movers = new Set(this.movers),
      outside = area.length ? this.ends.filter(e => !holds(area, e.x, e.y)) : [];
    if (outside.length)
      return {
        text: "This is outside the area where the unit may be set up.",
        rules: decision.rules,
        models: outside.map(e => e.model),
      };
    const open =
      game.level || decision.shape !== "move" || this.isRolled(this.mode) ? undefined : this.areas.get(this.mode)?.[0];
    for (const e of this.ends) {
      const near =
        open?.outlines.length && !game.at(e.model).z && e.far > STEP / 4 && !within(open.outlines, e.x, e.y)
          ? this.nearEnemy(e.model, e.x, e.y, -SURE)
          : null;
      if (near) return { text: `${near.text}.`, rules: near.rules, models: [e.model] };
      const base = this.base(e.model, facing(e.model));
      const on = game.view.models.findIndex(
        (row, m) =>
          row[PLACE] === ON_TABLE &&
          !movers.has(m) &&
          Math.abs(game.at(m).z - this.levelZ(e.x, e.y)) < STEP &&
          away(base, e.x, e.y, this.standing(m), -SURE),
      );
      if (on >= 0)
        return {
          text: `There is no room beside ${game.view.units[game.unitOf(on)].name}.`,
          rules: [],
          models: [e.model],
        };
    }
    return null;
  }
  /** The enemy in whose ring a model would stand at a place. */
  private nearEnemy(model: number, x: number, y: number, more: number): Reason | null {
    const { game } = this,
      ring = game.keepOut[0],
      base = this.base(model, this.facing()(model));
    if (!ring) return null;
    for (let m = 0; m < game.view.models.length; m++) {
      const row = game.view.models[m];
      if (
        row[PLACE] !== ON_TABLE ||
        !game.isEnemy(game.unitOf(m), this.decision.unit) ||
        !away(base, x, y, this.standing(m), ring.far + more)
      )
        continue;
      const far = tell(ring.far, game.ground.unit),
        name = ring.name.charAt(0).toUpperCase() + ring.name.slice(1);
      return {
        text: `${/^\d/.test(ring.name) ? "Too near, within" : `${name},`} ${far} of ${game.view.units[game.unitOf(m)].name}`,
        rules: ring.rule ? [ring.rule] : [],
      };
    }
    return null;
  }
  /** What keeps a model from a place. */
  private obstacle(model: number, x: number, y: number): Reason | null {
    const near = this.nearEnemy(model, x, y, ROUGH),
      { game } = this;
    if (near) return { text: `Stopped: ${near.text}.`, rules: near.rules };
    const far = Math.hypot(game.at(model).x - x, game.at(model).y - y);
    if (far > this.allowance - SURE) return null;
    const terrain = [...game.ground.table.features, ...game.view.features].find(f => holds(f.outline as Point[], x, y));
    return {
      text: terrain ? `Stopped: ${terrain.name || terrain.kind} is in the way.` : "Stopped: something is in the way.",
      rules: [],
    };
  }
  /** What stops one who could not go where the hand wanted it, the one in the hand first; the areas that the server sent say where that is. */
  private stopper(): Reason | null {
    const { decision } = this,
      inside = decision.shape === "place" ? decision.area : [];
    if (inside.length && this.ends.some(e => e.short && !holds(inside, ...e.to)))
      return { text: "Stopped: beyond is outside the area where the unit may be set up.", rules: decision.rules };
    for (const e of [...this.ends].sort((a, b) => Number(b.model === this.lead) - Number(a.model === this.lead))) {
      const areas = e.short && e.far > STEP / 4 ? this.areaOf(e.model) : [],
        from = this.game.at(e.model),
        part = Math.min(this.allowance / Math.max(Math.hypot(e.to[0] - from.x, e.to[1] - from.y), 1), 1);
      const on = (k: number): [number, number] => [
        from.x + ((e.to[0] - from.x) * part * k) / BACK,
        from.y + ((e.to[1] - from.y) * part * k) / BACK,
      ];
      let last = BACK;
      while (areas.length && last > 0 && !within(areas, ...on(last))) last--;
      const found = areas.length && last < BACK ? this.obstacle(e.model, ...on(last + 1)) : null;
      if (found) return found;
    }
    return null;
  }
  /** Past what the plain way allows, the one that is rolled for shows its chance. */
  private followMode(): void {
    const from = this.middleNow();
    if (!from || !this.goal) return;
    const far = Math.hypot(this.goal[0] - from[0], this.goal[1] - from[1]);
    const plain = this.modes.find(m => m.allowance > 0 && !this.isRolled(m.name)),
      dash = this.modes.find(m => this.isRolled(m.name));
    const mode = this.picked
      ? this.modes.find(m => m.name === this.mode)
      : dash && plain && far > (plain.slowest || plain.allowance) + 0.35 * STEP
        ? dash
        : plain;
    if (mode && mode.name !== this.mode) {
      this.mode = mode.name;
      this.game.areas = this.areas.get(mode.name) ?? [];
    }
    this.rolled = "";
    this.tooFar = null;
    if (!mode || !this.isRolled(mode.name)) return;
    // A unit gets somewhere when its slowest models do.
    const less = mode.slowest ? mode.allowance - mode.slowest : 0,
      ring = (this.areas.get(mode.name) ?? []).find(a => a.far - less >= far);
    if (!ring)
      this.tooFar = {
        text: `${mode.label}: too far, even with the best roll.`,
        rules: this.farRules(mode.name),
        wanted: far + less,
      };
    else if (ring.chance < 1) this.rolled = `${mode.label}: ${Math.round(ring.chance * 100)} % to get here`;
  }
  /** What says how far one gets comes before what says which ways there are. */
  private farRules(mode: string): string[] {
    const { rules } = this.decision;
    return [...new Set([...(this.rollRules.get(mode) ?? []), ...rules])];
  }
  /** A place beyond any roll is refused by the rule of the roll. */
  private async askRollRules(mode: string): Promise<void> {
    if (this.rollRules.has(mode)) return;
    const [model] = this.movers,
      { x, y, z, facing } = this.game.at(model);
    const verdict = await this.game.check({ mode, paths: [{ model, legs: [{ do: "go", x, y, z, facing }] }] });
    this.rollRules.set(
      mode,
      (verdict?.reasons ?? []).flatMap(r => r.rules ?? []),
    );
  }
  private facing(): (model: number) => number {
    const turned = this.angle ?? (this.decision.shape === "place" ? this.bearing() : null);
    return model =>
      turned === null
        ? this.game.at(model).facing
        : ((Math.round((turned / (2 * Math.PI)) * TURN) % TURN) + TURN) % TURN;
  }
  /** The floor that is looked at, where there is one under a place. */
  private levelZ(x: number, y: number): number {
    if (!this.game.level) return 0;
    for (const f of [...this.game.ground.table.features, ...this.game.view.features]) {
      const floors = [...(f.floors ?? [])].sort((a, b) => a.z - b.z),
        floor = floors[this.game.level - 1];
      if (floor && holds(floor.outline as Point[], x, y)) return floor.z;
    }
    return 0;
  }
  private spots(): Spot[] {
    const facing = this.facing();
    return this.ends.map(e => ({ model: e.model, x: e.x, y: e.y, z: this.levelZ(e.x, e.y), facing: facing(e.model) }));
  }
  private answer(): unknown {
    if (this.decision.shape === "place") return this.spots();
    if (this.isRolled(this.mode)) return { mode: this.mode, paths: [] };
    const paths = this.spots()
      .filter((s, i) => this.ends[i].far > 4)
      .map(s => {
        const now = this.game.at(s.model),
          over = this.via(s.model).points.map(([x, y]) => ({ do: "go", x, y, z: now.z, facing: now.facing }));
        const legs = [...over, { do: "go", x: s.x, y: s.y, z: s.z ?? 0, facing: now.facing }];
        if (s.facing !== now.facing) legs.push({ do: "turn", x: s.x, y: s.y, z: s.z ?? 0, facing: s.facing ?? 0 });
        return { model: s.model, legs };
      });
    return { mode: this.mode, paths };
  }
  /** Ask about the newest ghosts, one at a time; what the hand does meanwhile is asked about next. */
  private async judge(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.judged !== this.version && this.game.decision?.id === this.decision.id && this.goal) {
      const version = this.version,
        since = performance.now();
      await this.resolve();
      this.judged = Math.max(this.judged, version);
      if (this.game.plan?.decision !== this.decision.id) break;
      await new Promise(done => setTimeout(done, Math.max(PAUSE - performance.now() + since, 0)));
    }
    this.running = false;
  }
  /** What letting go gives, asked once for each place of the hand. */
  private resolve(): Promise<void> {
    if (this.sought?.version !== this.version) this.sought = { version: this.version, done: this.find(this.version) };
    return this.sought.done;
  }
  /** Whether an answer puts anybody somewhere else than the hand did. */
  private strays(answer: unknown): boolean {
    const ghosts = this.game.ghostsOf(answer);
    return this.ends.some(e => {
      const g = ghosts.find(h => h.model === e.model);
      return g ? Math.hypot(g.x - e.x, g.y - e.y) > SAME : e.far > SAME;
    });
  }
  /** Whether an answer moves models that were not picked. */
  private stirs(answer: unknown): boolean {
    return this.only.size > 0 && this.game.ghostsOf(answer).some(g => !this.only.has(g.model));
  }
  private show(verdict: Verdict): void {
    this.settled = this.version;
    this.game.plan = { ...this.game.plan!, verdict };
    if (verdict.ok && this.game.plan.ghosts.length) this.legal = this.game.plan;
    if (!verdict.ok) this.game.refuse(verdict);
    else if (this.stopped) {
      this.game.refuse({ ok: false, reasons: [this.stopped] });
      this.game.calm = true;
    } else this.game.clear();
  }
  /** The hand lets go: what the ghosts show stands as it is, once the server has judged them. */
  private async settle(): Promise<void> {
    const version = this.version,
      { game, decision } = this;
    game.settling = true;
    try {
      if (!this.goal || game.decision?.id !== decision.id) return;
      if (this.settled !== version) await this.resolve();
      if (this.settled !== version && version === this.version) await this.find(version);
    } finally {
      game.settling = false;
    }
    if (version !== this.version || this.settled !== version || game.decision?.id !== decision.id) return;
    if (this.tooFar) return;
    if (this.isRolled(this.mode))
      game.wish = {
        unit: decision.unit,
        ends: this.ends.map(e => ({ model: e.model, x: this.goal![0], y: this.goal![1] })),
      };
    else if (game.plan && game.plan === this.legal && this.bent) this.goal = this.middleOf(this.legal.ghosts);
  }
  /** What is legal is shown as it is; otherwise the nearest that the server finds, with the reason. */
  private async find(version: number): Promise<void> {
    if (!this.goal) return;
    if (this.tooFar) {
      const mode = this.mode;
      await this.askRollRules(mode);
      if (version !== this.version || !this.tooFar) return;
      this.tooFar = { ...this.tooFar, rules: this.farRules(mode) };
      this.show({ ok: false, reasons: [this.tooFar] });
      return;
    }
    const { game, decision } = this,
      goal = this.goal,
      rolled = this.isRolled(this.mode),
      unset = decision.shape === "place";
    const stale = () =>
      version !== this.version || game.decision?.id !== decision.id || game.plan?.decision !== decision.id;
    const seek = () => game.towards(goal[0], goal[1], this.shape, this.mode, this.spots());
    // After one that was refused the next one is likely to be, too.
    const early = this.refused && !rolled && !this.way.length ? seek() : null,
      verdict = await game.check(this.answer());
    if (stale()) return;
    if (!verdict) {
      this.show(UNJUDGED);
      return;
    }
    this.refused = !verdict.ok;
    if (verdict.ok) {
      this.show(verdict);
      return;
    }
    const found = await (early ?? seek());
    if (stale()) return;
    if (found !== null && !this.stirs(found)) {
      this.bent = this.strays(found);
      this.bend(found, this.limit);
      this.legal = game.plan;
      if (this.bent) this.say(verdict);
      return;
    }
    const usual = unset && game.usual ? game.ghostsOf(game.usual.answer) : [],
      mid = usual.length ? this.middleOf(usual) : null;
    // Who points near the usual place means it.
    if (mid && Math.hypot(mid[0] - goal[0], mid[1] - goal[1]) < NEAR) {
      this.bent = true;
      this.bend(game.usual!.answer, 0);
      this.say(verdict);
      return;
    }
    this.show(verdict);
    if (this.legal && !rolled && !this.stirs(this.legal.answer)) {
      this.bent = true;
      game.plan = this.legal;
      this.say(verdict);
    }
  }
  private bend(answer: unknown, limit: number): void {
    this.settled = this.version;
    this.game.stage(answer, { ok: true }, limit);
    const plan = this.game.plan;
    // Whoever ends elsewhere than the hand wanted it says so by its colour.
    if (plan)
      this.game.plan = {
        ...plan,
        ghosts: plan.ghosts.map(g => ({
          ...g,
          short: this.ends.some(e => e.model === g.model && Math.hypot(e.to[0] - g.x, e.to[1] - g.y) > SHORT),
        })),
      };
  }
  private say(verdict: Verdict): void {
    this.game.refuse(verdict);
    this.game.note = `This is the nearest place that was found. ${this.game.note}`;
  }
  private wantEnds(ends: { model: number; x: number; y: number }[]): void {
    if (!ends.length) return;
    this.picked = true;
    this.point(ends[0].x, ends[0].y, true);
  }
}
