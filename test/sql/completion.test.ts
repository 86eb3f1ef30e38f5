import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionAt, type Proposal } from '../../src/sql/completion.ts';
import { Schema } from '../../src/sql/schema/schema.ts';
import { completeMarked, missesOf } from '../support/proposedAt.ts';
import { midEdit } from './corpus.ts';
import { heldMidEdit } from './heldApart.ts';

const labels = (marked: string): string[] => completeMarked(marked).proposals.map(({ label }) => label);
const found = (marked: string, label: string): Proposal[] =>
  completeMarked(marked).proposals.filter(proposal => proposal.label === label);
const range = (marked: string): string => {
  const { start, end } = completeMarked(marked);
  return marked.replace('¦', '').slice(start, end);
};
const insertOf = (marked: string, label: string): string | undefined => found(marked, label)[0]?.insert;
const insertsOf = (marked: string): string[] => found(marked, 'id').map(({ insert }) => insert);

test('half-typed text of the corpus gets what is wanted and nothing that would be wrong', () => {
  for (const [marked, wanted, wrong] of midEdit) assert.deepEqual(missesOf(marked, wanted, wrong), [], marked);
});

test('so does text that was held apart', () => {
  for (const [marked, wanted, wrong] of heldMidEdit) assert.deepEqual(missesOf(marked, wanted, wrong), [], marked);
});

test('what a proposal takes the place of is the whole word, with the quotes around it', () => {
  assert.equal(range('SELECT na¦me FROM users'), 'name');
  assert.equal(range('SELECT "na¦me" FROM users'), '"name"');
  assert.equal(range('SELECT "na¦ FROM users'), '"na');
  assert.equal(range('SELECT ¦name FROM users'), '');
  assert.equal(range('SELECT u.¦ FROM users u'), '');
});

test('names are quoted where SQLite needs it, and as the user began to', () => {
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'total price'), '"total price"');
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'group'), '"group"');
  assert.equal(insertOf('SELECT ¦ FROM "order"', 'id'), 'id');
  assert.equal(insertOf('SELECT `¦ FROM "order"', 'id'), '`id`');
  assert.equal(insertOf('SELECT [¦ FROM "order"', 'total price'), '[total price]');
  assert.equal(insertOf('SELECT * FROM ord¦', 'order'), '"order"');
});

test('a column that two tables have is proposed for each of them, unless the join makes it one', () => {
  assert.deepEqual(insertsOf('SELECT ¦ FROM users u JOIN posts p ON 1'), ['u.id', 'p.id']);
  assert.deepEqual(insertsOf('SELECT ¦ FROM users u JOIN posts p USING (id)'), ['id']);
  assert.deepEqual(insertsOf('SELECT ¦ FROM users NATURAL JOIN emp'), ['id']);
});

test('the likeliest comes first: conditions by foreign keys, own columns, then functions', () => {
  assert.equal(labels('SELECT * FROM users u JOIN posts p ON ¦')[0], 'p.user_id = u.id');
  assert.equal(labels('SELECT * FROM posts JOIN ¦')[0], 'users');
  assert.equal(labels('SELECT * FROM users ¦')[0], 'WHERE');
  const inSubquery = labels('SELECT * FROM users WHERE id IN (SELECT ¦ FROM posts)');
  assert.ok(inSubquery.indexOf('title') < inSubquery.indexOf('email'));
  assert.ok(inSubquery.indexOf('email') < inSubquery.indexOf('lower'));
  assert.ok(inSubquery.indexOf('lower') < inSubquery.indexOf('rowid'));
});

test('a key of several columns makes one condition', () => {
  const schema = Schema.of(
    'CREATE TABLE a(x, y, PRIMARY KEY (x, y)); CREATE TABLE b(p, q, FOREIGN KEY (p, q) REFERENCES a)',
  );
  const [first] = completeMarked('SELECT * FROM a JOIN b ON ¦', schema).proposals;
  assert.equal(first?.insert, 'b.p = a.x AND b.q = a.y');
});

test('where a new name is made up, no name is proposed', () => {
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

test('RAISE is for triggers, ranking functions of full text for virtual tables', () => {
  assert.ok(!labels('SELECT ¦ FROM users').includes('RAISE'));
  assert.ok(labels('CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT ¦').includes('RAISE'));
  assert.ok(!labels('SELECT ¦ FROM users').includes('bm25'));
  assert.ok(labels('SELECT ¦ FROM docs').includes('bm25'));
});

test('text that is larger than anybody writes by hand gets nothing, at once', () => {
  const text = `SELECT ${'1,'.repeat(200_000)} `;
  assert.deepEqual(completionAt(text, text.length, Schema.empty).proposals, []);
});

test('every place in the corpus can be asked, and nothing is proposed twice', () => {
  for (const [marked] of [...midEdit, ...heldMidEdit]) {
    const text = marked.replace('¦', '');
    for (let offset = 0; offset <= text.length; offset++) {
      const { proposals } = completeMarked(`${text.slice(0, offset)}¦${text.slice(offset)}`);
      const keys = proposals.map(({ kind, insert }) => `${kind} ${insert}`);
      assert.equal(new Set(keys).size, keys.length, `${text} at ${offset}`);
    }
  }
});
