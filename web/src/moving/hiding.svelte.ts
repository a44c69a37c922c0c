/* Hiding: an enemy that the unit should not be seen by, and where it sees nobody. */

import type { Game } from "../game.svelte";
import type { Move, Place } from "../protocol";
import type { Deed } from "../shapes/actor";

export class Hiding {
  /** The enemy; -1 for none. */
  foe = $state(-1);

  constructor(
    private game: Game,
    private decision: Move | Place,
  ) {}
  /** Keep out of an enemy's sight, or no more. */
  async from(unit: number): Promise<void> {
    const { game, decision } = this;
    this.foe = unit === this.foe || unit < 0 || !game.isEnemy(unit, decision.unit) ? -1 : unit;
    game.shade = null;
    if (this.foe < 0) return;
    const outlines = await game.unseen(unit);
    if (this.foe !== unit || game.decision?.id !== decision.id) return;
    if (outlines) game.shade = { name: game.view.units[unit].name, outlines };
    else this.foe = -1;
  }
  /** What can be said about it. */
  get told(): string {
    const { shade, view } = this.game;
    if (!shade) return `Looking where ${view.units[this.foe].name} sees nobody.`;
    return shade.outlines.length
      ? `Hides from ${shade.name}: in the dark area they do not see you.`
      : `${shade.name} sees all of it.`;
  }
  deeds(unit: number): Deed[] {
    return this.game.isEnemy(unit, this.decision.unit)
      ? [{ label: "Hide from it", on: this.foe === unit, do: () => void this.from(unit) }]
      : [];
  }
}
