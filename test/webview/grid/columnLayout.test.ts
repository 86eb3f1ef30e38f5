import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnLayout } from '../../../webview/grid/columnLayout.ts';

const columns = ['id', 'a long column name', 'note'].map(name => ({ name, type: '' }));
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const layout = new ColumnLayout(columns, [[text('1'), text(''), text('x'.repeat(5000))]], 8);

test('widths follow names and values, within bounds', () => {
  assert.deepEqual(
    [0, 1, 2].map(column => layout.widthOf(column)),
    [64, 18 * 8 + 26, 360],
  );
  assert.equal(layout.width, 64 + 170 + 360);
});

test('only columns in view are painted', () => {
  assert.deepEqual(layout.visible(0, 64), [0, 1]);
  assert.deepEqual(layout.visible(63, 65), [0, 2]);
  assert.deepEqual(layout.visible(64, 1000), [1, 3]);
});

test('no columns take no room', () => {
  const none = new ColumnLayout([], [], 8);
  assert.equal(none.width, 0);
  assert.deepEqual(none.visible(0, 100), [0, 0]);
});
