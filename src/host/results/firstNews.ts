import { type Clock, systemClock } from '../../base/clock.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';

/** Settles when a run has more to show than that it runs, and after that many milliseconds at the latest. */
export async function firstNews(run: RowsRun, milliseconds: number, clock: Clock = systemClock): Promise<void> {
  if (run.phase !== 'running' || run.rowCount > 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(resolve);
  const takeBack = clock.after(milliseconds, resolve);
  await promise;
  takeBack();
  listener.dispose();
}
