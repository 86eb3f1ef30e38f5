import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyStatement, countsChanges } from '../../../src/sql/effect/classifier.ts';

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

for (const sql of reads) test(`${sql} reads`, () => assert.equal(classifyStatement(sql), 'read'));
for (const sql of writes) test(`${sql || 'nothing'} may write`, () => assert.equal(classifyStatement(sql), 'write'));

test('changes are counted for statements that change rows', () => {
  assert.ok(countsChanges('-- x\nUPDATE t SET a = 1'));
  assert.ok(!countsChanges('DROP TABLE t'));
});
