import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeRowWindow, decodeTaggedValue, decodeViewEvent } from '../../src/protocol/results.ts';

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
  ...{ rowCount: 1, changed: undefined, elapsedMs: 1.5, problem: undefined },
};
const first = { start: 0, rows: [[{ kind: 'integer', text: '9007199254740993' }]] };

for (const event of [{ view: null }, { view }, { view, first }, { view: { ...view, changed: 3, problem: 'No.' } }]) {
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
  test(`${JSON.stringify(value)} is a tagged value`, () => assert.deepEqual(decodeTaggedValue(value), value));
}

const strangeValues = [
  null,
  1,
  'text',
  {},
  { kind: 'integer', text: 1 },
  { kind: 'boolean', text: 'true' },
  { kind: 'blob', text: '' },
];
for (const value of strangeValues) {
  test(`${JSON.stringify(value)} is no tagged value, and spoils its window`, () => {
    assert.equal(decodeTaggedValue(value), undefined);
    assert.equal(decodeRowWindow({ start: 0, rows: [[value]] }), undefined);
  });
}

test('a window of 100 rows and 500 columns decodes within a third of a frame', () => {
  const row = Array.from({ length: 500 }, (_, i) => values[i % values.length]);
  const wide = { start: 0, rows: Array.from({ length: 100 }, () => structuredClone(row)) };
  const times = Array.from({ length: 20 }, () => {
    const before = performance.now();
    assert.equal(decodeRowWindow(wide)?.rows.length, 100);
    return performance.now() - before;
  });
  const median = times.toSorted((a, b) => a - b)[10] ?? Infinity;
  assert.ok(median < 5, `${median} ms`);
});
