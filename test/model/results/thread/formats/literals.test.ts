import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobBytes } from '../../../../../src/model/results/thread/formats/literals.ts';

test('only base64 is read as the bytes of a BLOB, however long it is', () => {
  for (const text of ['', 'AA==', 'AAA=', 'AAAA', 'ab+/AA==']) assert.equal(blobBytes(text)?.toString('base64'), text);
  for (const text of ['A', 'AA', 'AAA', 'A===', 'AA=', '====', 'AA==AAAA', 'AAA ', 'AAÄ=', 'AAAA\n']) {
    assert.equal(blobBytes(text), undefined, text);
  }
  const long = Buffer.alloc(48 * 1024 * 1024, 'long');
  assert.ok(blobBytes(long.toString('base64'))?.equals(long));
});
