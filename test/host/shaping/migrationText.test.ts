import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationParts } from '../../../src/model/shaping/migrationScript.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { ShapedDatabase } from '../../support/shapedDatabase.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const { migrationText } = await import('../../../src/host/shaping/migrationText.ts');

const scriptOf = async (from: ShapedDatabase, to: ShapedDatabase, project = 'Old'): Promise<string> =>
  migrationText(await migrationParts(from.schema, to.schema), project, 'New');

test('a migration script runs statement by statement, and leaves what would lose rows to the user', async () => {
  using from =
    new ShapedDatabase(`CREATE TABLE t (a TEXT, "b;" TEXT); INSERT INTO t VALUES ('x', 'y'); CREATE TABLE "odd
DROP TABLE t" (a)`);
  using to = new ShapedDatabase(`CREATE TABLE t (a INTEGER, "c;" TEXT);
    CREATE TRIGGER "x;" AFTER INSERT ON t BEGIN UPDATE t SET a = 1; SELECT 2; END`);
  const script = await scriptOf(from, to, 'Old\nDROP TABLE t;');
  for (const { start, end } of splitStatements(script)) from.run(script.slice(start, end));
  assert.deepEqual(from.query('SELECT * FROM t'), [['x', null]]);
  assert.ok(from.schema.some(({ name }) => name.startsWith('odd')));
  assert.match(script, /^-- This script gives 'Old\n-- DROP TABLE t;' the schema of 'New'\./);
  assert.match(script, /-- The values of the column 'b;' are lost\. Count the rows with: SELECT count\(\*\)/);
  assert.match(script, /\n-- DROP TABLE "odd\n-- DROP TABLE t";\n$/);
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
