import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { RawText } from '../../../src/model/importing/sourceRow.ts';
import { unquoted } from '../../../src/sql/text/quoting.ts';
import { ImportFolder, readRows, readRowsOf } from '../../support/importSource.ts';

test('the values of a database file keep their types, and reading can begin after any row', async () => {
  const folder = new ImportFolder();
  const path = join(folder.path, 'a.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE "my rows" (i, r, t, b);
    INSERT INTO "my rows" VALUES (9223372036854775807, 1e400, 'a' || char(0) || 'b', x'00ff'), (NULL, -0.0, '', x'');
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO "my rows" SELECT i, i / 2.0, 'row ' || i, NULL FROM n`);
  database.close();
  const { options, columns, rows, places } = await readRowsOf(path);
  assert.deepEqual([options.format, options.table], ['sqlite', 'my rows']);
  assert.deepEqual(columns, ['i', 'r', 't', 'b']);
  assert.deepEqual(rows[0], [9_223_372_036_854_775_807n, Infinity, 'a\0b', Uint8Array.of(0, 255)]);
  assert.deepEqual(rows[1], [null, -0, '', new Uint8Array(0)]);
  assert.equal(rows.length, 2002);
  assert.deepEqual((await readRowsOf(path, {}, places[1234])).rows, rows.slice(1235));
});

test('a text that is not valid UTF-8 comes as its bytes, in the order of the rows and from any row on', async () => {
  const folder = new ImportFolder();
  const path = join(folder.path, 'a.db');
  const database = new DatabaseSync(path);
  // An index with all columns is another way to read the rows.
  database.exec(`CREATE TABLE t (id INTEGER, text TEXT, bytes BLOB); CREATE UNIQUE INDEX t_all ON t (text, bytes, id);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
    INSERT INTO t SELECT i, CASE i % 500 WHEN 0 THEN CAST(x'41ff42' AS TEXT) ELSE 'row ' || (2000 - i) END, x'41ff42' FROM n;
    INSERT INTO t VALUES (1501, '\u{fffd}', NULL)`);
  database.close();
  const { rows, places, faults } = await readRowsOf(path);
  const bytes = [0x41, 0xff, 0x42];
  assert.deepEqual(faults, []);
  const byId = rows.toSorted(([one], [other]) => Number(one) - Number(other));
  assert.deepEqual(
    byId.map(([id]) => id),
    Array.from({ length: 1501 }, (_, index) => BigInt(index + 1)),
  );
  for (const id of [500, 1000, 1500])
    assert.deepEqual(byId[id - 1]!.slice(1), [RawText.from(bytes), Uint8Array.from(bytes)]);
  assert.deepEqual(byId[1500], [1501n, '\u{fffd}', null]);
  for (const row of [0, 700, 1400])
    assert.deepEqual((await readRowsOf(path, {}, places[row])).rows, rows.slice(row + 1));
});

/** A database file whose schema may say anything. */
async function hostileFile(folder: ImportFolder, sql: string): Promise<string> {
  const path = join(folder.path, 'hostile.db');
  await rm(path, { force: true });
  using database = new DatabaseSync(path);
  database.enableDefensive(false);
  database.exec(sql);
  return path;
}

const peakMb = (): number => process.resourceUsage().maxRSS / 1024;

const expressionTable = `CREATE VIRTUAL TABLE t USING fts4(x, compress="hex", uncompress="(WITH RECURSIVE n(i) AS
  (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n) || quote")`;
const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

test('a row whose expressions make too long values is rejected, and takes little memory', async () => {
  const folder = new ImportFolder();
  const sized = `printf('%.*c', size, 'x')`;
  const parts = Array.from({ length: 60 }, (_, place) => place);
  // SQLite would compute the columns of a row that is inserted, so they are added later.
  const fileOf = async (sizes: string, columns: readonly string[]): Promise<string> =>
    hostileFile(
      folder,
      `CREATE TABLE t (size INTEGER); INSERT INTO t VALUES ${sizes};
      ${columns.map((sql, place) => `ALTER TABLE t ADD COLUMN x${place} AS (${sql})`).join(';')}`,
    );
  const before = peakMb();
  const one = await readRowsOf(await fileOf('(1), (400000000), (2), (400000000)', [sized]));
  assert.deepEqual(one.rows.flat(), [1n, 'x', 2n, 'xx']);
  assert.deepEqual(one.faults, [
    [2, { kind: 'tooLong' }, ''],
    [4, { kind: 'tooLong' }, ''],
  ]);
  assert.deepEqual(one.lines, [1, 2, 3, 4]);
  const columns = parts.map(() => sized);
  assert.equal((await readRowsOf(await fileOf('(200000), (7000000)', columns))).faults.length, 2);
  const constants = parts.map(place => `length(zeroblob(${7_000_000 + place}))`).join(' + ');
  assert.equal((await readRowsOf(await fileOf('(1)', [constants]))).faults.length, 1);
  assert.ok(peakMb() - before < 300, `${Math.round(peakMb() - before)} MB`);
});

test('a row of many long values is rejected like a row of a text file', async () => {
  const folder = new ImportFolder();
  const path = await hostileFile(
    folder,
    `CREATE TABLE t (a, b, c);
    INSERT INTO t VALUES (zeroblob(3000000), zeroblob(3000000), 1), (zeroblob(3000000), zeroblob(3000000), zeroblob(3000000))`,
  );
  const { rows, faults } = await readRowsOf(path);
  assert.deepEqual([rows.length, faults.map(([line]) => line)], [1, [2]]);
});

test('a table that reads from a view without end, or whose arguments are expressions, is refused by its name', async () => {
  const folder = new ImportFolder();
  for (const sql of [
    `CREATE VIEW t AS ${endless}`,
    `CREATE VIEW v AS ${endless}; CREATE VIRTUAL TABLE t USING fts5(i, content='v')`,
    `CREATE TABLE a (x); ${expressionTable}`,
    // Another table reads from it, or another definition has its name.
    `${expressionTable.replace('TABLE t', 'TABLE evil')}; CREATE VIRTUAL TABLE t USING fts5(x, content='evil')`,
    `${expressionTable}; CREATE TABLE other (x); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET type = 'TABLE' WHERE name = 't';
      UPDATE sqlite_schema SET name = 't', tbl_name = 't', sql = 'CREATE TABLE IF NOT EXISTS t (x)' WHERE name = 'other'`,
    // Others can write the definition in a way of their own.
    ...['CREATE/**/VIRTUAL TABLE t', 'CREATE--\nVIRTUAL TABLE t', 'CREATE VIRTUAL TABLE "t" /* USING fts5 */'].map(
      head => `${expressionTable}; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'CREATE VIRTUAL TABLE t', '${head}') WHERE name = 't'`,
    ),
  ]) {
    const path = await hostileFile(folder, sql);
    for (const table of ['t', 'T']) {
      await assert.rejects(
        readRowsOf(path, { table }),
        { code: 'table_not_read', message: new RegExp(`^The table '${table}' of the file`) },
        sql,
      );
    }
  }
});

test('a table is read although this SQLite lacks what its constraints name', async () => {
  const folder = new ImportFolder();
  for (const column of ['a TEXT CHECK (a <> "foo")', 'a TEXT CHECK (own_function(a))', 'a TEXT COLLATE LOCALIZED']) {
    const path = await hostileFile(
      folder,
      `CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x'); PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE t (${column})'`,
    );
    assert.deepEqual((await readRowsOf(path, { table: 't' })).rows, [['x']], column);
  }
});

test('a full-text table and an R-tree are read, whatever their names are', async () => {
  const folder = new ImportFolder();
  for (const name of ['notizen_ä', `'q'`, '"using fts4"', '[t 1]', 'plain']) {
    const path = await hostileFile(
      folder,
      `CREATE VIRTUAL TABLE ${name} USING fts5(x); INSERT INTO ${name} VALUES ('a'), ('b')`,
    );
    assert.deepEqual((await readRowsOf(path, { table: unquoted(name) })).rows, [['a'], ['b']]);
  }
  const path = await hostileFile(
    folder,
    'CREATE VIRTUAL TABLE boxes USING "rtree"(id, low, high); INSERT INTO boxes VALUES (1, 2, 3)',
  );
  assert.deepEqual((await readRowsOf(path, { table: 'boxes' })).rows, [[1n, 2, 3]]);
});

test('a file that only begins like a database is refused', async () => {
  await assert.rejects(readRows('a.db', `SQLite format 3\0${'x'.repeat(5000)}`), { code: 'not_a_database' });
});
