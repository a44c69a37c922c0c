/* How far one keeps from others: how far a ring reaches over the ground, for who stands higher or lower. */

import type { Ring } from "../protocol";
import type { Thing } from "./room";

/** Something that is kept out of, and how far one stays away from it. */
export interface Kept {
  thing: Thing;
  gap: number;
}
/** From where something stands, up to where distances to it begin. */
export interface Upright {
  z: number;
  thick: number;
}

/** How far a ring reaches over the ground to who is so much higher or lower; below 0: not at all. */
export function reachOf({ far, up, in_space }: Pick<Ring, "far" | "up" | "in_space">, rise: number): number {
  if (in_space) return rise > far ? -1 : Math.sqrt(far * far - rise * rise);
  return up >= 0 && rise > up ? -1 : far;
}
/** How much higher or lower something stands than something else. */
export const riseOf = (one: Upright, other: Upright): number =>
  Math.max(0, other.z - one.z - one.thick, one.z - other.z - other.thick);
