import assert from 'node:assert/strict';
import { startServiceWith } from '../support/ownProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { QuickInput } from '../support/quickInput.ts';
import { issueSampleKey } from '../support/projectKeys.ts';
import { pressRun } from '../support/sampleProject.ts';
import { openOwnFile } from '../support/sqlEditor.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const parts = `CREATE TABLE parts (id INTEGER PRIMARY KEY, name); INSERT INTO parts (name) VALUES ('one'), ('two')`;
const files = { 'write.sql': '-- @project Own\n\nUPDATE parts SET name = 1 WHERE id = 2;\n' };

workbenchTest(
  'a write with a key that only reads says which key is needed, and runs after that key is set',
  { files },
  async session => {
    const { page } = session;
    await using service = await startServiceWith(parts);
    const { apiKey: readKey } = await issueSampleKey(service.admin, 'read');
    await openOwnFile(session, { ...service, apiKey: readKey }, 'write.sql');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('ArrowUp');
    await pressRun(session);
    const results = await session.webviewFrame('SQL Results');
    await results.getByText('This key may only read. Use a key that may write (Set API Key…).').first().waitFor();
    await session.screenshot('read-only-key');
    const stored = async (): Promise<unknown> => (await service.query('SELECT name FROM parts ORDER BY id')).flat();
    assert.deepEqual(await stored(), ['one', 'two']);

    await session.runCommand('SQL Projects: Test Connection');
    await page.getByRole('option', { name: 'Own' }).click();
    const answer = session.notifications.filter({ hasText: 'Its API key may only read.' }).first();
    await answer.waitFor();
    await session.runCommand('Notifications: Clear All Notifications');
    await answer.waitFor({ state: 'detached' });

    const setKey = async (key: string): Promise<void> => {
      await session.runCommand('SQL Projects: Set API Key…');
      await page.getByRole('option', { name: 'Own' }).click();
      await new QuickInput(page).enterKey(key);
    };
    await setKey(readKey);
    await answer.waitFor();
    await setKey(service.apiKey);
    const dialog = page.getByRole('dialog', { name: "Replace the API key of 'Own'?" });
    await dialog.getByText('The present key: it may only read. The new key: it may read and write.').waitFor();
    await dialog.getByRole('button', { name: 'Replace API Key' }).click();
    await pressRun(session);
    await waitForText(results, /^1 row changed · /);
    assert.deepEqual(await stored(), ['one', 1]);
  },
);
