import assert from 'node:assert/strict';
import { fieldHolds } from '../support/fieldHolds.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, reply, startScriptedServer } from '../support/scriptedServer.ts';
import { startTestService } from '../support/testService.ts';
import { focusedRow } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const service = await startTestService();
const ownProfile = {};
const title = 'SQL Projects: Add Project…';

/** The question for the key of a project at an address. */
const keyFor = (url: string): string => `API key. It is kept in the secret storage and sent to ${url} only.`;

const userProjects = async ({ server }: WorkbenchSession): Promise<unknown> => {
  const text = await readFile(join(server.userDataDir, 'User/settings.json'), 'utf8');
  return (JSON.parse(text) as Record<string, unknown>)['sqlProjects.projects'];
};

workbenchTest(
  'a project is added by its ID from the welcome view, and a wrong key is told of and replaced',
  { ownProfile },
  async session => {
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.page.getByRole('button', { name: 'Add Project', exact: true }).click();
    await input.answer('Base URL of the service', 'nowhere');
    await input.answer(/must be an http\(s\) address/, service.baseUrl);
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', service.projectId);
    await input.answer('What to call the project', 'Shop');
    await input.answer(keyFor(service.baseUrl), 'wrong-key');
    assert.equal(await userProjects(session), undefined);
    await input.choose(/does not accept the API key/, 'Enter another key');
    await input.answer(keyFor(service.baseUrl), service.apiKey);
    await session.notifications.filter({ hasText: /Shop answered in \d+ ms\. Tables: 6/ }).waitFor();
    await session.expand('Shop');
    await session.treeItem('customers').waitFor();
    await session.runCommand('Output: Show Output Channels...');
    await session.page.getByRole('option', { name: 'SQL Projects' }).first().click();
    await session.page
      .locator('.panel .view-line')
      .filter({ hasText: /Shop:\s401\sfor\sPOST/ })
      .first()
      .waitFor();
    assert.deepEqual(await userProjects(session), [
      { name: 'Shop', baseUrl: service.baseUrl, projectId: service.projectId },
    ]);
  },
);

workbenchTest(
  'what is left half-way is nowhere, and going back keeps what was answered',
  { ownProfile },
  async session => {
    const input = new QuickInput(session.page);
    await session.runCommand(title);
    await input.answer('Base URL of the service', service.baseUrl);
    await input.asked('Path prefix');
    await input.back();
    await input.asked('Base URL of the service');
    await fieldHolds(input.field, service.baseUrl);
    await session.page.keyboard.press('Enter');
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', service.projectId);
    await input.answer('What to call the project', '');
    await input.asked(keyFor(service.baseUrl));
    await input.field.fill(service.apiKey);
    await session.page.keyboard.press('Escape');
    await input.root.waitFor({ state: 'hidden' });
    assert.equal(await userProjects(session), undefined);
    // Added by hand later, the project has no key.
    await session.setFolderSettings({
      'sqlProjects.projects': [{ name: 'Later', baseUrl: service.baseUrl, projectId: service.projectId }],
    });
    await session.openView('SQL Projects');
    await session.expand('Later');
    await session.treeItem(/No API key is set/).waitFor();
  },
);

const tested = reply({ rows: [{ version: '3.50.0', tables: 2 }], columns: [], ok: true });
const known = reply({ exists_meta: true, project_id: 'found-1', action: '' });
const unknown = reply({ exists_meta: false, project_id: '', action: 'init' });
const initialised = reply({ ProjectID: 'new-1', DBID: 'db' });
const keyless: Answer = (response, request) =>
  request.headers['x-api-key'] === 'lookup-key'
    ? known(response, request)
    : reply({ message: 'A key is needed.', code: 'unauthenticated' }, 401)(response, request);

const byName = async (
  session: WorkbenchSession,
  url: string,
  { holderId, projectName } = { holderId: 'acme', projectName: 'shop' },
): Promise<QuickInput> => {
  const input = new QuickInput(session.page);
  await session.runCommand(title);
  await input.answer('Base URL of the service', url);
  await input.answer('Path prefix', '/serviceSql');
  await input.choose('How do you know the project?', 'By its holder and name');
  await input.answer('Holder ID', holderId);
  await input.answer('Name of the project at the service', projectName);
  return input;
};

workbenchTest(
  'a local service that demands a key finds a project by holder and name, and initialises one on request',
  { ownProfile },
  async session => {
    const [sample] = (await service.client.listProjects()) ?? [];
    const { holderId = '', projectName = '' } = sample ?? {};
    const input = await byName(session, service.baseUrl, { holderId, projectName });
    await input.answer('The service wants an API key to look up projects', service.apiKey);
    await input.asked(keyFor(service.baseUrl));
    await session.page.keyboard.press('Enter');
    await session.notifications.filter({ hasText: /answered in \d+ ms\. Tables: 6/ }).waitFor();
    // The focus goes to what was added, from whatever has it then.
    await focusedRow(session).waitFor();

    const pair = { holderId, projectName: 'brand-new' };
    await byName(session, service.baseUrl, pair);
    await input.answer('The service wants an API key to look up projects', service.adminKey);
    await input.choose(`The service has no project "brand-new" of the holder "${holderId}".`, 'Initialise it there');
    await input.asked(keyFor(service.baseUrl));
    const { admin } = service;
    const { projectId } = await admin.resolveProject(pair);
    const issued = await admin.issueKey({ projectId, projectHolder: holderId, projectName: 'brand-new', user: 'test' });
    await input.answer(keyFor(service.baseUrl), issued.apiKey);
    await session.notifications.filter({ hasText: /brand-new answered in \d+ ms\. Tables: 0/ }).waitFor();
    assert.deepEqual(
      ((await userProjects(session)) as { projectId: string }[]).map(({ projectId: id }) => id),
      [service.projectId, projectId],
    );
  },
);

workbenchTest('a project is found by holder and name, without a key', { ownProfile }, async session => {
  await using server = await startScriptedServer(known, tested);
  const input = await byName(session, server.url);
  await input.answer(keyFor(server.url), 'project-key');
  await session.notifications.filter({ hasText: /shop answered in \d+ ms\. Tables: 2/ }).waitFor();
  assert.deepEqual(
    server.requests.slice(0, 2).map(({ path, headers }) => [path, headers['x-api-key'], headers['x-holder-id']]),
    [
      ['/serviceSql/projects/resolve', undefined, undefined],
      ['/serviceSql/projects/found-1/sql', 'project-key', 'acme'],
    ],
  );
});

workbenchTest(
  'a service that wants a key to look up projects gets one, and only then',
  { ownProfile },
  async session => {
    await using server = await startScriptedServer(keyless, keyless, tested);
    const input = await byName(session, server.url);
    await input.answer('The service wants an API key to look up projects', 'lookup-key');
    await input.asked('API key. It is kept in the secret storage');
    await fieldHolds(input.field, 'lookup-key');
    await session.page.keyboard.press('Enter');
    await session.notifications.filter({ hasText: /shop answered/ }).waitFor();
  },
);

workbenchTest(
  'a project that the service does not know is initialised there on request',
  { ownProfile },
  async session => {
    await using server = await startScriptedServer(unknown, initialised, tested);
    const input = await byName(session, server.url);
    await input.choose('The service has no project "shop" of the holder "acme".', 'Initialise it there');
    await input.answer(keyFor(server.url), 'project-key');
    await session.notifications.filter({ hasText: /shop answered/ }).waitFor();
    assert.deepEqual(
      server.requests.slice(1, 3).map(({ path }) => path),
      ['/serviceSql/projects/init', '/serviceSql/projects/new-1/sql'],
    );
  },
);

workbenchTest('a key that was typed for one address is not sent to another', { ownProfile }, async session => {
  await using server = await startScriptedServer(reply({ message: 'No.' }, 503));
  await using other = await startScriptedServer(tested);
  const input = new QuickInput(session.page);
  const answer = async (url: string): Promise<void> => {
    await input.answer('Base URL of the service', url);
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', 'p1');
    await input.answer('What to call the project', '');
    await input.asked(keyFor(url));
  };
  await session.runCommand(title);
  await answer(server.url);
  await input.field.fill('key-of-the-first');
  await session.page.keyboard.press('Enter');
  await input.choose(/No\./, 'Change the address');
  await answer(other.url);
  await fieldHolds(input.field, '');
  assert.equal(other.requests.length, 0);
});

workbenchTest(
  'where the service has no such project, another one is given without typing the address again',
  { ownProfile },
  async session => {
    await using server = await startScriptedServer(
      reply({ message: 'No such project.', code: 'project_not_found' }, 404),
      tested,
    );
    const input = new QuickInput(session.page);
    await session.runCommand(title);
    await input.answer('Base URL of the service', server.url);
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', 'wrong');
    await input.answer('What to call the project', '');
    await input.answer(keyFor(server.url), 'some-key');
    await input.choose('The service has no such project. Check the project ID.', 'Change the project');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', 'right');
    await input.answer('What to call the project', '');
    await input.asked(keyFor(server.url));
    await session.page.keyboard.press('Enter');
    await session.notifications.filter({ hasText: /right answered in \d+ ms/ }).waitFor();
    assert.deepEqual(await userProjects(session), [{ baseUrl: server.url, projectId: 'right' }]);
  },
);
