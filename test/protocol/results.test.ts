import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellPart, decodeCellPart, decodeRowWindow, decodeViewEvent } from '../../src/protocol/results.ts';
import { resultView } from '../support/resultView.ts';

for (const name of ['rowCount', 'bytes'] as const) {
  test(`a view with a negative ${name} is refused`, () =>
    assert.equal(decodeViewEvent({ view: { ...resultView(), [name]: -1 } }), undefined));
}

const values = [
  { kind: 'null' },
  { kind: 'integer', text: '1' },
  { kind: 'real', text: 'Infinity' },
  { kind: 'boolean', value: false },
  { kind: 'text', text: '' },
  { kind: 'json', text: '{}' },
];
for (const value of values) {
  test(`${JSON.stringify(value)} is a cell's value`, () => assert.deepEqual(decodeCellPart(value), value));
}

const wrongValues = [
  null,
  1,
  'text',
  {},
  { kind: 'integer', text: 1 },
  { kind: 'boolean', text: 'true' },
  { kind: 'blob', text: '' },
  { kind: 'text', text: '', length: -1 },
];
for (const value of wrongValues) {
  test(`${JSON.stringify(value)} is refused as a value and with it its row window`, () => {
    assert.equal(decodeCellPart(value), undefined);
    assert.equal(decodeRowWindow({ orderVersion: 0, start: 0, rows: [[value]] }), undefined);
  });
}

test('the part of a long value has its beginning, its length and its last characters', () => {
  const base64 = Buffer.alloc(1000).toString('base64');
  const part = cellPart({ kind: 'text', text: base64 }, 100);
  assert.deepEqual(part, { kind: 'text', text: base64.slice(0, 100), length: 1336, end: '==' });
  assert.deepEqual(decodeCellPart(part), part);
  assert.equal(decodeCellPart({ ...part, end: 1 }), undefined);
  assert.deepEqual(cellPart({ kind: 'text', text: 'short' }, 5), { kind: 'text', text: 'short' });
  assert.deepEqual(cellPart({ kind: 'null' }, 0), { kind: 'null' });
});

test('the rows of a window are checked and not copied', () => {
  const wide = { orderVersion: 0, start: 0, rows: Array.from({ length: 100 }, () => structuredClone(values)) };
  assert.equal(decodeRowWindow(wide)?.rows, wide.rows);
});
