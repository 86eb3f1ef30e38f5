import assert from 'node:assert/strict';
import { waitForText } from '../support/pageParts.ts';
import { headerNames, runEndless, shopStatements, withoutLimit } from '../support/shopStatements.ts';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest(
  'Run Statement shows the rows of the statement under the cursor',
  { files: shopStatements },
  async session => {
    await openSampleProject(session);
    await session.openFile('shop.sql');
    const results = await runFromKeyboard(session);
    const grid = results.getByRole('grid', { name: 'Rows of Sample Shop' });
    await grid.and(results.locator('[aria-rowcount="6"]')).waitFor();
    await grid.getByRole('row').nth(5).waitFor();
    assert.equal((await headerNames(grid)).join(), 'id,name,email,city,country,newsletter,note,created_at');
    assert.equal(await grid.getByRole('row').count(), 6);
    await waitForText(results, /^5 rows · /);
    // Typing shows that the focus stays in the editor.
    await session.page.keyboard.type('-- typed');
    await session.page.getByRole('code').getByText('-- typed').waitFor();
  },
);

workbenchTest(
  'a statement without rows shows what it changed, that it found none, or why it failed',
  { files: shopStatements },
  async session => {
    await session.openFile('shop.sql');
    await goToLine(session, 6);
    const results = await runFromKeyboard(session);
    await waitForText(results, /^3 rows changed · /);
    await goToLine(session, 7);
    await runFromKeyboard(session);
    await results.getByText('No rows').waitFor();
    await goToLine(session, 5);
    await runFromKeyboard(session);
    await results.getByRole('alert').filter({ hasText: "Line 5, column 15: no such table 'nowhere'" }).waitFor();
  },
);

workbenchTest('an endless statement can be stopped and keeps its rows', withoutLimit, async session => {
  const results = await runEndless(session);
  await results.getByRole('button', { name: 'Stop', exact: true }).click();
  await waitForText(results, / · Cancelled after \d/);
  await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
});
