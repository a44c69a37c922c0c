/* What nothing enforces is left to the players. */

import type { Game } from "../game.svelte";
import type { ByHand } from "../protocol";

/** Who applies it, and when. */
export const leftTo = (game: Game, one: ByHand): string =>
  `Not enforced here, ${one.player === game.you ? "" : `for ${game.view.players[one.player]?.name ?? ""} to `}play by hand${one.when ? ` ${one.when}` : ""}`;
