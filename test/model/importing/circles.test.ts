import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportTarget } from '../../../src/model/importing/importOptions.ts';
import { copyPlanOf, tableSourceOf } from '../../support/copyRuns.ts';
import { ImportedProject } from '../../support/importRuns.ts';

/** Tables whose foreign keys refer to each other. */

const imports = await ImportedProject.start();
const { client, projectId } = imports;
const project = client.project(projectId);

async function copy(source: string, table: string, target: Partial<ImportTarget> = {}) {
  const plan = await copyPlanOf({ client, projectId, source, table, target });
  const run = await imports.run(plan, { openSource: tableSourceOf(plan, () => client) });
  return { state: run.state, error: String(run.error), counts: run.progress.counts, hasOrphans: run.end.hasOrphans };
}

test('tables that refer to each other are copied in three steps, and each message before is true', async () => {
  await project.sql('CREATE TABLE hens (id INTEGER PRIMARY KEY, egg INTEGER REFERENCES eggs, name TEXT)');
  await project.sql('CREATE TABLE eggs (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hens)');
  await project.sql(`INSERT INTO hens VALUES (1, NULL, 'Berta'), (2, NULL, 'Frida')`);
  await project.sql('INSERT INTO eggs VALUES (10, 2), (20, 1)');
  await project.sql('UPDATE hens SET egg = id * 10');
  await project.sql('CREATE TABLE hens2 (id INTEGER PRIMARY KEY, egg INTEGER REFERENCES eggs2, name TEXT)');
  // A table whose parent table is missing takes no row.
  const early = await copy('hens', 'hens2');
  assert.equal(early.state, 'failed');
  assert.match(early.error, /no such table: main\.eggs2/);
  await project.sql('CREATE TABLE eggs2 (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hens2)');
  for (const [source, table] of [
    ['eggs', 'eggs2'],
    ['hens', 'hens2'],
  ] as const) {
    const { state, counts, hasOrphans } = await copy(source, table);
    assert.deepEqual([state, counts.rejectedRows, hasOrphans], ['done', 2, true]);
  }
  const names = [
    { source: 0, target: 'id' },
    { source: 2, target: 'name' },
  ];
  const withKeys = [
    { source: 0, target: 'id' },
    { source: 1, target: 'egg' },
  ];
  const steps = [
    await copy('hens', 'hens2', { columns: names }),
    await copy('eggs', 'eggs2'),
    await copy('hens', 'hens2', { mode: 'update', key: ['id'], columns: withKeys }),
  ];
  for (const { state, counts, hasOrphans } of steps) {
    assert.deepEqual([state, counts.changedRows, counts.rejectedRows, hasOrphans], ['done', 2, 0, false]);
  }
  for (const table of ['hens', 'eggs']) {
    const rows = async (name: string) => (await project.sql(`SELECT * FROM ${name} ORDER BY id`)).rows;
    assert.deepEqual(await rows(`${table}2`), await rows(table));
  }
});
