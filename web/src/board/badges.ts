/* Badges: the name of each unit beside its models, never over another badge, with what lies on it. */

import type { Camera } from "./camera";
import { FONT, type SideStyle } from "./style";

type C = CanvasRenderingContext2D;
type Box = [number, number, number, number];
export interface Badge {
  unit: number; name: string; label: string; count: string; lost: boolean; marks: string[]; style: SideStyle;
  /** Share of its wounds that is left. */
  left: number;
  /** The middle of the unit, and the box around its models, in pixels. */
  cx: number; cy: number; around: Box;
  halo?: string; faded?: boolean; chip?: string;
  /** Not concerned by what is done now. */
  dim?: boolean;
  /** The letter of a target. */
  letter?: string;
}
export interface Laid { unit: number; box: Box }

const overlap = (a: Box, b: Box) => {
  const w = Math.min(a[2], b[2]) - Math.max(a[0], b[0]), h = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return w > 0 && h > 0 ? w * h : 0;
};
const clamp = (v: number, a: number, b: number) => Math.min(Math.max(v, a), b);

/** Draw all badges where they cover least; the answer says where they are, for those who click on them.
    Where a badge was put is kept, so that nothing jumps while the table is panned. `figures` are what should be read, such as the numbers of markers. */
export function drawBadges(c: C, cam: Camera, badges: Badge[], solid: Box[], touch: boolean, kept: Map<number, [number, number]>, tools: Box, figures: Box[]): Laid[] {
  const taken: Box[] = [tools], laid: Laid[] = [];
  const small = cam.wide < 640, size = touch ? 12 : small ? 10 : 11, high = touch ? 26 : small ? 15 : 18;
  for (const b of badges) {
    if (b.cx < -60 || b.cy < -60 || b.cx > cam.wide + 60 || b.cy > cam.high + 60) continue;
    const plain = b.faded || small && cam.k < cam.fit * 1.6 ? b.label : b.name.length > 26 ? `${b.name.slice(0, 25).trimEnd()}…` : b.name, text = b.letter ? `${b.letter}  ${plain}` : plain;
    c.font = `600 ${size}px ${FONT}`;
    const first = c.measureText(text).width + 14, second = b.count ? c.measureText(b.count).width + 10 : 0;
    c.font = `600 10px ${FONT}`;
    const chips = [...(b.chip ? [b.chip] : []), ...b.marks.slice(0, 3)].map(t => [t, c.measureText(t).width + 9] as const);
    const w = first + second + chips.reduce((sum, [, wide]) => sum + wide + 2, 0);
    const [left, top, right, bottom] = b.around, known = kept.get(b.unit);
    if (known) {
      const x = b.cx + known[0], y = b.cy + known[1], box: Box = [x - w / 2 - 1, y - high / 2 - 1, x + w / 2 + 1, y + high / 2 + 1];
      taken.push(box); laid.push({ unit: b.unit, box });
      one(c, b, text, x, y, w, high, size, first, second, chips);
      continue;
    }
    const spots: [number, number][] = [[b.cx, top - high * .7], [b.cx, bottom + high * .7], [left - w / 2 - 5, b.cy], [right + w / 2 + 5, b.cy], [b.cx, b.cy]];
    for (let ring = 1; ring < 6; ring++) for (let k = 0; k < 12; k++)
      spots.push([b.cx + (14 * ring + w / 2) * Math.cos(k * Math.PI / 6), b.cy + (14 * ring + 12) * Math.sin(k * Math.PI / 6)]);
    let best: [number, number, Box] | null = null, least = Infinity;
    for (const [sx, sy] of spots) {
      const x = clamp(sx, w / 2 + 3, Math.max(cam.wide - w / 2 - 3, w / 2 + 3)), y = clamp(sy, high / 2 + 3, cam.high - high / 2 - 3);
      const box: Box = [x - w / 2 - 1, y - high / 2 - 1, x + w / 2 + 1, y + high / 2 + 1];
      let cost = .9 * Math.hypot(x - b.cx, y - b.cy);
      for (const t of taken) { const o = overlap(box, t); if (o) cost += 800 + 20 * o; }
      for (const t of figures) { const o = overlap(box, t); if (o) cost += 120 + 4 * o; }
      if (cost < least) for (const t of solid) cost += .35 * overlap(box, t);
      if (cost < least) { least = cost; best = [x, y, box]; }
    }
    if (!best) continue;
    kept.set(b.unit, [best[0] - b.cx, best[1] - b.cy]);
    taken.push(best[2]); laid.push({ unit: b.unit, box: best[2] });
    one(c, b, text, best[0], best[1], w, high, size, first, second, chips);
  }
  return laid;
}
function pill(c: C, x: number, y: number, w: number, h: number, kind: SideStyle["badge"]): void {
  c.beginPath();
  if (kind !== "cut") { c.roundRect(x, y, w, h, kind === "square" ? 3 : h / 2); return; }
  const k = 5;
  c.moveTo(x + k, y); c.lineTo(x + w - k, y); c.lineTo(x + w, y + k); c.lineTo(x + w, y + h - k);
  c.lineTo(x + w - k, y + h); c.lineTo(x + k, y + h); c.lineTo(x, y + h - k); c.lineTo(x, y + k); c.closePath();
}
function one(
  c: C, b: Badge, text: string, X: number, Y: number, w: number, h: number, size: number, first: number, second: number,
  chips: (readonly [string, number])[],
): void {
  const x = X - w / 2, y = Y - h / 2, body = first + second;
  const ex = clamp(b.cx, x + 6, x + w - 6), ey = clamp(b.cy, y, y + h);
  if (Math.hypot(b.cx - ex, b.cy - ey) > Math.max(b.around[2] - b.around[0], b.around[3] - b.around[1]) / 2 + 14) {
    c.beginPath(); c.moveTo(ex, ey); c.lineTo(b.cx, b.cy); c.lineWidth = 2.6; c.strokeStyle = "rgba(255,255,255,.7)"; c.stroke();
    c.lineWidth = 1; c.strokeStyle = b.style.dark; c.stroke();
  }
  c.globalAlpha = b.dim ? .5 : b.faded ? .65 : 1;
  pill(c, x, y, body, h, b.style.badge); c.fillStyle = b.style.dark; c.fill();
  if (b.left < 1) {
    c.save(); pill(c, x, y, body, h, b.style.badge); c.clip();
    c.fillStyle = "rgba(0,0,0,.45)"; c.fillRect(x, y + h - 3, body, 3); c.fillStyle = "#ffd257"; c.fillRect(x, y + h - 3, body * b.left, 3);
    c.restore();
  }
  pill(c, x, y, body, h, b.style.badge); c.lineWidth = b.halo ? 2.4 : 1.2; c.strokeStyle = b.halo || "#fff";
  if (b.style.badge === "dashed") c.setLineDash([4, 2]);
  c.stroke(); c.setLineDash([]);
  c.fillStyle = "#fff"; c.font = `600 ${size}px ${FONT}`; c.textAlign = "center"; c.textBaseline = "middle";
  c.fillText(text, x + first / 2, Y);
  if (b.count) { c.fillStyle = b.lost ? "#ffd257" : "rgba(255,255,255,.72)"; c.font = `500 ${size}px ${FONT}`; c.fillText(b.count, x + first + second / 2 - 3, Y); }
  let at = x + body + 2;
  chips.forEach(([t, wide], i) => {
    const odds = i === 0 && b.chip;
    c.beginPath(); c.roundRect(at, y + 1.5, wide, h - 3, 3); c.fillStyle = odds ? "#fff3c9" : "#fbf9f4"; c.fill(); c.lineWidth = .9; c.strokeStyle = b.style.dark; c.stroke();
    c.fillStyle = odds ? "#5b4300" : b.style.dark; c.font = `${odds ? "600 " : ""}10px ${FONT}`; c.fillText(t, at + wide / 2, Y + .5); at += wide + 2;
  });
  c.globalAlpha = 1;
}
