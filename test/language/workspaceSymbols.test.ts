import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Location, WorkspaceSymbol } from 'vscode-languageserver-protocol';
import { startLanguageServer } from '../support/languageServer.ts';

test('tables, views and columns of the projects of open documents are found', async context => {
  const ddl =
    'CREATE TABLE "$(trash)" ("$(bug)" REAL); CREATE TABLE orders (id INTEGER,\n  customer TEXT); CREATE VIEW late_orders AS SELECT id FROM orders';
  const server = await startLanguageServer(context, { ddl });
  const find = async (query: string): Promise<WorkspaceSymbol[]> => server.request('workspace/symbol', { query });
  assert.deepEqual(await find('order'), [], 'no document is open');
  const document = await server.open('SELECT 1');
  await document.request('textDocument/documentSymbol', 0);
  assert.deepEqual(
    (await find('order')).map(({ name, containerName }) => `${name} in ${containerName}`),
    ['orders in project', 'late_orders in project'],
  );
  assert.deepEqual(
    (await find('bug')).map(({ name, containerName }) => `${name} in ${containerName}`),
    ['$\u2060(bug) in $\u2060(trash) · project'],
    'names are text, also where they look like icons',
  );
  const [column] = await find('customer');
  const { location } = await server.request<WorkspaceSymbol & { location: Location }>(
    'workspaceSymbol/resolve',
    column!,
  );
  assert.match(location.uri, /^sqlproject:\/project\/tables\/orders\.sql\?/);
  assert.deepEqual(location.range, { start: { line: 1, character: 2 }, end: { line: 1, character: 10 } });
});
