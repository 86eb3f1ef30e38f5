import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipboardCells } from '../../../src/model/editing/clipboardCells.ts';

for (const [name, text, cells] of [
  [
    'an empty cell is NULL, and one in quotes an empty text',
    'a\t""\t\r\nb\t\t""',
    [
      ['a', '', null],
      ['b', null, ''],
    ],
  ],
  ['a line end after the last row adds none', 'a\nb\n', [['a'], ['b']]],
  ['an empty last line of one column is NULL', 'a\n\n', [['a'], [null]]],
  ['quotes hold tabs, line ends and quotes together', '"a\tb\r\n""c"""\td', [['a\tb\r\n"c"', 'd']]],
  ['a quote within a cell stands for itself', 'a"b\t"c"d', [['a"b', '"c"d']]],
  ['a single cell is its whole text', '"007"', [['"007"']]],
  ['nothing has no cells', '', []],
] as const) {
  test(name, () => assert.deepEqual(clipboardCells(text), cells));
}
