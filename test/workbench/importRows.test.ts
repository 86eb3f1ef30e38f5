import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const manyRows = 60_000;
const many = `id,code\n${Array.from({ length: manyRows }, (_, id) => `${id},c${id}`).join('\n')}\n`;

const members = 'CREATE TABLE members(id INTEGER PRIMARY KEY, code TEXT NOT NULL, note TEXT)';
const files = {
  'members.csv': 'id;code;extra\n1;007;x\n2;1e5;y\n3;"a;b";z\n3;twice;z\n4\n',
  'cities.csv': 'city,zip,population\nBerlin,01234,3500000\nParis,75000,2100000\n',
};

async function chooseFile(session: WorkbenchSession, name: string): Promise<QuickInput> {
  const input = new QuickInput(session.page);
  await input.chooseFile(join(session.folder, name));
  return input;
}

workbenchTest('the rows of a file are previewed and imported, and bad rows are set aside', { files }, async session => {
  await using service = await startServiceWith(members);
  await openProjectOf(session, 'Shop', service, { protection: 'confirmWrites' });
  await chooseFromMenu(session, 'members', 'Import Rows…');
  const input = await chooseFile(session, 'members.csv');
  await input.root.getByRole('option', { name: /Import 5 Rows….*1 of the first 5/ }).waitFor();
  await input.root.getByRole('option', { name: /Columns: 2 of 3.*without extra/ }).waitFor();
  await input.root.getByRole('option', { name: /Delimiter: semicolon/ }).waitFor();
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('tab', { name: /Preview of members\.csv/ }).waitFor();
  await results.getByRole('gridcell', { name: '007' }).waitFor();
  await session.screenshot('import-dialog');
  await input.root.getByRole('option', { name: /Import 5 Rows/ }).click();
  const dialog = session.page.getByRole('dialog', { name: /Import 5 rows into 'members' in Shop/ });
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  await cancel.and(session.page.locator(':focus')).waitFor();
  await dialog.getByRole('button', { name: 'Import Rows', exact: true }).click();
  const done = session.notifications.filter({ hasText: "Imported 3 rows into 'members'. 2 rows were rejected." });
  await done.getByRole('button', { name: 'Browse Table' }).waitFor();
  const { rows } = await service.client.execSql(service.projectId, { sql: 'SELECT * FROM members' });
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      [1, '007', null],
      [2, '1e5', null],
      [3, 'a;b', null],
    ],
  );
  await done.getByRole('button', { name: 'Show Rejected Rows' }).click();
  await session.page.getByText('UNIQUE constraint failed: members.id').first().waitFor();
});

workbenchTest('a new table is created as the user writes its statement', { files }, async session => {
  await using service = await startServiceWith(members);
  await openProjectOf(session, 'Shop', service);
  await chooseFromMenu(session, 'Shop', 'Import Rows…');
  const input = await chooseFile(session, 'cities.csv');
  await input.root.getByRole('option', { name: /New Table: cities/ }).waitFor();
  await input.root.getByRole('option', { name: /Import 2 Rows/ }).click();
  const question = session.notifications.filter({ hasText: 'Check the statement of the new table.' });
  const editor = session.page.locator('.editor-instance .view-lines');
  await editor.getByText('population INTEGER').waitFor();
  await editor.getByText('zip TEXT').waitFor();
  await question.getByRole('button', { name: 'Create Table and Import' }).click();
  await session.notifications.filter({ hasText: "Imported 2 rows into 'cities'." }).waitFor();
  const { rows } = await service.client.execSql(service.projectId, { sql: 'SELECT * FROM cities' });
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      ['Berlin', '01234', 3_500_000],
      ['Paris', '75000', 2_100_000],
    ],
  );
  await session.treeItem('cities').waitFor();
});

workbenchTest('a read-only project takes no rows', { files }, async session => {
  await using service = await startServiceWith(members);
  await openProjectOf(session, 'Shop', service, { protection: 'readOnly' });
  await chooseFromMenu(session, 'members', 'Import Rows…');
  await session.notifications.filter({ hasText: /read-only/ }).waitFor();
});

workbenchTest(
  'an import pauses, outlives a reload of the window, and goes on without losing or doubling a row',
  { files: { 'many.csv': many } },
  async session => {
    // Few calls a second: the window is reloaded before the import has ended.
    await using service = await startServiceWith('CREATE TABLE codes(id, code TEXT)', {
      rateLimit: { perSecond: 1, burst: 12 },
    });
    await openProjectOf(session, 'Shop', service);
    await chooseFromMenu(session, 'codes', 'Import Rows…');
    const input = await chooseFile(session, 'many.csv');
    await input.root.getByRole('option', { name: /Import ~/ }).click();
    await session.notifications.filter({ hasText: "Importing into 'codes'" }).waitFor();
    await session.page.getByRole('button', { name: /Importing into codes/ }).click();
    await session.page.getByRole('button', { name: /Import into codes Paused/ }).waitFor();
    await session.screenshot('import-paused');
    await session.reload();
    await session.openView('SQL Projects');
    const offer = session.notifications.filter({ hasText: "The import of many.csv into 'codes' has not ended." });
    await offer.getByRole('button', { name: 'Resume' }).click();
    await session.notifications.filter({ hasText: "Imported 60,000 rows into 'codes'." }).waitFor();
    const { rows } = await service.client.execSql(service.projectId, {
      sql: 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM codes',
    });
    assert.deepEqual(rows, [{ n: manyRows, ids: manyRows }]);
  },
);
