import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredValue } from '../../../src/protocol/editValues.ts';
import { sqlOf } from '../../support/randomSavedTables.ts';
import { int, real, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Two rows cannot swap the values of a key in one save. One of them gets a free value first, and the values are exact. */

const service = await startTestService();

interface SwappedKey {
  readonly title: string;
  /** The declaration of the column `k`. */
  readonly column: string;
  /** The values of both rows, as SQL. */
  readonly before: readonly [string, string];
  /** A value that no row has. */
  readonly free: StoredValue;
  readonly after: readonly [StoredValue, StoredValue];
}

const keys: readonly SwappedKey[] = [
  {
    title: 'REAL values',
    column: 'k REAL NOT NULL UNIQUE',
    before: ['1.5', '2.5'],
    free: real(7.5),
    after: [real(2.5), real(1.5)],
  },
  {
    title: 'numbers in a NUMERIC column',
    column: 'k NUMERIC NOT NULL UNIQUE',
    before: ['1.5', '2'],
    free: int(7),
    after: [int(2), real(1.5)],
  },
  {
    title: 'BLOBs',
    column: 'k BLOB NOT NULL UNIQUE CHECK (length(k) = 2)',
    before: [`x'0001'`, `x'0002'`],
    free: { kind: 'blob', hex: '0007' },
    after: [
      { kind: 'blob', hex: '0002' },
      { kind: 'blob', hex: '0001' },
    ],
  },
  {
    title: 'texts that differ in case only',
    column: 'k TEXT COLLATE NOCASE NOT NULL UNIQUE',
    before: [`'a'`, `'b'`],
    free: text('c'),
    after: [text('B'), text('A')],
  },
  {
    title: 'texts that differ in spaces at their ends only',
    column: 'k TEXT COLLATE RTRIM NOT NULL UNIQUE',
    before: [`'a'`, `'b'`],
    free: text('c'),
    after: [text('b  '), text('a ')],
  },
];

for (const { title, column, before, free, after } of keys) {
  test(`swapped ${title} are refused and marked, and saved exactly when one row has a free value first`, async () => {
    await using table = await SavedTable.open(service, 'swapped', [
      `CREATE TABLE swapped(id INTEGER PRIMARY KEY, ${column})`,
      `INSERT INTO swapped VALUES (1, ${before[0]}), (2, ${before[1]})`,
    ]);
    table.host.resolve = conflicts => assert.fail(`A conflict that nobody made: ${JSON.stringify(conflicts)}`);
    const present = await table.values();
    await table.set([0, 'k', after[0]], [1, 'k', after[1]]);
    assert.match(
      await table.failingSave(),
      /^2 rows were not updated: UNIQUE constraint failed: swapped\.k\. Nothing was saved\.$/,
    );
    assert.deepEqual(table.marks, [
      ['[1]', 'k', 'unique'],
      ['[2]', 'k', 'unique'],
    ]);
    assert.ok(table.document.problems.all.every(({ isGuess }) => !isGuess));
    assert.deepEqual(await table.values(), present);
    await table.set([0, 'k', free]);
    await table.save();
    await table.set([0, 'k', after[0]]);
    await table.save();
    const stored = await table.values('SELECT typeof(k), hex(k) FROM swapped ORDER BY id');
    const [one, two] = after.map(sqlOf);
    const expected = await table.values(
      `SELECT typeof(${one}), hex(${one}) UNION ALL SELECT typeof(${two}), hex(${two})`,
    );
    assert.deepEqual(stored, expected);
    assert.ok(!table.document.isDirty);
  });
}

test('keys of several columns are marked as a whole, and children follow the keys of their parents', async () => {
  await using table = await SavedTable.open(service, 'seats', [
    'CREATE TABLE seats(line TEXT, seat INT, note TEXT, PRIMARY KEY(line, seat)) WITHOUT ROWID',
    `CREATE TABLE guests(id INTEGER PRIMARY KEY, line TEXT, seat INT,
      FOREIGN KEY (line, seat) REFERENCES seats ON UPDATE CASCADE)`,
    `INSERT INTO seats VALUES ('a', 1, 'first'), ('b', 1, 'second')`,
    `INSERT INTO guests VALUES (10, 'a', 1), (20, 'b', 1)`,
  ]);
  await table.set([0, 'line', text('b')], [1, 'line', text('a')]);
  assert.match(await table.failingSave(), /UNIQUE constraint failed: seats\.line, seats\.seat/);
  assert.deepEqual(table.marks, [
    ['["a",1]', 'line', 'unique'],
    ['["b",1]', 'line', 'unique'],
  ]);
  // The row that takes the key comes after the row that leaves it.
  await table.set([1, 'line', text('c')]);
  await table.save();
  await table.set([1, 'line', text('a')]);
  await table.save();
  assert.deepEqual(await table.values(), [
    ['a', 1, 'second'],
    ['b', 1, 'first'],
  ]);
  assert.deepEqual(await table.values('SELECT * FROM guests ORDER BY id'), [
    [10, 'b', 1],
    [20, 'a', 1],
  ]);
});

test('a key that rows of another table refer to is refused, with the row that they refer to', async () => {
  await using table = await SavedTable.open(service, 'parents', [
    'CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT)',
    'CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents)',
    `INSERT INTO parents VALUES (1, 'Ann'), (2, 'Bob')`,
    'INSERT INTO children VALUES (10, 1), (20, 2)',
  ]);
  await table.set([0, 'id', int(2)], [1, 'id', int(3)]);
  assert.match(await table.failingSave(), /FOREIGN KEY constraint failed/);
  assert.deepEqual(table.marks, [['[2]', 'id', 'hasChildren']]);
  assert.deepEqual(await table.values('SELECT id, name FROM parents ORDER BY id'), [
    [1, 'Ann'],
    [2, 'Bob'],
  ]);
});

test('a deleted row is not taken for another one that its column compares as equal', async () => {
  await using table = await SavedTable.open(service, 'names', [
    'CREATE TABLE names(name TEXT COLLATE NOCASE NOT NULL, v INT, PRIMARY KEY(name COLLATE BINARY)) WITHOUT ROWID',
    `INSERT INTO names VALUES ('A', 1), ('a', 2)`,
  ]);
  const rows = await table.rows();
  await table.delete(rows.findIndex(({ name }) => name === 'a'));
  await table.save();
  assert.deepEqual(await table.values(), [['A', 1]]);
});
