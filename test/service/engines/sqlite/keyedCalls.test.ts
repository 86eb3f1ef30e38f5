/** Calls with an idempotency key: what is remembered of reads, refusals and faults, and what calls with one key do. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { Outcome } from '../../../../src/service/engine.ts';
import { SqliteEngine, type SqliteEngineOptions } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import type { ServiceError } from '../../../../src/wire/serviceError.ts';
import { changeDatabase } from '../../../support/changeDatabase.ts';
import { EngineHostProcess } from '../../../support/engineHostProcess.ts';
import { HandClock } from '../../../support/handClock.ts';
import { rejection } from '../../../support/scriptedServer.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { endless, manyRows, resultOf, sqlCall, startTestEngine } from '../../../support/testEngine.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const conflict = { status: 409, code: 'idempotency_conflict' };
const dayMs = 24 * 60 * 60 * 1000;
const insert = `INSERT INTO t (a) VALUES ('x')`;

const callOf = (sql: string, idempotencyKey = 'key', signal?: AbortSignal) => sqlCall(sql, { idempotencyKey, signal });

async function prepared(context: TestContext, options: SqliteEngineOptions = {}) {
  const started = startTestEngine(context, options);
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, big INTEGER, blob BLOB)');
  const keyed = async (sql: string, key?: string, signal?: AbortSignal): Promise<Outcome> =>
    started.engine.execute('project', callOf(sql, key, signal));
  const answer = async (sql: string, key?: string) => answerOf(await keyed(sql, key));
  const count = async () => ((await started.run('SELECT count(*) AS n FROM t')) as { n: number }[])[0]?.n;
  const reopened = async (): Promise<SqliteEngine> => {
    await started.engine.close();
    const next = new SqliteEngine(started.folder, options);
    context.after(() => next.close());
    return next;
  };
  return { ...started, keyed, answer, count, reopened };
}

async function answerOf(outcome: Outcome) {
  return { replayed: outcome.replayed, result: await resultOf(outcome) };
}

test('a repeated read gets its first rows again, and its key is refused for a write', async context => {
  const { run, answer, keyed, reopened } = await prepared(context);
  const count = 'SELECT count(*) AS n FROM t';
  assert.deepEqual(await answer(count), { replayed: false, result: [{ n: 0 }] });
  await run(insert);
  assert.deepEqual(await answer(count), { replayed: true, result: [{ n: 0 }] });
  await assert.rejects(keyed(insert), conflict);
  assert.deepEqual(await run(count), [{ n: 1 }]);
  const next = await reopened();
  assert.deepEqual(await answerOf(await next.execute('project', callOf(count))), {
    replayed: true,
    result: [{ n: 0 }],
  });
  await assert.rejects(next.execute('project', callOf(insert)), conflict);
});

/** The rows of an answer, byte by byte. */
async function rowsIn(outcome: Outcome) {
  assert.ok(outcome.kind === 'rows');
  const rows = Buffer.concat(await Array.fromAsync(outcome.batches)).toString();
  return { rows, columns: outcome.columns(), replayed: outcome.replayed };
}

test('the columns and exact values of a read are replayed, also without rows', async context => {
  const { keyed } = await prepared(context);
  for (const sql of [`SELECT 9007199254740993 AS big, 'ä' AS text, x'00ff' AS bytes, 9e999`, 'SELECT id, a FROM t']) {
    const first = await rowsIn(await keyed(sql, sql));
    assert.deepEqual(await rowsIn(await keyed(sql, sql)), { ...first, replayed: true });
  }
});

test('a repeated write is done once and gets the same answer', async context => {
  const { keyed, count } = await prepared(context);
  const sql = `INSERT INTO t (a) VALUES ('x'), ('y')`;
  assert.deepEqual(await keyed(sql), { kind: 'count', rowCount: 2, replayed: false });
  assert.deepEqual(await keyed(sql), { kind: 'count', rowCount: 2, replayed: true });
  assert.equal(await count(), 2);
});

test('the rows of RETURNING are replayed byte by byte, with their columns', async context => {
  const { keyed, count } = await prepared(context);
  const sql = `INSERT INTO t (a, big, blob) VALUES ('ä', 9007199254740993, x'00ff'), (9e999, 1, NULL) RETURNING *`;
  const first = await rowsIn(await keyed(sql));
  assert.deepEqual(await rowsIn(await keyed(sql)), { ...first, replayed: true });
  assert.match(first.rows, /^\{"id":1,"a":"ä","big":9007199254740993,"blob":"AP8="\},\{"id":2,"a":9e999/);
  assert.equal(await count(), 2);
});

test('DDL with a key is done once, also when a new engine gets the repeated call', async context => {
  const { keyed, reopened } = await prepared(context);
  const sql = 'CREATE TABLE u (a)';
  assert.deepEqual(await keyed(sql), { kind: 'count', rowCount: 0, replayed: false });
  const replay = { kind: 'count', rowCount: 0, replayed: true };
  assert.deepEqual(await keyed(sql), replay);
  assert.deepEqual(await (await reopened()).execute('project', callOf(sql)), replay);
});

test('answers of reads and refusals are forgotten after a day', async context => {
  const clock = new HandClock(1_800_000_000_000);
  const { run, answer, keyed } = await prepared(context, { clock });
  await answer('SELECT count(*) AS n FROM t');
  await assert.rejects(keyed('SELECT * FROM later', 'other'), { code: 'sql_error' });
  await run(insert);
  await run('CREATE TABLE later (a)');
  clock.advance(dayMs - 1);
  assert.equal((await answer('SELECT count(*) AS n FROM t')).replayed, true);
  clock.advance(1);
  assert.deepEqual(await answer('SELECT count(*) AS n FROM t'), { replayed: false, result: [{ n: 1 }] });
  assert.deepEqual(await answer('SELECT * FROM later', 'other'), { replayed: false, result: [] });
});

test('a key is remembered for a day, also by the next engine', async context => {
  const clock = new HandClock(1_800_000_000_000);
  const { keyed, reopened } = await prepared(context, { clock });
  const sql = 'INSERT INTO t (a) VALUES (random())';
  await keyed(sql);
  clock.advance(dayMs - 1);
  assert.equal((await keyed(sql)).replayed, true);
  const next = await reopened();
  const repeat = () => next.execute('project', callOf(sql));
  assert.equal((await repeat()).replayed, true);
  clock.advance(1);
  assert.equal((await repeat()).replayed, false);
});

test('records older than a day are removed', async context => {
  const clock = new HandClock(1_800_000_000_000);
  const { engine, folder, keyed } = await prepared(context, { clock });
  await Promise.all(Array.from({ length: 20 }, (_, i) => keyed(`INSERT INTO t (a) VALUES (${i})`, `key ${i}`)));
  clock.advance(dayMs + 1);
  await keyed(insert, 'last');
  await engine.close();
  using database = new DatabaseSync(join(folder, 'project.calls'));
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS n FROM answers').get() }, { n: 1 });
});

async function refusalOf(outcome: Promise<Outcome>) {
  const { status, code, message, details, replayed } = (await rejection(outcome)) as ServiceError;
  return { status, code, message, details, replayed };
}

const refused: readonly (readonly [name: string, sql: string, code: string])[] = [
  ['a syntax error', 'SELEC 1', 'sql_error'],
  ['a missing table', 'SELECT * FROM later', 'sql_error'],
  ['a missing table of a write', 'INSERT INTO later VALUES (1)', 'sql_error'],
  ['a constraint', `INSERT INTO t (a) VALUES ('x'), ('y')`, 'sql_error'],
  ['a constraint that ends the transaction', `INSERT OR ROLLBACK INTO t (a) VALUES ('x')`, 'sql_error'],
  ['a constraint at the commit', 'INSERT INTO child VALUES (7)', 'sql_error'],
  ['an error in the middle of the rows', 'SELECT abs(n) FROM numbers', 'sql_error'],
  ['a missing parameter', 'SELECT ?', 'parameter_mismatch'],
  ['two statements', 'SELECT 1; SELECT 2', 'multiple_statements'],
  ['no statement', '-- nothing', 'bad_request'],
  ['a forbidden statement', `ATTACH 'x' AS x`, 'denied_statement'],
  ['a VACUUM', 'VACUUM', 'denied_statement'],
  ['too many returned bytes', 'UPDATE t SET a = a RETURNING hex(zeroblob(9000000))', 'too_large'],
];
/** After these, the refused statements would succeed, except those that never can. */
const remedies = ['CREATE TABLE later (a)', 'DELETE FROM t', 'INSERT INTO t (id) VALUES (7)', 'DELETE FROM numbers'];

test('refusals of statements are given again, also by the next engine, and their keys are refused for others', async context => {
  const { run, keyed, reopened } = await prepared(context);
  await run(insert);
  await run('CREATE TABLE numbers (n)');
  await run(`INSERT INTO numbers VALUES (1), (2), (-9223372036854775808)`);
  await run('CREATE TABLE child (t REFERENCES t DEFERRABLE INITIALLY DEFERRED)');
  const first = new Map<string, unknown>();
  for (const [name, sql, code] of refused) {
    const refusal = await refusalOf(keyed(sql, name));
    assert.deepEqual([refusal.code, refusal.replayed], [code, false], name);
    first.set(name, { ...refusal, replayed: true });
  }
  for (const remedy of remedies) await run(remedy);
  for (const [name, sql] of refused) {
    assert.deepEqual(await refusalOf(keyed(sql, name)), first.get(name), name);
    await assert.rejects(keyed('SELECT 1', name), conflict, name);
  }
  const next = await reopened();
  for (const [name, sql] of refused) {
    assert.deepEqual(await refusalOf(next.execute('project', callOf(sql, name))), first.get(name), name);
  }
});

test('a read beyond the limit is sent but not remembered, and its key stays its own', async context => {
  const { run, answer, keyed } = await prepared(context);
  const large = 'SELECT (SELECT count(*) FROM t) AS n, hex(zeroblob(5000000)) AS text FROM (VALUES (1), (2))';
  const countsOf = async () => {
    const { replayed, result } = await answer(large);
    return { replayed, counts: (result as { n: number; text: string }[]).map(({ n, text }) => [n, text.length]) };
  };
  assert.deepEqual(await countsOf(), {
    replayed: false,
    counts: [
      [0, 10_000_000],
      [0, 10_000_000],
    ],
  });
  await run(insert);
  assert.deepEqual(await countsOf(), {
    replayed: false,
    counts: [
      [1, 10_000_000],
      [1, 10_000_000],
    ],
  });
  await assert.rejects(keyed('SELECT 1'), conflict);
});

test('rows of a read without end arrive, and the read ends when its reader leaves', async context => {
  const { engine, run, keyed } = await prepared(context);
  const outcome = await keyed(endless.replace('SELECT count(*)', 'SELECT i, hex(zeroblob(1000))'));
  assert.ok(outcome.kind === 'rows');
  let batches = 0;
  for await (const batch of outcome.batches) if (batch.length > 0 && ++batches === 3) break;
  assert.equal(batches, 3);
  await assert.rejects(keyed('SELECT 1'), conflict);
  assert.deepEqual(await run('SELECT 1 AS one'), [{ one: 1 }]);
  await waitUntil(() => engine.usage().openStatements === 0, { what: 'the read has not ended' });
});

test('one of simultaneous reads with a key runs, and all get its rows', async context => {
  const { keyed } = await prepared(context);
  const sql = manyRows(5_000).replace('SELECT i,', 'SELECT random() AS r, i,');
  const outcomes = await Promise.all(Array.from({ length: 10 }, async () => answerOf(await keyed(sql))));
  assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1);
  for (const { result } of outcomes) assert.deepEqual(result, outcomes[0]?.result);
});

test('one of simultaneous writes with a key is done, and all get its answer', async context => {
  const { keyed, count } = await prepared(context);
  const sql = 'INSERT INTO t (a) VALUES (random())';
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => keyed(sql)));
  assert.equal(outcomes.filter(({ replayed }) => !replayed).length, 1);
  assert.equal(await count(), 1);
});

test('simultaneous statements that fail with one key get the same refusal', async context => {
  const { keyed, run } = await prepared(context);
  await run(insert);
  const results = await Promise.allSettled(Array.from({ length: 5 }, async () => keyed(insert)));
  const replayed = results.map(
    result => result.status === 'rejected' && (result.reason as { replayed: boolean }).replayed,
  );
  assert.deepEqual(replayed, [false, true, true, true, true]);
});

test('while a keyed read runs, another call with its key is refused, and the same call is not', async context => {
  const { keyed, run } = await prepared(context);
  // Each row takes a few milliseconds, so the process answers other calls between them.
  const sparse = `${endless.replace('SELECT count(*)', 'SELECT i')} WHERE i % 10000 = 0`;
  const callers = Array.from({ length: 3 }, () => new AbortController());
  const ends = callers.map(async ({ signal }) => assert.rejects(keyed(sparse, 'key', signal), { name: 'AbortError' }));
  for (const [i, caller] of callers.entries()) {
    await assert.rejects(keyed(insert), conflict);
    caller.abort();
    await ends[i];
  }
  await assert.rejects(keyed(insert), conflict);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 0 }]);
});

test('a statement that was stopped for its time runs again, and its key stays its own, also for the next engine', async context => {
  const { keyed, reopened } = await prepared(context, { statementMs: 1000 });
  const slow = endless.replace('SELECT count(*)', 'INSERT INTO t (a) SELECT count(*)');
  for (let i = 0; i < 2; i++) await assert.rejects(keyed(slow), { status: 504, code: 'statement_timeout' });
  await assert.rejects(keyed(insert), conflict);
  const next = await reopened();
  await assert.rejects(next.execute('project', callOf(insert)), conflict);
});

test('a write that finds the database locked is done later with its key, which stays its own', async context => {
  const { folder, keyed } = await prepared(context);
  using other = new DatabaseSync(join(folder, 'project.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  await assert.rejects(keyed(insert), { status: 503, code: 'busy' });
  await assert.rejects(keyed('DELETE FROM t'), conflict);
  other.exec('COMMIT');
  assert.deepEqual(await keyed(insert), { kind: 'count', rowCount: 1, replayed: false });
  assert.deepEqual(await keyed(insert), { kind: 'count', rowCount: 1, replayed: true });
});

test('while another process has the records, keyed calls are refused as busy and others are done', async context => {
  const { folder, run, keyed, count } = await prepared(context);
  const other = new DatabaseSync(join(folder, 'project.calls'));
  other.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE other (a)');
  await assert.rejects(keyed('INSERT INTO t DEFAULT VALUES'), { status: 503, code: 'busy' });
  assert.equal(await run('INSERT INTO t DEFAULT VALUES'), 1);
  other.close();
  assert.deepEqual(await keyed('INSERT INTO t DEFAULT VALUES'), { kind: 'count', rowCount: 1, replayed: false });
  assert.equal(await count(), 2);
});

test('answers of reads and refusals survive kills of the engine and of the process of the project', async context => {
  const folder = temporaryFolder();
  let host = new EngineHostProcess(folder);
  context.after(() => host.kill());
  const attempt = async (sql: string, idempotencyKey: string) => host.execute({ sql, idempotencyKey });
  assert.equal(await attempt('SELECT 1 AS one', 'read'), 'rows');
  assert.equal(await attempt('SELECT * FROM later', 'refusal'), 'sql_error');
  assert.equal(await host.execute({ sql: 'CREATE TABLE later (a)' }), 'count');
  const expectAnswers = async (): Promise<void> => {
    assert.equal(await attempt('SELECT * FROM later', 'refusal'), 'sql_error');
    assert.equal(await attempt('SELECT 2 AS two', 'read'), 'idempotency_conflict');
  };
  const [pid, ...others] = host.projectProcesses;
  assert.ok(pid !== undefined && others.length === 0);
  process.kill(pid, 'SIGKILL');
  await expectAnswers();
  await host.kill();
  host = new EngineHostProcess(folder);
  await expectAnswers();
});

test('an import drops the answers of reads, also when it is interrupted right after the new database', async context => {
  const { folder, engine, answer, reopened } = await prepared(context);
  await answer('SELECT count(*) AS n FROM t');
  await engine.close();
  // A crash right after the new database leaves the old records.
  for (const end of ['-wal', '-shm']) await rm(join(folder, `project.sqlite${end}`), { force: true });
  await rm(join(folder, 'project.sqlite'));
  changeDatabase(join(folder, 'project.sqlite'), 'CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  const secondAnswer = await answerOf(
    await (await reopened()).execute('project', callOf('SELECT count(*) AS n FROM t')),
  );
  assert.deepEqual(secondAnswer, { replayed: false, result: [{ n: 1 }] });
});
