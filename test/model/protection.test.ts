import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protectionAction } from '../../src/model/protection.ts';
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
  test(`a read runs at every protection: ${sql}`, () => {
    for (const protection of ['open', 'confirmWrites', 'readOnly'] as const) {
      assert.equal(protectionAction(protection, effectOf(sql)), 'run');
    }
  });
}

for (const sql of writes) {
  test(`a statement that may write runs, is confirmed or refused, by the protection: ${sql || 'an empty text'}`, () => {
    const actions = (['open', 'confirmWrites', 'readOnly'] as const).map(protection =>
      protectionAction(protection, effectOf(sql)),
    );
    assert.deepEqual(actions, ['run', 'confirm', 'refuse']);
  });
}
