/* Bases: what shape each has. How they look is drawn as in replays. */

import type { Base as Drawn } from "../../../src/sandtable/page/drawing.js";
import type { Point, Shape } from "../protocol";

export { basePath, drawModel, type Standing } from "../../../src/sandtable/page/drawing.js";
/** `core`: what the radius is added to; `thick`: the height over which distances are measured. */
export interface Base extends Drawn {
  core: Point[];
  thick: number;
}

/** The base of a model at facing 0: round, or the hull around its core grown by its radius. */
export function baseOf(shape: Shape): Base {
  const reach = Math.max(...shape.core.map(([x, y]) => Math.hypot(x, y)), 0) + shape.radius;
  const measured = { core: shape.core, thick: shape.hull ? shape.height : 0 };
  if (shape.core.length < 2)
    return { ...measured, outline: [], radius: shape.radius || reach, long: 2 * reach, broad: 2 * reach };
  return {
    ...measured,
    outline: grown(shape.core, shape.radius),
    radius: shape.radius,
    long: shape.length || 2 * reach,
    broad: shape.width || 2 * reach,
  };
}
function grown(core: Point[], radius: number): Point[] {
  if (!radius) return core;
  const points: Point[] = [];
  for (let k = 0; k < 48; k++) {
    // In each direction the furthest point of the core, and the radius beyond it.
    const a = (k / 48) * 2 * Math.PI,
      c = Math.cos(a),
      s = Math.sin(a);
    const [x, y] = core.reduce((best, p) => (p[0] * c + p[1] * s > best[0] * c + best[1] * s ? p : best));
    points.push([x + radius * c, y + radius * s]);
  }
  return points;
}
