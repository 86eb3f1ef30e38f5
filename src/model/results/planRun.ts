import { misuse } from '../../base/errors.ts';
import { unsorted } from '../../protocol/rowQueries.ts';
import type { RowQueries } from './rowQueries.ts';
import type { Run } from './run.ts';

const noRows = (): never => {
  throw misuse('no_rows', 'A query plan has no rows.');
};

/** A query plan as a run, so that it can be a result tab. It has ended and has no rows. */
export class PlanRun implements Run {
  readonly state = 'done';
  readonly error = undefined;
  readonly columns = [];
  readonly rowCount = 0;
  readonly elapsedMs: number;
  readonly queries: RowQueries = {
    orderVersion: 0,
    arrangement: unsorted,
    shownRows: 0,
    arrange: noRows,
    find: noRows,
    summarize: noRows,
    text: noRows,
    writeSqliteFile: noRows,
    cell: noRows,
    values: noRows,
  };

  constructor(elapsedMs: number) {
    this.elapsedMs = elapsedMs;
  }

  onChange(): { dispose: () => void } {
    return { dispose: () => undefined };
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  rows(): Promise<never[]> {
    return Promise.resolve([]);
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
