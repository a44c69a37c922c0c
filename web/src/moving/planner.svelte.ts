/* Planning a move or a set-up: the hand moves ghosts at once, the server judges them behind, and the tick commits them. */

import type { Game, Ghost } from "../game.svelte";
import { type Move, type Place } from "../protocol";
import type { Deed } from "../shapes/actor";
import { COARSE } from "../ui/pointer";
import { Aim, magnets } from "./aim.svelte";
import { Boarding } from "./boarding";
import { Field } from "./field";
import { Formed } from "./formed.svelte";
import type { Formation } from "./formations";
import { Ghosts } from "./ghosts";
import { Hand, TREMOR } from "./hand.svelte";
import { Hiding } from "./hiding.svelte";
import { Judge } from "./judge";
import { Modes } from "./modes.svelte";
import { Movers } from "./movers.svelte";
import { Proposal } from "./proposal";

const THUMB = 20; // pixels around an outline that a finger may mean

export class Planner {
  private readonly movers: Movers;
  private readonly modes: Modes;
  private readonly formed: Formed;
  private readonly aim = new Aim();
  private readonly ghosts: Ghosts;
  private readonly judge: Judge;
  private readonly boarding: Boarding;
  private readonly unseen: Hiding;
  private readonly hand: Hand;
  /** Back to how all was before the drag that is under way; null for none. */
  private before: (() => void) | null = null;

  constructor(
    private game: Game,
    readonly decision: Move | Place,
  ) {
    const { aim } = this,
      formed = (this.formed = new Formed(game.comrades?.far ?? 0)),
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
    const own = early?.unit === decision.unit ? early : null;
    if (decision.shape === "move") this.begin(own);
    else if (own) this.arrive(own);
  }
  /** Who is set up where the hand has pulled it to already. */
  private arrive(early: NonNullable<Game["hand"]>): void {
    this.drag(...early.at, false);
    if (!early.down) void this.drop();
  }
  /** A move begins where the hand has dragged the unit to already, if it has. */
  private begin(early: Game["hand"]): void {
    if (early) {
      this.remember();
      this.hand.goOn(early.from, early.at);
    }
    void this.survey();
    if (!early) return;
    this.lay();
    if (early.down) return;
    this.before = null;
    this.hand.lift();
    void this.judge.settle();
  }
  private async survey(): Promise<void> {
    const { game, decision } = this;
    if (!(await this.modes.survey(() => !!this.aim.goal))) return;
    // Who opens the page after the dice does not know at first that they were rolled.
    await game.story.known;
    if (game.decision?.id !== decision.id) return;
    const wished = game.wish?.unit === decision.unit ? game.wish.goal : null,
      goal = wished ?? (this.aim.goal ? null : game.plans.goalOf(decision));
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
      note: [modes.rolled, stopped?.text ?? (aim.magnet && !refused ? `Magnet: ${aim.magnet}` : "")]
        .filter(Boolean)
        .join(" "),
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
    this.regroup(() => this.movers.single(on));
  }
  toggle(...models: number[]): void {
    this.regroup(() => this.movers.toggle(...models));
  }
  pick(models: number[]): void {
    this.regroup(() => this.movers.pick(models));
  }
  /** Who moves, and what of the others, as a sentence. */
  get regrouped(): string {
    const { models } = this.decision,
      count = this.only.size;
    if (!count) return "Point at the models that move.";
    return this.movers.proposal
      ? `${count} of ${models.length} models ${count > 1 ? "are" : "is"} changed; the others stay as planned.`
      : `Only ${count} of ${models.length} models move.`;
  }
  /** The next of the models moves alone; or, with `more`, together with those that were picked. */
  pickNext(more: boolean): void {
    const { models } = this.decision,
      last = [...this.only].pop() ?? -1,
      next = models[(models.indexOf(last) + 1) % models.length];
    this.movers.singles = true;
    if (!more) this.pick([next]);
    else if (!this.only.has(next)) this.toggle(next);
  }
  /** Others move from now on; whatever is planned so far stays. */
  private regroup(pick: () => void): void {
    const { plan } = this.ghosts;
    pick();
    if (plan?.ghosts.length && plan.verdict?.ok !== false)
      this.put(new Proposal(this.game, plan.answer), !!plan.verdict);
  }

  // --- from what was proposed

  /** What is proposed, where it puts models: outlines of these are drawn while nothing is planned. */
  get outlined(): Ghost[] {
    const { game } = this;
    return this.ghosts.plan ? [] : game.outlines;
  }
  /** Whether a hand would take hold of what is proposed rather than of who stands there. */
  isOutlined(x: number, y: number): boolean {
    const { game } = this,
      far = (at: { x: number; y: number }) => Math.hypot(at.x - x, at.y - y),
      room = (COARSE ? THUMB : 0) / game.scale,
      least = Math.min(...this.outlined.filter(g => far(g) <= Math.max(game.baseOf(g.model).long / 2, room)).map(far));
    return (
      least < Infinity &&
      (this.movers.unset || this.decision.models.every(m => far(game.at(m)) > Math.max(least, TREMOR)))
    );
  }
  /** Plan what is proposed, so that it can be changed: the usual answer, or another one. */
  takeUp(answer: unknown = this.game.outlined): void {
    const { modes, formed } = this,
      proposal = new Proposal(this.game, answer);
    if (!proposal.places.size) return;
    modes.hurry();
    modes.adopt(proposal.mode);
    formed.cancel();
    this.put(proposal, true);
  }
  /** Whether those who are picked can stay where they stand. */
  get mayHold(): boolean {
    const { only } = this,
      planned = this.ghosts.plan?.ghosts ?? this.game.outlines;
    return this.decision.shape === "move" && planned.some(g => only.has(g.model));
  }
  /** Some stay where they stand, whatever was proposed: those who are picked. */
  hold(): void {
    const { game, decision } = this,
      { only } = this.movers,
      changed = new Proposal(game, this.ghosts.plan?.answer ?? game.outlined);
    if (decision.shape === "move" && only.size && changed.places.size) this.put(changed.holding([...only]), false);
  }
  /** A plan takes the place of what the hand wanted so far; `known` where it was found to be legal. */
  private put(proposal: Proposal, known: boolean, note = ""): void {
    this.movers.proposal = proposal;
    this.aim.cancel();
    this.ghosts.clear();
    this.judge.stage(proposal.answer, known, note);
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
      this.put(new Proposal(game, answer), true, name);
    } finally {
      game.settling = false;
    }
  }

  // --- in which formation

  get shape(): Formation {
    return this.formed.shape;
  }
  form(shape: Formation): void {
    // Who goes as it stands goes as it stands on the table.
    if (shape === "keep") this.movers.proposal = null;
    this.formed.form(shape);
    this.reshape();
  }
  space(by: number): void {
    this.formed.space(by);
    this.reshape();
  }
  /** A front by keys: so many places wider, or narrower. */
  widen(by: number): void {
    const { ghosts, formed } = this;
    formed.widen(by, ...ghosts.breadth);
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
    this.remember();
    if (this.hand.tool !== "front" && this.isOutlined(x, y)) this.takeUp();
    this.hand.grab(x, y);
  }
  drag(x: number, y: number, shift: boolean): void {
    if (!this.before) this.remember();
    this.hand.drag(x, y, shift);
  }
  drop(): Promise<void> {
    this.before = null;
    return this.hand.drop();
  }
  private remember(): void {
    const { game, movers } = this,
      { plan } = game,
      { proposal } = movers,
      backs = [this.aim, this.formed, this.modes, this.ghosts, this.judge].map(part => part.save());
    this.before = () => {
      movers.proposal = proposal;
      game.plan = plan;
      for (const back of backs) back();
    };
  }
  /** The drag that is under way was none: what was planned before it is planned again. */
  revert(): void {
    this.hand.forget();
    this.before?.();
    this.before = null;
    this.game.settling = false;
    this.game.clear();
    if (this.game.plan?.verdict?.ok) this.game.remark(this.game.plan.verdict);
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
  /** What draws the unit; empty for nothing. Where it may not stand, nothing recommends the place. */
  get magnet(): string {
    return this.game.plan?.verdict?.ok === false ? "" : this.aim.magnet;
  }
  /** Whether it goes elsewhere for that than the hand wants it. */
  get draws(): boolean {
    return this.aim.draws;
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
    this.before = null;
    this.movers.proposal = null;
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
