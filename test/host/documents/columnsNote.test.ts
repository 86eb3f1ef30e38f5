import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { columnsNote } = await import('../../../src/host/documents/columnsNote.ts');

const id = { name: 'id', type: 'INTEGER' };
const sum = { name: 'a +\n b', type: '' };
const wide = { name: 'w'.repeat(100), type: 'TEXT' };

for (const [columns, count, expected] of [
  [[id], 1, '1 column: id INTEGER'],
  [[id, sum], 2, '2 columns: id INTEGER, a + b'],
  [[id], 2000, '2000 columns: id INTEGER, …'],
  [Array.from({ length: 30 }, () => id), 30, `30 columns: ${'id INTEGER, '.repeat(20)}…`],
  [[wide], 1, `1 column: ${'w'.repeat(59)}…`],
] as const) {
  test(`${count} columns are noted as ${expected.slice(0, 40)}`, () =>
    assert.equal(columnsNote({ count, columns }), expected));
}
