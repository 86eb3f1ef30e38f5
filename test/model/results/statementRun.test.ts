import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { becomes } from '../../support/becomes.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';

const { folder, newRun } = await openStatementRuns();

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

test('a run with rows ends as done, and any of its rows can be read', async () => {
  await using run = newRun('SELECT order_id, line FROM order_lines');
  await run.start();
  assert.deepEqual([run.state, run.rowCount], ['done', 100_000]);
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['order_id', 'line'],
  );
  const [last] = await run.rows(99_999, 10);
  assert.deepEqual(last?.[0], { kind: 'integer', text: '36000' });
});

test('columns that look like numbers keep their order', async () => {
  await using run = newRun('SELECT 2 AS "2", 1 AS "1", 0 AS a');
  await run.start();
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['2', '1', 'a'],
  );
  assert.deepEqual(
    (await run.rows(0, 1))[0]?.map(value => value.kind === 'integer' && value.text),
    ['2', '1', '0'],
  );
});

test('a statement without rows says how many it changed', async () => {
  await using run = newRun('UPDATE products SET stock = stock WHERE id <= 3');
  await run.start();
  assert.deepEqual([run.state, run.rowCount, run.changedRows], ['done', 0, 3]);
});

test('a fault is the state of the run', async () => {
  await using run = newRun('SELECT * FROM nowhere');
  await run.start();
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /no such table: nowhere/);
});

test('a cancelled run keeps its rows', async () => {
  await using run = newRun(endless);
  const some = Promise.withResolvers<void>();
  run.onChange(() => run.rowCount > 1000 && some.resolve());
  const finished = run.start();
  await some.promise;
  run.cancel();
  await finished;
  assert.equal(run.state, 'cancelled');
  assert.deepEqual((await run.rows(0, 1))[0], [{ kind: 'integer', text: '1' }]);
});

test('rows are sorted while more of them arrive, and all of them in the end', async () => {
  await using run = newRun(endless);
  const some = Promise.withResolvers<void>();
  const again = Promise.withResolvers<void>();
  run.onChange(() => run.rowCount > 1000 && some.resolve());
  const finished = run.start();
  await some.promise;
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  const { orderVersion, shownRows } = run.queries;
  run.onChange(() => run.queries.orderVersion > orderVersion && again.resolve());
  await again.promise;
  assert.ok(run.queries.shownRows > shownRows);
  run.cancel();
  await finished;
  const all = Promise.withResolvers<void>();
  const check = (): unknown => run.queries.shownRows === run.rowCount && all.resolve();
  run.onChange(check);
  // The last rows may be sorted already.
  check();
  await all.promise;
  assert.deepEqual(await run.rows(0, 1), [[{ kind: 'integer', text: String(run.rowCount) }]]);
  assert.deepEqual(await run.queries.cell(run.rowCount - 1, 0, 100), { kind: 'integer', text: '1' });
});

test('rows beyond the limit are not sorted', async () => {
  await using run = newRun(endless, { maxRows: 1001 });
  void run.start();
  await becomes(run, 'paused');
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual([run.queries.shownRows, run.queries.arrangement.sort.length], [1001, 1]);
  assert.deepEqual(await run.rows(0, 1), [[{ kind: 'integer', text: '1001' }]]);
});

test('a run pauses at the maximum number of rows, resumes for as many again, and ends as limited', async () => {
  await using run = newRun(endless, { maxRows: 1001 });
  const finished = run.start();
  await becomes(run, 'paused');
  assert.deepEqual([run.rowCount, run.controls.pause?.reason], [1001, 'rows']);
  assert.deepEqual(await run.rows(1000, 10), [[{ kind: 'integer', text: '1001' }]]);
  run.controls.pause?.resume();
  await becomes(run, 'running');
  await becomes(run, 'paused');
  assert.deepEqual(await run.rows(2001, 10), [[{ kind: 'integer', text: '2002' }]]);
  run.cancel();
  await finished;
  assert.deepEqual([run.state, run.rowCount, run.controls.pause?.reason], ['limited', 2002, undefined]);
});

test('a run pauses at the maximum number of bytes', async () => {
  await using run = newRun(endless, { maxBytes: 100_000 });
  const finished = run.start();
  await becomes(run, 'paused');
  assert.equal(run.controls.pause?.reason, 'bytes');
  assert.ok(run.rowCount > 1000);
  run.cancel();
  await finished;
});

test('a paused run reads nothing, and resumes to its end', async () => {
  await using run = newRun('SELECT order_id, line FROM order_lines', { maxRows: 60_000 });
  const finished = run.start();
  await becomes(run, 'paused');
  const { sizeBytes } = run;
  // Another result comes through in the meantime, so that there was time to read.
  await using other = newRun('SELECT order_id, line FROM order_lines');
  await other.start();
  assert.equal(run.sizeBytes, sizeBytes);
  run.controls.pause?.resume();
  await finished;
  assert.deepEqual([run.state, run.rowCount], ['done', 100_000]);
  assert.deepEqual(await run.rows(99_999, 1), await other.rows(99_999, 1));
});

test('runs pause when all results together fill the disk budget, and resume when there is space', async () => {
  const disk = new DiskBudget(() => 100_000);
  const first = newRun(endless, {}, disk);
  const second = newRun(endless, { maxRows: 500 }, disk);
  const firstEnds = first.start();
  const secondEnds = second.start();
  await Promise.all([becomes(first, 'paused'), becomes(second, 'paused')]);
  assert.equal(first.controls.pause?.reason, 'disk');
  second.controls.pause?.resume();
  await becomes(second, 'running');
  await becomes(second, 'paused');
  await first.dispose();
  await firstEnds;
  const before = second.rowCount;
  second.controls.pause?.resume();
  await becomes(second, 'running');
  await becomes(second, 'paused');
  assert.ok(second.rowCount > before);
  await second.dispose();
  await secondEnds;
  assert.equal(disk.isFull, false);
});

test('a paused run can be disposed', async () => {
  const run = newRun(endless, { maxRows: 10 });
  const finished = run.start();
  await becomes(run, 'paused');
  await run.dispose();
  await finished;
  assert.deepEqual(await readdir(folder), []);
});

for (const end of ['cancelled', 'disposed'] as const) {
  test(`a run that is ${end} while its last rows within the limit are written ends without a pause`, async () => {
    await using run = newRun(`SELECT hex(zeroblob(300000)) AS a UNION ALL SELECT 2`, { maxBytes: 1000 });
    const finished = run.start();
    // A large answer waits here until its first rows are painted.
    await new Promise<void>(resolve => run.onChange(() => run.rowCount > 0 && resolve()));
    assert.equal(run.state, 'running');
    if (end === 'cancelled') run.cancel();
    else await run.dispose();
    await finished;
    assert.deepEqual([run.state, run.controls.pause?.reason], ['cancelled', undefined]);
  });
}

test('a result of exactly the maximum number of rows is complete', async () => {
  await using run = newRun('SELECT id FROM products LIMIT 10', { maxRows: 10 });
  await run.start();
  assert.deepEqual([run.state, run.rowCount], ['done', 10]);
});

test('a disposed run leaves no file', async () => {
  const run = newRun('SELECT 1');
  await run.start();
  await run.dispose();
  assert.deepEqual(await readdir(folder), []);
});

test('a replaced result releases its disk budget at once, and can still be read', async () => {
  const disk = new DiskBudget(() => 1000);
  const former = newRun('SELECT line FROM order_lines WHERE line = 1 LIMIT 1000', {}, disk);
  const ended = former.start();
  await becomes(former, 'paused');
  former.cancel();
  await ended;
  assert.equal(disk.isFull, true);
  former.storage.releaseBudget();
  const next = newRun('SELECT 1 AS one', {}, disk);
  await next.start();
  assert.equal(next.state, 'done');
  assert.deepEqual((await former.rows(0, 1))[0], [{ kind: 'integer', text: '1' }]);
  await next.dispose();
  await former.dispose();
  disk.take(999);
  assert.equal(disk.isFull, false);
});

test('a closed result releases its disk budget once', async () => {
  let limit = Infinity;
  const disk = new DiskBudget(() => limit);
  const run = newRun('SELECT order_id, line FROM order_lines', {}, disk);
  await run.start();
  await run.dispose();
  limit = 1;
  assert.equal(disk.isFull, false);
  disk.take(1);
  assert.ok(disk.isFull);
});
