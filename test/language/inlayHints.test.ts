import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InlayHint } from 'vscode-languageserver-protocol';
import { startLanguageServer, type TestDocument } from '../support/languageServer.ts';

/** The text with its hints. */
async function withHints(document: TestDocument, start = 0, end = document.text.length): Promise<string> {
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const hints = await document.request<InlayHint[]>('textDocument/inlayHint', 0, { range });
  let text = document.text;
  for (const { position, label } of hints.toReversed()) {
    const offset = document.offsetAt(position);
    text = `${text.slice(0, offset)}«${label as string}»${text.slice(offset)}`;
  }
  return text;
}

test('values and parameters show their columns, as the settings say', async context => {
  const server = await startLanguageServer(context, { ddl: 'CREATE TABLE users (id INTEGER, name TEXT)' });
  const document = await server.open('INSERT INTO users VALUES (1, 2);\nSELECT * FROM users WHERE id IN (?);');
  const both = 'INSERT INTO users VALUES («id:»1, «name:»2);\nSELECT * FROM users WHERE id IN («id:»?);';
  assert.equal(await withHints(document), both);
  assert.equal(
    await withHints(document, 28, 40),
    'INSERT INTO users VALUES (1, «name:»2);\n' + document.text.split('\n')[1]!,
  );
  await server.changeSettings({ inlayHints: { insertColumns: false } });
  assert.equal(await withHints(document), `${document.text.split('\n')[0]!}\n${both.split('\n')[1]!}`);
  await server.changeSettings({ inlayHints: { insertColumns: false, parameters: false } });
  assert.equal(await withHints(document), document.text);
  await server.changeSettings({ inlayHints: 'nonsense' });
  assert.equal(await withHints(document), both);
});

test('the columns of a table follow the DDL above the statement', async context => {
  const server = await startLanguageServer(context, { ddl: 'CREATE TABLE users (id INTEGER, name TEXT)' });
  const document = await server.open(
    'ALTER TABLE users RENAME COLUMN name TO title;\nINSERT INTO users VALUES (1, 2);',
  );
  assert.match(await withHints(document), /«title:»2/);
});
