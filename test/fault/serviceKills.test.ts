import assert from 'node:assert/strict';
import { EventEmitter, once as nextOf } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { seeded } from '../fuzz/random.ts';
import { EngineHostProcess, type HostStatement } from '../support/engineHostProcess.ts';
import { workOf } from '../support/processorTimeOf.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { endless, sqlCall } from '../support/testEngine.ts';

const kills = 100;
/** Every fifth kill hits the engine, the others the process of its project. */
const engineKillInterval = 5;

test('Kills: after a hundred kills every acknowledged write is there once, and each keyed write has a record exactly if it is there', async context => {
  const folder = temporaryFolder();
  const random = seeded(11);
  let host = new EngineHostProcess(folder);
  context.after(() => host.kill());
  assert.equal(await host.execute({ sql: 'CREATE TABLE writes (id INTEGER PRIMARY KEY, name TEXT)' }), 'count');

  const acknowledged: string[] = [];
  const withKey: string[] = [];
  const outcomes = new Map<string, number>();
  const events = new EventEmitter();
  let number = 0;
  const done = new AbortController();

  const attempt = async (call: HostStatement): Promise<string> => {
    const code = await host.execute(call);
    outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    // The next engine is starting.
    if (code === 'silence') await new Promise(setImmediate);
    return code;
  };

  /** Two of three writes have a key. One of them is repeated until it is acknowledged, the other is left in doubt. */
  const writer = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const name = `write ${++number}`;
      const kind = (['plain', 'insistent', 'doubtful'] as const)[number % 3];
      const call = insertOf(name, kind !== 'plain');
      if (kind !== 'plain') withKey.push(name);
      let code = await attempt(call);
      if (kind === 'insistent') while (code !== 'count') code = await attempt(call);
      if (code === 'count') acknowledged.push(name);
      events.emit('write');
    }
  };
  const progress = async (writes: number): Promise<void> => {
    const goal = acknowledged.length + writes;
    while (acknowledged.length < goal) await nextOf(events, 'write');
  };

  const writers = Array.from({ length: 8 }, writer);
  for (let kill = 1; kill <= kills; kill++) {
    await progress(1 + Math.floor(random() * 40));
    if (kill % engineKillInterval === 0) {
      await host.kill();
      host = new EngineHostProcess(folder);
    } else {
      // The next write starts it if it is not running.
      while (host.projectProcesses.length === 0) await progress(1);
      for (const pid of host.projectProcesses) process.kill(pid, 'SIGKILL');
    }
  }
  await progress(20);
  done.abort();
  await Promise.all(writers);
  await host.kill();

  const database = new DatabaseSync(join(folder, 'project.sqlite'));
  const names = database.prepare('SELECT name, count(*) AS n FROM writes GROUP BY name').all();
  const found = new Map(names.map(({ name, n }) => [name, n]));
  assert.deepEqual(
    names.filter(({ n }) => n !== 1),
    [],
  );
  assert.deepEqual(
    acknowledged.filter(name => !found.has(name)),
    [],
  );
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  database.close();
  const engine = new SqliteEngine(folder);
  context.after(() => engine.close());
  const recorded = new Set<string>();
  for (const name of withKey) {
    const { sql, ...call } = insertOf(name, true);
    if ((await engine.execute('project', sqlCall(sql, call))).replayed) recorded.add(name);
  }
  assert.deepEqual(
    withKey.filter(name => recorded.has(name) !== found.has(name)),
    [],
  );
  // The kills hit writes, which have one of three outcomes.
  assert.deepEqual([...outcomes.keys()].toSorted(), ['count', 'internal_error', 'silence']);
  const lost = withKey.length - recorded.size;
  context.diagnostic(
    `${JSON.stringify(Object.fromEntries(outcomes))}, of ${withKey.length} keyed writes ${lost} were not done`,
  );
});

function insertOf(name: string, isKeyed: boolean): HostStatement {
  const idempotencyKey = isKeyed ? name : undefined;
  return { sql: 'INSERT INTO writes (name) VALUES (?)', params: [name], idempotencyKey };
}

test('Kills: the processes of a killed engine end, also during a statement', async context => {
  const folder = temporaryFolder();
  const host = new EngineHostProcess(folder);
  context.after(() => host.kill());
  await host.execute({ sql: 'CREATE TABLE t (a)' });
  const works = workOf(host.projectProcesses);
  const runaway = host.execute({ sql: endless });
  await works;
  const processes = await host.kill();
  assert.equal(await runaway, 'silence');
  assert.equal(processes.length, 1);
  for (const pid of processes) while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
});
