import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAt, type NamedDocument, sameNames } from '../../../src/sql/symbols/documentNames.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { longScript } from '../../support/longScript.ts';
import { markNames, namedDocument } from '../../support/namedDocument.ts';

/** The document with brackets around all names for the same thing as the one at the `¦`. */
function marked(text: string): string {
  const document = namedDocument(text.replace('¦', ''));
  const name = nameAt(document, text.indexOf('¦'));
  return markNames(document.statements.text, name ? Array.from(sameNames(document, name)).flat() : []);
}

const cases: readonly (readonly [claim: string, text: string, expected: string])[] = [
  [
    'a table is the same in all statements',
    'CREATE TABLE t(a); INSERT INTO ¦t VALUES (1); SELECT T.a FROM "t" UNION SELECT 1 FROM t2; DROP TABLE t',
    'CREATE TABLE ⟦t⟧(a); INSERT INTO ⟦t⟧ VALUES (1); SELECT ⟦T⟧.a FROM ⟦"t"⟧ UNION SELECT 1 FROM t2; DROP TABLE ⟦t⟧',
  ],
  [
    'a column is the same in all statements, and through views and subqueries',
    'CREATE TABLE t(¦a); CREATE VIEW v AS SELECT a FROM t; SELECT v.a, s.a FROM v, (SELECT * FROM t) s, t2',
    'CREATE TABLE t(⟦a⟧); CREATE VIEW v AS SELECT ⟦a⟧ FROM t; SELECT v.⟦a⟧, s.⟦a⟧ FROM v, (SELECT * FROM t) s, t2',
  ],
  [
    'a column of another table is another one',
    'SELECT ¦id FROM users; SELECT id FROM posts; SELECT id FROM users JOIN posts USING (id)',
    'SELECT ⟦id⟧ FROM users; SELECT id FROM posts; SELECT ⟦id⟧ FROM users JOIN posts USING (⟦id⟧)',
  ],
  [
    'merged columns are those of both tables',
    'SELECT id FROM users; SELECT id FROM posts; SELECT 1 FROM users JOIN posts USING (¦id)',
    'SELECT ⟦id⟧ FROM users; SELECT ⟦id⟧ FROM posts; SELECT 1 FROM users JOIN posts USING (⟦id⟧)',
  ],
  [
    'an alias ends with its statement',
    'SELECT ¦u.id FROM users u; SELECT u.id FROM users u',
    'SELECT ⟦u⟧.id FROM users ⟦u⟧; SELECT u.id FROM users u',
  ],
  [
    'an index and a trigger are known in the document',
    'CREATE INDEX ¦i ON users(id); SELECT 1 FROM users INDEXED BY i; DROP INDEX i',
    'CREATE INDEX ⟦i⟧ ON users(id); SELECT 1 FROM users INDEXED BY ⟦i⟧; DROP INDEX ⟦i⟧',
  ],
  [
    'a renamed column has its new name below',
    'CREATE TABLE t(a); ALTER TABLE t RENAME a TO b; SELECT ¦b FROM t',
    'CREATE TABLE t(a); ALTER TABLE t RENAME a TO ⟦b⟧; SELECT ⟦b⟧ FROM t',
  ],
  [
    'a foreign key names columns of another table',
    'CREATE TABLE a(id); CREATE TABLE b(x REFERENCES a(¦id)); SELECT id FROM a',
    'CREATE TABLE a(⟦id⟧); CREATE TABLE b(x REFERENCES a(⟦id⟧)); SELECT ⟦id⟧ FROM a',
  ],
  [
    'quotes within names',
    'CREATE TABLE "a""b"(x); SELECT x FROM ¦[a"b]',
    'CREATE TABLE ⟦"a""b"⟧(x); SELECT x FROM ⟦[a"b]⟧',
  ],
  ['the end of a name belongs to it', 'SELECT u¦.id FROM users u', 'SELECT ⟦u⟧.id FROM users ⟦u⟧'],
  ['the end of a text', 'SELECT id FROM users¦', 'SELECT id FROM ⟦users⟧'],
  ['space is not a name', 'SELECT id ¦ FROM users', 'SELECT id  FROM users'],
  ['a text without SQL', '-- ¦', '-- '],
];

for (const [claim, text, expected] of cases) {
  test(`${claim}: ${expected}`, () => assert.equal(marked(text), expected));
}

test('names of a script of 10,000 lines are found within a second', async () => {
  const ddl = Array.from({ length: 500 }, (_, n) => `CREATE TABLE own${n}(id INTEGER PRIMARY KEY, name TEXT);\n`);
  const text = `${ddl.join('')}${longScript(10_000)}SELECT users.id FROM users`;
  const countIn = (document: NamedDocument): number => {
    const name = nameAt(document, text.length)!;
    return Array.from(sameNames(document, name)).flat().length;
  };
  // The first search in a document reads its statements.
  await assertWithin(1000, () => {
    const document = namedDocument(text);
    return cpuMs(() => assert.ok(countIn(document) > 1000));
  });
  const document = namedDocument(text);
  countIn(document);
  await assertWithin(1000, () => cpuMs(() => countIn(document)));
});
