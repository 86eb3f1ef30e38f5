import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  DocumentHighlight,
  Hover,
  LinkedEditingRanges,
  Location,
  MarkupContent,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver-protocol';
import { openMarked, startLanguageServer } from '../support/languageServer.ts';

const ddl = `CREATE TABLE users (id INTEGER PRIMARY KEY,
  name TEXT)`;

test('a definition of the project opens in its document', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT ¦name FROM users');
  const uri = 'sqlproject:/project/tables/users.sql?project%3Dproject%26kind%3Dtable%26name%3Dusers';
  assert.deepEqual(await document.request<Location>('textDocument/definition', offset), {
    uri,
    range: { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } },
  });
});

test('a hover shows what a name stands for', async context => {
  const server = await startLanguageServer(context, { ddl, rowCounts: { users: 12_345 } });
  const { document, offset } = await openMarked(server, 'SELECT 1;\nSELECT name FROM ¦users');
  assert.deepEqual(await document.request<Hover>('textDocument/hover', offset), {
    contents: {
      kind: 'markdown',
      value: 'Table `users` · 12,345 rows\n\n```sql-projects-sqlite\nid INTEGER PRIMARY KEY\nname TEXT\n```',
    },
    range: { start: { line: 1, character: 17 }, end: { line: 1, character: 22 } },
  });
});

test('a hover shows the rows of a table as soon as they are counted, and keeps the counts of others', async context => {
  const server = await startLanguageServer(context, {
    ddl: `${ddl}; CREATE TABLE posts (a)`,
    rowCounts: { users: 12_345 },
  });
  const { document, offset } = await openMarked(server, 'SELECT name FROM ¦posts, users');
  const titles = async (): Promise<(string | undefined)[]> => {
    const hovers = [offset, document.text.length].map(place => document.request<Hover>('textDocument/hover', place));
    return (await Promise.all(hovers)).map(({ contents }) => (contents as MarkupContent).value.split('\n')[0]);
  };
  assert.deepEqual(await titles(), ['Table `posts`', 'Table `users` · 12,345 rows']);
  await server.countRows('POSTS', 1);
  assert.deepEqual(await titles(), ['Table `posts` · 1 row', 'Table `users` · 12,345 rows']);
  await server.countRows('posts', 2000);
  assert.deepEqual(await titles(), ['Table `posts` · 2,000 rows', 'Table `users` · 12,345 rows']);
});

test('names in the document are found in the document', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(
    server,
    'CREATE TABLE t (a);\nINSERT INTO t (a) VALUES (1);\nSELECT ¦a FROM t;\n-- a\n',
  );
  const texts = (found: readonly { range: Location['range'] }[] | null): string[] =>
    (found ?? []).map(({ range }) => `${range.start.line}:${range.start.character} ${document.textOf(range)}`);
  const location = await document.request<Location>('textDocument/definition', offset);
  assert.equal(location.uri, document.uri);
  assert.deepEqual(texts([location]), ['0:16 a']);
  const references = async (includeDeclaration: boolean): Promise<string[]> =>
    texts(await document.request<Location[]>('textDocument/references', offset, { context: { includeDeclaration } }));
  assert.deepEqual(await references(true), ['0:16 a', '1:15 a', '2:7 a']);
  assert.deepEqual(await references(false), ['1:15 a', '2:7 a']);
  const highlights = await document.request<DocumentHighlight[]>('textDocument/documentHighlight', offset);
  assert.deepEqual(
    highlights.map(({ kind }) => kind),
    [3, 3, 2],
  );
  assert.deepEqual(texts(highlights), ['0:16 a', '1:15 a', '2:7 a']);
});

test('a rename changes all places, or says why it cannot', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'CREATE TABLE t (a);\nSELECT "¦a" FROM t, users;');
  const prepared = await document.request('textDocument/prepareRename', offset);
  assert.deepEqual(prepared, {
    range: { start: { line: 1, character: 7 }, end: { line: 1, character: 10 } },
    placeholder: 'a',
  });
  const { changes } = await document.request<WorkspaceEdit>('textDocument/rename', offset, { newName: 'b c' });
  assert.deepEqual(
    changes?.[document.uri]?.map(({ range, newText }) => `${document.textOf(range)} → ${newText}`),
    ['a → "b c"', '"a" → "b c"'],
  );
  await assert.rejects(
    document.request('textDocument/rename', offset, { newName: 'id' }),
    /would have another meaning/,
  );
  await assert.rejects(
    document.request('textDocument/prepareRename', document.text.indexOf('users')),
    /does not create 'users'/,
  );
  assert.equal(await document.request('textDocument/prepareRename', 21), null);
});

test('an alias is edited in all its places at once, unless it is quoted', async context => {
  const server = await startLanguageServer(context, { ddl });
  const linkedPlaces = async (marked: string): Promise<number[] | undefined> => {
    const { document, offset } = await openMarked(server, marked);
    const linked = await document.request<LinkedEditingRanges | null>('textDocument/linkedEditingRange', offset);
    return linked?.ranges.map(({ start }) => start.character);
  };
  assert.deepEqual(
    await linkedPlaces('SELECT ¦u.id FROM users u ORDER BY u.name; SELECT u.id FROM users u'),
    [7, 23, 34],
  );
  assert.equal(await linkedPlaces('SELECT ¦u.id FROM users "u"'), undefined);
  assert.equal(await linkedPlaces('SELECT ¦u.id FROM users U'), undefined);
  assert.equal(await linkedPlaces('SELECT ¦users.id FROM users'), undefined);
});

test('no name has no places', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, '¦SELECT nope FROM users');
  for (const at of [offset, 8]) {
    for (const method of ['definition', 'documentHighlight', 'hover', 'linkedEditingRange']) {
      assert.equal(await document.request(`textDocument/${method}`, at), null, method);
    }
  }
});

test('the SQL literals of a program are one document', async context => {
  const server = await startLanguageServer(context, { ddl });
  const text = 'db(sql`SELECT u.id FROM users u`); db(sql`SELECT id FROM users`); db(sql`SELECT 1 FROM other`);';
  const document = await server.open(text, { languageId: 'typescript' });
  const offset = text.indexOf('id');
  const places = async (at: number): Promise<number[]> => {
    const found = await document.request<Location[]>('textDocument/references', at, {
      context: { includeDeclaration: true },
    });
    return found.map(({ range }) => range.start.character);
  };
  assert.deepEqual(await places(offset), [offset, text.lastIndexOf('id FROM')]);
  assert.deepEqual(await places(offset - 2), [offset - 2, text.indexOf('u`')]);
  await assert.rejects(document.request('textDocument/prepareRename', offset), /In a program, only aliases/);
  const { changes } = await document.request<WorkspaceEdit>('textDocument/rename', offset - 2, { newName: '`' });
  assert.deepEqual(
    changes?.[document.uri]?.map(({ newText }) => newText),
    ['"\\`"', '"\\`"'],
  );
});

test('tables, views and columns of the projects of open documents are found', async context => {
  const projectDdl =
    'CREATE TABLE "$(trash)" ("$(bug)" REAL); CREATE TABLE orders (id INTEGER,\n  customer TEXT); CREATE VIEW late_orders AS SELECT id FROM orders';
  const server = await startLanguageServer(context, { ddl: projectDdl });
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
