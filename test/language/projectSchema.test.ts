import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectSchema } from '../../src/language/projectSchema.ts';

/** Checks which tables a schema has. */
function check(claim: string, statements: readonly string[], expected: readonly string[]): void {
  test(claim, () => {
    const { schema } = new ProjectSchema({ id: 'project', name: 'Project' }, { statements, rowCounts: [] });
    const names = Array.from(schema.tables, ({ name }) => name);
    assert.deepEqual(names, expected);
  });
}

const columns = Array.from({ length: 80_000 }, (_, index) => `c${index}`).join();

check('each statement creates its table', ['CREATE TABLE a(x)', 'CREATE TABLE b(x)'], ['a', 'b']);
check('an open comment does not hide the next table', ['CREATE TABLE a(x) /* ', 'CREATE TABLE b(x)'], ['a', 'b']);
check('an open quote does not hide the next table', ['CREATE TABLE a(x DEFAULT "', 'CREATE TABLE b(x)'], ['a', 'b']);
check(
  'a table that is too wide does not hide the next one',
  [`CREATE TABLE a(${columns})`, 'CREATE TABLE b(x)'],
  ['b'],
);
check(
  'a statement that creates nothing is ignored',
  ['CREATE TABLE a(x)', 'DROP TABLE a', 'CREATE TABLE b(x)'],
  ['a', 'b'],
);
check(
  'only the first statement of a text counts',
  ['CREATE TABLE a(x); CREATE TABLE b(x)', 'CREATE TABLE c(x)'],
  ['a', 'c'],
);
