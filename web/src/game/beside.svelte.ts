/* What goes on beside the battle: who sits where, whose clock runs, and what all have to agree on. */

import type { Game } from "../game.svelte";
import { invitedBy, seatTaken } from "../home";
import type { Clock, Seat, Welcome } from "../protocol";

export class Beside {
  private seats = $state.raw<Seat[]>([]);
  clocks = $state.raw<Clock[]>([]);
  /** When the clocks said so. */
  clocksAt = 0;
  /** What somebody wants all others to agree on. */
  asking = $state.raw<{ request: number; player: number; text: string } | null>(null);
  /** Where somebody is told that it is their move. */
  hook = $state("");
  constructor(private game: Game) {}

  open(m: Welcome): void {
    this.hook = m.hook;
    this.asking = null;
    this.setSeats(m.seats);
    this.setClocks(m.clocks);
  }
  setSeats(seats: Seat[]): void {
    this.seats = seats;
    const taken = seats.filter(s => s.taken).map(s => s.player);
    if (this.game.you >= 0) seatTaken(this.game.id, taken);
  }
  /** Seats that nobody has taken, with the invitation where this browser sent it; who watches is told of none. */
  get free(): { name: string; link: string }[] {
    return this.game.you < 0
      ? []
      : this.seats.filter(s => !s.taken).map(s => ({ name: s.name, link: invitedBy(this.game.id, s.player) }));
  }
  setClocks(clocks: Clock[]): void {
    this.clocks = clocks;
    this.clocksAt = performance.now();
  }
  async pause(): Promise<void> {
    await this.game.ask({ say: "pause" });
  }
  async concede(): Promise<void> {
    await this.game.ask({ say: "concede" });
  }
  /** Ask the others for a correction. */
  async correct(correction: Record<string, unknown>): Promise<void> {
    this.game.clear();
    await this.game.ask({ say: "correct", correction });
  }
  async consent(agree: boolean): Promise<void> {
    const { asking } = this;
    if (asking) await this.game.ask({ say: "consent", request: asking.request, agree });
    if (this.asking === asking) this.asking = null;
  }
  async setHook(url: string): Promise<void> {
    const kept = await this.game.ask<{ url: string }>({ say: "hook", url });
    if (!kept) return;
    this.hook = kept.url;
    this.game.clear();
  }
}
