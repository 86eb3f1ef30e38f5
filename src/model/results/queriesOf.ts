import type { QueriedRows, RowsRun } from './rowsRun.ts';

/** What a run can be asked of its rows; undefined where it can only give them as they came. */
export function queriesOf(run: RowsRun): (RowsRun & QueriedRows) | undefined {
  return offersQueries(run) ? run : undefined;
}

function offersQueries(run: RowsRun & Partial<QueriedRows>): run is RowsRun & QueriedRows {
  return typeof run.arrange === 'function';
}
