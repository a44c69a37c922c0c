/* What the table hands to whoever makes the answer to the open decision. Each shape takes what it can use. */

import type { Hit } from "../board/hands";

/** Something that can be done with a unit, as the ring around it offers it. */
export interface Deed {
  label: string;
  note?: string;
  on?: boolean;
  do?(): void;
  more?: Deed[];
}

export interface Actor {
  /** A unit that can be answered with is pointed at. */
  unit?(unit: number): void;
  /** A unit is pointed at that the decision does not offer; says whether that was put to use. */
  other?(unit: number): boolean | void | Promise<void>;
  /** A single model is pointed at; says whether that was put to use. */
  model?(model: number): boolean;
  /** What can be done with a unit that a finger rests on, or that is clicked with the right button. */
  menu?(unit: number): Deed[];
  /** A bare place is pointed at; with `loose` that place and none that a magnet has. */
  place?(x: number, y: number, loose?: boolean): void;
  /** Whether places are pointed at, whatever stands there. */
  readonly anywhere?: boolean;
  /** A place that the way leads over. */
  waypoint?(x: number, y: number): void;
  /** Whether whatever is pointed at is such a place now. */
  readonly naming?: boolean;
  holds?(hit: Hit, x: number, y: number): boolean;
  grab?(hit: Hit, x: number, y: number): void;
  drag?(x: number, y: number, loose: boolean): void;
  drop?(): void;
  /** The drag was none: all is as it was before it. */
  revert?(): void;
  front?(ax: number, ay: number, bx: number, by: number, done: boolean): void;
  spacing?(by: number): void;
  /** Models that were picked out of the unit, and picking some. */
  readonly picked?: Set<number>;
  /** Models that nothing would come of for what the hand points at, such as those that are out of range of it. */
  readonly idle?: Set<number>;
  pick?(models: number[], toggle: boolean): void;
  /** A small step by keys; says whether there was something to move. */
  nudge?(dx: number, dy: number): boolean;
  key?(e: KeyboardEvent): boolean;
  /** Gives the answer that was put together by hand, which the space bar takes, too: `notYet` where it is wrong or
      unfinished, null only where nothing was made. */
  readonly ready?: (() => void | Promise<void>) | null;
  cancel?(): void;
  /** An answer that is proposed is planned, so that it can be changed. */
  takeUp?(answer: unknown): void;
}
