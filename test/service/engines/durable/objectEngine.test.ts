import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startWorkers } from '../../../../.dev/workers.ts';
import { Client } from '../../../../src/client/index.ts';
import { seeded } from '../../../fuzz/random.ts';
import { OwnedChild } from '../../../support/childProcesses.ts';
import { codeOf } from '../../../support/codeOf.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { emptyProject } from '../../../support/transferProject.ts';
import { openWorkerdEngine, runStatement } from '../../../support/workerdEngine.ts';

test('a reader of a million rows sees the rows of one moment while others write', async () => {
  const { project, run } = await openWorkerdEngine();
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(
    `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT i, 0 FROM n`,
  );
  await using reader = await project.stream('SELECT id, a FROM t');
  assert.equal(await run('UPDATE t SET a = 1 WHERE id % 2'), 500_000);
  assert.equal(await run('DELETE FROM t WHERE id > 10'), 999_990);
  await run('DROP TABLE t');
  let count = 0;
  for await (const batch of reader.batches()) {
    for (const { id, a } of batch) assert.deepEqual([id, a], [++count, 0]);
  }
  assert.equal(reader.err(), undefined);
  assert.equal(count, 1_000_000);
});

test('a reader with too many rows left when others write gets busy, and the write is done', async () => {
  const { project, run } = await openWorkerdEngine();
  await run('CREATE TABLE t (a)');
  await run(
    `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT hex(zeroblob(50000)) FROM n`,
  );
  await using reader = await project.stream('SELECT a FROM t');
  assert.equal(await run('DELETE FROM t'), 1000);
  for await (const batch of reader.batches()) assert.ok(batch.length > 0);
  assert.equal(codeOf(reader.err()), 'service/busy');
});

/** The Worker in a process that can be killed. The next process has the same folder and address. */
async function startKillable(folder: string, port = 0) {
  const adminKey = 'test-admin-key';
  const vars = { RATE_LIMIT: '1000000/s:1000000' };
  const { child, baseUrl } = await startWorkers({ folder, adminKey, vars, port });
  const owned = new OwnedChild(child, () => child.kill('SIGKILL'));
  return { owned, baseUrl, port: Number(new URL(baseUrl).port), adminKey };
}

test('after fifty kills every acknowledged write is there once, and an unacknowledged one is done once when it is repeated', async context => {
  const folder = temporaryFolder();
  let worker = await startKillable(folder);
  context.after(() => worker.owned[Symbol.asyncDispose]());
  const { baseUrl, port, adminKey } = worker;
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  const empty = await emptyProject({ admin, baseUrl });
  await runStatement(empty, 'CREATE TABLE writes (name TEXT)');
  const random = seeded(7);
  const done = new AbortController();
  const acknowledged = new Set<string>();
  const doubtful = new Set<string>();
  let number = 0;
  const writer = async (): Promise<void> => {
    while (!done.signal.aborted) {
      const name = `write ${++number}`;
      const isPlain = number % 3 === 0;
      const write = { params: [name], ...(!isPlain && { writeKey: name }) };
      for (;;) {
        try {
          await runStatement(empty, 'INSERT INTO writes VALUES (?)', write);
          acknowledged.add(name);
          break;
        } catch {
          // No process listens until the next one has started.
          await delay(10);
          if (!isPlain) continue;
          doubtful.add(name);
          break;
        }
      }
    }
  };
  const writers = Array.from({ length: 8 }, writer);
  for (let kill = 0; kill < 50; kill++) {
    const goal = acknowledged.size + 1 + Math.floor(random() * 10);
    while (acknowledged.size < goal) await new Promise(setImmediate);
    await worker.owned[Symbol.asyncDispose]();
    worker = await startKillable(folder, port);
  }
  done.abort();
  await Promise.all(writers);
  const found = (await runStatement(empty, 'SELECT name, count(*) AS n FROM writes GROUP BY name')) as {
    name: string;
    n: number;
  }[];
  assert.deepEqual(
    found.filter(({ n }) => n > 1),
    [],
  );
  const present = new Set(found.map(({ name }) => name));
  assert.deepEqual([...acknowledged.difference(present)], []);
  assert.deepEqual([...present.difference(acknowledged.union(doubtful))], []);
  assert.deepEqual(await runStatement(empty, 'PRAGMA quick_check'), [{ quick_check: 'ok' }]);
  context.diagnostic(`${acknowledged.size} acknowledged, ${doubtful.size} in doubt`);
});
