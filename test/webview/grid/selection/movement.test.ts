import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moveBy } from '../../../../webview/grid/selection/selection.ts';

const extent = { rows: 100, positions: 5, pageRows: 10 };
const plain = { ctrlKey: false, metaKey: false, altKey: false };
const far = { ...plain, ctrlKey: true };

const cases: readonly (readonly [key: string, keys: typeof plain, row: number, position: number])[] = [
  ['ArrowDown', plain, 51, 2],
  ['ArrowUp', plain, 49, 2],
  ['ArrowLeft', plain, 50, 1],
  ['ArrowRight', plain, 50, 3],
  ['PageDown', plain, 60, 2],
  ['PageUp', plain, 40, 2],
  ['Home', plain, 50, 0],
  ['End', plain, 50, 4],
  ['Home', far, 0, 0],
  ['End', far, 99, 4],
  ['ArrowDown', far, 99, 2],
  ['ArrowLeft', far, 50, 0],
];

for (const [key, keys, row, position] of cases) {
  test(`${keys.ctrlKey ? 'Ctrl+' : ''}${key} goes to row ${row}, position ${position}`, () => {
    assert.deepEqual(moveBy({ key, ...keys }, { row: 50, position: 2 }, extent), { row, position });
  });
}

test('no key leaves the grid', () => {
  assert.deepEqual(moveBy({ key: 'ArrowUp', ...plain }, { row: 0, position: 0 }, extent), { row: 0, position: 0 });
  assert.deepEqual(moveBy({ key: 'PageDown', ...plain }, { row: 95, position: 0 }, extent), { row: 99, position: 0 });
});

test('other keys, editor keys and keys in an empty grid move nothing', () => {
  for (const key of ['Tab', 'a', 'toString'])
    assert.equal(moveBy({ key, ...plain }, { row: 0, position: 0 }, extent), undefined);
  for (const key of ['PageUp', 'PageDown'])
    for (const held of [far, { ...plain, metaKey: true }])
      assert.equal(moveBy({ key, ...held }, { row: 50, position: 0 }, extent), undefined);
  const empty = { ...extent, rows: 0 };
  assert.equal(moveBy({ key: 'ArrowDown', ...plain }, { row: 0, position: 0 }, empty), undefined);
});
