/** What is remembered of calls with keys, and that it is what was committed: wherever a crash came between the two files. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import type { Synchronous } from '../../../../src/service/engines/sqlite/messages.ts';
import { SqliteEngine } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import { resultOf, startTestEngine } from '../../../support/testEngine.ts';

/** A folder with a project, and engines on it one after the other. */
function folderOf(context: TestContext, synchronous: Synchronous = 'FULL') {
  const { folder } = startTestEngine(context);
  const data = join(folder, 'data');
  const at = (name: string): string => join(data, name);

  /** Runs something on an engine that is closed behind it. */
  async function during<T>(work: (engine: SqliteEngine) => Promise<T>): Promise<T> {
    const engine = new SqliteEngine(data, { synchronous });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }

  /** Makes a keyed write for each name, and tells which of them were told again. */
  const write = async (...names: string[]): Promise<string[]> =>
    during(async engine => {
      await engine.execute('project', { sql: 'CREATE TABLE IF NOT EXISTS t (name)', params: [] });
      const replayed: string[] = [];
      for (const name of names) {
        const once = { key: name, fingerprint: name };
        const outcome = await engine.execute('project', { sql: 'INSERT INTO t VALUES (?)', params: [name], once });
        if (outcome.replayed) replayed.push(name);
      }
      return replayed;
    });

  const rows = async (): Promise<unknown> =>
    during(async engine => {
      const sql = 'SELECT name FROM t ORDER BY name';
      const found = (await resultOf(await engine.execute('project', { sql, params: [] }))) as { name: string }[];
      return found.map(({ name }) => name).join();
    });

  /** What is in the folder now, to be put back later: one of its files, or all. */
  const keep = (name: string): (() => void) => {
    const copy = join(folder, `kept-${crypto.randomUUID()}`);
    cpSync(at(name), copy, { recursive: true });
    return () => cpSync(copy, at(name), { recursive: true });
  };

  return { data, at, during, write, rows, keep };
}

for (const synchronous of ['FULL', 'NORMAL'] as const) {
  test(`answers whose writes were not committed are forgotten, with synchronous ${synchronous}`, async context => {
    const { write, rows, keep } = folderOf(context, synchronous);
    await write('a');
    const putBack = keep('project.sqlite');
    await write('b', 'c');
    // As a crash leaves it after the answers reached the disk and before the commit did; without power, some commits later.
    putBack();
    assert.equal(await rows(), 'a');
    assert.deepEqual(await write('a', 'b', 'c', 'd'), ['a']);
    assert.equal(await rows(), 'a,b,c,d');
    assert.deepEqual(await write('a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd']);
  });
}

test('answers are forgotten whose database never had a write with a key, or is another', async context => {
  const { at, write, rows, during } = folderOf(context);
  await during(async engine => engine.create('project'));
  await write('a');
  for (const name of readdirSync(at('.'))) if (!name.endsWith('.calls')) rmSync(at(name));
  assert.deepEqual(await write('a'), []);
  assert.equal(await rows(), 'a');
});

test('a database is written to and remembered on when its answers are lost', async context => {
  const { at, write, rows } = folderOf(context);
  await write('a', 'b');
  rmSync(at('project.calls'));
  assert.deepEqual(await write('c'), []);
  assert.deepEqual(await write('c'), ['c']);
  assert.equal(await rows(), 'a,b,c');
});

test('marks come round without an answer that is lost or wrongly kept', async context => {
  const { at, write, rows, keep } = folderOf(context, 'NORMAL');
  await write('a');
  const records = new DatabaseSync(at('project.calls'));
  records.exec('UPDATE last SET generation = 15998; UPDATE answers SET generation = 15998');
  records.close();
  const database = new DatabaseSync(at('project.sqlite'));
  database.exec('PRAGMA default_cache_size = 8998');
  database.close();
  assert.deepEqual(await write('a', 'b'), ['a']);
  const putBack = keep('project.sqlite');
  assert.deepEqual(await write('c', 'd', 'e'), []);
  putBack();
  assert.deepEqual(await write('a', 'b', 'c', 'd', 'e'), ['a', 'b']);
  assert.equal(await rows(), 'a,b,c,d,e');
});

test('an import forgets the answers, also when it ends right behind the new database', async context => {
  const { at, during, write, rows, keep } = folderOf(context);
  await write('a');
  const copy = at('copy.sqlite');
  await during(async engine => engine.exportTo('project', copy));
  await write('b');
  const putBack = keep('project.calls');
  await during(async engine => engine.importFrom('project', copy));
  assert.ok(!existsSync(at('project.calls')));
  putBack();
  assert.deepEqual(await write('a', 'b'), []);
  assert.equal(await rows(), 'a,a,b');
});

test('a file with a suggested size of the cache is imported without it', async context => {
  const { at, during, write, keep } = folderOf(context);
  mkdirSync(at('.'));
  const other = new DatabaseSync(at('other.sqlite'));
  other.exec('PRAGMA default_cache_size = 1001; CREATE TABLE t (name)');
  other.close();
  await write('a');
  const putBack = keep('project.calls');
  await during(async engine => engine.importFrom('project', at('other.sqlite')));
  putBack();
  assert.deepEqual(await write('a'), []);
});

test('answers outlive a VACUUM', async context => {
  const { during, write } = folderOf(context);
  await write('a', 'b');
  await during(async engine => engine.vacuum('project'));
  assert.deepEqual(await write('a', 'b'), ['a', 'b']);
});
