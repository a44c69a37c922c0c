/* Looking things up: odds, sight, cards, rules, and the moment as a file. */

import type { Game } from "../game.svelte";
import type { Card, Message, Rule, Sight } from "../protocol";
import { Refused } from "../wire";

const MOST = 50; // rules that are asked for at a time

/** A file; `lost` says what is not in it. */
interface Moment {
  name: string;
  text: string;
  lost?: string;
}

export class Lookups {
  private known = new Map<string, Rule>();
  constructor(private game: Game) {}

  /** Odds take a tape: where nothing is measured before it is declared, who looks at a card is not told so each time. */
  async odds(unit: number, target: number): Promise<string[]> {
    const { game } = this;
    try {
      return (await game.wire.ask<{ lines: string[] }>({ say: "odds", unit, target })).lines;
    } catch (error) {
      if (game.ground.measuring || !(error instanceof Refused)) game.notes.explain(error);
      return [];
    }
  }
  sight(unit: number, target: number): Promise<Sight | null> {
    return this.game.ask<Sight & Message>({ say: "sight", unit, target });
  }
  /** `stood`: where all models on the table stood when they looked, each with x, y, z and facing. Nobody is told where there is none. */
  async sightOf(
    unit: number,
    target: number,
    stood: ReadonlyMap<number, readonly number[]> | null = null,
  ): Promise<Sight | null> {
    const places = [...(stood ?? [])].map(([model, [x, y, z, facing]]) => ({ model, x, y, z, facing }));
    try {
      return await this.game.wire.ask<Sight & Message>({ say: "sight", unit, target, stood: places });
    } catch {
      return null;
    }
  }
  async card(unit: number): Promise<Card | null> {
    return (await this.game.ask<{ card: Card | null }>({ say: "card", unit }))?.card ?? null;
  }
  async rules(ids: string[]): Promise<Rule[]> {
    const missing = ids.filter(id => !this.known.has(id)).slice(0, MOST);
    if (missing.length) {
      const found = await this.game.ask<{ rules: Rule[] }>({ say: "rules", ids: missing });
      for (const rule of found?.rules ?? []) this.known.set(rule.id, rule);
    }
    return ids.map(id => this.known.get(id)).filter((r): r is Rule => !!r);
  }
  async reference(phase: string, kind: string): Promise<Rule[]> {
    return (await this.game.ask<{ rules: Rule[] }>({ say: "reference", phase, kind }))?.rules ?? [];
  }
  /** This moment as a file: with a question, distances between the units that matter, and the answer whose refusal is shown. */
  async moment(question = ""): Promise<Moment | null> {
    const { game } = this,
      { decision: d, notes } = game,
      plan = d && game.plan?.decision === d.id && game.plan.verdict?.ok === false ? game.plan.answer : undefined;
    const refused = d && notes.text && !notes.calm ? (notes.tried ?? plan) : plan,
      units = [d?.unit ?? -1, ...(game.pairIn([], notes.text) ?? []), game.selected].filter(
        (u, i, all) => u >= 0 && all.indexOf(u) === i,
      );
    return game.ask<Moment>({
      say: "moment",
      question,
      units,
      ...(d && refused !== undefined
        ? { decision: d.id, refused, chosen: game.trail.chosen(d, game.you)?.kind ?? "" }
        : {}),
    });
  }
}
