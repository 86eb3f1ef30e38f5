import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { childrenOf } from '../../../support/childProcesses.ts';
import { endless, openRows, pauseRows, rowsOf, startTestEngine, type TestEngine } from '../../../support/testEngine.ts';

/** The processes that have a file open whose path begins like this, also if the file was removed. */
function processesWith(file: string): number[] {
  const hasOpen = (pid: number): boolean => {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some(name => {
      const link = join(folder, name);
      return existsSync(link) && readlinkSync(link).startsWith(file);
    });
  };
  return childrenOf(process.pid).filter(hasOpen);
}

/** Both projects have a table and are in one process. */
async function startShared(context: Parameters<typeof startTestEngine>[0], statementMs: number): Promise<TestEngine> {
  const started = startTestEngine(context, { sharedProcesses: 1, statementMs });
  await started.run('CREATE TABLE t (a)');
  await started.run('CREATE TABLE t (a)', { project: 'other' });
  assert.equal(childrenOf(process.pid).length, 1);
  return started;
}

test('40 projects share a few processes, and none is closed for another one', async context => {
  const { run, folder } = startTestEngine(context);
  const projects = Array.from({ length: 40 }, (_, nth) => `project${nth}x`);
  for (const project of projects) await run('CREATE TABLE t (a)', { project });
  assert.equal(childrenOf(process.pid).length, 6);
  for (const project of projects) assert.equal(processesWith(join(folder, `${project}.sqlite`)).length, 1);
  await Promise.all(projects.map(project => run('INSERT INTO t VALUES (?)', { project, params: [project] })));
  for (const project of projects) assert.deepEqual(await run('SELECT a FROM t', { project }), [{ a: project }]);
});

test('many reads of a project do not hold up another project of the process', async context => {
  const { run } = await startShared(context, 60_000);
  // A read takes longer than a turn, and no read takes long enough to move the other project.
  const read =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT count(*) FROM n';
  let finished = 0;
  const reads = Array.from({ length: 40 }, () => run(read).then(() => finished++));
  assert.equal(await run('INSERT INTO t VALUES (1)', { project: 'other' }), 1);
  assert.ok(finished < 20, `${finished} reads came first`);
  await Promise.all(reads);
});

test('a runaway statement does not delay a project of the same process, whose calls are done once', async context => {
  const { run } = await startShared(context, 6000);
  const keyed = { project: 'other', idempotencyKey: 'k' };
  assert.equal(await run('INSERT INTO t VALUES (1)', keyed), 1);
  const events: string[] = [];
  const runaway = assert.rejects(run(endless), { code: 'statement_timeout' }).then(() => events.push('runaway'));
  const others = [
    run('INSERT INTO t VALUES (2)', { project: 'other' }),
    run('INSERT INTO t VALUES (1)', keyed),
    run('INSERT INTO t VALUES (3)', { ...keyed, idempotencyKey: 'l' }),
    run('SELECT 4 AS four', { project: 'other' }),
  ];
  assert.deepEqual(await Promise.all(others), [1, 1, 1, [{ four: 4 }]]);
  events.push('others');
  await runaway;
  assert.deepEqual(events, ['others', 'runaway']);
  assert.deepEqual(await run('SELECT a FROM t ORDER BY a', { project: 'other' }), [{ a: 1 }, { a: 2 }, { a: 3 }]);
});

test('a project that left a blocked process can be written while its rows there are still read', async context => {
  const { engine, run } = await startShared(context, 60_000);
  const { rest, rowCount } = await pauseRows(engine, run);
  const caller = new AbortController();
  const runaway = assert.rejects(run(endless, { project: 'other', signal: caller.signal }));
  assert.equal(await run('INSERT INTO t VALUES (1)'), 1);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
  caller.abort();
  await runaway;
  await assert.rejects(rest(), { code: 'busy' });
  assert.ok(rowCount() > 0);
});

test('the rows of a project are read to their end after another one has blocked their process', async context => {
  const { engine, run, folder } = await startShared(context, 60_000);
  const { rest, rowCount } = await pauseRows(engine, run);
  const slow = endless.replace('FROM n)', 'FROM n WHERE i < 20000000)');
  const slowRead = run(slow, { project: 'other' });
  assert.equal(await run('INSERT INTO t VALUES (1)'), 1);
  assert.equal(processesWith(join(folder, 'project.sqlite')).length, 2);
  await slowRead;
  await rest();
  assert.equal(rowCount(), 1_000_000);
  while (processesWith(join(folder, 'project.sqlite')).length > 1) await new Promise(setImmediate);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});

test('writes that are reported are not repeated when another project blocks the process', async context => {
  const { engine, run } = await startShared(context, 60_000);
  const { batches } = await openRows(engine, 'SELECT 1');
  await rowsOf(batches);
  const caller = new AbortController();
  const inserts = Array.from({ length: 200 }, (_, nth) => run('INSERT INTO t VALUES (?)', { params: [nth] }));
  // The calls are sent with the end of this turn of the event loop.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  // The process answers, and the service does not read the answers meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const runaway = assert.rejects(run(endless, { project: 'other', signal: caller.signal }));
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  inserts.push(run('INSERT INTO t VALUES (200)'));
  assert.deepEqual(new Set(await Promise.all(inserts)), new Set([1]));
  caller.abort();
  await runaway;
  assert.deepEqual(await run('SELECT count(*) AS n, count(DISTINCT a) AS distinct_n FROM t'), [
    { n: 201, distinct_n: 201 },
  ]);
});

test('when a shared process is killed, the keyed writes of all its projects are done once', async context => {
  const { run } = startTestEngine(context, { sharedProcesses: 1 });
  const projects = ['one', 'two', 'three'];
  for (const project of projects) await run('CREATE TABLE t (a)', { project });
  const insertAll = (): Promise<unknown>[] =>
    projects.flatMap(project =>
      Array.from({ length: 20 }, (_, nth) =>
        run('INSERT INTO t VALUES (?)', { project, params: [nth], idempotencyKey: `key ${nth}` }),
      ),
    );
  const [pid = 0] = childrenOf(process.pid);
  const first = insertAll();
  await first[0];
  process.kill(pid, 'SIGKILL');
  assert.deepEqual(new Set(await Promise.all(first.concat(insertAll()))), new Set([1]));
  for (const project of projects) {
    assert.deepEqual(await run('SELECT count(*) AS n FROM t', { project }), [{ n: 20 }]);
  }
});

test('a project is removed, and imported, only when a blocked process has closed it', async context => {
  const { engine, run, folder } = await startShared(context, 4000);
  const database = join(folder, 'project.sqlite');
  const copy = join(folder, 'copy.sqlite');
  await run('INSERT INTO t VALUES (1)');
  await engine.exportTo('project', copy);
  const block = async (): Promise<void> => {
    void assert.rejects(run(endless, { project: 'other' }), { code: 'statement_timeout' });
    assert.equal(await run('INSERT INTO t VALUES (2)'), 1);
    assert.equal(processesWith(database).length, 2);
  };
  await block();
  await engine.importFrom('project', copy);
  assert.deepEqual(processesWith(database), []);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 1 }]);
});
