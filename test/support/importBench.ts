/** Imports a file into the service at an address, as the extension host does, and measures its own loop and memory. */
import { join } from 'node:path';
import { root } from '../../.dev/command.ts';
import { Client } from '../../src/client/index.ts';
import { newRun, planOf, sendWith } from './importRuns.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface ImportFigures {
  readonly milliseconds: number;
  readonly rows: number;
  readonly rssGrowthMb: number;
  /** The longest time for which the event loop was blocked. */
  readonly echoMaxMs: number;
}

const [baseUrl = '', projectId = '', apiKey = '', path = '', table = ''] = process.argv.slice(2);
const folder = temporaryFolder();
const client = new Client({ baseUrl, apiKey });
const plan = await planOf(client, projectId, { path, table });
const tick = 2;
let last = performance.now();
let longest = 0;
let peak = 0;
const rssBefore = process.memoryUsage.rss();
const timer = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - tick);
  last = now;
  peak = Math.max(peak, process.memoryUsage.rss());
}, tick);
const thread = join(root, 'dist/importThread.mjs');
const run = newRun({ folder, plan, thread, send: sendWith(client, projectId) });
const started = performance.now();
await run.start();
const milliseconds = performance.now() - started;
clearInterval(timer);
await client.close();
if (run.state !== 'done') throw new Error(`The import ended as ${run.state}.`, { cause: run.error });
const figures: ImportFigures = {
  milliseconds,
  rows: run.progress.counts.sentRows,
  rssGrowthMb: (peak - rssBefore) / 2 ** 20,
  echoMaxMs: longest,
};
process.send!(figures);
