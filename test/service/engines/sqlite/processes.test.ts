import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { SqliteEngineOptions } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import { childrenOf } from '../../../support/childProcesses.ts';
import { HandClock } from '../../../support/handClock.ts';
import {
  endless,
  manyRows,
  openRows,
  pauseRows,
  rowsOf,
  startTestEngine,
  type TestEngine,
} from '../../../support/testEngine.ts';

/** Keeps this process from reading its pipes for a while. */
const block = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);

const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The share of the processor that Linux gives the session of a process. Undefined on other systems. */
function shareOf(pid: number): string | undefined {
  const file = `/proc/${pid}/autogroup`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** An engine whose project has the table `t (a)`. */
async function startWithTable(context: TestContext, options?: SqliteEngineOptions): Promise<TestEngine> {
  const started = startTestEngine(context, options);
  await started.run('CREATE TABLE t (a)');
  return started;
}

async function noChildren(): Promise<void> {
  while (childrenOf(process.pid).length > 0) await new Promise(setImmediate);
}

test('a statement past its time is stopped, and the calls after it are done once', async context => {
  const { run } = await startWithTable(context, { statementMs: 2500 });
  const [killed, ...others] = await Promise.allSettled([
    run(endless),
    run('INSERT INTO t VALUES (1)'),
    run('INSERT INTO t VALUES (2)', { idempotencyKey: 'k' }),
    run('SELECT 3 AS three'),
  ]);
  assert.ok(killed.status === 'rejected');
  const { status, code, message } = killed.reason as { status: number; code: string; message: string };
  assert.deepEqual([status, code], [504, 'statement_timeout']);
  assert.equal(message, 'The statement ran for more than 2.5 s and was stopped. It has changed nothing.');
  assert.deepEqual(
    others.map(other => other.status === 'fulfilled' && other.value),
    [1, 1, [{ three: 3 }]],
  );
  assert.deepEqual(await run('SELECT a FROM t ORDER BY a'), [{ a: 1 }, { a: 2 }]);
});

test('a project’s process has a lower priority than the service', async context => {
  const { run } = startTestEngine(context);
  await run('SELECT 1');
  const [child = 0] = childrenOf(process.pid);
  assert.ok(getPriority(child) > getPriority(), `its nice value is ${getPriority(child)}`);
  const share = shareOf(child);
  if (share === undefined) return;
  assert.match(share, / nice [1-9]/);
  assert.notEqual(share, shareOf(process.pid));
});

test('a statement that takes too much memory is stopped, and the call after it is done', async context => {
  const { run } = await startWithTable(context, { maxMegabytes: 512 });
  const blobs = Array<string>(60).fill('randomblob(60000000)');
  const [killed, next] = await Promise.allSettled([run(`SELECT ${blobs.join(', ')}`), run('INSERT INTO t VALUES (1)')]);
  assert.ok(killed.status === 'rejected' && next.status === 'fulfilled');
  const { status, code, message } = killed.reason as { status: number; code: string; message: string };
  assert.deepEqual([status, code], [413, 'too_large']);
  assert.match(message, /^The statement needed more than 512 MB of memory and was stopped\. It has changed nothing\./);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});

test('a write past its time has changed nothing, and the writes around it are done', async context => {
  const { run } = await startWithTable(context, { statementMs: 2500 });
  const slow = endless.replace('SELECT count(*)', 'INSERT INTO t SELECT count(*)');
  const results = await Promise.allSettled([
    run('INSERT INTO t VALUES (1)'),
    run(slow),
    run('INSERT INTO t VALUES (2)'),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(await run('SELECT a FROM t ORDER BY a'), [{ a: 1 }, { a: 2 }]);
});

test('a committed write is not repeated when its report waits in a full pipe and the next statement is stopped', async context => {
  const { engine, run } = await startWithTable(context, { statementMs: 2500 });
  const readers = Array.from({ length: 20 }, () => openRows(engine, manyRows(200_000)));
  const insert = run('INSERT INTO t VALUES (1)');
  // The call is sent with this turn of the event loop.
  await Promise.resolve().then(() => Promise.resolve());
  block();
  const runaway = assert.rejects(run(endless), { code: 'statement_timeout' });
  await Promise.resolve().then(() => Promise.resolve());
  block();
  await runaway;
  assert.equal(await insert, 1);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 1 }]);
  for (const { batches } of await Promise.all(readers)) await rowsOf(batches).catch(() => {});
});

test('a runaway statement of one project does not delay other projects', async context => {
  const { run } = startTestEngine(context);
  await run('CREATE TABLE t (a)', { project: 'other' });
  const caller = new AbortController();
  const reason = new Error('enough');
  // Past its time it would end with statement_timeout.
  const runaway = assert.rejects(run(endless, { signal: caller.signal }), reason);
  for (let i = 0; i < 20; i++) await run('INSERT INTO t VALUES (1)', { project: 'other' });
  caller.abort(reason);
  await runaway;
});

test('a runaway statement is stopped when its caller leaves', async context => {
  const { run } = await startWithTable(context);
  const caller = new AbortController();
  const reason = new Error('enough');
  const runaway = assert.rejects(run(endless, { signal: caller.signal }), reason);
  // The call is sent with this turn of the event loop.
  await new Promise(setImmediate);
  caller.abort(reason);
  await runaway;
  assert.equal(await run('INSERT INTO t VALUES (1)'), 1);
});

test('an import does not wait for readers that pause', async context => {
  const { engine, run, folder } = await startWithTable(context);
  const copy = join(folder, 'copy.sqlite');
  await engine.exportTo('project', copy);
  const { rest } = await pauseRows(engine, run);
  await engine.importFrom('project', copy);
  await assert.rejects(rest(), { code: 'busy', message: /^The database was replaced before its rows were read\./ });
});

test('an unused project is closed for another one, but not one whose readers pause', async context => {
  const { engine, run, folder } = startTestEngine(context, { maxProcesses: 1, maxProjects: 2 });
  const { rest, rowCount } = await pauseRows(engine, run);
  await run('CREATE TABLE t (a)', { project: 'unused' });
  await run('CREATE TABLE t (a)', { project: 'third' });
  // SQLite removes the log with the last connection.
  while (existsSync(join(folder, 'unused.sqlite-wal'))) await new Promise(setImmediate);
  assert.ok(existsSync(join(folder, 'third.sqlite-wal')));
  await rest();
  assert.equal(rowCount(), 1_000_000);
});

test('an error about lost rows of a write says that the write is committed', async context => {
  const { engine, run } = await startWithTable(context);
  const insert = `INSERT INTO t SELECT hex(i) FROM (${manyRows(100_000)}) RETURNING a`;
  const { rest } = await pauseRows(engine, run, insert);
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGKILL');
  await assert.rejects(rest(), {
    status: 500,
    code: 'internal_error',
    message: /The changes of the statement are committed/,
  });
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 100_000 }]);
});

test('a reader sees a snapshot, whatever is written and dropped while it reads', async context => {
  const { engine, run } = await startWithTable(context);
  await run(`INSERT INTO t ${manyRows(50_000).replace(', hex(i) AS text', '')}`);
  const { batches } = await openRows(engine, 'SELECT a FROM t');
  await run('DELETE FROM t');
  await run('DROP TABLE t');
  assert.equal(((await rowsOf(batches)) as unknown[]).length, 50_000);
});

test('readers that pause do not block other calls', async context => {
  const { engine, run } = await startWithTable(context);
  const readers = await Promise.all(Array.from({ length: 20 }, () => openRows(engine, manyRows(200_000))));
  for (let i = 0; i < 50; i++) await run('INSERT INTO t VALUES (?)', { params: [i] });
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 50 }]);
  for (const { batches } of readers) for await (const _ of batches) break;
});

test('the process stops sending rows to a reader that pauses', async context => {
  const { engine, run } = await startWithTable(context);
  const [pid = 0] = childrenOf(process.pid);
  const { batches } = await openRows(engine, manyRows(1_000_000));
  // In each of these turns the process could send more rows.
  for (let i = 0; i < 300; i++) await run('SELECT 1');
  const written = Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  assert.ok(written < 2_000_000, `${written} bytes`);
  assert.equal(((await rowsOf(batches)) as unknown[]).length, 1_000_000);
});

test('readers that leave, are aborted or fail leave no file open', async context => {
  const { engine, run } = await startWithTable(context);
  const [pid = 0] = childrenOf(process.pid);
  await run('CREATE VIEW broken AS SELECT * FROM missing');
  const leave = async (): Promise<void> => {
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        for await (const _ of (await openRows(engine, manyRows(100_000))).batches) break;
        const caller = new AbortController();
        const { batches } = await openRows(engine, manyRows(100_000), caller.signal);
        caller.abort(new Error('enough'));
        await assert.rejects(rowsOf(batches), { message: 'enough' });
        await assert.rejects(run(`SELECT json('broken')`), { code: 'sql_error' });
        await assert.rejects(engine.browse('project', { table: 'broken', limit: 1, offset: 0 }), { code: 'sql_error' });
      }),
    );
    await run('SELECT 1');
  };
  await leave();
  const before = openFilesOf(pid);
  for (let round = 0; round < 4; round++) await leave();
  // While others have the database open, SQLite keeps a closed file for the next connection: one for each that was open at once.
  assert.ok(openFilesOf(pid) <= before + 24, `${openFilesOf(pid)} files instead of ${before}`);
});

test('a killed process is replaced, its readers end after a whole row, and keyed writes are repeated', async context => {
  const { engine, run } = await startWithTable(context);
  const { batches } = await openRows(engine, manyRows(1_000_000));
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGSTOP');
  const keyed = run('INSERT INTO t VALUES (1)', { idempotencyKey: 'k' });
  const read = run('SELECT 2 AS two');
  const plain = assert.rejects(run('INSERT INTO t VALUES (3)'), {
    status: 500,
    code: 'internal_error',
    message: /^The process of the project ended before it reported the outcome of the statement\./,
  });
  process.kill(pid, 'SIGKILL');
  assert.deepEqual([await keyed, await read], [1, [{ two: 2 }]]);
  await plain;
  let text = '';
  const readAll = async (): Promise<void> => {
    for await (const batch of batches) text += Buffer.from(batch).toString();
  };
  await assert.rejects(readAll(), { status: 503, code: 'busy' });
  assert.ok((JSON.parse(`[${text}]`) as unknown[]).length > 0);
});

test('an unused process ends, and the next call starts another one', async context => {
  const clock = new HandClock();
  const { run, folder } = await startWithTable(context, { clock, idleMs: 60_000 });
  clock.advance(59_999);
  await run('INSERT INTO t VALUES (1)');
  clock.advance(59_999);
  assert.equal(childrenOf(process.pid).length, 1);
  clock.advance(1);
  await noChildren();
  // SQLite removes the log with the last connection, so the process closed the database.
  assert.deepEqual(readdirSync(folder), ['project.sqlite']);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});

test('there are never more processes than allowed, and every project gets its turn', async context => {
  const { run } = startTestEngine(context, { maxProcesses: 2, maxProjects: 2 });
  let maxCount = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const project = `project ${i}`;
      await run('CREATE TABLE t (a)', { project });
      for (let turn = 0; turn < 2; turn++) {
        await run('INSERT INTO t VALUES (?)', { project, params: [i] });
        maxCount = Math.max(maxCount, childrenOf(process.pid).length);
      }
      assert.deepEqual(await run('SELECT DISTINCT a FROM t', { project }), [{ a: i }]);
    }),
  );
  assert.ok(maxCount <= 2, `${maxCount} processes`);
});

test('a closed engine leaves no process, and refuses later calls', async context => {
  const { engine, run } = await startWithTable(context);
  const runaway = run(endless, { project: 'runaway' });
  const ended = assert.rejects(runaway);
  const { batches } = await openRows(engine, manyRows(1_000_000));
  await engine.close();
  await ended;
  assert.deepEqual(childrenOf(process.pid), []);
  await assert.rejects(rowsOf(batches), { code: 'busy' });
  await assert.rejects(run('SELECT 1'), { code: 'closed/engine' });
  await assert.rejects(engine.importFrom('project', 'any.sqlite'), { code: 'closed/engine' });
});

test('calls beyond the limit of a project are refused as busy', async context => {
  const { run } = startTestEngine(context);
  const results = await Promise.allSettled(Array.from({ length: 1100 }, () => run('SELECT 1 AS one')));
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 100);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    const { status, code, retryAfter } = reason as { status: number; code: string; retryAfter: number };
    assert.deepEqual([status, code, retryAfter], [503, 'busy', 1000]);
  }
});

test('a call is refused as busy when the process may not open another file, and the service continues', async context => {
  const { folder } = startTestEngine(context);
  const entry = join(import.meta.dirname, '../../../support/engineOutOfFiles.ts');
  const child = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, entry, folder]);
  const [output, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  assert.deepEqual([output.split('\n'), errors], [['503 busy', 'count', ''], '']);
});

test('unsent calls are limited in size, and those within the limit are done', async context => {
  const { run } = await startWithTable(context);
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGSTOP');
  const text = 'x'.repeat(8_000_000);
  const results = Promise.allSettled(
    Array.from({ length: 20 }, () => run('SELECT length(?) AS length', { params: [text] })),
  );
  // All calls are sent or refused with this turn of the event loop.
  await new Promise(setImmediate);
  process.kill(pid, 'SIGCONT');
  const codes = (await results).map(result =>
    result.status === 'fulfilled' ? result.value : (result.reason as { code: string }).code,
  );
  assert.deepEqual(
    codes.slice(0, 8),
    Array.from({ length: 8 }, () => [{ length: 8_000_000 }]),
  );
  assert.deepEqual(new Set(codes.slice(10)), new Set(['busy']));
});
