import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Project } from '../../../src/client/index.ts';
import { type EditableTable, readEditableTable } from '../../../src/model/catalog/editableTable.ts';
import { namedKeyOf, readExactRows } from '../../../src/model/editing/exactRows.ts';
import type { PendingRow } from '../../../src/model/editing/pendingEdits.ts';
import { rowIdOfKey, rowIdTerm } from '../../../src/model/editing/rowIds.ts';
import { saveSteps } from '../../../src/model/editing/saveSteps.ts';
import type { EditValue, StoredValue } from '../../../src/protocol/editValues.ts';
import { isReal, type Row } from '../../../src/wire/values.ts';

const int = (value: number | bigint): StoredValue => ({ kind: 'integer', text: String(value) });
const text = (value: string): StoredValue => ({ kind: 'text', text: value });

class Database {
  readonly sqlite = new DatabaseSync(':memory:');

  constructor(script: string) {
    this.sqlite.exec(script);
  }

  readonly project: Pick<Project, 'query'> = {
    query: (sql, params, options) => {
      const decode = typeof options === 'function' ? options : options?.decode;
      assert.ok(decode);
      const statement = this.sqlite.prepare(sql);
      statement.setReadBigInts(true);
      const rows = statement.all(...(params as string[]));
      return Promise.resolve(rows.map(row => decode(plain(row))));
    },
  };

  async table(name: string): Promise<EditableTable> {
    const table = await readEditableTable(this.project, name);
    if (typeof table === 'string') throw new Error(table);
    return table;
  }

  /** Runs the statements of a save, and stops at the first that changes nothing. Gives the changed rows of each. */
  save(table: EditableTable, rows: readonly PendingRow[]): number[] {
    const changes: number[] = [];
    for (const { sql, json, returnsRows } of saveSteps(table, rows)) {
      const statement = this.sqlite.prepare(sql);
      statement.setReadBigInts(true);
      const params = json === '' ? [] : [json];
      const changed = returnsRows ? statement.all(...params).length : Number(statement.run(...params).changes);
      changes.push(changed);
      if (changed === 0) break;
    }
    return changes;
  }

  rows(sql: string): unknown[][] {
    const statement = this.sqlite.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  }
}

/** Small integers as the service sends them. */
const plain = (row: object): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value,
    ]),
  );

const update = (key: readonly StoredValue[], ...cells: (readonly [string, StoredValue, EditValue])[]): PendingRow => ({
  kind: 'update',
  id: rowIdOfKey(key),
  key,
  seenValues: [],
  cells: cells.map(([column, base, value]) => ({ column, base, value })),
});
const deletion = (key: readonly StoredValue[], ...values: (readonly [string, StoredValue])[]): PendingRow => ({
  kind: 'delete',
  id: rowIdOfKey(key),
  key,
  seenValues: values.map(([column, value]) => ({ column, value })),
  cells: [],
});
let insertCount = 0;
const insertion = (...values: (readonly [string, EditValue])[]): PendingRow => ({
  kind: 'insert',
  id: `new ${++insertCount}`,
  values: values.map(([column, value]) => ({ column, value })),
});

const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, age INT);
  INSERT INTO pets VALUES (1, 'Ida', 3), (2, 'Bo', 5), (3, 'Cy', NULL)`;

test('updates of different columns are one statement that leaves other cells alone', async () => {
  const database = new Database(pets);
  const table = await database.table('pets');
  const changes = database.save(table, [
    update([int(1)], ['name', text('Ida'), { kind: 'null' }]),
    update([int(3)], ['age', { kind: 'null' }, int(9)], ['name', text('Cy'), text('')]),
  ]);
  assert.deepEqual(changes, [2]);
  assert.deepEqual(database.rows('SELECT * FROM pets'), [
    [1, null, 3],
    [2, 'Bo', 5],
    [3, '', 9],
  ]);
});

test('one stale row keeps a statement from changing any row', async () => {
  const database = new Database(pets);
  const table = await database.table('pets');
  assert.deepEqual(
    database.save(table, [
      update([int(1)], ['name', text('Ida'), text('X')]),
      update([int(2)], ['age', int(6), int(7)]),
    ]),
    [0],
  );
  assert.deepEqual(database.save(table, [deletion([int(1)], ['name', text('Ida')]), deletion([int(9)])]), [0]);
  assert.deepEqual(database.rows('SELECT count(*), max(name) FROM pets'), [[3, 'Ida']]);
});

test('a value that only changed its storage class is stale', async () => {
  const database = new Database(`CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 1.0), (2, '1')`);
  const table = await database.table('t');
  assert.deepEqual(database.save(table, [update([int(1)], ['v', int(1), int(2)])]), [0]);
  assert.deepEqual(database.save(table, [update([int(2)], ['v', int(1), int(2)])]), [0]);
  assert.deepEqual(database.save(table, [update([int(1)], ['v', { kind: 'real', text: '1' }, int(2)])]), [1]);
});

test('every value is stored as it was given', async () => {
  const values: StoredValue[] = [
    { kind: 'null' },
    text(''),
    text('a\0b'),
    text('NULL'),
    text('007'),
    int(9223372036854775807n),
    int(-9223372036854775808n),
    { kind: 'real', text: '1e+400' },
    { kind: 'real', text: '-0' },
    { kind: 'real', text: '5' },
    { kind: 'real', text: '0.1' },
    { kind: 'blob', hex: '' },
    { kind: 'blob', hex: '00ff' },
  ];
  const database = new Database('CREATE TABLE t(id INTEGER PRIMARY KEY, v)');
  const table = await database.table('t');
  database.save(
    table,
    values.map(value => insertion(['v', value])),
  );
  const requestedRows = values.map((_value, index) => namedKeyOf(table, [int(index + 1)]));
  const read = await readExactRows(database.project, { table, requestedRows, columns: ['v'] });
  const expected = values.map(value =>
    value.kind === 'real' && value.text === '1e+400' ? { ...value, text: 'Infinity' } : value,
  );
  assert.deepEqual(
    read.map(row => row?.values[0]?.value),
    expected,
  );
  // They are found by their values, too.
  const rows = read.map(row => row!);
  const changes = database.save(
    table,
    rows.map(({ key, values: [value] }) => update(key, ['v', value!.value, text('changed')])),
  );
  assert.deepEqual(changes, [values.length]);
});

test('a row that takes the key of another one is saved after it, whatever their order', async () => {
  const database = new Database(pets);
  const table = await database.table('pets');
  const changes = database.save(table, [
    update([int(1)], ['id', int(1), int(2)]),
    update([int(2)], ['id', int(2), int(3)], ['name', text('Bo'), text('Bob')]),
    update([int(3)], ['id', int(3), int(4)]),
  ]);
  assert.deepEqual(changes, [1, 1, 1]);
  assert.deepEqual(database.rows('SELECT id, name FROM pets ORDER BY id'), [
    [2, 'Ida'],
    [3, 'Bob'],
    [4, 'Cy'],
  ]);
});

test('rows that swap their keys are one statement, which SQLite refuses; rows beside them are saved first', async () => {
  const database = new Database(pets);
  const table = await database.table('pets');
  const edits = [
    update([int(1)], ['id', int(1), int(2)]),
    update([int(2)], ['id', int(2), int(1)]),
    update([int(3)], ['id', int(3), int(4)]),
  ];
  assert.throws(() => database.save(table, edits), /UNIQUE constraint failed: pets\.id/);
  assert.deepEqual(database.rows('SELECT id, name FROM pets ORDER BY id'), [
    [1, 'Ida'],
    [2, 'Bo'],
    [4, 'Cy'],
  ]);
});

test('a key that a deletion or an update frees can be used by a new row', async () => {
  const database = new Database(pets);
  const table = await database.table('pets');
  const changes = database.save(table, [
    insertion(['id', int(1)], ['name', text('New')]),
    insertion(['id', int(2)], ['name', text('Newer')]),
    update([int(2)], ['id', int(2), int(20)]),
    deletion([int(1)]),
  ]);
  assert.deepEqual(changes, [1, 1, 2]);
  assert.deepEqual(database.rows('SELECT id, name FROM pets ORDER BY id'), [
    [1, 'New'],
    [2, 'Newer'],
    [3, 'Cy'],
    [20, 'Bo'],
  ]);
});

test('a row is deleted after the rows that refer to it refer to a new one', async () => {
  const database = new Database(`PRAGMA foreign_keys = ON;
    CREATE TABLE t(id INTEGER PRIMARY KEY, parent INT REFERENCES t(id));
    INSERT INTO t VALUES (1, NULL), (2, 1)`);
  const table = await database.table('t');
  const changes = database.save(table, [
    deletion([int(1)]),
    update([int(2)], ['parent', int(1), int(9)]),
    insertion(['id', int(9)]),
  ]);
  assert.deepEqual(changes, [1, 1, 1]);
  assert.deepEqual(database.rows('SELECT * FROM t ORDER BY id'), [
    [2, 9],
    [9, null],
  ]);
});

test('untouched columns of a new row get their defaults, and a row may have nothing else', async () => {
  const database = new Database(
    `CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL DEFAULT 'x', b INT DEFAULT (1 + 1))`,
  );
  const table = await database.table('t');
  assert.deepEqual(
    database.save(table, [
      insertion(),
      insertion(['b', { kind: 'null' }], ['a', { kind: 'default' }]),
      insertion(['a', text('')]),
    ]),
    [1, 1, 1],
  );
  assert.deepEqual(database.rows('SELECT a, b FROM t ORDER BY a, b'), [
    ['', 2],
    ['x', null],
    ['x', 2],
  ]);
});

test('texts that a collation holds for equal are not taken for each other', async () => {
  const database = new Database(
    `CREATE TABLE t(name TEXT COLLATE NOCASE NOT NULL, v INT); CREATE UNIQUE INDEX i ON t(name COLLATE BINARY);
     INSERT INTO t VALUES ('a', 1), ('A', 1)`,
  );
  const table = await database.table('t');
  assert.deepEqual(database.save(table, [update([text('A')], ['v', int(1), int(2)])]), [1]);
  assert.deepEqual(database.rows('SELECT * FROM t'), [
    ['a', 1],
    ['A', 2],
  ]);
});

test('each equal row without a key is found once', async () => {
  const database = new Database(`CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'x'), (1, 'x'), (2, NULL)`);
  const table = await database.table('t');
  assert.equal(table.identity.kind, 'rowId');
  const equal = [
    { column: 'a', value: int(1) },
    { column: 'b', value: text('x') },
  ];
  const missing = [equal[0]!, { column: 'b', value: text('y') }];
  const read = await readExactRows(database.project, {
    table,
    requestedRows: [equal, missing, equal, equal],
    columns: ['a'],
  });
  assert.deepEqual(
    read.map(row => row?.key[0]),
    [int(1), undefined, int(2), undefined],
  );
});

test('a read of equal rows without a key reads no more of them than it requests', async () => {
  const database = new Database(`CREATE TABLE t(a); INSERT INTO t VALUES (1), (1), (1), (1), (2)`);
  const table = await database.table('t');
  let readCount = 0;
  const project: Pick<Project, 'query'> = {
    query: async (sql, params, options) => {
      const rows = await database.project.query(sql, params, options);
      readCount += rows.length;
      return rows;
    },
  };
  const [row] = await readExactRows(project, {
    table,
    requestedRows: [[{ column: 'a', value: int(1) }]],
    columns: ['a'],
  });
  assert.deepEqual([row?.values[0]?.value, readCount], [int(1), 1]);
});

test('a table without any identity, a view and a virtual table cannot be edited', async () => {
  const database = new Database(`CREATE VIEW v AS SELECT 1; CREATE TABLE t(rowid, _rowid_, oid);
    CREATE VIRTUAL TABLE f USING fts5(x); CREATE TABLE n(a UNIQUE, b PRIMARY KEY)`);
  for (const [name, reason] of [
    ['v', 'view'],
    ['t', 'noIdentity'],
    ['f', 'virtualTable'],
    ['missing', 'unknownSchema'],
  ] as const) {
    assert.equal(await readEditableTable(database.project, name), reason, name);
  }
  assert.equal((await database.table('n')).identity.kind, 'rowId', 'NULL may stand in both keys');
});

for (const real of ['0.5', '5', '1e+300', '-1e+300', '-0', 'Infinity']) {
  test(`a row whose key is the REAL ${real} is found by its id`, async () => {
    const database = new Database('CREATE TABLE t (k PRIMARY KEY NOT NULL)');
    database.sqlite.prepare('INSERT INTO t VALUES (?), (-1)').run(Number(real));
    const id = rowIdOfKey([{ kind: 'real', text: real }]);
    const { sql, params } = rowIdTerm(await database.table('t'), id);
    const values = params.map(param => (isReal(param) ? param.real : Number(param)));
    assert.deepEqual(
      database.sqlite
        .prepare(`SELECT k FROM t WHERE ${sql}`)
        .all(...values)
        .map(({ k }) => k),
      [Number(real)],
    );
  });
}
