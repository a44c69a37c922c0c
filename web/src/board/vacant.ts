/* Where a card at the edge of the table is in nobody's way: on no unit that one can point at, on nothing that is planned, on no tools and no dice; and on as few others as can be. */

import type { Game } from "../game.svelte";
import type { Point } from "../protocol";
import type { Box } from "./badges";
import type { Camera } from "./camera";

const RIM = 10; // pixels from the edge
const NARROW = 640; // pixels up to which there is no corner for dice
const DICE: [number, number] = [460, 64]; // what the last dice may take at the lower left
/* How bad it is to lie on something. No crowd of others is worse than what one may want to point at. */
const ON_TOOLS = 1_000_000,
  ON_OWN = 10_000,
  ON_DICE = 60,
  ON_OTHERS = 30,
  ON_AREA = 20;

/** The upper left corner of a card of a size; one that lies nowhere much worse than it could stays where it is. */
export function vacant(
  game: Game,
  cam: Camera,
  badges: { unit: number; box: Box }[],
  tools: Box,
  [wide, high]: [number, number],
  now: Point | null,
  others: readonly Box[] = [],
  dice = false,
): Point {
  const taken = [...inTheWay(game, cam, badges, tools, dice), ...others.map(box => ({ box, bad: ON_TOOLS }))],
    right = cam.wide - wide - RIM,
    below = cam.high - high - RIM,
    xs = [RIM, Math.max(right / 2, RIM), Math.max(right, RIM), Math.max(Math.min(right, tools[0] - wide - RIM), RIM)],
    ys = [RIM, Math.max(below / 2, RIM), Math.max(below, RIM), Math.max(Math.min(below, tools[1] - high - RIM), RIM)];
  const cost = ([x, y]: Point) =>
    taken.reduce((sum, { box, bad }) => sum + (meet([x, y, x + wide, y + high], box) ? bad : 0), 0);
  const isInside = now && now[0] + wide <= cam.wide && now[1] + high <= cam.high;
  let best: Point = [RIM, RIM],
    least = Infinity;
  ys.forEach((y, j) =>
    xs.forEach((x, i) => {
      const bad = i === 1 && j === 1 ? Infinity : cost([x, y]);
      if (bad < least) {
        least = bad;
        best = [x, y];
      }
    }),
  );
  // Dice have a corner of their own, as long as nothing matters there.
  const corner: Point = [RIM, Math.max(below, RIM)];
  if (dice && cam.wide > NARROW && cost(corner) < ON_OWN) return corner;
  return now && isInside && cost(now) < least + ON_OTHERS ? now : best;
}
function inTheWay(
  game: Game,
  cam: Camera,
  badges: { unit: number; box: Box }[],
  tools: Box,
  dice: boolean,
): { box: Box; bad: number }[] {
  const d = game.decision,
    badness = (unit: number) =>
      game.isMine(unit) || game.pointable.has(unit) || unit === d?.unit ? ON_OWN : ON_OTHERS,
    area = d?.shape === "place" && d.area.length ? d.area : null,
    found: { box: Box; bad: number }[] = [
      { box: tools, bad: ON_TOOLS },
      // Where there is little room, dice go elsewhere themselves.
      ...(cam.wide > NARROW && !dice
        ? [{ box: [0, cam.high - DICE[1], Math.min(DICE[0], cam.wide * 0.6), cam.high] as Box, bad: ON_DICE }]
        : []),
      ...badges.map(({ unit, box }) => ({ box, bad: badness(unit) })),
    ];
  if (area) {
    const [xs, ys] = [area.map(p => cam.px(p[0])), area.map(p => cam.py(p[1]))];
    found.push({ box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], bad: ON_AREA });
  }
  const add = (m: number, at: { x: number; y: number }, bad: number) => {
    const base = game.baseOf(m),
      r = (Math.max(base.long, base.broad) / 2) * cam.k + 4,
      [x, y] = [cam.px(at.x), cam.py(at.y)];
    found.push({ box: [x - r, y - r, x + r, y + r], bad });
  };
  for (const { id } of game.view.units) for (const m of game.standing(id)) add(m, game.at(m), badness(id));
  for (const ghost of game.ghosts) add(ghost.model, ghost, ON_OWN);
  return found;
}
const meet = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
