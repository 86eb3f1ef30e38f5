import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageMethod, type ResultColumns } from '../../src/protocol/languageBridge.ts';
import { openMarked, startLanguageServer, type TestDocument } from '../support/languageServer.ts';

const ddl = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight);
CREATE TABLE wide(${Array.from({ length: 150 }, (_, index) => `c${index}`).join(', ')})`;

const resultColumns = (document: TestDocument, offset = 0): Promise<ResultColumns> => {
  const params = { uri: document.uri, position: document.positionAt(offset) };
  return document.server.request<ResultColumns>(languageMethod('resultColumns'), params);
};

const cases: readonly (readonly [marked: string, expected: string | null])[] = [
  ['¦SELECT * FROM pets', '3: id INTEGER, name TEXT, weight '],
  ['¦SELECT name AS n, 1 + 1 FROM pets', '2: n TEXT, 1 + 1 '],
  ['SELECT 1;¦SELECT id FROM pets', '1: id INTEGER'],
  ['SELECT id FROM pets;\n\n¦SELECT 1 AS one', '1: one '],
  ['CREATE TABLE more(a REAL);\n¦SELECT a FROM more', '1: a REAL'],
  ['¦INSERT INTO pets(name) VALUES (?) RETURNING id', '1: id INTEGER'],
  ['¦DELETE FROM pets', null],
  ['¦SELECT nope FROM pets', null],
  ['¦SELEC', null],
  ['SELECT 1;\n¦', null],
];

test('the columns of a statement are known before it runs', async context => {
  const server = await startLanguageServer(context, { ddl });
  for (const [marked, expected] of cases) {
    const { document, offset } = await openMarked(server, marked);
    const answer: ResultColumns | null = await resultColumns(document, offset);
    const found = answer && `${answer.count}: ${answer.columns.map(({ name, type }) => `${name} ${type}`).join(', ')}`;
    assert.equal(found, expected, marked);
  }
});

const keysDdl = `CREATE TABLE owners(id INTEGER PRIMARY KEY, code TEXT UNIQUE);
CREATE TABLE cats(id INTEGER, home INTEGER, owner REFERENCES owners, tag REFERENCES owners(code), PRIMARY KEY (id, home));
CREATE TABLE toys(cat INTEGER, home INTEGER, name TEXT, FOREIGN KEY (cat, home) REFERENCES cats);
CREATE VIEW seen AS SELECT id, owner FROM cats`;

const keyCases: readonly (readonly [statement: string, expected: string])[] = [
  ['SELECT * FROM cats', 'id key, home key, owner → owners, tag → owners.code'],
  [
    'SELECT c.owner AS who, o.id, owner + 1, count(*) FROM cats c JOIN owners o ON o.id = owner',
    'who → owners, id key',
  ],
  ['SELECT owner FROM cats UNION ALL SELECT code FROM owners', ''],
  ['SELECT owner FROM seen', ''],
  ['INSERT INTO cats VALUES (1, 2, 3, 4) RETURNING owner', 'owner → owners'],
];

test('columns that come straight from a table have their keys', async context => {
  const server = await startLanguageServer(context, { ddl: keysDdl });
  for (const [statement, expected] of keyCases) {
    const { columns } = await resultColumns(await server.open(statement));
    const found = columns.flatMap(({ name, isKey, references }) => {
      const target = references && [references.table, ...(references.column === undefined ? [] : [references.column])];
      return isKey || target ? [`${name}${isKey ? ' key' : ''}${target ? ` → ${target.join('.')}` : ''}`] : [];
    });
    assert.equal(found.join(', '), expected, statement);
  }
});

const partsAt = (...columns: readonly number[]) => columns.map(column => ({ column }));

test('a key of several columns has the places of all of them, if the rows have them once', async context => {
  const server = await startLanguageServer(context, { ddl: keysDdl });
  for (const [statement, expected] of [
    ['SELECT name, home AS h, cat FROM toys', [undefined, partsAt(2, 1), partsAt(2, 1)]],
    ['SELECT name, cat FROM toys', [undefined, undefined]],
    ['SELECT one.cat, other.home FROM toys one, "toys" other', [undefined, undefined]],
    ['SELECT "toys".home, toys.name, [toys] . cat FROM toys', [partsAt(2, 0), undefined, partsAt(2, 0)]],
  ] as const) {
    const { columns } = await resultColumns(await server.open(statement));
    assert.deepEqual(
      columns.map(({ references }) => references?.parts),
      expected,
      statement,
    );
  }
});

test('the first of very many columns are shown, and how many there are', async context => {
  const server = await startLanguageServer(context, { ddl });
  const answer = await resultColumns(await server.open('SELECT * FROM wide'));
  assert.deepEqual([answer.count, answer.columns.length], [150, 100]);
});

test('no columns are known without a schema, and wrong parameters are refused', async context => {
  const server = await startLanguageServer(context);
  const document = await server.open('SELECT 1');
  assert.equal(await resultColumns(document), null);
  const { uri } = document;
  for (const params of [{ uri }, { uri, position: { line: -1 } }]) {
    await assert.rejects(server.request(languageMethod('resultColumns'), params), {
      message: /The parameters of resultColumns are wrong/,
    });
  }
});
