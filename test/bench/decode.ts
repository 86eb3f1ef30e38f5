/** How fast a streamed answer is read, against other ways to read it, all on the same body over loopback. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Way } from '../support/decodeWays.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from '../support/bench.ts';

/** Each way several times and in turns, so that a busy moment of the machine does not meet one of them alone. */
const rounds: readonly Way[] = [
  ...(['batches', 'jsonParse', 'frames', 'streamJson'] as const),
  ...(['jsonParse', 'frames', 'batches'] as const),
  ...(['frames', 'batches', 'jsonParse'] as const),
  ...(['batches', 'jsonParse', 'frames'] as const),
  ...(['jsonParse', 'frames', 'batches'] as const),
];

export const bench: Bench = async print => {
  await using server = await startRowServer();
  const times = new Map<Way, number>();
  for (const way of rounds) {
    const [milliseconds] = await messageOf<[number]>('decodeWays.ts', server.url, way);
    times.set(way, Math.min(milliseconds, times.get(way) ?? Infinity));
  }
  // The quickest round is the one that the rest of the machine disturbed least.
  const time = (way: Way): number => times.get(way) ?? Number.NaN;
  print('batches_rows_per_s', 1e9 / time('batches'));
  print('batches_vs_stream_json', time('streamJson') / time('batches'));
  print('batches_vs_json_parse', time('jsonParse') / time('batches'));
  print('frames_vs_batches', time('batches') / time('frames'));
  print('first_row_1m_vs_100', (await messageOf<[number]>('decodeWays.ts', server.url, 'firstRows'))[0]);
  for (const way of ['batches', 'frames']) {
    const [{ growth }] = await messageOf<[{ readonly growth: number }]>('readGigabyte.ts', server.url, way);
    print(way === 'batches' ? 'rss_growth_mb' : 'rss_growth_of_frames_mb', growth);
  }
};

/** What a script of test/support says, run in a fresh process, as a first read is. */
async function messageOf<T>(script: string, ...args: string[]): Promise<T> {
  const child = fork(new URL(`../support/${script}`, import.meta.url), args);
  const message = (await once(child, 'message')) as T;
  await once(child, 'exit');
  return message;
}
