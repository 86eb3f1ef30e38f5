import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { browseTable, firstColumn, whenever } from '../../support/browsedTable.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();

async function tableOf(name: string, columns: string, values: string): Promise<BrowseRun> {
  await client.execSql(projectId, { sql: `CREATE TABLE ${name}(${columns})` });
  await client.execSql(projectId, {
    sql: `INSERT INTO ${name} WITH RECURSIVE i(i) AS (SELECT 10 UNION ALL SELECT i + 10 FROM i LIMIT 30) SELECT ${values} FROM i`,
  });
  const run = browseTable({ client, projectId, name, pageSize: 10 });
  await run.start();
  return run;
}

test('rows that a write moved to a second page are marked there, and a refresh shows each once', async () => {
  const run = await tableOf('parts', 'id INTEGER PRIMARY KEY, name TEXT', `i, 'part ' || i`);
  await whenever(run, () => run.repeatedCount !== undefined);
  await client.execSql(projectId, { sql: `INSERT INTO parts VALUES (1, 'new'), (2, 'new')` });
  await run.jump(10);
  assert.deepEqual(await firstColumn(run, 8, 5), ['90', '100', '90', '100', '110']);
  assert.deepEqual([run.repeatedCount, run.repeatedIn(0, 30)], [2, [10, 11]]);
  await run.refresh();
  assert.deepEqual(await firstColumn(run, 8, 5), ['70', '80', '90', '100', '110']);
  await whenever(run, () => run.repeatedCount !== undefined);
  assert.deepEqual([run.repeatedCount, run.repeatedIn(0, 30)], [0, []]);
  await run.dispose();
});

test('rows are compared by all columns of the primary key', async () => {
  const run = await tableOf('lines', '"order" INT, line INT, PRIMARY KEY (line, "order")', 'i, 1');
  await whenever(run, () => run.repeatedCount !== undefined);
  await run.jump(10);
  assert.equal(run.repeatedCount, 0);
  await client.execSql(projectId, { sql: 'DELETE FROM lines WHERE "order" = 10' });
  await client.execSql(projectId, { sql: 'INSERT INTO lines(rowid, "order", line) VALUES (-1, 5, 1), (-2, 6, 1)' });
  await run.jump(20);
  assert.deepEqual([run.repeatedCount, run.repeatedIn(0, 30)], [1, [20]]);
  await run.dispose();
});

test('repeated rows of a view or a table without a primary key are unknown', async () => {
  const run = await tableOf('notes', 'text TEXT', `'same'`);
  await run.jump(10);
  assert.equal(run.repeatedCount, undefined);
  await run.dispose();
  await client.execSql(projectId, { sql: 'CREATE VIEW some_notes AS SELECT * FROM notes' });
  const view = browseTable({ client, projectId, name: 'some_notes', kind: 'view', pageSize: 10 });
  await view.start();
  await view.jump(10);
  assert.deepEqual([view.rowCount, view.repeatedCount], [20, undefined]);
  await view.dispose();
});

test('rows with a NULL in their key are never repeated', async () => {
  const run = await tableOf('loose', 'id TEXT PRIMARY KEY', 'NULL');
  await whenever(run, () => run.repeatedCount !== undefined);
  await run.jump(10);
  assert.equal(run.repeatedCount, 0);
  await run.dispose();
});
