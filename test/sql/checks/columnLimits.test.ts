import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnLimits } from '../../../src/sql/checks/columnLimits.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

const limitsOf = (check: string) =>
  Object.fromEntries(columnLimits(`CREATE TABLE t (a, "b c" TEXT, CHECK (${check}))`));

test('simple conditions limit the values of a column', () => {
  assert.deepEqual(limitsOf(`a IN (1, -2, 'it''s', NULL, 1.5)`), { a: { values: [1n, -2n, "it's", null, 1.5] } });
  assert.deepEqual(limitsOf('(a) = 5 OR a == 6 OR (a IS 7)'), { a: { values: [5n, 6n, 7n] } });
  assert.deepEqual(limitsOf('a BETWEEN -1 AND 0x10'), {
    a: { min: { value: -1, isOpen: false }, max: { value: 16, isOpen: false } },
  });
  assert.deepEqual(limitsOf('t.a > 1 AND 9 >= A AND a > 0'), {
    a: { min: { value: 1, isOpen: true }, max: { value: 9, isOpen: false } },
  });
  assert.deepEqual(limitsOf('a IS NULL OR a < 3'), { a: { max: { value: 3, isOpen: true } } });
  assert.deepEqual(limitsOf('length("b c") BETWEEN 2 AND 5 AND length([b c]) < 5'), {
    'b c': { minLength: 2, maxLength: 4 },
  });
  assert.deepEqual(limitsOf(`"b c" GLOB '[A-Z]*' AND "b c" LIKE 'x%'`), {
    'b c': {
      patterns: [
        { operator: 'glob', text: '[A-Z]*' },
        { operator: 'like', text: 'x%' },
      ],
    },
  });
});

test('the constants of other conditions are candidates, and what cannot be read limits nothing', () => {
  assert.deepEqual(limitsOf(`lower(a) = 'x' OR "b c" <> -3`), {
    a: { candidates: ['x', -3n] },
    'b c': { candidates: ['x', -3n] },
  });
  assert.deepEqual(limitsOf('a NOT IN (1)'), { a: { candidates: [1n] } });
  assert.deepEqual(limitsOf('a NOT BETWEEN 1 AND 2'), { a: { candidates: [1n, 2n] } });
  assert.deepEqual(Object.fromEntries(columnLimits('CREATE TABLE t (a CHECK (')), {});
  assert.deepEqual(Object.fromEntries(columnLimits('CREATE TABLE t AS SELECT 1')), {});
});

test('limits of a column and of the table meet', () => {
  const sql = 'CREATE TABLE t (a INT CHECK (a IN (1, 2, 3)) CHECK (a > 0), CHECK (a IN (2, 3, 4)))';
  assert.deepEqual(columnLimits(sql).get('a'), { values: [2n, 3n], min: { value: 0, isOpen: true } });
});

for (const [what, createTable] of [
  ['signs', `CREATE TABLE t (a CHECK (a > ${'+'.repeat(60_000)}1))`],
  ['columns', `CREATE TABLE t (${Array.from({ length: 40_000 }, (_, number) => `c${number}`).join(', ')})`],
] as const) {
  test(`a definition of very many ${what} is read in a moment`, () =>
    assertWithin(500, () => cpuMs(() => columnLimits(createTable))));
}
