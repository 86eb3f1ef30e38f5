import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';

const settings = {
  'sqlProjects.projects': [{ name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }],
};

workbenchTest(
  'the page of projects takes a key by the password input, and never learns it',
  { settings },
  async session => {
    const { page } = session;
    await session.runCommand('SQL Projects: Manage Projects and Credentials');
    const content = await session.webviewFrame('SQL Projects and Credentials');
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.getByText('No key set').waitFor();
    await content
      .getByRole('listitem')
      .filter({ hasText: 'Sample Shop' })
      .getByText(/Key set on/)
      .waitFor();

    await hosted.getByRole('button', { name: 'Set Key…' }).click();
    await page.getByText(/kept in the secret storage and sent to http:\/\/127\.0\.0\.1:9 only/).waitFor();
    const input = page.locator('input[type="password"]');
    await input.fill(canary);
    await page.keyboard.press('Enter');
    await hosted.getByText(/Key set on/).waitFor();
    assert.doesNotMatch(await content.locator('html').innerHTML(), new RegExp(canary));
    const folderSettings = readFileSync(join(session.folder, '.vscode/settings.json'), 'utf8');
    assert.doesNotMatch(folderSettings, new RegExp(canary));

    await hosted.getByRole('button', { name: 'Forget Key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget Key' }).click();
    await hosted.getByText('No key set').waitFor();
  },
);

workbenchTest('Edit Projects in Settings leads to the setting, also when it is not there yet', {}, async session => {
  await session.runCommand('SQL Projects: Manage Projects and Credentials');
  const content = await session.webviewFrame('SQL Projects and Credentials');
  await content.getByRole('button', { name: 'Edit Projects in Settings' }).click();
  await session.page.getByRole('code').getByText('"sqlProjects.projects"').waitFor();
});
