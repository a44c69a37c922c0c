/* A finger hides what it drags: that is shown beside it. */

import type { Camera } from "./camera";
import { INK } from "./style";

/** Where it is, in pixels. */
export const LOUPE = {
  radius: 58,
  at: (finger: { x: number; y: number }, wide: number) => ({
    x: finger.x < wide / 2 ? finger.x + 96 : finger.x - 96,
    y: Math.max(finger.y - 78, LOUPE.radius + 6),
  }),
};
/** What lies below a finger, at twice its size beside it. */
export function drawLoupe(c: CanvasRenderingContext2D, cam: Camera, at: { x: number; y: number }, dpr: number): void {
  const r = LOUPE.radius,
    { x, y } = LOUPE.at(at, cam.wide);
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
