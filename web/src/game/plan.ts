/* A plan: what would be answered, and the ghosts that stand where it puts models. */

import type { Standing } from "../board/models";
import type { Moves, Point, Spot, Verdict } from "../protocol";

export interface Ghost extends Standing {
  model: number;
  way: [number, number][];
  short?: boolean;
}
/** `verdict` is null until somebody has judged it, `rules` are those behind the note. */
export interface Plan {
  decision: number;
  answer: unknown;
  ghosts: Ghost[];
  verdict: Verdict | null;
  longest: number;
  limit: number;
  /** How far it should have gone, where that is farther than the ghosts stand. */
  wanted?: number;
  /** Where it goes once the dice are rolled that decide how far. */
  goal?: Point;
  note: string;
  rules: string[];
}

export function planOf(
  decision: number,
  answer: unknown,
  ghosts: Ghost[],
  verdict: Verdict | null,
  limit = 0,
  note = "",
): Plan {
  const longest = Math.max(0, ...ghosts.map(g => lengthOf(g.way)));
  return { decision, answer, ghosts, verdict, longest, limit, note, rules: [] };
}
/** Ghosts of an answer that puts or moves models, which stand at `at` now. */
export function ghostsOf(answer: unknown, at: (model: number) => Standing): Ghost[] {
  if (Array.isArray(answer))
    return (answer as Spot[])
      .filter(s => s && typeof s.model === "number" && typeof s.x === "number")
      .map(s => ({ model: s.model, x: s.x, y: s.y, z: s.z ?? 0, facing: s.facing ?? 0, way: [] }));
  return ((answer as Moves | null)?.paths ?? []).map(p => {
    const from = at(p.model),
      end = p.legs[p.legs.length - 1] ?? from;
    const way: [number, number][] = [[from.x, from.y], ...p.legs.map(l => [l.x, l.y] as [number, number])];
    return { model: p.model, x: end.x, y: end.y, z: end.z ?? 0, facing: end.facing ?? from.facing, way };
  });
}
function lengthOf(way: [number, number][]): number {
  let sum = 0;
  for (let i = 1; i < way.length; i++) sum += Math.hypot(way[i][0] - way[i - 1][0], way[i][1] - way[i - 1][1]);
  return sum;
}
