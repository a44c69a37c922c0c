/* What the player is told beside the story: what happened, or what was refused, and what that rests on. */

import type { Point, Reason, Verdict } from "../protocol";
import { factsOf, type Fact } from "../story/lines";
import { Refused } from "../wire";

export class Notes {
  text = $state("");
  /** It tells what happened; nothing was refused. */
  calm = $state(false);
  rules = $state.raw<string[]>([]);
  facts = $state.raw<Fact[]>([]);
  /** Where on the table it stands, beside the dock; null for nowhere. */
  at = $state.raw<Point | null>(null);
  /** What spoke against what was refused. */
  reasons: readonly Reason[] = [];
  /** The answer that was refused; undefined where none was. */
  tried: unknown = undefined;

  clear(): void {
    this.tell("");
  }
  /** Say what happened, or what was refused without a rule behind it. */
  tell(text: string, calm = true): void {
    this.text = text;
    this.calm = calm;
    this.rules = [];
    this.facts = [];
    this.reasons = [];
    this.at = null;
    this.tried = undefined;
  }
  refuse(verdict: Verdict, answer?: unknown): void {
    const reasons = verdict.reasons ?? [];
    this.calm = false;
    this.reasons = reasons;
    this.at = null;
    this.tried = answer;
    this.text = reasons.map(r => r.text).join(" ") || "That is not allowed.";
    this.rules = reasons.flatMap(r => r.rules ?? []);
    this.facts = reasons.flatMap(r => factsOf(r.facts ?? {}));
  }
  /** What an answer that is allowed brings with it, after what is told already; nothing where that is nothing. */
  remark(verdict: Verdict): void {
    const notes = verdict.notes ?? [];
    this.text = [this.text, ...notes.map(n => n.text)].filter(Boolean).join(" ");
    this.rules = [...this.rules, ...notes.flatMap(n => n.rules ?? [])];
    this.facts = [...this.facts, ...notes.flatMap(n => factsOf(n.facts ?? {}))];
  }
  explain(error: unknown): void {
    const reply = error instanceof Refused ? error.reply : null;
    // A question that was answered meanwhile, or a second look before the first one came back: nothing to tell anybody.
    if (reply && (reply.code === "not_open" || reply.code === "too_frequent")) return;
    const verdict = reply ? (reply.verdict as Verdict | null) : null;
    if (verdict) this.refuse(verdict);
    else this.tell(error instanceof Error ? error.message : String(error), false);
  }
  /** Do something beside the battle; what goes wrong is told, and gives null. */
  async trying<T>(deed: () => Promise<T>): Promise<T | null> {
    try {
      return await deed();
    } catch (error) {
      this.explain(error);
      return null;
    }
  }
}
