import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { allCells, openRows, notAborted } from '../../../support/queriedRows.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const folder = temporaryFolder();

function read(file: string, sql: string): unknown[][] {
  using database = new DatabaseSync(file);
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement.all().map(row => Object.values(row));
}

test('a SQLite file has the rows in the order shown, each value in its own storage class', async context => {
  const rows = await openRows(context, [
    { name: 'id', type: 'INTEGER' },
    { name: 'ID', type: 'VARCHAR(20)' },
    { name: 'blob', type: 'BLOB' },
    { name: 'any', type: 'INT); DROP TABLE t; --' },
  ]);
  const blob = Buffer.from([1, 2, 255]);
  await rows.add(
    { id: 2, ID: 'two\0', blob: blob.toString('base64'), any: 0.5 },
    { id: -9_007_199_254_740_993n, ID: null, blob: null, any: true },
    '{"id":5.0,"ID":"","blob":null,"any":{"k":1}}',
  );
  await rows.queries.arrange({ sort: [{ column: 0, descending: false }], filters: [] });
  const file = join(folder, 'one.sqlite');
  await rows.queries.writeSqliteFile({ file, table: 'a "table"', ranges: [allCells(rows, 4)] }, notAborted);
  assert.deepEqual(read(file, 'SELECT rowid, * FROM "a ""table"""'), [
    [1n, -9_007_199_254_740_993n, null, null, 1n],
    [2n, 2n, 'two\0', new Uint8Array(blob), 0.5],
    [3n, 5n, '', null, '{"k":1}'],
  ]);
  const [[sql] = []] = read(file, 'SELECT sql FROM sqlite_schema');
  assert.equal(sql, 'CREATE TABLE "a ""table""" ("id" INTEGER, "ID:1" VARCHAR(20), "blob" BLOB, "any")');
});

test('a SQLite file is made with the mode that the caller wants', async context => {
  const rows = await openRows(context, [{ name: 'id', type: 'INTEGER' }]);
  await rows.add({ id: 1 });
  const file = join(folder, 'private.sqlite');
  await rows.queries.writeSqliteFile({ file, mode: 0o600, table: 't', ranges: [allCells(rows, 1)] }, notAborted);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('a column is declared without a type if the type would change a value', async context => {
  const rows = await openRows(context, [
    { name: 'code', type: 'INTEGER' },
    { name: 'year', type: 'TEXT' },
    { name: 'size', type: 'REAL' },
    { name: 'price', type: 'DECIMAL(10, 2)' },
    { name: 'day', type: 'DATE' },
    { name: 'whole', type: 'REAL' },
  ]);
  await rows.add(
    { code: 7, year: 'all', size: 1.5, price: '1.50', day: '2024-01-31', whole: 5 },
    { code: '007', year: 2024, size: 9_007_199_254_740_993n, price: null, day: '12 days', whole: 0.5 },
  );
  for (const descending of [false, true]) {
    const file = join(folder, `mixed ${descending}`);
    await rows.queries.arrange({ sort: [{ column: 4, descending }], filters: [] });
    await rows.queries.writeSqliteFile({ file, table: 't', ranges: [allCells(rows, 6)] }, notAborted);
    assert.deepEqual(read(file, 'SELECT * FROM t ORDER BY day DESC'), [
      [7n, 'all', 1.5, '1.50', '2024-01-31', 5],
      ['007', 2024n, 9_007_199_254_740_993n, null, '12 days', 0.5],
    ]);
    const [[sql] = []] = read(file, 'SELECT sql FROM sqlite_schema');
    assert.equal(sql, 'CREATE TABLE "t" ("code", "year", "size", "price", "day" DATE, "whole" REAL)');
  }
});

test('an existing file is not overwritten', async context => {
  const rows = await openRows(context, ['a']);
  await rows.add({ a: 1 });
  const file = join(folder, 'taken');
  await writeFile(file, 'mine');
  const refused = rows.queries.writeSqliteFile({ file, table: 't', ranges: [allCells(rows, 1)] }, notAborted);
  await assert.rejects(refused, { code: 'EEXIST' });
  assert.equal(await readFile(file, 'utf8'), 'mine');
});

test('a cancelled file is removed', async context => {
  const rows = await openRows(context, ['a', 'text']);
  const long = 'x'.repeat(2000);
  for (let n = 0; n < 40_000; n += 50) {
    await rows.add(...Array.from({ length: 50 }, (_, nth) => ({ a: n + nth, text: long })));
  }
  const controller = new AbortController();
  const file = join(folder, 'cancelled');
  let hadFile = false;
  const onProgress = (): void => {
    hadFile ||= existsSync(file);
    controller.abort();
  };
  const options = { signal: controller.signal, onProgress };
  const writing = rows.queries.writeSqliteFile({ file, table: 't', ranges: [allCells(rows, 2)] }, options);
  await assert.rejects(writing, { name: 'AbortError' });
  assert.ok(hadFile);
  // This answer comes after the thread has cleaned up.
  await rows.queries.summarize([], notAborted);
  assert.ok(!(await readdir(folder)).includes('cancelled'));
});

test('more columns than a table may have are refused with a reason', async context => {
  const rows = await openRows(
    context,
    Array.from({ length: 2001 }, (_, n) => `c${n}`),
  );
  await rows.add({ c0: 1 });
  const file = join(folder, 'wide');
  const refused = rows.queries.writeSqliteFile({ file, table: 't', ranges: [allCells(rows, 2001)] }, notAborted);
  await assert.rejects(refused, { code: 'too_many_columns', message: /2000 columns at most, and there are 2001/ });
});

test('a long text of digits stays a text in a column of numbers', async context => {
  const rows = await openRows(context, [{ name: 'n', type: 'INTEGER' }]);
  // A pattern that backtracks over the digits would take longer than a test file may.
  const text = `${'1'.repeat(2_000_000)}x`;
  await rows.add({ n: text });
  const file = join(folder, 'digits.sqlite');
  await rows.queries.writeSqliteFile({ file, table: 't', ranges: [allCells(rows, 1)] }, notAborted);
  assert.deepEqual(read(file, 'SELECT typeof(n), length(n) FROM t'), [['text', BigInt(text.length)]]);
});
