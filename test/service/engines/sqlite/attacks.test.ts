/** Attacks of a tenant: leave the project's database, break its limits, or reach the service's own data. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../../../src/wire/serviceError.ts';
import { startTestEngine, type TestEngine } from '../../../support/testEngine.ts';

/** An engine with the project of the tenant and another one. */
async function startWithTwo(statementMs?: number): Promise<TestEngine> {
  const started = startTestEngine({ after }, { ...(statementMs !== undefined && { statementMs }) });
  await started.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  await started.run(`INSERT INTO t (a) VALUES ('mine')`, { writeKey: { key: 'k', fingerprint: 'f' } });
  await started.run('CREATE TABLE secret (a)', { project: 'other' });
  await started.run(`INSERT INTO secret VALUES ('theirs')`, { project: 'other' });
  return started;
}

const tenant = await startWithTwo();
/** For statements without end. A busy machine needs seconds for others. */
const impatient = await startWithTwo(4000);
const { engine, folder, run } = tenant;
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
after(() => rmSync(outside, { recursive: true, force: true }));

const otherOf = ({ folder: path }: TestEngine): string => join(path, 'other.sqlite');
const other = otherOf(tenant);
const deep = (depth: number): string => `SELECT ${'('.repeat(depth)}1${')'.repeat(depth)}`;
const nested = (depth: number): string => `SELECT ${'abs('.repeat(depth)}1${')'.repeat(depth)}`;

const attacks: readonly (readonly [code: string, ...statements: string[]])[] = [
  [
    'denied_statement',
    // Other files.
    `ATTACH '${other}' AS other`,
    `ATTACH DATABASE '${other}' AS other`,
    `attach '${other}' as other`,
    `/* */ ATTACH '${other}' AS other -- x`,
    `ATTACH 'file:${other}?mode=ro' AS other`,
    `ATTACH '${outside}/new.sqlite' AS other`,
    `ATTACH ':memory:' AS other`,
    `ATTACH '' AS other`,
    `EXPLAIN ATTACH '${other}' AS other`,
    'DETACH main',
    'DETACH DATABASE temp',
    'VACUUM',
    'VACUUM main',
    `VACUUM INTO '${outside}/copy.sqlite'`,
    `VACUUM main INTO '${outside}/copy.sqlite'`,
    `-- a copy\nvacuum into '${outside}/copy.sqlite'`,
    `SELECT load_extension('${outside}/evil')`,
    `SELECT LOAD_EXTENSION('${outside}/evil', 'main')`,
    `SELECT "load_extension"('${outside}/evil')`,
    `INSERT INTO t (a) SELECT load_extension('${outside}/evil')`,
    `SELECT fts3_tokenizer('simple')`,
    `SELECT fts3_tokenizer('simple', x'0000000000000000')`,
    // Settings of the connection and of the file.
    'PRAGMA journal_mode = DELETE',
    'PRAGMA journal_mode = OFF',
    'PRAGMA main.journal_mode(MEMORY)',
    'PRAGMA synchronous = OFF',
    'PRAGMA writable_schema = ON',
    'PRAGMA writable_schema(1)',
    'PRAGMA trusted_schema = ON',
    'PRAGMA query_only = OFF',
    'PRAGMA temp_store = FILE',
    `PRAGMA temp_store_directory = '${outside}'`,
    `PRAGMA data_store_directory = '${outside}'`,
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA mmap_size = 999999999999',
    'PRAGMA cache_size = -99999999',
    'PRAGMA cache_spill = OFF',
    'PRAGMA default_cache_size',
    'PRAGMA default_cache_size = 1234',
    'PRAGMA main.default_cache_size(1234)',
    'EXPLAIN PRAGMA default_cache_size = 1234',
    'SELECT * FROM pragma_default_cache_size',
    'PRAGMA max_page_count = 99999999',
    'PRAGMA hard_heap_limit = 1',
    'PRAGMA soft_heap_limit = 1',
    'PRAGMA threads = 64',
    'PRAGMA busy_timeout = 0',
    'PRAGMA foreign_keys = OFF',
    'PRAGMA defer_foreign_keys = ON',
    'PRAGMA ignore_check_constraints = ON',
    'PRAGMA recursive_triggers = ON',
    'PRAGMA legacy_alter_table = ON',
    'PRAGMA secure_delete = OFF',
    'PRAGMA auto_vacuum = FULL',
    'PRAGMA incremental_vacuum',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'PRAGMA wal_autocheckpoint = 0',
    'PRAGMA journal_size_limit = 0',
    'PRAGMA schema_version = 99',
    'PRAGMA user_version = 99',
    'PRAGMA application_id = 99',
    `PRAGMA encoding = 'UTF-16'`,
    'PRAGMA page_size = 512',
    'PRAGMA shrink_memory',
    'PRAGMA optimize',
    'PRAGMA database_list',
    'PRAGMA analysis_limit = 1',
    `PRAGMA key = 'x'`,
    'SELECT * FROM pragma_database_list',
    'SELECT * FROM pragma_journal_mode',
    `EXPLAIN PRAGMA writable_schema = ON`,
    // Statements that would outlive a call.
    'BEGIN',
    'BEGIN EXCLUSIVE',
    'COMMIT',
    'END',
    'ROLLBACK',
    'SAVEPOINT one',
    'RELEASE one',
    'ROLLBACK TO one',
    'CREATE TEMP TABLE x (a)',
    'CREATE TABLE temp.x AS SELECT 1',
    'CREATE TEMP VIEW t AS SELECT 1',
    'CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END',
    // Modules that read other data.
    'CREATE VIRTUAL TABLE x USING dbstat(main)',
    'CREATE VIRTUAL TABLE x USING sqlite_dbpage',
    `CREATE VIRTUAL TABLE x USING csv(filename='${other}')`,
    'CREATE VIRTUAL TABLE x USING fts3tokenize(simple)',
    'CREATE VIRTUAL TABLE x USING fts4(a)',
    'SELECT * FROM dbstat',
  ],
  [
    'sql_error',
    // The file of the replay records.
    'SELECT * FROM answers',
    `SELECT * FROM "${join(folder, 'project.calls')}".answers`,
    `CREATE TABLE IF NOT EXISTS sqlite_mine (a)`,
    `INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x (a)')`,
    `UPDATE sqlite_schema SET sql = NULL`,
    'DELETE FROM main.sqlite_master',
    'DROP TABLE sqlite_schema',
    'SELECT * FROM sqlite_dbpage',
    `SELECT * FROM readfile('${other}')`,
    `SELECT readfile('${other}')`,
    `SELECT writefile('${outside}/x', 'x')`,
    `SELECT edit('x')`,
    `SELECT * FROM other.secret`,
    `SELECT * FROM "${other}".secret`,
    nested(2000),
    deep(20_000),
    `SELECT ${Array.from({ length: 3000 }, () => '1').join(' + ')}`,
    `SELECT 'a' LIKE '${'%a'.repeat(20_000)}'`,
  ],
  [
    'too_large',
    'SELECT zeroblob(900000000)',
    'SELECT length(zeroblob(2147483647))',
    'SELECT length(randomblob(900000000))',
    'SELECT hex(zeroblob(60000000))',
    'SELECT zeroblob(60000000) AS a, zeroblob(60000000) AS b',
    `SELECT printf('%.*c', 900000000, 'x')`,
    `SELECT replace(hex(zeroblob(1000000)), '0', hex(zeroblob(1000)))`,
    'INSERT INTO t (a) VALUES (zeroblob(900000000))',
    `SELECT '${'x'.repeat(5_000_000)}'`,
  ],
  [
    'statement_timeout',
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO t (a) SELECT max(i) FROM n',
  ],
  [
    'multiple_statements',
    `SELECT 1; ATTACH '${other}' AS other`,
    `SELECT 1; PRAGMA writable_schema = ON`,
    `INSERT INTO t (a) VALUES (1); COMMIT`,
  ],
];

/** Everything that could show a trace: the tenant's rows and schema, another project's file, and the names of all files. */
async function state(started: TestEngine): Promise<unknown> {
  const names = readdirSync(started.folder).toSorted();
  return {
    rows: await started.run('SELECT * FROM t'),
    schema: await started.run('SELECT * FROM sqlite_schema ORDER BY name'),
    settings: await started.run('SELECT * FROM pragma_user_version, pragma_foreign_keys, pragma_page_size'),
    replayed: await started.run(`INSERT INTO t (a) VALUES ('mine')`, { writeKey: { key: 'k', fingerprint: 'f' } }),
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
      const refusal = await started.run(sql).then(
        () => assert.fail('The statement was done.'),
        (thrown: unknown) => thrown,
      );
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
    assert.equal(await run('UPDATE t SET a = a', { writeKey: { key: sql, fingerprint: sql } }), 1);
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
  await run('INSERT INTO counted DEFAULT VALUES', { writeKey: { key: 'counted', fingerprint: 'counted' } });
  assert.deepEqual(await run('SELECT * FROM sqlite_sequence'), [{ name: 'counted', seq: 1 }]);
  await run('DROP TABLE counted');
  await run('ANALYZE');
  assert.deepEqual(await run('SELECT tbl FROM sqlite_stat1'), [{ tbl: 't' }]);
  await run('DROP TABLE sqlite_stat1');
  await run('REINDEX');
});

test('SQLite’s own tables are not tables of the project', async () => {
  assert.deepEqual(await engine.listTables('project'), ['t']);
  assert.equal(await engine.countTables('project'), 1);
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
