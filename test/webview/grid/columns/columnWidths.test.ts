import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWidths, fittingWidth } from '../../../../webview/grid/columns/columnWidths.ts';

const widthOf = (shown: string): number => shown.length * 10;
const text = (value: string) => ({ kind: 'text', text: value }) as const;

test('first widths follow names and values, within limits', () => {
  const columns = ['id', 'a long column name', 'note'].map(name => ({ name, type: '' }));
  const widths = firstWidths(columns, [[text('1'), text(''), text('x'.repeat(5000))]], 8);
  assert.deepEqual(widths, [64, 18 * 8 + 34, 360]);
});

test('number columns have room for larger numbers than the first ones', () => {
  const columns = ['id', 'score'].map(name => ({ name, type: '' }));
  const rows = [[{ kind: 'integer', text: '1' } as const, { kind: 'real', text: '1234.56789' } as const]];
  assert.deepEqual(firstWidths(columns, rows, 8), [8 * 8 + 34, 10 * 8 + 34]);
});

test('a fitting width shows the longest text, up to a limit', () => {
  assert.equal(fittingWidth('name', ['a', 'abcdefgh'], widthOf), 80 + 34);
  assert.equal(fittingWidth('a name', [], widthOf), 66 + 34);
  assert.equal(fittingWidth('name', ['x'.repeat(5000)], widthOf), 1200);
});
