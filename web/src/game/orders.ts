/* Standing orders as text: one line for each order, the first that fits counts. */

/** A new order stands before those that were given; null where they are written in a way that has no place for it. */
export function withOrder(orders: string, line: string): string | null {
  const head = /^orders:(?:[ \t]*\[[ \t]*\])?([ \t]+#.*)?[ \t]*$/m,
    indent = /^ *(?=- )/m.exec(orders)?.[0] ?? "  ";
  return head.test(orders) ? orders.replace(head, (_, remark = "") => `orders:${remark}\n${indent}${line}`) : null;
}
/** What a unit is called where it is offered: by its whole name, so that no other is meant whose name ends like it. */
export function offersOf(unit: string): string[] {
  const name = unit.replace(/[[*?]/g, "[$&]");
  return [name, `*: ${name}*`, `* for ${name}*`, `* with ${name}*`];
}
/** Orders without one of them; nothing if none is left. */
export function withoutOrder(orders: string, line: string): string {
  const rest = orders.split("\n").filter(l => l.trim() !== line);
  return rest.some(l => l.trim().startsWith("- ")) ? rest.join("\n") : "";
}
/** Whether one of the orders is for a kind of question. */
export function isOrdered(orders: string, kind: string): boolean {
  return [...orders.matchAll(/\bfor: *["']?([\w.*]+)/g)].some(([, kinds]) =>
    new RegExp(`^${kinds.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(kind),
  );
}
