/* Plans that wait: moves and targets that are planned first, and done together. */

import type { Game } from "../game.svelte";
import type { Decision, Queued } from "../protocol";
import { planOf, type Plan } from "./plan";

/** What a unit shall do: how it is chosen, and what it does then. */
export interface Intent {
  unit: number;
  answers: Queued[];
  plan: Plan;
}

export class Plans {
  /** Whether all is planned first. */
  planning = $state(false);
  intents = $state.raw<Intent[]>([]);
  /** So many answers the server holds for questions that are still to come. */
  queued = $state(0);
  /** All plans are being sent. */
  private sending = false;
  constructor(private game: Game) {}

  /** Keep what is staged as a plan; the unit's last one gives way. */
  keep(): boolean {
    const { decision: d, plan } = this.game;
    return !!d && d.shape === "move" && plan?.decision === d.id && !!plan.verdict?.ok && this.add(d, plan);
  }
  private add(d: Decision, plan: Plan): boolean {
    const { game } = this,
      chosen = game.turning.isFresh ? game.trail.chosen(d, game.you) : null;
    if (!chosen) {
      game.notes.tell(
        "This cannot wait: dice were rolled, or something was answered, since the unit was chosen.",
        false,
      );
      return false;
    }
    this.intents = [
      ...this.intents.filter(i => i.unit !== d.unit),
      { unit: d.unit, answers: [chosen, { kind: d.kind, unit: d.unit, answer: plan.answer }], plan },
    ];
    return true;
  }
  forget(unit: number): void {
    this.intents = this.intents.filter(i => i.unit !== unit);
  }
  /** Whether the targets of a unit that was chosen can be planned, and another one chosen. */
  get takesTargets(): boolean {
    return this.game.decision?.shape === "assign" && this.game.turning.isFresh;
  }
  /** Keep targets as a plan, and choose again. */
  async keepTargets(answer: unknown): Promise<boolean> {
    const d = this.game.decision;
    if (!d || !this.planning || !this.takesTargets) return false;
    this.add(d, planOf(d.id, answer, [], { ok: true }));
    await this.game.takeBack();
    return true;
  }
  /** Let a plan wait, and choose again. */
  async shelve(): Promise<void> {
    if ((await this.game.answers.judged()) && this.keep()) await this.game.takeBack();
  }
  /** Send all plans; the server does one after the other, and what fits no more comes back. */
  async commit(): Promise<void> {
    if (this.sending || this.queued) return;
    this.sending = true;
    try {
      await this.gather();
      const answers = this.inOrder(),
        now = this.game.decision;
      await this.queue(answers);
      this.planning = false;
      if (now && answers.length && (answers[0].kind !== now.kind || answers[0].unit !== now.unit))
        this.game.notes.tell("What is planned is done as soon as this is answered.");
    } finally {
      this.sending = false;
    }
  }
  /** What is staged for the open question becomes one of the plans. */
  private async gather(): Promise<void> {
    const { game } = this,
      d = game.decision;
    if (d?.shape === "move") {
      if ((await game.answers.judged(d)) && game.plan?.verdict?.ok) this.keep();
      if (game.decision?.id === d.id && game.turning.isFresh) await game.takeBack();
    } else if (this.takesTargets) {
      this.planning = true;
      if (game.actor?.ready) await game.actor.ready();
      else await game.takeBack();
    }
  }
  /** What is planned for the open question comes first, and needs nobody to be chosen any more. */
  private inOrder(): Queued[] {
    const d = this.game.decision,
      now = this.intents.find(i => d && i.unit === d.unit && i.answers[1].kind === d.kind);
    return [...(now?.answers.slice(1) ?? []), ...this.intents.filter(i => i !== now).flatMap(i => i.answers)];
  }
  async queue(answers: Queued[]): Promise<void> {
    const held = await this.game.ask<{ left: number }>({ say: "queue", answers });
    if (held) this.queued = held.left;
  }
  /** The server has done some of them, or says anew how many it holds. What was done is no plan any more; what came back is one again. */
  done(left: number, text: string, back: Queued[]): void {
    const sent = this.sending || this.queued > 0;
    this.queued = left;
    if (text) this.game.notes.tell(text, false);
    const still = new Set(back.map(a => a.unit));
    if (back.length) {
      this.intents = this.intents.filter(i => still.has(i.unit));
      this.planning = this.intents.length > 0;
    } else if (!left && sent) this.intents = [];
  }
}
