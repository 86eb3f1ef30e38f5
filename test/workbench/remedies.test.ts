import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, reply, startScriptedServer } from '../support/scriptedServer.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const refusal = (status: number, code: string, headers = {}): Answer =>
  reply({ ok: false, message: `It is ${code}.`, code }, status, headers);

interface RemedyCase {
  readonly name: string;
  readonly answer?: Answer;
  readonly url?: (server: string) => string;
  readonly remedy: RegExp;
  /** The remedy that the tree and a connection test offer. */
  readonly button: 'Set API Key' | 'Edit Project' | 'Retry';
}

const cases: readonly RemedyCase[] = [
  {
    name: 'Wrong key',
    answer: refusal(401, 'unauthenticated'),
    remedy: /rejected the API key\. Set another API key/,
    button: 'Set API Key',
  },
  {
    name: 'Revoked key',
    answer: reply({ message: 'The key was revoked.' }, 401),
    remedy: /rejected the API key\. Set another API key/,
    button: 'Set API Key',
  },
  {
    name: 'Key of another',
    answer: refusal(403, 'forbidden'),
    remedy: /does not open this project\. Set its own key, or check holder and name: It is forbidden/,
    button: 'Set API Key',
  },
  {
    name: 'Server down',
    url: () => 'http://127.0.0.1:9',
    remedy:
      /cannot be reached: nothing accepts connections there\. Check the address and that the service runs, then retry/,
    button: 'Retry',
  },
  {
    name: 'Too many requests',
    answer: refusal(429, 'rate_limited', { 'retry-after': '120' }),
    remedy: /The service is busy\. Try again in 2 min\./,
    button: 'Retry',
  },
  {
    name: 'No encryption',
    url: server => server.replace('http:', 'https:'),
    remedy: /certificate is not trusted\. Check the address, and that this machine trusts the certificate/,
    button: 'Edit Project',
  },
  {
    name: 'Project gone',
    answer: refusal(404, 'project_not_found'),
    remedy: /has no such project\. Check the project ID, or remove the project/,
    button: 'Edit Project',
  },
  {
    name: 'Nothing there',
    answer: reply('<h1>Not found</h1>', 404),
    remedy: /no SQL service at this address\. Check the address and the path prefix/,
    button: 'Edit Project',
  },
];

workbenchTest('the page of projects and the tree show each fault with its remedy', {}, async session => {
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
    await content.getByRole('button', { name: `Set API Key… ${name}` }).click();
    await input.enterKey('some-key');
    // A rejected key is kept only if it is entered again.
    if (button === 'Set API Key') await input.answer(/Press Enter again/, 'some-key');
    const item = content.getByRole('listitem').filter({ has: content.getByRole('heading', { name }) });
    await item.getByText(/^API key set on/).waitFor();
    await item.getByRole('button', { name: `Test Connection ${name}` }).click();
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
  await session.treeItem(/has no such project/).click();
  await content.getByRole('textbox', { name: 'Project ID' }).first().waitFor();
});

workbenchTest('Test Connection offers the remedy and no other', {}, async session => {
  await using server = await startScriptedServer(refusal(401, 'unauthenticated'));
  const projects = [
    { name: 'Wrong key', baseUrl: server.url, projectId: 'p1', retries: 0 },
    { name: 'Server down', baseUrl: 'http://127.0.0.1:9', projectId: 'p2', retries: 0 },
  ];
  await session.setFolderSettings({ 'sqlProjects.projects': projects });
  await session.openView('SQL Projects');
  const input = new QuickInput(session.page);
  for (const [name, button, remedy] of [
    ['Wrong key', 'Set API Key', /rejected the API key/],
    ['Server down', 'Retry', /cannot be reached/],
  ] as const) {
    await session.expand(name);
    await session.treeItem(/No API key is set/).click();
    await input.enterKey('some-key');
    if (button === 'Set API Key') await input.answer(/Press Enter again/, 'some-key');
    await session.treeItem(remedy).waitFor();
    await session.collapse(name);
    await session.runCommand('SQL Projects: Test Connection');
    await session.page.getByRole('option', { name }).click();
    // VS Code shows at most three toasts within 800 ms. Its list of notifications has all.
    await session.runCommand('Notifications: Show Notifications');
    const notification = session.notifications.filter({ hasText: remedy });
    await notification.getByRole('button', { name: button, exact: true }).waitFor();
    for (const other of ['Set API Key', 'Edit Project', 'Retry'].filter(label => label !== button)) {
      assert.equal(await notification.getByRole('button', { name: other, exact: true }).count(), 0);
    }
  }
});
