/* One battle as one seat sees it: how it stands, what is asked and what is looked at. What is done with that, its parts do. */

import { fold } from "./fold";
import {
  FACING,
  OF_UNIT,
  ON_TABLE,
  PLACE,
  WOUNDS,
  X,
  Y,
  Z,
  type Area,
  type Board,
  type Card,
  type Decision,
  type GameEvent,
  type Ground,
  type Happened,
  type Idea,
  type Message,
  type Result,
  type Rewound,
  type Ring,
  type Sight,
  type Spot,
  type Verdict,
  type View,
  type Waiting,
  type Welcome,
} from "./protocol";
import { Wire } from "./wire";
import { ended } from "./home";
import { baseOf, type Base, type Standing } from "./board/models";
import { Advice } from "./game/advice";
import { Answers } from "./game/answers.svelte";
import { Beside } from "./game/beside.svelte";
import { NO_SKETCH, type Pointer, type Sketch } from "./game/drawn";
import { Lookups } from "./game/lookups";
import { Notes } from "./game/notes.svelte";
import { ghostsOf, planOf, type Ghost, type Plan } from "./game/plan";
import { Plans, type Intent } from "./game/plans.svelte";
import { isReaction, keptOut, keptTogether, unitsConcerned, unitsOffered } from "./game/question";
import { Spared } from "./game/spared.svelte";
import { StandingOrders, type Given } from "./game/standing.svelte";
import { Story } from "./game/story.svelte";
import { Turning, type Hand, type Wish } from "./game/turning";
import type { Shade } from "./moving/magnets";
import { Trail } from "./moving/trail.svelte";
import type { Actor } from "./shapes/actor";
import type { Chain } from "./story/chain";
import type { LogLine } from "./story/lines";
import { pairIn } from "./story/pairs";
import { Playback, type Beat } from "./story/playback";

export type { Ghost, Plan };

export class Game {
  ready = $state(false);
  online = $state(false);
  trouble = $state("");
  id = "";
  title = $state("");
  you = $state(-1);
  /** When answers can be taken back. */
  takebacks = $state("agreed");

  // --- how it stands

  ground!: Ground;
  view!: View;
  bases: Base[] = [];
  full: number[] = [];
  moving = new Map<number, { from: [number, number, number]; since: number }>();
  /** Grows with every change of the view, which is too large to be watched field by field. */
  turn = $state(0);
  board = $state.raw<Board | null>(null);
  waiting = $state.raw<Waiting[]>([]);
  result = $state.raw<Result | null>(null);
  /** Whether the story is still told. */
  telling = $state(false);

  // --- what is asked, and what is made of it

  open = $state.raw<Decision[]>([]);
  /** Units that the open question can be answered with by pointing at them, and those that are chosen. */
  pointable = $state.raw<Set<number>>(new Set());
  pointed = $state.raw<Set<number>>(new Set());
  /** Who makes the answer to it. */
  actor = $state.raw<Actor | null>(null);
  plan = $state.raw<Plan | null>(null);
  /** Whether the server still thinks about what the hand put down. */
  settling = $state(false);
  wish: Wish | null = null;
  hand: Hand | null = null;
  /** Counts cards, and lines of sight, that were asked for. */
  private cards = 0;
  private looks = 0;

  /** Whether the open chance to react passes by itself in a moment, or would have if nobody had stirred. */
  passing = $state<"no" | "soon" | "held">("no");

  // --- what is looked at

  selected = $state(-1);
  hovered = $state(-1);
  card = $state.raw<Card | null>(null);
  tool = $state<"" | "tape" | "sight">("");
  showThreat = $state(false);
  /** The floor that is looked at: 0 for the ground. */
  level = $state(0);
  /** Where keys point at; null for nowhere. */
  mark = $state.raw<[number, number] | null>(null);
  /** An idea that is looked at, though nobody has taken it. */
  glanced = $state.raw<Idea | null>(null);
  /** How many pixels a grid step has on the screen; the board sets it. */
  scale = 0.02;
  /** The unit under a place of the window; the board sets it. */
  unitUnder: (clientX: number, clientY: number) => number = () => -1;

  // --- what is drawn for the open question

  chips = $state.raw<Map<number, string>>(new Map());
  letters = $state.raw<Map<number, string>>(new Map());
  /** By which models are named that are chosen from. */
  numbers = $state.raw<Map<number, string>>(new Map());
  pointers = $state.raw<Pointer[]>([]);
  areas = $state.raw<Area[]>([]);
  sight = $state.raw<Sight | null>(null);
  /** Where the enemy does not see the unit that it should hide from. */
  shade = $state.raw<Shade | null>(null);
  sketch = $state.raw<Sketch>(NO_SKETCH);
  /** The model that a list beside the table points at, or -1. */
  ringed = $state(-1);

  // --- its parts

  readonly wire: Wire;
  readonly playback: Playback;
  readonly standingOrders: StandingOrders;
  readonly trail = new Trail();
  readonly notes = new Notes();
  readonly answers = new Answers(this);
  readonly advice = new Advice(this);
  readonly lookups = new Lookups(this);
  readonly turning = new Turning(this);
  readonly plans = new Plans(this);
  readonly spared = new Spared(this);
  readonly story = new Story(this);
  readonly beside = new Beside(this);

  /** `shared` where several sit at this screen: then the story tells no secrets, whoever's turn it is to look. */
  constructor(
    who: Given & { battle?: string },
    readonly shared = false,
  ) {
    this.standingOrders = new StandingOrders(this, who);
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
        resumed: m => this.resumed(m),
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
  /** Ask the server for something beside an answer; what goes wrong is told, and gives null. */
  ask<T = Message>(message: Record<string, unknown>): Promise<T | null> {
    return this.notes.trying(() => this.wire.ask<T>(message));
  }

  // --- questions about how it stands

  unitOf(model: number): number {
    return this.view.models[model][OF_UNIT];
  }
  sideOf(unit: number): number {
    return this.view.players[this.view.units[unit].player].side;
  }
  isMine(unit: number): boolean {
    return this.view.units[unit].player === this.you;
  }
  isEnemy(unit: number, of: number): boolean {
    return this.sideOf(unit) !== this.sideOf(of);
  }
  standing(unit: number): number[] {
    return this.view.units[unit].models.filter(m => this.view.models[m][PLACE] === ON_TABLE);
  }
  middle(unit: number): [number, number] | null {
    const models = this.view.units[unit] ? this.standing(unit) : [];
    if (!models.length) return null;
    const sum = models.reduce(([x, y], m) => [x + this.view.models[m][X], y + this.view.models[m][Y]], [0, 0]);
    return [sum[0] / models.length, sum[1] / models.length];
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

  // --- and about what is asked

  /** The question that is open for this seat. */
  get decision(): Decision | null {
    return this.open[0] ?? null;
  }
  get isReaction(): boolean {
    return !!this.decision && isReaction(this.decision);
  }
  concerned = $derived(unitsConcerned(this.decision, this.view?.units));
  get keepOut(): Ring[] {
    return keptOut(this.decision, this.ground.rings);
  }
  /** What a unit keeps together by; null where nothing is asked of it. */
  get comrades(): Ring | null {
    return keptTogether(this.decision, this.ground.rings);
  }
  /** The ghosts of what is planned for it. */
  get ghosts(): Ghost[] {
    return this.plan && this.plan.decision === this.decision?.id ? this.plan.ghosts : [];
  }
  ghostsOf(answer: unknown): Ghost[] {
    return ghostsOf(answer, m => this.at(m));
  }

  /** What is proposed as an answer: an idea that is looked at, or what is usual. */
  get outlined(): unknown {
    return (this.glanced ?? this.usual)?.answer ?? null;
  }
  get outlines(): Ghost[] {
    return this.decision?.shape === "move" || this.decision?.shape === "place" ? this.ghostsOf(this.outlined) : [];
  }

  // --- deeds of everybody

  /** Plan an answer, so that its ghosts are seen; what it brings with it is told. */
  stage(answer: unknown, verdict: Verdict | null, limit = 0, note = ""): void {
    const d = this.decision;
    if (!d) return;
    this.plan = planOf(d.id, answer, this.ghostsOf(answer), verdict, limit, note);
    this.clear();
    if (verdict?.ok) this.remark(verdict);
  }
  async show(unit: number): Promise<void> {
    if (unit !== this.selected) this.card = null;
    this.selected = unit;
    this.sight = null;
    await this.readCard();
  }
  /** What the card of the selected unit says now. */
  private async readCard(): Promise<void> {
    const unit = this.selected;
    this.cards++;
    const card = unit < 0 ? null : await this.lookups.card(unit);
    if (this.selected === unit) this.card = card ?? this.card;
  }
  /** Who looks elsewhere meanwhile, or is asked something else, does not see it any more. */
  async look(unit: number, target: number): Promise<void> {
    const looking = ++this.looks,
      { decision, selected } = this,
      sight = await this.lookups.sight(unit, target);
    if (looking === this.looks && this.decision?.id === decision?.id && this.selected === selected) this.sight = sight;
  }

  // --- what the server says

  private welcome(m: Welcome): void {
    this.playback.drop();
    this.moving.clear();
    this.id = m.battle;
    this.title = m.title;
    this.you = m.you;
    this.takebacks = m.takebacks;
    this.ground = m.ground;
    this.view = m.view;
    this.bases = m.ground.shapes.map(baseOf);
    this.full = m.view.models.map((row, i) => Math.max(row[WOUNDS], m.ground.wounds[i], 1));
    this.standingOrders.open(m);
    this.plans.open(m.queued);
    this.beside.open(m);
    this.story.open(m);
    this.trail.cut(0);
    // What happens from now on changes the view, and the story looks back from how it stood.
    const then: View = {
      ...m.view,
      models: m.view.models.map(row => [...row]),
      units: m.view.units.map(unit => ({ ...unit })),
    };
    this.spared.recall();
    this.stand(m);
    this.ready = true;
    this.standingOrders.giveFirst();
    this.story.known = this.story.lookBack(then);
  }
  /** The connection is back. What others wait to be agreed on is said anew. */
  private resumed(m: Happened): void {
    this.beside.asking = null;
    this.playback.add(m);
  }
  private play(beat: Beat): void {
    this.animate(beat.events);
    fold(this.view, beat.events);
    this.trail.add(beat.events, beat.first);
    this.story.tell(beat);
    if (beat.last) this.stand(beat.message);
    else this.turn++;
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
  private rewound(m: Rewound): void {
    // Who plans first takes back only to choose again; what others take back is told in any case.
    const text = this.plans.planning && this.answers.takesBack ? "" : m.text;
    this.answers.tookBack();
    this.turning.tookBack();
    this.playback.drop();
    this.moving.clear();
    this.view = m.view;
    this.trail.cut(m.next);
    this.notes.tell(text);
    this.plan = null;
    this.story.rewind(m.next, text);
    this.stand(m);
  }
  private stand(m: { open: Decision[]; waiting: Waiting[]; result: Result | null; board: Board | null }): void {
    this.waiting = m.waiting;
    this.result = m.result;
    if (m.result) ended(this.id);
    this.trail.ask(m.open);
    if (m.board) this.board = m.board;
    this.answers.heard();
    const { cards } = this;
    this.put(this.spared.shown(m.open));
    // Whatever happened may have changed what the card says.
    if (this.selected >= 0 && cards === this.cards) void this.readCard();
  }
  /** Put questions before the player. */
  put(open: Decision[]): void {
    const before = this.decision?.id;
    this.open = open;
    this.turn++;
    if (this.decision?.id !== before) this.begin();
  }
  /** A new question is open. */
  private begin(): void {
    const d = this.decision;
    this.plan = null;
    this.settling = false;
    this.answers.forget();
    this.pointable = unitsOffered(d, this.view.units);
    this.pointed = new Set(this.concerned);
    this.chips = new Map();
    this.letters = new Map();
    this.numbers = new Map();
    this.areas = [];
    this.pointers = [];
    this.sight = null;
    this.shade = null;
    this.mark = null;
    this.glanced = null;
    this.sketch = NO_SKETCH;
    if (!d) return;
    if (d.unit >= 0) void this.show(d.unit);
    const wished = this.turning.wished(d);
    if (wished) void this.answer(wished.value);
    else void this.answers.think(d);
  }
  private said(m: Message): void {
    if (m.say === "asking") this.beside.asking = { request: m.request, player: m.player, text: m.text };
    else if (m.say === "settled") {
      this.beside.asking = null;
      // Who comes back is told without a text that nothing is asked for.
      if (m.text) this.notes.tell(m.text);
    } else if (m.say === "noted") {
      if (!m.answered) this.notes.tell(m.text);
    } else if (m.say === "left") this.spared.leave(m.decision);
    else if (m.say === "ordered") this.standingOrders.text = m.text;
    else if (m.say === "hook") this.beside.hook = m.url;
    else if (m.say === "falls") this.standingOrders.hearFalls(m.falls);
    else if (m.say === "queue") this.plans.done(m.left, m.text, m.back);
    else if (m.say === "clocks") this.beside.setClocks(m.clocks);
    else if (m.say === "seats") this.beside.setSeats(m.seats);
    else if (m.say === "farewell") this.trouble = m.text;
    else if (m.say === "refused" && m.code !== "too_frequent") this.notes.tell(m.text, false);
  }

  // --- what many read of its parts

  get busy(): boolean {
    return this.answers.busy;
  }
  get usual(): Idea | null {
    return this.answers.usual;
  }
  get automatic(): boolean {
    return this.answers.automatic;
  }
  get note(): string {
    return this.notes.text;
  }
  set note(text: string) {
    this.notes.text = text;
  }
  get calm(): boolean {
    return this.notes.calm;
  }
  set calm(calm: boolean) {
    this.notes.calm = calm;
  }
  get noteRules(): string[] {
    return this.notes.rules;
  }
  set noteRules(rules: string[]) {
    this.notes.rules = rules;
  }
  get log(): LogLine[] {
    return this.story.log;
  }
  set log(lines: LogLine[]) {
    this.story.log = lines;
  }
  get recap(): LogLine[] {
    return this.story.recap;
  }
  set recap(lines: LogLine[]) {
    this.story.recap = lines;
  }
  get dice(): LogLine | null {
    return this.story.dice;
  }
  set dice(line: LogLine | null) {
    this.story.dice = line;
  }
  get chain(): Chain {
    return this.story.chain;
  }
  get orders(): string {
    return this.standingOrders.text;
  }
  set orders(text: string) {
    this.standingOrders.text = text;
  }
  get rerolls(): string {
    return this.standingOrders.rerolls;
  }
  get wantsRerolls(): boolean {
    return this.standingOrders.wantsRerolls;
  }
  get casualties(): Record<number, number[]> {
    return this.standingOrders.casualties;
  }
  get intents(): Intent[] {
    return this.plans.intents;
  }
  get queued(): number {
    return this.plans.queued;
  }
  get hook(): string {
    return this.beside.hook;
  }
  get asking(): Beside["asking"] {
    return this.beside.asking;
  }
  set asking(what: Beside["asking"]) {
    this.beside.asking = what;
  }

  // --- and what many ask of them

  answer = (answer: unknown) => this.answers.give(answer);
  takeBack = () => this.answers.takeBack();
  default = () => this.advice.default();
  ideas = (most?: number) => this.advice.ideas(most);
  check = (answer: unknown) => this.advice.check(answer);
  reach = (mode: string) => this.advice.reach(mode);
  unseen = (foe: number) => this.advice.unseen(foe);
  towards = (x: number, y: number, shape: string, mode: string, ends?: Spot[]) =>
    this.advice.towards(x, y, shape, mode, ends);
  rules = (ids: string[]) => this.lookups.rules(ids);
  reference = (phase: string, kind: string) => this.lookups.reference(phase, kind);
  sightOf = (unit: number, target: number, stood?: ReadonlyMap<number, readonly number[]> | null) =>
    this.lookups.sightOf(unit, target, stood);
  pairIn = (units: number[], text: string) => pairIn(this.view, units, text);
  clear = () => this.notes.clear();
  remark = (verdict: Verdict) => this.notes.remark(verdict);
  refuse = (verdict: Verdict, answer?: unknown) => this.notes.refuse(verdict, answer);
  giveOrders = (text: string) => this.standingOrders.give(text);
  isArmed = (unit: number) => this.standingOrders.isArmed(unit);

  // --- for those who watch from outside

  get seen(): number {
    return this.story.seen;
  }
  get first(): number {
    return this.story.first;
  }
  get others(): Set<number> {
    return this.turning.others;
  }
  get hushed(): Spared["hushed"] {
    return this.spared.hushed;
  }
  mayBeOrdered = (d: Decision) => this.spared.mayBeOrdered(d);
}
