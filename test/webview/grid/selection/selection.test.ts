import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Selection } from '../../../../webview/grid/selection/selection.ts';

const shown = [10, 11, 12, 13];
const rows = 100;
const at = (row: number, position: number) => ({ row, position });
const make = (): Selection => new Selection(() => {});

const check = (name: string, act: (selection: Selection) => void, expected: readonly string[]): void => {
  test(name, () => {
    const selection = make();
    act(selection);
    const ranges = selection.ranges(rows, shown);
    assert.deepEqual(
      ranges.map(({ firstRow, endRow, columns }) => `${firstRow}-${endRow} ${columns.join()}`),
      expected,
    );
  });
};

check('to begin with, the first cell is selected', () => {}, ['0-1 10']);
check('a range reaches from where it started to anywhere', s => (s.start(at(5, 2)), s.extendTo(at(3, 0))), [
  '3-6 10,11,12',
]);
check('a range shrinks again', s => (s.start(at(5, 2)), s.extendTo(at(9, 3)), s.extendTo(at(5, 1))), ['5-6 11,12']);
check('rows are selected as a whole', s => (s.start(at(5, 2), 'rows'), s.extendTo(at(7, 0))), ['5-8 10,11,12,13']);
check('columns reach to the last row', s => (s.start(at(5, 1), 'columns'), s.extendTo(at(5, 2))), ['0-100 11,12']);
check('all is one range', s => s.growTo('all'), ['0-100 10,11,12,13']);
check('the row of a range', s => (s.start(at(5, 1)), s.extendTo(at(6, 2)), s.growTo('rows')), ['5-7 10,11,12,13']);
check('the column of a cell', s => (s.start(at(5, 1)), s.growTo('columns')), ['0-100 11']);
check('ranges beside each other come in reading order', s => (s.start(at(5, 1)), s.start(at(2, 3), 'cells', true)), [
  '2-3 13',
  '5-6 11',
]);
check('what another range covers comes once', s => (s.start(at(5, 1)), s.start(at(2, 1), 'columns', true)), [
  '0-100 11',
]);
check('the same cell twice comes once', s => (s.start(at(5, 1)), s.start(at(5, 1), 'cells', true)), ['5-6 11']);
check('rows that are gone are left out', s => (s.start(at(95, 0)), s.extendTo(at(200, 0))), ['95-100 10']);

test('cells in several ranges are counted once', () => {
  const selection = make();
  selection.start(at(0, 0));
  selection.extendTo(at(3, 2));
  selection.start(at(2, 1), 'cells', true);
  selection.extendTo(at(5, 3));
  selection.start(at(1, 0), 'rows', true);
  const seen = new Set<string>();
  let count = 0;
  for (const { firstRow, endRow, columns } of selection.disjointRanges(rows, shown)) {
    for (let row = firstRow; row < endRow; row++) {
      for (const column of columns) {
        seen.add(`${row} ${column}`);
        count++;
      }
    }
  }
  assert.equal(count, seen.size);
  const contained = Array.from({ length: rows * 4 }, (_, i) => selection.contains(Math.floor(i / 4), i % 4));
  assert.equal(count, contained.filter(Boolean).length);
});

test('a selected column includes rows that arrive later', () => {
  const selection = make();
  selection.start(at(0, 1), 'columns');
  assert.deepEqual([selection.reachesEnd, selection.hasOnlyWholeColumns], [true, true]);
  assert.equal(selection.ranges(10_000_000, shown)[0]?.endRow, 10_000_000);
  assert.equal(selection.contains(9_999_999, 1), true);
  assert.equal(selection.hasColumn(1), true);
  assert.equal(selection.hasColumn(0), false);
  selection.start(at(3, 2), 'cells', true);
  assert.equal(selection.hasOnlyWholeColumns, false);
});

test('the active cell moves into the grid when rows go', () => {
  const selection = make();
  selection.start(at(50, 3));
  selection.extendTo(at(60, 2));
  assert.deepEqual(selection.active, at(60, 2));
  selection.keepWithin(10, 2);
  assert.deepEqual(selection.active, at(9, 1));
  assert.equal(selection.isOneCell, true);
  selection.keepWithin(0, 0);
  assert.deepEqual(selection.active, at(0, 0));
});

test('a row counts as selected only with all of its columns', () => {
  const selection = make();
  selection.start(at(4, 0));
  selection.extendTo(at(4, 2));
  assert.equal(selection.hasWholeRow(4, 4), false);
  selection.extendTo(at(4, 3));
  assert.equal(selection.hasWholeRow(4, 4), true);
});

test('every range that is added stays selected', () => {
  const selection = make();
  for (let row = 0; row < 90; row++) selection.start(at(row, 0), 'cells', true);
  assert.equal(selection.ranges(rows, shown).length, 90);
  assert.equal(selection.contains(0, 0), true);
  assert.equal(selection.contains(89, 0), true);
});

test('crossing rows and columns give at most twice as many disjoint ranges', () => {
  const selection = make();
  const columns = Array.from({ length: 60 }, (_, i) => i);
  for (let i = 0; i < 25; i++) {
    selection.start(at(i * 3, 0), 'rows', true);
    selection.start(at(0, i * 2), 'columns', true);
  }
  const ranges = selection.disjointRanges(rows, columns);
  assert.ok(ranges.length <= 100, `${ranges.length} ranges`);
  const count = ranges.reduce((sum, range) => sum + (range.endRow - range.firstRow) * range.columns.length, 0);
  const contained = Array.from({ length: rows * 60 }, (_, i) => selection.contains(Math.floor(i / 60), i % 60));
  assert.equal(count, contained.filter(Boolean).length);
});
