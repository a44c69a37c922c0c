/* Which of several rules applies first, and which holds where two of them differ: one that builds on another comes after it. */

import type { Rule } from "../protocol";

/** From the general to the special, and in words; empty where none of them builds on another. */
export function ranked(rules: Rule[]): string {
  if (rules.length < 2) return "";
  const isOver = (a: Rule, b: Rule) => (a.beneath ?? []).includes(b.id),
    special = rules.filter(a => rules.some(b => isOver(a, b)));
  if (!special.length) return "The ledger puts none of these rules above another: each of them holds by itself.";
  const told = special
    .sort((a, b) => depth(a) - depth(b))
    .map(a => `${quoted([a])} builds on ${quoted(rules.filter(b => isOver(a, b)))}`);
  const those = special.length > 1 ? "what builds on another holds" : `${quoted(special)} holds`;
  return `${told.join("; ")}. Where they differ, ${those}.`;
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
