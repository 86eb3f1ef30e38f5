import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

/** Rows that only their row id identifies. Another row may get the row id of an edited one. */

const service = await startTestService();
stubVscode();
const { reviewText } = await import('../../../src/host/editing/reviewEdits.ts');

const long = 'ä'.repeat(12_000);
const notes = (lastBody: string): string[] => [
  'CREATE TABLE notes(id TEXT PRIMARY KEY, title TEXT, body)',
  `INSERT INTO notes VALUES ('a', 'draft', 'one'), ('b', 'draft', ${lastBody})`,
];
const open = (lastBody = `'two'`): Promise<SavedTable> => SavedTable.open(service, 'notes', notes(lastBody));

/** Another client deletes the last row. Its new row gets the same row id. */
async function replaceLast({ run }: SavedTable, body = `'new'`): Promise<void> {
  await run(`DELETE FROM notes WHERE id = 'b'`);
  await run(`INSERT INTO notes VALUES ('c', 'draft', ${body})`);
  assert.deepEqual(await run(`SELECT rowid AS number FROM notes WHERE id = 'c'`), [{ number: 2 }]);
}

const titles = (table: SavedTable): Promise<unknown[][]> => table.values('SELECT id, title FROM notes ORDER BY id');
const columnsOf = ({ marks }: SavedTable): unknown[] => marks.map(([, column, kind]) => [column, kind]);

for (const work of ['edit', 'delete'] as const) {
  test(`a row that has got the row id of another one is not changed by the ${work} of that`, async () => {
    await using table = await open();
    if (work === 'edit') await table.set([1, 'title', text('mine')]);
    else await table.delete(1);
    await replaceLast(table);
    assert.match(await table.failingSave(), /1 row has changed in the table/);
    assert.deepEqual(columnsOf(table), [
      ['id', 'conflict'],
      ['body', 'conflict'],
    ]);
    table.host.resolve = async () => new Set();
    await table.save();
    assert.deepEqual(await titles(table), [
      ['a', 'draft'],
      ['c', 'draft'],
    ]);
    assert.ok(!table.document.isDirty);
  });
}

test('no row is changed after the rows have got other row ids', async () => {
  await using table = await open();
  await table.set([0, 'title', text('A')], [1, 'title', text('B')]);
  // As VACUUM does it.
  await table.run(`DELETE FROM notes WHERE id = 'a'`);
  await table.run('UPDATE notes SET rowid = 1');
  await table.run(`INSERT INTO notes VALUES ('c', 'draft', 'new')`);
  assert.match(await table.failingSave(), /2 rows have changed in the table/);
  assert.deepEqual(await titles(table), [
    ['b', 'draft'],
    ['c', 'draft'],
  ]);
});

test('the question about an unedited cell shows its values, and an edit that the user keeps is saved', async () => {
  await using table = await open();
  await table.set([1, 'title', text('mine')]);
  await table.run(`UPDATE notes SET body = 'theirs' WHERE id = 'b'`);
  const { conflictTexts } = await import('../../../src/host/editing/editText.ts');
  const shown: unknown[] = [];
  table.host.resolve = async conflicts => {
    shown.push(...conflicts.map(conflict => conflict.kind === 'cell' && conflictTexts(conflict)));
    return new Set(conflicts);
  };
  await table.save();
  assert.deepEqual(shown, [{ before: `'two'`, now: `'theirs'`, yours: 'other cells edited' }]);
  assert.deepEqual(await table.values(), [
    ['a', 'draft', 'one'],
    ['b', 'mine', 'theirs'],
  ]);
});

test('a conflict of two cells is asked once, whatever the user answers', async () => {
  await using table = await open();
  await table.set([1, 'title', text('mine')], [1, 'body', text('mine')]);
  await table.run(`UPDATE notes SET title = 'theirs', body = 'theirs' WHERE id = 'b'`);
  let questionCount = 0;
  table.host.resolve = async conflicts => {
    questionCount++;
    return new Set(conflicts.slice(0, 1));
  };
  await table.save();
  assert.equal(questionCount, 1);
  assert.deepEqual((await table.values())[1], ['b', 'mine', 'theirs']);
});

test('a long value is compared by its type, length and start, and the review says so', async () => {
  await using table = await open(`'${long}'`);
  await table.set([1, 'title', text('mine')]);
  assert.match(await reviewText(table.document), /type, length and start\./);
  await table.run(`UPDATE notes SET body = 'x' || substr(body, 2) || 'x' WHERE id = 'b'`);
  assert.match(await table.failingSave(), /1 row has changed in the table/);
  assert.deepEqual(columnsOf(table), [['body', 'conflict']]);
  await table.run(`UPDATE notes SET body = '${long}' WHERE id = 'b'`);
  await table.save();
  assert.deepEqual((await titles(table))[1], ['b', 'mine']);
});

test('a row with a long value is edited beside a row whose long value is edited', async () => {
  await using table = await open(`'${long}'`);
  await table.run(`UPDATE notes SET body = '${long}${long}' WHERE id = 'a'`);
  await table.set([0, 'title', text('A')], [1, 'body', text(`${long}!`)]);
  await table.save();
  assert.deepEqual(await table.values('SELECT title, length(body) FROM notes ORDER BY id'), [
    ['A', 24_000],
    ['draft', 12_001],
  ]);
});

const values = [
  'NULL',
  '9007199254740993',
  '-9223372036854775808',
  '0.1',
  '5.0',
  '-0.0',
  '9e999',
  '-9e999',
  `''`,
  `'a' || char(0) || 'b'`,
  `'007'`,
  `x''`,
  `x'00ff'`,
  `'${long}' || char(0)`,
  `char(65533)`,
  `zeroblob(20000)`,
];
for (const type of ['', ' INTEGER', ' REAL', ' TEXT', ' BLOB', ' NUMERIC']) {
  test(`an edited row is saved beside every value that a column${type} may have`, async () => {
    await using table = await SavedTable.open(service, 'things', [
      `CREATE TABLE things(name TEXT, number INTEGER, value${type}, size AS (length(value)))`,
      ...values.map((value, index) => `INSERT INTO things VALUES ('old', ${index}, ${value})`),
    ]);
    for (const number of values.keys()) {
      const [row] = await table.run(`SELECT * FROM things WHERE number = ${number}`);
      await table.document.edit('Edit', () =>
        table.document.editing.setCells([{ row: { kind: 'table', row: row! }, column: 'name', value: text('new') }]),
      );
      await table.save();
    }
    assert.deepEqual(await table.values(`SELECT count(*) FROM things WHERE name = 'new'`), [[values.length]]);
  });
}

test('an edit that was saved is undone, but not in another row', async () => {
  await using table = await open();
  await table.set([1, 'title', text('mine')]);
  await table.save();
  await table.opened.edits[0]!.undo();
  await table.save();
  assert.deepEqual((await titles(table))[1], ['b', 'draft']);
  await table.opened.edits[0]!.redo();
  await table.run(`DELETE FROM notes WHERE id = 'b'`);
  await table.run(`INSERT INTO notes VALUES ('c', 'draft', 'new')`);
  assert.match(await table.failingSave(), /1 row has changed in the table/);
  assert.deepEqual((await titles(table))[1], ['c', 'draft']);
});

test('undoing a saved new row does not delete another one', async () => {
  await using table = await open();
  await table.add({ id: text('n'), title: text('new') });
  await table.save();
  await table.opened.edits[0]!.undo();
  await table.run(`DELETE FROM notes WHERE id = 'n'`);
  await table.run(`INSERT INTO notes VALUES ('c', 'theirs', 'new')`);
  assert.match(await table.failingSave(), /1 row has changed in the table/);
  assert.deepEqual((await titles(table))[2], ['c', 'theirs']);
});

for (const type of ['INTEGER', 'TEXT']) {
  test(`edits of a row with a key of ${type} that were saved together are undone one by one, and made again`, async () => {
    await using table = await SavedTable.open(service, 'pairs', [
      `CREATE TABLE pairs(id ${type} PRIMARY KEY, one TEXT, other TEXT)`,
      `INSERT INTO pairs VALUES (1, 'a', 'b')`,
    ]);
    await table.set([0, 'one', text('A')]);
    await table.set([0, 'other', text('B')]);
    await table.save();
    const [one, other] = table.opened.edits;
    await other!.undo();
    await one!.undo();
    await table.save();
    assert.deepEqual(await table.values('SELECT one, other FROM pairs'), [['a', 'b']]);
    await one!.redo();
    await other!.redo();
    await table.save();
    assert.deepEqual(await table.values('SELECT one, other FROM pairs'), [['A', 'B']]);
  });

  test(`a saved new row with a key of ${type} is undone after its edit`, async () => {
    await using table = await SavedTable.open(service, 'pairs', [
      `CREATE TABLE pairs(id ${type} PRIMARY KEY, one TEXT)`,
    ]);
    await table.add({ id: int(1), one: text('a') });
    const [{ id } = { id: '' }] = table.document.editing.edits.inserted;
    await table.document.edit('Edit', () =>
      table.document.editing.setCells([{ row: { kind: 'new', id }, column: 'one', value: text('A') }]),
    );
    await table.save();
    const [added, edited] = table.opened.edits;
    await edited!.undo();
    await added!.undo();
    await table.save();
    assert.deepEqual(await table.values(), []);
  });
}

test('a row with edits takes no value from a row that has got its row id', async () => {
  await using table = await open();
  await table.set([1, 'title', text('mine')]);
  const [, row] = await table.rows();
  const edited = { kind: 'table', row: row! } as const;
  await replaceLast(table);
  const { editing } = table.document;
  const changed = { code: 'row_changed' };
  await assert.rejects(editing.valuesOf(edited, ['body']), changed);
  await assert.rejects(editing.duplicate([edited]), changed);
  await assert.rejects(editing.setCells([{ row: edited, column: 'body', value: text('x') }]), changed);
});

test('the next window compares the row as it was seen before', async () => {
  await using table = await open(`'${long}'`);
  await table.set([1, 'title', text('mine')]);
  await table.document.writeDraft();
  await using next = await table.openNext();
  assert.equal(next.document.editing.edits.counts.updated, 1);
  await replaceLast(table, `'y${long.slice(1)}'`);
  await assert.rejects(next.save(), /1 row has changed in the table/);
  assert.deepEqual((await titles(table))[1], ['c', 'draft']);
});

test('a table of 450 columns without a key is edited and its rows are deleted', async () => {
  const names = Array.from({ length: 450 }, (_, index) => `c${index}`);
  await using table = await SavedTable.open(service, 'wide', [
    `CREATE TABLE wide(${names.join(', ')})`,
    `INSERT INTO wide VALUES (${names.map((_name, index) => index).join(', ')}), (${names.map(() => 1).join(', ')})`,
  ]);
  await table.set([0, 'c7', int(-1)]);
  await table.set([1, 'c7', int(-2)]);
  await table.run('DELETE FROM wide WHERE c449 = 449');
  await table.run('UPDATE wide SET c400 = 2');
  assert.match(await table.failingSave(), /2 rows have changed in the table/);
  assert.deepEqual(columnsOf(table), [
    [undefined, 'missingRow'],
    ['c400', 'conflict'],
  ]);
  table.host.resolve = async conflicts => new Set(conflicts);
  await table.save();
  assert.deepEqual(await table.values('SELECT c7, c400, c449 FROM wide'), [[-2, 2, 1]]);
  await table.delete(0);
  await table.save();
  assert.deepEqual(await table.values(), []);
});
