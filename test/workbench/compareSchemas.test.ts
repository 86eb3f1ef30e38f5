import assert from 'node:assert/strict';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

sharingTest('schemas are compared, and a script makes them equal once the user runs it', {}, async session => {
  await using service = await startServiceWith(`
    CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE customers(id INTEGER PRIMARY KEY, email TEXT, name TEXT, country TEXT, created_at TEXT NOT NULL);
    INSERT INTO customers VALUES (7, 'ann@example.com', 'Ann', 'DE', '2024-01-01')`);
  const run = async (sql: string): Promise<unknown[]> =>
    (await service.client.execSql(service.projectId, { sql })).rows.map(row => Object.values(row));
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*' ORDER BY name`;
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'Pets', 'Compare Schemas…');
  await session.editorTab('Schemas: Pets ↔ Sample Shop').waitFor();
  const code = session.page.getByRole('code');
  await code.getByText('CREATE TABLE customers').nth(1).waitFor();
  await session.screenshot('compare-schemas');
  const found = session.notifications.filter({ hasText: /tables and views differ between 'Pets' and 'Sample Shop'/ });
  await found.getByRole('button', { name: 'Script for Pets' }).click();
  await code.getByText("-- This script gives 'Pets' the schema of 'Sample Shop'.").waitFor();
  await session.screenshot('migration-script');
  // Nothing has run yet.
  assert.deepEqual(await run(tables), [['customers'], ['pets']]);

  await session.waitForEditorFocus();
  await session.runCommand('SQL Projects: Run All Statements');
  await session.notifications.filter({ hasText: /statements: \d+ succeeded · / }).waitFor();
  // The script keeps the rows, and leaves it to the user to drop what only this project has.
  assert.deepEqual(await run('SELECT id, name FROM customers'), [[7, 'Ann']]);
  assert.ok((await run(tables)).flat().includes('pets'));
  await run('DROP TABLE pets');
  await chooseFromMenu(session, 'Pets', 'Compare Schemas…');
  await session.notifications.filter({ hasText: "The schemas of 'Pets' and 'Sample Shop' are equal." }).waitFor();
});
