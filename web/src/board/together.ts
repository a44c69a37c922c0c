/* Who of a unit stands together, as its rules ask: near enough to others, in one group, and nobody too far from anybody. */

import type { Game, Plan } from "../game.svelte";
import type { Ring } from "../protocol";
import { apart, full, type Body, type Full, type Gap } from "./closest";

export interface Together {
  /** Pairs who are near enough to each other. */
  links: [number, number][];
  /** Those who are outside the largest group, have too few near them, or are too far from others. */
  apart: number[];
  /** Where each of the unit stands. */
  bodies: ReadonlyMap<number, Body>;
}
type Asked = Pick<Ring, "far" | "spread" | "up" | "crowd" | "one_group">;
const HAIR = 0.5; // steps that are no difference

export function together(models: number[], bodyOf: (model: number) => Body, asked: Asked): Together {
  const bodies = models.map(m => full(bodyOf(m))),
    near: number[][] = models.map(() => []),
    strayed: number[][] = models.map(() => []),
    links: [number, number][] = [];
  for (let i = 0; i < models.length; i++)
    for (let j = 0; j < i; j++) {
      if (atMost(asked.far, asked.up, bodies[i], bodies[j])) {
        links.push([models[j], models[i]]);
        near[i].push(j);
        near[j].push(i);
      } else if (asked.spread >= 0 && !atMost(asked.spread, asked.up, bodies[i], bodies[j])) {
        strayed[i].push(j);
        strayed[j].push(i);
      }
    }
  const least = Math.min(wanted(asked, models.length), models.length - 1),
    main = asked.one_group ? new Set(largest(near)) : null,
    far = spread(strayed);
  return {
    links,
    apart: models.filter((_, i) => (main && !main.has(i)) || near[i].length < least || far.has(i)),
    bodies: new Map(models.map((m, i) => [m, bodies[i]])),
  };
}
/** How many others each of so many models has near. */
export const wanted = ({ crowd }: Pick<Ring, "crowd">, models: number) => (crowd && models >= crowd ? 2 : 1);

interface Found {
  plan: Plan | null;
  turn: number;
  together: Together | null;
}
const last = new WeakMap<Game, Found>();
/** Of the unit that is planned for; worked out anew only when the plan or the view is another. */
export function planTogether(game: Game): Together | null {
  const { plan, turn } = game,
    found = last.get(game);
  if (found?.plan === plan && found.turn === turn) return found.together;
  const together = worked(game);
  last.set(game, { plan, turn, together });
  return together;
}
/** Of the unit that is planned for, as it would stand; null where nothing is asked of it. */
function worked(game: Game): Together | null {
  const unit = game.decision?.unit ?? -1,
    planned = new Map(game.plan?.decision === game.decision?.id ? game.plan?.ghosts.map(g => [g.model, g]) : []),
    asked = game.comrades,
    models = unit < 0 || !planned.size ? [] : [...new Set([...game.standing(unit), ...planned.keys()])];
  if (!asked || models.length < 2) return null;
  return together(models, m => ({ base: game.baseOf(m), at: planned.get(m) ?? game.at(m) }), asked);
}
/** Whether bodies are so near to each other, who may be so far above each other; measured only where it is not plain. */
function atMost(far: number, up: number, a: Full, b: Full): boolean {
  if (Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y) - a.around - b.around > far + HAIR) return false;
  const gap: Gap = apart(a, b);
  return gap.across <= far + HAIR && (up < 0 || gap.up <= up + HAIR);
}
/** The largest of the groups that links make; of two, the one that comes later. */
function largest(near: number[][]): number[] {
  const seen = new Set<number>();
  let best: number[] = [];
  near.forEach((_, i) => {
    if (seen.has(i)) return;
    const group = [i];
    seen.add(i);
    for (const j of group)
      for (const k of near[j])
        if (!seen.has(k)) {
          seen.add(k);
          group.push(k);
        }
    if (group.length >= best.length) best = group;
  });
  return best;
}
/** Those without whom nobody is too far from anybody: each time the one who is too far from most. */
function spread(strayed: number[][]): Set<number> {
  const out = new Set<number>(),
    left = (i: number) => (out.has(i) ? 0 : strayed[i].filter(j => !out.has(j)).length);
  for (;;) {
    const most = strayed.reduce((best, _, i) => (left(i) > left(best) ? i : best), 0);
    if (!strayed.length || !left(most)) return out;
    out.add(most);
  }
}
