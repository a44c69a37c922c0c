/* Planning a move or a set-up: the hand moves ghosts at once, the server judges them behind, and the tick commits them. */

import type { Game } from "../game.svelte";
import type { Mode, Move, Place } from "../protocol";
import type { Deed } from "../shapes/actor";
import { Aim, magnets } from "./aim.svelte";
import { Boarding } from "./boarding";
import { Field } from "./field";
import { Formed } from "./formed.svelte";
import type { Formation } from "./formations";
import { Ghosts } from "./ghosts";
import { Hand } from "./hand.svelte";
import { Hiding } from "./hiding.svelte";
import { Judge } from "./judge";
import { Modes } from "./modes.svelte";
import { Movers } from "./movers.svelte";

export class Planner {
  private readonly movers: Movers;
  private readonly modes: Modes;
  private readonly formed = new Formed();
  private readonly aim = new Aim();
  private readonly ghosts: Ghosts;
  private readonly judge: Judge;
  private readonly boarding: Boarding;
  private readonly unseen: Hiding;
  private readonly hand: Hand;

  constructor(
    private game: Game,
    readonly decision: Move | Place,
  ) {
    const { formed, aim } = this,
      movers = (this.movers = new Movers(game, decision)),
      modes = (this.modes = new Modes(game, decision)),
      field = new Field(game, decision.unit),
      ghosts = (this.ghosts = new Ghosts(game, decision, field, movers, modes, formed, aim)),
      judge = (this.judge = new Judge(game, decision, movers, modes, aim, ghosts)),
      boarding = (this.boarding = new Boarding(game, decision, modes, ghosts, judge));
    this.unseen = new Hiding(game, decision);
    this.hand = new Hand(game, decision, movers, formed, aim, ghosts, {
      lay: () => this.lay(),
      settle: () => judge.settle(),
      board: unit => boarding.board(unit),
      hurry: () => modes.hurry(),
      foundElse: () => judge.foundElse,
    });
    const early = game.hand;
    game.hand = null;
    if (decision.shape === "move") this.begin(early?.unit === decision.unit ? early : null);
  }
  /** A move begins where the hand has dragged the unit to already, if it has. */
  private begin(early: Game["hand"]): void {
    if (early) this.hand.goOn(early.from, early.at);
    void this.survey();
    if (!early) return;
    this.lay();
    if (early.down) return;
    this.hand.lift();
    void this.judge.settle();
  }
  private async survey(): Promise<void> {
    const { game, decision } = this;
    if (!(await this.modes.survey(() => !!this.aim.goal))) return;
    const goal = game.wish?.unit === decision.unit ? game.wish.goal : null;
    if (!goal) return;
    game.wish = null;
    this.modes.picked = true;
    this.hand.point(...goal, true);
  }

  /** Put the ghosts where the hand wants them; costs well under a frame. */
  private lay(): void {
    const { game, aim, modes, ghosts, judge } = this,
      { middle, unset } = this.movers;
    if (!aim.goal) return;
    if (middle) modes.follow(middle, aim.goal);
    ghosts.lay(this.hand.lead);
    const { answer } = ghosts,
      { tooFar } = modes,
      before = ghosts.plan;
    // Who has not stirred is judged already; of everybody else nobody knows yet, but for what can be seen from here.
    const same =
      !tooFar &&
      before?.verdict &&
      (before.verdict.ok || !modes.isRolled(modes.name)) &&
      JSON.stringify(before.answer) === JSON.stringify(answer)
        ? before.verdict
        : null;
    const wrong = tooFar ?? (same ? null : ghosts.wrong),
      refused = wrong ? { ok: false, reasons: [wrong] } : null,
      stopped = ghosts.stopper(this.hand.lead);
    if (refused) game.refuse(refused);
    game.plan = {
      decision: this.decision.id,
      answer,
      verdict: same ?? refused,
      limit: modes.limit,
      wanted: tooFar?.wanted,
      note: [modes.rolled, stopped?.text ?? (aim.magnet ? `Magnet: ${aim.magnet}` : "")].filter(Boolean).join(" "),
      rules: stopped?.rules ?? [],
      longest: unset ? 0 : Math.max(0, ...ghosts.ends.map(e => e.far)),
      ghosts: ghosts.shown,
    };
    judge.put(!same, stopped);
  }

  // --- who moves

  get singles(): boolean {
    return this.movers.singles;
  }
  get only(): Set<number> {
    return this.movers.only;
  }
  single(on: boolean): void {
    this.movers.single(on);
  }
  toggle(...models: number[]): void {
    this.movers.toggle(...models);
  }
  pick(models: number[]): void {
    this.movers.pick(models);
  }

  // --- by which way of moving

  get mode(): string {
    return this.modes.name;
  }
  isRolled(mode: string): boolean {
    return this.modes.isRolled(mode);
  }
  /** What a roll would have to bring to get there, as a sentence; empty where nothing is rolled. */
  get rolled(): string {
    return this.modes.rolled;
  }
  choose(mode: string): void {
    if (this.modes.choose(mode)) return;
    this.game.plan = null;
    this.lay();
  }
  roll(): Promise<void> {
    return this.modes.roll();
  }
  get hosts(): number[] {
    return this.boarding.hosts;
  }
  embark(onto: number): Promise<void> {
    return this.boarding.embark(onto);
  }
  /** What may be meant by this move, by name; where each model goes then, the server says. */
  get intents(): string[] {
    return (this.decision.about?.intents as string[] | undefined) ?? [];
  }
  async mean(name: string): Promise<void> {
    const { game, judge } = this,
      version = judge.renew();
    this.modes.hurry();
    game.settling = true;
    try {
      const ideas = await game.ideas(this.intents.length),
        answer = ideas.find(i => i.why === name)?.answer;
      if (!judge.isNewest(version)) return;
      if (!answer) {
        game.notes.tell(`"${name}" cannot be done here, or comes to the same as another of these.`);
        return;
      }
      this.aim.goal = null;
      this.ghosts.clear();
      judge.pass();
      game.stage(answer, { ok: true }, this.modes.limit, name);
    } finally {
      game.settling = false;
    }
  }

  // --- in which formation

  get shape(): Formation {
    return this.formed.shape;
  }
  form(shape: Formation): void {
    this.formed.form(shape);
    this.reshape();
  }
  space(by: number): void {
    this.formed.space(by);
    this.reshape();
  }
  turn(by: number): void {
    this.formed.angle = (this.formed.angle ?? this.ghosts.bearing) + by;
    this.reshape();
  }
  private reshape(): void {
    const { aim } = this;
    if (!aim.goal) {
      // Who turns where it stands does not go anywhere.
      aim.loose = true;
      aim.at(this.ghosts.middle);
    }
    this.lay();
    aim.keep();
    void this.judge.settle();
  }

  // --- where to, by hand

  get tool(): Hand["tool"] {
    return this.hand.tool;
  }
  take(tool: "way" | "front"): void {
    this.hand.take(tool);
  }
  grab(x: number, y: number): void {
    this.hand.grab(x, y);
  }
  drag(x: number, y: number, shift: boolean): void {
    this.hand.drag(x, y, shift);
  }
  drop(): Promise<void> {
    return this.hand.drop();
  }
  point(x: number, y: number, shift = false): void {
    this.hand.point(x, y, shift);
  }
  waypoint(x: number, y: number): void {
    this.hand.waypoint(x, y);
  }
  front(ax: number, ay: number, bx: number, by: number): void {
    this.hand.front(ax, ay, bx, by);
  }
  nudge(dx: number, dy: number): void {
    this.hand.nudge(dx, dy);
  }
  /** What draws the unit; empty for nothing. */
  get magnet(): string {
    return this.aim.magnet;
  }
  /** Switch magnets off, or on again; what they drew goes where the hand had put it. */
  free(off: boolean): void {
    magnets.off = off;
    if (!off || !this.aim.undraw()) return;
    this.lay();
    void this.judge.settle();
  }
  /** An enemy that the unit should not be seen by; -1 for none. */
  get foe(): number {
    return this.unseen.foe;
  }
  get shaded(): string {
    return this.unseen.told;
  }
  hide(unit: number): Promise<void> {
    return this.unseen.from(unit);
  }
  /** What a unit offers to who hides. */
  hiding(unit: number): Deed[] {
    return this.unseen.deeds(unit);
  }

  /** What followed from where the hand was goes with it; what was picked stays. */
  cancel(): void {
    const { game } = this;
    this.hand.cancel();
    this.aim.cancel();
    this.formed.cancel();
    this.ghosts.clear();
    this.judge.cancel();
    this.modes.cancel();
    game.settling = false;
    game.plan = null;
    game.clear();
  }
}
