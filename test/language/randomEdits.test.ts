import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { ddl } from '../sql/corpus.ts';
import { oneOf, seeded, upTo } from '../fuzz/random.ts';
import { randomPiece, randomScript } from '../fuzz/sqlTexts.ts';
import { startLanguageServer, type TestDocument } from '../support/languageServer.ts';

const editCount = 60;
const editsPerCheck = 20;

/** Requests at a position. None may fail, and their answers are not compared. */
const methods = [
  'textDocument/completion',
  'textDocument/hover',
  'textDocument/signatureHelp',
  'textDocument/definition',
  'textDocument/documentHighlight',
  'textDocument/semanticTokens/full',
  'textDocument/foldingRange',
  'textDocument/documentSymbol',
];

async function findingsIn(document: TestDocument): Promise<string[]> {
  return (await document.diagnostics()).map(({ range, code }) => `${JSON.stringify(range)} ${code}`).toSorted();
}

/** The findings of a server that saw no other text of the document except one with a fault. */
async function findingsOfNewServer(context: TestContext, text: string): Promise<string[]> {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('SELECT FORM');
  await document.diagnostics();
  await document.edit(0, document.text.length, text);
  return findingsIn(document);
}

for (const seed of [1, 2]) {
  test(`a server that followed many edits finds what a new server finds (seed ${seed})`, async context => {
    const random = seeded(seed);
    const server = await startLanguageServer(context, { ddl });
    const document = await server.open(`${randomScript(random)}\nSELECT FORM;`);
    await document.diagnostics();
    for (let edit = 1; edit <= editCount; edit++) {
      const start = upTo(random, document.text.length + 1);
      const end = Math.min(document.text.length, start + oneOf(random, [0, 0, 1, 12]));
      // No editor cuts a line break in two.
      await document.edit(start, end, randomPiece(random).replaceAll('\r', ''));
      await document.request(oneOf(random, methods), Math.min(start, document.text.length));
      if (edit % editsPerCheck > 0) continue;
      assert.deepEqual(await findingsIn(document), await findingsOfNewServer(context, document.text), document.text);
    }
  });
}
