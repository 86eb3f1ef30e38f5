import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoldingRange } from 'vscode-languageserver-protocol';
import { startLanguageServer } from '../support/languageServer.ts';

test('statements, parentheses, comments and regions fold', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('-- region a\n-- b\n-- c\nSELECT (\n  1\n);\n-- endregion\n');
  assert.deepEqual(await document.request<FoldingRange[]>('textDocument/foldingRange', 0), [
    { startLine: 0, endLine: 6, kind: 'region' },
    { startLine: 1, endLine: 2, kind: 'comment' },
    { startLine: 3, endLine: 5 },
  ]);
});
