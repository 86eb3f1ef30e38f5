import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { StatementRun, type RunLimits } from '../../../src/model/results/statementRun.ts';
import { becomes } from '../../support/becomes.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = await mkdtemp(join(tmpdir(), 'runs-'));
const worker = startRowsThread();
after(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
const noLimits: RunLimits = { maxRows: Infinity, maxBytes: Infinity };
const start = (sql: string, limits: Partial<RunLimits> = {}, disk = new DiskBudget(() => Infinity)): StatementRun => {
  const request = { client, projectId, request: { sql }, folder, worker, now: () => performance.now(), disk };
  return new StatementRun({ ...request, limits: { ...noLimits, ...limits } });
};

test('a run that gives rows ends as done, and any of its rows can be read', async () => {
  const run = start('SELECT order_id, line FROM order_lines');
  await run.start();
  assert.deepEqual([run.state, run.rowCount], ['done', 100_000]);
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['order_id', 'line'],
  );
  const [last] = await run.rows(99_999, 10);
  assert.deepEqual(last?.[0], { kind: 'integer', text: '36000' });
  await run.dispose();
});

test('columns that look like numbers keep their order', async () => {
  const run = start('SELECT 2 AS "2", 1 AS "1", 0 AS a');
  await run.start();
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['2', '1', 'a'],
  );
  assert.deepEqual(
    (await run.rows(0, 1))[0]?.map(value => value.kind === 'integer' && value.text),
    ['2', '1', '0'],
  );
  await run.dispose();
});

test('a statement without rows tells how many it changed', async () => {
  const run = start('UPDATE products SET stock = stock WHERE id <= 3');
  await run.start();
  assert.deepEqual([run.state, run.rowCount, run.changedRows], ['done', 0, 3]);
  await run.dispose();
});

test('a fault is the state of the run', async () => {
  const run = start('SELECT * FROM nowhere');
  await run.start();
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /no such table: nowhere/);
  await run.dispose();
});

test('an endless run is cancelled, and its rows stay', async () => {
  const run = start(endless);
  const some = Promise.withResolvers<void>();
  run.onChange(() => run.rowCount > 1000 && some.resolve());
  const finished = run.start();
  await some.promise;
  run.cancel();
  await finished;
  assert.equal(run.state, 'cancelled');
  assert.deepEqual((await run.rows(0, 1))[0], [{ kind: 'integer', text: '1' }]);
  await run.dispose();
});

test('rows are sorted while more of them come, and all of them in the end', async () => {
  const run = start(endless);
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
  run.onChange(() => run.queries.shownRows === run.rowCount && all.resolve());
  await all.promise;
  assert.deepEqual(await run.rows(0, 1), [[{ kind: 'integer', text: String(run.rowCount) }]]);
  assert.deepEqual(await run.queries.cell(run.rowCount - 1, 0), { kind: 'integer', text: '1' });
  await run.dispose();
});

test('rows beyond those that are kept have no place in an order', async () => {
  const run = start(endless, { maxRows: 1001 });
  void run.start();
  await becomes(run, 'paused');
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual([run.queries.shownRows, run.queries.arrangement.sort.length], [1001, 1]);
  assert.deepEqual(await run.rows(0, 1), [[{ kind: 'integer', text: '1001' }]]);
  await run.dispose();
});

test('a run pauses at the most rows that are kept, goes on for as many again, and stops when told', async () => {
  const run = start(endless, { maxRows: 1001 });
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
  await run.dispose();
});

test('a run pauses at the most bytes that are kept', async () => {
  const run = start(endless, { maxBytes: 100_000 });
  const finished = run.start();
  await becomes(run, 'paused');
  assert.equal(run.controls.pause?.reason, 'bytes');
  assert.ok(run.rowCount > 1000);
  run.cancel();
  await finished;
  await run.dispose();
});

test('nothing is read while a run pauses, and it goes on to the end', async () => {
  const run = start('SELECT order_id, line FROM order_lines', { maxRows: 60_000 });
  const finished = run.start();
  await becomes(run, 'paused');
  const { sizeBytes } = run;
  // Another result comes through in the meantime, so that there was time to read.
  const other = start('SELECT order_id, line FROM order_lines');
  await other.start();
  assert.equal(run.sizeBytes, sizeBytes);
  run.controls.pause?.resume();
  await finished;
  assert.deepEqual([run.state, run.rowCount], ['done', 100_000]);
  assert.deepEqual(await run.rows(99_999, 1), await other.rows(99_999, 1));
  await Promise.all([run.dispose(), other.dispose()]);
});

test('results pause when all together take what the disk may give them, and go on when there is room', async () => {
  const disk = new DiskBudget(() => 100_000);
  const [first, second] = [start(endless, {}, disk), start(endless, { maxRows: 500 }, disk)];
  const [firstEnds, secondEnds] = [first.start(), second.start()];
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

test('a run that pauses is disposed like any other', async () => {
  const run = start(endless, { maxRows: 10 });
  const finished = run.start();
  await becomes(run, 'paused');
  await run.dispose();
  await finished;
  assert.deepEqual(await readdir(folder), []);
});

for (const end of ['given up', 'disposed'] as const) {
  test(`a run that is ${end} while the rows are written that use up its budget ends, and asks nobody`, async () => {
    const run = start(`SELECT hex(zeroblob(300000)) AS a UNION ALL SELECT 2`, { maxBytes: 1000 });
    const finished = run.start();
    // More than a screen shows waits here until its first rows are painted.
    await new Promise<void>(resolve => run.onChange(() => run.rowCount > 0 && resolve()));
    assert.equal(run.state, 'running');
    if (end === 'given up') run.cancel();
    else await run.dispose();
    await finished;
    assert.deepEqual([run.state, run.controls.pause?.reason], ['cancelled', undefined]);
    await run.dispose();
  });
}

test('a result that is just as long as may be kept is whole', async () => {
  const run = start('SELECT id FROM products LIMIT 10', { maxRows: 10 });
  await run.start();
  assert.deepEqual([run.state, run.rowCount], ['done', 10]);
  await run.dispose();
});

test('a run that is disposed leaves no file', async () => {
  const run = start('SELECT 1');
  await run.start();
  await run.dispose();
  assert.deepEqual(await readdir(folder), []);
});

test('a result whose place another one takes makes room for that, and is still read', async () => {
  const disk = new DiskBudget(() => 1000);
  const former = start('SELECT line FROM order_lines WHERE line = 1 LIMIT 1000', {}, disk);
  const ended = former.start();
  await becomes(former, 'paused');
  former.cancel();
  await ended;
  assert.equal(disk.isFull, true);
  former.storage.releaseBudget();
  const next = start('SELECT 1 AS one', {}, disk);
  await next.start();
  assert.equal(next.state, 'done');
  assert.deepEqual((await former.rows(0, 1))[0], [{ kind: 'integer', text: '1' }]);
  await Promise.all([former.dispose(), next.dispose()]);
  disk.take(999);
  assert.equal(disk.isFull, false);
});

test('a result that is closed gives back what it took of the disk, and no more', async () => {
  let limit = Infinity;
  const disk = new DiskBudget(() => limit);
  const run = start('SELECT order_id, line FROM order_lines', {}, disk);
  await run.start();
  await run.dispose();
  limit = 1;
  assert.equal(disk.isFull, false);
  disk.take(1);
  assert.ok(disk.isFull);
});
