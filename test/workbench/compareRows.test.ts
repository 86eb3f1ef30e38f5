import { startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { inFront, runLine, shopFiles, tab } from '../support/shopTabs.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = 'CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, weight, chip BLOB);';
const before = `${pets} INSERT INTO pets VALUES (1, 'Ada', 1, NULL), (2, 'Bix', 2.5, x'00ff'), (3, NULL, 3, NULL), (4, '', 9007199254740993, NULL)`;
const after = `${pets} INSERT INTO pets VALUES (1, 'Ada', 1.0, NULL), (2, 'Box', 2.5, x'00fe'), (4, '', 9007199254740992, NULL), (5, 'Eve', 5, NULL)`;

async function chooseMenuItem({ page }: WorkbenchSession): Promise<void> {
  // A new menu ignores clicks for a moment, so that the click that opened it does not pick an item.
  await page.getByRole('menuitem', { name: 'Compare Rows With…' }).hover();
  await page.keyboard.press('Enter');
}

workbenchTest('a table is compared with that of another project', {}, async session => {
  await using shop = await startServiceWith(before);
  await using copy = await startServiceWith(after);
  await session.setFolderSettings({
    'sqlProjects.projects': [
      { name: 'Shop', baseUrl: shop.baseUrl, projectId: shop.projectId },
      { name: 'Copy', baseUrl: copy.baseUrl, projectId: copy.projectId },
    ],
  });
  await session.openView('SQL Projects');
  const input = new QuickInput(session.page);
  for (const [nth, { name, apiKey }] of [
    { name: 'Shop', ...shop },
    { name: 'Copy', ...copy },
  ].entries()) {
    await session.expand(name);
    await session.treeItem(/No API key is set for this project/).click();
    await input.enterKey(apiKey);
    await session.treeItem('Tables').nth(nth).waitFor();
  }
  await session.treeItem('pets').first().click({ button: 'right' });
  await chooseMenuItem(session);
  await input.root.getByRole('option', { name: /pets.*Copy/ }).click();
  const results = await session.webviewFrame('SQL Results');
  const figures = results.getByRole('contentinfo');
  await figures.getByText('1 added, 1 removed, 3 changed, 0 the same').waitFor();
  await results.getByText('Before: pets of Shop').waitFor();
  const cells = results.getByRole('gridcell');
  // The storage classes are shown where nothing else shows the change.
  await cells.and(results.locator('[aria-description="real, changed from 1 integer"]')).waitFor();
  await cells.and(results.locator('[aria-description="changed from 9007199254740993"]')).waitFor();
  await results.getByRole('button', { name: '1 added' }).click();
  await results.getByRole('gridcell', { name: 'Ada', exact: true }).waitFor({ state: 'detached' });
  await results.getByRole('button', { name: 'Only Changed Columns' }).click();
  await results.getByRole('gridcell', { name: 'Eve', exact: true }).waitFor();
});

workbenchTest('two results are compared as whole rows from the menu of a tab', { files: shopFiles }, async session => {
  await session.openFile('shop.sql');
  await inFront(await runLine(session, 2), 'SELECT 42 AS answer');
  const results = await runLine(session, 3);
  await inFront(results, 'SELECT 43 AS answer');
  await tab(results, 'SELECT 43 AS answer').click({ button: 'right' });
  await chooseMenuItem(session);
  const { root } = new QuickInput(session.page);
  await root.getByRole('option', { name: /SELECT 42 AS answer/ }).click();
  await root.getByRole('checkbox', { name: 'Whole Rows' }).first().click();
  await root.getByRole('button', { name: 'OK' }).click();
  await results.getByRole('contentinfo').getByText('1 added, 1 removed, 0 changed, 0 the same').waitFor();
});
