import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { choose, completeMarked, labelsAt } from '../../support/completeMarked.ts';

const snippets = (marked: string): string[] =>
  completeMarked(marked)
    .proposals.filter(({ kind }) => kind === 'snippet')
    .map(({ label }) => label);

for (const [marked, ...expected] of [
  [
    '¦',
    'SELECT … FROM',
    'INSERT INTO … VALUES',
    'UPDATE … SET … WHERE',
    'DELETE FROM … WHERE',
    'WITH … AS … SELECT',
    'CREATE TABLE …',
  ],
  ['SELECT ¦ FROM users', 'CASE WHEN … THEN … ELSE … END'],
  ['SELECT * FROM users WHERE id IN (¦', 'SELECT … FROM', 'CASE WHEN … THEN … ELSE … END'],
  ['CREATE TRIGGER t AFTER ¦'],
  ['INSERT INTO tags VALUES (1, 2) ON CONFLICT DO ¦'],
  ['SELECT * FROM users ¦'],
] as const) {
  test(`snippets are proposed where their keyword fits: ${marked}`, () => assert.deepEqual(snippets(marked), expected));
}

test('every snippet without its tab stops is valid SQL', () => {
  for (const label of snippets('¦')) {
    const proposal = completeMarked('¦').proposals.find(other => other.label === label)!;
    const sql = proposal.insert.replaceAll(/\btable\b/g, 't');
    assert.equal(parseStatement(sql).fault, undefined, sql);
  }
});

test('a snippet has the case of the typed word', () => {
  assert.equal(choose('sel¦', 'select … from'), 'select * from ¦table');
});

for (const [marked, ...expected] of [
  ['SELECT * FROM users ¦', 'LEFT JOIN', 'GROUP BY', 'ORDER BY', 'UNION ALL'],
  ['select * from users group by id ¦', 'order by', 'is not null', 'is null', 'not in', 'not null', 'union all'],
  ['¦', 'INSERT INTO', 'DELETE FROM', 'CREATE TABLE'],
  ['CREATE TRIGGER t AFTER ¦'],
  ['CREATE TABLE t(a INT ¦', 'NOT NULL', 'PRIMARY KEY'],
  ['CREATE TABLE t(a INT, ¦', 'PRIMARY KEY', 'FOREIGN KEY'],
  ['INSERT INTO users(id) VALUES (1) ¦', 'ON CONFLICT', 'UNION ALL', 'ORDER BY'],
  ['INSERT INTO users ¦', 'DEFAULT VALUES'],
  ['SELECT * FROM users WHERE ¦', 'NOT EXISTS'],
  ['SELECT * FROM users LEFT ¦'],
  ['SELECT * FROM ¦'],
  ['SELECT * FROM users u JOIN users o ON o.¦'],
] as const) {
  test(`keywords that belong together are proposed together where they fit: ${marked}`, () => {
    const labels = completeMarked(marked).proposals.flatMap(({ kind, label }) =>
      kind === 'keyword' && label.includes(' ') ? label : [],
    );
    assert.deepEqual(labels.toSorted(), expected.toSorted());
  });
}

test('a foreign key is proposed after the constraints that are more usual', () => {
  const labels = labelsAt('CREATE TABLE t(a INT, ¦');
  const usual = ['PRIMARY KEY', 'FOREIGN', 'FOREIGN KEY', 'UNIQUE'];
  assert.deepEqual(
    labels.filter(label => usual.includes(label)),
    usual,
  );
});
