/* One battle as one seat sees it: what the server told, what is selected, and what is being planned. */

import { fold } from "./fold";
import {
  GONE, OF_UNIT, ON_TABLE, PLACE, WOUNDS, X, Y, Z, FACING,
  type Board, type Card, type Decision, type GameEvent, type Ground, type Happened, type Idea, type Message, type Moves,
  type Result, type Rewound, type Rule, type Seat, type Spot, type Unit, type Verdict, type View, type Waiting, type Welcome,
} from "./protocol";
import { Refused, Wire } from "./wire";
import { baseOf, type Base, type Standing } from "./board/models";

export interface LogLine { id: number; kind: "told" | "rolled" | "answered" | "ruled" | "heading"; text: string; player: number; rules: string[]; faces: number[]; sides: number; units: number[] }
export interface Ghost extends Standing { model: number; way: [number, number][] }
export interface Plan { decision: number; answer: unknown; ghosts: Ghost[]; verdict: Verdict | null; longest: number }

const LONGEST_LOG = 4000;

export class Game {
  ready = $state(false);
  online = $state(false);
  trouble = $state("");
  title = $state("");
  you = $state(-1);
  seats = $state.raw<Seat[]>([]);
  board = $state.raw<Board | null>(null);
  open = $state.raw<Decision[]>([]);
  waiting = $state.raw<Waiting[]>([]);
  result = $state.raw<Result | null>(null);
  log = $state.raw<LogLine[]>([]);
  /** Grows with every change of the view, which is too large to be watched field by field. */
  turn = $state(0);
  selected = $state(-1);
  hovered = $state(-1);
  plan = $state.raw<Plan | null>(null);
  chips = $state.raw<Map<number, string>>(new Map());
  asking = $state.raw<{ request: number; text: string } | null>(null);
  note = $state("");
  busy = $state(false);
  /** Units that the open decision can be answered with by pointing at them, and those that are chosen. */
  pointable = $state.raw<Set<number>>(new Set());
  pointed = $state.raw<Set<number>>(new Set());
  card = $state.raw<Card | null>(null);

  ground!: Ground;
  view!: View;
  bases: Base[] = [];
  full: number[] = [];
  moving = new Map<number, { from: [number, number, number]; since: number }>();
  private wire: Wire;
  private first = 0;
  private rulesKnown = new Map<string, Rule>();

  constructor(who: { token?: string; battle?: string }) {
    this.wire = new Wire(who, {
      welcome: m => this.welcome(m),
      happened: m => this.happened(m),
      rewound: m => this.rewound(m),
      said: m => this.said(m),
      connected: (yes, why) => { this.online = yes; this.trouble = why; },
    });
  }
  leave(): void { this.wire.close(); }

  /** The decision that is open for this seat. */
  get decision(): Decision | null { return this.open[0] ?? null; }
  unit(id: number): Unit | undefined { return this.view.units[id]; }
  unitOf(model: number): number { return this.view.models[model][OF_UNIT]; }
  sideOf(unit: number): number { return this.view.players[this.view.units[unit].player].side; }
  standing(unit: number): number[] { return this.view.units[unit].models.filter(m => this.view.models[m][PLACE] === ON_TABLE); }
  at(model: number): Standing {
    const row = this.view.models[model];
    return { x: row[X], y: row[Y], z: row[Z], facing: row[FACING] };
  }
  wounds(model: number): [number, number] { return [this.view.models[model][WOUNDS], this.full[model]]; }
  isMine(unit: number): boolean { return this.view.units[unit].player === this.you; }

  async answer(answer: unknown): Promise<boolean> {
    const d = this.decision;
    if (!d || this.busy) return false;
    this.busy = true; this.note = "";
    try {
      await this.wire.answer(d.id, answer);
      this.plan = null;
      return true;
    } catch (error) {
      this.explain(error);
      return false;
    } finally { this.busy = false; }
  }
  async accept(): Promise<void> {
    const d = this.decision;
    if (!d) return;
    if (this.plan?.decision === d.id && this.plan.verdict?.ok) { await this.answer(this.plan.answer); return; }
    const found = await this.quietly(this.wire.ask<{ ideas: Idea[] }>({ say: "default", decision: d.id }));
    if (found?.ideas.length) await this.answer(found.ideas[0].answer);
  }
  async ideas(most = 3): Promise<Idea[]> {
    const d = this.decision;
    return d ? (await this.quietly(this.wire.ask<{ ideas: Idea[] }>({ say: "ideas", decision: d.id, most })))?.ideas ?? [] : [];
  }
  async advise(aim: string): Promise<Idea | null> {
    const d = this.decision;
    return d ? (await this.quietly(this.wire.ask<{ ideas: Idea[] }>({ say: "advise", decision: d.id, aim })))?.ideas[0] ?? null : null;
  }
  async check(answer: unknown): Promise<Verdict | null> {
    const d = this.decision;
    return d ? (await this.quietly(this.wire.ask<{ verdict: Verdict }>({ say: "check", decision: d.id, answer })))?.verdict ?? null : null;
  }
  async chance(answer: unknown): Promise<number | null> {
    const d = this.decision;
    return d ? (await this.quietly(this.wire.ask<{ chance: number | null }>({ say: "chance", decision: d.id, answer })))?.chance ?? null : null;
  }
  /** Bring the unit of the decision to a place: the ghosts show where its models would end. */
  async towards(x: number, y: number, shape: string, mode: string): Promise<boolean> {
    const d = this.decision;
    if (!d) return false;
    const asked = { say: "towards", decision: d.id, x: Math.round(x), y: Math.round(y), shape, mode };
    const found = await this.quietly(this.wire.ask<{ ideas: Idea[] }>(asked));
    if (!found || this.decision?.id !== d.id) return false;
    if (!found.ideas.length) { this.note = "Nobody can get there."; return false; }
    this.stage(found.ideas[0].answer, { ok: true });
    return true;
  }
  stage(answer: unknown, verdict: Verdict | null): void {
    const d = this.decision;
    if (!d) return;
    const ghosts = Array.isArray(answer) ? this.spots(answer as Spot[]) : this.paths(answer as Moves);
    const longest = Math.max(0, ...ghosts.map(g => lengthOf(g.way)));
    this.plan = { decision: d.id, answer, ghosts, verdict, longest };
    this.note = "";
  }
  private spots(spots: Spot[]): Ghost[] {
    return spots.map(s => ({ model: s.model, x: s.x, y: s.y, z: s.z ?? 0, facing: s.facing ?? 0, way: [] }));
  }
  private paths(moves: Moves): Ghost[] {
    return (moves.paths ?? []).map(p => {
      const from = this.at(p.model), end = p.legs[p.legs.length - 1] ?? from;
      const way: [number, number][] = [[from.x, from.y], ...p.legs.map(l => [l.x, l.y] as [number, number])];
      return { model: p.model, x: end.x, y: end.y, z: end.z ?? 0, facing: end.facing ?? from.facing, way };
    });
  }
  async odds(unit: number, target: number): Promise<string[]> {
    return (await this.quietly(this.wire.ask<{ lines: string[] }>({ say: "odds", unit, target })))?.lines ?? [];
  }
  async show(unit: number): Promise<void> {
    this.selected = unit;
    this.card = unit < 0 ? null : (await this.quietly(this.wire.ask<{ card: Card | null }>({ say: "card", unit })))?.card ?? null;
  }
  async rules(ids: string[]): Promise<Rule[]> {
    const missing = ids.filter(id => !this.rulesKnown.has(id)).slice(0, 50);
    if (missing.length) {
      const found = await this.quietly(this.wire.ask<{ rules: Rule[] }>({ say: "rules", ids: missing }));
      for (const rule of found?.rules ?? []) this.rulesKnown.set(rule.id, rule);
    }
    return ids.map(id => this.rulesKnown.get(id)).filter((r): r is Rule => !!r);
  }
  async takeBack(): Promise<void> { await this.quietly(this.wire.ask({ say: "take_back" })); }
  async concede(): Promise<void> { await this.quietly(this.wire.ask({ say: "concede" })); }
  async consent(agree: boolean): Promise<void> {
    if (this.asking) await this.quietly(this.wire.ask({ say: "consent", request: this.asking.request, agree }));
    this.asking = null;
  }

  private async quietly<T>(asked: Promise<T>): Promise<T | null> {
    try { return await asked; } catch (error) { this.explain(error); return null; }
  }
  private explain(error: unknown): void {
    const verdict = error instanceof Refused ? (error.reply.verdict as Verdict | null) : null;
    this.note = verdict?.reasons?.map(r => r.text).join(" ") || (error instanceof Error ? error.message : String(error));
  }

  // --- what the server says

  private welcome(m: Welcome): void {
    this.ground = m.ground; this.view = m.view; this.title = m.title; this.you = m.you; this.seats = m.seats;
    this.bases = m.ground.shapes.map(baseOf);
    this.full = m.view.models.map(row => Math.max(row[WOUNDS], 1));
    this.log = []; this.first = m.next;
    this.stand(m);
    this.ready = true;
    void this.past();
  }
  /** The story before this page was opened, for the log alone. */
  private async past(): Promise<void> {
    const found = await this.quietly(this.wire.ask<Happened>({ say: "events", since: 0 }));
    if (found) this.tell(found.events.slice(0, this.first - found.first), found.first, new Map(found.said), true);
  }
  private happened(m: Happened): void {
    this.animate(m.events);
    fold(this.view, m.events);
    this.tell(m.events, m.first, new Map(m.said), false);
    this.stand(m);
  }
  private rewound(m: Rewound): void { this.view = m.view; this.note = m.text; this.plan = null; this.stand(m); }
  private stand(m: { open: Decision[]; waiting: Waiting[]; result: Result | null; board: Board | null }): void {
    const before = this.decision?.id;
    this.open = m.open; this.waiting = m.waiting; this.result = m.result;
    if (m.board) this.board = m.board;
    if (this.decision?.id !== before) {
      this.plan = null; this.pointed = new Set(); this.chips = new Map(); this.pointable = this.units();
      if (this.decision && this.decision.unit >= 0) void this.show(this.decision.unit);
    }
    this.turn++;
  }
  /** Units that options stand for: the number is a unit's, and so is the name. */
  private units(): Set<number> {
    const d = this.decision, found = new Set<number>();
    const options = d && "options" in d ? d.options : d && "targets" in d ? d.targets : [];
    for (const o of options) if (unitMeant(this.view.units, o.value, o.label) >= 0) found.add(unitMeant(this.view.units, o.value, o.label));
    return found;
  }
  private animate(events: GameEvent[]): void {
    const now = performance.now();
    for (const e of events) if (e.event === "moved") for (const m of e.models as number[]) {
      const row = this.view.models[m];
      if (row[PLACE] === ON_TABLE) this.moving.set(m, { from: [row[X], row[Y], row[FACING]], since: now });
    }
  }
  private tell(events: GameEvent[], first: number, said: Map<number, string>, early: boolean): void {
    const lines: LogLine[] = [];
    events.forEach((e, i) => {
      const id = first + i, plain = { id, player: -1, rules: [] as string[], faces: [] as number[], sides: 6, units: [] as number[] };
      if (e.event === "told" && e.text) lines.push({ ...plain, kind: e.kind === "phase" || e.kind === "round" ? "heading" : "told", text: e.text, rules: e.rules ?? [], units: e.units ?? [] });
      else if (e.event === "rolled") lines.push({ ...plain, kind: "rolled", text: said.get(id) ?? e.reason, player: e.player, rules: e.rules ?? [], faces: e.faces, sides: e.sides ?? 6 });
      else if (e.event === "answered" && said.has(id)) lines.push({ ...plain, kind: "answered", text: said.get(id)!, player: e.player });
      else if (e.event === "ruled") lines.push({ ...plain, kind: "ruled", text: e.text });
    });
    if (!lines.length) return;
    const all = early ? [...lines, ...this.log] : [...this.log, ...lines];
    this.log = all.slice(-LONGEST_LOG);
  }
  private said(m: Message): void {
    if (m.say === "asking") this.asking = { request: m.request, text: m.text };
    else if (m.say === "settled") { this.asking = null; this.note = m.text; }
    else if (m.say === "noted") this.note = m.text;
    else if (m.say === "seats") this.seats = m.seats;
    else if (m.say === "farewell") this.trouble = m.text;
    else if (m.say === "refused") this.note = m.text;
  }
  countOf(unit: number): { here: number; of: number; left: number } {
    let here = 0, of = 0, wounds = 0, full = 0;
    for (const m of this.view.units[unit].models) {
      of++; full += this.full[m];
      if (this.view.models[m][PLACE] === GONE) continue;
      wounds += Math.max(this.view.models[m][WOUNDS], 0);
      if (this.view.models[m][PLACE] === ON_TABLE) here++;
    }
    return { here, of, left: full ? wounds / full : 1 };
  }
}

export function unitMeant(units: Unit[], value: unknown, label: string): number {
  return typeof value === "number" && units[value] !== undefined && label.startsWith(units[value].name) ? value : -1;
}
export function lengthOf(way: [number, number][]): number {
  let sum = 0;
  for (let i = 1; i < way.length; i++) sum += Math.hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
  return sum;
}
