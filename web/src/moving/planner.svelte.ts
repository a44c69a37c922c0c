/* Planning a move or a set-up: the hand moves ghosts at once, the server judges them behind, and the tick commits them. */

import type { Game, Ghost, Plan } from "../game.svelte";
import { ON_TABLE, PLACE, STEP, TURN, type Area, type Move, type Place, type Point, type Spot, type Verdict } from "../protocol";
import { holds, within } from "../board/terrain";
import { flow, part, type Body, type End, type Mover } from "./flow";
import type { Formation } from "./formations";
import { pull, type Marker, type Pull } from "./magnets";
import type { Deed } from "../shapes/actor";

const PAUSE = 70;            // milliseconds between two questions to the server
const SAME = STEP / 10;      // ends this near are the same
const PULL = .45 * STEP;     // magnets reach this far
const FAR = 1 << 30;
const LEISURE = 500;         // milliseconds that a hand may rest before more is asked for it
const BACK = 24;             // steps in which a way is shortened
const NEAR = 4 * STEP;       // so near to the usual place, that is meant
const ROUNDS = 4;            // times that those who were stopped make way for each other

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
  only = $state.raw<Set<number>>(new Set());
  /** An enemy that the unit should not be seen by; -1 for none. */
  foe = $state(-1);
  /** Places that the way leads over. */
  private way: [number, number][] = [];
  /** A comrade that the hand is over: who lets go there means to get in. */
  private over = -1;
  private angle: number | null = null;
  private width = 0;
  private goal: [number, number] | null = null;
  private grabbed: { x: number; y: number; mid: [number, number] } | null = null;
  private ends: End[] = [];
  private version = 0;
  private judged = -1;
  private running = false;
  private loose = false;
  private picked = false;
  private hurried: () => void = () => {};
  private areas = new Map<string, Area[]>();
  /** The last plan on the way here that was legal. */
  private legal: Plan | null = null;

  constructor(private game: Game, readonly decision: Move | Place) {
    const hand = game.hand;
    if (hand?.unit === decision.unit && decision.shape === "move") {
      this.grab(...hand.from); this.goal = [this.grabbed!.mid[0] + hand.at[0] - hand.from[0], this.grabbed!.mid[1] + hand.at[1] - hand.from[1]];
    }
    game.hand = null;
    if (decision.shape !== "move") return;
    this.mode = this.plainMode;
    void this.survey();
    if (this.goal) { this.update(); if (!hand!.down) { this.grabbed = null; void this.settle(); } }
  }
  /** Fetch where the unit may go: the plain way first, then those that a die decides. */
  private async survey(): Promise<void> {
    if (this.decision.shape !== "move") return;
    for (const mode of this.decision.modes.filter(m => m.allowance > 0).slice(0, 4)) {
      // Rings of dice cost the server most, and nobody who takes the usual answer looks at them.
      if (this.areas.size && !this.goal && !this.picked) await new Promise(done => { this.hurried = () => done(null); setTimeout(done, LEISURE); });
      if (this.game.decision?.id !== this.decision.id) return;
      const areas = await this.game.reach(mode.name);
      if (this.game.decision?.id !== this.decision.id) return;
      this.areas.set(mode.name, areas);
      if (mode.name === this.mode) this.game.areas = areas;
      // Who picked it before it was known that a die decides has picked it now.
      if (mode.name === this.mode && this.picked && !this.game.plan && this.isRolled(mode.name)) this.choose(mode.name);
    }
    const wish = this.game.wish;
    if (wish?.unit === this.decision.unit && wish.ends) { this.game.wish = null; this.wantEnds(wish.ends); }
  }
  private get plainMode(): string { return (this.modes.find(m => m.allowance > 0) ?? this.modes[0])?.name ?? ""; }
  get modes() { return this.decision.shape === "move" ? this.decision.modes : []; }
  /** How far the ghosts may go: with a roll still to come, as far as the best one brings them. */
  get allowance(): number {
    if (this.decision.shape === "place") return FAR;
    return Math.max(this.modes.find(m => m.name === this.mode)?.allowance ?? 0, ...(this.areas.get(this.mode) ?? []).map(a => a.far));
  }
  isRolled(mode: string): boolean { return (this.areas.get(mode) ?? []).some(a => a.chance < 1); }
  get movers(): number[] { return this.only.size ? this.decision.models.filter(m => this.only.has(m)) : this.decision.models; }

  choose(mode: string): void {
    this.mode = mode; this.picked = true; this.hurried(); this.game.areas = this.areas.get(mode) ?? []; this.rolled = "";
    const plain = this.modes.find(m => m.name === mode)!;
    if (!plain.allowance || this.isRolled(mode)) {
      this.game.stage({ mode, paths: [] }, null, plain.allowance, plain.label);
      void this.game.check({ mode, paths: [] }).then(v => { if (this.mode === mode && v) this.game.stage({ mode, paths: [] }, v, plain.allowance, plain.label); });
    } else { this.game.plan = null; if (this.goal) this.update(); }
  }
  form(shape: Formation): void { this.shape = shape; this.width = 0; this.spread = 1; this.reshape(); }
  space(by: number): void {
    if (this.shape === "keep" && !this.width) this.spread = Math.min(Math.max(this.spread + .15 * Math.sign(by), .4), 3);
    else this.gap = Math.min(Math.max(this.gap + by, 0), 2 * STEP);
    this.reshape();
  }
  /** The space between bases: a screen is as wide as the unit may stand together. */
  private get apart(): number {
    const together = this.game.ground.rings.find(r => r.around === "comrades");
    return this.shape === "screen" && !this.width && together ? Math.max(together.far - STEP / 8, 0) : this.gap;
  }
  single(on: boolean): void { this.singles = on; if (!on) { this.only = new Set(); this.game.turn++; } }
  turn(by: number): void { this.angle = (this.angle ?? this.bearing()) + by; this.reshape(); }
  toggle(model: number): void {
    const next = new Set(this.only);
    if (!next.delete(model)) next.add(model);
    this.only = next;
  }
  pick(models: number[]): void { this.only = new Set(models.filter(m => this.decision.models.includes(m))); }
  private reshape(): void {
    if (!this.goal && this.game.plan?.ghosts.length) this.goal = this.middleOf(this.game.plan.ghosts);
    if (!this.goal) this.goal = this.middleNow();
    if (this.goal) { this.update(); void this.settle(); }
  }

  /** Keep out of an enemy's sight, or no more. */
  async hide(unit: number): Promise<void> {
    const game = this.game;
    this.foe = unit === this.foe || unit < 0 || !game.isEnemy(unit, this.decision.unit) ? -1 : unit;
    game.shade = null;
    if (this.foe < 0) return;
    const outlines = await game.unseen(unit);
    if (this.foe !== unit || game.decision?.id !== this.decision.id) return;
    if (outlines) game.shade = { name: game.view.units[unit].name, outlines }; else this.foe = -1;
  }
  /** What can be said about hiding. */
  get shaded(): string {
    const { shade, view } = this.game;
    return !shade ? `Looking where ${view.units[this.foe].name} sees nobody.` : shade.outlines.length ? `Hides from ${shade.name}: nobody is seen where it is dark.` : `${shade.name} sees all of it.`;
  }
  hiding(unit: number): Deed[] { return this.game.isEnemy(unit, this.decision.unit) ? [{ label: "Hide from it", on: this.foe === unit, do: () => void this.hide(unit) }] : []; }

  // --- the hand

  /** A model, or a ghost of one, is taken up at a place. */
  grab(x: number, y: number): void {
    const ghosts = this.game.plan?.decision === this.decision.id ? this.game.plan.ghosts.filter(g => this.movers.includes(g.model)) : [];
    const mid = (ghosts.length === this.movers.length ? this.middleOf(ghosts) : null) ?? this.middleNow() ?? [x, y];
    this.grabbed = { x, y, mid };
    this.hurried();
  }
  drag(x: number, y: number, loose: boolean): void {
    if (!this.grabbed) this.grab(x, y);
    const g = this.grabbed!;
    this.loose = loose; this.width = 0;
    this.goal = [g.mid[0] + x - g.x, g.mid[1] + y - g.y];
    this.over = this.comrade(x, y);
    this.update();
  }
  private comrade(x: number, y: number): number {
    const game = this.game;
    for (let m = 0; m < game.view.models.length; m++) {
      const row = game.view.models[m], unit = row[7];
      if (row[5] === 1 && unit !== this.decision.unit && game.isMine(unit) && Math.hypot(row[0] - x, row[1] - y) < game.baseOf(m).long / 2) return unit;
    }
    return -1;
  }
  /** The way leads over a place, and over those that were named before. */
  waypoint(x: number, y: number): void {
    const from = this.way[this.way.length - 1] ?? this.middleNow();
    if (this.decision.shape !== "move" || !from) return;
    this.way = [...this.way, [Math.round(x), Math.round(y)]]; this.loose = true;
    this.goal ??= [x, y]; this.update(); void this.settle();
  }
  /** The places that a model's way leads over: the same for all, each as it stands in the unit; and how long that is. */
  private via(model: number): { points: [number, number][]; far: number } {
    const at = this.game.at(model), mid = this.middleNow();
    if (!this.way.length || !mid) return { points: [], far: 0 };
    const points = this.way.map(([x, y]): [number, number] => [Math.round(x + at.x - mid[0]), Math.round(y + at.y - mid[1])]);
    let far = 0, from: [number, number] = [at.x, at.y];
    for (const p of points) { far += Math.hypot(p[0] - from[0], p[1] - from[1]); from = p; }
    return { points, far };
  }
  /** A place is pointed at: the middle of the unit goes there. */
  point(x: number, y: number): void { this.hurried(); this.goal = [x, y]; this.width = 0; this.loose = false; this.update(); void this.settle(); }
  /** A front is drawn from its left to its right end; the unit fills it in ranks. */
  front(ax: number, ay: number, bx: number, by: number): void {
    const dx = bx - ax, dy = by - ay;
    if (Math.hypot(dx, dy) < STEP / 2) return;
    this.width = Math.hypot(dx, dy); this.angle = Math.atan2(dx, -dy); this.goal = [(ax + bx) / 2, (ay + by) / 2]; this.loose = true;
    this.shape = "ranks";
    this.update();
  }
  nudge(dx: number, dy: number): void {
    const ghosts = this.game.plan?.decision === this.decision.id ? this.game.plan.ghosts : [];
    const from = ghosts.length ? this.middleOf(ghosts) : this.middleNow();
    if (!from) return;
    this.goal = [from[0] + dx, from[1] + dy]; this.loose = true;
    this.update(); void this.settle();
  }
  async drop(): Promise<void> { this.grabbed = null; if (this.over < 0 || !await this.board()) await this.settle(); }
  /** Get into what the hand let go over; says whether that can be done. */
  private async board(): Promise<boolean> {
    const game = this.game, onto = this.over, mid = game.middle(onto), version = this.version;
    this.over = -1;
    if (this.decision.shape !== "move" || !mid || this.isRolled(this.mode)) return false;
    game.settling = true;
    try {
      for (const find of [() => Promise.resolve(this.answer()), () => game.towards(mid[0], mid[1], "ring", this.mode), () => game.towards(mid[0], mid[1], "block", this.mode)]) {
        const answer = await find();
        if (version !== this.version || game.decision?.id !== this.decision.id) return true;
        if (!answer) continue;
        const aboard = { ...(answer as object), onto }, verdict = await game.check(aboard);
        if (version !== this.version || game.decision?.id !== this.decision.id) return true;
        if (!verdict?.ok) continue;
        this.version++; this.judged = this.version;
        game.clear(); game.stage(aboard, verdict, this.allowance, `Embark: ${game.view.units[onto].name}`);
        return true;
      }
    } finally { game.settling = false; }
    return false;
  }
  cancel(): void {
    // What followed from where the hand was goes with it; what was picked stays.
    this.shape = "keep"; this.angle = null; this.spread = 1; this.legal = null;
    if (!this.picked) this.mode = this.plainMode;
    this.goal = null; this.way = []; this.over = -1; this.grabbed = null; this.ends = []; this.magnet = ""; this.rolled = ""; this.width = 0; this.version++; this.game.plan = null; this.game.clear(); this.game.areas = this.areas.get(this.mode) ?? [];
  }

  // --- what comes of it

  private middleNow(): [number, number] | null {
    const on = this.movers.map(m => this.game.at(m));
    return this.decision.shape === "place" || !on.length ? null : [on.reduce((s, p) => s + p.x, 0) / on.length, on.reduce((s, p) => s + p.y, 0) / on.length];
  }
  private middleOf(ghosts: Ghost[]): [number, number] { return [ghosts.reduce((s, g) => s + g.x, 0) / ghosts.length, ghosts.reduce((s, g) => s + g.y, 0) / ghosts.length]; }
  private bearing(): number {
    const from = this.middleNow(), [w, h] = this.size;
    if (this.decision.shape === "place" || !from || !this.goal) {
      const y = this.goal?.[1] ?? 0, x = this.goal?.[0] ?? 0;
      return w >= h ? (y * 2 < h ? Math.PI / 2 : -Math.PI / 2) : x * 2 < w ? 0 : Math.PI;
    }
    return Math.atan2(this.goal[1] - from[1], this.goal[0] - from[0]);
  }
  private get size(): [number, number] { return [this.game.ground.table.width, this.game.ground.table.depth]; }
  private radius = (model: number): number => { const b = this.game.baseOf(model); return Math.max(b.long, b.broad) / 2; };
  private enemies(): Body[] { return this.bodies(m => this.game.isEnemy(this.game.unitOf(m), this.decision.unit)); }
  /** The nearest of those who help the unit by an aura, for each; whose own unit it is helps it wherever it is. */
  private auras(): Marker[] {
    const { game, goal } = this, own = Math.min(...this.movers.map(this.radius));
    return game.ground.auras.filter(a => a.units.includes(this.decision.unit) && !a.models.some(m => game.unitOf(m) === this.decision.unit)).flatMap(a => {
      const far = (m: number) => Math.hypot(game.at(m).x - goal![0], game.at(m).y - goal![1]), [first] = a.models.filter(m => game.view.models[m][PLACE] === ON_TABLE).sort((l, r) => far(l) - far(r));
      return first === undefined ? [] : [{ ...game.at(first), reach: a.far + this.radius(first) + own, name: `${a.name} of ${game.view.units[game.unitOf(first)].name}`, spot: false }];
    });
  }
  private bodies(which: (model: number) => boolean): Body[] {
    const out: Body[] = [], moving = new Set(this.movers);
    this.game.view.models.forEach((row, m) => { if (row[5] === 1 && !moving.has(m) && which(m)) out.push({ x: row[0], y: row[1], radius: this.radius(m) }); });
    return out;
  }
  /** Put the ghosts where the hand wants them; costs well under a frame. */
  private update(): void {
    if (!this.goal) return;
    const game = this.game, unset = this.decision.shape === "place";
    if (!unset) this.followMode();
    const movers = this.movers.map((model, i): Mover => {
      const at = game.at(model), r = this.radius(model);
      if (unset) return { model, x: this.goal![0] + (i % 5) * 2 * r, y: this.goal![1] - Math.floor(i / 5) * 2 * r, radius: r, allowance: FAR };
      const { points, far } = this.via(model), [x, y] = points[points.length - 1] ?? [at.x, at.y];
      return { model, x, y, radius: r, allowance: Math.max(this.allowance - far, 0) };
    });
    const others = this.bodies(m => Math.abs(game.at(m).z - this.levelZ(...this.goal!)) < STEP);
    const wanted = { x: this.goal[0], y: this.goal[1], shape: unset && this.shape === "keep" ? "block" as Formation : this.shape, angle: this.angle ?? this.bearing(), gap: this.apart, width: this.width, spread: this.spread };
    this.ends = flow(movers, others, wanted, this.size);
    let pulled: Pull | null = null;
    if (!this.loose && this.grabbed) {
      // The first ring is the one that a move keeps out of; further ones matter where units are set up.
      const rings = game.ground.rings.filter(r => r.around === "enemies").slice(0, unset ? undefined : 1), marks = [...(game.board?.objectives ?? []).map(([x, y, , reach, name]) => ({ x, y, reach, name: `marker ${name}`, spot: true })), ...this.auras()];
      pulled = pull(this.ends, this.radius, this.enemies(), rings, marks, PULL, (x, y) => this.mayTouch(x, y), game.level ? null : game.shade);
      if (pulled) this.ends = flow(movers, others, { ...wanted, x: wanted.x + pulled.x, y: wanted.y + pulled.y }, this.size);
    }
    if (this.way.length) this.ends = this.ends.map(e => ({ ...e, far: e.far + this.via(e.model).far }));
    // Who is stopped short may stand on a comrade then: both make way, and are looked at once more.
    else for (let round = 0; round < ROUNDS; round++) {
      this.ends = this.ends.map(e => this.withinReach(e));
      if (round === ROUNDS - 1 || !part(movers, this.ends, others, this.size)) break;
    }
    this.magnet = pulled?.name ?? "";
    this.version++;
    const facing = this.facing(), at = (e: End) => ({ model: e.model, x: e.x, y: e.y, z: this.levelZ(e.x, e.y), facing: facing(e.model), short: e.short });
    const verdict = game.plan?.decision === this.decision.id ? game.plan.verdict : null;
    game.plan = {
      decision: this.decision.id, answer: this.answer(), verdict, limit: unset ? 0 : this.allowance, note: this.rolled,
      longest: unset ? 0 : Math.max(0, ...this.ends.map(e => e.far)),
      ghosts: this.ends.map(e => ({ ...at(e), way: unset ? [] : [[game.at(e.model).x, game.at(e.model).y], ...this.via(e.model).points, [e.x, e.y]] })),
    };
    void this.judge();
  }
  /** Whether an enemy may be touched from a place: who has several ways of moving keeps away from them, unless told otherwise. */
  private mayTouch(x: number, y: number): boolean { return this.modes.length === 1 || within(this.areas.get(this.mode)?.[0]?.outlines ?? [], x, y); }
  /** Back along the way to the last place where a base may end; the areas that the server sent say where that is. */
  private withinReach(end: End): End {
    const area = this.game.level ? undefined : this.areas.get(this.mode)?.[0], from = this.game.at(end.model);
    if (!area?.outlines.length || this.isRolled(this.mode) || from.z || end.far < STEP / 4) return end;
    for (let part = BACK; part > 0; part--) {
      const x = Math.round(from.x + (end.x - from.x) * part / BACK), y = Math.round(from.y + (end.y - from.y) * part / BACK);
      if (within(area.outlines, x, y)) return part === BACK ? end : { ...end, x, y, far: end.far * part / BACK, short: true };
    }
    return end;
  }
  /** Past what the plain way allows, the one that is rolled for shows its chance. */
  private followMode(): void {
    const from = this.middleNow();
    if (this.picked || !from || !this.goal) return;
    const far = Math.hypot(this.goal[0] - from[0], this.goal[1] - from[1]);
    const plain = this.modes.find(m => m.allowance > 0 && !this.isRolled(m.name)), dash = this.modes.find(m => this.isRolled(m.name));
    const mode = dash && plain && far > plain.allowance + .35 * STEP ? dash : plain;
    if (mode && mode.name !== this.mode) { this.mode = mode.name; this.game.areas = this.areas.get(mode.name) ?? []; }
    const ring = mode === dash && dash ? (this.areas.get(dash.name) ?? []).find(a => a.chance < 1 && a.far >= far) ?? null : null;
    this.rolled = mode !== dash || !dash ? "" : ring ? `${dash.label}: ${Math.round(ring.chance * 100)} % to get here` : `${dash.label}: too far, even with the best roll`;
  }
  private facing(): (model: number) => number {
    const turned = this.angle ?? (this.decision.shape === "place" ? this.bearing() : null);
    return model => turned === null ? this.game.at(model).facing : (Math.round(turned / (2 * Math.PI) * TURN) % TURN + TURN) % TURN;
  }
  /** The floor that is looked at, where there is one under a place. */
  private levelZ(x: number, y: number): number {
    if (!this.game.level) return 0;
    for (const f of this.game.ground.table.features) {
      const floors = [...(f.floors ?? [])].sort((a, b) => a.z - b.z), floor = floors[this.game.level - 1];
      if (floor && holds(floor.outline as Point[], x, y)) return floor.z;
    }
    return 0;
  }
  private spots(): Spot[] { const facing = this.facing(); return this.ends.map(e => ({ model: e.model, x: e.x, y: e.y, z: this.levelZ(e.x, e.y), facing: facing(e.model) })); }
  private answer(): unknown {
    if (this.decision.shape === "place") return this.spots();
    if (this.isRolled(this.mode)) return { mode: this.mode, paths: [] };
    const paths = this.spots().filter((s, i) => this.ends[i].far > 4).map(s => {
      const now = this.game.at(s.model), over = this.via(s.model).points.map(([x, y]) => ({ do: "go", x, y, z: now.z, facing: now.facing }));
      const legs = [...over, { do: "go", x: s.x, y: s.y, z: s.z ?? 0, facing: now.facing }];
      if (s.facing !== now.facing) legs.push({ do: "turn", x: s.x, y: s.y, z: s.z ?? 0, facing: s.facing ?? 0 });
      return { model: s.model, legs };
    });
    return { mode: this.mode, paths };
  }
  /** Ask about the newest ghosts, one question at a time; what the hand does meanwhile is asked about next. */
  private async judge(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.judged !== this.version && this.game.decision?.id === this.decision.id && this.goal) {
      const version = this.version, verdict = await this.game.check(this.answer());
      // What was put in the place of the ghosts meanwhile has been judged already.
      this.judged = Math.max(this.judged, version);
      if (!verdict || this.game.plan?.decision !== this.decision.id) break;
      const bent = verdict.ok || version !== this.version ? null : await this.around();
      if (version === this.version && this.game.plan?.decision === this.decision.id) {
        if (bent) this.bend(bent); else this.show(verdict);
      }
      await new Promise(done => setTimeout(done, PAUSE));
    }
    this.running = false;
  }
  /** The same ends by ways around what is in the way; null where the server finds none. */
  private async around(): Promise<unknown> {
    if (!this.goal || this.way.length || this.decision.shape === "place" || this.isRolled(this.mode)) return null;
    const ends = this.ends, found = await this.game.towards(this.goal[0], this.goal[1], this.shape, this.mode, this.spots());
    return found !== null && this.ends === ends && !this.strays(found) && !this.stirs(found) ? found : null;
  }
  /** Whether an answer puts anybody somewhere else than the hand did. */
  private strays(answer: unknown): boolean {
    const ghosts = this.game.ghostsOf(answer);
    return this.ends.some(e => { const g = ghosts.find(h => h.model === e.model); return g ? Math.hypot(g.x - e.x, g.y - e.y) > SAME : e.far > SAME; });
  }
  /** Whether an answer moves models that were not picked. */
  private stirs(answer: unknown): boolean { return this.only.size > 0 && this.game.ghostsOf(answer).some(g => !this.only.has(g.model)); }
  private bend(answer: unknown): void {
    this.game.stage(answer, { ok: true }, this.allowance);
    this.legal = this.game.plan;
  }
  private show(verdict: Verdict): void {
    this.game.plan = { ...this.game.plan!, verdict };
    if (verdict.ok && this.game.plan.ghosts.length) this.legal = this.game.plan;
    if (verdict.ok) this.game.clear(); else this.game.refuse(verdict);
  }
  /** The hand lets go: what is legal stands as it is; otherwise the nearest that the server finds. */
  private async settle(): Promise<void> {
    this.game.settling = true;
    try { await this.find(); } finally { this.game.settling = false; }
  }
  private async find(): Promise<void> {
    if (!this.goal) return;
    const version = this.version, answer = this.answer(), rolled = this.isRolled(this.mode);
    const verdict = await this.game.check(answer);
    if (!verdict || version !== this.version || this.game.decision?.id !== this.decision.id) return;
    if (rolled) this.game.wish = { unit: this.decision.unit, ends: this.ends.map(e => ({ model: e.model, x: this.goal![0], y: this.goal![1] })) };
    if (verdict.ok) { this.show(verdict); return; }
    const found = await this.game.towards(this.goal[0], this.goal[1], this.shape, this.mode, this.spots());
    if (version !== this.version || this.game.decision?.id !== this.decision.id) return;
    if (found === null || this.stirs(found)) {
      const usual = this.decision.shape === "place" && this.game.usual ? this.game.ghostsOf(this.game.usual.answer) : [], mid = usual.length ? this.middleOf(usual) : null;
      // Who points near the usual place means it.
      if (mid && Math.hypot(mid[0] - this.goal[0], mid[1] - this.goal[1]) < NEAR) {
        this.version++; this.judged = this.version;
        this.game.stage(this.game.usual!.answer, { ok: true }); this.say(verdict);
        return;
      }
      this.show(verdict);
      if (this.legal && !rolled && !this.stirs(this.legal.answer)) { this.version++; this.judged = this.version; this.game.plan = this.legal; this.goal = this.middleOf(this.legal.ghosts); this.say(verdict); }
      return;
    }
    const moved = this.strays(found);
    this.version++; this.judged = this.version;
    this.game.stage(found, { ok: true }, this.decision.shape === "place" ? 0 : this.allowance);
    if (moved) this.say(verdict);
  }
  private say(verdict: Verdict): void { this.game.refuse(verdict); this.game.note = `This is the nearest place that was found. ${this.game.note}`; }
  private wantEnds(ends: { model: number; x: number; y: number }[]): void {
    if (!ends.length) return;
    this.picked = true;
    this.point(ends[0].x, ends[0].y);
  }
}
