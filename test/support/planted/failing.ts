/** A planted test file: its test fails while a child of its own, in another session, still runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startChild } from './startChild.ts';

test('a test\u2028that fails', async () => {
  await startChild('failing.ts');
  assert.fail('planted');
});
