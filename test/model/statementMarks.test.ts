import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkList } from '../../src/model/statementMarks.ts';
import type { TextRange } from '../../src/sql/text/textRange.ts';
import { StatementIndex, type TextEdit } from '../../src/sql/text/statementIndex.ts';

const text = 'SELECT 1;\nSELECT 2;\nSELECT 3';
const second = text.indexOf('SELECT 2');
const third = text.indexOf('SELECT 3');

/** Three statements with a list of marks, empty at first. */
class MarkedText {
  readonly statements = new StatementIndex(text);
  readonly list = new MarkList<string>();

  mark(range: TextRange, state = 'ok') {
    return this.list.put(this.statements, range, state);
  }

  markAll(): this {
    for (const statement of this.statements.statements()) this.mark(statement);
    return this;
  }

  edit(...edits: readonly TextEdit[]): this {
    for (const edit of edits) this.statements.apply(edit);
    this.list.applyEdits(edits, this.statements);
    return this;
  }

  get markedStatements(): string[] {
    return this.list.marks.map(({ start, end }) => this.statements.slice(start, end));
  }
}

const insert = (start: number, added: string): TextEdit => ({ start, end: start, text: added });

interface EditCase {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  readonly expected: readonly string[];
}

const cases: readonly EditCase[] = [
  {
    title: 'text above all statements moves all marks',
    edits: [insert(0, '-- about\n\n')],
    expected: ['SELECT 1;', 'SELECT 2;', 'SELECT 3'],
  },
  {
    title: 'a line between two statements keeps all marks',
    edits: [insert(second - 1, '\n')],
    expected: ['SELECT 1;', 'SELECT 2;', 'SELECT 3'],
  },
  {
    title: 'a letter within a statement removes its mark',
    edits: [insert(second + 3, 'x')],
    expected: ['SELECT 1;', 'SELECT 3'],
  },
  {
    title: 'a word right before a statement hides its mark',
    edits: [insert(second, 'EXPLAIN ')],
    expected: ['SELECT 1;', 'SELECT 3'],
  },
  {
    title: 'a digit right after the last statement hides its mark',
    edits: [insert(text.length, '0')],
    expected: ['SELECT 1;', 'SELECT 2;'],
  },
  {
    title: 'a line after the last statement keeps all marks',
    edits: [insert(text.length, '\n')],
    expected: ['SELECT 1;', 'SELECT 2;', 'SELECT 3'],
  },
  { title: 'a comment that opens above all statements hides all marks', edits: [insert(0, '/*')], expected: [] },
  {
    title: 'deleting a semicolon removes the marks of the joined statements',
    edits: [{ start: second + 8, end: second + 9, text: '' }],
    expected: ['SELECT 1;'],
  },
  {
    title: 'an edit across two statements removes both marks',
    edits: [{ start: 3, end: second + 3, text: '' }],
    expected: ['SELECT 3'],
  },
  {
    title: 'several edits at once apply one after another',
    edits: [insert(third + 8, ' '), insert(second + 8, ' '), insert(0, ' ')],
    expected: ['SELECT 1;', 'SELECT 3'],
  },
];

for (const { title, edits, expected } of cases) {
  test(title, () => assert.deepEqual(new MarkedText().markAll().edit(...edits).markedStatements, expected));
}

test('a comment typed letter by letter above a statement leaves its mark in the end', () => {
  const letters = Array.from('-- one', (letter, index) => insert(index, letter));
  assert.equal(new MarkedText().markAll().edit(...letters.slice(0, 1)).markedStatements.length, 2);
  assert.equal(new MarkedText().markAll().edit(insert(0, '\n'), ...letters).markedStatements.length, 3);
});

test('marks are sorted by position, found by range, and gone once removed', () => {
  const marked = new MarkedText();
  const { list, statements } = marked;
  const last = marked.mark(statements.at(2)!);
  const first = marked.mark(statements.at(0)!);
  const middle = marked.mark(statements.at(1)!);
  assert.deepEqual(list.marks, [first, middle, last]);
  assert.deepEqual(list.inRange({ start: second + 2, end: third }), [middle]);
  assert.deepEqual(list.inRange({ start: second - 1, end: third + 1 }), [middle, last]);
  assert.deepEqual(list.inRange({ start: second + 9, end: third }), []);
  list.remove(middle);
  list.remove(middle);
  assert.equal(list.has(middle), false);
  assert.equal(list.has(last), true);
  assert.deepEqual(list.marks, [first, last]);
});

test('a mark replaces those on the same text', () => {
  const marked = new MarkedText();
  const range = { start: second, end: second + 9 };
  const earlier = marked.mark(range, 'running');
  const later = marked.mark(range, 'ok');
  assert.equal(marked.list.has(earlier), false);
  assert.equal(marked.list.has(later), true);
});

test('the mark of a part of a statement moves with edits as well', () => {
  const marked = new MarkedText();
  marked.mark({ start: second, end: second + 8 });
  assert.deepEqual(marked.edit(insert(0, '\n')).markedStatements, ['SELECT 2']);
});
