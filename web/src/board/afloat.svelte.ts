/* Cards that lie over the table go where they are in nobody's way, and elsewhere when somebody comes there. */

import type { Attachment } from "svelte/attachments";
import type { Game } from "../game.svelte";
import type { Point } from "../protocol";
import type { Box } from "./badges";

/** Where a card of some size is in nobody's way, which may be where it is now; on none of other cards in any case. */
export type Spot = (size: Point, now: Point | null, others?: readonly Box[], dice?: boolean) => Point;

const lying = new Map<Element, Box>();

/** Keeps a card in nobody's way; `spot` is asked anew whenever something else is looked at, done or asked. Dice lie at the lower left where they may. */
export function afloat(game: Game, spot: () => Spot, dice = false): Attachment<HTMLElement> {
  // Another card in its place begins where the last one lay.
  let now: Point | null = null;
  return card => {
    let frame = 0;
    const put = () => {
      const size: Point = [card.offsetWidth, card.offsetHeight],
        others = [...lying].filter(([other]) => other !== card).map(([, box]) => box);
      now = spot()(size, now, others, dice);
      lying.set(card, [now[0], now[1], now[0] + size[0], now[1] + size[1]]);
      Object.assign(card.style, { left: `${now[0]}px`, top: `${now[1]}px`, visibility: "visible" });
    };
    card.style.visibility = "hidden";
    const soon = () => {
      cancelAnimationFrame(frame);
      // Badges lie where they are drawn: that has happened by then.
      frame = requestAnimationFrame(() => (frame = requestAnimationFrame(put)));
    };
    $effect(() => {
      void [spot(), game.turn, game.decision, game.plan, game.pointable, game.pointed, game.sight, game.telling];
      soon();
    });
    const size = new ResizeObserver(soon);
    size.observe(card);
    return () => {
      size.disconnect();
      cancelAnimationFrame(frame);
      lying.delete(card);
    };
  };
}
