/** What a tenant may try to get out of the project's database, past its bounds, or at what belongs to the service. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reservedTable } from '../../../../src/service/engines/sqlite/worker/guard.ts';
import { ServiceError } from '../../../../src/wire/serviceError.ts';
import { startTestEngine } from '../../../support/testEngine.ts';

const { engine, folder, run } = startTestEngine({ after }, { statementTime: 1000 });
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
after(() => rmSync(outside, { recursive: true, force: true }));

await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
await run(`INSERT INTO t (a) VALUES ('mine')`, { once: { key: 'k', fingerprint: 'f' } });
await run('CREATE TABLE secret (a)', { project: 'other' });
await run(`INSERT INTO secret VALUES ('theirs')`, { project: 'other' });

const other = join(folder, 'other.sqlite');
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
    `PRAGMA writable_schema = ${reservedTable}`,
    'PRAGMA temp_store = FILE',
    `PRAGMA temp_store_directory = '${outside}'`,
    `PRAGMA data_store_directory = '${outside}'`,
    'PRAGMA locking_mode = EXCLUSIVE',
    'PRAGMA mmap_size = 999999999999',
    'PRAGMA cache_size = -99999999',
    'PRAGMA cache_spill = OFF',
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
    // What would outlive a call.
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
    // Modules that read what is not theirs.
    'CREATE VIRTUAL TABLE x USING dbstat(main)',
    'CREATE VIRTUAL TABLE x USING sqlite_dbpage',
    `CREATE VIRTUAL TABLE x USING csv(filename='${other}')`,
    'CREATE VIRTUAL TABLE x USING fts3tokenize(simple)',
    'CREATE VIRTUAL TABLE x USING fts4(a)',
    'SELECT * FROM dbstat',
    // What belongs to the service.
    `SELECT * FROM ${reservedTable}`,
    `SELECT count(*) FROM ${reservedTable.toUpperCase()}`,
    `SELECT count(*) FROM main."${reservedTable}"`,
    `SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM [${reservedTable}])`,
    `INSERT INTO ${reservedTable} VALUES ('x', 'x', 0, 0, NULL, NULL)`,
    `UPDATE ${reservedTable} SET fingerprint = 'x'`,
    `DELETE FROM ${reservedTable}`,
    `DROP TABLE ${reservedTable}`,
    `DROP TABLE IF EXISTS main.${reservedTable}`,
    `CREATE TABLE x AS SELECT * FROM ${reservedTable}`,
    `WITH x AS (SELECT * FROM ${reservedTable}) SELECT * FROM x`,
  ],
  [
    'sql_error',
    `ALTER TABLE ${reservedTable} RENAME TO x`,
    `ALTER TABLE ${reservedTable} ADD COLUMN x`,
    `ALTER TABLE t RENAME TO ${reservedTable}`,
    `CREATE INDEX x ON ${reservedTable} (key)`,
    `CREATE TRIGGER x AFTER INSERT ON ${reservedTable} BEGIN DELETE FROM t; END`,
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

/** Everything that could show a trace: the tenant's rows and schema, the neighbour's file, and which files there are. */
async function state(): Promise<unknown> {
  return {
    rows: await run('SELECT * FROM t'),
    schema: await run('SELECT * FROM sqlite_schema ORDER BY name'),
    settings: await run('SELECT * FROM pragma_user_version, pragma_foreign_keys, pragma_page_size'),
    again: await run(`INSERT INTO t (a) VALUES ('mine')`, { once: { key: 'k', fingerprint: 'f' } }),
    files: readdirSync(folder).toSorted(),
    modes: readdirSync(folder).map(name => statSync(join(folder, name)).mode),
    neighbour: createHash('sha256').update(readFileSync(other)).digest('hex'),
    outside: readdirSync(outside),
  };
}

for (const [code, ...statements] of attacks) {
  for (const sql of statements) {
    const name = sql.length > 120 ? `${sql.slice(0, 80)}… (${sql.length} characters)` : sql;
    test(`${name} is refused with ${code}, and changes nothing`, async () => {
      const before = await state();
      const refusal = await run(sql).then(
        () => assert.fail('It was done.'),
        (thrown: unknown) => thrown,
      );
      assert.ok(refusal instanceof ServiceError, String(refusal));
      assert.deepEqual([refusal.code, refusal.message.length > 0], [code, true], refusal.message);
      assert.deepEqual(await state(), before);
    });
  }
}

test('a view, a trigger or a full-text table that reads what belongs to the service is of no use', async () => {
  await run(`CREATE VIEW peek AS SELECT * FROM ${reservedTable}`);
  await assert.rejects(run('SELECT * FROM peek'), { code: 'denied_statement' });
  await run(`CREATE TRIGGER pry AFTER INSERT ON t BEGIN DELETE FROM ${reservedTable}; END`);
  await assert.rejects(run('INSERT INTO t (a) VALUES (1)'), { code: 'denied_statement' });
  await run('DROP TRIGGER pry');
  await run('DROP VIEW peek');
});

test('statements that go through all tables pass over what belongs to the service', async () => {
  const columns = `SELECT m.name, p.name FROM sqlite_schema m, pragma_table_xinfo(m.name) p WHERE m.type = 'table'`;
  assert.deepEqual(await run(columns), [
    { name: 't', 'name:1': 'id' },
    { name: 't', 'name:1': 'a' },
  ]);
  const indexes = 'SELECT i.name FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_xinfo(i.name) x';
  assert.deepEqual(await run(indexes), []);
  assert.deepEqual(await run(`SELECT * FROM pragma_index_info('sqlite_autoindex_${reservedTable}_1')`), []);
  await run('REINDEX');
});

test('a column may have the name of what belongs to the service', async () => {
  await run(`CREATE TABLE named (${reservedTable} TEXT)`);
  await run(`INSERT INTO named VALUES ('mine')`);
  await run(`UPDATE named SET ${reservedTable} = 'still mine'`);
  assert.deepEqual(await run('SELECT * FROM named'), [{ [reservedTable]: 'still mine' }]);
  await run('DROP TABLE named');
});

test('what belongs to the service is no table of the project', async () => {
  assert.deepEqual(await engine.listTables('project'), ['t']);
  assert.equal(await engine.countTables('project'), 1);
  await assert.rejects(engine.schema('project', reservedTable), { status: 404, code: 'table_not_found' });
  await assert.rejects(engine.browse('project', { table: reservedTable.toUpperCase(), limit: 1, offset: 0 }), {
    status: 404,
    code: 'table_not_found',
  });
});
