/** Compares ways to read a streamed answer, all with the same body over loopback. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Way } from '../support/decodeWays.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from '../support/bench.ts';

/** Each way runs several times, in turns, so that a busy moment of the machine affects all of them. */
const rounds: readonly Way[] = [
  ...(['batches', 'jsonParse', 'rawBatches', 'streamJson'] as const),
  ...(['jsonParse', 'rawBatches', 'batches'] as const),
  ...(['rawBatches', 'batches', 'jsonParse'] as const),
  ...(['batches', 'jsonParse', 'rawBatches'] as const),
  ...(['jsonParse', 'rawBatches', 'batches'] as const),
];

export const bench: Bench = async print => {
  await using server = await startRowServer();
  const times = new Map<Way, number>();
  for (const way of rounds) {
    const [milliseconds] = await messageOf<[number]>('decodeWays.ts', server.url, way);
    times.set(way, Math.min(milliseconds, times.get(way) ?? Infinity));
  }
  // The fastest round is the least disturbed one.
  const time = (way: Way): number => times.get(way) ?? Number.NaN;
  print('batches_rows_per_s', 1e9 / time('batches'));
  print('batches_vs_stream_json', time('streamJson') / time('batches'));
  print('batches_vs_json_parse', time('jsonParse') / time('batches'));
  print('raw_batches_vs_batches', time('batches') / time('rawBatches'));
  print('first_row_1m_vs_100', (await messageOf<[number]>('decodeWays.ts', server.url, 'firstRows'))[0]);
  for (const way of ['batches', 'rawBatches']) {
    const [{ growth }] = await messageOf<[{ readonly growth: number }]>('readGigabyte.ts', server.url, way);
    print(way === 'batches' ? 'rss_growth_mb' : 'rss_growth_of_raw_batches_mb', growth);
  }
};

/** The message of a script of test/support, run in a new process, as a first read would be. */
async function messageOf<T>(script: string, ...args: string[]): Promise<T> {
  const child = fork(new URL(`../support/${script}`, import.meta.url), args);
  const message = (await once(child, 'message')) as T;
  await once(child, 'exit');
  return message;
}
