/* Rolls that may be made again, as the dice that they are: those that failed come first. */

import type { ChooseSome, Option } from "../protocol";
import type { LogLine } from "../story/lines";

export interface Dice {
  options: Option[];
  /** The dice of one roll, as the log shows dice. */
  line: (option: Option) => LogLine;
  told: (option: Option) => string;
}
const PLAIN: LogLine = {
  id: -1,
  kind: "rolled",
  text: "",
  player: -1,
  rules: [],
  faces: [],
  sides: 6,
  units: [],
  needed: 0,
  facts: [],
};
/** Null where the options are no dice. */
export function diceOf(asked: ChooseSome, log: LogLine[]): Dice | null {
  if (!Array.isArray(asked.about.bad) || !asked.options.every(o => /^\d+(\D+\d+)*$/.test(o.label))) return null;
  const rolled = log.findLast(l => l.kind === "rolled") ?? PLAIN,
    bad = new Set(asked.about.bad as number[]),
    failed = (o: Option) => bad.has(Number(o.value)),
    facesOf = (o: Option) => o.label.match(/\d+/g)!.map(Number);
  /** Several dice are a sum, and none of them fails by itself. */
  const neededBy = (o: Option) => (facesOf(o).length > 1 ? 0 : rolled.needed || (failed(o) ? 7 : 1));
  return {
    options: [...asked.options].sort((a, b) => Number(failed(b)) - Number(failed(a))),
    line: o => ({ ...rolled, faces: facesOf(o), needed: neededBy(o) }),
    told: o => `${o.label}${facesOf(o).length > 1 ? "" : facesOf(o)[0] < neededBy(o) ? ", failed" : ", good"}`,
  };
}
