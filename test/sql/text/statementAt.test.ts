import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementAt } from '../../../src/sql/text/statementAt.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';

const script = 'SELECT 1;  \n\n-- about two\nSELECT\n  2;\n\n';

const cursors: readonly (readonly [position: string, offset: number, statement: string])[] = [
  ['at its beginning', 0, 'SELECT 1;'],
  ['after its semicolon', 9, 'SELECT 1;'],
  ['later on its line', 11, 'SELECT 1;'],
  ['in the comment above it', script.indexOf('about'), 'SELECT\n  2;'],
  ['within it', script.indexOf('2;'), 'SELECT\n  2;'],
  ['below the last one', script.length, 'SELECT\n  2;'],
];

for (const [position, offset, statement] of cursors) {
  test(`the statement is found with the cursor ${position}`, () => {
    const range = statementAt(new StatementIndex(script), offset);
    assert.equal(range && script.slice(range.start, range.end), statement);
  });
}

test('there is no statement in a text of comments', () =>
  assert.equal(statementAt(new StatementIndex(' -- none'), 3), undefined));
