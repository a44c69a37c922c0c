/* A plan that was taken up to be changed: where it puts models, and what it answers about each. */

import type { Game, Ghost } from "../game.svelte";
import type { Path, Spot } from "../protocol";

type Part = Path | Spot;

export class Proposal {
  readonly places: Map<number, Ghost>;
  private readonly parts: Part[];

  constructor(
    private game: Game,
    readonly answer: unknown,
  ) {
    this.places = new Map(game.ghostsOf(answer).map(g => [g.model, g]));
    this.parts = Array.isArray(answer) ? (answer as Spot[]) : ((answer as { paths?: Path[] } | null)?.paths ?? []);
  }
  /** The way of moving that it names; empty where it names none. */
  get mode(): string {
    return (this.answer as { mode?: string } | null)?.mode ?? "";
  }
  /** What it answers about others than some models. */
  rest<P extends Part>(models: number[]): P[] {
    return this.parts.filter(p => !models.includes(p.model)) as P[];
  }
  /** Where it puts others than some models. */
  others(models: number[]): Ghost[] {
    return [...this.places.values()].filter(g => !models.includes(g.model));
  }
  /** The same, but that some models stay where they stand. */
  holding(models: number[]): Proposal {
    const rest = this.rest(models);
    return new Proposal(
      this.game,
      Array.isArray(this.answer) ? rest : { ...(this.answer as object), paths: rest, onto: -1 },
    );
  }
}
