/* What comes of an attack, in a few words. */

import type { Outlook } from "../protocol";

/** Of a single model rather its wounds are told. */
export const figureOf = (o: Outlook) => (o.of > 1 ? `${o.lost < .05 ? "0" : o.lost.toFixed(1)} of ${o.of}` : `${o.damage < .05 ? "0" : o.damage.toFixed(1)} wounds`);
const percent = (chance: number) => `${Math.round(chance * 100)} %`;
/** What an assault comes to: who wins it, by how much, and at which price. */
const assaultOf = (o: Outlook) => (o.won === undefined || o.won === null ? "" : `wins ${percent(o.won)} by ${(o.margin ?? 0) < 0 ? "−" : "+"}${Math.abs(o.margin ?? 0).toFixed(1)} · `);
const breaks = (o: Outlook) => ((o.broken ?? 0) >= .005 ? ` · breaks ${percent(o.broken!)}` : "");
const price = (o: Outlook) => (o.won === undefined || o.won === null ? "" : ` · own ${(o.own ?? 0).toFixed(1)}`);
/** `guns`: how many of all reach, where that is worth telling. */
export const chipOf = (o: Outlook, guns = "") => `${assaultOf(o)}${figureOf(o)}${o.destroyed >= .005 ? ` · ${percent(o.destroyed)}` : ""}${breaks(o)}${price(o)}${guns ? ` · ${guns}` : ""}`;
/** Where every model has a single wound, its wounds say nothing new. */
export const aboutOf = (o: Outlook) => assaultOf(o) + [o.of > 1 ? `${o.lost.toFixed(1)} of ${o.of} models` : "", o.of > 1 && o.damage === o.lost ? "" : `${o.damage.toFixed(1)} wounds`].filter(Boolean).join(", ") + (o.destroyed < .005 ? "" : `; ${Math.round(o.destroyed * 100)} % destroyed`) + breaks(o) + price(o);
