import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { StatementRun } from '../../../src/model/results/statementRun.ts';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import type { Arrangement } from '../../../src/protocol/rowQueries.ts';
import { startTable } from '../../support/browsedTable.ts';
import { notAborted } from '../../support/queriedRows.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const setup = [
  'CREATE TABLE sales(id INTEGER PRIMARY KEY, city TEXT COLLATE NOCASE, total REAL, mixed, photo BLOB)',
  `INSERT INTO sales WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 400)
    SELECT i, iif(i % 7 = 0, NULL, iif(i % 2, 'Bern', 'bern')), (i * 37 % 101 - 50) / 4.0,
      CASE i % 4 WHEN 0 THEN i WHEN 1 THEN i / 3.0 WHEN 2 THEN 'text ' || (i % 3) END, iif(i % 5, NULL, unhex('00ff')) FROM i`,
];
for (const sql of setup) await client.execSql(projectId, { sql });

for (const filters of [[], [{ kind: 'range' as const, column: 0, from: '11', to: '200' }]]) {
  test(`a browsed table has the profile of its rows${filters.length > 0 ? ' that pass the filters' : ''}`, async context => {
    const thread = startRowsThread();
    context.after(() => thread.dispose());
    const run = new StatementRun({
      folder: temporaryFolder(),
      limits: { maxRows: Infinity, maxBytes: Infinity },
      thread,
      clock: systemClock,
      send: options => client.execSqlStream(projectId, { sql: 'SELECT * FROM sales' }, options),
    });
    context.after(() => run.dispose());
    await run.start();
    await using table = await startTable({ client, projectId, name: 'sales', pageSize: 20 });
    const arrangement: Arrangement = { sort: [], filters };
    await run.queries.arrange(arrangement);
    await table.queries.arrange(arrangement);
    const query = { columns: [0, 1, 2, 3, 4], inDetail: true };
    const ofRows = await run.queries.profile(query, notAborted);
    const ofTable = await table.queries.profile(query, notAborted);
    assert.deepEqual(ofTable.map(comparable), ofRows.map(comparable));
    assert.deepEqual(ofTable.map(countInBars), ofRows.map(countInBars));
  });
}

/** Without the bars, which may have other widths, the sum, which only rows have, and the order of equally frequent values. */
function comparable({ column, figures, median, texts, blobs, shortest, longest, top }: ColumnProfile): unknown {
  const { cells, nulls, numbers, distinct, min, max, average } = figures;
  const values = top?.values.map(({ text, count }) => `${count} ${text}`).toSorted();
  const mean = average === undefined ? undefined : Number(average).toPrecision(12);
  const counts = { column, cells, nulls, numbers, texts, blobs, distinct, shortest, longest };
  return { ...counts, min, max, mean, median, values: values?.length === 20 ? [] : values };
}

const countInBars = ({ bars }: ColumnProfile): number => bars.reduce((sum, { count }) => sum + count, 0);
