import assert from 'node:assert/strict';
import { EventEmitter, once as nextOf } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { SqlCall } from '../../src/service/engine.ts';
import { SqliteEngine } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { seeded } from '../fuzz/documents.ts';
import { EngineHostProcess } from '../support/engineHostProcess.ts';
import { endless } from '../support/testEngine.ts';

const kills = 100;
/** Of so many kills one is of the engine itself, the others of its project's process. */
const parentEvery = 5;

test('Kills: under a hundred of them, every acknowledged write is there, none is there twice, nothing is corrupt, and what has a key is remembered if it is there', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'kills-'));
  const random = seeded(11);
  let host = new EngineHostProcess(folder);
  context.after(async () => {
    await host.kill();
    await rm(folder, { recursive: true, force: true });
  });
  assert.equal(
    await host.execute({ sql: 'CREATE TABLE writes (id INTEGER PRIMARY KEY, name TEXT)', params: [] }),
    'count',
  );

  const acknowledged: string[] = [];
  const withKey: string[] = [];
  const told = new Map<string, number>();
  const news = new EventEmitter();
  let number = 0;
  const done = new AbortController();

  const attempt = async (call: SqlCall): Promise<string> => {
    const code = await host.execute(call);
    told.set(code, (told.get(code) ?? 0) + 1);
    // The next engine is on its way.
    if (code === 'silence') await new Promise(setImmediate);
    return code;
  };

  /** Two of three writes have a key. One of these is made again until it is acknowledged, the other is left in doubt. */
  const writer = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const name = `write ${++number}`;
      const kind = (['plain', 'insistent', 'doubtful'] as const)[number % 3];
      const call = insertOf(name, kind !== 'plain');
      if (kind !== 'plain') withKey.push(name);
      let code = await attempt(call);
      if (kind === 'insistent') while (code !== 'count') code = await attempt(call);
      if (code === 'count') acknowledged.push(name);
      news.emit('write');
    }
  };
  const progress = async (writes: number): Promise<void> => {
    const goal = acknowledged.length + writes;
    while (acknowledged.length < goal) await nextOf(news, 'write');
  };

  const writers = Array.from({ length: 8 }, writer);
  for (let kill = 1; kill <= kills; kill++) {
    await progress(1 + Math.floor(random() * 40));
    if (kill % parentEvery === 0) {
      await host.kill();
      host = new EngineHostProcess(folder);
    } else {
      // It may be on its way: then the next write starts it.
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
  const remembered = new Set<string>();
  for (const name of withKey) {
    if ((await engine.execute('project', insertOf(name, true))).replayed) remembered.add(name);
  }
  assert.deepEqual(
    withKey.filter(name => remembered.has(name) !== found.has(name)),
    [],
  );
  // The kills met writes, and what was told of those is one of three things.
  assert.deepEqual([...told.keys()].toSorted(), ['count', 'internal_error', 'silence']);
  const lost = withKey.length - remembered.size;
  context.diagnostic(
    `${JSON.stringify(Object.fromEntries(told))}, of ${withKey.length} with a key ${lost} were not done`,
  );
});

function insertOf(name: string, keyed: boolean): SqlCall {
  const once = keyed ? { key: name, fingerprint: name } : undefined;
  return { sql: 'INSERT INTO writes (name) VALUES (?)', params: [name], once };
}

test('Kills: a killed engine takes its processes along, also from the midst of a statement', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'kills-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const host = new EngineHostProcess(folder);
  await host.execute({ sql: 'CREATE TABLE t (a)', params: [] });
  const runaway = host.execute({ sql: endless, params: [] });
  // Answered in turn, so that the statement before it has arrived.
  while (host.projectProcesses.length === 0) await new Promise(setImmediate);
  const left = await host.kill();
  assert.equal(await runaway, 'silence');
  assert.equal(left.length, 1);
  for (const pid of left) while (existsSync(`/proc/${pid}`)) await new Promise(setImmediate);
});
