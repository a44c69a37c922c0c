/* Which part of the table is seen, with room for what stands beside it here. */

import { Camera as Plain } from "../../../src/sandtable/page/drawing.js";
import type { Point } from "../protocol";

export class Camera extends Plain {
  /** Room for the rulers at the left and below, and for the tools at the right; where it is narrow they stand below. */
  constructor(size: Point) {
    super(size, wide => (wide < 640 ? [8, 8, 8, 60] : [34, 56, 16, 28]));
  }
}
