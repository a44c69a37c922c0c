/* Questions that the player is spared: standing orders think about them first, they were hushed, or usual answers were
   wanted for the rest of the phase. */

import type { Game } from "../game.svelte";
import type { Decision } from "../protocol";
import { notYet } from "../shapes/acting";
import { isReaction } from "./question";

type Until = "phase" | "turn" | "battle";
interface Hush {
  kind: string;
  until: Until;
  /** When it was said, as `now` tells it. */
  key: string;
}

const LONGEST_THOUGHT = 2000; // milliseconds that standing orders may think before the player is asked

export class Spared {
  hushed: Hush[] = [];
  /** The phase whose questions get usual answers. */
  resting = $state("");
  /** Questions that standing orders think about first, and those that they have left to the player. */
  private held: Decision[] = [];
  private leftToUs = new Set<number>();
  private patience = 0;
  constructor(private game: Game) {}

  /** Whether a question gets its usual answer. */
  isSpared(d: Decision): boolean {
    return this.isHushed(d) || this.rests(d);
  }
  private now(until: Until): string {
    const { view, board } = this.game,
      turn = `${view.round}/${view.active}`;
    return until === "turn" ? turn : until === "phase" ? `${turn}/${board?.phase}` : "";
  }

  // --- standing orders first

  /** Of open questions those that the player sees now: a new one that orders may answer waits for them, for a while. */
  shown(open: Decision[]): Decision[] {
    clearTimeout(this.patience);
    const fresh = this.game.ready && open.length && open[0].id !== this.game.decision?.id;
    this.held = fresh && this.mayBeOrdered(open[0]) ? open : [];
    if (!this.held.length) return open;
    this.patience = window.setTimeout(() => this.release(), LONGEST_THOUGHT);
    return [];
  }
  /** Whether standing orders may answer this, so that nobody is bothered before they said that they do not. */
  mayBeOrdered(d: Decision): boolean {
    return !this.leftToUs.has(d.id) && this.game.standingOrders.mayAnswer(d);
  }
  /** Orders have left a question to the player. */
  leave(decision: number): void {
    this.leftToUs.add(decision);
    if (this.held.some(d => d.id === decision)) this.release();
  }
  private release(): void {
    clearTimeout(this.patience);
    if (!this.held.length) return;
    const { held } = this;
    this.held = [];
    this.game.put(held);
  }

  // --- reactions that one does not want to be asked about again

  async hush(until: Until): Promise<void> {
    const d = this.game.decision;
    if (!d) return;
    if (until === "battle") {
      // From now on the server answers, this question first.
      if (await this.game.standingOrders.add(`- {for: "${d.kind}", do: pass}`)) return;
    } else {
      this.hushed.push({ kind: d.kind, until, key: this.now(until) });
      // Who reloads the page has not changed their mind.
      try {
        sessionStorage.setItem(this.key, JSON.stringify(this.hushed));
      } catch {
        /* full: until the page is left */
      }
    }
    await this.game.answers.takeUsual(d);
  }
  private isHushed(d: Decision): boolean {
    this.hushed = this.hushed.filter(h => h.key === this.now(h.until));
    return isReaction(d) && this.hushed.some(h => h.kind === d.kind);
  }
  recall(): void {
    try {
      this.hushed = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
    } catch {
      this.hushed = [];
    }
  }
  private get key(): string {
    return `sandtable.hushed.${this.game.id}.${this.game.you}`;
  }

  // --- the rest of a phase

  /** Take the usual answer now, and to whatever is asked in the rest of this phase; chances to react are still asked about. */
  async leaveTheRest(): Promise<void> {
    this.resting = this.now("phase");
    if (this.game.plan?.verdict?.ok === false) this.game.plan = null;
    const { decision: d, actor, answers, telling } = this.game;
    if (d && !telling && actor?.ready === notYet) await answers.takeUsual(d);
    else await answers.accept();
  }
  stopResting(): void {
    this.resting = "";
    const d = this.game.decision;
    if (d && !this.isHushed(d)) this.game.answers.automatic = false;
  }
  private rests(d: Decision): boolean {
    if (this.resting && this.resting !== this.now("phase")) this.resting = "";
    return !!this.resting && !d.secret && !isReaction(d);
  }
}
