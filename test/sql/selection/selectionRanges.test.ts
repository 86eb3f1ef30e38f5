import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { selectionRangesAt } from '../../../src/sql/selection/selectionRanges.ts';
import type { TextRange } from '../../../src/sql/text/textRange.ts';
import { everyStatement } from '../corpus.ts';

const rangesAt = (statement: string, offset: number): TextRange[] =>
  selectionRangesAt(statement, parseStatement(statement).ast, offset);

const cases: readonly (readonly [marked: string, expected: readonly string[]])[] = [
  [
    'SELECT a FROM t WHERE x = ab¦c + 1 AND y;',
    [
      'abc',
      'abc + 1',
      'x = abc + 1',
      'x = abc + 1 AND y',
      'WHERE x = abc + 1 AND y',
      'SELECT a FROM t WHERE x = abc + 1 AND y',
      '…',
    ],
  ],
  [
    "SELECT upper('b ¦c') FROM t",
    ['b c', "'b c'", "('b c')", "upper('b c')", "SELECT upper('b c')", "SELECT upper('b c') FROM t"],
  ],
  [
    'SELECT * FROM (SELECT ¦b FROM c) AS d',
    [
      'b',
      'SELECT b',
      'SELECT b FROM c',
      '(SELECT b FROM c)',
      '(SELECT b FROM c) AS d',
      'FROM (SELECT b FROM c) AS d',
      '…',
    ],
  ],
  [
    'SELECT 1 FROM t LEFT JOIN u ON t.i¦d = u.id',
    [
      'id',
      't.id',
      't.id = u.id',
      'ON t.id = u.id',
      'LEFT JOIN u ON t.id = u.id',
      't LEFT JOIN u ON t.id = u.id',
      'FROM t LEFT JOIN u ON t.id = u.id',
      '…',
    ],
  ],
  ['SELECT FROM ((a, ¦b', ['b', 'a, b', '(a, b', '((a, b', 'FROM ((a, b', 'SELECT FROM ((a, b']],
  ['INSERT INTO t VALUES (1, ¦2)', ['2', '1, 2', '(1, 2)', 'VALUES (1, 2)', '…']],
];

for (const [marked, expected] of cases) {
  test(`the selection grows from ${marked}`, () => {
    const statement = marked.replace('¦', '');
    const texts = rangesAt(statement, marked.indexOf('¦')).map(({ start, end }) => statement.slice(start, end));
    assert.deepEqual(
      texts,
      expected.map(text => (text === '…' ? statement : text)),
    );
  });
}

test('each range is larger than the one within it, and the last one is the statement', () => {
  for (const statement of everyStatement) {
    for (let offset = 0; offset <= statement.length; offset += 3) {
      const ranges = rangesAt(statement, offset);
      for (const [index, { start, end }] of ranges.entries()) {
        assert.ok(start <= offset && offset <= end, statement);
        const inner = ranges[index - 1];
        if (inner) assert.ok(start <= inner.start && inner.end <= end && end - start > inner.end - inner.start);
      }
      assert.deepEqual(ranges.at(-1), { start: 0, end: statement.length });
    }
  }
});

test('a deep nest of parentheses takes a moment only', () => {
  const statement = `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`;
  assert.ok(rangesAt(statement, statement.indexOf('1')).length > 50);
});
