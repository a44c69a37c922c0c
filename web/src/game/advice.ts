/* What the server thinks about the open question: what is usual, what may be done, and what would come of it. */

import type { Game } from "../game.svelte";
import type { Area, Idea, Outlook, Point, Spot, Verdict } from "../protocol";
import { Refused } from "../wire";

const WAIT = 120; // milliseconds before it is asked again, at first; each time LONGER
const LONGER = 1.6;
const LONGEST = 2000;
/** What takes a tape to find out: where nothing is measured before it is declared, nobody is told so again and again. */
const MEASURED = ["reach", "chance", "outlook"];

export class Advice {
  constructor(private game: Game) {}

  async default(): Promise<Idea | null> {
    return (await this.asked<{ ideas: Idea[] }>("default", {}))?.ideas[0] ?? null;
  }
  async ideas(most = 3): Promise<Idea[]> {
    return (await this.asked<{ ideas: Idea[] }>("ideas", { most }))?.ideas ?? [];
  }
  /** What does most of something, such as kills. */
  async best(aim: string): Promise<Idea | null> {
    return (await this.asked<{ ideas: Idea[] }>("advise", { aim }))?.ideas[0] ?? null;
  }
  async check(answer: unknown): Promise<Verdict | null> {
    return (await this.asked<{ verdict: Verdict }>("check", { answer }))?.verdict ?? null;
  }
  /** The chance that an answer does what it is for, and what that is. `unasked`: nobody wanted to know, so that nobody is told why there is none. */
  async chance(answer: unknown, unasked = false): Promise<{ chance: number; meant: string } | null> {
    const found = await this.asked<{ chance: number | null; meant?: string }>("chance", { answer }, unasked);
    return found && found.chance !== null ? { chance: found.chance, meant: found.meant ?? "" } : null;
  }
  /** What answers would do, and what of each can be done together. */
  async outlook(answers: unknown[]): Promise<{ outlooks: Outlook[][]; answers: unknown[] }> {
    const found = await this.asked<{ outlooks: Outlook[][]; answers: unknown[] }>("outlook", { answers });
    return found ?? { outlooks: [], answers: [] };
  }
  async reach(mode: string): Promise<Area[]> {
    return (await this.asked<{ areas: Area[] }>("reach", { mode }))?.areas ?? [];
  }
  /** Where an enemy sees nobody; null where that cannot be told. */
  async unseen(foe: number): Promise<Point[][] | null> {
    return (await this.asked<{ outlines: Point[][] }>("shade", { foe }))?.outlines ?? null;
  }
  /** A legal answer that brings the unit of the question to a place, or its models near the ends that are wanted. */
  async towards(x: number, y: number, shape: string, mode: string, ends: Spot[] = []): Promise<unknown> {
    const wanted = { x: Math.round(x), y: Math.round(y), shape, mode, ends };
    return (await this.asked<{ ideas: Idea[] }>("towards", wanted))?.ideas[0]?.answer ?? null;
  }
  /** What was asked about a question that is open no more comes to nothing: nobody takes it for the next one. */
  private async asked<T>(say: string, more: Record<string, unknown>, quiet = false): Promise<T | null> {
    const { game } = this,
      d = game.decision,
      isOpen = () => !!d && game.decision?.id === d.id;
    // Only a few questions are thought about at a time: who comes too early waits a little.
    for (let wait = WAIT; isOpen(); wait *= LONGER) {
      try {
        const found = await game.wire.ask<T>({ say, decision: d!.id, ...more });
        return isOpen() ? found : null;
      } catch (error) {
        if (!isOpen()) return null;
        if (!(error instanceof Refused) || error.reply.code !== "too_frequent" || wait > LONGEST) {
          if (!quiet && (game.ground.measuring || !MEASURED.includes(say))) game.notes.explain(error);
          return null;
        }
      }
      await new Promise(done => setTimeout(done, wait));
    }
    return null;
  }
}
