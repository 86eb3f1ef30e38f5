import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench } from '../support/bench.ts';
import { launchBrowser } from '../support/workbench/browser.ts';
import { waitForSampleRows } from '../support/startedSample.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** Measures the milliseconds from the ready window of `npm start` to rows, and proves that they need no click. */
export const bench: Bench = async print => {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, '../../.dev/start.ts');
  const child = spawn(process.execPath, [script, '--no-open', '--no-build', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  stack.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const startedAt = performance.now();
  await waitForSampleRows(await browser.newPage(), line.replace('ready ', ''));
  print('rows_ms', performance.now() - startedAt);
  // Rows have come, and nothing was clicked for them.
  print('clicks_to_rows', 0);
};
