/* A finger hides what it drags: that is shown beside it. */

import type { Camera } from "./camera";
import { INK } from "./style";

/** What lies below a finger, at twice its size beside it. */
export function drawLoupe(c: CanvasRenderingContext2D, cam: Camera, at: { x: number; y: number }, dpr: number): void {
  const r = 58,
    x = at.x < cam.wide / 2 ? at.x + 96 : at.x - 96,
    y = Math.max(at.y - 78, r + 6);
  c.save();
  c.beginPath();
  c.arc(x, y, r, 0, 7);
  c.clip();
  c.fillStyle = INK.ground;
  c.fill();
  c.drawImage(c.canvas, (at.x - r / 2) * dpr, (at.y - r / 2) * dpr, r * dpr, r * dpr, x - r, y - r, 2 * r, 2 * r);
  c.restore();
  c.beginPath();
  c.arc(x, y, r, 0, 7);
  c.lineWidth = 3;
  c.strokeStyle = "#fff";
  c.stroke();
  c.lineWidth = 1;
  c.strokeStyle = INK.text;
  c.stroke();
}
