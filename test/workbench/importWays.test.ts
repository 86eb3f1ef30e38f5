import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openImportDialog } from '../support/importDialog.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { QuickInput } from '../support/quickInput.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Drops a file as VS Code's explorer does. In a browser it has the address of the machine that runs the extension. */
async function dropFile(item: Locator, path: string): Promise<void> {
  await item.evaluate((element, file) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('text/uri-list', `vscode-remote://${location.host}${file}`);
    const event = { bubbles: true, cancelable: true, dataTransfer };
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, event));
  }, path);
}

/** Drops a file as the system does: only the browser has it. */
async function dropContent(item: Locator, file: { readonly name: string; readonly content: string }): Promise<void> {
  await item.evaluate((element, { name, content }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], name, { type: 'text/csv' }));
    const event = { bubbles: true, cancelable: true, dataTransfer };
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, event));
  }, file);
}

/** Takes 30 calls. */
const manyRows = 300_000;
const many = `id,code\n${Array.from({ length: manyRows }, (_, id) => `${id},c${id}`).join('\n')}\n`;

const members = 'CREATE TABLE members(id INTEGER PRIMARY KEY, code TEXT, note TEXT)';
const files = {
  'dropped.csv': 'id;code\n1;007\n2;1e5\n3;"a;b"\n4;x\n',
  'ages.csv': 'id,age\n1,41\n2,abc\n3,\n',
};

workbenchTest(
  'a text in a column for numbers is announced and rejects its row, until the user wants it stored as text',
  { files },
  async session => {
    await using service = await startServiceWith('CREATE TABLE ages(id INTEGER PRIMARY KEY, age INTEGER)');
    await openProjectOf(session, 'Shop', service);
    const ages = async (): Promise<unknown[]> => (await service.query('SELECT age FROM ages ORDER BY id')).flat();
    const first = await openImportDialog(session, 'ages', 'ages.csv');
    await first.root.getByRole('option', { name: /Import 3 Rows….*rejects 1 of the first 3/ }).click();
    const done = session.notifications.filter({ hasText: "Imported 2 rows into 'ages'. 1 row was rejected." });
    await done.getByRole('button', { name: 'Show Rejected Rows' }).click();
    await waitForText(session.page, "'age' takes numbers. Import the row with 'Store Text in Number Columns'");
    assert.deepEqual(await ages(), [41, null]);
    await service.query('DELETE FROM ages');
    const second = await openImportDialog(session, 'ages', 'ages.csv');
    await second.root.getByRole('option', { name: /Store Text in Number Columns/ }).click();
    await second.root.getByRole('option', { name: /Import 3 Rows….*into 'ages'/ }).click();
    await session.notifications.filter({ hasText: "Imported 3 rows into 'ages'." }).waitFor();
    assert.deepEqual(await ages(), [41, 'abc', '']);
  },
);

workbenchTest(
  'rows of the clipboard, and files that are dropped on a table, are imported',
  { files },
  async session => {
    await using service = await startServiceWith(members);
    await openProjectOf(session, 'Shop', service);
    const codes = async (): Promise<unknown[]> => (await service.query('SELECT code FROM members ORDER BY id')).flat();
    await session.page.evaluate(() => navigator.clipboard.writeText('id\tcode\n11\t007\n12\t1e5\n'));
    await chooseFromMenu(session, 'members', 'Import Rows from Clipboard…');
    const { root } = new QuickInput(session.page);
    await root.getByRole('option', { name: /Format: TSV/ }).waitFor();
    await root.getByRole('option', { name: /Import 2 Rows/ }).click();
    await session.notifications.filter({ hasText: "Imported 2 rows into 'members'." }).waitFor();
    assert.deepEqual(await codes(), ['007', '1e5']);
    await dropFile(session.treeItem('members'), join(session.folder, 'dropped.csv'));
    await root.getByRole('option', { name: /Import 4 Rows/ }).click();
    // VS Code may show no toast beside those of a moment ago.
    const isImported = async (): Promise<boolean> => (await codes()).length === 6;
    await waitUntil(isImported, { what: 'the dropped file is not imported' });
    assert.deepEqual(await codes(), ['007', '1e5', 'a;b', 'x', '007', '1e5']);
  },
);

workbenchTest('a file of the system that is dropped on a table in a browser is imported', {}, async session => {
  await using service = await startServiceWith(members);
  await openProjectOf(session, 'Shop', service);
  await dropContent(session.treeItem('members'), { name: 'system.csv', content: 'id,code\n21,0021\n' });
  const { root } = new QuickInput(session.page);
  await root.getByRole('option', { name: /Import 1 Row/ }).click();
  await session.notifications.filter({ hasText: "Imported 1 row into 'members'." }).waitFor();
  assert.deepEqual(await service.query('SELECT id, code FROM members'), [[21, '0021']]);
});

workbenchTest('a read-only project takes no rows', { files }, async session => {
  await using service = await startServiceWith(members);
  await openProjectOf(session, 'Shop', service, { protection: 'readOnly' });
  await chooseFromMenu(session, 'members', 'Import Rows…');
  await session.notifications.filter({ hasText: /read-only/ }).waitFor();
});

workbenchTest(
  'an import pauses, outlives a reload of the window, and continues without losing or doubling a row',
  { files: { 'many.csv': many } },
  async session => {
    // One call a second: the window is reloaded long before the import has ended, also on a slow machine.
    await using service = await startServiceWith('CREATE TABLE codes(id, code TEXT)', {
      rateLimit: { perSecond: 1, burst: 12 },
    });
    await openProjectOf(session, 'Shop', service);
    const input = await openImportDialog(session, 'codes', 'many.csv');
    await input.root.getByRole('option', { name: /Import ~/ }).click();
    await session.notifications.filter({ hasText: "Importing into 'codes'" }).waitFor();
    await session.page.getByRole('button', { name: /Importing into codes/ }).click();
    await session.page.getByRole('button', { name: /Import into codes Paused/ }).waitFor();
    await session.screenshot('import-paused');
    await session.reload();
    // A message hides after some seconds. The list of messages keeps it.
    await session.runCommand('Notifications: Show Notifications');
    const offer = session.notifications.filter({ hasText: "The import of many.csv into 'codes' has not ended." });
    await offer.getByRole('button', { name: 'Resume' }).click();
    await session.notifications.filter({ hasText: "Imported 300,000 rows into 'codes'." }).waitFor();
    const sql = 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM codes';
    // The import has used up the calls of its last second.
    const { rows } = await service.client.execSql(service.projectId, { sql }, { retries: 5 });
    assert.deepEqual(rows, [{ n: manyRows, ids: manyRows }]);
  },
);

workbenchTest(
  'the user chooses the mode, the key, the text for NULL and the columns of an import',
  { files: { 'changes.csv': 'number,title,ignored\n1,-,x\n2,,y\n9,new,z\n' } },
  async session => {
    await using service = await startServiceWith(members);
    await service.query("INSERT INTO members VALUES (1, 'a', 'kept'), (2, 'b', 'kept')");
    await openProjectOf(session, 'Shop', service);
    const input = await openImportDialog(session, 'members', 'changes.csv');
    const option = (name: RegExp) => input.root.getByRole('option', { name }).first();
    await option(/Columns/).click();
    await option(/^title/).click();
    await option(/code/).click();
    await option(/^number/).click();
    await option(/id/).click();
    await session.screenshot('import-columns');
    await option(/Use These Columns/).click();
    await option(/Columns: 2 of 3.*without ignored/).waitFor();
    await option(/NULL Text/).click();
    await option(/Other/).click();
    await input.answer('Stands for NULL', '-');
    await option(/NULL Text: -/).waitFor();
    await option(/Rows That Exist/).click();
    await option(/Update Only/).click();
    await option(/Key: id/).waitFor();
    await option(/Import 3 Rows/).click();
    const message = "Imported 2 rows into 'members'. 1 row matched no row, or had the key of a later one.";
    await session.notifications.filter({ hasText: message }).waitFor();
    assert.deepEqual(await service.query('SELECT * FROM members ORDER BY id'), [
      [1, null, 'kept'],
      [2, '', 'kept'],
    ]);
  },
);
