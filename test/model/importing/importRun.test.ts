import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { rememberedMs } from '../../../src/wire/headers.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';
import type { SendStatement } from '../../../src/model/importing/importRun.ts';
import { skipUnknownRows, resendUnknownRows, unknownRows } from '../../../src/model/importing/importEnd.ts';
import { ImportedProject, newRun, savedProgress } from '../../support/importRuns.ts';

const imports = await ImportedProject.start();
const { folder, send } = imports;

/** A service that reads short bodies only. */
const small: SendStatement = async (request, options) => {
  const size = 'body' in request ? request.body.length : JSON.stringify(request.params).length;
  if (size > 500) throw new ServiceError({ status: 413, code: 'too_large', message: `${size} characters` });
  return send(request, options);
};

/** The answer to each call is lost. */
const lost: SendStatement = async (request, options) => {
  await send(request, options);
  throw new Error('The connection was lost.');
};

test('columns that the file does not have get their defaults, and an autoincrement key numbers itself', async () => {
  const table = await imports.createTable(
    `id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, state TEXT DEFAULT 'new'`,
  );
  await imports.importText(table, 'name,other\nAnn,1\nBob,2\n');
  assert.deepEqual(await imports.rowsOf(table), [
    [1, 'Ann', 'new'],
    [2, 'Bob', 'new'],
  ]);
});

test('a bad row costs a few calls, goes to a file with its line and column, and does not stop the rest', async () => {
  const table = await imports.createTable('id INTEGER PRIMARY KEY, mail TEXT UNIQUE, age INTEGER CHECK (age < 200)');
  const lines = Array.from({ length: 4000 }, (_, id) => `${id},m${id}@x,${id % 100}`);
  lines[1000] = '1000,m5@x,1';
  lines[3000] = '3000,m3000@x,500';
  lines[3500] = 'broken';
  const path = await folder.write('bad.csv', `id,mail,age\n${lines.join('\n')}\n`);
  const plan = await imports.plan({ path, table });
  let calls = 0;
  const run = await imports.run(plan, {
    send: (...call) => {
      calls++;
      return send(...call);
    },
  });
  assert.equal(run.state, 'done');
  assert.deepEqual(run.progress.counts, { sentRows: 3997, changedRows: 3997, rejectedRows: 3 });
  assert.deepEqual(await imports.rejectedLines(plan), [
    `1002,mail,UNIQUE constraint failed: ${table}.mail,"1000,m5@x,1"`,
    `3002,age,CHECK constraint failed: age < 200,"3000,m3000@x,500"`,
    '3502,,fieldCount,broken',
  ]);
  assert.ok(calls < 60, `${calls} calls`);
  assert.equal(await savedProgress(folder.path, plan), undefined);
});

test('with the choice to stop, all rows before the bad one are imported and none after it, until the import continues', async () => {
  for (const bad of ['5', '5,x,y', '3,again']) {
    const table = await imports.createTable('id INTEGER PRIMARY KEY, name TEXT');
    const content = `id,name\n1,a\n2,b\n3,c\n${bad}\n6,f\n7,g\n`;
    const { run, plan } = await imports.importText(table, content, { stopsAtRejection: true });
    assert.equal(run.state, 'stopped');
    assert.equal(run.end.lastRejection?.line, 5);
    assert.deepEqual(
      (await imports.rowsOf(table)).map(([id]) => id),
      [1, 2, 3],
    );
    const progress = await savedProgress(folder.path, plan);
    const rest = await imports.run({ ...plan, stopsAtRejection: false }, { progress });
    assert.equal(rest.state, 'done');
    assert.deepEqual(
      (await imports.rowsOf(table)).map(([id]) => id),
      [1, 2, 3, 6, 7],
    );
  }
});

test('an import stops after a hundred rejected rows in a row, and then goes on if the user wants it', async () => {
  const table = await imports.createTable('id INTEGER PRIMARY KEY, name TEXT CHECK (length(name) < 3)');
  const lines = Array.from({ length: 120 }, (_, id) => `${id},${id % 110 === 0 ? 'ok' : 'bad'}`);
  const { run, plan } = await imports.importText(table, `id,name\n${lines.join('\n')}\n`);
  assert.equal(run.state, 'stopped');
  assert.deepEqual(run.progress.counts, { sentRows: 1, changedRows: 1, rejectedRows: 100 });
  const progress = { ...(await savedProgress(folder.path, plan))!, goesOn: true };
  const rest = await imports.run(plan, { progress });
  assert.equal(rest.state, 'done');
  assert.deepEqual(rest.progress.counts, { sentRows: 2, changedRows: 2, rejectedRows: 118 });
  const rejected = await imports.rejectedLines(plan);
  assert.equal(rejected[0]?.split(',')[0], '3');
  assert.equal(rejected.length, 118);
});

test('each mode meets rows of the table in its own way', async () => {
  const content = 'id,name\n1,new\n2,new\n2,newer\n';
  const rows = async (mode: 'ignore' | 'replace' | 'upsert' | 'update') => {
    const table = await imports.createTable(`id INTEGER PRIMARY KEY, name TEXT, note TEXT DEFAULT 'none'`);
    await imports.sql(`INSERT INTO "${table}" VALUES (1, 'old', 'kept')`);
    const { counts } = await imports.importText(table, content, { target: { mode, key: ['id'] } });
    return [counts.changedRows, ...(await imports.rowsOf(table))];
  };
  assert.deepEqual(await rows('ignore'), [1, [1, 'old', 'kept'], [2, 'new', 'none']]);
  assert.deepEqual(await rows('replace'), [3, [1, 'new', 'none'], [2, 'newer', 'none']]);
  assert.deepEqual(await rows('upsert'), [3, [1, 'new', 'kept'], [2, 'newer', 'none']]);
  assert.deepEqual(await rows('update'), [1, [1, 'new', 'kept']]);
});

test('an update uses the last of several rows with a key, and a NULL in a key matches no row', async () => {
  const table = await imports.createTable('a, b, c');
  await imports.sql(`INSERT INTO "${table}" VALUES ('1', 'x', 0), (NULL, 'x', 0)`);
  const options = { nullText: '' };
  await imports.importText(table, 'a,b,c\n1,x,5\n1,x,6\n,x,7\n', {
    options,
    target: { mode: 'update', key: ['a', 'b'] },
  });
  assert.deepEqual(await imports.rowsOf(table), [
    ['1', 'x', '6'],
    [null, 'x', 0],
  ]);
});

test('a statement that is wrong itself ends the import and blames no row', async () => {
  const table = await imports.createTable('a');
  const path = await folder.write('gone.csv', 'a\n1\n2\n');
  const plan = await imports.plan({ path, table });
  await imports.sql(`DROP TABLE "${table}"`);
  const run = await imports.run(plan);
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /no such table/);
  assert.deepEqual(run.progress.counts, { sentRows: 0, changedRows: 0, rejectedRows: 0 });
  await imports.sql(`CREATE TABLE "${table}" (a)`);
  const again = await imports.continue(plan);
  assert.equal(again.state, 'done');
  assert.deepEqual(await imports.rowsOf(table), [['1'], ['2']]);
});

test('rows that are too many or too large for one call are divided, and a row that is too large is rejected', async () => {
  const table = await imports.createTable('a, b');
  const lines = Array.from({ length: 300 }, (_, id) => `${id},${id === 123 ? 'x'.repeat(600) : 'y'}`);
  const path = await folder.write('large.csv', `a,b\n${lines.join('\n')}\n`);
  const plan = await imports.plan({ path, table });
  const run = await imports.run(plan, { send: small });
  assert.equal(run.state, 'done');
  assert.equal((await imports.rowsOf(table)).length, 299);
  assert.match((await imports.rejectedLines(plan)).join('|'), /^125,,\d+ characters,"123,x/);
});

test('a file that changes during the import, or before it continues, ends it with its rows so far', async () => {
  const table = await imports.createTable('a');
  const lines = Array.from({ length: 200_000 }, (_, id) => String(id));
  const path = await folder.write('changing.csv', `a\n${lines.join('\n')}\n`);
  const plan = await imports.plan({ path, table });
  let calls = 0;
  const run = await imports.run(plan, {
    send: async (...call) => {
      if (++calls === 3) await appendFile(path, 'more\n');
      return send(...call);
    },
  });
  assert.equal(run.state, 'failed');
  assert.match(String(run.error), /changed/);
  const imported = (await imports.rowsOf(table)).map(([a]) => a);
  assert.equal(imported.length, run.progress.counts.sentRows);
  assert.deepEqual(imported, lines.slice(0, imported.length));
  const again = await imports.run(plan, { progress: run.progress });
  assert.deepEqual([again.state, (await imports.rowsOf(table)).length], ['failed', imported.length]);
});

test('an import pauses between calls, continues, and ends when it is cancelled', async () => {
  const table = await imports.createTable('a');
  const lines = Array.from({ length: 100_000 }, (_, id) => String(id));
  const path = await folder.write('paused.csv', `a\n${lines.join('\n')}\n`);
  const plan = await imports.plan({ path, table });
  let calls = 0;
  const run = newRun({
    folder: folder.path,
    plan,
    send: async (...call) => {
      calls++;
      if (calls === 2) run.pause();
      if (calls === 4) run.cancel();
      return send(...call);
    },
  });
  const ended = run.start();
  while (run.progress.counts.sentRows < 20_000 && run.state !== 'failed') await new Promise(setImmediate);
  assert.equal(run.state, 'paused');
  assert.equal(calls, 2);
  run.resume();
  await ended;
  assert.equal(run.state, 'cancelled');
  assert.equal(calls, 4);
  const imported = run.progress.counts.sentRows;
  assert.equal((await imports.rowsOf(table)).length, imported);
  await imports.continue(plan);
  assert.deepEqual(
    (await imports.rowsOf(table)).map(([a]) => a),
    lines,
  );
});

test('rows whose answer was lost more than a day ago are not sent again unasked', async () => {
  for (const choice of ['again', 'leave out'] as const) {
    const table = await imports.createTable('a');
    const path = await folder.write('expired.csv', 'a\n1\n2\n');
    const plan = await imports.plan({ path, table });
    await imports.run(plan, { send: lost });
    const progress = (await savedProgress(folder.path, plan))!;
    const now = Date.now() + rememberedMs;
    const clock = { now: () => now, after: () => () => undefined };
    const late = await imports.run(plan, { progress, clock });
    assert.equal((late.error as { code?: string }).code, 'import_outcome_expired');
    assert.deepEqual(unknownRows(late.progress), { from: 1, to: 2 });
    assert.equal((await imports.rowsOf(table)).length, 2);
    const decided = choice === 'again' ? resendUnknownRows(progress, now) : skipUnknownRows(progress, now);
    const last = await imports.run(plan, { progress: decided, clock });
    assert.equal(last.state, 'done');
    assert.equal((await imports.rowsOf(table)).length, choice === 'again' ? 4 : 2);
  }
});

test('rows whose answer was lost are not doubled by a refusal that has nothing to do with them', async () => {
  const refusals = [
    { status: 401, code: 'unauthenticated' },
    { status: 403, code: 'forbidden' },
    { status: 404, code: 'not_found' },
  ];
  for (const { status, code } of refusals) {
    const table = await imports.createTable('a');
    const path = await folder.write('refused.csv', 'a\n1\n2\n');
    const plan = await imports.plan({ path, table });
    await imports.run(plan, { send: lost });
    const refuse: SendStatement = async () => {
      throw new ServiceError({ status, code, message: 'No.' });
    };
    const refused = await imports.continue(plan, { send: refuse });
    assert.equal((refused.error as { code?: string }).code, code);
    const last = await imports.continue(plan);
    assert.deepEqual([last.state, await imports.rowsOf(table)], ['done', [['1'], ['2']]], code);
  }
});

test('rows that were sent before in another form are not sent again unasked', async () => {
  const table = await imports.createTable('a');
  const path = await folder.write('conflict.csv', 'a\n1\n2\n');
  const plan = await imports.plan({ path, table });
  await imports.run(plan, { send: lost });
  const progress = (await savedProgress(folder.path, plan))!;
  // Another version of the product writes the statement in another way.
  const other: SendStatement = async (_request, options) =>
    send({ sql: `INSERT INTO "${table}" SELECT value FROM json_each(?)`, params: ['[1,2]'] }, options);
  const run = await imports.run(plan, { send: other, progress });
  assert.equal((run.error as { code?: string }).code, 'import_outcome_expired');
  assert.deepEqual(await imports.rowsOf(table), [['1'], ['2']]);
});

test('a database file that changed in its write-ahead log is not read further', async () => {
  const table = await imports.createTable('a, b');
  const path = join(folder.path, 'logged.sqlite');
  using writer = new DatabaseSync(path);
  writer.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (a INTEGER PRIMARY KEY, b);
    INSERT INTO t WITH RECURSIVE c(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM c LIMIT 2000) SELECT n, hex(zeroblob(400)) FROM c;
    PRAGMA wal_checkpoint(TRUNCATE)`);
  const plan = await imports.plan({ path, table, options: { format: 'sqlite', table: 't' } });
  let calls = 0;
  const once: SendStatement = async (...call) => {
    if (++calls > 1) throw new Error('The connection was lost.');
    return send(...call);
  };
  const first = await imports.run(plan, { send: once });
  const imported = first.progress.counts.sentRows;
  assert.ok(imported > 0 && imported < 2000);
  assert.equal(first.share, imported / 2000);
  writer.exec(`DELETE FROM t WHERE a < 20; INSERT INTO t VALUES (1, 'new')`);
  const rest = await imports.continue(plan);
  assert.equal((rest.error as { code?: string }).code, 'source_changed');
  assert.equal((await imports.rowsOf(table)).length, imported);
});

test('a thread that dies ends the import, and a later run continues', async () => {
  const table = await imports.createTable('a');
  const path = await folder.write('thread.csv', 'a\n1\n2\n');
  const plan = await imports.plan({ path, table });
  const broken = await folder.write('broken.mjs', 'process.exit(1);');
  const run = await imports.run(plan, { thread: broken });
  assert.deepEqual([run.state, (run.error as { code?: string }).code], ['failed', 'import_interrupted']);
  const rest = await imports.continue(plan);
  assert.deepEqual([rest.state, await imports.rowsOf(table)], ['done', [['1'], ['2']]]);
});
