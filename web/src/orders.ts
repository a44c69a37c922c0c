/* Standing orders as text: one line for each order, the first that fits counts. */

/** A new order stands before those that were given. */
export function withOrder(orders: string, line: string): string {
  const indent = /^ *(?=- )/m.exec(orders)?.[0] ?? "  ";
  return orders.replace(/^orders:\s*?\n/m, () => `orders:\n${indent}${line}\n`);
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
