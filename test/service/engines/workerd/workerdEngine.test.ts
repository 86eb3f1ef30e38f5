/** Statements that nothing in a process can interrupt: its supervisor ends the process. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ServiceError } from '../../../../src/wire/serviceError.ts';
import { seeded } from '../../../fuzz/random.ts';
import { childrenOf } from '../../../support/childProcesses.ts';
import { endless, manyRows, rowsOf, startTestEngine } from '../../../support/testEngine.ts';
import { openWorkerdEngine, type TestWorkerdEngine } from '../../../support/workerdEngine.ts';

const one = [{ one: 1 }];

/** Names of projects in the same process as `project`, and in another one. */
const processOf = (project: string): number => Number.parseInt(hash('sha256', project).slice(0, 8), 16) % 2;
const names = Array.from({ length: 20 }, (_, nth) => `p${nth}`);
const near = names.find(name => processOf(name) === processOf('project'))!;
const far = names.find(name => processOf(name) !== processOf('project'))!;

test('an endless statement does not delay projects of other processes', async context => {
  const { run } = openWorkerdEngine(context);
  for (const project of ['project', far]) await run('CREATE TABLE t (a)', { project });
  const caller = new AbortController();
  // Past its time it would end with statement_timeout.
  const ends = assert.rejects(run(endless, { signal: caller.signal }), { name: 'AbortError' });
  for (let nth = 0; nth < 20; nth++) assert.deepEqual(await run('SELECT 1 AS one', { project: far }), one);
  caller.abort();
  await ends;
});

test('an endless statement fails with statement_timeout, and projects of its process wait only that long', async context => {
  const { run } = openWorkerdEngine(context, { statementMs: 3000 });
  for (const project of ['project', near]) await run('CREATE TABLE t (a)', { project });
  const ends = assert.rejects(run(endless), { status: 504, code: 'statement_timeout' });
  const neighbour = run('INSERT INTO t VALUES (1)', { project: near, writeKey: { key: 'k', fingerprint: 'f' } });
  await ends;
  assert.equal(await neighbour, 1);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t', { project: near }), [{ n: 1 }]);
});

test('a write without a key that waits for an endless statement is done once', async context => {
  const { run } = openWorkerdEngine(context, { statementMs: 1000 });
  await run('CREATE TABLE t (a)');
  const ends = assert.rejects(run(endless), { code: 'statement_timeout' });
  const writes = Promise.all(Array.from({ length: 5 }, () => run('INSERT INTO t VALUES (1)')));
  await ends;
  assert.deepEqual(await writes, [1, 1, 1, 1, 1]);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 5 }]);
});

test('a query that finds no further row fails with statement_timeout after its rows', async context => {
  const { engine } = openWorkerdEngine(context, { statementMs: 1000 });
  const sql = `${manyRows(5).replace('WHERE i < 5', '')} WHERE i < 4`;
  const outcome = await engine
    .execute('project', { sql, params: [] })
    .catch((thrown: unknown) => thrown as ServiceError);
  // A row is known when the next one is found, so the first batches may be all that comes.
  if (outcome instanceof Error) return assert.equal(outcome.code, 'statement_timeout');
  assert.equal(outcome.kind, 'rows');
  if (outcome.kind === 'rows') await assert.rejects(rowsOf(outcome.batches), { code: 'statement_timeout' });
});

test('a statement whose caller leaves frees its process at once', async context => {
  const { run } = openWorkerdEngine(context);
  await run('SELECT 1');
  const caller = new AbortController();
  const aborted = assert.rejects(run(endless, { signal: caller.signal }), { name: 'AbortError' });
  const next = run('SELECT 1 AS one');
  caller.abort();
  await aborted;
  assert.deepEqual(await next, one);
});

test('a reader who leaves while it waits for rows ends no process', async context => {
  const { engine, folder, run } = openWorkerdEngine(context);
  await run('SELECT 1');
  const before = workerdsOf(folder);
  const reader = new AbortController();
  const sql =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT i FROM n WHERE i < 3';
  const outcome = await engine.execute('project', { sql, params: [], signal: reader.signal });
  assert.ok(outcome.kind === 'rows');
  const batches = outcome.batches[Symbol.asyncIterator]();
  await batches.next();
  const aborted = assert.rejects(Array.fromAsync({ [Symbol.asyncIterator]: () => batches }), { name: 'AbortError' });
  reader.abort();
  await aborted;
  assert.deepEqual(await run('SELECT 1 AS one'), one);
  assert.deepEqual(workerdsOf(folder), before);
});

test('a reader of a million rows sees the rows of one moment while others write', async context => {
  const { engine, run } = openWorkerdEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(
    `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT i, 0 FROM n`,
  );
  const outcome = await engine.execute('project', { sql: 'SELECT id, a FROM t', params: [] });
  assert.ok(outcome.kind === 'rows');
  assert.equal(await run('UPDATE t SET a = 1 WHERE id % 2'), 500_000);
  assert.equal(await run('DELETE FROM t WHERE id > 10'), 999_990);
  await run('DROP TABLE t');
  const rows = (await rowsOf(outcome.batches)) as { id: number; a: number }[];
  assert.equal(rows.length, 1_000_000);
  assert.ok(rows.every(({ id, a }, at) => id === at + 1 && a === 0));
});

test('a reader with too many rows left when others write gets busy, and the write is done', async context => {
  const { engine, run } = openWorkerdEngine(context);
  await run('CREATE TABLE t (a)');
  await run(
    `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT hex(zeroblob(50000)) FROM n`,
  );
  const outcome = await engine.execute('project', { sql: 'SELECT a FROM t', params: [] });
  assert.ok(outcome.kind === 'rows');
  assert.equal(await run('DELETE FROM t'), 500);
  await assert.rejects(rowsOf(outcome.batches), { status: 503, code: 'busy' });
});

const workerdsOf = (folder: string): number[] =>
  childrenOf(process.pid).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });

test('after fifty kills every acknowledged write is there once, and an unacknowledged one is done once when it is repeated', async context => {
  const { folder, run } = openWorkerdEngine(context);
  await run('CREATE TABLE writes (name TEXT)');
  const random = seeded(7);
  const done = new AbortController();
  const expected = new Set<string>();
  const doubtful = new Set<string>();
  const acknowledged: string[] = [];
  let number = 0;
  const writer = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const name = `write ${++number}`;
      const isPlain = number % 3 === 0;
      const write = { params: [name], ...(!isPlain && { writeKey: { key: name, fingerprint: name } }) };
      for (;;) {
        try {
          await run('INSERT INTO writes VALUES (?)', write);
          expected.add(name);
          acknowledged.push(name);
          break;
        } catch {
          if (!isPlain) continue;
          doubtful.add(name);
          break;
        }
      }
    }
  };
  const writers = Array.from({ length: 8 }, writer);
  for (let kill = 0; kill < 50; kill++) {
    const goal = acknowledged.length + 1 + Math.floor(random() * 10);
    while (acknowledged.length < goal) await new Promise(setImmediate);
    for (const pid of workerdsOf(folder)) process.kill(pid, 'SIGKILL');
  }
  done.abort();
  await Promise.all(writers);
  const found = (await run('SELECT name, count(*) AS n FROM writes GROUP BY name')) as { name: string; n: number }[];
  assert.deepEqual(
    found.filter(({ n }) => n > 1),
    [],
  );
  const present = new Set(found.map(({ name }) => name));
  assert.deepEqual(
    [...expected].filter(name => !present.has(name)),
    [],
  );
  assert.deepEqual(
    [...present].filter(name => !expected.has(name) && !doubtful.has(name)),
    [],
  );
  assert.deepEqual(await run('PRAGMA quick_check'), [{ quick_check: 'ok' }]);
  context.diagnostic(`${acknowledged.length} acknowledged, ${doubtful.size} in doubt`);
});

async function everything({ run }: Pick<TestWorkerdEngine, 'run'>): Promise<unknown> {
  return [
    await run(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name`,
    ),
    await run('SELECT * FROM t ORDER BY id'),
    await run('SELECT * FROM v'),
    await run('SELECT * FROM sqlite_sequence'),
  ];
}

test('a project moves from one engine to the other and back with its schema and every value', async (context: TestContext) => {
  const sqlite = startTestEngine(context);
  const workerd = openWorkerdEngine(context);
  await sqlite.run('CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b REAL, c TEXT)');
  await sqlite.run(
    `INSERT INTO t (a, b, c) VALUES (9007199254740993, -0.0, 'ä'), (x'00ff', 9e999, NULL), (NULL, 0.1, '')`,
  );
  await sqlite.run('CREATE VIEW v AS SELECT count(*) AS n FROM t');
  await sqlite.run("CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE t SET c = 'seen' WHERE id = new.id; END");
  const before = await everything(sqlite);
  const out = join(sqlite.folder, 'out.sqlite');
  await sqlite.engine.exportTo('project', out);
  await workerd.engine.importFrom('moved', out);
  const there = { run: (sql: string) => workerd.run(sql, { project: 'moved' }) };
  assert.deepEqual(await everything(there), before);
  await there.run(`INSERT INTO t (a) VALUES (1)`);
  const back = join(workerd.folder, 'back.sqlite');
  await workerd.engine.exportTo('moved', back);
  await sqlite.engine.importFrom('back', back);
  const imported = { run: (sql: string) => sqlite.run(sql, { project: 'back' }) };
  assert.deepEqual(await everything(imported), await everything(there));
  assert.deepEqual(await imported.run("SELECT name FROM sqlite_schema WHERE name LIKE '%cf%'"), []);
  assert.deepEqual(await imported.run('SELECT c FROM t WHERE a = 1'), [{ c: 'seen' }]);
});
