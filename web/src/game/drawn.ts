/* What is drawn on the table beside what stands there, in grid steps. */

/** Something that points, such as a tape or a line of fire. */
export interface Pointer {
  from: [number, number];
  to: [number, number];
  text: string;
  kind: "tape" | "fire" | "front";
  /** Of a line of fire: whose it is, and at whom. */
  sides?: [number, number];
}
/** Templates, legs and plotted places that an answer is being made of. */
export interface Sketch {
  points: { x: number; y: number; text: string }[];
  circles: { x: number; y: number; radius: number; text: string }[];
  legs: [number, number][];
  /** What stands beside each leg. */
  told?: string[];
}
export const NO_SKETCH: Sketch = { points: [], circles: [], legs: [] };
