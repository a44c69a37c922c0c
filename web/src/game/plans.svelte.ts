/* Plans that wait: moves and targets that are planned first, and done together. */

import type { Game } from "../game.svelte";
import type { Decision, Point, Queued } from "../protocol";
import { Goals } from "./goals";
import { planOf, type Plan } from "./plan";

/** What a unit shall do: how it is chosen, and what it does then; the goal of a move that is rolled for is in its plan. */
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
  /** What was sent last; the end of it waits still. */
  private sent = $state.raw<Queued[]>([]);
  /** Where units that were sent go once the dice are rolled that decide how far. */
  private goals = new Goals();
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
  private isSent(intent: Intent): boolean {
    return this.sent.includes(intent.answers[1]);
  }
  /** Plans that were not sent yet. */
  get kept(): Intent[] {
    return this.intents.filter(i => !this.isSent(i));
  }
  /** Whom the server still holds answers for, as a sentence; who came back to the page knows no more than that there is something. */
  get held(): string {
    const { units } = this.game.view,
      names = this.intents.filter(i => this.isSent(i)).map(i => units[i.unit].name);
    if (!this.queued) return "";
    if (!names.length) return "What was planned before waits until it is asked about.";
    return `${names.length} planned ${names.length > 1 ? "units wait until they are" : "unit waits until it is"} asked about: ${names.join(", ")}.`;
  }
  /** Why what is planned cannot be sent now; empty where it can. */
  get hindrance(): string {
    return this.queued ? "First comes what was sent before: let it be done, or drop it." : "";
  }
  /** Nothing that was sent is done any more. */
  async drop(): Promise<void> {
    if (!(await this.queue([]))) return;
    this.goals.dropWaiting();
    this.shorten(0);
  }
  /** Where the unit of a new question goes, if it was planned and its dice were rolled since; at another one it is told no more. */
  goalOf(d: Decision): Point | null {
    const { game, goals } = this,
      goal = d.shape === "move" ? goals.of(d.unit) : undefined;
    if (!goal || goal.told === d.id) return goal?.at ?? null;
    if (goal.told !== undefined) goals.drop(d.unit);
    else if (game.trail.answeredSince(d.unit, goal.after, game.you)) {
      goals.tell(goal, d.id);
      return goal.at;
    }
    return null;
  }
  /** The rolls that they waited for were taken back. */
  tookBack(): void {
    this.goals.set([]);
  }
  /** The page was opened: the server holds so many answers. */
  open(queued: number): void {
    this.queued = queued;
    this.goals.open(this.game.id, this.game.you);
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
    if (this.hindrance) this.game.notes.tell(this.hindrance, false);
    if (this.sending || this.queued) return;
    this.sending = true;
    try {
      await this.gather();
      const answers = this.inOrder(),
        now = this.game.decision;
      this.goals.set(
        this.intents.flatMap(({ unit, answers: [, { kind }], plan: { goal } }) =>
          goal ? [{ unit, at: goal, after: kind }] : [],
        ),
      );
      this.sent = answers;
      if (!(await this.queue(answers))) this.sent = [];
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
  private async queue(answers: Queued[]): Promise<boolean> {
    const held = await this.game.ask<{ left: number }>({ say: "queue", answers });
    if (held) this.queued = held.left;
    return !!held;
  }
  /** Of what was sent only the last answers wait still: who has none among them is done. */
  private shorten(left: number): void {
    const waiting = left ? this.sent.slice(-left) : [];
    this.intents = this.intents.filter(i => !this.isSent(i) || waiting.includes(i.answers[1]));
    this.sent = waiting;
  }
  /** The server has done some of them, or says anew how many it holds. What was done is no plan any more; what came back is one again. */
  done(left: number, text: string, back: Queued[]): void {
    this.queued = left;
    if (text) this.game.notes.tell(text, false);
    if (!back.length) {
      this.shorten(left);
      return;
    }
    const still = new Set(back.map(a => a.unit));
    this.intents = this.intents.filter(i => !this.isSent(i) || still.has(i.unit));
    for (const unit of still) this.goals.drop(unit);
    this.sent = [];
    this.planning = this.intents.length > 0;
  }
}
