/* Names and figures as people read them. */

export const plainly = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll(/[-_]/g, " ");
export const percent = (chance: number) =>
  chance > 0 && chance < 0.01 ? "under 1 %" : `${Math.round(chance * 100)} %`;
/** What the server writes by the letter x stands with the sign, as everything on the page does. */
export const times = (text: string) => text.replaceAll(/\b(\d+) x (?=\S)/g, "$1 × ");
