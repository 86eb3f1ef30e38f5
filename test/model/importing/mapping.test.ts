import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogColumn } from '../../../src/model/catalog/catalog.ts';
import { mapColumns, missingColumns, proposedKey } from '../../../src/model/importing/mapping.ts';

const column = (name: string, more: Partial<CatalogColumn> = {}): CatalogColumn => ({
  name,
  type: 'TEXT',
  notNull: false,
  defaultValue: null,
  primaryKey: 0,
  ...more,
});

const id = column('id', { type: 'INTEGER', primaryKey: 1 });
const name = column('Full_Name', { notNull: true });
const state = column('state', { notNull: true, defaultValue: "'new'" });
const total = column('total', { generated: true });

test('columns are mapped by name, whatever its case and blanks, and a generated column takes no values', () => {
  assert.deepEqual(mapColumns(['full name', 'ID', 'total', 'other', 'id'], [id, name, state, total], true), [
    { source: 0, target: 'Full_Name', type: 'TEXT' },
    { source: 1, target: 'id', type: 'INTEGER' },
  ]);
  assert.deepEqual(mapColumns(['column1', 'column2'], [total, id, name, state], false), [
    { source: 0, target: 'id', type: 'INTEGER' },
    { source: 1, target: 'Full_Name', type: 'TEXT' },
  ]);
});

test('a key that numbers itself and a column with a default are never required', () => {
  assert.deepEqual(missingColumns([id, name, state, total], []), ['Full_Name']);
  assert.deepEqual(missingColumns([id, name, state], [{ source: 0, target: 'full_name' }]), []);
  const text = column('code', { notNull: true, primaryKey: 1 });
  assert.deepEqual(missingColumns([text], []), ['code']);
  const second = column('line', { type: 'INTEGER', notNull: true, primaryKey: 2 });
  assert.deepEqual(missingColumns([text, second], []), ['code', 'line']);
});

test('the key at first is the primary key in its order, if the file has all of it', () => {
  const first = column('b', { primaryKey: 2 });
  const second = column('a', { primaryKey: 1 });
  const mapped = [
    { source: 0, target: 'b' },
    { source: 1, target: 'a' },
  ];
  assert.deepEqual(proposedKey([first, second], mapped), ['a', 'b']);
  assert.deepEqual(proposedKey([first, second], mapped.slice(1)), []);
});
