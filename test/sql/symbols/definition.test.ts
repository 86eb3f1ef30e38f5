import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { definitionOf } from '../../../src/sql/symbols/definition.ts';
import { nameAt } from '../../../src/sql/symbols/documentNames.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { markNames, namedDocument } from '../../support/namedDocument.ts';
import { ddl } from '../corpus.ts';

const projectDdl = `${ddl}
CREATE VIEW named(n) AS SELECT name FROM users;
CREATE VIEW aliased AS SELECT name AS n FROM users`;
const statements = splitStatements(projectDdl).map(({ start, end }) => projectDdl.slice(start, end));
const schema = Schema.of(projectDdl);

/** The document or the project's statement with brackets around the defined name. */
function definitionAt(marked: string): string {
  const document = namedDocument(marked.replace('¦', ''), schema);
  const name = nameAt(document, marked.indexOf('¦'));
  const found = name && definitionOf(document, name, statements);
  if (!found) return 'none';
  if (found.place === 'document') return markNames(document.statements.text, [found.name]);
  const { kind, name: object, text, occurrence } = found.definition;
  const { start, end } = occurrence;
  return `${kind} ${object}: …${text.slice(Math.max(0, start - 6), start)}⟦${text.slice(start, end)}⟧`;
}

const cases: readonly (readonly [marked: string, definition: string])[] = [
  // In the project
  ['SELECT * FROM ¦users', 'table users: …TABLE ⟦users⟧'],
  ['SELECT ¦email FROM users', 'table users: …NULL, ⟦email⟧'],
  ['SELECT u.¦"EMAIL" FROM Users u', 'table users: …NULL, ⟦email⟧'],
  ['SELECT ¦post_id FROM tags', 'table tags: … tags(⟦post_id⟧'],
  ['SELECT * FROM ¦active_users', 'view active_users: … VIEW ⟦active_users⟧'],
  ['SELECT ¦email FROM active_users', 'table users: …NULL, ⟦email⟧'],
  ['SELECT ¦n FROM named', 'view named: …named(⟦n⟧'],
  ['SELECT ¦n FROM aliased', 'view aliased: …me AS ⟦n⟧'],
  ['SELECT * FROM ¦docs', 'table docs: …TABLE ⟦docs⟧'],
  ['SELECT ¦title FROM docs', 'table docs: …TABLE ⟦docs⟧'],
  ['SELECT ¦rowid FROM users', 'table users: …TABLE ⟦users⟧'],
  ['DROP INDEX ¦idx_posts_user', 'index idx_posts_user: …INDEX ⟦idx_posts_user⟧'],
  ['DROP TRIGGER ¦posts_ai', 'trigger posts_ai: …IGGER ⟦posts_ai⟧'],
  ['SELECT ¦"total price" FROM "order"', 'table order: …TEXT, ⟦"total price"⟧'],
  ['SELECT users.id FROM ¦users; CREATE TABLE users(x)', 'table users: …TABLE ⟦users⟧'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT ¦NEW.id; END', 'table posts: …TABLE ⟦posts⟧'],
  // In the document
  ['CREATE TABLE t(a); SELECT ¦a FROM t', 'CREATE TABLE t(⟦a⟧); SELECT a FROM t'],
  ['CREATE TABLE t(a); SELECT a FROM ¦t; DROP TABLE t', 'CREATE TABLE ⟦t⟧(a); SELECT a FROM t; DROP TABLE t'],
  [
    'CREATE TABLE t(a); DROP TABLE t; CREATE TABLE t(b); SELECT * FROM ¦t',
    'CREATE TABLE t(a); DROP TABLE t; CREATE TABLE ⟦t⟧(b); SELECT * FROM t',
  ],
  [
    'DROP TABLE users; CREATE TABLE users(x); SELECT ¦users.x FROM users',
    'DROP TABLE users; CREATE TABLE ⟦users⟧(x); SELECT users.x FROM users',
  ],
  [
    'CREATE TABLE a(x REFERENCES ¦later); CREATE TABLE later(id)',
    'CREATE TABLE a(x REFERENCES later); CREATE TABLE ⟦later⟧(id)',
  ],
  [
    'ALTER TABLE users ADD COLUMN age; SELECT ¦age FROM users',
    'ALTER TABLE users ADD COLUMN ⟦age⟧; SELECT age FROM users',
  ],
  ['SELECT ¦u.id FROM users u', 'SELECT u.id FROM users ⟦u⟧'],
  ['WITH c AS (SELECT 1 AS x) SELECT * FROM ¦c', 'WITH ⟦c⟧ AS (SELECT 1 AS x) SELECT * FROM c'],
  ['WITH c AS (SELECT 1 AS x) SELECT ¦x FROM c', 'WITH c AS (SELECT 1 AS ⟦x⟧) SELECT x FROM c'],
  ['WITH c(y) AS (SELECT 1 AS x) SELECT ¦y FROM c', 'WITH c(⟦y⟧) AS (SELECT 1 AS x) SELECT y FROM c'],
  ['SELECT 1 AS n FROM users ORDER BY ¦n', 'SELECT 1 AS ⟦n⟧ FROM users ORDER BY n'],
  // Nowhere
  ['SELECT * FROM ¦nope', 'none'],
  ['SELECT ¦abs(1)', 'none'],
  ['SELECT ¦:p', 'none'],
  ['SELECT * FROM ¦sqlite_schema', 'none'],
  ['¦SELECT 1', 'none'],
];

for (const [marked, definition] of cases) {
  test(`${marked} is defined in ${definition}`, () => assert.equal(definitionAt(marked), definition));
}
