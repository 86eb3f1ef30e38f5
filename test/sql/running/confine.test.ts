import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { confine, createObject } from '../../../src/sql/running/confine.ts';

type AnnouncedObject = Parameters<typeof createObject>[1];

function openConfined(): DatabaseSync {
  const database = confine(new DatabaseSync(':memory:'), { valueBytes: 1_000_000 });
  database.exec('CREATE TABLE kept (a); INSERT INTO kept VALUES (1)');
  return database;
}

const objectOf = (kind: AnnouncedObject['kind'], name: string, sql: string, table = name): AnnouncedObject => ({
  kind,
  name,
  table,
  sql,
});

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';

test('every kind of object is created as it was announced', () => {
  using database = openConfined();
  const objects = [
    objectOf(
      'table',
      't',
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE CHECK (a <> ''), b AS (upper(a)) STORED, c AS (a || b))",
    ),
    objectOf('table', 'quoted "name', 'CREATE TABLE "quoted ""name" (a) -- with a comment'),
    objectOf('table', 'texts', `CREATE VIRTUAL TABLE texts USING fts5(a, tokenize="unicode61 separators ';'")`),
    objectOf('table', 'outside', "CREATE VIRTUAL TABLE outside USING fts5(a, content='t', content_rowid='id')"),
    objectOf('table', 'boxes', 'CREATE VIRTUAL TABLE boxes USING rtree(id, a, b)'),
    objectOf('index', 'i', "CREATE UNIQUE INDEX i ON t (lower(a)) WHERE a LIKE 'x%'", 't'),
    objectOf(
      'view',
      'v',
      'CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n',
    ),
    objectOf('trigger', 'g', 'CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM kept; SELECT 1; END', 't'),
  ];
  for (const object of objects) createObject(database, object);
  const names = database.prepare('SELECT name FROM sqlite_schema').all();
  for (const { name } of objects) assert.ok(names.some(row => row['name'] === name));
});

test('a text that is not one statement of the announced object changes nothing', () => {
  using database = openConfined();
  const outside = join(tmpdir(), `never-${process.pid}.sqlite`);
  const before = database.prepare('SELECT * FROM sqlite_schema').all();
  for (const object of [
    objectOf('table', 't', `CREATE TABLE t (a); COMMIT; ATTACH '${outside}' AS v; VACUUM INTO '${outside}'`),
    objectOf('table', 't', `CREATE TABLE t (a)\0; DROP TABLE kept`),
    objectOf('table', 't', `/* CREATE TABLE t (a) */ ATTACH '${outside}' AS v`),
    objectOf('table', 't', `CREATE TABLE t AS ${endless}`),
    objectOf('table', 't', `CREATE VIEW t AS ${endless}`),
    objectOf('table', 't', 'CREATE TABLE u (a)'),
    objectOf('table', 't', 'CREATE TEMP TABLE t (a)'),
    objectOf('table', 't', 'CREATE TABLE temp.t (a)'),
    objectOf('table', 't', 'CREATE TABLE t (a, b AS (load_extension(a)))'),
    objectOf('table', 't', `CREATE TABLE t (a, b AS (${endless}))`),
    objectOf('table', 't', 'CREATE VIRTUAL TABLE "t using fts5" USING dbstat'),
    objectOf('table', 't', 'CREATE VIRTUAL TABLE t USING dbstat'),
    objectOf('table', 't', 'CREATE VIRTUAL TABLE t USING "fts5(a); ATTACH"'),
    objectOf('table', 't', 'PRAGMA writable_schema = ON'),
    objectOf('table', 't', ''),
    objectOf('index', 'i', `CREATE INDEX i ON kept ((${endless}))`, 'kept'),
    objectOf('index', 'i', 'CREATE INDEX i ON kept (a)', 'other'),
    objectOf('index', 'i', "CREATE INDEX i ON kept (printf('%.*c', 400000000, a))", 'kept'),
    objectOf('trigger', 'g', 'CREATE TEMP TRIGGER g AFTER INSERT ON kept BEGIN SELECT 1; END', 'kept'),
    objectOf('trigger', 'g', 'CREATE TRIGGER g AFTER INSERT ON kept BEGIN SELECT 1; END', 'other'),
    objectOf('view', 'v', "CREATE VIEW v AS SELECT 1; UPDATE kept SET a = 'changed'"),
  ]) {
    assert.throws(() => createObject(database, object), /./, object.sql);
  }
  assert.deepEqual(database.prepare('SELECT * FROM sqlite_schema').all(), before);
  assert.deepEqual(database.prepare('SELECT count(*) AS n, max(a) AS a FROM kept').get(), {
    __proto__: null,
    n: 1,
    a: 1,
  });
  assert.ok(!existsSync(outside));
});

test('an own statement runs nothing of a view or a trigger, and reaches no other file', () => {
  using database = openConfined();
  createObject(database, objectOf('view', 'v', `CREATE VIEW v AS ${endless}`));
  createObject(
    database,
    objectOf('trigger', 'g', `CREATE TRIGGER g AFTER INSERT ON kept BEGIN DELETE FROM kept; END`, 'kept'),
  );
  createObject(database, objectOf('table', 'f', `CREATE VIRTUAL TABLE f USING fts5(i, content='v')`));
  for (const sql of [
    'SELECT count(*) FROM v',
    'INSERT INTO kept VALUES (2)',
    `INSERT INTO f (f) VALUES ('rebuild')`,
    'SELECT * FROM f',
    `ATTACH ':memory:' AS other`,
    `VACUUM INTO '${join(tmpdir(), 'never.sqlite')}'`,
    "SELECT printf('%.*c', 400000000, 'x')",
    `PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (type) VALUES ('table')`,
  ]) {
    assert.throws(() => database.exec(sql), /./, sql);
  }
});
