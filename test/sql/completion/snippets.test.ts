import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { choose, completeMarked } from '../../support/completeMarked.ts';

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
