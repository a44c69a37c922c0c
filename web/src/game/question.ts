/* What a question is about: the units that it offers and concerns, and the rings that one keeps out of meanwhile. */

import type { Decision, Option, Ring, Unit } from "../protocol";

const REACTION = "react.";
export const isReaction = (d: Decision): boolean => d.kind.startsWith(REACTION);

/** The unit that a value stands for, or -1: the number is a unit's, and so is the name. */
export function unitMeant(units: Unit[], value: unknown, label: string): number {
  return typeof value === "number" && units[value] !== undefined && label.startsWith(units[value].name) ? value : -1;
}
/** The unit of each option: the one that it is, or, where no option is one, the one that does it. */
export function meaning(units: Unit[], options: Option[]): (o: Option) => number {
  const some = options.some(o => unitMeant(units, o.value, o.label) >= 0);
  return o => (some ? unitMeant(units, o.value, o.label) : (o.unit ?? -1));
}
/** The number at the end of an option's name; empty for none. */
export const numberOf = (o: Option): string => /\d+$/.exec(o.label)?.[0] ?? "";
/** Options in the order of their numbers, where all have one. */
export const byNumber = (options: Option[]): Option[] =>
  options.every(numberOf) ? [...options].sort((a, b) => Number(numberOf(a)) - Number(numberOf(b))) : options;
/** Units that options stand for. */
export function unitsOffered(d: Decision | null, units: Unit[]): Set<number> {
  const options = d && "options" in d ? d.options : d && "targets" in d ? d.targets : [];
  return new Set(options.map(meaning(units, options)).filter(unit => unit >= 0));
}
/** Units that the question is about beside its own: whom it charges, or fires at. */
export function unitsConcerned(d: Decision | null, units: Unit[]): Set<number> {
  const about = d?.about ?? {},
    all: unknown[] = [about.target, ...(Array.isArray(about.targets) ? about.targets : [])];
  return new Set(all.filter((u): u is number => typeof u === "number" && !!units[u]));
}
/** Whether one of a unit's own models takes something, and it was said who of them is first. */
export function isLoss(d: Decision, units: Unit[], order: number[]): boolean {
  if (d.shape !== "choose" || d.unit < 0) return false;
  const { models } = units[d.unit];
  return (
    d.options.every(
      o => typeof o.value === "number" && models.includes(o.value) && unitMeant(units, o.value, o.label) < 0,
    ) && d.options.some(o => order.includes(o.value as number))
  );
}
/** The rings around enemies that one keeps out of: those of the question, if it has any, else those of any move. */
export function keptOut(d: Decision | null, rings: Ring[]): Ring[] {
  const all = rings.filter(r => r.around === "enemies"),
    own = all.filter(r => d && r.kinds?.includes(d.kind)),
    gap = d?.about.gap;
  return own.length
    ? own.map(r => (typeof gap === "number" ? { ...r, far: gap } : r))
    : all.filter(r => d?.shape === "place" || !r.kinds?.length);
}
/** The ring that those of a unit stay within of each other: that of the question, or else the first. */
export function keptTogether(d: Decision | null, rings: Ring[]): Ring | null {
  const all = rings.filter(r => r.around === "comrades");
  return all.find(r => d && r.kinds?.includes(d.kind)) ?? all[0] ?? null;
}
