import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type DocumentSymbol,
  SymbolKind,
  type FoldingRange,
  type SelectionRange,
} from 'vscode-languageserver-protocol';
import { startLanguageServer } from '../support/languageServer.ts';

test('the outline has the statements with their columns and common tables', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open(
    'CREATE TABLE t (\n  id INTEGER\n);\n\nWITH c AS (SELECT 1) SELECT * FROM c;\nPRAGMA x;',
  );
  const sketch = ({ name, detail, kind, range, selectionRange, children = [] }: DocumentSymbol): unknown => [
    `${name}${detail ? ` ${detail}` : ''} (${Object.keys(SymbolKind).find(key => SymbolKind[key as never] === kind)})`,
    `${range.start.line}-${range.end.line}`,
    document.textOf(selectionRange),
    ...children.map(sketch),
  ];
  const symbols = await document.request<DocumentSymbol[]>('textDocument/documentSymbol', 0);
  assert.deepEqual(symbols.map(sketch), [
    ['CREATE TABLE t (Struct)', '0-2', 't', ['id INTEGER (Field)', '1-1', 'id']],
    ['SELECT … FROM c (Array)', '4-4', 'WITH c AS (SELECT 1) SELECT * FROM c;', ['c (Variable)', '4-4', 'c']],
    ['PRAGMA x (Constant)', '5-5', 'PRAGMA x;'],
  ]);
});

test('a name in the outline is text, also where it looks like an icon', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('CREATE TABLE "$(trash)" ("$(bug)" "$(star)")');
  const [table] = await document.request<DocumentSymbol[]>('textDocument/documentSymbol', 0);
  assert.equal(table?.name, 'CREATE TABLE $\u2060(trash)');
  assert.deepEqual(
    table.children?.map(({ name, detail }) => [name, detail]),
    [['$\u2060(bug)', '$\u2060(star)']],
  );
});

test('the outline of a long script ends after 5,000 statements', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('SELECT 1;\n'.repeat(5001));
  const symbols = await document.request<DocumentSymbol[]>('textDocument/documentSymbol', 0);
  assert.equal(symbols.length, 5000);
  assert.equal(symbols.at(-1)?.range.start.line, 4999);
});

test('statements, parentheses, comments and regions fold', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('-- region a\n-- b\n-- c\nSELECT (\n  1\n);\n-- endregion\n');
  assert.deepEqual(await document.request<FoldingRange[]>('textDocument/foldingRange', 0), [
    { startLine: 0, endLine: 6, kind: 'region' },
    { startLine: 1, endLine: 2, kind: 'comment' },
    { startLine: 3, endLine: 5 },
  ]);
});

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
