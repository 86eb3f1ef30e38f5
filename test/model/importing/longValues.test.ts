import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxRowLength } from '../../../src/model/importing/sourceRow.ts';
import { ImportFolder, readRows, readRowsOf } from '../../support/importSource.ts';

/** Texts between quotes, of which a part of the file may end at any character. */
const longTexts: readonly (readonly [text: string, lines: number])[] = [
  ['x', 0],
  ['""', 0],
  ['x\r\ny', 1],
  [',"",\n', 1],
  ['é😀', 0],
];

for (const [text, lineEnds] of longTexts) {
  test(`a value of millions of characters is one bad row, and the next rows are read: ${JSON.stringify(text)}`, async () => {
    const folder = new ImportFolder();
    const count = Math.ceil(maxRowLength / text.length) + 50_000;
    const long = text.repeat(count);
    for (const [shift, row] of [`1,"${long}"`, `12,"${long}",x`, `123,"${long}","a\nb"`].entries()) {
      const path = await folder.write('a.csv', `a,b\n1,2\n${row}\n3,"4"\n5,6\n`);
      const { rows, faults, lines, places } = await readRowsOf(path);
      assert.deepEqual(rows, [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ]);
      assert.deepEqual(
        faults.map(([line, fault]) => [line, fault.kind]),
        [[3, 'tooLong']],
      );
      const after = 4 + count * lineEnds + (shift === 2 ? 1 : 0);
      assert.deepEqual(lines, [2, 3, after, after + 1]);
      assert.deepEqual((await readRowsOf(path, {}, places[1])).rows, rows.slice(1));
    }
  });
}

test('a long line without quotes, and one with text after a quote, reject one row each', async () => {
  const long = 'x'.repeat(maxRowLength);
  const { rows, faults, lines } = await readRows('a.csv', `a,b\n1,2\n${long},y\r\n3,4\n"5"${long},"\n5,6\n${long}x`);
  assert.deepEqual(rows, [
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ]);
  assert.deepEqual(
    faults.map(([line, fault]) => [line, fault.kind]),
    [
      [3, 'tooLong'],
      [5, 'tooLong'],
      [7, 'tooLong'],
    ],
  );
  assert.deepEqual(lines, [2, 3, 4, 5, 6, 7]);
});

test('a quote without an end that hides lines beyond the longest row ends the import, as nobody knows the next row', async () => {
  const long = 'x\n'.repeat(maxRowLength);
  for (const end of ['', '"y,z\n'])
    await assert.rejects(readRows('a.csv', `a,b\n1,"${long}${end}`), { code: 'open_quote', message: /line 2/ });
});
