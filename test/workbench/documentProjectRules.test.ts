import assert from 'node:assert/strict';
import { showLog } from '../support/extensionLog.ts';
import { QuickInput } from '../support/quickInput.ts';
import { guardedFiles, openGuarded } from '../support/guardedProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import {
  icons,
  plainStatusItem,
  removedStatusTexts,
  statusItem,
  webviews,
} from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const elsewhere = { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };
const twins = ['p1', 'p2'].map(projectId => ({ name: 'Twin', baseUrl: elsewhere.baseUrl, projectId }));

async function pick(session: WorkbenchSession, project: string): Promise<void> {
  await session.page.getByRole('option', { name: project }).first().click();
}

workbenchTest(
  'the project in the status bar never disappears while the head of its file is edited',
  {
    files: { 'head.sql': '-- @project Elsewhere\nSELECT 1;' },
    settings: {
      'sqlProjects.projects': [
        { ...elsewhere, color: 'red' },
        { ...elsewhere, name: 'Elsewhere2', projectId: 'p2', color: 'blue' },
      ],
    },
  },
  async session => {
    const { page } = session;
    await session.openFile('head.sql');
    await statusItem(session.page, /^ ?Elsewhere$/).waitFor();
    const removed = await removedStatusTexts(page);
    await page.keyboard.press('End');
    await page.keyboard.type('2');
    await statusItem(session.page, 'Elsewhere2').waitFor();
    assert.deepEqual(
      (await removed.jsonValue()).filter(text => text.includes('Elsewhere')),
      [],
    );
  },
);

workbenchTest(
  'a protected project has the icon and the name of its protection, and no warning, also while the output has the focus',
  {
    files: { 'live.sql': '-- @project Live\nSELECT 1;' },
    settings: { 'sqlProjects.projects': [{ ...elsewhere, name: 'Live', protection: 'readOnly' }] },
  },
  async session => {
    const lock = icons(plainStatusItem(session.page, 'Live · Read-only'), 'lock');
    await session.openFile('live.sql');
    await lock.waitFor();
    await showLog(session);
    await lock.waitFor();
  },
);

workbenchTest(
  'a renamed file keeps its project, and so does a saved query',
  { files: { 'renamed.sql': 'SELECT 1;' }, settings: { 'sqlProjects.projects': [elsewhere] } },
  async session => {
    const { page } = session;
    const input = new QuickInput(page).field;
    await session.openFile('renamed.sql');
    await statusItem(session.page, 'Choose Project').click();
    await pick(session, 'Elsewhere');
    await statusItem(session.page, 'Elsewhere').waitFor();
    await session.openView('Explorer');
    await session.treeItem('renamed.sql').click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: /^Type file name\./ }).fill('store.sql');
    await page.keyboard.press('Enter');
    await session.openFile('store.sql');
    await statusItem(session.page, 'Elsewhere').waitFor();

    await session.runCommand('SQL Projects: New Query');
    await pick(session, 'Elsewhere');
    await session.editorTab('Untitled-1').and(page.locator('[aria-selected="true"]')).waitFor();
    await session.waitForEditorFocus();
    await page.keyboard.type('SELECT 2;');
    await page.keyboard.press('Control+s');
    // The dialog replaces earlier input by its proposal when it is ready.
    const proposed = async (): Promise<boolean> => (await input.inputValue()).endsWith('SELECT 2;.sql');
    await waitUntil(proposed, { what: 'no name is proposed' });
    await input.fill(`${session.folder}/query.sql`);
    await page.keyboard.press('Enter');
    await session.editorTab('query.sql').waitFor();
    await statusItem(session.page, 'Elsewhere').waitFor();
  },
);

workbenchTest(
  'a statement does not run when the named project is missing or ambiguous',
  {
    files: { 'lost.sql': '-- @project Nowhere\nSELECT 1;', 'twin.sql': '-- @project Twin\nSELECT 1;' },
    settings: { 'sqlProjects.projects': twins },
  },
  async session => {
    const messages = { 'lost.sql': /there is no project of that name/, 'twin.sql': /several projects have that name/ };
    for (const [file, message] of Object.entries(messages)) {
      await session.openFile(file);
      await pressRun(session);
      const notification = session.notifications.filter({ hasText: message });
      await notification.getByText('Nothing was run.').waitFor();
      await notification.getByRole('button', { name: 'Choose Project' }).waitFor();
    }
    await statusItem(session.page, 'Twin').waitFor();
    assert.equal(await webviews(session.page).count(), 0);
  },
);

workbenchTest(
  'a statement below a line of another project is not run, run again or explained in the project of the file',
  {
    files: { 'two.sql': '-- @project Sample Shop\nSELECT 42 AS answer;\n' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    const { keyboard } = session.page;
    await session.openFile('two.sql');
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await session.waitForEditorFocus();
    await goToLine(session, 2);
    await keyboard.insertText('SELECT 1;\n-- @project Elsewhere\n');
    await session.page.getByRole('code').getByText('-- @project Elsewhere').waitFor();
    const refusal = session.notifications.filter({ hasText: 'The line -- @project Elsewhere is not at the top' });
    for (const key of ['Control+Enter', 'Alt+Enter', 'Shift+Alt+Enter']) {
      await session.waitForEditorFocus();
      await keyboard.press(key);
      await refusal.waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      await refusal.waitFor({ state: 'detached' });
    }
    assert.equal(await results.getByRole('tab').count(), 1);
  },
);

workbenchTest(
  'an icon in a project name shows as text in the status bar and in lists',
  {
    files: { 'icon.sql': 'SELECT 1;', 'lostIcon.sql': '-- @project Lost $(rocket)\nSELECT 1;' },
    settings: { 'sqlProjects.projects': [{ ...elsewhere, name: 'Shop $(rocket)' }] },
  },
  async session => {
    const { page } = session;
    await session.openFile('lostIcon.sql');
    await statusItem(session.page, /Lost \$\u2060?\(rocket\)/).waitFor();
    await session.openFile('icon.sql');
    await statusItem(session.page, 'Choose Project').click();
    await page.getByRole('option', { name: /^Shop \$\u2060?\(rocket\)/ }).click();
    await statusItem(session.page, /Shop \$\u2060?\(rocket\)/).waitFor();
    await session.openView('SQL Projects');
    await session.treeItem(/^Shop \$\(rocket\)/).waitFor();
    assert.equal(await icons(page, 'rocket').count(), 0);
  },
);

workbenchTest(
  'a project that confirms writes shows the statement and runs it on confirmation',
  { files: guardedFiles },
  async session => {
    await openGuarded(session, 'confirmWrites');
    await statusItem(session.page, 'Guarded · Confirm writes').waitFor();
    await goToLine(session, 3);
    await pressRun(session);
    const question = session.page
      .getByRole('dialog')
      .filter({ hasText: "Delete rows of 'reviews' in Guarded (127.0.0.1)? It affects no row now." });
    await question.getByText('DELETE FROM reviews WHERE id < 0').waitFor();
    await session.screenshot('confirm-writes');
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await webviews(session.page).count(), 0);
    await session.waitForEditorFocus();
    await pressRun(session);
    // Enter presses the focused button, which shows the rows.
    await question.getByRole('button', { name: 'Show Rows' }).and(session.page.locator(':focus')).waitFor();
    await session.page.keyboard.press('Enter');
    const shown = await session.webviewFrame('SQL Results');
    await shown.getByRole('tab', { name: /^reviews, Guarded/ }).waitFor();
    await shown.getByRole('columnheader', { name: /^id/ }).waitFor();
    await session.editorTab('guarded.sql').click();
    await session.waitForEditorFocus();
    await pressRun(session);
    await question.getByRole('button', { name: 'Delete Rows' }).click();
    const results = await session.webviewFrame('SQL Results');
    await waitForText(results, /^0 rows changed · /);
  },
);
