/* A table that is being drawn: its pieces, what was done to them, and what the server says about it. */

import { get, post, type Offered } from "../home";
import type { Point } from "../protocol";
import { keep, recall } from "../storage";
import { piecesOf, pieceOf, terrainOf, type FeatureDoc, type LayoutDoc, type Piece } from "./pieces";

interface Header {
  name: string;
  text: string;
  points: number[];
  size: Point;
}
interface Draft {
  text: string;
  layout: LayoutDoc;
  problems: string[];
}
export interface Offer {
  name: string;
  feature: FeatureDoc;
}
type Kept = { head: Header; pieces: Piece[] };

const KEY = "sandtable.drawing",
  PAUSE = 350,
  DEEP = 200;
/** So wide and deep a table may be, as the server bounds it. */
export const LARGEST = 1000;
const EMPTY: Header = { name: "New table", text: "", points: [1000, 2000], size: [60, 44] };

export class Drawing {
  head = $state.raw<Header>(EMPTY);
  pieces = $state.raw<Piece[]>([]);
  picked = $state(-1);
  /** Whether new pieces stand on both sides. */
  symmetric = $state(true);
  /** The piece that the next tap on the table puts there. */
  armed = $state.raw<Offer | null>(null);
  /** A wall or a floor of the picked piece whose ends are moved. */
  part = $state.raw<{ of: "walls" | "floors"; at: number } | null>(null);
  problems = $state.raw<string[]>([]);
  /** Why nobody could play on it as it stands. */
  wrong = $state("");
  /** Why something that was to be done with it was not. */
  refused = $state("");
  system = $state("");
  systems = $state.raw<Offered[]>([]);
  /** Counts how often all of it gave way to what was kept. */
  restored = 0;
  private past: string[] = [];
  private future: string[] = [];
  canUndo = $state(false);
  canRedo = $state(false);
  private timer = 0;
  private asked = 0;

  get size(): Point {
    return this.head.size;
  }
  get piece(): Piece | undefined {
    return this.pieces[this.picked];
  }
  get offers(): Offer[] {
    return this.systems.find(s => s.id === this.system)?.pieces ?? [];
  }
  get unit(): string {
    return this.systems.find(s => s.id === this.system)?.unit ?? "in";
  }
  get kinds(): string[] {
    return [...new Set([...this.offers.map(o => o.feature.kind), ...this.pieces.map(p => p.kind)])];
  }
  get slug(): string {
    return (
      this.head.name
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "") || "table"
    );
  }
  get doc(): LayoutDoc {
    const { name, text, points, size } = this.head;
    return {
      id: this.slug,
      name,
      ...(text ? { text } : {}),
      points,
      table: { size, terrain: terrainOf(this.pieces, size) },
    };
  }

  async start(): Promise<void> {
    const all = await get<Offered[]>("/api/systems");
    this.systems = all.filter(s => s.pieces.length);
    this.system = this.systems[0]?.id ?? "";
    try {
      const kept = recall(KEY);
      if (kept) this.restore(kept);
    } catch {
      // What cannot be read is drawn over.
    }
    this.look();
  }

  // --- what is done to it

  /** Note what is there, before it changes; gives a way back as if nothing had been done. */
  note(): () => void {
    const { head, pieces, past, future } = this;
    this.past = [...this.past, this.kept()].slice(-DEEP);
    this.future = [];
    this.canUndo = true;
    this.canRedo = false;
    return () => {
      Object.assign(this, { head, pieces, past, future });
      this.canUndo = past.length > 0;
      this.canRedo = future.length > 0;
      this.look();
    };
  }
  private kept(): string {
    return JSON.stringify({ head: this.head, pieces: this.pieces } satisfies Kept);
  }
  private restore(kept: string): void {
    const { head, pieces } = JSON.parse(kept) as Kept;
    this.head = { ...head, size: bounded(head.size) };
    this.pieces = pieces;
    if (this.picked >= pieces.length) this.picked = -1;
    this.part = null;
    this.restored++;
  }
  undo(): void {
    this.step(this.past, this.future);
  }
  redo(): void {
    this.step(this.future, this.past);
  }
  private step(from: string[], to: string[]): void {
    const kept = from.pop();
    if (kept === undefined) return;
    to.push(this.kept());
    this.restore(kept);
    this.canUndo = this.past.length > 0;
    this.canRedo = this.future.length > 0;
    this.look();
  }
  rename(more: Partial<Header>): void {
    this.note();
    const head = { ...this.head, ...more };
    this.head = { ...head, size: bounded(head.size) };
    this.look();
  }
  /** Change a piece; who drags has noted what was there when the hand took hold. */
  set(at: number, more: Partial<Piece>, noted = false): void {
    if (!this.pieces[at]) return;
    if (!noted) this.note();
    this.pieces = this.pieces.map((p, i) => (i === at ? { ...p, ...more } : p));
    this.look();
  }
  change(more: Partial<Piece>): void {
    this.set(this.picked, more);
  }
  pick(at: number): void {
    this.picked = at;
    this.part = null;
  }
  put(offer: Offer, at: Point): void {
    const piece = pieceOf(offer.feature),
      [w, d] = this.size,
      inMiddle = Math.hypot(at[0] - w / 2, at[1] - d / 2) < 1.5;
    this.add({
      ...piece,
      x: inMiddle ? w / 2 : snap(at[0] - piece.wide / 2) + piece.wide / 2,
      y: inMiddle ? d / 2 : snap(at[1] - piece.deep / 2) + piece.deep / 2,
      twin: this.symmetric && !inMiddle,
    });
  }
  private add(piece: Piece): void {
    this.note();
    this.pieces = [...this.pieces, piece];
    this.picked = this.pieces.length - 1;
    this.part = null;
    this.look();
  }
  copy(): void {
    if (this.piece) this.add({ ...($state.snapshot(this.piece) as Piece), x: this.piece.x + 2, y: this.piece.y + 2 });
  }
  remove(): void {
    if (!this.piece) return;
    this.note();
    this.pieces = this.pieces.filter((_, i) => i !== this.picked);
    this.picked = -1;
    this.part = null;
    this.look();
  }
  turn(by: number): void {
    if (this.piece) this.change({ turn: ((this.piece.turn + by + 540) % 360) - 180 });
  }
  nudge(dx: number, dy: number): void {
    if (this.piece)
      this.change({
        x: Math.round((this.piece.x + dx) * 1000) / 1000,
        y: Math.round((this.piece.y + dy) * 1000) / 1000,
      });
  }

  // --- files

  clear(): void {
    this.note();
    this.head = { ...EMPTY, size: this.size };
    this.pieces = [];
    this.picked = -1;
    this.look();
  }
  /** A table that the system knows, or one from a file. */
  async open(from: { name: string } | { text: string }): Promise<void> {
    const { name, text, points, table } = (await this.ask(from)).layout;
    this.note();
    this.head = { name, text: text ?? "", points, size: table.size };
    this.pieces = piecesOf(table.terrain, table.size);
    this.picked = -1;
    this.part = null;
    this.look();
  }
  /** Have the server look at it, soon, once the hand rests. */
  look(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.judge(), PAUSE);
  }
  /** Keep it in the browser. */
  keep(): void {
    keep(KEY, this.kept());
  }
  /** The table as a file, as the server reads it; null where it cannot be played on. */
  async judge(): Promise<string | null> {
    clearTimeout(this.timer);
    this.keep();
    const turn = ++this.asked;
    let found: Draft | null = null,
      wrong = "";
    try {
      found = await this.ask({ text: JSON.stringify(this.doc, null, 1) });
    } catch (error) {
      wrong = (error as Error).message;
    }
    // Only the last that was asked is about what is drawn now.
    if (turn === this.asked) {
      this.wrong = wrong;
      this.problems = found?.problems ?? [];
    }
    return found?.text ?? null;
  }
  private ask(what: { name: string } | { text: string }): Promise<Draft> {
    return post<Draft>("/api/layouts", { system: this.system, ...what });
  }
  leave(): void {
    clearTimeout(this.timer);
    this.keep();
  }
}
export const snap = (v: number, to = 0.5) => Math.round(v / to) * to;
/** A size that can be drawn: what the browser kept may hold anything. */
const bounded = (size: Point): Point => size.map(n => Math.min(Math.max(Number(n) || 1, 1), LARGEST)) as Point;
