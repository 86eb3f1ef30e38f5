import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzFormat } from './formatFuzz.ts';

test('formatting 500 scripts in every style keeps what they mean', async () => {
  const { formattings, changes } = await fuzzFormat(1, 500);
  assert.ok(changes > formattings / 2, `${changes} of ${formattings} changed`);
});
