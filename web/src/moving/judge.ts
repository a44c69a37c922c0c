/* Asking the server about the ghosts: whether they may stand there, and what letting go gives where they may not. One question
   is under way at a time; what the hand does meanwhile is asked about next. */

import type { Game, Plan } from "../game.svelte";
import { STEP, type Move, type Place, type Point, type Reason, type Verdict } from "../protocol";
import type { Aim } from "./aim.svelte";
import { SHORT } from "./flow";
import type { Ghosts } from "./ghosts";
import type { Modes } from "./modes.svelte";
import { middleOf, type Movers } from "./movers.svelte";

const PAUSE = 70; // milliseconds between two questions to the server
const NEAR = 4 * STEP; // so near to the usual place, that is meant

/** Where the server could not be asked: nobody waits for ever for what it says. */
export const UNJUDGED: Verdict = {
  ok: false,
  reasons: [{ text: "The server could not judge this. Move it, or try again." }],
};

export class Judge {
  /** Counts what was put before it; what of that has been judged, and of what it is known what letting go gives. */
  version = 0;
  private judged = -1;
  private settled = -1;
  private sought: { version: number; done: Promise<void> } | null = null;
  private running = false;
  /** Whether the ghosts are elsewhere than the hand wants them, and whether the last were refused. */
  private bent = false;
  private refused = false;
  /** Whether the server has found what is planned, and not yet said what that brings with it. */
  private found = false;
  /** The last plan on the way here that was legal. */
  private legal: Plan | null = null;
  /** Why somebody could not go as far as the hand wanted. */
  private stopped: Reason | null = null;

  constructor(
    private game: Game,
    private decision: Move | Place,
    private movers: Movers,
    private modes: Modes,
    private aim: Aim,
    private ghosts: Ghosts,
  ) {}
  /** Whether something else than the hand wanted was found for where it is now. */
  get foundElse(): boolean {
    return this.bent && this.settled === this.version;
  }
  /** Whether the question is open, and nothing was put before it since. */
  isNewest(version: number): boolean {
    return version === this.version && this.isOpen;
  }
  private get isOpen(): boolean {
    return this.game.decision?.id === this.decision.id;
  }
  /** What was asked about does not matter any more; gives the number of what comes in its place. */
  renew(): number {
    return ++this.version;
  }
  /** What is staged now comes from the server. */
  pass(): void {
    this.judged = this.settled = this.version;
    this.found = false;
  }
  /** Stage what does not come from the hand; nobody waits for the server's word on what is `known` to be legal. */
  stage(answer: unknown, known: boolean, note = ""): void {
    const { game, modes } = this;
    this.renew();
    this.pass();
    game.settling = false;
    game.stage(answer, known ? { ok: true } : null, modes.limit, note);
    void this.weigh();
  }
  /** Learn what a plan that stands brings with it, or what is wrong with it, and tell that. */
  private async weigh(): Promise<void> {
    const { game, version } = this,
      verdict = game.plan && (await game.check(game.plan.answer)),
      { plan } = game;
    if (!plan || !this.isNewest(version) || (!verdict && plan.verdict)) return;
    game.plan = { ...plan, verdict: verdict ?? UNJUDGED };
    if (this.legal === plan) this.legal = game.plan;
    if (verdict?.ok) game.remark(verdict);
    else if (verdict) game.refuse(verdict);
  }
  /** Gives a way back to what is known now: what was not judged then is judged again. */
  save(): () => void {
    const { bent, refused, legal, stopped } = this,
      known = this.settled === this.version;
    return () => {
      this.renew();
      Object.assign(this, { bent, refused, legal, stopped });
      if (known) this.pass();
      else void this.judge();
    };
  }
  cancel(): void {
    this.renew();
    this.bent = this.refused = this.found = false;
    this.legal = null;
    this.stopped = null;
  }

  /** The ghosts stand where the hand wants them; `renewed`, if that is elsewhere than before. */
  put(renewed: boolean, stopped: Reason | null): void {
    this.stopped = stopped;
    if (renewed) {
      this.renew();
      this.bent = this.found = false;
    }
    void this.judge();
  }
  /** Ask about the newest ghosts, as long as there are newer ones. */
  private async judge(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.judged !== this.version && this.isOpen && this.aim.goal) {
      const version = this.version,
        since = performance.now();
      await this.resolve();
      this.judged = Math.max(this.judged, version);
      if (!this.ghosts.plan) break;
      await new Promise(done => setTimeout(done, Math.max(PAUSE - performance.now() + since, 0)));
    }
    this.running = false;
  }
  /** The hand lets go: what the ghosts show stands as it is, once the server has judged them. */
  async settle(): Promise<void> {
    const { game, modes, aim, ghosts, version } = this;
    if (!this.isOpen) return;
    game.settling = true;
    try {
      if (!aim.goal) return;
      if (this.settled !== version) await this.resolve();
      if (this.settled !== version && version === this.version) await this.find(version);
    } finally {
      if (this.isOpen) game.settling = false;
    }
    if (!this.isNewest(version) || this.settled !== version || modes.tooFar) return;
    if (game.plan && modes.isRolled(modes.name)) game.plan = { ...game.plan, goal: aim.goal! };
    else if (game.plan && game.plan === this.legal && this.bent) aim.goal = ghosts.middle;
    if (this.found) {
      this.found = false;
      void this.weigh();
    }
  }
  /** What letting go gives, asked once for each place of the hand. */
  private resolve(): Promise<void> {
    if (this.sought?.version !== this.version) this.sought = { version: this.version, done: this.find(this.version) };
    return this.sought.done;
  }
  /** What is legal is shown as it is; otherwise the nearest that the server finds, with the reason. */
  private async find(version: number): Promise<void> {
    const { game, modes, aim, ghosts } = this,
      { goal } = aim;
    if (!goal) return;
    if (modes.tooFar) {
      await modes.citeRoll(this.movers.models[0]);
      if (version === this.version && modes.tooFar) this.show({ ok: false, reasons: [modes.tooFar] });
      return;
    }
    const rolled = modes.isRolled(modes.name),
      stale = () => !this.isNewest(version) || !ghosts.plan;
    // After one that was refused the next one is likely to be, too.
    const early = this.refused && !rolled && !aim.way.length ? ghosts.seek(goal) : null,
      verdict = await game.check(ghosts.answer);
    if (stale()) return;
    if (verdict) this.refused = !verdict.ok;
    if (!verdict || verdict.ok) {
      this.show(verdict ?? UNJUDGED);
      return;
    }
    const found = await (early ?? ghosts.seek(goal));
    if (stale()) return;
    if (found !== null && !ghosts.stirs(found)) {
      const bent = ghosts.strays(found);
      this.bend(found, modes.limit, bent ? verdict : null);
      this.legal = game.plan;
      return;
    }
    const usual = this.usualNear(goal);
    if (usual) {
      this.bend(usual, 0, verdict);
      return;
    }
    this.show(verdict);
    if (this.legal && !rolled && !ghosts.stirs(this.legal.answer)) {
      this.bent = this.found = true;
      game.plan = this.legal;
      this.say(verdict);
    }
  }
  /** Who points near the usual place of a unit that is set up means it. */
  private usualNear([x, y]: Point): unknown {
    const { game } = this,
      usual = this.movers.unset && !this.movers.only.size ? game.usual?.answer : null,
      there = usual ? game.ghostsOf(usual) : [];
    if (!there.length) return null;
    const [ux, uy] = middleOf(there);
    return Math.hypot(ux - x, uy - y) < NEAR ? usual : null;
  }

  // --- what is shown of what the server says

  private show(verdict: Verdict): void {
    const { game, stopped } = this;
    this.settled = this.version;
    game.plan = { ...game.plan!, verdict };
    if (verdict.ok && game.plan.ghosts.length) this.legal = game.plan;
    if (!verdict.ok) {
      game.refuse(verdict);
      return;
    }
    if (stopped) {
      game.refuse({ ok: false, reasons: [stopped] });
      game.calm = true;
    } else game.clear();
    game.remark(verdict);
  }
  /** Show a legal answer in place of the ghosts, and why, if it is another one. */
  private bend(answer: unknown, limit: number, why: Verdict | null): void {
    const { game } = this;
    this.bent = !!why;
    this.found = true;
    this.settled = this.version;
    game.stage(answer, { ok: true }, limit);
    // Whoever ends elsewhere than the hand wanted it says so by its colour.
    const isShort = (model: number, x: number, y: number) =>
      this.ghosts.ends.some(e => e.model === model && Math.hypot(e.to[0] - x, e.to[1] - y) > SHORT);
    if (game.plan)
      game.plan = {
        ...game.plan,
        ghosts: game.plan.ghosts.map(g => ({ ...g, short: isShort(g.model, g.x, g.y) })),
      };
    if (why) this.say(why);
  }
  private say(verdict: Verdict): void {
    this.game.refuse(verdict, this.ghosts.answer);
    this.game.note = `This is the nearest place that was found. ${this.game.note}`;
  }
}
