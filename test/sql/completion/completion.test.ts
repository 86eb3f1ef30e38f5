import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionAt } from '../../../src/sql/completion/completion.ts';
import type { Proposal } from '../../../src/sql/completion/proposals.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { completeMarked, corpusSchema, labelsAt, mismatches } from '../../support/completeMarked.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { midEdit } from '../corpus.ts';
import { heldOutMidEdit } from '../heldOutCases.ts';

const proposalsOf = (marked: string, label: string): Proposal[] =>
  completeMarked(marked).proposals.filter(proposal => proposal.label === label);
const replacedText = (marked: string): string => {
  const { start, end } = completeMarked(marked);
  return marked.replace('¦', '').slice(start, end);
};
const insertOf = (marked: string, label: string): string | undefined => proposalsOf(marked, label)[0]?.insert;
const insertsOf = (marked: string): string[] => proposalsOf(marked, 'id').map(({ insert }) => insert);

test('completion in half-typed text of the corpus proposes what fits and nothing wrong', () => {
  for (const [marked, wanted, wrong] of midEdit) assert.deepEqual(mismatches(marked, wanted, wrong), [], marked);
});

test('completion in the held-out cases proposes what fits and nothing wrong', () => {
  for (const [marked, wanted, wrong] of heldOutMidEdit) assert.deepEqual(mismatches(marked, wanted, wrong), [], marked);
});

test('a proposal replaces the whole word with the quotes around it', () => {
  assert.equal(replacedText('SELECT na¦me FROM users'), 'name');
  assert.equal(replacedText('SELECT "na¦me" FROM users'), '"name"');
  assert.equal(replacedText('SELECT "na¦ FROM users'), '"na');
  assert.equal(replacedText('SELECT ¦name FROM users'), '');
  assert.equal(replacedText('SELECT u.¦ FROM users u'), '');
});

test('a name gets the quotes that the user typed, or those that SQLite needs', () => {
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'total price'), '"total price"');
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'group'), '"group"');
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'id'), 'id');
  assert.equal(insertOf('SELECT `¦ FROM "order"', 'id'), '`id`');
  assert.equal(insertOf('SELECT [¦ FROM "order"', 'total price'), '[total price]');
  assert.equal(insertOf('SELECT * FROM ord¦', 'order'), '"order"');
});

for (const [marked, replaced, insert] of [
  ['SELECT t."to¦ FROM "order" t', '"to', '"total price"'],
  ['SELECT "to¦ FROM "order"', '"to', '"total price"'],
  ['SELECT "order"."to¦ FROM "order"', '"to', '"total price"'],
  ['SELECT t."¦ FROM "order" t', '"', '"total price"'],
  ['SELECT t."to¦, t."id" FROM "order" t', '"to', '"total price"'],
  ['SELECT t."to¦\nFROM "order" t', '"to', '"total price"'],
  ['SELECT t."to¦ FROM "order" t;\nSELECT "id" FROM users;', '"to', '"total price"'],
  ['SELECT * FROM "order" t WHERE t."to¦', '"to', '"total price"'],
  ['SELECT * FROM "order" WHERE "to¦', '"to', '"total price"'],
  ['SELECT t.[to¦ FROM [order] t', '[to', '[total price]'],
  ['SELECT [to¦ FROM [order]', '[to', '[total price]'],
  ['SELECT t.[to¦ FROM "order" t', '[to', '[total price]'],
  ['SELECT * FROM [order] t WHERE t.[to¦', '[to', '[total price]'],
  ['SELECT t.`to¦ FROM `order` t', '`to', '`total price`'],
  ['SELECT `to¦ FROM `order`', '`to', '`total price`'],
  ['SELECT * FROM `order` t WHERE t.`to¦', '`to', '`total price`'],
  ['SELECT t."to¦tal price" FROM "order" t', '"total price"', '"total price"'],
  ['SELECT t.[to¦tal price] FROM [order] t', '[total price]', '[total price]'],
] as const) {
  test(`a quoted name is completed at ${JSON.stringify(marked)}`, () => {
    assert.equal(insertOf(marked, 'total price'), insert);
    assert.equal(replacedText(marked), replaced);
  });
}

test('a column of two tables is proposed for each of them, unless the join merges it', () => {
  assert.deepEqual(insertsOf('SELECT ¦ FROM users u JOIN posts p ON 1'), ['u.id', 'p.id']);
  assert.deepEqual(insertsOf('SELECT ¦ FROM users u JOIN posts p USING (id)'), ['id']);
  assert.deepEqual(insertsOf('SELECT ¦ FROM users NATURAL JOIN emp'), ['id']);
});

test('the likeliest proposals come first: conditions by foreign keys, own columns, then functions', () => {
  assert.equal(labelsAt('SELECT * FROM users u JOIN posts p ON ¦')[0], 'p.user_id = u.id');
  assert.equal(labelsAt('SELECT * FROM posts JOIN ¦')[0], 'users AS u ON posts.user_id = u.id');
  assert.equal(labelsAt('SELECT * FROM users ¦')[0], 'WHERE');
  assert.deepEqual(labelsAt('SELECT id, email, ¦ FROM users').slice(0, 2), ['name', 'active']);
  const inSubquery = labelsAt('SELECT * FROM users WHERE id IN (SELECT ¦ FROM posts)');
  assert.ok(inSubquery.indexOf('title') < inSubquery.indexOf('email'));
  assert.ok(inSubquery.indexOf('email') < inSubquery.indexOf('lower'));
  assert.ok(inSubquery.indexOf('lower') < inSubquery.indexOf('rowid'));
});

test('the first result of a query may be all columns', () => {
  assert.ok(labelsAt('SELECT ¦ FROM emp').includes('*'));
  assert.equal(labelsAt('SELECT ¦')[0], '*');
  for (const marked of ['SELECT id, ¦ FROM emp', 'SELECT count(¦) FROM emp', 'SELECT n¦ FROM emp']) {
    assert.ok(!labelsAt(marked).includes('*'), marked);
  }
});

test('a foreign key of several columns gives one condition', () => {
  const schema = Schema.of(
    'CREATE TABLE a(x, y, PRIMARY KEY (x, y)); CREATE TABLE b(p, q, FOREIGN KEY (p, q) REFERENCES a)',
  );
  const [first] = completeMarked('SELECT * FROM a JOIN b ON ¦', schema).proposals;
  assert.equal(first?.insert, 'b.p = a.x AND b.q = a.y');
});

test('no name is proposed where a statement introduces a new name', () => {
  for (const marked of [
    'SELECT id AS ¦',
    'CREATE TABLE ¦',
    'WITH ¦',
    'CREATE TABLE t(¦',
    'ALTER TABLE users RENAME TO ¦',
  ]) {
    const names = completeMarked(marked).proposals.filter(({ kind }) => kind !== 'keyword' && kind !== 'database');
    assert.deepEqual(names, [], marked);
  }
});

test('RAISE is proposed in triggers only, and full-text functions with virtual tables only', () => {
  assert.ok(!labelsAt('SELECT ¦ FROM users').includes('RAISE'));
  assert.ok(labelsAt('CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT ¦').includes('RAISE'));
  assert.ok(!labelsAt('SELECT ¦ FROM users').includes('bm25'));
  assert.ok(labelsAt('SELECT ¦ FROM docs').includes('bm25'));
});

const inTrigger = 'CREATE TRIGGER t AFTER UPDATE ON posts BEGIN';
for (const [marked, label] of [
  [`${inTrigger} UPDATE ¦\nEND;`, 'users'],
  [`${inTrigger} DELETE FROM ¦\nEND;`, 'users'],
  [`${inTrigger} DELETE FROM users WHERE ¦\nEND;`, 'email'],
  [`${inTrigger} UPDATE users SET name = NEW.¦\nEND;`, 'title'],
  ['UPDATE ¦ users SET name = 1', 'users'],
  ['DELETE FROM ¦\nCOMMIT', 'users'],
] as const) {
  test(`the next clause is not read as the rest of a name: ${marked}`, () =>
    assert.ok(labelsAt(marked).includes(label)));
}

test('a recursive common table does not propose the typed word', () => {
  const marked = 'WITH RECURSIVE tree AS (SELECT id, ¦ FROM users u JOIN tree t ON 1) SELECT 1';
  assert.ok(labelsAt(marked).includes('email'));
  assert.deepEqual(
    completeMarked(marked).proposals.filter(({ kind, label }) => kind !== 'snippet' && !/^[\w ><().=]+$/.test(label)),
    [],
  );
});

test('ON and USING come first after a join, and are missing without one', () => {
  assert.ok(!labelsAt('SELECT * FROM users ¦').includes('ON'));
  assert.deepEqual(labelsAt('SELECT * FROM users JOIN posts ¦').slice(0, 2), ['ON', 'USING']);
  assert.deepEqual(labelsAt('SELECT * FROM users u JOIN posts p ¦').slice(0, 2), ['ON', 'USING']);
});

for (const marked of [
  'SELECT * FROM users WHERE id = 1 ¦',
  "SELECT * FROM users WHERE name LIKE 'a%' ¦",
  'SELECT * FROM users WHERE id BETWEEN 1 AND 2 ¦',
  'SELECT * FROM users WHERE active AND email IS NULL ¦',
  'SELECT * FROM users WHERE (id = 1 ¦)',
  'SELECT * FROM users WHERE id IN (SELECT user_id FROM posts) ¦ ORDER BY id',
  'SELECT * FROM users WHERE EXISTS (SELECT 1) ¦',
  'SELECT * FROM users WHERE CASE WHEN id THEN 1 END = 1 ¦',
  'SELECT * FROM users u JOIN posts p ON p.user_id = u.id ¦',
  'SELECT name FROM users GROUP BY name HAVING count(*) > 1 ¦',
  'UPDATE users SET name = 1 WHERE id = 2 ¦',
]) {
  test(`AND and OR come first after a complete condition: ${marked}`, () => {
    assert.deepEqual(labelsAt(marked).slice(0, 2), ['AND', 'OR']);
  });
}

test('AND comes first only after a condition', () => {
  for (const marked of [
    'SELECT id ¦ FROM users',
    'SELECT id = 1 ¦',
    'SELECT * FROM users WHERE active ¦',
    'SELECT * FROM users WHERE id = 1 AND active ¦',
    'SELECT * FROM users WHERE id = 1 ORDER BY name ¦',
    'SELECT * FROM users WHERE id = ¦',
    'UPDATE users SET name = 1 ¦',
  ]) {
    assert.notEqual(labelsAt(marked)[0], 'AND', marked);
  }
});

test('constraints come first after the type of a column', () => {
  assert.equal(labelsAt('CREATE TABLE t(a ¦')[0], 'INTEGER');
  const keywords = labelsAt('CREATE TABLE t(a INTEGER ¦');
  assert.ok(keywords.indexOf('NOT') < keywords.indexOf('TEXT'));
});

test('a joined group has its alias, and a table-valued function does not see its own rows', () => {
  assert.ok(labelsAt('SELECT k.¦ FROM (users u JOIN posts p ON 1) AS k').includes('title'));
  assert.ok(!labelsAt('SELECT 1 FROM users, json_each(¦) j').includes('fullkey'));
});

const chain = (count: number): string =>
  Array.from({ length: count }, (_, n) => `c${n + 1} AS (SELECT * FROM c${n})`).join(', ');
const wide = `WITH c0 AS (SELECT ${Array.from({ length: 64 }, (_, n) => `${n} AS x${n}`).join()}), ${Array.from(
  { length: 8 },
  (_, n) => `c${n + 1} AS (SELECT * FROM ${`c${n}, `.repeat(63)}c${n})`,
).join(', ')} SELECT `;
for (const [name, text, tail] of [
  ['common tables in a long chain', `WITH c0 AS (SELECT 1 AS x), ${chain(2000)} SELECT `, ' FROM c2000'],
  ['common tables that multiply', wide, ' FROM c8'],
  ['statements without semicolons', 'SELECT 1 AS one FROM users\n'.repeat(5000), ''],
  ['natural joins', 'SELECT ', ` FROM users${' NATURAL JOIN users'.repeat(3000)}`],
  ['nested subqueries', 'SELECT ('.repeat(5000), ''],
  ['open parentheses', `SELECT ${'('.repeat(20_000)}`, ''],
  ['a trigger whose end is far away', `${inTrigger} SELECT `, `\n${'SELECT 1 FROM posts;\n'.repeat(30_000)}`],
] as const) {
  test(`completion survives ${name} and stays fast`, async () => {
    await assertWithin(5000, () => cpuMs(() => completionAt(text + tail, text.length, corpusSchema)));
  });
}

test('a statement that is too large for handwriting gets no proposals', () => {
  const text = `SELECT ${'1,'.repeat(200_000)} `;
  assert.deepEqual(completionAt(text, text.length, Schema.empty).proposals, []);
});

test('no proposal comes twice at any offset of the corpus', () => {
  for (const [marked] of [...midEdit, ...heldOutMidEdit]) {
    const text = marked.replace('¦', '');
    for (let offset = 0; offset <= text.length; offset++) {
      const { proposals } = completeMarked(`${text.slice(0, offset)}¦${text.slice(offset)}`);
      const keys = proposals.map(({ kind, insert, addition }) => `${kind} ${insert} ${addition?.text}`);
      assert.equal(new Set(keys).size, keys.length, `${text} at ${offset}`);
    }
  }
});

for (const [marked, ...expected] of [
  ['PRAGMA foreign_keys = ¦', 'ON', 'OFF'],
  ['PRAGMA main.FOREIGN_KEYS(¦)', 'ON', 'OFF'],
  ['PRAGMA synchronous = n¦', 'off', 'normal', 'full', 'extra'],
  ['PRAGMA journal_mode=¦', 'DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY', 'WAL', 'OFF'],
  ['PRAGMA user_version = ¦'],
  ['PRAGMA index_list(¦', 'idx_posts_user'],
  ['DROP TABLE users; DROP TABLE tags; PRAGMA table_info(¦)', 'posts', 'order', 'strict_t', 'gen', 'emp', 'таблица'],
] as const) {
  test(`a PRAGMA proposes the values that it takes: ${marked}`, () => {
    assert.deepEqual(labelsAt(marked).slice(0, expected.length || 1), expected);
  });
}
