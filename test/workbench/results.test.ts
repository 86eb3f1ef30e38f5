import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { inFront, runLine, shopFiles, tab } from '../support/shopTabs.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest(
  'each statement has a tab, and one that runs again replaces its own result',
  { files: shopFiles },
  async session => {
    await openSampleProject(session);
    await session.openFile('shop.sql');
    const results = await runFromKeyboard(session);
    await inFront(results, 'customers');
    await runLine(session, 2);
    await inFront(results, 'SELECT 42 AS answer');
    await runLine(session, 1);
    await inFront(results, 'customers');
    await results.getByRole('gridcell').first().waitFor();
    assert.equal(await results.getByRole('tab').count(), 2);
    // The focus stays in the editor.
    await session.page.keyboard.type('-- typed');
    await session.page.getByRole('code').getByText('-- typed').waitFor();
    await tab(results, 'SELECT 42 AS answer').click();
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    for (const theme of ['light', 'dark', 'hcDark', 'hcLight'] as const) {
      await session.setTheme(theme);
      await session.screenshot(`results-tabs-${theme}`);
    }
  },
);

workbenchTest(
  'a result moves into an editor, where it is renamed and runs again; the next result is a tab beside it',
  { files: shopFiles },
  async session => {
    const { page } = session;
    const input = new QuickInput(page);
    await session.openFile('shop.sql');
    const results = await runLine(session, 2);
    await inFront(results, 'SELECT 42 AS answer');
    await session.runCommand('SQL Projects: Open Result to the Side');
    await session.editorTab('SELECT 42 AS answer').waitFor();
    const editor = await session.webviewFrame('SELECT 42 AS answer');
    await editor.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await results.getByText('Run a statement to see its rows here.').waitFor();

    await editor.getByRole('button', { name: 'More Actions…' }).click();
    await editor.getByRole('menuitem', { name: 'Rename…' }).click();
    await input.field.fill('The answer');
    await page.keyboard.press('Enter');
    await session.editorTab('The answer').waitFor();

    await runLine(session, 3);
    await results.getByRole('gridcell', { name: '43', exact: true }).waitFor();
    await session.editorTab('The answer').click();
    const shownAgain = await session.webviewFrame('The answer');
    await shownAgain.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await shownAgain.getByRole('button', { name: 'Rerun' }).click();
    await shownAgain.getByRole('button', { name: 'Rerun' }).waitFor();
    await shownAgain.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    assert.equal(await results.getByRole('tab').count(), 1);

    // A command of the palette means the result that the user looked at last.
    await shownAgain.getByRole('grid').focus();
    await session.runCommand('SQL Projects: Rename Result…');
    await input.field.fill('Still the answer');
    await page.keyboard.press('Enter');
    await session.editorTab('Still the answer').waitFor();
    await inFront(results, 'SELECT 43 AS answer');
  },
);
