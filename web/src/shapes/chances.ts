/* The chance of each unit that can be chosen, where the game can tell: as chips on the board, and in the list. */

import type { Option, Value } from "../protocol";
import { unitMeant, type Game } from "../game.svelte";

const MOST = 40;   // options that are asked about

export const percent = (chance: number) => `${Math.round(chance * 100)} %`;

/** Ask one after the other, and show each as it comes; where the first has none, nobody has. */
export async function showChances(game: Game, options: Option[], answerOf: (value: Value) => unknown, found: (value: Value, chance: number) => void): Promise<void> {
  const id = game.decision?.id, units = options.filter(o => unitMeant(game.view.units, o.value, o.label) >= 0).slice(0, MOST);
  for (const o of units) {
    const chance = await game.chance(answerOf(o.value), true);
    if (chance === null || game.decision?.id !== id) return;
    game.chips = new Map(game.chips).set(unitMeant(game.view.units, o.value, o.label), percent(chance));
    found(o.value, chance);
  }
}
