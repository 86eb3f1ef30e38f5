/** Compares writing a streamed answer to disk with reading it only. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SpoolWay } from '../support/spoolWays.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from '../support/bench.ts';

/** The ways run in turns, so that a busy moment of the machine affects both of them. */
const rounds: readonly SpoolWay[] = Array.from({ length: 12 }, (_, nth) =>
  nth % 4 === 0 || nth % 4 === 3 ? 'rawBatches' : 'spool',
);

export const bench: Bench = async print => {
  await using server = await startRowServer();
  const times = { rawBatches: Infinity, spool: Infinity };
  for (const way of rounds) {
    const child = fork(new URL('../support/spoolWays.ts', import.meta.url), [server.url, way]);
    const [milliseconds] = (await once(child, 'message')) as [number];
    await once(child, 'exit');
    // The fastest round is the least disturbed one.
    times[way] = Math.min(times[way], milliseconds);
  }
  print('rows_per_s', 1e9 / times.spool);
  print('vs_raw_batches', times.rawBatches / times.spool);
};
