/** The engine of SQLite files keeps a key that only reads from writing, also below the check of its statement. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { openReaderConnection } from '../../../../src/service/engines/sqlite/worker/databaseFile.ts';
import { changeDatabase } from '../../../support/changeDatabase.ts';
import { startTestEngine, type TestEngine } from '../../../support/testEngine.ts';

/** An engine whose project was imported from a file with these statements. */
async function importedEngine(context: TestContext, sql: string): Promise<TestEngine> {
  const started = startTestEngine(context);
  const source = join(started.folder, 'source');
  changeDatabase(source, sql);
  await started.engine.importFrom('project', source);
  return started;
}

const importedSchema = `CREATE TABLE t (a); CREATE INDEX t_a ON t(a); INSERT INTO t VALUES (1), (2);
  CREATE VIEW analyzing AS SELECT * FROM pragma_optimize(0x10002);
  CREATE VIEW loading AS SELECT load_extension('/tmp/evil');
  CREATE VIRTUAL TABLE docs USING fts4(body); INSERT INTO docs VALUES ('one'); INSERT INTO docs VALUES ('two');`;

for (const sql of [
  'SELECT * FROM analyzing',
  'WITH x AS (SELECT * FROM analyzing) SELECT * FROM x',
  'SELECT * FROM loading',
  'SELECT optimize(docs) FROM docs LIMIT 1',
]) {
  test(`${sql} in an imported file is refused, and changes nothing`, async context => {
    const { engine, folder, run } = await importedEngine(context, importedSchema);
    const state = async (): Promise<unknown> => ({
      rows: [await run('SELECT * FROM t'), await run('SELECT hex(block) AS block FROM docs_segments')],
      schema: await run('SELECT * FROM sqlite_schema ORDER BY name'),
    });
    const before = await state();
    await assert.rejects(
      run(sql, { scope: 'read' }),
      ({ status }: { status: number }) => status >= 400 && status < 500,
    );
    assert.deepEqual(await state(), before);
    await engine.close();
    const written = new DatabaseSync(join(folder, 'project.sqlite'), { readOnly: true });
    context.after(() => written.close());
    assert.equal(
      written.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'`).get()?.['n'],
      0,
    );
  });
}

test('SQLite refuses writes of the connections for reads, also to temporary tables, without the authorizer', async context => {
  const { engine, folder, run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  await engine.close();
  const file = join(folder, 'project.sqlite');
  const hashOfFile = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');
  const before = hashOfFile();
  const settings = {
    file,
    records: join(folder, 'project.calls'),
    synchronous: 'FULL',
    statementMs: 60_000,
    maxMegabytes: 2048,
  } as const;
  const connection = openReaderConnection(settings);
  context.after(() => connection.close());
  for (const sql of [
    'INSERT INTO t VALUES (1)',
    'DROP TABLE t',
    'CREATE TEMP TABLE x (a)',
    'PRAGMA user_version = 1',
  ]) {
    const write = (): void => connection.trusted(database => database.exec(sql));
    assert.throws(write, /attempt to write a readonly database/, sql);
  }
  assert.equal(hashOfFile(), before);
});
