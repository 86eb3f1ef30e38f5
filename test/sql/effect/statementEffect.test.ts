import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Danger } from '../../../src/sql/effect/dangers.ts';
import { isReadByFirstWord } from '../../../src/sql/effect/effectByFirstWord.ts';
import {
  effectOf,
  isRead,
  mayChangeSchema,
  mayWrite,
  type EffectKind,
  type SessionPart,
} from '../../../src/sql/effect/statementEffect.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { sqlMutants } from '../../support/sqlMutants.ts';
import { ddl, everyStatement, invalid, unmark, valid } from '../corpus.ts';
import { heldOutSyntax, heldOutValid } from '../heldOutCases.ts';

const oracle = await openSqliteOracle(ddl);
const everyValid = [...Object.values(valid).flat(), ...heldOutValid];

/** On the schema of the corpus SQLite sees that these statements change nothing. Their text does not show it. */
const hasNothingToDo = /^(?:create(?:\s+temp\w*)?\s+trigger\s+if\s+not|drop\s+trigger\s+if)\s+exists\b/i;

/** Returns how many statements SQLite could prepare. */
const checkReadOnly = (statements: Iterable<string>): number => {
  let compared = 0;
  for (const sql of statements) {
    const { kind, readOnly, tail } = oracle.prepare(sql);
    if (kind !== 'statement' || tail < sql.length || hasNothingToDo.test(sql)) continue;
    compared++;
    const effect = effectOf(sql);
    assert.ok(effect.certain, sql);
    assert.equal(effect.readOnly, readOnly, `${sql} is a ${effect.kind}`);
    if (effect.kind === 'read' && !effect.explains) assert.ok(readOnly, sql);
  }
  return compared;
};

test('readOnly agrees with sqlite3_stmt_readonly() on the corpus and on the held-out cases', () => {
  assert.ok(checkReadOnly([...everyStatement, ...everyValid]) > 180);
});

test('readOnly agrees with sqlite3_stmt_readonly() on statements with one token damaged', () => {
  assert.ok(everyValid.reduce((sum, sql) => sum + checkReadOnly(sqlMutants(sql)), 0) > 1000);
});

test('a text that is not a statement has an uncertain effect and counts as a write', () => {
  for (const marked of [...invalid.syntax, ...heldOutSyntax]) {
    const { certain, kind, readOnly } = effectOf(unmark(marked).sql);
    assert.deepEqual({ certain, kind, readOnly }, { certain: false, kind: 'write', readOnly: false }, marked);
  }
});

test('a read by its first word is a read by its tree', () => {
  for (const sql of everyValid) {
    if (isReadByFirstWord(sql)) assert.equal(effectOf(sql).kind, 'read', sql);
  }
});

const cases: readonly (readonly [sql: string, kind: EffectKind, dangers: readonly Danger[], tables: string])[] = [
  ['SELECT * FROM a, main."b c" JOIN (SELECT * FROM d)', 'read', [], 'read a, read main.b c, read d'],
  ['SELECT 1 FROM a WHERE x IN b AND y IN (SELECT z FROM A)', 'read', [], 'read a, read b'],
  ['SELECT * FROM json_each(1), pragma_table_info(2)', 'read', [], ''],
  ['SELECT * FROM pragma_optimize', 'write', [], 'read pragma_optimize'],
  ['SELECT 1 FROM a WHERE x IN (SELECT 1 FROM "Pragma_Optimize"(3))', 'write', [], 'read a'],
  ['SELECT 1 IN pragma_optimize', 'write', [], 'read pragma_optimize'],
  ['WITH x AS (SELECT * FROM a) DELETE FROM b', 'write', ['deletesEveryRow'], 'write b, read a'],
  ['WITH x AS (SELECT * FROM y), y AS (SELECT 1) SELECT * FROM x, main.x', 'read', [], 'read main.x'],
  ['/* c */ DELETE /* d */ FROM "a" WHERE 1 -- e', 'write', ['deletesEveryRow'], 'write a'],
  ['DELETE FROM a WHERE id = 1 RETURNING *', 'write', [], 'write a'],
  ['UPDATE a SET x = (SELECT y FROM b)', 'write', ['updatesEveryRow'], 'write a, read b'],
  ['UPDATE a SET x = 1 WHERE true', 'write', ['updatesEveryRow'], 'write a'],
  ["DELETE FROM a WHERE (1 = 1) AND 'x' IS 'x'", 'write', ['deletesEveryRow'], 'write a'],
  ['DELETE FROM a WHERE id = 1 OR 1 <> 2', 'write', ['deletesEveryRow'], 'write a'],
  ['UPDATE a SET x = 1 WHERE NOT 0', 'write', ['updatesEveryRow'], 'write a'],
  ['UPDATE a SET x = 1 WHERE id = "ID"', 'write', ['updatesEveryRow'], 'write a'],
  ['DELETE FROM a AS b WHERE b.id = B."id"', 'write', ['deletesEveryRow'], 'write a'],
  ['UPDATE a SET x = 1 WHERE 2 > 1 AND NOT NOT 1', 'write', ['updatesEveryRow'], 'write a'],
  ["DELETE FROM a WHERE NOT (1 = 0 OR id < id) AND '1'", 'write', ['deletesEveryRow'], 'write a'],
  ['DELETE FROM a WHERE 1 = 2', 'write', [], 'write a'],
  ['DELETE FROM a WHERE id = 1 AND 1 = 1', 'write', [], 'write a'],
  ['DELETE FROM a WHERE ? = ?', 'write', [], 'write a'],
  ["DELETE FROM a WHERE a <> b AND a = 'a'", 'write', [], 'write a'],
  ["DELETE FROM a WHERE NOT id OR 'a' < 'B' OR ~0 OR a.id = b.id OR (1, 2)", 'write', [], 'write a'],
  ['UPDATE a SET x = 1 FROM b WHERE a.id = b.id', 'write', [], 'write a, read b'],
  ['REPLACE INTO a SELECT * FROM b', 'write', [], 'write a, read b'],
  ['EXPLAIN QUERY PLAN DELETE FROM a', 'read', [], 'write a'],
  ['DROP TABLE IF EXISTS main.a', 'schema', ['drops'], 'schema main.a'],
  ['DROP TABLE temp.a', 'session', ['drops'], 'schema temp.a'],
  ['ALTER TABLE a DROP COLUMN b', 'schema', ['dropsColumn'], 'schema a'],
  ['ALTER TABLE a ADD COLUMN b', 'schema', [], 'schema a'],
  ['CREATE INDEX main.i ON a(b)', 'schema', [], 'schema main.a'],
  ['CREATE TABLE a AS SELECT * FROM b', 'schema', [], 'schema a, read b'],
  ['CREATE TEMP TABLE a(b)', 'session', [], 'schema a'],
  ['CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END', 'schema', [], 'schema a'],
  ['CREATE VIEW v AS SELECT * FROM a', 'schema', [], 'schema v'],
  ['BEGIN', 'session', [], ''],
  ['ROLLBACK TO x', 'session', [], ''],
  ["ATTACH 'x.db' AS x", 'session', ['opensFile'], ''],
  ["VACUUM INTO 'x'", 'write', ['writesFile'], ''],
  ['PRAGMA table_info(a)', 'read', [], ''],
  ['PRAGMA main.user_version', 'read', [], ''],
  ['PRAGMA user_version = 3', 'write', [], ''],
  ['pragma Foreign_Keys(1)', 'session', [], ''],
  ['PRAGMA wal_checkpoint', 'write', [], ''],
  ['PRAGMA nobody_knows', 'write', [], ''],
  ['PRAGMA writable_schema = 1', 'write', ['writesSchemaTable'], ''],
  ['DELETE FROM sqlite_master WHERE 0', 'write', ['writesSchemaTable'], 'write sqlite_master'],
  ['SELECT * FROM b; DELETE FROM a; DELETE FROM c', 'write', ['deletesEveryRow'], 'read b, write a, write c'],
  ['SELECT 1 FROM a; ;', 'read', [], 'read a'],
  ['DELETE FROM a WHERE', 'write', [], 'write a'],
  ['', 'write', [], ''],
];
for (const [sql, kind, dangers, tables] of cases) {
  test(`the effect of ${sql || 'an empty text'} is ${kind}`, () => {
    const effect = effectOf(sql);
    const named = effect.tables.map(
      ({ access, database, name }) => `${access} ${database === undefined ? '' : `${database}.`}${name}`,
    );
    assert.deepEqual([effect.kind, effect.dangers, named.join(', ')], [kind, dangers, tables]);
  });
}

test('a condition deeper than the call stack has an effect as well', () => {
  for (const sql of ['id = 1 OR '.repeat(100_000), '('.repeat(100_000), '- '.repeat(100_000)]) {
    const closing = sql.startsWith('(') ? ')'.repeat(100_000) : '';
    assert.deepEqual(effectOf(`DELETE FROM a WHERE ${sql}id = 2${closing}`).dangers, []);
  }
  assert.deepEqual(effectOf(`DELETE FROM a WHERE ${'id = 1 OR '.repeat(100_000)}1 = 1`).dangers, ['deletesEveryRow']);
});

const parts: readonly (readonly [sql: string, part: SessionPart | undefined])[] = [
  ['BEGIN IMMEDIATE', 'transaction'],
  ['COMMIT', 'transaction'],
  ['SAVEPOINT a', 'transaction'],
  ['RELEASE a', 'transaction'],
  ['ROLLBACK', 'rollback'],
  ['ROLLBACK TO a', 'rollback'],
  ['CREATE TEMP VIEW v AS SELECT 1', 'temporary'],
  ['DROP TABLE temp.a', 'temporary'],
  ["ATTACH 'a' AS a", 'attachment'],
  ['DETACH a', 'attachment'],
  ['PRAGMA foreign_keys = ON', 'setting'],
  ['PRAGMA foreign_keys', undefined],
  ['EXPLAIN BEGIN', undefined],
  ['DELETE FROM a', undefined],
];
for (const [sql, part] of parts) {
  test(`${sql} changes ${part ? `the ${part} of the connection` : 'nothing of the connection'}`, () =>
    assert.equal(effectOf(sql).session, part));
}

test('only a certain read may be sent twice', () => {
  assert.ok(isRead(effectOf('WITH x AS (SELECT 1) SELECT * FROM x')));
  assert.ok(isRead(effectOf('EXPLAIN DELETE FROM a')));
  for (const sql of ['DELETE FROM a', 'BEGIN', 'SELEC 1', 'SELECT 1; SELECT 2']) assert.ok(!isRead(effectOf(sql)), sql);
});

test('a session statement that changes no database is not a write', () => {
  assert.ok(!mayWrite(effectOf('BEGIN')));
  assert.ok(!mayWrite(effectOf('COMMIT')));
  for (const sql of ["ATTACH 'a' AS a", 'CREATE TEMP TABLE a(b)', 'SELEC 1']) assert.ok(mayWrite(effectOf(sql)), sql);
});

test('DDL, writes to sqlite_schema and uncertain statements may change the schema', () => {
  for (const sql of ['DROP TABLE a', 'UPDATE sqlite_schema SET sql = 1', 'CREATE TABLE', 'SELECT 1; DROP TABLE a']) {
    assert.ok(mayChangeSchema(effectOf(sql)), sql);
  }
  for (const sql of ['DELETE FROM a', 'EXPLAIN DROP TABLE a', 'CREATE TEMP TABLE a(b)']) {
    assert.ok(!mayChangeSchema(effectOf(sql)), sql);
  }
});
