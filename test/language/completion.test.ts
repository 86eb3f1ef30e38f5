import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CompletionItem,
  type CompletionList,
  CompletionTriggerKind,
  type Diagnostic,
  InsertReplaceEdit,
  InsertTextFormat,
} from 'vscode-languageserver-protocol';
import { openMarked, startLanguageServer, type TestDocument } from '../support/languageServer.ts';
import { ddl } from '../sql/corpus.ts';

async function complete(document: TestDocument, offset: number, character?: string): Promise<CompletionList | null> {
  const context =
    character === undefined
      ? { triggerKind: CompletionTriggerKind.Invoked }
      : { triggerKind: CompletionTriggerKind.TriggerCharacter, triggerCharacter: character };
  return document.request('textDocument/completion', offset, { context });
}

const itemOf = (list: CompletionList | null, label: string, description?: string): CompletionItem => {
  const item = list?.items.find(
    other => other.label === label && (description === undefined || other.labelDetails?.description === description),
  );
  assert.ok(item, `${label} is missing`);
  return item;
};

/** The text of the document after the user chose an item. */
function textAfter(document: TestDocument, item: CompletionItem, mode: 'insert' | 'replace' = 'replace'): string {
  assert.ok(item.textEdit && InsertReplaceEdit.is(item.textEdit));
  const edits = [{ range: item.textEdit[mode], newText: item.textEdit.newText }, ...(item.additionalTextEdits ?? [])];
  return document.withEdits(edits);
}

test('a proposal has its type, its key, its table and its place in the order', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT p.¦ FROM posts p');
  const list = await complete(document, offset, '.');
  const item = itemOf(list, 'user_id');
  assert.deepEqual(item.labelDetails, { detail: ' INTEGER → users.id', description: 'p' });
  const sorted = list!.items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1)).map(({ label }) => label);
  assert.deepEqual(sorted.slice(0, 3), ['id', 'user_id', 'title']);
});

test('documentation comes with the item that the user looks at', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT * FROM ¦');
  const list = await complete(document, offset, ' ');
  const item = itemOf(list, 'tags');
  assert.equal(item.documentation, undefined);
  const resolved = await server.request<CompletionItem>('completionItem/resolve', item);
  assert.deepEqual(resolved.documentation, {
    kind: 'markdown',
    value: '```sql-projects-sqlite\npost_id INT\ntag TEXT\nPRIMARY KEY (post_id, tag)\n```',
  });
  // An item of an older list stays as it is.
  await complete(document, offset, ' ');
  assert.deepEqual(await server.request('completionItem/resolve', item), item);
  assert.deepEqual(await server.request('completionItem/resolve', { label: 'other' }), { label: 'other' });
});

test('a word can be replaced as a whole, or the rest of it can stay; quotes are replaced together', async context => {
  const server = await startLanguageServer(context, { ddl });
  const word = await openMarked(server, 'SELECT na¦xx FROM users');
  const item = itemOf(await complete(word.document, word.offset), 'name');
  assert.equal(textAfter(word.document, item, 'replace'), 'SELECT name FROM users');
  assert.equal(textAfter(word.document, item, 'insert'), 'SELECT namexx FROM users');
  const quoted = await openMarked(server, 'SELECT "na¦" FROM users');
  const inQuotes = itemOf(await complete(quoted.document, quoted.offset), 'name');
  assert.equal(inQuotes.filterText, '"name"');
  assert.equal(textAfter(quoted.document, inQuotes, 'insert'), 'SELECT "name" FROM users');
});

test('a column that is chosen before FROM adds its table', async context => {
  const server = await startLanguageServer(context, { ddl });
  const atEnd = await openMarked(server, 'SELECT ema¦');
  const last = itemOf(await complete(atEnd.document, atEnd.offset), 'email', 'users');
  assert.equal(last.insertTextFormat, InsertTextFormat.Snippet);
  assert.equal(textAfter(atEnd.document, last), 'SELECT email$0 FROM users');
  const inList = await openMarked(server, 'SELECT ema¦, name');
  const first = itemOf(await complete(inList.document, inList.offset), 'email', 'users');
  assert.equal(textAfter(inList.document, first), 'SELECT email, name FROM users');
});

test('a function shows its parameters when it is chosen', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT ¦');
  const list = await complete(document, offset);
  assert.deepEqual(itemOf(list, 'substr').labelDetails, { detail: '(x, start[, length])' });
  assert.equal(itemOf(list, 'substr').command?.command, 'editor.action.triggerParameterHints');
  assert.equal(itemOf(list, 'random').command, undefined);
});

test('an editor without snippets and label details gets plain text', async context => {
  const server = await startLanguageServer(context, { ddl, completionItem: {} });
  const { document, offset } = await openMarked(server, 'SELECT ¦');
  const list = await complete(document, offset);
  assert.ok(list!.items.every(({ insertTextFormat, kind }) => insertTextFormat === undefined && kind !== 15));
  assert.deepEqual(itemOf(list, 'upper').textEdit, {
    range: { start: { line: 0, character: 7 }, end: { line: 0, character: 7 } },
    newText: 'upper',
  });
});

test('a blank shows proposals after FROM only', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT * FROM ¦users ');
  assert.ok((await complete(document, offset, ' '))!.items.length > 0);
  assert.equal(await complete(document, document.text.length, ' '), null);
});

test('names are shown as text', async context => {
  const server = await startLanguageServer(context, { ddl: 'CREATE TABLE t("$(alert)" INT)' });
  const { document, offset } = await openMarked(server, 'SELECT ¦ FROM t');
  const [item] = (await complete(document, offset))!.items;
  assert.equal(item?.label, '$\u2060(alert)');
  assert.equal(item.filterText, '$(alert)');
  assert.match(textAfter(document, item), /^SELECT "\$\(alert\)" FROM t$/);
});

const isUnknownTable = ({ code }: Diagnostic): boolean => code === 'unknown_table';

test('proposals follow the schema of the project', async context => {
  const server = await startLanguageServer(context, { ddl });
  const { document, offset } = await openMarked(server, 'SELECT * FROM ¦;\nSELECT * FROM made');
  assert.ok(!(await complete(document, offset))!.items.some(({ label }) => label === 'made'));
  assert.ok((await document.diagnostics()).some(isUnknownTable));
  await server.changeSchema(`${ddl}; CREATE TABLE made(a)`);
  await server.diagnosticsWhere(document.uri, ({ diagnostics }) => !diagnostics.some(isUnknownTable));
  assert.ok((await complete(document, offset))!.items.some(({ label }) => label === 'made'));
});

test('the tables that match are sent from 5,000, and the list is incomplete', async context => {
  const tables = Array.from({ length: 5000 }, (_, n) => `CREATE TABLE table_${n}(id, c${n})`);
  const server = await startLanguageServer(context, { ddl: tables });
  const { document, offset } = await openMarked(server, 'SELECT * FROM t¦');
  const all = await complete(document, offset);
  assert.ok(all!.isIncomplete && all!.items.length <= 500);
  await document.edit(offset, offset, 'able_4999');
  const one = await complete(document, offset + 'able_4999'.length);
  assert.equal(one!.items[0]?.label, 'table_4999');
});

const lookupDdl = `CREATE TABLE states(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE jobs(id INTEGER PRIMARY KEY, state_id INTEGER REFERENCES states, note TEXT)`;

test('the values of a small table are proposed first where a foreign key is compared', async context => {
  const states = Promise.resolve([
    { value: '1', text: 'new' },
    { value: '2', text: 'done' },
  ]);
  const server = await startLanguageServer(context, { ddl: lookupDdl, lookups: { states } });
  for (const marked of ['SELECT * FROM jobs WHERE state_id = ¦', 'SELECT * FROM jobs j WHERE j.state_id IN (¦)']) {
    const { document, offset } = await openMarked(server, marked);
    const list = await complete(document, offset, marked.charAt(offset - 1));
    const sorted = list!.items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1));
    assert.deepEqual(
      sorted.slice(0, 2).map(({ label, labelDetails }) => `${label} ${labelDetails?.description}`),
      ['1 new', '2 done'],
    );
  }
});

test('proposals do not wait for a service that is slow to answer with the values of a table', async context => {
  const { promise: states, resolve } = Promise.withResolvers<{ value: string; text: string }[]>();
  const server = await startLanguageServer(context, { ddl: lookupDdl, lookups: { states } });
  const { document, offset } = await openMarked(server, 'SELECT * FROM jobs WHERE state_id = ¦');
  const first = await complete(document, offset);
  assert.ok(first?.isIncomplete);
  itemOf(first, 'note');
  resolve([{ value: '1', text: 'new' }]);
  await states;
  itemOf(await complete(document, offset), '1', 'new');
});
