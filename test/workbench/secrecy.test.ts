import assert from 'node:assert/strict';
import { keyPrompt, QuickInput } from '../support/quickInput.ts';
import { asksForSchema, type Answer, reply, ScriptedServer } from '../support/scriptedServer.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { rememberMessages, type Traces, tracesOf } from '../support/workbench/traces.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';
const encodedKeys = [canary, Buffer.from(canary).toString('base64'), encodeURIComponent(canary)];

/** The kinds of traces that contain one of the words. The tests also search for words that must be found. */
const kindsWith = (traces: Traces, words: readonly string[]): string[] =>
  (Object.keys(traces) as (keyof Traces)[]).filter(kind => words.some(word => traces[kind].includes(word)));

/** A careless service that repeats the key wherever it can. */
const echo: Answer = (response, { headers }) => {
  const key = String(headers['x-api-key']);
  response.writeHead(400, { 'content-type': 'application/json', 'x-echo': key });
  response.end(JSON.stringify({ ok: false, message: `Bad key ${key}.`, code: 'bad_request', details: { key } }));
};

/** A schema that the window stores, beside a statement with the key. */
const table = (name: string, sql: string): object => ({ type: 'table', name, tbl_name: name, sql });
const schema = reply({
  rows: [
    table('canary_bird', 'CREATE TABLE canary_bird(a)'),
    table('leak', `CREATE TABLE leak(a DEFAULT '${canary}')`),
  ],
  ok: true,
});

workbenchTest(
  'a key leaves no trace outside the secret storage, however it was entered and whatever the service answers',
  { ownProfile: {}, files: { 'shop.sql': 'SELECT 1;\n' } },
  async session => {
    await using server = await new ScriptedServer([echo], ({ body }) =>
      asksForSchema(body) ? schema : undefined,
    ).listen();
    await rememberMessages(session);
    await session.open();
    const input = new QuickInput(session.page);
    await session.setFolderSettings({
      'sqlProjects.projects': [{ name: 'Canary Shop', baseUrl: server.url, projectId: 'shop' }],
    });
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Set API Key… Canary Shop' }).click();
    await input.enterKey(canary);
    await content.getByText(/^API key set on/).waitFor();
    await content.getByRole('button', { name: 'Test Connection Canary Shop' }).click();
    await content.getByText('Bad key [redacted].').waitFor();

    await session.runCommand('SQL Projects: Add Project…');
    await input.answer('Address of the service', server.url);
    await input.answer(`API key. ${keyPrompt}`, canary);
    await input.answer(/Press Enter again/, canary);
    await input.answer('Project ID', 'bank');
    await input.choose(/Bad key \[redacted\]/, 'Add Anyway');
    await input.answer('Display name', 'Canary Bank');
    await content.getByRole('heading', { name: 'Canary Bank' }).waitFor();

    // Search now: the webview of the page goes when another editor covers it.
    const pageTraces = await tracesOf(session);
    assert.deepEqual(kindsWith(pageTraces, ['Canary Bank']), ['documents', 'messages', 'files']);
    assert.deepEqual(kindsWith(pageTraces, encodedKeys), []);

    await session.openFile('shop.sql');
    await session.runCommand('SQL Projects: Run Statement');
    await input.choose('Choose Project', 'Canary Shop');
    const results = await session.webviewFrame('SQL Results');
    await results.getByText('Bad key [redacted].').waitFor();
    await session.openView('SQL Projects');
    await session.expand('Canary Shop');
    await session
      .treeItem(/Bad key \[redacted\]/)
      .first()
      .waitFor();

    // The search for the service sends no key.
    assert.ok(server.requests.every(({ headers }) => [canary, undefined].includes(headers['x-api-key'] as string)));
    // VS Code writes its storage with a delay.
    const isRemembered = async (): Promise<boolean> => {
      const { storages, files } = await tracesOf(session);
      const isInHistory = files.includes('CREATE TABLE history') && files.includes('Bad key [redacted].');
      return storages.includes(`${server.url} shop`) && files.includes('canary_bird') && isInHistory;
    };
    await waitUntil(isRemembered, { what: 'the project of the document, its schema or its run is not remembered' });
    const resultTraces = await tracesOf(session);
    assert.deepEqual(kindsWith(resultTraces, ['Canary Shop']), ['documents', 'messages', 'files']);
    assert.deepEqual(kindsWith(resultTraces, encodedKeys), []);
  },
);

workbenchTest(
  'a key survives a reload of the window and belongs to one address',
  { settings: { 'sqlProjects.projects': [{ name: 'Bakery', baseUrl: 'http://127.0.0.1:9', projectId: 'bakery' }] } },
  async session => {
    const input = new QuickInput(session.page);
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Set API Key… Bakery' }).click();
    await input.enterKey(canary);
    await content.getByRole('button', { name: 'Replace API Key… Bakery' }).waitFor();
    await session.reload();
    const reloadedContent = await openSettingsPage(session);
    const project = reloadedContent.getByRole('listitem').filter({ hasText: 'Bakery' });
    await project.getByText(/^API key set on/).waitFor();
    await project.getByText('Edit', { exact: true }).click();
    await project.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:10');
    await project.getByText('The API key stays with the former address and project ID.').waitFor();
    await project.getByRole('button', { name: 'Save' }).click();
    await project.getByText('No API key').waitFor();
    await project.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9');
    await project.getByRole('button', { name: 'Save' }).click();
    await project.getByText(/^API key set on/).waitFor();
  },
);
