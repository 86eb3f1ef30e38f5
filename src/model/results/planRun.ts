import { misuse } from '../../base/errors.ts';
import { unsorted } from '../../protocol/rowQueries.ts';
import type { RowQueries } from './rowQueries.ts';
import type { Run } from './run.ts';

const noRows = (): never => {
  throw misuse('no_rows', 'A query plan has no rows.');
};

const queries: RowQueries = {
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
  profile: noRows,
};

type PlanEvents = Pick<Run, 'onChange'> & { readonly onClose: () => void };

/** A query plan as a run, so that it can be a result tab. It has ended and has no rows. `onClose` is called with its end. */
export const planRun = (elapsedMs: number, events: Partial<PlanEvents> = {}): Run => ({
  state: 'done',
  error: undefined,
  columns: [],
  rowCount: 0,
  elapsedMs,
  queries,
  onChange: events.onChange ?? (() => ({ dispose: () => undefined })),
  start: () => Promise.resolve(),
  rows: () => Promise.resolve([]),
  dispose: () => Promise.resolve(events.onClose?.()),
});
