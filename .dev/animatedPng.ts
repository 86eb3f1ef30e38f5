// Joins screenshots to an animated PNG, which browsers and VS Code show in place of a picture.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Frame {
  /** A PNG with 8 bits for each of red, green, blue and perhaps alpha, as browsers take it. */
  readonly png: Buffer;
  /** How long the frame is shown. */
  readonly delayMs: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** How many bytes a pixel has. */
  readonly channels: number;
  readonly pixels: Buffer;
}

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const channelsOf: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** An animation that repeats for ever. Each frame has only the part of the picture that changes. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const steps = stepsOf(frames);
  const [first] = steps;
  if (!first) throw new Error('An animation has at least one frame.');
  const chunks: Buffer[] = [header(first.picture), chunk('acTL', numbers([steps.length, 4], [0, 4]))];
  let sequence = 0;
  for (const { picture, area, delayMs } of steps) {
    chunks.push(chunk('fcTL', frameControl(sequence++, area, delayMs)));
    const data = compress(picture, area);
    if (picture === first.picture) chunks.push(chunk('IDAT', data));
    else chunks.push(chunk('fdAT', Buffer.concat([numbers([sequence++, 4]), data])));
  }
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

interface Step {
  readonly picture: Picture;
  readonly area: Area;
  delayMs: number;
}

/** Frames without a change make the frame before them longer. */
function stepsOf(frames: readonly Frame[]): Step[] {
  const steps: Step[] = [];
  for (const { png, delayMs } of frames) {
    const picture = decodePng(png);
    const last = steps.at(-1);
    const area = last ? changedArea(last.picture, picture) : { left: 0, top: 0, ...picture };
    if (area) steps.push({ picture, area, delayMs });
    else if (last) last.delayMs += delayMs;
  }
  return steps;
}

function changedArea(one: Picture, other: Picture): Area | undefined {
  const { width, height, channels } = other;
  if (one.width !== width || one.height !== height || one.channels !== channels) {
    throw new Error('All frames of an animation have the same size.');
  }
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      if (one.pixels.compare(other.pixels, at, at + channels, at, at + channels) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

export function decodePng(png: Buffer): Picture {
  const chunks = chunksOf(png);
  const head = chunks.find(({ type }) => type === 'IHDR')?.data;
  const channels = channelsOf[head?.[9] ?? 0];
  if (!head || channels === undefined || head[8] !== 8 || head[12] !== 0)
    throw new Error('This PNG is of another kind.');
  const width = head.readUInt32BE(0);
  const height = head.readUInt32BE(4);
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  return { width, height, channels, pixels: unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels) };
}

export function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** Undoes the filters of PNG: each byte is stored as its difference from its neighbours. */
function unfilter(rows: Buffer, rowBytes: number, channels: number): Buffer {
  const pixels = Buffer.alloc((rows.length / (rowBytes + 1)) * rowBytes);
  for (let row = 0; row * rowBytes < pixels.length; row++) {
    const filter = rows[row * (rowBytes + 1)] ?? 0;
    for (let column = 0; column < rowBytes; column++) {
      const at = row * rowBytes + column;
      const left = column < channels ? 0 : pixels[at - channels]!;
      const above = row === 0 ? 0 : pixels[at - rowBytes]!;
      const corner = row === 0 || column < channels ? 0 : pixels[at - rowBytes - channels]!;
      const predicted = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0;
      pixels[at] = rows[row * (rowBytes + 1) + 1 + column]! + predicted;
    }
  }
  return pixels;
}

/** Paeth's predictor. */
function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** The pixels of an area, without a filter: screenshots have large areas of one color. */
function compress({ pixels, width, channels }: Picture, area: Area): Buffer {
  const rows: Buffer[] = [];
  for (let y = area.top; y < area.top + area.height; y++) {
    const start = (y * width + area.left) * channels;
    rows.push(Buffer.from([0]), pixels.subarray(start, start + area.width * channels));
  }
  return deflateSync(Buffer.concat(rows), { level: 9 });
}

function header({ width, height, channels }: Picture): Buffer {
  const colorType = channels === 3 ? 2 : 6;
  return chunk('IHDR', numbers([width, 4], [height, 4], [8, 1], [colorType, 1], [0, 1], [0, 1], [0, 1]));
}

/** The frame stays until the next one, which replaces its area. */
function frameControl(sequence: number, { left, top, width, height }: Area, delayMs: number): Buffer {
  const place = [sequence, width, height, left, top].map(value => [value, 4] as const);
  return numbers(...place, [delayMs, 2], [1000, 2], [0, 1], [0, 1]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers([data.length, 4]), content, numbers([crc32(content), 4])]);
}

/** Numbers with this number of bytes each, the highest byte first. */
function numbers(...values: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntBE(value, 0, bytes);
      return buffer;
    }),
  );
}
