import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteLength, decodeBase64, hexDump, isBase64, utf8Of } from '../../../../webview/grid/values/blob.ts';

for (const length of [0, 1, 2, 3, 4, 1000]) {
  test(`the size of ${length} bytes is known without decoding, and decoding restores them`, () => {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
    const base64 = Buffer.from(bytes).toString('base64');
    assert.equal(isBase64(base64, base64.length), true);
    assert.equal(byteLength(base64.length, base64.slice(-2)), length);
    assert.deepEqual(decodeBase64(base64), bytes);
    assert.deepEqual(decodeBase64(base64, 5), bytes.slice(0, 5));
  });
}

test('texts in a BLOB column are not taken for base64', () => {
  for (const text of ['no base64', 'abc', 'ab=c', '====', 'äöüß'])
    assert.equal(isBase64(text, text.length), false, text);
});

test('a hex dump has offsets, bytes and readable characters', () => {
  const dump = hexDump(new TextEncoder().encode('SQLite format 3\0\u0010\0'), 16);
  assert.deepEqual(dump.split('\n'), [
    '0000  53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00  SQLite format 3.',
    `0010  10 00${' '.repeat(42)}  ..`,
  ]);
});

test('bytes are a text only in UTF-8, where the last character may be cut', () => {
  const bytes = new TextEncoder().encode('Grüße');
  assert.equal(utf8Of(bytes), 'Grüße');
  assert.equal(utf8Of(bytes.slice(0, 3)), 'Gr');
  assert.equal(utf8Of(Uint8Array.of(0xff, 0xfe)), undefined);
});
