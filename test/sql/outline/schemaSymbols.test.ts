import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchingSymbols } from '../../../src/sql/outline/schemaSymbols.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';

const schema = Schema.of(`
  CREATE TABLE order_items (item_id INTEGER, price REAL);
  CREATE TABLE items (id INTEGER, name TEXT);
  CREATE VIEW item_names AS SELECT name FROM items;
`);

const cases: readonly (readonly [query: string, expected: readonly string[]])[] = [
  ['', ['order_items', 'items', 'item_names']],
  ['ITEM', ['items', 'item_names', 'order_items', 'order_items.item_id']],
  ['itn', ['item_names']],
  ['name', ['item_names', 'items.name', 'item_names.name']],
  ['xyz', []],
];

for (const [query, expected] of cases) {
  test(`the symbols for "${query}"`, () => {
    const labels = matchingSymbols(schema, query, 100).map(({ kind, name, table }) =>
      kind === 'column' ? `${table}.${name}` : name,
    );
    assert.deepEqual(labels, expected);
  });
}

test('a list of symbols has an end', () => assert.equal(matchingSymbols(schema, 'i', 2).length, 2));
