/** Attacks of a tenant on the engine of Durable Objects. Each is refused, and none leaves a trace. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/wire/serviceError.ts';
import { attacksOn } from '../../../support/attacks.ts';
import { rejection } from '../../../support/scriptedServer.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { openWorkerdEngine } from '../../../support/workerdEngine.ts';

const { project, folder, run } = await openWorkerdEngine();
const outside = temporaryFolder();

await run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
await run(`INSERT INTO t (a) VALUES ('mine')`, { writeKey: 'k' });

/** Refused by this engine alone. */
const ownAttacks = [
  'SELECT * FROM _cf_KV',
  'SELECT count(*) FROM "_cf_KV"',
  'SELECT [key] FROM [_CF_kv]',
  'SELECT * FROM main._cf_KV',
  `CREATE VIEW v AS SELECT * FROM _cf_KV`,
  'CREATE TABLE _cf_mine (a)',
  'DROP TABLE _cf_KV',
  'DELETE FROM _cf_KV',
  `INSERT INTO _cf_KV VALUES ('x', 'x')`,
  'ALTER TABLE t RENAME TO _cf_t',
  'CREATE TRIGGER x AFTER INSERT ON _cf_KV BEGIN SELECT 1; END',
  'CREATE VIRTUAL TABLE x USING fts5(key, content=_cf_KV)',
  `CREATE VIRTUAL TABLE x USING fts5(key, content='_cf_KV')`,
  'CREATE TABLE x (a REFERENCES _cf_KV(key))',
  'PRAGMA table_info(_cf_KV)',
  `INSERT OR ROLLBACK INTO t (id) VALUES (1)`,
  `insert or /* */ rollback INTO t (id) VALUES (1)`,
  'UPDATE OR ROLLBACK t SET id = 1',
  'CREATE TABLE x (a UNIQUE ON CONFLICT ROLLBACK)',
  `CREATE TRIGGER x BEFORE INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'no'); END`,
  'PRAGMA case_sensitive_like = 1',
  'PRAGMA reverse_unordered_selects = ON',
  ...['foreign_keys', 'defer_foreign_keys', 'ignore_check_constraints', 'recursive_triggers', 'legacy_alter_table'].map(
    name => `EXPLAIN PRAGMA ${name} = ON`,
  ),
  'EXPLAIN PRAGMA case_sensitive_like = ON',
  'EXPLAIN PRAGMA reverse_unordered_selects = ON',
  'EXPLAIN QUERY PLAN PRAGMA foreign_keys = OFF',
  '; explain /* */ pragma main.foreign_keys(off)',
  'EXPLAIN PRAGMA optimize',
  'EXPLAIN BEGIN',
  'EXPLAIN SAVEPOINT one',
  'SELECT * FROM pragma_optimize(0x10002)',
  `SELECT * FROM 'PRAGMA_OPTIMIZE'`,
  'CREATE VIEW v AS SELECT * FROM pragma_optimize',
  'SELECT 1; SELECT 2',
  'SELECT * FROM t; DELETE FROM t',
] as const;

/** Everything that could show a trace. */
async function state(): Promise<unknown> {
  return {
    rows: await run('SELECT * FROM t'),
    schema: await run(`SELECT * FROM sqlite_schema WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name`),
    settings: [await run('PRAGMA foreign_keys'), await run(`SELECT 'a' LIKE 'A' AS same`)],
    replayed: await run(`INSERT INTO t (a) VALUES ('mine')`, { writeKey: 'k' }),
    files: readdirSync(folder).toSorted(),
    outside: readdirSync(outside),
  };
}

const other = join(folder, 'other.sqlite');
/** This SQLite cuts the width to 100,000. */
const harmless: ReadonlySet<string> = new Set([`SELECT printf('%.*c', 900000000, 'x')`]);
const attacks = [
  ...attacksOn({ other, outside, folder }).flatMap(([code, ...statements]) => statements.map(sql => ({ code, sql }))),
  ...ownAttacks.map(sql => ({ code: undefined, sql })),
  // The platform ends a statement that runs too long, and its runtime alone does not.
].filter(({ code, sql }) => code !== 'statement_timeout' && !harmless.has(sql));

for (const { sql } of attacks) {
  const name = sql.length > 120 ? `${sql.slice(0, 80)}… (${sql.length} characters)` : sql;
  test(`${name} is refused and changes nothing`, async () => {
    const before = await state();
    const refusal = await rejection(run(sql));
    assert.ok(refusal instanceof ServiceError, String(refusal));
    assert.ok(refusal.status >= 400 && refusal.status < 500, refusal.message);
    assert.doesNotMatch(refusal.message, /SQLITE_|svc_q|json_object/);
    assert.deepEqual(await state(), before);
  });
}

test('the tables of the platform are not tables of the project', async () => {
  assert.deepEqual([...(await project.tables())], ['t']);
  await assert.rejects(project.schema('_cf_KV'), { status: 404, code: 'table_not_found' });
  await assert.rejects(project.browse('_cf_KV'), { code: 'table_not_found' });
});
