import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { animatedPng, chunksOf, decodePng } from '../../.dev/animatedPng.ts';

const white = 'ffffff';
const red = 'ff0000';
const blue = '0000ff';

/** A picture of one frame, by the colors of its rows. */
const pictureOf = (...rows: readonly (readonly string[])[]): Buffer => animatedPng([{ png: rawPng(rows), delayMs: 0 }]);

/** A PNG with the filter "difference from the left" in each row, as browsers may write it. */
function rawPng(rows: readonly (readonly string[])[]): Buffer {
  const bytes = rows.map(row => {
    const pixels = Buffer.from(row.join(''), 'hex');
    const differences = pixels.map((value, at) => value - (at < 3 ? 0 : pixels[at - 3]!));
    return Buffer.concat([Buffer.from([1]), differences]);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(rows[0]!.length, 0);
  head.writeUInt32BE(rows.length, 4);
  head.set([8, 2], 8);
  const chunks = [
    ['IHDR', head],
    ['IDAT', deflateSync(Buffer.concat(bytes))],
  ] as const;
  const parts = chunks.flatMap(([type, data]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return [length, Buffer.from(type), data, Buffer.alloc(4)];
  });
  return Buffer.concat([Buffer.alloc(8), ...parts]);
}

/** Number, width, height, left and top of a frame. */
const placeOf = (frameControl: Buffer): number[] => [0, 4, 8, 12, 16].map(at => frameControl.readUInt32BE(at));

const hexOf = (png: Buffer): string => decodePng(png).pixels.toString('hex');

test('a picture keeps its pixels, whatever filter it came with', () => {
  const rows = [
    [white, red, blue],
    [blue, blue, red],
  ];
  assert.equal(hexOf(pictureOf(...rows)), rows.flat().join(''));
});

test('a frame has only what changed, and a frame without a change makes the one before longer', () => {
  const first = rawPng([
    [white, white, white],
    [white, white, white],
  ]);
  const second = rawPng([
    [white, white, white],
    [white, red, blue],
  ]);
  const animation = animatedPng([
    { png: first, delayMs: 100 },
    { png: first, delayMs: 50 },
    { png: second, delayMs: 200 },
  ]);
  const chunks = chunksOf(animation);
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ['IHDR', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'],
  );
  const controls = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  assert.deepEqual(controls.map(placeOf), [
    [0, 3, 2, 0, 0],
    [1, 2, 1, 1, 1],
  ]);
  assert.deepEqual(
    controls.map(data => data.readUInt16BE(20)),
    [150, 200],
  );
  assert.equal(chunks[1]?.data.readUInt32BE(0), 2);
});

test('frames of different sizes are refused', () => {
  const frames = [rawPng([[white]]), rawPng([[white, red]])];
  assert.throws(() => animatedPng(frames.map(png => ({ png, delayMs: 1 }))), /same size/);
});
