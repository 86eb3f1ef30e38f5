import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { sampleAddress } from '../support/sampleAddress.ts';
import { goToLine, pressRun, runFromKeyboard } from '../support/sampleProject.ts';
import type { ThemeKind, WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const elsewhere = { name: 'Elsewhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' };
const twins = ['p1', 'p2'].map(projectId => ({ name: 'Twin', baseUrl: elsewhere.baseUrl, projectId }));

/** The project in the status bar, by what is said of it. */
const status = ({ page }: WorkbenchSession, text: string | RegExp): Locator =>
  page.locator('.statusbar-item').filter({ hasText: text });

async function pick(session: WorkbenchSession, project: string): Promise<void> {
  await session.page.getByRole('option', { name: project }).first().click();
}

workbenchTest(
  'the status bar names the project of the active SQL editor, lets it be changed, and remembers it for the file',
  {
    files: { 'shop.sql': 'SELECT 1;', 'other.sql': 'SELECT 2;', 'notes.txt': '' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    await session.openFile('shop.sql');
    await status(session, 'Choose Project').click();
    await pick(session, 'Elsewhere');
    await status(session, 'Elsewhere').waitFor();
    await session.waitForEditorFocus();
    await session.openFile('other.sql');
    await status(session, 'Choose Project').waitFor();
    await session.openFile('notes.txt');
    await status(session, 'Choose Project').waitFor({ state: 'detached' });
    await session.reload();
    await session.openFile('shop.sql');
    await status(session, 'Elsewhere').waitFor();
  },
);

workbenchTest(
  'while the head of a file is edited, its project in the status bar changes where it stands and never goes away',
  {
    files: { 'shop.sql': '-- @project Elsewhere\nSELECT 1;' },
    settings: {
      'sqlProjects.projects': [
        { ...elsewhere, color: 'red' },
        { ...elsewhere, name: 'Elsewhere2', projectId: 'p2', color: 'blue' },
      ],
    },
  },
  async session => {
    const { page } = session;
    await session.openFile('shop.sql');
    await status(session, /^ ?Elsewhere$/).waitFor();
    const removed = await page.evaluateHandle(() => {
      const texts: string[] = [];
      new MutationObserver(changes => {
        for (const { removedNodes } of changes) {
          for (const node of removedNodes) {
            if (node instanceof HTMLElement && node.matches('.statusbar-item')) texts.push(node.textContent);
          }
        }
      }).observe(document.querySelector('.statusbar')!, { childList: true, subtree: true });
      return texts;
    });
    await page.keyboard.press('End');
    await page.keyboard.type('2');
    await status(session, 'Elsewhere2').waitFor();
    assert.deepEqual(
      (await removed.jsonValue()).filter(text => text.includes('Elsewhere')),
      [],
    );
  },
);

workbenchTest(
  'a protected project is warned of in the colours of the theme, also when that changes while somebody reads the output',
  {
    files: { 'live.sql': '-- @project Live\nSELECT 1;' },
    settings: { 'sqlProjects.projects': [{ ...elsewhere, name: 'Live', protection: 'readOnly' }] },
  },
  async session => {
    const live = status(session, 'Live (read-only)');
    const withBackground = live.and(session.page.locator('.error-kind'));
    await session.openFile('live.sql');
    await withBackground.waitFor();
    await session.runCommand('Output: Show Output Channels...');
    await session.page.getByRole('option', { name: 'SQL Projects' }).first().click();
    await session.page.locator('.panel .monaco-editor.focused').waitFor();
    await session.setTheme('hcDark');
    await live.and(session.page.locator(':not(.error-kind)')).waitFor();
    await session.setTheme('light');
    await withBackground.waitFor();
  },
);

workbenchTest(
  'a file that is renamed keeps its project, and so does a query that is saved',
  { files: { 'shop.sql': 'SELECT 1;' }, settings: { 'sqlProjects.projects': [elsewhere] } },
  async session => {
    const { page } = session;
    const input = page.locator('.quick-input-widget input').first();
    await session.openFile('shop.sql');
    await status(session, 'Choose Project').click();
    await pick(session, 'Elsewhere');
    await status(session, 'Elsewhere').waitFor();
    await session.openView('Explorer');
    await session.treeItem('shop.sql').click();
    await page.keyboard.press('F2');
    await page.locator('.monaco-inputbox input:focus').fill('store.sql');
    await page.keyboard.press('Enter');
    await session.openFile('store.sql');
    await status(session, 'Elsewhere').waitFor();

    await session.runCommand('SQL Projects: New Query');
    await pick(session, 'Elsewhere');
    await session.editorTab('Untitled-1').and(page.locator('[aria-selected="true"]')).waitFor();
    await session.waitForEditorFocus();
    await page.keyboard.type('SELECT 2;');
    await page.keyboard.press('Control+s');
    // The dialog proposes a name when it is ready, in the place of what was typed before.
    const proposed = async (): Promise<boolean> => (await input.inputValue()).endsWith('SELECT 2;.sql');
    await waitUntil(proposed, { what: 'no name is proposed' });
    await input.fill(`${session.folder}/query.sql`);
    await page.keyboard.press('Enter');
    await session.editorTab('query.sql').waitFor();
    await status(session, 'Elsewhere').waitFor();
    await session.reload();
    await session.openFile('query.sql');
    await status(session, 'Elsewhere').waitFor();
  },
);

workbenchTest(
  'a line at the head of a file says where its statements go, and changing the project changes the line',
  {
    files: { 'shop.sql': '-- @project Sample Shop\nSELECT 42 AS answer;' },
    settings: { 'sqlProjects.projects': [elsewhere] },
  },
  async session => {
    await session.openFile('shop.sql');
    await status(session, 'Sample Shop').waitFor();
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await status(session, 'Sample Shop').click();
    await pick(session, 'Elsewhere');
    await session.page.getByRole('code').getByText('-- @project Elsewhere').waitFor();
    await status(session, 'Elsewhere').waitFor();
  },
);

workbenchTest(
  'a name that fits no project, or several, is said, and the statement goes nowhere',
  {
    files: { 'lost.sql': '-- @project Nowhere\nSELECT 1;', 'twin.sql': '-- @project Twin\nSELECT 1;' },
    settings: { 'sqlProjects.projects': twins },
  },
  async session => {
    const said = { 'lost.sql': /there is no project of that name/, 'twin.sql': /several projects have that name/ };
    for (const [file, sentence] of Object.entries(said)) {
      await session.openFile(file);
      await pressRun(session);
      const told = session.notifications.filter({ hasText: sentence });
      await told.getByText('Nothing was run.').waitFor();
      await told.getByRole('button', { name: 'Choose Project' }).waitFor();
    }
    await status(session, 'Twin').waitFor();
    assert.equal(await session.page.locator('iframe.webview').count(), 0);
  },
);

workbenchTest(
  'a name with an icon in it is text in the status bar and in lists',
  {
    files: { 'shop.sql': 'SELECT 1;', 'lost.sql': '-- @project Lost $(rocket)\nSELECT 1;' },
    settings: { 'sqlProjects.projects': [{ ...elsewhere, name: 'Shop $(rocket)' }] },
  },
  async session => {
    const { page } = session;
    await session.openFile('lost.sql');
    await status(session, /Lost \$\u2060?\(rocket\)/).waitFor();
    await session.openFile('shop.sql');
    await status(session, 'Choose Project').click();
    await page.getByRole('option', { name: /^Shop \$\u2060?\(rocket\)/ }).click();
    await status(session, /Shop \$\u2060?\(rocket\)/).waitFor();
    await session.openView('SQL Projects');
    await session.treeItem(/^Shop \$\(rocket\)/).waitFor();
    assert.equal(await page.locator('.codicon-rocket').count(), 0);
  },
);

const guardedScript = `-- @project Guarded
SELECT name FROM categories ORDER BY id LIMIT 1;
DELETE FROM reviews WHERE id < 0;
WITH gone AS (SELECT -1 AS id) DELETE FROM reviews WHERE id IN (SELECT id FROM gone);
`;

/** The sample project under a name and a protection of the user's own; it has its key from the local service. */
async function openGuarded(session: WorkbenchSession, protection: string): Promise<void> {
  const { baseUrl, projectId } = await sampleAddress();
  const guarded = { name: 'Guarded', baseUrl, projectId, protection, color: 'purple' };
  await session.setFolderSettings({ 'sqlProjects.projects': [guarded] });
  await session.openView('SQL Projects');
  await session.treeItem('Guarded').waitFor();
  await session.openFile('guarded.sql');
}

/** The colours of an item of the status bar, or of a text. */
const lookOf = (item: Locator): Promise<string> =>
  item.first().evaluate(element => {
    const label = element.querySelector('.statusbar-item-label') ?? element;
    return `${getComputedStyle(element).backgroundColor} ${getComputedStyle(label).color}`;
  });

const kinds: readonly ThemeKind[] = ['light', 'dark', 'hcLight', 'hcDark'];

workbenchTest(
  'a read-only project runs what reads, and refuses what writes, also behind WITH',
  { files: { 'guarded.sql': guardedScript } },
  async session => {
    await openGuarded(session, 'readOnly');
    await status(session, 'Guarded (read-only)').waitFor();
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: 'Home' }).waitFor();
    await results.getByText('read-only', { exact: true }).waitFor();
    for (const line of [3, 4]) {
      await goToLine(session, line);
      await pressRun(session);
      const told = session.notifications.filter({ hasText: 'Guarded is read-only, and this statement writes.' });
      await told.first().waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
      await session.waitForEditorFocus();
    }
    await results.getByRole('gridcell', { name: 'Home' }).waitFor();
    for (const kind of kinds) {
      await session.setTheme(kind);
      const readOnly = status(session, 'Guarded (read-only)');
      const badge = results.getByText('read-only', { exact: true });
      const stand = async (): Promise<boolean> =>
        (await lookOf(readOnly)) !== (await lookOf(status(session, 'Ln 4'))) &&
        (await lookOf(badge)) !== (await lookOf(results.getByText('Guarded', { exact: true })));
      await waitUntil(stand, { what: `nothing warns in ${kind}` });
      await session.screenshot(`read-only-${kind}`);
    }
  },
);

workbenchTest(
  'a project that asks before writes shows the statement, and runs it when it is told to',
  { files: { 'guarded.sql': guardedScript } },
  async session => {
    await openGuarded(session, 'confirmWrites');
    await status(session, 'Guarded (asks before writes)').waitFor();
    await goToLine(session, 3);
    await pressRun(session);
    const question = session.page.getByRole('dialog').filter({ hasText: 'Run this statement in Guarded?' });
    await question.getByText('DELETE FROM reviews WHERE id < 0').waitFor();
    await session.screenshot('confirm-writes');
    await question.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await session.page.locator('iframe.webview').count(), 0);
    await session.waitForEditorFocus();
    await pressRun(session);
    await question.getByRole('button', { name: 'Run' }).click();
    const results = await session.webviewFrame('SQL Results');
    await results
      .getByText(/^0 rows changed · /)
      .first()
      .waitFor();
  },
);
