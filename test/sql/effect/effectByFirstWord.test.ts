import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesByFirstWord,
  countsChangesByFirstWord,
  isReadByFirstWord,
} from '../../../src/sql/effect/effectByFirstWord.ts';

const reads = [
  'SELECT 1',
  'SELECT 1; ; -- end',
  ';SELECT 1',
  ' -- first\n select 1',
  '/* a */ VALUES (1)',
  'explain DELETE FROM t',
];
const writes = [
  'DELETE FROM t',
  'WITH x AS (SELECT 1) DELETE FROM t',
  'PRAGMA user_version = 1',
  'SELECT 1; DELETE FROM t',
  'CREATE TABLE t (a)',
  '',
  '"select"',
  '?',
];

for (const sql of reads) {
  test(`${sql} is a read by its first word`, () => assert.ok(isReadByFirstWord(sql)));
}
for (const sql of writes) {
  test(`${sql || 'an empty text'} may write by its first word`, () => assert.ok(!isReadByFirstWord(sql)));
}

for (const sql of [
  'DELETE FROM t',
  ';; -- x\n insert into t VALUES (1)',
  'REINDEX',
  'SELECT 1; DELETE FROM t',
  'EXPLAIN CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END',
]) {
  test(`${sql} is a change by its first word, or may hide one`, () => assert.ok(changesByFirstWord(sql)));
}
for (const sql of [...reads, 'PRAGMA table_info(t)', 'WITH x AS (SELECT 1) DELETE FROM t', 'SELEC 1', 'VACUUM', '']) {
  test(`${sql || 'an empty text'} is not a change by its first word`, () => assert.ok(!changesByFirstWord(sql)));
}

test('SQLite counts the changes of statements that change rows', () => {
  assert.ok(countsChangesByFirstWord('-- x\nUPDATE t SET a = 1'));
  assert.ok(!countsChangesByFirstWord('DROP TABLE t'));
});
