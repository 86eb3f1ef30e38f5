/** How fast a streamed answer is read, against other ways to read it, all on the same body over loopback. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Way } from '../support/decodeWays.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from './run.ts';

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
  const figure = async (way: Way): Promise<number> => {
    const child = fork(new URL('../support/decodeWays.ts', import.meta.url), [server.url, way]);
    const [value] = (await once(child, 'message')) as [number];
    await once(child, 'exit');
    return value;
  };

  const times = new Map<Way, number[]>();
  for (const way of rounds) times.set(way, [...(times.get(way) ?? []), await figure(way)]);
  const time = (way: Way): number => {
    const sorted = (times.get(way) ?? []).toSorted((one, other) => one - other);
    return sorted[sorted.length >> 1] ?? Number.NaN;
  };
  print('batches_rows_per_s', 1e9 / time('batches'));
  print('batches_vs_stream_json', time('streamJson') / time('batches'));
  print('batches_vs_json_parse', time('jsonParse') / time('batches'));
  print('frames_vs_batches', time('batches') / time('frames'));
  print('first_row_1m_vs_100', await figure('firstRows'));
  print('rss_growth_mb', await figure('rssGrowth'));
};
