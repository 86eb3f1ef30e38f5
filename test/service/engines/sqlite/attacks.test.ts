/** Attacks of a tenant: leave the project's database, break its limits, or reach the service's own data. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../../../src/wire/serviceError.ts';
import { attacksOn } from '../../../support/attacks.ts';
import { rejection } from '../../../support/scriptedServer.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { startTestEngine, type TestEngine } from '../../../support/testEngine.ts';

/** An engine with the project of the tenant and another one. */
async function startWithTwo(statementMs?: number): Promise<TestEngine> {
  const started = startTestEngine({ after }, { ...(statementMs !== undefined && { statementMs }) });
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await started.run(`INSERT INTO t (a) VALUES ('mine')`, { idempotencyKey: 'k' });
  await started.run('CREATE TABLE secret (a)', { project: 'other' });
  await started.run(`INSERT INTO secret VALUES ('theirs')`, { project: 'other' });
  return started;
}

const tenant = await startWithTwo();
/** For endless statements. On a busy machine, other statements need seconds. */
const impatient = await startWithTwo(4000);
const { engine, folder, run } = tenant;
const outside = temporaryFolder();

const otherOf = ({ folder: path }: TestEngine): string => join(path, 'other.sqlite');
const other = otherOf(tenant);
const attacks = attacksOn({ other, outside, folder });

/** Everything that could show a trace: the tenant's rows and schema, another project's file, and the names of all files. */
async function state(started: TestEngine): Promise<unknown> {
  const names = readdirSync(started.folder).toSorted();
  return {
    rows: await started.run('SELECT * FROM t'),
    schema: await started.run('SELECT * FROM sqlite_schema ORDER BY name'),
    settings: await started.run('SELECT * FROM pragma_user_version, pragma_foreign_keys, pragma_page_size'),
    replayed: await started.run(`INSERT INTO t (a) VALUES ('mine')`, { idempotencyKey: 'k' }),
    files: names,
    modes: names.map(name => statSync(join(started.folder, name)).mode),
    neighbour: createHash('sha256')
      .update(readFileSync(otherOf(started)))
      .digest('hex'),
    outside: readdirSync(outside),
  };
}

for (const [code, ...statements] of attacks) {
  const started = code === 'statement_timeout' ? impatient : tenant;
  for (const sql of statements) {
    const name = sql.length > 120 ? `${sql.slice(0, 80)}… (${sql.length} characters)` : sql;
    test(`${name} is refused with ${code}, and changes nothing`, async () => {
      const before = await state(started);
      const refusal = await rejection(started.run(sql));
      assert.ok(refusal instanceof ServiceError, String(refusal));
      assert.deepEqual([refusal.code, refusal.message.length > 0], [code, true], refusal.message);
      assert.deepEqual(await state(started), before);
    });
  }
}

const ownSchema: readonly (readonly [sql: string, rows: readonly object[]])[] = [
  ['SELECT name FROM sqlite_schema', [{ name: 't' }]],
  ['SELECT name FROM sqlite_master', [{ name: 't' }]],
  ['SELECT name FROM main.sqlite_schema', [{ name: 't' }]],
  [`SELECT name FROM pragma_table_list WHERE name NOT LIKE 'sqlite%schema'`, [{ name: 't' }]],
  [
    `SELECT m.name, p.name FROM sqlite_schema m, pragma_table_xinfo(m.name) p WHERE m.type = 'table'`,
    [
      { name: 't', 'name:1': 'id' },
      { name: 't', 'name:1': 'a' },
    ],
  ],
  ['SELECT i.name FROM sqlite_schema m, pragma_index_list(m.name) i', []],
  ['PRAGMA integrity_check', [{ integrity_check: 'ok' }]],
];

for (const [sql, rows] of ownSchema) {
  test(`${sql} shows only the tenant's own schema, also in a view`, async () => {
    const schemaBefore = await run('PRAGMA schema_version');
    assert.equal(await run('UPDATE t SET a = a', { idempotencyKey: sql }), 1);
    assert.deepEqual(await run(sql), rows);
    assert.deepEqual(await run('PRAGMA schema_version'), schemaBefore);
    if (sql.startsWith('PRAGMA')) return;
    await run(`CREATE VIEW seen AS ${sql}`);
    const seen = (await run('SELECT * FROM seen')) as { name: string }[];
    assert.deepEqual(
      seen.filter(({ name }) => name !== 'seen'),
      rows,
    );
    await run('DROP VIEW seen');
  });
}

test('the tables of sequences and statistics hold only the tenant’s own data', async () => {
  await run('CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)');
  await run('INSERT INTO counted DEFAULT VALUES', { idempotencyKey: 'counted' });
  assert.deepEqual(await run('SELECT * FROM sqlite_sequence'), [{ name: 'counted', seq: 1 }]);
  await run('DROP TABLE counted');
  await run('ANALYZE');
  assert.deepEqual(await run('SELECT tbl FROM sqlite_stat1'), [{ tbl: 't' }]);
  await run('DROP TABLE sqlite_stat1');
  await run('REINDEX');
});

test('SQLite’s own tables are not tables of the project', async () => {
  assert.deepEqual(await engine.listTables('project'), ['t']);
  for (const table of ['sqlite_schema', 'SQLITE_SEQUENCE', 'answers']) {
    await assert.rejects(engine.schema('project', table), { status: 404, code: 'table_not_found' });
    const page = { table, limit: 1, offset: 0 };
    await assert.rejects(engine.browse('project', page), { status: 404, code: 'table_not_found' });
  }
});

test('a refused statement does not give its error to another one that came with it', async () => {
  const [refused, failed] = await Promise.allSettled([
    run('PRAGMA user_version = 1'),
    run('INSERT INTO t (id) VALUES (1)'),
  ]);
  const failedFirst = await Promise.allSettled([run('INSERT INTO t (id) VALUES (1)'), run('PRAGMA user_version = 1')]);
  assert.deepEqual(
    [refused, failed, ...failedFirst].map(result =>
      result.status === 'rejected' ? (result.reason as ServiceError).code : 'done',
    ),
    ['denied_statement', 'sql_error', 'sql_error', 'denied_statement'],
  );
});
