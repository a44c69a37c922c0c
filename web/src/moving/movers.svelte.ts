/* Who moves: the whole unit, or those of its models that were picked. */

import type { Game } from "../game.svelte";
import type { Move, Place, Point } from "../protocol";
import type { Proposal } from "./proposal";

export class Movers {
  /** Whether single models are picked by pointing at them. */
  singles = $state(false);
  only = $state.raw<Set<number>>(new Set());
  /** A plan that is changed: who is not picked goes where it says; null for none. */
  proposal = $state.raw<Proposal | null>(null);

  constructor(
    private game: Game,
    private decision: Move | Place,
  ) {}
  get models(): number[] {
    const { models } = this.decision;
    return this.only.size ? models.filter(m => this.only.has(m)) : models;
  }
  /** Whether they are set up, and come from nowhere. */
  get unset(): boolean {
    return this.decision.shape === "place";
  }
  /** Where they come from. */
  get middle(): Point | null {
    const { models } = this;
    return this.unset || !models.length ? null : middleOf(models.map(m => this.game.at(m)));
  }
  /** Where a model is before the hand moves it: where the plan has it that is changed, or where it stands. */
  stance(model: number): { x: number; y: number } {
    return this.proposal?.places.get(model) ?? this.game.at(model);
  }
  /** The middle of that for all who move; null for those who come from nowhere. */
  get centre(): Point | null {
    const { models } = this;
    return (this.unset && !this.proposal) || !models.length ? null : middleOf(models.map(m => this.stance(m)));
  }
  single(on: boolean): void {
    this.singles = on;
    if (!on) this.take(new Set());
  }
  toggle(...models: number[]): void {
    const next = new Set(this.only);
    for (const m of models) if (!next.delete(m)) next.add(m);
    this.take(next);
  }
  pick(models: number[]): void {
    this.take(new Set(models.filter(m => this.decision.models.includes(m))));
  }
  private take(only: Set<number>): void {
    this.only = only;
    this.game.turn++;
  }
}
export function middleOf(places: { x: number; y: number }[]): Point {
  return [places.reduce((s, p) => s + p.x, 0) / places.length, places.reduce((s, p) => s + p.y, 0) / places.length];
}
