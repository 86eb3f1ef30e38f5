import type { Run } from '../../src/model/results/run.ts';
import type { RunState } from '../../src/protocol/runState.ts';

/** Resolves when the run reaches the state. */
export async function becomes(run: Run, state: RunState): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(() => run.state === state && resolve());
  if (run.state === state) resolve();
  await promise;
  listener.dispose();
}
