/* Walking through a list by keys: ] and [ go through all of it, however long it is, and Tab does where units are meant;
   the first ten have numbers. */

import { tick } from "svelte";
import type { Option } from "../protocol";
import type { Game } from "../game.svelte";
import { meaning } from "../game/question";

/** To the next, or to the one before; 0 for neither. Who has gone into the panel goes on from button to button there. */
export function stepOf(e: KeyboardEvent): number {
  if (e.key === "]") return 1;
  if (e.key === "[") return -1;
  return e.key === "Tab" && document.activeElement === document.body ? (e.shiftKey ? -1 : 1) : 0;
}

export class Walk {
  /** The number of what is lit; -1 for nothing. */
  at = $state(-1);
  constructor(
    private game: Game,
    private options: Option[],
    private list: () => HTMLElement | undefined,
  ) {}

  /** The key of an option, as it is shown beside it. */
  static key(i: number): string {
    return i < 9 ? String(i + 1) : i === 9 ? "0" : "";
  }
  /** The number of the option that a key stands for, or -1. */
  meant(e: KeyboardEvent): number {
    const i = /^\d$/.test(e.key) && !e.shiftKey ? (Number(e.key) + 9) % 10 : -1;
    return i < this.options.length ? i : -1;
  }
  /** Says whether a key was a step. */
  step(e: KeyboardEvent): boolean {
    const by = stepOf(e);
    if (!by || !this.options.length || (e.key === "Tab" && !this.game.pointable.size)) return false;
    this.at =
      this.at < 0 && by < 0 ? this.options.length - 1 : (this.at + by + this.options.length) % this.options.length;
    const unit = meaning(this.game.view.units, this.options)(this.options[this.at]);
    if (unit >= 0) {
      this.game.hovered = unit;
      void this.game.show(unit);
    }
    void tick().then(() => this.list()?.children[this.at]?.scrollIntoView({ block: "nearest" }));
    return true;
  }
}
