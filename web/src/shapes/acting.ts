/* Who makes the answer to the open decision is told what happens on the table, for as long as it is open. */

import { onMount } from "svelte";
import type { Game } from "../game.svelte";
import type { Actor } from "./actor";

/** What `ready` is where something was made that cannot be given as it is: whoever made it does not mean the usual answer. */
export const notYet = (): void => {};

export function acting(of: () => Game, actor: Actor): void {
  onMount(() => {
    const game = of();
    game.actor = actor;
    return () => {
      if (game.actor === actor) game.actor = null;
    };
  });
}
