import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationParts } from '../../../src/model/shaping/migrationScript.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { ShapedDatabase } from '../../support/shapedDatabase.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { migrationText } = await import('../../../src/host/shaping/compareSchemas.ts');

const scriptOf = async (from: ShapedDatabase, to: ShapedDatabase, project = 'Old'): Promise<string> =>
  migrationText(await migrationParts(from.schema, to.schema), project, 'New');

test('a migration script runs statement by statement, and leaves what would lose rows to the user', async () => {
  using from =
    new ShapedDatabase(`CREATE TABLE t (a TEXT, "b;" TEXT); INSERT INTO t VALUES ('x', 'y'); CREATE TABLE "odd
DROP TABLE t" (a)`);
  using to = new ShapedDatabase(`CREATE TABLE t (a INTEGER, "c;" INTEGER);
    CREATE TRIGGER "x;" AFTER INSERT ON t BEGIN UPDATE t SET a = 1; SELECT 2; END`);
  const script = await scriptOf(from, to, 'Old\nDROP TABLE t;');
  for (const { start, end } of splitStatements(script)) from.run(script.slice(start, end));
  assert.deepEqual(from.query('SELECT a, "b;", "c;" FROM t'), [['x', 'y', null]]);
  assert.ok(from.schema.some(({ name }) => name.startsWith('odd')));
  assert.match(script, /^-- This script gives 'Old\n-- DROP TABLE t;' the schema of 'New'\./);
  assert.match(script, /-- The values of the column 'b;' are lost\. Count the rows with: SELECT count\(\*\)/);
  assert.match(script, /\n-- ALTER TABLE t DROP COLUMN "b;";\n/);
  assert.match(script, /\n-- DROP TABLE "odd\n-- DROP TABLE t";\n$/);
});

test('a script renames a column that has the same definition and place, and says that this is a guess', async () => {
  using from = new ShapedDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, phone TEXT, note TEXT);
    INSERT INTO t VALUES (1, '007', 'x')`);
  using to = new ShapedDatabase('CREATE TABLE t (id INTEGER PRIMARY KEY, phone_number TEXT, note TEXT)');
  const script = await scriptOf(from, to);
  for (const { start, end } of splitStatements(script)) from.run(script.slice(start, end));
  assert.deepEqual(from.query('SELECT id, phone_number, note FROM t'), [[1n, '007', 'x']]);
  assert.match(
    script,
    /\n-- 'phone' is taken for 'phone_number', which has the same definition at the same place\. Its values stay\. Check that it is the same column\.\nALTER TABLE t RENAME COLUMN phone TO phone_number;\n/,
  );
});

test('a script without its comments keeps every value, and its comments say what they lose', async () => {
  using from = new ShapedDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT, c TEXT);
    INSERT INTO t VALUES (1, 'kept', '2', 'typed')`);
  using to = new ShapedDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, b INTEGER NOT NULL, c TEXT AS (b || '!'));
    CREATE VIEW v AS SELECT b FROM t`);
  const script = await scriptOf(from, to);
  for (const { start, end } of splitStatements(script)) from.run(script.slice(start, end));
  assert.deepEqual(from.query('SELECT id, a, b, c FROM t'), [[1n, 'kept', 2n, 'typed']]);
  assert.equal(from.count('SELECT count(*) FROM v'), 1);
  const loss =
    /\n-- The rest of the change of TABLE t loses values\. To make it, remove the comment marks\.\n([^]*)$/.exec(
      script,
    );
  const comments = loss![1]!;
  assert.match(comments, /^-- The values of the column 'a' are lost\. Count the rows with: .* WHERE a IS NOT NULL$/m);
  assert.match(comments, /^-- The values of the column 'c' are lost\. Count the rows with: .* WHERE c IS NOT NULL$/m);
  assert.match(comments, /^-- Until the column 'a' is dropped, each new row needs a value in it\.$/m);
  // The user may decide to lose them.
  const statements = comments.slice(comments.indexOf('-- CREATE TRIGGER')).replaceAll(/^-- /gm, '');
  for (const { start, end } of splitStatements(statements)) from.run(statements.slice(start, end));
  assert.deepEqual(from.query('SELECT * FROM t'), [[1n, 2n, '2!']]);
  assert.deepEqual(await migrationParts(from.schema, to.schema), []);
});

test('a script says why a table cannot change and keep its rows', async () => {
  using from = new ShapedDatabase('CREATE VIRTUAL TABLE words USING fts5(a)');
  using to = new ShapedDatabase('CREATE VIRTUAL TABLE words USING fts5(a, b)');
  const script = await scriptOf(from, to);
  assert.match(
    script,
    /-- SQLite cannot change a virtual table\. These statements lose its rows\.\n-- DROP TABLE words;/,
  );
  assert.deepEqual(splitStatements(script), []);
});
