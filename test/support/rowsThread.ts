import { RowsThread, type RowsThreadOptions } from '../../src/model/results/queries/rowsThread.ts';

/** The rows thread, from its source. */
export function startRowsThread(options: RowsThreadOptions = {}): RowsThread {
  return new RowsThread(new URL('../../src/model/results/thread/main.ts', import.meta.url), options);
}
