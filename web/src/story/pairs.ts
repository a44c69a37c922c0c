/* The two units that a sentence is about, so that a picture can show them. */

import { ON_TABLE, PLACE, type View } from "../protocol";

/** Two units on the table: those that the sentence came with, then those that it names. */
export function pairIn(view: View, units: number[], text: string): [number, number] | null {
  const stands = (u: number) => view.units[u]?.models.some(m => view.models[m][PLACE] === ON_TABLE),
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
