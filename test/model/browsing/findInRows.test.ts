import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findInRows } from '../../../src/model/browsing/findInRows.ts';
import type { FindStep } from '../../../src/protocol/rowQueries.ts';

const columns = ['id', 'name', 'city'].map(name => ({ name, type: '' }));
const loaded = [
  {
    firstRow: 0,
    rows: [
      { id: 1, name: 'Ann', city: 'Annecy' },
      { id: 2, name: null, city: 'Rome' },
    ],
  },
  { firstRow: 500, rows: [{ id: 501, name: 'Joanne', city: null }] },
];

function check(
  step: Partial<FindStep>,
  expected: readonly [count: number, index?: number, row?: number, column?: number],
): void {
  const defaults = { text: 'ann', row: 0, column: 0, columns: [0, 1, 2] };
  const found = findInRows(loaded, columns, {
    ...defaults,
    matchCase: false,
    backwards: false,
    including: false,
    ...step,
  });
  const { place } = found;
  assert.deepEqual([found.count, ...(place ? [place.index, place.row, place.column] : [])], expected);
}

test('find goes to the next loaded cell with the text, and wraps around', () => {
  check({}, [3, 0, 0, 1]);
  check({ row: 0, column: 1 }, [3, 1, 0, 2]);
  check({ row: 0, column: 1, including: true }, [3, 0, 0, 1]);
  check({ row: 0, column: 2 }, [3, 2, 500, 1]);
  check({ row: 500, column: 1 }, [3, 0, 0, 1]);
});

test('find goes backwards, and wraps around', () => {
  check({ backwards: true }, [3, 2, 500, 1]);
  check({ backwards: true, row: 500, column: 1 }, [3, 1, 0, 2]);
  check({ backwards: true, row: 500, column: 1, including: true }, [3, 2, 500, 1]);
});

test('find searches the given columns alone, in their order', () => {
  check({ columns: [2, 1], column: 2 }, [3, 1, 0, 1]);
  check({ columns: [2], column: 2, including: true }, [1, 0, 0, 2]);
});

test('find matches case on request, finds numbers by their text, and never finds NULL', () => {
  check({ matchCase: true, text: 'Ann' }, [2, 0, 0, 1]);
  check({ text: 'null' }, [0]);
  check({ text: '501' }, [1, 0, 500, 0]);
});
