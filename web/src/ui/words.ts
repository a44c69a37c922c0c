/* Names and figures as people read them. */

export const plainly = (name: string) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll(/[-_]/g, " ");
/** As the server says it: never rounded to certainty, and small ones in fine steps. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.00005) return "under 0.01 %";
  if (chance > 0 && chance < 0.0095) return `${(100 * chance).toFixed(chance >= 0.00095 ? 1 : 2)} %`;
  if (chance >= 0.995 && chance < 1 - 1e-12) return "over 99 %";
  return `${Math.round(chance * 100)} %`;
}
/** What the server writes by the letter x stands with the sign, as everything on the page does. */
export const times = (text: string) => text.replaceAll(/\b(\d+) x (?=\S)/g, "$1 × ");
