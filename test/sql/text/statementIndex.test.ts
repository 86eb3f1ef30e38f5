import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { StatementIndex, type StatementChange, type TextEdit } from '../../../src/sql/text/statementIndex.ts';
import { seeded } from '../../fuzz/documents.ts';
import { damaged, randomScript } from '../../fuzz/sqlTexts.ts';

const sameAsFresh = (index: StatementIndex, text: string, name: string): void => {
  assert.equal(index.text, text, name);
  assert.deepEqual(index.statements(), splitStatements(text), name);
};

const check = (text: string, edit: TextEdit, expected: StatementChange): void => {
  const index = new StatementIndex(text);
  const change = index.apply(edit);
  sameAsFresh(index, text.slice(0, edit.start) + edit.text + text.slice(edit.end), text);
  assert.deepEqual(change, expected);
};

const cases: readonly (readonly [name: string, text: string, edit: TextEdit, change: StatementChange])[] = [
  [
    'a letter in one statement',
    'SELECT 1; SELECT 2; SELECT 3',
    { start: 17, end: 17, text: 'a' },
    { first: 1, removed: 1, added: 1 },
  ],
  [
    'a letter behind a semicolon',
    'SELECT 1; SELECT 2;',
    { start: 9, end: 9, text: 'x' },
    { first: 1, removed: 1, added: 1 },
  ],
  [
    'a semicolon that goes',
    'SELECT 1; SELECT 2; SELECT 3;',
    { start: 8, end: 9, text: '' },
    { first: 0, removed: 2, added: 1 },
  ],
  [
    'a quote that opens',
    'SELECT 1; SELECT 2; SELECT 3;',
    { start: 17, end: 17, text: "'" },
    { first: 1, removed: 2, added: 1 },
  ],
  ['all that goes', 'SELECT 1; SELECT 2', { start: 0, end: 18, text: '' }, { first: 0, removed: 2, added: 0 }],
  ['the first text', '', { start: 0, end: 0, text: 'SELECT 1;' }, { first: 0, removed: 0, added: 1 }],
  [
    'what follows a statement without semicolon',
    'SELECT 1; SELECT 2',
    { start: 18, end: 18, text: '3' },
    { first: 1, removed: 1, added: 1 },
  ],
];
for (const [name, text, edit, change] of cases) test(`cuts again around ${name}`, () => check(text, edit, change));

/** An edit that turns one text into the other: what differs between their common ends. */
function editBetween(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let behind = 0;
  while (behind < shorter - start && before.at(-1 - behind) === after.at(-1 - behind)) behind++;
  return { start, end: before.length - behind, text: after.slice(start, after.length - behind) };
}

for (const seed of [1, 2, 3, 4]) {
  test(`any row of edits leaves the statements of a fresh cut (seed ${seed})`, () => {
    const random = seeded(seed);
    for (let round = 0; round < 100; round++) {
      let text = randomScript(random);
      const index = new StatementIndex(text);
      for (let step = 0; step < 30; step++) {
        const next = random() < 0.05 ? randomScript(random) : damaged(random, text);
        index.apply(editBetween(text, next));
        text = next;
        sameAsFresh(index, text, `seed ${seed}, round ${round}, step ${step}`);
      }
    }
  });
}

test('edits within a long text, longer than its pieces', () => {
  const random = seeded(5);
  let text = Array.from({ length: 3000 }, () => randomScript(random).replaceAll(/['"`[\]/*]/g, ' ')).join(';\n');
  assert.ok(text.length > 300_000);
  const index = new StatementIndex(text);
  for (let step = 0; step < 24; step++) {
    const start = Math.floor(random() * text.length);
    const end = random() < 0.1 ? Math.min(text.length, start + 200_000) : start + (step % 3);
    const edit = { start, end, text: [';', "'", 'a', '', ' END;', text.slice(0, step * 3000)][step % 6]! };
    index.apply(edit);
    text = text.slice(0, start) + edit.text + text.slice(end);
    sameAsFresh(index, text, `step ${step}`);
  }
});

for (const seed of [6, 7]) {
  test(`what a quote, a bracket or a trigger takes away comes back as it was, wherever else is typed (seed ${seed})`, () => {
    const random = seeded(seed);
    let text = Array.from({ length: 1500 }, (_, number) => `SELECT ${number}, 'a', "b"; -- it's`).join('\n');
    const index = new StatementIndex(text);
    const openers = ["'", '"', '[', '/*', '`', ';CREATE TRIGGER x BEGIN ', ' -- ', ';'];
    for (let step = 0; step < 60; step++) {
      const at = Math.floor(random() * random() * text.length);
      const opened = openers[Math.floor(random() * openers.length)]!;
      const edits: TextEdit[] = [{ start: at, end: at, text: opened }];
      const other = Math.floor(random() * text.length);
      // One character in the place of another, so that what is lost is as long as what is there.
      if (other > at + 2 && random() < 0.7)
        edits.push({ start: other, end: other + 1, text: random() < 0.5 ? 'x' : ';' });
      else if (other < at - 2) edits.push({ start: other, end: other + 1, text: ' ' });
      if (random() < 0.8) {
        edits.push({ start: at, end: at + opened.length, text: '' });
      }
      for (const edit of edits) {
        index.apply(edit);
        text = text.slice(0, edit.start) + edit.text + text.slice(edit.end);
        sameAsFresh(index, text, `step ${step}`);
      }
    }
  });
}

test('a statement is found by where it ends', () => {
  const index = new StatementIndex('SELECT 1; SELECT 2');
  assert.deepEqual(
    [0, 8, 9, 17, 18].map(offset => index.firstBehind(offset)),
    [0, 0, 1, 1, 2],
  );
  assert.deepEqual(index.at(1), { start: 10, end: 18, terminated: false });
  assert.equal(index.at(2), undefined);
});
