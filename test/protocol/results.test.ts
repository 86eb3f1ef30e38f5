import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCellPart, decodeRowWindow, decodeViewEvent, partOf } from '../../src/protocol/results.ts';

const view = {
  ...{
    runId: 'a',
    project: 'Shop',
    protection: 'open',
    color: undefined,
    statement: 'SELECT 1',
    state: 'done',
    columns: [{ name: 'id', type: '' }],
  },
  ...{ shownRows: 1, order: 0, arrangement: { sort: [], filters: [] }, arranging: undefined, bytes: 20, firstRowMs: 1 },
  ...{ rowCount: 1, changed: undefined, elapsedMs: 1.5, problem: undefined },
  ...{
    finding: undefined,
    code: undefined,
    pausedBy: undefined,
    waitsMs: undefined,
    outcome: undefined,
    actions: undefined,
  },
};
const first = { order: 0, start: 0, rows: [[{ kind: 'integer', text: '9007199254740993' }]] };

for (const event of [
  { view: null },
  { view },
  { view, first },
  { view: { ...view, changed: 3, problem: 'No.' } },
  { view: { ...view, state: 'paused', pausedBy: 'disk', actions: ['proceed', 'stopHere'] } },
  { view: { ...view, arranging: 0.5, finding: 0.25 } },
  { view: { ...view, waitsMs: 20_000, outcome: 'unknown', code: 'connection_lost' } },
]) {
  test(`${JSON.stringify(event)} is a view event`, () => assert.deepEqual(decodeViewEvent(event), event));
}

test('what JSON leaves out of a view is undefined again', () => {
  assert.deepEqual(decodeViewEvent(JSON.parse(JSON.stringify({ view, first }))), { view, first });
});

const strangeEvents = [
  null,
  {},
  { view: {} },
  { view: { ...view, state: 'lost' } },
  { view: { ...view, rowCount: -1 } },
  { view: { ...view, changed: '3' } },
  { view: { ...view, columns: ['id'] } },
  { view: { ...view, elapsedMs: '1' } },
  { view, first: {} },
  { view, first: { start: 0, rows: [] } },
  { view: { ...view, bytes: -1 } },
];
for (const event of strangeEvents) {
  test(`${JSON.stringify(event)} is no view event`, () => assert.equal(decodeViewEvent(event), undefined));
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

const strangeValues = [
  null,
  1,
  'text',
  {},
  { kind: 'integer', text: 1 },
  { kind: 'boolean', text: 'true' },
  { kind: 'blob', text: '' },
  { kind: 'text', text: '', length: -1 },
];
for (const value of strangeValues) {
  test(`${JSON.stringify(value)} is no value, and spoils its window`, () => {
    assert.equal(decodeCellPart(value), undefined);
    assert.equal(decodeRowWindow({ start: 0, rows: [[value]] }), undefined);
  });
}

test('of a long value a page gets as much as it asks for, how long it is and how it ends', () => {
  const base64 = Buffer.alloc(1000).toString('base64');
  const part = partOf({ kind: 'text', text: base64 }, 100);
  assert.deepEqual(part, { kind: 'text', text: base64.slice(0, 100), length: 1336, end: '==' });
  assert.deepEqual(decodeCellPart(part), part);
  assert.equal(decodeCellPart({ ...part, end: 1 }), undefined);
  assert.deepEqual(partOf({ kind: 'text', text: 'short' }, 5), { kind: 'text', text: 'short' });
  assert.deepEqual(partOf({ kind: 'null' }, 0), { kind: 'null' });
});

test('the values of a window are checked and not copied, since a wide one has fifty thousand of them', () => {
  const wide = { order: 0, start: 0, rows: Array.from({ length: 100 }, () => structuredClone(values)) };
  const decoded = decodeRowWindow(wide);
  assert.ok(decoded?.rows.every((row, i) => row.every((value, j) => value === wide.rows[i]?.[j])));
});
