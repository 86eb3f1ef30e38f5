import { RowsWorker, type RowsWorkerOptions } from '../../src/model/results/queries/rowsWorker.ts';

/** The thread that works through rows, from its source. */
export function startRowsWorker(options: RowsWorkerOptions = {}): RowsWorker {
  return new RowsWorker(new URL('../../src/model/results/thread/rowsThread.ts', import.meta.url), options);
}
