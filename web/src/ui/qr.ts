/* QR codes, made here: a link with a secret in it is shown to no other service. Bytes, level M, versions 1 to 10. */

const PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26],
  BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
type Grid = (0 | 1)[][];

const raw = (v: number): number => {
  const align = Math.floor(v / 7) + 2,
    bits = (16 * v + 128) * v + 64 - (v > 1 ? (25 * align - 10) * align - 55 : 0) - (v > 6 ? 36 : 0);
  return Math.floor(bits / 8);
};
const room = (v: number): number => raw(v) - PER_BLOCK[v - 1] * BLOCKS[v - 1];

// --- Reed-Solomon over the field of 256 elements

function times(x: number, y: number): number {
  let z = 0;
  for (let i = 7; i >= 0; i--) {
    z = (z << 1) ^ ((z >>> 7) * 0x11d);
    z ^= ((y >>> i) & 1) * x;
  }
  return z & 255;
}
function divisor(degree: number): number[] {
  const found = new Array<number>(degree).fill(0);
  found[degree - 1] = 1;
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2))
    for (let k = 0; k < degree; k++) found[k] = times(found[k], root) ^ (found[k + 1] ?? 0);
  return found;
}
function remainder(data: number[], by: number[]): number[] {
  const found = new Array<number>(by.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ found.shift()!;
    found.push(0);
    by.forEach((c, i) => {
      found[i] ^= times(c, factor);
    });
  }
  return found;
}

function codewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [],
    put = (value: number, length: number) => {
      for (let i = length - 1; i >= 0; i--) bits.push((value >>> i) & 1);
    };
  put(4, 4);
  put(bytes.length, version > 9 ? 16 : 8);
  bytes.forEach(b => put(b, 8));
  const most = room(version) * 8;
  put(0, Math.min(4, most - bits.length));
  put(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < most; pad ^= 0xfd) put(pad, 8);
  const data = Array.from({ length: bits.length / 8 }, (_, i) =>
    bits.slice(8 * i, 8 * i + 8).reduce((sum, b) => 2 * sum + b, 0),
  );
  const count = BLOCKS[version - 1],
    extra = PER_BLOCK[version - 1],
    short = Math.floor(raw(version) / count),
    long = raw(version) % count,
    by = divisor(extra);
  const blocks: { data: number[]; check: number[] }[] = [];
  for (let i = 0, at = 0; i < count; i++) {
    const size = short - extra + (i < count - long ? 0 : 1),
      part = data.slice(at, at + size);
    at += size;
    blocks.push({ data: part, check: remainder(part, by) });
  }
  const out: number[] = [];
  for (let i = 0; i <= short - extra; i++) for (const b of blocks) if (i < b.data.length) out.push(b.data[i]);
  for (let i = 0; i < extra; i++) for (const b of blocks) out.push(b.check[i]);
  return out;
}

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  x => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The squares of a code, row by row; null for a text that is too long. */
export function qr(text: string): Grid | null {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((_, i) => room(i + 1) * 8 >= 4 + (i > 8 ? 16 : 8) + 8 * bytes.length) + 1;
  if (!version) return null;
  const size = 17 + 4 * version,
    grid: Grid = Array.from({ length: size }, () => new Array<0 | 1>(size).fill(0)),
    fixed = grid.map(row => row.map(() => false));
  const set = (x: number, y: number, dark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    grid[y][x] = dark ? 1 : 0;
    fixed[y][x] = true;
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    for (let dy = -4; dy <= 4; dy++)
      for (let dx = -4; dx <= 4; dx++) {
        const d = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, d !== 2 && d !== 4);
      }
  const places = alignments(version, size),
    last = places.length - 1;
  places.forEach((ay, i) =>
    places.forEach((ax, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(ax + dx, ay + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  const format = (mask: number) => {
    let rest = mask;
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412,
      bit = (i: number) => ((bits >>> i) & 1) === 1;
    for (let i = 0; i <= 5; i++) set(8, i, bit(i));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i));
    set(8, size - 8, true);
  };
  format(0);
  if (version > 6) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const a = size - 11 + (i % 3),
        b = Math.floor(i / 3);
      set(a, b, ((bits >>> i) & 1) === 1);
      set(b, a, ((bits >>> i) & 1) === 1);
    }
  }
  const words = codewords(bytes, version);
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++)
      for (let k = 0; k < 2; k++) {
        const x = right - k,
          y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
        if (!fixed[y][x] && at < words.length * 8) {
          grid[y][x] = ((words[at >>> 3] >>> (7 - (at & 7))) & 1) as 0 | 1;
          at++;
        }
      }
  }
  const flip = (mask: number) => {
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++) if (!fixed[y][x] && MASKS[mask](x, y)) grid[y][x] ^= 1;
  };
  let best = 0,
    least = Infinity;
  MASKS.forEach((_, mask) => {
    flip(mask);
    format(mask);
    const ugly = ugliness(grid);
    if (ugly < least) {
      least = ugly;
      best = mask;
    }
    flip(mask);
  });
  flip(best);
  format(best);
  return grid;
}
function alignments(version: number, size: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2,
    step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2,
    found = [6];
  for (let at = size - 7; found.length < count; at -= step) found.splice(1, 0, at);
  return found;
}
/** What makes a code hard to read: long runs, blocks, and more of one colour than of the other. */
function ugliness(grid: Grid): number {
  const size = grid.length,
    columns = grid[0].map((_, x) => grid.map(row => row[x]));
  let sum = 0,
    dark = 0;
  for (const line of [...grid, ...columns])
    for (let i = 0, run = 1; i < size; i++, run++)
      if (i === size - 1 || line[i] !== line[i + 1]) {
        if (run >= 5) sum += run - 2;
        run = 0;
      }
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      dark += grid[y][x];
      if (x && y && grid[y][x] === grid[y - 1][x] && grid[y][x] === grid[y][x - 1] && grid[y][x] === grid[y - 1][x - 1])
        sum += 3;
    }
  return sum + Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size)) * 10;
}
