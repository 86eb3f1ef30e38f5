/** A planted test file: its test waits for ever, and so does its child. */
import { test } from 'node:test';
import { startChild } from './startChild.ts';

test('a test that hangs', async () => {
  await startChild('hanging.ts');
  await new Promise(() => {});
});
