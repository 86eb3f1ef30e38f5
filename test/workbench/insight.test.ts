import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { takePictures } from '../support/themePictures.ts';
import { browseTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) SELECT i FROM n';
const sold = "iif(i % 10 = 0, NULL, date('2026-01-01', (i % 300) || ' days'))";
const sql = `SELECT i AS id, iif(i % 3, 'Bern', 'Zürich') AS city, i * i % 97 AS total, ${sold} AS sold FROM (${numbers});\n`;
const files = { 'sales.sql': sql };

workbenchTest('a result shows what is in its columns, and a click filters by it', { files }, async session => {
  await session.openFile('sales.sql');
  const results = await runFromKeyboard(session);
  await results.getByText('3,000 rows · ').first().waitFor();
  await results.getByRole('grid').focus();
  await session.page.keyboard.press('Control+i');
  const profile = results.getByRole('row', { name: 'Profile' });
  await profile.getByText('2 different', { exact: true }).waitFor();
  await profile.getByText('270 different · 10% NULL').waitFor();
  await takePictures(session, 'profile-strip');
  await profile.locator('.profile-bar[title^="Zürich"]').click();
  await results.getByText('1,000 of 3,000 rows').first().waitFor();
  await profile.locator('.profile-bar.chosen').click();
  await results.getByText('Zürich', { exact: true }).first().waitFor();
  await profile.getByText('2 different', { exact: true }).click();
  const panel = results.getByRole('dialog', { name: 'Profile of city' });
  await panel.getByText('Shortest text').waitFor();
  await takePictures(session, 'profile-panel');
  await panel.getByRole('button', { name: 'Bern, 2,000 rows' }).press('Enter');
  await panel.getByRole('button', { name: 'Bern, 2,000 rows', pressed: true }).waitFor();
  await session.page.keyboard.press('Escape');
  await results.getByText('2,000 of 3,000 rows').first().waitFor();
});

workbenchTest('rows are grouped by month, and a group leads to its rows', { files }, async session => {
  await session.openFile('sales.sql');
  const results = await runFromKeyboard(session);
  await results.getByText('3,000 rows · ').first().waitFor();
  await results.getByRole('grid').focus();
  for (let moves = 0; moves < 3; moves++) await session.page.keyboard.press('ArrowRight');
  await session.page.keyboard.press('Alt+ArrowDown');
  await results.getByRole('menuitem', { name: 'Group By…' }).click();
  const { root } = new QuickInput(session.page);
  await root
    .getByRole('checkbox', { name: /sold.*by month/ })
    .first()
    .click();
  await session.page.keyboard.press('Enter');
  await root
    .getByRole('checkbox', { name: /Sum of total/ })
    .first()
    .click();
  await takePictures(session, 'group-prompt');
  await session.page.keyboard.press('Enter');
  await results.getByRole('columnheader', { name: 'sum(total)' }).waitFor();
  await results.getByRole('tab', { name: /^month\(sold\), count\(\*\), sum\(total\)/ }).waitFor();
  await results
    .getByText(/^11 rows · /)
    .first()
    .waitFor();
  await takePictures(session, 'groups');
  await results.getByRole('button', { name: 'More Actions…' }).click();
  await results.getByRole('menuitem', { name: 'Copy as SQL' }).click();
  await session.page.waitForFunction(() => navigator.clipboard.readText().then(text => text.includes('GROUP BY 1')));
  await results.getByRole('gridcell', { name: '2026-03', exact: true }).dblclick();
  await results.getByText('280 of 3,000 rows').first().waitFor();
  const dates = await results.getByRole('gridcell', { name: /^2026-/ }).allInnerTexts();
  assert.ok(dates.length > 0 && dates.every(date => date.startsWith('2026-03')), dates.join());
});

workbenchTest('the service profiles and groups a browsed table', {}, async session => {
  await openSampleProject(session);
  const editor = await browseTable(session, 'customers');
  await editor.getByRole('gridcell').first().waitFor();
  await editor.getByRole('grid').focus();
  await session.page.keyboard.press('Control+i');
  const profile = editor.getByRole('row', { name: 'Profile' });
  await profile
    .getByText(/ different/)
    .first()
    .waitFor();
  await takePictures(session, 'profile-table');
  await session.page.keyboard.press('Alt+ArrowDown');
  await editor.getByRole('menuitem', { name: 'Group By…' }).click();
  const { root } = new QuickInput(session.page);
  await root.getByRole('checkbox').nth(1).waitFor();
  await session.page.keyboard.press('Enter');
  await root
    .getByRole('checkbox', { name: /Number of Rows/ })
    .first()
    .waitFor();
  await session.page.keyboard.press('Enter');
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('columnheader', { name: 'count(*)' }).waitFor();
});
