import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Run } from './run.ts';

export const hasEnded = ({ state }: Pick<Run, 'state'>): boolean => state !== 'running' && state !== 'paused';

/** Calls back once when a run has ended; immediately if it has already ended. */
export function onceEnded(run: Pick<Run, 'state' | 'onChange'>, callback: () => void): Disposable {
  const listener = run.onChange(() => {
    if (!hasEnded(run)) return;
    listener.dispose();
    callback();
  });
  if (hasEnded(run)) {
    listener.dispose();
    callback();
  }
  return listener;
}

/** Settles when a run has rows, pauses or has ended, and after `timeoutMs` in any case. */
export async function firstRowsOrEnd(
  run: Pick<Run, 'state' | 'rowCount' | 'onChange'>,
  timeoutMs: number,
  clock: Clock,
): Promise<void> {
  if (run.rowCount > 0 || run.state !== 'running') return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listener = run.onChange(resolve);
  const cancelTimer = clock.after(timeoutMs, resolve);
  await promise;
  listener.dispose();
  cancelTimer();
}
