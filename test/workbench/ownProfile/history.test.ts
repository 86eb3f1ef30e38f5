/** The history in a real window: recorded, found, opened, run again, and there after a restart. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { HistoryStore } from '../../../src/model/history/historyStore.ts';
import { historyEntry } from '../../support/historyThread.ts';
import { QuickInput } from '../../support/quickInput.ts';
import { goToLine, pressRun, runFromKeyboard } from '../../support/sampleProject.ts';
import { startTestService } from '../../support/testService.ts';
import { chooseFromMenu } from '../../support/treeMenu.ts';
import { toolCaller } from '../../support/workbench/toolCaller.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const service = await startTestService();
const agent = toolCaller();

const shop =
  '-- @project Sample Shop\nSELECT 42 AS answer;\nSELECT absent;\nUPDATE customers SET note = NULL WHERE id = 1;\n';

workbenchTest(
  'the history has what was run, shows rows of closed results after a restart, and finds entries of other windows',
  {
    ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } },
    developmentExtension: agent.extension,
    files: { 'shop.sql': shop },
  },
  async session => {
    const { page } = session;
    const storage = join(session.server.userDataDir, 'User/globalStorage/sql-project-explorer.sql-project-explorer');
    await session.openFile('shop.sql');
    await goToLine(session, 2);
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await goToLine(session, 3);
    await pressRun(session);
    await results.getByRole('button', { name: 'Go to Error' }).waitFor();
    await goToLine(session, 4);
    await pressRun(session);
    await results.getByText('1 row changed').first().waitFor();
    await agent.call('sql_query', { sql: 'SELECT name FROM customers ORDER BY id', rows: 2 });

    await session.runCommand('SQL Projects: Focus on History View');
    await session.treeItem(/^SELECT name FROM customers ORDER BY id.* extension · 2 rows/).waitFor();
    await session.treeItem(/^UPDATE customers.* 1 changed/).waitFor();
    await session.treeItem(/^SELECT absent.* failed/).waitFor();
    await session.treeItem(/^SELECT 42 AS answer.* Sample Shop · 1 row/).waitFor();

    // Another window writes to the same file.
    const store = new HistoryStore(join(storage, 'history'));
    store.add({ entries: [historyEntry({ sql: 'SELECT "other window"', project: 'Elsewhere' })], maxEntries: 100_000 });
    await session.treeItem(/^SELECT "other window".* Elsewhere/).waitFor();

    await session.reload();
    await session.runCommand('SQL Projects: Focus on History View');
    await chooseFromMenu(session, /^SELECT 42 AS answer/, 'Show Rows');
    const after = await session.webviewFrame('SQL Results');
    await after.getByRole('tab', { name: /^SELECT 42 AS answer from \w+ \d+, \d\d:\d\d/ }).waitFor();
    await after.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await after
      .getByText(/from \d\d:\d\d, \w+ \d+/)
      .first()
      .waitFor();
    assert.equal(await after.getByRole('button', { name: 'Rerun' }).count(), 0, 'the rows stay as they were');

    const input = new QuickInput(page);
    await session.runCommand('SQL Projects: Search History…');
    await input.field.fill('customers update');
    await session.treeItem(/^UPDATE customers/).waitFor();
    await session.treeItem(/^SELECT 42/).waitFor({ state: 'detached' });
    await input.field.fill('answer');
    await session.treeItem(/^UPDATE customers/).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await session.treeItem(/^SELECT 42 AS answer/).click();
    await page
      .getByRole('main')
      .getByRole('tab', { name: /^-- @project Sample Shop/ })
      .waitFor();

    await session.runCommand('SQL Projects: Search History…');
    // The hover of the field may cover the button.
    await input.root.getByRole('button', { name: 'Filter…' }).dispatchEvent('click');
    await input.waitForPrompt('Show Only');
    await input.root.getByRole('checkbox', { name: 'failed' }).first().click();
    await page.keyboard.press('Enter');
    await session.treeItem(/^SELECT absent/).waitFor();
    await session.treeItem(/^SELECT 42/).waitFor({ state: 'detached' });
    await session.runCommand('SQL Projects: Search History…');
    await session.treeItem(/^SELECT 42/).waitFor();
    await page.keyboard.press('Enter');
    await chooseFromMenu(session, /^UPDATE customers/, 'Save Query…');
    await input.saveFile(/queries\/customers\.sql$/);
    await session.editorTab('customers.sql').waitFor();

    await chooseFromMenu(session, /^UPDATE customers/, 'Rerun');
    await after.getByText('1 row changed').first().waitFor();
    await waitUntil(() => store.page({ count: 100, filter: { text: 'UPDATE' } }).length === 2, {
      what: 'the second run is not recorded',
    });
    assert.equal(store.page({ count: 1, filter: { text: 'UPDATE' } })[0]?.kind, 'rerun');
    await session.runCommand('SQL Projects: Clear History…');
    await page.getByRole('dialog').getByRole('button', { name: 'Clear History' }).click();
    await session
      .treeItem(/^UPDATE customers/)
      .first()
      .waitFor({ state: 'detached' });
    assert.deepEqual(store.page({ count: 1 }), []);
    store.close();
  },
);
