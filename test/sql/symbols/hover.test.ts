import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { nameAt } from '../../../src/sql/symbols/documentNames.ts';
import { hoverText } from '../../../src/sql/symbols/hover.ts';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { namedDocument } from '../../support/namedDocument.ts';
import { ddl } from '../corpus.ts';

const projectDdl = `${ddl}
CREATE TABLE lines(a INT, b INT, c TEXT NOT NULL DEFAULT (lower('X')) UNIQUE, "d e" INT GENERATED ALWAYS AS (a),
  PRIMARY KEY (a, b), UNIQUE (b, c), UNIQUE (b), FOREIGN KEY (a, b) REFERENCES tags(post_id, tag));
CREATE TABLE "<b>[x](http://y)"("\`\`\`z" INT, "![i](command:x)
\`\`\`\`" INT);
CREATE TABLE wide(${Array.from({ length: 50 }, (_, n) => `c${n}`).join()})`;
const statements = splitStatements(projectDdl).map(({ start, end }) => projectDdl.slice(start, end));
const schema = Schema.of(projectDdl);
const rowCounts = new Map([
  ['users', 1234],
  ['posts', 1],
]);

/** The hover at the `¦`. Marks of code are written as ‹ › and blocks as « ». */
function hoverAt(marked: string): string {
  const document = namedDocument(marked.replace('¦', ''), schema);
  const name = nameAt(document, marked.indexOf('¦'));
  const text = name && hoverText(document, name, { statements, rowCount: table => rowCounts.get(table) });
  return (text ?? 'none')
    .replaceAll(/(`{3,})sql-projects-sqlite\n(.*?)\n\1/gs, '«$2»')
    .replaceAll(/(?<!`)`([^`]+)`(?!`)/g, '‹$1›')
    .replaceAll('\n\n', ' | ');
}

const tags = '«post_id INT\ntag TEXT\nPRIMARY KEY (post_id, tag)»';

const cases: readonly (readonly [marked: string, hover: string])[] = [
  // Columns
  ['SELECT u.¦id FROM users u', '«id INTEGER PRIMARY KEY» | Column of table ‹users› · primary key'],
  ['SELECT ¦name FROM users', '«name TEXT NOT NULL» | Column of table ‹users› · not null'],
  ['SELECT ¦active FROM users', '«active INT DEFAULT 1» | Column of table ‹users› · default ‹1›'],
  [
    'SELECT ¦created_at FROM users',
    '«created_at TEXT DEFAULT CURRENT_TIMESTAMP» | Column of table ‹users› · default ‹CURRENT_TIMESTAMP›',
  ],
  [
    'INSERT INTO posts(¦user_id) VALUES (1)',
    '«user_id INTEGER REFERENCES users(id) ON DELETE CASCADE» | Column of table ‹posts› · references ‹users(id)›',
  ],
  [
    'SELECT ¦c FROM lines',
    "«c TEXT NOT NULL DEFAULT (lower('X')) UNIQUE» | Column of table ‹lines› · not null · unique · default ‹(lower('X'))›",
  ],
  [
    'SELECT ¦a FROM lines',
    '«a INT» | Column of table ‹lines› · part of the primary key · references ‹tags(post_id, tag)›',
  ],
  ['SELECT ¦"d e" FROM lines', '«"d e" INT GENERATED ALWAYS AS (a)» | Column of table ‹lines› · generated'],
  ['SELECT ¦email FROM active_users', '«email TEXT UNIQUE» | Column of table ‹users› · unique'],
  ['SELECT ¦body FROM docs', '«body» | Column of virtual table ‹docs›'],
  ["SELECT ¦key FROM json_each('[]')", '«key» | Column of table-valued function ‹json_each›'],
  ['SELECT ¦rowid FROM users', '«rowid» | Column of table ‹users› · hidden'],
  ['SELECT ¦x FROM (SELECT 1 AS x)', 'Result ‹x› | «1»'],
  ['WITH c(y) AS (SELECT 1) SELECT ¦y FROM c', '«y» | Column of ‹c›'],
  ['CREATE TABLE t(a INT NOT NULL); SELECT ¦a FROM t', '«a INT NOT NULL» | Column of table ‹t› · not null'],
  ['CREATE TABLE t(¦a INT)', '«a INT» | Column of table ‹t›'],
  ['CREATE VIEW v AS SELECT 1 AS x; SELECT ¦x FROM v', '«x» | Column of view ‹v›'],
  [
    'SELECT 1 FROM users JOIN posts USING (¦id)',
    '«id INTEGER PRIMARY KEY» | Column of table ‹users› · primary key | --- | ' +
      '«id INTEGER PRIMARY KEY» | Column of table ‹posts› · primary key',
  ],
  // Tables
  [
    'SELECT * FROM ¦posts',
    'Table ‹posts› · 1 row | «id INTEGER PRIMARY KEY\nuser_id INTEGER REFERENCES users(id)\ntitle TEXT\nbody TEXT\npublished INT\ncreated_at TEXT»',
  ],
  ['SELECT * FROM ¦tags', `Table ‹tags› | ${tags}`],
  ['SELECT * FROM ¦active_users', 'View ‹active_users› | «id INTEGER\nname TEXT\nemail TEXT»'],
  ['SELECT * FROM ¦docs', 'Virtual table ‹docs› | «title\nbody»'],
  [
    'SELECT * FROM ¦lines',
    'Table ‹lines› | «a INT\nb INT UNIQUE\nc TEXT NOT NULL UNIQUE\n"d e" INT\nPRIMARY KEY (a, b)\nUNIQUE (b, c)\nFOREIGN KEY (a, b) REFERENCES tags(post_id, tag)»',
  ],
  ['CREATE TABLE ¦t(a INT)', 'Table ‹t› | «a INT»'],
  ['SELECT * FROM ¦nope', 'none'],
  ['SELECT * FROM ¦"<b>[x](http://y)"', 'Table ‹<b>[x](http://y)› | «"```z" INT\n"![i](command:x)\n````" INT»'],
  // Aliases and common tables
  ['SELECT ¦t.tag FROM tags t', `Alias ‹t› of table ‹tags› | ${tags}`],
  ['SELECT 1 FROM users ¦u', /^Alias ‹u› of table ‹users› · 1,234 rows \| «id INTEGER PRIMARY KEY/.source],
  ['SELECT ¦s.x FROM (SELECT 1 AS x, id FROM users) s', 'Alias ‹s› of a subquery | «x\nid INTEGER»'],
  ['WITH c AS (SELECT id FROM users) SELECT * FROM ¦c', 'Common table ‹c› | «id INTEGER»'],
  ['WITH c AS (SELECT id FROM users) SELECT ¦d.id FROM c d', 'Alias ‹d› of common table ‹c› | «id INTEGER»'],
  ['WITH users AS (SELECT 1 AS x) SELECT ¦d.x FROM users d', 'Alias ‹d› of common table ‹users› | «x»'],
  ['SELECT max(id) AS ¦m FROM users', 'Result ‹m› | «max(id)»'],
  ['CREATE TRIGGER x AFTER UPDATE ON tags BEGIN SELECT ¦old.tag; END', `The old row of ‹tags› | ${tags}`],
  [
    'INSERT INTO tags VALUES (1, 2) ON CONFLICT DO UPDATE SET tag = ¦excluded.tag',
    `The row proposed for insertion into ‹tags› | ${tags}`,
  ],
  // Others
  [
    'SELECT ¦count(*)',
    '«count(*) → integer» | The number of rows\\, written count\\(\\*\\)\\. | «count(x) → integer» | The number of rows in which the argument is not NULL\\.',
  ],
  ['SELECT ¦my_own(1)', 'none'],
  ['SELECT 1 FROM users WHERE id = ¦?', 'Parameter for ‹users.id INTEGER›'],
  ['SELECT ¦?', 'none'],
  ['DROP INDEX ¦idx_posts_user', 'Index ‹idx_posts_user› on ‹posts› | «CREATE INDEX idx_posts_user ON posts(user_id)»'],
  ['SELECT sum(id) OVER ¦w FROM users WINDOW w AS (ORDER BY id)', 'Window ‹w› | «(ORDER BY id)»'],
  ['DROP TABLE ¦tags', `Table ‹tags› | ${tags}`],
  ['ALTER TABLE tags ADD COLUMN ¦age INT DEFAULT 5', '«age INT DEFAULT 5» | Column of table ‹tags› · default ‹5›'],
  ['ALTER TABLE users DROP COLUMN ¦email', '«email TEXT UNIQUE» | Column of table ‹users› · unique'],
  ['¦SELECT 1', 'none'],
];

for (const [marked, expected] of cases) {
  test(`the hover of ${marked}`, () => {
    const actual = hoverAt(marked);
    if (expected.startsWith('^')) assert.match(actual, new RegExp(expected));
    else assert.equal(actual, expected);
  });
}

test('a wide table shows its first columns', () => {
  assert.match(hoverAt('SELECT * FROM ¦wide'), /\nc39\n-- 10 more columns»$/);
});
