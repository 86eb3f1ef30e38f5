import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { changeDatabase } from '../../../support/changeDatabase.ts';
import { sqlCall, startTestEngine, type TestEngine } from '../../../support/testEngine.ts';

const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
  INSERT INTO t SELECT i, hex(randomblob(50)) FROM n`;
const idempotencyKey = 'secret-key';

/** An engine with a project of 20,000 rows, which a call with the idempotency key has written. */
async function startFilled(context: TestContext): Promise<TestEngine> {
  const started = startTestEngine(context);
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await started.run(fill, { idempotencyKey });
  return started;
}

/** An import leaves no files of its own, finished or not. */
function requireNoImport(folder: string): void {
  assert.deepEqual(
    readdirSync(folder).filter(name => /import|part/.test(name)),
    [],
  );
}

test('an export is one file with all committed rows and none of the service’s data', async context => {
  const { engine, folder } = await startFilled(context);
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
  assert.ok(!bytes.includes(idempotencyKey));
  // The suggested cache size in the header holds the commit mark.
  assert.equal(bytes.readUInt32BE(48), 0);
});

test('an export leaves the files beside it alone, and no part of itself when it fails', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const exports = join(folder, 'exports');
  mkdirSync(join(exports, 'taken.sqlite'), { recursive: true });
  const neighbours = ['', '-journal', '-shm', '-wal'].map(ending => `copy.sqlite.part${ending}`);
  for (const name of neighbours) writeFileSync(join(exports, name), 'precious');
  await engine.exportTo('project', join(exports, 'copy.sqlite'));
  await assert.rejects(engine.exportTo('project', join(exports, 'taken.sqlite')));
  assert.deepEqual(readdirSync(exports).toSorted(), ['copy.sqlite', ...neighbours, 'taken.sqlite']);
  for (const name of neighbours) assert.equal(readFileSync(join(exports, name), 'utf8'), 'precious');
});

test('an import starts again after an interrupted one', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  for (const ending of ['', '-wal']) writeFileSync(join(folder, `project.sqlite.import${ending}`), 'half of a copy');
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT * FROM t'), []);
  requireNoImport(folder);
});

test('an export during writes is a snapshot of one moment', async context => {
  const { engine, folder, run } = await startFilled(context);
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

test('an import replaces the project’s database by the one in the file', async context => {
  const { engine, folder, run } = await startFilled(context);
  const file = join(folder, 'copy.sqlite');
  await engine.exportTo('project', file);
  await run('DELETE FROM t');
  await run('CREATE TABLE later (a)');
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 20_000 }]);
  assert.deepEqual(await engine.listTables('project'), ['t']);
  // The replay records belong to the old database.
  assert.equal(
    (await engine.execute('project', sqlCall(fill.replaceAll('i,', 'i + 20000,'), { idempotencyKey }))).replayed,
    false,
  );
  requireNoImport(folder);
});

test('an import of a WAL file leaves that file unchanged and makes no log beside it', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const exports = join(folder, 'their # files?');
  mkdirSync(exports);
  const file = join(exports, 'ä%20.sqlite');
  changeDatabase(file, 'PRAGMA journal_mode = WAL; CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  const before = readFileSync(file);
  await engine.importFrom('project', file);
  assert.deepEqual(await run('SELECT * FROM arrived'), [{ a: 1 }]);
  assert.deepEqual(readdirSync(exports), ['ä%20.sqlite']);
  assert.deepEqual(readFileSync(file), before);
});

test('an import includes the log of a file that another program has open', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const file = join(folder, 'used.sqlite');
  const other = new DatabaseSync(file);
  other.exec('PRAGMA journal_mode = WAL; CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  await engine.importFrom('project', file);
  other.close();
  assert.deepEqual(await run('SELECT * FROM arrived'), [{ a: 1 }]);
});

test('an import waits for running statements, and later ones use the new database', async context => {
  const { engine, folder, run } = startTestEngine(context);
  const file = join(folder, 'other.sqlite');
  changeDatabase(file, 'CREATE TABLE arrived (a); INSERT INTO arrived VALUES (1)');
  await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  const long =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000000) INSERT INTO t SELECT max(i), 1 FROM n';
  const before = run(long);
  // The same process answers it, so the statement before it has arrived.
  await run('SELECT 1');
  const [, rows, changed] = await Promise.all([
    engine.importFrom('project', file),
    run('SELECT * FROM arrived'),
    before,
  ]);
  assert.deepEqual([rows, changed], [[{ a: 1 }], 1]);
});

const unsound: readonly (readonly [name: string, content: (sound: Buffer) => Buffer | undefined])[] = [
  ['that does not exist', () => undefined],
  ['that is empty', () => Buffer.alloc(0)],
  ['with text', () => Buffer.from('name,price\n'.repeat(1000))],
  ['cut in half', sound => sound.subarray(0, sound.length / 2)],
  ['with empty pages', sound => Buffer.concat([sound.subarray(0, 8192), Buffer.alloc(sound.length - 8192)])],
  ['with only a header', sound => sound.subarray(0, 100)],
];

for (const [name, content] of unsound) {
  test(`a file ${name} is not imported, and the project is unchanged`, async context => {
    const { engine, folder, run } = await startFilled(context);
    const sound = join(folder, 'sound.sqlite');
    await engine.exportTo('project', sound);
    const bytes = content(readFileSync(sound));
    const file = join(folder, 'unsound.sqlite');
    if (bytes) writeFileSync(file, bytes);
    await assert.rejects(engine.importFrom('project', file), {
      status: 400,
      message: /is not a sound SQLite database/,
    });
    assert.deepEqual(await run('SELECT count(*) AS n FROM t'), [{ n: 20_000 }]);
    requireNoImport(folder);
  });
}

test('a file whose definitions compute without end is not imported, and the project and its neighbours go on', async context => {
  const { engine, folder, run } = startTestEngine(context, { statementMs: 300 });
  await run('CREATE TABLE t (a)');
  const file = join(folder, 'endless.sqlite');
  changeDatabase(
    file,
    `PRAGMA ignore_check_constraints = ON; CREATE TABLE slow (a CHECK (length(printf('%.*c', 50000000, a)) > 0));
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO slow SELECT i FROM n`,
  );
  await assert.rejects(engine.importFrom('project', file), { status: 400, message: /^SQLite needs too long to check/ });
  assert.deepEqual(await run('SELECT * FROM t'), []);
  requireNoImport(folder);
});

test('vacuum releases the space of deleted rows', async context => {
  const { engine, folder, run } = await startFilled(context);
  await run('DELETE FROM t');
  await engine.vacuum('project');
  assert.ok(statSync(join(folder, 'project.sqlite')).size < 100_000);
  assert.equal((await engine.execute('project', sqlCall(fill, { idempotencyKey }))).replayed, true);
});

test('the integrity check finds no faults in a sound database, and some in a broken one', async context => {
  const { engine, folder, run } = await startFilled(context);
  await run('CREATE INDEX t_a ON t (a)');
  assert.deepEqual(await engine.integrityCheck('project'), []);
  await engine.close();
  const broken = startTestEngine(context);
  const bytes = readFileSync(join(folder, 'project.sqlite'));
  writeFileSync(join(broken.folder, 'project.sqlite'), bytes.fill(0x55, 400_000, 404_096));
  assert.ok((await broken.engine.integrityCheck('project')).length > 0);
});
