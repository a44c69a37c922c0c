/* Bases: where each stands, whose it is, how it looks and what it has left. */

import { STEP, TURN, type Point, type Shape } from "../protocol";
import type { Camera } from "./camera";
import { FONT, type SideStyle } from "./style";

type C = CanvasRenderingContext2D;
export interface Base { outline: Point[]; radius: number; long: number; broad: number }
export interface Standing { x: number; y: number; z: number; facing: number }

/** The base of a model at facing 0: round, or the hull around its core grown by its radius. */
export function baseOf(shape: Shape): Base {
  const reach = Math.max(...shape.core.map(([x, y]) => Math.hypot(x, y)), 0) + shape.radius;
  if (shape.core.length < 2) return { outline: [], radius: shape.radius || reach, long: 2 * reach, broad: 2 * reach };
  return { outline: grown(shape.core, shape.radius), radius: shape.radius, long: shape.length || 2 * reach, broad: shape.width || 2 * reach };
}
function grown(core: Point[], radius: number): Point[] {
  if (!radius) return core;
  const points: Point[] = [];
  for (let k = 0; k < 48; k++) {
    // In each direction the furthest point of the core, and the radius beyond it.
    const a = k / 48 * 2 * Math.PI, c = Math.cos(a), s = Math.sin(a);
    const [x, y] = core.reduce((best, p) => (p[0] * c + p[1] * s > best[0] * c + best[1] * s ? p : best));
    points.push([x + radius * c, y + radius * s]);
  }
  return points;
}

export function basePath(c: C, cam: Camera, base: Base, at: Standing, grow: number): void {
  c.beginPath();
  if (!base.outline.length) { c.arc(cam.px(at.x), cam.py(at.y), Math.max(base.radius * cam.k + grow, .5), 0, 7); return; }
  const a = at.facing / TURN * 2 * Math.PI, cos = Math.cos(a), sin = Math.sin(a), by = 1 + grow / Math.max(base.long / 2 * cam.k, 1);
  base.outline.forEach(([ox, oy], i) => {
    const X = cam.px(at.x + (ox * cos - oy * sin) * by), Y = cam.py(at.y + (ox * sin + oy * cos) * by);
    if (i) c.lineTo(X, Y); else c.moveTo(X, Y);
  });
  c.closePath();
}

export interface Look { style: SideStyle; alpha?: number; halo?: string; dash?: boolean; ghost?: string; /** Whether nobody has judged yet where the ghost stands. */ unsure?: boolean; wounds?: [number, number] }

export function drawModel(c: C, cam: Camera, base: Base, at: Standing, look: Look): void {
  const X = cam.px(at.x), Y = cam.py(at.y), across = (base.outline.length ? Math.min(base.broad, base.long) / 2 : base.radius) * cam.k;
  if (X < -80 || Y < -80 || X > cam.wide + 80 || Y > cam.high + 80) return;
  const alpha = look.alpha ?? 1, { style } = look;
  c.globalAlpha = alpha;
  if (look.halo) {
    const rim = Math.min(Math.max(across * .35, 1.6), 3.2);
    basePath(c, cam, base, at, rim); c.lineWidth = rim; c.strokeStyle = look.halo; if (look.dash) c.setLineDash([4, 3]); c.stroke(); c.setLineDash([]);
  }
  basePath(c, cam, base, at, 0);
  if (look.ghost) { c.fillStyle = style.colour; c.globalAlpha = alpha * .45; c.fill(); c.globalAlpha = alpha; c.lineWidth = 2; c.strokeStyle = look.ghost; if (look.unsure) c.setLineDash([3, 3]); c.stroke(); c.setLineDash([]); }
  else { c.fillStyle = style.colour; c.fill(); c.lineWidth = across < 4 ? .7 : 1.1; c.strokeStyle = "#fff"; c.stroke(); }
  if (base.outline.length) front(c, cam, base, at, style, alpha);
  else if (!at.z && across >= 3) sign(c, X, Y, across, style.sign, alpha);
  if (at.z > 0 && across >= 6) {
    c.globalAlpha = alpha; c.fillStyle = "#fff"; c.font = `600 ${Math.min(Math.max(across, 8), 11)}px ${FONT}`; c.textAlign = "center"; c.textBaseline = "middle";
    c.fillText(String(Math.round(at.z / STEP * 10) / 10), X, Y + .5);
  }
  if (look.wounds && look.wounds[0] < look.wounds[1] && look.wounds[0] > 0 && across > 3.5) {
    const long = Math.max(across * 1.5, 9), top = Y + across * .5;
    c.globalAlpha = alpha; c.fillStyle = "rgba(0,0,0,.55)"; c.fillRect(X - long / 2 - 1, top - 1, long + 2, 5);
    c.fillStyle = "#ffd257"; c.fillRect(X - long / 2, top, long * look.wounds[0] / look.wounds[1], 3);
  }
  c.globalAlpha = 1;
}
function front(c: C, cam: Camera, base: Base, at: Standing, style: SideStyle, alpha: number): void {
  const a = at.facing / TURN * 2 * Math.PI, cos = Math.cos(a), sin = Math.sin(a), tip = base.long / 2 * .86, half = Math.min(base.broad / 2, tip) * .5;
  c.beginPath();
  [[tip - half, half], [tip, 0], [tip - half, -half]].forEach(([ox, oy], i) => {
    const X = cam.px(at.x + ox * cos - oy * sin), Y = cam.py(at.y + ox * sin + oy * cos);
    if (i) c.lineTo(X, Y); else c.moveTo(X, Y);
  });
  c.globalAlpha = alpha * .9; c.lineWidth = 1.3; c.strokeStyle = c.fillStyle = "#fff";
  if (style.sign === "bar") c.stroke(); else { c.closePath(); if (style.sign === "ring") c.stroke(); else c.fill(); }
}
function sign(c: C, X: number, Y: number, across: number, kind: SideStyle["sign"], alpha: number): void {
  c.globalAlpha = alpha * .78; c.strokeStyle = c.fillStyle = "#fff"; c.lineWidth = across > 9 ? 1.4 : 1; c.beginPath();
  if (kind === "ring") { c.arc(X, Y, across * .55, 0, 7); c.stroke(); }
  else if (kind === "dot") { c.arc(X, Y, across * .28, 0, 7); c.fill(); }
  else if (kind === "bar") { c.moveTo(X - across * .5, Y); c.lineTo(X + across * .5, Y); c.stroke(); }
}
