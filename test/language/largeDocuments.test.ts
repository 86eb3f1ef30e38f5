import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CancellationTokenSource, type CompletionList } from 'vscode-languageserver-protocol';
import { exhausting, wideTable } from '../support/exhaustingStatement.ts';
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

/** Each ends with a fault, which shows the end of the check. The check of the longest takes a hundred times as long as a proposal. */
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
    // An edit starts another check, and another edit ends that.
    await document.edit(0, 0, '\n');
    await typeAndComplete(other);
    await document.edit(0, 1, '');
    assert.ok((await document.diagnostics()).length > 0);
  });
}

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

test('a check that takes too long or too much memory is given up, and the other statements are checked', async context => {
  const server = await startLanguageServer(context, { ddl: [ddl, wideTable] });
  const tables = Array.from({ length: 60 }, (_, number) => `users u${number}`).join(', ');
  const document = await server.open(`${exhausting};\nSELECT nme FROM ${tables};\nSELECT nme FROM users;`);
  const found = new Set((await document.diagnostics()).map(({ code, range }) => `${range.start.line} ${code}`));
  assert.ok(found.has('0 not_checked'));
  assert.ok(found.has('2 unknown_column'));
});
