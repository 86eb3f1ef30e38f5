import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { intervalsOf } from '../../../src/model/browsing/rowIntervals.ts';
import type { TextRequest } from '../../../src/model/results/rowQueries.ts';
import { unsorted } from '../../../src/protocol/rowQueries.ts';
import { type DisposableRun, startTable, testDownloadParts } from '../../support/browsedTable.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const setup = [
  'CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT, big INTEGER)',
  `INSERT INTO items WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 250)
    SELECT i, 'item ' || i, 9007199254740992 + i FROM i`,
  'CREATE TABLE large AS WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 100001) SELECT i FROM i',
];
for (const sql of setup) await client.execSql(projectId, { sql });

const open = (name = 'items', pageSize = 20): Promise<DisposableRun> =>
  startTable({ client, projectId, name, pageSize });

const never = { signal: new AbortController().signal };
const defaults = { format: 'tsv', headers: false, guardFormulas: false, table: 'items' } as const;

async function textOf(run: BrowseRun, request: Partial<TextRequest>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of run.queries.text({ ...defaults, ranges: [], ...request }, never)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('a copy includes rows that were never loaded, with exact values', async () => {
  await using run = await open();
  await run.countAll();
  const text = await textOf(run, { ranges: [{ firstRow: 15, endRow: 248, columns: [0, 2] }] });
  const lines = text.split('\n');
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [233, '16\t9007199254741008', '248\t9007199254741240']);
});

test('a copy is complete while the user scrolls elsewhere', async () => {
  await using run = await open('items', 2);
  await run.countAll();
  const reads: Promise<unknown>[] = [];
  const scroll = (): void => {
    for (let row = 248; row > 208 && reads.length < 800; row -= 2) reads.push(run.rows(row, 2).catch(() => undefined));
  };
  const listener = run.onChange(scroll);
  const text = await textOf(run, { ranges: [{ firstRow: 0, endRow: 250, columns: [0] }] });
  assert.equal(text.split('\n').length, 250);
  listener.dispose();
  await Promise.all(reads);
});

test('several ranges are copied in the order of their selection', async () => {
  await using run = await open();
  await run.jump(100);
  const ranges = [
    { firstRow: 100, endRow: 102, columns: [1] },
    { firstRow: 3, endRow: 4, columns: [1] },
  ];
  assert.equal(await textOf(run, { ranges }), 'item 101\nitem 102\nitem 4');
});

test('an export has the whole table, however little of it is loaded', async () => {
  await using run = await open();
  const text = await textOf(run, { allRows: true, ranges: [{ firstRow: 0, endRow: run.rowCount, columns: [0] }] });
  assert.deepEqual(text.split('\n').length, 250);
});

test('an export reports how many rows the table had when it was read', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE growing AS SELECT id FROM items' });
  await using run = await open('growing');
  await run.countAll();
  await client.execSql(projectId, { sql: 'INSERT INTO growing SELECT id FROM items LIMIT 3' });
  const ranges = [{ firstRow: 0, endRow: run.rowCount, columns: [0] }];
  const counted: number[] = [];
  const options = { ...never, onCounted: (rowCount: number) => void counted.push(rowCount) };
  const text = await Array.fromAsync(run.queries.text({ ...defaults, allRows: true, ranges }, options));
  assert.deepEqual([run.rowCount, counted, Buffer.concat(text).toString().split('\n').length], [250, [253], 253]);
  const file = join((await testDownloadParts()).folder, 'growing.db');
  await run.queries.writeSqliteFile({ file, table: 'growing', ranges, allRows: true }, options);
  assert.deepEqual(counted, [253, 253]);
});

test('an export of a table with changed columns fails with columns_changed', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE altered AS SELECT id, name FROM items' });
  await using run = await open('altered');
  const whole = { allRows: true, ranges: [{ firstRow: 0, endRow: 1, columns: [0, 1] }] };
  for (const sql of ['RENAME COLUMN name TO title', 'ADD COLUMN price REAL', 'DROP COLUMN title']) {
    await client.execSql(projectId, { sql: `ALTER TABLE altered ${sql}` });
    await assert.rejects(textOf(run, whole), { code: 'columns_changed' });
    await run.refresh();
    assert.match(await textOf(run, whole), /^1\t/);
  }
  await client.execSql(projectId, { sql: 'DELETE FROM altered' });
  await client.execSql(projectId, { sql: 'ALTER TABLE altered RENAME COLUMN price TO cost' });
  await assert.rejects(textOf(run, whole), { code: 'columns_changed' });
});

test('an export has the filtered rows in the order shown', async () => {
  await using run = await open();
  await run.queries.arrange({
    sort: [{ column: 0, descending: true }],
    filters: [{ kind: 'contains', column: 1, text: '24' }],
  });
  const text = await textOf(run, { allRows: true, ranges: [{ firstRow: 0, endRow: 1, columns: [0] }] });
  assert.deepEqual(text.split('\n'), [
    '249',
    '248',
    '247',
    '246',
    '245',
    '244',
    '243',
    '242',
    '241',
    '240',
    '224',
    '124',
    '24',
  ]);
});

test('a whole table is exported as a SQLite file', async () => {
  await using run = await open();
  const file = join((await testDownloadParts()).folder, 'items.db');
  const ranges = [{ firstRow: 0, endRow: 1, columns: [0, 1, 2] }];
  await run.queries.writeSqliteFile({ file, table: 'items', ranges, allRows: true }, never);
  using database = new DatabaseSync(file, { readOnly: true });
  assert.deepEqual(
    { ...database.prepare('SELECT count(*) AS rows, max(id) AS last FROM items').get() },
    { rows: 250, last: 250 },
  );
});

test('sums are exact and include rows that were never loaded', async () => {
  await using run = await open();
  await run.countAll();
  const { cells, sum, max } = await run.queries.summarize([{ firstRow: 0, endRow: 250, columns: [0, 2] }], never);
  assert.deepEqual([cells, sum, max], [500, '2251799813685310750', '9007199254741242']);
});

test('too many rows are neither copied nor summed up, and the error suggests Export', async () => {
  await using run = await open('large', 500);
  await run.countAll();
  const ranges = [{ firstRow: 0, endRow: 100_001, columns: [0] }];
  await assert.rejects(textOf(run, { ranges }), { code: 'too_many_rows', message: /Export/ });
  await assert.rejects(run.queries.summarize(ranges, never), { code: 'too_many_rows' });
});

test('a copy of rows that are gone fails with rows_gone', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE fading AS SELECT id FROM items' });
  await using run = await open('fading');
  await run.countAll();
  await client.execSql(projectId, { sql: 'DELETE FROM fading WHERE id > 100' });
  await assert.rejects(textOf(run, { ranges: [{ firstRow: 0, endRow: 250, columns: [0] }] }), { code: 'rows_gone' });
});

test('a cancelled copy rejects and leaves no file behind', async () => {
  await using run = await open();
  await run.countAll();
  const cancelling = new AbortController();
  const ranges = [{ firstRow: 0, endRow: 250, columns: [0] }];
  const onProgress = (): void => cancelling.abort();
  const copying = run.queries.text({ ...defaults, ranges }, { signal: cancelling.signal, onProgress });
  await assert.rejects(Array.fromAsync(copying), { name: 'AbortError' });
  assert.deepEqual(
    (await readdir((await testDownloadParts()).folder)).filter(name => name.endsWith('.rows')),
    [],
  );
});

test('a cell is read whole', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE texts(t)' });
  await client.execSql(projectId, { sql: `INSERT INTO texts VALUES (hex(zeroblob(3000)))` });
  await using run = await open('texts');
  const cell = await run.queries.cell(0, 0, 6000);
  assert.equal(cell.kind === 'text' && cell.text.length, 6000);
  await assert.rejects(run.queries.cell(5, 0, 6000), { code: 'no_such_cell' });
});

test('find searches the loaded rows alone', async () => {
  await using run = await open();
  const step = {
    text: 'ITEM 1',
    matchCase: false,
    row: 0,
    column: 0,
    backwards: false,
    including: false,
    columns: [0, 1],
  };
  assert.deepEqual(await run.queries.find(step), { count: 11, place: { index: 0, row: 0, column: 1 } });
  await run.queries.arrange({ ...unsorted, sort: [{ column: 0, descending: true }] });
  assert.deepEqual((await run.queries.find(step)).count, 0);
});

test('overlapping ranges become one interval', () => {
  const ranges = [
    { firstRow: 8, endRow: 12, columns: [] },
    { firstRow: 0, endRow: 5, columns: [] },
    { firstRow: 4, endRow: 6, columns: [] },
  ];
  assert.deepEqual(intervalsOf(ranges), [
    { firstRow: 0, endRow: 6, offset: 0 },
    { firstRow: 8, endRow: 12, offset: 6 },
  ]);
});
