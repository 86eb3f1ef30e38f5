import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdictOn } from '../../src/model/protection.ts';
import { effectOf } from '../../src/sql/effect/statementEffect.ts';

const reads = [
  'SELECT * FROM t',
  'WITH x AS (SELECT 1) SELECT * FROM x',
  'VALUES (1)',
  'EXPLAIN QUERY PLAN DELETE FROM t',
  'PRAGMA table_info(t)',
  "SELECT 'DELETE FROM t' -- DROP TABLE t",
];
const writes = [
  'WITH x AS (SELECT 1) DELETE FROM t',
  'INSERT INTO t VALUES (1) RETURNING *',
  'CREATE TABLE t (a)',
  'DROP TABLE t',
  'PRAGMA user_version = 1',
  'CREATE TEMP TABLE t (a)',
  "ATTACH 'x' AS y",
  "VACUUM INTO 'copy'",
  'REINDEX',
  'SELECT 1; DELETE FROM t',
  'SELEC 1',
  '',
];

for (const sql of reads) {
  test(`a read runs at every level: ${sql}`, () => {
    for (const level of ['open', 'confirmWrites', 'readOnly'] as const) {
      assert.equal(verdictOn(level, effectOf(sql)), 'run');
    }
  });
}

for (const sql of writes) {
  test(`what writes, or may, is refused, asked for or run by the level: ${sql || 'an empty text'}`, () => {
    const verdicts = (['open', 'confirmWrites', 'readOnly'] as const).map(level => verdictOn(level, effectOf(sql)));
    assert.deepEqual(verdicts, ['run', 'ask', 'refuse']);
  });
}
