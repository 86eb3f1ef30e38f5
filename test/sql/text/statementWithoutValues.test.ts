import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultWithoutValues, statementWithoutValues } from '../../../src/sql/text/statementWithoutValues.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

test('a statement without values has its words and names, on one line', () => {
  const cases = [
    ['SELECT a, b\n  FROM t -- comment\n WHERE c = 1;', 'SELECT a, b FROM t WHERE c = ?'],
    [
      "/* c */ INSERT INTO t (a, b) VALUES ('x''y', -1.5e3), (X'00ff', NULL)",
      'INSERT INTO t (a, b) VALUES (?, -?), (?, NULL)',
    ],
    [
      'SELECT [a b], `c`, t."d", "e" FROM "my table" JOIN "x" WHERE "f" = ?1',
      'SELECT [a b], `c`, t."d", ? FROM "my table" JOIN "x" WHERE ? = ?1',
    ],
    ["SELECT 'not closed FROM t", 'SELECT ?'],
    ['UPDATE "t" SET a = :a, b = $b, c = @c', 'UPDATE "t" SET a = :a, b = $b, c = @c'],
    ['  ', ''],
  ] as const;
  for (const [sql, expected] of cases) assert.equal(statementWithoutValues(sql, 200), expected);
});

test('a long statement is cut, and not read to its end', async () => {
  const sql = `SELECT ${'a, '.repeat(5_000_000)}a FROM t`;
  await assertWithin(100, () => cpuMs(() => assert.equal(statementWithoutValues(sql, 20), 'SELECT a, a, a, a, …')));
});

test('a message keeps the words of the statement, and loses the values that it quotes', () => {
  const sql = 'SELECT nme FORM t WHERE a = "Ada"';
  const message = 'near "FORM": syntax error; no such column: "Ada"; bad path: \'$.x\' [v1]; near ")"';
  assert.equal(
    faultWithoutValues(message, sql),
    'near "FORM": syntax error; no such column: ?; bad path: ? ?; near ")"',
  );
});
