/* The tape measure. */

import type { Game } from "../game.svelte";
import type { Pointer } from "../game/drawn";
import { ON_TABLE, PLACE, type Point } from "../protocol";
import { measured, outlineOf, toldGap, type Body } from "./closest";
import type { Standing } from "./models";
import { holds, tell } from "./terrain";

/** The base under a place: a ghost's first, since it is what one thinks about. */
function bodyAt(game: Game, x: number, y: number): (Body & { model: number }) | null {
  const { ghosts } = game,
    moved = new Set(ghosts.map(g => g.model));
  const all = [
    ...ghosts.map(g => ({ model: g.model, base: game.baseOf(g.model), at: g as Standing })),
    ...game.view.models.flatMap((row, m) =>
      row[PLACE] === ON_TABLE && !moved.has(m) ? [{ model: m, base: game.baseOf(m), at: game.at(m) }] : [],
    ),
  ];
  return (
    all.find(b => {
      const hull = outlineOf(b);
      return hull ? holds(hull, x, y) : Math.hypot(b.at.x - x, b.at.y - y) <= b.base.radius;
    }) ?? null
  );
}
/** What a tape from a place to another says: from base to base, or with `points` from point to point. */
export function tapeOf(game: Game, a: Point, b: Point, points: boolean): Pointer {
  const [one, other] = points ? [null, null] : [bodyAt(game, ...a), bodyAt(game, ...b)],
    same = !!one && one.model === other?.model;
  const {
      edges: [first, last],
      ...gap
    } = measured(a, b, same ? [null, null] : [one, other]),
    // A hand points at pixels; only bases are known to the hair.
    length = first && last ? toldGap(gap, game.ground.unit) : tell(gap.far, game.ground.unit);
  return {
    from: gap.from,
    to: gap.to,
    text:
      first && last
        ? `${length} base to base`
        : first || last
          ? `${length} ${first ? "from" : "to"} the base's edge`
          : length,
    kind: "tape",
  };
}
