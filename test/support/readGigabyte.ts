/** Reads a gigabyte slowly, in a process of its own, and reports its growth and how often the server waited. */
import { setImmediate as turn } from 'node:timers/promises';
import { Client } from '../../src/client/index.ts';

const [url = '', way = 'batches'] = process.argv.slice(2);
const rowsOfGigabyte = 6_600_000;
const client = new Client({ baseUrl: url });
const scanner = await client.execSqlStream('p', { sql: String(rowsOfGigabyte) });
const before = process.memoryUsage.rss();
let maxRss = before;
let rows = 0;

/** Reads slower than the server writes: it yields after each chunk. */
async function rest(): Promise<void> {
  maxRss = Math.max(maxRss, process.memoryUsage.rss());
  await turn();
}

if (way === 'rawBatches') {
  for await (const batch of scanner.rawBatches()) {
    rows += batch.rowCount;
    await rest();
  }
} else {
  for await (const batch of scanner.batches()) {
    rows += batch.length;
    await rest();
  }
}
const growth = (maxRss - before) / 2 ** 20;
process.send?.({ rows, bytes: scanner.bytesRead, growth, clean: scanner.err() === undefined });
await client.close();
process.disconnect();
