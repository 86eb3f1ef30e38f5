import assert from 'node:assert/strict';
import { columnEdge, waitForText } from '../support/pageParts.ts';
import { waitForParameterForm } from '../support/parameterForm.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import { inFront, runLine, shopFiles, tab } from '../support/shopTabs.ts';
import { tracesOf } from '../support/workbench/traces.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { readyWebviews } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

workbenchTest(
  'a pinned result stays when its statement runs again, and tabs are renamed and closed by key and by menu',
  { files: shopFiles },
  async session => {
    const { page } = session;
    await session.openFile('shop.sql');
    const results = await runLine(session, 2);
    await inFront(results, 'SELECT 42 AS answer');
    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    await results.getByRole('tab', { name: 'SELECT 42 AS answer, Sample Shop, pinned' }).waitFor();
    await runLine(session, 2);
    await results.getByRole('tab').nth(1).waitFor();
    await results.getByRole('tab').nth(1).focus();
    await page.keyboard.press('F2');
    const { field } = new QuickInput(page);
    await field.fill('The answer');
    await page.keyboard.press('Enter');
    await inFront(results, 'The answer');
    // The focus returns to the tab.
    const focused = results.getByRole('tab', { name: 'The answer' }).and(results.locator(':focus'));
    await focused.waitFor();
    await page.keyboard.press('F2');
    await field.waitFor();
    // VS Code restores the focus only after the page has reported that it lost it.
    await focused.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await focused.waitFor();
    await runLine(session, 3);
    await inFront(results, 'SELECT 43 AS answer');
    await results.getByRole('tab', { name: 'The answer' }).click({ button: 'right' });
    const close = page.getByRole('menuitem', { name: 'Close Other Results' });
    await close.hover();
    await page.keyboard.press('Enter');
    await tab(results, 'SELECT 43 AS answer').waitFor({ state: 'detached' });
    assert.equal(await results.getByRole('tab').count(), 2, 'the pinned result stays');
    await results.getByRole('tab', { name: 'The answer' }).focus();
    await page.keyboard.press('Delete');
    await results.getByRole('tab', { name: 'The answer' }).waitFor({ state: 'detached' });
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
  },
);

workbenchTest(
  'Move to Panel closes the editor of a result and shows its rows as a tab',
  { files: shopFiles },
  async session => {
    await session.openFile('shop.sql');
    const results = await runLine(session, 2);
    await inFront(results, 'SELECT 42 AS answer');
    await results.getByRole('button', { name: 'Open to the Side' }).click();
    await session.editorTab('SELECT 42 AS answer').waitFor();
    const editor = await session.webviewFrame('SELECT 42 AS answer');
    await editor.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await tab(results, 'SELECT 42 AS answer').waitFor({ state: 'detached' });
    await editor.getByRole('button', { name: 'Move to Panel' }).click();
    await session.editorTab('SELECT 42 AS answer').waitFor({ state: 'detached' });
    await inFront(results, 'SELECT 42 AS answer');
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
  },
);

workbenchTest('a statement that runs again keeps its sort and its columns', { files: shopFiles }, async session => {
  await session.openFile('shop.sql');
  const results = await runLine(session, 1);
  await inFront(results, 'customers');
  const header = results.getByRole('columnheader', { name: 'id' });
  await header.click();
  await header.click();
  const firstCell = results.getByRole('gridcell').first();
  await firstCell.filter({ hasText: /^5$/ }).waitFor();
  const edge = await columnEdge(header).boundingBox();
  assert.ok(edge);
  const { mouse } = session.page;
  await mouse.move(edge.x + 2, edge.y + 5);
  await mouse.down();
  await mouse.move(edge.x + 62, edge.y + 5, { steps: 3 });
  await mouse.up();
  const width = async (): Promise<number> => Math.round((await header.boundingBox())?.width ?? 0);
  const widened = await width();
  const status = results.locator('footer');
  for (const again of ['key', 'button'] as const) {
    const before = await results.getByRole('tab', { selected: true }).getAttribute('id');
    if (again === 'key') await runLine(session, 1);
    else await results.getByRole('button', { name: 'Rerun' }).click();
    await results.locator(`[role="tab"][aria-selected="true"]:not([id="${before}"])`).waitFor();
    await status.getByText(/^5 rows/).waitFor();
    await results.locator('[aria-sort="descending"]').waitFor();
    await firstCell.filter({ hasText: /^5$/ }).waitFor();
    assert.equal(await width(), widened);
  }
});

workbenchTest('Go to Statement says when the statement was changed since', { files: shopFiles }, async session => {
  await session.openFile('shop.sql');
  const results = await runLine(session, 2);
  await inFront(results, 'SELECT 42 AS answer');
  await session.page.keyboard.press('End');
  await session.page.keyboard.press('ArrowLeft');
  await session.page.keyboard.type('s');
  await results.getByRole('button', { name: 'More Actions…' }).click();
  await results.getByRole('menuitem', { name: 'Go to Statement' }).click();
  await session.notifications.filter({ hasText: 'The statement has changed since it ran. It was here.' }).waitFor();
  await session.waitForCursor(2);
});

workbenchTest(
  'a run pauses at the maximum number of rows, and the user resumes or stops it',
  { files: shopFiles, settings: { 'sqlProjects.results.maxRows': 1000 } },
  async session => {
    await session.openFile('shop.sql');
    const results = await runLine(session, 4);
    const says = (text: RegExp): Promise<void> => results.getByText(text).first().waitFor();
    await says(/^1,000\+ rows · Paused · /);
    await results.getByText('Paused at 1,000 rows (limit). Continue loads as many again.').first().waitFor();
    await session.screenshot('results-paused');
    await results.getByRole('button', { name: 'Continue' }).click();
    await says(/^2,000\+ rows · Paused · /);
    await results.getByRole('button', { name: 'Finish' }).click();
    await says(/^2,000\+ rows · Finished at the limit · /);
    await results.getByRole('grid').focus();
    await session.page.keyboard.press('Control+End');
    await results.getByRole('gridcell', { name: '2000', exact: true }).waitFor();
  },
);

workbenchTest('results stay while their view is hidden', { files: shopFiles }, async session => {
  await session.openFile('shop.sql');
  await runLine(session, 2);
  const results = await runLine(session, 3);
  await inFront(results, 'SELECT 43 AS answer');
  await session.runCommand('View: Hide Panel');
  await readyWebviews(session.page).waitFor({ state: 'detached' });
  await session.runCommand('SQL Results: Focus on SQL Results View');
  const again = await session.webviewFrame('SQL Results');
  await inFront(again, 'SELECT 43 AS answer');
  await again.getByRole('gridcell', { name: '43', exact: true }).waitFor();
  assert.equal(await again.getByRole('tab').count(), 2);
});

workbenchTest(
  'parameter values are stored nowhere, so a result that survived a reload says so, and Rerun asks for them',
  { files: { 'find.sql': 'SELECT id AS found FROM customers WHERE id = 7 OR name = ?;\n' } },
  async session => {
    const { page } = session;
    const secret = 'canary-value-0123456789';
    const answerForm = async (value: string): Promise<void> => {
      const form = await waitForParameterForm(session, 'Sample Shop');
      await form.field(1).fill(value);
      await page.keyboard.press('Enter');
    };
    await session.openFile('find.sql');
    await pressRun(session);
    await answerForm(secret);
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: '7', exact: true }).waitFor();
    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    await results.getByRole('tab', { name: /, pinned/ }).waitFor();
    // VS Code writes its storage with a delay.
    const isStored = async (): Promise<boolean> => /saved[^]*AS found FROM/.test((await tracesOf(session)).storages);
    await waitUntil(isStored, { what: 'the pinned result is not stored' });
    const { storages, files: storedFiles } = await tracesOf(session);
    assert.doesNotMatch(storages, new RegExp(secret));
    assert.doesNotMatch(storedFiles, new RegExp(secret));

    await session.reload();
    const restored = await session.webviewFrame('SQL Results');
    await waitForText(restored, 'The parameter values were not saved. Rerun asks for them.');
    await restored.getByRole('gridcell', { name: '7', exact: true }).waitFor();
    await session.screenshot('results-without-values');
    await restored.getByRole('button', { name: 'Rerun' }).click();
    await answerForm('nobody');
    await restored.getByRole('tab').nth(1).and(restored.locator('[aria-selected="true"]')).waitFor();
    await restored.getByRole('gridcell', { name: '7', exact: true }).waitFor();
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
    await waitForText(restored, / · from \d\d:\d\d, [A-Z][a-z]{2} \d{1,2}$/);
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
