import assert from 'node:assert/strict';
import { pressRun } from '../support/sampleProject.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const key = 'canary-key-0123456789';
const script = '-- @project Busy\nSELECT 1 AS one;\n';
const limited = reply({ message: 'Too many requests.' }, 429, { 'retry-after': '25' });

/** Runs the statement of the file in a project of that service, with a key that a person entered. */
async function runInBusyProject(session: WorkbenchSession, baseUrl: string, run = pressRun): Promise<void> {
  const { page } = session;
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Busy', baseUrl, projectId: 'p1' }] });
  await session.openFile('busy.sql');
  // Before the setting is read, the name at the head of the file is one that nobody knows.
  await page.locator('.statusbar-item:not(.error-kind)').filter({ hasText: 'Busy' }).waitFor();
  await session.runCommand('SQL Projects: Set API Key…');
  await page.getByRole('option', { name: 'Busy' }).click();
  await page.locator('input[type="password"]').fill(key);
  await page.keyboard.press('Enter');
  await session.waitForEditorFocus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await run(session);
}

sharingTest(
  'a service that asks to wait is shown with the time that is left, and waiting can be given up',
  { files: { 'busy.sql': script } },
  async session => {
    await using server = await startScriptedServer(limited);
    await runInBusyProject(session, server.url);
    const results = await session.webviewFrame('SQL Results');
    await results.getByText(/^The service asks to wait\. The statement is sent again in \d+ sec\.$/).waitFor();
    await session.screenshot('retry-after');
    assert.equal(await session.notifications.count(), 0);
    await results.getByRole('button', { name: 'Give Up' }).click();
    await results
      .getByRole('alert')
      .filter({ hasText: 'The service takes no more requests for now. Try again in 25 s.' })
      .waitFor();
    assert.equal(server.requests.length, 1);
  },
);

sharingTest(
  'a wait in the background is shown as a notification, and can be given up there',
  { files: { 'busy.sql': script } },
  async session => {
    await using server = await startScriptedServer(limited);
    await runInBusyProject(session, server.url, () => session.runCommand('SQL Projects: Run in Background'));
    const wait = session.notifications.filter({ hasText: /Busy asks to wait.*trying again in \d+ s/ });
    await wait.getByRole('button', { name: 'Cancel' }).click();
    await session.notifications
      .filter({ hasText: 'SELECT 1 AS one failed: The service takes no more requests for now.' })
      .waitFor();
    await wait.waitFor({ state: 'detached' });
    assert.equal(server.requests.length, 1);
  },
);

// A window of its own: the channel keeps what it told of other tests.
workbenchTest(
  'the output channel tells of requests and answers, and holds neither the key nor SQL',
  { files: { 'busy.sql': script } },
  async session => {
    await using server = await startScriptedServer(
      reply({ message: 'Not now.' }, 429, { 'retry-after': '1' }),
      reply({ rows: [{ one: 1 }], ok: true }),
    );
    await runInBusyProject(session, server.url);
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    await session.runCommand('Output: Show Output Channels...');
    await session.page.getByRole('option', { name: 'SQL Projects' }).first().click();
    const lines = session.page.locator('.panel .view-line');
    await lines.filter({ hasText: /200\sfor\sPOST\s.*attempt\s2/ }).waitFor();
    // The editor puts blanks on the screen that do not break.
    const text = (await lines.allInnerTexts()).join('\n').replaceAll('\u00A0', ' ');
    assert.match(text, /\[info\]\s+Busy: POST \/serviceSql\/projects\/p1\/sql/);
    assert.match(text, /\[warning\]\s+Busy: 429 for POST/);
    for (const hidden of [key, 'SELECT']) assert.ok(!text.includes(hidden), hidden);
  },
);
