import assert from 'node:assert/strict';
import { pressRun } from '../support/sampleProject.ts';
import { reply, reset, stall, startScriptedServer } from '../support/scriptedServer.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const statement = 'UPDATE t SET a = 1 WHERE id = 2';
const files = { 'busy.sql': `-- @project Busy\n\n${statement};\n` };

/** Runs the statement of the file in a project of that service. */
async function runInBusyProject(session: WorkbenchSession, baseUrl: string): Promise<void> {
  const { page } = session;
  await session.setFolderSettings({
    'sqlProjects.projects': [{ name: 'Busy', baseUrl, projectId: 'p1', retries: 0 }],
  });
  await session.openFile('busy.sql');
  await page.locator('.statusbar-item:not(.error-kind)').filter({ hasText: 'Busy' }).waitFor();
  await session.runCommand('SQL Projects: Set API Key…');
  await page.getByRole('option', { name: 'Busy' }).click();
  await page.locator('input[type="password"]').fill('a-key-of-this-test');
  await page.keyboard.press('Enter');
  await session.waitForEditorFocus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await pressRun(session);
}

sharingTest(
  'a write whose answer was lost says that its outcome is unknown, and is asked after under the same key',
  { files },
  async session => {
    const { page } = session;
    const done = reply({ row_count: 1, ok: true }, 200, { 'x-idempotency-replayed': 'true' });
    await using server = await startScriptedServer(reset, done);
    await runInBusyProject(session, server.url);
    const results = await session.webviewFrame('SQL Results');
    await results.getByText('Outcome unknown: the statement was sent').first().waitFor();
    await results.getByRole('alert').filter({ hasText: '(connection_lost)' }).waitFor();
    await session.screenshot('outcome-unknown');

    // It stands elsewhere by now, and is found all the same.
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('-- a line above\n');
    await results.getByRole('button', { name: 'Go to Statement' }).click();
    await page.getByText(`(${statement.length + 1} selected)`).waitFor();

    await results.getByRole('button', { name: 'Check Outcome' }).click();
    await results.getByText('The statement had been done before. This is what it did then.').first().waitFor();
    await results
      .getByText(/^1 row changed · /)
      .first()
      .waitFor();
    const keys = server.requests.map(({ headers }) => headers['x-idempotency-key']);
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1]);
  },
);

workbenchTest(
  'a pinned write whose outcome is unknown is asked after in the next window as well, past the protection of its project',
  { files },
  async session => {
    const { page } = session;
    const done = reply({ row_count: 1, ok: true }, 200, { 'x-idempotency-replayed': 'true' });
    await using server = await startScriptedServer(reset, done);
    await runInBusyProject(session, server.url);
    const results = await session.webviewFrame('SQL Results');
    await results.getByText('Outcome unknown: the statement was sent').first().waitFor();
    await results.getByRole('button', { name: 'Pin Result' }).click();
    await results.getByRole('tab', { name: /, pinned/ }).waitFor();
    await session.setFolderSettings({
      'sqlProjects.projects': [
        { name: 'Busy', baseUrl: server.url, projectId: 'p1', retries: 0, protection: 'confirmWrites' },
      ],
    });
    await session.reload();
    const again = await session.webviewFrame('SQL Results');
    await again.getByText('Outcome unknown: the statement was sent').first().waitFor();
    await again.getByRole('alert').filter({ hasText: '(connection_lost)' }).waitFor();
    await again.getByRole('button', { name: 'Check Outcome' }).click();
    await page
      .getByRole('dialog')
      .filter({ hasText: 'Run this statement in Busy?' })
      .getByRole('button', { name: 'Run' })
      .click();
    await again.getByText('The statement had been done before. This is what it did then.').first().waitFor();
    // The answer takes the place of the question, and is pinned as that was.
    await again.getByRole('tab', { name: `${statement}, Busy, asks before writes, pinned` }).waitFor();
    assert.equal(await again.getByRole('tab').count(), 1);
    // What the question counts has no key.
    const keyed = server.requests.filter(({ headers }) => headers['x-idempotency-key'] !== undefined);
    const sent = keyed.map(({ headers, body }) => [headers['x-idempotency-key'], body]);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1], sent[0]);
  },
);

sharingTest('a write that is still running is not closed without a question', { files }, async session => {
  const { page } = session;
  await using server = await startScriptedServer(stall);
  await runInBusyProject(session, server.url);
  const results = await session.webviewFrame('SQL Results');
  const tab = results.getByRole('tab', { name: statement });
  await results.getByRole('button', { name: 'Enough' }).waitFor();
  await tab.focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog').filter({ hasText: 'is still running. Close its result?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await results.getByRole('button', { name: 'Enough' }).click();
  await results.getByText('Outcome unknown: the statement was sent').first().waitFor();
  await tab.focus();
  await page.keyboard.press('Delete');
  await tab.waitFor({ state: 'detached' });
});

sharingTest('a write whose editor is closed goes on beside what its statement did since', { files }, async session => {
  await using server = await startScriptedServer(stall, reply({ row_count: 1, ok: true }));
  await runInBusyProject(session, server.url);
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('button', { name: 'Enough' }).waitFor();
  await results.getByRole('button', { name: 'Open in Editor' }).click();
  await session.editorTab(statement).waitFor();
  await session.editorTab('busy.sql').click();
  await session.waitForEditorFocus();
  await pressRun(session);
  const done = results.getByText(/^1 row changed · /).first();
  await done.waitFor();
  await session.editorTab(statement).click();
  await session.runCommand('View: Close Editor');
  const tabs = results.getByRole('tab', { name: statement });
  await tabs.nth(1).and(results.locator('[aria-selected="true"]')).waitFor();
  await results.getByRole('button', { name: 'Enough' }).click();
  await results.getByText('Outcome unknown: the statement was sent').first().waitFor();
  await tabs.first().click();
  await done.waitFor();
});
