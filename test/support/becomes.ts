import type { RowsRun, RunPhase } from '../../src/model/results/rowsRun.ts';

/** Settles when a run is in that phase. */
export async function becomes(run: RowsRun, phase: RunPhase): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => run.phase === phase && resolve());
  if (run.phase === phase) resolve();
  await promise;
  listener.dispose();
}
