/* Getting into a transport: from where the hand let go over it, or wherever the server finds room beside it. */

import type { Game } from "../game.svelte";
import type { Move, Place, Verdict } from "../protocol";
import type { Ghosts } from "./ghosts";
import type { Judge } from "./judge";
import type { Modes } from "./modes.svelte";

export class Boarding {
  constructor(
    private game: Game,
    private decision: Move | Place,
    private modes: Modes,
    private ghosts: Ghosts,
    private judge: Judge,
  ) {}
  /** Transports that the unit may get into. */
  get hosts(): number[] {
    return (this.decision.about?.hosts as number[] | undefined) ?? [];
  }
  /** Get into one, and say why not where that cannot be done. */
  async embark(onto: number): Promise<void> {
    const { game, modes } = this;
    modes.hurry();
    if (!modes.allowance) modes.name = modes.plain;
    const refused = await this.board(onto);
    if (!refused || game.decision?.id !== this.decision.id) return;
    if (refused.ok) game.notes.tell(`The roll comes first: then get into ${game.view.units[onto].name}.`);
    else game.refuse(refused);
  }
  /** Gives null where it could be done, or is no matter any more, else the last that was said about it. */
  async board(onto: number): Promise<Verdict | null> {
    const { game, modes, ghosts, judge } = this,
      at = game.middle(onto),
      version = judge.version;
    let last: Verdict = { ok: true };
    if (this.decision.shape !== "move" || !at || modes.isRolled(modes.name)) return last;
    game.settling = true;
    try {
      for (const find of [
        () => Promise.resolve(ghosts.answer),
        () => game.towards(...at, "ring", modes.name),
        () => game.towards(...at, "block", modes.name),
      ]) {
        const answer = await find();
        if (!judge.isNewest(version)) return null;
        if (!answer) continue;
        const aboard = { ...answer, onto },
          verdict = await game.check(aboard);
        if (!judge.isNewest(version)) return null;
        last = verdict ?? last;
        if (!verdict?.ok) continue;
        judge.renew();
        judge.pass();
        game.stage(aboard, verdict, modes.limit, `Embark: ${game.view.units[onto].name}`);
        return null;
      }
    } finally {
      game.settling = false;
    }
    return last;
  }
}
