import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, startScriptedServer } from '../support/scriptedServer.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { rememberMessages, type Traces, tracesOf } from '../support/workbench/traces.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';
const forms = [canary, Buffer.from(canary).toString('base64'), encodeURIComponent(canary)];

/** Where any of some words is found. What is there to be found proves that the search finds. */
const kindsWith = (traces: Traces, words: readonly string[]): string[] =>
  (Object.keys(traces) as (keyof Traces)[]).filter(kind => words.some(word => traces[kind].includes(word)));

/** A service that repeats the key wherever it can, as careless ones do. */
const echo: Answer = (response, { headers }) => {
  const key = String(headers['x-api-key']);
  response.writeHead(400, { 'content-type': 'application/json', 'x-echo': key });
  response.end(JSON.stringify({ ok: false, message: `Bad key ${key}.`, code: 'bad_request', details: { key } }));
};

workbenchTest(
  'a key is found nowhere outside the secret storage, however it was entered and whatever the service does with it',
  { ownProfile: {}, files: { 'shop.sql': 'SELECT 1;\n' } },
  async session => {
    await using server = await startScriptedServer(echo);
    await rememberMessages(session);
    await session.open();
    const input = new QuickInput(session.page);
    await session.setFolderSettings({
      'sqlProjects.projects': [{ name: 'Canary Shop', baseUrl: server.url, projectId: 'shop' }],
    });
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Set Key… Canary Shop' }).click();
    await input.answer('It is kept in the secret storage', canary);
    await content.getByText(/^Key set on/).waitFor();
    await content.getByRole('button', { name: 'Test Canary Shop' }).click();
    await content.getByText('Bad key [redacted].').waitFor();

    await session.runCommand('SQL Projects: Add Project…');
    await input.answer('Base URL of the service', server.url);
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', 'bank');
    await input.answer('What to call the project', 'Canary Bank');
    await input.answer('API key. It is kept in the secret storage', canary);
    await input.choose(/Bad key \[redacted\]/, 'Add it all the same');
    await content.getByRole('heading', { name: 'Canary Bank' }).waitFor();

    // The page's webview is gone as soon as another editor is in front of it.
    const ofPage = await tracesOf(session);
    assert.deepEqual(kindsWith(ofPage, ['Canary Bank']), ['documents', 'messages', 'files']);
    assert.deepEqual(kindsWith(ofPage, forms), []);

    await session.openFile('shop.sql');
    await session.runCommand('SQL Projects: Run Statement');
    await input.choose('Choose a project', 'Canary Shop');
    const results = await session.webviewFrame('SQL Results');
    await results.getByText('Bad key [redacted].').waitFor();
    await session.openView('SQL Projects');
    await session.expand('Canary Shop');
    await session
      .treeItem(/Bad key \[redacted\]/)
      .first()
      .waitFor();

    assert.ok(server.requests.every(({ headers }) => headers['x-api-key'] === canary));
    // VS Code writes what is remembered some time later.
    const isRemembered = async (): Promise<boolean> =>
      (await tracesOf(session)).storages.includes(`${server.url} shop`);
    await waitUntil(isRemembered, { what: 'the project of the document is not remembered' });
    const ofResults = await tracesOf(session);
    assert.deepEqual(kindsWith(ofResults, ['Canary Shop']), ['documents', 'messages', 'files']);
    assert.deepEqual(kindsWith(ofResults, forms), []);
  },
);

workbenchTest(
  'a key survives a restart of the window, and moves to no other address',
  { settings: { 'sqlProjects.projects': [{ name: 'Kept', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }] } },
  async session => {
    const input = new QuickInput(session.page);
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Set Key… Kept' }).click();
    await input.answer('It is kept in the secret storage', canary);
    await content.getByRole('button', { name: 'Replace Key… Kept' }).waitFor();
    await session.reload();
    const again = await openSettingsPage(session);
    const kept = again.getByRole('listitem').filter({ hasText: 'Kept' });
    await kept.getByText(/^Key set on/).waitFor();
    await kept.getByText('Edit', { exact: true }).click();
    await kept.getByRole('textbox', { name: 'Base URL' }).fill('http://127.0.0.1:10');
    await kept.getByText('A key belongs to its address and project.').waitFor();
    await kept.getByRole('button', { name: 'Save' }).click();
    await kept.getByText('No key set').waitFor();
    await kept.getByRole('textbox', { name: 'Base URL' }).fill('http://127.0.0.1:9');
    await kept.getByRole('button', { name: 'Save' }).click();
    await kept.getByText(/^Key set on/).waitFor();
  },
);
