/** How fast a streamed answer is kept on disk, against the same answer read and let go. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { SpoolWay } from '../support/spoolWays.ts';
import { startRowServer } from '../support/startRowServer.ts';
import type { Bench } from './run.ts';

/** In turns, so that a busy moment of the machine does not meet one of them alone. */
const rounds: readonly SpoolWay[] = Array.from({ length: 12 }, (_, nth) =>
  nth % 4 === 0 || nth % 4 === 3 ? 'frames' : 'spool',
);

export const bench: Bench = async print => {
  await using server = await startRowServer();
  const times = { frames: Infinity, spool: Infinity };
  for (const way of rounds) {
    const child = fork(new URL('../support/spoolWays.ts', import.meta.url), [server.url, way]);
    const [milliseconds] = (await once(child, 'message')) as [number];
    await once(child, 'exit');
    // The quickest round is the one that the rest of the machine disturbed least.
    times[way] = Math.min(times[way], milliseconds);
  }
  print('rows_per_s', 1e9 / times.spool);
  print('vs_frames', times.frames / times.spool);
};
