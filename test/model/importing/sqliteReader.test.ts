import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ImportFolder, readRows, readRowsOf } from '../../support/importSource.ts';

test('the values of a database file keep their types, and reading can begin after any row', async () => {
  await using folder = await ImportFolder.create();
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

test('a file that only begins like a database is refused', async () => {
  await assert.rejects(readRows('a.db', `SQLite format 3\0${'x'.repeat(5000)}`), { code: 'not_a_database' });
});
