import type { Disposable } from '../../base/disposable.ts';
import { hasEnded, type Run } from '../../model/results/run.ts';

/** Calls back when a run is over: at once when it is, or else when it ends. */
export function whenEnded(run: Run, then: () => void): Disposable {
  const listener = run.onChange(() => {
    if (!hasEnded(run)) return;
    listener.dispose();
    then();
  });
  if (hasEnded(run)) {
    listener.dispose();
    then();
  }
  return listener;
}
