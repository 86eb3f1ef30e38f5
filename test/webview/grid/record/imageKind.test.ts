import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageKindOf } from '../../../../webview/grid/record/imageKind.ts';

/** The beginnings of real images, up to their sizes. */
const images: Readonly<Record<string, readonly [base64: string, width: number, height: number]>> = {
  'image/png': [
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFElEQVR4nGP8z8Dwn4GBgYGJAQoAHx0CAvdd7/gAAAAASUVORK5CYII=',
    3,
    2,
  ],
  'image/gif': ['R0lGODlhAwACAIAAAP8AAAAAACwAAAAAAwACAAACAoRdADs=', 3, 2],
  'image/webp': ['UklGRhYAAABXRUJQVlA4TAoAAAAvAkAAAAcQ/Y8CAA==', 3, 2],
};

for (const [type, [base64, width, height]] of Object.entries(images)) {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  test(`an ${type} is recognized by its bytes, with its size`, () =>
    assert.deepEqual(imageKindOf(bytes), { type, width, height }));
  test(`an ${type} that ends before its size is not an image`, () => {
    for (let length = 0; length < 10; length++) assert.equal(imageKindOf(bytes.subarray(0, length)), undefined);
  });
}

test('the size of a JPEG is found after other segments', () => {
  const comment = [0xff, 0xfe, 0x00, 0x04, 0x41, 0x42];
  const frame = [0xff, 0xc2, 0x00, 0x11, 0x08, 0x00, 0x02, 0x00, 0x03, 0x03];
  const bytes = Uint8Array.from([0xff, 0xd8, ...comment, ...frame]);
  assert.deepEqual(imageKindOf(bytes), { type: 'image/jpeg', width: 3, height: 2 });
  assert.equal(imageKindOf(bytes.subarray(0, 12)), undefined);
});

test('markup, programs and empty values are not images', () => {
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'MZ', 'SQLite format 3\0', '']) {
    assert.equal(imageKindOf(new TextEncoder().encode(text)), undefined);
  }
});
