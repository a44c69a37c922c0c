/* Battles that this browser holds seats of. The tokens stay here, and go nowhere but into requests to our own server. */

import type { FeatureDoc } from "./editor/pieces";

export interface Held {
  battle: string; player: number; token: string;
  /** Standing orders that are still to be given. */
  orders?: string;
}
export interface Offered {
  id: string; name: string; missions: string[]; layouts: string[]; grounds: [string, string][]; opponents: { name: string; text: string }[];
  armies: { id: string; name: string; faction: string; points: number }[];
  options: { name: string; values: string[]; text: string }[];
  pieces: { name: string; feature: FeatureDoc }[];
}
export interface Listed { battle: string; title: string; system: string; plays: string[]; round: number; touched: number; your_move?: boolean; result: unknown; [field: string]: unknown }
/** An army list that somebody wrote, as the server read it. */
export interface Army { system: string; name: string; faction: string; points: number; text: string }
/** A table that was drawn here. */
export interface OwnTable { name: string; text: string }
export interface Begun { battle: string; seats: { player: number; token?: string; invitation?: string }[] }
const KEY = "sandtable.seats", TABLES = "sandtable.tables";

export function held(): Held[] {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "[]"); } catch { return []; }
}
/** Keep a seat that somebody just got. Until it is told otherwise, it is asked about what matters alone. */
export function hold(seat: Held, orders = "default"): void {
  const others = held().filter(h => h.token !== seat.token);
  localStorage.setItem(KEY, JSON.stringify([{ ...seat, orders }, ...others].slice(0, 40)));
}
/** The orders of a seat were given. */
export function ordered(token: string): void {
  localStorage.setItem(KEY, JSON.stringify(held().map(h => (h.token === token ? { ...h, orders: undefined } : h))));
}
/** The seats of a battle that this browser holds: two where both sides sit at this screen. */
export function seatsOf(battle: string): Held[] { return held().filter(h => h.battle === battle).sort((a, b) => a.player - b.player); }
/** Begin a battle, and hold the seats in it that are ours. */
export async function begin(wish: Record<string, unknown>): Promise<Begun> {
  const made = await post<Begun>("/api/battles", wish);
  for (const { player, token } of made.seats) if (token) hold({ battle: made.battle, player, token });
  return made;
}
export function ownTables(): OwnTable[] {
  try { return JSON.parse(localStorage.getItem(TABLES) ?? "[]"); } catch { return []; }
}
/** Keep a table, the last one first; one of the same name gives way. */
export function keepTable(table: OwnTable): void {
  localStorage.setItem(TABLES, JSON.stringify([table, ...ownTables().filter(t => t.name !== table.name)].slice(0, 12)));
}
/** A battle as a file, once it is over. */
export async function journal(battle: string): Promise<Blob> {
  const token = seatsOf(battle)[0]?.token, reply = await fetch(`/api/battles/${battle}/journal`, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return reply.ok ? reply.blob() : read(reply);
}
/** Have a battle file replayed, on a page of its own. */
export async function replay(file: Blob): Promise<void> {
  const { replay: name } = await read<{ replay: string }>(await fetch("/api/replays", { method: "POST", body: file }));
  location.assign(`/replays/${name}`);
}
/** What a file is, by its text. */
export function kindOf(text: string): "battle" | "scenario" | "layout" | "list" {
  if (/^table\s*:/m.test(text) && /^points\s*:/m.test(text)) return "layout";
  return /^\s*\{/.test(text) && text.includes('"entries"') ? "battle" : /^"?question"?\s*:/m.test(text) || /^"?at"?\s*:/m.test(text) ? "scenario" : "list";
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
