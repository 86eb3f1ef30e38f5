import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeholders } from '../../../src/sql/parameters/placeholders.ts';

const check = (sql: string, expected: readonly string[]): void => {
  const texts = placeholders(sql).map(
    ({ start, end, positional, number }) => `${number} ${sql.slice(start, end)}${positional ? '' : ' not positional'}`,
  );
  assert.deepEqual(texts, expected);
};

const cases: readonly (readonly [sql: string, expected: readonly string[]])[] = [
  ['SELECT ?, ? FROM t WHERE a=?', ['1 ?', '2 ?', '3 ?']],
  [`SELECT '?', "?", [?], \`?\` -- ?\n/* ? */`, []],
  [
    'SELECT ?1, :name, @v, $x',
    ['1 ?1 not positional', '2 :name not positional', '3 @v not positional', '4 $x not positional'],
  ],
  ['SELECT ??', ['1 ?', '2 ?']],
  ['SELECT ?2, ?, ?01, ?2', ['2 ?2 not positional', '3 ?', '1 ?01 not positional', '2 ?2 not positional']],
  [
    'SELECT :a, :A, :a, @a',
    [':a', ':A', ':a', '@a'].map((name, index) => `${[1, 2, 1, 3][index]} ${name} not positional`),
  ],
  ['SELECT a FROM t LIMIT ?', ['1 ?']],
  ['explain CREATE VIRTUAL TABLE v USING m(?, :a)', []],
  ['SELECT $a::b(c;d)', ['1 $a::b(c;d) not positional']],
];

for (const [sql, expected] of cases) {
  test(`the placeholders of ${sql} are ${expected.join(', ') || 'none'}`, () => check(sql, expected));
}
