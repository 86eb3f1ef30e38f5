/** A planted test file: its test ends the process of all files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

test('a test that ends its process', async () => {
  // During this time the events of the previous file are written.
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  process.exit(3);
});
