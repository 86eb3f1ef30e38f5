import type { Disposable } from '../../base/disposable.ts';
import type { RowsRun } from '../../model/results/rowsRun.ts';

/** Calls back when a run is over: at once when it is, or else when it ends. */
export function whenEnded(run: RowsRun, then: () => void): Disposable {
  const isOver = (): boolean => run.phase !== 'running' && run.phase !== 'paused';
  const listener = run.onChange(() => {
    if (!isOver()) return;
    listener.dispose();
    then();
  });
  if (isOver()) {
    listener.dispose();
    then();
  }
  return listener;
}
