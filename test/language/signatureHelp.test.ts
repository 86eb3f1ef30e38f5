import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignatureHelp } from 'vscode-languageserver-protocol';
import { openMarked, startLanguageServer } from '../support/languageServer.ts';

test('the active parameter of a call and of an INSERT row is marked', async context => {
  const server = await startLanguageServer(context, { ddl: 'CREATE TABLE users (id INTEGER, name TEXT)' });
  const check = async (marked: string, expected: string | undefined): Promise<void> => {
    const { document, offset } = await openMarked(server, marked);
    const help = await document.request<SignatureHelp | null>('textDocument/signatureHelp', offset);
    const { label = '', parameters = [] } = help?.signatures[help.activeSignature ?? 0] ?? {};
    const [start, end] = (parameters[help?.activeParameter ?? -1]?.label ?? [0, 0]) as [number, number];
    assert.equal(help ? `${label.slice(start, end)} in ${label}` : undefined, expected, marked);
  };
  await check('SELECT 1;\nSELECT max(1, ¦', 'y in max(x, y, …)');
  await check('SELECT 1;\nINSERT INTO users VALUES (1, ¦', 'name TEXT in users(id INTEGER, name TEXT)');
  await check('CREATE TABLE own (a, b);\nINSERT INTO own VALUES (¦', 'a in own(a, b)');
  await check('SELECT 1¦', undefined);
});
