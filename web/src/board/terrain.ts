/* The table itself: ground, zones, terrain and rulers. It changes seldom, so it is drawn once onto a canvas of its own. */

import type { Feature, Point } from "../protocol";
import { STEP } from "../protocol";
import type { Camera } from "./camera";
import { FONT, INK, kindOf, sideStyle, type Kind } from "./style";

type C = CanvasRenderingContext2D;
export interface Zone { outline: Point[]; side: number; name: string }
export interface GroundPlan { size: [number, number]; unit: string; features: Feature[]; zones: Zone[]; early: boolean; pace: number; /** Whether there is no room beside the table. */ narrow?: boolean }

export function trace(c: C, cam: Camera, points: Point[]): void {
  c.beginPath();
  points.forEach(([x, y], i) => (i ? c.lineTo(cam.px(x), cam.py(y)) : c.moveTo(cam.px(x), cam.py(y))));
  c.closePath();
}
export function boxOf(points: Point[]): [number, number, number, number] {
  const xs = points.map(p => p[0]), ys = points.map(p => p[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
export function holds(points: Point[], x: number, y: number): boolean {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[j], [bx, by] = points[i];
    if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
/** Whether a place lies in an area of several outlines; they may overlap, and holes run the other way around. */
export function within(outlines: Point[][], x: number, y: number): boolean {
  let turns = 0;
  for (const points of outlines) for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[j], [bx, by] = points[i];
    if (ay <= y === by <= y) continue;
    const left = (bx - ax) * (y - ay) - (x - ax) * (by - ay);
    if (by > ay && left > 0) turns++; else if (by < ay && left < 0) turns--;
  }
  return turns !== 0;
}
function shrunk(points: Point[], share: number): Point[] {
  const b = boxOf(points), cx = (b[0] + b[2]) / 2, cy = (b[1] + b[3]) / 2;
  return points.map(([x, y]) => [cx + (x - cx) * share, cy + (y - cy) * share]);
}

function texture(c: C, cam: Camera, outline: Point[], kind: Kind, grain: number): void {
  const b = boxOf(outline), t = kind.texture;
  c.lineWidth = .7; c.strokeStyle = kind.line;
  if (t === "hatch" || t === "waves") {
    c.save(); trace(c, cam, outline); c.clip(); c.globalAlpha = .5; c.beginPath();
    const pace = grain * .95;
    if (t === "waves") for (let y = b[1] - b[1] % pace; y < b[3]; y += pace) { c.moveTo(cam.px(b[0]), cam.py(y)); c.lineTo(cam.px(b[2]), cam.py(y)); }
    else for (let d = Math.floor((b[0] + b[1]) / pace / 1.4) * pace * 1.4; d < b[2] + b[3]; d += pace * 1.4) {
      c.moveTo(cam.px(d - b[1]), cam.py(b[1])); c.lineTo(cam.px(d - b[3]), cam.py(b[3]));
    }
    c.stroke(); c.restore();
  } else if (t === "contour") {
    c.globalAlpha = .7;
    for (const share of [.78, .55]) { trace(c, cam, shrunk(outline, share)); c.stroke(); }
    c.globalAlpha = 1;
  } else if (t === "crater") {
    trace(c, cam, shrunk(outline, .7)); c.fillStyle = "#d6c49d"; c.fill(); c.stroke();
  } else if (t === "trees" || t === "rubble") {
    scatter(c, cam, outline, kind, grain);
  }
}
function scatter(c: C, cam: Camera, outline: Point[], kind: Kind, grain: number): void {
  const b = boxOf(outline), trees = kind.texture === "trees", pace = grain * (trees ? 2.1 : 1.3), size = trees ? [.45, .78] : [.13, .28];
  let seed = 1, row = 0;
  for (let y = b[1] + pace / 2; y < b[3] && row < 120; y += pace * .87, row++)
    for (let x = b[0] + (row % 2 ? pace / 2 : pace); x < b[2]; x += pace) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const a = (seed / 256 | 0) % 100 / 100 - .5, o = (seed / 65536 | 0) % 100 / 100, r = grain * (size[0] + (size[1] - size[0]) * o);
      const x2 = x + a * pace * .5, y2 = y + (o - .5) * pace * .5;
      if (![[0, 0], [r, 0], [-r, 0], [0, r], [0, -r]].every(([dx, dy]) => holds(outline, x2 + dx, y2 + dy))) continue;
      c.beginPath(); c.arc(cam.px(x2), cam.py(y2), r * cam.k, 0, 7);
      c.fillStyle = trees ? "#a9c08a" : kind.line; c.globalAlpha = trees ? .85 : .55; c.fill();
      if (trees) c.stroke();
      c.globalAlpha = 1;
    }
}

const LAYER: Record<string, number> = { flat: 0, waves: 1, contour: 2 };

function feature(c: C, cam: Camera, f: Feature, grain: number): void {
  const kind = kindOf(f.kind);
  trace(c, cam, f.outline); c.fillStyle = kind.fill; c.fill();
  texture(c, cam, f.outline, kind, grain);
  if (kind.texture !== "flat") {
    trace(c, cam, f.outline); c.strokeStyle = kind.line; c.lineWidth = 1.1;
    c.setLineDash(f.solid || f.walls?.length || kind.texture !== "none" ? [] : [4, 3]); c.stroke(); c.setLineDash([]);
  }
  if (f.solid) { trace(c, cam, shrunk(f.outline, .9)); c.lineWidth = .7; c.stroke(); }
  for (const floor of f.floors ?? []) {
    trace(c, cam, floor.outline); c.globalAlpha = .72; c.fillStyle = "#faf7f0"; c.fill();
    c.globalAlpha = 1; c.strokeStyle = kind.line; c.lineWidth = .8; c.stroke();
  }
  c.strokeStyle = INK.wall; c.lineCap = "round";
  for (const w of f.walls ?? []) {
    c.lineWidth = Math.max(w.thickness * cam.k, 3); c.beginPath();
    c.moveTo(cam.px(w.a[0]), cam.py(w.a[1])); c.lineTo(cam.px(w.b[0]), cam.py(w.b[1])); c.stroke();
  }
  c.lineCap = "butt";
}
export function topOf(f: Feature): number { return Math.max(f.top ?? 0, ...(f.walls ?? []).map(w => w.top)); }
export const tell = (steps: number, unit: string) => `${Math.round(steps / STEP * 10) / 10}${unit === "in" ? "″" : ` ${unit}`}`;

function label(c: C, cam: Camera, f: Feature, unit: string): void {
  const b = boxOf(f.outline), w = (b[2] - b[0]) * cam.k, h = (b[3] - b[1]) * cam.k;
  const size = Math.min(Math.max(9.5 * Math.sqrt(cam.k / cam.fit), 9), 13), top = topOf(f), height = top > 0 ? ` ${tell(top, unit)}` : "";
  c.font = `${size}px ${FONT}`; c.textAlign = "center"; c.textBaseline = "middle"; c.lineJoin = "round";
  const name = f.name || f.kind;
  let text = name + height;
  if (c.measureText(text).width > w * 1.05) text = name;
  if (c.measureText(text).width > w * 1.05) text = height.trim();
  if (!text || h <= size * 1.2 || c.measureText(text).width >= w * 1.3) return;
  const x = cam.px((b[0] + b[2]) / 2), y = cam.py(b[1]) - size * .85;
  c.lineWidth = 3; c.strokeStyle = kindOf(f.kind).fill; c.strokeText(text, x, y);
  c.fillStyle = "#62594b"; c.fillText(text, x, y);
}

function zone(c: C, cam: Camera, z: Zone, plan: GroundPlan): void {
  const colour = z.side >= 0 ? sideStyle(z.side).colour : INK.neutral, b = boxOf(z.outline);
  trace(c, cam, z.outline);
  c.globalAlpha = plan.early ? .13 : .05; c.fillStyle = colour; c.fill();
  c.globalAlpha = plan.early ? .8 : .4; c.strokeStyle = colour; c.lineWidth = 1.2; c.setLineDash([7, 5]); c.stroke(); c.setLineDash([]);
  if (plan.early && !plan.narrow) {
    const low = (b[1] + b[3]) / 2 < plan.size[1] / 2;
    c.globalAlpha = .9; c.font = `11px ${FONT}`; c.textAlign = "left"; c.textBaseline = low ? "bottom" : "top"; c.fillStyle = colour;
    c.fillText(z.name, cam.px(b[0]) + 8, low ? cam.py(b[1]) - 6 : cam.py(b[3]) + 6);
  }
  c.globalAlpha = 1;
}

export function drawGround(c: C, cam: Camera, plan: GroundPlan): void {
  const [W, H] = plan.size, x0 = cam.px(0), y0 = cam.py(H), w = W * cam.k, h = H * cam.k, grain = W / 120;
  c.save(); c.shadowColor = "rgba(60,45,15,.28)"; c.shadowBlur = 16; c.shadowOffsetY = 3; c.fillStyle = INK.ground; c.fillRect(x0, y0, w, h); c.restore();
  c.strokeStyle = INK.grid; c.lineWidth = .9; c.beginPath();
  for (let x = plan.pace; x < W; x += plan.pace) { c.moveTo(cam.px(x), y0); c.lineTo(cam.px(x), y0 + h); }
  for (let y = plan.pace; y < H; y += plan.pace) { c.moveTo(x0, cam.py(y)); c.lineTo(x0 + w, cam.py(y)); }
  c.stroke();
  for (const z of plan.zones) zone(c, cam, z, plan);
  const layer = (f: Feature) => LAYER[kindOf(f.kind).texture] ?? 3;
  const all = plan.features.map((f, i) => [layer(f), i, f] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  c.save(); c.beginPath(); c.rect(x0, y0, w, h); c.clip(); c.lineJoin = "round";
  for (const [, , f] of all) feature(c, cam, f, grain);
  for (const [, , f] of all) label(c, cam, f, plan.unit);
  c.restore();
  c.strokeStyle = INK.frame; c.lineWidth = 1.2; c.strokeRect(x0, y0, w, h);
  if (plan.narrow) return;
  c.fillStyle = INK.quiet; c.font = `10px ${FONT}`; c.lineWidth = 1; c.beginPath(); c.textBaseline = "middle"; c.textAlign = "center";
  for (let x = 0; x <= W; x += plan.pace) { c.moveTo(cam.px(x), y0 + h); c.lineTo(cam.px(x), y0 + h + 5); c.fillText(String(x / STEP), cam.px(x), y0 + h + 13); }
  c.textAlign = "right";
  for (let y = 0; y <= H; y += plan.pace) { c.moveTo(x0 - 5, cam.py(y)); c.lineTo(x0, cam.py(y)); c.fillText(String(y / STEP), x0 - 8, cam.py(y)); }
  c.stroke();
}
