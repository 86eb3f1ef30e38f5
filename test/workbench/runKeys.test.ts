import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { waitForText } from '../support/pageParts.ts';
import { QuickInput } from '../support/quickInput.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import { findWidget } from '../support/workbench/editorParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = `SELECT id FROM customers ORDER BY id LIMIT 5;
SELECT name FROM products LIMIT 2;
`;
const files = { 'keys.sql': script };

const selectedTab = (results: FrameLocator) => results.locator('[role="tab"][aria-selected="true"]');

workbenchTest(
  'Alt+Enter runs the last statement again, wherever the cursor is, and selects all matches while Find is open',
  { files },
  async session => {
    const { keyboard } = session.page;
    await session.openFile('keys.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
    const first = await selectedTab(results).getAttribute('id');
    await goToLine(session, 2);
    await keyboard.press('Alt+Enter');
    await results.locator(`[role="tab"][aria-selected="true"]:not([id="${first}"])`).waitFor();
    await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
    assert.equal(await results.getByRole('tab').count(), 1);

    // As in any other editor of VS Code.
    const again = await selectedTab(results).getAttribute('id');
    await keyboard.press('Control+f');
    await findWidget(session.page).waitFor();
    await keyboard.type('SELECT');
    await findWidget(session.page).getByText('of 2').waitFor();
    await session.page.getByRole('code').first().click();
    await session.waitForEditorFocus();
    await keyboard.press('Alt+Enter');
    await session.page.getByText(/^2 selections/).waitFor();
    assert.equal(await selectedTab(results).getAttribute('id'), again);
    await keyboard.press('Escape');
    await keyboard.press('Escape');
    await findWidget(session.page).waitFor({ state: 'detached' });
  },
);

workbenchTest(
  'Ctrl+Alt+Enter runs all statements, and Shift+Alt+Enter explains the one at the cursor',
  { files },
  async session => {
    const { keyboard } = session.page;
    await session.openFile('keys.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell').first().waitFor();
    await session.waitForEditorFocus();
    await keyboard.press('Control+Alt+Enter');
    await session.notifications.filter({ hasText: '2 statements: 2 succeeded · ' }).waitFor();
    await results.getByRole('tab').nth(1).waitFor();
    assert.equal(await results.getByRole('tab').count(), 2);
    await session.waitForEditorFocus();
    await goToLine(session, 2);
    await keyboard.press('Shift+Alt+Enter');
    await results.getByRole('tab', { name: 'Plan: products' }).waitFor();
    await results.getByRole('treeitem', { name: /^SCAN products/ }).waitFor();
  },
);

workbenchTest(
  'Shift+Alt+Backspace stops what runs from the editor',
  {
    files: { 'endless.sql': 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;\n' },
    settings: { 'sqlProjects.results.maxRows': Number.MAX_SAFE_INTEGER },
  },
  async session => {
    await session.openFile('endless.sql');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
    await session.page.getByRole('button', { name: 'Stop Running Statements' }).waitFor();
    await session.waitForEditorFocus();
    await session.page.keyboard.press('Shift+Alt+Backspace');
    await waitForText(results, / · Cancelled after \d/);
  },
);

workbenchTest(
  'Ctrl+G goes to a row while the focus is in the grid, and to a line in the editor',
  { files },
  async session => {
    const { keyboard } = session.page;
    const input = new QuickInput(session.page);
    await session.openFile('keys.sql');
    await pressRun(session);
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell').first().click();
    await keyboard.press('Control+g');
    await input.root.getByText('Go to Row', { exact: true }).waitFor();
    await input.field.fill('4');
    await keyboard.press('Enter');
    await results.getByText(/^Row 4 of 5 /).waitFor();
    await results.getByRole('grid').and(results.locator(':focus')).waitFor();
    await session.editorTab('keys.sql').click();
    await session.waitForEditorFocus();
    await keyboard.press('Control+g');
    await input.root.getByText('Go to Row', { exact: true }).waitFor({ state: 'hidden' });
    await input.field.fill(':2');
    await keyboard.press('Enter');
    await session.waitForCursor(2);
  },
);
