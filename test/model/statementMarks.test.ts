import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkList } from '../../src/model/statementMarks.ts';
import { StatementIndex, type TextEdit } from '../../src/sql/text/statementIndex.ts';

const text = 'SELECT 1;\nSELECT 2;\nSELECT 3';
const [second, third] = [text.indexOf('SELECT 2'), text.indexOf('SELECT 3')];

/** The statements that still have their mark after the edits, as they read then. */
function markedAfter(...edits: TextEdit[]): string[] {
  const statements = new StatementIndex(text);
  const list = new MarkList<string>();
  for (const place of statements.statements()) list.put(statements, place, 'ok');
  for (const edit of edits) statements.apply(edit);
  list.follow(edits, statements);
  return list.marks.map(({ start, end }) => statements.slice(start, end));
}

const insert = (start: number, added: string): TextEdit => ({ start, end: start, text: added });

const edits: readonly (readonly [what: string, edits: readonly TextEdit[], left: readonly string[]])[] = [
  ['text above them moves all', [insert(0, '-- about\n\n')], ['SELECT 1;', 'SELECT 2;', 'SELECT 3']],
  ['a line between two', [insert(second - 1, '\n')], ['SELECT 1;', 'SELECT 2;', 'SELECT 3']],
  ['a letter within one', [insert(second + 3, 'x')], ['SELECT 1;', 'SELECT 3']],
  ['a word right before one', [insert(second, 'EXPLAIN ')], ['SELECT 1;', 'SELECT 3']],
  ['a digit right behind one', [insert(text.length, '0')], ['SELECT 1;', 'SELECT 2;']],
  ['a line behind the last', [insert(text.length, '\n')], ['SELECT 1;', 'SELECT 2;', 'SELECT 3']],
  ['a comment that begins above', [insert(0, '/*')], []],
  ['a semicolon that is taken away', [{ start: second + 8, end: second + 9, text: '' }], ['SELECT 1;']],
  ['the lines of two', [{ start: 3, end: second + 3, text: '' }], ['SELECT 3']],
  [
    'several edits at once',
    [insert(third + 8, ' '), insert(second + 8, ' '), insert(0, ' ')],
    ['SELECT 1;', 'SELECT 3'],
  ],
];

for (const [what, made, left] of edits) {
  test(`${what}: ${left.length} of three marks stay`, () => assert.deepEqual(markedAfter(...made), left));
}

test('a comment that is typed above a statement letter by letter leaves its mark in the end', () => {
  const typed = Array.from('-- one', (letter, place) => insert(place, letter));
  assert.equal(markedAfter(...typed.slice(0, 1)).length, 2);
  assert.equal(markedAfter(insert(0, '\n'), ...typed).length, 3);
});

test('those at a part of the text are found, in whatever order they were put, as long as they are there', () => {
  const statements = new StatementIndex(text);
  const list = new MarkList<string>();
  const [one, two, three] = [2, 0, 1].map(number => list.put(statements, statements.at(number)!, 'ok'));
  assert.deepEqual(list.marks, [two, three, one]);
  assert.deepEqual(list.within({ start: second + 2, end: third }), [three]);
  assert.deepEqual(list.within({ start: second - 1, end: third + 1 }), [three, one]);
  assert.deepEqual(list.within({ start: second + 9, end: third }), []);
  list.remove(three!);
  list.remove(three!);
  assert.deepEqual([list.has(three!), list.has(one!)], [false, true]);
  assert.deepEqual(list.marks, [two, one]);
});

test('a mark takes the place of those on the same text', () => {
  const statements = new StatementIndex(text);
  const list = new MarkList<string>();
  const place = { start: second, end: second + 9 };
  const first = list.put(statements, place, 'running');
  const later = list.put(statements, place, 'ok');
  assert.deepEqual([list.has(first), list.has(later)], [false, true]);
});

test('the mark of a part of a statement moves as well', () => {
  const statements = new StatementIndex(text);
  const list = new MarkList<string>();
  list.put(statements, { start: second, end: second + 8 }, 'ok');
  const edit = insert(0, '\n');
  statements.apply(edit);
  list.follow([edit], statements);
  assert.deepEqual(
    list.marks.map(({ start, end }) => statements.slice(start, end)),
    ['SELECT 2'],
  );
});
