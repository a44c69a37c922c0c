/* Which part of the table is seen: grid steps to pixels and back. */

const clamp = (v: number, a: number, b: number) => Math.min(Math.max(v, a), b);

export class Camera {
  wide = 1; high = 1;
  k = 1; x = 0; y = 0; fit = 1; free = false;

  constructor(private size: [number, number]) { this.x = size[0] / 2; this.y = size[1] / 2; }

  px = (x: number) => this.wide / 2 + (x - this.x) * this.k;
  py = (y: number) => this.high / 2 - (y - this.y) * this.k;
  at = (sx: number, sy: number): [number, number] => [this.x + (sx - this.wide / 2) / this.k, this.y - (sy - this.high / 2) / this.k];

  /** Room for the rulers at the left and below, and for the tools at the right; where it is narrow they stand below. */
  private get margins(): [number, number, number, number] { return this.wide < 640 ? [8, 8, 8, 60] : [34, 56, 16, 28]; }
  resize(wide: number, high: number): void {
    this.wide = Math.max(wide, 10); this.high = Math.max(high, 10);
    const [l, r, t, b] = this.margins;
    this.fit = Math.max(Math.min((this.wide - l - r) / this.size[0], (this.high - t - b) / this.size[1]), 1e-6);
    if (!this.free) this.whole();
  }
  whole(): void {
    const [l, r, t, b] = this.margins;
    this.free = false; this.k = this.fit;
    this.x = this.size[0] / 2 - (l - r) / 2 / this.k; this.y = this.size[1] / 2 - (b - t) / 2 / this.k;
  }
  zoom(sx: number, sy: number, by: number): void {
    const [x, y] = this.at(sx, sy);
    this.k = clamp(this.k * by, this.fit * .7, this.fit * 14);
    this.x = x - (sx - this.wide / 2) / this.k; this.y = y + (sy - this.high / 2) / this.k;
    this.free = true; this.hold();
  }
  pan(dx: number, dy: number): void { this.x -= dx / this.k; this.y += dy / this.k; this.free = true; this.hold(); }
  private hold(): void { this.x = clamp(this.x, 0, this.size[0]); this.y = clamp(this.y, 0, this.size[1]); }
}
