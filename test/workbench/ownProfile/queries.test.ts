/** The view Queries and Save Query in a real window, with a personal folder of their own. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { waitForParameterForm } from '../../support/parameterForm.ts';
import { QuickInput } from '../../support/quickInput.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { startTestService } from '../../support/testService.ts';
import { chooseFromMenu } from '../../support/treeMenu.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const service = await startTestService();
const personal = join(temporaryFolder(), 'queries');
const machineSettings = {
  'sqlProjects.localService.folder': service.folder,
  'sqlProjects.queries.folder': personal,
};

const script = `SELECT 1;

-- Customers of a city: the newest
SELECT id, name FROM customers WHERE city = :city ORDER BY id LIMIT 3;
`;

workbenchTest(
  'a saved statement is in the view Queries, runs from there with its project, and keeps unsaved text when it is renamed',
  {
    ownProfile: { machineSettings },
    settings: { 'files.autoSave': 'off' },
    files: { 'work.sql': script, 'checks/other.sql': 'SELECT 2;\n' },
  },
  async session => {
    const { page } = session;
    const input = new QuickInput(page);
    /** A menu that closes again, because the window is busy, is opened anew. */
    const choose = async (item: string, command: string, shown: Locator): Promise<void> => {
      const isShown = async (): Promise<boolean> => {
        await chooseFromMenu(session, item, command);
        return shown.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      };
      await waitUntil(isShown, { what: `${command} does nothing` });
    };
    await session.openFile('work.sql');
    await page.keyboard.press('Control+End');
    await session.runCommand('SQL Projects: Save Query…');
    // The folder is made on the way.
    const proposed = join(personal, 'Customers-of-a-city-the-newest.sql');
    await input.saveFile(proposed, { path: join(personal, 'reports/newest') });
    await input.root.getByText('The folder reports does not exist.').waitFor();
    await page.keyboard.press('Enter');
    await session.editorTab('newest.sql').waitFor();
    const file = join(personal, 'reports/newest.sql');
    const saved = `-- @project Sample Shop\n\n${script.slice(script.indexOf('-- Customers')).trimEnd()}\n`;
    assert.equal(await readFile(file, 'utf8'), saved);

    await session.openView('SQL Projects');
    await page.getByRole('button', { name: 'Queries Section' }).click();
    await session.treeItem('Personal').waitFor();
    await session.treeItem('work.sql').waitFor();
    await session.expand('reports');
    await session.treeItem('newest.sql').waitFor();
    await session.screenshot('queries');

    await session.treeItem('newest.sql').hover();
    await session.treeItem('newest.sql').getByRole('button', { name: 'Run Query' }).click();
    const form = await waitForParameterForm(session, 'Sample Shop');
    await form.field(1).fill('Osaka');
    await page.keyboard.press('Enter');
    await form.results.getByRole('gridcell').first().waitFor();

    // Another program adds a file.
    await mkdir(join(personal, 'old'), { recursive: true });
    await writeFile(join(personal, 'old/totals.sql'), 'SELECT 3;\n');
    await session.treeItem('old').waitFor();

    await session.treeItem('newest.sql').dblclick();
    await session.waitForEditorFocus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('-- unsaved');
    await choose('newest.sql', 'Rename…', input.root.getByText("Rename 'newest.sql'"));
    await input.field.fill('latest');
    await page.keyboard.press('Enter');
    await session.treeItem('latest.sql').waitFor();
    await session.editorTab('latest.sql').waitFor();
    await page.getByRole('code').getByText('-- unsaved').waitFor();
    assert.equal(await readFile(join(personal, 'reports/latest.sql'), 'utf8'), saved);
    assert.ok(!existsSync(file));
    await page.keyboard.press('Control+S');
    await waitUntil(async () => (await readFile(join(personal, 'reports/latest.sql'), 'utf8')).endsWith('-- unsaved'), {
      what: 'the text is not saved under the new name',
    });

    await session.expand('old');
    await session.treeItem('latest.sql').dragTo(session.treeItem('old'));
    await waitUntil(() => existsSync(join(personal, 'old/latest.sql')), { what: 'the file is not moved' });

    // A result is saved too, and nothing is replaced without a question.
    await session.runCommand('View: Close All Editors');
    await session.runCommand('SQL Projects: Save Query…');
    await input.saveFile(proposed, { path: join(personal, 'old/totals.sql'), sibling: 'latest.sql' });
    await input.root.getByText(/totals\.sql already exists/).waitFor();
    await page.keyboard.press('Enter');
    await session.editorTab('totals.sql').waitFor();
    assert.match(
      await readFile(join(personal, 'old/totals.sql'), 'utf8'),
      /^-- @project Sample Shop\n\nSELECT id, name/,
    );

    const deletion = page.getByRole('dialog', { name: /Delete 'totals.sql'\?/ });
    await choose('totals.sql', 'Delete…', deletion);
    await deletion.getByRole('button', { name: 'Delete', exact: true }).click();
    await session.treeItem('totals.sql').waitFor({ state: 'detached' });
    assert.ok(!existsSync(join(personal, 'old/totals.sql')));
  },
);
