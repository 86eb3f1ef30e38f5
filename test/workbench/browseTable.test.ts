import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

async function pressBrowse(session: WorkbenchSession, table: string): Promise<void> {
  await session.treeItem(table).hover();
  await session.treeItem(table).getByRole('button', { name: 'Browse Table' }).click();
}

async function browse(session: WorkbenchSession, table: string): Promise<FrameLocator> {
  await pressBrowse(session, table);
  return session.webviewFrame(table);
}

async function typeRow(session: WorkbenchSession, row: string): Promise<void> {
  // The command is in the palette by words that begin so, too.
  await new QuickInput(session.page).answer(/^Go to Row of (?!Table)/, row);
}

sharingTest('a table is browsed in an editor, page after page as one scrolls', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  // The page behind the one that is looked at is there already.
  await table.getByText(/^Rows 1–\d+ of more than 1,000 · offset 0$/).waitFor();
  await table.getByText("The order is the service's own.").waitFor();
  await table.getByRole('gridcell').first().click();
  await session.page.keyboard.press('Control+End');
  await table.getByText(/of more than 1,500 · offset 9\d\d$/).waitFor();
  await table.locator('[role="row"][aria-rowindex="1001"]').getByRole('gridcell').first().waitFor();
  await session.screenshot('browse-table');
});

sharingTest('any row is jumped to by its number, and a jump beyond the end goes to the end', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  const goTo = async (row: string): Promise<void> => {
    await table.getByRole('button', { name: 'Go to Row…' }).click();
    await typeRow(session, row);
  };
  await goTo('4,000');
  await table.locator('[role="row"][aria-rowindex="4001"]').getByRole('gridcell').first().waitFor();
  await table.getByText(/of more than 4,\d00/).waitFor();
  await goTo('9000000');
  await session.page.getByText(/order_lines ends at row 100,000/).waitFor();
  await table.getByText(/^Rows [\d,]+–([\d,]+) of \1 ·/).waitFor();
});

sharingTest('the rows are counted when asked for, and then the end is known', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  await table.getByText(/of more than 1,000/).waitFor();
  await table.getByRole('button', { name: 'Count Rows' }).click();
  await table.getByText(/^Rows 1–\d+ of 100,000 · offset 0$/).waitFor();
  await table.getByRole('button', { name: 'Count Rows' }).and(table.locator('[aria-disabled="true"]')).waitFor();
});

sharingTest('tables stand in tabs of their own, and a table that is open is shown again', {}, async session => {
  await openSampleProject(session);
  await browse(session, 'customers');
  await browse(session, 'categories');
  await session.editorTab('categories').waitFor();
  await pressBrowse(session, 'customers');
  await session.editorTab('customers').and(session.page.locator('[aria-selected="true"]')).waitFor();
  assert.equal(await session.editorTab('customers').count(), 1);
});

sharingTest('tables whose names differ by more than the case of A to Z have tabs of their own', {}, async session => {
  await using service = await startServiceWith('CREATE TABLE "été"(a); CREATE TABLE "ÉTÉ"(a)');
  await openProjectOf(session, 'Seasons', service);
  await browse(session, 'été');
  await browse(session, 'ÉTÉ');
});

sharingTest('tables of the same name in two projects have tabs that tell them apart', {}, async session => {
  await using service = await startServiceWith('SELECT 1');
  await openProjectOf(session, 'Mine', service);
  await browse(session, 'customers');
  await session.editorTab('customers').and(session.page.locator('[aria-selected="true"]')).waitFor();
  await session.collapse('Mine');
  await openSampleProject(session);
  await pressBrowse(session, 'customers');
  await session.editorTab('customers: Sample Shop').and(session.page.locator('[aria-selected="true"]')).waitFor();
  await session.webviewFrame('customers: Sample Shop');
  await session.editorTab('customers: Mine').waitFor();
  const { baseUrl, projectId } = service;
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Renamed', baseUrl, projectId }] });
  await session.editorTab('customers: Renamed').waitFor();
  await session.editorTab('customers: Sample Shop').click();
  await session.editorTab('customers: Sample Shop').and(session.page.locator('[aria-selected="true"]')).waitFor();
  await session.runCommand('View: Close Editor');
  await session.editorTab('customers: Sample Shop').waitFor({ state: 'detached' });
  await session.page
    .getByRole('main')
    .getByRole('tab', { name: /^customers(?!:)/ })
    .waitFor();
});

workbenchTest('after a reload a table is where it was', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  await table.getByText(/of more than 1,000/).waitFor();
  await session.runCommand('SQL Projects: Go to Row of Table…');
  await typeRow(session, '3000');
  await table.getByText(/offset 2,9\d\d/).waitFor();
  await session.reload();
  const again = await session.webviewFrame('order_lines');
  await again.locator('[role="row"][aria-rowindex="3001"]').getByRole('gridcell').first().waitFor();
});

workbenchTest('after a reload a sorted table is sorted, and in the same place', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'customers');
  const header = table.getByRole('columnheader', { name: 'id' });
  await header.click();
  await table.getByText('The service sorts and filters, by SQL.').waitFor();
  await header.click();
  await table.getByRole('gridcell', { name: '2000', exact: true }).waitFor();
  await session.runCommand('SQL Projects: Go to Row of Table…');
  await typeRow(session, '1500');
  await table.getByText('Row 1,500 · id').waitFor();
  await session.reload();
  const again = await session.webviewFrame('customers');
  await again.getByText('The service sorts and filters, by SQL.').waitFor();
  await again.locator('[role="row"][aria-rowindex="1501"]').getByRole('gridcell', { name: '501' }).first().waitFor();
});

sharingTest('the SQL of a table opens for its project', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'customers');
  await table.getByRole('gridcell').first().waitFor();
  await table.getByRole('button', { name: 'Open as SQL' }).click();
  await session.waitForEditorFocus();
  await session.page.getByText('SELECT * FROM customers;').first().waitFor();
  await session.page
    .getByRole('button', { name: /Sample Shop/ })
    .first()
    .waitFor();
});

sharingTest(
  'sorting and filtering is the work of the service, and its SQL opens with the values',
  {},
  async session => {
    await openSampleProject(session);
    const table = await browse(session, 'customers');
    await table.getByRole('columnheader', { name: 'name' }).click();
    await table.getByText('The service sorts and filters, by SQL.').waitFor();
    await table.getByRole('gridcell').nth(1).click();
    await session.page.keyboard.press('Alt+ArrowDown');
    await table.getByRole('menuitem', { name: 'Filter…' }).click();
    await table.getByRole('textbox', { name: 'Text' }).fill('AN');
    await session.page.keyboard.press('Enter');
    await table.getByText(/^name contains/).waitFor();
    await table.getByText(/^Rows 1–\d+ of 101 that pass the filters · offset 0$/).waitFor();
    await session.screenshot('browse-arranged');
    await table.getByRole('button', { name: 'Open as SQL' }).click();
    await session.waitForEditorFocus();
    const editor = session.page.getByRole('code');
    await editor.getByText('-- @params ["AN"]').waitFor();
    await editor.getByText('ORDER BY name, id;').waitFor();
    // It runs as it stands, and gives the same rows.
    const results = await runFromKeyboard(session);
    await results
      .getByText(/^101 rows · /)
      .first()
      .waitFor();
    await results
      .getByRole('row', { name: /Hana Amsel/ })
      .first()
      .waitFor();
  },
);

const twelveHundred =
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT);' +
  "INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 10 UNION ALL SELECT i + 10 FROM i LIMIT 1200) SELECT i, 'part ' || i FROM i";

sharingTest('rows that a write repeats are marked, and a refresh shows each once where one was', {}, async session => {
  await using service = await startServiceWith(twelveHundred);
  await openProjectOf(session, 'Parts', service);
  const table = await browse(session, 'parts');
  await table.getByText(/of more than 1,000/).waitFor();
  await service.client.execSql(service.projectId, { sql: "INSERT INTO parts VALUES (1, 'new'), (2, 'new')" });
  await session.runCommand('SQL Projects: Go to Row of Table…');
  await typeRow(session, '1001');
  await table.getByText('2 rows came twice').waitFor();
  const row = table.locator('[role="row"][aria-rowindex="1002"]');
  await row.and(table.locator('.repeated')).waitFor();
  await row.getByRole('gridcell', { name: '9990', exact: true }).waitFor();
  await session.screenshot('browse-repeated');
  await table.getByRole('button', { name: 'Refresh' }).click();
  await row.getByRole('gridcell', { name: '9990', exact: true }).waitFor();
  await table.getByText('2 rows came twice').waitFor({ state: 'hidden' });
  await table.locator('.repeated').first().waitFor({ state: 'detached' });
});

sharingTest('a table that was dropped keeps its rows in view and says what to do', {}, async session => {
  await using service = await startServiceWith(twelveHundred);
  await openProjectOf(session, 'Parts', service);
  const table = await browse(session, 'parts');
  await table.getByRole('gridcell', { name: 'part 10', exact: true }).waitFor();
  await service.client.execSql(service.projectId, { sql: 'DROP TABLE parts' });
  await table.getByRole('button', { name: 'Refresh' }).click();
  await session.notifications.filter({ hasText: 'dropped or renamed' }).waitFor();
  await table.getByRole('gridcell', { name: 'part 10', exact: true }).waitFor();
});

workbenchTest('the tab of a project that is gone says so after a reload, and comes back with it', {}, async session => {
  await using service = await startServiceWith(twelveHundred);
  await openProjectOf(session, 'Parts', service);
  const table = await browse(session, 'parts');
  await table.getByRole('gridcell', { name: 'part 10', exact: true }).waitFor();
  await session.setFolderSettings({ 'sqlProjects.projects': [] });
  await session.treeItem('Parts').waitFor({ state: 'detached' });
  await session.reload();
  const again = await session.webviewFrame('parts');
  await again.getByText('The project Parts is not among the projects').waitFor();
  const { baseUrl, projectId } = service;
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Parts', baseUrl, projectId }] });
  const back = await session.webviewFrame('parts');
  await back.getByRole('gridcell', { name: 'part 10', exact: true }).waitFor();
});

sharingTest('an export takes the whole table, of which only the first pages have come', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  await table.getByText(/of more than 1,000/).waitFor();
  await table.getByRole('button', { name: 'Export Rows…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByText('100,000 rows').first().waitFor();
  await input.root.getByRole('option', { name: /^NDJSON\b/ }).click();
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to order_lines.ndjson: 100,000.' }).waitFor();
  const lines = (await readFile(join(session.folder, 'order_lines.ndjson'), 'utf8')).trimEnd().split('\n');
  assert.equal(lines.length, 100_000);
  assert.match(lines[0] ?? '', /^\{"order_id":1,/);
});

sharingTest('an export says how many rows it wrote, also if more have come meanwhile', {}, async session => {
  await using service = await startServiceWith(twelveHundred);
  await openProjectOf(session, 'Parts', service);
  const table = await browse(session, 'parts');
  await table.getByRole('button', { name: 'Export Rows…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByText('1,200 rows').first().waitFor();
  await service.client.execSql(service.projectId, { sql: "INSERT INTO parts(name) VALUES ('late')" });
  await input.root.getByRole('option', { name: /^NDJSON\b/ }).click();
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
  await session.notifications.filter({ hasText: 'Exported rows to parts.ndjson: 1,201.' }).waitFor();
});

sharingTest('a hidden table is where it was when it is shown again, as far as one had scrolled', {}, async session => {
  await openSampleProject(session);
  const table = await browse(session, 'order_lines');
  await table.getByText(/of more than 1,000/).waitFor();
  await session.runCommand('SQL Projects: Go to Row of Table…');
  await typeRow(session, '700');
  await table.getByText('Row 700 · order_id').waitFor();
  await browse(session, 'categories');
  await session.editorTab('order_lines').click();
  const again = await session.webviewFrame('order_lines');
  await again.getByText('Row 700 · order_id').waitFor();
  await again.locator('[role="row"][aria-rowindex="701"]').getByRole('gridcell').first().waitFor();
});

sharingTest('from the palette the table is chosen from a list', {}, async session => {
  await openSampleProject(session);
  await session.runCommand('SQL Projects: Browse Table');
  await session.page.getByRole('option', { name: 'Sample Shop' }).click();
  await session.page.getByRole('option', { name: 'categories' }).click();
  const table = await session.webviewFrame('categories');
  await table.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
});
