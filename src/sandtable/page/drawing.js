/* How a table looks on a canvas: ground, zones, terrain and rulers, models, markers and badges.

   The browser table and the replay page both draw with this file, so that a battle looks the same wherever it is seen:
   the one imports it, and the other holds it, which is why all that it exports stands in one list at its end. It knows
   nothing but what it is handed: a canvas, a camera, colours and places. Lengths are grid steps, points are [x, y]. */

/** @typedef {CanvasRenderingContext2D} C */
/** @typedef {[number, number]} Point */
/** @typedef {[number, number, number, number]} Box Left, low, right, high: on the screen the second is the upper edge. */
/** @typedef {{ colour: string, dark: string, badge: "round" | "square" | "cut" | "dashed", sign: "plain" | "ring" | "dot" | "bar" }} SideStyle */
/** @typedef {{ fill: string, line: string, texture: string }} Kind */
/** @typedef {{ ground: string, grid: string, frame: string, wall: string, neutral: string, quiet: string, text: string }} Ink */

const STEP = 1024,
  TURN = 4096;
const FONT =
  'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "Noto Sans", sans-serif';
const HURT = "#ffd257";

/** @type {(value: number, least: number, most: number) => number} */
const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
/** @type {(unit: string) => string} */
const unitSign = (unit) => (unit === "in" ? "″" : ` ${unit}`);
/** @type {(steps: number) => string} */
const figure = (steps) => String(Math.round((steps / STEP) * 10) / 10);
/** A length in words. @type {(steps: number, unit: string) => string} */
const tell = (steps, unit) => figure(steps) + unitSign(unit);

/* ---- which part of the table is seen ---- */

/** Grid steps to pixels and back. */
class Camera {
  wide = 1;
  high = 1;
  k = 1;
  x = 0;
  y = 0;
  fit = 1;
  free = false;

  /**
   * @param {Point} size of the table
   * @param {(wide: number) => [number, number, number, number]} margins Room beside the table: left, right, above, below.
   */
  constructor(size, margins) {
    this.size = size;
    this.margins = margins;
    this.x = size[0] / 2;
    this.y = size[1] / 2;
  }

  px = (/** @type {number} */ x) => this.wide / 2 + (x - this.x) * this.k;
  py = (/** @type {number} */ y) => this.high / 2 - (y - this.y) * this.k;
  /** @type {(sx: number, sy: number) => Point} */
  at = (sx, sy) => [
    this.x + (sx - this.wide / 2) / this.k,
    this.y - (sy - this.high / 2) / this.k,
  ];

  /** @param {number} wide @param {number} high */
  resize(wide, high) {
    this.wide = Math.max(wide, 10);
    this.high = Math.max(high, 10);
    const [l, r, t, b] = this.margins(this.wide);
    this.fit = Math.max(
      Math.min(
        (this.wide - l - r) / this.size[0],
        (this.high - t - b) / this.size[1],
      ),
      1e-6,
    );
    if (!this.free) this.whole();
  }
  whole() {
    const [l, r, t, b] = this.margins(this.wide);
    this.free = false;
    this.k = this.fit;
    this.x = this.size[0] / 2 - (l - r) / 2 / this.k;
    this.y = this.size[1] / 2 - (b - t) / 2 / this.k;
  }
  /** @param {number} sx @param {number} sy @param {number} by */
  zoom(sx, sy, by) {
    const [x, y] = this.at(sx, sy);
    this.k = clamp(this.k * by, this.fit * 0.7, this.fit * 14);
    this.x = x - (sx - this.wide / 2) / this.k;
    this.y = y + (sy - this.high / 2) / this.k;
    this.free = true;
    this.hold();
  }
  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.k;
    this.y += dy / this.k;
    this.free = true;
    this.hold();
  }
  hold() {
    this.x = clamp(this.x, 0, this.size[0]);
    this.y = clamp(this.y, 0, this.size[1]);
  }
}

/* ---- outlines ---- */

/** @param {C} c @param {Camera} cam @param {Point[]} points */
function trace(c, cam, points) {
  c.beginPath();
  points.forEach(([x, y], i) =>
    i ? c.lineTo(cam.px(x), cam.py(y)) : c.moveTo(cam.px(x), cam.py(y)),
  );
  c.closePath();
}
/** @param {Point[]} points @returns {Box} */
function boxOf(points) {
  const xs = points.map((p) => p[0]),
    ys = points.map((p) => p[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
/** Whether a place lies within an outline. @param {Point[]} points @param {number} x @param {number} y */
function holds(points, x, y) {
  let odd = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [ax, ay] = points[j],
      [bx, by] = points[i];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax)
      odd = !odd;
  }
  return odd;
}
/** @param {Point[]} points @param {number} share @returns {Point[]} */
function shrunk(points, share) {
  const b = boxOf(points),
    cx = (b[0] + b[2]) / 2,
    cy = (b[1] + b[3]) / 2;
  return points.map(([x, y]) => [cx + (x - cx) * share, cy + (y - cy) * share]);
}

/* ---- terrain ---- */

/**
 * @typedef {object} Feature
 * @property {string} kind
 * @property {Point[]} outline
 * @property {string} [name]
 * @property {number} [top]
 * @property {boolean} [solid]
 * @property {{ a: Point, b: Point, thickness: number, top?: number }[]} [walls]
 * @property {{ z: number, outline: Point[] }[]} [floors]
 */

/** @param {C} c @param {Camera} cam @param {Point[]} outline @param {Kind} kind @param {number} grain */
function texture(c, cam, outline, kind, grain) {
  const b = boxOf(outline),
    t = kind.texture;
  c.lineWidth = 0.7;
  c.strokeStyle = kind.line;
  if (t === "hatch" || t === "waves") {
    c.save();
    trace(c, cam, outline);
    c.clip();
    c.globalAlpha = 0.5;
    c.beginPath();
    const pace = grain * 0.95;
    if (t === "waves")
      for (let y = b[1] - (b[1] % pace); y < b[3]; y += pace) {
        c.moveTo(cam.px(b[0]), cam.py(y));
        c.lineTo(cam.px(b[2]), cam.py(y));
      }
    else
      for (
        let d = Math.floor((b[0] + b[1]) / pace / 1.4) * pace * 1.4;
        d < b[2] + b[3];
        d += pace * 1.4
      ) {
        c.moveTo(cam.px(d - b[1]), cam.py(b[1]));
        c.lineTo(cam.px(d - b[3]), cam.py(b[3]));
      }
    c.stroke();
    c.restore();
  } else if (t === "contour") {
    c.globalAlpha = 0.7;
    for (const share of [0.78, 0.55]) {
      trace(c, cam, shrunk(outline, share));
      c.stroke();
    }
    c.globalAlpha = 1;
  } else if (t === "crater") {
    trace(c, cam, shrunk(outline, 0.7));
    c.fillStyle = "#d6c49d";
    c.fill();
    c.stroke();
  } else if (t === "trees" || t === "rubble") {
    scatter(c, cam, outline, kind, grain);
  }
}
/** @param {C} c @param {Camera} cam @param {Point[]} outline @param {Kind} kind @param {number} grain */
function scatter(c, cam, outline, kind, grain) {
  const b = boxOf(outline),
    trees = kind.texture === "trees",
    pace = grain * (trees ? 2.1 : 1.3),
    size = trees ? [0.45, 0.78] : [0.13, 0.28];
  let seed = 1,
    row = 0;
  for (let y = b[1] + pace / 2; y < b[3] && row < 120; y += pace * 0.87, row++)
    for (let x = b[0] + (row % 2 ? pace / 2 : pace); x < b[2]; x += pace) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const a = (((seed / 256) | 0) % 100) / 100 - 0.5,
        o = (((seed / 65536) | 0) % 100) / 100,
        r = grain * (size[0] + (size[1] - size[0]) * o);
      const x2 = x + a * pace * 0.5,
        y2 = y + (o - 0.5) * pace * 0.5;
      if (
        ![
          [0, 0],
          [r, 0],
          [-r, 0],
          [0, r],
          [0, -r],
        ].every(([dx, dy]) => holds(outline, x2 + dx, y2 + dy))
      )
        continue;
      c.beginPath();
      c.arc(cam.px(x2), cam.py(y2), r * cam.k, 0, 7);
      c.fillStyle = trees ? "#a9c08a" : kind.line;
      c.globalAlpha = trees ? 0.85 : 0.55;
      c.fill();
      if (trees) c.stroke();
      c.globalAlpha = 1;
    }
}
/** @param {C} c @param {Camera} cam @param {Feature} f @param {Kind} kind @param {string} wall @param {number} grain */
function drawFeature(c, cam, f, kind, wall, grain) {
  trace(c, cam, f.outline);
  c.fillStyle = kind.fill;
  c.fill();
  texture(c, cam, f.outline, kind, grain);
  if (kind.texture !== "flat") {
    trace(c, cam, f.outline);
    c.strokeStyle = kind.line;
    c.lineWidth = 1.1;
    c.setLineDash(
      f.solid || f.walls?.length || kind.texture !== "none" ? [] : [4, 3],
    );
    c.stroke();
    c.setLineDash([]);
  }
  if (f.solid) {
    trace(c, cam, shrunk(f.outline, 0.9));
    c.lineWidth = 0.7;
    c.stroke();
  }
  for (const floor of f.floors ?? []) {
    trace(c, cam, floor.outline);
    c.globalAlpha = 0.72;
    c.fillStyle = "#faf7f0";
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = kind.line;
    c.lineWidth = 0.8;
    c.stroke();
  }
  c.strokeStyle = wall;
  c.lineCap = "round";
  for (const w of f.walls ?? []) {
    c.lineWidth = Math.max(w.thickness * cam.k, 3);
    c.beginPath();
    c.moveTo(cam.px(w.a[0]), cam.py(w.a[1]));
    c.lineTo(cam.px(w.b[0]), cam.py(w.b[1]));
    c.stroke();
  }
  c.lineCap = "butt";
}
/** How high a feature is, its walls included. @param {Feature} f */
function topOf(f) {
  return Math.max(f.top ?? 0, ...(f.walls ?? []).map((w) => w.top ?? 0));
}

/** @param {C} c @param {Camera} cam @param {Feature} f @param {string} paper @param {string} unit */
function labelFeature(c, cam, f, paper, unit) {
  const b = boxOf(f.outline),
    w = (b[2] - b[0]) * cam.k,
    h = (b[3] - b[1]) * cam.k;
  const size = clamp(9.5 * Math.sqrt(cam.k / cam.fit), 9, 13),
    top = topOf(f),
    height = top > 0 ? ` ${tell(top, unit)}` : "";
  c.font = `${size}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.lineJoin = "round";
  const name = f.name || f.kind;
  let text = name + height;
  if (c.measureText(text).width > w * 1.05) text = name;
  if (c.measureText(text).width > w * 1.05) text = height.trim();
  const x = cam.px((b[0] + b[2]) / 2),
    y = cam.py(b[1]) - size * 0.85,
    fits = text && h > size * 1.2 && c.measureText(text).width < w * 1.3;
  if (fits) {
    c.lineWidth = 3;
    c.strokeStyle = paper;
    c.strokeText(text, x, y);
    c.fillStyle = "#62594b";
    c.fillText(text, x, y);
  }
  labelFloors(c, cam, f.floors ?? [], size, unit, fits ? y - size : Infinity);
}
/** Floors above each other share a corner, and so a label; it gives way to what stands below. @param {C} c @param {Camera} cam @param {{ z: number, outline: Point[] }[]} floors @param {number} size @param {string} unit @param {number} lowest */
function labelFloors(c, cam, floors, size, unit, lowest) {
  /** @type {Map<string, [Box, number[]]>} */
  const corners = new Map();
  for (const floor of floors) {
    const p = boxOf(floor.outline),
      key = `${p[2]},${p[3]}`,
      known = corners.get(key);
    if (known) known[1].push(floor.z);
    else corners.set(key, [p, [floor.z]]);
  }
  c.font = `${size - 1}px ${FONT}`;
  c.textAlign = "right";
  c.fillStyle = "#7d7465";
  for (const [p, heights] of corners.values()) {
    const room =
        cam.py(p[3]) + size * 0.8 < lowest ? (p[2] - p[0]) * cam.k - 8 : 0,
      words = heights.sort((a, z) => a - z).map(figure),
      sign = unitSign(unit);
    let label = words.join(" · ") + sign;
    if (c.measureText(label).width > room)
      label = words[words.length - 1] + sign;
    if (c.measureText(label).width <= room)
      c.fillText(label, cam.px(p[2]) - 4, cam.py(p[3]) + size * 0.8);
  }
}

/* ---- the ground ---- */

/**
 * @typedef {object} Plan The ground with everything that lies on it.
 * @property {Point} size
 * @property {string} unit
 * @property {Feature[]} features
 * @property {{ outline: Point[], colour: string, name: string }[]} zones
 * @property {boolean} early Whether armies are being set up: zones are plain then, and only hinted at afterwards.
 * @property {number} pace From line to line of the grid.
 * @property {boolean} [narrow] Whether there is no room beside the table.
 * @property {(kind: string) => Kind} kindOf
 * @property {Ink} ink
 * @property {string} [dusk] A colour that dims the table, where everything around it is dark.
 */

/** @param {C} c @param {Camera} cam @param {Plan} plan */
function drawZones(c, cam, plan) {
  for (const { outline, colour, name } of plan.zones) {
    const b = boxOf(outline);
    trace(c, cam, outline);
    c.globalAlpha = plan.early ? 0.13 : 0.05;
    c.fillStyle = colour;
    c.fill();
    c.globalAlpha = plan.early ? 0.8 : 0.4;
    c.strokeStyle = colour;
    c.lineWidth = 1.2;
    c.setLineDash([7, 5]);
    c.stroke();
    c.setLineDash([]);
    if (plan.early && !plan.narrow) {
      const low = (b[1] + b[3]) / 2 < plan.size[1] / 2;
      c.globalAlpha = 0.9;
      c.font = `11px ${FONT}`;
      c.textAlign = "left";
      c.textBaseline = low ? "bottom" : "top";
      c.fillStyle = colour;
      c.fillText(
        name,
        cam.px(b[0]) + 8,
        low ? cam.py(b[1]) - 6 : cam.py(b[3]) + 6,
      );
    }
    c.globalAlpha = 1;
  }
}
/** Flat things lie under high ones. @type {Record<string, number>} */
const LAYER = { flat: 0, waves: 1, contour: 2 };

/** @param {C} c @param {Camera} cam @param {Plan} plan */
function drawGround(c, cam, plan) {
  const { ink, pace } = plan,
    [W, H] = plan.size,
    x0 = cam.px(0),
    y0 = cam.py(H),
    w = W * cam.k,
    h = H * cam.k,
    grain = W / 120;
  // Shadows do not grow with the canvas as all else does.
  const sharp = c.getTransform().a;
  c.save();
  c.shadowColor = "rgba(60,45,15,.28)";
  c.shadowBlur = 16 * sharp;
  c.shadowOffsetY = 3 * sharp;
  c.fillStyle = ink.ground;
  c.fillRect(x0, y0, w, h);
  c.restore();
  c.strokeStyle = ink.grid;
  c.lineWidth = 0.9;
  c.beginPath();
  for (let x = pace; x < W; x += pace) {
    c.moveTo(cam.px(x), y0);
    c.lineTo(cam.px(x), y0 + h);
  }
  for (let y = pace; y < H; y += pace) {
    c.moveTo(x0, cam.py(y));
    c.lineTo(x0 + w, cam.py(y));
  }
  c.stroke();
  drawZones(c, cam, plan);
  const all = plan.features.map((f, i) => ({
    f,
    i,
    kind: plan.kindOf(f.kind),
  }));
  all.sort(
    (a, b) =>
      (LAYER[a.kind.texture] ?? 3) - (LAYER[b.kind.texture] ?? 3) || a.i - b.i,
  );
  c.save();
  c.beginPath();
  c.rect(x0, y0, w, h);
  c.clip();
  c.lineJoin = "round";
  for (const { f, kind } of all) drawFeature(c, cam, f, kind, ink.wall, grain);
  for (const { f, kind } of all) labelFeature(c, cam, f, kind.fill, plan.unit);
  if (plan.dusk) {
    c.globalCompositeOperation = "multiply";
    c.fillStyle = plan.dusk;
    c.fillRect(x0, y0, w, h);
  }
  c.restore();
  c.strokeStyle = ink.frame;
  c.lineWidth = 1.2;
  c.strokeRect(x0, y0, w, h);
  if (!plan.narrow) drawRulers(c, cam, plan);
}
/** @param {C} c @param {Camera} cam @param {Plan} plan */
function drawRulers(c, cam, { size: [W, H], pace, unit, ink }) {
  const x0 = cam.px(0),
    y1 = cam.py(0);
  c.fillStyle = ink.quiet;
  c.font = `10px ${FONT}`;
  c.lineWidth = 1;
  c.beginPath();
  c.textBaseline = "middle";
  c.textAlign = "center";
  // The last figure tells what is counted.
  for (let x = 0; x <= W; x += pace) {
    c.moveTo(cam.px(x), y1);
    c.lineTo(cam.px(x), y1 + 5);
    c.fillText(
      x / STEP + (x + pace > W ? unitSign(unit) : ""),
      cam.px(x),
      y1 + 13,
    );
  }
  c.textAlign = "right";
  for (let y = 0; y <= H; y += pace) {
    c.moveTo(x0 - 5, cam.py(y));
    c.lineTo(x0, cam.py(y));
    c.fillText(String(y / STEP), x0 - 8, cam.py(y));
  }
  c.stroke();
}

/* ---- models ---- */

/** @typedef {{ outline: Point[], radius: number, long: number, broad: number }} Base At facing 0; without an outline it is round. */
/** @typedef {{ x: number, y: number, z: number, facing: number }} Standing */
/**
 * @typedef {object} Look How a model is shown.
 * @property {SideStyle} style
 * @property {number} [alpha]
 * @property {string} [halo] The colour of a ring around it.
 * @property {boolean} [dash]
 * @property {string} [ghost] The colour of an outline, where it does not stand yet.
 * @property {boolean} [unsure] Whether nobody has judged yet where the ghost stands.
 * @property {[number, number]} [wounds] What it has left, and what it began with.
 */

/** @param {C} c @param {Camera} cam @param {Base} base @param {Standing} at @param {number} grow in pixels */
function basePath(c, cam, base, at, grow) {
  c.beginPath();
  if (!base.outline.length) {
    c.arc(
      cam.px(at.x),
      cam.py(at.y),
      Math.max(base.radius * cam.k + grow, 0.5),
      0,
      7,
    );
    return;
  }
  const a = (at.facing / TURN) * 2 * Math.PI,
    cos = Math.cos(a),
    sin = Math.sin(a),
    by = 1 + grow / Math.max((base.long / 2) * cam.k, 1);
  base.outline.forEach(([ox, oy], i) => {
    const X = cam.px(at.x + (ox * cos - oy * sin) * by),
      Y = cam.py(at.y + (ox * sin + oy * cos) * by);
    if (i) c.lineTo(X, Y);
    else c.moveTo(X, Y);
  });
  c.closePath();
}
/** @param {C} c @param {Camera} cam @param {Base} base @param {Standing} at @param {Look} look */
function drawModel(c, cam, base, at, look) {
  const X = cam.px(at.x),
    Y = cam.py(at.y),
    across =
      (base.outline.length
        ? Math.min(base.broad, base.long) / 2
        : base.radius) * cam.k;
  if (X < -80 || Y < -80 || X > cam.wide + 80 || Y > cam.high + 80) return;
  const alpha = look.alpha ?? 1,
    { style } = look;
  c.globalAlpha = alpha;
  if (look.halo) {
    const rim = clamp(across * 0.35, 1.6, 3.2);
    basePath(c, cam, base, at, rim);
    c.lineWidth = rim;
    c.strokeStyle = look.halo;
    if (look.dash) c.setLineDash([4, 3]);
    c.stroke();
    c.setLineDash([]);
  }
  basePath(c, cam, base, at, 0);
  if (look.ghost) {
    c.fillStyle = style.colour;
    c.globalAlpha = alpha * 0.45;
    c.fill();
    c.globalAlpha = alpha;
    c.lineWidth = 2;
    c.strokeStyle = look.ghost;
    if (look.unsure) c.setLineDash([3, 3]);
    c.stroke();
    c.setLineDash([]);
  } else {
    c.fillStyle = style.colour;
    c.fill();
    c.lineWidth = across < 4 ? 0.7 : 1.1;
    c.strokeStyle = "#fff";
    c.stroke();
  }
  if (base.outline.length) drawFront(c, cam, base, at, style, alpha);
  else if (!at.z && across >= 3) drawSign(c, X, Y, across, style.sign, alpha);
  c.globalAlpha = alpha;
  if (at.z > 0 && across >= 6) {
    c.fillStyle = "#fff";
    c.font = `600 ${clamp(across, 8, 11)}px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(figure(at.z), X, Y + 0.5);
  }
  if (
    look.wounds &&
    look.wounds[0] < look.wounds[1] &&
    look.wounds[0] > 0 &&
    across > 3.5
  ) {
    const long = Math.max(across * 1.5, 9),
      top = Y + across * 0.5;
    c.fillStyle = "rgba(0,0,0,.55)";
    c.fillRect(X - long / 2 - 1, top - 1, long + 2, 5);
    c.fillStyle = HURT;
    c.fillRect(X - long / 2, top, (long * look.wounds[0]) / look.wounds[1], 3);
  }
  c.globalAlpha = 1;
}
/** Where a hull looks to. @param {C} c @param {Camera} cam @param {Base} base @param {Standing} at @param {SideStyle} style @param {number} alpha */
function drawFront(c, cam, base, at, style, alpha) {
  const a = (at.facing / TURN) * 2 * Math.PI,
    cos = Math.cos(a),
    sin = Math.sin(a),
    tip = (base.long / 2) * 0.86,
    half = Math.min(base.broad / 2, tip) * 0.5;
  c.beginPath();
  [
    [tip - half, half],
    [tip, 0],
    [tip - half, -half],
  ].forEach(([ox, oy], i) => {
    const X = cam.px(at.x + ox * cos - oy * sin),
      Y = cam.py(at.y + ox * sin + oy * cos);
    if (i) c.lineTo(X, Y);
    else c.moveTo(X, Y);
  });
  c.globalAlpha = alpha * 0.9;
  c.lineWidth = 1.3;
  c.strokeStyle = c.fillStyle = "#fff";
  if (style.sign === "bar") c.stroke();
  else {
    c.closePath();
    if (style.sign === "ring") c.stroke();
    else c.fill();
  }
}
/** @param {C} c @param {number} X @param {number} Y @param {number} across @param {SideStyle["sign"]} kind @param {number} alpha */
function drawSign(c, X, Y, across, kind, alpha) {
  c.globalAlpha = alpha * 0.78;
  c.strokeStyle = c.fillStyle = "#fff";
  c.lineWidth = across > 9 ? 1.4 : 1;
  c.beginPath();
  if (kind === "ring") {
    c.arc(X, Y, across * 0.55, 0, 7);
    c.stroke();
  } else if (kind === "dot") {
    c.arc(X, Y, across * 0.28, 0, 7);
    c.fill();
  } else if (kind === "bar") {
    c.moveTo(X - across * 0.5, Y);
    c.lineTo(X + across * 0.5, Y);
    c.stroke();
  }
}

/* ---- markers ---- */

/** @typedef {[number, number, number, number, string, number]} Marker x, y, radius, reach from its rim, label, the look of the side that holds it or -1 */

/** Markers in the colour of who holds them. @param {C} c @param {Camera} cam @param {Marker[]} markers @param {(held: number) => SideStyle} styleOf @param {Ink} ink */
function drawMarkers(c, cam, markers, styleOf, ink) {
  for (const [x, y, radius, reach, label, held] of markers) {
    const style = held >= 0 ? styleOf(held) : null,
      colour = style?.colour ?? ink.neutral,
      X = cam.px(x),
      Y = cam.py(y),
      r = Math.max(radius * cam.k, 8);
    if (reach) {
      c.beginPath();
      c.arc(X, Y, (radius + reach) * cam.k, 0, 7);
      c.globalAlpha = style ? 0.14 : 0.07;
      c.fillStyle = colour;
      c.fill();
      c.globalAlpha = 1;
      c.setLineDash([2, 3]);
      c.lineWidth = 1;
      c.strokeStyle = colour;
      c.stroke();
      c.setLineDash([]);
    }
    c.beginPath();
    c.arc(X, Y, r, 0, 7);
    c.fillStyle = style ? colour : "#fff";
    c.fill();
    c.lineWidth = 2;
    c.strokeStyle = style ? "#fff" : colour;
    c.stroke();
    c.font = `600 10.5px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    const inside = c.measureText(label).width <= 2 * r - 2;
    c.fillStyle = style ? (inside ? "#fff" : style.dark) : ink.text;
    if (!inside) {
      c.lineWidth = 3;
      c.lineJoin = "round";
      c.strokeStyle = ink.ground;
      c.strokeText(label, X, Y + r + 8);
    }
    c.fillText(label, X, inside ? Y + 0.5 : Y + r + 8);
  }
}

/* ---- badges: the name of each unit beside its models, with what lies on it ---- */

/**
 * @typedef {object} Badge
 * @property {number} unit
 * @property {string} name
 * @property {string} label Its name in short.
 * @property {string} count
 * @property {boolean} lost Whether it has lost models.
 * @property {string[]} marks
 * @property {SideStyle} style
 * @property {number} left The share of its wounds that is left.
 * @property {[number, number, number][]} models Where they are, and how far they reach, in pixels.
 * @property {string} [halo]
 * @property {boolean} [faded]
 * @property {boolean} [modest] Whether its name is told in full only where it covers nothing.
 * @property {boolean} [dim] Whether it is not concerned by what is done now.
 * @property {string} [chip] What is expected of it, before its marks.
 * @property {string} [letter] By which it is named as a target.
 */
/**
 * @typedef {object} Laid A badge with its place.
 * @property {number} unit
 * @property {Badge} badge
 * @property {string} text
 * @property {boolean} short Whether that is its name in short.
 * @property {number} size of the letters
 * @property {number} w
 * @property {number} h
 * @property {number} first The width of its name; `second` is that of its count.
 * @property {number} second
 * @property {[string, number][]} chips Their texts and widths.
 * @property {Point} offset From the middle of the unit.
 * @property {Box} box
 */

/** The area that two boxes share. @param {Box} a @param {Box} b */
function overlap(a, b) {
  const w = Math.min(a[2], b[2]) - Math.max(a[0], b[0]),
    h = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return w > 0 && h > 0 ? w * h : 0;
}
/** The box around models, in pixels. @param {[number, number, number][]} models @returns {Box} */
function around(models) {
  const least = (/** @type {(m: [number, number, number]) => number} */ of) =>
    Math.min(...models.map(of));
  return [
    least((m) => m[0] - m[2]),
    least((m) => m[1] - m[2]),
    -least((m) => -m[0] - m[2]),
    -least((m) => -m[1] - m[2]),
  ];
}
/** The middle of a unit. @param {[number, number, number][]} models @returns {Point} */
function middleOf(models) {
  const [left, top, right, bottom] = around(models);
  return [(left + right) / 2, (top + bottom) / 2];
}
/** @param {C} c @param {Camera} cam @param {Badge} b @param {boolean} touch @param {number} letters @param {boolean} short @returns {Omit<Laid, "offset" | "box">} */
function sizeBadge(c, cam, b, touch, letters, short) {
  const small = cam.wide < 640 && !touch;
  const size = touch ? 12 : small ? 10 : 11,
    h = touch ? 26 : small ? 15 : 18;
  const plain = short
      ? b.label
      : b.name.length > letters
        ? `${b.name.slice(0, letters - 1).trimEnd()}…`
        : b.name,
    text = b.letter ? `${b.letter}  ${plain}` : plain;
  c.font = `600 ${size}px ${FONT}`;
  const first = c.measureText(text).width + (small ? 9 : 14),
    second = b.count ? c.measureText(b.count).width + (small ? 7 : 10) : 0;
  c.font = `600 10px ${FONT}`;
  const chips = [...(b.chip ? [b.chip] : []), ...b.marks.slice(0, 3)].map(
    (t) => /** @type {[string, number]} */ ([t, c.measureText(t).width + 9]),
  );
  return {
    unit: b.unit,
    badge: b,
    text,
    short,
    size,
    h,
    first,
    second,
    chips,
    w: first + second + chips.reduce((sum, [, wide]) => sum + wide + 2, 0),
  };
}
/**
 * Find for each badge where it covers least, and never another one.
 * @param {C} c @param {Camera} cam @param {Badge[]} badges
 * @param {object} room
 * @param {Box[]} room.solid Models, which are rather not covered.
 * @param {Box[]} [room.taken] Where no badge may be.
 * @param {Box[]} [room.figures] What should be read, such as the numbers of markers.
 * @param {number} [room.letters] That a name may have.
 * @param {boolean} [room.touch] Whether fingers point at badges.
 * @param {Map<number, Laid>} [room.kept] Badges that stay as they were laid, so that nothing jumps while the table is panned.
 * @param {Map<number, Point>} [room.before] Offsets that badges had, and leave only for something better.
 * @returns {Laid[]}
 */
function layBadges(
  c,
  cam,
  badges,
  {
    solid,
    taken = [],
    figures = [],
    letters = 26,
    touch = false,
    kept = new Map(),
    before = new Map(),
  },
) {
  const full = [...taken],
    models = solid.slice(0, 700), // more would take longer than a frame
    crowded = cam.wide < 640 && cam.k < cam.fit * 1.6;
  /** @type {Laid[]} */
  const laid = [];
  for (const b of badges) {
    const [cx, cy] = middleOf(b.models);
    if (cx < -60 || cy < -60 || cx > cam.wide + 60 || cy > cam.high + 60)
      continue;
    const sized = sizeBadge(c, cam, b, touch, letters, !!b.faded || crowded),
      { w, h } = sized,
      known = kept.get(b.unit)?.offset,
      was = before.get(b.unit);
    let best = known ? [cx + known[0], cy + known[1]] : [cx, cy],
      least = known ? -Infinity : Infinity;
    for (const [sx, sy] of known ? [] : spotsFor(b.models, w, h)) {
      const x = clamp(sx, w / 2 + 3, Math.max(cam.wide - w / 2 - 3, w / 2 + 3)),
        y = clamp(sy, h / 2 + 3, cam.high - h / 2 - 3),
        box = boxAt(x, y, sized);
      let cost =
        0.9 * Math.hypot(x - cx, y - cy) +
        (was ? 0.25 * Math.hypot(x - cx - was[0], y - cy - was[1]) : 0);
      for (const t of full) {
        const o = overlap(box, t);
        if (o) cost += 800 + 20 * o;
      }
      for (const t of figures) {
        const o = overlap(box, t);
        if (o) cost += 120 + 4 * o;
      }
      if (cost < least) for (const t of models) cost += 0.35 * overlap(box, t);
      if (cost < least) {
        least = cost;
        best = [x, y];
      }
    }
    const box = boxAt(best[0], best[1], sized);
    full.push(box);
    laid.push({ ...sized, offset: [best[0] - cx, best[1] - cy], box });
  }
  if (crowded) return laid;
  // What others leave free is known once all of them lie.
  const rest = [...taken, ...figures, ...models];
  laid.forEach((l, i) => {
    const was = kept.get(l.unit);
    if (!l.badge.modest || was?.short) return;
    const sized = sizeBadge(c, cam, l.badge, touch, letters, false);
    if (sized.text === l.text) return;
    const others = laid.filter((o) => o !== l).map((o) => o.box),
      found = was
        ? { ...sized, ...placedAt(l.badge, was.offset, sized) }
        : speltOut(cam, sized, [...rest, ...others]);
    if (found) laid[i] = found;
  });
  return laid;
}
/** So many of the first spots around a unit lie beside its models. */
const BESIDE = 4;
/** A badge with the whole name near its unit, where it covers nothing; null without such a place. @param {Camera} cam @param {Omit<Laid, "offset" | "box">} sized @param {Box[]} others @returns {Laid | null} */
function speltOut(cam, sized, others) {
  const { badge, w, h } = sized,
    [cx, cy] = middleOf(badge.models);
  for (const [x, y] of spotsFor(badge.models, w, h).slice(0, BESIDE)) {
    const at = placedAt(badge, [x - cx, y - cy], sized),
      [left, top, right, bottom] = at.box,
      seen =
        left > 2 && top > 2 && right < cam.wide - 2 && bottom < cam.high - 2;
    if (seen && !others.some((o) => overlap(at.box, o)))
      return { ...sized, ...at };
  }
  return null;
}
/** @param {Badge} badge @param {Point} offset @param {{ w: number, h: number }} sized @returns {{ offset: Point, box: Box }} */
function placedAt({ models }, offset, sized) {
  const [cx, cy] = middleOf(models);
  return { offset, box: boxAt(cx + offset[0], cy + offset[1], sized) };
}
/** @param {number} x @param {number} y @param {{ w: number, h: number }} sized @returns {Box} */
function boxAt(x, y, { w, h }) {
  return [x - w / 2 - 1, y - h / 2 - 1, x + w / 2 + 1, y + h / 2 + 1];
}
/** Above, below, beside, on the unit, and ever further around it. @param {[number, number, number][]} models @param {number} w @param {number} h @returns {Point[]} */
function spotsFor(models, w, h) {
  const [cx, cy] = middleOf(models),
    [left, top, right, bottom] = around(models);
  /** @type {Point[]} */
  const spots = [
    [cx, top - h * 0.7],
    [cx, bottom + h * 0.7],
    [left - w / 2 - 5, cy],
    [right + w / 2 + 5, cy],
    [cx, cy],
  ];
  for (let ring = 1; ring < 6; ring++)
    for (let k = 0; k < 12; k++)
      spots.push([
        cx + (14 * ring + w / 2) * Math.cos((k * Math.PI) / 6),
        cy + (14 * ring + 12) * Math.sin((k * Math.PI) / 6),
      ]);
  return spots;
}
/** @param {C} c @param {number} x @param {number} y @param {number} w @param {number} h @param {SideStyle["badge"]} kind */
function pill(c, x, y, w, h, kind) {
  c.beginPath();
  if (kind !== "cut") {
    c.roundRect(x, y, w, h, kind === "square" ? 3 : h / 2);
    return;
  }
  const k = 5;
  c.moveTo(x + k, y);
  c.lineTo(x + w - k, y);
  c.lineTo(x + w, y + k);
  c.lineTo(x + w, y + h - k);
  c.lineTo(x + w - k, y + h);
  c.lineTo(x + k, y + h);
  c.lineTo(x, y + h - k);
  c.lineTo(x, y + k);
  c.closePath();
}
/** Draw a badge around a place, with a line to the nearest of its models where that is not beside it. @param {C} c @param {Laid} laid @param {number} X @param {number} Y */
function drawBadge(
  c,
  { badge: b, text, size, w, h, first, second, chips },
  X,
  Y,
) {
  const x = X - w / 2,
    y = Y - h / 2,
    body = first + second;
  /** @type {(m: [number, number, number]) => [number, number, number]} */
  const from = (m) => {
    const ex = clamp(m[0], x + 6, x + w - 6),
      ey = clamp(m[1], y, y + h);
    return [ex, ey, Math.hypot(m[0] - ex, m[1] - ey) - m[2]];
  };
  const near = b.models.reduce((best, m) =>
      from(m)[2] < from(best)[2] ? m : best,
    ),
    [ex, ey, gap] = from(near);
  if (gap > 18) {
    c.beginPath();
    c.moveTo(ex, ey);
    c.lineTo(near[0], near[1]);
    c.lineWidth = 2.6;
    c.strokeStyle = "rgba(255,255,255,.7)";
    c.stroke();
    c.lineWidth = 1;
    c.strokeStyle = b.style.dark;
    c.stroke();
  }
  const shade = b.dim ? 0.55 : b.faded ? 0.65 : 1;
  c.globalAlpha = shade;
  pill(c, x, y, body, h, b.style.badge);
  c.fillStyle = b.style.dark;
  c.fill();
  if (b.left < 1) {
    c.save();
    pill(c, x, y, body, h, b.style.badge);
    c.clip();
    c.fillStyle = "rgba(0,0,0,.45)";
    c.fillRect(x, y + h - 3, body, 3);
    c.fillStyle = HURT;
    c.fillRect(x, y + h - 3, body * b.left, 3);
    c.restore();
  }
  pill(c, x, y, body, h, b.style.badge);
  c.lineWidth = b.halo ? 2.4 : 1.2;
  c.strokeStyle = b.halo || "#fff";
  if (b.style.badge === "dashed") c.setLineDash([4, 2]);
  c.stroke();
  c.setLineDash([]);
  // What steps back is still to be read.
  c.globalAlpha = 1;
  c.fillStyle = "#fff";
  c.font = `600 ${size}px ${FONT}`;
  c.textAlign = "center";
  c.textBaseline = "middle";
  c.fillText(text, x + first / 2, Y);
  if (b.count) {
    c.fillStyle = b.lost ? HURT : "rgba(255,255,255,.72)";
    c.font = `500 ${size}px ${FONT}`;
    c.fillText(b.count, x + first + second / 2 - 3, Y);
  }
  c.globalAlpha = shade;
  let at = x + body + 2;
  chips.forEach(([t, wide], i) => {
    const odds = i === 0 && b.chip;
    c.beginPath();
    c.roundRect(at, y + 1.5, wide, h - 3, 3);
    c.fillStyle = odds ? "#fff3c9" : "#fbf9f4";
    c.fill();
    c.lineWidth = 0.9;
    c.strokeStyle = b.style.dark;
    c.stroke();
    c.fillStyle = odds ? "#5b4300" : b.style.dark;
    c.font = `${odds ? "600 " : ""}10px ${FONT}`;
    c.fillText(t, at + wide / 2, Y + 0.5);
    at += wide + 2;
  });
  c.globalAlpha = 1;
}

export {
  basePath,
  Camera,
  clamp,
  drawBadge,
  drawGround,
  drawMarkers,
  drawModel,
  FONT,
  holds,
  layBadges,
  middleOf,
  STEP,
  tell,
  trace,
  TURN,
  unitSign,
};
