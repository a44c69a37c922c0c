/* Battles that this browser holds seats of. The tokens stay here, and go nowhere but into requests to our own server. */

export interface Held { battle: string; player: number; token: string }
export interface Offered {
  id: string; name: string; missions: string[]; layouts: string[]; opponents: string[];
  armies: { id: string; name: string; faction: string; points: number }[];
  options: { name: string; values: string[]; text: string }[];
}
export interface Listed { battle: string; title: string; system: string; plays: string[]; round: number; your_move?: boolean; result: unknown; [field: string]: unknown }
const KEY = "sandtable.seats";

export function held(): Held[] {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { return []; }
}
export function hold(seat: Held): void {
  const others = held().filter(h => h.token !== seat.token);
  localStorage.setItem(KEY, JSON.stringify([seat, ...others].slice(0, 40)));
}
export async function get<T>(path: string): Promise<T> { return read(await fetch(path)); }
export async function post<T>(path: string, body: unknown): Promise<T> {
  return read(await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}
async function read<T>(reply: Response): Promise<T> {
  const found = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(found.error ?? `The server answered ${reply.status}.`);
  return found as T;
}
