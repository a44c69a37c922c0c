/* What is drawn over the ground while somebody thinks: where a unit may go, who is near, who sees whom, what is aimed at. */

import { reachOf, riseOf, type Upright } from "../moving/kept";
import { STEP, type Area, type Feature, type Point, type Ring, type Sight, type Template } from "../protocol";
import type { Game } from "../game.svelte";
import type { Pointer, Sketch } from "../game/drawn";
import type { Ghost, Plan } from "../game/plan";
import { clamp } from "../../../src/sandtable/page/drawing.js";
import type { Box } from "./badges";
import type { Camera } from "./camera";
import type { Body } from "./closest";
import { basePath, drawModel } from "./models";
import { FONT, INK, sideStyle } from "./style";
import { tell, trace, within } from "./terrain";
import type { Together } from "./together";

type C = CanvasRenderingContext2D;
const NEARBY = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
].map(([x, y]) => [(x * STEP) / 4, (y * STEP) / 4]); // about a place
const WIDE = 4 * STEP; // rings that are wider lie over each other

export function caption(c: C, text: string, x: number, y: number, colour: string, size = 12): void {
  c.save();
  c.globalAlpha = 1;
  c.setLineDash([]);
  c.font = `600 ${size}px ${FONT}`;
  c.textAlign = "left";
  c.textBaseline = "middle";
  c.lineJoin = "round";
  c.lineWidth = 4;
  c.strokeStyle = "#fff";
  c.strokeText(text, x, y);
  c.fillStyle = colour;
  c.fillText(text, x, y);
  c.restore();
}
/** All outlines as one area, so that overlaps do not show. */
function union(
  c: C,
  cam: Camera,
  outlines: Point[][],
  fill: string,
  alpha: number,
  scratch: HTMLCanvasElement,
  dpr: number,
): void {
  scratch.width = Math.round(cam.wide * dpr);
  scratch.height = Math.round(cam.high * dpr);
  const s = scratch.getContext("2d")!;
  s.setTransform(dpr, 0, 0, dpr, 0, 0);
  s.fillStyle = fill;
  s.beginPath();
  // Outlines run one way around and holes the other, so that all of them together are one area.
  for (const outline of outlines) {
    outline.forEach(([x, y], i) => (i ? s.lineTo(cam.px(x), cam.py(y)) : s.moveTo(cam.px(x), cam.py(y))));
    s.closePath();
  }
  s.fill();
  c.globalAlpha = alpha;
  c.drawImage(scratch, 0, 0, cam.wide, cam.high);
  c.globalAlpha = 1;
}
const scratch = typeof document === "undefined" ? null : document.createElement("canvas");

/** Where a unit may go, kept as a picture until there are other areas, or other parts of the table are seen. */
export class AreaLayer {
  private image = document.createElement("canvas");
  private areas: Area[] = [];
  private seen = "";
  private labels: BandLabel[] = [];

  /** `figures`: what should be read beside the chances, such as the numbers of markers. */
  draw(c: C, cam: Camera, areas: Area[], figures: Box[], dpr: number): void {
    if (!areas.length || !scratch) return;
    const seen = [cam.k, cam.x, cam.y, cam.wide, cam.high, dpr, ...figures].join();
    if (this.areas !== areas || this.seen !== seen) {
      this.areas = areas;
      this.seen = seen;
      this.image.width = Math.round(cam.wide * dpr);
      this.image.height = Math.round(cam.high * dpr);
      const k = this.image.getContext("2d")!;
      k.setTransform(dpr, 0, 0, dpr, 0, 0);
      for (const a of [...areas].reverse())
        union(k, cam, a.outlines, a.chance < 1 ? "#e0a100" : INK.clear, a.chance < 1 ? 0.06 : 0.16, scratch, dpr);
      this.labels = bandLabels(cam, areas, figures);
    }
    c.drawImage(this.image, 0, 0, cam.wide, cam.high);
    for (const { text, x, y } of this.labels) caption(c, text, x, y, "#8a6300", 10);
  }
}
export interface BandLabel {
  text: string;
  x: number;
  y: number;
}
const FIGURE = [34, 13]; // pixels that a chance needs
const APART = 38; // pixels that chances keep from each other and from markers, where there is room
const HALF = 8; // pixels from where a roll is written to its middle
const edges = new WeakMap<Area, Point[]>();
/** Where a band ends and no lesser one does, from above. */
function edgeOf(areas: Area[], i: number): Point[] {
  const area = areas[i],
    ends = ([x, y]: Point) => !i || !NEARBY.some(([dx, dy]) => within(areas[i - 1].outlines, x + dx, y + dy));
  let found = edges.get(area);
  if (!found) {
    found = area.outlines
      .flat()
      .filter(ends)
      .sort((p, q) => q[1] - p[1]);
    edges.set(area, found);
  }
  return found;
}
const isOn = (areas: Area[], i: number, x: number, y: number): boolean =>
  within(areas[i].outlines, x, y) && !(i && within(areas[i - 1].outlines, x, y));
/** Where the rolls or chances of bands stand: each on its own band, at the upper end of that, and none over another or over what should be read. */
export function bandLabels(cam: Camera, areas: Area[], figures: Box[] = []): BandLabel[] {
  const laid: BandLabel[] = [];
  areas.forEach((a, i) => {
    if (a.chance >= 1) return;
    const text = a.needs || `${Math.round(a.chance * 100)} %`,
      spots = edgeOf(areas, i).map(([x, y]) => ({ text, x: cam.px(x) - 10, y: cam.py(y) + 7 }));
    const free = spots.filter(
      s =>
        s.x > 2 &&
        s.y > 8 &&
        s.x < cam.wide - FIGURE[0] &&
        s.y < cam.high - 8 &&
        laid.every(o => Math.abs(o.x - s.x) >= FIGURE[0] || Math.abs(o.y - s.y) >= FIGURE[1]) &&
        figures.every(
          f => s.x + FIGURE[0] < f[0] || s.x > f[2] || Math.abs(2 * s.y - f[1] - f[3]) > f[3] - f[1] + FIGURE[1],
        ),
    );
    // Its middle stands on the band; and in a heap nobody sees which is which.
    const apart = (s: BandLabel) =>
        laid.every(o => Math.hypot(o.x - s.x, o.y - s.y) >= APART) &&
        figures.every(f => Math.hypot(s.x + HALF - (f[0] + f[2]) / 2, s.y - (f[1] + f[3]) / 2) >= APART),
      own = free.filter(s => isOn(areas, i, ...cam.at(s.x + HALF, s.y))),
      found = own.find(apart) ?? own[0] ?? free[0];
    if (found) laid.push(found);
  });
  return laid;
}
/** Where somebody is not seen. */
export function drawShade(c: C, cam: Camera, outlines: Point[][], name: string, dpr: number): void {
  if (!outlines.length || !scratch) return;
  union(c, cam, outlines, INK.text, 0.2, scratch, dpr);
  if (!name) return;
  const top = outlines.flat().reduce((best, p) => (p[1] > best[1] ? p : best));
  caption(c, name, Math.min(cam.px(top[0]), cam.wide - 150), Math.max(cam.py(top[1]), 0) + 9, INK.text, 11);
}
/** Around enemies the distance that one keeps, as a ring from the edge of each base; wide ones are shaded as one area. */
export function drawKeepOut(c: C, cam: Camera, game: Game, unit: number, ring: Ring): void {
  const { far, name } = ring,
    planned = game.plan?.decision === game.decision?.id ? (game.plan?.ghosts ?? []) : [],
    standing = game.standing(unit).map(model => ({ model, z: game.at(model).z })),
    own = (planned.length ? planned : standing).map(({ model, z }): Upright => ({
      z,
      thick: game.baseOf(model).thick,
    })),
    wide = far > WIDE && !!scratch,
    edge = 60 + (wide ? far * cam.k : 0),
    dpr = c.canvas.width / cam.wide;
  if (wide) {
    scratch.width = c.canvas.width;
    scratch.height = c.canvas.height;
  }
  const s = wide ? scratch.getContext("2d")! : c;
  s.save();
  s.strokeStyle = INK.blocked;
  s.fillStyle = INK.blocked;
  if (wide) {
    s.setTransform(dpr, 0, 0, dpr, 0, 0);
  } else {
    s.lineWidth = 1;
    s.setLineDash([5, 4]);
  }
  let told: [number, number] | null = null;
  for (let u = 0; u < game.view.units.length; u++) {
    if (u === unit || !game.isEnemy(u, unit)) continue;
    for (const m of game.standing(u)) {
      const at = game.at(m),
        base = game.baseOf(m),
        x = cam.px(at.x),
        y = cam.py(at.y),
        // Who stands on other floors may be out of it, or need not keep so far away.
        other = { z: at.z, thick: base.thick },
        reach = own.length ? Math.max(...own.map(o => reachOf(ring, riseOf(o, other)))) : far,
        out = (base.radius + reach) * cam.k;
      if (reach < 0) continue;
      if (x < -edge || y < -edge || x > cam.wide + edge || y > cam.high + edge) continue;
      basePath(s, cam, base, at, reach * cam.k);
      // A stroke as wide as that would leave a hole in its middle.
      if (wide) s.fill();
      else {
        s.globalAlpha = 0.05;
        s.fill();
        s.globalAlpha = 0.5;
        s.stroke();
      }
      told ??= [Math.min(Math.max(x + out * 0.72, 4), cam.wide - 7 * name.length), Math.max(y - out * 0.72, 12)];
    }
  }
  s.restore();
  if (wide) {
    c.globalAlpha = 0.13;
    c.drawImage(scratch, 0, 0, cam.wide, cam.high);
    c.globalAlpha = 1;
  }
  if (told && (wide || cam.k * STEP > 14)) caption(c, name, ...told, INK.blocked, 10);
}
/** Links between models of a unit that are near enough to count as together; those who do not stand with the rest are ringed. */
export function drawLinks(c: C, cam: Camera, { links, apart, bodies }: Together): void {
  c.lineWidth = 1.2;
  c.strokeStyle = INK.clear;
  c.globalAlpha = 0.55;
  for (const [a, b] of links) {
    const [p, q] = [bodies.get(a)!.at, bodies.get(b)!.at];
    c.beginPath();
    c.moveTo(cam.px(p.x), cam.py(p.y));
    c.lineTo(cam.px(q.x), cam.py(q.y));
    c.stroke();
  }
  c.globalAlpha = 1;
  for (const m of apart) ringAround(c, cam, bodies.get(m)!);
}
/** A red ring around a base, a little outside its edge. */
export function ringAround(c: C, cam: Camera, { base, at }: Body): void {
  c.lineWidth = 2;
  c.strokeStyle = INK.blocked;
  basePath(c, cam, base, at, 5);
  c.stroke();
}

export function drawPlaceArea(c: C, cam: Camera, area: Point[]): void {
  trace(c, cam, area);
  c.globalAlpha = 0.12;
  c.fillStyle = INK.clear;
  c.fill();
  c.globalAlpha = 0.9;
  c.lineWidth = 2;
  c.strokeStyle = INK.clear;
  c.setLineDash([8, 5]);
  c.stroke();
  c.setLineDash([]);
  c.globalAlpha = 1;
}
/** What the space bar would do, as thin outlines. */
export function drawUsual(c: C, cam: Camera, game: Game, ghosts: Ghost[]): void {
  c.setLineDash([3, 3]);
  c.lineWidth = 1.2;
  c.strokeStyle = "#6a5d45";
  c.globalAlpha = 0.75;
  for (const g of ghosts) {
    basePath(c, cam, game.baseOf(g.model), g, 0);
    c.stroke();
  }
  c.setLineDash([]);
  c.globalAlpha = 1;
}
/** How far a template reaches around its middle. */
export const radiusOf = (d: Template): number => Number(d.about.radius ?? 0) || 6 * STEP;
/** The same for a way through the air, and for templates. */
export function drawUsualSketch(c: C, cam: Camera, { legs, circles }: Sketch): void {
  c.save();
  c.setLineDash([3, 3]);
  c.lineWidth = 1.6;
  c.strokeStyle = "#6a5d45";
  c.beginPath();
  legs.forEach(([x, y], i) => (i ? c.lineTo(cam.px(x), cam.py(y)) : c.moveTo(cam.px(x), cam.py(y))));
  for (const { x, y, radius } of circles) {
    c.moveTo(cam.px(x) + radius * cam.k, cam.py(y));
    c.arc(cam.px(x), cam.py(y), radius * cam.k, 0, 7);
  }
  c.stroke();
  c.restore();
}
/** The colour of each ghost: red who is in the wrong, amber who had to go elsewhere than the hand wanted; the others are in nobody's way. */
export function inkOf(plan: Plan, ghost: Ghost): "unjudged" | "blocked" | "amber" | "clear" {
  if (!plan.verdict) return "unjudged";
  const named = (plan.verdict.reasons ?? [])
    .flatMap(r => r.models ?? [])
    .filter(m => plan.ghosts.some(g => g.model === m));
  if (!plan.verdict.ok && (!named.length || named.includes(ghost.model))) return "blocked";
  return ghost.short ? "amber" : plan.verdict.ok ? "clear" : "unjudged";
}
export function drawGhosts(c: C, cam: Camera, game: Game, plan: Plan): void {
  const colour = plan.verdict ? (plan.verdict.ok ? INK.clear : INK.blocked) : INK.unjudged;
  let far: Ghost | null = null,
    most = 0;
  for (const g of plan.ghosts) {
    const ink = INK[inkOf(plan, g)];
    if (g.way.length > 1) {
      c.beginPath();
      g.way.forEach(([x, y], i) => (i ? c.lineTo(cam.px(x), cam.py(y)) : c.moveTo(cam.px(x), cam.py(y))));
      c.lineWidth = 1.3;
      c.strokeStyle = ink;
      c.globalAlpha = 0.55;
      c.setLineDash([2, 4]);
      c.stroke();
      c.setLineDash([]);
      c.globalAlpha = 1;
    }
    drawModel(c, cam, game.baseOf(g.model), g, {
      style: sideStyle(game.sideOf(game.unitOf(g.model))),
      ghost: ink,
      halo: game.actor?.picked?.has(g.model) ? INK.amber : undefined,
      unsure: !plan.verdict,
    });
    const long = g.way.reduce(
      (sum, p, i) => (i ? sum + Math.hypot(p[0] - g.way[i - 1][0], p[1] - g.way[i - 1][1]) : 0),
      0,
    );
    if (long > most) {
      most = long;
      far = g;
    }
  }
  if (!far || most < 8) return;
  const long = taped(most, plan, game.ground.unit);
  c.font = `600 12px ${FONT}`;
  const room = cam.wide - c.measureText(long).width - 6;
  caption(c, long, Math.max(Math.min(cam.px(far.x) + 14, room), 6), cam.py(far.y) - 16, colour);
}
/** What the tape says beside who goes furthest; of a place that nobody gets to, how far it was wanted: the ghosts stop short of it. */
function taped(most: number, { limit, wanted }: Plan, unit: string): string {
  const bound = limit > 0 && limit < 1 << 28 ? tell(limit, unit) : "",
    long = tell(Math.max(most, wanted ?? 0), unit);
  // What is too far by a hair must not read as if it just fitted.
  if (wanted && long === bound) return `> ${long}`;
  if (wanted && bound) return `wanted ${long}, at most ${bound}`;
  return bound ? `${long} / ${bound}` : long;
}
/** `at`: where models stand, or stood when they looked. */
export function drawSight(
  c: C,
  cam: Camera,
  features: Feature[],
  sight: Sight,
  at: (model: number) => { x: number; y: number },
): void {
  c.lineWidth = 1.2;
  for (const s of sight.seen) {
    const from = at(s.model),
      to = at(s.target);
    c.beginPath();
    if (s.line) {
      c.moveTo(cam.px(s.line[0]), cam.py(s.line[1]));
      c.lineTo(cam.px(s.line[2]), cam.py(s.line[3]));
      c.strokeStyle = s.fully ? INK.clear : INK.amber;
      c.setLineDash([]);
    } else {
      c.moveTo(cam.px(from.x), cam.py(from.y));
      c.lineTo(cam.px(to.x), cam.py(to.y));
      c.strokeStyle = INK.blocked;
      c.setLineDash([3, 5]);
    }
    c.globalAlpha = 0.8;
    c.stroke();
  }
  c.setLineDash([]);
  c.globalAlpha = 1;
  for (const i of sight.blocked) {
    const f = features[i];
    if (!f) continue;
    trace(c, cam, f.outline);
    c.lineWidth = 2.5;
    c.strokeStyle = INK.blocked;
    c.globalAlpha = 0.8;
    c.stroke();
    c.globalAlpha = 1;
  }
}
/** An ink that goes over from one colour to another, so that one sees from afar who means whom. */
function between(c: C, [ax, ay]: Point, [bx, by]: Point, one: string, other: string): CanvasGradient {
  const ink = c.createLinearGradient(ax, ay, bx, by);
  ink.addColorStop(0.35, one);
  ink.addColorStop(0.65, other);
  return ink;
}
export function drawPointers(c: C, cam: Camera, pointers: Pointer[]): void {
  for (const p of pointers) {
    const [ax, ay, bx, by] = [cam.px(p.from[0]), cam.py(p.from[1]), cam.px(p.to[0]), cam.py(p.to[1])],
      a = Math.atan2(by - ay, bx - ax);
    const [one, other] = (p.sides ?? []).map(side => sideStyle(side).dark),
      colour = other ?? (p.kind === "front" ? INK.clear : INK.text);
    c.lineWidth = p.kind === "fire" ? 2.6 : 1.6;
    c.strokeStyle = "#fff";
    c.globalAlpha = 0.8;
    c.beginPath();
    c.moveTo(ax, ay);
    c.lineTo(bx, by);
    c.lineWidth += 2.4;
    c.stroke();
    c.globalAlpha = 1;
    c.strokeStyle = one ? between(c, [ax, ay], [bx, by], one, colour) : colour;
    c.lineWidth -= 2.4;
    c.setLineDash(p.kind === "front" ? [6, 4] : []);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = colour;
    c.beginPath();
    if (p.kind === "tape") {
      for (const [x, y] of [
        [ax, ay],
        [bx, by],
      ]) {
        c.moveTo(x + 3, y);
        c.arc(x, y, 3, 0, 7);
      }
    } else {
      c.moveTo(bx, by);
      c.lineTo(bx - 10 * Math.cos(a - 0.4), by - 10 * Math.sin(a - 0.4));
      c.lineTo(bx - 10 * Math.cos(a + 0.4), by - 10 * Math.sin(a + 0.4));
    }
    c.fill();
    if (p.text) caption(c, p.text, (ax + bx) / 2 + 8, (ay + by) / 2 - 8, colour);
  }
}
/** Where keys point at. */
export function drawCross(c: C, cam: Camera, [x, y]: [number, number]): void {
  const px = cam.px(x),
    py = cam.py(y);
  for (const [wide, colour] of [
    [5, "#fff"],
    [2, INK.text],
  ] as const) {
    c.lineWidth = wide;
    c.strokeStyle = colour;
    c.beginPath();
    c.arc(px, py, 9, 0, 7);
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ]) {
      c.moveTo(px + 4 * dx, py + 4 * dy);
      c.lineTo(px + 16 * dx, py + 16 * dy);
    }
    c.stroke();
  }
}
export function drawSketch(c: C, cam: Camera, sketch: Sketch): void {
  if (sketch.legs.length > 1) {
    c.beginPath();
    sketch.legs.forEach(([x, y], i) => (i ? c.lineTo(cam.px(x), cam.py(y)) : c.moveTo(cam.px(x), cam.py(y))));
    c.lineJoin = "round";
    c.lineWidth = 5;
    c.strokeStyle = "#fff";
    c.globalAlpha = 0.8;
    c.stroke();
    c.globalAlpha = 1;
    c.lineWidth = 2.4;
    c.strokeStyle = INK.text;
    c.stroke();
    const [[ax, ay], [bx, by]] = sketch.legs.slice(-2).map(([x, y]) => [cam.px(x), cam.py(y)]),
      a = Math.atan2(by - ay, bx - ax);
    c.beginPath();
    c.moveTo(bx, by);
    c.lineTo(bx - 12 * Math.cos(a - 0.4), by - 12 * Math.sin(a - 0.4));
    c.lineTo(bx - 12 * Math.cos(a + 0.4), by - 12 * Math.sin(a + 0.4));
    c.fillStyle = INK.text;
    c.fill();
    sketch.told?.forEach((text, i) => {
      const [p, q] = [sketch.legs[i], sketch.legs[i + 1]];
      if (q) caption(c, text, cam.px((p[0] + q[0]) / 2) + 8, cam.py((p[1] + q[1]) / 2) - 10, INK.text, 11);
    });
  }
  for (const t of sketch.circles) {
    c.beginPath();
    c.arc(cam.px(t.x), cam.py(t.y), t.radius * cam.k, 0, 7);
    c.globalAlpha = 0.18;
    c.fillStyle = INK.blocked;
    c.fill();
    c.globalAlpha = 1;
    c.lineWidth = 1.6;
    c.strokeStyle = INK.blocked;
    c.stroke();
    caption(c, t.text, cam.px(t.x) - 12, cam.py(t.y), INK.blocked, 10);
  }
  for (const p of sketch.points) {
    c.beginPath();
    c.arc(cam.px(p.x), cam.py(p.y), 6, 0, 7);
    c.fillStyle = INK.text;
    c.fill();
    c.lineWidth = 2;
    c.strokeStyle = "#fff";
    c.stroke();
    caption(c, p.text, cam.px(p.x) + 10, cam.py(p.y), INK.text, 11);
  }
}
/** How far a unit's weapons carry from where it stands, and from where it could stand. */
export function drawThreat(c: C, cam: Camera, game: Game, unit: number, range: number, move: number): void {
  const outer: Point[][] = [],
    inner: Point[][] = [],
    ring = (x: number, y: number, r: number): Point[] =>
      Array.from({ length: 40 }, (_, i) => [
        x + r * Math.cos((i / 20) * Math.PI),
        y + r * Math.sin((i / 20) * Math.PI),
      ]);
  for (const m of game.standing(unit)) {
    const at = game.at(m),
      base = game.baseOf(m).long / 2;
    inner.push(ring(at.x, at.y, range + base));
    outer.push(ring(at.x, at.y, range + move + base));
  }
  if (!scratch) return;
  const colour = sideStyle(game.sideOf(unit)).colour,
    dpr = Math.min(devicePixelRatio || 1, 2),
    { width, depth } = game.ground.table;
  c.save();
  c.beginPath();
  c.rect(cam.px(0), cam.py(depth), width * cam.k, depth * cam.k);
  c.clip();
  if (move) union(c, cam, outer, colour, 0.08, scratch, dpr);
  if (range) union(c, cam, inner, colour, 0.13, scratch, dpr);
  c.restore();
}
/** The same in words: what each of the two areas is, near its upper edge or its lower one, where that is on no label. */
export function nameThreat(
  c: C,
  cam: Camera,
  game: Game,
  { unit, range, move }: { unit: number; range: number; move: number },
  labels: Box[],
): Told[] {
  const models = game.standing(unit),
    dark = sideStyle(game.sideOf(unit)).dark,
    short = game.ground.unit,
    told: Told[] = [];
  if (!models.length) return told;
  const name = (text: string, far: number) => {
    c.font = `600 ${NAME}px ${FONT}`;
    const spots = edgesOf(game, cam, models, far, c.measureText(text).width),
      taken = [...labels, ...told.map(t => t.box)],
      bad = (box: Box) => taken.filter(t => meet(box, t)).length,
      box = spots.reduce((best, spot) => (bad(spot) < bad(best) ? spot : best));
    told.push({ text, box });
    caption(c, text, box[0], (box[1] + box[3]) / 2, dark, NAME);
  };
  if (move) name(range ? `after a move of ${tell(move, short)}` : `a move of ${tell(move, short)}`, range + move);
  if (range) name(`weapons ${tell(range, short)}`, range);
  return told;
}
/** Words that were written, and where. */
export interface Told {
  text: string;
  box: Box;
}
const NAME = 11; // pixels of letters
const meet = (a: Box, b: Box) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
/** Where words have room inside the edge of an area around models: above its middle first, then beside that, then below. */
function edgesOf(game: Game, cam: Camera, models: number[], far: number, wide: number): Box[] {
  const at = (y: number, from: number): Box[] => {
    const top = models.reduce((best, m) => (from * (game.at(m).y - game.at(best).y) > 0 ? m : best)),
      x = cam.px(game.at(top).x);
    return [0, 1, -1, 2, -2, 3, -3].flatMap(step => {
      const left = clamp(x - wide / 2 + step * 60, 4, Math.max(cam.wide - wide - 4, 4));
      return [0, 14, 28].map((down): Box => [left, y - 7 + from * down, left + wide, y + 7 + from * down]);
    });
  };
  const { depth } = game.ground.table,
    reach = (m: number) => game.baseOf(m).long / 2 + far,
    upper = Math.max(cam.py(Math.min(Math.max(...models.map(m => game.at(m).y + reach(m))), depth)), 0) + 10,
    lower = Math.min(cam.py(Math.max(Math.min(...models.map(m => game.at(m).y - reach(m))), 0)), cam.high) - 10;
  return [...at(upper, 1), ...at(lower, -1)];
}
