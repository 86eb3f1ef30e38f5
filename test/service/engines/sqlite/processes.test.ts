import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { childrenOf } from '../../../support/childProcesses.ts';
import { HandClock } from '../../../support/handClock.ts';
import { endless, manyRows, openRows, pauseRows, rowsOf, startTestEngine } from '../../../support/testEngine.ts';

/** Keeps this process from reading what others send. */
const block = (): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** What Linux shares the processor out to before it does to processes; undefined where it does not. */
function shareOf(pid: number): string | undefined {
  const file = `/proc/${pid}/autogroup`;
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

async function noChildren(): Promise<void> {
  while (childrenOf(process.pid).length > 0) await new Promise(setImmediate);
}

test('a statement past its time is ended, and what waited behind it is done once', async context => {
  const { run } = startTestEngine(context, { statementTime: 1000 });
  await run('CREATE TABLE t (a)');
  const [killed, ...others] = await Promise.allSettled([
    run(endless),
    run('INSERT INTO t VALUES (1)'),
    run('INSERT INTO t VALUES (2)', { once: { key: 'k', fingerprint: 'f' } }),
    run('SELECT 3 AS three'),
  ]);
  assert.ok(killed.status === 'rejected');
  const { status, code, message } = killed.reason as { status: number; code: string; message: string };
  assert.deepEqual([status, code], [504, 'statement_timeout']);
  assert.equal(message, 'The statement ran for more than 1 s and was ended. It has changed nothing.');
  assert.deepEqual(
    others.map(other => other.status === 'fulfilled' && other.value),
    [1, 1, [{ three: 3 }]],
  );
  assert.deepEqual(await run('SELECT a FROM t ORDER BY a'), [{ a: 1 }, { a: 2 }]);
});

test('a statement at full speed gives way to the service, and to whoever shares the machine', async context => {
  const { run } = startTestEngine(context);
  await run('SELECT 1');
  const [child = 0] = childrenOf(process.pid);
  assert.ok(getPriority(child) > getPriority(), `its nice value is ${getPriority(child)}`);
  const share = shareOf(child);
  if (share === undefined) return;
  assert.match(share, / nice [1-9]/);
  assert.notEqual(share, shareOf(process.pid));
});

test('a statement that takes too much memory is ended, and what waited behind it is done', async context => {
  const { run } = startTestEngine(context, { mostMegabytes: 512 });
  await run('CREATE TABLE t (a)');
  const blobs = Array<string>(60).fill('randomblob(60000000)');
  const [killed, behind] = await Promise.allSettled([
    run(`SELECT ${blobs.join(', ')}`),
    run('INSERT INTO t VALUES (1)'),
  ]);
  assert.ok(killed.status === 'rejected' && behind.status === 'fulfilled');
  const { status, code, message } = killed.reason as { status: number; code: string; message: string };
  assert.deepEqual([status, code], [413, 'too_large']);
  assert.match(message, /^The statement needed more than 512 MB of memory and was ended\. It has changed nothing\./);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});

test('a write past its time has changed nothing, and neither have the ones before it suffered', async context => {
  const { run } = startTestEngine(context, { statementTime: 1000 });
  await run('CREATE TABLE t (a)');
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

test('a write that was done is not done again when its acknowledgement met a full pipe and then a runaway statement', async context => {
  const { engine, run } = startTestEngine(context, { statementTime: 1000 });
  await run('CREATE TABLE t (a)');
  const readers = Array.from({ length: 20 }, () => openRows(engine, manyRows(200_000)));
  const insert = run('INSERT INTO t VALUES (1)');
  // Sent with this turn of the loop.
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

test('a runaway statement of one project keeps no other one waiting', async context => {
  const { run } = startTestEngine(context, { statementTime: 1000 });
  await run('CREATE TABLE t (a)', { project: 'other' });
  const events: string[] = [];
  const runaway = run(endless).catch(() => events.push('ended'));
  for (let i = 0; i < 20; i++) await run('INSERT INTO t VALUES (1)', { project: 'other' });
  events.push('others');
  await runaway;
  assert.deepEqual(events, ['others', 'ended']);
});

test('a runaway statement whose caller is gone is ended before its time', async context => {
  const { run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const caller = new AbortController();
  const reason = new Error('enough');
  const runaway = assert.rejects(run(endless, { signal: caller.signal }), reason);
  // Sent with this turn of the loop, so that the process is at it when the caller leaves.
  await new Promise(setImmediate);
  caller.abort(reason);
  await runaway;
  assert.equal(await run('INSERT INTO t VALUES (1)'), 1);
});

test('readers that pause do not keep an import waiting', async context => {
  const { engine, run, folder } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const copy = join(folder, 'copy.sqlite');
  await engine.exportTo('project', copy);
  const { rest } = await pauseRows(engine, run);
  await engine.importFrom('project', copy);
  await assert.rejects(rest(), { code: 'busy', message: /^The database was replaced before its rows were read\./ });
});

test('a project whose readers have paused for a minute makes way for one that waits for a process', async context => {
  const clock = new HandClock();
  const { engine, run } = startTestEngine(context, { clock, mostProcesses: 1 });
  const { rest } = await pauseRows(engine, run);
  const events: string[] = [];
  const other = run('SELECT 1', { project: 'other' }).then(() => events.push('other'));
  for (let second = 0; second < 59; second++) {
    clock.advance(1000);
    await run('SELECT 1');
  }
  events.push('minute');
  clock.advance(1000);
  await other;
  assert.deepEqual(events, ['minute', 'other']);
  await assert.rejects(rest(), { code: 'busy', message: /^The rows waited for their reader while other projects/ });
});

test('rows of a write that are lost are not taken for a write that was not done', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const insert = `INSERT INTO t SELECT hex(i) FROM (${manyRows(100_000)}) RETURNING a`;
  const { rest } = await pauseRows(engine, run, insert);
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGKILL');
  await assert.rejects(rest(), { status: 500, code: 'internal_error', message: /What the statement changed is done/ });
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 100_000 }]);
});

test('a reader sees the moment at which it began, whatever is written and dropped meanwhile', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  await run(`INSERT INTO t ${manyRows(50_000).replace(', hex(i) AS text', '')}`);
  const { batches } = await openRows(engine, 'SELECT a FROM t');
  await run('DELETE FROM t');
  await run('DROP TABLE t');
  assert.equal(((await rowsOf(batches)) as unknown[]).length, 50_000);
});

test('while readers do not read, others read and write', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const readers = await Promise.all(Array.from({ length: 20 }, () => openRows(engine, manyRows(200_000))));
  for (let i = 0; i < 50; i++) await run('INSERT INTO t VALUES (?)', { params: [i] });
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 50 }]);
  for (const { batches } of readers) for await (const _ of batches) break;
});

test('for a reader that does not read, the process does not go on', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const [pid = 0] = childrenOf(process.pid);
  const { batches } = await openRows(engine, manyRows(1_000_000));
  // Each of these is a turn in which the process could have gone on.
  for (let i = 0; i < 300; i++) await run('SELECT 1');
  const written = Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  assert.ok(written < 2_000_000, `${written} bytes`);
  assert.equal(((await rowsOf(batches)) as unknown[]).length, 1_000_000);
});

test('a reader that leaves early, is aborted or fails leaves no file open', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
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
  const before = filesOf(pid);
  await leave();
  await leave();
  assert.ok(filesOf(pid) <= before, `${filesOf(pid)} files instead of ${before}`);
});

test('a killed process is replaced, its readers end behind a whole row, and keyed writes are made again', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const { batches } = await openRows(engine, manyRows(1_000_000));
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGSTOP');
  const keyed = run('INSERT INTO t VALUES (1)', { once: { key: 'k', fingerprint: 'f' } });
  const read = run('SELECT 2 AS two');
  const plain = assert.rejects(run('INSERT INTO t VALUES (3)'), {
    status: 500,
    code: 'internal_error',
    message: /^The process of the project ended before it told what became of the statement\./,
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

test('a process that nobody uses ends, and the project is there again with the next call', async context => {
  const clock = new HandClock();
  const { run, folder } = startTestEngine(context, { clock, idleTime: 60_000 });
  await run('CREATE TABLE t (a)');
  clock.advance(59_999);
  await run('INSERT INTO t VALUES (1)');
  clock.advance(59_999);
  assert.equal(childrenOf(process.pid).length, 1);
  clock.advance(1);
  await noChildren();
  // SQLite removes the log with the last connection, so the end was an orderly one.
  assert.deepEqual(readdirSync(folder), ['project.sqlite']);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});

test('there are never more processes than may be, and every project gets its turn', async context => {
  const { run } = startTestEngine(context, { mostProcesses: 2 });
  let most = 0;
  await Promise.all(
    Array.from({ length: 4 }, async (_, i) => {
      const project = `project ${i}`;
      await run('CREATE TABLE t (a)', { project });
      for (let turn = 0; turn < 2; turn++) {
        await run('INSERT INTO t VALUES (?)', { project, params: [i] });
        most = Math.max(most, childrenOf(process.pid).length);
      }
      assert.deepEqual(await run('SELECT DISTINCT a FROM t', { project }), [{ a: i }]);
    }),
  );
  assert.ok(most <= 2, `${most} processes`);
});

test('an engine that is closed leaves no process, whatever was going on, and says so', async context => {
  const { engine, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
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

test('more calls than a project can hold are refused as busy', async context => {
  const { run } = startTestEngine(context);
  const results = await Promise.allSettled(Array.from({ length: 1100 }, () => run('SELECT 1 AS one')));
  const refused = results.filter(({ status }) => status === 'rejected');
  assert.equal(refused.length, 100);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    const { status, code, retryAfter } = reason as { status: number; code: string; retryAfter: number };
    assert.deepEqual([status, code, retryAfter], [503, 'busy', 1000]);
  }
});

test('where no file is left to open for a process, its call is refused as busy, and the service goes on', async context => {
  const { folder } = startTestEngine(context);
  const entry = join(import.meta.dirname, '../../../support/engineOutOfFiles.ts');
  const child = spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, entry, folder]);
  const [told, faults] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  assert.deepEqual([told.split('\n'), faults], [['503 busy', 'count', ''], '']);
});

test('calls that a busy process does not take pile up to a bound only, and those within it are done', async context => {
  const { run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const [pid = 0] = childrenOf(process.pid);
  process.kill(pid, 'SIGSTOP');
  const text = 'x'.repeat(8_000_000);
  const results = Promise.allSettled(
    Array.from({ length: 20 }, () => run('SELECT length(?) AS length', { params: [text] })),
  );
  // All of them are sent, or refused, with this turn of the loop.
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
