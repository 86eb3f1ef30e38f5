import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConstraintsOf, columnsIn } from '../../../src/sql/tables/checkConstraints.ts';
import { systemTables } from '../../../src/sql/tables/systemTables.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';

const sql = `CREATE TABLE t(
  a INT CHECK ( a > 0 ), -- CHECK (not this)
  "check" TEXT DEFAULT 'CHECK (nor this)',
  b, CONSTRAINT [both of them] CHECK(a < b AND (b <> ')')), CHECK ("check" IN ('x', 'y'))
)`;

test('CHECK constraints are found with the names that SQLite gives them in errors', () => {
  assert.deepEqual(checkConstraintsOf(sql), [
    { name: 'a > 0', expression: 'a > 0' },
    { name: 'both of them', expression: `a < b AND (b <> ')')` },
    { name: `"check" IN ('x', 'y')`, expression: `"check" IN ('x', 'y')` },
  ]);
});

test('the columns of an expression are those that it names, in any quotes and case', () => {
  assert.deepEqual(columnsIn('A < [b c] AND d.x', ['a', 'b c', 'c', 'x']), ['a', 'b c', 'x']);
});

test('a statement that breaks off has no constraint', () => {
  assert.deepEqual(checkConstraintsOf('CREATE TABLE t(a CHECK (a > 0'), []);
});

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
