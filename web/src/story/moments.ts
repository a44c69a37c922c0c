/* How the table stood when a sentence about two units was said: pictures of rulings show it so. */

import { fold } from "../fold";
import { FACING, OFF, ON_TABLE, PLACE, X, Y, Z, type GameEvent, type View } from "../protocol";
import type { LogLine } from "./lines";
import { pairIn } from "./pairs";

/** x, y, z and facing. */
type Stood = readonly [number, number, number, number];
export interface Moment {
  pair: [number, number];
  /** Of every model on the table, as far as it is known. */
  stood: ReadonlyMap<number, Stood>;
  /** Whether it is known of all of them. */
  whole: boolean;
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
  const pair = line.rules.length || line.facts.length ? pairIn(view, line.units, line.text) : null;
  if (!pair || pair.some(u => view.units[u].models.some(m => view.models[m][PLACE] === ON_TABLE && unknown.has(m))))
    return undefined;
  const whole = view.models.every((row, m) => row[PLACE] !== ON_TABLE || !unknown.has(m));
  return { pair, stood: standing(view, unknown), whole };
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
