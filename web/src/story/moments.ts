/* How the table stood when a sentence was said, or would stand if something were done: pictures of rulings show it so. */

import { fold } from "../fold";
import type { Game } from "../game.svelte";
import type { Ghost } from "../game/plan";
import { closest, rimOf } from "../board/closest";
import { holds } from "../board/terrain";
import { reachOf } from "../moving/kept";
import { FACING, OFF, ON_TABLE, PLACE, X, Y, Z, type GameEvent, type Point, type View } from "../protocol";
import type { LogLine } from "./lines";
import { subjectOf, subjectRefused, type Subject } from "./pairs";

/** x, y, z and facing. */
type Stood = readonly [number, number, number, number];
export interface Moment {
  subject: Subject;
  /** Of every model on the table, as far as it is known. */
  stood: ReadonlyMap<number, Stood>;
  /** Whether it is known of all of them. */
  whole: boolean;
  /** Those who would stand elsewhere than they do, if it is about what was planned. */
  ghosts?: readonly Ghost[];
}

const latest = new WeakMap<View, ReadonlyMap<number, Stood>>();
const same = (a: Stood | undefined, b: Stood) => !!a && a.every((value, i) => value === b[i]);

/** Where everybody stands; sentences between which nobody moved share what is kept of it. */
function standing(view: View, unknown: ReadonlySet<number>): ReadonlyMap<number, Stood> {
  const now = new Map<number, Stood>();
  view.models.forEach((row, m) => {
    if (row[PLACE] === ON_TABLE && !unknown.has(m)) now.set(m, [row[X], row[Y], row[Z], row[FACING]]);
  });
  const before = latest.get(view);
  if (before?.size === now.size && [...now].every(([m, at]) => same(before.get(m), at))) return before;
  latest.set(view, now);
  return now;
}
const NOBODY: ReadonlySet<number> = new Set();
export function momentOf(line: LogLine, view: View, unknown: ReadonlySet<number> = NOBODY): Moment | undefined {
  const subject = line.rules.length || line.facts.length ? subjectOf(view, line.units, line.text, line.facts) : null;
  const whole = view.models.every((row, m) => row[PLACE] !== ON_TABLE || !unknown.has(m)),
    isUnknown = (u: number) => view.units[u].models.some(m => view.models[m][PLACE] === ON_TABLE && unknown.has(m));
  // Who is near a marker, nobody knows who does not know where all of them stood.
  if (!subject || subject.units.some(isUnknown) || (!subject.units.length && !whole)) return undefined;
  return { subject, stood: standing(view, unknown), whole };
}
/** How it stands now, for a sentence that is about something. */
export function momentNow(game: Game, units: number[], text: string): Moment | undefined {
  const subject = subjectOf(game.view, units, text);
  return subject ? { subject, stood: standing(game.view, NOBODY), whole: true } : undefined;
}
/** How it would stand if what was refused were done; undefined where nothing of it can be shown. */
export function momentRefused(game: Game): Moment | undefined {
  const { decision: d, notes, view } = game,
    plan = d && game.plan?.decision === d.id ? game.plan.ghosts : [],
    ghosts = notes.tried === undefined ? plan : game.ghostsOf(notes.tried),
    stood = new Map(standing(view, NOBODY));
  for (const g of ghosts) stood.set(g.model, [Math.round(g.x), Math.round(g.y), Math.round(g.z), g.facing]);
  const unit = d?.unit ?? -1,
    subject =
      subjectRefused(view, unit, notes.reasons, notes.text, stood) ?? (ghosts.length ? whereItIs(game, ghosts) : null);
  return subject ? { subject, stood, whole: true, ghosts } : undefined;
}
/** What is wrong with a place by where it is: outside its area, or too near to an enemy. */
function whereItIs(game: Game, ghosts: readonly Ghost[]): Subject | null {
  const d = game.decision,
    plain = { models: [], which: -1, gap: 0 };
  if (!d || d.unit < 0) return null;
  const outside = d.shape === "place" ? ghosts.filter(g => !isIn(game, d.area, g)).map(g => g.model) : [],
    enemy = outside.length ? -1 : nearEnemy(game, ghosts);
  if (outside.length) return { ...plain, units: [d.unit], models: outside, to: "area" };
  return enemy >= 0 ? { ...plain, units: [d.unit, enemy], to: "unit" } : null;
}
/** Whether all of a base is in an area; no corners: anywhere. */
function isIn(game: Game, area: Point[], g: Ghost): boolean {
  const base = game.baseOf(g.model);
  if (!area.length) return true;
  const rim = rimOf({ base, at: g });
  return rim.every(([x, y]) => holds(area, x, y));
}
/** The enemy in whose ring a ghost would stand. */
function nearEnemy(game: Game, ghosts: readonly Ghost[]): number {
  const unit = game.decision?.unit ?? -1,
    at = new Map(ghosts.map(g => [g.model, g])),
    body = (m: number) => ({ base: game.baseOf(m), at: at.get(m) ?? game.at(m) });
  let best = -1,
    least = Infinity;
  for (const { id } of game.view.units) {
    if (id === unit || !game.isEnemy(id, unit)) continue;
    const gap = closest([...at.keys()], game.standing(id), body);
    if (gap && gap.across <= least && game.keepOut.some(r => gap.across <= reachOf(r, gap.up))) {
      best = id;
      least = gap.across;
    }
  }
  return best;
}
/** Whether units still stand there, or with nobody named, whether everybody does. */
export function isNow(moment: Moment, view: View, units?: number[]): boolean {
  const wanted = units ? new Set(units.flatMap(u => view.units[u].models)) : null,
    stood = [...moment.stood].filter(([m]) => !wanted || wanted.has(m)),
    here = view.models.filter((row, m) => row[PLACE] === ON_TABLE && (!wanted || wanted.has(m)));
  return (
    here.length === stood.length &&
    stood.every(([m, at]) => {
      const row = view.models[m];
      return row[PLACE] === ON_TABLE && same(at, [row[X], row[Y], row[Z], row[FACING]]);
    })
  );
}
/** Give lines from before the page was opened their moments: what is known of the beginning, and then event by event. */
export function lookBack(lines: LogLine[], events: GameEvent[], first: number, now: View): void {
  const view: View = { ...now, models: now.models.map(row => [...row]) },
    moved = new Set<number>(),
    placed = new Map<number, number>();
  for (const e of events) {
    if (e.event === "moved") for (const m of e.models) moved.add(m);
    if (e.event === "placed") for (const m of e.models) if (!placed.has(m)) placed.set(m, e.place);
  }
  // Who leaves the table was on it, and who comes to it was not.
  for (const [m, place] of placed) view.models[m][PLACE] = place === ON_TABLE ? OFF : ON_TABLE;
  const waiting = new Map(lines.map(line => [line.id, line]));
  events.forEach((e, i) => {
    if (e.event === "moved" || e.event === "placed" || e.event === "joined") fold(view, [e]);
    if (e.event === "moved") for (const m of e.models) moved.delete(m);
    const line = waiting.get(first + i),
      // Where somebody stood who moved only later, nobody knows here.
      moment = line && momentOf(line, view, moved);
    if (line && moment) line.then = moment;
  });
}
