/** Reads a streamed answer in one of the ways that the decode bench compares, in a fresh process each. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import chain from 'stream-chain';
import { pick } from 'stream-json/filters/pick.js';
import { parser } from 'stream-json/parser.js';
import { streamArray } from 'stream-json/streamers/stream-array.js';
import { Agent } from 'undici';
import { Client, type RowScanner } from '../../src/client/index.ts';
import { quantileOf } from './bench.ts';

export type Way = 'batches' | 'rawBatches' | 'jsonParse' | 'streamJson' | 'firstRows';

const [url = '', wanted = ''] = process.argv.slice(2);
const client = new Client({ baseUrl: url, retries: 0 });
const agent = new Agent();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const million = 1_000_000;

const stream = (rows: number): Promise<RowScanner> => client.execSqlStream('bench', { sql: String(rows) });

async function rawBody(rows: number) {
  const body = JSON.stringify({ sql: String(rows) });
  return (await agent.request({ origin: url, path: '/sql', method: 'POST', body })).body;
}

const readers = {
  async batches(rows: number): Promise<number> {
    let count = 0;
    const scanner = await stream(rows);
    for await (const batch of scanner.batches()) count += batch.length;
    return count;
  },
  async rawBatches(rows: number): Promise<number> {
    let count = 0;
    const scanner = await stream(rows);
    for await (const batch of scanner.rawBatches()) count += batch.rowCount;
    return count;
  },
  async jsonParse(rows: number): Promise<number> {
    const text = await (await rawBody(rows)).text();
    return (JSON.parse(text) as { rows: unknown[] }).rows.length;
  },
  async streamJson(rows: number): Promise<number> {
    let count = 0;
    const pipeline = chain([await rawBody(rows), parser(), pick({ filter: 'rows' }), streamArray()]);
    for await (const _ of pipeline) count++;
    return count;
  },
};

/** Times a million rows, after some rows that let the engine compile the code. */
async function timeOf(way: keyof typeof readers): Promise<number> {
  await readers[way](100_000);
  collectGarbage();
  const start = performance.now();
  const count = await readers[way](million);
  const time = performance.now() - start;
  if (count !== million) throw new Error(`${way} read ${count} rows.`);
  return time;
}

/** Divides the median time to the first row of a million by that to the first of a hundred. */
async function firstRows(): Promise<number> {
  const times = { large: [] as number[], small: [] as number[] };
  for (let round = 0; round < 41; round++) {
    for (const [size, rows] of [
      ['large', million],
      ['small', 100],
    ] as const) {
      // Closing a stream closes its socket. A read before each measurement leaves a warm one.
      await readers.batches(100);
      const start = performance.now();
      const scanner = await stream(rows);
      if (!(await scanner.next({}))) throw new Error('There is no first row.');
      times[size].push(performance.now() - start);
      await scanner.close();
    }
  }
  return quantileOf(times.large, 0.5) / quantileOf(times.small, 0.5);
}

process.send?.(wanted === 'firstRows' ? await firstRows() : await timeOf(wanted as keyof typeof readers));
await client.close();
await agent.close();
process.disconnect();
