/* What comes of an attack, in a few words. */

import type { Outlook } from "../protocol";

/** Of a single model rather its wounds are told. */
export const figureOf = (o: Outlook) => (o.of > 1 ? `${o.lost < .05 ? "0" : o.lost.toFixed(1)} of ${o.of}` : `${o.damage < .05 ? "0" : o.damage.toFixed(1)} wounds`);
/** `guns`: how many of all reach, where that is worth telling. */
export const chipOf = (o: Outlook, guns = "") => `${figureOf(o)}${o.destroyed >= .005 ? ` · ${Math.round(o.destroyed * 100)} %` : ""}${guns ? ` · ${guns}` : ""}`;
/** Where every model has a single wound, its wounds say nothing new. */
export const aboutOf = (o: Outlook) => [o.of > 1 ? `${o.lost.toFixed(1)} of ${o.of} models` : "", o.of > 1 && o.damage === o.lost ? "" : `${o.damage.toFixed(1)} wounds`].filter(Boolean).join(", ") + (o.destroyed < .005 ? "" : `; ${Math.round(o.destroyed * 100)} % destroyed`);
