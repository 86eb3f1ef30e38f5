import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { startLanguageServer, type TestDocument } from '../support/languageServer.ts';
import { longScript } from '../support/longScript.ts';

const options = { tabSize: 2, insertSpaces: true };

/** The text after a request for edits. */
async function formatted(document: TestDocument, method: string, parameters: object = {}): Promise<string> {
  const edits = await document.request<TextEdit[] | null>(`textDocument/${method}`, 0, { options, ...parameters });
  return document.withEdits(edits ?? []);
}

test('a document is formatted with small edits, and a faulty statement stays as it is', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('\n\nselect  1;\nselect  ( ;\n\n\n\nselect 2 -- two\n;');
  assert.equal(await formatted(document, 'formatting'), 'SELECT 1;\nselect  ( ;\n\nSELECT 2 -- two\n;');
  const edits = await document.request<TextEdit[]>('textDocument/formatting', 0, { options });
  assert.deepEqual(
    edits.map(({ range, newText }) => [document.textOf(range), newText]),
    [
      ['\n\n', ''],
      ['select ', 'SELECT'],
      ['\n\n', ''],
      ['select', 'SELECT'],
    ],
  );
});

test('the style follows the settings and the tabs of the editor', async context => {
  const server = await startLanguageServer(context, {
    settings: { format: { keywordCase: 'lower', commas: 'before', lineWidth: 10 } },
  });
  const document = await server.open('SELECT alpha, beta');
  const tabs = { options: { tabSize: 4, insertSpaces: false } };
  assert.equal(await formatted(document, 'formatting', tabs), 'select\n\talpha\n\t, beta');
  await server.changeSettings({ format: { keywordCase: 'shouting', lineWidth: -1 } });
  assert.equal(await formatted(document, 'formatting'), 'SELECT alpha, beta');
});

test('a range formats the statements that it touches', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('select  1;\nselect  2;   select  3;\nselect  4;');
  const start = document.text.indexOf('2');
  const range = { start: document.positionAt(start), end: document.positionAt(document.text.indexOf('3')) };
  assert.equal(await formatted(document, 'rangeFormatting', { range }), 'select  1;\nSELECT 2;\nSELECT 3;\nselect  4;');
});

test('a typed semicolon formats the statement that it ends', async context => {
  const server = await startLanguageServer(context);
  const check = async (marked: string, expected: string): Promise<void> => {
    const document = await server.open(marked.replace('¦', ''));
    const position = document.positionAt(marked.indexOf('¦'));
    assert.equal(await formatted(document, 'onTypeFormatting', { position, ch: ';' }), expected);
  };
  await check('select  1;\nselect  2;¦\nselect  3', 'select  1;\nSELECT 2;\nselect  3');
  await check('select  (;¦', 'select  (;');
  const trigger = 'create trigger r after delete on t begin select  1;';
  await check(`${trigger}¦ end`, `${trigger} end`);
});

test('formatting a long document does not block other requests, and ends when the text changes', async context => {
  const server = await startLanguageServer(context);
  const long = await server.open(longScript(20_000));
  const short = await server.open('select  1');
  const answered: string[] = [];
  await Promise.all([
    formatted(long, 'formatting').then(() => answered.push('long')),
    formatted(short, 'formatting').then(() => answered.push('short')),
  ]);
  assert.deepEqual(answered, ['short', 'long']);
  const outdated = long.request('textDocument/formatting', 0, { options });
  const rejection = assert.rejects(outdated, /The text has changed/);
  await long.edit(0, 0, ' ');
  await rejection;
});

test('SQL in the literals of a program is not formatted', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('const q = sql`select  1`;', { languageId: 'typescript' });
  assert.equal(await formatted(document, 'formatting'), document.text);
});
