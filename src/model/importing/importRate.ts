import type { Clock } from '../../base/clock.ts';
import type { ImportRun } from './importRun.ts';

/** Rows a second and the time left, in milliseconds. Undefined until they are known. */
export interface ImportRate {
  readonly rate: number | undefined;
  readonly remainingMs: number | undefined;
}

/** Makes the function that measures the speed of an import, without the time in which it is paused or waits. */
export function importRate(run: Pick<ImportRun, 'share' | 'state' | 'progress'>, clock: Clock): () => ImportRate {
  const firstShare = run.share ?? 0;
  const firstRows = run.progress.counts.sentRows;
  let activeMs = 0;
  let lastAt = clock.now();
  return () => {
    const now = clock.now();
    if (run.state === 'running') activeMs += now - lastAt;
    lastAt = now;
    const rows = run.progress.counts.sentRows - firstRows;
    const share = run.share ?? 0;
    const done = share - firstShare;
    return {
      rate: rows > 0 && activeMs > 0 ? (1000 * rows) / activeMs : undefined,
      remainingMs: done > 0 ? ((1 - share) / done) * activeMs : undefined,
    };
  };
}
