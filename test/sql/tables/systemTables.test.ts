import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemTables } from '../../../src/sql/tables/systemTables.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';

test("the tables of SQLite itself have SQLite's columns", async () => {
  const database = await openWasmDatabase();
  for (const { name, columns } of systemTables.values()) {
    const rows = database.selectObjects(`SELECT name FROM pragma_table_xinfo('${name}') WHERE hidden = 0`);
    assert.deepEqual(
      columns.map(column => column.name),
      rows.map(row => row['name']),
      name,
    );
  }
  database.close();
});
