/* Where the two units of a sentence stood when it was said: pictures of rulings show them so. */

import { fold } from "../fold";
import { OFF, ON_TABLE, PLACE, type GameEvent, type View } from "../protocol";
import type { LogLine } from "./lines";

export interface Moment {
  pair: [number, number];
  rows: Map<number, number[]>;
}
type Pair = (units: number[], text: string, view: View) => [number, number] | null;

export function momentOf(line: LogLine, view: View, pairIn: Pair): Moment | undefined {
  const pair = line.rules.length || line.facts.length ? pairIn(line.units, line.text, view) : null;
  if (!pair) return undefined;
  const models = pair.flatMap(u => view.units[u].models).filter(m => view.models[m][PLACE] === ON_TABLE);
  return { pair, rows: new Map(models.map(m => [m, [...view.models[m]]])) };
}
/** Whether all of them still stand there. */
export function isNow(moment: Moment, view: View): boolean {
  const here = moment.pair.flatMap(u => view.units[u].models).filter(m => view.models[m][PLACE] === ON_TABLE);
  return (
    here.length === moment.rows.size &&
    here.every(m => moment.rows.get(m)?.slice(0, 4).join() === view.models[m].slice(0, 4).join())
  );
}
/** Give lines from before the page was opened their moments: what is known of the beginning, and then event by event. */
export function lookBack(lines: LogLine[], events: GameEvent[], first: number, now: View, pairIn: Pair): void {
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
      moment = line && momentOf(line, view, pairIn);
    // Where somebody stood who moved only later, nobody knows here.
    if (line && moment && ![...moment.rows.keys()].some(m => moved.has(m))) line.then = moment;
  });
}
