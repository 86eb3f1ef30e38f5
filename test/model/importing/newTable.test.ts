import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { detectSource } from '../../../src/model/importing/detection.ts';
import { proposeColumns, proposeTable } from '../../../src/model/importing/newTable.ts';
import { createTableSql } from '../../../src/model/shaping/createTable.ts';
import { openSourceReader } from '../../../src/model/importing/readers/openReader.ts';
import { SourceFile } from '../../../src/model/importing/sourceFile.ts';
import { newRun, planOf, sendWith } from '../../support/importRuns.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = new ImportFolder();
const { signal } = new AbortController();
let count = 0;

/** The statement that the user is shown for the rows of a file. */
async function proposalFor(path: string, table: string): Promise<string> {
  await using file = await SourceFile.open(path);
  const reader = await openSourceReader(file, await detectSource(file));
  return createTableSql(proposeTable(table, await proposeColumns(reader, signal)));
}

/** Imports a file into the table that is proposed for it. */
async function importAsProposed(path: string) {
  const table = `new_${++count}`;
  const statement = await proposalFor(path, table);
  await client.execSql(projectId, { sql: statement });
  const plan = await planOf(client, projectId, { path, table });
  const run = newRun({ folder: folder.path, plan, send: sendWith(client, projectId) });
  await run.start();
  assert.equal(run.state, 'done');
  const { rows } = await client.execSql(projectId, { sql: `SELECT * FROM ${table} ORDER BY rowid` });
  return { statement, rows: rows.map(row => Object.values(row)) };
}

async function typeOf(...values: string[]): Promise<string | undefined> {
  const lines = values.map(value => `${value},x`);
  const path = await folder.write('values.csv', `a,b\n${lines.join('\n')}\n`);
  return / {2}a (\w+),/.exec(await proposalFor(path, 't'))?.[1];
}

/** More rows than the preview has, with another value in the last one. */
const afterPreview = <T>(usual: (id: number) => T, last: T): T[] => [
  ...Array.from({ length: 100 }, (_, id) => usual(id)),
  last,
];

test('leading zeros in the row after the preview stay in a new table, where numbers are numbers', async () => {
  const lines = afterPreview(id => `${id + 10_000},${id}`, '007,100');
  const path = await folder.write('codes.csv', `code,number\n${lines.join('\n')}\n`);
  const { statement, rows } = await importAsProposed(path);
  assert.match(statement, /code TEXT,\n {2}number INTEGER\n/);
  assert.equal(rows.length, 101);
  assert.deepEqual(rows[0], ['10000', 0]);
  assert.deepEqual(rows[100], ['007', 100]);
});

test('numbers of JSON are numbers in a new table, and strings of digits are texts', async () => {
  for (const hasZeros of [false, true]) {
    const values = afterPreview<unknown>(id => ({ number: id, real: id + 0.5, code: String(id), mixed: id }), {
      number: 100,
      real: 0.5,
      code: '10115',
      mixed: hasZeros ? '007' : 100,
    });
    for (const content of [JSON.stringify(values), values.map(value => JSON.stringify(value)).join('\n')]) {
      const { rows } = await importAsProposed(await folder.write('codes.json', content));
      assert.deepEqual(rows[7], [7, 7.5, '7', hasZeros ? '7' : 7]);
      assert.deepEqual(rows[100], [100, 0.5, '10115', hasZeros ? '007' : 100]);
    }
  }
});

test('a new table for the rows of a database file stores them as they are, whatever comes after the preview', async () => {
  const path = join(folder.path, 'codes.sqlite');
  using database = new DatabaseSync(path);
  database.exec(`CREATE TABLE codes (number INTEGER, code VARCHAR(5), anything, day DATE, price DOUBLE PRECISION,
    flag "PRIMARY KEY", bytes BLOB)`);
  const insert = database.prepare('INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const last of afterPreview<number | string>(id => id, '007')) insert.run(last, '010', last, last, 1, last, last);
  const { statement, rows } = await importAsProposed(path);
  assert.match(
    statement,
    /number INTEGER,\n {2}code VARCHAR\(5\),\n {2}anything,\n {2}day DATE,\n {2}price DOUBLE PRECISION,/,
  );
  const stored = database.prepare('SELECT * FROM codes ORDER BY rowid').all();
  assert.deepEqual(
    rows,
    stored.map(row => Object.values(row)),
  );
});

test('a column of a STRICT table that stores anything has no type in a new table', async () => {
  const path = join(folder.path, 'strict.sqlite');
  using database = new DatabaseSync(path);
  database.exec(`CREATE TABLE codes (code ANY) STRICT; INSERT INTO codes VALUES (1), ('007')`);
  const { rows } = await importAsProposed(path);
  assert.deepEqual(rows, [[1], ['007']]);
});

test('a new column is a number only if each value would come back as it is spelled', async () => {
  assert.equal(await typeOf('1', '-20', '9223372036854775807'), 'INTEGER');
  assert.equal(await typeOf('1.5', '-0.25', '3.0'), 'REAL');
  for (const value of [
    '007',
    '1e5',
    '9223372036854775808',
    '+1',
    '',
    '-0',
    ' 1',
    '1.50',
    '2024-01-02',
    '0x1',
    'Infinity',
  ]) {
    assert.equal(await typeOf('1', value), 'TEXT', value);
  }
  assert.equal(await typeOf('1', '1.5'), 'TEXT');
});

test('a file that cannot be read to its end has a new table for the rows before that', async () => {
  // The columns are those of the first thousand rows.
  const rows = Array.from({ length: 1500 }, (_, id) => `{"a":${id},"b":"x"}`);
  const path = await folder.write('broken.json', `[${rows.join()}`);
  assert.equal(await proposalFor(path, 't'), 'CREATE TABLE t (\n  a INTEGER,\n  b TEXT\n)');
});

test('reading the types ends when the user cancels', async () => {
  const path = await folder.write('cancelled.csv', 'a,b\n1,2\n');
  await using file = await SourceFile.open(path);
  const reader = await openSourceReader(file, await detectSource(file));
  await assert.rejects(proposeColumns(reader, AbortSignal.abort(new Error('cancelled'))), /cancelled/);
});

test('the statement of a new table quotes names that need it', () => {
  const columns = ['id', 'unit price', 'select'].map(name => ({ name, type: 'TEXT' }));
  assert.equal(
    createTableSql(proposeTable('order', columns)),
    'CREATE TABLE "order" (\n  id TEXT,\n  "unit price" TEXT,\n  "select" TEXT\n)',
  );
});
