import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver-protocol';
import { longScript } from '../support/longScript.ts';
import { startLanguageServer, type TestDocument } from '../support/languageServer.ts';

/** `type:text` of each token, with its modifiers. */
function tokensOf(document: TestDocument, { data }: SemanticTokens): string[] {
  const { tokenTypes, tokenModifiers } = document.server.capabilities.semanticTokensProvider!.legend;
  const tokens: string[] = [];
  let line = 0;
  let character = 0;
  for (let index = 0; index < data.length; index += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(index, index + 5);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    const range = { start: { line, character }, end: { line, character: character + length } };
    const names = tokenModifiers.filter((_, bit) => (modifiers & (1 << bit)) !== 0);
    tokens.push([`${tokenTypes[type]}:${document.textOf(range)}`, ...names].join(' '));
  }
  return tokens;
}

async function full(document: TestDocument): Promise<SemanticTokens | null> {
  return document.request<SemanticTokens | null>('textDocument/semanticTokens/full', 0);
}

async function tokensIn(document: TestDocument, start: number, end: number): Promise<SemanticTokens> {
  return document.request<SemanticTokens>('textDocument/semanticTokens/range', 0, {
    range: { start: document.positionAt(start), end: document.positionAt(end) },
  });
}

test('tokens of SQLite have their types, and those over several lines one token a line', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open(
    '-- note\nSELECT count(*) AS "n\r\n m", [a]\nFROM t; /* one\ntwo */ INSERT INTO x VALUES (?)',
  );
  assert.deepEqual(tokensOf(document, (await full(document))!), [
    'comment:-- note',
    'keyword:SELECT',
    'function:count defaultLibrary',
    'operator:*',
    'keyword:AS',
    'property:"n declaration',
    'property: m" declaration',
    'property:[a]',
    'keyword:FROM',
    'class:t',
    'comment:/* one',
    'comment:two */',
    'keyword:INSERT',
    'keyword:INTO',
    'class:x',
    'keyword:VALUES',
    'parameter:?',
  ]);
});

test('an edit sends the tokens that changed', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open(longScript(300));
  const { data, resultId } = (await full(document))!;
  await document.edit(document.text.length >> 1, document.text.length >> 1, ';\nSELECT abs(1);\n');
  const since = { previousResultId: resultId };
  const { edits } = await document.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', 0, since);
  const edited = [...data];
  for (const { start, deleteCount, data: added = [] } of edits) edited.splice(start, deleteCount, ...added);
  const expected = (await full(document))!.data;
  assert.deepEqual(edited, expected);
  assert.ok(edits[0]!.data!.length < expected.length / 10);
  // The server no longer has the previous answer, so it sends all tokens.
  const answer = await document.request<SemanticTokens>('textDocument/semanticTokens/full/delta', 0, since);
  assert.deepEqual(answer.data, expected);
});

test('a range has the tokens in it', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('SELECT a;\nSELECT b,\n c\nFROM d;\nSELECT e;');
  const start = document.text.indexOf(' b');
  assert.deepEqual(tokensOf(document, await tokensIn(document, start, document.text.indexOf('d;'))), [
    'property:b',
    'property:c',
    'keyword:FROM',
  ]);
});

test('a file of megabytes has tokens for the range in view, and keeps nobody waiting', async context => {
  const server = await startLanguageServer(context);
  const row = "(1, 'two', x'03'),\n";
  const large = await server.open(`INSERT INTO t VALUES\n${row.repeat(3_000_000 / row.length)}(1);`);
  assert.equal(await full(large), null);
  const small = await server.open('SELECT 1');
  // The server knows the project now, so the next answer does not wait for the editor.
  assert.deepEqual(tokensOf(small, (await full(small))!), ['keyword:SELECT', 'number:1']);
  const answered: string[] = [];
  const end = large.text.length;
  await Promise.all([
    tokensIn(large, end - 6, end).then(tokens => answered.push(...tokensOf(large, tokens))),
    full(small).then(() => answered.push('small')),
  ]);
  assert.deepEqual(answered, ['small', 'number:1']);
});

test('a document without a project has no tokens until it gets one', async context => {
  const server = await startLanguageServer(context);
  server.projects.set('untitled:other', null);
  const document = await server.open('SELECT 1', { uri: 'untitled:other' });
  assert.equal(await full(document), null);
  const { promise: refreshed, resolve } = Promise.withResolvers<void>();
  server.connection.onRequest('workspace/semanticTokens/refresh', () => resolve());
  server.projects.delete(document.uri);
  await server.changeProjects();
  await refreshed;
  assert.deepEqual(tokensOf(document, (await full(document))!), ['keyword:SELECT', 'number:1']);
});
