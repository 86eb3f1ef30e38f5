/** Replay records fit the committed writes, wherever a crash comes between their file and the database. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Synchronous } from '../../../../src/service/engines/sqlite/projectBridge.ts';
import { SqliteEngine } from '../../../../src/service/engines/sqlite/sqliteEngine.ts';
import { changeDatabase } from '../../../support/changeDatabase.ts';
import { resultOf, sqlCall, startTestEngine } from '../../../support/testEngine.ts';

/** A folder with a project, and one engine on it after another. */
function folderOf(context: TestContext, synchronous: Synchronous = 'FULL') {
  const { folder } = startTestEngine(context);
  const data = join(folder, 'data');
  const at = (name: string): string => join(data, name);

  /** Runs work on a new engine, and closes that. */
  async function withEngine<T>(work: (engine: SqliteEngine) => Promise<T>): Promise<T> {
    const engine = new SqliteEngine(data, { synchronous });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  }

  /** Makes a keyed write for each name, and gives those that were replayed. */
  const write = async (...names: string[]): Promise<string[]> =>
    withEngine(async engine => {
      await engine.execute('project', sqlCall('CREATE TABLE IF NOT EXISTS t (name)'));
      const replayed: string[] = [];
      for (const name of names) {
        const call = sqlCall('INSERT INTO t VALUES (?)', { params: [name], idempotencyKey: name });
        const outcome = await engine.execute('project', call);
        if (outcome.replayed) replayed.push(name);
      }
      return replayed;
    });

  const rows = async (): Promise<unknown> =>
    withEngine(async engine => {
      const sql = 'SELECT name FROM t ORDER BY name';
      const found = (await resultOf(await engine.execute('project', sqlCall(sql)))) as { name: string }[];
      return found.map(({ name }) => name).join();
    });

  /** Saves a file of the folder, and gives a function that restores it. */
  const save = (name: string): (() => void) => {
    const copy = join(folder, `saved-${crypto.randomUUID()}`);
    cpSync(at(name), copy, { recursive: true });
    return () => cpSync(copy, at(name), { recursive: true });
  };

  return { data, at, withEngine, write, rows, save };
}

for (const synchronous of ['FULL', 'NORMAL'] as const) {
  test(`records of writes that were not committed are dropped, with synchronous ${synchronous}`, async context => {
    const { write, rows, save } = folderOf(context, synchronous);
    await write('a');
    const restore = save('project.sqlite');
    await write('b', 'c');
    // A crash between records and commit leaves this. A power failure may undo more than one commit.
    restore();
    assert.equal(await rows(), 'a');
    assert.deepEqual(await write('a', 'b', 'c', 'd'), ['a']);
    assert.equal(await rows(), 'a,b,c,d');
    assert.deepEqual(await write('a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd']);
  });
}

test('records are dropped when the database never had a keyed write or is another one', async context => {
  const { at, write, rows, withEngine } = folderOf(context);
  await withEngine(async engine => engine.create('project'));
  await write('a');
  for (const name of readdirSync(at('.'))) if (!name.endsWith('.calls')) rmSync(at(name));
  assert.deepEqual(await write('a'), []);
  assert.equal(await rows(), 'a');
});

test('a database whose records are lost takes writes and records them', async context => {
  const { at, write, rows } = folderOf(context);
  await write('a', 'b');
  rmSync(at('project.calls'));
  assert.deepEqual(await write('c'), []);
  assert.deepEqual(await write('c'), ['c']);
  assert.equal(await rows(), 'a,b,c');
});

test('no record is lost or wrongly kept when the marks start again', async context => {
  const { at, write, rows, save } = folderOf(context, 'NORMAL');
  await write('a');
  changeDatabase(at('project.calls'), 'UPDATE last SET generation = 15998; UPDATE answers SET generation = 15998');
  changeDatabase(at('project.sqlite'), 'PRAGMA default_cache_size = 8998');
  assert.deepEqual(await write('a', 'b'), ['a']);
  const restore = save('project.sqlite');
  assert.deepEqual(await write('c', 'd', 'e'), []);
  restore();
  assert.deepEqual(await write('a', 'b', 'c', 'd', 'e'), ['a', 'b']);
  assert.equal(await rows(), 'a,b,c,d,e');
});

test('an import drops the records, also when it is interrupted right after the new database', async context => {
  const { at, withEngine, write, rows, save } = folderOf(context);
  await write('a');
  const copy = at('copy.sqlite');
  await withEngine(async engine => engine.exportTo('project', copy));
  await write('b');
  const restore = save('project.calls');
  await withEngine(async engine => engine.importFrom('project', copy));
  assert.ok(!existsSync(at('project.calls')));
  restore();
  assert.deepEqual(await write('a', 'b'), []);
  assert.equal(await rows(), 'a,a,b');
});

test('a suggested cache size in an imported file is not taken for a mark', async context => {
  const { at, withEngine, write, save } = folderOf(context);
  mkdirSync(at('.'));
  changeDatabase(at('other.sqlite'), 'PRAGMA default_cache_size = 1001; CREATE TABLE t (name)');
  await write('a');
  const restore = save('project.calls');
  await withEngine(async engine => engine.importFrom('project', at('other.sqlite')));
  restore();
  assert.deepEqual(await write('a'), []);
});

test('records survive a VACUUM', async context => {
  const { withEngine, write } = folderOf(context);
  await write('a', 'b');
  await withEngine(async engine => engine.vacuum('project'));
  assert.deepEqual(await write('a', 'b'), ['a', 'b']);
});
