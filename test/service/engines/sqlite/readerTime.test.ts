/** A statement's time, and the time of the reader of its rows, are limited separately. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { endlessRows } from '../../../support/endlessRows.ts';
import { HandClock } from '../../../support/handClock.ts';
import { manyRows, openRows, pauseRows, startTestEngine } from '../../../support/testEngine.ts';

test('the time of other statements on the thread does not count for a statement', async context => {
  const sql = manyRows(50_000);
  const runAll = async (run: (sql: string) => Promise<unknown>): Promise<number> => {
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => run(sql)));
    assert.ok(answers.every(rows => Array.isArray(rows) && rows.length === 50_000));
    return performance.now() - startedAt;
  };
  const totalMs = await runAll(startTestEngine(context).run);
  // Each statement has a fortieth of the total on the thread, so it may become thirteen times slower.
  await runAll(startTestEngine(context, { statementMs: totalMs / 3 }).run);
});

test('a statement past its time is stopped after the rows that it has sent', async context => {
  const { engine } = startTestEngine(context, { statementMs: 300 });
  const { batches } = await openRows(engine, endlessRows);
  let bytes = 0;
  const readAll = async (): Promise<void> => {
    for await (const batch of batches) bytes += batch.length;
  };
  await assert.rejects(readAll(), { code: 'statement_timeout' });
  assert.ok(bytes > 0);
});

test('the time that rows wait for their reader does not count for their statement', async context => {
  const clock = new HandClock();
  const { engine, run } = startTestEngine(context, { clock, statementMs: 60_000 });
  const { rest, rowCount } = await pauseRows(engine, run);
  for (let minute = 0; minute < 29; minute++) clock.advance(60_000);
  await rest();
  assert.equal(rowCount(), 1_000_000);
});

test('the rows of a reader that never comes back are dropped, with an error, and their snapshot is released', async context => {
  const clock = new HandClock();
  const { engine, run, folder } = startTestEngine(context, { clock, readerMs: 60_000 });
  await run('CREATE TABLE t (a)');
  const { rest, rowCount } = await pauseRows(engine, run, manyRows(1_000_000).replace('FROM n', 'FROM n LEFT JOIN t'));
  clock.advance(59_999);
  await run('SELECT 1');
  clock.advance(1);
  await engine.vacuum('project');
  assert.equal(statSync(join(folder, 'project.sqlite-wal')).size, 0);
  const message = /^The rows waited for their reader for more than 60 s in all, so the rest was dropped\./;
  await assert.rejects(rest(), { status: 504, code: 'reader_timeout', message });
  assert.ok(rowCount() > 0);
});
