/* What was answered and rolled last: it tells how a unit was chosen, and whether anything was learnt since. */

import type { Decision, GameEvent, Queued } from "../protocol";

const LONGEST = 500;

export class Trail {
  private steps = $state.raw<{ at: number; event: GameEvent }[]>([]);
  /** The units that questions were about, by the numbers of the questions. */
  private about = new Map<number, number>();

  ask(open: Decision[]): void {
    for (const d of open) this.about.set(d.id, d.unit);
  }
  /** Events happened; those of the story before this page was opened come later than what happened since. */
  add(events: GameEvent[], first: number, early = false): void {
    const found = events
      .map((event, i) => ({ at: first + i, event }))
      .filter(s => s.event.event === "answered" || s.event.event === "rolled");
    if (found.length) this.steps = (early ? [...found, ...this.steps] : [...this.steps, ...found]).slice(-LONGEST);
  }
  /** What came from an event on was taken back. */
  cut(next: number): void {
    this.steps = this.steps.filter(s => s.at < next);
  }
  /** How a player chose the unit of a question; null where nobody knows. */
  chosen(d: Decision | null, player: number): Queued | null {
    const found = d && d.unit >= 0 ? this.steps.findLast(s => chose(s.event, d.unit, player))?.event : undefined;
    return found ? { kind: found.kind, unit: this.about.get(found.decision) ?? -1, answer: found.answer } : null;
  }
  /** Whether a player has answered a question of a kind since a unit was chosen: then it goes on with what was begun. */
  answeredSince(unit: number, kind: string, player: number): boolean {
    const last = this.steps.findLastIndex(s => chose(s.event, unit, player));
    return (
      last >= 0 &&
      this.steps
        .slice(last + 1)
        .some(({ event: e }) => e.event === "answered" && e.player === player && e.kind === kind)
    );
  }
  /** Whether a player has just chosen the unit of a question, so that another one may be chosen instead. */
  isFresh(d: Decision | null, player: number): boolean {
    const last = this.steps[this.steps.length - 1]?.event;
    return !!d && d.unit >= 0 && !!last && chose(last, d.unit, player);
  }
}
function chose(event: GameEvent, unit: number, player: number): boolean {
  return event.event === "answered" && event.player === player && event.answer === unit;
}
