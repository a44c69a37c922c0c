/* The ground on a canvas of its own, drawn with a margin: panning only shifts it, and zooming stretches it until the hand rests. */

import { Camera } from "./camera";
import { drawGround, type GroundPlan } from "./terrain";

const MARGIN = 0.35; // of the screen, on each side
const REST = 140; // milliseconds after which a stretched picture is drawn anew

export class GroundLayer {
  private canvas = document.createElement("canvas");
  private cam: Camera;
  private key = "";
  private rested = 0;

  constructor(size: [number, number]) {
    this.cam = new Camera(size);
  }

  /** Put the ground onto a canvas; says whether it wants to be asked again, because it is only stretched. */
  draw(c: CanvasRenderingContext2D, cam: Camera, dpr: number, plan: GroundPlan, key: string): boolean {
    const now = performance.now(),
      same = this.key === `${key}/${cam.wide}/${cam.high}/${dpr}`;
    const scale = cam.k / this.cam.k,
      sx = cam.px(this.cam.x) - (this.cam.wide / 2) * scale,
      sy = cam.py(this.cam.y) - (this.cam.high / 2) * scale;
    const covers =
      sx <= 0.5 &&
      sy <= 0.5 &&
      sx + this.cam.wide * scale >= cam.wide - 0.5 &&
      sy + this.cam.high * scale >= cam.high - 0.5;
    if (scale !== 1 && this.rested === 0) this.rested = now;
    const stretched = same && scale !== 1 && scale > 0.4 && scale < 2.5 && now - this.rested < REST;
    if (!same || (scale === 1 && !covers) || (scale !== 1 && !stretched)) {
      this.key = `${key}/${cam.wide}/${cam.high}/${dpr}`;
      this.rested = 0;
      this.render(cam, dpr, plan);
      return this.draw(c, cam, dpr, plan, key);
    }
    c.drawImage(this.canvas, sx, sy, this.cam.wide * scale, this.cam.high * scale);
    return scale !== 1;
  }
  private render(cam: Camera, dpr: number, plan: GroundPlan): void {
    const wide = Math.ceil(cam.wide * (1 + 2 * MARGIN)),
      high = Math.ceil(cam.high * (1 + 2 * MARGIN));
    Object.assign(this.cam, { wide, high, k: cam.k, x: cam.x, y: cam.y, fit: cam.fit, free: true });
    if (this.canvas.width !== Math.round(wide * dpr) || this.canvas.height !== Math.round(high * dpr)) {
      this.canvas.width = Math.round(wide * dpr);
      this.canvas.height = Math.round(high * dpr);
    }
    const g = this.canvas.getContext("2d")!;
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    g.clearRect(0, 0, wide, high);
    drawGround(g, this.cam, plan);
  }
}
