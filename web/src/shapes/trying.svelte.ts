/* Places that are laid on the table for an answer: the server is asked about all of them, and what is wrong is told in the
   dock and at the place that was laid or moved last. */

import type { Game } from "../game.svelte";
import type { Point } from "../protocol";

export class Trying {
  /** Whether what was laid is refused. */
  wrong = $state(false);
  private tried = 0;
  constructor(private game: Game) {}

  /** Something else is laid than what was judged. */
  renew(): void {
    this.tried++;
    // What was told beside that stays.
    if (this.wrong || this.game.notes.tried !== undefined) this.game.clear();
    this.wrong = false;
  }
  /** Judge an answer, unless something is still missing of it: then nothing is wrong yet. `heard` learns what the server says. */
  async judge(answer: unknown, whole: boolean, at: Point | null, heard?: (ok: boolean) => boolean): Promise<void> {
    const { game } = this;
    this.renew();
    const mine = this.tried;
    if (!whole) return;
    const verdict = await game.check(answer);
    if (mine !== this.tried || !verdict || heard?.(verdict.ok) || verdict.ok) return;
    this.wrong = true;
    game.refuse(verdict, answer);
    game.notes.at = at;
  }
}
