import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageOf } from '../../../src/base/errors.ts';
import { problemsOfRefusal } from '../../../src/model/editing/saveProblems.ts';
import { type EditedRow, TableEditing } from '../../../src/model/editing/tableEditing.ts';
import type { EditValue } from '../../../src/protocol/editValues.ts';
import type { Row } from '../../../src/wire/values.ts';
import { saveEditing } from '../../support/savedEditing.ts';
import { startTestService } from '../../support/testService.ts';

/** The cells that caused the refusal of a save. SQLite itself refuses it, and finds the rows that break the constraint. */

const service = await startTestService();
const project = service.client.project(service.projectId);
const { signal } = new AbortController();
const run = async (sql: string): Promise<readonly Row[]> => (await project.sql(sql)).rows;

const text = (value: string): EditValue => ({ kind: 'text', text: value });
const integer = (value: number): EditValue => ({ kind: 'integer', text: String(value) });

interface Edits {
  /** By the numbers of the rows, from 0. */
  readonly cells?: readonly (readonly [row: number, column: string, value: EditValue])[];
  readonly deleted?: readonly number[];
  readonly inserted?: readonly Readonly<Record<string, EditValue>>[];
}

/** Saves edits that are refused, and gives the cells with the kinds of their problems. */
async function refusedCells(script: readonly string[], edits: Edits): Promise<unknown[]> {
  for (const name of ['child', 'pets', 'owners']) await run(`DROP TABLE IF EXISTS ${name}`);
  for (const sql of script) await run(sql);
  const editing = new TableEditing(project, 'pets');
  await editing.schema();
  const rows = await run('SELECT * FROM pets ORDER BY 1');
  const rowAt = (index: number): EditedRow => ({ kind: 'table', row: rows[index]! });
  await editing.setCells((edits.cells ?? []).map(([row, column, value]) => ({ row: rowAt(row), column, value })));
  await editing.delete((edits.deleted ?? []).map(rowAt));
  for (const values of edits.inserted ?? []) {
    await editing.addRow(Object.entries(values).map(([column, value]) => ({ column, value })));
  }
  const outcome = await saveEditing(project, editing);
  assert.ok(outcome.kind === 'refused', outcome.kind);
  const problems = await problemsOfRefusal({
    project,
    table: editing.table!,
    step: outcome.step,
    rows: outcome.step.rowIds.map(id => editing.edits.get(id)!),
    message: messageOf(outcome.error),
    signal,
  });
  return problems.map(({ rowId, column, fault, isGuess }) => [
    rowId.startsWith('new') ? 'new' : rowId,
    column,
    isGuess ? `perhaps ${fault.kind}` : fault.kind,
  ]);
}

test('a CHECK names the edited cells of the rows that break it, and no others', async () => {
  const script = [
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, age INT CONSTRAINT sane CHECK (age BETWEEN 0 AND 40), name TEXT)`,
    `INSERT INTO pets VALUES (1, 3, 'a'), (2, 4, 'b'), (3, 5, 'c')`,
  ];
  const cells = [
    [0, 'age', integer(7)],
    [1, 'age', integer(400)],
    [2, 'name', text('x')],
    [2, 'age', integer(-1)],
  ] as const;
  assert.deepEqual(await refusedCells(script, { cells }), [
    ['[2]', 'age', 'check'],
    ['[3]', 'age', 'check'],
  ]);
});

test('a CHECK of a new row takes defaults into account', async () => {
  const script = [`CREATE TABLE pets(id INTEGER PRIMARY KEY, low INT DEFAULT 5, high INT, CHECK (low < high))`];
  const inserted = [{ high: integer(9) }, { high: integer(2) }];
  assert.deepEqual(await refusedCells(script, { inserted }), [['new', 'high', 'check']]);
});

test('a taken key is found in the table and among the edits, by its collation', async () => {
  const script = [
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, age INT)`,
    `INSERT INTO pets VALUES (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Cid', 3), (4, 'Dan', 4)`,
  ];
  assert.deepEqual(
    await refusedCells(script, {
      cells: [
        [0, 'name', text('x')],
        [1, 'name', text('CID')],
      ],
    }),
    [['[2]', 'name', 'unique']],
  );
  assert.deepEqual(
    await refusedCells(script, {
      cells: [
        [0, 'name', text('New')],
        [1, 'name', text('new')],
      ],
    }),
    [
      ['[1]', 'name', 'unique'],
      ['[2]', 'name', 'unique'],
    ],
  );
});

test('a key of several columns marks the edited ones', async () => {
  const script = [
    `CREATE TABLE pets(x INT, y INT, n TEXT, PRIMARY KEY (x, y)) WITHOUT ROWID`,
    `INSERT INTO pets VALUES (1, 1, 'a'), (1, 2, 'b')`,
  ];
  assert.deepEqual(await refusedCells(script, { cells: [[1, 'y', integer(1)]] }), [['[1,2]', 'y', 'unique']]);
});

test('a foreign key without its row is marked, also of several columns', async () => {
  const script = [
    `CREATE TABLE owners(a INT, b INT, PRIMARY KEY (a, b))`,
    `INSERT INTO owners VALUES (1, 1), (1, 2)`,
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, a INT, b INT, FOREIGN KEY (a, b) REFERENCES owners)`,
    `INSERT INTO pets VALUES (1, 1, 1), (2, 1, 2), (3, NULL, NULL)`,
  ];
  const cells = [
    [0, 'b', integer(2)],
    [1, 'b', integer(3)],
    [2, 'a', integer(9)],
  ] as const;
  assert.deepEqual(await refusedCells(script, { cells }), [['[2]', 'b', 'noParent']]);
});

test('a deleted row to which others refer is marked as a whole', async () => {
  const script = [
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT)`,
    `INSERT INTO pets VALUES (1, 'a'), (2, 'b')`,
    `CREATE TABLE child(id INTEGER PRIMARY KEY, pet INT REFERENCES pets)`,
    `INSERT INTO child VALUES (1, 2)`,
  ];
  assert.deepEqual(await refusedCells(script, { deleted: [0, 1] }), [['[2]', undefined, 'hasChildren']]);
});

test('NOT NULL and the types of a STRICT table mark the cell', async () => {
  const notNull = [`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT NOT NULL)`, `INSERT INTO pets VALUES (1, 'a')`];
  assert.deepEqual(await refusedCells(notNull, { cells: [[0, 'name', { kind: 'null' }]] }), [['[1]', 'name', 'value']]);
  const strict = [
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, age INTEGER) STRICT`,
    `INSERT INTO pets VALUES (1, 1), (2, 2)`,
  ];
  const cells = [
    [0, 'age', integer(9)],
    [1, 'age', text('old')],
  ] as const;
  assert.deepEqual(await refusedCells(strict, { cells }), [['[2]', 'age', 'wrongType']]);
});

test('a refusal of a trigger marks the row if it is the only one, and says perhaps otherwise', async () => {
  const script = [
    `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT)`,
    `INSERT INTO pets VALUES (1, 'a'), (2, 'b')`,
    `CREATE TRIGGER no BEFORE UPDATE ON pets BEGIN SELECT RAISE(ABORT, 'not on Mondays'); END`,
  ];
  assert.deepEqual(await refusedCells(script, { cells: [[0, 'name', text('x')]] }), [['[1]', undefined, 'message']]);
  const cells = [
    [0, 'name', text('x')],
    [1, 'name', text('y')],
  ] as const;
  assert.deepEqual(await refusedCells(script, { cells }), [
    ['[1]', undefined, 'perhaps message'],
    ['[2]', undefined, 'perhaps message'],
  ]);
});
