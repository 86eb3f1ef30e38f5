import { disposable } from '../../support/disposable.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { ProjectError } from '../../../src/base/errors.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { RestoredRun } from '../../../src/model/results/restoredRun.ts';
import { decodeRunRecord, encodeRunRecord, type RunRecord, runRecordOf } from '../../../src/model/results/runRecord.ts';
import { HandClock } from '../../support/handClock.ts';
import { openStatementRuns } from '../../support/statementRuns.ts';

const { folder, thread, newRun } = await openStatementRuns();

const rowsFile = join(folder, 'saved.rows');
const disk = new DiskBudget(() => 1);

const restore = (record: RunRecord, file = join(folder, 'missing.rows'), clock: Clock = systemClock) =>
  disposable(new RestoredRun({ file, record, thread, disk, clock }));

const throughJson = (record: RunRecord): RunRecord | undefined =>
  decodeRunRecord(JSON.parse(JSON.stringify(encodeRunRecord(record))));

const doneRecord: RunRecord = {
  state: 'done',
  rowCount: 5,
  changedRows: undefined,
  elapsedMs: 1,
  firstRowMs: 1,
  error: undefined,
  writeOutcome: undefined,
  writeKey: undefined,
  keys: undefined,
};

test('a restored run has the rows and figures of the saved one, and can be queried', async () => {
  const run = newRun('SELECT id, name FROM customers ORDER BY id');
  await run.start();
  await run.storage.save(rowsFile);
  const key = { isKey: true, references: { table: 'people', column: undefined } };
  run.describe([
    { name: 'id', key },
    { name: 'name', key: { isKey: false, references: undefined } },
  ]);
  const record = throughJson(runRecordOf(run))!;
  const { columns } = run;
  const rows = await run.rows(10, 5);
  await run.dispose();

  const restored = restore(record, rowsFile);
  await restored.start();
  assert.deepEqual([restored.state, restored.columns, await restored.rows(10, 5)], ['done', columns, rows]);
  assert.deepEqual(runRecordOf(restored), record);
  assert.deepEqual([restored.keyOf(0), restored.keyOf(1)], [key, undefined]);
  assert.ok(disk.isFull);
  await restored.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  const lastRow = { kind: 'integer', text: String(record.rowCount) };
  assert.deepEqual((await restored.rows(0, 1))[0]?.[0], lastRow);
  const arrangedRecord = throughJson(runRecordOf(restored))!;
  await restored.dispose();
  assert.equal(disk.isFull, false);
  await using again = restore(arrangedRecord, rowsFile);
  const arranged = Promise.withResolvers<void>();
  again.onChange(() => again.queries.arrangement.sort.length > 0 && arranged.resolve());
  await again.start();
  await arranged.promise;
  assert.deepEqual((await again.rows(0, 1))[0]?.[0], lastRow, 'the sort is restored');
  assert.equal(again.state, 'done', 'disposing a restored run leaves the file');
});

for (const [what, record] of [
  ['whose rows are missing', doneRecord],
  ['that had not ended', { ...doneRecord, state: 'running' }],
] as const) {
  test(`a restored run ${what} fails with result_gone`, async () => {
    await using restored = restore(record);
    await restored.start();
    const { code } = restored.error as ProjectError;
    assert.deepEqual([restored.state, code, restored.rowCount], ['failed', 'result_gone', 0]);
  });
}

test('the record of a run with its error passes through JSON', async () => {
  await using run = newRun('SELECT * FROM nowhere');
  await run.start();
  const record = throughJson(runRecordOf(run));
  assert.deepEqual([record?.state, record?.error?.kind, record?.error?.code], ['failed', 'service', 'sql_error']);
  assert.match(String(record?.error?.message), /no such table: nowhere/);
});

test('a restored write that had not ended and lost its idempotency key does not suggest another run', async () => {
  await using restored = restore({ ...doneRecord, state: 'running', rowCount: 0, writeOutcome: 'expired' });
  await restored.start();
  const { code } = restored.error as ProjectError;
  assert.deepEqual([restored.state, code, restored.writeOutcome], ['failed', 'window_closed', 'expired']);
});

for (const [what, fields] of [
  ['a write with an unknown outcome', { state: 'failed', writeOutcome: 'unknown' }],
  ['a write that had not ended', { state: 'running' }],
] as const) {
  test(`${what} keeps its idempotency key in the next window, until the service may have forgotten it`, async () => {
    const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
    const writeKey = { text: 'only-once', since: clock.now() };
    const record = throughJson({ ...doneRecord, rowCount: 0, ...fields, writeKey });
    assert.ok(record);
    await using restored = restore(record, undefined, clock);
    await restored.start();
    assert.deepEqual([restored.writeOutcome, restored.writeKey?.text], ['unknown', 'only-once']);
    assert.deepEqual(runRecordOf(restored).writeKey, writeKey);
    clock.advance(23 * 60 * 60 * 1000);
    assert.equal(restored.writeOutcome, 'expired');
  });
}

for (const value of [
  null,
  {},
  { state: 'lost', rowCount: 1, elapsedMs: 1 },
  { state: 'done', rowCount: -1, elapsedMs: 1 },
]) {
  test(`${JSON.stringify(value)} is not a run record`, () => assert.equal(decodeRunRecord(value), undefined));
}
