import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import type { ProjectError } from '../../../src/base/errors.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { RestoredRun } from '../../../src/model/results/restoredRun.ts';
import { StatementRun } from '../../../src/model/results/statementRun.ts';
import { decodeFacts, encodeFacts, factsOf, type RunFacts } from '../../../src/model/results/runFacts.ts';
import { HandClock } from '../../support/handClock.ts';
import { startRowsThread } from '../../support/rowsThread.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = await mkdtemp(join(tmpdir(), 'kept-'));
const worker = startRowsThread();
after(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

const start = (sql: string): StatementRun => {
  const limits = { maxRows: Infinity, maxBytes: Infinity };
  return new StatementRun({
    client,
    projectId,
    request: { sql },
    folder,
    worker,
    limits,
    now: () => performance.now(),
  });
};

test('a result that was kept outlives its run: its rows, its figures, and what can be asked of it', async () => {
  const run = start('SELECT id, name FROM customers ORDER BY id');
  await run.start();
  const file = join(folder, 'first.rows');
  await run.storage.save(file);
  const facts = factsOf(run);
  const [columns, rows] = [run.columns, await run.rows(10, 5)];
  await run.dispose();

  const disk = new DiskBudget(() => 1);
  const kept = new RestoredRun({ file, facts, worker, disk, clock: systemClock });
  await kept.start();
  assert.deepEqual([kept.state, kept.columns, await kept.rows(10, 5)], ['done', columns, rows]);
  assert.deepEqual(factsOf(kept), facts);
  assert.ok(disk.isFull);
  await kept.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual((await kept.rows(0, 1))[0]?.[0], { kind: 'integer', text: String(facts.rowCount) });
  await kept.dispose();
  assert.equal(disk.isFull, false);
  const again = new RestoredRun({ file, facts, worker, disk, clock: systemClock });
  await again.start();
  assert.equal(again.state, 'done', 'whoever looks at it does not end it');
  await again.dispose();
});

test('a result whose rows are gone, or that had not ended, says so', async () => {
  const facts: RunFacts = {
    ...{ state: 'done', rowCount: 5, changedRows: undefined, elapsedMs: 1 },
    firstRowMs: 1,
    ...{ error: undefined, writeOutcome: undefined, writeKey: undefined },
  };
  for (const given of [facts, { ...facts, state: 'running' } as const]) {
    const kept = new RestoredRun({
      file: join(folder, 'nothing.rows'),
      facts: given,
      worker,
      disk: new DiskBudget(() => 1),
      clock: systemClock,
    });
    await kept.start();
    assert.deepEqual([kept.state, (kept.error as ProjectError).code, kept.rowCount], ['failed', 'result_gone', 0]);
    await kept.dispose();
  }
});

test('what is known of a run passes through JSON, also its fault', async () => {
  const run = start('SELECT * FROM nowhere');
  await run.start();
  const facts = decodeFacts(JSON.parse(JSON.stringify(encodeFacts(factsOf(run)))));
  assert.deepEqual([facts?.state, facts?.error?.kind, facts?.error?.code], ['failed', 'service', 'sql_error']);
  assert.match(String(facts?.error?.message), /no such table: nowhere/);
  await run.dispose();
});

test('a write that nobody knows the outcome of is asked after in the next window as well, also one that had not ended', async () => {
  const clock = new HandClock(Date.parse('2026-01-01T00:00:00Z'));
  const base = { rowCount: 0, changedRows: undefined, elapsedMs: 1, firstRowMs: undefined, error: undefined };
  const writeKey = { text: 'only-once', since: clock.now() };
  for (const facts of [
    { ...base, state: 'failed', writeOutcome: 'unknown', writeKey },
    { ...base, state: 'running', writeOutcome: undefined, writeKey },
  ] as const) {
    const passed = decodeFacts(JSON.parse(JSON.stringify(encodeFacts(facts))));
    assert.ok(passed);
    const disk = new DiskBudget(() => 1);
    const kept = new RestoredRun({ file: join(folder, 'nothing.rows'), facts: passed, worker, disk, clock });
    await kept.start();
    assert.deepEqual(
      [kept.writeOutcome, kept.writeKey?.text, factsOf(kept).writeKey],
      ['unknown', 'only-once', writeKey],
    );
    clock.advance(23 * 60 * 60 * 1000);
    assert.equal(kept.writeOutcome, 'expired');
    clock.advance(-23 * 60 * 60 * 1000);
    await kept.dispose();
  }
});

for (const wrong of [
  null,
  {},
  { state: 'lost', rowCount: 1, elapsedMs: 1 },
  { state: 'done', rowCount: -1, elapsedMs: 1 },
]) {
  test(`${JSON.stringify(wrong)} says nothing of a run`, () => assert.equal(decodeFacts(wrong), undefined));
}
