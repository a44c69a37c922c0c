/* Aiming: how many of which weapons are put on which targets, as plain values. What may be fired together, the server judges. */

import type { Assign, Assignment, Reason, Row, Value, Verdict } from "../protocol";

const sum = (some: { count: number }[]) => some.reduce((all, one) => all + one.count, 0);
export const used = (given: Assignment[], row: string): number => sum(given.filter(a => a.row === row));
export const countAt = (given: Assignment[], row: string, target: Value): number =>
  given.find(a => a.row === row && a.target === target)?.count ?? 0;
export const modeOf = (given: Assignment[], row: Row): string =>
  given.find(a => a.row === row.id)?.mode || row.modes?.[0] || "";

/** What speaks against a target, as each weapon was tried on it, and which of them comes nearest to it; null where one may. */
export function refusedBy(tried: (Verdict | null)[]): { verdict: Verdict; nearest: number } | null {
  if (!tried.length || tried.some(v => !v || v.ok)) return null;
  const reach = (r: Reason) => Number(r.facts?.range ?? 0),
    kept = new Map<string, { reason: Reason; by: number }>();
  tried.forEach((v, by) =>
    (v!.reasons ?? []).forEach(reason => {
      const sort = (reason.rules ?? []).join() || reason.text,
        known = kept.get(sort);
      if (!known || reach(reason) > reach(known.reason)) kept.set(sort, { reason, by });
    }),
  );
  const all = [...kept.values()];
  return { verdict: { ok: false, reasons: all.map(k => k.reason) }, nearest: all[0]?.by ?? 0 };
}

export class Aiming {
  /** All that can be fired at a target together, where the server has told it. */
  readonly whole = new Map<Value, Assignment[]>();
  constructor(private asked: Assign) {}

  /** All that reaches a target; which profile does most there, the server knows. */
  reaching(target: Value): Assignment[] {
    const only = (r: Row) => (r.modes?.length === 1 ? r.modes[0] : "");
    return this.asked.rows
      .filter(r => r.targets.includes(target))
      .map(r => ({ row: r.id, target, count: r.count, mode: only(r) }));
  }
  /** How many of all reach a target; null where all of them do. */
  part(target: Value): [number, number] | null {
    const [reach, all] = [sum(this.reaching(target)), sum(this.asked.rows)];
    return reach < all ? [reach, all] : null;
  }
  private mode(given: Assignment[], row: Row, target: Value): string {
    return (
      given.find(a => a.row === row.id && a.target === target)?.mode ||
      this.whole.get(target)?.find(a => a.row === row.id)?.mode ||
      modeOf(given, row)
    );
  }
  /** What `next` does not aim yet, at the first target that it reaches. */
  filled(given: Assignment[], next = given): Assignment[] {
    const spare = this.asked.rows
      .map(r => ({ r, count: r.count - used(next, r.id), target: r.targets[0] }))
      .filter(({ r, count }) => count > 0 && r.targets.length);
    return [
      ...next,
      ...spare.map(({ r, count, target }) => ({ row: r.id, target, count, mode: this.mode(given, r, target) })),
    ];
  }
  /** All at a target: the first one gets everything; a further one what is free, or else everything that can reach it. */
  allAt(given: Assignment[], target: Value): Assignment[] {
    const { asked } = this,
      whole = this.whole.get(target) ?? this.reaching(target);
    if (!given.length) return asked.everything ? this.filled(given, whole) : whole;
    const other = given.filter(a => a.target !== target),
      reaching = asked.rows.filter(r => r.targets.includes(target)),
      free = reaching.filter(r => used(given, r.id) - countAt(given, r.id, target) < r.count);
    if (!free.some(r => used(given, r.id) < r.count))
      return [...other.filter(a => !reaching.some(r => r.id === a.row)), ...whole];
    return [
      ...given.filter(a => !free.some(r => r.id === a.row && a.target === target)),
      ...free.map(r => ({
        row: r.id,
        target,
        count: r.count - used(other, r.id),
        mode: this.mode(given, r, target),
      })),
    ];
  }
  /** A whole row at a target. */
  put(given: Assignment[], row: Row, target: Value): Assignment[] {
    return [
      ...given.filter(a => a.row !== row.id),
      { row: row.id, target, count: row.count, mode: this.mode(given, row, target) },
    ];
  }
  /** One more of a row at a target, from what is free, else from the target that has most; or one less. Null where nothing can be moved. */
  change(given: Assignment[], row: Row, target: Value, by: number): Assignment[] | null {
    const next = given.map(a => ({ ...a })),
      mine = next.find(a => a.row === row.id && a.target === target);
    if (by > 0 && used(given, row.id) >= row.count) {
      const most = next.filter(a => a.row === row.id && a.target !== target).sort((a, b) => b.count - a.count)[0];
      if (!most) return null;
      most.count--;
    }
    if (mine) mine.count = Math.max(0, mine.count + by);
    else if (by > 0) next.push({ row: row.id, target, count: 1, mode: this.mode(given, row, target) });
    return next;
  }
}
