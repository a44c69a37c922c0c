/* Battles that this browser holds seats of. The tokens stay here, and go nowhere but into requests to our own server. */

import type { FeatureDoc } from "./editor/pieces";
import { keep, recallList } from "./storage";

export interface Held {
  battle: string;
  player: number;
  token: string;
  /** Standing orders that are still to be given. */
  orders?: string;
  /** The battle is over; or it was begun to try something out. */
  over?: boolean;
  trial?: boolean;
}
/** When answers can be taken back, in words. */
export const TAKEBACKS: Record<string, string> = {
  agreed: "after dice, if all agree",
  "until-dice": "until dice are rolled",
  free: "anything, at any time",
  never: "never, what is placed stays",
};
export interface Offered {
  id: string;
  name: string;
  /** The whole name: the edition, and which text of it. */
  edition: string;
  /** What cannot be done by these rules yet; empty where they are whole. */
  lacks: string;
  missions: string[];
  layouts: string[];
  grounds: [string, string, string][];
  /** What those missions are called. */
  names: Record<string, string>;
  opponents: { name: string; text: string }[];
  armies: { id: string; name: string; faction: string; points: number }[];
  measure: string;
  /** Of length, on its tables. */
  unit: string;
  options: { name: string; values: string[]; text: string }[];
  pieces: { name: string; feature: FeatureDoc }[];
}
export interface Listed {
  battle: string;
  title: string;
  system: string;
  plays: string[];
  round: number;
  round_name: string;
  touched: number;
  your_move?: boolean;
  free?: number[];
  result: unknown;
  [field: string]: unknown;
}
/** What the server understood of an army list; every name in it is a stranger's. */
export interface ListRead {
  system: string;
  others: string[];
  source: string;
  name: string;
  faction: string;
  detachments: string[];
  measure: string;
  cost: number;
  limit: number;
  reported: number | null;
  units: { name: string; models: number; cost: number; marks: string[] }[];
  doubts: string[];
  problems: string[];
  core: number;
  abilities: Counted;
  rules: Counted;
  left: { where: string; name: string; state: string; text: string }[];
  /** The list as a file of ours. */
  text: string;
}
export interface Counted {
  reviewed: number;
  unreviewed: number;
  left: number;
}
/** An army list that was played with here. */
export interface OwnList {
  id: string;
  system: string;
  name: string;
  faction: string;
  points: number;
  text: string;
}
/** A table that was drawn here. */
export interface OwnTable {
  name: string;
  text: string;
}
export interface Begun {
  battle: string;
  seats: { player: number; token?: string; invitation?: string }[];
}
/** A seat that is offered to somebody, for as long as nobody has taken it. */
export interface Invitation {
  battle: string;
  player: number;
  invitation: string;
}
const KEY = "sandtable.seats",
  INVITATIONS = "sandtable.invitations",
  TABLES = "sandtable.tables",
  LISTS = "sandtable.lists",
  CLAIMS = "sandtable.claims",
  KEPT = 12,
  /** So many seats the server looks up at a time. */
  MOST = 500;
/** Characters of an army list, as the server bounds it. */
const LONGEST_LIST = 1 << 20;
/** Bytes of a file that are looked at. */
const LARGEST = 64 << 20;

export const held = () => recallList<Held>(KEY);
/** Keep a seat that somebody just got, as nobody else may know its token. Until it is told otherwise, it is asked about what matters alone; who had it already has told, or will. */
export function hold(seat: Held, orders = "default"): void {
  const all = held(),
    before = all.find(h => h.token === seat.token),
    others = all.filter(h => h !== before),
    spare = (h: Held) => (h.over ? 2 : h.trial ? 1 : 0);
  // Where there are too many, those go first that nobody needs.
  others.sort((a, b) => spare(a) - spare(b));
  keep(KEY, JSON.stringify([before ?? { ...seat, orders }, ...others].slice(0, MOST)));
}
/** The orders of a seat were given. */
export function ordered(token: string): void {
  keep(KEY, JSON.stringify(held().map(h => (h.token === token ? { ...h, orders: undefined } : h))));
}
/** A battle is over: its seats are worth less than others. */
export function ended(battle: string): void {
  if (held().some(h => h.battle === battle && !h.over))
    keep(KEY, JSON.stringify(held().map(h => (h.battle === battle ? { ...h, over: true } : h))));
}
/** Take the seat of an invitation; gives its battle. Who hears no reply, or follows the link again, asks with the same token, and has the seat. */
export async function claim(invitation: string): Promise<string> {
  const claims = recallList<{ invitation: string; token: string }>(CLAIMS),
    others = claims.filter(c => c.invitation !== invitation),
    token = claims.find(c => c.invitation === invitation)?.token ?? newToken();
  keep(CLAIMS, JSON.stringify([{ invitation, token }, ...others].slice(0, KEPT)));
  const seat = await post<Held>("/api/claim", { invitation, token });
  hold({ battle: seat.battle, player: seat.player, token: seat.token });
  return seat.battle;
}
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
/** The seats of a battle that this browser holds: two where both sides sit at this screen. */
export function seatsOf(battle: string): Held[] {
  return held()
    .filter(h => h.battle === battle)
    .sort((a, b) => a.player - b.player);
}
/** Begin a battle, and hold the seats in it that are ours. */
export async function begin(wish: Record<string, unknown>): Promise<Begun> {
  const made = await post<Begun>("/api/battles", wish);
  for (const { player, token, invitation } of made.seats) {
    if (token) hold({ battle: made.battle, player, token, ...(wish.scenario ? { trial: true } : {}) });
    if (invitation) keepInvitations([{ battle: made.battle, player, invitation }, ...invitations()]);
  }
  return made;
}
/** The invitations of battles that were begun here. Nobody else knows them: the server keeps a fingerprint, and tells none. */
const invitations = () => recallList<Invitation>(INVITATIONS);
function keepInvitations(kept: Invitation[]): void {
  keep(INVITATIONS, JSON.stringify(kept.slice(0, 40)));
}
/** The way to a free seat, for who invited to it; empty for everybody else. What stands behind the # goes to no server, and so into no log. */
export function invitedBy(battle: string, player?: number): string {
  const found = invitations().find(i => i.battle === battle && (player === undefined || i.player === player));
  return found ? `${location.origin}/#seat/${found.invitation}` : "";
}
/** Somebody sits there now: the invitation is worth nothing any more. */
export function seatTaken(battle: string, players: number[]): void {
  const kept = invitations(),
    left = kept.filter(i => i.battle !== battle || !players.includes(i.player));
  if (left.length < kept.length) keepInvitations(left);
}
export const ownTables = () => recallList<OwnTable>(TABLES);
/** Keep a table, the last one first; one of the same name gives way. */
export function keepTable(table: OwnTable): void {
  keep(TABLES, JSON.stringify([table, ...ownTables().filter(t => t.name !== table.name)].slice(0, KEPT)));
}
export const ownLists = () => recallList<OwnList>(LISTS);
/** Keep a list, the last one first; the same one stays the same. */
export function keepList(read: ListRead): OwnList {
  const before = ownLists(),
    same = before.find(l => l.text === read.text);
  const id =
    same?.id ?? Array.from(crypto.getRandomValues(new Uint8Array(6)), b => b.toString(16).padStart(2, "0")).join("");
  const list = { id, system: read.system, name: read.name, faction: read.faction, points: read.cost, text: read.text };
  keep(LISTS, JSON.stringify([list, ...before.filter(l => l !== same)].slice(0, KEPT)));
  return list;
}
/** Have a list read, for a system or for the one that knows most of it. */
export async function readList(text: string, system = "", rather = ""): Promise<ListRead> {
  if (text.length > LONGEST_LIST)
    throw new Error(
      `That is no army list: one has at most 1 MB, and this has ${(text.length / (1 << 20)).toFixed(1)} MB.`,
    );
  return post<ListRead>("/api/lists", { text, system, rather });
}
/** A battle as a file, once it is over. */
export async function journal(battle: string): Promise<Blob> {
  const token = seatsOf(battle)[0]?.token,
    reply = await fetch(`/api/battles/${battle}/journal`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
    });
  return reply.ok ? reply.blob() : read(reply);
}
/** Have a battle file replayed, on a page of its own, if somebody is still here to see it. */
export async function replay(file: Blob, here: () => boolean): Promise<void> {
  const { replay: name } = await read<{ replay: string }>(await fetch("/api/replays", { method: "POST", body: file }));
  if (here()) location.assign(`/replays/${name}`);
}
/** The text of a file: UTF-8, or what Windows calls Unicode. */
export async function textOf(file: Blob): Promise<string> {
  const name = file instanceof File ? file.name : "That";
  if (file.size > LARGEST)
    throw new Error(
      `${name} is too large: it has ${Math.round(file.size / (1 << 20))} MB, and at most ${LARGEST / (1 << 20)} MB are read.`,
    );
  const bytes = new Uint8Array(
      await file.arrayBuffer().catch(() => {
        throw new Error(`${name} cannot be read: drop files, no folders.`);
      }),
    ),
    [a, b] = bytes;
  const wide = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(wide, { fatal: true }).decode(bytes);
  } catch {
    throw new Error(
      `${name} cannot be read, since it is not UTF-8 text. Army lists, tables, scenarios and battles are text files.`,
    );
  }
}
export type Kind = "battle" | "scenario" | "table" | "army list";
/** What a file is meant to be: the server sorts, which says what is wrong with it, too. */
export async function kindOf(text: string): Promise<Kind> {
  return (await read<{ kind: Kind }>(await fetch("/api/dropped", { method: "POST", body: text }))).kind;
}
export async function get<T>(path: string): Promise<T> {
  return read(await fetch(path));
}
export async function post<T>(path: string, body: unknown): Promise<T> {
  return read(
    await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
}
async function read<T>(reply: Response): Promise<T> {
  const found = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Error(found.error ?? `The server answered ${reply.status}.`);
  return found as T;
}
