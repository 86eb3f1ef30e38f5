import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { SqliteEngine } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import { HandClock } from '../../../support/handClock.ts';
import { sqlCall, startTestEngine } from '../../../support/testEngine.ts';

const hourMs = 60 * 60 * 1000;

async function prepared(context: TestContext, clock = new HandClock(1_800_000_000_000)) {
  const started = startTestEngine(context, { clock });
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, big INTEGER, blob BLOB)');
  const { engine } = started;
  const write = (sql: string, idempotencyKey = 'key') => engine.execute('project', sqlCall(sql, { idempotencyKey }));
  const count = async () => ((await started.run('SELECT count(*) AS n FROM t')) as { n: number }[])[0]?.n;
  return { ...started, write, count, clock };
}

test('a repeated call with the same key is done once and gets the same answer', async context => {
  const { write, count } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES ('x'), ('y')`;
  assert.deepEqual(await write(sql), { kind: 'count', rowCount: 2, replayed: false });
  assert.deepEqual(await write(sql), { kind: 'count', rowCount: 2, replayed: true });
  assert.equal(await count(), 2);
});

test('the rows of RETURNING are replayed byte by byte, with their columns', async context => {
  const { write, count } = await prepared(context);
  const sql = `INSERT INTO t (a, big, blob) VALUES ('ä', 9007199254740993, x'00ff'), (9e999, 1, NULL) RETURNING *`;
  const answers = [];
  for (let i = 0; i < 2; i++) {
    const outcome = await write(sql);
    assert.ok(outcome.kind === 'rows');
    const rows = Buffer.concat(await Array.fromAsync(outcome.batches)).toString();
    answers.push({ rows, columns: outcome.columns(), replayed: outcome.replayed });
  }
  assert.deepEqual(answers[1], { ...answers[0], replayed: true });
  assert.match(answers[0]?.rows ?? '', /^\{"id":1,"a":"ä","big":9007199254740993,"blob":"AP8="\},\{"id":2,"a":9e999/);
  assert.equal(await count(), 2);
});

test('DDL with a key is done once, also when a new engine gets the repeated call', async context => {
  const { engine, folder, write, clock } = await prepared(context);
  assert.deepEqual(await write('CREATE TABLE u (a)'), { kind: 'count', rowCount: 0, replayed: false });
  assert.deepEqual(await write('CREATE TABLE u (a)'), { kind: 'count', rowCount: 0, replayed: true });
  await engine.close();
  const next = new SqliteEngine(folder, { clock });
  context.after(() => next.close());
  const sql = 'CREATE TABLE u (a)';
  const replay = await next.execute('project', sqlCall(sql, { idempotencyKey: 'key' }));
  assert.deepEqual(replay, { kind: 'count', rowCount: 0, replayed: true });
});

test('a key of another statement is refused with 409, and nothing is changed', async context => {
  const { write, count } = await prepared(context);
  await write(`INSERT INTO t (a) VALUES ('x')`);
  const other = write(`INSERT INTO t (a) VALUES ('y')`);
  await assert.rejects(other, { status: 409, code: 'idempotency_conflict' });
  assert.equal(await count(), 1);
});

test('one of simultaneous calls with a key is done, and all get its answer', async context => {
  const { write, count } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES (random())`;
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => write(sql)));
  assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1);
  assert.equal(await count(), 1);
});

test('while another process has the records, keyed calls are refused as busy and others are done', async context => {
  const { folder, run, write, count } = await prepared(context);
  const other = new DatabaseSync(join(folder, 'project.calls'));
  other.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE other (a)');
  await assert.rejects(write('INSERT INTO t DEFAULT VALUES'), { status: 503, code: 'busy' });
  assert.equal(await run('INSERT INTO t DEFAULT VALUES'), 1);
  other.close();
  assert.deepEqual(await write('INSERT INTO t DEFAULT VALUES'), { kind: 'count', rowCount: 1, replayed: false });
  assert.equal(await count(), 2);
});

test('a key is remembered for a day, also by the next engine', async context => {
  const { engine, folder, write, clock } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES (random())`;
  await write(sql);
  clock.advance(23 * hourMs);
  assert.equal((await write(sql)).replayed, true);
  await engine.close();
  const next = new SqliteEngine(folder, { clock });
  context.after(() => next.close());
  const repeat = () => next.execute('project', sqlCall(sql, { idempotencyKey: 'key' }));
  assert.equal((await repeat()).replayed, true);
  clock.advance(hourMs);
  assert.equal((await repeat()).replayed, false);
});

test('records older than a day are removed', async context => {
  const { engine, folder, write, clock } = await prepared(context);
  await Promise.all(Array.from({ length: 20 }, (_, i) => write(`INSERT INTO t (a) VALUES (${i})`, `key ${i}`)));
  clock.advance(25 * hourMs);
  await write(`INSERT INTO t (a) VALUES ('last')`, 'last');
  await engine.close();
  const database = new DatabaseSync(`${folder}/project.calls`);
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM answers').get() }, { n: 1 });
  database.close();
});
