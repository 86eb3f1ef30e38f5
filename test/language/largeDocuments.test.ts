import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancellationTokenSource, type CompletionList } from 'vscode-languageserver-protocol';
import { exhausting, pairsSchema, slowToPlan, wideTable } from '../support/exhaustingStatement.ts';
import { type TestDocument, type TestLanguageServer, startLanguageServer } from '../support/languageServer.ts';
import { longScript } from '../support/longScript.ts';

const ddl = 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)';

/** Completes after each letter of a word, as typing does. */
async function typeAndComplete(document: TestDocument): Promise<void> {
  for (const letter of 'name') {
    const { length } = document.text;
    await document.edit(length, length, letter);
    const list = await document.request<CompletionList>('textDocument/completion', length + 1);
    assert.ok(list.items.some(({ label }) => label === 'name'));
  }
}

function isChecked(server: TestLanguageServer, { uri, version }: TestDocument): boolean {
  return server.published(uri)?.version === version;
}

/** Each text ends with a fault that shows the end of the check. The check of the longest takes as long as a hundred proposals. */
const large: readonly (readonly [name: string, text: () => string, isLongest?: true])[] = [
  ['a document of 10 MB', () => `${longScript(370_000).slice(0, 10_000_000)}\n;SELECT FORM;`, true],
  ['a line of 1 MB', () => `${'SELECT name, id FROM users WHERE id = 1; '.repeat(25_000)}SELECT FORM;`],
  ['a statement of 1 MB', () => `INSERT INTO users VALUES ${"(1, 'name'), ".repeat(80_000)}(1, 2); SELECT FORM;`],
];

for (const [name, text, isLongest] of large) {
  test(`completion answers while ${name} is checked`, async context => {
    const server = await startLanguageServer(context, { ddl });
    const other = await server.open('SELECT * FROM users WHERE ');
    await typeAndComplete(other);
    const document = await server.open(text());
    await typeAndComplete(other);
    if (isLongest) assert.equal(isChecked(server, document), false, 'the proposals waited for the check');
    assert.ok((await document.diagnostics()).length > 0);
    // An edit starts another check, and the next edit ends it.
    await document.edit(0, 0, '\n');
    await typeAndComplete(other);
    await document.edit(0, 1, '');
    assert.ok((await document.diagnostics()).length > 0);
  });
}

/** Tells which of two requests is answered first. They were sent in this order. */
async function firstAnswered(first: Promise<unknown>, second: Promise<unknown>): Promise<'first' | 'second'> {
  const answered = await Promise.race([first.then(() => 'first' as const), second.then(() => 'second' as const)]);
  await Promise.all([first, second]);
  return answered;
}

test('a completion elsewhere does not wait for 10 MB that arrive in one change', async context => {
  const server = await startLanguageServer(context, { ddl });
  const other = await server.open('SELECT * FROM users WHERE ');
  await typeAndComplete(other);
  const document = await server.open('SELECT 1;');
  await document.edit(9, 9, `\n${longScript(370_000)}`);
  const hover = document.request('textDocument/hover', 0);
  const completion = other.request<CompletionList>('textDocument/completion', other.text.length);
  assert.equal(await firstAnswered(hover, completion), 'second');
  assert.ok((await completion).items.some(({ label }) => label === 'name'));
  // Later changes and requests build on the large change.
  const { length } = document.text;
  await document.edit(length, length, '\nSELECT n FROM (SELECT 1 AS name);');
  const list = await document.request<CompletionList>('textDocument/completion', length + 9);
  assert.ok(list.items.some(({ label }) => label === 'name'));
});

test('a completion elsewhere does not wait for a schema of 8 MB', async context => {
  const server = await startLanguageServer(context, { ddl });
  server.projects.set('untitled:other', 'small');
  const other = await server.open('SELECT * FROM users WHERE ', { uri: 'untitled:other' });
  await typeAndComplete(other);
  const tables = Array.from(
    { length: 80_000 },
    (_, number) => `CREATE TABLE t${number} (id INTEGER PRIMARY KEY, name TEXT, a REAL, b BLOB, c TEXT NOT NULL, d)`,
  );
  await server.changeSchema(tables);
  server.projects.set('untitled:large', 'large');
  const document = await server.open('SELECT * FROM t79999 WHERE ', { uri: 'untitled:large' });
  // The server has the schema now, but has not read it.
  await document.request('textDocument/documentSymbol', 0);
  const completion = document.request<CompletionList>('textDocument/completion', document.text.length);
  const elsewhere = other.request<CompletionList>('textDocument/completion', other.text.length);
  assert.equal(await firstAnswered(completion, elsewhere), 'second');
  assert.ok((await elsewhere).items.some(({ label }) => label === 'name'));
  assert.ok((await completion).items.some(({ label }) => label === 'name'));
});

test('a cancelled request ends, and the next one is answered', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open(longScript(100_000));
  await document.diagnostics();
  const cancel = new CancellationTokenSource();
  const options = { tabSize: 2, insertSpaces: true };
  const formatted = server.connection.sendRequest(
    'textDocument/formatting',
    { textDocument: { uri: document.uri }, options },
    cancel.token,
  );
  cancel.cancel();
  await assert.rejects(formatted);
  await typeAndComplete(await server.open('SELECT * FROM users WHERE '));
});

test("a statement on which SQLite's planner does not end is skipped, and the other statements are checked", async context => {
  const server = await startLanguageServer(context, { ddl: [ddl, ...pairsSchema] });
  const document = await server.open(`${slowToPlan};\nSELECT nme FROM users;\nSELECT a FROM pairs;`);
  const found = async (): Promise<string[]> =>
    (await document.diagnostics()).map(({ code, range }) => `${range.start.line} ${code}`);
  assert.deepEqual(await found(), ['0 not_checked', '1 unknown_column']);
  await typeAndComplete(await server.open('SELECT * FROM users WHERE '));
  // After an edit, the statement is checked again.
  await document.edit(0, slowToPlan.length, 'SELECT a FROM pair');
  assert.deepEqual(await found(), ['0 unknown_table', '1 unknown_column']);
});

test('a check that takes too much memory is skipped, and the other statements are checked', async context => {
  const server = await startLanguageServer(context, { ddl: [ddl, wideTable] });
  const document = await server.open(`${exhausting};\nSELECT nme FROM users;`);
  const found = (await document.diagnostics()).map(({ code, range }) => `${range.start.line} ${code}`);
  assert.deepEqual(found, ['0 not_checked', '1 unknown_column']);
});
