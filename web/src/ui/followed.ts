/* Lists whose rows are put into another order: keys stay with the row that they have moved. */

import { tick } from "svelte";

/** Do what puts the row of the button that has the focus elsewhere: its button, or the next that can be pressed, keeps it. */
export function followed(list: HTMLElement | undefined, to: number, move: () => void): void {
  const row = [...(list?.children ?? [])].find(r => r.contains(document.activeElement)),
    at = row ? buttonsOf(row).indexOf(document.activeElement as HTMLButtonElement) : -1;
  move();
  if (at < 0) return;
  void tick().then(() => {
    const buttons = buttonsOf(list!.children[to]);
    (buttons[at].disabled ? buttons.find(b => !b.disabled) : buttons[at])?.focus();
  });
}
const buttonsOf = (row: Element) => [...row.querySelectorAll("button")];
