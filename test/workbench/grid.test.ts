import type { FrameLocator } from 'playwright-core';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';
import { activeCell, keyPicture } from '../support/pageParts.ts';

const script = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
SELECT i, (i * 7919) % 5000 AS mixed, iif(i % 10, 'text ' || i, NULL) AS words, json_object('row', i) AS doc FROM n;
`;

// test/webview/grid/realHost.test.ts sorts, filters, finds and sums up in a plain page.
workbenchTest(
  'keys of the grid reach the grid and not VS Code, cells go to the clipboard, and VS Code lists the columns',
  { files: { 'shop.sql': script } },
  async session => {
    const { keyboard } = session.page;
    await openSampleProject(session);
    await session.openFile('shop.sql');
    const results = await runFromKeyboard(session);
    const grid = results.getByRole('grid');
    const hasFocus = grid.and(results.locator(':focus'));
    const active = activeCell(results);
    await grid.getByRole('gridcell').first().click();

    await keyboard.press('Control+f');
    await results.getByRole('textbox', { name: 'Find in All Rows' }).and(results.locator(':focus')).waitFor();
    await keyboard.type('text 4999');
    await results.getByText('1 of 1', { exact: true }).waitFor();
    await active.getByText('text 4999').waitFor();
    await keyboard.press('Escape');
    await hasFocus.waitFor();

    await keyboard.press('Home');
    await keyboard.press('Control+Space');
    await results.getByText('Sum 12502500').waitFor();
    await session.screenshot('grid-selection');
    await keyboard.press('Control+c');
    await statusItem(session.page, 'Copied 5,000 cells of 5,000 rows.').waitFor();

    await keyboard.press('Alt+ArrowDown');
    await results.getByRole('menuitem', { name: 'Choose Columns…' }).click();
    const columns = new QuickInput(session.page);
    await columns.waitForPrompt('Choose Columns');
    await session.screenshot('grid-choose-columns');
    await columns.root
      .getByRole('checkbox', { name: /^words/ })
      .first()
      .click();
    await columns.root.getByRole('button', { name: 'OK', exact: true }).click();
    await grid.getByRole('columnheader', { name: 'words', exact: true }).waitFor({ state: 'hidden' });
    await hasFocus.waitFor();

    await keyboard.press('Escape');
    await keyboard.press('Space');
    const record = results.getByRole('complementary', { name: 'Record' });
    await record.getByText('4999', { exact: true }).first().waitFor();
    await session.screenshot('grid-record');
    await keyboard.press('Escape');
    await hasFocus.waitFor();
  },
);

workbenchTest(
  'columns of a result have the keys of their tables, and a foreign key leads to its row, after a reload too',
  { files: { 'shop.sql': 'SELECT id, customer_id AS buyer, id + 1 AS next FROM orders ORDER BY id LIMIT 5;\n' } },
  async session => {
    const { keyboard } = session.page;
    await openSampleProject(session);
    await session.openFile('shop.sql');
    const results = await runFromKeyboard(session);
    await keyPicture(results.getByRole('columnheader', { name: 'id' }), 'primaryKey').waitFor();
    await keyPicture(results.getByRole('columnheader', { name: 'buyer' }), 'foreignKey').waitFor();
    await session.screenshot('grid-result-keys');
    const followBuyer = async (shown: FrameLocator): Promise<void> => {
      const cell = shown.getByRole('gridcell').nth(1);
      const buyer = await cell.innerText();
      await cell.click();
      await activeCell(shown).filter({ hasText: buyer.trim() }).waitFor();
      await keyboard.press('Control+Enter');
      const table = await session.webviewFrame('customers');
      await table.getByRole('button', { name: `id = ${buyer.trim()}`, exact: true }).waitFor();
      await table.getByText('1 of 1 rows').or(table.getByRole('gridcell').first()).first().waitFor();
    };
    await followBuyer(results);

    await session.runCommand('View: Close All Editors');
    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    await results.getByRole('tab', { name: /, pinned\b/ }).waitFor();
    await session.reload();
    const restored = await session.webviewFrame('SQL Results');
    await keyPicture(restored.getByRole('columnheader', { name: 'buyer' }), 'foreignKey').waitFor();
    await followBuyer(restored);
  },
);
