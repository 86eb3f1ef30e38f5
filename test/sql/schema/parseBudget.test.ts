import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsWithinBudget } from '../../../src/sql/schema/schema.ts';

const tableOf = (name: string, columnCount: number): string =>
  `CREATE TABLE ${name}(${Array.from({ length: columnCount }, (_, index) => `column${index} TEXT NOT NULL`).join(', ')})`;

const tables = (count: number, columnCount: number): string[] =>
  Array.from({ length: count }, (_, index) => tableOf(`t${index}`, columnCount));

const small = 'CREATE TABLE small(a, b)';
const long = `CREATE TABLE long(a) -- ${'x'.repeat(70_000)}`;
const comment = `CREATE TABLE commented(a) -- ${'x'.repeat(60_000)}`;

function check(name: string, statements: readonly string[], expectedCount: number): void {
  test(`${name}: ${expectedCount} of ${statements.length} statements are parsed, and so is a small one after them`, () => {
    const parsed = statementsWithinBudget([...statements, small]);
    assert.equal(parsed.length - 1, expectedCount);
    assert.equal(parsed.at(-1), small);
  });
}

check('five thousand usual tables', tables(5000, 20), 5000);
check('the widest table that SQLite takes', [tableOf('wide', 2000)], 1);
check('many wide tables', tables(200, 2000), 25);
check('a table of 80,000 columns', [tableOf('huge', 80_000)], 0);
check('a list of more columns than SQLite takes', [`CREATE TABLE t(${'a,'.repeat(20_000)}a)`], 0);
check('a statement of more than 64 KB', [long], 0);
check(
  'thirty million characters',
  Array.from({ length: 500 }, () => comment),
  133,
);
