/* Where the unit is to go: its goal, the places that the way there leads over, and how far magnets have drawn it. */

import type { Point } from "../protocol";
import type { Pull } from "./magnets";

/** Whether units are drawn nowhere, for whoever has no Shift to hold. */
export const magnets = $state({ off: false });

export class Aim {
  goal: Point | null = null;
  /** Places that the way leads over. */
  way: Point[] = [];
  /** Nothing is drawn by magnets, and what they have drawn stays in the goal. */
  loose = false;
  /** What draws the unit. */
  magnet = $state("");
  /** Whether it goes elsewhere for that than the hand wants it. */
  draws = $state(false);
  pulled: Pull | null = null;
  /** The way ends at the last of its places. */
  private trails = false;
  /** How far magnets have drawn what was let go. */
  private drawn: Point = [0, 0];

  at(goal: Point): void {
    this.goal = goal;
    this.drawn = [0, 0];
    this.trails = false;
  }
  /** The way leads over a place, and over those that were named before. */
  over(place: Point): void {
    // Until a place is pointed at besides, the way ends at the last one that it leads over.
    if (!this.goal || this.trails) {
      this.at(place);
      this.trails = true;
    }
    this.way = [...this.way, place];
    this.loose = true;
  }
  draw(pull: Pull | null): void {
    this.pulled = pull;
    this.magnet = pull?.name ?? "";
    this.draws = !!pull && !pull.there;
  }
  /** What was drawn by a magnet stays there, whatever is changed about it next. */
  keep(): void {
    if (!this.goal || !this.pulled) return;
    const { x, y } = this.pulled;
    this.goal = [this.goal[0] + x, this.goal[1] + y];
    this.drawn = [this.drawn[0] + x, this.drawn[1] + y];
    this.pulled = null;
  }
  /** What magnets drew goes where the hand had put it; says whether they drew anything. */
  undraw(): boolean {
    if (!this.magnet || !this.goal) return false;
    this.loose = true;
    this.at([this.goal[0] - this.drawn[0], this.goal[1] - this.drawn[1]]);
    return true;
  }
  /** Gives a way back to what is wanted now. */
  save(): () => void {
    const { goal, way, loose, magnet, draws, pulled, trails, drawn } = this;
    return () => Object.assign(this, { goal, way, loose, magnet, draws, pulled, trails, drawn });
  }
  cancel(): void {
    this.goal = null;
    this.way = [];
    this.trails = false;
    this.drawn = [0, 0];
    this.draw(null);
  }
}
/** The way of one model over places: the same for all, each as it stands in the unit; and how long that is. */
export function via(
  way: Point[],
  from: { x: number; y: number },
  middle: Point | null,
): { points: Point[]; far: number } {
  if (!way.length || !middle) return { points: [], far: 0 };
  const points = way.map(([x, y]): Point => [Math.round(x + from.x - middle[0]), Math.round(y + from.y - middle[1])]);
  let far = 0,
    last: Point = [from.x, from.y];
  for (const p of points) {
    far += Math.hypot(p[0] - last[0], p[1] - last[1]);
    last = p;
  }
  return { points, far };
}
