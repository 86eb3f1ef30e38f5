import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeholders } from '../../../src/sql/parameters/placeholders.ts';

const check = (sql: string, expected: readonly string[]): void => {
  const texts = placeholders(sql).map(
    ({ start, end, positional }) => `${sql.slice(start, end)}${positional ? '' : ' not positional'}`,
  );
  assert.deepEqual(texts, expected);
};

const cases: readonly (readonly [sql: string, expected: readonly string[]])[] = [
  ['SELECT ?, ? FROM t WHERE a=?', ['?', '?', '?']],
  [`SELECT '?', "?", [?], \`?\` -- ?\n/* ? */`, []],
  ['SELECT ?1, :name, @v, $x', ['?1 not positional', ':name not positional', '@v not positional', '$x not positional']],
  ['SELECT ??', ['?', '?']],
  ['SELECT a FROM t LIMIT ?', ['?']],
  ['explain CREATE VIRTUAL TABLE v USING m(?, :a)', []],
  ['SELECT $a::b(c;d)', ['$a::b(c;d) not positional']],
];

for (const [sql, expected] of cases) {
  test(`the placeholders of ${sql} are ${expected.join(', ') || 'none'}`, () => check(sql, expected));
}
