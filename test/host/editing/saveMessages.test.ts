import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Project } from '../../../src/client/index.ts';
import { plainStatement } from '../../../src/model/editing/plainStatement.ts';
import type { EditCounts } from '../../../src/model/editing/pendingEdits.ts';
import { openEditedTable } from '../../support/editedTable.ts';
import type { TestDocument } from '../../support/tableDocument.ts';

/** The texts and questions of a save before it writes and when it stops. */

const table = await openEditedTable();
const { rename, add, names, execute } = table;
const { itemsOf, reviewText } = await import('../../../src/host/editing/reviewEdits.ts');
const { readOnlyText } = await import('../../../src/host/editing/editingView.ts');

async function deleteRow({ document }: TestDocument, id: number): Promise<void> {
  const [row] = await execute(`SELECT * FROM pets WHERE id = ${id}`);
  await document.edit('Delete', () => document.editing.delete([{ kind: 'table', row: row! }]));
}

test('the review shows each row on a line of its own, whatever its values hold', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'a"],["b');
  await rename(opened, 2, 'c\\');
  const review = await reviewText(opened.document);
  const lines = review.split('\n');
  const first = lines.findIndex(line => line.startsWith('-- [['));
  assert.match(lines[first]!, /^-- \[\[1,.*,"a\\"\],\[\\"b"\],$/);
  assert.match(lines[first + 1]!, /^-- \[2,.*,"c\\\\"\]\]$/);
  await opened.document.revert();
});

test('the list of edits has each value before and after, and its statements mean the same as the save', async () => {
  const fill = async (): Promise<void> => {
    await execute('DROP TABLE pets');
    await execute('CREATE TABLE pets(id INTEGER, code, name TEXT, age REAL, PRIMARY KEY (id, code)) WITHOUT ROWID');
    await execute(`INSERT INTO pets VALUES (1, 2.0, 'a', 1), (2, 'x', NULL, 2), (3, x'00', 'c', 3), (4, 'k', 'd', 4)`);
  };
  const stored = () => execute('SELECT id, quote(code), quote(name), quote(age) FROM pets ORDER BY id');
  await fill();
  const opened = await table.open();
  const { editing } = opened.document;
  const [first, , third] = await execute('SELECT * FROM pets ORDER BY id');
  const cell = { kind: 'table', row: first! } as const;
  await opened.document.edit('Edit', () =>
    editing.setCells([
      { row: cell, column: 'name', value: { kind: 'text', text: "it's\r\n$(x)" } },
      { row: cell, column: 'code', value: { kind: 'real', text: '3' } },
    ]),
  );
  await rename(opened, 2, 'b');
  await opened.document.edit('Delete', () => editing.delete([{ kind: 'table', row: third! }]));
  await opened.document.edit('Add', () =>
    editing.addRow([
      { column: 'id', value: { kind: 'integer', text: '9' } },
      { column: 'code', value: { kind: 'blob', hex: '00ff' } },
    ]),
  );
  const statements = [...editing.edits.rows].map(row => plainStatement(editing.table!, row));
  assert.deepEqual(
    itemsOf(opened.document).map(({ label, description = '' }) => [label, description]),
    [
      ['2 rows to update', ''],
      // A word joiner keeps VS Code from making an icon.
      ['1, 2 · name', "'a' → 'it's $\u2060(x)'"],
      ['1, 2 · code', '2 → 3'],
      ["2, 'x' · name", "NULL → 'b'"],
      ['1 row to delete', ''],
      ["3, x'00'", ''],
      ['1 row to add', ''],
      ['new row 1 · id', '9'],
      ['new row 1 · code', "x'00ff'"],
    ],
  );
  assert.equal(statements[1], `UPDATE pets SET name = 'b' WHERE id = 2 AND code = 'x'`);
  await opened.save();
  const saved = await stored();
  await fill();
  for (const sql of statements) await execute(sql);
  assert.deepEqual(await stored(), saved);
});

test('the list of many edits is short, and says how many are left out', async () => {
  const opened = await table.open();
  const { editing } = opened.document;
  const ids = Array.from({ length: 10_000 }, () => editing.newRowId());
  const value = { kind: 'text', text: 'x'.repeat(5000) } as const;
  const targets = ids.map(id => ({ row: { kind: 'new', id }, column: 'name', value }) as const);
  await opened.document.edit('Add', () => editing.addRows(ids, targets));
  const items = itemsOf(opened.document);
  assert.equal(items.length, 2002);
  assert.equal(items[0]?.label, '10,000 rows to add');
  assert.equal(items.at(-1)?.label, '… and 8000 more');
  assert.ok(items.every(({ label, description = '', detail = '' }) => (label + description + detail).length < 500));
  await opened.document.revert();
});

/** Writes down the statements that a save sends, with their values, as the review shows them. */
class RecordingProject {
  readonly sent: string[] = [];
  readonly project = {
    query: (...call: Parameters<Project['query']>) => table.project.query(...call),
    sql: (...[sql, params, options]: Parameters<Project['sql']>) => {
      const values = (params as readonly string[]).map(json => `-- The value of ?:\n-- ${json}\n`);
      this.sent.push(`${values.join('')}${sql};`);
      return table.project.sql(sql, params, options);
    },
  } as Pick<Project, 'query' | 'sql'>;
}

/** The statements of a review, with the rows of a value on one line. */
const shownSteps = (review: string): string[] =>
  review
    .split(/^-- \d+\. .*\n/m)
    .slice(1)
    .map(step => step.trim().replaceAll('],\n-- [', '],['));

test('the review shows exactly the statements and values that the save sends, in their order', async () => {
  const { project, sent } = new RecordingProject();
  const opened = await table.open({ project });
  await rename(opened, 1, "it's");
  await deleteRow(opened, 2);
  await add(opened, 'new\nline');
  const review = await reviewText(opened.document);
  assert.equal(sent.length, 0);
  await opened.save();
  assert.equal(sent.length, 3);
  assert.deepEqual(shownSteps(review), sent);
  for (const count of ['1 row to update', '1 row to delete', '1 row to add']) assert.ok(review.includes(count), count);
  assert.match(review, /The save sends several statements \(3\)/);
  assert.match(await reviewText(opened.document), /There is nothing to save/);
});

test('the review names the cells with problems and why, in front of the edits', async () => {
  await execute('DROP TABLE pets');
  await execute(`CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT UNIQUE, age INTEGER)`);
  await execute(`INSERT INTO pets(id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')`);
  const opened = await table.open();
  const items = (): string[] =>
    itemsOf(opened.document).map(({ label, description }) => [label, description].filter(Boolean).join(': '));
  await rename(opened, 2, 'c');
  await rename(opened, 1, 'other');
  await assert.rejects(opened.save());
  assert.deepEqual(items().slice(0, 3), [
    'Problems',
    "2 · name: Another row has the same value in 'name', which must be unique.",
    '2 rows to update',
  ]);
  await opened.document.revert();
  await add(opened, 'a');
  assert.deepEqual(items(), ['1 row to add', "new row 1 · name: 'a'"]);
  await assert.rejects(opened.save());
  assert.match(items()[1]!, /^new row 1 · name: Another row has the same value in 'name'/);
  await opened.document.revert();
  assert.deepEqual(items(), []);
});

test('a save stops at the first failure and says what was saved before it; the rest is pending', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'first');
  await deleteRow(opened, 2);
  await add(opened, 'taken');
  await execute('CREATE UNIQUE INDEX pets_name ON pets(name)');
  await execute(`INSERT INTO pets VALUES (9, 'taken', NULL)`);
  await assert.rejects(opened.save(), error => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /^1 row was not added: UNIQUE constraint failed: pets\.name\./);
    assert.match(error.message, /Saved before it: 1 row updated, 1 row deleted\.$/);
    return true;
  });
  assert.deepEqual(await names(), ['first', 'taken']);
  assert.deepEqual(opened.document.editing.edits.counts, { updated: 0, deleted: 0, inserted: 1 });
  await execute('DELETE FROM pets WHERE id = 9');
  await opened.save();
  assert.deepEqual(await names(), ['first', 'taken']);
});

test('a project that confirms writes asks before a save, and a save that is not confirmed writes nothing', async () => {
  const profile = { ...table.profile, protection: 'confirmWrites' } as const;
  const questions: EditCounts[] = [];
  let isConfirmed = false;
  table.host.savePrompts.confirmSave = (_profile, { table: { name }, editing }) => {
    assert.equal(name, 'pets');
    questions.push(editing.edits.counts);
    return Promise.resolve(isConfirmed);
  };
  const opened = await table.open({ profile });
  await rename(opened, 1, 'first');
  await assert.rejects(opened.save());
  assert.deepEqual(await names(), ['a', 'b']);
  assert.equal(opened.document.editing.edits.counts.updated, 1);
  isConfirmed = true;
  await opened.save();
  assert.deepEqual(await names(), ['first', 'b']);
  assert.deepEqual(questions, [
    { updated: 1, deleted: 0, inserted: 0 },
    { updated: 1, deleted: 0, inserted: 0 },
  ]);
});

test('the edits of a project that has become read-only are not saved, and stay', async () => {
  const profile = { ...table.profile, protection: 'readOnly' } as const;
  const opened = await table.open({ profile });
  await rename(opened, 1, 'first');
  await assert.rejects(opened.save(), /'Shop' is read-only\. Change its protection to save\./);
  assert.deepEqual(await names(), ['a', 'b']);
  assert.equal(opened.document.editing.edits.counts.updated, 1);
  assert.equal(readOnlyText(undefined, profile), "'Shop' is read-only.");
});

test('a table without a key says why its rows are read-only', async () => {
  await execute('DROP TABLE pets');
  await execute('CREATE TABLE pets(rowid, _rowid_, oid, name)');
  const { document } = await table.open();
  const reason = await document.editing.schema();
  assert.ok(typeof reason === 'string');
  const explained = readOnlyText(reason, table.profile);
  assert.equal(explained, 'The table has no key that distinguishes its rows, so they are read-only.');
});
