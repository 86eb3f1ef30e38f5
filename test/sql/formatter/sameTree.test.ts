import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameTree } from '../../../src/sql/formatter/formatter.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';

const cases: readonly (readonly [left: string, right: string, expected: boolean])[] = [
  ['select  a from t', 'SELECT a\nFROM t', true],
  ['SELECT a FROM t', 'SELECT A FROM t', false],
  ['SELECT a, b', 'SELECT a', false],
  ['SELECT 1', "SELECT '1'", false],
  ["SELECT x'00'", "SELECT x'01'", false],
  ['SELECT -1', 'SELECT - 1', true],
  ['SELECT a AND b OR c', 'SELECT a AND (b OR c)', false],
  ['PRAGMA x = on', 'PRAGMA x = ON', true],
  ['CREATE TABLE t (a int generated always as (1))', 'CREATE TABLE t (a int GENERATED ALWAYS AS (1))', true],
  ['CREATE TABLE t (a int)', 'CREATE TABLE t (a INT)', false],
];

for (const [left, right, expected] of cases) {
  test(`${left} and ${right} ${expected ? 'mean the same' : 'differ'}`, () =>
    assert.equal(isSameTree(parseStatement(left).ast!, parseStatement(right).ast!), expected));
}

test('a sum of 10,000 terms is compared without exhausting the call stack', () => {
  const sum = `SELECT ${'1 + '.repeat(10_000)}1`;
  assert.ok(isSameTree(parseStatement(sum).ast!, parseStatement(sum.replaceAll(' ', '\n')).ast!));
});
