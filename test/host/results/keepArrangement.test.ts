import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepArrangement } from '../../../src/host/results/openResults.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';

const { newRun } = await openStatementRuns();

const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000)';

test('the rows of a run are sorted and filtered like those of the run before, while they arrive', async () => {
  const previousRun = newRun(`${numbers} SELECT i, -i AS down FROM n`);
  await previousRun.start();
  await previousRun.queries.arrange({
    sort: [{ column: 1, descending: false }],
    filters: [{ kind: 'null', column: 0, isNull: false }],
  });
  for (const isUnderWay of [true, false]) {
    const next = newRun(`${numbers} SELECT 'x' AS word, -i AS down, i FROM n`);
    if (!isUnderWay) await next.start();
    const arranged = Promise.withResolvers<void>();
    next.onChange(() => {
      if (next.state === 'done' && next.queries.arrangement.sort.length > 0 && next.queries.shownRows === 20_000) {
        arranged.resolve();
      }
    });
    keepArrangement(previousRun, next);
    void next.start();
    await arranged.promise;
    assert.deepEqual(next.queries.arrangement, {
      sort: [{ column: 1, descending: false }],
      filters: [{ kind: 'null', column: 2, isNull: false }],
    });
    const [first = []] = await next.rows(0, 1);
    assert.deepEqual(
      first.map(value => (value.kind === 'null' ? '' : textOf(value))),
      ['x', '-20000', '20000'],
    );
    await next.dispose();
  }
  await previousRun.dispose();
});

test('a search is kept as well, and rows that arrive later are searched', async () => {
  const previousRun = newRun('SELECT 1 AS i');
  await previousRun.start();
  await previousRun.queries.arrange({ sort: [], filters: [], search: '999' });
  const next = newRun(`${numbers} SELECT -i AS down, 'x' || i AS word FROM n`);
  const arranged = Promise.withResolvers<void>();
  next.onChange(() => {
    if (next.state === 'done' && next.queries.shownRows === 38) arranged.resolve();
  });
  keepArrangement(previousRun, next);
  await next.start();
  await arranged.promise;
  assert.deepEqual(next.queries.arrangement, { sort: [], filters: [], search: '999' });
  await next.dispose();
  await previousRun.dispose();
});

test('a sort that is still under way is kept, too', async () => {
  const previousRun = newRun(`${numbers} SELECT i FROM n`);
  await previousRun.start();
  const sort = [{ column: 0, descending: true }];
  const sorting = previousRun.queries.arrange({ sort, filters: [] });
  assert.deepEqual(previousRun.queries.arrangement.sort, []);
  const next = newRun(`${numbers} SELECT i FROM n`);
  const arranged = Promise.withResolvers<void>();
  next.onChange(() => {
    if (next.queries.arrangement.sort.length > 0) arranged.resolve();
  });
  keepArrangement(previousRun, next);
  await next.start();
  await arranged.promise;
  assert.deepEqual(next.queries.arrangement.sort, sort);
  await sorting;
  await next.dispose();
  await previousRun.dispose();
});
