import { type Clock, systemClock } from '../../base/clock.ts';
import type { Run } from '../../model/results/run.ts';

/** Settles when a run has more to show than that it runs, and after that many milliseconds at the latest. */
export async function firstNews(run: Run, milliseconds: number, clock: Clock = systemClock): Promise<void> {
  if (run.state !== 'running' || run.rowCount > 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(resolve);
  const takeBack = clock.after(milliseconds, resolve);
  await promise;
  takeBack();
  listener.dispose();
}
