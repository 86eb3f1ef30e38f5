import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCopiedTable, readDefinition } from '../../../src/model/copying/copiedTable.ts';
import { definitionCopyOf } from '../../../src/model/copying/definitionCopy.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const project = client.project(projectId);
const run = async (sql: string) => client.execSql(projectId, { sql });

await run(
  `CREATE TABLE "old one" (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT CHECK ("old one".a > ''), up INT REFERENCES "old one"(id))`,
);
await run('CREATE UNIQUE INDEX "old one_a" ON "old one" (a, lower(a)) WHERE "old one".a IS NOT NULL');
await run('CREATE INDEX by_up ON [old one] (up)');
await run(
  `CREATE TRIGGER "on old one" AFTER INSERT ON "old one" BEGIN UPDATE "old one" SET a = new.a WHERE id = new.up; END`,
);
await run(`INSERT INTO "old one" (id, a) VALUES (41, 'x'), (9007199254740993, 'y')`);
await run('DELETE FROM "old one" WHERE id > 41');

async function copyTo(name: string, choice: { readonly copiesIndexes: boolean; readonly copiesTriggers: boolean }) {
  return definitionCopyOf({
    source: await readCopiedTable(project, 'OLD one'),
    definition: await readDefinition(project, 'old one'),
    name,
    takenNames: await project.query('SELECT name FROM sqlite_schema', [], row => row['name'] as string),
    ...choice,
  });
}

test('a copy in the same project has names of its own, and its references follow', async () => {
  const { before, sequence, after } = await copyTo('new "one"', { copiesIndexes: true, copiesTriggers: true });
  for (const sql of [...before, sequence!, ...after]) await run(sql);
  const objects = await project.query(
    `SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'new "one"' ORDER BY type, name`,
    [],
    row => [row['type'], row['name']],
  );
  assert.deepEqual(objects, [
    ['index', 'by_up_2'],
    ['index', 'new "one"_a'],
    ['table', 'new "one"'],
    ['trigger', 'on new "one"'],
  ]);
  const references = await project.query(
    `SELECT "table" AS target FROM pragma_foreign_key_list('new "one"')`,
    [],
    row => row['target'],
  );
  assert.deepEqual(references, ['new "one"']);
  await run(`INSERT INTO "new ""one""" (a) VALUES ('next')`);
  const ids = await project.query('SELECT id FROM "new ""one"""', [], row => row['id']);
  assert.deepEqual(ids, [9007199254740994n], 'the numbers continue after those that the table ever had');
});

test('indexes and triggers are left out if they were not chosen', async () => {
  const { before, after } = await copyTo('plain', { copiesIndexes: false, copiesTriggers: false });
  assert.deepEqual([before.length, after.length], [1, 0]);
});

test('a view and a missing table are not copied', async () => {
  await run('CREATE VIEW shown AS SELECT 1 AS a');
  for (const name of ['shown', 'missing']) {
    await assert.rejects(readCopiedTable(project, name), { code: 'table_not_copied' });
  }
});

test('a definition that does anything but create its object is not sent to another project', async () => {
  const source = await readCopiedTable(project, 'old one');
  const definition = await readDefinition(project, 'old one');
  const request = { source, name: 'old one', takenNames: [], copiesIndexes: true, copiesTriggers: true };
  const [index] = definition.indexes;
  for (const sql of ['DROP TABLE orders', 'CREATE INDEX i ON t(a); DROP TABLE orders', 'CREATE VIEW v AS SELECT 1']) {
    const hostile = { ...definition, indexes: [{ ...index!, sql }] };
    assert.throws(() => definitionCopyOf({ ...request, definition: hostile }), { code: 'definition_not_copied' }, sql);
  }
});
