/* The chance of each unit that can be chosen, where the game can tell: as chips on the board, the best where it may do several things, and in the list. */

import type { Option, Value } from "../protocol";
import type { Game } from "../game.svelte";
import { meaning } from "../game/question";
import { percent } from "../ui/words";

const MOST = 40; // options that are asked about

/** Ask one after the other, and show each as it comes; where the first has none, nobody has, but for reactions, which are of many sorts. */
export async function showChances(
  game: Game,
  options: Option[],
  answerOf: (value: Value) => unknown,
  found: (value: Value, chance: number, meant: string) => void,
): Promise<void> {
  const id = game.decision?.id,
    unitOf = meaning(game.view.units, options),
    mixed = game.isReaction,
    best = new Map<number, number>();
  for (const o of options.filter(one => unitOf(one) >= 0).slice(0, MOST)) {
    const likely = await game.advice.chance(answerOf(o.value), true);
    if (game.decision?.id !== id || (likely === null && !mixed)) return;
    if (likely === null) continue;
    const { chance, meant } = likely;
    best.set(unitOf(o), Math.max(chance, best.get(unitOf(o)) ?? 0));
    game.chips = new Map(game.chips).set(unitOf(o), percent(best.get(unitOf(o))!));
    found(o.value, chance, meant);
  }
}
