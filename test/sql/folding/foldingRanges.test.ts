import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoldingRange, FoldingScan, limitedRanges } from '../../../src/sql/folding/foldingRanges.ts';
import { everyStatement } from '../corpus.ts';

function rangesOf(text: string): FoldingRange[] {
  const scan = new FoldingScan(text);
  while (scan.read(3));
  return limitedRanges(scan.ranges, 1000);
}

const cases: readonly (readonly [description: string, lines: readonly string[], expected: readonly string[]])[] = [
  ['statements', ['SELECT 1;', 'SELECT', '2', ';', '', 'SELECT', '3', ''], ['1-3', '5-6']],
  ['parentheses', ['SELECT', '  (', '    1', '  ),', '  (2', '  )'], ['0-5', '1-2']],
  ['common tables', ['WITH a AS (', '  SELECT', '    1', '), b AS (', '  SELECT 2', ') SELECT 1'], ['0-5', '3-4']],
  ['CASE', ['SELECT', '  CASE x', '    WHEN 1 THEN 2', '  END', 'FROM t'], ['0-4', '1-3']],
  ['CASE without END', ['SELECT (', ' CASE', ' 1', '), (', ' 2', ')'], ['0-5', '3-4']],
  [
    'the body of a trigger',
    [
      'CREATE TRIGGER r',
      'AFTER DELETE ON t BEGIN',
      '  SELECT CASE 1',
      '    WHEN 1 THEN 2 END;',
      '  SELECT 2;',
      'END;',
      '',
    ],
    ['0-5', '1-5', '2-3'],
  ],
  ['line comments one below the other', ['-- a', '-- b', 'SELECT 1; -- c', '-- d', '', '-- e'], ['0-1 comment']],
  ['block comments', ['SELECT /* a', ' b */ 1;', '/*', '*/'], ['0-1 comment', '2-3 comment']],
  [
    'regions',
    [
      '-- region all',
      '--#region one',
      'SELECT',
      ' 1;',
      '-- endregion',
      '-- a',
      '-- b',
      '-- #endregion',
      '-- endregion',
    ],
    ['0-7 region', '1-4 region', '2-3', '5-6 comment'],
  ],
  ['strings with lines', ["SELECT 'a", 'b', "', (", '1', ')'], ['0-4', '2-3']],
  ['an open quote', ["SELECT 'a", 'b', ''], ['0-2']],
];

for (const [description, lines, expected] of cases) {
  test(`folding finds ${description}`, () => {
    const ranges = rangesOf(lines.join('\n')).map(
      ({ startLine, endLine, kind }) => `${startLine}-${endLine}${kind === 'code' ? '' : ` ${kind}`}`,
    );
    assert.deepEqual(ranges, expected);
  });
}

test('the deepest ranges are left out beyond the limit', () => {
  const ranges = ['(\n('.repeat(5), '1', '\n)'.repeat(10), ';\n', 'SELECT\n1;'].join('');
  const scan = new FoldingScan(ranges);
  while (scan.read(100));
  assert.equal(limitedRanges(scan.ranges, 100).length, 6);
  const limited = limitedRanges(scan.ranges, 3);
  assert.ok(limited.length <= 3);
  assert.deepEqual(
    limited.map(({ depth }) => depth),
    [0, 2, 0],
  );
});

test('folding random text does not throw', () => {
  for (const statement of everyStatement) {
    for (let start = 0; start < statement.length; start += 5) rangesOf(statement.slice(start).replaceAll(' ', '\n'));
  }
});
