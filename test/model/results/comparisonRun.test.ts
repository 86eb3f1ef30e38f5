import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicClock } from '../../../src/base/clock.ts';
import { comparedTableSql } from '../../../src/model/results/comparison.ts';
import { compareRuns } from '../../../src/model/results/comparisonRun.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { disposable } from '../../support/disposable.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';

const { client, projectId, folder, thread, newRun } = await openStatementRuns();

async function createTable(name: string, ...rows: readonly string[]): Promise<void> {
  await client.execSql(projectId, { sql: `CREATE TABLE ${name}(id INTEGER PRIMARY KEY, a, b)` });
  for (const row of rows) await client.execSql(projectId, { sql: `INSERT INTO ${name} VALUES (${row})` });
}

function compareTables(before: string, after: string, disk = new DiskBudget(() => Infinity)) {
  const sources = [before, after].map(table => {
    const { sql, letterColumn } = comparedTableSql(table, ['id', 'a', 'b']);
    return { run: newRun(sql, {}, disk), isTable: true, letterColumn };
  });
  const parts = { folder, thread, disk, clock: monotonicClock };
  const { run, progress } = compareRuns({ ...parts, sources: [sources[0]!, sources[1]!], key: ['id'] });
  return Object.assign(disposable(run), { progress });
}

await createTable('one', "1, 1, 'AAEC'", '2, -0.0, NULL', '3, 9007199254740993, 1', '4, 1.0, 2');
await createTable('other', "1, 1.0, x'000102'", '2, 0.0, NULL', '3, 9007199254740992, 1', '5, 1.0, 2');

test('two tables are read and compared with the storage classes of their values', async () => {
  await using run = compareTables('one', 'other');
  await run.start();
  assert.equal(run.state, 'done', String(run.error));
  const { added, removed, changed, same } = run.progress().summary!;
  assert.deepEqual({ added, removed, changed, same }, { added: 1, removed: 1, changed: 3, same: 0 });
  const rows = await run.rows(0, 10);
  const texts = rows.map(row => row.map(value => ('text' in value ? value.text : value.kind)).join('|'));
  assert.deepEqual(texts, [
    'changed|[["a","integer","real"],["b","text","blob"]]|1|1|AAEC|1|AAEC',
    'changed|["a"]|2|0|null|-0|null',
    'changed|["a"]|3|9007199254740992|1|9007199254740993|null',
    'added|null|5|1|2|null|null',
    'removed|null|4|1|2|null|null',
  ]);
});

test('a comparison that is stopped, or finds the disk space used up, ends without rows', async () => {
  await using stopped = compareTables('one', 'other');
  const ended = stopped.start();
  stopped.controls.cancel();
  await ended;
  assert.equal(stopped.state, 'cancelled');
  const disk = new DiskBudget(() => 1);
  await using full = compareTables('one', 'other', disk);
  await full.start();
  assert.equal(full.state, 'failed');
  assert.equal((full.error as { code?: string }).code, 'results_disk_full');
  assert.equal(full.rowCount, 0);
});
