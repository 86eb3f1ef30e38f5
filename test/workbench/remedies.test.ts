import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, reply, startScriptedServer } from '../support/scriptedServer.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const refusal = (status: number, code: string, headers = {}): Answer =>
  reply({ ok: false, message: `It is ${code}.`, code }, status, headers);

interface Case {
  readonly name: string;
  readonly answer?: Answer;
  readonly url?: (server: string) => string;
  readonly remedy: RegExp;
  /** The remedy that the tree and a connection test offer. */
  readonly button: 'Set API Key' | 'Edit Project' | 'Try Again';
}

const cases: readonly Case[] = [
  {
    name: 'Wrong key',
    answer: refusal(401, 'unauthenticated'),
    remedy: /does not accept the API key\. Use "Set API Key" to enter a valid one/,
    button: 'Set API Key',
  },
  {
    name: 'Revoked key',
    answer: reply({ message: 'The key was revoked.' }, 401),
    remedy: /does not accept the API key\. Use "Set API Key" to enter a valid one/,
    button: 'Set API Key',
  },
  {
    name: 'Key of another',
    answer: refusal(403, 'forbidden'),
    remedy: /does not open this project\. Enter its own key, or check holder and name: It is forbidden/,
    button: 'Set API Key',
  },
  {
    name: 'Server down',
    url: () => 'http://127.0.0.1:9',
    remedy: /cannot be reached\. Check the base URL and that the service runs, then try again/,
    button: 'Try Again',
  },
  {
    name: 'Too many requests',
    answer: refusal(429, 'rate_limited', { 'retry-after': '120' }),
    remedy: /takes no more requests for now\. Try again in 120 s/,
    button: 'Try Again',
  },
  {
    name: 'No encryption',
    url: server => server.replace('http:', 'https:'),
    remedy: /certificate is not trusted\. Check the base URL, and that this machine trusts the certificate/,
    button: 'Edit Project',
  },
  {
    name: 'Project gone',
    answer: refusal(404, 'project_not_found'),
    remedy: /has no such project any more\. Check the project ID, or remove the project/,
    button: 'Edit Project',
  },
  {
    name: 'Nothing there',
    answer: reply('<h1>Not found</h1>', 404),
    remedy: /no such service at this address\. Check the base URL and the path prefix/,
    button: 'Edit Project',
  },
];

sharingTest('the page of projects and the tree show each fault with its remedy', {}, async session => {
  await using stack = new AsyncDisposableStack();
  const projects = await Promise.all(
    cases.map(async ({ name, answer = reply({}), url = given => given }) => {
      const server = stack.use(await startScriptedServer(answer));
      return { name, baseUrl: url(server.url), projectId: 'p1', retries: 0 };
    }),
  );
  await session.setFolderSettings({ 'sqlProjects.projects': projects });
  const content = await openSettingsPage(session);
  const input = new QuickInput(session.page);
  for (const { name, remedy, button } of cases) {
    await content.getByRole('button', { name: `Set Key… ${name}` }).click();
    await input.answer('It is kept in the secret storage', 'some-key');
    const item = content.getByRole('listitem').filter({ has: content.getByRole('heading', { name }) });
    await item.getByText(/^Key set on/).waitFor();
    await item.getByRole('button', { name: `Test ${name}` }).click();
    await item.getByRole('status').filter({ hasText: remedy }).waitFor();
    await item.getByRole('button', { name: `${button} ${name}` }).waitFor();
  }
  await session.screenshot('remedies');
  await session.openView('SQL Projects');
  for (const { name, remedy, button } of cases) {
    await session.expand(name);
    const problem = session.treeItem(remedy).and(session.treeItem(new RegExp(`press Enter: ${button}\\.$`)));
    await problem.first().waitFor();
    await session.collapse(name);
  }
  await session.expand('Project gone');
  await session.treeItem(/has no such project any more/).click();
  await content.getByRole('textbox', { name: 'Project ID' }).first().waitFor();
});

sharingTest('Test Connection offers the remedy and no other', {}, async session => {
  await using server = await startScriptedServer(refusal(401, 'unauthenticated'));
  const projects = [
    { name: 'Wrong key', baseUrl: server.url, projectId: 'p1', retries: 0 },
    { name: 'Server down', baseUrl: 'http://127.0.0.1:9', projectId: 'p2', retries: 0 },
  ];
  await session.setFolderSettings({ 'sqlProjects.projects': projects });
  await session.openView('SQL Projects');
  const input = new QuickInput(session.page);
  for (const [name, button, remedy] of [
    ['Wrong key', 'Set API Key', /does not accept the API key/],
    ['Server down', 'Try Again', /cannot be reached/],
  ] as const) {
    await session.expand(name);
    await session.treeItem(/No API key is set/).click();
    await input.answer('It is kept in the secret storage', 'some-key');
    await session.treeItem(remedy).waitFor();
    await session.collapse(name);
    await session.runCommand('SQL Projects: Test Connection');
    await session.page.getByRole('option', { name }).click();
    const notification = session.notifications.filter({ hasText: remedy });
    await notification.getByRole('button', { name: button, exact: true }).waitFor();
    for (const other of ['Set API Key', 'Edit Project', 'Try Again'].filter(label => label !== button)) {
      assert.equal(await notification.getByRole('button', { name: other, exact: true }).count(), 0);
    }
  }
});
