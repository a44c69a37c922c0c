/* In which order several rules are read: one that builds on another comes after it. Which one holds where two of them differ, the
   ledger does not say: an exception may stand in either. */

import type { Rule } from "../protocol";

/** Which of them builds on which, in words; empty where none does. */
export function ranked(rules: Rule[]): string {
  const isOver = (a: Rule, b: Rule) => (a.beneath ?? []).includes(b.id),
    told = rules
      .filter(a => rules.some(b => isOver(a, b)))
      .sort((a, b) => depth(a) - depth(b))
      .map(a => `${quoted([a])} builds on ${quoted(rules.filter(b => isOver(a, b)))}`);
  return told.length ? `${told.join("; ")}.` : "";
}
/** The rules in the order in which they apply: those first that others build on. */
export const inOrder = (rules: Rule[]): Rule[] =>
  rules
    .map((rule, i) => ({ rule, i, after: rules.filter(b => (rule.beneath ?? []).includes(b.id)).length }))
    .sort((a, b) => a.after - b.after || a.i - b.i)
    .map(({ rule }) => rule);
const depth = (rule: Rule) => (rule.beneath ?? []).length;
const quoted = (rules: Rule[]): string => {
  const names = rules.map(r => `"${r.name}"`);
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0];
};
