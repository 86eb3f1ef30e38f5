import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ProjectError } from '../../../src/base/errors.ts';
import { DiskBudget } from '../../../src/model/results/diskBudget.ts';
import { KeptRun } from '../../../src/model/results/keptRun.ts';
import { ResultRun } from '../../../src/model/results/resultRun.ts';
import { decodeFacts, encodeFacts, factsOf, type RunFacts } from '../../../src/model/results/runFacts.ts';
import { startRowsWorker } from '../../support/rowsWorker.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = await mkdtemp(join(tmpdir(), 'kept-'));
const worker = startRowsWorker();
after(async () => {
  await worker.dispose();
  await rm(folder, { recursive: true });
});

const start = (sql: string): ResultRun => {
  const limits = { maxRows: Infinity, maxBytes: Infinity };
  return new ResultRun({ client, projectId, request: { sql }, folder, worker, limits, now: () => performance.now() });
};

test('a result that was kept outlives its run: its rows, its figures, and what can be asked of it', async () => {
  const run = start('SELECT id, name FROM customers ORDER BY id');
  await run.run();
  const file = join(folder, 'first.rows');
  await run.keep(file);
  const facts = factsOf(run);
  const [columns, rows] = [run.columns, await run.rows(10, 5)];
  await run.dispose();

  const disk = new DiskBudget(() => 1);
  const kept = new KeptRun({ file, facts, worker, disk });
  await kept.run();
  assert.deepEqual([kept.phase, kept.columns, await kept.rows(10, 5)], ['done', columns, rows]);
  assert.deepEqual(factsOf(kept), facts);
  assert.ok(disk.isFull);
  await kept.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual((await kept.rows(0, 1))[0]?.[0], { kind: 'integer', text: String(facts.rowCount) });
  await kept.dispose();
  assert.equal(disk.isFull, false);
  const again = new KeptRun({ file, facts, worker, disk });
  await again.run();
  assert.equal(again.phase, 'done', 'whoever looks at it does not end it');
  await again.dispose();
});

test('a result whose rows are gone, or that had not ended, says so', async () => {
  const facts: RunFacts = {
    ...{ phase: 'done', rowCount: 5, changed: undefined, elapsedMs: 1 },
    firstRowMs: 1,
    error: undefined,
  };
  for (const given of [facts, { ...facts, phase: 'running' } as const]) {
    const kept = new KeptRun({
      file: join(folder, 'nothing.rows'),
      facts: given,
      worker,
      disk: new DiskBudget(() => 1),
    });
    await kept.run();
    assert.deepEqual([kept.phase, (kept.error as ProjectError).code, kept.rowCount], ['failed', 'result_gone', 0]);
    await kept.dispose();
  }
});

test('what is known of a run passes through JSON, also its fault', async () => {
  const run = start('SELECT * FROM nowhere');
  await run.run();
  const facts = decodeFacts(JSON.parse(JSON.stringify(encodeFacts(factsOf(run)))));
  assert.deepEqual([facts?.phase, facts?.error?.kind, facts?.error?.code], ['failed', 'service', 'sql_error']);
  assert.match(String(facts?.error?.message), /no such table: nowhere/);
  await run.dispose();
});

for (const wrong of [
  null,
  {},
  { phase: 'lost', rowCount: 1, elapsedMs: 1 },
  { phase: 'done', rowCount: -1, elapsedMs: 1 },
]) {
  test(`${JSON.stringify(wrong)} says nothing of a run`, () => assert.equal(decodeFacts(wrong), undefined));
}
