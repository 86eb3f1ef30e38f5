import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelectionRange } from 'vscode-languageserver-protocol';
import { startLanguageServer } from '../support/languageServer.ts';

test('the selections at several cursors grow up to the document', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('SELECT 1;\n\nSELECT abc + 2 FROM t;');
  const positions = [document.text.indexOf('bc'), document.text.indexOf('1'), 10].map(at => document.positionAt(at));
  const ranges = await document.request<SelectionRange[]>('textDocument/selectionRange', 0, { positions });
  const texts = ranges.map(innermost => {
    const grown: string[] = [];
    for (let next: SelectionRange | undefined = innermost; next; next = next.parent) {
      grown.push(document.textOf(next.range));
    }
    return grown;
  });
  assert.deepEqual(texts, [
    ['abc', 'abc + 2', 'SELECT abc + 2', 'SELECT abc + 2 FROM t', 'SELECT abc + 2 FROM t;', document.text],
    ['1', 'SELECT 1', 'SELECT 1;', document.text],
    ['', document.text],
  ]);
});
