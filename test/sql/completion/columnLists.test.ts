import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, completeMarked } from '../../support/completeMarked.ts';

const lists = (marked: string): string[] =>
  completeMarked(marked)
    .proposals.filter(({ kind }) => kind === 'columnList')
    .map(({ insert }) => insert);

for (const [marked, ...expected] of [
  ['INSERT INTO tags(¦', 'post_id, tag'],
  ['INSERT INTO tags(¦) VALUES (1, 2)', 'post_id, tag'],
  ['REPLACE INTO "order"(¦)', 'id, "group", "total price", "from date", back'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN INSERT INTO tags(¦', 'post_id, tag'],
  ['INSERT INTO tags(post_id, ¦'],
  ['INSERT INTO gen(¦'],
  ['INSERT INTO missing(¦'],
  ['INSERT INTO tags ¦', '(post_id, tag) VALUES (?, ?)'],
  ['insert into main.tags as t ¦;', '(post_id, tag) values (?, ?)'],
  ['INSERT INTO gen ¦', '(a) VALUES (?)'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN INSERT INTO tags ¦; END', '(post_id, tag) VALUES (?, ?)'],
  ['INSERT INTO missing ¦'],
  ['INSERT INTO tags ¦ VALUES (1, 2)'],
  ['INSERT INTO tags(post_id, tag) VALUES (¦', '?, ?'],
  ['INSERT INTO posts VALUES (¦)', '?, ?, ?, ?, ?, ?'],
  ['INSERT INTO tags(post_id, tag) VALUES (1, ¦)'],
  ['INSERT INTO tags(tag) VALUES (¦)'],
  ['INSERT INTO tags SELECT * FROM (VALUES (¦))'],
  ['VALUES (¦)'],
  ['SELECT * FROM tags ¦'],
  ['UPDATE tags ¦'],
] as const) {
  test(`an INSERT proposes the list of its columns: ${marked}`, () => assert.deepEqual(lists(marked), expected));
}

test('the list comes first, and its parameters are tab stops', () => {
  const [first] = completeMarked('INSERT INTO tags ¦').proposals;
  assert.equal(first?.snippet, '(post_id, tag) VALUES (${1:?}, ${2:?})$0');
  assert.equal(choose('INSERT INTO tags ¦', first.label), 'INSERT INTO tags (post_id, tag) VALUES (¦?, ?)');
});
