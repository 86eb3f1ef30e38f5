import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectSchema } from '../../src/language/projectSchema.ts';
import { ServedFile } from '../../src/language/servedFile.ts';
import type { SqlDocument } from '../../src/language/sqlDocument.ts';
import { languageMethod } from '../../src/protocol/languageBridge.ts';
import { startLanguageServer } from '../support/languageServer.ts';

test('the schema of a file that was closed before the host answered is dropped', async context => {
  const server = await startLanguageServer(context);
  const projectAsked = Promise.withResolvers<void>();
  const projectAnswer = Promise.withResolvers<{ id: string; name: string }>();
  const schemaAsked = Promise.withResolvers<void>();
  let schemaCount = 0;
  server.connection.onRequest(languageMethod('documentProject'), () => {
    projectAsked.resolve();
    return projectAnswer.promise;
  });
  server.connection.onRequest(languageMethod('projectSchema'), () => {
    schemaCount++;
    schemaAsked.resolve();
    return { statements: ['CREATE TABLE users(name)'], rowCounts: [] };
  });

  const uri = 'untitled:closed';
  // The server handles messages in order: after this answer it has handled all earlier ones.
  const roundTrip = () => server.request('textDocument/documentSymbol', { textDocument: { uri } });
  const closed = await server.open('SELECT 1;', { uri });
  await projectAsked.promise;
  await closed.close();
  await roundTrip();
  projectAnswer.resolve({ id: 'project', name: 'Project' });
  await schemaAsked.promise;
  await roundTrip();
  const reopened = await server.open('SELECT 1;', { uri });
  await reopened.request('textDocument/documentSymbol', 0);
  assert.equal(schemaCount, 2);
});

/** Checks the tables of a schema. */
function check(claim: string, statements: readonly string[], expected: readonly string[]): void {
  test(claim, () => {
    const { schema } = new ProjectSchema({ id: 'project', name: 'Project' }, { statements, rowCounts: [] });
    const names = Array.from(schema.tables, ({ name }) => name);
    assert.deepEqual(names, expected);
  });
}

check('an open comment does not hide the next table', ['CREATE TABLE a(x) /* ', 'CREATE TABLE b(x)'], ['a', 'b']);
check('an open quote does not hide the next table', ['CREATE TABLE a(x DEFAULT "', 'CREATE TABLE b(x)'], ['a', 'b']);
check(
  'a statement that creates nothing is ignored',
  ['CREATE TABLE a(x)', 'DROP TABLE a', 'CREATE TABLE b(x)'],
  ['a', 'b'],
);
check(
  'only the first statement of a text counts',
  ['CREATE TABLE a(x); CREATE TABLE b(x)', 'CREATE TABLE c(x)'],
  ['a', 'c'],
);

const project = new ProjectSchema(
  { id: 'p1', name: 'Shop' },
  { statements: ['CREATE TABLE users (id INTEGER PRIMARY KEY)'], rowCounts: [] },
);

function newDocument(): SqlDocument {
  const file = new ServedFile('file:///a.sql', 'sql', 1, 'SELECT nme FROM users;\nDELETE FROM users;');
  file.isServed = true;
  file.project = project;
  return file.documents[0]!;
}

async function findingsOf(document: SqlDocument): Promise<readonly string[]> {
  const faults = (await document.faults()) ?? [];
  return [...faults, ...document.lints()].map(({ code }) => code);
}

// A hover may request a report while the check of the file is under way.
test('a check has all faults and lints, whenever another one of the same document begins', async () => {
  for (let steps = 0; steps < 20; steps++) {
    const document = newDocument();
    const first = findingsOf(document);
    for (let step = 0; step < steps; step++) await Promise.resolve();
    const both = await Promise.all([first, findingsOf(document)]);
    for (const found of both) assert.deepEqual(found, ['unknown_column', 'missing_where'], `after ${steps} steps`);
  }
});
