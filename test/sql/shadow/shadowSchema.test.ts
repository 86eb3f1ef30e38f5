import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { tableFromQuery } from '../../../src/sql/shadow/ddlStatement.ts';
import type { ShadowReport } from '../../../src/sql/shadow/shadowReport.ts';
import { columnDefinitions } from '../../../src/sql/shadow/shadowSchema.ts';
import { seeded } from '../../fuzz/random.ts';
import { randomSchemaDocument, smallSchema } from '../../fuzz/schemaTexts.ts';
import { checkAgainstExecution } from '../../support/checkAgainstExecution.ts';
import { checkDocument } from '../../support/checkDocument.ts';
import { corpusStatements, openCorpusShadow } from '../../support/corpusShadow.ts';
import { openShadow } from '../../support/openShadow.ts';
import { brokenStatements, ddl as schema, validStatements } from '../corpus.ts';

const shadow = await openCorpusShadow();

/** The text of each problem's range with SQLite's message. */
const problemTexts = (statement: string, { problems }: ShadowReport): string[] =>
  problems.map(({ message, start, end }) => `${statement.slice(start, end)} | ${message}`);

const refused: readonly (readonly [statement: string, ...problems: string[]])[] = [
  ['SELECT nme FROM users', 'nme | no such column: nme'],
  ['SELECT id FROM usres', 'usres | no such table: usres'],
  ['SELECT id FROM main.usres', 'usres | no such table: main.usres'],
  ['SELECT u.nope FROM users u', 'u.nope | no such column: u.nope'],
  ['SELECT id FROM users, posts', 'id | ambiguous column name: id'],
  ['SELECT abs(1, 2)', 'abs | wrong number of arguments to function abs()'],
  ['INSERT INTO users (name, zzz) VALUES (1, 2)', 'zzz | table users has no column named zzz'],
  ['INSERT INTO users (name) VALUES (1, 2)', 'users | 2 values for 1 columns'],
  ['UPDATE users SET "nope" = 1', '"nope" | no such column: nope'],
  [
    'SELECT * FROM users JOIN posts USING (title)',
    'title | cannot join using column title - column not present in both tables',
  ],
  ['CREATE TABLE users (a)', 'users | table users already exists'],
  ['SELECT id FROM users GROUP BY count(*)', 'count | aggregate functions are not allowed in the GROUP BY clause'],
  ['SELECT id FROM users ORDER BY 9', '9 | 1st ORDER BY term out of range - should be between 1 and 1'],
  ['UPDATE gen SET b = 1', 'b | cannot UPDATE generated column "b"'],
  ['WITH a(x, y) AS (SELECT 1) SELECT * FROM a', 'a | table a has 1 values for 2 columns'],
  ['SELECT 1 FORM users', 'users | near "users": syntax error'],
  ['SELECT (1', '1 | incomplete input'],
  ["SELECT 'größe 🎉', größe, 名前 FROM таблица", '名前 | no such column: 名前'],
  [
    'SELECT "größe 🎉" FROM users',
    '"größe 🎉" | no such column: "größe 🎉" - should this be a string literal in single-quotes?',
  ],
  ["SELECT '🎉' + + * 2", '* | near "*": syntax error'],
  ['SELECT # 1', '# | unrecognized token: "#"'],
];

for (const [statement, ...expected] of refused) {
  test(`SQLite refuses ${statement}`, async () => {
    const report = await shadow.check(statement);
    assert.equal(report.outcome, 'refused');
    assert.deepEqual(problemTexts(statement, report), expected);
  });
}

const usesOf = ({ uses }: ShadowReport): string[] =>
  uses.map(({ action, name, column, through }) =>
    [action, name, column, through].filter(part => part !== undefined).join(' '),
  );

test('a report has the columns with origin and type, and the uses', async () => {
  const report = await shadow.check(
    'SELECT u.name AS "who", count(*), größe FROM active_users u, "таблица" WHERE u.id = ? AND email LIKE ?3',
  );
  assert.equal(report.outcome, 'prepared');
  assert.deepEqual(report.columns, [
    { name: 'who', table: 'users', column: 'name', declaredType: 'TEXT' },
    { name: 'count(*)', table: undefined, column: undefined, declaredType: undefined },
    { name: 'größe', table: 'таблица', column: 'größe', declaredType: 'INT' },
  ]);
  assert.equal(report.readOnly, true);
  const uses = usesOf(report);
  for (const use of ['read active_users name', 'read users active active_users', 'call count', 'read таблица größe']) {
    assert.ok(uses.includes(use), `${use} in ${uses.join(', ')}`);
  }
});

const changes: readonly (readonly [statement: string, readOnly: boolean, uses: readonly string[]])[] = [
  ['DELETE FROM emp', false, ['other emp']],
  ['UPDATE emp SET salary = 1', false, ['other emp']],
  ['INSERT INTO posts (user_id) VALUES (1)', false, ['other posts', 'other users posts_ai']],
  ['WITH x AS (SELECT 1) DELETE FROM tags', false, ['other tags']],
  ['DROP TABLE emp', false, ['other emp']],
  ['BEGIN', true, ['other BEGIN']],
];

for (const [statement, readOnly, expected] of changes) {
  test(`the report on ${statement} has its uses`, async () => {
    const report = await shadow.check(statement);
    assert.equal(report.readOnly, readOnly);
    const uses = usesOf(report);
    for (const use of expected) assert.ok(uses.includes(use), `${use} in ${uses.join(', ')}`);
  });
}

for (const statement of [
  'PRAGMA hard_heap_limit = 1',
  ' -- x\n explain query plan PRAGMA foreign_keys',
  'EXPLAIN PRAGMA x',
]) {
  test(`${statement} is skipped`, async () => {
    assert.equal((await shadow.check(statement)).outcome, 'skipped');
    assert.equal((await shadow.check('SELECT id FROM users')).outcome, 'prepared');
  });
}

test('the shadow accepts and refuses what SQLite in the service does', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec(schema);
  const statements = [...validStatements, ...brokenStatements, ...refused.map(([statement]) => statement)];
  const cut = statements.flatMap(text => [3, 2].map(part => text.slice(0, -Math.ceil(text.length / part))));
  let compared = 0;
  for (const statement of [...statements, ...cut]) {
    const { outcome, problems } = await shadow.check(statement);
    if (outcome === 'skipped') continue;
    let message = '';
    try {
      database.prepare(statement);
    } catch (thrown) {
      message = (thrown as Error).message;
    }
    // node:sqlite refuses an empty statement.
    if (message === 'The SQL query contains no statements.') continue;
    assert.equal(problems.length > 0, message !== '', `${statement}: ${message || problems[0]?.message}`);
    compared++;
  }
  assert.ok(compared > 500, `${compared} compared`);
  database.close();
});

test('an unknown function is a problem and hides neither the columns nor other problems', async () => {
  const statement = 'SELECT nosuch(name, 1) AS a, other(id) OVER (PARTITION BY name), id FROM users';
  const report = await shadow.check(statement);
  assert.equal(report.outcome, 'prepared');
  assert.deepEqual(problemTexts(statement, report), [
    'nosuch | no such function: nosuch',
    'other | no such function: other',
  ]);
  assert.deepEqual(
    report.columns.map(({ column }) => column),
    [undefined, undefined, 'id'],
  );
  const worse = await shadow.check('SELECT nosuch(1), nope FROM users');
  assert.equal(worse.outcome, 'refused');
  assert.deepEqual(
    worse.problems.map(({ message }) => message),
    ['no such function: nosuch', 'no such column: nope'],
  );
  assert.equal((await shadow.check('SELECT nosuch(2)')).problems.length, 1, 'and it stays unknown');
});

test('unknown functions that only a view or a table calls are accepted', async () => {
  const own = await openShadow([
    ...corpusStatements,
    'CREATE VIEW scored AS SELECT score(id) AS s FROM users',
    'CREATE TABLE g (a, b AS (score(a)))',
  ]);
  for (const statement of ['SELECT s FROM scored', 'SELECT b FROM g']) {
    const report = await own.check(statement);
    assert.deepEqual([report.outcome, report.problems], ['prepared', []], statement);
  }
  own.dispose();
});

test('a virtual table of an unknown module has its columns', async () => {
  const own = await openShadow([
    'CREATE VIRTUAL TABLE odd USING nowhere(a, b TEXT, key=value)',
    'CREATE VIRTUAL TABLE old USING fts4(title, body, tokenize=porter)',
    "CREATE TABLE 'late_content'(id INTEGER PRIMARY KEY, c0)",
    'CREATE VIRTUAL TABLE late USING fts5(text)',
    'CREATE TABLE sqlite_sequence(name, seq)',
  ]);
  for (const statement of [
    'SELECT a, b FROM odd',
    "SELECT title FROM old WHERE old MATCH 'x'",
    'SELECT text FROM late',
  ]) {
    assert.deepEqual((await own.check(statement)).problems, [], statement);
  }
  own.dispose();
});

test('hidden columns and functions of a module that the engine lacks are not faults', async () => {
  const own = await openShadow([
    'CREATE VIRTUAL TABLE odd USING nowhere(a)',
    'CREATE VIRTUAL TABLE old USING fts4(title)',
  ]);
  for (const [statement, ...problems] of [
    ['SELECT distance FROM odd'],
    ['INSERT INTO odd VALUES (1, 2)'],
    ["SELECT docid, offsets(old) FROM old WHERE old MATCH 'x'"],
    ['INSERT INTO old (docid, title) VALUES (1, 2)'],
    ['SELECT docid FROM old JOIN gone', 'no such table: gone'],
    ['SELECT offsets(1)', 'no such function: offsets'],
  ]) {
    const { problems: found } = await own.check(statement!);
    assert.deepEqual(
      found.map(({ message }) => message),
      problems,
      statement,
    );
  }
  own.dispose();
});

test('a virtual table owns only the shadow tables of its module', async () => {
  const own = await openShadow([
    'CREATE VIRTUAL TABLE notes USING fts5(text)',
    "CREATE TABLE 'notes_data'(id INTEGER PRIMARY KEY, block BLOB)",
    'CREATE TABLE notes_tags (tag)',
    'CREATE TABLE notes_archive (text)',
    'CREATE TABLE lean_content (c0)',
    "CREATE VIRTUAL TABLE lean USING fts5(text, content='lean_content')",
    'CREATE VIRTUAL TABLE old USING fts4(text)',
    "CREATE TABLE 'old_segments'(blockid INTEGER PRIMARY KEY, block BLOB)",
    'CREATE VIRTUAL TABLE boxes USING rtree(id, least, most)',
    'CREATE TABLE boxes_colours (colour)',
  ]);
  const text = `SELECT tag FROM notes_tags; SELECT text FROM notes_archive; SELECT block FROM notes_data; SELECT c0 FROM lean_content;
SELECT block FROM old_segments; SELECT nodeno FROM boxes_node; SELECT colour FROM boxes_colours; DROP TABLE notes; DROP TABLE old;
SELECT tag FROM notes_tags; SELECT block FROM notes_data; SELECT block FROM old_segments;
CREATE TABLE notes_data (mine); SELECT mine FROM notes_data; DROP TABLE notes_data;
CREATE VIRTUAL TABLE notes USING fts5(text); SELECT text FROM notes;`;
  assert.deepEqual(
    (await checkDocument(own, text)).flatMap(({ report }) => report.problems.map(({ message }) => message)),
    ['no such table: notes_data', 'no such table: old_segments'],
  );
  own.dispose();
});

const indirectFaults: readonly (readonly [statement: string, problem: string])[] = [
  ['SELECT id FROM sound JOIN ruin', 'ruin | no such table: main.gone'],
  ['DELETE FROM a WHERE id IN (SELECT id FROM outermost)', 'outermost | no such table: main.gone'],
  ['SELECT gone.id FROM ruin AS gone', 'ruin | no such table: main.gone'],
  ['SELECT id FROM gone JOIN ruin', 'gone | no such table: gone'],
  ['SELECT id FROM main.gone JOIN ruin', 'gone | no such table: main.gone'],
  ['SELECT id FROM sound JOIN lost', 'lost | no such column: nope'],
  ['INSERT INTO a VALUES (1)', 'a | no such table: main.gone'],
];
for (const [statement, expected] of indirectFaults) {
  test(`the range of an indirect fault in ${statement} is its origin`, async () => {
    const own = await openShadow([
      'CREATE TABLE a (id)',
      'CREATE VIEW sound AS SELECT id FROM a',
      'CREATE VIEW ruin AS SELECT id FROM gone',
      'CREATE VIEW outermost AS SELECT id FROM ruin',
      'CREATE VIEW lost AS SELECT nope FROM a',
      'CREATE TRIGGER fills AFTER INSERT ON a BEGIN INSERT INTO gone VALUES (1); END',
    ]);
    assert.deepEqual(problemTexts(statement, await own.check(statement)), [expected]);
    own.dispose();
  });
}

test('a schema loads in any order', async () => {
  const own = await openShadow(corpusStatements.toReversed());
  for (const statement of validStatements) {
    assert.notEqual((await own.check(statement)).outcome, 'refused', statement);
  }
  own.dispose();
});

/** The number and outcome of each statement of a document that SQLite does not accept. */
const refusedIn = async (text: string): Promise<string[]> =>
  (await checkDocument(shadow, text)).flatMap(({ report: { outcome } }, number) =>
    outcome === 'prepared' ? [] : [`${number} ${outcome}`],
  );

test('DDL takes effect for the statements after it, and for its document only', async () => {
  const text = `SELECT x FROM fresh;
CREATE TABLE fresh (x INT);
SELECT x FROM fresh;
ALTER TABLE fresh RENAME COLUMN x TO y;
SELECT x FROM fresh;
CREATE TABLE copy AS SELECT y, 1 AS one, y FROM fresh;
SELECT y, one, "y:1" FROM copy;
CREATE VIRTUAL TABLE found USING fts5(z);
SELECT z FROM found;
CREATE INDEX i ON fresh (mystery(y));
DROP TABLE users;
SELECT id FROM users;`;
  const expected = ['0 refused', '4 refused', '11 refused'];
  assert.deepEqual(await refusedIn(text), expected);
  assert.deepEqual(await refusedIn('SELECT id FROM users; SELECT x FROM fresh'), ['1 refused']);
  assert.deepEqual(await refusedIn(text), expected, 'from the cache');
  const edited = text.replace('SELECT z', 'SELECT zz');
  assert.ok((await refusedIn(edited)).includes('8 refused'), 'an edit after the changes');
});

for (const seed of [1, 2, 3]) {
  test(`the shadow agrees with a database that executes the DDL of a document (seed ${seed})`, async () => {
    const own = await openShadow(smallSchema);
    const random = seeded(seed);
    let compared = 0;
    for (let round = 0; round < 25; round++) {
      compared += await checkAgainstExecution(own, smallSchema, randomSchemaDocument(random, 40));
    }
    assert.ok(compared > 500, `${compared} compared`);
    own.dispose();
  });
}

const queries: readonly (readonly [statement: string, head: string | undefined, query?: string])[] = [
  ['CREATE TABLE t AS SELECT 1;', 'CREATE TABLE t ', ' SELECT 1;'],
  [
    'create temp table if not exists main."t x" as values (1)',
    'create temp table if not exists main."t x" ',
    ' values (1)',
  ],
  ['CREATE TABLE t (a AS (1))', undefined],
  ['CREATE VIEW v AS SELECT 1', undefined],
  ['SELECT 1 AS a', undefined],
  ['CREATE', undefined],
];

for (const [statement, head, query] of queries) {
  test(`${statement} ${head === undefined ? 'has no query' : 'is split before and after AS'}`, () => {
    assert.deepEqual(tableFromQuery(statement), head === undefined ? undefined : { head, query });
  });
}

const column = (name: string, declaredType?: string) => ({ name, table: undefined, column: undefined, declaredType });

test('the columns of a query get unique names and keep their types', () => {
  const columns = [column('a', 'INT'), column('A'), column('x + 1', 'VARCHAR(9)'), column('a')];
  assert.equal(columnDefinitions(columns), '("a" "INT", "A:1", "x + 1" "VARCHAR(9)", "a:2")');
});
