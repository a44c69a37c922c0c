/* Who a sentence is about, and what they are measured to, so that a picture can show it. */

import { ON_TABLE, PLACE, type Reason, type View } from "../protocol";

/** What a picture shows. `units`: one, or two that are measured to each other; none, where a marker is all there is. */
export interface Subject {
  units: number[];
  /** Those of the first unit that it is about; nobody: all of it. */
  models: number[];
  /** What is measured to, or what is in the way; `way`: how far somebody goes. */
  to: "unit" | "comrades" | "marker" | "terrain" | "edge" | "area" | "way";
  /** The number of the marker, or of the piece of terrain. */
  which: number;
  /** How far they are apart by what was said of it, in the table's unit of length; 0 where nothing was. */
  gap: number;
}
const PLAIN = { models: [], which: -1, gap: 0 };
/** Somewhere that models stand beside where they do now. */
type Places = ReadonlyMap<number, unknown>;

/** Two units on the table: those that the sentence came with, then those that it names. */
export function pairIn(view: View, units: number[], text: string, places?: Places): [number, number] | null {
  const stands = (u: number) =>
      view.units[u]?.models.some(m => view.models[m][PLACE] === ON_TABLE || !!places?.has(m)) ?? false,
    sideOf = (u: number) => view.players[view.units[u].player].side,
    found = units.filter(stands);
  let rest = text;
  for (const u of [...view.units].sort((a, b) => b.name.length - a.name.length)) {
    if (!rest.includes(u.name)) continue;
    rest = rest.replaceAll(u.name, "");
    if (stands(u.id)) found.push(u.id);
  }
  const [first, ...others] = [...new Set(found)],
    second = others.find(u => sideOf(u) !== sideOf(first)) ?? others[0];
  return first === undefined || second === undefined ? null : [first, second];
}
/** What a line of the story is about: two units, or an objective marker. */
export function subjectOf(
  view: View,
  units: number[],
  text: string,
  facts: readonly [string, unknown][] = [],
): Subject | null {
  const pair = pairIn(view, units, text),
    marker = facts.find(([name]) => name === "marker")?.[1];
  if (pair) return { ...PLAIN, units: pair, to: "unit" };
  return typeof marker === "number" ? { ...PLAIN, units: units.slice(0, 1), to: "marker", which: marker } : null;
}
/** What a refusal is about: the first of its reasons that says so by its facts, then whom it names. */
export function subjectRefused(
  view: View,
  unit: number,
  reasons: readonly Reason[],
  text: string,
  places: Places,
): Subject | null {
  for (const reason of reasons) {
    const subject = told(view, unit, reason);
    if (subject) return subject;
  }
  const pair = pairIn(view, unit >= 0 ? [unit] : [], text, places);
  if (pair) return { ...PLAIN, units: pair, models: wrong(view, pair[0], reasons), to: "unit" };
  const far = reasons.find(r => typeof r.facts?.far === "number" && typeof r.facts.limit === "number");
  return far && unit >= 0 ? { ...PLAIN, units: [unit], models: wrong(view, unit, [far]), to: "way" } : null;
}
function told(view: View, asked: number, reason: Reason): Subject | null {
  const { unit: other, marker, feature, edge, gap } = reason.facts ?? {},
    unit = asked >= 0 ? asked : (view.units.find(u => u.models.includes(reason.models?.[0] ?? -1))?.id ?? -1);
  if (unit < 0) return null;
  const plain = {
    ...PLAIN,
    units: [unit],
    models: wrong(view, unit, [reason]),
    gap: typeof gap === "number" ? gap : 0,
  };
  if (typeof marker === "number") return { ...plain, to: "marker", which: marker };
  if (typeof feature === "number") return { ...plain, to: "terrain", which: feature };
  if (edge === true) return { ...plain, to: "edge" };
  if (typeof other !== "number" || !view.units[other]) return null;
  return other === unit ? { ...plain, to: "comrades" } : { ...plain, units: [unit, other], to: "unit" };
}
const wrong = (view: View, unit: number, reasons: readonly Reason[]) =>
  reasons.flatMap(r => r.models ?? []).filter(m => view.units[unit].models.includes(m));
