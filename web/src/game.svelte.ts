/* One battle as one seat sees it: what the server told, what is selected, and what is being planned. */

import { fold } from "./fold";
import {
  FACING,
  GONE,
  OF_UNIT,
  ON_TABLE,
  PLACE,
  WOUNDS,
  X,
  Y,
  Z,
  type Area,
  type Board,
  type ByHand,
  type Card,
  type Clock,
  type Decision,
  type GameEvent,
  type Ground,
  type Happened,
  type Idea,
  type Message,
  type Moves,
  type Option,
  type Outlook,
  type Point,
  type Queued,
  type Result,
  type Rewound,
  type Ring,
  type Rule,
  type Seat,
  type Sight,
  type Spot,
  type Unit,
  type Verdict,
  type View,
  type Waiting,
  type Welcome,
} from "./protocol";
import { Refused, Wire } from "./wire";
import { ended, invitedBy, ordered, seatTaken, TAKEBACKS } from "./home";
import { isOrdered, offersOf, withOrder, withoutOrder } from "./orders";
import { baseOf, type Base, type Standing } from "./board/models";
import type { Shade } from "./moving/magnets";
import { Trail } from "./moving/trail.svelte";
import type { Actor } from "./shapes/actor";
import { Playback, type Beat } from "./story/playback";
import { linked, NO_CHAIN, type Chain } from "./story/chain";
import { factsOf, linesOf, type Fact, type LogLine } from "./story/lines";
import { lookBack, momentOf } from "./story/moments";

export type { LogLine } from "./story/lines";
export interface Ghost extends Standing {
  model: number;
  way: [number, number][];
  short?: boolean;
}
/** What would be answered, with where it puts models; `verdict` is null until somebody has judged it, `rules` are those behind the note. */
export interface Plan {
  decision: number;
  answer: unknown;
  ghosts: Ghost[];
  verdict: Verdict | null;
  longest: number;
  limit: number;
  /** How far it should have gone, where that is farther than the ghosts stand. */
  wanted?: number;
  note: string;
  rules: string[];
}
/** Something that points, such as a tape or a line of fire, in grid steps. */
export interface Pointer {
  from: [number, number];
  to: [number, number];
  text: string;
  kind: "tape" | "fire" | "front";
}
export type Tool = "" | "tape" | "sight";
/** What one wants to do as soon as it is asked. */
interface Wish {
  unit: number;
  ends: { model: number; x: number; y: number }[] | null;
}
/** A unit's move that was planned and not done yet: how it is chosen, and how it moves. */
export interface Intent {
  unit: number;
  answers: Queued[];
  plan: Plan;
}
interface Hush {
  kind: string;
  until: "phase" | "turn" | "battle";
  key: string;
}

const LONGEST_LOG = 4000;
const LOOK = 20; // milliseconds between two looks at what is awaited
const REACTION = "react.";
const LONGEST_THOUGHT = 2000; // milliseconds that standing orders may think before the player is asked

export class Game {
  ready = $state(false);
  online = $state(false);
  trouble = $state("");
  id = "";
  title = $state("");
  you = $state(-1);
  seats = $state.raw<Seat[]>([]);
  /** When answers can be taken back. */
  takebacks = $state("agreed");
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
  /** The usual answer, which the space bar gives; null until the server has told it. */
  usual = $state.raw<Idea | null>(null);
  chips = $state.raw<Map<number, string>>(new Map());
  letters = $state.raw<Map<number, string>>(new Map());
  pointers = $state.raw<Pointer[]>([]);
  asking = $state.raw<{ request: number; player: number; text: string } | null>(null);
  note = $state("");
  /** The note tells what happened; nothing was refused. */
  calm = $state(false);
  noteRules = $state.raw<string[]>([]);
  noteFacts = $state.raw<Fact[]>([]);
  private answering = $state(false);
  private takingBack = $state(false);
  telling = $state(false);
  /** Whether the server still thinks about what the hand put down. */
  settling = $state(false);
  /** Units that the open decision can be answered with by pointing at them, and those that are chosen. */
  pointable = $state.raw<Set<number>>(new Set());
  pointed = $state.raw<Set<number>>(new Set());
  card = $state.raw<Card | null>(null);
  tool = $state<Tool>("");
  areas = $state.raw<Area[]>([]);
  sight = $state.raw<Sight | null>(null);
  /** Where the enemy does not see the unit that it should hide from. */
  shade = $state.raw<Shade | null>(null);
  showThreat = $state(false);
  /** The floor that is looked at: 0 for the ground. */
  level = $state(0);
  /** Templates, legs and plotted places that an answer is being made of. */
  sketch = $state.raw<Sketch>({ points: [], circles: [], legs: [] });
  /** Where keys point at; null for nowhere. */
  mark = $state.raw<[number, number] | null>(null);
  /** Who makes the answer to the open decision. */
  actor = $state.raw<Actor | null>(null);
  orders = $state("");
  hook = $state("");
  queued = $state(0);
  clocks = $state.raw<Clock[]>([]);
  /** When the clocks said so. */
  clocksAt = 0;
  /** Moves that are planned first, and done together. */
  planning = $state(false);
  intents = $state.raw<Intent[]>([]);
  /** Who of a unit falls first, as the player has put them; by unit. */
  casualties = $state.raw<Record<number, number[]>>({});
  /** What happened since one was last here; empty once it was read. */
  recap = $state.raw<LogLine[]>([]);
  /** The dice that were rolled last. */
  dice = $state.raw<LogLine | null>(null);
  /** The attack that is told, from its dice to what they did. */
  chain = $state.raw<Chain>(NO_CHAIN);

  ground!: Ground;
  view!: View;
  bases: Base[] = [];
  full: number[] = [];
  moving = new Map<number, { from: [number, number, number]; since: number }>();
  wish: Wish | null = null;
  /** A hand that drags a unit before the decision about it is open. */
  hand: { unit: number; from: [number, number]; at: [number, number]; down: boolean } | null = null;
  /** The unit under a place of the window; the board sets it. */
  unitUnder: (clientX: number, clientY: number) => number = () => -1;
  readonly playback: Playback;
  private wire: Wire;
  /** The usual answer, which the server thinks about. */
  private coming: Promise<Idea | null> = Promise.resolve(null);
  private hushed: Hush[] = [];
  /** Questions that standing orders think about first. */
  private held: Decision[] = [];
  private leftToUs = new Set<number>();
  private patience = 0;
  /** Whether the open decision gets its usual answer without anybody's doing. */
  automatic = $state(false);
  /** The phase whose questions get usual answers. */
  resting = $state("");
  private first = 0;
  private usualOrders = "";
  /** The kind of question that offers to make a roll again; empty where the rules know none. */
  rerolls = $state("");
  private ordering: Promise<unknown> = Promise.resolve();
  private readonly trail = new Trail();
  /** The option that was chosen last, and the units that could be chosen then. */
  private choice: unknown = null;
  private others = new Set<number>();
  /** All plans are being sent. */
  private sending = false;
  /** The answer that was refused; undefined where none was. */
  private tried: unknown = undefined;
  private seen = 0;
  private rulesKnown = new Map<string, Rule>();

  /** `shared` where several sit at this screen: then the story tells no secrets, whoever's turn it is to look. */
  constructor(
    private who: { token?: string; battle?: string; orders?: string },
    readonly shared = false,
  ) {
    this.playback = new Playback(
      beat => this.play(beat),
      busy => {
        this.telling = busy;
      },
    );
    this.wire = new Wire(
      { token: who.token, battle: who.battle },
      {
        welcome: m => this.welcome(m),
        happened: m => this.playback.add(m),
        rewound: m => this.rewound(m),
        said: m => this.said(m),
        connected: (yes, why) => {
          this.online = yes;
          this.trouble = why;
        },
      },
    );
  }
  leave(): void {
    this.wire.close();
  }

  /** Whether an answer is under way, or one is being taken back. */
  get busy(): boolean {
    return this.answering || this.takingBack;
  }
  /** The decision that is open for this seat. */
  get decision(): Decision | null {
    return this.open[0] ?? null;
  }
  /** Units that the question is about beside its own: whom it charges, or fires at. */
  concerned = $derived.by(() => {
    const about = this.decision?.about ?? {},
      all: unknown[] = [about.target, ...(Array.isArray(about.targets) ? about.targets : [])];
    return new Set(all.filter((u): u is number => typeof u === "number" && !!this.view?.units[u]));
  });
  /** The rings around enemies that one keeps out of now: those of the question, if it has any, else those of any move. */
  get keepOut(): Ring[] {
    const d = this.decision,
      all = this.ground.rings.filter(r => r.around === "enemies"),
      own = all.filter(r => d && r.kinds?.includes(d.kind)),
      gap = d?.about.gap;
    return own.length
      ? own.map(r => (typeof gap === "number" ? { ...r, far: gap } : r))
      : all.filter(r => d?.shape === "place" || !r.kinds?.length);
  }
  get isReaction(): boolean {
    return !!this.decision?.kind.startsWith(REACTION);
  }
  unit(id: number): Unit | undefined {
    return this.view.units[id];
  }
  unitOf(model: number): number {
    return this.view.models[model][OF_UNIT];
  }
  sideOf(unit: number): number {
    return this.view.players[this.view.units[unit].player].side;
  }
  standing(unit: number): number[] {
    return this.view.units[unit].models.filter(m => this.view.models[m][PLACE] === ON_TABLE);
  }
  baseOf(model: number): Base {
    return this.bases[this.ground.shape_of[model]];
  }
  at(model: number): Standing {
    const row = this.view.models[model];
    return { x: row[X], y: row[Y], z: row[Z], facing: row[FACING] };
  }
  wounds(model: number): [number, number] {
    return [this.view.models[model][WOUNDS], this.full[model]];
  }
  isMine(unit: number): boolean {
    return this.view.units[unit].player === this.you;
  }
  isEnemy(unit: number, of: number): boolean {
    return this.sideOf(unit) !== this.sideOf(of);
  }
  middle(unit: number): [number, number] | null {
    const models = this.view.units[unit] ? this.standing(unit) : [];
    if (!models.length) return null;
    const sum = models.reduce(([x, y], m) => [x + this.view.models[m][X], y + this.view.models[m][Y]], [0, 0]);
    return [sum[0] / models.length, sum[1] / models.length];
  }

  // --- answers

  async answer(answer: unknown): Promise<boolean> {
    const d = this.decision;
    if (!d || this.busy) return false;
    const offered = this.units();
    this.answering = true;
    this.clear();
    try {
      await this.wire.answer(d.id, answer);
      this.plan = null;
      if (d.shape === "choose") {
        this.choice = answer;
        this.others = offered;
      }
      return true;
    } catch (error) {
      this.explain(error);
      this.tried = answer;
      this.letGo();
      return false;
    } finally {
      this.answering = false;
    }
  }
  /** The space bar: what is planned if it may be done, else the usual answer; while a story is told, its end or its next step. */
  async accept(): Promise<void> {
    const d = this.decision;
    if (this.telling) {
      if (this.playback.stops) this.playback.step();
      else this.playback.hurry();
      return;
    }
    if (!d) return;
    if (this.plan?.decision === d.id) {
      if (!(await this.judged(d))) return;
      if (this.plan?.verdict?.ok) {
        await this.answer(this.plan.answer);
        return;
      }
      if (this.plan && !this.plan.verdict && !this.online)
        this.tell("There is no connection now, so nobody can judge what is planned.", false);
      // Who meant what was planned did not mean the usual answer.
      return;
    }
    if (this.actor?.ready) {
      await this.actor.ready();
      return;
    }
    const usual = this.usual ?? (await this.coming) ?? (await this.default());
    if (usual && this.decision?.id === d.id) await this.answer(usual.answer);
  }
  /** Until what is planned has been judged; says whether the question is still open then. */
  async judged(d = this.decision): Promise<boolean> {
    while (d && this.decision?.id === d.id && this.online && this.plan && (!this.plan.verdict || this.settling))
      await new Promise(done => setTimeout(done, LOOK));
    return !!d && this.decision?.id === d.id;
  }
  async default(): Promise<Idea | null> {
    return (await this.asked<{ ideas: Idea[] }>("default", {}))?.ideas[0] ?? null;
  }
  async ideas(most = 3): Promise<Idea[]> {
    return (await this.asked<{ ideas: Idea[] }>("ideas", { most }))?.ideas ?? [];
  }
  async advise(aim: string): Promise<Idea | null> {
    return (await this.asked<{ ideas: Idea[] }>("advise", { aim }))?.ideas[0] ?? null;
  }
  async check(answer: unknown): Promise<Verdict | null> {
    return (await this.asked<{ verdict: Verdict }>("check", { answer }))?.verdict ?? null;
  }
  /** The chance that an answer does what it is for, and what that is. `unasked`: nobody wanted to know, so that nobody is told why there is none. */
  async likely(answer: unknown, unasked = false): Promise<{ chance: number; meant: string } | null> {
    const found = await this.asked<{ chance: number | null; meant?: string }>("chance", { answer }, unasked);
    return found && found.chance !== null ? { chance: found.chance, meant: found.meant ?? "" } : null;
  }
  async chance(answer: unknown): Promise<number | null> {
    return (await this.likely(answer))?.chance ?? null;
  }
  /** What answers would do, and what of each can be done together. */
  async outlook(answers: unknown[]): Promise<{ outlooks: Outlook[][]; answers: unknown[] }> {
    return (
      (await this.asked<{ outlooks: Outlook[][]; answers: unknown[] }>("outlook", { answers })) ?? {
        outlooks: [],
        answers: [],
      }
    );
  }
  async reach(mode: string): Promise<Area[]> {
    return (await this.asked<{ areas: Area[] }>("reach", { mode }))?.areas ?? [];
  }
  /** Where an enemy sees nobody; null where that cannot be told. */
  async unseen(foe: number): Promise<Point[][] | null> {
    return (await this.asked<{ outlines: Point[][] }>("shade", { foe }))?.outlines ?? null;
  }
  /** A legal answer that brings the unit of the decision to a place, or its models near the ends that are wanted. */
  async towards(x: number, y: number, shape: string, mode: string, ends: Spot[] = []): Promise<unknown> {
    return (
      (await this.asked<{ ideas: Idea[] }>("towards", { x: Math.round(x), y: Math.round(y), shape, mode, ends }))
        ?.ideas[0]?.answer ?? null
    );
  }
  private async asked<T>(say: string, more: Record<string, unknown>, quiet = false): Promise<T | null> {
    const d = this.decision;
    // Only a few questions are thought about at a time: who comes too early waits a little.
    for (let wait = 120; d && this.decision?.id === d.id; wait *= 1.6) {
      try {
        return await this.wire.ask<T>({ say, decision: d.id, ...more });
      } catch (error) {
        if (!(error instanceof Refused) || error.reply.code !== "too_frequent" || wait > 2000) {
          if (!quiet) this.explain(error);
          return null;
        }
      }
      await new Promise(done => setTimeout(done, wait));
    }
    return null;
  }

  /** Ghosts of an answer that puts or moves models. */
  ghostsOf(answer: unknown): Ghost[] {
    if (Array.isArray(answer))
      return (answer as Spot[])
        .filter(s => s && typeof s.model === "number" && typeof s.x === "number")
        .map(s => ({ model: s.model, x: s.x, y: s.y, z: s.z ?? 0, facing: s.facing ?? 0, way: [] }));
    return ((answer as Moves | null)?.paths ?? []).map(p => {
      const from = this.at(p.model),
        end = p.legs[p.legs.length - 1] ?? from;
      const way: [number, number][] = [[from.x, from.y], ...p.legs.map(l => [l.x, l.y] as [number, number])];
      return { model: p.model, x: end.x, y: end.y, z: end.z ?? 0, facing: end.facing ?? from.facing, way };
    });
  }
  stage(answer: unknown, verdict: Verdict | null, limit = 0, note = ""): void {
    const d = this.decision;
    if (!d) return;
    const ghosts = this.ghostsOf(answer);
    this.plan = {
      decision: d.id,
      answer,
      ghosts,
      verdict,
      longest: Math.max(0, ...ghosts.map(g => lengthOf(g.way))),
      limit,
      note,
      rules: [],
    };
    this.tell("");
  }

  // --- looking things up

  async odds(unit: number, target: number): Promise<string[]> {
    return (await this.quietly(this.wire.ask<{ lines: string[] }>({ say: "odds", unit, target })))?.lines ?? [];
  }
  async look(unit: number, target: number): Promise<void> {
    this.sight = await this.quietly(this.wire.ask<Sight & Message>({ say: "sight", unit, target }));
  }
  /** `stood`: where all models on the table stood when they looked, each with x, y, z and facing. */
  async sightOf(
    unit: number,
    target: number,
    stood: ReadonlyMap<number, readonly number[]> | null = null,
  ): Promise<Sight | null> {
    const places = [...(stood ?? [])].map(([model, [x, y, z, facing]]) => ({ model, x, y, z, facing }));
    try {
      return await this.wire.ask<Sight & Message>({ say: "sight", unit, target, stood: places });
    } catch {
      return null;
    }
  }
  /** Two units on the table that a sentence is about: those that it came with, then those that it names. */
  pairIn(units: number[], text: string, view: View = this.view): [number, number] | null {
    const stands = (u: number) => view.units[u]?.models.some(m => view.models[m][PLACE] === ON_TABLE),
      found = units.filter(stands);
    let rest = text;
    for (const u of [...view.units].sort((a, b) => b.name.length - a.name.length)) {
      if (!rest.includes(u.name)) continue;
      rest = rest.replaceAll(u.name, "");
      if (stands(u.id)) found.push(u.id);
    }
    const [first, ...others] = [...new Set(found)],
      second = others.find(u => this.isEnemy(u, first)) ?? others[0];
    return first === undefined || second === undefined ? null : [first, second];
  }
  async why(act: string, unit: number): Promise<Verdict | null> {
    return (await this.quietly(this.wire.ask<{ verdict: Verdict }>({ say: "why", act, unit })))?.verdict ?? null;
  }
  /** Who applies what nothing enforces, and when. */
  leftTo(one: ByHand): string {
    return `Not enforced here, ${one.player === this.you ? "" : `for ${this.view.players[one.player]?.name ?? ""} to `}play by hand${one.when ? ` ${one.when}` : ""}`;
  }
  async reference(phase: string, kind: string): Promise<Rule[]> {
    return (await this.quietly(this.wire.ask<{ rules: Rule[] }>({ say: "reference", phase, kind })))?.rules ?? [];
  }
  /** This moment as a file: with a question, distances between the units that matter, and the answer whose refusal is shown. */
  async moment(question = ""): Promise<{ name: string; text: string } | null> {
    const d = this.decision,
      plan = d && this.plan?.decision === d.id && this.plan.verdict?.ok === false ? this.plan.answer : undefined;
    const refused = d && this.note && !this.calm ? (this.tried ?? plan) : plan,
      units = [d?.unit ?? -1, ...(this.pairIn([], this.note) ?? []), this.selected].filter(
        (u, i, all) => u >= 0 && all.indexOf(u) === i,
      );
    return this.quietly(
      this.wire.ask<{ name: string; text: string }>({
        say: "moment",
        question,
        units,
        ...(d && refused !== undefined
          ? { decision: d.id, refused, chosen: this.trail.chosen(d, this.you)?.kind ?? "" }
          : {}),
      }),
    );
  }
  async show(unit: number): Promise<void> {
    this.selected = unit;
    this.sight = null;
    const card =
      unit < 0
        ? null
        : ((await this.quietly(this.wire.ask<{ card: Card | null }>({ say: "card", unit })))?.card ?? null);
    if (this.selected === unit) this.card = card;
  }
  async rules(ids: string[]): Promise<Rule[]> {
    const missing = ids.filter(id => !this.rulesKnown.has(id)).slice(0, 50);
    if (missing.length) {
      const found = await this.quietly(this.wire.ask<{ rules: Rule[] }>({ say: "rules", ids: missing }));
      for (const rule of found?.rules ?? []) this.rulesKnown.set(rule.id, rule);
    }
    return ids.map(id => this.rulesKnown.get(id)).filter((r): r is Rule => !!r);
  }
  /** Whether the unit of the open question was just chosen, so that another one can be chosen instead. */
  private get isFresh(): boolean {
    return this.trail.isFresh(this.decision, this.you);
  }
  /** Whether another unit can be turned to: in the place of one that was just chosen, or next, once what is planned is done. Where nobody remembers who could be chosen, any that stands. */
  mayTurnTo(unit: number): boolean {
    const own = this.decision?.unit ?? -1,
      staged = !this.planning && this.plan?.decision === this.decision?.id && this.plan?.verdict?.ok !== false;
    return (
      unit >= 0 &&
      unit !== own &&
      this.isMine(unit) &&
      this.standing(unit).length > 0 &&
      (this.isFresh || staged) &&
      (this.choice !== own || !this.others.size || this.others.has(unit))
    );
  }
  /** Do this as soon as a unit can be chosen: who clicks on the next one has done with the last. */
  async turnTo(unit: number): Promise<void> {
    const d = this.decision;
    this.wish = { unit, ends: null };
    if (!(await this.judged(d))) return;
    if (this.planning && this.isFresh) this.intend();
    else if (this.plan?.decision === d?.id && this.plan?.verdict?.ok) {
      await this.answer(this.plan.answer);
      return;
    }
    if (!this.isFresh || !(await this.takeBack()) || this.decision?.id === d?.id) this.letGo();
  }
  /** What was wanted next cannot be done; a hand that is still down drags nothing any more. */
  private letGo(): void {
    this.wish = null;
    if (this.hand?.down) this.hand.unit = -1;
    else this.hand = null;
  }
  // --- moves that are planned first

  /** Keep what is staged as a plan; the unit's last one gives way. */
  intend(): boolean {
    const d = this.decision,
      plan = this.plan;
    return !!d && d.shape === "move" && plan?.decision === d.id && !!plan.verdict?.ok && this.keepPlan(d, plan);
  }
  private keepPlan(d: Decision, plan: Plan): boolean {
    const chosen = this.isFresh ? this.trail.chosen(d, this.you) : null;
    if (!chosen) {
      this.tell("This cannot wait: dice were rolled, or something was answered, since the unit was chosen.", false);
      return false;
    }
    this.intents = [
      ...this.intents.filter(i => i.unit !== d.unit),
      { unit: d.unit, answers: [chosen, { kind: d.kind, unit: d.unit, answer: plan.answer }], plan },
    ];
    return true;
  }
  /** Whether the targets of a unit that was chosen can be planned, and another one chosen. */
  get plansTargets(): boolean {
    const d = this.decision;
    return d?.shape === "assign" && this.isFresh;
  }
  /** Keep targets as a plan, and choose again. */
  async intendTargets(answer: unknown): Promise<boolean> {
    const d = this.decision;
    if (!d || !this.planning || !this.plansTargets) return false;
    const verdict = { ok: true };
    this.keepPlan(d, { decision: d.id, answer, ghosts: [], verdict, longest: 0, limit: 0, note: "", rules: [] });
    await this.takeBack();
    return true;
  }
  /** Let a plan wait, and choose again. */
  async shelve(): Promise<void> {
    if ((await this.judged()) && this.intend()) await this.takeBack();
  }
  /** Send all plans; the server does one after the other, and what fits no more comes back. */
  async commitAll(): Promise<void> {
    if (this.sending || this.queued) return;
    this.sending = true;
    try {
      const d = this.decision;
      if (d?.shape === "move") {
        if ((await this.judged(d)) && this.plan?.verdict?.ok) this.intend();
        if (this.decision?.id === d.id && this.isFresh) await this.takeBack();
      } else if (this.plansTargets) {
        this.planning = true;
        if (this.actor?.ready) await this.actor.ready();
        else await this.takeBack();
      }
      const answers = this.inOrder(),
        now = this.decision;
      await this.queue(answers);
      this.planning = false;
      if (now && answers.length && (answers[0].kind !== now.kind || answers[0].unit !== now.unit))
        this.tell("What is planned is done as soon as this is answered.");
    } finally {
      this.sending = false;
    }
  }
  /** What is planned for the open question comes first, and needs nobody to be chosen any more. */
  private inOrder(): Queued[] {
    const d = this.decision,
      now = this.intents.find(i => d && i.unit === d.unit && i.answers[1].kind === d.kind);
    return [...(now?.answers.slice(1) ?? []), ...this.intents.filter(i => i !== now).flatMap(i => i.answers)];
  }
  forget(unit: number): void {
    this.intents = this.intents.filter(i => i.unit !== unit);
  }
  private queueLeft(left: number, text: string, back: Queued[]): void {
    this.queued = left;
    if (text) this.tell(text, false);
    // What was done is no plan any more; what came back is one again.
    const still = new Set(back.map(a => a.unit));
    if (back.length) {
      this.intents = this.intents.filter(i => still.has(i.unit));
      this.planning = this.intents.length > 0;
    } else if (!left) this.intents = [];
  }

  // --- who falls first, and who is asked before reacting

  /** Whether one of a unit's own models takes something, and the server knows who is first. */
  private isLoss(d: Decision): boolean {
    if (d.shape !== "choose" || d.unit < 0 || !this.isMine(d.unit)) return false;
    const models = this.view.units[d.unit].models,
      order = this.casualties[d.unit] ?? [];
    return (
      d.options.every(
        o =>
          typeof o.value === "number" && models.includes(o.value) && unitMeant(this.view.units, o.value, o.label) < 0,
      ) && d.options.some(o => order.includes(o.value as number))
    );
  }
  private setFalls(falls: { unit: number; models: number[] }[]): void {
    this.casualties = Object.fromEntries(falls.map(f => [f.unit, f.models]));
  }
  setCasualties(unit: number, order: number[] | null): void {
    const { [unit]: _, ...others } = this.casualties;
    this.casualties = order ? { ...others, [unit]: order } : others;
    // From now on the server answers, whether anybody is here or not.
    void this.quietly(this.wire.ask({ say: "fall", fall: { unit, models: order ?? [] } }));
  }
  private armedLine(unit: number): string {
    const offers = offersOf(this.view.units[unit].name);
    return `- {for: "react.*", offers: ${JSON.stringify(offers)}, do: ask}`;
  }
  isArmed(unit: number): boolean {
    return this.orders.includes(this.armedLine(unit));
  }
  /** Be asked whenever a unit could react, whatever the orders say about others; without orders the usual ones hold for them. */
  async arm(unit: number): Promise<void> {
    const line = this.armedLine(unit);
    await (this.isArmed(unit) ? this.dropOrder(line) : this.addOrder(line, this.usualOrders));
  }
  private get rerollLine(): string {
    return `- {for: "${this.rerolls}", do: ask, every: true}`;
  }
  /** Whether they want to be asked about every roll that may be made again. */
  get wantsRerolls(): boolean {
    return this.orders.includes(this.rerollLine);
  }
  wantRerolls(wanted: boolean): void {
    if (!this.rerolls || this.you < 0 || this.result) return;
    // A key may be let go before the server has heard that it was pressed.
    this.ordering = this.ordering.then(async () => {
      if (wanted === this.wantsRerolls) return;
      await (wanted ? this.addOrder(this.rerollLine) : this.dropOrder(this.rerollLine));
    });
  }
  private async addOrder(line: string, otherwise = "orders:\n"): Promise<boolean> {
    const orders = withOrder(this.wholeOrders || otherwise, line);
    if (orders !== null) return this.giveOrders(orders);
    this.tell(`Nothing was added to your orders: write "orders:" and each order in a line of its own.`, false);
    return false;
  }
  private dropOrder(line: string): Promise<boolean> {
    const rest = withoutOrder(this.orders, line);
    return this.giveOrders(rest === this.usualOrders ? "default" : rest);
  }
  private get wholeOrders(): string {
    return this.orders === "default" ? this.usualOrders : this.orders;
  }
  /** Ask the others for a correction. */
  async correct(correction: Record<string, unknown>): Promise<void> {
    this.clear();
    await this.quietly(this.wire.ask({ say: "correct", correction }));
  }
  async takeBack(): Promise<boolean> {
    this.clear();
    this.resting = "";
    this.takingBack = true;
    try {
      return (await this.quietly(this.wire.ask({ say: "take_back" }))) !== null;
    } finally {
      this.takingBack = false;
    }
  }
  async setHook(url: string): Promise<void> {
    const kept = await this.quietly(this.wire.ask<{ url: string }>({ say: "hook", url }));
    if (kept) {
      this.hook = kept.url;
      this.clear();
    }
  }
  async queue(answers: Queued[]): Promise<void> {
    const kept = await this.quietly(this.wire.ask<{ left: number }>({ say: "queue", answers }));
    if (kept) this.queued = kept.left;
  }
  async pause(): Promise<void> {
    await this.quietly(this.wire.ask({ say: "pause" }));
  }
  async concede(): Promise<void> {
    await this.quietly(this.wire.ask({ say: "concede" }));
  }
  async consent(agree: boolean): Promise<void> {
    if (this.asking) await this.quietly(this.wire.ask({ say: "consent", request: this.asking.request, agree }));
    this.asking = null;
  }

  // --- reactions that one does not want to be asked about again

  async hush(until: Hush["until"]): Promise<void> {
    const d = this.decision;
    if (!d) return;
    if (until === "battle") {
      // From now on the server answers, this question first.
      if (await this.addOrder(`- {for: "${d.kind}", do: pass}`)) return;
    } else {
      this.hushed.push({ kind: d.kind, until, key: this.time(until) });
      // Who reloads the page has not changed their mind.
      try {
        sessionStorage.setItem(this.hushKey, JSON.stringify(this.hushed));
      } catch {
        /* full: until the page is left */
      }
    }
    const plain = this.usual ?? (await this.coming) ?? (await this.default());
    if (plain && this.decision?.id === d.id) await this.answer(plain.answer);
  }
  /** Standing orders: `default` for those that most players would give, nothing to be asked about everything. */
  async giveOrders(text: string): Promise<boolean> {
    const kept = await this.quietly(this.wire.ask<{ text: string }>({ say: "give_orders", text }));
    if (!kept) return false;
    this.orders = kept.text;
    this.clear();
    if (this.who.orders) {
      this.who = { ...this.who, orders: "" };
      if (this.who.token) ordered(this.who.token);
    }
    return true;
  }
  /** Take the usual answer now, and to whatever is asked in the rest of this phase; chances to react are still asked about. */
  async leaveTheRest(): Promise<void> {
    this.resting = this.time("phase");
    if (this.plan?.verdict?.ok === false) this.plan = null;
    await this.accept();
  }
  stopResting(): void {
    this.resting = "";
    if (this.decision && !this.isHushed(this.decision)) this.automatic = false;
  }
  private rests(d: Decision): boolean {
    if (this.resting && this.resting !== this.time("phase")) this.resting = "";
    return !!this.resting && !d.secret && !d.kind.startsWith(REACTION);
  }
  private time(until: "phase" | "turn" | "battle"): string {
    const turn = `${this.view.round}/${this.view.active}`;
    return until === "turn" ? turn : until === "phase" ? `${turn}/${this.board?.phase}` : "";
  }
  private get hushKey(): string {
    return `sandtable.hushed.${this.id}.${this.you}`;
  }
  private recallHushed(): void {
    try {
      this.hushed = JSON.parse(sessionStorage.getItem(this.hushKey) ?? "[]");
    } catch {
      this.hushed = [];
    }
  }
  private isHushed(d: Decision): boolean {
    this.hushed = this.hushed.filter(h => h.key === this.time(h.until));
    return d.kind.startsWith(REACTION) && this.hushed.some(h => h.kind === d.kind);
  }

  clear(): void {
    this.tell("");
  }
  /** Say what happened, or what was refused without a rule behind it. */
  tell(text: string, calm = true): void {
    this.note = text;
    this.calm = calm;
    this.noteRules = [];
    this.noteFacts = [];
    this.tried = undefined;
  }
  refuse(verdict: Verdict, answer?: unknown): void {
    this.calm = false;
    this.tried = answer;
    this.note = (verdict.reasons ?? []).map(r => r.text).join(" ") || "That is not allowed.";
    this.noteRules = (verdict.reasons ?? []).flatMap(r => r.rules ?? []);
    this.noteFacts = (verdict.reasons ?? []).flatMap(r => factsOf(r.facts ?? {}));
  }
  /** Do something beside the battle, and tell what went wrong. */
  async trying(deed: () => Promise<void>): Promise<void> {
    await this.quietly(deed());
  }
  private async quietly<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      this.explain(error);
      return null;
    }
  }
  private explain(error: unknown): void {
    const reply = error instanceof Refused ? error.reply : null;
    // A question that was answered meanwhile, or a second look before the first one came back: nothing to tell anybody.
    if (reply && (reply.code === "not_open" || reply.code === "too_frequent")) return;
    const verdict = reply ? (reply.verdict as Verdict | null) : null;
    if (verdict) this.refuse(verdict);
    else this.tell(error instanceof Error ? error.message : String(error), false);
  }

  // --- what the server says

  private welcome(m: Welcome): void {
    this.playback.drop();
    this.id = m.battle;
    this.ground = m.ground;
    this.view = m.view;
    this.title = m.title;
    this.you = m.you;
    this.takebacks = m.takebacks;
    this.setSeats(m.seats);
    this.orders = m.orders;
    this.usualOrders = m.usual_orders;
    this.rerolls = m.rerolls;
    this.hook = m.hook;
    this.queued = m.queued;
    this.setClocks(m.clocks);
    this.seen = m.seen;
    this.bases = m.ground.shapes.map(baseOf);
    this.setFalls(m.falls);
    this.full = m.view.models.map((row, i) => Math.max(row[WOUNDS], m.ground.wounds[i], 1));
    this.log = [];
    this.trail.cut(0);
    this.first = m.next;
    const then: View = {
      ...m.view,
      models: m.view.models.map(row => [...row]),
      units: m.view.units.map(unit => ({ ...unit })),
    };
    this.recallHushed();
    this.stand(m);
    this.ready = true;
    if (this.who.orders && !m.orders) void this.giveOrders(this.who.orders);
    void this.past(then);
  }
  /** The story before this page was opened, for the log alone; `then` is how everything stood at its end, whatever happened since. */
  private async past(then: View): Promise<void> {
    const found = await this.quietly(this.wire.ask<Happened>({ say: "events", since: 0 }));
    if (!found) return;
    const early = found.events.slice(0, this.first - found.first);
    this.trail.add(early, found.first, true);
    // What a model had at first is what it has when it is whole.
    if (!this.shared && this.seen > 0 && this.seen < this.first)
      this.recap = linesOf(early.slice(this.seen - found.first), this.seen, new Map(found.said));
    const lines = this.told(linesOf(early, found.first, new Map(found.said)));
    lookBack(lines, early, found.first, then, this.pairing);
    // What is not as usual is told to both.
    const agreed =
      this.takebacks === "agreed"
        ? []
        : linesOf([{ event: "ruled", text: `Taking answers back: ${TAKEBACKS[this.takebacks]}.` }], -0.5, new Map());
    this.log = [...agreed, ...lines, ...this.log].slice(-LONGEST_LOG);
  }
  private pairing = (units: number[], text: string, view: View) => this.pairIn(units, text, view);
  /** Show what happened since one was last here on the board, from how it stood then. */
  async watchAgain(): Promise<void> {
    const since = this.seen,
      { past } = this.playback,
      then = await this.quietly(this.wire.ask<{ view: View | null }>({ say: "recap", since }));
    const told = then?.view ? await this.quietly(this.wire.ask<Happened>({ say: "events", since })) : null;
    if (!then?.view || !told || past !== this.playback.past) {
      this.note ||= "It cannot be shown from there.";
      return;
    }
    // What came meanwhile is told again with the rest.
    await this.playback.finish();
    this.recap = [];
    this.view = then.view;
    this.log = this.log.filter(line => line.id < since);
    if (this.playback.pace === "at once") this.playback.once();
    this.turn++;
    this.playback.add(told);
  }
  private setSeats(seats: Seat[]): void {
    this.seats = seats;
    if (this.you >= 0)
      seatTaken(
        this.id,
        seats.filter(s => s.taken).map(s => s.player),
      );
  }
  /** Seats that nobody has taken, with the invitation where this browser sent it; who watches is told of none. */
  get free(): { name: string; link: string }[] {
    return this.you < 0
      ? []
      : this.seats.filter(s => !s.taken).map(s => ({ name: s.name, link: invitedBy(this.id, s.player) }));
  }
  private setClocks(clocks: Clock[]): void {
    this.clocks = clocks;
    this.clocksAt = performance.now();
  }
  private told(lines: LogLine[]): LogLine[] {
    return this.shared ? lines.filter(line => !line.secret) : lines;
  }
  private play(beat: Beat): void {
    this.animate(beat.events);
    fold(this.view, beat.events);
    this.trail.add(beat.events, beat.first);
    const lines = this.told(linesOf(beat.events, beat.first, new Map(beat.message.said)));
    for (const line of lines) line.then = momentOf(line, this.view, this.pairing);
    if (lines.length) this.log = [...this.log, ...lines].slice(-LONGEST_LOG);
    const rolled = lines.findLast(l => l.kind === "rolled");
    if (rolled) this.dice = rolled;
    beat.events.forEach((e, i) => {
      this.chain = linked(this.chain, e, lines.find(l => l.id === beat.first + i) ?? null);
    });
    if (beat.last) this.stand(beat.message);
    else this.turn++;
  }
  private rewound(m: Rewound): void {
    this.takingBack = false;
    this.playback.drop();
    this.view = m.view;
    this.trail.cut(m.next);
    this.tell(this.planning ? "" : m.text);
    this.plan = null;
    this.dice = null;
    this.chain = NO_CHAIN;
    const now = m.next - 0.5; // after all that holds, and before what comes
    this.log = this.log.filter(line => line.id < m.next && line.id !== now);
    if (!this.planning) this.log = [...this.log, ...linesOf([{ event: "ruled", text: m.text }], now, new Map())];
    this.stand(m);
  }
  private stand(m: { open: Decision[]; waiting: Waiting[]; result: Result | null; board: Board | null }): void {
    const before = this.decision?.id;
    this.waiting = m.waiting;
    this.result = m.result;
    if (m.result) ended(this.id);
    this.trail.ask(m.open);
    if (m.board) this.board = m.board;
    clearTimeout(this.patience);
    const fresh = this.ready && m.open.length && m.open[0].id !== before;
    this.held = fresh && this.mayBeOrdered(m.open[0]) ? m.open : [];
    this.open = this.held.length ? [] : m.open;
    if (this.held.length) this.patience = window.setTimeout(() => this.release(), LONGEST_THOUGHT);
    this.turn++;
    if (this.decision?.id !== before) this.begin();
  }
  /** Whether standing orders may answer this, so that nobody is bothered before they said that they do not. */
  private mayBeOrdered(d: Decision): boolean {
    if (this.leftToUs.has(d.id)) return false;
    if (this.isLoss(d)) return true;
    return isOrdered(this.wholeOrders, d.kind);
  }
  private release(): void {
    clearTimeout(this.patience);
    if (!this.held.length) return;
    this.open = this.held;
    this.held = [];
    this.turn++;
    this.begin();
  }
  /** A new question is open. */
  private begin(): void {
    const d = this.decision;
    this.plan = null;
    this.usual = null;
    this.pointed = new Set(this.concerned);
    this.chips = new Map();
    this.letters = new Map();
    this.areas = [];
    this.pointers = [];
    this.sight = null;
    this.shade = null;
    this.mark = null;
    this.sketch = { points: [], circles: [], legs: [] };
    this.pointable = this.units();
    this.automatic = false;
    this.coming = Promise.resolve(null);
    if (!d) return;
    if (d.unit >= 0) void this.show(d.unit);
    const wished =
      this.wish && d.shape === "choose"
        ? d.options.find(o => unitMeant(this.view.units, o.value, o.label) === this.wish!.unit)
        : undefined;
    if (wished) {
      if (!this.wish!.ends) this.wish = null;
      void this.answer(wished.value);
      return;
    }
    if (this.wish && !this.isReaction && (!this.wish.ends || d.unit !== this.wish.unit)) this.wish = null;
    if (this.hand && !this.isReaction && d.unit !== this.hand.unit) this.hand = null;
    this.automatic = this.isHushed(d) || this.rests(d);
    this.coming = this.default();
    void this.coming.then(usual => {
      if (this.decision?.id !== d.id) return;
      this.usual = usual;
      if (!usual) {
        this.resting = "";
        this.automatic = false;
      }
      if (usual && this.automatic)
        void this.answer(usual.answer).then(done => {
          if (!done && this.decision?.id === d.id) this.automatic = false;
        });
    });
  }
  /** Units that options stand for: the number is a unit's, and so is the name. */
  private units(): Set<number> {
    const d = this.decision,
      found = new Set<number>();
    const options = d && "options" in d ? d.options : d && "targets" in d ? d.targets : [];
    const unit = meaning(this.view.units, options);
    for (const o of options) if (unit(o) >= 0) found.add(unit(o));
    return found;
  }
  private animate(events: GameEvent[]): void {
    const now = performance.now();
    for (const e of events)
      if (e.event === "moved")
        for (const m of e.models as number[]) {
          const row = this.view.models[m];
          if (row[PLACE] === ON_TABLE) this.moving.set(m, { from: [row[X], row[Y], row[FACING]], since: now });
        }
  }
  private said(m: Message): void {
    if (m.say === "asking") this.asking = { request: m.request, player: m.player, text: m.text };
    else if (m.say === "settled") {
      this.asking = null;
      this.tell(m.text);
    } else if (m.say === "noted") {
      if (!m.answered) this.tell(m.text);
    } else if (m.say === "left") {
      this.leftToUs.add(m.decision);
      if (this.held.some(d => d.id === m.decision)) this.release();
    } else if (m.say === "ordered") this.orders = m.text;
    else if (m.say === "falls") this.setFalls(m.falls);
    else if (m.say === "queue") this.queueLeft(m.left, m.text, m.back);
    else if (m.say === "clocks") this.setClocks(m.clocks);
    else if (m.say === "seats") this.setSeats(m.seats);
    else if (m.say === "farewell") this.trouble = m.text;
    else if (m.say === "refused" && m.code !== "too_frequent") this.tell(m.text, false);
  }
  countOf(unit: number): { here: number; of: number; left: number } {
    let here = 0,
      of = 0,
      wounds = 0,
      full = 0;
    for (const m of this.view.units[unit].models) {
      of++;
      full += this.full[m];
      if (this.view.models[m][PLACE] === GONE) continue;
      wounds += Math.max(this.view.models[m][WOUNDS], 0);
      if (this.view.models[m][PLACE] === ON_TABLE) here++;
    }
    return { here, of, left: full ? wounds / full : 1 };
  }
}
export interface Sketch {
  points: { x: number; y: number; text: string }[];
  circles: { x: number; y: number; radius: number; text: string }[];
  legs: [number, number][];
  /** What stands beside each leg. */
  told?: string[];
}

export function unitMeant(units: Unit[], value: unknown, label: string): number {
  return typeof value === "number" && units[value] !== undefined && label.startsWith(units[value].name) ? value : -1;
}
/** The unit of each option: the one that it is, or, where no option is one, the one that does it. */
export function meaning(units: Unit[], options: Option[]): (o: Option) => number {
  const some = options.some(o => unitMeant(units, o.value, o.label) >= 0);
  return o => (some ? unitMeant(units, o.value, o.label) : (o.unit ?? -1));
}
export function lengthOf(way: [number, number][]): number {
  let sum = 0;
  for (let i = 1; i < way.length; i++) sum += Math.hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
  return sum;
}
