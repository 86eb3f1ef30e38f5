import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredValue } from '../../../src/protocol/editValues.ts';
import { int, real, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Two rows that swap the values of a key, which takes temporary values in between. */

const service = await startTestService();

interface SwappedKey {
  readonly title: string;
  /** The declaration of the column `k`. */
  readonly column: string;
  /** The values of both rows, as SQL. */
  readonly before: readonly [string, string];
  /** Their values afterwards. */
  readonly after: readonly [StoredValue, StoredValue];
}

const keys: readonly SwappedKey[] = [
  { title: 'REAL values', column: 'k REAL UNIQUE', before: ['1.5', '2.5'], after: [real(2.5), real(1.5)] },
  {
    title: 'REAL values that cannot be NULL',
    column: 'k REAL NOT NULL UNIQUE',
    before: ['1.5', '2.5'],
    after: [real(2.5), real(1.5)],
  },
  {
    title: 'REAL values without a type',
    column: 'k NOT NULL UNIQUE',
    before: ['1.5', '2.5'],
    after: [real(2.5), real(1.5)],
  },
  {
    title: 'numbers in a NUMERIC column',
    column: 'k NUMERIC NOT NULL UNIQUE',
    before: ['1.5', '2'],
    after: [int(2), real(1.5)],
  },
  {
    title: 'BLOBs',
    column: 'k BLOB NOT NULL UNIQUE CHECK (length(k) = 2)',
    before: [`x'0001'`, `x'0002'`],
    after: [
      { kind: 'blob', hex: '0002' },
      { kind: 'blob', hex: '0001' },
    ],
  },
  {
    title: 'texts that differ in case only',
    column: 'k TEXT COLLATE NOCASE NOT NULL UNIQUE',
    before: [`'a'`, `'b'`],
    after: [text('B'), text('A')],
  },
  {
    title: 'texts that differ in spaces at their ends only',
    column: 'k TEXT COLLATE RTRIM NOT NULL UNIQUE',
    before: [`'a'`, `'b'`],
    after: [text('b  '), text('a ')],
  },
  {
    title: 'texts of a checked length',
    column: 'k TEXT NOT NULL UNIQUE CHECK (length(k) = 3)',
    before: [`'abc'`, `'xyz'`],
    after: [text('xyz'), text('abc')],
  },
  {
    title: 'checked texts that can be NULL',
    column: `k TEXT UNIQUE CHECK (k IN ('one', 'two'))`,
    before: [`'one'`, `'two'`],
    after: [text('two'), text('one')],
  },
  {
    title: 'codes of a checked form',
    column: `k TEXT NOT NULL UNIQUE CHECK (k GLOB '[A-Z][A-Z]-[0-9][0-9]')`,
    before: [`'AB-12'`, `'XY-99'`],
    after: [text('XY-99'), text('AB-12')],
  },
  {
    title: 'positive integers',
    column: 'k INTEGER NOT NULL UNIQUE CHECK (k > 0)',
    before: ['1', '2'],
    after: [int(2), int(1)],
  },
  {
    title: 'small integers',
    column: 'k INTEGER NOT NULL UNIQUE CHECK (k BETWEEN 1 AND 60)',
    before: ['1', '2'],
    after: [int(2), int(1)],
  },
];

for (const { title, column, before, after } of keys) {
  test(`${title} are swapped exactly`, async () => {
    await using table = await SavedTable.open(service, 'swapped', [
      `CREATE TABLE swapped(id INTEGER PRIMARY KEY, ${column})`,
      `INSERT INTO swapped VALUES (1, ${before[0]}), (2, ${before[1]})`,
    ]);
    table.host.resolve = conflicts => assert.fail(`A conflict that nobody made: ${JSON.stringify(conflicts)}`);
    await table.set([0, 'k', after[0]], [1, 'k', after[1]]);
    await table.save();
    const stored = await table.values('SELECT typeof(k), hex(k) FROM swapped ORDER BY id');
    const [one, two] = after.map(value => (value.kind === 'blob' ? `x'${value.hex}'` : sqlOf(value)));
    const expected = await table.values(
      `SELECT typeof(${one}), hex(${one}) UNION ALL SELECT typeof(${two}), hex(${two})`,
    );
    assert.deepEqual(stored, expected);
    assert.ok(!table.document.isDirty);
  });
}

const sqlOf = (value: StoredValue): string => {
  if (value.kind === 'text') return `'${value.text}'`;
  return value.kind === 'integer' || value.kind === 'real' ? value.text : 'NULL';
};

test('keys of several columns are swapped, also when another cell of a row is edited afterwards', async () => {
  await using table = await SavedTable.open(service, 'seats', [
    'CREATE TABLE seats(id INTEGER PRIMARY KEY, line TEXT NOT NULL, seat TEXT NOT NULL, note INT, UNIQUE(line, seat))',
    `INSERT INTO seats VALUES (1, 'x', 'k', 1), (2, 'y', 'k', 2)`,
  ]);
  await table.set([0, 'line', text('y')], [1, 'line', text('x')]);
  await table.set([0, 'note', int(7)]);
  await table.save();
  assert.deepEqual(await table.values(), [
    [1, 'y', 'k', 7],
    [2, 'x', 'k', 2],
  ]);
});

test('a primary key of several columns is swapped in a table without row ids', async () => {
  await using table = await SavedTable.open(service, 'seats', [
    'CREATE TABLE seats(line TEXT COLLATE NOCASE, seat INT, note TEXT, PRIMARY KEY(line, seat)) WITHOUT ROWID',
    `INSERT INTO seats VALUES ('a', 1, 'first'), ('b', 2, 'second')`,
  ]);
  await table.set([0, 'line', text('B')], [0, 'seat', int(2)], [1, 'line', text('A')], [1, 'seat', int(1)]);
  await table.save();
  assert.deepEqual(await table.values(), [
    ['A', 1, 'second'],
    ['B', 2, 'first'],
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
