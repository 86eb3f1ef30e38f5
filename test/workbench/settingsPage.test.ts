import assert from 'node:assert/strict';
import { fieldHolds } from '../support/fieldHolds.ts';
import { keyPrompt, QuickInput } from '../support/quickInput.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { folderSettings } from '../support/workbench/settingsFile.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';

const settingsOf = (projectId: string) => ({
  'sqlProjects.projects': [{ name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId }],
});
const settings = settingsOf('page1');

workbenchTest('a key is entered in the password input, and the page never sees it', { settings }, async session => {
  const { page } = session;
  const content = await openSettingsPage(session);
  const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
  await hosted.getByText('No API key').waitFor();
  await content
    .getByRole('listitem')
    .filter({ hasText: 'Sample Shop' })
    .getByText(/API key set on/)
    .waitFor();

  await hosted.getByRole('button', { name: 'Set API Key…' }).click();
  await page.getByText(`${keyPrompt} and sent to http://127.0.0.1:9 only`).waitFor();
  const input = page.locator('input[type="password"]');
  await input.fill(canary);
  await page.keyboard.press('Enter');
  await hosted.getByText(/API key set on/).waitFor();
  assert.doesNotMatch(await content.locator('html').innerHTML(), new RegExp(canary));
  assert.doesNotMatch(JSON.stringify(await folderSettings(session)), new RegExp(canary));

  await hosted.getByRole('button', { name: 'Forget API Key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget API Key' }).click();
  await hosted.getByText('No API key').waitFor();
});

workbenchTest('a change on the page or in the settings shows in both', { settings }, async session => {
  const content = await openSettingsPage(session);
  const hosted = content.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:9' });
  await hosted.getByText('Edit', { exact: true }).click();
  await hosted.getByRole('textbox', { name: 'Display name (optional)' }).fill('Renamed');
  await hosted.getByRole('combobox', { name: 'Protection' }).click();
  await hosted.getByRole('option', { name: 'Read-only' }).click();
  await hosted.getByRole('button', { name: 'Save' }).click();
  await hosted.getByRole('heading', { name: 'Renamed' }).filter({ hasText: 'Read-only' }).waitFor();
  assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], [
    { name: 'Renamed', baseUrl: 'http://127.0.0.1:9', projectId: 'page1', protection: 'readOnly' },
  ]);

  const byHand = { name: 'By hand', baseUrl: 'http://127.0.0.1:9', projectId: 'page1', color: 'purple', retries: 1 };
  await session.setFolderSettings({ 'sqlProjects.projects': [byHand] });
  await hosted.getByRole('heading', { name: 'By hand' }).waitFor();
  await fieldHolds(hosted.getByRole('textbox', { name: 'Retries' }), '1');
  await session.screenshot('settings-form');
  await session.setFolderSettings({ 'sqlProjects.results.maxRows': 77 });
  await fieldHolds(content.getByRole('textbox', { name: 'Maximum rows' }).last(), '77');
});

workbenchTest('Test shows the answer of a project, or its remedy', { settings: settingsOf('page2') }, async session => {
  const content = await openSettingsPage(session);
  await content.getByRole('button', { name: 'Test Connection Sample Shop' }).click();
  await content
    .getByText(/^'Sample Shop' answered in [\d.]+ m?s: 6 tables, SQLite 3\..* The project is active\./)
    .waitFor();
  await content.getByRole('button', { name: 'Test Connection Hosted' }).click();
  const outcome = content.getByText('No API key is set for this project. Set its API key.');
  await outcome.waitFor();
  // A new key makes the outcome obsolete.
  await content.getByRole('button', { name: 'Set API Key… Hosted' }).click();
  await new QuickInput(session.page).enterKey(canary);
  await outcome.waitFor({ state: 'hidden' });
});
