/* What comes of an attack, in a few words. */

import type { Outlook } from "../protocol";
import { percent } from "../ui/words";

/** Of a single model rather its wounds are told. */
export const figureOf = (o: Outlook) =>
  o.of > 1
    ? `${o.lost < 0.05 ? "0" : o.lost.toFixed(1)} of ${o.of}`
    : `${o.damage < 0.05 ? "0" : o.damage.toFixed(1)} wounds`;
const signed = (n: number) => `${n < 0 ? "−" : "+"}${Math.abs(n).toFixed(1)}`;
const isAssault = (o: Outlook) => o.won !== undefined && o.won !== null;
const breaks = (o: Outlook) => ((o.broken ?? 0) >= 0.005 ? ` · breaks ${percent(o.broken!)}` : "");
/** What an assault comes to: who wins it, by how much, and at which price. Whoever loses breaks, so that is not told. */
const assaultOf = (o: Outlook) =>
  `wins ${percent(o.won!)} (${signed(o.margin ?? 0)}) · ${figureOf(o)} · own ${(o.own ?? 0).toFixed(1)}`;
/** `guns`: how many of all reach, where that is worth telling. */
export const chipOf = (o: Outlook, guns = "") =>
  isAssault(o)
    ? assaultOf(o)
    : `${figureOf(o)}${o.destroyed >= 0.005 ? ` · ${percent(o.destroyed)}` : ""}${breaks(o)}${guns ? ` · ${guns}` : ""}`;
/** Where every model has a single wound, its wounds say nothing new. */
export const aboutOf = (o: Outlook) =>
  (isAssault(o) ? `wins ${percent(o.won!)}, by ${signed(o.margin ?? 0)} on average; ` : "") +
  [
    o.of > 1 ? `${o.lost.toFixed(1)} of ${o.of} models` : "",
    o.of > 1 && o.damage === o.lost ? "" : `${o.damage.toFixed(1)} wounds`,
  ]
    .filter(Boolean)
    .join(", ") +
  (o.destroyed < 0.005 ? "" : `; ${Math.round(o.destroyed * 100)} % destroyed`) +
  breaks(o) +
  (isAssault(o) ? `; ${(o.own ?? 0).toFixed(1)} of the own` : "");
/** What stands second: whether all of it may fall, and how much reaches it. */
export const furtherOf = (o: Outlook, part: [number, number] | null) =>
  [o.destroyed >= 0.005 ? `wipe ${percent(o.destroyed)}` : "", part ? `${part.join(" of ")} reach it` : ""]
    .filter(Boolean)
    .join(" · ");
