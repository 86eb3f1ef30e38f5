import assert from 'node:assert/strict';
import { waitForText } from '../support/pageParts.ts';
import { browseTable } from '../support/windowTable.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: its panels, inputs, commands and reload. browsedTable.test.ts of the grid tests the pages with the
 * extension's own code behind them, tableEditors.test.ts of the host the tabs and their restoring.
 */

workbenchTest('Browse Table opens an editor whose pages arrive as the user scrolls', {}, async session => {
  await openSampleProject(session);
  const table = await browseTable(session, 'order_lines');
  await table.getByText(/^Rows 1–\d+ of 1,000\+$/).waitFor();
  await table.getByText('Unsorted').waitFor();
  await table.getByRole('gridcell').first().click();
  await session.page.keyboard.press('Control+End');
  await table.getByText(/of 1,500\+$/).waitFor();
  await table.locator('[role="row"][aria-rowindex="1001"]').getByRole('gridcell').first().waitFor();
  await session.screenshot('browse-table');
});

workbenchTest(
  'a click previews a table as a file, and Enter opens it with the focus in the grid',
  {},
  async session => {
    await openSampleProject(session);
    await session.treeItem('categories').click();
    await session.webviewFrame('categories');
    await session.treeItem('customers').click();
    await session.webviewFrame('customers');
    await session.editorTab('categories').waitFor({ state: 'detached' });
    await session.page.keyboard.press('ArrowDown');
    await session.page.keyboard.press('Enter');
    const table = await session.webviewFrame('order_lines');
    await table.locator('[role="grid"]:focus').waitFor();
    await session.treeItem('orders').dblclick();
    const orders = await session.webviewFrame('orders');
    await orders.locator('[role="grid"]:focus').waitFor();
    await session.treeItem('products').click();
    await session.webviewFrame('products');
    await session.treeItem('reviews').click();
    await session.webviewFrame('reviews');
    await session.editorTab('products').waitFor({ state: 'detached' });
    for (const name of ['order_lines', 'orders']) assert.equal(await session.editorTab(name).count(), 1);
    await session.screenshot('preview-table');
  },
);

workbenchTest(
  'Open as SQL opens a document of the project, whose statement gives the sorted and filtered rows',
  {},
  async session => {
    await openSampleProject(session);
    const table = await browseTable(session, 'customers');
    await table.getByRole('columnheader', { name: 'name' }).click();
    await table.getByText(/^sorted by /).waitFor();
    await table.getByRole('gridcell').nth(1).click();
    await session.page.keyboard.press('Alt+ArrowDown');
    await table.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
    await table.getByRole('textbox', { name: 'Value', exact: true }).fill('AN');
    await session.page.keyboard.press('Enter');
    await table.getByText(/^name contains/).waitFor();
    await table.getByText(/^Rows 1–\d+ of 101$/).waitFor();
    await session.screenshot('browse-arranged');
    await table.getByRole('button', { name: 'More Actions…' }).click();
    await table.getByRole('menuitem', { name: 'Open as SQL' }).click();
    await session.waitForEditorFocus();
    const editor = session.page.getByRole('code');
    await editor.getByText('-- @params ["AN"]').waitFor();
    await editor.getByText('ORDER BY name, id;').waitFor();
    const results = await runFromKeyboard(session);
    await waitForText(results, /^101 rows · /);
    await results
      .getByRole('row', { name: /Hana Amsel/ })
      .first()
      .waitFor();
  },
);
