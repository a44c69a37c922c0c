/* What points at the table. */

/** Whether it is a finger rather than a mouse or a pen. */
export const COARSE = matchMedia("(pointer: coarse)").matches;
