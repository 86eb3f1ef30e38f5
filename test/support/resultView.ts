import type { ResultView } from '../../src/protocol/results.ts';
import { unsorted } from '../../src/protocol/rowQueries.ts';

/** The view of a finished result without rows. All of its rows are shown unless `shownRows` says otherwise. */
export function resultView(fields: Partial<ResultView> = {}): ResultView {
  return {
    runId: 'a',
    project: 'Shop',
    protection: 'open',
    color: undefined,
    statement: 'SELECT 1',
    state: 'done',
    columns: [],
    allColumns: undefined,
    rowCount: 0,
    shownRows: fields.rowCount ?? 0,
    orderVersion: 0,
    arrangement: unsorted,
    arranging: undefined,
    finding: undefined,
    bytes: 0,
    firstRowMs: undefined,
    changedRows: undefined,
    doneText: undefined,
    elapsedMs: 12,
    problem: undefined,
    code: undefined,
    pausedBy: undefined,
    waitsMs: undefined,
    outcome: undefined,
    actions: [],
    ...fields,
  };
}
