import assert from 'node:assert/strict';
import { runInBusyProject } from '../support/busyProject.ts';
import { waitForText } from '../support/pageParts.ts';
import { reply, reset, startScriptedProject } from '../support/scriptedServer.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const statement = 'UPDATE t SET a = 1 WHERE id = 2';
const files = { 'busy.sql': `-- @project Busy\n\n${statement};\n` };

workbenchTest(
  'the outcome of a write whose answer was lost is unknown until Check Outcome sends it again, even after a reload',
  { files },
  async session => {
    const { page } = session;
    const done = reply({ row_count: 1, ok: true }, 200, { 'x-idempotency-replayed': 'true' });
    await using server = await startScriptedProject(reset, done);
    await runInBusyProject(session, server.url, { settings: { retries: 0 } });
    const results = await session.webviewFrame('SQL Results');
    await waitForText(results, 'Outcome unknown: the connection was lost after the statement was sent');
    await results.getByText('Details', { exact: true }).click();
    await results.getByText('Error code: connection_lost').waitFor();
    await session.screenshot('outcome-unknown');

    // The statement moved, and is found all the same.
    await session.editorTab('busy.sql').click();
    await session.waitForEditorFocus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('-- a line above\n');
    await page.getByRole('code').getByText('-- a line above').waitFor();
    await results.getByRole('button', { name: 'More Actions…' }).click();
    await results.getByRole('menuitem', { name: 'Go to Statement' }).click();
    await page.getByText(new RegExp(`^Ln 4, Col \\d+ \\(${statement.length + 1} selected\\)`)).waitFor();

    await results.getByRole('button', { name: 'Pin', exact: true }).click();
    await results.getByRole('tab', { name: /, pinned/ }).waitFor();
    await session.setFolderSettings({
      'sqlProjects.projects': [
        { name: 'Busy', baseUrl: server.url, projectId: 'p1', retries: 0, protection: 'confirmWrites' },
      ],
    });
    await session.reload();
    const restored = await session.webviewFrame('SQL Results');
    await waitForText(restored, 'Outcome unknown: the connection was lost after the statement was sent');
    await restored.getByText('Details', { exact: true }).click();
    await restored.getByText('Error code: connection_lost').waitFor();
    await restored.getByRole('button', { name: 'Check Outcome' }).click();
    await page
      .getByRole('dialog')
      .filter({ hasText: "Update rows of 't' in Busy (127.0.0.1)?" })
      .getByRole('button', { name: 'Update Rows' })
      .click();
    await waitForText(restored, 'The statement had already run. This is its result.');
    await waitForText(restored, /^1 row changed · /);
    // The answer replaces the result that did not know it, and is pinned as well.
    await restored.getByRole('tab', { name: `${statement}, Busy, Confirm writes, pinned` }).waitFor();
    assert.equal(await restored.getByRole('tab').count(), 1);
    // The statement that counts rows for the question has no key.
    const keyed = server.requests.filter(({ headers }) => headers['x-idempotency-key'] !== undefined);
    const sent = keyed.map(({ headers, body }) => [headers['x-idempotency-key'], body]);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1], sent[0]);
  },
);
