/* Where words stand beside what they are about: at the cursor, beside a finger and what it hides, or at a place of the table. */

import type { Game } from "../game.svelte";
import type { Told } from "./Tip.svelte";
import { LOUPE } from "./loupe";

const HIGH = 64; // pixels that a few words need

/** Where words stand while something is dragged: a finger has its loupe beside it, and they stand above or below that. */
export function besideHand(
  finger: { x: number; y: number } | null,
  cursor: [number, number],
  wide: number,
): Pick<Told, "x" | "y" | "above"> {
  if (!finger) return { x: cursor[0] + 18, y: cursor[1] + 18 };
  const { x, y } = LOUPE.at(finger, wide),
    above = y - LOUPE.radius > HIGH;
  return { x: x - LOUPE.radius, y: above ? y - LOUPE.radius - 6 : y + LOUPE.radius + 6, above };
}
/** What is wrong, or why it went elsewhere, with the place of the table where that is; null where nothing is to be told. */
export function toldAt(
  game: Game,
): (Pick<Told, "text" | "bad" | "rules"> & { at: [number, number]; off: number }) | null {
  const { notes, decision: d, sketch } = game,
    plan = game.plan?.decision === d?.id ? game.plan : null,
    text = notes.text,
    rules = notes.rules;
  if (!d || !text || notes.calm) return null;
  if (notes.at) {
    const laid = sketch.points.length || sketch.circles.length || sketch.legs.length;
    return laid ? { text, rules, bad: true, at: notes.at, off: 0 } : null;
  }
  // What nothing speaks against is no matter of the plan: it stands in the dock alone.
  if (!plan?.verdict || !plan.ghosts.length || !notes.reasons.length) return null;
  const named = new Set(notes.reasons.flatMap(r => r.models ?? [])),
    ghost = plan.ghosts.find(g => named.has(g.model)) ?? plan.ghosts[0],
    base = game.baseOf(ghost.model);
  return { text, rules, bad: !plan.verdict.ok, at: [ghost.x, ghost.y], off: Math.max(base.long, base.broad) / 2 };
}
