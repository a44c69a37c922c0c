/* Terrain as it is drawn: each piece in a frame of its own, so that it can be sized and turned, and back as files hold it. */

import { STEP, type Feature, type Point } from "../protocol";

export interface WallDoc {
  from: Point;
  to: Point;
  top: number;
  bottom?: number;
  thickness?: number;
}
export interface FloorDoc {
  z: number;
  thickness?: number;
  outline?: Point[];
  rect?: [number, number, number, number];
}
export interface FeatureDoc {
  kind: string;
  id?: string;
  name?: string;
  rect?: [number, number, number, number];
  outline?: Point[];
  height?: number;
  base?: number;
  solid?: boolean;
  walls?: WallDoc[];
  floors?: FloorDoc[];
}
export interface LayoutDoc {
  id: string;
  name: string;
  text?: string;
  points: number[];
  table: { size: Point; terrain: FeatureDoc[] };
}

/** A wall with the parts of it that stand over each other: gaps between them are windows. Ends are shares of the frame. */
export interface Wall {
  a: Point;
  b: Point;
  thickness: number;
  parts: Point[];
}
export interface Floor {
  z: number;
  thickness: number;
  corners: Point[];
}
/** A piece: middle, measures and turn in degrees; corners are shares of the frame, from -1/2 to 1/2. */
export interface Piece {
  kind: string;
  name: string;
  x: number;
  y: number;
  wide: number;
  deep: number;
  turn: number;
  corners: Point[];
  height: number;
  base: number;
  solid: boolean;
  walls: Wall[];
  floors: Floor[];
  /** Whether it stands a second time, turned by half a turn around the middle of the table. */
  twin: boolean;
}
export const RECT: Point[] = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
];
const NEAR = 0.02,
  FINE = 1000;
const round = (v: number) => Math.round(v * FINE) / FINE;

const around = (p: Point, degrees: number): Point => {
  const quarter = ((degrees % 360) + 360) % 360;
  // Quarters of a turn are exact.
  const [c, s] =
    quarter === 0
      ? [1, 0]
      : quarter === 90
        ? [0, 1]
        : quarter === 180
          ? [-1, 0]
          : quarter === 270
            ? [0, -1]
            : [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [p[0] * c - p[1] * s, p[0] * s + p[1] * c];
};
/** Where a point of the frame is on the table; the second image stands opposite. */
export function onTable(piece: Piece, p: Point, image: number, size: Point): Point {
  const [x, y] = around([p[0] * piece.wide, p[1] * piece.deep], piece.turn),
    at: Point = [piece.x + x, piece.y + y];
  return image ? [size[0] - at[0], size[1] - at[1]] : at;
}
/** Where a point of the table is in the frame, in units of length from its middle. */
export function inFrame(piece: Piece, at: Point): Point {
  return around([at[0] - piece.x, at[1] - piece.y], -piece.turn);
}
export const opposite = (p: Point, size: Point): Point => [size[0] - p[0], size[1] - p[1]];
export const turnedBy = around;

// --- from files

const rectOf = ([x, y, w, d]: [number, number, number, number]): Point[] => [
  [x, y],
  [x + w, y],
  [x + w, y + d],
  [x, y + d],
];

export function pieceOf(doc: FeatureDoc): Piece {
  const outline = doc.rect ? rectOf(doc.rect) : (doc.outline ?? []);
  // The frame lies along the first side.
  const along = (Math.atan2(outline[1][1] - outline[0][1], outline[1][0] - outline[0][0]) * 180) / Math.PI;
  const exact = along - Math.round(along / 90) * 90,
    turn = Math.abs(exact - Math.round(exact)) < 0.05 ? Math.round(exact) : round(exact);
  const flat = outline.map(p => around(p, -turn)),
    xs = flat.map(p => p[0]),
    ys = flat.map(p => p[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)],
    wide = x1 - x0 || 1,
    deep = y1 - y0 || 1;
  const middle = around([(x0 + x1) / 2, (y0 + y1) / 2], turn);
  const share = (p: Point): Point => {
    const [x, y] = around(p, -turn);
    return [(x - (x0 + x1) / 2) / wide, (y - (y0 + y1) / 2) / deep];
  };
  const walls: Wall[] = [];
  for (const w of doc.walls ?? []) {
    const a = share(w.from),
      b = share(w.to),
      part: Point = [w.bottom ?? 0, w.top];
    const same = walls.find(o => far(o.a, a) < 1e-6 && far(o.b, b) < 1e-6 && o.thickness === (w.thickness ?? 0));
    if (same) same.parts.push(part);
    else walls.push({ a, b, thickness: w.thickness ?? 0, parts: [part] });
  }
  const floors = (doc.floors ?? []).map((f): Floor => ({
    z: f.z,
    thickness: f.thickness ?? 0,
    corners: (f.rect ? rectOf(f.rect) : f.outline?.length ? f.outline : outline).map(share),
  }));
  return {
    kind: doc.kind,
    name: doc.name ?? "",
    x: round(middle[0]),
    y: round(middle[1]),
    wide: round(wide),
    deep: round(deep),
    turn,
    corners: flat.map(p => [(p[0] - (x0 + x1) / 2) / wide, (p[1] - (y0 + y1) / 2) / deep]),
    height: doc.height ?? 0,
    base: doc.base ?? 0,
    solid: doc.solid ?? false,
    walls,
    floors,
    twin: false,
  };
}
const far = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The pieces of a table; where two stand opposite each other they become one with a twin. */
export function piecesOf(terrain: FeatureDoc[], size: Point): Piece[] {
  const all = terrain.map(pieceOf),
    used = new Set<number>(),
    found: Piece[] = [];
  const marks = all.map(p => places(p, 0, size));
  all.forEach((piece, i) => {
    if (used.has(i)) return;
    const image = places(piece, 1, size);
    const j = all.findIndex((other, k) => k > i && !used.has(k) && alike(piece, other) && matches(image, marks[k]));
    if (j >= 0) {
      used.add(j);
      piece.twin = true;
    }
    found.push(piece);
  });
  return found;
}
const alike = (a: Piece, b: Piece) =>
  a.kind === b.kind &&
  a.name === b.name &&
  a.height === b.height &&
  a.base === b.base &&
  a.solid === b.solid &&
  a.walls.length === b.walls.length &&
  a.floors.length === b.floors.length;
/** Everything that tells where a piece stands: corners, ends of walls, corners of floors with their heights. */
function places(piece: Piece, image: number, size: Point): [number, number, number][] {
  const put = (p: Point, z: number): [number, number, number] => [...onTable(piece, p, image, size), z];
  return [
    ...piece.corners.map(p => put(p, -1)),
    ...piece.walls.flatMap(w => w.parts.flatMap(part => [put(w.a, part[1]), put(w.b, part[1])])),
    ...piece.floors.flatMap(f => f.corners.map(p => put(p, f.z))),
  ];
}
function matches(a: [number, number, number][], b: [number, number, number][]): boolean {
  return (
    a.length === b.length &&
    a.every(p => b.some(q => Math.abs(p[0] - q[0]) < NEAR && Math.abs(p[1] - q[1]) < NEAR && p[2] === q[2]))
  );
}

// --- to files and to the board

const isRect = (corners: Point[]) => corners.length === 4 && corners.every((p, i) => far(p, RECT[i]) < 1e-6);

function docOf(piece: Piece, image: number, size: Point): FeatureDoc {
  const put = (p: Point): Point => {
    const [x, y] = onTable(piece, p, image, size);
    return [round(x), round(y)];
  };
  const box = (corners: Point[]): [number, number, number, number] => {
    const pts = corners.map(put),
      xs = pts.map(p => p[0]),
      ys = pts.map(p => p[1]);
    return [
      Math.min(...xs),
      Math.min(...ys),
      round(Math.max(...xs) - Math.min(...xs)),
      round(Math.max(...ys) - Math.min(...ys)),
    ];
  };
  const straight = piece.turn % 90 === 0,
    boxed = (corners: Point[]) =>
      straight &&
      corners.length === 4 &&
      corners.every((p, i) => {
        const q = corners[(i + 1) % 4];
        return p[0] === q[0] || p[1] === q[1];
      });
  const doc: FeatureDoc = { kind: piece.kind };
  if (piece.name) doc.name = piece.name;
  if (straight && isRect(piece.corners)) doc.rect = box(piece.corners);
  else doc.outline = piece.corners.map(put);
  if (piece.height) doc.height = piece.height;
  if (piece.base) doc.base = piece.base;
  if (piece.solid) doc.solid = true;
  if (piece.walls.length)
    doc.walls = piece.walls.flatMap(w =>
      w.parts.map(([bottom, top]): WallDoc => ({
        from: put(w.a),
        to: put(w.b),
        top,
        ...(bottom ? { bottom } : {}),
        ...(w.thickness ? { thickness: w.thickness } : {}),
      })),
    );
  if (piece.floors.length)
    doc.floors = piece.floors.map((f): FloorDoc => ({
      z: f.z,
      ...(f.thickness ? { thickness: f.thickness } : {}),
      ...(boxed(f.corners) ? { rect: box(f.corners) } : { outline: f.corners.map(put) }),
    }));
  return doc;
}
/** Features with ids: their kind and a number, those first that were drawn, then those that stand opposite. */
export function terrainOf(pieces: Piece[], size: Point): FeatureDoc[] {
  const all = [...pieces.map(p => docOf(p, 0, size)), ...pieces.filter(p => p.twin).map(p => docOf(p, 1, size))],
    count = new Map<string, number>();
  return all.map(doc => {
    const n = (count.get(doc.kind) ?? 0) + 1;
    count.set(doc.kind, n);
    return { ...doc, id: `${doc.kind} ${n}` };
  });
}
/** An image of a piece as the board draws features. */
export function featureOf(piece: Piece, image: number, size: Point): Feature {
  const put = (p: Point): Point => {
    const [x, y] = onTable(piece, p, image, size);
    return [x * STEP, y * STEP];
  };
  return {
    kind: piece.kind,
    name: piece.name,
    outline: piece.corners.map(put),
    top: (piece.base + piece.height) * STEP,
    solid: piece.solid,
    walls: piece.walls.map(w => ({
      a: put(w.a),
      b: put(w.b),
      top: Math.max(...w.parts.map(p => p[1])) * STEP,
      thickness: w.thickness * STEP,
    })),
    floors: piece.floors.map(f => ({ z: f.z * STEP, outline: f.corners.map(put) })),
  };
}
/** The parts of a wall: one, or with a window in each storey. */
export function partsOf(windows: boolean, base: number, height: number, storey: number): Point[] {
  if (!windows) return [[base, round(base + height)]];
  const parts: Point[] = [],
    count = Math.max(1, Math.round(height / Math.max(storey, 1))),
    tall = height / count;
  for (let i = 0; i < count; i++)
    parts.push(
      [round(base + i * tall), round(base + (i + 1 / 3) * tall)],
      [round(base + (i + 2 / 3) * tall), round(base + (i + 1) * tall)],
    );
  return parts;
}
export const hasWindows = (wall: Wall) => wall.parts.length > 1;
