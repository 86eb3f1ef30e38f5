import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeholders } from '../../../src/sql/parameters/placeholders.ts';

const check = (sql: string, expected: readonly string[]): void => {
  const found = placeholders(sql).map(
    ({ start, end, positional }) => `${sql.slice(start, end)}${positional ? '' : ' odd'}`,
  );
  assert.deepEqual(found, expected);
};

const cases: readonly (readonly [sql: string, expected: readonly string[]])[] = [
  ['SELECT ?, ? FROM t WHERE a=?', ['?', '?', '?']],
  [`SELECT '?', "?", [?], \`?\` -- ?\n/* ? */`, []],
  ['SELECT ?1, :name, @v, $x', ['?1 odd', ':name odd', '@v odd', '$x odd']],
  ['SELECT ??', ['?', '?']],
  ['SELECT a FROM t LIMIT ?', ['?']],
  ['explain CREATE VIRTUAL TABLE v USING m(?, :a)', []],
  ['SELECT $a::b(c;d)', ['$a::b(c;d) odd']],
];

for (const [sql, expected] of cases) test(`finds the placeholders of ${sql}`, () => check(sql, expected));
