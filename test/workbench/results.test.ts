import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
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

workbenchTest(
  'pinned results and results in editors survive a reload, and run again with the values that the user lets VS Code store',
  {
    settings: { 'sqlProjects.results.saveParameterValues': true },
    files: {
      ...shopFiles,
      'word.sql': '-- @params ["again", 9007199254740993, 5.0]\nSELECT ? AS word, ? AS big, ? / 2;\n',
    },
  },
  async session => {
    await session.openFile('shop.sql');
    const results = await runLine(session, 3);
    await inFront(results, 'SELECT 43 AS answer');
    await results.getByRole('button', { name: 'Open to the Side' }).click();
    const before = await session.webviewFrame('SELECT 43 AS answer');
    await before.getByRole('gridcell', { name: '43', exact: true }).waitFor();
    await session.openFile('word.sql');
    await goToLine(session, 2);
    await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: 'again', exact: true }).waitFor();
    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    const pinned = 'SELECT ? AS word, ? AS big, ? / 2, Sample Shop, pinned';
    await results.getByRole('tab', { name: pinned }).waitFor();
    const tooltip = /\nSELECT \? AS word, \? AS big, \? \/ 2;\nValues: 'again', 9007199254740993, 5(?:\.0)?$/;
    assert.match((await results.getByRole('tab', { name: pinned }).getAttribute('title')) ?? '', tooltip);

    await session.reload();
    const restored = await session.webviewFrame('SQL Results');
    await restored.getByRole('tab', { name: pinned }).waitFor();
    await restored
      .getByText(/ · from \d\d:\d\d, [A-Z][a-z]{2} \d{1,2}$/)
      .first()
      .waitFor();
    assert.match((await restored.getByRole('tab', { name: pinned }).getAttribute('title')) ?? '', tooltip);
    await restored.getByRole('gridcell', { name: 'again', exact: true }).waitFor();
    assert.equal(await restored.getByRole('tab').count(), 1);
    await restored.getByRole('button', { name: 'Rerun' }).click();
    await restored.getByRole('tab').nth(1).and(restored.locator('[aria-selected="true"]')).waitFor();
    await restored.getByRole('gridcell', { name: '9007199254740993', exact: true }).waitFor();
    await restored.getByRole('gridcell', { name: '2.5', exact: true }).waitFor();
    await session.editorTab('SELECT 43 AS answer').click();
    const editor = await session.webviewFrame('SELECT 43 AS answer');
    await editor.getByRole('gridcell', { name: '43', exact: true }).waitFor();
  },
);
