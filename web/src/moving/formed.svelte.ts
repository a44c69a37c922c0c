/* How the unit stands where it goes: its formation, how wide that is, and which way it looks. */

import { STEP, TURN, type Point } from "../protocol";
import type { Formation, Wanted } from "./formations";

const LEAST = 0.4; // of its width does a unit keep that closes up
const WIDEST = 3; // times as wide as it stood does it get
const STRIDE = 0.15;
const PARTS = 8; // steps of spacing from base contact to as far apart as models may stand
const STAYS = STEP / 20; // nearer than this to where it stands, a unit goes nowhere
const LOOSE = 2 * STEP; // so far apart do they stand at most where that is no matter

export class Formed {
  shape = $state<Formation>("keep");
  /** How wide the front is that was drawn; 0 for none. */
  width = 0;
  /** The way that it was turned; null for none of its own. */
  angle: number | null = null;
  /** How much wider a unit stands that goes as it stands. */
  spread = 1;
  private gap: number;

  /** `together`: as far apart as models of a unit may stand; 0 where that is no matter. */
  constructor(private together: number) {
    this.gap = this.most / PARTS;
  }
  private get most(): number {
    return this.together || LOOSE;
  }

  /** Whether it goes as it stands. */
  get keeps(): boolean {
    return this.shape === "keep" && !this.width;
  }
  form(shape: Formation): void {
    this.shape = shape;
    this.width = 0;
    this.spread = 1;
  }
  /** So many steps wider, or closer. */
  space(by: number): void {
    if (this.keeps) this.spread = Math.min(Math.max(this.spread + STRIDE * by, LEAST), WIDEST);
    else this.gap = Math.min(Math.max(this.gap + (by * this.most) / PARTS, 0), this.most);
  }
  /** A front so many places wider, or narrower; one that was not drawn begins as wide as the unit is now. */
  widen(by: number, pitch: number, now: number): void {
    this.front(Math.max((this.width || now) + by * (pitch + this.gap), 1), this.angle);
  }
  /** It fills a front in ranks. */
  front(width: number, angle: number | null): void {
    this.width = width;
    this.angle = angle;
    this.shape = "ranks";
  }
  wanted([x, y]: Point, bearing: number, unset: boolean): Wanted {
    const { width, spread, together } = this;
    // At the very limit, small errors part a unit.
    const apart = together * (1 - 1 / (2 * PARTS));
    return {
      x,
      y,
      apart,
      // Who comes from nowhere has not stood in any way yet.
      shape: unset && this.shape === "keep" ? "block" : this.shape,
      angle: this.angle ?? bearing,
      // A screen is as wide as the unit may stand together.
      gap: this.shape === "screen" && !width && together ? apart : this.gap,
      width,
      spread,
    };
  }
  /** Gives a way back to how it stands now. */
  save(): () => void {
    const { shape, width, angle, spread, gap } = this;
    return () => Object.assign(this, { shape, width, angle, spread, gap });
  }
  cancel(): void {
    this.form("keep");
    this.angle = null;
  }
}
/** Which way a unit looks: to where it goes, or to a `foe` where it stays; who comes from nowhere looks over the table, from the side that it is nearest to. */
export function bearing(from: Point | null, goal: Point | null, foe: Point | null, [wide, deep]: Point): number {
  const aim = from && goal && Math.hypot(goal[0] - from[0], goal[1] - from[1]) < STAYS ? foe : goal;
  if (from && aim) return Math.atan2(aim[1] - from[1], aim[0] - from[0]);
  const [x, y] = goal ?? [0, 0];
  return wide >= deep ? (y * 2 < deep ? Math.PI / 2 : -Math.PI / 2) : x * 2 < wide ? 0 : Math.PI;
}
export function facingOf(angle: number): number {
  return ((Math.round((angle / (2 * Math.PI)) * TURN) % TURN) + TURN) % TURN;
}
