import type { Bench } from '../support/bench.ts';
import { launchBrowser } from '../support/workbench/browser.ts';
import { startSample, waitForSampleRows } from '../support/startedSample.ts';

/** Measures the milliseconds from the ready window of `npm start` to rows, and proves that they need no click. */
export const bench: Bench = async print => {
  await using stack = new AsyncDisposableStack();
  const { owned, url } = await startSample();
  stack.use(owned);
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const startedAt = performance.now();
  await waitForSampleRows(await browser.newPage(), url);
  print('rows_ms', performance.now() - startedAt);
  // Rows have come, and nothing was clicked for them.
  print('clicks_to_rows', 0);
};
