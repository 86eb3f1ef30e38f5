/** Which time is a statement's, which that of whoever reads its rows, and which is neither's. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HandClock } from '../../../support/handClock.ts';
import { manyRows, openRows, pauseRows, startTestEngine } from '../../../support/testEngine.ts';

test('the time in which other statements have the thread is none of a statement’s', async context => {
  const sql = manyRows(50_000);
  const alone = startTestEngine(context);
  await alone.run(sql);
  const began = performance.now();
  await alone.run(sql);
  const statementTime = 8 * (performance.now() - began);
  const { run } = startTestEngine(context, { statementTime });
  const answers = await Promise.all(Array.from({ length: 24 }, () => run(sql)));
  assert.ok(answers.every(rows => Array.isArray(rows) && rows.length === 50_000));
});

test('a statement that gives rows for longer than its time is ended behind them', async context => {
  const { engine } = startTestEngine(context, { statementTime: 300 });
  const { batches } = await openRows(
    engine,
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
  );
  let bytes = 0;
  const readAll = async (): Promise<void> => {
    for await (const batch of batches) bytes += batch.length;
  };
  await assert.rejects(readAll(), { code: 'statement_timeout' });
  assert.ok(bytes > 0);
});

test('the time that rows wait for their reader is none of their statement’s', async context => {
  const clock = new HandClock();
  const { engine, run } = startTestEngine(context, { clock, statementTime: 60_000 });
  const { rest, rowCount } = await pauseRows(engine, run);
  for (let minute = 0; minute < 29; minute++) clock.advance(60_000);
  await rest();
  assert.equal(rowCount(), 1_000_000);
});

test('a reader that never comes back gets the rows before and says so, and holds nothing of the database', async context => {
  const clock = new HandClock();
  const { engine, run, folder } = startTestEngine(context, { clock, readerTime: 60_000 });
  await run('CREATE TABLE t (a)');
  const { rest, rowCount } = await pauseRows(engine, run, manyRows(1_000_000).replace('FROM n', 'FROM n LEFT JOIN t'));
  clock.advance(59_999);
  await run('SELECT 1');
  clock.advance(1);
  await engine.vacuum('project');
  assert.equal(statSync(join(folder, 'project.sqlite-wal')).size, 0);
  const message = /^The rows waited for their reader for more than 60 s in all, and the rest of them was let go\./;
  await assert.rejects(rest(), { status: 504, code: 'reader_timeout', message });
  assert.ok(rowCount() > 0);
});
