/* What points at the table. */

/** Whether it is a finger rather than a mouse or a pen. */
export const COARSE = matchMedia("(pointer: coarse)").matches;
/** Whether the screen is that of a telephone: there is no corner of the table where nothing stands. */
export const NARROW = matchMedia("(max-width: 640px)").matches;
