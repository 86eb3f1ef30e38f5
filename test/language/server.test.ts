import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { CompletionList } from 'vscode-languageserver-protocol';
import { openMarked, startLanguageServer, type TestLanguageServer } from '../support/languageServer.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const ddl = 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE posts (id INTEGER, user_id INTEGER)';

async function labels(server: TestLanguageServer, marked: string): Promise<string[]> {
  const { document, offset } = await openMarked(server, marked);
  const list = await document.request<CompletionList | null>('textDocument/completion', offset);
  return (list?.items ?? []).map(({ label }) => label);
}

test('a document without a project is left to other extensions', async context => {
  const server = await startLanguageServer(context, { ddl });
  server.projects.set('untitled:other', null);
  const document = await server.open('SELECT nme FROM users;', { uri: 'untitled:other' });
  assert.equal(await document.request('textDocument/completion', 7), null);
  assert.deepEqual(await document.request('textDocument/documentSymbol', 0), []);
  assert.equal(server.published(document.uri), undefined);
  // Its faults show as soon as it has a project.
  server.projects.delete('untitled:other');
  await server.changeProjects();
  assert.deepEqual(
    (await document.diagnostics()).map(({ message }) => message),
    ["no such column 'nme'. Did you mean 'name'?"],
  );
  server.projects.set('untitled:other', null);
  await server.changeProjects();
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics.length === 0);
});

test('faults follow the typing, and the schema of the project', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('SELECT nme FROM users; SELECT * FORM posts; SELECT ? FROM users WHERE id = ?');
  const faults = async (): Promise<string[]> =>
    (await document.diagnostics()).map(({ range, code }) => `${document.textOf(range)} ${code}`);
  assert.deepEqual(await faults(), ['nme unknown_column', 'FORM syntax_error']);
  await document.edit(32, 36, 'FROM');
  assert.deepEqual(await faults(), ['nme unknown_column']);
  await server.changeSchema(ddl.replace('name', 'nme'));
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics.length === 0);
});

test('an unknown schema is requested again when the projects change', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('SELECT nme FROM users;');
  await document.diagnostics();
  await server.changeSchema(undefined);
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics.length === 0);
  server.setSchema(ddl);
  await server.changeProjects();
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => diagnostics.length === 1);
});

test('a file that cannot be checked goes to the log, and completion continues', async context => {
  const folder = temporaryFolder();
  // The bundle without sqlite3.wasm.
  const bundle = join(import.meta.dirname, '../../dist');
  for (const part of ['languageServer.mjs', 'chunks'])
    await cp(join(bundle, part), join(folder, part), { recursive: true });
  const server = await startLanguageServer(context, {
    ddl,
    module: pathToFileURL(join(folder, 'languageServer.mjs')),
  });
  const { promise: logged, resolve } = Promise.withResolvers<string>();
  server.connection.onNotification('window/logMessage', ({ message }: { message: string }) => resolve(message));
  server.process.once('exit', () => resolve('The server ended.'));
  await server.open('SELECT 1;', { uri: 'untitled:query' });
  assert.match(await logged, /^untitled:query was not checked: .*sqlite3\.wasm/);
  assert.deepEqual((await labels(server, 'SELECT u.¦ FROM users u')).slice(0, 2), ['id', 'name']);
});
