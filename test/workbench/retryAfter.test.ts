import assert from 'node:assert/strict';
import { runInBusyProject } from '../support/busyProject.ts';
import { reply, startScriptedProject } from '../support/scriptedServer.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const script = '-- @project Busy\nSELECT 1 AS one;\n';
const limited = reply({ message: 'Too many requests.' }, 429, { 'retry-after': '25' });

workbenchTest(
  'a wait that the service asks for is shown with the time left, and can be cancelled',
  { files: { 'busy.sql': script } },
  async session => {
    await using server = await startScriptedProject(limited);
    await runInBusyProject(session, server.url);
    const results = await session.webviewFrame('SQL Results');
    await results.getByText(/^The service is busy\. The statement is sent again in \d+ s\.$/).waitFor();
    await session.screenshot('retry-after');
    assert.equal(await session.notifications.filter({ hasText: 'retrying' }).count(), 0);
    // The statement may have been sent again before the button is found.
    const sent = server.requests.length;
    await results.getByRole('button', { name: 'Stop', exact: true }).click();
    await results.getByRole('alert').filter({ hasText: 'The service is busy. Try again in 25 s.' }).waitFor();
    assert.equal(server.requests.length, sent);
  },
);

workbenchTest(
  'a wait in the background is shown as a notification, and can be cancelled there',
  { files: { 'busy.sql': script } },
  async session => {
    await using server = await startScriptedProject(limited);
    await runInBusyProject(session, server.url, { run: () => session.runCommand('SQL Projects: Run in Background') });
    const wait = session.notifications.filter({ hasText: /Busy is busy.*retrying in \d+ s/ });
    await wait.getByRole('button', { name: 'Cancel' }).waitFor();
    const sent = server.requests.length;
    await wait.getByRole('button', { name: 'Cancel' }).click();
    await session.notifications.filter({ hasText: 'SELECT 1 AS one failed: The service is busy.' }).waitFor();
    await wait.waitFor({ state: 'detached' });
    assert.equal(server.requests.length, sent);
  },
);
