import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { startTestEngine } from '../../../support/testEngine.ts';

const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
  INSERT INTO t SELECT i, hex(randomblob(50)) FROM n`;
const once = { key: 'key', fingerprint: 'print' };

test('an export is one file with all that was committed, and nothing of the service', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(fill, { once });
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  assert.deepEqual(
    readdirSync(folder).filter(name => name.startsWith('copy')),
    ['copy.sqlite'],
  );
  const copy = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual({ ...copy.prepare('SELECT count(*) AS n FROM t').get() }, { n: 20_000 });
  const names = copy.prepare('SELECT name FROM sqlite_schema').all();
  copy.close();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['t'],
  );
  const bytes = readFileSync(file);
  assert.ok(!bytes.includes(once.key) && !bytes.includes(once.fingerprint));
  // The suggested size of the cache, where the service notes how far it remembers calls.
  assert.equal(bytes.readUInt32BE(48), 0);
});

test('an export leaves the files beside it as they were, and nothing of itself when it fails', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const theirs = join(folder, 'theirs');
  mkdirSync(join(theirs, 'taken.sqlite'), { recursive: true });
  const beside = ['', '-journal', '-shm', '-wal'].map(ending => `copy.sqlite.part${ending}`);
  for (const name of beside) writeFileSync(join(theirs, name), 'precious');
  await engine.exportTo('project', join(theirs, 'copy.sqlite'));
  await assert.rejects(engine.exportTo('project', join(theirs, 'taken.sqlite')));
  assert.deepEqual(readdirSync(theirs).toSorted(), ['copy.sqlite', ...beside, 'taken.sqlite']);
  for (const name of beside) assert.equal(readFileSync(join(theirs, name), 'utf8'), 'precious');
});

test('an import begins anew where one was broken off', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  for (const ending of ['', '-wal'])
    writeFileSync(join(folder, `project.sqlite.import.part${ending}`), 'half of a copy');
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT * FROM t'), []);
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('import')),
    [],
  );
});

test('an export while the project is written to is the state of one moment', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(fill);
  await run('CREATE TABLE pairs (a, b)');
  const exported = new AbortController();
  const writing = (async () => {
    for (let i = 0; !exported.signal.aborted; i++)
      await run('INSERT INTO pairs VALUES (?, ?), (?, ?)', { params: [i, 1, i, 2] });
  })();
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  exported.abort();
  await writing;
  const copy = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(copy.prepare('SELECT a FROM pairs GROUP BY a HAVING count(*) <> 2').all(), []);
  assert.deepEqual({ ...copy.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  copy.close();
});

test('an import puts the database of a file in the place of the project’s own', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(fill, { once });
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  await run('DELETE FROM t');
  await run('CREATE TABLE later (a)');
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 20_000 }]);
  assert.deepEqual(await engine.listTables('project'), ['t']);
  // Which calls were done is the old database's memory.
  assert.equal(
    (await engine.execute('project', { sql: fill.replaceAll('i,', 'i + 20000,'), params: [], once })).replayed,
    false,
  );
  assert.deepEqual(
    readdirSync(folder).filter(name => name.includes('import')),
    [],
  );
});

test('an import leaves a file that is read with a log as it was, with nothing beside it', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const theirs = join(folder, 'their # files?');
  mkdirSync(theirs);
  const file = join(theirs, 'ä%20.sqlite');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  other.close();
  const before = readFileSync(file);
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT * FROM arrived'), [{ a: 1 }]);
  assert.deepEqual(readdirSync(theirs), ['ä%20.sqlite']);
  assert.deepEqual(readFileSync(file), before);
});

test('an import takes what stands in the log of a file that is in use', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const file = join(folder, 'used.sqlite');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  await engine.importFrom('project', file);
  other.close();
  assert.deepEqual(await run('SELECT * FROM arrived'), [{ a: 1 }]);
});

test('an import waits for what runs, and what comes meanwhile meets the new database', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const file = join(folder, 'other.sqlite');
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  other.close();
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  const long =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) INSERT INTO t SELECT max(i), 1 FROM n';
  const before = run(long);
  // Answered by the same process, so the statement before it has arrived there.
  await run('SELECT 1');
  const [, rows, changed] = await Promise.all([
    engine.importFrom('project', file),
    run('SELECT * FROM arrived'),
    before,
  ]);
  assert.deepEqual([rows, changed], [[{ a: 1 }], 1]);
});

const unsound: readonly (readonly [name: string, content: (sound: Buffer) => Buffer | undefined])[] = [
  ['that is not there', () => undefined],
  ['that is empty', () => Buffer.alloc(0)],
  ['of text', () => Buffer.from('name,price\n'.repeat(1000))],
  ['that is cut off', sound => sound.subarray(0, sound.length / 2)],
  ['with pages of nothing', sound => Buffer.concat([sound.subarray(0, 8192), Buffer.alloc(sound.length - 8192)])],
  ['with a header alone', sound => sound.subarray(0, 100)],
];

for (const [name, content] of unsound) {
  test(`a file ${name} is not imported, and the project stays as it was`, async context => {
    const { engine, folder, run } = startTestEngine(context);
    await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
    await run(fill);
    const sound = join(folder, 'sound.sqlite');
    await engine.exportTo('project', sound);
    const bytes = content(readFileSync(sound));
    const file = join(folder, 'unsound.sqlite');
    if (bytes) writeFileSync(file, bytes);
    await assert.rejects(engine.importFrom('project', file), { status: 400, message: /is no sound SQLite database/ });
    assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 20_000 }]);
    assert.deepEqual(
      readdirSync(folder).filter(found => /import|part/.test(found)),
      [],
    );
  });
}

test('vacuum gives back what deleted rows took', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(fill, { once });
  await run('DELETE FROM t');
  await engine.vacuum('project');
  assert.ok(statSync(join(folder, 'project.sqlite')).size < 100_000);
  assert.equal((await engine.execute('project', { sql: fill, params: [], once })).replayed, true);
});

test('a sound database has no faults, and a broken one names them', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await run(fill);
  await run('CREATE INDEX t_a ON t (a)');
  assert.deepEqual(await engine.integrityCheck('project'), []);
  await engine.close();
  const broken = startTestEngine(context);
  const bytes = readFileSync(join(folder, 'project.sqlite'));
  writeFileSync(join(broken.folder, 'project.sqlite'), bytes.fill(0x55, 400_000, 404_096));
  assert.ok((await broken.engine.integrityCheck('project')).length > 0);
});
