/* What the picture of a ruling measures, and what it says below. */

import { apart, closest, exactly, full, rimOf, toldGap, type Body, type Full, type Gap } from "../board/closest";
import type { Game } from "../game.svelte";
import type { Pointer } from "../game/drawn";
import { featuresOf } from "../board/terrain";
import { together, type Together } from "../board/together";
import { STEP, type Point } from "../protocol";
import type { Moment } from "./moments";
import type { Subject } from "./pairs";

/** How one speaks of it: of how it stands now or stood then, or of how it would stand. */
export type Tense = "now" | "then" | "there";
export interface Measured {
  lines: Pointer[];
  /** Places that have to be seen. */
  points: Point[];
  /** Those who are in the wrong. */
  wrong: number[];
  links: Together | null;
  text: string;
}
/** Who stands where. */
interface Standers {
  of(unit: number): number[];
  body(model: number): Body;
}
/** `one` stands, `many` stand. */
const WORDS = {
  now: { are: "are", is: "is", one: "stands", many: "stand", how: " as they stand now" },
  then: { are: "were", is: "was", one: "stood", many: "stood", how: " as they stood then" },
  there: { are: "would be", is: "would be", one: "would stand", many: "would stand", how: " there" },
};
const NOTHING = { lines: [], points: [], links: null };

export function measure(game: Game, { subject, ghosts }: Moment, tense: Tense, standers: Standers): Measured | null {
  const [one] = subject.units,
    moving = new Set((ghosts ?? []).map(g => g.model)),
    mine = one === undefined ? [] : standers.of(one),
    wrong = subject.models.filter(m => mine.includes(m)),
    meant = wrong.length ? wrong : mine.some(m => moving.has(m)) ? mine.filter(m => moving.has(m)) : mine;
  const found = { ...NOTHING, wrong };
  switch (subject.to) {
    case "unit":
      return toUnit(game, subject, tense, standers, wrong.length ? wrong : mine, found);
    case "comrades":
      return toComrades(game, subject, tense, standers, found);
    case "marker":
      return toMarker(game, subject, tense, standers, meant, found);
    case "terrain":
      return inTheWay(game, subject, meant, found);
    case "edge":
      return overTheEdge(game, subject, tense, standers, meant, found);
    case "area":
      return outside(game, subject, tense, standers, meant, found);
    default:
      return howFar(game, { subject, ghosts }, found);
  }
}
type Found = Omit<Measured, "text">;
const unitOfTable = (game: Game) => game.ground.table.unit;
const nameOf = (game: Game, unit: number) => game.view.units[unit].name;
const tape = (game: Game, from: Point, to: Point, far: number): Pointer => ({
  from,
  to,
  text: exactly(far, unitOfTable(game)),
  kind: "tape",
});
const whole = (standers: Standers, models: number[]): Point[] =>
  models.map(m => [standers.body(m).at.x, standers.body(m).at.y]);

function toUnit(
  game: Game,
  { units: [one, other] }: Subject,
  tense: Tense,
  standers: Standers,
  meant: number[],
  found: Found,
): Measured | null {
  const gap = closest(meant, standers.of(other), standers.body),
    { are, how } = WORDS[tense];
  if (!gap) return null;
  return {
    ...found,
    lines: [tape(game, gap.from, gap.to, gap.far)],
    points: whole(standers, [...standers.of(one), ...standers.of(other)]),
    text: `${nameOf(game, one)} and ${nameOf(game, other)} ${are} ${
      gap.far > 0 ? `${toldGap(gap, unitOfTable(game))} apart` : "on each other, or in contact,"
    }${how}.`,
  };
}
/** Those who do not stand with the rest of their unit, and how far off they are; of two who are too far apart, that. */
function toComrades(game: Game, subject: Subject, tense: Tense, standers: Standers, found: Found): Measured | null {
  const [unit] = subject.units,
    mine = standers.of(unit),
    asked = game.comrades,
    links = asked ? together(mine, standers.body, asked) : null,
    wrong = found.wrong.length && found.wrong.length < mine.length ? found.wrong : (links?.apart ?? []);
  const rest = mine.filter(m => !wrong.includes(m)),
    [a, b] = wrong,
    ends = wrong.length === 2 ? closest([a], [b], standers.body) : null,
    // Two who are named for how far they are from each other, not from others.
    areEnds = !!ends && !!subject.gap && Math.abs(ends.across - subject.gap * STEP) < STEP / 50;
  const gap: Gap | null = areEnds ? ends : closest(wrong, rest.length ? rest : mine.slice(1), standers.body),
    { one, many } = WORDS[tense];
  if (!gap) return null;
  const far = toldGap(gap, unitOfTable(game)),
    who = `${wrong.length} model${wrong.length > 1 ? "s" : ""} of ${nameOf(game, unit)}`;
  return {
    ...found,
    wrong,
    links: links && { ...links, apart: wrong },
    lines: [tape(game, gap.from, gap.to, gap.far)],
    points: whole(standers, mine),
    text: areEnds ? `${who} ${many} ${far} apart.` : `${who} ${wrong.length > 1 ? many : one} ${far} from the rest.`,
  };
}
/** To a marker: its rim; with no unit named, from those of each side who are nearest to it and within its reach. */
function toMarker(
  game: Game,
  { units, which }: Subject,
  tense: Tense,
  standers: Standers,
  meant: number[],
  found: Found,
): Measured | null {
  const marker = game.board?.objectives[which];
  if (!marker) return null;
  const [x, y, radius, reach, label] = marker,
    name = `objective ${label || which + 1}`,
    to = (models: number[]) => toDisc(models.map(standers.body).map(full), x, y, radius);
  const rim: Point[] = [-1, 1].map(s => [x + s * (radius + reach), y + s * (radius + reach)]);
  if (units.length) {
    const gap = to(meant);
    if (!gap) return null;
    const [unit] = units,
      at = gap.across > 0 ? `${exactly(gap.across, unitOfTable(game))} from ${name}` : `on ${name}`;
    return {
      ...found,
      lines: gap.across > 0 ? [tape(game, gap.from, gap.to, gap.across)] : [],
      points: [...whole(standers, meant), ...rim],
      text: `${nameOf(game, unit)} ${WORDS[tense].is} ${at}.`,
    };
  }
  const near = new Map<number, { unit: number; gap: Gap }>();
  for (const { id } of game.view.units) {
    const gap = to(standers.of(id)),
      side = game.sideOf(id);
    if (gap && gap.across <= reach + 1 && gap.across < (near.get(side)?.gap.across ?? Infinity))
      near.set(side, { unit: id, gap });
  }
  if (!near.size) return null;
  const told = [...near.values()].map(
    ({ unit, gap }) => `${nameOf(game, unit)}, ${exactly(gap.across, unitOfTable(game))}`,
  );
  return {
    ...found,
    lines: [...near.values()].map(({ gap }) => tape(game, gap.from, gap.to, gap.across)),
    points: rim,
    text: `The nearest to ${name}: ${told.join("; ")}.`,
  };
}
function toDisc(bodies: Full[], x: number, y: number, radius: number): Gap | null {
  let best: Gap | null = null;
  for (const body of bodies) {
    const disc = full({
        base: { outline: [], core: [[0, 0]], radius, long: 2 * radius, broad: 2 * radius, thick: 0 },
        at: { x, y, z: body.at.z, facing: 0 },
      }),
      gap = apart(body, disc);
    if (!best || gap.across < best.across) best = gap;
  }
  return best;
}
function inTheWay(game: Game, { units: [unit], which }: Subject, meant: number[], found: Found): Measured | null {
  const piece = featuresOf(game)[which];
  if (!piece) return null;
  const name = piece.name || piece.kind;
  return {
    ...found,
    wrong: meant,
    points: piece.outline,
    text: `${name.charAt(0).toUpperCase()}${name.slice(1)} is in the way of ${nameOf(game, unit)}.`,
  };
}
/** How far the base that sticks out most is over the edge. */
function overTheEdge(
  game: Game,
  { units: [unit] }: Subject,
  tense: Tense,
  standers: Standers,
  meant: number[],
  found: Found,
): Measured | null {
  const { width, depth } = game.ground.table;
  let most = 0,
    line: [Point, Point] | null = null;
  for (const [x, y] of meant.flatMap(m => rimOf(standers.body(m)))) {
    const to: Point = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), depth)],
      far = Math.max(Math.abs(x - to[0]), Math.abs(y - to[1]));
    if (far > most) {
      most = far;
      line = [to, [x, y]];
    }
  }
  return {
    ...found,
    wrong: meant,
    lines: line ? [tape(game, ...line, most)] : [],
    points: whole(standers, meant),
    text: line
      ? `${nameOf(game, unit)} ${WORDS[tense].is} ${exactly(most, unitOfTable(game))} over the edge of the table.`
      : `The way of ${nameOf(game, unit)} leads over the edge of the table.`,
  };
}
function outside(
  game: Game,
  { units: [unit] }: Subject,
  tense: Tense,
  standers: Standers,
  meant: number[],
  found: Found,
): Measured {
  return {
    ...found,
    points: whole(standers, meant),
    text: `${meant.length} model${meant.length > 1 ? "s" : ""} of ${nameOf(game, unit)} ${
      meant.length > 1 ? WORDS[tense].many : WORDS[tense].one
    } outside the area where the unit may be set up.`,
  };
}
/** How far the one goes who goes furthest. */
function howFar(game: Game, { subject, ghosts }: Pick<Moment, "subject" | "ghosts">, found: Found): Measured | null {
  const all = (ghosts ?? []).filter(g => g.way.length > 1 && (!found.wrong.length || found.wrong.includes(g.model))),
    long = (way: Point[]) =>
      way.reduce((sum, p, i) => (i ? sum + Math.hypot(p[0] - way[i - 1][0], p[1] - way[i - 1][1]) : 0), 0),
    ghost = all.sort((a, b) => long(b.way) - long(a.way))[0];
  if (!ghost) return null;
  const far = exactly(long(ghost.way), unitOfTable(game));
  return {
    ...found,
    wrong: found.wrong.length ? found.wrong : [ghost.model],
    lines: [{ from: ghost.way[0], to: ghost.way[ghost.way.length - 1], text: far, kind: "tape" }],
    points: ghost.way,
    text: `The way of ${nameOf(game, subject.units[0])} is ${far} long.`,
  };
}
