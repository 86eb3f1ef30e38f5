import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompletionList, Hover, SemanticTokens, SignatureHelp } from 'vscode-languageserver-protocol';
import { codeActions, textAfter } from '../support/codeActions.ts';
import { openMarked, startLanguageServer } from '../support/languageServer.ts';

const ddl =
  'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, "full name" TEXT); CREATE TABLE "order" (id INTEGER)';

type Case = readonly [name: string, languageId: string, text: string, faults: readonly string[]];

/** A fault is shown as its text and its code. */
const faultCases: readonly Case[] = [
  [
    'each literal on its own',
    'typescript',
    "const a = sql`SELECT nme FROM users`;\nb(/* sql */ 'SELECT * FORM users', 'SELECT nothing FROM nowhere');",
    ['nme unknown_column', 'FORM syntax_error'],
  ],
  ['a Python file', 'python', '# sql\nq = "SELECT \\"full name\\", nme FROM users"', ['nme unknown_column']],
  ['names in escaped quotes', 'python', '# sql\nq = "SELECT \\"nme\\", 1"', ['\\"nme\\" unknown_column']],
  ['tables of the same literal', 'typescript', 'sql`CREATE TABLE t (a); SELECT b FROM t`', ['b unknown_column']],
  ['values of the program', 'typescript', 'sql`SELECT nme FROM users WHERE id = ${id}`', ['nme unknown_column']],
  [
    'SQL of the program',
    'typescript',
    'sql`SELECT nme FROM ${table}`; sql`SELECT nme FROM users ${rest} x y`; sql`DELETE FROM users ${where}`',
    [],
  ],
  [
    'a list of the program',
    'typescript',
    'sql`SELECT 1 FROM users WHERE id IN ${ids}; SELECT b`',
    ['b unknown_column'],
  ],
  ['fragments', 'typescript', "sql`nme = 1`; /* sql */ 'SELECT nme FROM users ' + b", []],
];

for (const [name, languageId, text, expected] of faultCases) {
  test(`faults in literals consider ${name}`, async context => {
    const server = await startLanguageServer(context, { ddl });
    // A last literal with a fault shows that the others were checked.
    const last = languageId === 'python' ? '\n# sql\nq = "SELECT zzz"' : '\nsql`SELECT zzz`';
    const document = await server.open(text + last, { languageId });
    const faults = (await document.diagnostics()).map(({ range, code }) => `${document.textOf(range)} ${code}`);
    assert.deepEqual(faults, [...expected, 'zzz unknown_column']);
  });
}

test('a fix replaces a name with its escaped quotes', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('# sql\nq = "SELECT id FROM users WHERE name = \\"Ann\\""', {
    languageId: 'python',
  });
  const diagnostics = await document.diagnostics();
  const [action] = await codeActions(document, { range: diagnostics[0]!.range, diagnostics });
  assert.equal(textAfter(document, action!), '# sql\nq = "SELECT id FROM users WHERE name = \'Ann\'"');
});

test('faults follow edits within, before and between literals', async context => {
  const server = await startLanguageServer(context, { ddl });
  const document = await server.open('sql`SELECT a`;\nsql`SELECT b`;\nsql`SELECT id FROM users`', {
    languageId: 'typescript',
  });
  const faults = async (): Promise<string[]> =>
    (await document.diagnostics()).map(({ range }) => `${range.start.line} ${document.textOf(range)}`);
  const replace = (from: string, to: string): Promise<void> => {
    const start = document.text.indexOf(from);
    return document.edit(start, start + from.length, to);
  };
  assert.deepEqual(await faults(), ['0 a', '1 b']);
  await replace('b`', 'bc`');
  assert.deepEqual(await faults(), ['0 a', '1 bc']);
  await replace('sql`SELECT a`;', '// none\n');
  assert.deepEqual(await faults(), ['2 bc']);
  await replace('// none', 'sql`SELECT d`; sql`SELECT e`');
  assert.deepEqual(await faults(), ['0 d', '0 e', '2 bc']);
  await server.changeSchema(ddl.replace('id', 'bc'));
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) =>
    diagnostics.some(({ range }) => document.textOf(range) === 'id'),
  );
});

test('completion proposes SQL within literals only', async context => {
  const server = await startLanguageServer(context, { ddl });
  const listAt = async (marked: string): Promise<CompletionList | null> => {
    const { document, offset } = await openMarked(server, marked, 'typescript');
    return document.request<CompletionList | null>('textDocument/completion', offset);
  };
  const inserted = async (marked: string, label: string): Promise<string | undefined> =>
    (await listAt(marked))?.items.find(item => item.label === label)?.textEdit?.newText;
  assert.equal(await inserted('const a = sql`SELECT u.¦ FROM users u WHERE id = ${b}`', 'name'), 'name');
  assert.equal(await inserted('/* sql */ "SELECT * FROM ¦"', 'order'), '\\"order\\"');
  assert.equal(await inserted('/* sql */ `SELECT * FROM ¦`', 'order'), '"order"');
  assert.equal(await listAt('const ¦a = sql`SELECT 1`'), null);
  assert.equal(await listAt('sql`SELECT ${a.¦} FROM users`'), null);
});

test('hover, signatures and colours are those of the SQL in a literal', async context => {
  const server = await startLanguageServer(context, { ddl });
  const request = async <T>(method: string, marked: string): Promise<T | null> => {
    const { document, offset } = await openMarked(server, marked, 'typescript');
    return document.request<T | null>(method, offset);
  };
  const hover = await request<Hover>('textDocument/hover', 'sql`SELECT ${a}, na¦me FROM users`');
  assert.deepEqual(hover?.range, { start: { line: 0, character: 17 }, end: { line: 0, character: 21 } });
  assert.match(JSON.stringify(hover.contents), /TEXT/);
  assert.equal(await request('textDocument/hover', 'na¦me(sql`SELECT name FROM users`)'), null);
  const help = await request<SignatureHelp>('textDocument/signatureHelp', '/* sql */ "SELECT replace(\\"a\\", ¦"');
  assert.equal(help?.activeParameter ?? help?.signatures[0]?.activeParameter, 1);
  const tokens = await request<SemanticTokens>(
    'textDocument/semanticTokens/full',
    'a;¦\nsql`SELECT name`;\nsql`SELECT 1`',
  );
  // The first token: its line and column after those of the previous token, and its length.
  assert.deepEqual(tokens?.data.slice(0, 3), [1, 4, 6]);
});
