import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ColumnLayout } from '../../../webview/grid/columnLayout.ts';

/** Five columns, each ten pixels wider than the previous one. */
const five = (): ColumnLayout => new ColumnLayout([60, 70, 80, 90, 100]);

test('columns are side by side, and only those in view are visible', () => {
  const layout = five();
  assert.equal(layout.width, 400);
  assert.deepEqual(layout.visible(0, 60), [0, 1]);
  assert.deepEqual(layout.visible(59, 61), [0, 2]);
  assert.deepEqual(layout.visible(60, 1000), [1, 5]);
  assert.deepEqual(layout.visible(400, 500), [5, 5]);
  assert.deepEqual(
    [0, 59, 60, 399, 1000, -5].map(pixel => layout.positionAtPixel(pixel)),
    [0, 0, 1, 4, 4, 0],
  );
});

test('a layout without columns has width 0', () => {
  const none = new ColumnLayout([]);
  assert.equal(none.width, 0);
  assert.deepEqual(none.visible(0, 100), [0, 0]);
});

for (const [column, position, expected] of [
  [0, 2, [1, 2, 0, 3, 4]],
  [4, 0, [4, 0, 1, 2, 3]],
  [1, 99, [0, 2, 3, 4, 1]],
  [3, -1, [3, 0, 1, 2, 4]],
  [2, 2, [0, 1, 2, 3, 4]],
] as const) {
  test(`moving column ${column} to position ${position} gives ${expected.join(', ')}`, () => {
    const layout = five();
    layout.move(column, position);
    assert.deepEqual(layout.shown, expected);
    assert.equal(layout.width, 400, 'each keeps its width');
    assert.equal(
      layout.positionOf(column),
      expected.findIndex(other => other === column),
    );
  });
}

test('a hidden column returns to its place among moved ones', () => {
  const layout = five();
  layout.hide(1);
  layout.move(0, 1);
  assert.deepEqual(layout.shown, [2, 0, 3, 4]);
  assert.equal(layout.positionOf(1), undefined);
  layout.showOnly(layout.order);
  assert.deepEqual(layout.shown, [1, 2, 0, 3, 4]);
});

test('at least one column stays shown', () => {
  const layout = five();
  for (const column of [0, 1, 2, 3, 4]) layout.hide(column);
  assert.deepEqual(layout.shown, [4]);
});

test('frozen columns leave room for the others', () => {
  const layout = five();
  layout.freeze(3);
  assert.equal(layout.frozenWithin(1000), 3);
  assert.equal(layout.frozenWithin(200), 2);
  assert.equal(layout.frozenWithin(50), 0);
});

test('a frozen column stays frozen when it is hidden and shown again', () => {
  const layout = five();
  layout.freeze(2);
  layout.hide(0);
  assert.equal(layout.frozen, 1);
  layout.showOnly(layout.order);
  assert.equal(layout.frozen, 2);
});

test('chosen columns are shown, and those between frozen ones are frozen', () => {
  const layout = five();
  layout.freeze(2);
  layout.showOnly([4, 1]);
  assert.deepEqual([layout.shown, layout.hidden, layout.frozen], [[1, 4], [0, 2, 3], 1]);
  layout.showOnly([0, 1, 3]);
  assert.deepEqual([layout.shown, layout.hidden, layout.frozen], [[0, 1, 3], [2, 4], 2]);
  layout.showOnly([]);
  assert.deepEqual(layout.shown, [0, 1, 3], 'some have to be there');
});

test('a remembered layout is restored for the same result', () => {
  const layout = five();
  layout.move(4, 0);
  layout.hide(2);
  layout.resize(1, 222);
  layout.freeze(2);
  const other = five();
  other.restore(layout.remembered());
  assert.deepEqual(other.remembered(), layout.remembered());
  assert.deepEqual(other.shown, [4, 0, 1, 3]);
});

for (const [name, remembered] of Object.entries({
  'more columns': { order: [0, 1, 2, 3, 4, 5], hidden: [], widths: [1, 2, 3, 4, 5, 6], frozen: 0, sized: [] },
  'a column twice': { order: [0, 0, 2, 3, 4], hidden: [], widths: [1, 2, 3, 4, 5], frozen: 0, sized: [] },
  'columns that are not there': { order: [0, 1, 2, 3, 9], hidden: [], widths: [1, 2, 3, 4, 5], frozen: 0, sized: [] },
  'nothing shown': { order: [0, 1, 2, 3, 4], hidden: [0, 1, 2, 3, 4], widths: [1, 2, 3, 4, 5], frozen: 0, sized: [] },
})) {
  test(`a remembered layout with ${name} is ignored`, () => {
    const layout = five();
    layout.restore(remembered);
    assert.deepEqual(layout.remembered(), five().remembered());
  });
}

test('the layout of a former result is kept by column name, and new columns come after the others', () => {
  const before = ['id', 'name', 'town', 'note', 'gone'];
  const previousLayout = five();
  previousLayout.move(3, 0);
  previousLayout.hide(2);
  previousLayout.freeze(2);
  previousLayout.resize(1, 222);
  const layout = new ColumnLayout([50, 51, 52, 53, 54]);
  layout.restoreByName(previousLayout.remembered(), before, ['new', 'town', 'name', 'id', 'note']);
  assert.deepEqual(layout.order, [4, 3, 2, 1, 0]);
  assert.deepEqual(layout.hidden, [1]);
  assert.equal(layout.frozen, 2);
  assert.equal(layout.widthAt(2), 222);
  assert.equal(layout.widthAt(3), 50, 'a new column has its own width');
});

test('hidden columns are counted at their places', () => {
  const layout = five();
  for (const column of [0, 2, 3]) layout.hide(column);
  assert.deepEqual(
    [0, 1, 2].map(position => layout.hiddenBefore(position)),
    [1, 2, 0],
  );
  layout.showOnly([0, 1]);
  assert.deepEqual(
    [0, 1, 2].map(position => layout.hiddenBefore(position)),
    [0, 0, 3],
  );
});
