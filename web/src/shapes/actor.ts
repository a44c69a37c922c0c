/* What the table hands to whoever makes the answer to the open decision. Each shape takes what it can use. */

import type { Hit } from "../board/hands";

export interface Actor {
  /** A unit that can be answered with is pointed at. */
  unit?(unit: number): void;
  /** A unit is pointed at that the decision does not offer. */
  other?(unit: number): void;
  /** A bare place is pointed at. */
  place?(x: number, y: number): void;
  /** A place that the way leads over. */
  waypoint?(x: number, y: number): void;
  holds?(hit: Hit, x: number, y: number): boolean;
  grab?(hit: Hit, x: number, y: number): void;
  drag?(x: number, y: number, loose: boolean): void;
  drop?(): void;
  front?(ax: number, ay: number, bx: number, by: number, done: boolean): void;
  spacing?(by: number): void;
  /** Models that were picked out of the unit, and picking some. */
  readonly picked?: Set<number>;
  pick?(models: number[], toggle: boolean): void;
  nudge?(dx: number, dy: number): void;
  key?(e: KeyboardEvent): boolean;
  cancel?(): void;
}
