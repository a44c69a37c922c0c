/* Pointers become gestures: tap, drag, front, box, pan and pinch, the same by mouse, pen and finger. */

import type { Camera } from "./camera";

export interface Hit {
  model: number;
  unit: number;
}
/** What was held or used for a tap. */
export interface Keys {
  alt: boolean;
  ctrl: boolean;
  shift: boolean;
  touch: boolean;
}
export interface Gestures {
  under(sx: number, sy: number): Hit;
  /** Whether a drag that begins here moves something, or the table. */
  holds(hit: Hit, x: number, y: number): boolean;
  /** Whether a front may be drawn. */
  drawsFronts(): boolean;
  /** Whether a drag measures. */
  measures(): boolean;
  tap(hit: Hit, x: number, y: number, keys: Keys): void;
  grab(hit: Hit, x: number, y: number): void;
  drag(x: number, y: number, loose: boolean): void;
  drop(): void;
  /** What was dragged since it was grabbed was not meant. */
  revert(): void;
  front(ax: number, ay: number, bx: number, by: number, done: boolean): void;
  /** `points`: from point to point, whatever lies there. */
  measure(ax: number, ay: number, bx: number, by: number, points: boolean): void;
  box(ax: number, ay: number, bx: number, by: number, done: boolean): void;
  /** A gesture came to no end: nothing of it stays drawn. */
  cancelled(): void;
  spacing(by: number): boolean;
  hover(sx: number, sy: number): void;
  press(hit: Hit, sx: number, sy: number): void;
  moved(): void;
}
type Kind = "tap" | "pan" | "drag" | "front" | "measure" | "box" | "pinch" | "pressed";
interface Held {
  kind: Kind;
  sx: number;
  sy: number;
  x: number;
  y: number;
  far: number;
  hit: Hit;
  touch: boolean;
  spread: number;
}

const STIR = 5; // pixels that a tap may stir
const LONG = 480; // milliseconds of a long press

export class Hands {
  private down = new Map<number, { x: number; y: number }>();
  private held: Held | null = null;
  private timer = 0;
  /** Where the finger is that drags, for the loupe. */
  finger: { x: number; y: number } | null = null;

  constructor(
    private canvas: HTMLCanvasElement,
    private cam: Camera,
    private to: Gestures,
  ) {
    canvas.addEventListener("wheel", e => this.wheel(e), { passive: false });
    canvas.addEventListener("pointerdown", e => this.begin(e));
    canvas.addEventListener("pointermove", e => this.move(e));
    canvas.addEventListener("pointerup", e => this.end(e, true));
    canvas.addEventListener("pointercancel", e => this.end(e, false));
    canvas.addEventListener("contextmenu", e => e.preventDefault());
  }
  get isBusy(): boolean {
    return this.held !== null && this.held.kind !== "tap";
  }

  private place(e: MouseEvent): [number, number] {
    const b = this.canvas.getBoundingClientRect();
    return [e.clientX - b.left, e.clientY - b.top];
  }
  private wheel(e: WheelEvent): void {
    e.preventDefault();
    if (this.held && (this.held.kind === "drag" || this.held.kind === "front") && this.to.spacing(-Math.sign(e.deltaY)))
      return;
    const [x, y] = this.place(e);
    this.cam.zoom(x, y, Math.exp(-e.deltaY * (e.ctrlKey ? 0.008 : 0.0015)));
    this.to.moved();
  }
  private begin(e: PointerEvent): void {
    // A pointer that is gone already cannot be held.
    if (e.isTrusted) this.canvas.setPointerCapture(e.pointerId);
    const [sx, sy] = this.place(e),
      [x, y] = this.cam.at(sx, sy),
      touch = e.pointerType === "touch";
    this.down.set(e.pointerId, { x: sx, y: sy });
    clearTimeout(this.timer);
    if (this.down.size > 1) {
      this.interrupt();
      this.held = {
        kind: "pinch",
        sx,
        sy,
        x,
        y,
        far: 0,
        hit: { model: -1, unit: -1 },
        touch,
        spread: this.pinched().spread,
      };
      return;
    }
    const hit = this.to.under(sx, sy),
      kind = this.begun(e);
    this.held = { kind, sx, sy, x, y, far: 0, hit, touch, spread: 0 };
    if (touch && kind === "tap")
      this.timer = window.setTimeout(() => {
        if (this.held?.kind === "tap") {
          this.held.kind = "pressed";
          this.to.press(hit, sx, sy);
        }
      }, LONG);
  }
  /** A second finger makes another gesture of it: what the first one has done so far was not meant. */
  private interrupt(): void {
    if (this.held?.kind === "drag") this.to.revert();
    else if (this.held?.kind === "measure" || this.held?.kind === "box") this.to.cancelled();
    this.finger = null;
  }
  /** What a gesture is as far as its beginning says. */
  private begun(e: PointerEvent): Kind {
    if (e.button === 1) return "pan";
    if (e.button === 2) return this.to.drawsFronts() ? "front" : "pan";
    if (e.altKey) return "box";
    return this.to.measures() ? "measure" : "tap";
  }
  /** The middle between two fingers, and how far they are apart. */
  private pinched(): { x: number; y: number; spread: number } {
    const [a, b] = [...this.down.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread: Math.hypot(a.x - b.x, a.y - b.y) };
  }
  private move(e: PointerEvent): void {
    const [sx, sy] = this.place(e),
      hand = this.down.get(e.pointerId),
      held = this.held;
    if (!hand || !held) {
      this.to.hover(sx, sy);
      return;
    }
    const dx = sx - hand.x,
      dy = sy - hand.y;
    hand.x = sx;
    hand.y = sy;
    held.far = Math.max(held.far, Math.hypot(sx - held.sx, sy - held.sy));
    if (held.kind === "pinch") {
      if (this.down.size < 2) return;
      const { x, y, spread } = this.pinched();
      this.cam.zoom(x, y, spread / Math.max(held.spread, 1));
      this.cam.pan(dx / 2, dy / 2);
      held.spread = spread;
      this.to.moved();
      return;
    }
    const [x, y] = this.cam.at(sx, sy);
    if (held.kind === "tap" && held.far > STIR) {
      clearTimeout(this.timer);
      held.kind = this.to.holds(held.hit, held.x, held.y) ? "drag" : "pan";
      if (held.kind === "drag") this.to.grab(held.hit, held.x, held.y);
    }
    this.finger = held.touch && held.kind === "drag" ? { x: sx, y: sy } : null;
    switch (held.kind) {
      case "pan":
        this.cam.pan(dx, dy);
        this.to.moved();
        break;
      case "drag":
        this.to.drag(x, y, e.shiftKey);
        break;
      case "front":
        if (held.far > STIR) this.to.front(held.x, held.y, x, y, false);
        break;
      case "measure":
        this.to.measure(held.x, held.y, x, y, e.shiftKey);
        break;
      case "box":
        if (held.far > STIR) this.to.box(held.x, held.y, x, y, false);
        break;
    }
  }
  private end(e: PointerEvent, meant: boolean): void {
    clearTimeout(this.timer);
    const [sx, sy] = this.place(e),
      [x, y] = this.cam.at(sx, sy),
      held = this.held;
    this.down.delete(e.pointerId);
    this.finger = null;
    if (this.down.size) return;
    this.held = null;
    if (!held) return;
    if (!meant && held.kind !== "drag") {
      this.to.cancelled();
      return;
    }
    switch (held.kind) {
      case "tap":
        this.to.tap(held.hit, x, y, {
          alt: e.altKey,
          ctrl: e.ctrlKey || e.metaKey,
          shift: e.shiftKey,
          touch: held.touch,
        });
        break;
      case "drag":
        this.to.drop();
        break;
      case "pan":
        if (e.button === 2 && held.far <= STIR) this.to.press(held.hit, sx, sy);
        break;
      case "front":
        if (held.far > STIR) this.to.front(held.x, held.y, x, y, true);
        else this.to.press(held.hit, sx, sy);
        break;
      case "box":
        if (held.far > STIR) this.to.box(held.x, held.y, x, y, true);
        else this.to.tap(held.hit, x, y, { alt: true, ctrl: false, shift: false, touch: false });
        break;
    }
    this.to.moved();
  }
}
