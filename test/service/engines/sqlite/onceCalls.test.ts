import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { SqliteEngine } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import { HandClock } from '../../../support/handClock.ts';
import { resultOf, startTestEngine } from '../../../support/testEngine.ts';

const hour = 60 * 60 * 1000;

async function prepared(context: TestContext, clock = new HandClock(1_800_000_000_000)) {
  const started = startTestEngine(context, { clock });
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, big INTEGER, blob BLOB)');
  const { engine } = started;
  const once = (sql: string, key = 'key', fingerprint = sql) =>
    engine.execute('project', { sql, params: [], once: { key, fingerprint } });
  const count = async () => ((await started.run('SELECT count(*) AS n FROM t')) as { n: number }[])[0]?.n;
  return { ...started, once, count, clock };
}

test('the same call with the same key is done once, and answered the same again', async context => {
  const { once, count } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES ('x'), ('y')`;
  assert.deepEqual(await once(sql), { kind: 'count', rowCount: 2, replayed: false });
  assert.deepEqual(await once(sql), { kind: 'count', rowCount: 2, replayed: true });
  assert.equal(await count(), 2);
});

test('the rows of RETURNING are given again to the byte, with their columns', async context => {
  const { once, count } = await prepared(context);
  const sql = `INSERT INTO t (a, big, blob) VALUES ('ä', 9007199254740993, x'00ff'), (9e999, 1, NULL) RETURNING *`;
  const answers = [];
  for (let i = 0; i < 2; i++) {
    const outcome = await once(sql);
    assert.ok(outcome.kind === 'rows');
    const rows = Buffer.concat(await Array.fromAsync(outcome.batches)).toString();
    answers.push({ rows, columns: outcome.columns(), replayed: outcome.replayed });
  }
  assert.deepEqual(answers[1], { ...answers[0], replayed: true });
  assert.match(answers[0]?.rows ?? '', /^\{"id":1,"a":"ä","big":9007199254740993,"blob":"AP8="\},\{"id":2,"a":9e999/);
  assert.equal(await count(), 2);
});

test('DDL with a key is done once, also when the engine that is asked again never saw it', async context => {
  const { engine, folder, once, clock } = await prepared(context);
  assert.deepEqual(await once('CREATE TABLE u (a)'), { kind: 'count', rowCount: 0, replayed: false });
  assert.deepEqual(await once('CREATE TABLE u (a)'), { kind: 'count', rowCount: 0, replayed: true });
  await engine.close();
  const next = new SqliteEngine(folder, { clock });
  context.after(() => next.close());
  const sql = 'CREATE TABLE u (a)';
  const again = await next.execute('project', { sql, params: [], once: { key: 'key', fingerprint: sql } });
  assert.deepEqual(again, { kind: 'count', rowCount: 0, replayed: true });
});

test('a read is held to what its key was used for, and tells what is true by then when it is made again', async context => {
  const { run, once } = await prepared(context);
  const insert = `INSERT INTO t (a) VALUES ('x')`;
  await once(insert);
  await assert.rejects(once('SELECT a FROM t'), { status: 409, code: 'idempotency_conflict' });
  const read = async () => {
    const outcome = await once('SELECT a FROM t', 'reading');
    return { replayed: outcome.replayed, rows: await resultOf(outcome) };
  };
  assert.deepEqual(await read(), { replayed: false, rows: [{ a: 'x' }] });
  await run(`UPDATE t SET a = 'y'`);
  assert.deepEqual(await read(), { replayed: false, rows: [{ a: 'y' }] });
});

test('a key that was used for another call is refused with 409, and nothing is done', async context => {
  const { once, count } = await prepared(context);
  await once(`INSERT INTO t (a) VALUES ('x')`);
  const other = once(`INSERT INTO t (a) VALUES ('y')`);
  await assert.rejects(other, { status: 409, code: 'idempotency_conflict' });
  assert.equal(await count(), 1);
});

test('of many calls with one key at the same time, one is done and all have its answer', async context => {
  const { once, count } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES (random())`;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => once(sql)));
  assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1);
  assert.equal(await count(), 1);
});

test('a call that failed is not remembered: it may be made again with its key', async context => {
  const { run, once, count } = await prepared(context);
  await run(`INSERT INTO t (a) VALUES ('x')`);
  const sql = `INSERT INTO t (a) VALUES ('x')`;
  await assert.rejects(once(sql), { code: 'sql_error' });
  await run('DELETE FROM t');
  assert.deepEqual(await once(sql), { kind: 'count', rowCount: 1, replayed: false });
  assert.equal(await count(), 1);
});

test('a call that failed only when it was committed is not remembered either', async context => {
  const { run, once } = await prepared(context);
  await run('CREATE TABLE child (t REFERENCES t DEFERRABLE INITIALLY DEFERRED)');
  const sql = 'INSERT INTO child VALUES (1)';
  await assert.rejects(once(sql), { code: 'sql_error', message: /FOREIGN KEY/ });
  await run('INSERT INTO t (id) VALUES (1)');
  assert.deepEqual(await once(sql), { kind: 'count', rowCount: 1, replayed: false });
  assert.deepEqual(await once(sql), { kind: 'count', rowCount: 1, replayed: true });
});

test('while another process has the answers, calls with keys are told to come again, and others go on', async context => {
  const { folder, run, once, count } = await prepared(context);
  const other = new DatabaseSync(join(folder, 'project.calls'));
  other.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE other (a)');
  await assert.rejects(once('INSERT INTO t DEFAULT VALUES'), { status: 503, code: 'busy' });
  assert.equal(await run('INSERT INTO t DEFAULT VALUES'), 1);
  other.close();
  assert.deepEqual(await once('INSERT INTO t DEFAULT VALUES'), { kind: 'count', rowCount: 1, replayed: false });
  assert.equal(await count(), 2);
});

test('a key is remembered for a day, also by the engine that is started next', async context => {
  const { engine, folder, once, clock } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES (random())`;
  await once(sql);
  clock.advance(23 * hour);
  assert.equal((await once(sql)).replayed, true);
  await engine.close();
  const next = new SqliteEngine(folder, { clock });
  context.after(() => next.close());
  const again = () => next.execute('project', { sql, params: [], once: { key: 'key', fingerprint: sql } });
  assert.equal((await again()).replayed, true);
  clock.advance(hour);
  assert.equal((await again()).replayed, false);
});

test('what is older than a day is removed', async context => {
  const { engine, folder, once, clock } = await prepared(context);
  await Promise.all(Array.from({ length: 20 }, (_, i) => once(`INSERT INTO t (a) VALUES (${i})`, `key ${i}`)));
  clock.advance(25 * hour);
  await once(`INSERT INTO t (a) VALUES ('last')`, 'last');
  await engine.close();
  const database = new DatabaseSync(`${folder}/project.calls`);
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM answers').get() }, { n: 1 });
  database.close();
});
