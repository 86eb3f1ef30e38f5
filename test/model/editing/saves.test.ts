import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PendingRow } from '../../../src/model/editing/pendingEdits.ts';
import type { SaveOutcome } from '../../../src/model/editing/save.ts';
import { wireValueOf } from '../../../src/model/editing/wireValues.ts';
import { type CellTarget, type EditedRow, TableEditing } from '../../../src/model/editing/tableEditing.ts';
import type { EditValue, StoredValue } from '../../../src/protocol/editValues.ts';
import { exactNumbers, type Row } from '../../../src/wire/values.ts';
import { seeded, upTo } from '../../fuzz/random.ts';
import { seedsOf } from '../../support/seeds.ts';
import { saveEditing } from '../../support/savedEditing.ts';
import { startTestService } from '../../support/testService.ts';

/** Random edits of random tables, saved through a real service while another client writes the same rows. */

const service = await startTestService();
const project = service.client.project(service.projectId);
const run = async (sql: string): Promise<readonly Row[]> => (await project.sql(sql)).rows;

interface TestedTable {
  readonly name: string;
  readonly script: readonly string[];
  /** The columns of the key, and those that edits change. */
  readonly key: readonly string[];
  readonly edited: readonly string[];
  /** The columns that a new row gets, besides those that SQLite numbers. */
  readonly given: readonly string[];
}

const tables: readonly TestedTable[] = [
  {
    name: 'plain',
    script: ['CREATE TABLE plain(id INTEGER PRIMARY KEY, a TEXT, b)'],
    key: ['id'],
    edited: ['a', 'b'],
    given: ['a', 'b'],
  },
  {
    name: 'composite',
    script: ['CREATE TABLE composite(x TEXT COLLATE NOCASE, y INT, a, b TEXT, PRIMARY KEY(x, y)) WITHOUT ROWID'],
    key: ['x', 'y'],
    edited: ['a', 'b', 'y'],
    given: ['x', 'y', 'a', 'b'],
  },
  {
    name: 'computed',
    script: [
      'CREATE TABLE log(n)',
      'CREATE TABLE computed(id INTEGER PRIMARY KEY, a INT, b TEXT, c AS (a + 1), parent INT REFERENCES computed(id))',
      'CREATE TRIGGER computed_update AFTER UPDATE ON computed BEGIN INSERT INTO log VALUES (1); END',
    ],
    key: ['id'],
    edited: ['a', 'b'],
    given: ['a', 'b'],
  },
  {
    name: 'strict',
    script: ['CREATE TABLE strict(k TEXT NOT NULL UNIQUE, i INTEGER, r REAL, t TEXT, z BLOB) STRICT'],
    key: ['k'],
    edited: ['i', 'r', 't', 'z'],
    given: ['k', 'i', 'r', 't', 'z'],
  },
];

const textOf = (value: unknown): string => JSON.stringify(value, exactNumbers);

for (const [index, table] of tables.entries()) {
  for (const seed of seedsOf({ few: 3, all: 12 })) {
    test(`a save of random edits in '${table.name}' does all of each statement or nothing, seed ${seed}`, async () => {
      const numbers = seeded(seed * 100 + index);
      const random = (below: number): number => upTo(numbers, below);
      await setUp(table, random);
      const editing = new TableEditing(project, table.name);
      await editRandomly(editing, table, random);
      const isDisturbed = random(2) === 0;
      if (isDisturbed) await disturb(table, random);
      const before = await rowsOf(table);
      const pending = [...editing.edits.rows];
      const saved: string[] = [];
      const outcome = await save(editing, saved);
      const after = await rowsOf(table);
      const expected = afterSave(
        before,
        pending.filter(({ id }) => saved.includes(id)),
        table,
      );
      assert.deepEqual(summaryOf(after, table), summaryOf(expected, table), outcome.kind);
      if (outcome.kind === 'saved') assert.equal(saved.length, pending.length);
      if (!isDisturbed) assert.equal(outcome.kind, 'saved');
      if (outcome.kind === 'stale') {
        const conflicts = await editing.conflicts(outcome.step);
        assert.ok(conflicts.length > 0, 'the user is told what differs');
      }
    });
  }
}

async function setUp({ name, script, key }: TestedTable, random: (below: number) => number): Promise<void> {
  for (const dropped of ['computed', 'log', name]) await run(`DROP TABLE IF EXISTS ${dropped}`);
  for (const sql of script) await run(sql);
  const editing = new TableEditing(project, name);
  const table = await editing.schema();
  assert.ok(typeof table === 'object');
  for (let row = 1; row <= 8; row++) {
    const values = table.columns
      .filter(({ isGenerated, name: column }) => !isGenerated && column !== 'parent')
      .map(column => ({
        column: column.name,
        value: valueFor(column.name, key.includes(column.name) ? row : random(50), column.type),
      }));
    await editing.addRow(values);
  }
  assert.equal((await save(editing, [])).kind, 'saved');
}

/** A value for a column: of the type of a strict one, and of any kind elsewhere. */
function valueFor(column: string, number: number, type: string): StoredValue {
  if (column === 'k' || column === 'x') return { kind: 'text', text: `Key ${number}` };
  if (/INT/.test(type)) return { kind: 'integer', text: String(number === 7 ? 9007199254740993n : number) };
  if (type === 'REAL') return { kind: 'real', text: String(number + 0.1) };
  if (type === 'BLOB') return { kind: 'blob', hex: number.toString(16).padStart(4, '0') };
  const kinds: readonly StoredValue[] = [
    { kind: 'text', text: `text ${number}` },
    { kind: 'null' },
    { kind: 'text', text: '' },
    { kind: 'text', text: '007' },
    { kind: 'text', text: 'a\0b' },
  ];
  const anything: readonly StoredValue[] = [
    ...kinds,
    { kind: 'integer', text: String(number) },
    { kind: 'real', text: '1e+400' },
  ];
  const choices = type === '' ? anything : kinds;
  return choices[number % choices.length]!;
}

async function editRandomly(
  editing: TableEditing,
  table: TestedTable,
  random: (below: number) => number,
): Promise<void> {
  const schema = await editing.schema();
  assert.ok(typeof schema === 'object');
  const typeOf = (column: string): string => schema.columns.find(({ name }) => name === column)?.type ?? '';
  const rows = await rowsOf(table);
  const targets: CellTarget[] = [];
  for (const row of rows.slice(0, 5)) {
    for (const column of table.edited) {
      if (random(3) === 0) continue;
      const isKey = table.key.includes(column);
      const value: EditValue = isKey
        ? { kind: 'integer', text: String(1000 + rows.indexOf(row)) }
        : valueFor(column, random(50), typeOf(column));
      targets.push({ row: { kind: 'table', row }, column, value });
    }
  }
  await editing.setCells(targets);
  const deleted = rows.slice(5, 5 + random(3)).map((row): EditedRow => ({ kind: 'table', row }));
  await editing.delete(deleted);
  for (let added = random(4); added > 0; added--) {
    await editing.addRow(
      table.given.map(column => ({
        column,
        value: valueFor(column, table.key.includes(column) ? 5000 + added : random(50), typeOf(column)),
      })),
    );
  }
}

/** Another client writes rows that are edited. */
async function disturb(table: TestedTable, random: (below: number) => number): Promise<void> {
  const row = (await rowsOf(table))[random(8)];
  if (!row) return;
  const where = table.key.map(column => `${column} = ${sqlOf(row[column])}`).join(' AND ');
  const column = table.edited[0]!;
  const value = table.name === 'plain' ? `'theirs'` : '4711';
  await run(
    random(2) === 0
      ? `DELETE FROM ${table.name} WHERE ${where}`
      : `UPDATE ${table.name} SET ${column} = ${value} WHERE ${where}`,
  );
}

const sqlOf = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

const save = (editing: TableEditing, savedIds: string[]): Promise<SaveOutcome> =>
  saveEditing(project, editing, ({ storedIds }) => savedIds.push(...storedIds));

const rowsOf = ({ name, key }: TestedTable): Promise<readonly Row[]> =>
  run(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`);

/** The rows as they are after edits. */
function afterSave(rows: readonly Row[], saved: readonly PendingRow[], { key }: TestedTable): Row[] {
  const idOf = (row: Row): string => textOf(key.map(column => row[column]));
  const byId = new Map(rows.map(row => [idOf(row), row]));
  for (const edit of saved) {
    if (edit.kind === 'insert') {
      const values = edit.values.map(({ column, value }) => [column, wireValueOf(value as StoredValue)] as const);
      byId.set(edit.id, Object.fromEntries(values));
      continue;
    }
    const id = textOf(edit.key.map(wireValueOf));
    const row = byId.get(id);
    assert.ok(row, `${id} is saved although it is not there`);
    if (edit.kind === 'delete') byId.delete(id);
    else {
      const values = edit.cells.map(({ column, value }) => [column, wireValueOf(value as StoredValue)] as const);
      byId.set(id, { ...row, ...Object.fromEntries(values) });
    }
  }
  return [...byId.values()];
}

/** The given columns of rows, in an order of their own: SQLite numbers new rows, and computes other columns. */
const summaryOf = (rows: readonly Row[], { given }: TestedTable): string[] =>
  rows.map(row => textOf(given.map(column => row[column] ?? null))).toSorted();
